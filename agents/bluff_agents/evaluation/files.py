"""Files that are written whole or not at all, and never over another by accident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bluff_agents.evaluation.results import EvaluationError


def check_target(path: Path, overwrite: bool) -> None:
    """Refuses, before anything is played, a file that could not be written afterwards.

    Raises:
        EvaluationError: no such folder, a folder, link or device of that name, no permission, or a file that is
            there already.
    """
    if not path.parent.is_dir():
        raise EvaluationError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise EvaluationError(f"{path}: is a folder; the name of a file expected")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise EvaluationError(f"{path}: is a link or a device; a plain file is replaced by renaming, so nothing else")
    if path.exists() and not overwrite:
        raise EvaluationError(f"{path}: exists already; --overwrite replaces it")
    if not os.access(path.parent, os.W_OK):
        raise EvaluationError(f"{path}: the folder {path.parent} cannot be written")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed to it when the block ends well, removed when it does not.

    Raises:
        EvaluationError: the file cannot be written; what stood there before still does.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)
