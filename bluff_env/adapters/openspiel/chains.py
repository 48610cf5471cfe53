"""Who may have held which card: every card's way through a deal, shuffled as far as a player cannot tell.

A card's way is a chain of segments. Where its holder chose which cards to move (or a start card went back to an unknown
place) the segments of all the cards it chose from end, and new ones begin: which old one goes on as which new one is
what can have been otherwise. A segment is seen if the watching player saw the card during it, so its kind is known.

`shuffle` is a Markov chain (Metropolis and Hastings with symmetric proposals) over all ways that the player could not
tell from the true ones, every one as likely: cards dealt from a shuffled deck, and each choice of cards to move alike.
It exchanges, at one choice, the rest of the ways of two cards, where neither is seen afterwards, or their ways so far,
where neither was seen before, or either where they look the same; and the kinds of cards that are never seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from bluff_env.adapters.openspiel.story import Move, Sampler, Story
from bluff_env.errors import BluffError

#: Times that every choice is made anew.
SWEEPS = 8


@dataclass(slots=True)
class _Choice:
    """Segments that begin where some of a hand's cards were moved: the moved ones, and those that stayed."""

    moved: list[int]
    stayed: list[int]
    move: Move


class Chains:
    """The ways of the cards of a story.

    Attributes:
        kind: the kind of each segment's card.
    """

    def __init__(self, story: Story, uniform: Sampler) -> None:
        self._story, self._uniform = story, uniform
        self.kind: list[int] = []
        self._seen: list[bool] = []
        self._next: list[int] = []
        self._before: list[int] = []
        self._choices: list[_Choice] = []
        self._flagged: list[_Choice] = []
        self._last_choice: _Choice | None = None
        self._stock_at_last: list[int] = []
        self._put_back: list[int] = []  # segments of start cards, as they were turned
        self._heads = [self._segment(kind) for kind in story.kinds]
        self._hold = [[self._heads[card] for card in hand] for hand in story.hands]
        self._at = dict(enumerate(self._heads))  # the present segment of each card
        self._build()

    def _segment(self, kind: int, before: int = -1) -> int:
        self.kind.append(kind)
        self._seen.append(False)
        self._next.append(-1)
        self._before.append(before)
        if before >= 0:
            self._next[before] = len(self.kind) - 1
        return len(self.kind) - 1

    # Building

    def _build(self) -> None:
        story, me = self._story, self._story.player
        hands = [list(hand) for hand in story.hands]  # cards, told apart
        stock, start = list(story.stock), -1
        pile: list[int] = []
        last: list[int] = []
        self._show(hands[me])
        for move in story.moves:
            match move.kind:
                case "lay" | "drop" | "give":
                    if move.seat != me:
                        self._choose(move, hands[move.seat])
                    hands[move.seat] = [card for card in hands[move.seat] if card not in move.cards]
                    if move.kind == "lay":
                        pile, last = pile + move.cards, move.cards
                    elif move.kind == "give":
                        hands[move.to] += move.cards
                        self._show(move.cards if move.seen else [])
                case "seen":
                    self._show(move.cards)
                case "take":
                    self._show(pile if move.seen else [])
                    hands[move.seat] += pile
                    pile = []
                case "draw":
                    self._show(stock[: move.count] if move.seen else [])
                    hands[move.seat] += stock[: move.count]
                    stock = stock[move.count :]
                case "back":
                    pile = [card for card in pile if card not in last]
                    hands[move.seat] += last
                case "clear":
                    pile = []
                case "turn":
                    start = stock.pop(0)
                    self._show([start])
                case "put_back":
                    self._put_back.append(self._at[start])
                    stock.insert(move.count, start)
                    self._choose(Move("put_back", cards=[start]), stock)
                    self._stock_at_last = [self._at[card] for card in stock]
                case "keep":
                    pile = [start]
        self._order = {segment: place for place, segment in enumerate(self._stock_at_last)}

    def _show(self, cards: list[int]) -> None:
        for card in cards:
            self._seen[self._at[card]] = True

    def _choose(self, move: Move, among: list[int]) -> None:
        for card in among:
            self._at[card] = self._segment(self.kind[self._at[card]], self._at[card])
        choice = _Choice(
            [self._at[card] for card in move.cards], [self._at[card] for card in among if card not in move.cards], move
        )
        self._choices.append(choice)
        if move.truth is not None:
            self._flagged.append(choice)

    # Shuffling

    def shuffle(self) -> None:
        """Makes every choice anew, many times over."""
        for _ in range(SWEEPS):
            self._shuffle_unseen()
            for choice in self._choices:
                for segment in choice.moved:
                    place = int(self._uniform() * (len(choice.stayed) + 1))
                    if place < len(choice.stayed):
                        self._exchange(segment, choice.stayed[place])
                if choice.move.kind == "put_back":
                    self._mix(choice.stayed)
        self._shuffle_unseen()

    def _mix(self, segments: list[int]) -> None:
        for i in range(len(segments) - 1, 0, -1):
            self._exchange(segments[i], segments[int(self._uniform() * (i + 1))])

    def _shuffle_unseen(self) -> None:
        """The kinds of cards that are never seen, in any order."""
        free = [head for head in self._heads if not self._seen_from(head)]
        for i in range(len(free) - 1, 0, -1):
            a, b = free[i], free[int(self._uniform() * (i + 1))]
            if self.kind[a] != self.kind[b]:
                self._swap_kinds(a, b, ahead=True)
                if not self._agrees():
                    self._swap_kinds(a, b, ahead=True)

    def _exchange(self, a: int, b: int) -> None:
        """Exchanges the rest of two cards' ways, or their ways so far, if nobody could tell."""
        if a == b:
            return
        one, other = self._before[a], self._before[b]
        alike = self.kind[a] == self.kind[b]
        if alike or not (self._seen_from(a) or self._seen_from(b)):
            ahead = True
        elif not (self._seen_until(one) or self._seen_until(other)):
            ahead = False
        else:
            return
        self._link(one, b)
        self._link(other, a)
        if alike:
            return
        if ahead:
            self._swap_kinds(a, b, ahead=True)
        else:
            self._swap_kinds(one, other, ahead=False)
        if not self._agrees():
            self._link(one, a)
            self._link(other, b)
            if ahead:
                self._swap_kinds(a, b, ahead=True)
            else:
                self._swap_kinds(one, other, ahead=False)

    def _link(self, before: int, after: int) -> None:
        self._next[before], self._before[after] = after, before

    def _swap_kinds(self, a: int, b: int, ahead: bool) -> None:
        """Two segments' cards change kinds, and so do all segments after them (or before them)."""
        one, other = self.kind[a], self.kind[b]
        step = self._next if ahead else self._before
        for segment, kind in ((a, other), (b, one)):
            at = segment
            while at >= 0:
                self.kind[at] = kind
                at = step[at]

    def _seen_from(self, segment: int) -> bool:
        while segment >= 0:
            if self._seen[segment]:
                return True
            segment = self._next[segment]
        return False

    def _seen_until(self, segment: int) -> bool:
        while segment >= 0:
            if self._seen[segment]:
                return True
            segment = self._before[segment]
        return False

    def _agrees(self) -> bool:
        """Were the plays that others called as true or untrue as the player was told? [V]"""
        for choice in self._flagged:
            matches = self._story.table.layout.tables.matches[choice.move.claim]
            if all(matches[self.kind[segment]] for segment in choice.moved) != choice.move.truth:
                return False
        return True

    # Reading

    def moved(self) -> dict[int, dict[str, list[int]]]:
        """{step: {"lay", "drop" or "give": the kinds of the cards that were moved}}, of all but the player's own."""
        found: dict[int, dict[str, list[int]]] = {}
        for choice in self._choices:
            if choice.move.kind != "put_back":
                kinds = [self.kind[segment] for segment in choice.moved]
                found.setdefault(choice.move.at, {})[choice.move.kind] = kinds
        return found

    def dealt(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The kinds of each hand and of the stock as they were dealt, and where each start card went back."""
        hands = [[self.kind[segment] for segment in hand] for hand in self._hold]
        if not self._put_back:
            return hands, [self.kind[self._heads[card]] for card in self._story.stock], []
        # The stock as it lay in the end, undone card by card: what came back there is put on top again.
        lies = list(self._stock_at_last)
        places = []
        for segment in reversed(self._put_back):
            at = self._next[segment]
            while at not in self._order:
                at = self._next[at]
                if at < 0:
                    raise BluffError("resampling: a start card is nowhere in the stock")
            place = lies.index(at)
            places.append(place)
            lies.insert(0, lies.pop(place))
        return hands, [self.kind[segment] for segment in lies], places[::-1]
