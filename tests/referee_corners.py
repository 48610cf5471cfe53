"""Corner cases of RULES.md as little games written out by hand, every consequence included.

`CORNERS`: records as RECORD.md has them, by a sentence that says what happens; `REFUSED`: records whose last
event is not allowed, with a word of what was expected. Both are data for any reader of records: replaying a
corner gives it unchanged, also after `without_consequences`; a refused one is faulty at its last event.
"""

from __future__ import annotations

import copy
from typing import Any

from referee_records import FORMAT
from referee_rules import check_rules, deck, rewards

Event = dict[str, Any]
Record = dict[str, Any]

CONSEQUENCES = {
    "call": ("truthful", "wrong", "pile", "drawn", "back", "next"),
    "accuse": ("guilty", "drawn"),
    "cleared": ("next",),
}


def without_consequences(record: Record) -> Record:
    """The record with all that may be left out left out; `given` only where somebody or chance decided it."""
    bare = copy.deepcopy(record)
    bare.pop("result", None)
    for deal in bare["deals"]:
        if "end" in deal:
            deal["end"] = {}
        for event in deal["events"]:
            for kind, names in CONSEQUENCES.items():
                if kind in event:
                    for name in names:
                        event.pop(name, None)
            if "given" in event and not event["given"]:
                del event["given"]
    return bare


def start(card: str, votes: str = "", back_at: int | None = None) -> Event:
    """A start card turned; the votes as letters: a(nother), k(eep)."""
    return {"start": card, "votes": [vote == "a" for vote in votes], "back_at": back_at}


def play(seat: int, claim: str, cards: str | None = None) -> Event:
    """A play; without cards it is the card claimed."""
    return {"seat": seat, "claim": claim, "play": (cards or claim).split()}


def passes(seat: int) -> Event:
    """A pass."""
    return {"seat": seat, "pass": True}


def call(
    seat: int, accused: int, verdict: str, *, pile: int = 0, drawn: str = "", given: str = "", then: int | None,
    back: str = "", callers: list[int] | None = None,
) -> Event:  # fmt: skip
    """A call and what it brings; the verdict is "bluff" or "true", `then` the seat to move."""
    event: Event = {"seat": seat, "call": accused}
    if callers is not None:
        event["callers"] = callers
    truthful = {"true": True, "bluff": False}[verdict]
    event |= {"truthful": truthful, "wrong": seat if truthful else accused, "pile": pile}
    event |= {"drawn": drawn.split(), "given": given.split()}
    if back:
        event["back"] = back.split()
    return event | {"next": then}


def cleared(number: int, then: int | None) -> Event:
    """The pile set aside."""
    return {"cleared": number, "next": then}


def drop(seat: int, card: str, *noticed: int) -> Event:
    """A drop and who notices it."""
    return {"seat": seat, "drop": card, "noticed": list(noticed)}


def alarm(seat: int, *noticed: int) -> Event:
    """A false alarm about this seat."""
    return {"alarm": seat, "noticed": list(noticed)}


def accuse(seat: int, accused: int, guilty: bool, drawn: str = "") -> Event:
    """An accusation and what it brings."""
    return {"seat": seat, "accuse": accused, "guilty": guilty, "drawn": drawn.split()}


