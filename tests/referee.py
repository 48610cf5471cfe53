"""A slow, obvious referee for the card games of RULES.md, to hold the fast engine against.

Written from RULES.md and RECORD.md alone, in plain Python, sharing nothing with bluff_env. Ids in brackets,
as [C4], name the rule carried out. A card is its text ("A", "T", "X"), a hand a Counter of cards.

What it plays so far is the unsuited family with the pile as penalty. `PLAYED` lists the fields of which not
every value is played yet; `check_rules` refuses the others with `NotPlayed`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

FORMAT = "bluff-record/1"
RANK_LETTERS = "A23456789TJQK"
JOKER = "X"

Move = tuple[Any, ...]  # ("play", claim, cards) or ("call",) or ("decline",)


class Fault(Exception):
    """The first thing wrong with a record: where (deal, event; None above them) and what was expected."""

    def __init__(self, deal: int | None, event: int | None, message: str) -> None:
        super().__init__(f"deal {deal}, event {event}: {message}")
        self.deal, self.event, self.message = deal, event, message


class Illegal(ValueError):
    """A rules object, a deal or a move that RULES.md does not allow."""


class NotPlayed(NotImplementedError):
    """Rules that RULES.md allows but this referee does not play yet."""


# ---- the rules object: RULES.md section 2 ----

DEFAULTS: dict[str, Any] = {
    "players": 4, "ranks": 13, "suits": 4, "decks": 1, "jokers": 0, "suited": False, "ace": "low",
    "hand_size": None, "first_player": "dealer_left",
    "start_card": "none", "start_card_high": "J", "start_card_redraws": 3,
    "lead": "first_rank", "follow": "next", "round_ends": "never", "max_cards": None,
    "passing": "never", "all_passed": "must_play", "callers": "all", "call_order": "nearest",
    "penalty": "pile", "empty_stock": "from_opponent", "give": "random",
    "after_call": "left_of_accused", "reveal": "all", "dropp": None, "target_points": None,
    "max_turns": 1000, "rewards": "zero_sum",
}  # fmt: skip

RANGES: dict[str, tuple[int, float]] = {
    "players": (2, 16), "ranks": (1, 13), "suits": (1, 4), "decks": (1, 4), "jokers": (0, 8),
    "hand_size": (1, math.inf), "max_cards": (1, math.inf), "max_turns": (1, math.inf),
    "target_points": (1, math.inf), "start_card_redraws": (0, math.inf),
}  # fmt: skip

CHOICES: dict[str, tuple[Any, ...]] = {
    "suited": (False, True),
    "ace": ("low", "high"),
    "first_player": ("dealer_left", "random"),
    "start_card": ("none", "keep", "vote"),
    "start_card_high": tuple(RANK_LETTERS),
    "lead": ("first_rank", "any"),
    "follow": ("next", "any", "same", "adjacent", "same_or_adjacent", "higher_in_suit"),
    "round_ends": ("never", "call"),
    "passing": ("never", "allowed"),
    "all_passed": ("must_play", "clear_pile", "last_player_leads"),
    "callers": ("all", "next"),
    "call_order": ("nearest", "race"),
    "empty_stock": ("from_opponent", "nothing"),
    "give": ("random", "choose"),
    "after_call": ("left_of_accused", "right_party", "wrong_party"),
    "reveal": ("all", "caller"),
    "rewards": ("zero_sum", "win_loss", "win"),
}

PLAYED: dict[str, tuple[Any, ...]] = {
    "suited": (False,),
    "start_card": ("none",),
    "passing": ("never",),
    "call_order": ("nearest",),
    "penalty": ("pile",),
    "reveal": ("all",),
    "dropp": (None,),
    "target_points": (None,),
}


def check_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules with missing fields at their default; raises Illegal or NotPlayed if they cannot do."""
    if unknown := set(rules) - set(DEFAULTS):
        raise Illegal(f"rules: unknown fields {sorted(unknown)}")
    full = DEFAULTS | rules
    for field, value in full.items():
        if not _allowed(field, value):
            raise Illegal(f"rules: {field} is {value!r}, expected {_expected(field)}")
    for field, played in PLAYED.items():
        if full[field] not in played:
            raise NotPlayed(f"rules: {field} {full[field]!r} is not played yet, only {played}")
    _check_combination(full)
    return full


