"""Reading game records: every statement checked against the rules, the first fault reported, gaps filled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluff_env.cards import kind_of
from bluff_env.deals import parse_deal
from bluff_env.errors import BluffError, MoveError, RecordError
from bluff_env.game import Game
from bluff_env.record import FORMAT
from bluff_env.ruleset import Rules, tables
from bluff_env.ruleset.rules import from_mapping

_RECORD_KEYS: Final = ("format", "rules", "name", "seed", "seats", "deals", "result")
_DEAL_KEYS: Final = ("dealer", "opener", "hands", "stock", "events", "end")
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
    follower = game.follower
    before = follower.saved()
    try:
        if "alarm" in event and follower.repeatable and not any("alarm" in one for one in follower.pending):
            earlier, moved = follower.repeatable  # chance decides an alarm with the play or pass before it
            follower.back_to(earlier)
            follower.push(moved, event)
            return follower.push(event)
        if not {"call", "accuse", "alarm"} & set(event):
            follower.go_on()
        filled = follower.push(event)
    except MoveError:
        follower.back_to(before)
        raise
    follower.repeatable = (before, event) if "play" in event or "pass" in event else None
    return filled


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
    game, read = _check_deals(r, deals)
    filled = game.record()
    filled.update({key: record.get(key) for key in ("name", "seed", "seats")})
    filled["deals"] = read
    _check_result(filled, record.get("result"))
    return game, filled


def _check_deals(r: Rules, deals: list[Any]) -> tuple[Game, list[dict[str, Any]]]:
    game: Game | None = None
    filled: list[dict[str, Any]] = []
    for number, deal in enumerate(deals):
        where = f"deal {number}"
        if not isinstance(deal, Mapping):
            raise RecordError(f"{where}: a mapping expected; {type(deal).__name__} found")
        _known(deal, _DEAL_KEYS, where)
        events = deal.get("events")
        if not isinstance(events, list):
            raise RecordError(f"{where}: events: a list expected; {type(events).__name__} found")
        dealt = _dealt(r, deal, events, where)
        try:
            if game is None:
                game = Game(r, seed=0, deal=dealt)
            else:
                _next_deal(game, dealt, filled[-1])
        except BluffError as error:
            raise RecordError(f"{where}: {error}") from None
        filled.append(_check_events(game, deal, events, where))
    if game is None:
        raise RecordError("deals: [] found; a list of at least one deal expected")
    return game, filled


def _dealt(r: Rules, deal: Mapping[str, Any], events: list[Any], where: str) -> dict[str, Any]:
    """What was dealt. Under first_player random whoever moved first has opened."""
    dealt = {key: value for key, value in deal.items() if key in ("dealer", "opener", "hands", "stock")}
    if r.first_player == "random" and "opener" not in dealt:
        first = next((e for e in events if isinstance(e, Mapping) and ("play" in e or "drop" in e or "pass" in e)), {})
        if "seat" not in first:
            raise RecordError(
                f"{where}: opener: missing; under first_player random it is needed until somebody has moved"
            )
        dealt["opener"] = first["seat"]
    return dealt


def _next_deal(game: Game, dealt: Mapping[str, Any], last: Mapping[str, Any]) -> None:
    """Lays out a later deal of a match, with the dealer one seat to the left. [M1]"""
    if game.rules.target_points is None:
        raise RecordError("a second deal found; only match play has more than one")
    if game.over or last.get("end") is None:
        raise RecordError("the match was over, or the deal before it is not")
    expected = (last["dealer"] + 1) % game.rules.players
    if dealt.get("dealer") != expected:
        raise RecordError(f"dealer {dealt.get('dealer')!r} stated, {expected} expected, left of the last")
    game.batch.redeal(parse_deal(game.rules, dealt))
    game.follower.redealt()


def _check_events(game: Game, deal: Mapping[str, Any], events: list[Any], where: str) -> dict[str, Any]:
    r, follower = game.rules, game.follower
    whole: dict[str, Any] = {
        "dealer": deal["dealer"],
        "opener": int(game.batch.games["opener"][0]),
        "hands": [_plain(r, hand) for hand in deal["hands"]],
        "stock": _plain(r, deal.get("stock", [])),
        "events": [],
    }
    for index, event in enumerate(events):
        try:
            if not isinstance(event, Mapping):
                raise MoveError(f"a mapping expected; {type(event).__name__} found")
            following = events[index + 1] if index + 1 < len(events) else None
            whole["events"].append(follower.push(event, following))
        except MoveError as error:
            raise RecordError(f"{where}, event {index}: {error}") from None
    by_itself = [event for event in follower.pending if "end" not in event]
    whole["events"] += by_itself  # a pile cleared, a start card not voted on, a certain alarm
    follower.pending = follower.pending[len(by_itself) :]
    end = _check_end(game, deal, where, len(events))
    if end is not None:
        whole["end"] = end
    return whole


def _plain(r: Rules, cards: Any) -> list[str]:
    t = tables(r)
    return [t.kinds[kind_of(t, card)] for card in cards]


def _check_end(game: Game, deal: Mapping[str, Any], where: str, index: int) -> dict[str, Any] | None:
    """`end` closes the deal: seats that were still asked have declined. Without it the position stands."""
    if "end" not in deal:
        return game.follower.close() if game.follower.pending else None
    end = deal["end"]
    if not isinstance(end, Mapping):
        raise RecordError(f"{where}, event {index}: end: a mapping expected; {type(end).__name__} found")
    _known(end, _END_KEYS, f"{where}, event {index}: end")
    found = game.follower.close()
    if found is None:
        raise RecordError(f"{where}, event {index}: end: the deal is not over; seat {game.turn} is to move")
    for key, value in end.items():
        if not _same(found[key], value):
            raise RecordError(f"{where}, event {index}: end: {key} {value!r} stated, {found[key]!r} expected")
    return found


def _same(expected: Any, stated: Any) -> bool:
    """Equal, with true and 1 told apart."""
    return type(expected) is type(stated) and bool(expected == stated)


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
