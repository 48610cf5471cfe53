"""Game: one game for people and programs, in moves, texts and events."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import bluff_env
from bluff_env import BluffError, Game, Move
from bluff_env.errors import MoveError
from gameplay import Refereed, as_the_referee_says_it, random_move
from records.common import RULES

#: Seat 1 deals, so seat 0 opens.
SMALL: dict[str, Any] = {"players": 2, "ranks": 3, "suits": 2}
SMALL_DEAL = {"dealer": 1, "hands": [["A", "A", "3"], ["2", "2", "3"]], "stock": []}


def small(**fields: Any) -> Game:
    return Game(SMALL | fields, deal=SMALL_DEAL)


def everything(game: Game) -> list[Any]:
    """All that can be asked of a game, for comparing."""
    seats = range(game.rules.players)
    told: list[Any] = [game.turn, game.asked, game.over, game.winner, game.cut_off, game.turns, game.rewards]
    told += [game.record(), repr(game), len(game.legal_moves), game.last_event()]
    told += [(game.view(seat), game.observe(seat)["observation"].tolist()) for seat in seats]
    return told


# ---- pushing ----


@pytest.mark.parametrize("fields", RULES)
def test_a_move_its_text_and_its_events_are_one_move(fields: dict[str, Any]) -> None:
    """[D2] A false alarm is told after the play that it came with. [M1] Declines end a deal."""
    rng = random.Random(3)
    by_move, by_text, by_event = (Game(fields, seed=3, max_turns=20) for _ in range(3))
    told = 0
    while not by_move.over:
        move = random_move(by_move, rng)
        by_move.push(move)
        by_text.push(str(move))
        assert everything(by_text) == everything(by_move)
        events = [event for deal in by_move.record()["deals"] for event in deal["events"]]
        for event in events[told:]:
            by_event.push(event)
        if len(events) > told:
            told = len(events)
            if (by_event.deciding, by_event.turn) == (by_move.deciding, by_move.turn):
                assert everything(by_event)[:-1] == everything(by_move)[:-1]
    while not by_event.over:
        by_event.push("decline")
    assert by_event.record() == by_move.record()


def test_moves_read_as_claim_and_cards_call_or_decline() -> None:
    assert [str(m) for m in (Move("play", "4", ("4", "J", "T")), Move("call"), Move("decline"))] == [
        "4:4JT",
        "call",
        "decline",
    ]


@pytest.mark.parametrize("text", ["A:A3", ":A3", "A3", "A:3A", " A:A3 ", "A: A 3", "A:AS3D"])
def test_a_forced_claim_may_be_left_out_and_cards_stand_in_any_order_with_or_without_suits(text: str) -> None:
    game = small()
    if text == "A:AS3D":
        with pytest.raises(MoveError):  # texts of moves are without suits; events may have them
            game.push(text)
        game.push({"seat": 0, "claim": "A", "play": ["AS", "3D"]})
    else:
        game.push(text)
    assert game.last_event() is not None
    assert game.record()["deals"][0]["events"] == [{"seat": 0, "claim": "A", "play": ["A", "3"]}]


def test_a_claim_that_is_chosen_may_not_be_left_out() -> None:
    game = small(lead="any")
    with pytest.raises(MoveError, match="claim None is not one of these rules; claims: A 2 3"):
        game.push("A3")
    game.push("2:A3")
    assert game.view(1).claim == "2"


def test_an_event_passes_over_the_seats_that_were_asked_before_it() -> None:
    """[C3]"""
    game = Game("bloff", seed=1)
    mover = game.turn or 0
    game.push({"seat": mover, "claim": "A", "play": [game.view(mover).hand[0]]})
    game.push({"seat": (mover + 2) % 4, "call": mover})
    assert game.last_event() == game.record()["deals"][0]["events"][-1]
    assert game.turn == (mover + 1) % 4  # [C5]


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("A:AAA", "move 'A:AAA' is not legal for seat 0; claim one of A with 1 to 2 cards of its hand"),
        ("A:2", "move 'A:2' is not legal for seat 0; claim one of A with 1 to 2 cards of its hand"),
        ("2:A", "move '2:A' is not legal for seat 0; claim one of A"),
        ("call", "move 'call' is not legal for seat 0"),
        ("decline", "move 'decline' is not legal for seat 0"),
        ("A:", "move 'A:': no cards; a move is claim:cards such as A:A, or "),
        ("", "no cards"),
        ("A:9", "card '9' is not in this deck; cards: A 2 3"),
        ("9:A", "claim '9' is not one of these rules; claims: A 2 3"),
        (
            "bluff!",
            "a move is claim:cards such as A:A, or one of call, decline, pass, keep, another, drop, accuse, give",
        ),
        ("pass", "move 'pass' is not legal for seat 0"),
        (Move("play", "A", ("2",)), "move 'A:2' is not legal for seat 0"),
        (Move("play", "A", ()), "move 'A:' is not legal for seat 0"),
        (Move("play", None, ("A",)), "is not legal for seat 0"),
        (Move("call"), "move 'call' is not legal for seat 0"),
        (Move("dance"), "move 'dance' is not legal for seat 0"),  # type: ignore[arg-type]
        (None, "move 'None' is not legal for seat 0"),
        (3, "move '3' is not legal for seat 0"),
        ({"seat": 1, "claim": "A", "play": ["2"]}, "seat 1 is not to move; expected seat 0"),
        ({"seat": 0, "claim": "A", "play": ["2"]}, "is not legal for seat 0"),
        ({"seat": 0, "claim": "A", "play": ["A"], "pile": 1}, "unknown key 'pile'"),
        ({"seat": 1, "call": 0}, "seat 1 was not to be asked"),
        ({}, "none of play, pass, call, start, cleared, drop, alarm, accuse found"),
    ],
)
def test_a_move_that_is_not_legal_is_refused_in_one_line_and_changes_nothing(move: Any, message: str) -> None:
    game = small()
    before = everything(game)
    with pytest.raises(MoveError) as caught:
        game.push(move)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert everything(game) == before


@pytest.mark.parametrize(
    "move",
    ["A:2", "2:2", Move("play", "2", ("2",)), Move("dance"), Move("call", "A", ("A",)), "", {"seat": 0, "call": 0},
     {"seat": 1, "call": 0, "truthful": False}, {"seat": 1, "call": 1}, {"seat": 0, "claim": "2", "play": ["A"]}],
)  # fmt: skip
def test_in_a_call_window_only_an_answer_is_legal(move: Any) -> None:
    game = small()
    game.push("A:AA")
    before = everything(game)
    with pytest.raises(MoveError):
        game.push(move)
    assert everything(game) == before
    assert set(map(str, game.legal_moves)) == {"decline", "call"}


def test_nothing_is_legal_when_the_game_is_over() -> None:
    game = Game({"players": 2, "ranks": 2, "suits": 1}, deal={"dealer": 1, "hands": [["A"], ["2"]]})
    game.push("A:A")
    game.push("call")
    before = everything(game)
    assert (game.over, game.turn, game.winner, game.cut_off) == (True, None, 0, False)
    assert game.rewards == [1.0, -1.0]
    assert (list(game.legal_moves), len(game.legal_moves)) == ([], 0)
    for move in ("call", "A:A", Move("decline"), {"seat": 1, "claim": "2", "play": ["A"]}):
        with pytest.raises(MoveError, match="over"):
            game.push(move)
    with pytest.raises(MoveError, match="action 0: the game is over"):
        game.push_action(0)
    assert everything(game) == before


def test_small_decisions_may_be_mixed_with_whole_moves_but_not_within_a_play() -> None:
    game = small()
    pick = game.layout.actions["card"].start
    texts = [game.batch.action_text(pick + i) for i in range(3)]
    game.push_action(pick + texts.index("pick A"))
    with pytest.raises(MoveError, match="go on with push_action"):
        game.push("A:A")
    game.push_action(game.layout.actions["lay"].start)
    assert game.last_event() == {"seat": 0, "claim": "A", "play": ["A"]}
    game.push("decline")
    assert (game.turn, game.asked, game.last_event()) == (1, False, None)


@pytest.mark.parametrize("action", [-1, 99, 2.7, "3", None])
def test_what_is_no_action_is_refused(action: Any) -> None:
    game = small()
    before = everything(game)
    with pytest.raises(MoveError, match="action"):
        game.push_action(action)
    assert everything(game) == before


# ---- legal moves ----


DECIDED = {
    "play": "play", "pass": "play", "drop": "play", "call": "answer", "decline": "answer", "accuse": "answer",
    "keep": "vote", "another": "vote", "give": "give",
}  # fmt: skip
met: set[str] = set()


@pytest.mark.parametrize("fields", RULES)
def test_legal_moves_are_as_many_as_listed_all_different_and_those_of_the_referee(fields: dict[str, Any]) -> None:
    for seed in range(3):
        game = Game(fields, seed=seed, max_turns=15)
        both = Refereed(game)
        rng = random.Random(seed)
        while not game.over:
            assert (game.turn, game.deciding == "answer") == (both.table.to_move, both.table.asking)
            theirs = both.table.legal_moves()
            assert len(game.legal_moves) == len(theirs)
            if len(theirs) < 1000:
                listed = list(game.legal_moves)
                assert {as_the_referee_says_it(move) for move in listed} == set(theirs)
                assert {DECIDED[move.kind] for move in listed} == {game.deciding}
                assert all(move in game.legal_moves for move in rng.sample(listed, min(20, len(listed))))
            move = random_move(game, rng)
            assert move in game.legal_moves
            met.add(move.kind)
            both.push(move)
        assert both.table.over


def test_every_kind_of_move_is_met_in_these_games() -> None:
    if len(met) < 9:  # this worker ran other tests
        for seed, fields in enumerate(RULES * 3):
            game, rng = Game(fields, seed=seed, max_turns=15), random.Random(seed)
            while not game.over:
                move = random_move(game, rng)
                met.add(move.kind)
                game.push(move)
    assert met == set(DECIDED)


def test_every_legal_move_and_no_other_can_be_pushed() -> None:
    game = small(lead="any")
    every = [
        Move("play", c, cards) for c in "A23" for cards in (("A",), ("2",), ("3",), ("A", "A"), ("A", "3"), ("2", "3"))
    ]
    start = game.snapshot()
    for move in [*every, Move("call"), Move("decline")]:
        if move in game.legal_moves:
            game.push(move)
            assert game.turns == 1
            game.restore(start)
        else:
            with pytest.raises(MoveError):
                game.push(move)
    assert {move for move in every if move in game.legal_moves} == set(game.legal_moves)


def test_the_order_in_which_a_moves_cards_stand_does_not_matter() -> None:
    game = small()
    assert Move("play", "A", ("3", "A")) in game.legal_moves
    assert Move("play", "A", ("A", "A", "A")) not in game.legal_moves
    assert "A:A" not in game.legal_moves  # texts are for push


def test_a_hand_of_many_cards_has_its_moves_counted_not_listed() -> None:
    game = Game("bloff", seed=1, players=2, decks=4, max_cards="hand", lead="any")
    assert len(game.legal_moves) > 10**9
    text = repr(game.legal_moves)
    assert text.startswith("<LegalMoves ")
    assert text.endswith(" more>")


# ---- looking ----


def test_a_view_tells_the_table_in_words() -> None:
    game = small()
    assert game.view(0) == bluff_env.View(
        seat=0, hand=("A", "A", "3"), picked=(), hand_sizes=(3, 3), pile=0, stock=0, turn=0, deciding="play",
        to_claim=("A",), claimant=None, claim=None, count=0, last_claim=None, start_card=None, passes=0, scores=(0, 0),
        notices=(), turns=0, winner=None, cut_off=False, over=False,
    )  # fmt: skip
    game.push("A:A3")
    view = game.view(1)
    assert (view.hand, view.hand_sizes, view.pile, view.turn, view.deciding) == (
        ("2", "2", "3"),
        (1, 3),
        2,
        1,
        "answer",
    )
    assert (view.claimant, view.claim, view.count, view.turns, view.to_claim) == (0, "A", 2, 1, ())
    game.push("call")
    view = game.view(0)
    assert (view.hand, view.pile, view.claim, view.claimant, view.count) == (("A", "A", "3"), 0, None, None, 0)
    assert (view.turn, view.to_claim) == (1, ())
    assert game.view(1).to_claim == ("2",)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_at_the_table_sees_nothing(seat: int) -> None:
    for look in (small().view, small().observe):
        with pytest.raises(BluffError, match="0 to 1"):
            look(seat)


def test_an_observation_is_the_environments_and_only_the_seat_to_move_has_a_mask() -> None:
    game, env = Game("bloff", seed=6), bluff_env.bluff_v0.raw_env("bloff")
    env.reset(seed=6)
    for _ in range(30):
        for seat in range(4):
            mine, its = game.observe(seat), env.observe(f"player_{seat}")
            assert mine.keys() == its.keys()
            for key in mine:
                assert mine[key].dtype == its[key].dtype
                assert (mine[key] == its[key]).all()
        action = int(np.flatnonzero(game.batch.mask[0])[0])
        game.push_action(action)
        env.step(action)


def test_the_last_event_is_that_of_the_last_decision() -> None:
    game = small()
    assert game.last_event() is None
    game.push("A:3")
    assert game.last_event() == {"seat": 0, "claim": "A", "play": ["3"]}
    start = game.snapshot()
    game.push("decline")
    assert game.last_event() is None
    game.restore(start)
    game.push("call")
    assert game.last_event() == {
        "seat": 1, "call": 0, "truthful": False, "wrong": 0, "pile": 1, "drawn": [], "given": [], "next": 1,
    }  # fmt: skip


# ---- copies ----


def test_a_snapshot_puts_the_game_back_as_often_as_wanted() -> None:
    game = Game("blof_free", seed=4)
    rng = random.Random(4)
    for _ in range(20):
        game.push(random_move(game, rng))
    saved, before = game.snapshot(), everything(game)
    for seed in range(3):
        rng = random.Random(seed)
        for _ in range(30):
            if not game.over:
                game.push(random_move(game, rng))
        game.restore(saved)
        assert everything(game) == before


def test_a_snapshot_of_another_game_is_refused() -> None:
    with pytest.raises(BluffError, match="snapshot"):
        small().restore(Game("bloff", seed=1).snapshot())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])  # noqa: S301
def test_a_copy_goes_on_by_itself(copied: Any) -> None:
    game = Game("bloff", seed=4)
    rng = random.Random(4)
    for _ in range(20):
        game.push(random_move(game, rng))
    other, before = copied(game), everything(game)
    assert everything(other) == before
    moves = []
    while not other.over and len(moves) < 50:
        moves.append(random_move(other, rng))
        other.push(moves[-1])
    assert everything(game) == before
    for move in moves:
        game.push(move)
    assert everything(game) == everything(other)


# ---- making one ----


def test_a_game_without_a_seed_is_dealt_by_chance_and_its_record_tells_the_seed() -> None:
    games = [Game("bloff") for _ in range(4)]
    assert len({game.record()["seed"] for game in games}) == 4
    for game in games:
        assert Game("bloff", seed=game.record()["seed"]).record() == game.record()


def test_a_given_deal_is_dealt_whatever_the_seed() -> None:
    for seed in (1, 2):
        record = Game(SMALL, seed=seed, deal=SMALL_DEAL).record()
        assert record["seed"] is None
        assert {key: record["deals"][0][key] for key in SMALL_DEAL} == SMALL_DEAL


@pytest.mark.parametrize(
    "deal",
    [{}, [], "deal", {"dealer": 1}, SMALL_DEAL | {"hands": []}, SMALL_DEAL | {"dealer": 2}, SMALL_DEAL | {"x": 1}],
)
def test_a_deal_that_cannot_be_is_refused(deal: Any) -> None:
    with pytest.raises(BluffError, match=r"^deal: "):
        Game(SMALL, deal=deal)


def test_cards_are_neither_lost_nor_made() -> None:
    for fields in RULES:
        if "dropp" in fields or "clear_pile" in fields.values():
            continue  # their cards out of play are counted in tests/engine
        game = Game(fields, seed=8)
        rng = random.Random(8)
        for _ in range(100):
            if game.over:
                break
            views = [game.view(seat) for seat in range(game.rules.players)]
            held = Counter(card for view in views for card in view.hand)
            start = int(views[0].deciding == "vote")
            assert held.total() + views[0].pile + views[0].stock + start == game.rules.deck_size
            assert [len(view.hand) for view in views] == list(views[0].hand_sizes)
            game.push(random_move(game, rng))


def test_a_legal_move_can_be_picked_by_its_place() -> None:
    """So that `random.choice(game.legal_moves)` works."""
    moves = Game("bloff", seed=1).legal_moves
    assert [moves[i] for i in range(len(moves))] == list(moves)
    assert moves[-1] == list(moves)[-1]
    for part in (slice(3), slice(2, 9, 3), slice(None, None, -1), slice(-4, None), slice(5, 2)):
        assert moves[part] == list(moves)[part]
    for place in (len(moves), -len(moves) - 1):
        with pytest.raises(IndexError, match="move"):
            moves[place]
