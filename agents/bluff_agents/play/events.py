"""What one seat is told of what happens [V]: the engine's events without what the seat may not know, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bluff_agents.play.words import Names, card_signs, cards_counted, cards_words, claim_words, counted
from bluff_env.ruleset import Rules

Event = dict[str, Any]

#: From so many cards on, equal ones are counted instead of shown one by one.
_MANY: Final = 8


class Teller:
    """Tells one seat the events of a game, in the order in which they happen.

    Args:
        rules: what is played.
        seat: who is told.

    Attributes:
        last: the cards of the play told last, which a call turns; whoever looks into it knows too much.
    """

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules, self.seat = rules, seat
        self.last: list[str] = []
        self._names = Names(seat)

    def tell(
        self, events: Sequence[Mapping[str, Any]], gained: Sequence[str] = (), dealer: int | None = None
    ) -> list[Event]:
        """What the seat is told of the events of one step.

        Args:
            events: as records write them, the end of a deal as `{"end": ...}`, hidden cards included.
            gained: cards that have come into the seat's hand in this step.
            dealer: of the deal that begins in this step, None when none does.

        Returns:
            Plain data, an event each: `kind`, `words`, and what the kind has:

            - `start`: `card`; `votes` (None, or true for "another", from the dealer's left); `again`: another is turned
            - `play`: `seat`, `claim`, `count`; `cards` (own plays, else None)
            - `pass`: `seat`
            - `call`: `seat` (the caller), `call` (the accused), `callers` (in a race, else None), `truthful`, `wrong`,
              `next`; `pile`, `drawn`, `given`, `back`: how many cards; `cards` (those turned, where the seat sees them,
              else None); `gained`, `lost`: cards that have come into the own hand, and been given away from it
            - `accuse`: `seat`, `accuse`, `guilty`, `drawn` (how many); `gained`
            - `drop`: `card`, only one's own; `notice`: `seat`, who may have dropped a card
            - `cleared`: `count`, `next`
            - `end`: `winner`, `cut_off`
            - `deal`: `dealer`, of the next deal of a match
        """
        told: list[Event] = []
        notice: int | None = None
        for event in events:
            if "drop" in event:
                if event["seat"] == self.seat:
                    told.append(self._drop(event))
                elif self.seat in event["noticed"]:
                    notice = event["seat"]
            elif "alarm" in event:
                # a notice comes at the same place, behind the turn, whether there was a drop or not [D2]
                if self.seat in event["noticed"]:
                    told.append(self._notice(event["alarm"]))
            else:
                told.append(self._plain(event, gained))
                if notice is not None and ("play" in event or "pass" in event):
                    told.append(self._notice(notice))
                    notice = None
                if "end" in event and dealer is not None:
                    told.append(self._deal(dealer))
        return told

    def _plain(self, event: Mapping[str, Any], gained: Sequence[str]) -> Event:
        if "play" in event:
            return self._play(event)
        if "pass" in event:
            return {"kind": "pass", "seat": event["seat"], "words": f"{self._names.does(event['seat'], 'pass')}."}
        if "call" in event:
            return self._call(event, gained)
        if "accuse" in event:
            return self._accuse(event, gained)
        if "start" in event:
            return self._start(event)
        if "cleared" in event:
            return self._cleared(event)
        return self._end(event["end"])

    def _play(self, event: Mapping[str, Any]) -> Event:
        seat, claim, count = event["seat"], event["claim"], len(event["play"])
        self.last = list(event["play"])
        mine = seat == self.seat
        words = f"{self._names.does(seat, 'lay')} {counted(count, 'card')}: {claim_words(claim, count)}"
        words += f" (in truth {cards_words(self.last)})." if mine and self._lies(claim) else "."
        return {
            "kind": "play", "seat": seat, "claim": claim, "count": count,
            "cards": list(self.last) if mine else None, "words": words,
        }  # fmt: skip

    def _lies(self, claim: str) -> bool:
        return any(card not in (claim, "X") for card in self.last)

    def _call(self, event: Mapping[str, Any], gained: Sequence[str]) -> Event:
        caller, accused, wrong = event["seat"], event["call"], event["wrong"]
        shown = self.rules.reveal == "all" or self.seat in (caller, accused)
        callers = event.get("callers")
        told = {
            "kind": "call", "seat": caller, "call": accused, "callers": callers, "truthful": event["truthful"],
            "wrong": wrong, "next": event["next"], "pile": event["pile"], "drawn": len(event["drawn"]),
            "given": len(event["given"]), "back": len(event.get("back", [])),
            "cards": list(self.last) if shown else None,
            "gained": list(gained) if self.seat == wrong else [],
            "lost": list(event["given"]) if self.seat in (caller, accused) and self.seat != wrong else [],
        }  # fmt: skip
        names = self._names
        words = names.does(caller, "call")
        if callers and len(callers) > 1:
            words = f"{names.several(callers)} call; {names.does(caller, 'are')} first and turns"
            words = words.replace("you are first and turns", "you are first and turn")
            words += f" {names.own(accused)} cards"
        else:
            words += f" {names(accused)}"
        turned = f" ({cards_words(self.last)})" if shown else ""
        words += f": {'true' if event['truthful'] else 'a bluff'}{turned}. {self._penalty(told)}"
        return {**told, "words": words}

    def _penalty(self, told: Mapping[str, Any]) -> str:
        names, wrong = self._names, told["wrong"]
        parts = []
        if told["pile"]:
            parts.append(f"{names.does(wrong, 'take')} the pile of {counted(told['pile'], 'card')}")
        if told["drawn"]:
            parts.append(f"{names.does(wrong, 'draw')} {counted(told['drawn'], 'card')}")
        if told["given"]:
            right = told["seat"] if wrong == told["call"] else told["call"]
            parts.append(f"{names.does(wrong, 'get')} {counted(told['given'], 'card')} from {names.own(right)} hand")
        if told["back"]:
            parts.append(f"{names.own(told['call'])} card goes back to the hand")
        text = "; ".join(parts) or f"{names.does(wrong, 'take')} nothing"
        return f"{text[:1].upper()}{text[1:]}{_these(told['gained'] or told['lost'])}."

    def _accuse(self, event: Mapping[str, Any], gained: Sequence[str]) -> Event:
        seat, target, guilty = event["seat"], event["accuse"], event["guilty"]
        loser = target if guilty else seat
        drawn, names = len(event["drawn"]), self._names
        mine = list(gained) if self.seat == loser else []
        words = f"{names.does(seat, 'accuse')} {names(target)} of a drop: {'guilty' if guilty else 'not guilty'}. "
        took = f"{names.does(loser, 'draw')} {counted(drawn, 'card')}{_these(mine)}."
        return {
            "kind": "accuse", "seat": seat, "accuse": target, "guilty": guilty, "drawn": drawn, "gained": mine,
            "words": words + took[:1].upper() + took[1:],
        }  # fmt: skip

    def _start(self, event: Mapping[str, Any]) -> Event:
        votes, again = event["votes"] or None, event["back_at"] is not None
        words = f"the start card is {card_signs(event['start'])}"
        if votes:
            words += f"; {sum(votes)} of {len(votes)} vote for another"
            words += ", and it goes back into the stock" if again else ", so it stays"
        # where it went in the stock nobody sees
        return {"kind": "start", "card": event["start"], "votes": votes, "again": again, "words": f"{words}."}

    def _cleared(self, event: Mapping[str, Any]) -> Event:
        count, following = event["cleared"], event["next"]
        aside = f": the pile, {counted(count, 'card')}, is put aside" if count else ""
        words = f"all others have passed{aside}"
        if following is not None:
            words += f"; {self._names.does(following, 'lead')}"
        return {"kind": "cleared", "count": count, "next": following, "words": f"{words}."}

    def _drop(self, event: Mapping[str, Any]) -> Event:
        return {"kind": "drop", "card": event["drop"], "words": f"you drop {card_signs(event['drop'])} out of sight."}

    def _notice(self, seat: int) -> Event:
        return {"kind": "notice", "seat": seat, "words": f"did {self._names(seat)} drop a card just now?"}

    def _end(self, end: Mapping[str, Any]) -> Event:
        winner = end["winner"]
        match = self.rules.target_points is not None
        if winner is None:
            words = f"cut off after {counted(self.rules.max_turns, 'turn', words=False)}: nobody wins."
        else:
            words = f"{self._names.does(winner, 'are')} out of cards and {'win' if winner == self.seat else 'wins'}"
            words += " the deal." if match else "."
        return {"kind": "end", "winner": winner, "cut_off": end["cut_off"], "words": words}

    def _deal(self, dealer: int) -> Event:
        return {"kind": "deal", "dealer": dealer, "words": f"{self._names.does(dealer, 'deal')} the next deal."}


def gained(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The cards of a hand that were not in it before, in the order of the hand."""
    held = Counter(before)
    fresh = []
    for card in after:
        held[card] -= 1
        if held[card] < 0:
            fresh.append(card)
    return fresh


def _these(cards: Sequence[str]) -> str:
    """As ": 4 J Q", cards that the looking seat may see; nothing where there are none."""
    if not cards:
        return ""
    return f": {cards_counted(cards) if len(cards) >= _MANY else cards_words(cards)}"
