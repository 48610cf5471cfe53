"""What one seat may know, worked out the plain way from a deal's events: [V] of RULES.md, DESIGN.md's pieces.

Shares nothing with bluff_env. Everything is relative: seat 0 is the observer, then to the left; unsuited: rank 0
is the rank last claimed; suited: suit 0 is the suit last claimed, ranks stay. A kept start card that must be
followed counts as claimed. Counts are plain, not saturated.

Of the deal and the events it looks only at what [V] makes public (apparent sizes of hands, claims, numbers of
cards laid, passes, calls and who was wrong, the cards a call turned where everybody sees them, start cards), at
the observer's own cards, at cards given by or to the observer, and at the observer's own notices. The drops of
others are used for one thing only: the size that a hand found guilty turns out to have [D4].
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee import JOKER, SUIT_LETTERS, claims, rank_order, to_follow_after

Event = dict[str, Any]


class Memory:
    """Absolute facts that a seat remembers of one deal so far."""

    def __init__(self, rules: dict[str, Any], deal: dict[str, Any], seat: int) -> None:
        players = range(rules["players"])
        self.rules = rules
        self.seat = seat
        self.hand_sizes = [len(hand) for hand in deal["hands"]]  # apparent ones [D2]; the own one is true
        self.pile: list[Event] = []  # the plays in the pile
        self.start_card: str | None = None  # face up while voted on, then under the pile, until that is taken
        self.start_card_in_pile = False
        self.last_claim: str | None = None  # or the kept start card, if it must be followed
        self.known: list[Counter[str]] = [Counter() for _ in players]  # cards certain to be in that hand
        self.known_before: Counter[str] = Counter()  # the same for the last player, before the last play
        self.called = [[0, 0, 0] for _ in players]  # called plays: bluffs, truths; own calls that were wrong
        self.turns = 0
        self.passes = 0  # in a row, in the present round of passes
        self.notices: list[tuple[int, int]] = []  # whom, and how many turns had been made then, that one included
        self._noticing = False  # a drop that the observer notices once the play or pass is made [D2]
        self._unseen_drops = [0 for _ in players]  # by others, since that seat was last found out: only for [D4]
        self._stock = list(deal.get("stock", []))  # only for its size and for a start card that is turned
        if rules["start_card"] != "none":
            self.start_card = self._stock.pop(0)

    @property
    def stock_size(self) -> int:
        """Without a start card that is being voted on."""
        return len(self._stock)

    @property
    def pile_size(self) -> int:
        """With a kept start card."""
        return sum(len(play["play"]) for play in self.pile) + self.start_card_in_pile

    def see(self, event: Event) -> None:
        """Takes in one event of the record."""
        kinds = {
            "start": self._see_start, "play": self._see_play, "pass": self._see_pass, "cleared": self._see_cleared,
            "drop": self._see_drop, "alarm": self._see_alarm, "call": self._see_call, "accuse": self._see_accusation,
        }  # fmt: skip
        (see,) = [see for kind, see in kinds.items() if kind in event]
        see(event)

    def _see_start(self, event: Event) -> None:
        """Every start card turned is seen by all; one voted away goes back and the top card is turned [B2]."""
        if event["back_at"] is None:
            self.start_card_in_pile = True
            self.last_claim = to_follow_after(self.rules, event["start"])
        else:
            self._stock.insert(event["back_at"], event["start"])
            self.start_card = self._stock.pop(0)

    def _see_play(self, event: Event) -> None:
        player, laid = event["seat"], len(event["play"])
        self.known_before = _less_unseen(self.known[player], self._may_have_dropped)
        self.hand_sizes[player] -= laid
        self.pile.append(event)
        self.last_claim = event["claim"]
        self.known[player] = _less_unseen(self.known_before, laid)
        self.passes = 0
        self._turn_made(player)

    def _see_pass(self, event: Event) -> None:
        player = event["seat"]
        self.known[player] = _less_unseen(self.known[player], self._may_have_dropped)
        self.passes += 1
        self._turn_made(player)
        if self.passes == self.rules["players"] - 1 and self.rules["all_passed"] != "must_play":
            self.passes = 0  # somebody leads [C9]

    @property
    def _may_have_dropped(self) -> int:
        """Cards that a seat may have got rid of unseen before it plays or passes [D1]."""
        return int(self.rules["dropp"] is not None)

    def _turn_made(self, player: int) -> None:
        """Now the observer notices the drop of this turn, if at all [D2]."""
        self.turns += 1
        if self._noticing:
            self.notices.append((player, self.turns))
        self._noticing = False

    def _see_cleared(self, event: Event) -> None:
        """Cleared cards are seen by nobody."""
        self.pile, self.start_card, self.start_card_in_pile = [], None, False

    def _see_drop(self, event: Event) -> None:
        if event["seat"] == self.seat:
            self.hand_sizes[self.seat] -= 1
        else:
            self._unseen_drops[event["seat"]] += 1
        self._noticing = self.seat in event["noticed"]

    def _see_alarm(self, event: Event) -> None:
        """A notice carries no mark of which it is."""
        if self.seat in event["noticed"]:
            self.notices.append((event["alarm"], self.turns))

    def _see_accusation(self, event: Event) -> None:
        """Public; a seat found guilty shows its true number of cards [D4]."""
        loser = event["accuse"] if event["guilty"] else event["seat"]
        if event["guilty"]:
            self.hand_sizes[loser] -= self._unseen_drops[loser]
            self._unseen_drops[loser] = 0
        self._draw(loser, event["drawn"])

    def _draw(self, seat: int, drawn: list[str]) -> None:
        """Cards drawn are seen by the taker only; here the observer's own hand needs no memory."""
        self.hand_sizes[seat] += len(drawn)
        del self._stock[: len(drawn)]

    def _see_call(self, event: Event) -> None:
        accused, caller, wrong = event["call"], event["seat"], event["wrong"]
        right = caller if wrong == accused else accused
        sees = self.rules["reveal"] == "all" or self.seat in (accused, caller)  # [B6]
        turned: Counter[str] = Counter(self.pile[-1]["play"] if sees else [])
        if sees:
            self.known[accused] = _less_seen(self.known_before, turned)
        if event["pile"]:  # the loser takes the pile: what is known of it is then known to be in that hand
            self.known[wrong] += turned + self.mine_in_pile(self.pile[:-1])
            if self.start_card_in_pile:
                self.known[wrong][str(self.start_card)] += 1
            self.hand_sizes[wrong] += event["pile"]
            self.pile, self.start_card, self.start_card_in_pile = [], None, False
        self._draw(wrong, event["drawn"])
        self._see_given(right, wrong, event["given"])
        if "back" in event:
            self.known[accused] += turned
            self.hand_sizes[accused] += len(event["back"])
            self.pile = self.pile[:-1]
        self.called[accused][event["truthful"]] += 1
        self.called[caller][2] += event["truthful"]

    def _see_given(self, giver: int, taker: int, given: list[str]) -> None:
        """Cards given are seen by giver and taker [B7]."""
        if self.seat in (giver, taker):
            self.known[giver] = _less_seen(self.known[giver], Counter(given))
            self.known[taker] += Counter(given)
        else:
            self.known[giver] = _less_unseen(self.known[giver], len(given))
        self.hand_sizes[giver] -= len(given)
        self.hand_sizes[taker] += len(given)

    def mine_in_pile(self, pile: list[Event]) -> Counter[str]:
        """The cards that the observer laid into these plays."""
        return Counter(card for play in pile if play["seat"] == self.seat for card in play["play"])

    def latest_notice(self, seat: int) -> int:
        """How long ago the observer last noticed this seat: 1 in the turn last made, 2 the one before; 0 never."""
        return min((self.turns - then + 1 for whom, then in self.notices if whom == seat), default=0)


