"""What a person sees in a terminal, as lines of text made from `Session.view`: it fits 80×24, and needs no colour."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from bluff_agents.play.events import Event
from bluff_agents.play.words import SUIT_SIGNS, cards_counted, cards_words, claim_words, counted

#: Letters that not every terminal can show, and what stands for them there.
_PLAINER: Final = str.maketrans(
    {sign: letter for letter, sign in SUIT_SIGNS.items()}
    | {"╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "·": "-", "…": "...", "’": "'", "×": "x", "–": "-"}
)
#: More seats than this stand in two columns.
_ONE_COLUMN: Final = 7
_NAME: Final = 22
#: Rows of drawn cards; a larger hand is counted.
_CARD_ROWS: Final = 2
_LEAST_EVENTS: Final = 2
_MOST_EVENTS: Final = 10
_MOST_MOVE_LINES: Final = 4
_FEW_MOVE_LINES: Final = 2
_CALLED: Final = {True: "green", False: "red"}
_RED_SUITS: Final = ("hearts", "diamonds")
COMMANDS: Final = "a number or a move; list, hint, ? (rules), log, help, quit"
COMMANDS_PRACTICE: Final = "a number or a move; list, hint, undo, ? (rules), log, help, quit"


def plainer(text: str) -> str:
    """The text in ASCII, as far as this program says it."""
    return text.translate(_PLAINER)


def table_lines(
    view: Mapping[str, Any], events: Sequence[Event], width: int = 80, height: int = 24
) -> tuple[list[Text], list[int]]:
    """The table, what has happened, the hand and the moves: one line less than `height`, for what is typed.

    Args:
        view: as of `Session.view`.
        events: what is new; the latest are shown, as many as there is room for.
        width, height: of the terminal.

    Returns:
        The lines, and the ids of the moves that they show.
    """
    head = [_title(view), *_seats(view, width), *(Text(line) for line in wrapped(_state(view), width))]
    prompt = [_styled(line, "bold") for line in wrapped(_capital(view["prompt"]), width)]
    commands = _styled(COMMANDS_PRACTICE if view["practice"] else COMMANDS, "dim")
    room = height - 1 - len(head) - len(prompt) - 3  # commands, and an empty line before events and hand
    hand = hand_lines(view["hand"], width)
    moves, shown = move_lines(view, width, _MOST_MOVE_LINES)
    if len(hand) + len(moves) + _LEAST_EVENTS > room:
        moves, shown = move_lines(view, width, _FEW_MOVE_LINES)
    if len(hand) + len(moves) + _LEAST_EVENTS > room:
        hand = hand_lines(view["hand"], width, drawn=False)
    some = max(_LEAST_EVENTS, min(_MOST_EVENTS, room - len(hand) - len(moves)))
    news = [Text(), *event_lines(events, width, some)] if events else []
    lines = [*head, *news, Text(), *hand, *prompt, *moves, commands]
    return lines, shown


def event_lines(events: Sequence[Event], width: int, room: int | None = None) -> list[Text]:
    """Events in words, the latest `room` lines of them."""
    lines: list[Text] = []
    for event in events:
        style = _CALLED[event["truthful"]] if event["kind"] == "call" else "bold" if event["kind"] == "end" else ""
        for i, line in enumerate(wrapped(_capital(event["words"]), width - 2)):
            lines.append(_styled(("  " if i else "· ") + line, style))
    if room is not None and len(lines) > room:
        lines = [_styled(f"… {counted(len(lines) - room + 1, 'line')} more in the log", "dim"), *lines[1 - room :]]
    return lines


def hand_lines(hand: Sequence[Mapping[str, Any]], width: int, drawn: bool = True) -> list[Text]:
    """The hand drawn as cards side by side; as a list with counts where it is too large for that, or not `drawn`."""
    rows: list[list[Mapping[str, Any]]] = [[]]
    used = 1
    for card in hand:
        if used + len(card["sign"]) + 1 > width:
            rows.append([])
            used = 1
        rows[-1].append(card)
        used += len(card["sign"]) + 1
    if hand and (len(rows) > _CARD_ROWS or not drawn):
        signs = cards_counted([card["card"] for card in hand])
        return [_styled(line, "bold") for line in wrapped(f"Your {len(hand)} cards: {signs}", width)]
    lines: list[Text] = []
    for row in rows:
        if not row:
            return [Text("You have no cards left.")]
        middle = Text("│")
        for card in row:
            middle.append(card["sign"], style="bold red" if card["suit"] in _RED_SUITS else "bold")
            middle.append("│")
        lines.append(Text("".join("╭" + "─" * len(card["sign"]) for card in row) + "╮"))
        lines.append(middle)
        lines.append(Text("".join("╰" + "─" * len(card["sign"]) for card in row) + "╯"))
    return lines


def move_lines(view: Mapping[str, Any], width: int, most: int = _MOST_MOVE_LINES) -> tuple[list[Text], list[int]]:
    """The first moves with their numbers, in few lines. Returns them, and the ids of the moves that they show."""
    groups: dict[str, list[tuple[int, str]]] = {}
    one_claim = len(view["to_claim"]) == 1
    for move in view["moves"]:
        name = {True: "true", False: "bluff", None: ""}[move["true"]]
        if move["kind"] in ("drop", "give", "accuse"):
            name = move["kind"]
        groups.setdefault(name, []).append((move["id"], f"{move['id'] + 1}) {short_text(move, one_claim)}"))
    lines: list[Text] = []
    shown: list[int] = []
    label = max(map(len, groups), default=0)
    for at, (name, moves) in enumerate(groups.items()):
        texts = [text for _, text in moves]
        room = most - len(lines) - (len(groups) - at - 1)  # a line at least for each of those that follow
        column = max(map(len, texts)) + 2
        across = max(1, (width - label - 1) // column)
        fits = texts[: across * max(1, room)]
        for i in range(0, len(fits), across):
            row = "".join(text.ljust(column) for text in fits[i : i + across]).rstrip()
            lines.append(Text(f"{name if i == 0 else '':<{label}} {row}".rstrip() if label else row))
        shown += [number for number, _ in moves[: len(fits)]]
    if len(shown) < view["n_moves"]:
        last = f"… {view['n_moves'] - len(shown):,} more: list, or type one"
        if lines and len(lines[-1].plain) + len(last) + 2 <= width:
            lines[-1].append(f"  {last}", style="dim")
        else:
            lines.append(_styled(last, "dim"))
    return lines, shown


def short_text(move: Mapping[str, Any], one_claim: bool) -> str:
    """A move as it may be typed: without the claim where there is only one."""
    text = str(move["text"])
    return text[text.index(":") :] if one_claim and move["kind"] == "play" else text


def listed_lines(view: Mapping[str, Any]) -> list[Text]:
    """All listed moves, one a line, with words."""
    one_claim = len(view["to_claim"]) == 1
    rows = [(f"{move['id'] + 1})", short_text(move, one_claim), move["words"]) for move in view["moves"]]
    first, second = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    lines = [Text(f"{a:>{first}} {b:<{second}}  {c}") for a, b, c in rows]
    more = view["n_moves"] - len(rows)
    if more:
        lines.append(_styled(f"… and {more:,} more that can be typed", "dim"))
    return lines


def hint_lines(hint: Mapping[str, Any], view: Mapping[str, Any]) -> list[Text]:
    """What an agent would do, with its chances."""
    one_claim = len(view["to_claim"]) == 1
    rows = []
    for move in hint["moves"]:
        kind = "play" if ":" in move["text"] else ""
        rows.append((short_text({**move, "kind": kind}, one_claim), percent(move["chance"]), move["words"]))
    width = max((len(row[0]) for row in rows), default=0)
    lines = [Text(f"{hint['agent']} would play:")]
    lines += [Text(f"  {text:<{width}}  {chance:>6}  {words}") for text, chance, words in rows]
    if hint["rest"] >= 0.005:
        lines.append(Text(f"  {'other':<{width}}  {percent(hint['rest']):>6}"))
    if hint["win"] is not None:
        lines.append(Text(f"It thinks that you win with a chance of {percent(hint['win'])}."))
    return lines


def rules_lines(explained: Iterable[str], width: int) -> list[Text]:
    """The rules in play, each with a mark."""
    lines: list[Text] = []
    for text in explained:
        lines += [Text(("  " if i else "· ") + line) for i, line in enumerate(wrapped(text, width - 2))]
    return lines


def summary_lines(summary: Mapping[str, Any], seat: int, width: int = 80) -> list[Text]:
    """Who has won, and how everybody played."""
    match = any(row["score"] for row in summary["seats"]) and summary["deals"] > 1
    extra = [name for name in ("passes", "drops") if any(row[name] for row in summary["seats"])]
    names = [*(["score"] if match else []), "cards", "plays", "bluffs", "caught", *extra, "calls", "right", "taken"]
    heads = {"score": "won", "cards": "left"}
    columns = [(name, heads.get(name, name), len(heads.get(name, name)) + 1) for name in names]
    room = min(_NAME, width - 4 - sum(wide for _, _, wide in columns))
    lines = [_styled(f"{'':<{room + 4}}" + "".join(f"{head:>{wide}}" for _, head, wide in columns), "dim")]
    for row in summary["seats"]:
        who = "you" if row["seat"] == seat else shortened(row["name"], room - 1)
        mark = "*" if row["seat"] == summary["winner"] else " "
        line = f"{mark}{row['seat']:>2} {who:<{room}}" + "".join(f"{row[name]:>{wide}}" for name, _, wide in columns)
        lines.append(_styled(line, "bold" if row["seat"] == seat else ""))
    return [_styled(result_text(summary, seat), "bold"), *_last_play(summary, seat), Text(), *lines]


def result_text(summary: Mapping[str, Any], seat: int) -> str:
    """Who has won."""
    winner = summary["winner"]
    if winner is None:
        return "Nobody wins."
    what = "the match" if summary["deals"] > 1 else "the game"
    return f"You win {what}!" if winner == seat else f"Seat {winner}, {summary['seats'][winner]['name']}, wins {what}."


def _last_play(summary: Mapping[str, Any], seat: int) -> list[Text]:
    """What another's last cards were, which nobody has seen."""
    last = summary["last"]
    if last is None or last["seat"] == seat or summary["winner"] != last["seat"]:
        return []
    said = claim_words(last["claim"], len(last["cards"]))
    found = "true" if last["true"] else f"a bluff: {cards_words(last['cards'])}"
    return [Text(f"The last play, said to be {said}, was {found}.")]


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines no longer than `width`."""
    return textwrap.wrap(text, max(20, width), break_on_hyphens=False) or [""]


def shortened(name: str, room: int) -> str:
    """A name in at most `room` letters: its end, where it is longer."""
    return name if len(name) <= room else f"…{name[1 - room :]}"


def percent(chance: float) -> str:
    """A chance for people: "72 %", "<1 %"."""
    if 0 < chance < 0.01:
        return "<1 %"
    return f"{chance * 100:.0f} %"


def _title(view: Mapping[str, Any]) -> Text:
    parts = [view["rules"] or "house rules", f"turn {view['turns'] + (view['phase'] == 'play')}"]
    if view["target_points"] is not None:
        parts.append(f"{counted(view['target_points'], 'point')} win")
    if view["practice"]:
        parts.append("practice")
    return _styled(" · ".join(parts), "bold")


def _seats(view: Mapping[str, Any], width: int) -> list[Text]:
    one_column = len(view["seats"]) <= _ONE_COLUMN
    cells = [_seat(row, view, width if one_column else width // 2 - 2) for row in view["seats"]]
    if one_column:
        return [_styled(text.rstrip(), style) for text, style in cells]
    half = -(-len(cells) // 2)
    lines = []
    for at in range(half):
        line = Text()
        for text, style in cells[at::half]:
            line.append(text.ljust(width // 2), style=style)
        line.rstrip()
        lines.append(line)
    return lines


def _seat(row: Mapping[str, Any], view: Mapping[str, Any], width: int) -> tuple[str, str]:
    """Seat, name, cards; a star at who claimed last."""
    size = f"{row['cards']:>2} card{' ' if row['cards'] == 1 else 's'}"
    won = f"  {row['score']} won" if view["target_points"] is not None else ""
    mark = "*" if view["claim"] is not None and view["claim"]["seat"] == row["seat"] else " "
    room = min(_NAME, width - 4 - len(size) - len(won))
    name = "you" if row["you"] else shortened(row["name"], room - 1)
    return f"{mark}{row['seat']:>2} {name:<{room}}{size}{won}", "bold" if row["you"] else ""


def _state(view: Mapping[str, Any]) -> str:
    """Pile, stock, the claim last made, what must be followed, notices."""
    parts = [f"Pile {view['pile']}" + (f", stock {view['stock']}" if view["stock"] else "")]
    claim = view["claim"]
    if claim is not None:
        who = "you" if claim["seat"] == view["seat"] else f"seat {claim['seat']}"
        parts.append(f"Last claim: {claim['words']}, by {who}")
    if view["start_card"] is not None:
        parts.append(f"Start card: {view['start_card']['sign']}")
    if view["follow"] is None and view["phase"] == "play":
        parts.append("You lead")
    if view["passes"]:
        parts.append(f"{counted(view['passes'], 'pass')}".replace("passs", "passes") + " in a row")
    for notice in view["notices"]:
        when = "just now" if not notice["ago"] else f"{counted(notice['ago'], 'turn')} ago"
        parts.append(f"Seat {notice['seat']} may have dropped a card {when}")
    return ". ".join(parts) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _styled(text: str, style: str) -> Text:
    return Text(text, style=style)
