"""The Gymnasium environment `Bluff-v0`, many games at once: a native VectorEnv, in which nothing loops over the games.

`gymnasium.make_vec("bluff_env:Bluff-v0", num_envs=1024, rules="bloff", opponents="random")` makes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bluff_env.asking import Player
from bluff_env.engine.arguments import row_seeds, whole_actions
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError, DealError
from bluff_env.game import Game
from bluff_env.layout import Layout
from bluff_env.render.modes import Renderer, Rendering
from bluff_env.ruleset import Rules
from bluff_env.ruleset import rules as make_rules
from bluff_env.seats import Outcome, Seats
from bluff_env.single import opponents_of

_OPTIONS: Final = ("deal", "deals", "reset_mask")


def seats_against(
    opponents: str | Player | Sequence[str | Player], rules: Rules, games: int, seat: int | None
) -> Seats:
    """Games with a learner each against the same opponents, from its left on: see `single.opponents_of`."""
    places = opponents_of(opponents, rules)
    names = [str(next(i for i, other in enumerate(places) if other is player)) for player in places]
    return Seats(rules, games, names, dict(zip(names, places, strict=True)), seat=seat)


class BluffVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """N games, one learner at each table: what a `SyncVectorEnv` of N single `Bluff-v0` gives, number for number.

    Observations: Box(0, 1, (N, D), float32). Actions: MultiDiscrete of N times A, masked by `action_masks()` and
    `infos["action_mask"]`, (N, A) int8. Rewards (N,) float64, each learner's own, at the end of its game. An illegal
    action ends its row's episode with reward -1 and `infos["illegal"]`, as in the single environment. All arrays are
    fresh.

    Args:
        num_envs: N.
        rules, opponents, seat: as of the single environment, `bluff_env.single.BluffEnv`.
        render_mode: None, "ansi" (a text for each game) or "rgb_array" (a picture of each; needs the extra `render`).
        render_view: as of the single environment.
        autoreset_mode: when the next game of a row begins: one of Gymnasium's AutoresetMode, or its value.
        **fields: fields of the rules that differ, e.g. `players=3`.

    Raises:
        BluffError: arguments that are not allowed.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        opponents: str | Player | Sequence[str | Player] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        render_view: str | int | None = None,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **fields: Any,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, Integral) or num_envs < 1:
            raise BluffError(f"num_envs: {num_envs!r} is not allowed; a whole number of at least 1")
        if render_mode == "human":
            raise BluffError("render_mode: 'human' is not allowed for many games at once; ansi, rgb_array, or None")
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        self.autoreset_mode: AutoresetMode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.rules: Rules = make_rules(rules, **fields)
        n = self.rules.players
        self._renderer: Renderer = Renderer(render_mode, render_view, n, allowed=self.metadata["render_modes"])
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, Integral) or not 0 <= seat < n):
            raise BluffError(f"seat: {seat!r} is not allowed; a seat from 0 to {n - 1}, or None")
        self.seats: Seats = seats_against(opponents, self.rules, self.num_envs, None if seat is None else int(seat))
        self._batch: GameBatch = self.seats.batch
        self.layout: Layout = self._batch.layout
        self.single_observation_space = spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        self.single_action_space = spaces.Discrete(self.layout.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all: NDArray[np.int64] = np.arange(self.num_envs)
        self._begun: bool = False  # False also where an opponent's or a deal's fault left games half played
        # Rows whose episode is over and the next one not begun; and those among them that an illegal action ended.
        self._over: NDArray[np.bool_] = np.zeros(self.num_envs, np.bool_)
        self._illegal: NDArray[np.bool_] = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """New games, played on to each learner's first decision.

        Args:
            seed: row i's game is that of the single environment's reset(seed=seed + i). N seeds: one a row; None among
                them, or instead of them: the next game of the row's series, which the system begins.
            options: `{"deal": {...}}`, a deal as game records write it, for all rows, or `{"deals": [...]}`, one a row
                (None: shuffled), for this game only; `{"reset_mask": mask}`, (N,) bool: only these rows begin anew.

        Returns:
            Observations of all rows, and the infos of those that began anew.

        Raises:
            BluffError: a seed, deal or option that is not allowed. Then the games are as they were, except where a
                given deal turns out to end before its learner is asked anything: then all must be reset.
        """
        rows, deals = self._options(options)
        seeds = self._seeds(seed)[rows]
        super().reset(seed=int(seed) if isinstance(seed, Integral) else None)
        begun, self._begun = self._begun, False
        try:
            self.seats.reset(seeds=seeds, deals=deals, rows=rows)
        except DealError:
            self._begun = begun  # nothing was dealt
            raise
        self._begun = True
        self._over[rows] = self._illegal[rows] = False
        new = np.zeros(self.num_envs, np.bool_)
        new[rows] = True
        return self._observations(), self._infos(new)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays each learner's action and the others' up to the learner's next decision or the end of its game.

        Args:
            actions: (N,) whole numbers. Under NEXT_STEP those of rows whose episode has ended are not looked at.

        Returns:
            Observations (N, D) float32, rewards (N,) float64, terminated and truncated (N,) bool (a cut-off is a final
            result, so nothing is ever truncated), and infos as `SyncVectorEnv` has them: `action_mask` and `seat`, at
            the end `cut_off`, or `illegal`; under SAME_STEP `final_obs` and `final_info` of the games that ended.

        Raises:
            BluffError: no reset yet, or not since the end of an episode (DISABLED); not (N,) whole numbers.
        """
        if not self._begun:
            raise BluffError("step: no game has begun; call reset()")
        given, waiting = whole_actions(actions, self.num_envs), np.flatnonzero(self._over)
        if waiting.size and self.autoreset_mode is AutoresetMode.DISABLED:
            raise BluffError(
                f"step: the episode in row {waiting[0]} is over; reset() it with options={{'reset_mask': …}}"
            )
        known = (given >= 0) & (given < self.layout.n_actions)
        illegal = ~(known & self._batch.mask[self._all, np.where(known, given, 0)]) & ~self._over
        refused = np.flatnonzero(illegal)
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            seen, seats = self._batch.observation[refused], self.seats.seat[refused]
            outcome = self._step(given, refused, restart=True)
            terminated = outcome.done | illegal
            if terminated.any():
                infos = self._final(outcome, refused, seen, seats)
            rewards = np.where(illegal, -1.0, outcome.rewards)
            return self._observations(), rewards, terminated, np.zeros_like(terminated), infos | self._infos()
        given[refused] = -1
        outcome = self._step(given, waiting, restart=False)
        self._illegal, self._over = illegal, outcome.done | illegal
        rewards = np.where(illegal, -1.0, outcome.rewards)
        return self._observations(), rewards, self._over.copy(), np.zeros_like(illegal), self._infos()

    def action_masks(self) -> NDArray[np.bool_]:
        """(N, A) bool: the legal actions of each learner; all False where its episode is over."""
        masks: NDArray[np.bool_] = self._batch.mask.copy()
        masks[self._illegal] = False
        return masks

    def render(self) -> tuple[Rendering, ...] | None:  # type: ignore[override]  # narrower than Gymnasium's
        """The table of every game as the single environment shows it: texts, pictures, or nothing without a mode."""
        if self.render_mode is None:
            return None
        b, game = self._batch, Game(self.rules, seed=0)
        shown = []
        for row, seat in enumerate(self.seats.seat.tolist()):
            game.restore(b.snapshot(row))
            shown.append(self._renderer.render(game, seat, self.metadata["render_fps"]))
        return tuple(shown)

    def records(self) -> list[dict[str, Any]]:
        """The games as records (`bluff-record/1`), hidden cards included; also of games under way."""
        return self._batch.records()

    def action_text(self, action: int, row: int) -> str:
        """An action in words, as it stands in a row's game now."""
        return self._batch.action_text(int(action), row)

    def _step(self, actions: NDArray[np.int64], fresh: NDArray[np.int64], restart: bool) -> Outcome:
        self._begun = False
        outcome = self.seats.step(actions, restart, fresh)
        self._begun = True
        return outcome

    def _observations(self) -> NDArray[np.float32]:
        return self.layout.to_float(self._batch.observation)

    def _infos(self, rows: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """The infos of all rows, or of some: zero in the others, and False in the arrays that say who has a number."""
        have: NDArray[np.bool_] = np.ones(self.num_envs, np.bool_) if rows is None else rows
        masks, seats = self.action_masks().view(np.int8), self.seats.seat.copy()
        if rows is not None:
            masks[~have], seats[~have] = 0, 0
        infos: dict[str, Any] = {"action_mask": masks, "_action_mask": have, "seat": seats, "_seat": have.copy()}
        ended = self._over & have
        if ended.any():
            infos |= self._ends(ended & ~self._illegal, self._batch.cut_off, ended & self._illegal)
        return infos

    def _ends(self, over: NDArray[np.bool_], cut_off: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """What infos tell of games that are over, and of episodes that an illegal action ended."""
        infos: dict[str, Any] = {}
        if over.any():
            infos |= {"cut_off": cut_off & over, "_cut_off": over}
        if illegal.any():
            infos |= {"illegal": illegal, "_illegal": illegal.copy()}
        return infos

    def _final(
        self, outcome: Outcome, refused: NDArray[np.int64], seen: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> dict[str, Any]:
        """`final_obs` and `final_info` of rows whose episodes ended: games that are over, and the refused."""
        rows = np.concatenate([outcome.rows, refused])
        last: NDArray[Any] = np.full(self.num_envs, None, object)
        for row, observation in zip(
            rows, self.layout.to_float(np.concatenate([outcome.observation, seen])), strict=True
        ):
            last[row] = observation
        ended, illegal, cut_off = (np.zeros(self.num_envs, np.bool_) for _ in range(3))
        sitting = np.zeros(self.num_envs, np.int64)
        ended[rows], illegal[refused], cut_off[outcome.rows] = True, True, outcome.cut_off
        sitting[rows] = np.concatenate([outcome.seat, seats])
        masks = np.zeros((self.num_envs, self.layout.n_actions), np.int8)
        info = {"action_mask": masks, "_action_mask": ended, "seat": sitting, "_seat": ended.copy()}
        info |= self._ends(ended & ~illegal, cut_off, illegal)
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def _seeds(self, seed: Any) -> NDArray[np.int64]:
        """(N,) int64: the seed of each row's next game."""
        n = self.num_envs
        following: NDArray[np.int64] = self._batch.games["next_seed"].copy()
        if not self._begun:
            following = row_seeds(secrets.randbelow(MAX_SEED + 1), n)
        if seed is None:
            return following
        if isinstance(seed, Integral):
            given: list[Any] = [seed if isinstance(seed, bool) else int(seed) + i for i in range(n)]
        else:
            given = list(seed) if isinstance(seed, Sequence | np.ndarray) else [seed]
        if len(given) != n:
            raise BluffError(f"seed: {len(given)} given for {n} games; one number, or {n}")
        for row, one in enumerate(given):
            if one is None:
                continue
            if isinstance(one, bool) or not isinstance(one, Integral) or not 0 <= int(one) <= MAX_SEED:
                raise BluffError(f"seed: {one!r} is not allowed; a whole number from 0 to {MAX_SEED}, or None")
            following[row] = one
        return following

    def _options(self, options: Any) -> tuple[NDArray[np.int64], list[Any] | None]:
        """The rows to reset and their deals. The options are not changed: wrappers look at them, too."""
        if options is not None and not isinstance(options, Mapping):
            raise BluffError(f"options: {options!r} found; a mapping such as {{'deal': ...}} expected")
        options = options or {}
        for key in options:
            if key not in _OPTIONS:
                raise BluffError(f"options: {key!r} is not allowed; {', '.join(_OPTIONS)}")
        rows = self._all
        if "reset_mask" in options:
            mask = options["reset_mask"]
            if (
                not isinstance(mask, np.ndarray)
                or (mask.shape, mask.dtype) != ((self.num_envs,), np.bool_)
                or not mask.any()
            ):
                raise BluffError(f"reset_mask: {mask!r} found; an array of {self.num_envs} bool, some True, expected")
            if not self._begun and not mask.all():
                raise BluffError("reset_mask: no game has begun; reset all rows first")
            rows = np.flatnonzero(mask)
        deal, deals = options.get("deal"), options.get("deals")
        if deals is None:
            return rows, None if deal is None else [deal] * len(rows)
        if deal is not None:
            raise BluffError("options: deal and deals found; one of them expected")
        if not isinstance(deals, Sequence) or len(deals) != self.num_envs:
            raise BluffError(
                f"deals: {deals!r} found; a list of {self.num_envs}, None where cards are shuffled, expected"
            )
        return rows, [deals[row] for row in rows]


def _mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(one.value for one in AutoresetMode)
        raise BluffError(f"autoreset_mode: {mode!r} is not allowed; one of {allowed}") from None
