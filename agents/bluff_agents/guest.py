"""Guest: somebody's own agent at the table, with what it returns checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bluff_agents.agent import Agent, Observations
from bluff_agents.errors import AgentError
from bluff_env import Rules


class Guest(Agent):
    """Wraps anything with `act` that is not an `Agent`.

    Args:
        rules, name: as of every agent; a `name` of the guest's own goes before.
        agent: the thing that is asked.
    """

    def __init__(self, rules: Rules, name: str, agent: Any) -> None:
        super().__init__(rules, str(getattr(agent, "name", name)))
        self.agent = agent

    def act(
        self,
        observation: Observations,
        mask: NDArray[np.bool_] | NDArray[np.int8],
        noise: ArrayLike | None = None,
        state: Any = None,
    ) -> tuple[NDArray[np.int64], Any]:
        """As of `Agent`.

        Raises:
            AgentError: the guest returned something else.
        """
        answer = self.agent.act(observation, mask, noise=noise, state=state)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise AgentError(f"{self.name}: act() returned a {type(answer).__name__}; (actions, state) expected")
        actions = returned(self.name, "act", answer[0])
        if actions.shape != observation.shape[:-1] or actions.dtype.kind not in "iu":
            raise AgentError(
                f"{self.name}: act() returned actions of shape {actions.shape}, dtype {actions.dtype}; "
                f"{observation.shape[:-1]} whole numbers expected"
            )
        return actions.astype(np.int64, copy=False), answer[1]

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """As of `Agent`; the guest's own `probabilities`, if it has any.

        Raises:
            AgentError: the guest returned something else.
        """
        own = getattr(self.agent, "probabilities", None)
        if not callable(own):
            return super().probabilities(observation, mask)
        likely = returned(self.name, "probabilities", own(observation, mask))
        if likely.shape != mask.shape:
            raise AgentError(f"{self.name}: probabilities() returned shape {likely.shape}; {mask.shape} expected")
        return likely.astype(np.float64, copy=False)

    def win_chance(self, observation: Observations) -> NDArray[np.float64] | None:
        """As of `Agent`: the guest's own `win_chance(observation)`, if it has one.

        Raises:
            AgentError: the guest returned something else.
        """
        if not callable(getattr(self.agent, "win_chance", None)):
            return None
        answer = self.agent.win_chance(observation)
        if answer is None:
            return None
        chance = returned(self.name, "win_chance", answer).astype(np.float64, copy=False)
        if chance.shape != observation.shape[:1] or not ((chance >= 0) & (chance <= 1)).all():
            raise AgentError(
                f"{self.name}: win_chance() returned shape {chance.shape}; {observation.shape[:1]} in [0, 1] expected"
            )
        return chance


def returned(name: str, method: str, answer: Any) -> NDArray[Any]:
    """What a method of somebody's own agent returned, as an array of numbers.

    Raises:
        AgentError: it is not one.
    """
    try:
        array = np.asarray(answer)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except Exception as error:  # whatever somebody else's object does when it is to be an array
        raise AgentError(f"{name}: {method}() returned a {type(answer).__name__}; numbers expected") from error
    if array.dtype.kind not in "biuf":
        what = f"dtype {array.dtype}" if array.ndim else f"a {type(answer).__name__}"
        raise AgentError(f"{name}: {method}() returned {what}; numbers expected")
    return array
