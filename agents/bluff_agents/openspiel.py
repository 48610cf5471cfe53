"""Agents as OpenSpiel policies, and OpenSpiel policies as agents. Needs open_spiel (the extra `openspiel`).

from bluff_agents.openspiel import agent_from_policy, policy_from_agent
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from open_spiel.python import policy as spiel_policy

from bluff_agents.agent import NOISES, Agent, Memoryless, Observations, as_counts
from bluff_agents.errors import AgentError
from bluff_agents.loading import load
from bluff_env.adapters.openspiel.game import BluffGame
from bluff_env.adapters.openspiel.position import OVER, Position, TableOfPositions

#: Positions that `agent_from_policy` goes through at most.
MAX_POSITIONS: Final = 300_000
# How little the ways count that the policy itself never goes, so that it has an answer there too.
_NEVER: Final = 1e-12
# How far from 1 the probabilities of one decision may sum up.
_EXACT: Final = 1e-6


def policy_from_agent(game: BluffGame, agent: Agent | str) -> AgentPolicy:
    """A policy that plays like an agent at every seat.

    Args:
        game: a `python_bluff`.
        agent: an agent of its rules, or what `bluff_agents.load` takes.

    Raises:
        AgentError: it cannot be loaded, or plays other rules.
    """
    return AgentPolicy(game, load(agent, game.rules) if isinstance(agent, str) else agent)


class AgentPolicy(spiel_policy.Policy):  # type: ignore[misc, unused-ignore]  # OpenSpiel has no annotations
    """What `policy_from_agent` makes.

    An agent with a memory is shown, at each decision, what it saw at its decisions before; where it drew something
    there, it draws the middle.

    Attributes:
        agent: who is asked.
    """

    def __init__(self, game: BluffGame, agent: Agent) -> None:
        super().__init__(game, list(range(game.num_players())))
        lay = getattr(agent, "layout", None)
        if lay is not None and lay.fingerprint != game.table.layout.fingerprint:
            raise AgentError(
                f"{agent.name}: plays other rules: {', '.join(game.table.layout.differences(lay.describe()))}"
            )
        self.agent = agent
        self._table: TableOfPositions = game.table
        self._has_memory: bool | None = None
        self._known: dict[bytes, NDArray[np.float64]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """{legal action: how likely it is}, for the player who is to move."""
        position: Position = state.position
        if position.player < 0:
            raise AgentError(f"{self.agent.name}: nobody is to move here")
        likely = self._of(position)
        return {action: float(likely[action]) for action in position.legal}

    def _of(self, position: Position) -> NDArray[np.float64]:
        observation, mask = self._shown(position)
        key = observation.tobytes() + mask.tobytes()
        if self._has_memory is None:
            self._has_memory = self.agent.act(observation, mask, np.array([0.5]), None)[1] is not None
        if self._has_memory:
            return self._drawn(position, observation, mask)
        if key not in self._known:
            if type(self.agent).probabilities is Agent.probabilities:
                likely = self._drawn(position, observation, mask)  # the same, asked at once
            else:
                likely = self.agent.probabilities(observation, mask)[0]
            self._known[key] = _checked(self.agent, likely[None], mask)[0]
        return self._known[key]

    def _shown(self, position: Position) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        return self._table.observe(position, position.player)[None], self._table.mask(position)[None]

    def _drawn(self, position: Position, observation: NDArray[np.int8], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(A,) float64: the shares of noises that lead to an action (see `Agent.probabilities`)."""
        memory: Any = None
        for before in position.steps[:-1] if self._has_memory else []:
            if before.player == position.player:
                memory = self.agent.act(*self._shown(before), np.array([0.5]), memory)[1]
        rows = np.zeros(NOISES, np.int64)
        noise = (np.arange(NOISES) + 0.5) / NOISES
        many = None if memory is None else np.asarray(memory)[rows]
        actions, _ = self.agent.act(observation[rows], mask[rows], noise, many)
        likely: NDArray[np.float64] = np.bincount(actions, minlength=mask.shape[1]) / NOISES
        return likely


def agent_from_policy(
    game: BluffGame, policy: Any, name: str = "policy", sees: Literal["everything", "observation"] = "everything"
) -> Agent:
    """An agent that plays like a policy.

    An agent is shown an observation, which does not tell all that has happened. With `sees="everything"` the policy is
    asked at every information state of the game; where several show one observation, the agent plays the mean of what
    the policy does there, weighted by how often it comes there if all play it. For games of a small deck.
    With `sees="observation"` the policy is asked as the game goes on, with a state that has an observation tensor,
    legal actions and nothing else: for networks that look at nothing else, at any size.

    Args:
        game: a `python_bluff` the policy is of.
        policy: an OpenSpiel policy; it is asked for `action_probabilities(state, player)`.
        name: what tables call the agent.
        sees: what the policy is shown.

    Raises:
        AgentError: more than `MAX_POSITIONS` positions, or probabilities that are none.
    """
    if sees == "observation":
        return _Watching(game, policy, name)
    if sees != "everything":
        raise AgentError(f"sees: {sees!r} found; everything or observation")
    return _Tabled(game, name, _table(game, policy, name))


