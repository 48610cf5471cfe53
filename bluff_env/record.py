"""Game records (`bluff-record/1`): one game, hidden cards included, written so that it can be replayed and checked.

For after the game, never an observation. JSON; a file of many games is JSON Lines.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import texts_of
from bluff_env.deals import hand_sizes
from bluff_env.engine import state as codes
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.state import EVENT_NEXT, EVENT_WIDTH
from bluff_env.errors import RecordError
from bluff_env.ruleset import Rules, Tables, tables

FORMAT: Final = "bluff-record/1"


def record_of_row(batch: GameBatch, row: int, name: str | None = None) -> dict[str, Any]:
    """The game of one row of a batch as a record, finished or under way.

    `seed` is None where the deal was given; `seats` is None, for the caller to fill in. `name`: what the rules are
    called, if not the batch's name.
    """
    r = batch.rules
    game = batch.games[row]
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": r.to_dict(),
        "name": batch.name if name is None else name,
        "seed": None if game["given_deal"] else int(game["seed"]),
        "seats": None,
        "deals": deals_of(batch, row),
        "result": None,
    }
    if int(game["player"]) < 0:
        cut_off = bool(game["cut_off"])
        record["result"] = {
            "winner": None if cut_off else int(game["winner"]),
            "scores": [int(score) for score in game["scores"][: r.players]],
            "rewards": rewards_of(batch, row),
            "cut_off": cut_off,
        }
    return record


def deals_of(batch: GameBatch, row: int) -> list[dict[str, Any]]:
    """The deals of a row's game with their events: one, or in match play as many as have been begun."""
    r, t = batch.rules, tables(batch.rules)
    game = batch.games[row]
    events, later = batch.trace(row)
    first = int(batch.rule["c_deck" if r.target_points is None else "c_first"][0])
    start = "" if r.target_points is None else "first_"
    deck = batch.cards[row, first : first + r.deck_size]
    deals = [_deal(r, int(game[f"{start}dealer"]), int(game[f"{start}opener"]), deck)]
    for event in events.tolist():
        if event[0] == codes.EVENT_END:
            deals[-1]["end"] = {"winner": None if event[1] < 0 else event[1], "cut_off": bool(event[2])}
            if event[1] >= 0 and len(deals) <= _deals_begun(game, r) - 1:
                dealt = later[len(deals) - 1]
                deals.append(_deal(r, int(dealt[0]), int(dealt[1]), dealt[2:]))
        else:
            deals[-1]["events"].append(event_of(t, event, deals[-1]["dealer"]))
    return deals


def _deals_begun(game: Any, r: Rules) -> int:
    """How many deals a game has begun: one more than are won, unless that was the last."""
    won = int(game["scores"][: r.players].sum())
    return won if int(game["player"]) < 0 and not game["cut_off"] else won + 1


def last_events(batch: GameBatch, row: int, dealer: int) -> list[dict[str, Any]]:
    """What the last step of a row's game brought about, as events; the end of a deal as `{"end": ...}`."""
    t = tables(batch.rules)
    return [event_of(t, event, dealer) for event in batch.events(row).tolist()]


def event_of(t: Tables, row: list[int], dealer: int) -> dict[str, Any]:
    """One event as a record writes it, from the engine's numbers (`engine.state.EVENT_*`)."""
    kind, a, b, c = row[:4]
    width, head = len(t.kinds), EVENT_WIDTH
    first, second, third = (texts_of(t, row[head + i * width : head + (i + 1) * width]) for i in range(3))
    following = row[EVENT_NEXT] if row[EVENT_NEXT] >= 0 else None
    n = t.rules.players
    match kind:
        case codes.EVENT_PLAY:
            return {"seat": a, "claim": t.claims[b], "play": first}
        case codes.EVENT_PASS:
            return {"seat": a, "pass": True}
        case codes.EVENT_CLEARED:
            return {"cleared": a, "next": following}
        case codes.EVENT_START:
            votes = [bool(c >> ((dealer + 1 + i) % n) & 1) for i in range(n)] if b else []
            return {"start": t.kinds[a], "votes": votes, "back_at": None if row[4] < 0 else row[4]}
        case codes.EVENT_DROP:
            return {"seat": a, "drop": t.kinds[b], "noticed": _seats(c, n)}
        case codes.EVENT_ALARM:
            return {"alarm": a, "noticed": _seats(c, n)}
        case codes.EVENT_ACCUSE:
            return {"seat": a, "accuse": b, "guilty": bool(c), "drawn": first}
        case codes.EVENT_END:
            return {"end": {"winner": None if a < 0 else a, "cut_off": bool(b)}}
        case _:
            race = {"callers": _seats(row[7], n)} if t.rules.call_order == "race" else {}
            back = {"back": third} if row[6] else {}
            return {
                "seat": a, "call": b, **race, "truthful": bool(c), "wrong": row[4], "pile": row[5],
                "drawn": first, "given": second, **back, "next": following,
            }  # fmt: skip


