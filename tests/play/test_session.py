"""A session: one game of a person among agents, whole, repeatable, and left as it was by whatever is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import bluff_env
from bluff_agents import load
from bluff_agents.play import PlayError, Session, default_opponent
from bluff_agents.play.summing import summary
from bluff_env import BluffError, Move
from bluff_env.record import check_record
from play.common import Caller, Counting, Quiet

RULES = ["bloff", "blof_free_pass", "verish", "bluffstopp", "bluffstopp_dropp", "bluffstopp_jokers", "tiny"]


def play_out(session: Session, seed: int, most: int = 400) -> list[str]:
    """The person plays random moves of the list, seldom a call, to the end."""
    rng, made = random.Random(seed), []
    while not session.over and len(made) < most:
        moves = session.moves[:8]
        answers = session.view()["phase"] == "answer"
        move = session.moves[0] if answers and rng.random() < 0.8 else rng.choice(moves)
        session.play(move)
        made.append(str(move))
    return made


@pytest.mark.parametrize("name", RULES)
def test_a_game_can_be_played_by_its_list_and_leaves_a_good_record(name: str) -> None:
    session = Session(name, "counter", seed=4, seat=1)
    play_out(session, 4)
    assert session.over
    record = session.record()
    assert check_record(record) == record
    assert record["seats"] == ["counter", "human", *["counter"] * (session.rules.players - 2)]
    assert record["name"] == name
    view = session.view()
    assert (view["phase"], view["moves"], view["to_claim"]) == ("over", [], [])
    assert view["winner"] == record["result"]["winner"]
    assert session.events[-1]["kind"] == "end"


@pytest.mark.parametrize("name", RULES)
def test_every_view_is_json_and_its_moves_are_legal_numbered_and_unlike(name: str) -> None:
    session = Session(name, "honest", seed=2)
    for _ in range(12):
        if session.over:
            break
        view = session.view()
        assert json.loads(json.dumps(view)) == view
        assert view["seats"][0]["you"]
        assert view["phase"] in ("play", "answer", "vote", "give")
        assert [move["id"] for move in view["moves"]] == list(range(len(view["moves"])))
        assert len({move["text"] for move in view["moves"]}) == len(view["moves"]) <= view["n_moves"]
        assert len(view["moves"]) == min(view["n_moves"], 200)
        for move in view["moves"]:
            if move["true"] is not None:
                assert move["true"] == all(card in (move["claim"], "X") for card in move["cards"])
        session.play(len(view["moves"]) - 1)


def test_a_seed_and_moves_give_the_same_game_and_another_seed_another() -> None:
    first = Session("bloff", "random", seed=5)
    made = play_out(first, 5)
    again = Session("bloff", "random", seed=5)
    for move in made:
        again.play(move)
    assert again.record() == first.record()
    assert again.events == first.events
    assert Session("bloff", "random", seed=6).record()["deals"][0]["hands"] != first.record()["deals"][0]["hands"]


def test_what_is_told_comes_in_order_and_each_event_once() -> None:
    session = Session("bluffstopp", "counter", seed=9)
    told = list(session.events)
    while not session.over:
        told += session.play(0)
    assert told == session.events
    plays = [event for deal in session.record()["deals"] for event in deal["events"] if "play" in event]
    assert [(e["seat"], e["claim"]) for e in told if e["kind"] == "play"] == [(e["seat"], e["claim"]) for e in plays]


@pytest.mark.parametrize("make", [lambda r: "adaptive", Counting], ids=["no memory", "memory"])
def test_undo_takes_back_to_the_last_decision_and_all_goes_on_as_before(make: Any) -> None:
    rules = bluff_env.rules("bloff", players=3)
    session = Session(rules, make(rules), seed=3, practice=True)
    rng = random.Random(1)
    for _ in range(15):
        move = rng.choice(session.moves[:6])
        before = [session.view(), session.record(), list(session.events)]
        told = session.play(move)
        after = [session.view(), session.record(), list(session.events)]
        session.undo()
        assert [session.view(), session.record(), session.events] == before
        assert session.play(move) == told
        assert [session.view(), session.record(), session.events] == after
        if session.over:
            break
    while session.view()["can_undo"]:
        session.undo()
    assert session.view() == Session(rules, make(rules), seed=3, practice=True).view()
    with pytest.raises(PlayError, match="no move yet"):
        session.undo()


def test_undo_is_for_practice_only() -> None:
    session = Session("tiny", "random", seed=1)
    session.play(0)
    with pytest.raises(PlayError, match="only in practice"):
        session.undo()
    assert not session.view()["can_undo"]


@pytest.mark.parametrize(
    ("move", "complaint"),
    [
        ("A:55", "you do not hold 5 5; allowed: aces with 1 or 2 cards, such as A:A"),
        ("2:2", "a two cannot be claimed now; allowed: aces"),
        ("A:A2344", "5 cards, where 2 may be laid"),
        ("call", "call: not possible here; allowed"),
        ("fold", "'fold': no move; allowed"),
        ("x" * 500, "no move; allowed"),
        ("", "'': no move; allowed"),
        (10**9, "moves are listed, 0 to"),
        (-1, "moves are listed, 0 to"),
        (True, "a number, a text or a Move expected"),
        (None, "a number, a text or a Move expected"),
    ],
)
def test_an_illegal_move_is_refused_in_one_line_and_changes_nothing(move: Any, complaint: str) -> None:
    rules = bluff_env.rules("bloff", players=2, ranks=5, suits=2)
    session = Session(rules, Quiet(rules), deal={"dealer": 0, "hands": [list("A2355"), list("A2344")]}, seat=1)
    before = session.view(), session.record()
    with pytest.raises(PlayError) as caught:
        session.play(move)
    assert complaint in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200
    assert (session.view(), session.record()) == before


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("a:a", "A:A"), (" A : 2 3 ", "A:23"), (":10", "A:T"), ("a:t", "A:T"), ("23", "A:23"), ("A:2", "A:2")],
)
def test_moves_may_be_typed_as_people_type(typed: str, meant: str) -> None:
    rules = bluff_env.rules("bloff", players=2, suits=1)
    hands = [["A", "2", "3", "4", "5", "6", "T"], ["7", "8", "9", "J", "Q", "K"]]
    session = Session(rules.replace(max_cards=3), "counter", deal={"dealer": 1, "hands": hands})
    session.play(typed)
    event = session.record()["deals"][0]["events"][0]
    assert f"{event['claim']}:{''.join(event['play'])}" == meant


@pytest.mark.parametrize(
    ("typed", "meant"), [("10♥:7♠", ("TH", ["7S"])), ("th:7s", ("TH", ["7S"])), ("10h: 7s", ("TH", ["7S"]))]
)
def test_suits_may_be_typed_as_signs_or_letters(typed: str, meant: tuple[str, list[str]]) -> None:
    rules = bluff_env.rules("bluffstopp_open", players=2, hand_size=2)
    deck = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
    stock = [card for card in deck if card not in ("7S", "8S", "9S", "TS")]
    deal = {"dealer": 1, "hands": [["7S", "8S"], ["9S", "TS"]], "stock": stock}
    session = Session(rules, "counter", deal=deal)
    (event, *_) = session.play(typed)
    assert (event["claim"], event["cards"]) == meant


class Broken(Quiet):
    """Fails once it is broken."""

    broken = False

    def choose(self, observation: Any, mask: Any, noise: Any) -> Any:
        if self.broken:
            raise BluffError("broken: no answer")
        return super().choose(observation, mask, noise)


def test_an_agent_that_fails_leaves_the_game_as_it_was() -> None:
    rules = bluff_env.rules("tiny")
    agent = Broken(rules)
    session = Session(rules, agent, seed=1)
    while session.view()["phase"] != "play":
        session.play("decline")
    agent.broken = True
    before = session.view(), session.record()
    with pytest.raises(BluffError, match="broken: no answer"):
        session.play(0)
    assert (session.view(), session.record()) == before


@pytest.mark.parametrize("name", ["bloff", "blof_free", "bluffstopp_dropp", "bluffstopp"])
def test_a_hint_gives_legal_moves_with_chances_and_changes_nothing(name: str) -> None:
    session = Session(name, "counter", seed=7)
    for turn in range(6):
        before = session.view(), session.record()
        hint = session.hint(("random", "counter", None)[turn % 3])
        assert (session.view(), session.record()) == before
        chances = [move["chance"] for move in hint["moves"]]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) + hint["rest"] == pytest.approx(1)
        assert json.loads(json.dumps(hint)) == hint
        session.play(hint["moves"][0]["text"])
        if session.over:
            break


def test_a_hint_s_chance_of_a_whole_move_is_that_of_its_small_decisions() -> None:
    rules = bluff_env.rules("bloff", players=2, ranks=3, suits=2, max_cards=2)
    session = Session(rules, "counter", deal={"dealer": 1, "hands": [["A", "2", "3"], ["A", "2", "3"]]})
    hint = session.hint("random", most=20)
    # first one of three cards, then lay, or one of the cards that come later in the order; ace, two, three
    expected = {"A:A": 1 / 9, "A:2": 1 / 6, "A:3": 1 / 3, "A:A2": 1 / 9, "A:A3": 1 / 9, "A:23": 1 / 6}
    assert {move["text"]: move["chance"] for move in hint["moves"]} == pytest.approx(expected)


def test_an_agent_with_a_memory_is_asked_for_hints_as_if_it_had_sat_there() -> None:
    rules = bluff_env.rules("bloff", players=2)
    session = Session(rules, Quiet(rules), seed=1)
    asked = 0
    for _ in range(8):
        before = session.hint(Counting(rules), most=1)["moves"][0]
        called = before["text"] == "call"
        if session.view()["phase"] == "answer":
            assert called == (asked % 3 == 2)
            assert before["chance"] == pytest.approx(1)
        actions = session._game.actions_of(session._move(0))
        asked += len(actions)
        session.play(0)


def test_a_hint_tells_the_chance_to_win_of_an_agent_that_knows_it() -> None:
    session = Session("bloff", "zoo/bloff-4", seed=1)
    win = session.hint()["win"]
    assert 0 <= win <= 1
    assert win == load("zoo/bloff-4").win_chance(session._game.batch.observation)[0]
    assert session.hint("counter")["win"] is None


@pytest.mark.parametrize(
    ("rules", "players", "expected"),
    [
        ("bloff", 4, "zoo/bloff-4"),
        ("bloff", 2, "zoo/bloff-2"),
        ("bluff", 2, "zoo/bluff-2"),
        ("blof", 3, "zoo/bloff-3"),
        ("bluffstopp_open", 4, "zoo/bluffstopp-open"),
        ("bluffstopp_dropp", 4, "counter"),
        ("bloff", 5, "counter"),
    ],
)
def test_who_plays_where_nobody_is_named(rules: str, players: int, expected: str) -> None:
    assert default_opponent(bluff_env.rules(rules, players=players), rules) == expected


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"seat": 4}, "seat: 4 is not allowed; a whole number from 0 to 3"),
        ({"seat": True}, "seat: True is not allowed"),
        ({"agents": ["counter", "honest"]}, "agents: 2 named for 3 other seats; one for all, or exactly 3"),
        ({"agents": []}, "agents: 0 named"),
        ({"agents": "cuonter"}, "no bot named 'cuonter'"),
        ({"agents": "zoo/bluffstopp"}, "made for other rules"),
        ({"rules": "blof_fre"}, "did you mean 'blof_free'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_session_that_cannot_be_is_refused_in_one_line(words: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BluffError) as caught:
        Session(**{"agents": "counter", **words})
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_agents_sit_from_the_person_s_left_on() -> None:
    session = Session("bloff", ["counter", "honest", "bold"], seat=2, seed=1)
    assert session.seats == ["honest", "bold", "human", "counter"]


def test_a_match_goes_on_over_deals_and_says_who_deals() -> None:
    rules = bluff_env.rules("tiny", target_points=2, max_turns=60)
    session = Session(rules, Quiet(rules), seed=2)
    while not session.over:
        session.play(0)
    kinds = [event["kind"] for event in session.events]
    assert kinds.count("end") == kinds.count("deal") + 1 == len(session.record()["deals"]) > 1
    assert kinds.index("deal") == kinds.index("end") + 1
    assert max(row["score"] for row in session.view()["seats"]) == 2


def test_a_person_picks_the_cards_to_give_where_the_rules_say_so() -> None:
    rules = bluff_env.rules("bluffstopp_open", players=2, hand_size=5, ranks=5, suits=2, give="choose")
    deck = [rank + suit for suit in "SH" for rank in "23456"]
    deal = {"dealer": 1, "hands": [deck[:5], deck[5:]], "stock": []}
    session = Session(rules, Caller(rules), deal=deal)
    session.play("2S:2S")  # true, and called: three cards are owed, and the stock is empty
    view = session.view()
    assert (view["phase"], view["least"], view["most"]) == ("give", 3, 3)
    assert view["prompt"] == "you were right, and the stock cannot pay: give 3 of your cards"
    with pytest.raises(PlayError, match="allowed: give and three cards of your hand, such as give 3S4S5S"):
        session.play("give 3S4S")
    told = session.play("give 3S4S6S")
    call = next(event for event in told if event["kind"] == "call")
    assert (call["lost"], call["gained"], call["given"]) == (["3S", "4S", "6S"], [], 3)
    assert call["words"].endswith("Seat 1 gets three cards from your hand: 3♠ 4♠ 6♠.")


def test_in_a_race_all_who_called_are_told() -> None:
    rules = bluff_env.rules("bloff", call_order="race")
    session = Session(rules, Caller(rules), seed=1)
    told = list(session.events)
    while not any(event["kind"] == "call" for event in told):
        told = session.play("call" if session.view()["phase"] == "answer" else 0)
    call = next(event for event in told if event["kind"] == "call")
    assert len(call["callers"]) == 3
    assert "call;" in call["words"]


def test_a_summary_counts_what_the_record_holds() -> None:
    events = [
        {"seat": 0, "claim": "A", "play": ["A", "K"]},
        {"seat": 1, "call": 0, "truthful": False, "wrong": 0, "pile": 2, "drawn": [], "given": [], "next": 1},
        {"seat": 1, "claim": "2", "play": ["2"]},
        {"seat": 0, "call": 1, "truthful": True, "wrong": 0, "pile": 1, "drawn": [], "given": [], "next": 0},
        {"seat": 0, "claim": "3", "play": ["4"]},
        {"seat": 1, "pass": True},
    ]
    found = summary({"deals": [{"events": events}], "seats": ["human", "counter"], "result": None}, [5, 3])
    you, counter = found["seats"]
    assert {**you, **{"seat": 0}} == {
        "seat": 0, "name": "human", "score": 0, "reward": 0.0, "cards": 5, "plays": 2, "bluffs": 2, "caught": 1,
        "passes": 0, "calls": 1, "right": 0, "taken": 3, "drops": 0,
    }  # fmt: skip
    assert (counter["plays"], counter["bluffs"], counter["passes"], counter["right"]) == (1, 0, 1, 1)
    assert found["last"] == {"seat": 0, "claim": "3", "cards": ["4"], "true": False}


def test_there_is_no_summary_and_no_hint_at_the_wrong_time() -> None:
    session = Session("tiny", "random", seed=1)
    with pytest.raises(PlayError, match="not over"):
        session.summary()
    play_out(session, 1)
    assert session.summary()["seats"][0]["name"] == "human"
    with pytest.raises(PlayError, match="the game is over"):
        session.hint()
    with pytest.raises(PlayError, match="the game is over"):
        session.play("call")


def test_a_move_object_is_as_good_as_its_text() -> None:
    one, other = (Session("tiny", "counter", seed=1) for _ in range(2))
    move = one.moves[0]
    assert isinstance(move, Move)
    assert one.play(move) == other.play(str(move))
    assert np.array_equal(one._game.batch.observation, other._game.batch.observation)
