"""The page's own files: read once, by a list of names, so that no path leads anywhere else."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

_KINDS: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def pages() -> dict[str, tuple[bytes, str]]:
    """What each path leads to: its bytes and its content type. `/` is the page itself."""
    found = {}
    for file in files("bluff_agents.web").joinpath("static").iterdir():
        kind = _KINDS.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            found[f"/{file.name}"] = (file.read_bytes(), f"{kind}; charset=utf-8")
    found["/"] = found.pop("/index.html")
    return found