def _seats(bits: int, n: int) -> list[int]:
    return [seat for seat in range(n) if bits >> seat & 1]


def rewards_of(batch: GameBatch, row: int) -> list[float]:
    """The rewards of a row's game as it stands, one a seat, unrounded. [E3]"""
    return [float(x) for x in batch.rewards_so_far(row)]


def _deal(r: Rules, dealer: int, opener: int, deck: NDArray[Any]) -> dict[str, Any]:
    t, dealt = tables(r), sum(hand_sizes(r, dealer))
    hands = []
    for seat in range(r.players):
        own = deck[:dealt][(seat - dealer - 1) % r.players :: r.players]
        hands.append(texts_of(t, np.bincount(own, minlength=len(t.kinds))))
    stock = [t.kinds[kind] for kind in deck[dealt:]]
    return {"dealer": dealer, "opener": opener, "hands": hands, "stock": stock, "events": []}


def write_records(path: str | os.PathLike[str], records: Iterable[dict[str, Any]]) -> int:
    """Writes records as JSON Lines, whole or not at all (a temporary name, then renamed). Returns how many.

    What goes wrong in making the records is raised as it is: it is not the file's.

    Raises:
        RecordError: the folder does not exist or cannot be written, or something else than a file has that name.
    """
    target = Path(path)
    count = 0
    if target.is_symlink() or (target.exists() and not target.is_file() and not target.is_dir()):
        raise RecordError(f"{target}: is no plain file; the file is written by renaming, so nothing else is replaced")
    with _writing(target):
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    file = os.fdopen(handle, "w", encoding="utf-8")
    try:
        for record in records:
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
            with _writing(target):
                file.write(line)
            count += 1
        with _writing(target):
            file.close()
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes files that only their owner can read
            os.replace(temporary, target)
    finally:
        with suppress(OSError):  # a full disk has been told of
            file.close()
        Path(temporary).unlink(missing_ok=True)
    return count


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordError(f"{target}: cannot be written: {error.strerror or error}") from None


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """The JSON values of a file with their line numbers: one record over many lines, or JSON Lines.

    Raises:
        RecordError: cannot be read, not UTF-8, or not JSON; names file and line.
    """
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{source}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{source}: not UTF-8 text (byte {error.start})") from None
    if not text.strip():
        raise RecordError(f"{source}: empty; a game record expected")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        whole = error  # several lines, or faulty: each is read by itself
    else:
        yield 1, value
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        try:
            value = json.loads(line)
        except RecursionError:
            raise RecordError(f"{source}:{number}: not a game record: nested too deep") from None
        except ValueError as error:
            one_record = number == lines[0][0] and len(lines) > 1 and not _is_json(lines[1][1])
            raise _not_json(source, number, whole if one_record else error) from None
        yield number, value


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _not_json(source: Path, number: int, error: Exception) -> RecordError:
    """What is wrong with a line, or with one record over many lines, whose error counts them itself."""
    if isinstance(error, json.JSONDecodeError):
        line = max(number, error.lineno)
        return RecordError(f"{source}:{line}: not JSON: {error.msg} at column {error.colno}")
    return RecordError(f"{source}:{number}: not JSON: {error}")


def read_records(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """Every game of a file, checked, with gaps filled.

    Raises:
        RecordError: the first fault: file, line, deal, event and what was expected.
    """
    from bluff_env.reading import check_record

    for number, value in read_lines(path):
        try:
            yield check_record(value)
        except RecordError as error:
            raise RecordError(f"{path}:{number}: {error}") from None


def check_record(record: object) -> dict[str, Any]:
    """A record checked against the rules, with gaps filled: see `bluff_env.reading.check_record`."""
    from bluff_env.reading import check_record as check

    return check(record)
