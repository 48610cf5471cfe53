"""What a step brings about, noted in the game's row for whoever writes records: at most four events a step."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import inlined
from bluff_env.engine.state import EVENT_NEXT


@inlined
def note(
    game: Any, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0, g: int = 0
) -> None:
    """Adds an event; `state.EVENT_*` says what its numbers mean."""
    event = game.events[game.n_events]
    event[0], event[1], event[2], event[3] = kind, a, b, c
    event[4], event[5], event[6], event[7] = d, e, f, g
    event[EVENT_NEXT] = -1
    game.n_events += 1
