"""What an agent would do in a person's place: its likeliest whole moves, put together from its small decisions."""

from __future__ import annotations

import copy
import heapq
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import NOISES, Agent
from bluff_agents.search.ismcts import Ismcts, untold
from bluff_env import BluffError, Game, Move
from bluff_env.cards import kind_of

#: Small decisions looked into at most; an agent that plays at random spreads over thousands of moves.
_MOST_ASKED: Final = 120
#: Likelier ways than this are followed.
_FAINT: Final = 1e-4

#: An observation (1, D) and a mask (1, A) that the seat has decided on before.
Decision = tuple[NDArray[np.int8], NDArray[np.bool_]]


class _Mind:
    """An agent asked for its chances, memory included: what it remembers follows from what its seat saw."""

    def __init__(self, agent: Agent, before: Sequence[Decision]) -> None:
        self.agent = agent
        self.memory: Any = None
        for observation, mask in before:
            _, self.memory = agent.act(observation, mask, np.full(1, 0.5), self.memory)
            if self.memory is None:
                break

    def chances(
        self, observation: NDArray[np.int8], mask: NDArray[np.bool_], memory: Any
    ) -> tuple[NDArray[np.float64], dict[int, Any]]:
        """(A,) how likely each action is, and what is remembered after it."""
        after = self.agent.act(observation, mask, np.full(1, 0.5), memory)[1]
        if after is None:
            return self.agent.probabilities(observation, mask)[0], {}
        likely: NDArray[np.float64] = np.zeros(mask.shape[1])
        memories: dict[int, Any] = {}
        for number in range(NOISES):
            chosen, after = self.agent.act(observation, mask, np.full(1, (number + 0.5) / NOISES), memory)
            likely[int(chosen[0])] += 1 / NOISES
            memories.setdefault(int(chosen[0]), after)
        return likely, memories


def refuse_searching(agent: Agent) -> None:
    """Raises AgentError of an agent that cannot be asked for its chances, many times over, as hints and opinions do."""
    if isinstance(agent, Ismcts):
        raise untold(agent)


def likeliest(game: Game, agent: Agent, most: int, before: Sequence[Decision] = ()) -> list[tuple[Move, float]]:
    """The agent's likeliest moves for the seat to move, with their chances, the likeliest first.

    Args:
        game: the game, with no cards picked; it is left as it is.
        agent: who is asked; it sees what the seat to move sees.
        most: how many moves.
        before: what the seat has decided on before, for an agent with a memory.

    Raises:
        BluffError: the game is over, or the agent gives no chances.
    """
    refuse_searching(agent)
    seat = game.turn
    if seat is None:
        raise BluffError("hint: the game is over")
    scratch, snapshot = copy.deepcopy(game), game.snapshot()
    mind, numbers = _Mind(agent, before), count()
    # likeliest first; the number keeps equal ones in the order in which they were found
    ways: list[tuple[float, int, tuple[int, ...], Move | None, Any]] = [(-1.0, next(numbers), (), None, mind.memory)]
    found: list[tuple[Move, float]] = []
    asked = 0
    while ways and len(found) < most:
        minus, _, actions, move, memory = heapq.heappop(ways)
        if move is not None:
            found.append((move, -minus))
            continue
        if asked == _MOST_ASKED:
            break
        asked += 1
        scratch.restore(snapshot)
        for action in actions:
            scratch.push_action(action)
        observation, mask = scratch.batch.observation.copy(), scratch.batch.mask.copy()
        likely, memories = mind.chances(observation, mask, memory)
        for action in np.flatnonzero(likely * -minus > _FAINT).tolist():
            longer = (*actions, int(action))
            way = (minus * float(likely[action]), next(numbers), longer, _move(game, longer), memories.get(action))
            heapq.heappush(ways, way)
    return found


def _move(game: Game, actions: tuple[int, ...]) -> Move | None:
    """The move that small decisions from here on make up; None while they are not a whole one."""
    lay, t, vote = game.layout, game.layout.tables, game.deciding == "vote"
    shift, n = int(game.batch.games["shift"][0]), len(t.claims)
    view = game.view(game.turn or 0)
    claim = view.to_claim[0] if len(view.to_claim) == 1 else None
    cards: list[str] = []
    move: Move | None = None
    for action in actions:
        name = next(segment.name for segment in lay.segments if segment.start <= action < segment.start + segment.size)
        place = action - lay.actions[name].start
        kind = place if place >= n else (place + shift) % n
        if name in ("decline", "call") and vote:
            return Move("keep" if name == "decline" else "another")
        if name in ("decline", "call", "pass"):
            move = Move(name)  # type: ignore[arg-type]  # the same words
        elif name == "accuse":
            return Move("accuse", seat=((game.turn or 0) + 1 + place) % game.rules.players)
        elif name == "drop":
            return Move("drop", cards=(t.kinds[kind],))
        elif name == "claim":
            claim = t.claims[kind]
        elif name == "card":
            cards.append(t.kinds[kind])
    if cards:
        cards.sort(key=lambda card: kind_of(t, card))
        give = game.deciding == "give"
        move = Move("give", cards=tuple(cards)) if give else Move("play", claim, tuple(cards))
    # picked cards are a play only once they are laid, by themselves or by the last decision
    return move if move is not None and _whole(game, move, actions) else None


def _whole(game: Game, move: Move, actions: tuple[int, ...]) -> bool:
    return move in game.legal_moves and tuple(game.actions_of(move)) == actions
