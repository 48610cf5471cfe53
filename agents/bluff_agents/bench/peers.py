"""Other libraries, measured turn about with ours; `bluff bench --peers`.

What is counted everywhere is one decision of one agent: a random one of its legal actions, chosen after its observation
and its legal actions were made the way that library gives them, and then played. Dealing and chance are part of the
time but no decisions. Each repeat measures ours first and then theirs, so that whatever else the machine does hits
both, and the ratio is taken within the repeat. The games differ, so a ratio compares what a learner waits for, not how
well two programs do the same thing.

Where a library offers several ways the quicker one was taken: OpenSpiel's observations go into an array of its
`make_observation` instead of a list, EnvPool may have a core for its thread beside ours, Pgx chooses in compiled code.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

from bluff_agents.bench.engine import GAMES, game_loop
from bluff_agents.bench.environments import env_loop, raw_env_loop
from bluff_agents.bench.loops import Loop, aec_loop, any_legal_each, batch_loop, per_second, vector_loop
from bluff_agents.bench.measuring import Benchmark, Figure, Measure, Result, Skip, one_core, ratios, spread

#: What of ours peers are compared with, by the name of its benchmark.
OURS: Final[Mapping[str, Callable[[], Loop]]] = {
    "batch": partial(batch_loop, "bloff", GAMES),
    "one": partial(batch_loop, "bloff", 1),
    "game": game_loop,
    "raw_env": raw_env_loop,
    "env": env_loop,
}
_UNIT: Final = "decisions/s"


@dataclass(frozen=True, slots=True)
class Peer:
    """A game of another library.

    Attributes:
        name: what `--only` calls it.
        what: the game and how it is played.
        modules: what must be importable.
        packages: the distributions these come from, as pip calls them.
        games: how many are played at once.
        prepare: sets up and warms up; gives what is repeated.
        ours: names in `OURS`: the same form of ours.
        pinned: keeps both on one core: it would start a thread for each.
    """

    name: str
    what: str
    modules: tuple[str, ...]
    packages: tuple[str, ...]
    games: int
    prepare: Callable[[], Loop]
    ours: tuple[str, ...]
    pinned: bool = False

    def benchmark(self) -> Benchmark:
        """Theirs, then each of ours, in every repeat."""
        mine = [Figure(f"{self.name}:{name}", f"{name}, measured before it", _UNIT) for name in self.ours]
        return Benchmark((Figure(self.name, self.what, _UNIT), *mine), self._prepare, self.packages)

    def _prepare(self) -> Measure:
        if missing := [module for module in self.modules if find_spec(module.partition(".")[0]) is None]:
            raise Skip(f"{missing[0]} is not installed: pip install {' '.join(self.packages)}")
        ours = [OURS[name]() for name in self.ours]
        with self._core(), _mishaps():
            theirs = self.prepare()

        def measure(seconds: float) -> tuple[float, ...]:
            with self._core():
                before = [per_second(loop, seconds) for loop in ours]
                with _mishaps():
                    return per_second(theirs, seconds), *before

        return measure

    def _core(self) -> AbstractContextManager[None]:
        return one_core() if self.pinned else nullcontext()

    def told(self, results: Sequence[Result]) -> dict[str, Any]:
        """Plain data for `--json`, from the results of `benchmark()`: theirs, and for each of ours the ratio."""
        theirs, *ours = results
        told: dict[str, Any] = {**theirs.to_dict(), "games": self.games}
        if theirs.skipped:
            return told
        pairs = zip(self.ours, ours, strict=True)
        told["ours"] = [
            {"name": name, **spread(one.values), "ratio": spread(ratios(one.values, theirs.values))}
            for name, one in pairs
        ]
        return told


@contextmanager
def _mishaps() -> Iterator[None]:
    """Whatever goes wrong in another version of another library is no reason not to measure the rest."""
    try:
        yield
    except Exception as error:
        raise Skip(f"failed: {type(error).__name__}: {' '.join(str(error).split())}"[:200]) from error


def _openspiel(name: str, parameters: dict[str, Any]) -> Loop:
    """A game of OpenSpiel through its State, chance included."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name, parameters)
    observation = make_observation(game)
    chance = random.Random(0)

    def loop() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, shares)[0])
                continue
            observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(chance.random() * len(legal))])
            steps += 1
        return steps

    loop()
    return loop


