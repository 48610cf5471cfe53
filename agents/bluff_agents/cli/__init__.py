"""The command `bluff`: play, train, evaluate, exploit, record, check, rules, benchmark, bench.

Exit status 0 done, 1 a check failed or a game is faulty, 2 wrong use. Whatever is wrong with the input is said in one
line on stderr, without a traceback.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

FAULTY = 1
WRONG_USE = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells count


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status.

    Args:
        argv: the words after `bluff`; those the process was started with, if None.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show "ø" is no reason to stop
    try:
        return _run(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (BrokenPipeError, SystemExit) as error:
        if not isinstance(error, BrokenPipeError) and not isinstance(error.__context__, BrokenPipeError):
            raise
        # Whoever read the output has seen enough (typer makes a SystemExit of it). Python's last flush must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(argv: list[str]) -> int:
    from bluff_agents.cli.app import WRONG_WORDS, run, wrong_words_text
    from bluff_agents.cli.words import spread
    from bluff_env.errors import BluffError, RecordError

    try:
        with contextlib.suppress(FileNotFoundError):  # the folder we stand in may be gone
            if os.getcwd() not in sys.path:
                sys.path.append(os.getcwd())  # for package.module:factory; last, so that it hides nothing
        status = run(spread(argv))
        print(end="", flush=True)
        return status
    except WRONG_WORDS as error:
        return _say(wrong_words_text(error), WRONG_USE)
    except BluffError as error:
        return _say(str(error), FAULTY if isinstance(error, RecordError) else WRONG_USE)
    except MemoryError as error:
        return _say(f"not enough memory: {error}", WRONG_USE)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        return _say(f"{where}{error.strerror or error}", WRONG_USE)


def _say(message: str, status: int) -> int:
    """One line on stderr, whatever the message holds."""
    print("bluff:", " ".join(message.split("\n")), file=sys.stderr, flush=True)
    return status
