"""Files that are written whole or not at all, and never over another by accident."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bluff_agents.evaluation.results import EvaluationError


def check_target(path: Path, overwrite: bool) -> None:
    """Refuses, before anything is played, a file that could not be written afterwards.

    Raises:
        EvaluationError: no such folder, a folder, link or device of that name, no permission, or a file that is
            there already.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        pass  # said below
    except (OSError, ValueError) as error:  # a name that is too long, or holds what no name can
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise EvaluationError(f"{str(path)!r}: {why}; the name of a file expected") from None
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


def check_apart(files: Mapping[str, Path | None], folders: Mapping[str, Path | None] | None = None) -> None:
    """Refuses, before anything is played, to write two things under one name, however that is spelt.

    Args:
        files: option -> the file it names, None for none.
        folders: option -> the folder it names, which is replaced as a whole; so no other may lie in it either.

    Raises:
        EvaluationError: two options name the same, or one something in the folder of another.
    """
    named = [(option, path, False) for option, path in files.items() if path is not None]
    named += [(option, path, True) for option, path in (folders or {}).items() if path is not None]
    for at, (option, path, replaced) in enumerate(named):
        for other, place, folder in named[:at]:
            if path.resolve() == place.resolve():
                raise EvaluationError(f"{path}: named for both {other} and {option}")
            if replaced and path.resolve() in place.resolve().parents:
                raise EvaluationError(f"{place}: in the folder of {option}, which is replaced as a whole")
            if folder and place.resolve() in path.resolve().parents:
                raise EvaluationError(f"{path}: in the folder of {other}, which is replaced as a whole")


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


def check_folder(folder: Path, overwrite: bool, kept: tuple[str, ...]) -> None:
    """Refuses, before anything is played, a folder that could not be written afterwards.

    Args:
        folder: the folder to be made.
        overwrite: may it replace one that is there?
        kept: files that such a folder holds; one without them is somebody's own and is not replaced.

    Raises:
        EvaluationError: no folder to make it in, a file of that name, a folder that is there already, or no permission.
    """
    _check_no_file(folder)
    if not folder.absolute().parent.is_dir():
        raise EvaluationError(f"{folder}: there is no folder {folder.absolute().parent}")
    if folder.is_dir() and any(folder.iterdir()):
        if not overwrite:
            raise EvaluationError(f"{folder}: exists already; --overwrite replaces it")
        if not all((folder / name).is_file() for name in kept):
            raise EvaluationError(
                f"{folder}: holds no {' and '.join(kept)}, so it is not replaced; name another folder"
            )
    if not os.access(folder.absolute().parent, os.W_OK):
        raise EvaluationError(f"{folder}: the folder {folder.absolute().parent} cannot be written")


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder beside `folder`, renamed to it when the block ends well, removed when it does not.

    What stood there before is put aside, and back if the renaming fails.

    Raises:
        EvaluationError: it cannot be written, or something else than a folder stands there, perhaps since a moment ago;
            what stood there before still does.
    """
    folder = folder.absolute()
    _check_no_file(folder)
    try:
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    except OSError as error:
        raise EvaluationError(f"{folder}: cannot be written: {error.strerror or error}") from None
    fresh, old = work / "new", work / "old"
    try:
        fresh.mkdir()  # with the permissions that folders usually get, unlike mkdtemp's
        yield fresh
        _check_no_file(folder)
        if folder.exists():
            folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    except OSError as error:
        raise EvaluationError(f"{folder}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _check_no_file(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise EvaluationError(f"{folder}: is a file or a link; the name of a folder expected")
