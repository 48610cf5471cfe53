"""[V] What a seat is shown in words gives nothing away: two games that a seat cannot tell apart read the same to it.

The two games differ in the cards of the other seats. Both are played alike: the same cards by the seat that looks, the
same claims and counts, but other cards, by the others, and calls only where both games' calls end alike.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import pytest

import bluff_env
from bluff_env import Game, Move, bluff_v0
from bluff_env.render.ansi import table_text
from bluff_env.render.scene import scene_of
from envs.common import Uniform, every_table
from gameplay import random_move


def two_deals(rules: bluff_env.Rules, looks: int, rng: random.Random, stock_too: bool) -> list[dict[str, Any]]:
    """Two deals that agree in the looking seat's hand, the top of the stock, dealer and opener, and in nothing else."""
    deal = Game(rules, seed=rng.randrange(10**6)).record()["deals"][0]
    del deal["events"]
    others = [seat for seat in range(rules.players) if seat != looks]
    top, below = deal["stock"][:1], deal["stock"][1:]
    cards = [card for seat in others for card in deal["hands"][seat]] + (below if stock_too else [])
    rng.shuffle(cards)
    hands = [list(hand) for hand in deal["hands"]]
    for seat in others:
        hands[seat] = [cards.pop() for _ in hands[seat]]
    return [deal, {**deal, "hands": hands, "stock": top + (cards if stock_too else below)}]


def told(game: Game, laid: list[str], looks: int) -> list[Any]:
    """[V] what a seat is told of the call or accusation just made: what is public, and the cards it sees."""
    event = game.last_event() or {}
    hidden = ("drawn", "given", "back")
    heard: list[Any] = [(key, len(value) if key in hidden else value) for key, value in event.items()]
    if "call" in event:
        if game.rules.reveal == "all" or looks in (event["seat"], event["call"]):
            heard += [laid, event.get("back")]
        if looks in (event["seat"], event["call"]):  # giver or taker
            heard.append(event["given"])
    view = game.view(looks)
    return [*heard, view.hand, view.over, view.scores]


def play_alike(games: list[Game], laid: list[list[str]], looks: int, rng: random.Random, keep: bool) -> None:
    """One move in both games that reads the same to the seat that looks. `laid`: the last play in each."""
    game = games[0]
    move = random_move(game, rng)
    moves = [move, move]
    if move.kind == "another" and keep:  # the card turned next would tell the games apart
        moves = [Move("keep")] * 2
    elif game.deciding == "answer":
        if rng.random() < 0.4:
            move = Move("call")
        if move.kind == "decline" or not _tells_nothing(games, laid, move, looks):
            move = Move("decline")
        moves = [move, move]
    elif game.turn != looks and move.cards:
        hands = [one.view(one.turn or 0).hand for one in games]
        moves = [Move(move.kind, move.claim, tuple(rng.sample(hand, len(move.cards)))) for hand in hands]
    if move.kind == "play":
        laid[:] = [sorted(m.cards) for m in moves]
    for one, m in zip(games, moves, strict=True):
        one.push(m)


def _tells_nothing(games: list[Game], laid: list[list[str]], move: Move, looks: int) -> bool:
    """Would this answer end so that the seat that looks is told the same in both games?"""
    heard = []
    for one, cards in zip(games, laid, strict=True):
        before = one.snapshot()
        one.push(move)
        heard.append(told(one, cards, looks))
        one.restore(before)
    return heard[0] == heard[1]


def illegal_text(game: Game) -> str:
    """What the seat to move is told of an action that is not legal."""
    (illegal, *_) = [a for a in range(game.layout.n_actions) if not game.batch.mask[0, a]]
    with pytest.raises(bluff_env.BluffError) as caught:
        game.push_action(illegal)
    texts = [str(caught.value)]
    for move in ("X:XXXX", "call" if game.deciding == "play" else "pass", "accuse 99", "decline the offer"):
        with pytest.raises(bluff_env.BluffError) as caught:
            game.push(move)
        texts.append(str(caught.value))
    return "\n".join(texts)