def _less_unseen(bounds: Counter[str], number: int) -> Counter[str]:
    """After so many cards left the hand unseen: all of them may have been of any one kind."""
    return Counter({card: n - number for card, n in bounds.items() if n > number})


def _less_seen(bounds: Counter[str], cards: Counter[str]) -> Counter[str]:
    """After these very cards left the hand."""
    return bounds - cards


def pieces(
    rules: dict[str, Any],
    deal: dict[str, Any],
    events: list[Event],
    seat: int,
    own_hand: Counter[str],
    *,
    window_open: bool | None = None,
    scores: list[int] | None = None,
) -> dict[str, list[int]]:
    """The observation pieces of one seat after these events, whose consequences are filled in.

    `window_open` says whether the last play may still be called. Events do not tell, since not calling is
    none; None takes it for open if nothing but false alarms and accusations came after the last play. `scores`
    are the deals won before this one, for match play. Pieces that the rules make pointless are left out.
    """
    memory = Memory(rules, deal, seat)
    for event in events:
        memory.see(event)
    if window_open is None:
        telling = [event for event in events if "alarm" not in event and "accuse" not in event]
        window_open = bool(telling) and "play" in telling[-1]
    seats = [(seat + step) % rules["players"] for step in range(rules["players"])]
    shown, origin = _relative_claims(rules, memory.last_claim)
    kinds = shown + [JOKER] * (rules["jokers"] > 0)
    found = {
        "hand": [own_hand[kind] for kind in kinds],
        "mine_in_pile": [memory.mine_in_pile(memory.pile)[kind] for kind in kinds],
        "hand_sizes": [memory.hand_sizes[who] for who in seats],
        "pile_size": [memory.pile_size],
        "origin": origin,
        "claimed_in_pile": _claimed(memory.pile, seats, shown),
        "known": _known(memory, seats, kinds),
        "called": [n for who in seats for n in memory.called[who]],
        **_claim_on_the_table(memory.pile[-1] if window_open else None, seats),
    }
    if rules["hand_size"] is not None:
        found["stock_size"] = [memory.stock_size]
    if rules["passing"] == "allowed":
        found["passes"] = [memory.passes]
    if rules["target_points"] is not None:
        found["scores"] = [(scores or [0] * len(seats))[who] for who in seats]
    if rules["dropp"] is not None:
        found["notices"] = [memory.latest_notice(who) for who in seats]
    if rules["start_card"] != "none":
        found["start_card"] = [int(kind == memory.start_card) for kind in kinds]
    return found


