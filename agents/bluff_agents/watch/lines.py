"""A position of a record as lines of text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from bluff_agents.play.screen import event_lines, percent, shortened, wrapped
from bluff_agents.play.words import cards_counted, cards_words, counted

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_DIGITS: Final = "123456789"
_NAME: Final = 18
_EVENTS: Final = 8


def position_lines(shown: Mapping[str, Any], where: str, width: int) -> list[Text]:
    """The table, the hands that are seen, what led here and what is decided.

    Args:
        shown: as of `Showing.position`.
        where: what is shown of which game, for the first line.
        width: of the terminal.
    """
    view = shown["view"]
    eyes = "all hands open" if shown["eyes"] is None else f"seen by seat {shown['eyes']}"
    head = f"{where} · step {shown['position']} of {shown['last']} · turn {view['turns']} · {eyes}"
    lines = [Text(line, style="bold") for line in wrapped(head, width)]
    for row, hand in zip(view["seats"], shown["hands"], strict=True):
        cards = "" if hand is None else "  " + (cards_counted([card["card"] for card in hand]) or "none")
        mark = ">" if row["to_move"] else " "
        won = f" {row['score']} won" if view["target_points"] is not None else ""
        text = f"{mark}{row['seat']:>2} {shortened(row['name'], _NAME):<{_NAME}} {row['cards']:>2}{won}{cards}"
        rows = wrapped(text, width - 4)
        lines += [Text(rows[0], style="bold" if row["to_move"] else ""), *(Text(f"    {more}") for more in rows[1:])]
    lines += [Text(line) for line in wrapped(_state(view, shown["laid"]), width)]
    lines += [Text(), *event_lines(shown["fresh"], width, _EVENTS)]
    return [*lines, *(Text(line, style="bold") for line in wrapped(_next(shown), width))]


def opinion_lines(said: Mapping[str, Any], width: int) -> list[Text]:
    """An opinion, as of `opinions.opinion`."""
    parts = [f"{said['agent']} in the place of seat {said['seat']}"]
    if said["true"] is not None:
        parts.append(f"the claim is true: {percent(said['true'])}")
    parts.append("no value estimate" if said["win"] is None else f"chance to win: {percent(said['win'])}")
    lines = [Text(line) for line in wrapped("; ".join(parts) + ".", width)]
    for move in said["moves"]:
        done = "  < done" if move["made"] else ""
        text = f"  {percent(move['chance']):>5}  {move['words']}{done}"
        lines.append(Text(text, style="bold" if move["made"] else ""))
    if said["rest"] > 0.005:
        lines.append(Text(f"  {percent(said['rest']):>5}  something else"))
    return lines


def plot_lines(
    sizes: Sequence[Sequence[int]], calls: Sequence[int], seats: Sequence[str], position: int, width: int, plain: bool
) -> list[Text]:
    """Hand sizes over the game, a row a seat, with a row for the calls and one for where we are.

    Args:
        sizes: as of `Showing.sizes`; calls: positions of calls; seats: names.
        position: the one that is shown.
        width: of the terminal; plain: ASCII only.
    """
    signs = _DIGITS if plain else _BLOCKS
    room = max(10, min(len(sizes), width - _NAME - 8))
    most = max(1, *(max(row) for row in sizes))
    last = len(sizes) - 1
    places = [round(at * last / max(1, room - 1)) for at in range(room)]
    lines = [Text(f"Hand sizes, up to {most} cards over {last} steps:")]
    for seat, name in enumerate(seats):
        row = "".join(_sign(sizes[at][seat], most, signs) for at in places)
        lines.append(Text(f"{seat:>2} {shortened(name, _NAME):<{_NAME}} {row} {sizes[-1][seat]:>2}"))
    columns = {round(at * (room - 1) / max(1, last)) for at in calls}
    lines.append(
        Text(f"{'calls':<{_NAME + 4}}" + "".join("!" if at in columns else " " for at in range(room)).rstrip())
    )
    here = round(position * (room - 1) / max(1, last))
    lines.append(Text(f"{'here':<{_NAME + 4}}{' ' * here}^"))
    return lines


def _sign(cards: int, most: int, signs: str) -> str:
    return " " if cards == 0 else signs[min(len(signs) - 1, cards * len(signs) // (most + 1))]


def _state(view: Mapping[str, Any], laid: Sequence[str] | None) -> str:
    parts = [f"Pile {view['pile']}" + (f", stock {view['stock']}" if view["stock"] else "")]
    if view["start_card"] is not None:
        parts.append(f"start card {view['start_card']['sign']}")
    claim = view["claim"]
    if claim is not None:
        really = "" if laid is None else f" (in truth {cards_words(laid)})"
        parts.append(f"on the table {claim['words']} by seat {claim['seat']}{really}")
    if view["passes"]:
        parts.append(f"{view['passes']} passed in a row")
    for notice in view["notices"]:
        when = f"{counted(notice['ago'], 'turn')} ago" if notice["ago"] else "just now"
        parts.append(f"seat {notice['seat']} may have dropped a card {when}")
    return "; ".join(parts) + "."


def _next(shown: Mapping[str, Any]) -> str:
    view, coming = shown["view"], shown["next"]
    if coming is not None:
        doing = {"answer": "is asked whether to call", "vote": "votes", "give": "gives cards"}.get(
            coming["deciding"], "is to move"
        )
        return f"Seat {coming['seat']} {doing}" + (f": {coming['words']}." if coming["words"] else ".")
    if not view["over"]:
        return "The record ends here; the game was not over."
    if view["cut_off"]:
        return f"Cut off after {view['max_turns']} turns: nobody wins."
    return f"Seat {view['winner']} wins."
