"""One deal in progress, every decision and every roll of chance a move of its own; part of the referee.

Moves: ("vote", another) ("play", claim, cards) ("pass",) ("drop", card) ("call",) ("decline",) ("accuse", seat)
("give", cards); and what chance decides: ("put_back", place) ("notice", seats) ("alarm", seats)
("caller", seat) ("give", cards). Given a random.Random, a table draws these itself; without one, whoever
replays or counts pushes them. What has only one outcome is nobody's decision and not asked.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from referee_rules import (
    Illegal,
    check_deal,
    check_rules,
    following,
    in_order,
    is_int,
    matches,
    rewards,
    to_follow_after,
    votes_on,
)

Move = tuple[Any, ...]

# What is being decided.
VOTE = "vote"  # a seat: turn another start card?
PUT_BACK = "put_back"  # chance: where in the stock the start card goes
TURN = "turn"  # a seat: drop, then play or pass
NOTICE = "notice"  # chance: who notices the drop
ALARM = "alarm"  # chance: who gets a false alarm
WINDOW = "window"  # a seat: call, decline or accuse
CALLER = "caller"  # chance: whose call counts in a race
GIVE = "give"  # the right party or chance: which cards are given
OVER = "over"

MOVES_OF = {
    VOTE: ("vote",), PUT_BACK: ("put_back",), TURN: ("play", "pass", "drop"), NOTICE: ("notice",), ALARM: ("alarm",),
    WINDOW: ("call", "decline", "accuse"), CALLER: ("caller",), GIVE: ("give",), OVER: (),
}  # fmt: skip
MOVE_LENGTHS = {"vote": 2, "put_back": 2, "play": 3, "pass": 1, "drop": 2, "notice": 2, "alarm": 2, "call": 1,
                "decline": 1, "accuse": 2, "caller": 2, "give": 2}  # fmt: skip


class Play(NamedTuple):
    """Cards laid face down with a claim."""

    seat: int
    claim: str
    cards: tuple[str, ...]

    @property
    def truthful(self) -> bool:
        """Every card matches the claim."""
        return all(matches(self.claim, card) for card in self.cards)


class Called(NamedTuple):
    """A call whose penalty is being paid."""

    caller: int
    wrong: int
    right: int
    pile: int  # cards taken from the pile
    drawn: list[str]
    owed: int  # cards that the right party has to give


class Table:
    """One deal in progress: what is asked of whom, what may be done, and what came of it."""

    def __init__(self, rules: dict[str, Any], deal: dict[str, Any], rng: random.Random | None = None) -> None:
        self.rules = check_rules(rules)
        self.dealer, self.opener = check_deal(self.rules, deal)
        self.rng = rng
        self.players: int = self.rules["players"]
        self.hands: list[Counter[str]] = [Counter(hand) for hand in deal["hands"]]
        self.stock: list[str] = list(deal.get("stock", []))  # the top card first
        self.pile: list[Play] = []  # besides the start card
        self.start_card: str | None = None  # face up while voted on, then face down under the pile
        self.laps: list[Counter[str]] = [Counter() for _ in self.hands]  # dropped cards [D1]
        self.aside: Counter[str] = Counter()  # cleared piles [C9]
        self.drops = [0] * self.players  # drops since that seat was last found out [D3]
        self.events: list[dict[str, Any]] = []
        self.turns = 0
        self.passes = 0  # in a row
        self.winner: int | None = None
        self.cut_off = False
        self.phase = TURN
        self.asked: list[int] = []  # seats still to answer the last play or to vote, the first of them now
        self.callers: list[int] = []  # race: who has called so far, told nobody before all have answered
        self._votes: list[bool] = []
        self._redraws = 0
        self._mover = self.opener
        self._to_follow: str | None = None  # the claim to follow; None: whoever moves leads
        self._last_layer: int | None = None  # who laid last, in this deal
        self._dropped: str | None = None  # the card dropped in this turn
        self._accused_already = False  # has the seat asked now accused somebody in this window
        self._called: Called | None = None
        if self.rules["start_card"] != "none":
            self._turn_start_card()
        self._draw()

    # ---- what stands on the table ----

    @property
    def over(self) -> bool:
        """Nobody is asked anything more [E1]."""
        return self.phase == OVER

    @property
    def asking(self) -> bool:
        """A call window is open."""
        return self.phase == WINDOW

    @property
    def chance(self) -> bool:
        """What comes next is decided by chance."""
        return self.phase in (PUT_BACK, NOTICE, ALARM, CALLER) or (
            self.phase == GIVE and self.rules["give"] == "random"
        )

    @property
    def to_move(self) -> int | None:
        """The seat that has to decide; None when chance decides or the deal is over."""
        if self.over or self.chance:
            return None
        if self.phase == GIVE:
            assert self._called
            return self._called.right
        return self.asked[0] if self.asked else self._mover

    @property
    def owed(self) -> int:
        """How many cards have to be given [B7]."""
        return self._called.owed if self._called else 0

    def cards_of_pile(self) -> list[str]:
        """The pile, a kept start card at the bottom; one being voted on is not yet there."""
        start = [] if self.start_card is None or self.phase in (VOTE, PUT_BACK) else [self.start_card]
        return start + [card for play in self.pile for card in play.cards]

    def pile_size(self) -> int:
        """How many cards lie on the pile."""
        return len(self.cards_of_pile())

    def claimable(self) -> list[str]:
        """What the seat to move may claim; nothing unless it is a turn."""
        return following(self.rules, self._to_follow) if self.phase == TURN else []

    def most_cards(self) -> int:
        """The most cards the seat to move may lay [C2]; one in suited games [B3]."""
        rules, held = self.rules, self.hands[self._mover].total()
        if rules["max_cards"] == "hand":
            return held
        if rules["max_cards"] is not None:
            return min(held, int(rules["max_cards"]))
        if rules["suited"]:
            return 1
        return min(held, int(rules["suits"] * rules["decks"] + rules["jokers"]))

    def may_pass(self) -> bool:
        """Whoever leads must lay; `must_play` forbids the pass that would complete the round [C9] [B5]."""
        rules = self.rules
        if self.phase != TURN or rules["passing"] == "never" or self._to_follow is None:
            return False
        return rules["all_passed"] != "must_play" or self.passes < self.players - 1

    def may_drop(self) -> bool:
        """Once a turn, before laying or passing, never the last card [D1]."""
        if self.phase != TURN or self.rules["dropp"] is None or self._dropped is not None:
            return False
        return self.hands[self._mover].total() > 1

    def may_accuse(self) -> bool:
        """Instead of answering, once per window [D3]."""
        return self.phase == WINDOW and self.rules["dropp"] is not None and not self._accused_already

    def in_order(self, cards: Iterable[str]) -> tuple[str, ...]:
        """The cards in the order of claims, jokers last."""
        return in_order(self.rules, cards)

    def rewards(self) -> list[float]:
        """What each seat gets [E3] if this deal is the game; zeros while it goes on and when it was cut off."""
        return rewards(self.rules, self.winner)

    def copy(self) -> Table:
        """An independent table in the same position."""
        other = object.__new__(Table)
        other.__dict__ |= self.__dict__
        other.hands = [hand.copy() for hand in self.hands]
        other.laps = [lap.copy() for lap in self.laps]
        other.aside = self.aside.copy()
        for name in ("stock", "pile", "drops", "events", "asked", "callers", "_votes"):
            setattr(other, name, getattr(self, name)[:])
        return other

    # ---- moves ----

    def legal_moves(self) -> list[Move]:
        """Every move that may come next, chance's among them; cards of one kind are not told apart."""
        if self.phase == VOTE:
            return [("vote", False), ("vote", True)]
        if self.phase == PUT_BACK:
            return [("put_back", place) for place in range(len(self.stock) + 1)]
        if self.phase == TURN:
            return self._legal_turns()
        if self.phase in (NOTICE, ALARM):
            others = self._others(self._mover)
            sets = [seats for n in range(self.players) for seats in itertools.combinations(others, n)]
            return [(self.phase, seats) for seats in sets]
        if self.phase == WINDOW:
            accusations = [("accuse", seat) for seat in self._others(self.asked[0]) if self.may_accuse()]
            return [("decline",), ("call",), *accusations]
        if self.phase == CALLER:
            return [("caller", seat) for seat in self.callers]
        if self.phase == GIVE:
            assert self._called
            hand = self.in_order(self.hands[self._called.right].elements())
            return [("give", cards) for cards in sets_of_cards(hand, self.owed) if len(cards) == self.owed]
        return []

    def _legal_turns(self) -> list[Move]:
        hand = self.hands[self._mover]
        sets = list(sets_of_cards(self.in_order(hand.elements()), self.most_cards()))
        moves: list[Move] = [("play", claim, cards) for claim in self.claimable() for cards in sets]
        if self.may_pass():
            moves.append(("pass",))
        if self.may_drop():
            moves += [("drop", card) for card in self.in_order(set(hand.elements()))]
        return moves

    def chance_move(self, rng: random.Random) -> Move:
        """What chance decides, drawn as RULES.md says."""
        dropp, others = self.rules["dropp"], self._others(self._mover)
        if self.phase == PUT_BACK:
            return ("put_back", rng.randrange(len(self.stock) + 1))  # all places equally likely [B2]
        if self.phase in (NOTICE, ALARM):  # each other seat independently [D2]
            share = dropp["notice" if self.phase == NOTICE else "false_notice"]
            return (self.phase, tuple(seat for seat in others if rng.random() < share))
        if self.phase == CALLER:
            return ("caller", rng.choice(self.callers))  # [C3]
        assert self.phase == GIVE
        assert self._called
        return ("give", tuple(rng.sample(self.in_order(self.hands[self._called.right].elements()), self.owed)))

    def push(self, move: Move) -> None:
        """Makes a move of the seat to move, or of chance, or raises Illegal and changes nothing."""
        if self.over:
            raise Illegal(f"{move} after the end: expected no more moves, the deal is over")
        if not move or len(move) != MOVE_LENGTHS.get(move[0]):
            raise Illegal(f"{move} is no move, expected {self.expected()}")
        if move[0] not in MOVES_OF[self.phase]:
            window = " in an open call window" if self.asking else ""
            raise Illegal(f"{move[0]}{window}, expected {self.expected()}")
        make: dict[str, Callable[..., None]] = {
            "vote": self._vote, "put_back": self._put_back, "play": self._play, "pass": self._pass,
            "drop": self._drop, "notice": self._notice, "alarm": self._alarm, "call": self._call,
            "decline": self._decline, "accuse": self._accuse, "caller": self._let_call, "give": self._give,
        }  # fmt: skip
        make[move[0]](*move[1:])
        self._draw()

    def expected(self) -> str:
        """What has to come next, in words."""
        what = {
            VOTE: "a vote", PUT_BACK: "the start card put back", TURN: "a play", NOTICE: "who noticed the drop",
            ALARM: "who got a false alarm", WINDOW: "an answer", CALLER: "whose call counts", GIVE: "cards given",
            OVER: "the end of the deal",
        }[self.phase]  # fmt: skip
        return what if self.to_move is None else f"{what} of seat {self.to_move}"

    def _draw(self) -> None:
        """Lets the table's own generator decide what chance decides next."""
        if self.rng is not None and self.chance:
            self.push(self.chance_move(self.rng))

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    def _others(self, seat: int) -> list[int]:
        """All other seats, in play order from this one's left."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    # ---- the start card: [B2] ----

    def _turn_start_card(self) -> None:
        self.start_card = self.stock.pop(0)
        if votes_on(self.rules, self.start_card, self._redraws):
            self.phase, self._votes = VOTE, []
            self.asked = [*self._others(self.dealer), self.dealer]
        else:
            self._keep_start_card()

    def _vote(self, another: Any) -> None:
        """Nobody sees another's vote before all have voted; a strict majority turns another."""
        if not isinstance(another, bool):
            raise Illegal(f"vote is {another!r}, expected true (turn another) or false")
        self._votes.append(another)
        self.asked.pop(0)
        if self.asked:
            return
        if sum(self._votes) * 2 <= self.players:
            self._keep_start_card()
        else:
            self.phase = PUT_BACK
            if not self.stock:
                self._put_back(0)  # the only place there is

    def _keep_start_card(self) -> None:
        """It lies face down as the pile's first card, to be followed if anything can."""
        assert self.start_card
        self.events.append({"start": self.start_card, "votes": self._votes, "back_at": None})
        self.phase, self._votes = TURN, []
        self._to_follow = to_follow_after(self.rules, self.start_card)

    def _put_back(self, place: Any) -> None:
        if not is_int(place) or not 0 <= place <= len(self.stock):
            raise Illegal(f"back_at is {place!r}, expected a place from 0 to {len(self.stock)}")
        assert self.start_card
        self.stock.insert(place, self.start_card)
        self.events.append({"start": self.start_card, "votes": self._votes, "back_at": place})
        self._votes = []
        self._redraws += 1
        self._turn_start_card()

    # ---- a turn: drop, play, pass ----

    def _drop(self, card: Any) -> None:
        """A card leaves play, into the mover's lap; noticed, if at all, once the play or pass is made [D1] [D2]."""
        if not self.may_drop():
            raise Illegal(
                f"seat {self._mover} drops a card, expected {self.expected()}: once a turn, not the last card"
            )
        if not isinstance(card, str) or not self.hands[self._mover][card]:
            raise Illegal(f"drop is {card!r}, expected a card in the hand of seat {self._mover}")
        self.hands[self._mover] -= Counter([card])
        self.laps[self._mover][card] += 1
        self.drops[self._mover] += 1
        self._dropped = card
        self._ask_chance(NOTICE, self.rules["dropp"]["notice"], self._notice)

    def _notice(self, seats: Any) -> None:
        noticed = self._check_others("noticed", seats)
        self.events.append({"seat": self._mover, "drop": self._dropped, "noticed": noticed})
        self.phase = TURN

    def _play(self, claim: Any, cards: Any) -> None:
        """Lays cards; then come false alarms [D2] and the call window [C2] [C3] [B3]."""
        cards = tuple(cards)
        if claim not in self.claimable():
            raise Illegal(f"claim is {claim!r}, expected one of {self.claimable()}")
        if not 1 <= len(cards) <= self.most_cards():
            raise Illegal(f"{len(cards)} cards laid, expected 1 to {self.most_cards()}")
        seat, laid = self._mover, Counter(cards)
        if not laid <= self.hands[seat]:
            raise Illegal(f"play lacks {dict(laid - self.hands[seat])} in the hand of seat {seat}")
        self.hands[seat] -= laid
        self.pile.append(Play(seat, claim, self.in_order(cards)))
        self.events.append({"seat": seat, "claim": claim, "play": list(self.pile[-1].cards)})
        self._to_follow, self._last_layer = to_follow_after(self.rules, claim), seat  # [B4]
        self.turns += 1
        self.passes = 0
        # `callers=next` asks only the seat to the left [C3].
        self.asked = self._others(seat) if self.rules["callers"] == "all" else self._others(seat)[:1]
        self.callers, self._accused_already = [], False
        self._made()

    def _pass(self) -> None:
        if not self.may_pass():
            raise Illegal(f"seat {self._mover} passes, expected {self.expected()}: passing is not allowed here")
        self.events.append({"seat": self._mover, "pass": True})
        self.turns += 1
        self.passes += 1
        self.asked = []
        self._made()

    def _made(self) -> None:
        """The play or pass is made: a seat that has not dropped may still raise a false alarm [D2]."""
        dropped, self._dropped = self._dropped, None
        if self.rules["dropp"] is None or dropped is not None:
            self._after_alarm()
        else:
            self._ask_chance(ALARM, self.rules["dropp"]["false_notice"], self._alarm)

    def _alarm(self, seats: Any) -> None:
        noticed = self._check_others("noticed", seats)
        if noticed:
            self.events.append({"alarm": self._mover, "noticed": noticed})
        self._after_alarm()

    def _ask_chance(self, phase: str, share: float, then: Callable[[list[int]], None]) -> None:
        """Each other seat notices with this probability; what is certain is not asked."""
        self.phase = phase
        if share in (0, 1):
            then(self._others(self._mover) if share == 1 else [])

    def _check_others(self, name: str, seats: Any) -> list[int]:
        """Other seats, each once, put in play order."""
        others, found = self._others(self._mover), list(seats)
        if any(not is_int(seat) or seat not in others for seat in found) or len(set(found)) < len(found):
            raise Illegal(f"{name} is {found!r}, expected seats other than {self._mover}, each once")
        return [seat for seat in others if seat in found]

    def _after_alarm(self) -> None:
        """Opens the call window of a play [C3], or closes a pass."""
        if self.asked:
            self.phase = WINDOW
        else:
            self._close_pass()

    def _close_pass(self) -> None:
        """After n-1 passes in a row somebody leads, unless `must_play` asks the last one to follow [C9] [B5]."""
        self.phase = TURN
        all_passed, cleared = self.rules["all_passed"], None
        passer, self._mover = self._mover, self._left_of(self._mover)
        if self.passes == self.players - 1 and all_passed != "must_play":
            self.passes, self._to_follow = 0, None
            if self._last_layer is None:  # passes on a start card: the pile stays
                self._mover = self._left_of(passer)
            else:
                self._mover = self._last_layer
                if all_passed == "clear_pile":
                    cleared = self.pile_size()
                    self.aside.update(self.cards_of_pile())
                    self.pile, self.start_card = [], None
        self._cut_off_if_due()
        if cleared is not None:
            self.events.append({"cleared": cleared, "next": self.to_move})

    def _cut_off_if_due(self) -> None:
        """The last turn is closed [E2]."""
        if self.turns >= self.rules["max_turns"]:
            self.phase, self.cut_off = OVER, True

    # ---- answers: call, decline, accuse ----

    def _call(self) -> None:
        """The first seat to call is the caller; in a race all are asked first [C3]."""
        if self.rules["call_order"] == "race":
            self.callers.append(self.asked[0])
            self._answered()
        else:
            self._turn_cards(self.asked[0])

    def _decline(self) -> None:
        self._answered()

    def _answered(self) -> None:
        self.asked.pop(0)
        self._accused_already = False
        if self.asked:
            return
        if not self.callers:
            self._close_uncalled()
        elif len(self.callers) == 1:
            self._turn_cards(self.callers[0])
        else:
            self.phase = CALLER

    def _let_call(self, seat: Any) -> None:
        """Chance draws one of those who called in a race [C3]."""
        if not is_int(seat) or seat not in self.callers:
            raise Illegal(f"caller is {seat!r}, expected one of {self.callers}")
        self._turn_cards(seat)

    def _accuse(self, seat: Any) -> None:
        """Guilty: that seat draws the penalty cards and its slate is clean; else the accuser draws them [D3]."""
        accuser = self.asked[0]
        if not self.may_accuse():
            raise Illegal(f"seat {accuser} accuses, expected {self.expected()}: once per window, and only under dropp")
        if not is_int(seat) or seat not in self._others(accuser):
            raise Illegal(f"accuse is {seat!r}, expected a seat other than {accuser}")
        guilty = self.drops[seat] > 0
        drawn = self._take_from_stock(self.rules["dropp"]["penalty"])  # as far as it goes
        self.hands[seat if guilty else accuser].update(drawn)
        if guilty:
            self.drops[seat] = 0
        self._accused_already = True  # and is asked about the play next, then the remaining seats
        self.events.append({"seat": accuser, "accuse": seat, "guilty": guilty, "drawn": drawn})

    def _take_from_stock(self, number: int) -> list[str]:
        drawn, self.stock = self.stock[:number], self.stock[number:]
        return drawn

    # ---- what a call brings: [C4] [B6] [B7] [B8] ----

    def _turn_cards(self, caller: int) -> None:
        """Turns the last play; the wrong party pays in full before anything else is decided [C4]."""
        last = self.pile[-1]
        wrong, right = (caller, last.seat) if last.truthful else (last.seat, caller)
        self.asked = []
        if self.rules["penalty"] == "pile":
            taken = self.cards_of_pile()
            self.hands[wrong].update(taken)
            self._called = Called(caller, wrong, right, len(taken), [], 0)
        else:
            whole = self.rules["penalty"] == "whole_stock"
            penalty = len(self.stock) or 3 if whole else int(self.rules["penalty"].removeprefix("stock_"))
            drawn = self._take_from_stock(penalty)  # a short stock is emptied first [B7]
            self.hands[wrong].update(drawn)
            owed = min(penalty - len(drawn), self.hands[right].total())
            if self.rules["empty_stock"] == "nothing":
                owed = 0
            self._called = Called(caller, wrong, right, 0, drawn, owed)
        self.phase = GIVE
        if self.owed == self.hands[right].total():
            self._give(tuple(self.hands[right].elements()))  # all there is: nothing to pick
        elif self.owed == 0:
            self._give(())

    def _give(self, cards: Any) -> None:
        """Cards of the right party's hand for what the stock could not pay, drawn blind or picked [B7]."""
        assert self._called
        caller, wrong, right, pile, drawn, owed = self._called
        given = Counter(cards)
        if given.total() != owed:
            raise Illegal(f"{given.total()} cards given, expected {owed}")
        if not given <= self.hands[right]:
            raise Illegal(f"given lacks {dict(given - self.hands[right])} in the hand of seat {right}")
        self.hands[right] -= given
        self.hands[wrong].update(given)
        last = self.pile[-1]
        event: dict[str, Any] = {"seat": caller, "call": last.seat}
        if self.rules["call_order"] == "race":
            event["callers"] = self.callers
        event |= {"truthful": last.truthful, "wrong": wrong, "pile": pile, "drawn": drawn}
        event["given"] = list(self.in_order(given.elements()))
        if pile:
            self.pile, self.start_card = [], None
        if not self.hands[last.seat] and not last.truthful:  # a called bluff never wins [B8]
            event["back"] = list(last.cards)
            self.hands[last.seat].update(last.cards)
            self.pile = self.pile[:-1]
        self._called, self.callers = None, []
        self._close_called(last.seat, wrong, right)
        self.events.append(event | {"next": self.to_move})

    # ---- a window closes: [C10] [E2] ----

    def _close_uncalled(self) -> None:
        """The play is safe [C6]; nothing can follow it: its player leads [B4]; else the seat to the left is next."""
        laid_by = self.pile[-1].seat
        self.phase = TURN
        self._mover = laid_by if self._to_follow is None else self._left_of(laid_by)
        if not self.hands[laid_by]:
            self.phase, self.winner = OVER, laid_by
        else:
            self._cut_off_if_due()

    def _close_called(self, accused: int, wrong: int, right: int) -> None:
        """The party that was right wins if it has no cards left, as accused [C10] or as caller [B7]."""
        self.phase = TURN
        parties = {"left_of_accused": self._left_of(accused), "right_party": right, "wrong_party": wrong}
        parties["left_of_wrong"] = self._left_of(wrong)  # not in the texts: for verish
        self._mover = parties[self.rules["after_call"]]  # [C5] [B6]
        if self.rules["round_ends"] == "call":
            self._to_follow = None  # the next player leads [C7]
        if not self.hands[right]:
            self.phase, self.winner = OVER, right
        else:
            self._cut_off_if_due()


def sets_of_cards(cards: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """Every distinct set of 1 to `most` of the sorted cards."""
    kinds = sorted(set(cards), key=cards.index)
    partial: list[tuple[str, ...]] = [()]
    for kind in kinds:
        held = cards.count(kind)
        partial = [s + (kind,) * n for s in partial for n in range(min(held, most - len(s)) + 1)]
    return (cards for cards in partial if cards)