class _Drawing(Memoryless):
    """An agent that knows its probabilities and draws by them."""

    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: an action a row."""
        sums = self.probabilities(observation, mask).cumsum(axis=1)
        actions: NDArray[np.int64] = (sums > (noise * sums[:, -1])[:, None]).argmax(axis=1)
        return actions


class _Tabled(_Drawing):
    """Plays by a table: the bytes of an observation, as counts, and its mask -> (A,) probabilities."""

    def __init__(self, game: BluffGame, name: str, table: Mapping[bytes, NDArray[np.float64]]) -> None:
        super().__init__(game.rules, name)
        self._by_observation = table

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """(B, A) float64; every legal action alike where the game never comes."""
        counts, legal = as_counts(self.layout, observation), mask.astype(np.bool_)
        likely: NDArray[np.float64] = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
        for row, (seen, allowed) in enumerate(zip(counts, legal, strict=True)):
            known = self._by_observation.get(seen.tobytes() + allowed.tobytes())
            if known is not None:
                likely[row] = known
        return likely


class _Watching(_Drawing):
    """Asks the policy at every decision, with what an observation tells."""

    def __init__(self, game: BluffGame, policy: Any, name: str) -> None:
        super().__init__(game.rules, name)
        self._policy, self._game = policy, game

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """(B, A) float64."""
        counts, legal = as_counts(self.layout, observation), mask.astype(np.bool_)
        likely = np.zeros(legal.shape)
        for row in np.flatnonzero(legal.any(axis=1)):
            state = Shown(self._game, self.layout.to_float(counts[row]), legal[row])
            likely[row] = _row(self, self._policy.action_probabilities(state, state.current_player()), legal[row])
        return likely


class Shown:
    """As much of a state as an observation tells: what `sees="observation"` shows a policy.

    Whoever looks is player 0, as observations count seats from the observer on.
    """

    def __init__(self, game: BluffGame, observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> None:
        self._game, self._observation, self._mask = game, observation, mask

    def __getattr__(self, name: str) -> Any:
        raise AgentError(f"policy: it asks a state for {name!r}, which an observation does not tell")

    def get_game(self) -> BluffGame:
        """The game."""
        return self._game

    def num_players(self) -> int:
        """Seats."""
        return int(self._game.num_players())

    def current_player(self) -> int:
        """Whoever looks."""
        return 0

    def is_terminal(self) -> bool:
        """A decision is to be made."""
        return False

    def is_chance_node(self) -> bool:
        """A decision is to be made."""
        return False

    def is_simultaneous_node(self) -> bool:
        """There are none."""
        return False

    def legal_actions(self, player: int = 0) -> list[int]:
        """In rising order."""
        return [int(action) for action in np.flatnonzero(self._mask)]

    def legal_actions_mask(self, player: int = 0) -> list[int]:
        """(A) zeros and ones."""
        return [int(allowed) for allowed in self._mask]

    def observation_tensor(self, player: int = 0) -> list[float]:
        """(D) in [0, 1]."""
        return [float(x) for x in self._observation]


def _table(game: BluffGame, policy: Any, name: str) -> dict[bytes, NDArray[np.float64]]:
    sums: dict[bytes, NDArray[np.float64]] = {}
    agent = _Tabled(game, name, {})
    for state, reach in _decisions(game, policy, agent):
        position: Position = state.position
        mask = game.table.mask(position)
        key = game.table.observe(position, position.player).tobytes() + mask.tobytes()
        likely = _row(agent, policy.action_probabilities(state, position.player), mask)
        sums[key] = sums.get(key, np.zeros(len(mask))) + (reach + _NEVER) * likely
    return {key: likely / likely.sum() for key, likely in sums.items()}


def _decisions(game: BluffGame, policy: Any, agent: Agent) -> Iterator[tuple[Any, float]]:
    """The states in which somebody decides, with how likely they are if all play the policy."""
    stack, count = [(game.new_initial_state(), 1.0)], 0
    while stack:
        state, reach = stack.pop()
        count += 1
        if count > MAX_POSITIONS:
            raise AgentError(
                f"{agent.name}: more than {MAX_POSITIONS:,} positions to ask the policy about; a smaller deck, fewer "
                'max_turns, or sees="observation"'
            )
        position: Position = state.position
        if position.player == OVER:
            continue
        if position.player >= 0:
            yield state, reach
            row = _row(agent, policy.action_probabilities(state, position.player), game.table.mask(position))
            chances = [float(row[action]) for action in position.legal]
        else:
            chances = list(position.chances)
        for action, chance in zip(position.legal, chances, strict=True):
            stack.append((state.child(action), reach * chance))


def _row(agent: Agent, found: Mapping[int, float], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(A,) float64: what a policy answers, checked."""
    likely = np.zeros((1, len(mask)))
    for action, chance in found.items():
        if not 0 <= int(action) < len(mask):
            raise AgentError(f"{agent.name}: the policy names action {action}; 0 to {len(mask) - 1}")
        likely[0, int(action)] = chance
    checked: NDArray[np.float64] = _checked(agent, likely, mask[None])[0]
    return checked


def _checked(agent: Agent, likely: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    good = likely.shape == mask.shape and (likely >= 0).all() and (likely[~mask] < _EXACT).all()
    if not good or (abs(likely.sum(axis=1) - 1) > _EXACT).any():
        raise AgentError(f"{agent.name}: its probabilities are negative, not legal or do not sum to 1")
    legal = np.where(mask, likely, 0.0)
    exact: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
    return exact
