"""Render modes of the environments, and whose cards are shown. What draws is imported when a picture is asked for."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.errors import BluffError
from bluff_env.game import Game
from bluff_env.render.ansi import table_text
from bluff_env.render.scene import Scene, scene_of

#: Text, a window, an array. `human` opens a window; `ansi` is what it used to print.
RENDER_MODES: Final = ("ansi", "human", "rgb_array")
#: All hands, or those of the seat that the environment speaks for.
RENDER_VIEWS: Final = ("all", "seat")

#: What `render` gives: text, a picture (HEIGHT, WIDTH, 3) uint8, or nothing.
Rendering = str | NDArray[np.uint8] | None


class Renderer:
    """Shows a game the way a render mode wants it.

    Args:
        mode: None or one of `allowed`.
        view: whose cards are shown: "all" hands, as a spectator sees the game; "seat", those of the seat that the
            environment speaks for; a seat's number; None: `usual`.
        players: how many seats there are.
        allowed: the modes of the environment.
        usual: the view of pictures where none is asked for; text shows one seat. "seat" of an environment that speaks
            for one seat throughout, which then sits at the bottom; "all" of one that speaks for each in turn.

    Raises:
        BluffError: no such mode or view, or a mode that needs what is not installed.
    """

    def __init__(
        self,
        mode: str | None,
        view: object,
        players: int,
        allowed: Sequence[str] = RENDER_MODES,
        usual: str = "seat",
    ) -> None:
        if mode is not None and mode not in allowed:
            raise BluffError(f"render_mode: {mode!r} is not allowed; one of {', '.join(allowed)}, or None")
        if mode in ("human", "rgb_array") and importlib.util.find_spec("pygame") is None:
            raise BluffError(
                f"render_mode: {mode} needs pygame-ce, which is not installed: pip install 'bluff-env[render]'"
            )
        self.mode = mode
        self.view: str | int = _checked(view, players, "seat" if mode == "ansi" else usual)
        self._turns = usual == "all"
        self._window: Any = None

    def render(self, game: Game, seat: int, fps: float) -> Rendering:
        """The table: text (`ansi`), a picture (`rgb_array`), shown in a window (`human`), or nothing without a mode.

        Args:
            game: the game as it stands.
            seat: the seat that the environment speaks for.
            fps: how many pictures a second a window shows at most.
        """
        if self.mode is None:
            return None
        if self.view == "all":
            looks, bottom = None, 0 if self._turns else seat
        else:
            looks = bottom = seat if self.view == "seat" else int(self.view)
        if self.mode == "ansi":
            if looks is not None:
                return table_text(game.view(looks))
            return table_text(game.view(seat), [game.view(other).hand for other in range(game.rules.players)])
        return self._draw(scene_of(game, looks, bottom), fps)

    def _draw(self, scene: Scene, fps: float) -> Rendering:
        from bluff_env.render.drawn.picture import drawn, pixels

        surface = drawn(scene)
        if self.mode == "rgb_array":
            return pixels(surface)
        if self._window is None:
            from bluff_env.render.drawn.window import Window

            self._window = Window()
        self._window.show(surface, fps)
        return None

    def close(self) -> None:
        """Closes the window, if there is one. Shown again, it opens again."""
        if self._window is not None:
            self._window.close()
            self._window = None


def _checked(view: object, players: int, usual: str) -> str | int:
    if view is None:
        return usual
    if isinstance(view, str) and view in RENDER_VIEWS:
        return view
    if isinstance(view, Integral) and not isinstance(view, bool) and 0 <= int(view) < players:
        return int(view)
    views = ", ".join(RENDER_VIEWS)
    raise BluffError(f"render_view: {view!r} is not allowed; one of {views}, a seat from 0 to {players - 1}, or None")