def _allowed(field: str, value: Any) -> bool:
    if value is None:
        return DEFAULTS[field] is None  # exactly the fields that default to null may be null
    if field == "max_cards" and value == "hand":
        return True
    if field == "penalty":
        return isinstance(value, str) and bool(re.fullmatch(r"pile|whole_stock|stock_[1-9][0-9]*", value))
    if field == "dropp":
        return isinstance(value, dict)
    if field in CHOICES:
        return any(_same(value, choice) for choice in CHOICES[field])
    low, high = RANGES[field]
    return _is_int(value) and low <= value <= high


def _expected(field: str) -> str:
    if field in CHOICES:
        return f"one of {CHOICES[field]}"
    return f"a whole number in {RANGES[field]}" if field in RANGES else "a value of RULES.md section 2"


def _check_combination(rules: dict[str, Any]) -> None:
    players, hand_size, cards = rules["players"], rules["hand_size"], deck(rules).total()
    if rules["follow"] == "higher_in_suit":
        raise Illegal("rules: follow is 'higher_in_suit', expected another value unless suited")
    if cards < players:
        raise Illegal(f"rules: players is {players}, expected at most one for each of the {cards} cards")
    if hand_size is not None and hand_size * players > cards:
        raise Illegal(f"rules: hand_size is {hand_size}, expected at most {cards // players}")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """Equal and of one type: 1 is not True."""
    return type(one) is type(other) and bool(one == other)


def rank_order(rules: dict[str, Any]) -> str:
    """The ranks in play, in the order of claims; small decks keep the first of that order."""
    order = RANK_LETTERS if rules["ace"] == "low" else RANK_LETTERS[1:] + "A"
    return order[: rules["ranks"]]


def deck(rules: dict[str, Any]) -> Counter[str]:
    """How many of each card the whole deck holds."""
    cards = Counter(dict.fromkeys(rank_order(rules), rules["suits"] * rules["decks"]))
    return cards + Counter({JOKER: rules["jokers"]})


def matches(claim: str, card: str) -> bool:
    """Does this card make the claim true? A joker makes any claim true."""
    return card in (claim, JOKER)


def following(rules: dict[str, Any], last: str | None) -> list[str]:
    """The claims allowed after `last`, in rank order; None: when leading. Ranks wrap round [C2] [C7] [C8]."""
    order = rank_order(rules)
    if last is None:
        return list(order) if rules["lead"] == "any" else [order[0]]
    steps = {"next": (1,), "same": (0,), "adjacent": (-1, 1), "same_or_adjacent": (-1, 0, 1)}
    if rules["follow"] == "any":
        return list(order)
    at = order.index(last)
    allowed = {order[(at + step) % len(order)] for step in steps[rules["follow"]]}
    return [rank for rank in order if rank in allowed]


# ---- the deal: [C1] ----


def hand_sizes(rules: dict[str, Any], dealer: int) -> list[int]:
    """How many cards each seat is dealt; from the dealer's left, the first seats may hold one more [C1]."""
    players, hand_size = rules["players"], rules["hand_size"]
    if hand_size is not None:
        return [hand_size] * players
    each, over = divmod(deck(rules).total(), players)
    return [each + ((seat - dealer - 1) % players < over) for seat in range(players)]


def check_deal(rules: dict[str, Any], deal: dict[str, Any]) -> tuple[int, int]:
    """Dealer and opener of a deal whose hands and stock are exactly the deck, dealt as the rules say."""
    players = rules["players"]
    dealer = _check_seat("dealer", deal.get("dealer"), players)
    left = (dealer + 1) % players
    if "opener" not in deal and rules["first_player"] == "random":
        raise Illegal("opener is missing, expected a seat where chance decides who opens")
    opener = _check_seat("opener", deal.get("opener", left), players)
    if rules["first_player"] == "dealer_left" and opener != left:
        raise Illegal(f"opener is {opener}, expected {left}, the seat left of the dealer")
    sizes = [len(hand) for hand in deal["hands"]]
    if sizes != hand_sizes(rules, dealer):
        raise Illegal(f"hands of {sizes} cards, expected {hand_sizes(rules, dealer)}")
    dealt = Counter(card for cards in [*deal["hands"], deal.get("stock", [])] for card in cards)
    if dealt != deck(rules):
        over, lacking = dealt - deck(rules), deck(rules) - dealt
        raise Illegal(f"expected exactly the deck dealt: {dict(over)} too many, {dict(lacking)} lacking")
    return dealer, opener


