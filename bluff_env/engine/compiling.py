"""Compilation of the engine: numba without the GIL, and an on-disk cache that notices every edit.

numba's own cache looks at the file of the cached function only, so an edit in a file it calls into would go unnoticed.
Here the stamp is a hash of all engine sources, of those beside the function (compiled players have a folder of their
own), and of numba's version. The cache stands beside the engine's sources, or in the user's cache folder; where neither
can be written, the engine is compiled in every process and one line says so.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

_HERE: Final = Path(__file__).resolve().parent
_OPTIONS: Final[dict[str, Any]] = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False}

jit: Callable[[Callable[..., Any]], Callable[..., Any]] = numba.jit(**_OPTIONS)
"""Compiles a function that other compiled functions call."""

inlined: Callable[[Callable[..., Any]], Callable[..., Any]] = numba.jit(**_OPTIONS, forceinline=True)
"""The same for small functions: a call costs some two nanoseconds, so the body goes into the caller."""


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiles a function that Python calls, with the on-disk cache."""
    dispatcher: Any = jit(function)
    if cache_folder() is not None:
        make_cache: Any = _EngineCache
        dispatcher._cache = make_cache(dispatcher.py_func)
    compiled: Callable[..., Any] = dispatcher
    return compiled


@lru_cache
def source_hash(folder: Path = _HERE) -> str:
    """A hash of every source of the engine and of a folder, and of numba's version: what a compiled function there
    depends on.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for place in sorted({_HERE, folder}):
        for path in sorted(place.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """Where compiled code is kept: the first of these that can be written, None (and a line on stderr) if none can."""
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    for folder in (_HERE / "__pycache__", Path(user) / "bluff_env"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    print(
        "bluff_env: no cache folder can be written (tried the package and the user's cache folder); "
        "the engine is compiled anew in this process, which takes half a minute",
        file=sys.stderr,
    )
    return None


class _EngineLocator(_CacheLocator):
    """Tells numba's cache where to look and what makes an entry stale."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._name: str = py_func.__name__
        self._folder = Path(py_file).resolve().parent

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return source_hash(self._folder)

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _EngineLocator:
        return cls(py_func, py_file)


class _EngineCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_EngineLocator]


@lru_cache(maxsize=1)
def _announce() -> None:
    """Tells whoever sits at a terminal why nothing happens."""
    if sys.stderr is not None and sys.stderr.isatty():
        print("bluff_env: compiling the engine, once; half a minute …", file=sys.stderr, flush=True)


class _EngineCache(FunctionCache):
    _impl_class = _EngineCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled before; None: numba compiles it now."""
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]  # numba has no types
        if found is None:
            _announce()
        return found
