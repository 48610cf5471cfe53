"""Pages of which parts are written by a command: what stands between two marks is made anew, the rest is by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bluff_env.errors import ConfigError


def rewritten(text: str, of: str, name: str, command: str, lines: Sequence[str]) -> str:
    """The page with these lines in the part of this name; the same again when it is up to date.

    Args:
        text: the page as it is, with `<!-- begin NAME: written by COMMAND -->` and `<!-- end NAME -->` around the part.
        of: what the page is called in errors.
        name, command: of the part, and of what writes it.
        lines: what is to stand between the marks.

    Raises:
        ConfigError: marks that the page has not, or has twice.
    """
    begin, end = f"<!-- begin {name}: written by {command} -->", f"<!-- end {name} -->"
    between_marks = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.DOTALL)
    text, times = between_marks.subn(lambda _: "\n".join([begin, *lines, end]), text)
    if times != 1:
        raise ConfigError(f"{of}: {times} places marked {name!r}; one expected")
    return text
