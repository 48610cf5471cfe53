"""The functions Python calls: a range of rows at a time, without the GIL, so that threads can share a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.deal import begin_game, deal, lay_out
from bluff_env.engine.deal import opener as draw_opener
from bluff_env.engine.observe import write_observation, write_state
from bluff_env.engine.rng import noise_of
from bluff_env.engine.rng import start as seed_game
from bluff_env.engine.state import EVENT_ACCUSE, EVENT_CALL, EVENT_END, EVENT_PLAY, EVENT_WIDTH, OVER
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
    first: -1 - i if that of row i is illegal, and nothing is played. Otherwise returns the longest log of any row, so
    that the caller can make room in time.
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
        game = games[i]
        if action < 0:
            if restart:
                game.cut_off = 0  # of a game before this one
            continue
        step(rule, game, cards[i], log[i], action)
        if game.phase == OVER:
            done[i] = True
            write_rewards(rule, game, rewards[i])
            if restart:
                cut_off = game.cut_off
                deal(rule, game, cards[i], game.next_seed)
                game.cut_off = cut_off  # of the game that has just ended
        show(rule, game, cards[i], observation[i], mask[i])
        most = max(most, game.logged)
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
    game.given_deal = 1
    game.dealer = dealer
    game.opener = opener if opener >= 0 else draw_opener(rule, game)
    begin_game(rule, game, cards[i])
    show(rule, game, cards[i], observation[i], mask[i])


@entry
def redeal_row(rules: Any, games: Any, cards: Any, observation: Any, mask: Any, i: int, opener: int) -> None:
    """Lays out the present deal of row i anew from the deck order in `cards`. [M1]"""
    rule, game = rules[0], games[i]
    game.opener = opener
    game.n_events = 0
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
def write_events(rule: Any, game: Any, cards: Any, out: Any, found: int) -> Any:
    """Copies the events of the last step into rows of `out` from `found` on: EVENT_WIDTH numbers, then K counts each of
    what was played or drawn, given, and gone back. Returns how many rows there are now.
    """
    for e in range(game.n_events):
        event = out[found]
        for i in range(event.shape[0]):
            event[i] = 0
        for i in range(EVENT_WIDTH):
            event[i] = game.events[e, i]
        for k in range(rule.kinds):
            at = EVENT_WIDTH + k
            if event[0] == EVENT_PLAY:
                event[at] = cards[rule.c_last + k]
            elif event[0] == EVENT_ACCUSE or (event[0] == EVENT_CALL and game.drawn > 0):
                event[at] = cards[rule.c_drawn + k]
            if event[0] == EVENT_CALL and game.given > 0:
                event[at + rule.kinds] = cards[rule.c_given + k]
            if event[0] == EVENT_CALL and event[6] > 0:
                event[at + 2 * rule.kinds] = cards[rule.c_back + k]
        found += 1
    return found


@entry
def event_rows(rules: Any, games: Any, cards: Any, i: int, out: Any) -> Any:
    """The events of the last step of row i, as of `trace_row`. Returns how many."""
    return write_events(rules[0], games[i], cards[i], out, 0)


@entry
def trace_row(
    rules: Any, games: Any, cards: Any, log: Any, i: int, scratch: Any, scratch_cards: Any, out: Any, deals: Any
) -> Any:
    """Plays row i once more from its first deal and its log, and writes what happened. Returns the number of events.

    Each row of `out` is int32: see `write_events`. Each deal after the first adds a row to `deals`: dealer, opener,
    then the order of the deck. `scratch` is a game of its own.
    """
    rule = rules[0]
    game = scratch[0]
    source = games[i]
    first = rule.c_deck
    game.dealer, game.opener = source.dealer, source.opener
    if rule.target > 0:
        first = rule.c_first
        game.dealer, game.opener = source.first_dealer, source.first_opener
    for at in range(rule.deck_size):
        scratch_cards[0, rule.c_deck + at] = cards[i, first + at]
    begin_game(rule, game, scratch_cards[0])
    found = write_events(rule, game, scratch_cards[0], out, 0)
    dealt = 0
    while game.logged < source.logged:
        game.forced = source.logged  # all that chance decided stands in the log
        step(rule, game, scratch_cards[0], log[i], np.int64(log[i, game.logged]))
        before = found
        found = write_events(rule, game, scratch_cards[0], out, found)
        for e in range(before, found):
            if out[e, 0] == EVENT_END and game.phase != OVER:
                deals[dealt, 0] = game.dealer
                deals[dealt, 1] = game.opener
                for at in range(rule.deck_size):
                    deals[dealt, 2 + at] = scratch_cards[0, rule.c_deck + at]
                dealt += 1
    return found


@entry
def reward_row(rules: Any, games: Any, i: int, out: Any) -> None:
    """The rewards of row i as its game stands, into (n,) float64."""
    write_rewards(rules[0], games[i], out)
