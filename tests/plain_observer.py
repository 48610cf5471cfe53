"""What one seat may know, worked out the plain way from a deal's events: [V] of RULES.md, DESIGN.md's pieces.

Shares nothing with bluff_env. Everything is relative: seat 0 is the observer, then to the left; rank 0 is the
rank last claimed. Counts are plain, not saturated. Covers what the referee plays: unsuited, pile, reveal=all.

Of the deal and the events it looks only at what [V] makes public (sizes of hands, claims, numbers of cards
laid, calls and who was wrong, the cards a call turned) and at the observer's own cards.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee import JOKER, rank_order

Event = dict[str, Any]


class Memory:
    """Absolute facts that a seat remembers of one deal so far."""

    def __init__(self, rules: dict[str, Any], deal: dict[str, Any], seat: int) -> None:
        players = range(rules["players"])
        self.seat = seat
        self.hand_sizes = [len(hand) for hand in deal["hands"]]
        self.pile: list[Event] = []  # the plays in the pile
        self.last_claim: str | None = None
        self.known: list[Counter[str]] = [Counter() for _ in players]  # cards certain to be in that hand
        self.known_before: Counter[str] = Counter()  # the same for the last player, before the last play
        self.called = [[0, 0, 0] for _ in players]  # called plays: bluffs, truths; own calls that were wrong

    def see(self, event: Event) -> None:
        """Takes in one event of the record."""
        if "play" in event:
            self._see_play(event)
        else:
            self._see_call(event)

    def _see_play(self, event: Event) -> None:
        player, laid = event["seat"], len(event["play"])
        self.hand_sizes[player] -= laid
        self.pile.append(event)
        self.last_claim = event["claim"]
        self.known_before = self.known[player].copy()
        # All the cards laid unseen may have been of any one kind.
        self.known[player] = _at_least({card: n - laid for card, n in self.known[player].items()})

    def _see_call(self, event: Event) -> None:
        accused, caller = event["call"], event["seat"]
        turned: Counter[str] = Counter(self.pile[-1]["play"])  # reveal=all: every seat sees them
        bound = self.known_before
        self.known[accused] = _at_least({card: n - turned[card] for card, n in bound.items()})
        self.known[event["wrong"]] += turned + self.mine_in_pile(self.pile[:-1])
        self.hand_sizes[event["wrong"]] += event["pile"]
        self.called[accused][event["truthful"]] += 1
        self.called[caller][2] += event["truthful"]
        self.pile = []

    def mine_in_pile(self, pile: list[Event]) -> Counter[str]:
        """The cards that the observer laid into these plays."""
        return Counter(card for play in pile if play["seat"] == self.seat for card in play["play"])


def _at_least(bounds: dict[str, int]) -> Counter[str]:
    return Counter({card: n for card, n in bounds.items() if n > 0})


def pieces(
    rules: dict[str, Any],
    deal: dict[str, Any],
    events: list[Event],
    seat: int,
    own_hand: Counter[str],
    *,
    window_open: bool | None = None,
) -> dict[str, list[int]]:
    """The observation pieces of one seat after these events, whose consequences are filled in.

    `window_open` says whether the last play may still be called. Events do not tell, since not calling is
    none; None takes it for open if the last event is a play.
    """
    memory = Memory(rules, deal, seat)
    for event in events:
        memory.see(event)
    if window_open is None:
        window_open = bool(events) and "play" in events[-1]
    order = rank_order(rules)
    # Before the first claim the base is the rank before the first of the order.
    base = order.index(memory.last_claim) if memory.last_claim is not None else len(order) - 1
    ranks = [order[(base + step) % len(order)] for step in range(len(order))]
    kinds = ranks + [JOKER] * (rules["jokers"] > 0)
    seats = [(seat + step) % rules["players"] for step in range(rules["players"])]
    return {
        "hand": [own_hand[kind] for kind in kinds],
        "mine_in_pile": [memory.mine_in_pile(memory.pile)[kind] for kind in kinds],
        "hand_sizes": [memory.hand_sizes[who] for who in seats],
        "pile_size": [sum(len(play["play"]) for play in memory.pile)],
        "origin": [int(rank == order[0]) for rank in ranks],
        "claimed_in_pile": _claimed(memory.pile, seats, ranks),
        "known": _known(memory, seats, kinds),
        "called": [n for who in seats for n in memory.called[who]],
        **_claim_on_the_table(memory.pile[-1] if window_open else None, seats),
    }


def _claim_on_the_table(play: Event | None, seats: list[int]) -> dict[str, list[int]]:
    """The play whose call window is open: how many cards, and whose it is."""
    if play is None:
        return {"claim_count": [0], "claimant": [0] * len(seats)}
    return {"claim_count": [len(play["play"])], "claimant": [int(who == play["seat"]) for who in seats]}


def _claimed(pile: list[Event], seats: list[int], ranks: list[str]) -> list[int]:
    """How many cards of each rank each seat has claimed to lay into the present pile."""
    claimed = Counter[tuple[int, str]]()
    for play in pile:
        claimed[play["seat"], play["claim"]] += len(play["play"])
    return [claimed[who, rank] for who in seats for rank in ranks]


def _known(memory: Memory, seats: list[int], kinds: list[str]) -> list[int]:
    """Cards certain to be in each other hand; the observer's own row stays empty."""
    return [0] * len(kinds) + [memory.known[who][kind] for who in seats[1:] for kind in kinds]
