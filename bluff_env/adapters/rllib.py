"""RLlib: a MultiAgentEnv over one game, with bots inside if wanted. Needs ray[rllib] (the extra `rllib`).

from bluff_env.adapters.rllib import BluffMultiAgentEnv
from ray.rllib.algorithms.ppo import PPOConfig

config = PPOConfig().environment(BluffMultiAgentEnv, env_config={"rules": "bloff"})

Without bots it plays what RLlib's PettingZooEnv(bluff_v0.env()) plays, many times as fast. A policy must heed the mask;
`bluff_agents.rllib` has one that does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from bluff_env.asking import Asker, Player
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError
from bluff_env.ruleset import rules as make_rules
from bluff_env.ruleset.rules import near
from bluff_env.seats import drawn_seat, edges, share

#: The name in a mixture that stands for the policies that learn.
SELF: Final = "self"
KEYS: Final = ("rules", "opponents", "alike", "lead_weight")

# Keeps who sits where apart from whatever else follows from a game's seed.
_SALT_SEATING: Final = 0x5EA7
# Games in a row that may end before a learner is asked anything.
_MOST_UNASKED: Final = 1000

Observation = dict[str, NDArray[Any]]
Step = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended.

    Attributes:
        cut_off: at max_turns? [E2]
        turns: that it took; of a match, its last deal.
        learners: seats that learners played.
        won: did one of them win?
        opponents: who sat in the other seats: "self", one bot's name, or "mixed".
    """

    cut_off: bool
    turns: int
    learners: int
    won: bool
    opponents: str


class BluffMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]  # ray is not installed where types are checked
    """One game as agents `player_0` … in playing order, one of them asked in each step.

    Observations are `Dict(observation=Box(0, 1, (D,), float32), action_mask=Box(0, 1, (A,), int8))`, as of `bluff_v0`.
    An agent is paid when it sees what came of its action: in its next turn, or at the end. All agents end in the same
    step, terminated, a cut-off too: it is a rule of the game, so nothing is bootstrapped across it [E2]. Seats that
    bots play are not among the agents of a game.

    Args:
        config: RLlib's env_config, a mapping with any of:
            rules: anything `bluff_env.rules` takes.
            opponents: {name: share of the seats}. "self" is whoever learns, every other name something that
                `bluff_agents.load` can load. One seat of each game, drawn, is a learner's in any case.
            alike: the share of games in which all other seats are drawn as one; in the others each by itself.
            lead_weight: times every change in an agent's lead is paid too (see `BluffVecEnv`).

    Attributes:
        ending: how the last game ended; None before one has.

    Raises:
        BluffError: a key, rules, a mixture or a number that are not allowed.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        given = dict(config or {})
        for key in given:
            if key not in KEYS:
                raise BluffError(f"env_config: no such key {key!r}{near(str(key), KEYS)}; keys: {', '.join(KEYS)}")
        self.rules = make_rules(given.get("rules", "bloff"))
        self.batch = GameBatch(self.rules, games=1, seed=0, restart=False)
        self.layout = self.batch.layout
        self.lead_weight = _weight("lead_weight", given.get("lead_weight", 0.0))
        self.alike = share("alike", given.get("alike", 1.0))
        self.ending: Ending | None = None
        # RLlib's runners and their games are seeded with whole numbers that lie side by side, and so overlap.
        self._worker = int(getattr(config, "worker_index", 0) or 0)
        self._names, self._edges = _mixture(given.get("opponents", {SELF: 1.0}))
        self._askers = {name: Asker(_load(name, self.rules), 1, self.rules.players) for name in self._names if name}
        self._hand = self.rules.hand_size or self.rules.deck_size / self.rules.players
        self._seeded = False
        self._sitting: list[str] = [""] * self.rules.players  # a bot's name, or "" for a learner
        self._lead: dict[int, float] = {}  # of learners that have been asked in this game, when they last were

        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents = list(self.possible_agents)
        self._nobody_moves: NDArray[np.int8] = np.zeros(self.layout.n_actions, np.int8)
        seen: spaces.Space[Any] = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.layout.n_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        discrete: spaces.Space[Any] = spaces.Discrete(self.layout.n_actions)
        self.action_spaces = dict.fromkeys(self.possible_agents, discrete)
        self.observation_space = spaces.Dict(self.observation_spaces)
        self.action_space = spaces.Dict(self.action_spaces)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game, up to the first decision of a learner.

        Args:
            seed: decides the game, who sits where, and the games that follow. None: the next one of the series.
                In RLlib's remote env runners it is mixed with the runner's number.
            options: not used.

        Returns:
            {agent to move: what it sees}, {}.
        """
        self._seeded = self._seeded or seed is not None
        if not self._seeded:
            seed, self._seeded = int(np.random.SeedSequence().generate_state(1)[0]), True
        if seed is not None and self._worker:
            seed = int(np.random.SeedSequence([seed, self._worker]).generate_state(1, np.uint64)[0] & MAX_SEED)
        for _ in range(_MOST_UNASKED):
            self.batch.reset(seeds=None if seed is None else [seed])
            self._seat()
            if not self._bots_play():
                agent, observation = self._asked()
                return {agent: observation}, {}
            seed = None
        raise BluffError("opponents: a thousand games in a row ended before a learner was asked anything")

    def step(self, actions: Mapping[str, int]) -> Step:
        """Plays the action of the agent to move, then the bots', up to the next decision of a learner.

        Raises:
            MoveError: an illegal action; names the legal ones.
            BluffError: actions of others than the agent to move.
        """
        mover = self.possible_agents[self.batch.player[0]]
        if list(actions) != [mover]:
            raise BluffError(f"step: actions of {', '.join(actions) or 'nobody'} found; of {mover} alone expected")
        if self._play(int(actions[mover])) or self._bots_play():
            return self._end()
        lead = self._lead.get(int(self.batch.player[0]))
        agent, observation = self._asked()
        paid = 0.0 if lead is None else self.lead_weight * (self._lead[int(self.batch.player[0])] - lead)
        return {agent: observation}, {agent: paid}, {agent: False, "__all__": False}, {"__all__": False}, {}

    def _play(self, action: int) -> bool:
        """One action; is the game over?"""
        self._rewards, done = self.batch.step(np.array([action], np.int64))
        return bool(done[0])

    def _bots_play(self) -> bool:
        """Bots play until a learner is to move; is the game over before?"""
        while name := self._sitting[self.batch.player[0]]:
            rows: NDArray[np.int64] = np.zeros(1, np.int64)
            if self._play(int(self._askers[name].ask(self.batch, rows, self.batch.noise())[0])):
                return True
        return False

    def _asked(self) -> tuple[str, Observation]:
        """The learner to move and what it sees; its lead is kept."""
        seat, counts = int(self.batch.player[0]), self.batch.observation[0]
        self._lead[seat] = self._lead_of(counts)
        mask = self.batch.mask[0].astype(np.int8)
        return self.possible_agents[seat], {"observation": self.layout.to_float(counts), "action_mask": mask}

    def _end(self) -> Step:
        """What the learners that were asked in this game get at its end; the others have nothing to learn from."""
        seats = sorted(self._lead)
        agents = [self.possible_agents[seat] for seat in seats]
        seen = {seat: self.batch.observe(seat)[0] for seat in seats}
        winner, learners = int(self.batch.winner[0]), self._sitting.count("")
        others = set(self._sitting) if learners > 1 else set(self._sitting) - {""}
        who = others.pop() or SELF if len(others) == 1 else "mixed"
        won = winner >= 0 and not self._sitting[winner]
        self.ending = Ending(bool(self.batch.cut_off[0]), int(self.batch.turns[0]), learners, won, who)
        observations: dict[str, Observation] = {
            agent: {"observation": self.layout.to_float(seen[seat]), "action_mask": self._nobody_moves.copy()}
            for agent, seat in zip(agents, seats, strict=True)
        }
        rewards = {
            agent: float(self._rewards[0, seat]) + self.lead_weight * (self._lead_of(seen[seat]) - self._lead[seat])
            for agent, seat in zip(agents, seats, strict=True)
        }
        over = dict.fromkeys(agents, True) | {"__all__": True}
        infos: dict[str, dict[str, Any]] = {agent: {"cut_off": self.ending.cut_off} for agent in agents}
        return observations, rewards, over, {"__all__": False}, infos

    def _lead_of(self, counts: NDArray[np.int8]) -> float:
        """How many cards the others hold on average beyond one's own, in hands as dealt."""
        sizes = counts[self.layout.pieces["hand_sizes"]].astype(np.float64)
        return float((sizes[1:].mean() - sizes[0]) / self._hand)

    def _seat(self) -> None:
        """Draws, by the game's seed, who sits where."""
        players, seed = self.rules.players, int(self.batch.seed[0])
        self._lead = {}
        if len(self._names) == 1 and not self._names[0]:
            return
        drawn = np.random.default_rng([seed, _SALT_SEATING])
        each = drawn.random(players)
        if drawn.random() < self.alike:
            each[:] = each[0]
        self._sitting = [self._names[at] for at in np.searchsorted(self._edges, each, side="right")]
        self._sitting[int(drawn_seat(self.batch.seed, players)[0])] = ""
        for asker in self._askers.values():
            asker.forget([0])
        self.agents = [agent for agent, bot in zip(self.possible_agents, self._sitting, strict=True) if not bot]


def _mixture(opponents: object) -> tuple[list[str], NDArray[np.float64]]:
    """The names, "" for learners, and where in [0, 1) each one's share ends, the last one left out."""
    if not isinstance(opponents, Mapping) or not opponents:
        raise BluffError(f"opponents: {opponents!r} found; shares such as {{'self': 0.8, 'honest': 0.2}} expected")
    edges(opponents)  # refuses what is not allowed
    drawn = {("" if name == SELF else str(name)): float(part) for name, part in opponents.items() if float(part)}
    return list(drawn), edges(drawn)


def _weight(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < np.inf:
        raise BluffError(f"{name}: {value!r} is not allowed; a number of at least 0")
    return float(value)


def _load(name: str, rules: Any) -> Player:
    import bluff_agents

    return bluff_agents.load(name, rules)
