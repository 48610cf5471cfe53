"""What several tests of the environments need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bluff_env.aec import BluffAEC
from bluff_env.single import BluffEnv


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The library, with windows that nobody sees and that wait for nobody."""
    module = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for environment in (BluffAEC, BluffEnv):
        monkeypatch.setitem(environment.metadata, "render_fps", 1000)
    yield module
    module.display.quit()
