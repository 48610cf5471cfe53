"""What several tests of agents share."""

from __future__ import annotations

import pytest

import bluff_env


@pytest.fixture(scope="module")
def situations() -> bluff_env.GameBatch:
    """Three hundred games of bloff, each some decisions on."""
    batch = bluff_env.GameBatch("bloff", games=300, seed=1)
    for _ in range(40):
        batch.step(batch.random_actions())
    return batch
