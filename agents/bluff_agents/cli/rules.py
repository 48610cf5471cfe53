"""`bluff rules`: the named rule sets, and everything about one of them or about house rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from bluff_agents import rulestables
from bluff_agents.cli.common import JsonOption, PlayersOption, load_rules
from bluff_agents.cli.screen import say_json, show, table
from bluff_env.layout import layout
from bluff_env.ruleset import NAMED, Rules
from bluff_env.yamlfile import read_mapping

_PIECES = ("\nslice", "\nshape", "\nhighest", "\nmeaning")


def rules(
    spec: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE", help="A named rule set or a YAML file; all names, if left out.")
    ] = None,
    players: PlayersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the rule sets, or the fields, actions and observation of one.

    For example:

    bluff rules

    bluff rules bluffstopp --players 6

    bluff rules house.yaml --json
    """
    if spec is None:
        if players is not None:
            raise typer.BadParameter("needs a rule set", param_hint="'--players'")
        _show_sets(as_json)
        return
    r = load_rules(spec, players)
    name, source, advised = _origin(spec)
    if as_json:
        say_json(rulestables.describe(r, name, source, advised))
    else:
        _show(r, spec, source, advised)


def _origin(spec: str) -> tuple[str | None, str, str | None]:
    """Name, source and advised players; a file has those of the named set it builds on."""
    if spec in NAMED:
        return spec, NAMED[spec].source, NAMED[spec].advised_players
    base = read_mapping(Path(spec)).values.get("base")
    if base is None:
        return None, "house rules", None
    return None, f"house rules on top of {base}: {NAMED[base].source}", NAMED[base].advised_players


def _show_sets(as_json: bool) -> None:
    sets = rulestables.describe_sets()
    if as_json:
        say_json({"sets": sets})
        return
    rows = []
    for s in sets:
        about = Text(rulestables.uncited(s["source"]))
        if s["differs"]:
            about.append(
                "\n" + ", ".join(f"{k} {rulestables.value_text(v)}" for k, v in s["differs"].items()), style="cyan"
            )
        rows.append((Text(s["name"], style="bold"), s["advised_players"], about))
    show(
        table(("name", "players", "source; fields that differ from the defaults"), rows),
        Text("\nbluff rules NAME shows one in full. The advice on players is the sources’.", style="dim"),
    )


def _show(r: Rules, title: str, source: str, advised: str | None) -> None:
    lay = layout(r)
    size = rulestables.sizes(lay)
    advice = "" if advised is None else f" (advised {advised})"
    numbers = (
        f"{size['seats']} players{advice}, {size['cards']} cards, {size['actions']} actions, "
        f"observation {size['observation']}, state {size['state']}"
    )
    show(
        Text.assemble((title, "bold"), "  ", rulestables.uncited(source)),
        Text(f"{numbers}\n{rulestables.letters(lay)}\nkinds in order: {rulestables.kinds_text(lay)}\n"),
        _table(("  rules", "value", "meaning; * not the default"), _field_rows(r)),
        _table(("\nactions", "\nids", "\nmeaning"), rulestables.action_rows(lay)),
        _table(("\nobservation", *_PIECES), rulestables.piece_rows(lay.parts)),
        _table(("\nstate", *_PIECES), rulestables.state_rows(lay)),
    )


def _table(head: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Table:
    return table(head, ([Text(row[0], _style(row[0])), *row[1:-1], rulestables.uncited(row[-1])] for row in rows))


def _style(name: str) -> str:
    return "bold cyan" if name.startswith("*") else "cyan"


def _field_rows(r: Rules) -> list[tuple[str, ...]]:
    """The fields that differ from the defaults first, and marked."""
    differs = rulestables.differing(r)
    rows: list[tuple[str, ...]] = []
    for name in sorted(rulestables.FIELD_MEANINGS, key=lambda field: field not in differs):
        value = rulestables.value_text(getattr(r, name)).replace(", ", ",\n ")  # one line would crowd out the meanings
        if name == "max_cards" and r.max_cards != r.most_cards:
            value += f" ({r.most_cards})"
        rows.append((("* " if name in differs else "  ") + name, value, rulestables.FIELD_MEANINGS[name]))
    return rows