def dealt(
    rules: dict[str, Any], hands: list[str], events: list[Event], *, stock: str = "", dealer: int | None = None,
    end: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """A deal of the last seat, or of the dealer named; what is left of the deck lies under the stock named.

    `end` is the winner's seat, "cut off", or None for a deal that goes on.
    """
    held = [hand.split() for hand in hands]
    top = stock.split()
    left = deck(check_rules(rules))
    left.subtract(card for cards in [*held, top] for card in cards)
    dealer = len(hands) - 1 if dealer is None else dealer
    deal = {"dealer": dealer, "opener": (dealer + 1) % len(hands), "hands": held, "stock": [*top, *left.elements()]}
    deal["events"] = events
    if end is not None:
        deal["end"] = {"winner": None if end == "cut off" else end, "cut_off": end == "cut off"}
    return deal


def game(rules: dict[str, Any], *deals: dict[str, Any], unfinished: bool = False) -> Record:
    """A whole record; the result is that of the last deal's winner unless the game goes on."""
    full = check_rules(rules)
    record = {"format": FORMAT, "rules": full, "name": None, "seed": None, "seats": None, "deals": list(deals)}
    ends = [deal["end"] for deal in deals if "end" in deal]
    if unfinished or len(ends) < len(deals):
        return record | {"result": None}
    scores = [sum(end["winner"] == seat for end in ends) for seat in range(full["players"])]
    result = {"winner": ends[-1]["winner"], "scores": scores, "rewards": rewards(full, ends[-1]["winner"])}
    return record | {"result": result | {"cut_off": ends[-1]["cut_off"]}}


def one(rules: dict[str, Any], hands: list[str], *events: Event, stock: str = "", end: Any = None) -> Record:
    """A game of one deal."""
    full = {"players": len(hands)} | rules
    if "suited" in full or "penalty" in full:
        full = {"hand_size": len(hands[0].split())} | full
    return game(full, dealt(full, hands, list(events), stock=stock, end=end))


# Bluffstopp with few cards: ranks 2 3 4 … of the order that has the ace at its top.
STOPP: dict[str, Any] = {
    "suited": True, "ace": "high", "lead": "any", "follow": "higher_in_suit", "penalty": "stock_3",
    "round_ends": "call", "after_call": "right_party",
}  # fmt: skip
SPADES = STOPP | {"suits": 1}  # 2 … K A of spades
TWELVE = STOPP | {"ranks": 6, "suits": 2}  # 2 … 7 of spades and hearts
EIGHT = STOPP | {"ranks": 4, "suits": 2}  # 2 … 5 of spades and hearts
SIX = STOPP | {"ranks": 3, "suits": 2}  # 2 3 4 of spades and hearts
NOTHING = {"empty_stock": "nothing"}
CHOOSE = {"give": "choose"}
OPEN = {"passing": "allowed", "all_passed": "last_player_leads"}
DROPP: dict[str, Any] = {"dropp": {"penalty": 3, "notice": 0.3, "false_notice": 0.02}}

CORNERS: dict[str, Record] = {
    # ---- the start card ----
    "[B2] a start card that is an ace leaves the opener free to lead": one(
        SPADES | {"start_card": "keep"}, ["2S 3S", "4S 5S"],
        start("AS"), play(0, "2S"), stock="AS",
    ),
    "[B2] a start card that is a joker leaves the opener free to lead and nobody is asked about it": one(
        SPADES | {"start_card": "vote", "start_card_high": "2", "jokers": 1}, ["2S 3S", "4S 5S"],
        start("X"), play(0, "2S"), stock="X",
    ),
    "[B2] a kept start card is followed, lies under the pile and is taken with it": one(
        SPADES | {"start_card": "keep", "penalty": "pile"}, ["2S 3S", "4S 5S"],
        start("7S"), play(0, "8S", "2S"), call(1, 0, "bluff", pile=2, then=1), stock="7S",
    ),
    "[B2] start cards are voted away until nobody is asked, each going back where chance says": one(
        SPADES | {"start_card": "vote", "start_card_redraws": 2}, ["2S 3S", "4S 5S"],
        start("KS", "aa", 2), start("QS", "aa", 0), start("QS"), play(0, "KS", "2S"), stock="KS QS JS",
    ),
    "[B2] a tie of votes keeps the start card": one(
        SPADES | {"start_card": "vote"}, ["2S 3S", "4S 5S"],
        start("JS", "ak"), play(0, "QS", "2S"), stock="JS",
    ),
    "[B2] two of three votes turn another card, which is too low to be asked about": one(
        SPADES | {"start_card": "vote"}, ["2S", "3S", "4S"],
        start("JS", "aka", 7), start("5S"), play(0, "6S", "2S"), stock="JS 5S",
        end=0,
    ),
    "[B2] a start card voted away into an empty stock is turned again": one(
        SIX | {"start_card": "vote", "start_card_high": "4", "ranks": 3, "suits": 1}, ["2S", "3S"],
        start("4S", "aa", 0), start("4S", "kk"), play(0, "3S", "2S"), end=0,
    ),
    "[B2] without redraws nobody is asked": one(
        SPADES | {"start_card": "vote", "start_card_redraws": 0}, ["2S 3S", "4S 5S"],
        start("KS"), play(0, "AS", "2S"), stock="KS",
    ),
    "[B2] a start card in an unsuited game gives the rank to follow": one(
        {"ranks": 4, "suits": 2, "hand_size": 2, "start_card": "keep"}, ["A A", "2 2"],
        start("3"), play(0, "4", "A A"), call(1, 0, "bluff", pile=3, then=1), play(1, "A", "2"), stock="3",
    ),
    # ---- claims that nothing can follow ----
    "[B4] an uncalled ace lets its player lead": one(
        SPADES, ["2S 3S", "4S 5S"],
        play(0, "AS", "2S"), play(0, "3S"), end=0,
    ),
    "[B4] a called ace under round_ends=never is not to be followed either": one(
        SPADES | {"round_ends": "never", "after_call": "left_of_accused"}, ["2S 3S", "4S 5S"],
        play(0, "AS", "2S"), call(1, 0, "bluff", drawn="6S 7S 8S", then=1), play(1, "2S", "4S"), stock="6S 7S 8S",
    ),
    "[B4] under round_ends=never a claim that was called is followed if it can be": one(
        SPADES | {"round_ends": "never", "after_call": "left_of_accused"}, ["2S 3S", "4S 5S"],
        play(0, "KS", "2S"), call(1, 0, "bluff", drawn="6S 7S 8S", then=1), play(1, "AS", "4S"), play(1, "2S", "5S"),
        stock="6S 7S 8S", end=1,
    ),
    "[B4] nobody is asked to pass on an ace, and clear_pile leaves the pile": one(
        SPADES | OPEN | {"all_passed": "clear_pile", "penalty": "pile"}, ["2S 3S 4S", "5S 6S 7S"],
        play(0, "AS", "2S"), play(0, "2S", "3S"), call(1, 0, "bluff", pile=2, then=1),
    ),
    # ---- penalties and the short stock ----
    "[B6] a true claim that is called costs the caller three cards, and the accused leads": one(
        TWELVE, ["2S 3S", "2H 3H"],
        play(0, "2S"), call(1, 0, "true", drawn="4S 5S 6S", then=0), play(0, "3S", "3S"), stock="4S 5S 6S",
        end=0,
    ),
    "[B6] turned cards stay in the pile when the stock pays, so that nobody can take them": one(
        TWELVE, ["2S 3S", "2H 3H"],
        play(0, "4S", "2S"), call(1, 0, "bluff", drawn="4S 5S 6S", then=1), play(1, "2S", "2H"),
        call(0, 1, "bluff", drawn="7S 4H 5H", then=0), stock="4S 5S 6S 7S 4H 5H",
    ),
    "[B7] a stock of two cards pays two, the right party one, drawn blind": one(
        EIGHT, ["2S 3S 4S", "2H 3H 4H"],
        play(0, "5S", "2S"), call(1, 0, "bluff", drawn="5S 5H", given="3H", then=1),
    ),
    "[B7] a stock of one card pays one, the right party picks two to give": one(
        TWELVE | CHOOSE | {"ranks": 7, "suits": 1}, ["2S 3S 4S", "5S 6S 7S"],
        play(0, "8S", "2S"), call(1, 0, "bluff", drawn="8S", given="5S 7S", then=1), play(1, "2S", "6S"), end=1,
    ),
    "[B7] an empty stock pays nothing, the right party gives all of its three cards and wins as caller": one(
        SIX, ["2S 3S 4S", "2H 3H 4H"],
        play(0, "4H", "2S"), call(1, 0, "bluff", given="2H 3H 4H", then=None), end=1,
    ),
    "[B7] a right party of three cards gives them all and wins as accused": one(
        EIGHT, ["2S 3S 4S 5S", "2H 3H 4H 5H"],
        play(0, "2S"), call(1, 0, "true", given="3S 4S 5S", then=None), end=0,
    ),
    "[B7] a right party of four cards keeps one": one(
        EIGHT | {"ranks": 5}, ["2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H"],
        play(0, "2S"), call(1, 0, "true", given="3S 4S 6S", then=0), play(0, "5S"), end=0,
    ),
    "[B7] a right party of two cards gives both and wins as accused": one(
        SIX, ["2S 3S 4S", "2H 3H 4H"],
        play(0, "2S"), call(1, 0, "true", given="3S 4S", then=None), end=0,
    ),
    "[B7] a right party of one card gives it and wins as accused": one(
        SIX | {"suits": 1, "ranks": 4}, ["2S 3S", "4S 5S"],
        play(0, "2S"), call(1, 0, "true", given="3S", then=None), end=0,
    ),
    "[B7] a right party without cards has nothing to give and wins as accused": one(
        SIX | {"suits": 1, "ranks": 2}, ["2S", "3S"],
        play(0, "2S"), call(1, 0, "true", then=None), end=0,
    ),
    "[B7] a right party of one card gives it and wins as caller although the accused laid a last card": one(
        SIX | {"suits": 1, "ranks": 2}, ["2S", "3S"],
        play(0, "3S", "2S"), call(1, 0, "bluff", given="3S", then=None), end=1,
    ),
    "[B7] a right party of two cards gives both and wins as caller": one(
        SIX | {"suits": 1, "ranks": 4}, ["2S 3S", "4S 5S"],
        play(0, "5S", "2S"), call(1, 0, "bluff", given="4S 5S", then=None), end=1,
    ),
    "[B7] a stock of two and a right party of one: the party is left without cards and wins": one(
        SIX | {"suits": 1, "ranks": 4}, ["2S", "3S"],
        play(0, "5S", "2S"), call(1, 0, "bluff", drawn="4S 5S", given="3S", then=None), stock="4S 5S", end=1,
    ),
    "[B7] the right party with three cards keeps one of them when the stock pays one": one(
        SIX | {"suits": 1, "ranks": 7}, ["2S 3S 4S", "5S 6S 7S"],
        play(0, "2S", "2S"), call(1, 0, "true", drawn="8S", given="3S 4S", then=None), stock="8S", end=0,
    ),
    "[B7] under nothing what the stock lacks is not paid": one(
        EIGHT | NOTHING, ["2S 3S 4S", "2H 3H 4H"],
        play(0, "5S", "2S"), call(1, 0, "bluff", drawn="5S 5H", then=1), play(1, "2S", "2H"),
        call(0, 1, "bluff", then=0),
    ),
    "[B6] the whole stock is taken as penalty, and an empty one stands for three cards": one(
        EIGHT | CHOOSE | {"penalty": "whole_stock"}, ["2S 3S", "2H 3H"],
        play(0, "5S", "2S"), call(1, 0, "bluff", drawn="4S 5S 4H 5H", then=1), play(1, "2S", "2H"),
        call(0, 1, "bluff", given="3S 4S 5S", then=0), stock="4S 5S 4H 5H",
    ),
    "[B8] a bluff with the last card called where no penalty card exists goes back to the hand": one(
        SIX | NOTHING | {"suits": 1, "ranks": 2}, ["2S", "3S"],
        play(0, "3S", "2S"), call(1, 0, "bluff", back="2S", then=1), play(1, "3S"), end=1,
    ),
    "[B8] several cards go back in an unsuited game, and the sequence goes on by a rank": one(
        {"ranks": 2, "suits": 2, "hand_size": 2, "penalty": "stock_3"} | NOTHING, ["2 2", "A A"],
        play(0, "A", "2 2"), call(1, 0, "bluff", back="2 2", then=1), play(1, "2", "A"),
        play(0, "A", "2"), call(1, 0, "bluff", then=1), play(1, "2", "A"), end=1,
    ),
    "[B8] a bluff with the last card that costs one card goes on with that card": one(
        SIX | NOTHING | {"suits": 1, "ranks": 3}, ["2S", "3S"],
        play(0, "4S", "2S"), call(1, 0, "bluff", drawn="4S", then=1), stock="4S",
    ),
    "[C6] [B8] a bluff with the last card that nobody calls wins": one(
        SIX | {"suits": 1, "ranks": 2}, ["2S", "3S"], play(0, "3S", "2S"), end=0,
    ),
    "[B9] [C10] a last card that is a joker wins although it is called": one(
        SIX | {"jokers": 1}, ["X", "3S"],
        play(0, "4S", "X"), call(1, 0, "true", drawn="2S 4S 2H", then=None), stock="2S 4S 2H", end=0,
    ),
    # ---- passing ----
    "[C9] everyone passes on the start card: the next seat leads and the pile stays": one(
        SPADES | OPEN | {"start_card": "keep", "penalty": "pile"}, ["2S 3S", "4S 5S", "6S 7S"],
        start("KS"), passes(0), passes(1), play(2, "2S", "6S"), call(0, 2, "bluff", pile=2, then=0), stock="KS",
    ),
    "[C9] everyone passes on the start card under clear_pile: no pile is cleared": one(
        SPADES | OPEN | {"start_card": "keep", "all_passed": "clear_pile"}, ["2S 3S", "4S 5S"],
        start("KS"), passes(0), play(1, "4S"), passes(0), cleared(2, 1), play(1, "2S", "5S"), stock="KS", end=1,
    ),
    "[C9] under must_play the last seat to be asked about the start card must lay": one(
        SPADES | OPEN | {"start_card": "keep", "all_passed": "must_play"}, ["2S 3S", "4S 5S", "6S 7S"],
        start("KS"), passes(0), passes(1), play(2, "AS", "6S"), play(2, "2S", "7S"), stock="KS", end=2,
    ),
    "[C9] under must_play all others having passed, the one who laid last must lay again": one(
        {"ranks": 3, "suits": 2, "passing": "allowed"}, ["A 2", "2 3", "A 3"],
        play(0, "A"), passes(1), passes(2), play(0, "2"), end=0,
    ),
    "[C9] passes with an empty pile clear no card, and the last player to have laid leads": one(
        {"ranks": 3, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}, ["A 2", "2 3", "A 3"],
        play(0, "A", "2"), call(1, 0, "bluff", pile=1, then=1), passes(1), passes(2), cleared(0, 0), play(0, "A"),
        play(1, "2"), passes(2), passes(0), cleared(2, 1), play(1, "A", "3"), end=1,
    ),
    "[C9] the run of passes counts whoever passed, the last player to have laid among them": one(
        {"ranks": 3, "suits": 2, "passing": "allowed", "all_passed": "last_player_leads", "after_call": "wrong_party"},
        ["A 2", "2 3", "A 3"],
        play(0, "A"), call(2, 0, "true", pile=1, then=2), passes(2), passes(0), play(0, "A", "2"), end=0,
    ),
    "[B5] after all others pass, the one who laid last leads and the pile stays": one(
        SPADES | OPEN | {"penalty": "pile"}, ["2S 3S 4S", "5S 6S 7S", "8S 9S TS"],
        play(0, "2S"), play(1, "5S"), passes(2), passes(0), play(1, "2S", "6S"),
        call(2, 1, "bluff", pile=3, then=2),
    ),
    "[C9] of two players one pass is enough": one(
        {"ranks": 2, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}, ["A 2", "A 2"],
        play(0, "A"), passes(1), cleared(1, 0), play(0, "A", "2"), end=0,
    ),
    "[E2] a pass on the last turn is cut off when its pile is cleared": one(
        {"ranks": 2, "suits": 2, "passing": "allowed", "all_passed": "clear_pile", "max_turns": 2}, ["A 2", "A 2"],
        play(0, "A"), passes(1), cleared(1, None), end="cut off",
    ),
    "[E2] a pass on the last turn that ends no round is cut off at once": one(
        {"ranks": 3, "suits": 2, "passing": "allowed", "all_passed": "clear_pile", "max_turns": 2},
        ["A 2", "2 3", "A 3"],
        play(0, "A"), passes(1), end="cut off",
    ),
    # ---- calls ----
    "[C3] of several who call in a race one is drawn, and the others do not matter": one(
        {"ranks": 4, "suits": 2, "call_order": "race", "after_call": "right_party"}, ["A 2", "3 4", "A 2", "3 4"],
        play(0, "A", "2"), call(2, 0, "bluff", callers=[1, 2, 3], pile=1, then=2), play(2, "2"),
        call(1, 2, "true", callers=[1], pile=1, then=2),
    ),
    "[C3] in a race nobody need call, and callers=next leaves one to ask": one(
        {"ranks": 4, "suits": 2, "call_order": "race", "callers": "next"}, ["A 2", "3 4", "A 2", "3 4"],
        play(0, "A", "2"), play(1, "2", "3"), call(2, 1, "bluff", callers=[2], pile=2, then=2),
    ),
    "[C5] [C7] two players: the caller is left of the accused and leads when a call ends the round": one(
        {"ranks": 3, "suits": 2, "round_ends": "call"}, ["A 2 3", "A 2 3"],
        play(0, "A", "2"), call(1, 0, "bluff", pile=1, then=1), play(1, "A"), call(0, 1, "true", pile=1, then=0),
    ),
    "[E2] a call on the last turn before the cut-off is paid in full": one(
        EIGHT | {"max_turns": 1}, ["2S 3S 4S", "2H 3H 4H"],
        play(0, "5S", "2S"), call(1, 0, "bluff", drawn="5S 5H", given="3H", then=None), end="cut off",
    ),
    "[E2] [C10] going out on the last turn wins, called or not": one(
        SIX | {"suits": 1, "ranks": 2, "max_turns": 1}, ["2S", "3S"],
        play(0, "2S"), call(1, 0, "true", then=None), end=0,
    ),
    "[E2] [B7] a caller who goes out by paying on the last turn wins": one(
        SIX | {"suits": 1, "ranks": 2, "max_turns": 1}, ["2S", "3S"],
        play(0, "3S", "2S"), call(1, 0, "bluff", given="3S", then=None), end=1,
    ),
    "[E2] [B8] a last card that goes back on the last turn is cut off": one(
        SIX | NOTHING | {"suits": 1, "ranks": 2, "max_turns": 1}, ["2S", "3S"],
        play(0, "3S", "2S"), call(1, 0, "bluff", back="2S", then=None), end="cut off",
    ),
    # ---- many cards ----
    "[C1] [C2] with two decks eight of a rank are laid in one play": one(
        {"ranks": 2, "suits": 4, "decks": 2}, [" ".join("A" * 8), " ".join("2" * 8)],
        play(0, "A", "A A A A A A A A"), call(1, 0, "true", pile=8, then=None), end=0,
    ),
    "[C2] under max_cards=hand six cards are laid of a rank that has four": one(
        {"ranks": 3, "suits": 4, "max_cards": "hand"}, ["A A 2 2 3 3", "A A 2 2 3 3"],
        play(0, "A", "A A 2 2 3 3"), call(1, 0, "bluff", pile=6, then=1), play(1, "2", "A A 2 3 3"),
    ),
    # ---- dropp ----
    "[D3] the claimant who has just laid the last card is found out, takes the penalty and does not go out": one(
        TWELVE | DROPP, ["2S 3S", "2H 3H"],
        drop(0, "3S", 1), play(0, "2S"), accuse(1, 0, True, "4S 5S 6S"), stock="4S 5S 6S",
    ),
    "[D3] [C10] found out with an empty stock, the claimant of a last card wins all the same": one(
        SIX | DROPP | {"suits": 1, "ranks": 4}, ["2S 3S", "4S 5S"],
        drop(0, "3S"), play(0, "2S"), accuse(1, 0, True), end=0,
    ),
    "[D3] accuser, then the rest are asked about the play, and the accuser may still call": one(
        TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"],
        play(0, "4S", "2S"), accuse(1, 2, False, "6S 7S 4H"), call(1, 0, "bluff", drawn="5H 6H 7H", then=1),
        stock="6S 7S 4H 5H 6H 7H",
    ),
    "[D3] an innocent accused costs the accuser the penalty, and the next seat may accuse again": one(
        TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"],
        play(0, "2S"), accuse(1, 0, False, "6S 7S 4H"), accuse(2, 0, False, "5H 6H 7H"), play(1, "7S"),
        accuse(2, 0, False), stock="6S 7S 4H 5H 6H 7H",
    ),
    "[D3] a seat found out has a clean slate until it drops again": one(
        TWELVE | DROPP, ["2S 3S 4S", "2H 3H 4H"],
        drop(0, "3S"), play(0, "2S"), accuse(1, 0, True, "5S 6S 7S"), play(1, "5S", "2H"),
        accuse(0, 1, False, "5H 6H 7H"), play(0, "6S"), accuse(1, 0, False), stock="5S 6S 7S 5H 6H 7H",
    ),
    "[D1] [D2] a drop before a pass, noticed by one of the others": one(
        TWELVE | OPEN | DROPP, ["2S 3S", "2H 3H", "4S 5S"],
        play(0, "2S"), drop(1, "2H", 2), passes(1), passes(2), play(0, "4H", "3S"), accuse(2, 1, True, "6S 7S 4H"),
        stock="6S 7S 4H", end=0,
    ),
    "[D2] a false alarm comes directly after the play or pass and before a pile is cleared": one(
        TWELVE | OPEN | DROPP | {"all_passed": "clear_pile"}, ["2S 3S", "2H 3H"],
        play(0, "2S"), alarm(0, 1), passes(1), alarm(1, 0), cleared(1, 0),
    ),
    "[D2] where everybody notices everything the alarm is as certain as the notice": one(
        TWELVE | {"dropp": {"penalty": 6, "notice": 1, "false_notice": 1.0}}, ["2S 3S", "2H 3H", "4S 5S"],
        drop(0, "2S", 1, 2), play(0, "3S"), accuse(1, 0, True, "6S 7S 4H 5H 6H 7H"), play(1, "4S", "2H"),
        alarm(1, 2, 0), stock="6S 7S 4H 5H 6H 7H",
    ),
    # ---- matches ----
    "[M1] a match to one point is decided on the first deal": game(
        {"players": 2, "ranks": 2, "suits": 1, "target_points": 1},
        dealt({"players": 2, "ranks": 2, "suits": 1}, ["A", "2"], [play(0, "A")], end=0),
    ),
    "[M1] a match to two points is decided on the last possible deal, each dealt one seat further left": game(
        {"players": 2, "ranks": 2, "suits": 1, "target_points": 2, "rewards": "win_loss"},
        dealt({"players": 2, "ranks": 2, "suits": 1}, ["A", "2"], [play(0, "A")], end=0),
        dealt({"players": 2, "ranks": 2, "suits": 1}, ["2", "A"], [play(1, "A")], dealer=0, end=1),
        dealt({"players": 2, "ranks": 2, "suits": 1}, ["2", "A"], [play(0, "A", "2")], dealer=1, end=0),
    ),
    "[M2] a deal that is cut off ends the match without a winner, scores as they stand": game(
        {"players": 2, "ranks": 2, "suits": 2, "target_points": 2, "max_turns": 1},
        dealt({"players": 2, "ranks": 2, "suits": 2}, ["A A", "2 2"], [play(0, "A", "A A")], end=0),
        dealt({"players": 2, "ranks": 2, "suits": 2}, ["2 2", "A A"], [play(1, "A")], dealer=0, end="cut off"),
    ),
    "[M1] between two deals a match is unfinished": game(
        {"players": 2, "ranks": 2, "suits": 1, "target_points": 2},
        dealt({"players": 2, "ranks": 2, "suits": 1}, ["A", "2"], [play(0, "A")], end=0),
        unfinished=True,
    ),
}  # fmt: skip


# Each with its last event at fault, and a word of the message.
REFUSED: dict[str, tuple[Record, str]] = {
    "[B3] a lower card does not follow": (one(SPADES, ["2S 3S", "4S 5S"], play(0, "5S", "2S"), play(1, "4S")), "claim"),
    "[B3] another suit does not follow": (one(TWELVE, ["2S 3S", "4S 5S"], play(0, "2S"), play(1, "5H", "5S")), "claim"),
    "[B3] two cards are not laid in a suited game": (one(SPADES, ["2S 3S", "4S 5S"], play(0, "2S", "2S 3S")), "1 to 1"),
    "[B9] a joker is not claimed": (one(SPADES | {"jokers": 1}, ["X 3S", "4S 5S"], play(0, "X")), "claim"),
    "[B4] the next seat has no turn after an uncalled ace": (
        one(SPADES, ["2S 3S", "4S 5S"], play(0, "AS", "2S"), play(1, "5S")), "seat 0",
    ),
    "[B4] no pass on an ace": (one(SPADES | OPEN, ["2S 3S", "4S 5S"], play(0, "AS", "2S"), passes(1)), "seat 0"),
    "[B2] the pile's start card must be written": (
        one(SPADES | {"start_card": "keep"}, ["2S", "3S"], play(0, "AS", "2S"), stock="4S"), "start",
    ),
    "[B2] the start card is the top of the stock": (
        one(SPADES | {"start_card": "keep"}, ["2S", "3S"], start("5S"), stock="4S 5S"), "4S",
    ),
    "[B2] votes are not left out where seats are asked": (
        one(SPADES | {"start_card": "vote"}, ["2S", "3S"], {"start": "KS"}, stock="KS"), "votes",
    ),
    "[B2] every seat votes": (
        one(SPADES | {"start_card": "vote"}, ["2S", "3S"], start("KS", "a", 0), stock="KS"), "votes",
    ),
    "[B2] where a card voted away goes is not left out": (
        one(SPADES | {"start_card": "vote"}, ["2S", "3S"], start("KS", "aa"), stock="KS"), "back_at",
    ),
    "[B2] a card is put back inside the stock": (
        one(SIX | {"start_card": "vote", "start_card_high": "4"}, ["2S", "3S"], start("4S", "aa", 4), stock="4S"),
        "back_at",
    ),
    "[B2] a kept card goes nowhere": (
        one(SPADES | {"start_card": "vote"}, ["2S", "3S"], start("KS", "ak", 1), stock="KS"), "back_at",
    ),
    "[B2] no start card without the rule": (one(SPADES, ["2S", "3S"], start("KS"), stock="KS"), "start"),
    "[C9] whoever leads must lay": (
        one({"ranks": 2, "suits": 2, "passing": "allowed"}, ["A 2", "A 2"], passes(0)), "pass",
    ),
    "[C9] nobody passes without the rule": (
        one({"ranks": 2, "suits": 2}, ["A 2", "A 2"], play(0, "A"), passes(1)), "pass",
    ),
    "[C9] must_play forbids the last pass": (
        one({"ranks": 2, "suits": 2, "passing": "allowed"}, ["A 2", "A 2"], play(0, "A"), passes(1), passes(0)), "pass",
    ),
    "[C9] a cleared pile must be written": (
        one({"ranks": 2, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}, ["A 2", "A 2"],
            play(0, "A"), passes(1), play(0, "A", "2")), "cleared",
    ),
    "[C9] no pile is cleared under last_player_leads": (
        one({"ranks": 2, "suits": 2} | OPEN, ["A 2", "A 2"], play(0, "A"), passes(1), cleared(1, 0)), "cleared",
    ),
    "[C9] the number of cards cleared is that of the pile": (
        one({"ranks": 2, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}, ["A 2", "A 2"],
            play(0, "A"), passes(1), cleared(2, 0)), "cleared",
    ),
    "[C3] the callers of a race are not left out": (
        one({"ranks": 2, "suits": 2, "call_order": "race"}, ["A 2", "A 2"], play(0, "A"), {"seat": 1, "call": 0}),
        "callers",
    ),
    "[C3] the seat whose call counts is one of the callers": (
        one({"ranks": 3, "suits": 2, "call_order": "race"}, ["A 2", "A 2", "3 3"],
            play(0, "A"), call(1, 0, "true", callers=[2], pile=1, then=1)), "callers",
    ),
    "[C3] each caller is named once": (
        one({"ranks": 3, "suits": 2, "call_order": "race"}, ["A 2", "A 2", "3 3"],
            play(0, "A"), call(1, 0, "true", callers=[1, 1], pile=1, then=1)), "callers",
    ),
    "[C3] the accused is not among the callers": (
        one({"ranks": 3, "suits": 2, "call_order": "race"}, ["A 2", "A 2", "3 3"],
            play(0, "A"), call(1, 0, "true", callers=[0, 1], pile=1, then=1)), "callers",
    ),
    "[C3] no callers without a race": (
        one({"ranks": 2, "suits": 2}, ["A 2", "A 2"], play(0, "A"), call(1, 0, "true", callers=[1], pile=1, then=1)),
        "callers",
    ),
    "[C3] under callers=next only the seat to the left calls": (
        one({"ranks": 3, "suits": 2, "callers": "next"}, ["A 2", "A 2", "3 3"],
            play(0, "A"), call(2, 0, "true", pile=1, then=1)), "asked",
    ),
    "[B7] cards given are not left out where something decides them": (
        one(EIGHT, ["2S 3S 4S", "2H 3H 4H"], play(0, "5S", "2S"), {"seat": 1, "call": 0}), "given",
    ),
    "[B7] exactly the number owed is given": (
        one(EIGHT | CHOOSE, ["2S 3S 4S", "2H 3H 4H"],
            play(0, "5S", "2S"), call(1, 0, "bluff", drawn="5S 5H", given="2H 3H", then=1)), "given",
    ),
    "[B7] cards given are the right party's": (
        one(EIGHT | CHOOSE, ["2S 3S 4S", "2H 3H 4H"],
            play(0, "5S", "2S"), call(1, 0, "bluff", drawn="5S 5H", given="3S", then=1)), "given",
    ),
    "[B6] cards drawn are the top of the stock": (
        one(TWELVE, ["2S 3S", "2H 3H"], play(0, "4S", "2S"), call(1, 0, "bluff", drawn="4S 5S 7S", then=1),
            stock="4S 5S 6S"), "drawn",
    ),
    "[B8] no card goes back where a penalty was paid": (
        one(SIX | NOTHING | {"suits": 1, "ranks": 3}, ["2S", "3S"],
            play(0, "4S", "2S"), call(1, 0, "bluff", drawn="4S", back="2S", then=1), stock="4S"), "back",
    ),
    "[D3] nobody accuses oneself": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], play(0, "2S"), accuse(1, 1, False, "4S 5S 6S"), stock="4S 5S 6S"),
        "accuse",
    ),
    "[D3] nobody accuses twice in a window": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"],
            play(0, "2S"), accuse(1, 0, False, "6S 7S 4H"), accuse(1, 2, False, "5H 6H 7H"), stock="6S 7S 4H 5H 6H 7H"),
        "accuse",
    ),
    "[D3] seats asked earlier are not asked again": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"],
            play(0, "4S", "2S"), accuse(2, 1, False, "6S 7S 4H"), call(1, 0, "bluff", drawn="5H 6H 7H", then=1),
            stock="6S 7S 4H 5H 6H 7H"), "asked",
    ),
    "[D3] the player whose play it is does not accuse": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], play(0, "2S"), accuse(0, 1, False, "4S 5S 6S"), stock="4S 5S 6S"),
        "asked",
    ),
    "[D3] nobody accuses after a pass": (
        one(TWELVE | OPEN | DROPP, ["2S 3S", "2H 3H", "4S 5S"], play(0, "2S"), passes(1), accuse(2, 1, False)),
        "accusation",
    ),
    "[D3] nobody accuses without dropp": (
        one(TWELVE, ["2S 3S", "2H 3H"], play(0, "2S"), accuse(1, 0, False, "4S 5S 6S"), stock="4S 5S 6S"), "accuse",
    ),
    "[D3] the record does not decide who is guilty": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], play(0, "2S"), accuse(1, 0, True, "4S 5S 6S"), stock="4S 5S 6S"),
        "guilty",
    ),
    "[D1] nobody drops twice in a turn": (
        one(TWELVE | DROPP, ["2S 3S 4S", "2H 3H 4H"], drop(0, "2S"), drop(0, "3S")), "drop",
    ),
    "[D1] nobody drops the last card": (one(TWELVE | DROPP, ["2S", "2H"], drop(0, "2S")), "drop"),
    "[D1] nobody drops a card of another hand": (one(TWELVE | DROPP, ["2S 3S", "2H 3H"], drop(0, "2H")), "drop"),
    "[D1] nobody drops out of turn": (one(TWELVE | DROPP, ["2S 3S", "2H 3H"], drop(1, "2H")), "seat 0"),
    "[D1] nobody drops without dropp": (one(TWELVE, ["2S 3S", "2H 3H"], drop(0, "2S")), "drop"),
    "[D2] the one who drops is not the one who notices": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], drop(0, "2S", 0)), "noticed",
    ),
    "[D2] who notices is not left out": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], {"seat": 0, "drop": "2S"}), "noticed",
    ),
    "[D2] no false alarm about a seat that has dropped": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H"], drop(0, "2S"), play(0, "3S"), alarm(0, 1)), "alarm",
    ),
    "[D2] one false alarm at most": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"], play(0, "2S"), alarm(0, 1), alarm(0, 2)), "alarm",
    ),
    "[D2] a false alarm names somebody": (one(TWELVE | DROPP, ["2S 3S", "2H 3H"], play(0, "2S"), alarm(0)), "noticed"),
    "[D2] a false alarm is about the seat that has moved": (
        one(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"], play(0, "2S"), alarm(2, 1)), "alarm",
    ),
    "[D2] no false alarm where the probability is zero": (
        one(TWELVE | {"dropp": {"penalty": 3, "notice": 0.5, "false_notice": 0}}, ["2S 3S", "2H 3H"],
            play(0, "2S"), alarm(0, 1)), "alarm",
    ),
    "[D2] a drop that everybody notices is noticed by all": (
        one(TWELVE | {"dropp": {"penalty": 3, "notice": 1, "false_notice": 0}}, ["2S 3S", "2H 3H"], drop(0, "2S")),
        "noticed",
    ),
}  # fmt: skip