def _check_seat(name: str, value: Any, players: int) -> int:
    if not _is_int(value) or not 0 <= value < players:
        raise Illegal(f"{name} is {value!r}, expected a seat from 0 to {players - 1}")
    return int(value)


# ---- one deal in progress ----


class Play(NamedTuple):
    """Cards laid face down with a claim."""

    seat: int
    claim: str
    cards: tuple[str, ...]

    @property
    def truthful(self) -> bool:
        """Every card matches the claim."""
        return all(matches(self.claim, card) for card in self.cards)


class Table:
    """One deal in progress: whose move it is, what may be done, and what came of it."""

    def __init__(self, rules: dict[str, Any], deal: dict[str, Any]) -> None:
        self.rules = check_rules(rules)
        self.dealer, self.opener = check_deal(self.rules, deal)
        self.hands: list[Counter[str]] = [Counter(hand) for hand in deal["hands"]]
        self.pile: list[Play] = []
        self.events: list[dict[str, Any]] = []
        self.turns = 0
        self.winner: int | None = None
        self.cut_off = False
        self.asked: list[int] = []  # seats still to answer the last play, the first of them now
        self._mover = self.opener
        self._to_follow: str | None = None  # the claim to follow; None: whoever moves leads

    @property
    def over(self) -> bool:
        """Nobody is asked anything more [E1]."""
        return self.winner is not None or self.cut_off

    @property
    def asking(self) -> bool:
        """A call window is open."""
        return bool(self.asked)

    @property
    def to_move(self) -> int | None:
        """The seat asked to answer or to lay; None when the deal is over."""
        if self.over:
            return None
        return self.asked[0] if self.asked else self._mover

    def claimable(self) -> list[str]:
        """The ranks the seat to move may claim; none in a call window or when the deal is over."""
        return [] if self.over or self.asking else following(self.rules, self._to_follow)

    def most_cards(self) -> int:
        """The most cards the seat to move may lay [C2]."""
        rules, held = self.rules, self.hands[self._mover].total()
        if rules["max_cards"] == "hand":
            return held
        if rules["max_cards"] is None:
            return min(held, int(rules["suits"] * rules["decks"] + rules["jokers"]))
        return min(held, int(rules["max_cards"]))

    def legal_moves(self) -> list[Move]:
        """Every move of the seat to move; cards of one kind are not told apart."""
        if self.over:
            return []
        if self.asking:
            return [("decline",), ("call",)]
        sets = list(_sets_of_cards(self.in_order(self.hands[self._mover].elements()), self.most_cards()))
        return [("play", claim, cards) for claim in self.claimable() for cards in sets]

    def in_order(self, cards: Iterable[str]) -> tuple[str, ...]:
        """The cards in rank order, jokers last."""
        return tuple(sorted(cards, key=(rank_order(self.rules) + JOKER).index))

    def push(self, move: Move) -> None:
        """Makes a move of the seat to move, or raises Illegal and changes nothing."""
        if self.over:
            raise Illegal(f"{move} after the end: expected no more moves, the deal is over")
        if move[0] == "play" and len(move) == 3:
            self._play(move[1], tuple(move[2]))
        elif move in (("call",), ("decline",)):
            if not self.asking:
                raise Illegal(f"{move[0]} without an open call window, expected a play of seat {self._mover}")
            self._call() if move == ("call",) else self._decline()
        else:
            raise Illegal(f"{move} is no move, expected a play, a call or a decline")

    def _play(self, claim: str, cards: tuple[str, ...]) -> None:
        """Lays cards and opens the call window [C2] [C3]."""
        if self.asking:
            raise Illegal(f"a play in an open call window, expected an answer of seat {self.asked[0]}")
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
        self._to_follow = claim
        self.turns += 1
        self.asked = self._seats_asked(seat)

    def _seats_asked(self, accused: int) -> list[int]:
        """In play order from the accused's left; `callers=next` asks only the first of them [C3]."""
        players = self.rules["players"]
        seats = [(accused + step) % players for step in range(1, players)]
        return seats if self.rules["callers"] == "all" else seats[:1]

    def _decline(self) -> None:
        """After the last seat's decline the play is safe and its player's left neighbour is next [C6]."""
        self.asked.pop(0)
        if not self.asked:
            accused = self.pile[-1].seat
            self._close(accused, self._left_of(accused))

    def _call(self) -> None:
        """The first seat to call is the caller [C3]; the wrong party takes the whole pile [C4]."""
        caller, last = self.asked[0], self.pile[-1]
        wrong, right = (caller, last.seat) if last.truthful else (last.seat, caller)
        taken = [card for play in self.pile for card in play.cards]
        self.hands[wrong].update(taken)  # in full before anything else is decided [C4]
        self.pile, self.asked = [], []
        if self.rules["round_ends"] == "call":
            self._to_follow = None  # the next player leads [C7]
        parties = {"left_of_accused": self._left_of(last.seat), "right_party": right, "wrong_party": wrong}
        self._close(last.seat, parties[self.rules["after_call"]])  # [C5]
        event = {"seat": caller, "call": last.seat, "truthful": last.truthful, "wrong": wrong}
        self.events.append(event | {"pile": len(taken), "drawn": [], "given": [], "next": self.to_move})

    def _close(self, accused: int, mover: int) -> None:
        """The window has closed: has its player gone out [C10], was it the last turn [E2], who is next."""
        if not self.hands[accused]:
            self.winner = accused
        elif self.turns >= self.rules["max_turns"]:
            self.cut_off = True
        self._mover = mover

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % int(self.rules["players"])

    def rewards(self) -> list[float]:
        """What each seat gets [E3]; zeros while the deal goes on and when it was cut off."""
        players = self.rules["players"]
        if self.winner is None:
            return [0.0] * players
        loss = {"zero_sum": -1.0 / (players - 1), "win_loss": -1.0, "win": 0.0}[self.rules["rewards"]]
        return [1.0 if seat == self.winner else loss for seat in range(players)]

    def copy(self) -> Table:
        """An independent table in the same position."""
        other = object.__new__(Table)
        other.__dict__ |= self.__dict__
        other.hands = [hand.copy() for hand in self.hands]
        other.pile, other.events, other.asked = self.pile[:], self.events[:], self.asked[:]
        return other