@every_table
def test_views_and_tables_and_errors_read_the_same_whatever_the_others_hold(name: str, players: int) -> None:
    rules = bluff_env.rules(name, players=players)
    told_apart = 0
    for seed in range(4):
        rng = random.Random(f"{name} {players} {seed}")
        looks = rng.randrange(players)
        games = [Game(rules, seed=1, deal=deal) for deal in two_deals(rules, looks, rng, stock_too=seed % 2 == 1)]
        laid: list[list[str]] = [[], []]
        for _ in range(60):
            one, other = games
            if one.over or other.over:
                assert one.over == other.over
                break
            assert one.view(looks) == other.view(looks)
            assert table_text(one.view(looks)) == table_text(other.view(looks))
            assert scene_of(one, looks) == scene_of(other, looks)  # all that a picture shows
            assert repr(one) == repr(other)
            assert repr(one.batch) == repr(other.batch)
            assert (one.turn, one.deciding) == (other.turn, other.deciding)
            if one.turn == looks and rng.random() < 0.2:
                assert illegal_text(one) == illegal_text(other)
                assert repr(one.legal_moves) == repr(other.legal_moves)
            told_apart += any(one.view(seat).hand != other.view(seat).hand for seat in range(players))
            play_alike(games, laid, looks, rng, keep=seed % 2 == 1)
    assert told_apart > 40 or name == "tiny"  # the games did differ, so the test means something


@every_table
def test_a_table_shows_one_hand_fits_80_columns_and_ends_in_a_newline(name: str, players: int) -> None:
    game = Game(name, seed=5, players=players)
    rng = random.Random(5)
    for _ in range(150):
        if game.over:
            break
        game.push(random_move(game, rng))
    for seat in range(players):
        text = table_text(game.view(seat))
        lines = text.splitlines()
        assert text.endswith("\n")
        assert max(map(len, lines)) <= 80
        assert sum("(sees this)" in line for line in lines) == 1
        shown = " ".join(lines[lines.index(next(line for line in lines if line.startswith("hand: "))) :])
        shown = shown.removeprefix("hand: ").partition("picked: ")[0].strip()
        cards = shown.split() if game.rules.suited else list(shown.replace(" ", ""))
        assert sorted(cards if shown != "none" else []) == sorted(game.view(seat).hand)


def test_a_suited_table_reads_so() -> None:
    """[B2] [B3] [V]"""
    deal = {"dealer": 1, "hands": [["2S", "TS", "KD", "X"], ["3H", "4H", "7C", "AC"]], "stock": ["5H"]}
    fields = {"players": 2, "ranks": 13, "hand_size": 4, "start_card": "keep", "jokers": 2}
    rules = bluff_env.rules("bluffstopp", **fields)
    left = list(bluff_env.GameBatch(rules, seed=0).layout.tables.kinds)
    left = [card for card in [*left, "X"] if card not in ("X", *deal["hands"][0], *deal["hands"][1], "5H")] + ["X"]
    game = Game(rules, deal={**deal, "stock": ["5H", *left]})
    assert table_text(game.view(0)) == (
        "turn 0   pile 1   stock 45   player_0 is to play: choose a claim\n"
        "* player_0: 4 cards (sees this)\n"
        "  player_1: 4 cards\n"
        "start card: 5H\n"
        "to follow: 5H\n"
        "hand: 2S TS  KD  X\n"
    )
    game.push("9H:X")
    assert table_text(game.view(1)) == (
        "turn 1   pile 2   stock 45   player_1 is asked: call or decline\n"
        "  player_0: 3 cards\n"
        "* player_1: 4 cards (sees this)\n"
        "start card: 5H\n"
        "on the table: player_0 laid 1 and claims 9H\n"
        "hand: 3H 4H  7C AC\n"
    )


