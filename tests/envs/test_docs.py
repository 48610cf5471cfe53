"""The examples in the documentation run as they stand."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import bluff_env
from bluff_env import bluff_v0

MODULES = [
    module.name
    for module in pkgutil.walk_packages(bluff_env.__path__, "bluff_env.")
    if ".adapters" not in module.name and ".drawn" not in module.name  # those need what they adapt to, or pygame
]


def examples_of(module: ModuleType) -> list[str]:
    """The Python blocks of a module's documentation page."""
    return re.findall(r"```python\n(.*?)```", module.__doc__ or "", re.DOTALL)


def test_the_example_on_the_documentation_page_runs_a_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = examples_of(bluff_v0)
    made = []
    monkeypatch.setattr(bluff_v0, "env", lambda *a, _env=bluff_v0.env, **k: made.append(_env(*a, **k)) or made[0])
    exec(compile(example, "bluff_v0 docstring", "exec"), {})  # noqa: S102  # our own documentation
    (env,) = made
    assert env.agents == []
    assert env.unwrapped.record()["seed"] == 1
    assert env.unwrapped.record()["result"] is not None


def test_the_numbers_on_the_documentation_page_are_so() -> None:
    page = bluff_v0.__doc__ or ""
    lay = bluff_env.layout(bluff_env.rules("bloff"))
    assert f"masked; {lay.n_actions} at `bloff`" in page
    assert f"D is {lay.size} at `bloff`" in page
    assert bluff_v0.env().possible_agents == [f"player_{seat}" for seat in range(4)]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_some_docstrings_have_examples() -> None:
    finder = doctest.DocTestFinder()
    found = {name: sum(len(t.examples) for t in finder.find(importlib.import_module(name))) for name in MODULES}
    assert {name for name, examples in found.items() if examples} >= {"bluff_env.game", "bluff_env.ruleset.load"}


def test_every_public_name_has_a_docstring() -> None:
    for name in bluff_env.__all__:
        assert (getattr(bluff_env, name).__doc__ or "").strip(), name
