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
from envs.common import NAMED_AND_SEATS, Uniform

every_table = pytest.mark.parametrize(("name", "players"), NAMED_AND_SEATS)


def two_deals(rules: bluff_env.Rules, looks: int, rng: random.Random) -> list[dict[str, Any]]:
    """Two deals that agree in the looking seat's hand, in dealer and opener, and in nothing else."""
    deal = Game(rules, seed=rng.randrange(10**6)).record()["deals"][0]
    del deal["events"]
    others = [seat for seat in range(rules.players) if seat != looks]
    cards = [card for seat in others for card in deal["hands"][seat]]
    rng.shuffle(cards)
    hands = [list(hand) for hand in deal["hands"]]
    for seat in others:
        hands[seat] = [cards.pop() for _ in hands[seat]]
    return [deal, {**deal, "hands": hands}]


def play_alike(games: list[Game], looks: int, rng: random.Random) -> None:
    """One move in both games that reads the same to the seat that looks."""
    game = games[0]
    if game.asked:
        after = []
        for one in games:
            before = one.snapshot()
            one.push("call")
            after.append((one.last_event(), one.view(looks)))
            one.restore(before)
        # A call would tell which game this is, unless the same cards are turned and the looking seat takes the same.
        claimant = game.view(looks).claimant
        if claimant == looks and after[0] == after[1] and rng.random() < 0.5:
            move: list[Any] = ["call", "call"]
        else:
            move = ["decline", "decline"]
    else:
        claim = rng.choice(game.view(game.turn or 0).to_claim)
        hands = [one.view(one.turn or 0).hand for one in games]
        count = rng.randint(1, min(3, game.rules.most_cards, len(hands[0])))
        if game.turn == looks:
            laid = rng.sample(hands[0], count)
            cards = [laid, laid]
        else:
            cards = [rng.sample(hand, count) for hand in hands]
        move = [Move("play", claim, tuple(hand)) for hand in cards]
    for one, m in zip(games, move, strict=True):
        one.push(m)


def illegal_text(game: Game) -> str:
    """What the seat to move is told of an action that is not legal."""
    (illegal, *_) = [a for a in range(game.layout.n_actions) if not game.batch.mask[0, a]]
    with pytest.raises(bluff_env.BluffError) as caught:
        game.push_action(illegal)
    texts = [str(caught.value)]
    for move in ("X:XXXX", "call" if not game.asked else "A:A", "decline the offer"):
        with pytest.raises(bluff_env.BluffError) as caught:
            game.push(move)
        texts.append(str(caught.value))
    return "\n".join(texts)


@every_table
def test_views_and_tables_and_errors_read_the_same_whatever_the_others_hold(name: str, players: int) -> None:
    rules = bluff_env.rules(name, players=players)
    told_apart = 0
    for seed in range(6):
        rng = random.Random(f"{name} {players} {seed}")
        looks = rng.randrange(players)
        games = [Game(rules, seed=1, deal=deal) for deal in two_deals(rules, looks, rng)]
        for _ in range(60):
            one, other = games
            if one.over or other.over:
                assert one.over == other.over
                break
            assert one.view(looks) == other.view(looks)
            assert table_text(one.view(looks)) == table_text(other.view(looks))
            assert repr(one) == repr(other)
            assert repr(one.batch) == repr(other.batch)
            assert (one.turn, one.asked) == (other.turn, other.asked)
            if one.turn == looks:
                assert illegal_text(one) == illegal_text(other)
                assert repr(one.legal_moves) == repr(other.legal_moves)
            told_apart += one.record() != other.record()
            play_alike(games, looks, rng)
    assert told_apart > 100 or name == "tiny"  # the games did differ, so the test means something


@every_table
def test_a_table_shows_one_hand_fits_80_columns_and_ends_in_a_newline(name: str, players: int) -> None:
    game = Game(name, seed=5, players=players)
    rng = random.Random(5)
    for _ in range(150):
        if game.over:
            break
        game.push(rng.choice(_some_moves(game, rng)))
    for seat in range(players):
        text = table_text(game.view(seat))
        lines = text.splitlines()
        assert text.endswith("\n")
        assert max(map(len, lines)) <= 80
        assert sum("(sees this)" in line for line in lines) == 1
        shown = " ".join(lines[lines.index(next(line for line in lines if line.startswith("hand: "))) :])
        shown = shown.removeprefix("hand: ").replace(" ", "")
        assert sorted(shown if shown != "none" else "") == sorted(game.view(seat).hand)


def _some_moves(game: Game, rng: random.Random) -> list[Any]:
    if game.asked:
        return ["decline", "decline", "call"]
    view = game.view(game.turn or 0)
    return [Move("play", rng.choice(view.to_claim), (rng.choice(view.hand),))]


@pytest.mark.parametrize("players", [4, 16])
def test_even_the_largest_hand_fits_80_columns(players: int) -> None:
    game = Game("bloff", seed=1, decks=4, players=players, max_cards="hand", jokers=8)
    while not game.over and max(game.view(0).hand_sizes) <= 80:  # all lie, and a large pile is called
        view = game.view(game.turn or 0)
        if game.asked:
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
    game.push_action(pick)
    assert len(game.view(mover).picked) == 1
    assert "picked: " in table_text(game.view(mover))
    for seat in set(range(4)) - {mover}:
        assert game.view(seat).picked == ()
        assert table_text(game.view(seat)) == before[seat]


def test_a_claim_chosen_but_not_yet_laid_is_shown_to_its_player_alone() -> None:
    game = Game("blof_free", seed=1)
    mover = game.turn or 0
    before = [table_text(game.view(seat)) for seat in range(4)]
    game.push_action(game.layout.actions["claim"].start + 3)
    assert len(game.view(mover).to_claim) == 1
    for seat in set(range(4)) - {mover}:
        assert game.view(seat).to_claim == ()
        assert table_text(game.view(seat)) == before[seat]


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
