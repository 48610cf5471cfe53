"""What is told of the steps of a record: as one seat was told it, or to an onlooker who sees all cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bluff_agents.play.events import Event, Teller, gained
from bluff_agents.play.words import Names, card_signs, cards_words
from bluff_env.replaying import Replay

#: No seat: whoever looks on from outside.
_OUTSIDE = -1


def told(replay: Replay, eyes: int | None) -> list[list[Event]]:
    """What a seat, or with None an onlooker, was told at each step, behind what it was told before the first.

    Returns:
        A list of events for every position: those that led to it.
    """
    teller = Teller(replay.rules, _OUTSIDE if eyes is None else eyes)
    lists = [teller.tell(replay.beginning)]
    last: Sequence[str] = ()
    for at, step in enumerate(replay.steps):
        ends = next((i for i, event in enumerate(step.events) if "end" in event), None)
        dealt = ends is not None and at + 1 < len(replay.steps) and replay.steps[at + 1].deal != step.deal
        dealer = (step.dealer + 1) % replay.rules.players if dealt else None
        fresh: Sequence[str] = ()
        if eyes is not None and not dealt:
            fresh = gained(replay.hands[at][eyes], replay.hands[at + 1][eyes])
        events = teller.tell(step.events, fresh, dealer)
        last = step.move.cards if step.move.kind == "play" else last
        lists.append(_opened(events, step.events, last) if eyes is None else events)
    return lists


def _opened(events: list[Event], truth: Sequence[Mapping[str, Any]], last: Sequence[str]) -> list[Event]:
    """The events with what no seat, or not every seat, was told: cards laid, turned, dropped, drawn and given.

    Args:
        events: as told to whom no cards are shown.
        truth: the same, as records write them.
        last: the cards laid last.
    """
    whole: list[Event] = []
    names = Names(_OUTSIDE)
    calls = iter([event for event in truth if "call" in event])
    accusations = iter([event for event in truth if "accuse" in event])
    for event in truth:
        if "drop" in event:
            words = f"{names.does(event['seat'], 'drop')} {card_signs(event['drop'])} out of sight{_noticed(event)}."
            whole.append({"kind": "drop", "seat": event["seat"], "card": event["drop"], "words": words})
        elif "alarm" in event:
            words = f"{names(event['alarm'])} dropped nothing, but {names.several(event['noticed'])} believe it did."
            whole.append({"kind": "notice", "seat": event["alarm"], "words": words})
    for told_event in events:
        event = dict(told_event)
        if event["kind"] == "play":
            event["cards"] = list(last)
            lies = any(card not in (event["claim"], "X") for card in last)
            truly = f"in truth {cards_words(last)}" if lies else "true"
            event["words"] = f"{event['words'].removesuffix('.')} ({truly})."
        elif event["kind"] == "call":
            true = next(calls)
            if event["cards"] is None:
                event["words"] += _which(last, "turned")
            event["cards"] = list(last)
            event["words"] += _which(true["drawn"], "drawn") + _which(true["given"], "given")
        elif event["kind"] == "accuse":
            event["words"] += _which(next(accusations)["drawn"], "drawn")
        whole.append(event)
    return whole


def _which(cards: Sequence[str], what: str) -> str:
    return f" {what.capitalize()}: {cards_words(cards)}." if cards else ""


def _noticed(event: Mapping[str, Any]) -> str:
    return f", noticed by {Names(_OUTSIDE).several(event['noticed'])}" if event["noticed"] else ", unnoticed"


def laid(replay: Replay, position: int) -> list[str] | None:
    """The cards of the play that is answered at a position; None where none is."""
    if position == len(replay.steps) or replay.steps[position].deciding not in ("answer", "give"):
        return None
    for step in reversed(replay.steps[:position]):
        if step.move.kind == "play":
            return list(step.move.cards)
    return None
