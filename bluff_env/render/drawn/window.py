"""The window of `human` mode."""

from __future__ import annotations

import time

import pygame

from bluff_env.errors import BluffError

_TITLE = "bluff-env"


class Window:
    """Shows pictures one after the other, at most so many a second. pygame has one window; all share it.

    Holds no pygame object, so that an environment can be copied while its window is open.
    """

    def __init__(self) -> None:
        self._due = 0.0
        self._closed = False

    def show(self, surface: pygame.Surface, fps: float) -> None:
        """Shows a picture, once the last one has been seen long enough. Nothing, once the user has closed the window.

        Raises:
            BluffError: no window can be opened here.
        """
        if self._closed:
            return
        screen = self._screen(surface.get_size())
        while not self._closed and (left := self._due - time.monotonic()) > 0:
            self._listen()
            time.sleep(min(left, 0.02))
        self._listen()
        if self._closed:
            return
        screen.blit(surface, (0, 0))
        pygame.display.flip()
        self._listen()
        self._due = time.monotonic() + 1 / fps

    def close(self) -> None:
        """Closes the window."""
        pygame.display.quit()

    @staticmethod
    def _screen(size: tuple[int, int]) -> pygame.Surface:
        screen = pygame.display.get_surface() if pygame.display.get_init() else None
        if screen is not None and screen.get_size() == size:
            return screen
        try:
            pygame.display.init()
            screen = pygame.display.set_mode(size)
        except pygame.error as error:
            raise BluffError(
                f"render_mode: human can open no window here ({error}); rgb_array and ansi need none"
            ) from None
        pygame.display.set_caption(_TITLE)
        return screen

    def _listen(self) -> None:
        """Answers the window system, or it would say that the program hangs; notes that the window is to close."""
        for event in pygame.event.get():
            if event.type == pygame.QUIT and not self._closed:
                self._closed = True
                self.close()
                return
