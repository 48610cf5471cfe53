"""The documentation's page docs/rules_and_layout.md, from the same tables as `bluff rules`.

`scripts/rulesdoc` writes it, a test holds it to what this module would write.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from bluff_agents.rulestables import (
    FIELD_MEANINGS,
    action_rows,
    describe_sets,
    kinds_text,
    letters,
    piece_rows,
    state_rows,
    value_text,
)
from bluff_env.errors import RulesError
from bluff_env.layout import layout
from bluff_env.ruleset import NAMED, Rules, rules

_ROOT: Final = Path(__file__).resolve().parents[2]
_PAGE: Final = _ROOT / "docs" / "rules_and_layout.md"
_COMMAND: Final = "scripts/rulesdoc"


def allowed_text(name: str) -> str:
    """What may stand in a field, in the words of the message that refuses anything else."""
    try:
        rules({name: object()})
    except RulesError as error:
        words = str(error).partition(" is not allowed; ")[2]
    else:
        raise AssertionError(f"{name}: anything is accepted")
    for before in ("one of ", "null or ", "null, "):
        words = words.removeprefix(before)
    words = re.sub(r"a whole number from (\d+) to (\d+)", r"\1–\2", words)
    if name in ("hand_size", "max_cards"):
        words = words.replace(str(Rules().deck_size), "the deck’s size")
    return f"null, {words}" if getattr(Rules(), name) is None else words


def markdown() -> str:
    """The page docs/rules_and_layout.md."""
    lines = [
        "# Rules and layout",
        "",
        f"Written by `{_COMMAND}` from the code; edit `agents/bluff_agents/rulestables.py` instead. `bluff rules NAME` "
        "shows the same in a terminal, also for other numbers of players and for house rules in a YAML file.",
        "",
        "## Named rule sets",
        "",
        *_table(
            ("name", "source", "advised players", "fields that differ from the defaults"),
            [
                (f"`{s['name']}`", s["source"], s["advised_players"], _fields_text(s["differs"]) or "–")
                for s in describe_sets()
            ],
        ),
        "",
        "The advice on players is the sources'; nothing enforces it.",
        "",
        "## Fields",
        "",
        "A rules object is a name, a mapping of these fields, or a YAML file holding one; `base: NAME` starts from a "
        "named set.",
        "",
        *_table(("field", "default", "allowed", "meaning"), [_field_row(name) for name in FIELD_MEANINGS]),
        "",
        "## Layouts",
        "",
        "Action ids, and what the numbers of an observation (int8 counts; the float form divides each by its highest "
        "value) and of the full state mean. Ranks are relative to the rank last claimed; where cards have suits, suits "
        "are to the suit last claimed instead. Seats are relative to the "
        "observer, 0 the observer itself and then to the left; in the state, which has no observer, they are absolute.",
    ]
    for names in _same_layout():
        lines += ["", *_layout_section(names)]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the page, or with `--check` says whether it is up to date (exit status 1 when not)."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments not in ([], ["--check"]):
        print(f"usage: {_COMMAND} [--check]", file=sys.stderr)
        return 2
    if not (_ROOT / "pyproject.toml").is_file():
        print(f"{_COMMAND}: {_ROOT} is no checkout of bluff-env", file=sys.stderr)
        return 2
    fresh = markdown()
    if arguments:
        if _PAGE.is_file() and _PAGE.read_text(encoding="utf-8") == fresh:
            return 0
        print(f"{_PAGE}: not up to date; run {_COMMAND}", file=sys.stderr)
        return 1
    _PAGE.parent.mkdir(exist_ok=True)
    _PAGE.write_text(fresh, encoding="utf-8")
    print(_PAGE)
    return 0


def _fields_text(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value_text(value)}" for name, value in fields.items())


def _field_row(name: str) -> tuple[str, str, str, str]:
    return f"`{name}`", value_text(getattr(Rules(), name)), allowed_text(name), FIELD_MEANINGS[name]


def _same_layout() -> list[list[str]]:
    """The names of the sets, those whose tables are the same together."""
    groups: dict[str, list[str]] = {}
    for name in NAMED:
        lay = layout(rules(name))
        key = repr((action_rows(lay), piece_rows(lay.parts), piece_rows(lay.state_parts), letters(lay)))
        groups.setdefault(key, []).append(name)
    return list(groups.values())


def _layout_section(names: list[str]) -> list[str]:
    lay = layout(rules(names[0]))
    pieces = ("piece", "slice", "shape", "highest", "meaning")
    return [
        f"### {', '.join(f'`{name}`' for name in names)}",
        "",
        f"{letters(lay)}. Kinds in order: {kinds_text(lay)}. Agents for this layout carry the fingerprint "
        f"`{lay.fingerprint}`.",
        "",
        f"Actions: {lay.n_actions}.",
        "",
        *_table(("segment", "ids", "meaning"), action_rows(lay)),
        "",
        f"Observation: {lay.size} numbers.",
        "",
        *_table(pieces, piece_rows(lay.parts)),
        "",
        f"State: {lay.state_size} numbers.",
        "",
        *_table(pieces, state_rows(lay)),
    ]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


if __name__ == "__main__":
    sys.exit(main())
