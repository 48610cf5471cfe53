"""`bluff rules`, and the documentation page made from the same source."""

from __future__ import annotations

from pathlib import Path

import pytest

import bluff_env
from bluff_agents import rulesdoc, rulestables
from bluff_env.ruleset.rules import FIELDS


def test_without_a_name_all_sets_are_listed_with_source_and_advice(bluff) -> None:
    done = bluff("rules")
    assert done.status == 0
    lines = done.out.splitlines()
    for name, named in bluff_env.ruleset.NAMED.items():
        first = next(i for i, line in enumerate(lines) if line.split(" ")[0] == name)
        told = " ".join(" ".join(lines[first : first + 6]).split())
        assert told.startswith(f"{name} {named.advised_players} {rulestables.uncited(named.source)}")
    assert max(map(len, lines)) <= 80
    assert "players 8, decks 2" in done.out
    assert [s["name"] for s in bluff("rules", "--json").json()["sets"]] == list(bluff_env.rule_names())


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_a_set_is_shown_in_80_columns_without_colour(bluff, name) -> None:
    done = bluff("rules", name)
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]
    lay = bluff_env.layout(bluff_env.rules(name))
    for shown in (*FIELDS, *(s.name for s in lay.segments), *(p.name for p in (*lay.parts, *lay.state_parts))):
        assert shown in done.out
    assert f"{lay.n_actions} actions, observation {lay.size}, state {lay.state_size}" in done.out


def test_a_terminal_gets_the_same_text_in_colour(bluff, monkeypatch) -> None:
    plain = bluff("rules", "bloff").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    coloured = bluff("rules", "bloff").out
    assert "\x1b[" in coloured
    from rich.text import Text

    bare = Text.from_ansi(coloured).plain
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_fields_that_differ_come_first_and_are_marked(bluff) -> None:
    lines = bluff("rules", "tiny").out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("  rules"))
    assert [line.split()[1] for line in lines[start + 1 : start + 6]] == [
        "players", "ranks", "suits", "max_cards", "max_turns",
    ]  # fmt: skip
    assert sum(line.startswith("* ") for line in lines) == 5


def test_json_holds_the_tables_and_they_add_up(bluff) -> None:
    told = bluff("rules", "blof_free", "--players", 7, "--json").json()
    assert told["rules"] == bluff_env.rules("blof_free", players=7).to_dict()
    assert told["differs"] == {"players": 7, "lead": "any", "follow": "any"}
    for table, size in (("actions", "actions"), ("observation", "observation"), ("state", "state")):
        rows = told[table]
        assert [row["start"] for row in rows] == [0, *(row["stop"] for row in rows[:-1])]
        assert rows[-1]["stop"] == told["sizes"][size]
    by_name = {row["piece"]: row for row in told["observation"]}
    assert by_name["hand_sizes"]["highest"] == 52
    recent = by_name["recent"]
    assert len(recent["highest"]) == recent["stop"] - recent["start"]


def test_house_rules_are_read_from_a_file(bluff, tmp_path) -> None:
    (tmp_path / "house.yaml").write_text("base: blof_free\nplayers: 5\nmax_cards: hand\n")
    done = bluff("rules", "house.yaml")
    assert done.status == 0
    assert "house.yaml  house rules on top of blof_free: " in done.out
    assert "5 players (advised 2-10)" in done.out
    assert "hand (52)" in done.out
    (tmp_path / "own.yaml").write_text("players: 3\n")
    told = bluff("rules", "own.yaml", "--json").json()
    assert (told["name"], told["advised_players"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("players: 1\n", "house.yaml:1: players: 1 is not allowed; a whole number from 2 to 16"),
        ("base: bloff\nplayrs: 4\n", "house.yaml:2: playrs: no such field of the rules (did you mean 'players'"),
        ("base: blof_fre\n", "house.yaml:1: base: no rule set named 'blof_fre' (did you mean 'blof_free'"),
        ("players: 4\nplayers: 5\n", "house.yaml:2: players: stands twice (first on line 1)"),
        ("players: [4\n", "house.yaml:2: not valid YAML"),
        ("- players\n", "house.yaml:1: expected fields"),
        ("passing: no\n", "house.yaml:1: passing: False is not allowed; one of never, allowed"),
        ("suits: 1\nranks: 3\n", "players: 4 with a deck of 3 cards leaves a player without a card"),
    ],
)
def test_a_faulty_file_is_refused_with_file_line_and_field(bluff, tmp_path, text, complaint) -> None:
    (tmp_path / "house.yaml").write_text(text)
    assert complaint in bluff("rules", "house.yaml").complaint()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("rules blof_fre", "no rule set named 'blof_fre' (did you mean 'blof_free'"),
        ("rules bloff --players 17", "players: 17 is not allowed; a whole number from 2 to 16"),
        ("rules tiny --players 9", "players: 9 with a deck of 6 cards"),
        ("rules nowhere.yaml", "nowhere.yaml: cannot be read: No such file"),
        ("rules ./", "cannot be read: Is a directory"),
        ("rules --players 3", "needs a rule set"),
    ],
)
def test_what_cannot_be_shown_is_refused(bluff, words, complaint) -> None:
    assert complaint in bluff(*words.split()).complaint()


def test_every_field_has_a_meaning_and_says_what_is_allowed() -> None:
    assert tuple(rulestables.FIELD_MEANINGS) == FIELDS
    for name in FIELDS:
        assert rulesdoc.allowed_text(name), name
    assert rulesdoc.allowed_text("players") == "2–16"
    assert rulesdoc.allowed_text("follow").startswith("next, any, same")


def test_the_documentation_page_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules_and_layout.md"
    assert page.read_text(encoding="utf-8") == rulesdoc.markdown(), "run scripts/rulesdoc"


def test_the_page_is_written_by_its_script_and_checked_by_it(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(rulesdoc, "_ROOT", tmp_path)
    monkeypatch.setattr(rulesdoc, "_PAGE", tmp_path / "docs" / "page.md")
    assert rulesdoc.main([]) == 2  # no checkout
    (tmp_path / "pyproject.toml").touch()
    assert rulesdoc.main(["--check"]) == 1
    assert "not up to date; run scripts/rulesdoc" in capsys.readouterr().err
    assert rulesdoc.main([]) == 0
    assert rulesdoc.main(["--check"]) == 0
    assert rulesdoc.main(["--chekc"]) == 2
