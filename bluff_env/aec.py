"""The PettingZoo AEC environment: one game of the engine, one agent a seat."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from bluff_env.engine.batch import GameBatch
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError
from bluff_env.game import Game, single_action
from bluff_env.render.modes import RENDER_MODES, Renderer, Rendering
from bluff_env.ruleset import Rules


class BluffAEC(AECEnv[str, dict[str, NDArray[Any]], int]):
    """The game as agents `player_0` … in playing order; see `bluff_env.bluff_v0` for the documentation page.

    Args:
        rules: anything `bluff_env.rules` takes.
        render_mode: None, "ansi" (text), "rgb_array" (a picture, (640, 960, 3) uint8) or "human" (a window that shows
            the table after every step); the last two need the extra `render`.
        render_view: whose cards are shown: "all", "seat" (those of the agent to move), or a seat's number, which sees
            what that seat may see; None: "all" in pictures, "seat" in text.
        **fields: fields of the rules that differ, e.g. `players=5`.
    """

    metadata = {
        "render_modes": list(RENDER_MODES),
        "name": "bluff_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        render_mode: str | None = None,
        render_view: str | int | None = None,
        **fields: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo leaves it unannotated
        self.game = Game(rules, seed=0, **fields)
        self.rules: Rules = self.game.rules
        self.render_mode = render_mode
        self._renderer: Renderer = Renderer(render_mode, render_view, self.rules.players, usual="all")
        self.layout = self.game.layout
        self._batch: GameBatch = self.game.batch
        self._seeded = False
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._nobody_moves: NDArray[np.int8] = np.zeros(self.layout.n_actions, np.int8)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (self.layout.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (self.layout.n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.layout.n_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0.0, 1.0, (self.layout.state_size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Dict(observation=Box(0, 1, (D,), float32), action_mask=Box(0, 1, (A,), int8)), the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Discrete(A), the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game.

        Args:
            seed: decides the game: the same seed is the same game here, in a GameBatch and in Gymnasium. None: the
                next game of this environment's series, whose first seed is drawn by the system.
            options: `{"deal": {...}}`, a deal as game records write it, for this game only.

        Raises:
            BluffError: a seed out of range, or a deal the rules could not have dealt.
        """
        deal = deal_option(options)
        if seed is None and not self._seeded:
            seed = secrets.randbelow(MAX_SEED + 1)
        self._batch.reset(seeds=None if seed is None else [seed], deals=None if deal is None else [deal])
        self._seeded = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"cut_off": False} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._batch.games["player"][0]]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Plays one action of `agent_selection`; all agents end in the same step.

        Raises:
            MoveError: (a ValueError) an illegal action; names the action and the legal ones. Nothing has changed.
        """
        self._begun("step")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]  # PettingZoo asks for None here
            return
        rewards, done = self._batch.step(single_action(self._batch, action))
        self._cumulative_rewards[agent] = 0.0
        if done[0]:
            self._finish(rewards[0])
        else:
            self.agent_selection = self.possible_agents[self._batch.games["player"][0]]
        if self.render_mode == "human":
            self.render()

    def _finish(self, rewards: NDArray[np.float32]) -> None:
        """[E1] all agents end together; [E2] a cut-off is a final result, marked in the infos."""
        self.rewards = {agent: float(rewards[seat]) for agent, seat in self._seat.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        for agent in self.agents:
            self.infos[agent]["cut_off"] = bool(self._batch.cut_off[0])
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees: fresh arrays; the mask is all zeros for an agent that is not to move."""
        seat = self._seat[agent]
        if seat == self._batch.games["player"][0]:
            counts, mask = self._batch.observation[0], self._batch.mask[0].astype(np.int8)
        else:
            counts, mask = self._batch.observe(seat)[0], self._nobody_moves.copy()
        return {"observation": self.layout.to_float(counts), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """(S,) float32 in [0, 1]: everything, hidden cards included, for central critics (`layout.state_pieces`)."""
        state: NDArray[np.float32] = self._batch.state()[0].astype(np.float32) / self.layout.state_scale
        return state

    def record(self) -> dict[str, Any]:
        """The game as a record (`bluff-record/1`), hidden cards included; also of a game under way."""
        return self.game.record()

    def action_text(self, action: int) -> str:
        """An action in words, as it stands now, e.g. "pick 4"."""
        return self._batch.action_text(int(action))

    def render(self) -> Rendering:
        """The table: text (`ansi`), a picture (`rgb_array`), or None: in the window (`human`), or without a mode."""
        self._begun("render")
        return self._renderer.render(self.game, self._seat[self.agent_selection], self.metadata["render_fps"])

    def _begun(self, verb: str) -> None:
        if not self._seeded:
            raise BluffError(f"{verb}: no game has begun; call reset()")

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._renderer.close()

    def __repr__(self) -> str:
        return f"bluff_v0({self.rules.players} seats)"


def deal_option(options: Mapping[str, Any] | None) -> Any:
    """The deal of reset's options, or None. Other keys are left alone: wrappers and tests pass their own."""
    if options is not None and not isinstance(options, Mapping):
        raise BluffError(f"options: {options!r} found; a mapping such as {{'deal': ...}} expected")
    return (options or {}).get("deal")
