"""Agents of somebody's own: they are seated, and what they answer is checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bluff_agents
import bluff_env
from bluff_agents import AgentError, load
from bluff_agents.guest import Guest

BLOFF = bluff_env.rules("bloff")


class Own:
    """An agent of somebody's own, which is no `Agent`; it answers the first legal action."""

    def __init__(self, rules: bluff_env.Rules) -> None:
        self.rules = rules

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return mask.argmax(axis=-1), state


class Mistaken(Own):
    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return mask, state


def test_somebodys_own_agent_is_seated(monkeypatch: pytest.MonkeyPatch, situations: bluff_env.GameBatch) -> None:
    monkeypatch.setitem(sys.modules, "own_agents", sys.modules[__name__])
    agent = load("own_agents:Own", BLOFF)
    assert isinstance(agent, bluff_agents.Agent)
    assert agent.name == "own_agents:Own"
    actions, _ = agent.act(situations.observation, situations.mask)
    assert np.array_equal(actions, situations.mask.argmax(axis=1))
    mistaken = load("own_agents:Mistaken", BLOFF)
    with pytest.raises(AgentError, match=r"actions of shape \(300, 16\), dtype bool; \(300,\) whole numbers expected"):
        mistaken.act(situations.observation, situations.mask)


@pytest.mark.parametrize("answer", ["x", None, {}, [[1], [1, 2]], [["x"]], object(), np.array([1j])])
def test_what_somebody_s_own_agent_answers_that_is_no_numbers_is_refused(
    answer: Any, situations: bluff_env.GameBatch
) -> None:
    class Odd(Own):
        def act(self, *seen: Any, **also: Any) -> tuple[Any, Any]:
            return answer, None

        def probabilities(self, *seen: Any) -> Any:
            return answer

        def win_chance(self, *seen: Any) -> Any:
            return "x" if answer is None else answer  # None: it cannot tell

    guest = Guest(BLOFF, "odd", Odd(BLOFF))
    for ask in (guest.act, guest.probabilities, lambda seen, _: guest.win_chance(seen)):
        with pytest.raises(AgentError, match=r"odd: .* returned .* expected$") as caught:
            ask(situations.observation, situations.mask)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def make(): ...", r"called as make\(rules\), it failed: TypeError: "),
        ("def make(rules): raise ValueError('boom\\nand more')", r"it failed: ValueError: boom and more$"),
        ("def make(rules", r"importing 'guest_\d' failed: SyntaxError: "),
    ],
)
def test_a_factory_that_fails_is_told_in_one_line(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    name = f"guest_{len(code) % 10}"
    (tmp_path / f"{name}.py").write_text(code + "\n")
    with pytest.raises(AgentError, match=said) as caught:
        load(f"{name}:make", "bloff")
    assert "\n" not in str(caught.value)
