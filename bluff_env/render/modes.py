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
from bluff_env.render.scene import scene_of

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
        usual: the view where none is asked for, of pictures; text shows one seat.

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
        self.view = _checked(view, players)
        if self.view is None:
            self.view = "seat" if mode == "ansi" else usual
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
        looks = {"all": None, "seat": seat}.get(str(self.view), self.view)
        if self.mode == "ansi":
            if looks is None:
                hands = [game.view(other).hand for other in range(game.rules.players)]
                return table_text(game.view(seat), hands)
            return table_text(game.view(int(looks)))
        return self._draw(game, None if looks is None else int(looks), fps)

    def _draw(self, game: Game, looks: int | None, fps: float) -> Rendering:
        from bluff_env.render.drawn.picture import drawn, pixels

        surface = drawn(scene_of(game, looks))
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


def _checked(view: object, players: int) -> str | int | None:
    if view is None or (isinstance(view, str) and view in RENDER_VIEWS):
        return view
    if isinstance(view, Integral) and not isinstance(view, bool) and 0 <= view < players:
        return int(view)
    raise BluffError(
        f"render_view: {view!r} is not allowed; one of {', '.join(RENDER_VIEWS)}, a seat from 0 to {players - 1}, or None"
    )