def test_a_hand_of_nearly_all_suited_cards_fits_80_columns() -> None:
    """[B6] under `whole_stock`, after two wrong calls"""
    game = Game("bluffstopp_stock", players=2, seed=3, start_card="none", hand_size=2)
    mover = game.turn or 0
    truth = game.view(mover).hand[0]
    game.push(f"{truth}:{truth}")
    game.push("call")
    text = table_text(game.view(1 - mover))
    assert len(game.view(1 - mover).hand) == 50
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) == 6


@pytest.mark.parametrize("players", [4, 16])
def test_even_the_largest_hand_fits_80_columns(players: int) -> None:
    game = Game("bloff", seed=1, decks=4, players=players, max_cards="hand", jokers=8)
    while not game.over and max(game.view(0).hand_sizes) <= 80:  # all lie, and a large pile is called
        view = game.view(game.turn or 0)
        if view.deciding == "answer":
            game.push("call" if view.pile > 75 else "decline")
        else:
            (claim,) = view.to_claim
            lie = next((card for card in view.hand if card not in (claim, "X")), view.hand[0])
            game.push(Move("play", claim, (lie,)))
    assert max(game.view(0).hand_sizes) > 80
    for seat in range(players):
        assert max(map(len, table_text(game.view(seat)).splitlines())) <= 80


def test_cards_picked_for_a_play_under_way_are_shown_to_their_player_alone() -> None:
    game = Game("bloff", seed=1)
    mover = game.turn or 0
    pick = game.layout.actions["card"].start + next(
        i for i in range(13) if game.batch.mask[0, game.layout.actions["card"].start + i]
    )
    before = [table_text(game.view(seat)) for seat in range(4)]
    pictured = [scene_of(game, seat) for seat in range(4)]
    game.push_action(pick)
    assert len(game.view(mover).picked) == 1
    assert "picked: " in table_text(game.view(mover))
    for seat in set(range(4)) - {mover}:
        assert game.view(seat).picked == ()
        assert table_text(game.view(seat)) == before[seat]
        assert scene_of(game, seat) == pictured[seat]


def test_a_claim_chosen_but_not_yet_laid_is_shown_to_its_player_alone() -> None:
    game = Game("blof_free", seed=1)
    mover = game.turn or 0
    before = [table_text(game.view(seat)) for seat in range(4)]
    pictured = [scene_of(game, seat) for seat in range(4)]
    game.push_action(game.layout.actions["claim"].start + 3)
    assert len(game.view(mover).to_claim) == 1
    for seat in set(range(4)) - {mover}:
        assert game.view(seat).to_claim == ()
        assert table_text(game.view(seat)) == before[seat]
        assert scene_of(game, seat) == pictured[seat]


def test_the_aec_environment_renders_the_hand_of_the_agent_to_move() -> None:
    env = bluff_v0.env("bloff", render_mode="ansi")
    env.reset(seed=3)
    for _ in range(30):
        seat = int(env.agent_selection.removeprefix("player_"))
        assert env.render() == table_text(env.unwrapped.game.view(seat))
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        if any(env.terminations.values()):
            break


def test_bluff_v0_renders_the_learners_hand_also_when_the_game_is_over() -> None:
    env = gymnasium.make("Bluff-v0", rules="tiny", opponents=Uniform(), render_mode="ansi", seat=1)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        assert env.render() == table_text(env.unwrapped.game.view(1))
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert env.render() == table_text(env.unwrapped.game.view(1))


def test_an_environments_repr_and_infos_hold_no_cards() -> None:
    env = bluff_v0.raw_env("bloff")
    env.reset(seed=1)
    assert (repr(env), str(env)) == ("bluff_v0(4 seats)", "bluff_v0")
    assert env.infos == {agent: {"cut_off": False} for agent in env.agents}
    assert repr(env.game.batch) == "GameBatch(1 games, 4 seats, restart=False)"
    assert repr(env.game.snapshot()) == "<Snapshot of 1 games>"
