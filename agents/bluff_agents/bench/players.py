"""Benchmarks of the bots: decisions in batches, asked at the beginning of games, amid them, and across their ends."""

from __future__ import annotations

from functools import partial
from typing import Final

from bluff_agents.bench.loops import measured
from bluff_agents.bench.measuring import Benchmark, Figure, Measure, Target
from bluff_agents.bots import bot_names
from bluff_env import GameBatch

_GAMES: Final = 1024
_UNIT: Final = "decisions/s"
_TARGET: Final = Target(500e3)
# Decisions into their games at which bots are asked: at the beginning, amid, and where games have ended and begun.
_DEPTHS: Final = (5, 50, 400)


def _bot(name: str, rules: str) -> Measure:
    from bluff_agents import load

    agent = load(name, rules)
    asked = []
    for depth in _DEPTHS:
        batch = GameBatch(rules, games=_GAMES, seed=depth)
        for _ in range(depth):
            batch.step(agent.act(batch.observation, batch.mask, batch.noise())[0])
        asked.append((batch.observation, batch.mask, batch.noise()))

    def loop() -> int:
        for observation, mask, noise in asked:
            agent.act(observation, mask, noise)
        return _GAMES * len(asked)

    loop()
    return measured(loop)


BENCHMARKS: Final = (
    *(
        Benchmark(
            (Figure(f"bot_{name}", f"{name} at bloff, {_GAMES:,} at a time", _UNIT, _TARGET),),
            partial(_bot, name, "bloff"),
        )
        for name in bot_names()
    ),
    Benchmark(
        (Figure("bot_bluffstopp", f"counter at bluffstopp, {_GAMES:,} at a time", _UNIT, _TARGET),),
        partial(_bot, "counter", "bluffstopp"),
    ),
)
