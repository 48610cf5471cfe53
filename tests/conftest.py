"""Which of the slow tests are long ones."""

from __future__ import annotations

from pathlib import Path

import pytest

_LONG = ("rllib", "openspiel", "frameworks")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests of other frameworks take minutes each: `scripts/test --all` runs them, `scripts/test` does not."""
    for item in items:
        folder = Path(item.path).relative_to(Path(__file__).parent).parts[0]
        if folder in _LONG and item.get_closest_marker("slow"):
            item.add_marker("long")
