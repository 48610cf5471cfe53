"""Reading game records: every statement checked against the rules, the first fault reported, gaps filled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluff_env.cards import claim_of, kind_of
from bluff_env.errors import BluffError, MoveError, RecordError
from bluff_env.game import Game
from bluff_env.moves import Move
from bluff_env.record import FORMAT
from bluff_env.ruleset import tables
from bluff_env.ruleset.rules import from_mapping

_RECORD_KEYS: Final = ("format", "rules", "name", "seed", "seats", "deals", "result")
_DEAL_KEYS: Final = ("dealer", "opener", "hands", "stock", "events", "end")
_PLAY_KEYS: Final = ("seat", "claim", "play")
_CALL_KEYS: Final = ("seat", "call", "truthful", "wrong", "pile", "drawn", "given", "next")
_END_KEYS: Final = ("winner", "cut_off")
_RESULT_KEYS: Final = ("winner", "scores", "rewards", "cut_off")
_REWARD_TOLERANCE: Final = 1e-6


def check_record(record: object) -> dict[str, Any]:
    """A record checked from its format to its result.

    Returns:
        The same record with gaps filled. Lists of cards keep the order they were read in.

    Raises:
        RecordError: the first fault, with the deal, the event's index and what was expected.
    """
    return _check(record)[1]


def game_of(record: object) -> Game:
    """The position a record leaves: a game that goes on after its last event, or one that is over.

    Raises:
        RecordError: the first fault.
    """
    return _check(record)[0]


def push_event(game: Game, event: Mapping[str, Any]) -> dict[str, Any]:
    """Plays one event of a record; seats that were asked before it and that it passes over decline.

    Returns:
        The event with every consequence.

    Raises:
        MoveError: illegal here, an unknown key, or a stated consequence that is not so; nothing has been played.
    """
    before = game.snapshot()
    try:
        return _push(game, event)
    except MoveError:
        game.restore(before)
        raise


def _push(game: Game, event: Mapping[str, Any]) -> dict[str, Any]:
    is_call = "call" in event
    if not is_call and "play" not in event:
        raise MoveError("neither 'play' nor 'call' found; a play (seat, claim, play) or a call (seat, call) expected")
    keys = _CALL_KEYS if is_call else _PLAY_KEYS
    for key in event:
        if key not in keys:
            raise MoveError(f"unknown key {key!r}; keys of a {'call' if is_call else 'play'}: {', '.join(keys)}")
    for key in keys[: 2 if is_call else 3]:
        if key not in event:
            raise MoveError(f"{key!r} is missing")
    seat = event["seat"]
    decline = game.layout.actions["decline"].start
    while game.asked and (not is_call or game.turn != seat):
        game.push_action(decline)
    if game.over:
        raise MoveError("the deal was over before it")
    if is_call and not game.asked:
        raise MoveError(f"seat {seat!r} was not to be asked; expected a play of seat {game.turn}")
    if isinstance(seat, bool) or seat != game.turn:
        raise MoveError(f"seat {seat!r} is not to move; expected seat {game.turn}")
    if is_call:
        game.push(Move("call"))
        return _agreeing(game.last_event() or {}, event)
    cards = _push_play(game, event)
    return _agreeing({**(game.last_event() or {}), "play": cards}, {**event, "play": cards})


def _push_play(game: Game, event: Mapping[str, Any]) -> list[str]:
    """Lays the cards of a play, and returns them as the rules write them, in the order they were read in."""
    cards, t = event["play"], tables(game.rules)
    if not isinstance(cards, list | tuple):
        raise MoveError(f"play {cards!r}; a list of cards expected")
    try:
        claim = t.claims[claim_of(t, event["claim"])]
        plain = [t.kinds[kind_of(t, card)] for card in cards]
    except BluffError as error:
        raise MoveError(str(error)) from None
    game.push(Move("play", claim, tuple(plain)))
    return plain


def _agreeing(filled: dict[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """The filled event; raises MoveError where a statement is not so."""
    for key, value in stated.items():
        if not _same(filled[key], value):
            raise MoveError(f"{key}: {value!r} stated, {filled[key]!r} expected")
    return filled


def _same(expected: Any, stated: Any) -> bool:
    """Equal, with true and 1 told apart."""
    return type(expected) is type(stated) and bool(expected == stated)


def _check(record: object) -> tuple[Game, dict[str, Any]]:
    if not isinstance(record, Mapping):
        raise RecordError(f"a game record is a mapping; {type(record).__name__} found")
    _known(record, _RECORD_KEYS, "record")
    if record.get("format") != FORMAT:
        raise RecordError(f"format: {record.get('format')!r} found; {FORMAT!r} expected")
    if not isinstance(record.get("rules"), Mapping):
        raise RecordError("rules: missing; every field of the rules object expected")
    try:
        r = from_mapping(record["rules"])
    except BluffError as error:
        raise RecordError(f"rules: {error}") from None
    name, seed = record.get("name"), record.get("seed")
    if name is not None and not isinstance(name, str):
        raise RecordError(f"name: {name!r} found; a text or null expected")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise RecordError(f"seed: {seed!r} found; a whole number of at least 0, or null, expected")
    seats = record.get("seats")
    if seats is not None and (not isinstance(seats, list) or [type(s) for s in seats] != [str] * r.players):
        raise RecordError(f"seats: {seats!r} found; {r.players} names or null expected")
    deals = record.get("deals")
    if not isinstance(deals, list) or not deals:
        raise RecordError(f"deals: {deals!r} found; a list of one deal expected (more only in match play)")
    game, deal = _check_deal(r, deals[0])
    if len(deals) > 1:
        raise RecordError("deal 1: a second deal found; only match play has more than one")
    filled = game.record()
    filled.update({key: record.get(key) for key in ("name", "seed", "seats")})
    filled["deals"] = [deal]
    _check_result(filled, record.get("result"))
    return game, filled


def _check_deal(r: Any, deal: object) -> tuple[Game, dict[str, Any]]:
    if not isinstance(deal, Mapping):
        raise RecordError(f"deal 0: a mapping expected; {type(deal).__name__} found")
    _known(deal, _DEAL_KEYS, "deal 0")
    events = deal.get("events")
    if not isinstance(events, list):
        raise RecordError(f"deal 0: events: a list expected; {type(events).__name__} found")
    dealt = {key: value for key, value in deal.items() if key in ("dealer", "opener", "hands", "stock")}
    if r.first_player == "random" and "opener" not in dealt:
        if not events or not isinstance(events[0], Mapping) or "seat" not in events[0]:
            raise RecordError(
                "deal 0: opener: missing; under first_player random it is needed until somebody has moved"
            )
        dealt["opener"] = events[0]["seat"]
    try:
        game = Game(r, seed=0, deal=dealt)
    except BluffError as error:
        raise RecordError(f"deal 0: {error}") from None
    filled = []
    for index, event in enumerate(events):
        try:
            if not isinstance(event, Mapping):
                raise MoveError(f"a mapping expected; {type(event).__name__} found")
            filled.append(push_event(game, event))
        except MoveError as error:
            raise RecordError(f"deal 0, event {index}: {error}") from None
    _check_end(game, deal.get("end"), "end" in deal, len(events))
    whole = game.record()["deals"][0]
    whole["events"] = filled
    for seat, hand in enumerate(dealt["hands"]):
        whole["hands"][seat] = [card if r.suited or card == "X" else card[0] for card in hand]
    return game, whole


def _check_end(game: Game, end: object, stated: bool, index: int) -> None:
    """`end` closes the deal: seats that were still asked have declined."""
    if not stated:
        return
    if not isinstance(end, Mapping):
        raise RecordError(f"deal 0, event {index}: end: a mapping expected; {type(end).__name__} found")
    _known(end, _END_KEYS, f"deal 0, event {index}: end")
    while game.asked:
        game.push(Move("decline"))
    if not game.over:
        raise RecordError(f"deal 0, event {index}: end: the deal is not over; seat {game.turn} is to move")
    for key, expected in (("winner", game.winner), ("cut_off", game.cut_off)):
        if key in end and not _same(expected, end[key]):
            raise RecordError(f"deal 0, event {index}: end: {key} {end[key]!r} stated, {expected!r} expected")


def _check_result(filled: dict[str, Any], result: object) -> None:
    if result is None:
        return
    if not isinstance(result, Mapping):
        raise RecordError(f"result: a mapping or null expected; {type(result).__name__} found")
    _known(result, _RESULT_KEYS, "result")
    if filled["result"] is None:
        raise RecordError("result: stated, but the game is not over; null expected")
    for key, value in result.items():
        expected = filled["result"][key]
        if key == "rewards":
            good = isinstance(value, list) and len(value) == len(expected) and all(map(_close, expected, value))
        else:
            good = _same(expected, value)
        if not good:
            raise RecordError(f"result: {key} {value!r} stated, {expected!r} expected")


def _close(expected: float, stated: object) -> bool:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return False
    return expected - _REWARD_TOLERANCE <= stated <= expected + _REWARD_TOLERANCE


def _known(mapping: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in mapping:
        if key not in keys:
            raise RecordError(f"{where}: unknown key {key!r}; keys: {', '.join(keys)}")
