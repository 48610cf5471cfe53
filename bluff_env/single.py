"""The Gymnasium environment `Bluff-v0`: one seat against opponents.

Registered when bluff_env is imported; `gymnasium.make("bluff_env:Bluff-v0", rules="bloff", opponents="counter")` does
both.
"""

from __future__ import annotations

import operator
import os
import secrets
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bluff_env.aec import deal_option
from bluff_env.asking import Asker, Player
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError
from bluff_env.game import Game
from bluff_env.render.modes import RENDER_MODES, Renderer, Rendering
from bluff_env.ruleset import Rules
from bluff_env.seats import drawn_seat

_ONLY_ROW: Final = np.zeros(1, np.int64)


class BluffEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One learner at the table; the opponents' decisions are part of the environment.

    Observation: Box(0, 1, (D,), float32). Actions: Discrete(A), masked by `action_masks()` and `info["action_mask"]`.
    The reward is the learner's, at the end of the game. An illegal action ends the episode with reward -1 and
    `info["illegal"]`. At the end `info["cut_off"]` tells whether the game was cut off; a cut-off is a final result, so
    `truncated` is always False.

    Args:
        rules: anything `bluff_env.rules` takes.
        opponents: who sits in the other seats: a name or file that `bluff_agents.load` takes, an agent, or a list of
            players - 1 of them, from the learner's left on.
        seat: the learner's seat; None draws it from each game's seed.
        render_mode: None, "ansi" (text), "rgb_array" (a picture, (640, 960, 3) uint8) or "human" (a window that shows
            the table after every step); the last two need the extra `render`.
        render_view: whose cards are shown: "seat" (the learner's alone; None is that, too), "all", or a seat's number,
            which sees what that seat may see.
        **fields: fields of the rules that differ, e.g. `players=3`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        opponents: str | Player | Sequence[str | Player] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        render_view: str | int | None = None,
        **fields: Any,
    ) -> None:
        self.game = Game(rules, seed=0, **fields)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_view, self.game.rules.players)
        self.rules, self.layout = self.game.rules, self.game.layout
        self._batch = self.game.batch
        n = self.rules.players
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, Integral) or not 0 <= seat < n):
            raise BluffError(f"seat: {seat!r} is not allowed; a seat from 0 to {n - 1}, or None")
        self.fixed_seat = None if seat is None else int(seat)
        self.seat = self.fixed_seat or 0
        self._opponents = [Asker(player, 1, n) for player in opponents_of(opponents, self.rules)]
        self._seeded = False
        self._illegal = False
        self.observation_space = spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        self.action_space = spaces.Discrete(self.layout.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """A new game, played on to the learner's first decision (a game that ends before it is followed by the next).

        Args:
            seed: decides the game and, where it is drawn, the seat: the same seed is the same game as in `bluff_v0` and
                GameBatch. None: the next game of this environment's series.
            options: `{"deal": {...}}`, a deal as game records write it, for this game only.
        """
        super().reset(seed=seed)
        deal = deal_option(options)
        if seed is None and not self._seeded:
            seed = secrets.randbelow(MAX_SEED + 1)
        self._batch.reset(seeds=None if seed is None else [seed], deals=None if deal is None else [deal])
        self._seeded, self._illegal = True, False
        for _ in range(1000):
            if self.fixed_seat is None:
                self.seat = int(drawn_seat(self._batch.seed, self.rules.players)[0])
            for opponent in self._opponents:
                opponent.forget([0])
            self._play_others()
            if not self.game.over:
                if self.render_mode == "human":
                    self.render()
                return self._observation(), self._info()
            if deal is not None:
                raise BluffError("deal: the game ends before the learner is asked anything; another deal or seat")
            self._batch.reset()
        raise BluffError("reset: 1000 games in a row ended before the learner was asked anything")

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Plays the learner's action and the others' up to the learner's next decision or the end of the game.

        Raises:
            BluffError: the episode is over or has not begun.
            TypeError: the action is no whole number.
        """
        action = operator.index(action)
        if self._illegal or self.game.over or not self._seeded:
            raise BluffError("step: the episode is over or has not begun; call reset()")
        if not 0 <= action < self.layout.n_actions or not self._batch.mask[0, action]:
            self._illegal = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self._batch.step(np.array([action]))
        self._play_others()
        if self.render_mode == "human":
            self.render()
        over = self.game.over
        reward = self.game.rewards[self.seat] if over else 0.0
        return self._observation(), reward, over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """(A,) bool: the learner's legal actions, under the name MaskablePPO looks for; all False at the end."""
        legal: NDArray[np.bool_] = self._batch.mask[0].copy()
        return legal if not self._illegal else np.zeros_like(legal)

    def render(self) -> Rendering:  # type: ignore[override]  # narrower than Gymnasium's
        """The table as the learner sees it, unless `render_view` says otherwise.

        Returns:
            Text (`ansi`), a picture (`rgb_array`), None where it is shown in the window (`human`) or without a mode.
        """
        return self._renderer.render(self.game, self.seat, self.metadata["render_fps"])

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._renderer.close()

    def record(self) -> dict[str, Any]:
        """The game as a record (`bluff-record/1`), hidden cards included; also of a game under way."""
        return self.game.record()

    def action_text(self, action: int) -> str:
        """An action in words, as it stands now."""
        return self._batch.action_text(int(action))

    def _play_others(self) -> None:
        batch = self._batch
        while (player := int(batch.games["player"][0])) not in (self.seat, -1):
            opponent = self._opponents[(player - self.seat - 1) % self.rules.players]
            batch.step(opponent.ask(batch, _ONLY_ROW, batch.noise()))

    def _observation(self) -> NDArray[np.float32]:
        return self.layout.to_float(self._batch.observe(self.seat)[0])

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}
        if self.game.over:
            info["cut_off"] = self.game.cut_off
        return info


def opponents_of(spec: str | Player | Sequence[str | Player], rules: Rules) -> list[Player]:
    """One opponent for each other seat, from the learner's left on. What is named twice is loaded once."""
    others = rules.players - 1
    if isinstance(spec, str | os.PathLike) or hasattr(spec, "act"):
        each: list[Any] = [spec] * others
    elif isinstance(spec, Sequence):
        each = list(spec)
    else:
        raise BluffError(f"opponents: {spec!r} found; a name, a file, an agent, or a list of {others} of them expected")
    if len(each) != others:
        raise BluffError(f"opponents: {len(each)} named; one, or {others} for {rules.players} seats")
    loaded: dict[str, Player] = {}
    return [_opponent(one, rules, loaded) for one in each]


def _opponent(spec: Any, rules: Rules, loaded: dict[str, Player]) -> Player:
    if not isinstance(spec, str | os.PathLike):
        if not callable(getattr(spec, "act", None)):
            raise BluffError(f"opponents: {spec!r} found; a name, a file, or an agent with act() expected")
        agent: Player = spec
        return agent
    name = os.fspath(spec)
    if name not in loaded:
        from bluff_agents import load  # the only way from here to the agents, and only when asked

        loaded[name] = load(name, rules)
    return loaded[name]
