"""How a game went, for after it: who laid, bluffed and called how often, and with what luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bluff_env.ruleset.rules import JOKER

#: What is counted for each seat.
COUNTED: Final = ("plays", "bluffs", "caught", "passes", "calls", "right", "taken", "drops")


def summary(record: Mapping[str, Any], cards: Sequence[int]) -> dict[str, Any]:
    """How everybody played, counted from a record, hidden cards included.

    Args:
        record: of a game.
        cards: how many each seat holds in the end.

    Returns:
        `winner` (None when cut off or unfinished), `cut_off`, `deals` (how many), `last` (the last play of all: `seat`,
        `claim`, `cards`, `true`; None where nobody laid), and `seats`, a dict each: `seat`,
        `name`, `score`, `reward`, `cards` (left in the end), `plays`, `bluffs` (of these), `caught` (of these),
        `passes`, `calls`, `right` (of these), `taken` (cards taken for having been wrong), `drops`.
    """
    n = len(cards)
    counts = [dict.fromkeys(COUNTED, 0) for _ in range(n)]
    last: Mapping[str, Any] | None = None
    for deal in record["deals"]:
        for event in deal["events"]:
            _count(counts, event)
            last = event if "play" in event else last
    result = record.get("result") or {}
    scores, rewards = result.get("scores") or [0] * n, result.get("rewards") or [0.0] * n
    seats = record.get("seats") or [f"seat {seat}" for seat in range(n)]
    return {
        "winner": result.get("winner"),
        "cut_off": bool(result.get("cut_off")),
        "deals": len(record["deals"]),
        "last": None
        if last is None
        else {"seat": last["seat"], "claim": last["claim"], "cards": list(last["play"]), "true": not _lies(last)},
        "seats": [
            {
                "seat": seat, "name": seats[seat], "score": scores[seat], "reward": rewards[seat],
                "cards": int(cards[seat]), **counts[seat],
            }
            for seat in range(n)
        ],
    }  # fmt: skip


def _count(counts: list[dict[str, int]], event: Mapping[str, Any]) -> None:
    if "play" in event:
        counts[event["seat"]]["plays"] += 1
        counts[event["seat"]]["bluffs"] += _lies(event)
    elif "pass" in event:
        counts[event["seat"]]["passes"] += 1
    elif "call" in event:
        for caller in event.get("callers") or [event["seat"]]:
            counts[caller]["calls"] += 1
            counts[caller]["right"] += not event["truthful"]
        counts[event["call"]]["caught"] += not event["truthful"]
        counts[event["wrong"]]["taken"] += event["pile"] + len(event["drawn"]) + len(event["given"])
    elif "accuse" in event:
        counts[event["accuse"] if event["guilty"] else event["seat"]]["taken"] += len(event["drawn"])
    elif "drop" in event:
        counts[event["seat"]]["drops"] += 1


def _lies(play: Mapping[str, Any]) -> bool:
    return any(card not in (play["claim"], JOKER) for card in play["play"])
