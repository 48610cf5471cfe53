"""The functions Python calls: a range of rows at a time, without the GIL, so that threads can share a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.deal import deal, lay_out
from bluff_env.engine.deal import opener as draw_opener
from bluff_env.engine.observe import write_observation, write_state
from bluff_env.engine.rng import noise_of
from bluff_env.engine.rng import start as seed_game
from bluff_env.engine.state import EVENT_NONE, EVENT_PLAY, OVER
from bluff_env.engine.step import step, write_mask, write_rewards


@jit
def show(rule: Any, game: Any, cards: Any, observation: Any, mask: Any) -> None:
    """Observation and mask of the seat to move; of the seat that moved last when the game is over."""
    seat = game.player if game.player >= 0 else max(game.last_player, 0)
    write_observation(rule, game, cards, seat, observation)
    write_mask(rule, game, cards, mask)


@jit
def illegal_row(mask: Any, actions: Any) -> Any:
    """The first row whose action is neither -1 nor legal, or -1."""
    for i in range(actions.shape[0]):
        action = actions[i]
        if action != -1 and (action < 0 or action >= mask.shape[1] or not mask[i, action]):
            return i
    return -1


@entry
def first_illegal(mask: Any, actions: Any) -> Any:
    """`illegal_row` for Python, which asks before it shares a batch among threads."""
    return illegal_row(mask, actions)


@entry
def step_rows(
    rules: Any, games: Any, cards: Any, log: Any, observation: Any, mask: Any, actions: Any, rewards: Any, done: Any,
    low: int, high: int, restart: bool, check: bool,
) -> Any:  # fmt: skip
    """Plays one action in each row from low to high - 1; -1 leaves a row alone. With `check`, all actions are looked at
    first: -1 - i if that of row i is illegal, and nothing is played. Otherwise returns the most steps of any row, so
    that the caller can make the log longer in time.
    """
    rule = rules[0]
    if check:
        bad = illegal_row(mask, actions)
        if bad >= 0:
            return -1 - bad
    most = 0
    for i in range(low, high):
        done[i] = False
        for s in range(rule.seats):
            rewards[i, s] = 0.0
        action = actions[i]
        if action < 0:
            continue
        game = games[i]
        log[i, game.steps] = action
        step(rule, game, cards[i], action)
        if game.phase == OVER:
            done[i] = True
            write_rewards(rule, game, rewards[i])
            if restart:
                cut_off = game.cut_off
                deal(rule, game, cards[i], game.next_seed)
                game.cut_off = cut_off  # of the game that has just ended
        show(rule, game, cards[i], observation[i], mask[i])
        most = max(most, game.steps)
    return most


@entry
def deal_rows(rules: Any, games: Any, cards: Any, observation: Any, mask: Any, seeds: Any, rows: Any) -> None:
    """New games from seeds in the given rows."""
    rule = rules[0]
    for j in range(rows.shape[0]):
        i = rows[j]
        deal(rule, games[i], cards[i], seeds[j])
        show(rule, games[i], cards[i], observation[i], mask[i])


@entry
def lay_out_row(
    rules: Any, games: Any, cards: Any, observation: Any, mask: Any, i: int, seed: int, dealer: int, opener: int
) -> None:
    """A new game in row i from a given deck order (already in `cards`), dealer and opener (-1: by the rules)."""
    rule = rules[0]
    game = games[i]
    seed_game(game, seed)
    game.seed = seed
    game.given = 1
    game.dealer = dealer
    game.opener = opener if opener >= 0 else draw_opener(rule, game)
    lay_out(rule, game, cards[i])
    show(rule, game, cards[i], observation[i], mask[i])


@entry
def observe_rows(rules: Any, games: Any, cards: Any, rows: Any, seats: Any, out: Any) -> None:
    """What the given seat of each given row sees, into (len(rows), D) int8."""
    rule = rules[0]
    for j in range(rows.shape[0]):
        write_observation(rule, games[rows[j]], cards[rows[j]], seats[j], out[j])


@entry
def state_rows(rules: Any, games: Any, cards: Any, out: Any) -> None:
    """The full state of every row, into (N, S) int8."""
    rule = rules[0]
    for i in range(out.shape[0]):
        write_state(rule, games[i], cards[i], out[i])


@entry
def noise_rows(games: Any, out: Any) -> None:
    """One uniform number in [0, 1) a row, from its seed and its steps."""
    for i in range(out.shape[0]):
        out[i] = noise_of(games[i].seed, games[i].steps)


@entry
def random_rows(games: Any, mask: Any, out: Any) -> None:
    """A uniform legal action a row, from the row's noise; -1 where there is none."""
    for i in range(out.shape[0]):
        legal = 0
        for a in range(mask.shape[1]):
            legal += mask[i, a]
        out[i] = -1
        if legal > 0:
            left = int(noise_of(games[i].seed, games[i].steps) * legal)
            for a in range(mask.shape[1]):
                left -= mask[i, a]
                if left < 0:
                    out[i] = a
                    break


@jit
def write_event(rule: Any, game: Any, cards: Any, mover: int, out: Any) -> None:
    """What the last step brought about: see `trace_row`. `mover`: whose turn it was before."""
    out[0] = game.event
    if game.event == EVENT_PLAY:
        out[1] = mover
        out[2] = game.claim
        for k in range(rule.kinds):
            out[8 + k] = cards[rule.c_last + k]
    else:
        out[1] = game.caller
        out[2] = mover
        out[3] = game.truthful
        out[4] = game.wrong
        out[5] = game.taken
        out[6] = game.player


@entry
def event_row(rules: Any, games: Any, cards: Any, i: int, mover: int, out: Any) -> None:
    """What the last step of row i brought about, into one row as of `trace_row`."""
    write_event(rules[0], games[i], cards[i], mover, out)


@entry
def trace_row(rules: Any, games: Any, cards: Any, log: Any, i: int, scratch: Any, scratch_cards: Any, out: Any) -> int:
    """Plays row i once more from its deal and its log, and writes what happened. Returns the number of events.

    Each row of `out` is int32: EVENT_*, then for a play seat, claim and (from 8 on) the K counts of its cards; for a
    call caller, accused, truthful, wrong, pile taken, seat to move next (-1: over). `scratch` is a game of its own.
    """
    rule = rules[0]
    game = scratch[0]
    source = games[i]
    for at in range(cards.shape[1]):
        scratch_cards[0, at] = cards[i, at]
    game.dealer = source.dealer
    game.opener = source.opener
    lay_out(rule, game, scratch_cards[0])
    found = 0
    for s in range(source.steps):
        mover = game.mover
        step(rule, game, scratch_cards[0], np.int64(log[i, s]))
        if game.event == EVENT_NONE:
            continue
        write_event(rule, game, scratch_cards[0], mover, out[found])
        found += 1
    return found


@entry
def reward_row(rules: Any, games: Any, i: int, out: Any) -> None:
    """The rewards of row i as its game stands, into (n,) float64."""
    write_rewards(rules[0], games[i], out)
