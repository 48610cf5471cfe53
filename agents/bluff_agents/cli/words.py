"""The words of a command line before they are parsed."""

from __future__ import annotations

from typing import Final

from bluff_env.errors import BluffError

#: Options that take all the words up to the next option: `--agents A B C`.
MANY: Final = ("--agents", "--agent")


class WordsError(BluffError):
    """A command line that makes no sense before any command has looked at it."""


def spread(words: list[str]) -> list[str]:
    """Writes `--agents A B C` as `--agents A --agents B --agents C`, which is how the parser takes several values.

    >>> spread(["evaluate", "--agents", "counter", "random", "--deals", "10"])
    ['evaluate', '--agents', 'counter', '--agents', 'random', '--deals', '10']
    """
    spreaded: list[str] = []
    option, values = "", 0
    for at, word in enumerate(words):
        if word == "--":
            _had_values(option, values)
            return spreaded + words[at:]
        if word.startswith("-") and word != "-":
            _had_values(option, values)
            option, values = (word if word in MANY else ""), 0
            if not option:
                spreaded.append(word)
        elif option:
            spreaded += [option, word]
            values += 1
        else:
            spreaded.append(word)
    _had_values(option, values)
    return spreaded


def _had_values(option: str, values: int) -> None:
    if option and not values:
        raise WordsError(f"{option}: no name follows; one or more expected")