def _relative_claims(rules: dict[str, Any], last: str | None) -> tuple[list[str], list[int]]:
    """All claims in the order in which the observer counts them, and a one-hot that undoes it.

    Unsuited: from the rank last claimed on, before that the rank before the first of the order; `origin` says
    where the first rank is. Suited: suit by suit from the suit last claimed on, ranks as they are; `origin`
    says where the first suit is.
    """
    if rules["suited"]:
        suits = SUIT_LETTERS[: rules["suits"]]
        base = suits.index(last[1]) if last is not None else 0
        turned = suits[base:] + suits[:base]
        shown = [rank + suit for suit in turned for rank in rank_order(rules)]
        return shown, [int(suit == suits[0]) for suit in turned]
    order = claims(rules)
    base = order.index(last) if last is not None else len(order) - 1
    shown = order[base:] + order[:base]
    return shown, [int(rank == order[0]) for rank in shown]


def _claim_on_the_table(play: Event | None, seats: list[int]) -> dict[str, list[int]]:
    """The play whose call window is open: how many cards, and whose it is."""
    if play is None:
        return {"claim_count": [0], "claimant": [0] * len(seats)}
    return {"claim_count": [len(play["play"])], "claimant": [int(who == play["seat"]) for who in seats]}


def _claimed(pile: list[Event], seats: list[int], shown: list[str]) -> list[int]:
    """How many cards of each claim each seat has claimed to lay into the present pile."""
    claimed = Counter[tuple[int, str]]()
    for play in pile:
        claimed[play["seat"], play["claim"]] += len(play["play"])
    return [claimed[who, claim] for who in seats for claim in shown]


def _known(memory: Memory, seats: list[int], kinds: list[str]) -> list[int]:
    """Cards certain to be in each other hand; the observer's own row stays empty."""
    return [0] * len(kinds) + [memory.known[who][kind] for who in seats[1:] for kind in kinds]
