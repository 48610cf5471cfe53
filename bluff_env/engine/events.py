"""What a step brings about, noted in the game's row for whoever writes records: at most four events a step."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import inlined
from bluff_env.engine.state import EVENT_NEXT, EVENT_WIDTH


@inlined
def note(game: Any, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Adds an event; `state.EVENT_*` says what its numbers mean."""
    event = game.events
    at = game.n_events * EVENT_WIDTH
    event[at], event[at + 1], event[at + 2], event[at + 3], event[at + 4] = kind, a, b, c, d
    event[at + 5], event[at + 6], event[at + 7] = 0, 0, 0
    event[at + EVENT_NEXT] = -1
    game.n_events += 1


@inlined
def note_more(game: Any, e: int, f: int, g: int) -> None:
    """The last numbers of the event noted last."""
    event = game.events
    at = (game.n_events - 1) * EVENT_WIDTH
    event[at + 5], event[at + 6], event[at + 7] = e, f, g
