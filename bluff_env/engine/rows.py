"""The functions Python calls: a range of rows at a time, without the GIL, so that threads can share a batch.

`address` is that of a batch's `TABLE`. `share` says which rows: 0 all of them, k the k-th of `TABLE.shares` shares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.compiling import entry, inlined, jit
from bluff_env.engine.deal import begin_game, deal, lay_out
from bluff_env.engine.deal import opener as draw_opener
from bluff_env.engine.legal import find_legal, is_legal, uniform_action, write_mask
from bluff_env.engine.observe import write_choice, write_observation, write_state
from bluff_env.engine.rng import noise_of
from bluff_env.engine.rng import start as seed_game
from bluff_env.engine.row import row
from bluff_env.engine.state import (
    CLAIM,
    EVENT_ACCUSE,
    EVENT_CALL,
    EVENT_END,
    EVENT_PLAY,
    EVENT_WIDTH,
    GIVE,
    OVER,
    PICK,
)
from bluff_env.engine.step import step, write_rewards
from bluff_env.engine.table import (
    cards_of,
    done_of,
    game_at,
    game_of,
    log_of,
    mask_of,
    observation_of,
    rewards_of,
    rule_at,
    table_at,
)


@jit
def show(table: Any, rule: Any, game: Any, cards: Any, i: int, watching: int) -> None:
    """Observation and mask of the seat to move; of seat `watching`, when the game is over."""
    seat = game.player if game.player >= 0 else watching
    write_observation(rule, game, cards, seat, observation_of(table, rule, i))
    find_legal(rule, game, cards)
    write_mask(rule, game, mask_of(table, rule, i))


@inlined
def show_choice(table: Any, rule: Any, game: Any, cards: Any, i: int, relative: int) -> None:
    """The same where the seat to move chose something nobody else sees, and decides on. See `write_choice`."""
    write_choice(rule, game, relative, observation_of(table, rule, i))
    find_legal(rule, game, cards)
    write_mask(rule, game, mask_of(table, rule, i))


@inlined
def rows_of(table: Any, share: int) -> Any:
    """From which row to before which a share goes."""
    if share == 0:
        return 0, table.rows
    return table.rows * (share - 1) // table.shares, table.rows * share // table.shares


@inlined
def illegal_row(table: Any, rule: Any, actions: Any) -> Any:
    """The first row whose action is neither -1 nor legal, or -1."""
    for i in range(table.rows):
        if actions[i] != -1 and not is_legal(rule, game_of(table, i), actions[i]):
            return i
    return -1


@entry
def first_illegal(address: int, actions: Any) -> Any:
    """`illegal_row` for Python, which asks before it shares a batch among threads."""
    table = table_at(address)
    return illegal_row(table, rule_at(table.rule), actions)


@entry
def step_rows(address: int, actions: Any, share: int) -> Any:
    """Plays one action in each row of a share; -1 leaves a row alone. If that is all rows, all actions are looked at
    first: -1 - i if that of row i is illegal, and nothing is played. Otherwise returns how far the log of any row is
    filled, so that the caller can make room in time.
    """
    table = table_at(address)
    rule = rule_at(table.rule)
    if share == 0:
        bad = illegal_row(table, rule, actions)
        if bad >= 0:
            return -1 - bad
    done = done_of(table)
    most = 0
    low, high = rows_of(table, share)
    for i in range(low, high):
        game, rewards = game_of(table, i), rewards_of(table, rule, i)
        done[i] = False
        for s in range(rule.seats):
            rewards[s] = 0.0
        action = actions[i]
        if action < 0:
            if table.restart:
                game.cut_off = 0  # of a game before this one
            continue
        cards, phase = cards_of(table, rule, i), game.phase
        step(rule, game, cards, log_of(table, i), action)
        if game.n_events == 0 and (phase == PICK or phase == CLAIM or phase == GIVE):
            show_choice(table, rule, game, cards, i, -1 if phase == CLAIM else action - rule.a_card)
        else:
            if game.phase == OVER:
                done[i] = True
                write_rewards(rule, game, rewards)
                if table.restart:
                    cut_off = game.cut_off
                    deal(rule, game, cards, game.next_seed)
                    game.cut_off = cut_off  # of the game that has just ended
            show(table, rule, game, cards, i, game.last_player)
        most = max(most, game.logged - game.log_begin)
    return most


@entry
def show_rows(address: int) -> None:
    """Observation and mask of every row, written anew."""
    table = table_at(address)
    rule = rule_at(table.rule)
    for i in range(table.rows):
        game = game_of(table, i)
        show(table, rule, game, cards_of(table, rule, i), i, max(game.last_player, 0))


@entry
def deal_rows(address: int, seeds: Any, rows: Any) -> None:
    """New games from seeds in the given rows."""
    table = table_at(address)
    rule = rule_at(table.rule)
    for j in range(rows.shape[0]):
        game, cards = game_of(table, rows[j]), cards_of(table, rule, rows[j])
        deal(rule, game, cards, seeds[j])
        show(table, rule, game, cards, rows[j], 0)


@entry
def lay_out_row(address: int, i: int, seed: int, dealer: int, opener: int) -> None:
    """A new game in row i from a given deck order (already in `cards`), dealer and opener (-1: by the rules)."""
    table = table_at(address)
    rule = rule_at(table.rule)
    game, cards = game_of(table, i), cards_of(table, rule, i)
    seed_game(game, seed)
    game.seed = seed
    game.given_deal = 1
    game.dealer = dealer
    game.opener = opener if opener >= 0 else draw_opener(rule, game)
    begin_game(rule, game, cards)
    show(table, rule, game, cards, i, 0)


@entry
def redeal_row(address: int, i: int, opener: int) -> None:
    """Lays out the present deal of row i anew from the deck order in `cards`. [M1]"""
    table = table_at(address)
    rule = rule_at(table.rule)
    game, cards = game_of(table, i), cards_of(table, rule, i)
    game.opener = opener
    game.n_events = 0
    lay_out(rule, game, cards)
    show(table, rule, game, cards, i, 0)


@entry
def observe_rows(address: int, rows: Any, seats: Any, out: Any) -> None:
    """What the given seat of each given row sees, into (len(rows), D) int8."""
    table = table_at(address)
    rule = rule_at(table.rule)
    for j in range(rows.shape[0]):
        game, cards = game_of(table, rows[j]), cards_of(table, rule, rows[j])
        write_observation(rule, game, cards, seats[j], row(out, j))


@entry
def state_rows(address: int, out: Any) -> None:
    """The full state of every row, into (N, S) int8."""
    table = table_at(address)
    rule = rule_at(table.rule)
    for i in range(table.rows):
        write_state(rule, game_of(table, i), cards_of(table, rule, i), row(out, i))


@entry
def noise_rows(address: int, out: Any) -> None:
    """One uniform number in [0, 1) a row, from its seed and its steps."""
    table = table_at(address)
    for i in range(table.rows):
        game = game_of(table, i)
        out[i] = noise_of(game.seed, game.steps)


@entry
def random_rows(address: int, out: Any, share: int) -> None:
    """A uniform legal action for each row of a share, from its noise; -1 where there is none."""
    table = table_at(address)
    low, high = rows_of(table, share)
    for i in range(low, high):
        out[i] = uniform_action(game_of(table, i))


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
            event[i] = game.events[e * EVENT_WIDTH + i]
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
def event_rows(address: int, i: int, out: Any) -> Any:
    """The events of the last step of row i, as of `trace_row`. Returns how many."""
    table = table_at(address)
    rule = rule_at(table.rule)
    return write_events(rule, game_of(table, i), cards_of(table, rule, i), out, 0)


@entry
def trace_row(address: int, i: int, whole_log: Any, scratch: int, scratch_cards: Any, out: Any, deals: Any) -> Any:
    """Plays row i once more from its first deal and its log (1, logged), and writes what happened. Returns the number
    of events.

    Each row of `out` is int32: see `write_events`. Each deal after the first adds a row to `deals`: dealer, opener,
    then the order of the deck. `scratch` is the address of a game of its own.
    """
    table = table_at(address)
    rule = rule_at(table.rule)
    source, played, log = game_of(table, i), cards_of(table, rule, i), row(whole_log, 0)
    game, cards = game_at(scratch), row(scratch_cards, 0)
    first = rule.c_deck
    game.dealer, game.opener = source.dealer, source.opener
    if rule.target > 0:
        first = rule.c_first
        game.dealer, game.opener = source.first_dealer, source.first_opener
    for at in range(rule.deck_size):
        cards[rule.c_deck + at] = played[first + at]
    begin_game(rule, game, cards)
    found = write_events(rule, game, cards, out, 0)
    dealt = 0
    while game.logged < source.logged:
        game.forced = source.logged  # all that chance decided stands in the log
        step(rule, game, cards, log, np.int64(log[game.logged]))
        before = found
        found = write_events(rule, game, cards, out, found)
        for e in range(before, found):
            if out[e, 0] == EVENT_END and game.phase != OVER:
                deals[dealt, 0] = game.dealer
                deals[dealt, 1] = game.opener
                for at in range(rule.deck_size):
                    deals[dealt, 2 + at] = cards[rule.c_deck + at]
                dealt += 1
    return found


@entry
def reward_row(address: int, i: int, out: Any) -> None:
    """The rewards of row i as its game stands, into (1, n) float64."""
    table = table_at(address)
    write_rewards(rule_at(table.rule), game_of(table, i), row(out, 0))
