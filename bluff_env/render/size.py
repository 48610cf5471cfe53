"""How large the pictures are. Apart from what draws them, so that it can be told without pygame."""

from __future__ import annotations

from typing import Final

#: Pixels; both even, as video formats want them.
WIDTH: Final = 960
HEIGHT: Final = 640