def _pettingzoo(module: str, form: str) -> Loop:
    """A game of PettingZoo in its AEC loop."""
    from importlib import import_module

    make: Callable[[], Any] = getattr(import_module(f"pettingzoo.classic.{module}"), form)
    return aec_loop(make())


def _rlcard() -> Loop:
    """A game of RLCard's uno: its state holds the observation and the legal actions."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 0})
    chance = random.Random(0)

    def loop() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(chance.random() * len(legal))])
            steps += 1
        return steps

    loop()
    return loop


def _envpool() -> Loop:
    """A step of all of EnvPool's games, on one thread of its own; both seats' observations come with every step."""
    import envpool

    env = envpool.make("LeducHoldem-v1", env_type="gymnasium", num_envs=GAMES, num_threads=1, seed=0)
    choose = any_legal_each(GAMES, int(env.action_space.n))
    return vector_loop(env, choose, "legal_action_mask")


def _pgx() -> Loop:
    """A step of all of Pgx's games, the choice compiled into it; games that end begin anew by its own wrapper."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make("leduc_holdem")
    step_each = jax.vmap(auto_reset(env.step, env.init))

    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        key, choice, chance = jax.random.split(key, 3)
        actions = act_randomly(choice, state.legal_action_mask)
        return step_each(state, actions, jax.random.split(chance, GAMES)), key

    advance = jax.jit(advance)
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))
    rounds = 20

    def loop() -> int:
        nonlocal state, key
        for _ in range(rounds):
            state, key = advance(state, key)
        state.observation.block_until_ready()
        return rounds * GAMES

    loop()
    return loop


_SPIEL: Final = (("pyspiel",), ("open_spiel",), 1)
_ZOO: Final = (("pettingzoo", "pygame"), ("pettingzoo", "pygame-ce"), 1)
_ZOO_RLCARD: Final = (("pettingzoo", "pygame", "rlcard"), ("pettingzoo", "pygame-ce", "rlcard"), 1)

#: All peers, in the order they are run.
PEERS: Final[tuple[Peer, ...]] = (
    Peer(
        "peer_openspiel_liars_dice", "OpenSpiel liars_dice, 2 seats, one game through its State", *_SPIEL,
        partial(_openspiel, "liars_dice", {}), ("one", "game"),
    ),
    Peer(
        "peer_openspiel_crazy_eights", "OpenSpiel crazy_eights, 4 seats, one game through its State", *_SPIEL,
        partial(_openspiel, "crazy_eights", {"players": 4}), ("one", "game"),
    ),
    Peer(
        "peer_pettingzoo_tictactoe_raw", "PettingZoo tictactoe raw_env()", *_ZOO,
        partial(_pettingzoo, "tictactoe.tictactoe", "raw_env"), ("raw_env",),
    ),
    Peer(
        "peer_pettingzoo_tictactoe", "PettingZoo tictactoe env()", *_ZOO,
        partial(_pettingzoo, "tictactoe.tictactoe", "env"), ("env",),
    ),
    Peer(
        "peer_pettingzoo_leduc_raw", "PettingZoo leduc_holdem raw_env()", *_ZOO_RLCARD,
        partial(_pettingzoo, "rlcard_envs.leduc_holdem", "raw_env"), ("raw_env",),
    ),
    Peer(
        "peer_pettingzoo_leduc", "PettingZoo leduc_holdem env()", *_ZOO_RLCARD,
        partial(_pettingzoo, "rlcard_envs.leduc_holdem", "env"), ("env",),
    ),
    Peer(
        "peer_rlcard_uno", "RLCard uno, 2 seats, one game", ("rlcard",), ("rlcard",), 1, _rlcard, ("raw_env", "game"),
    ),
    Peer(
        "peer_envpool_leduc", f"EnvPool LeducHoldem-v1, {GAMES:,} games, one thread", ("envpool",), ("envpool",), GAMES,
        _envpool, ("batch",),
    ),
    Peer(
        "peer_pgx_leduc", f"Pgx leduc_holdem, {GAMES:,} games, JAX on the CPU", ("pgx", "jax"), ("pgx", "jax"), GAMES,
        _pgx, ("batch",), pinned=True,
    ),
)  # fmt: skip
