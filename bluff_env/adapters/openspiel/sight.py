"""What a seat has seen so far: a chain of entries that shares its past with those it goes on from."""

from __future__ import annotations

from collections.abc import Iterator

from bluff_env.adapters.openspiel.events import Entry
from bluff_env.ruleset import Tables


class Sight:
    """All that one seat has seen. Never changed; `then` makes a longer one.

    Attributes:
        entry: what it saw last; None in the sight before the deal.
        before: all before it.
        length: how many entries there are.
    """

    __slots__ = ("_text", "before", "entry", "length")

    def __init__(self, entry: Entry | None = None, before: Sight | None = None) -> None:
        self.entry = entry
        self.before = before
        self.length: int = 0 if before is None else before.length + 1
        self._text: str | None = None

    def then(self, entry: Entry) -> Sight:
        """This and one entry more."""
        return Sight(entry, self)

    def __iter__(self) -> Iterator[Entry]:
        """The entries, the latest first."""
        sight: Sight | None = self
        while sight is not None and sight.entry is not None:
            yield sight.entry
            sight = sight.before

    def text(self, t: Tables) -> str:
        """The entries in words, the first first. Kept, as what follows is asked for soon."""
        if self._text is None:
            fresh: list[Sight] = []
            sight: Sight | None = self
            while sight is not None and sight._text is None:
                fresh.append(sight)
                sight = sight.before
            text = "" if sight is None or sight._text is None else sight._text
            for one in reversed(fresh):
                if one.entry is not None:
                    text = f"{text}; {one.entry.text(t)}" if text else one.entry.text(t)
                if one is self:
                    one._text = text
        assert self._text is not None
        return self._text
