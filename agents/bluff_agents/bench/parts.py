"""Where a step's time goes: its parts by themselves, each in a compiled loop over a batch with games at all stages.

Compiled anew each time, so they are measured only when asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import numpy as np

from bluff_agents.bench.measuring import Benchmark, Figure, Measure
from bluff_env import GameBatch
from bluff_env.engine.compiling import jit
from bluff_env.engine.deal import deal
from bluff_env.engine.legal import find_legal, uniform_action, write_mask
from bluff_env.engine.observe import write_observation
from bluff_env.engine.state import OVER
from bluff_env.engine.step import step
from bluff_env.engine.table import cards_of, game_of, log_of, mask_of, observation_of, rule_at, table_at

_GAMES: Final = 1024
_WARM_UP: Final = 400


@jit
def _observation(address: int, times: int) -> None:
    table = table_at(address)
    rule = rule_at(table.rule)
    for _ in range(times):
        for i in range(table.rows):
            game = game_of(table, i)
            seat = max(game.player, 0)
            write_observation(rule, game, cards_of(table, rule, i), seat, observation_of(table, rule, i))


@jit
def _mask(address: int, times: int) -> None:
    table = table_at(address)
    rule = rule_at(table.rule)
    for _ in range(times):
        for i in range(table.rows):
            game = game_of(table, i)
            find_legal(rule, game, cards_of(table, rule, i))
            write_mask(rule, game, mask_of(table, rule, i))


@jit
def _choice(address: int, times: int) -> int:
    table = table_at(address)
    total = 0
    for _ in range(times):
        for i in range(table.rows):
            total += uniform_action(game_of(table, i))
    return total


@jit
def _rules(address: int, times: int) -> None:
    """What a step takes without telling anybody: the rules, the legal actions as bits, a choice, deals."""
    table = table_at(address)
    rule = rule_at(table.rule)
    for _ in range(times):
        for i in range(table.rows):
            game, cards = game_of(table, i), cards_of(table, rule, i)
            step(rule, game, cards, log_of(table, i), uniform_action(game))
            if game.phase == OVER:
                deal(rule, game, cards, game.next_seed)
            game.logged = 0  # nobody reads this log
            find_legal(rule, game, cards)


@jit
def _deal(address: int, times: int) -> None:
    table = table_at(address)
    rule = rule_at(table.rule)
    for _ in range(times):
        for i in range(table.rows):
            deal(rule, game_of(table, i), cards_of(table, rule, i), i)


def _timed(loop: Callable[[int, int], Any], rules: str) -> Callable[[], Measure]:
    """Nanoseconds a game that a compiled loop over a batch takes."""

    def prepare() -> Measure:
        batch, actions = GameBatch(rules, games=_GAMES, seed=0), np.empty(_GAMES, np.int64)
        for _ in range(_WARM_UP):
            batch.step(batch.random_actions(actions))
        loop(batch.address, 1)

        def measure(seconds: float) -> tuple[float]:
            begin = perf_counter()
            loop(batch.address, 20)
            times = max(1, round(20 * seconds / (perf_counter() - begin)))
            begin = perf_counter()
            loop(batch.address, times)
            return ((perf_counter() - begin) / times / _GAMES * 1e9,)

        return measure

    return prepare


_PARTS: Final = (
    ("observation", "an observation written from beginning to end", _observation),
    ("mask", "the legal actions found and the mask written", _mask),
    ("choice", "a uniform legal action chosen", _choice),
    ("rules", "a step without observation and mask, the choice included", _rules),
    ("deal", "a game dealt", _deal),
)

BENCHMARKS: Final = tuple(
    Benchmark((Figure(f"part_{name}_{rules}", f"{what}, {rules}", "ns"),), _timed(loop, rules), on_demand=True)
    for rules in ("bloff", "bluffstopp")
    for name, what, loop in _PARTS
)
