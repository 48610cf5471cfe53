"""Game records (`bluff-record/1`): one game, hidden cards included, written so that it can be replayed and checked.

For after the game, never an observation. JSON; a file of many games is JSON Lines.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import texts_of
from bluff_env.deals import hand_sizes
from bluff_env.engine import rows as compiled
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.state import EVENT_NONE, EVENT_PLAY, GAME, compile_rules
from bluff_env.errors import RecordError
from bluff_env.ruleset import Tables, tables

FORMAT: Final = "bluff-record/1"
_EVENT_HEAD: Final = 8


def record_of_row(batch: GameBatch, row: int, name: str | None = None) -> dict[str, Any]:
    """The game of one row of a batch as a record, finished or under way.

    `seed` is None where the deal was given; `seats` is None, for the caller to fill in. `name`: what the rules are
    called, if not the batch's name.
    """
    r = batch.rules
    game = batch.games[row]
    over = int(game["player"]) < 0
    deal = _deal_of(batch, row)
    deal["events"] = events_of(batch, row)
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": r.to_dict(),
        "name": batch.name if name is None else name,
        "seed": None if game["given"] else int(game["seed"]),
        "seats": None,
        "deals": [deal],
        "result": None,
    }
    if over:
        winner = int(game["winner"]) if game["winner"] >= 0 else None
        cut_off = bool(game["cut_off"])
        deal["end"] = {"winner": winner, "cut_off": cut_off}
        record["result"] = {
            "winner": winner,
            "scores": [int(seat == winner) for seat in range(r.players)],
            "rewards": rewards_of(batch, row),
            "cut_off": cut_off,
        }
    return record


def events_of(batch: GameBatch, row: int) -> list[dict[str, Any]]:
    """What has happened in a row's game, as the events of a record."""
    t = tables(batch.rules)
    out = np.zeros((int(batch.steps[row]), _EVENT_HEAD + len(t.kinds)), np.int32)
    scratch = np.zeros(1, GAME)
    cards = np.empty((1, batch.cards.shape[1]), np.int8)
    n = compiled.trace_row(compile_rules(batch.rules), batch.games, batch.cards, batch.log, row, scratch, cards, out)
    return [_event(t, event) for event in out[:n].tolist()]


def last_event(batch: GameBatch, row: int) -> dict[str, Any] | None:
    """What the last step of a row's game brought about, as an event; None where that is none (a pick, a decline)."""
    t, game, rule = tables(batch.rules), batch.games[row], compile_rules(batch.rules)
    if game["event"] == EVENT_NONE:
        return None
    mover = int(batch.cards[row, int(rule["c_recent"][0]) + 4 * int(game["head"])])  # who laid the latest play
    out = np.zeros(_EVENT_HEAD + len(t.kinds), np.int32)
    compiled.event_row(rule, batch.games, batch.cards, row, mover, out)
    return _event(t, out.tolist())


def _event(t: Tables, row: list[int]) -> dict[str, Any]:
    if row[0] == EVENT_PLAY:
        return {"seat": row[1], "claim": t.claims[row[2]], "play": texts_of(t, row[_EVENT_HEAD:])}
    return {
        "seat": row[1], "call": row[2], "truthful": bool(row[3]), "wrong": row[4], "pile": row[5],
        "drawn": [], "given": [], "next": row[6] if row[6] >= 0 else None,
    }  # fmt: skip


def rewards_of(batch: GameBatch, row: int) -> list[float]:
    """The rewards of a row's game as it stands, one a seat, unrounded. [E3]"""
    out = np.zeros(batch.rules.players, np.float64)
    compiled.reward_row(compile_rules(batch.rules), batch.games, row, out)
    return [float(x) for x in out]


def _deal_of(batch: GameBatch, row: int) -> dict[str, Any]:
    r, t = batch.rules, tables(batch.rules)
    rule = compile_rules(r)
    at = int(rule["c_deck"][0])
    deck: NDArray[np.int8] = batch.cards[row, at : at + r.deck_size]
    dealer = int(batch.games["dealer"][row])
    dealt = sum(hand_sizes(r, dealer))
    hands = []
    for seat in range(r.players):
        own = deck[:dealt][(seat - dealer - 1) % r.players :: r.players]
        hands.append(texts_of(t, np.bincount(own, minlength=len(t.kinds))))
    stock = [t.kinds[kind] for kind in deck[dealt:]]
    return {"dealer": dealer, "opener": int(batch.games["opener"][row]), "hands": hands, "stock": stock}


def write_records(path: str | os.PathLike[str], records: Iterable[dict[str, Any]]) -> int:
    """Writes records as JSON Lines, whole or not at all (a temporary name, then renamed). Returns how many.

    Raises:
        RecordError: the folder does not exist or cannot be written.
    """
    target = Path(path)
    count = 0
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise RecordError(f"{target}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
                count += 1
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes files that only their owner can read
        os.replace(temporary, target)
    except OSError as error:
        raise RecordError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
    return count


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
