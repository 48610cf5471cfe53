"""Marks that follow from others."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A long test is a slow one too: `scripts/test --quick` leaves out both, `scripts/test` only the long ones."""
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker("slow")
