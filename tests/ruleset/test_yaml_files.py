"""Rules from YAML files: what they may hold, and how faults name file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import bluff_env
from bluff_env import BluffError, Rules
from bluff_env.errors import RulesError


def written(folder: Path, text: str, name: str = "house.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    """The one line with which a file is refused, without its path."""
    with pytest.raises(BluffError) as caught:
        bluff_env.rules(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(str(path))
    return text.removeprefix(str(path))


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_every_named_set_comes_back_from_a_yaml_file(tmp_path: Path, name: str) -> None:
    for changes in ({}, {"rewards": "win", "hand_size": 1, "callers": "next", "decks": 1, "max_cards": 1}):
        rules = bluff_env.rules(name, **changes)
        path = written(tmp_path, yaml.safe_dump(rules.to_dict()))
        assert bluff_env.rules(path) == rules
        assert bluff_env.rules(path).to_dict() == rules.to_dict()


def test_a_file_may_hold_a_few_fields_a_base_or_nothing(tmp_path: Path) -> None:
    assert bluff_env.rules(written(tmp_path, "players: 3\nmax_cards: hand\n")) == Rules(players=3, max_cards="hand")
    based = written(tmp_path, "base: blof_free\nplayers: 3\n")
    assert bluff_env.rules(based) == bluff_env.rules("blof_free", players=3)
    assert bluff_env.rules(written(tmp_path, "")) == Rules()
    assert bluff_env.rules(written(tmp_path, "# nothing but a remark\n")) == Rules()
    assert bluff_env.rules(written(tmp_path, "max_cards: null\nsuited: false\n")) == Rules()


def test_a_file_is_found_by_its_suffix_or_by_a_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "players: 3", "house.yml")
    bare = written(tmp_path, "players: 5", "house")
    monkeypatch.chdir(tmp_path)
    assert bluff_env.rules(path) == bluff_env.rules(str(path)) == bluff_env.rules("house.yml") == Rules(players=3)
    assert bluff_env.rules(bare) == bluff_env.rules("./house") == Rules(players=5)
    with pytest.raises(RulesError, match="no rule set named 'house'"):
        bluff_env.rules("house")


def test_fields_given_beside_a_file_lie_over_it(tmp_path: Path) -> None:
    path = written(tmp_path, "base: blof_free\nplayers: 3\n")
    assert bluff_env.rules(path, players=5) == bluff_env.rules("blof_free", players=5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players: 3\nmax_turns: 0\n", ":2: max_turns: 0 is not allowed; a whole number from 1 to "),
        ("# house\n\nplayers: many\n", ":3: players: 'many' is not allowed; a whole number from 2 to 16"),
        ("players: 3\nplayer: 4\n", ":2: player: no such field of the rules (did you mean 'players'"),
        ("base: blof_fre\n", ":1: base: no rule set named 'blof_fre' (did you mean 'blof_free'"),
        ("hand_size: 7\ndropp:\n  penalty: 2\n  notice: 1\n  false_notice: 0\n", ":3: dropp.penalty: 2 is not allowed"),
        ("hand_size: 7\ndropp: {penalty: 3, notice: 0.5, fals: 0}\n", ":2: dropp.fals: no such field"),
        ("players: 3\nplayers: 4\n", ":2: players: stands twice (first on line 1)"),
        ("players: 3\n  ranks: 4\n", ":2: not valid YAML: mapping values are not allowed here"),
        ("players: [3\nranks: 4\n", ":2: not valid YAML: "),
        ("players: 3\n\tranks: 4\n", ":2: not valid YAML: "),
        ("players: !!python/object/apply:os.getcwd []\n", ":1: not valid YAML: could not determine a constructor"),
        ("- players\n- 3\n", ":1: expected fields, as 'key: value' lines; found list"),
        ("bloff\n", ":1: expected fields, as 'key: value' lines; found str"),
        ("players: 3\n---\nplayers: 4\n", ": not valid YAML: but found another document"),
        ("players: \x00\n", ": not valid YAML: "),
    ],
)
def test_a_fault_names_file_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    found = refusal(written(tmp_path, text))
    line, _, rest = found.partition("not valid YAML")
    wanted, _, rest_wanted = message.partition("not valid YAML")
    if rest_wanted:
        assert line.startswith(wanted.rstrip(" ").rstrip(":"))
        assert rest_wanted.strip(": ").removeprefix("but ") in rest
    else:
        assert found.startswith(message)


def test_a_fault_between_fields_that_the_file_does_not_name_points_at_the_file(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, "suited: true\n")).startswith(": follow: 'next' with suited True")


def test_a_fault_of_a_field_given_beside_a_file_is_not_laid_at_the_files_door(tmp_path: Path) -> None:
    path = written(tmp_path, "max_turns: 5\nplayers: 3\n")
    with pytest.raises(RulesError) as caught:
        bluff_env.rules(path, players=99)
    assert f"{path}:2" not in str(caught.value)
    assert "players: 99 is not allowed; a whole number from 2 to 16" in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.yaml") == ": cannot be read: No such file or directory"
    (tmp_path / "folder.yaml").mkdir()
    assert refusal(tmp_path / "folder.yaml") == ": cannot be read: Is a directory"
    (tmp_path / "latin.yaml").write_bytes("ace: høy\n".encode("latin-1"))
    assert refusal(tmp_path / "latin.yaml").startswith(": not UTF-8 text (byte ")