def _sets_of_cards(cards: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    """Every distinct set of 1 to `most` of the sorted cards."""
    kinds = sorted(set(cards), key=cards.index)
    partial: list[tuple[str, ...]] = [()]
    for kind in kinds:
        held = cards.count(kind)
        partial = [s + (kind,) * n for s in partial for n in range(min(held, most - len(s)) + 1)]
    return (cards for cards in partial if cards)


# ---- counting small games: RULES.md section 8 ----


def count_histories(rules: dict[str, Any]) -> int:
    """The number of histories of a small game, unfinished ones counted.

    Counted is every node of the game tree of every distinct deal: the position after the deal, where no move
    is made yet, and one node for each legal move, a play or an answer (one seat's call or decline), down to
    the last. The deals are those of one dealer, the seat to the left opening. Cards are told apart by kind
    only, in deals and in plays, an undealt stock not by its order. Histories that reach one position count
    separately.
    """
    full = check_rules(rules)
    dealer = full["players"] - 1
    dealt = deck(full)
    total = 0
    for hands in distinct_deals(full, dealer):
        stock = dealt - Counter(card for hand in hands for card in hand)
        deal = {"dealer": dealer, "opener": 0, "hands": hands, "stock": list(stock.elements())}
        total += _count_from(Table(full, deal))
    return total


def _count_from(table: Table) -> int:
    """This node and all below it."""
    total = 1
    for move in table.legal_moves():
        after = table.copy()
        after.push(move)
        total += _count_from(after)
    return total


def distinct_deals(rules: dict[str, Any], dealer: int) -> Iterator[list[list[str]]]:
    """The hands of every deal, cards told apart by kind only."""

    def deal_on(left: Counter[str], sizes: list[int]) -> Iterator[list[list[str]]]:
        if not sizes:
            yield []
            return
        for hand in _hands_of(left, sizes[0]):
            for others in deal_on(left - Counter(hand), sizes[1:]):
                yield [list(hand), *others]

    yield from deal_on(deck(rules), hand_sizes(rules, dealer))


def _hands_of(cards: Counter[str], size: int) -> Iterator[tuple[str, ...]]:
    sets = _sets_of_cards(tuple(cards.elements()), size)
    return (hand for hand in sets if len(hand) == size)


# ---- reading records: RECORD.md ----

CONSEQUENCES = ("truthful", "wrong", "pile", "drawn", "given", "next")


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """Plays a record through, checks all it states, and returns it with every gap filled.

    Raises Fault at the first thing wrong, and NotPlayed for rules that this referee does not play. Cards keep
    their order and lose their suits.
    """
    with _faults_of(None, None):
        rules = _read_header(record)
    table, deal = _replay_deal(rules, 0, record["deals"][0])
    with _faults_of(1, None):
        if len(record["deals"]) > 1:  # [M1] is not played yet
            raise Illegal("a second deal, expected one deal without target_points")
    with _faults_of(None, None):
        result = _check_result(table, record.get("result"))
    optional = {key: record.get(key) for key in ("name", "seed", "seats")}
    return {"format": FORMAT, "rules": rules, **optional, "deals": [deal], "result": result}


@contextmanager
def _faults_of(deal: int | None, event: int | None) -> Iterator[None]:
    """Says where in the record something illegal stands."""
    try:
        yield
    except Illegal as problem:
        raise Fault(deal, event, str(problem)) from None


def _read_header(record: Any) -> dict[str, Any]:
    """Format, keys and rules of a record; the rules with all fields."""
    _check_keys("record", record, ("format", "rules", "deals"), ("name", "seed", "seats", "result"))
    if record["format"] != FORMAT:
        raise Illegal(f"format is {record['format']!r}, expected {FORMAT!r}")
    if not isinstance(record["rules"], dict):
        raise Illegal("rules is no object, expected the fields of RULES.md section 2")
    rules = check_rules(record["rules"])
    seats = record.get("seats")
    if seats is not None and (not isinstance(seats, list) or len(seats) != rules["players"]):
        raise Illegal(f"seats is {seats!r}, expected {rules['players']} names")
    if not isinstance(record["deals"], list) or not record["deals"]:
        raise Illegal("deals is empty or no list, expected at least one deal")
    return rules


def _check_keys(name: str, found: Any, required: Iterable[str], optional: Iterable[str]) -> None:
    if not isinstance(found, dict):
        raise Illegal(f"{name} is {found!r}, expected an object")
    if missing := [key for key in required if key not in found]:
        raise Illegal(f"{name} lacks {missing}")
    if unknown := set(found) - {*required, *optional}:
        raise Illegal(f"{name} has unknown keys {sorted(unknown)}, expected {[*required, *optional]}")


def _replay_deal(rules: dict[str, Any], index: int, deal: Any) -> tuple[Table, dict[str, Any]]:
    """Plays one deal of a record; the table as it then stands and the deal with its gaps filled."""
    with _faults_of(index, None):
        filled = _read_deal(rules, deal)
        table = Table(rules, filled)
    for at, event in enumerate(deal["events"]):
        with _faults_of(index, at):
            _replay_event(table, event)
    with _faults_of(index, len(deal["events"])):
        if "end" in deal:
            _replay_end(table, deal["end"])
    filled |= {"opener": table.opener, "events": table.events}
    if table.over:
        filled["end"] = {"winner": table.winner, "cut_off": table.cut_off}
    return table, filled


def _read_deal(rules: dict[str, Any], deal: Any) -> dict[str, Any]:
    """The deal proper, with its cards as this referee names them."""
    _check_keys("deal", deal, ("dealer", "hands", "events"), ("opener", "stock", "end"))
    for key in ("hands", "events"):
        if not isinstance(deal[key], list):
            raise Illegal(f"{key} is {deal[key]!r}, expected a list")
    hands = [_read_cards("hand", hand) for hand in deal["hands"]]
    read = {"dealer": deal["dealer"], "hands": hands, "stock": _read_cards("stock", deal.get("stock", []))}
    first = deal["events"][0] if deal["events"] else None
    if "opener" in deal:
        return read | {"opener": deal["opener"]}
    if rules["first_player"] == "random" and isinstance(first, dict) and "seat" in first:
        return read | {"opener": first["seat"]}  # somebody has moved: that seat opened
    return read


def _read_cards(name: str, cards: Any) -> list[str]:
    """Card texts; a suit is accepted and ignored."""
    if not isinstance(cards, list):
        raise Illegal(f"{name} is {cards!r}, expected a list of cards")
    for card in cards:
        if not isinstance(card, str) or not re.fullmatch(rf"[{RANK_LETTERS}][SHDC]?|{JOKER}", card):
            raise Illegal(f"{name} holds {card!r}, expected a rank of {RANK_LETTERS} or {JOKER}")
    return [card[0] for card in cards]


def _replay_event(table: Table, event: Any) -> None:
    if isinstance(event, dict) and "call" in event:
        _replay_call(table, event)
    elif isinstance(event, dict) and "play" in event:
        _replay_play(table, event)
    else:
        raise Illegal(f"event is {event!r}, expected a play (seat, claim, play) or a call (seat, call)")


def _replay_play(table: Table, event: dict[str, Any]) -> None:
    """A play: whoever could have called before it did not."""
    _check_keys("play", event, ("seat", "claim", "play"), ())
    cards = _read_cards("play", event["play"])
    _decline_all(table)
    if not _same(event["seat"], table.to_move):
        raise Illegal(f"a play of seat {event['seat']!r}, expected {_whose_move(table)}")
    table.push(("play", event["claim"], cards))
    table.events[-1]["play"] = cards


def _replay_call(table: Table, event: dict[str, Any]) -> None:
    """A call and its consequences: the seats asked before the caller declined."""
    _check_keys("call", event, ("seat", "call"), CONSEQUENCES)
    if not table.asking:
        raise Illegal(f"a call of seat {event['seat']!r}, expected {_whose_move(table)}")
    if not _is_int(event["seat"]) or event["seat"] not in table.asked:
        raise Illegal(f"a call of seat {event['seat']!r}, expected one of the seats asked, {table.asked}")
    while table.to_move != event["seat"]:
        table.push(("decline",))
    table.push(("call",))
    _check_stated("call", event, table.events[-1])


def _replay_end(table: Table, end: Any) -> None:
    """The end of a deal: whoever could have called did not."""
    _check_keys("end", end, (), ("winner", "cut_off"))
    _decline_all(table)
    if not table.over:
        raise Illegal(f"the deal ends, expected {_whose_move(table)}")
    _check_stated("end", end, {"winner": table.winner, "cut_off": table.cut_off})


def _decline_all(table: Table) -> None:
    while table.asking:
        table.push(("decline",))


def _whose_move(table: Table) -> str:
    return "the end of the deal" if table.over else f"a play of seat {table.to_move}"


def _check_stated(name: str, stated: dict[str, Any], rightly: dict[str, Any]) -> None:
    for key, value in stated.items():
        if not _same(value, rightly[key]):
            raise Illegal(f"{key} of the {name} is {value!r}, expected {rightly[key]!r}")


def _check_result(table: Table, stated: Any) -> dict[str, Any] | None:
    """The result of a finished game [E3]; None while it is unfinished."""
    if not table.over:
        if stated is not None:
            raise Illegal(f"result is {stated!r}, expected none while the game is unfinished")
        return None
    rewards = table.rewards()
    scores = [int(seat == table.winner) for seat in range(len(rewards))]
    result = {"winner": table.winner, "scores": scores, "rewards": rewards, "cut_off": table.cut_off}
    if stated is not None:
        _check_keys("result", stated, (), result)
        if not _close_to(stated.get("rewards", rewards), rewards):
            raise Illegal(f"rewards of the result are {stated['rewards']}, expected {rewards}")
        _check_stated("result", {**stated, "rewards": rewards}, result)
    return result


def _close_to(stated: Any, rewards: list[float]) -> bool:
    """Equal but for the rounding of a 32-bit number."""
    if not isinstance(stated, list) or len(stated) != len(rewards):
        return False
    return all(
        isinstance(one, int | float) and math.isclose(one, other, abs_tol=1e-6)
        for one, other in zip(stated, rewards, strict=True)
    )
