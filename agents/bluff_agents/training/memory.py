"""Memory of long runs."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_M_MMAP_THRESHOLD: Final = -3  # malloc.h
_LARGE: Final = 1 << 20


def give_back_large_blocks() -> bool:
    """Tells glibc to give blocks of a megabyte and more back to the system as soon as they are freed; False elsewhere.

    By itself it raises that limit to 32 megabytes as such blocks come and go. Then the arrays of every rollout
    and every update come from the heap and leave it full of holes: a run of zoo_bloff_4 held 0.6 GB after a minute and
    1.0 GB after five. With the limit fixed it held 0.52 and 0.59 GB, and took no more processor time.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # musl has none
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _LARGE))
