"""Stable-Baselines3: a VecEnv over GameBatch, with opponents inside. Needs stable-baselines3 (the extra `train`).

from bluff_env.adapters.sb3 import BluffVecEnv
from sb3_contrib import MaskablePPO

env = BluffVecEnv("bloff", games=256, opponents={"self": 0.75, "counter": 0.25})
model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=2048, gamma=1.0)
env.follow(model)  # "self" is the model's policy as it stands at the beginning of every rollout
model.learn(1_000_000)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from bluff_env.asking import Player
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules
from bluff_env.ruleset import rules as make_rules
from bluff_env.seats import Outcome, Seats, SeatsSnapshot

#: The name in a mixture that stands for the present policy of the learner.
SELF = "self"


class BluffVecEnv(VecEnv):
    """N games, one learner in each; its seat moves one to the left with every game.

    Who plays the other seats is drawn for every game from the mixture `opponents`.
    Observations are float32 in [0, 1] (`layout.to_float`); `action_masks()` tells the legal actions. Every game ends
    terminated, a cut-off too: it is a rule of the game, so nothing is bootstrapped across it [E2]. The info of a game's
    last step holds `terminal_observation`, `won`, `cut_off`, `turns`, `seat` and `opponents` (one name, or "mixed").

    `lead_weight`, 0 at first and to be set by whoever trains, times every change in the learner's lead is paid too. The
    lead is the cards the others hold on average beyond its own, in hands as dealt: something to learn from before the
    first win. Over a game it adds up to the lead at the end, so it does not cancel out over a lost game.

    Args:
        rules: anything `bluff_env.rules` takes.
        games: N.
        opponents: {name: share of the seats}. "self" is the learner's own policy (see `follow` and `set_player`),
            every other name something that `bluff_agents.load` can load, unless `players` holds it. One name alone
            may stand as a string.
        players: {name: agent} for names that are not to be loaded.
        later: names that are not to be loaded either: `set_player` will say who plays under them.
        alike: the share of games in which all opponents are the same one; in the others each seat is drawn by itself.
        seat: the learner's seat; None draws it for each game.
        **fields: fields of the rules that differ, e.g. `players=3`.
        seed: decides everything, until `seed()` or the `seed` of an algorithm sets another.

    Raises:
        BluffError: rules or a mixture that are not allowed.
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        games: int = 256,
        opponents: str | Mapping[str, float] = SELF,
        *,
        players: Mapping[str, Player] | None = None,
        later: Collection[str] = (),
        seed: int = 0,
        seat: int | Literal["rotate"] | None = "rotate",
        alike: float = 1.0,
        **fields: Any,
    ) -> None:
        r = make_rules(rules, **fields)
        if not isinstance(opponents, str | Mapping):
            raise BluffError(f"opponents: {opponents!r} found; a name, or {{name: share}} expected")
        mixture = {opponents: 1.0} if isinstance(opponents, str) else dict(opponents)
        self.seats = Seats(
            r, games, mixture, _players(r, mixture, players or {}, later), seed=seed, seat=seat, alike=alike
        )
        self.layout = self.seats.batch.layout
        self.rules = r
        self.render_mode: str | None = None  # VecEnv's own __init__ asks for it
        box = spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        super().__init__(games, box, spaces.Discrete(self.layout.n_actions))
        self._next_seed: int | None = seed
        self._actions: NDArray[np.int64] = np.zeros(games, np.int64)
        self._model: BaseAlgorithm | None = None
        self._updates = -1
        self._lead_weight = 0.0
        self._hand = np.float32(r.hand_size or r.deck_size / r.players)
        self._last_lead: NDArray[np.float32] = np.zeros(games, np.float32)

    @property
    def lead_weight(self) -> float:
        """How much a change in the learner's lead pays."""
        return self._lead_weight

    @lead_weight.setter
    def lead_weight(self, weight: float) -> None:
        self._lead_weight = weight
        self._last_lead = self._lead(self.seats.batch.observation)

    def set_player(self, name: str, player: Player) -> None:
        """Who plays under a name of the mixture from now on."""
        self.seats.set_player(name, player)

    def follow(self, model: BaseAlgorithm) -> None:
        """Makes "self" the policy of an algorithm, taken over anew whenever the algorithm has been updated."""
        self._model, self._updates = model, -1
        self._take_over()

    def _take_over(self) -> None:
        if self._model is None or SELF not in self.seats.names:
            return
        updates = int(getattr(self._model, "_n_updates", 0))
        if updates != self._updates:
            from bluff_agents.training.export import policy_agent

            self.seats.set_player(SELF, policy_agent(self._model, self.rules))
            self._updates = updates

    def action_masks(self) -> NDArray[np.bool_]:
        """(N, A) bool, a fresh array: the legal actions of each learner."""
        return self.seats.batch.mask.copy()

    def observation(self) -> NDArray[np.float32]:
        """(N, D) float32, a fresh array: what each learner sees."""
        return self.layout.to_float(self.seats.batch.observation)

    def reset(self) -> NDArray[np.float32]:
        """New games: from the seed set last, once; after that each row goes on to its next game."""
        self._take_over()
        seed = self._next_seed if self._seeds[0] is None else self._seeds[0]
        self.seats.reset(seed)
        self._last_lead = self._lead(self.seats.batch.observation)
        self._next_seed = None
        self._reset_seeds()
        self._reset_options()
        return self.observation()

    def snapshot(self) -> SeatsSnapshot:
        """A copy of all games and of who sits where, to go on from later."""
        return self.seats.snapshot()

    def restore(self, snapshot: SeatsSnapshot) -> None:
        """Puts all games back as they stood; `observation()` shows what the learners see there."""
        self.seats.restore(snapshot)
        self._last_lead = self._lead(self.seats.batch.observation)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keeps the learners' actions, (N,) whole numbers, for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """SB3 keeps the observations and adds to the rewards in place, so every array it gets is fresh."""
        self._take_over()
        outcome = self.seats.step(self._actions)
        rewards = outcome.rewards.astype(np.float32)
        self._pay_lead(outcome, rewards)
        return self.observation(), rewards, outcome.done, self._infos(outcome)

    def _lead(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """(B,) float32: how many cards the others hold on average beyond one's own, in hands as dealt."""
        sizes = observation[:, self.layout.pieces["hand_sizes"]].astype(np.float32)
        lead: NDArray[np.float32] = (sizes[:, 1:].mean(axis=1) - sizes[:, 0]) / self._hand
        return lead

    def _pay_lead(self, outcome: Outcome, rewards: NDArray[np.float32]) -> None:
        """Adds what the change in the lead pays, and keeps the lead as it is now. Nothing, where it pays nothing."""
        if not self._lead_weight:
            return
        now = self._lead(self.seats.batch.observation)
        after = now.copy()
        after[outcome.rows] = self._lead(outcome.observation)
        rewards += np.float32(self._lead_weight) * (after - self._last_lead)
        self._last_lead = now

    def _infos(self, outcome: Outcome) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        last = self.layout.to_float(outcome.observation)
        for i, row in enumerate(outcome.rows):
            infos[row] = {
                "terminal_observation": last[i],
                "TimeLimit.truncated": False,
                "won": bool(outcome.winner[i] == outcome.seat[i]),
                "cut_off": bool(outcome.cut_off[i]),
                "turns": int(outcome.turns[i]),
                "seat": int(outcome.seat[i]),
                "opponents": self._who(outcome.opponents[i]),
            }
        return infos

    def _who(self, opponents: NDArray[np.int64]) -> str:
        found = set(opponents[opponents >= 0].tolist())
        return self.seats.names[found.pop()] if len(found) == 1 else "mixed"

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same value for every row; AttributeError where there is none, which is how SB3 asks."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Sets it for all rows: they share everything."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """`action_masks` gives the rows of one array, which SB3 stacks; any other method is called once."""
        if method_name == "action_masks":
            masks = self.action_masks()
            return list(masks if indices is None else masks[list(self._get_indices(indices))])
        value = getattr(self, method_name)(*args, **kwargs)
        return [value for _ in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """No row is wrapped."""
        return [False for _ in self._get_indices(indices)]


def _players(
    rules: Rules, mixture: Mapping[str, float], given: Mapping[str, Player], later: Collection[str]
) -> dict[str, Player]:
    """Who plays under each name of a mixture, "self" left out unless it is given, and those that will be set later."""
    unused = sorted(given.keys() - mixture.keys())
    if unused:
        raise BluffError(f"players: {unused[0]!r} is not in the mixture; names: {', '.join(mixture)}")
    load = [name for name in mixture if name != SELF and name not in given and name not in later]
    if not load:
        return dict(given)
    import bluff_agents

    return {**given, **{name: bluff_agents.load(name, rules) for name in load}}
