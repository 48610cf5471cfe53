"""`bluff record` and `bluff check`: games written down, and whether they were played by the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bluff_env
from bluff_env.engine.arguments import row_seeds

RECORD = ("record", "--rules", "tiny", "--agents", "random", "--games", 4, "--seed", 7, "--out")


def games_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, games: list[Any]) -> None:
    path.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def games(bluff, tmp_path) -> list[dict[str, Any]]:
    """Four games at `tiny`, as recorded."""
    bluff(*RECORD, "games.jsonl")
    return games_of(tmp_path / "games.jsonl")


def test_recorded_games_are_whole_good_and_named(bluff, tmp_path) -> None:
    done = bluff(*RECORD, "games.jsonl")
    assert (done.status, done.out, done.err) == (0, "games.jsonl: 4 games\n", "")
    assert names_in(tmp_path) == {"games.jsonl"}
    games = games_of(tmp_path / "games.jsonl")
    assert len(games) == 4
    for game, seed in zip(games, row_seeds(7, 4), strict=True):
        assert (game["name"], game["seed"], game["seats"]) == ("tiny", seed, ["random", "random"])
        assert game["result"] is not None
    assert bluff("check", "games.jsonl").out == "games.jsonl: 4 games, all good\n"


def test_a_record_keeps_the_name_its_rules_were_called_by(bluff, tmp_path) -> None:
    bluff("record", "--rules", "blof", "--agents", "honest", "--out", "games.jsonl")
    assert games_of(tmp_path / "games.jsonl")[0]["name"] == "blof"


def test_a_game_depends_on_its_seed_and_number_alone(bluff, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("bluff_agents.cli.record._CHUNK", 3)
    words = ("record", "--rules", "blof_free", "--agents", "random", "honest", "random", "honest", "--seed", 3)
    bluff(*words, "--games", 7, "--out", "seven.jsonl")
    bluff(*words, "--games", 2, "--out", "two.jsonl")
    bluff(*words, "--games", 7, "--out", "again.jsonl")
    seven = (tmp_path / "seven.jsonl").read_text()
    assert seven == (tmp_path / "again.jsonl").read_text()
    assert seven.splitlines()[:2] == (tmp_path / "two.jsonl").read_text().splitlines()
    assert len(set(seven.splitlines())) == 7
    assert games_of(tmp_path / "seven.jsonl")[0]["seats"] == ["random", "honest", "random", "honest"]


def test_house_rules_and_other_numbers_of_players_are_recorded(bluff, tmp_path) -> None:
    (tmp_path / "house.yaml").write_text("base: tiny\nmax_turns: 9\n")
    bluff("record", "--rules", "house.yaml", "--players", 3, "--agents", "random", "--out", "games.jsonl")
    rules = games_of(tmp_path / "games.jsonl")[0]["rules"]
    assert rules == bluff_env.rules("tiny", players=3, max_turns=9).to_dict()
    assert bluff("check", "games.jsonl").status == 0


def test_an_agent_from_the_present_folder_plays(bluff, tmp_path) -> None:
    (tmp_path / "first_legal.py").write_text(
        "import numpy as np\n"
        "class FirstLegal:\n"
        "    def act(self, observation, mask, noise=None, state=None):\n"
        "        return mask.argmax(axis=1).astype(np.int64), None\n"
        "def make(rules):\n"
        "    return FirstLegal()\n"
    )
    done = bluff("record", "--rules", "tiny", "--agents", "first_legal:make", "--out", "games.jsonl")
    assert done.status == 0, done.err
    assert games_of(tmp_path / "games.jsonl")[0]["seats"] == ["first_legal:make"] * 2


def test_an_agent_that_breaks_the_rules_leaves_no_file(bluff, tmp_path) -> None:
    (tmp_path / "cheat.py").write_text(
        "import numpy as np\n"
        "class Cheat:\n"
        "    def act(self, observation, mask, noise=None, state=None):\n"
        "        return mask.argmin(axis=1).astype(np.int64), None\n"
        "def make(rules):\n"
        "    return Cheat()\n"
    )
    line = bluff("record", "--rules", "tiny", "--agents", "cheat:make", "--out", "games.jsonl").complaint()
    assert "is not legal" in line
    assert names_in(tmp_path) - {"__pycache__"} == {"cheat.py"}


def test_a_file_is_overwritten_only_when_told_to(bluff, tmp_path) -> None:
    (tmp_path / "games.jsonl").write_text("precious")
    assert "games.jsonl: exists already; --overwrite" in bluff(*RECORD, "games.jsonl").complaint()
    assert (tmp_path / "games.jsonl").read_text() == "precious"
    assert bluff(*RECORD, "games.jsonl", "--overwrite").status == 0
    assert len(games_of(tmp_path / "games.jsonl")) == 4
    assert names_in(tmp_path) == {"games.jsonl"}


def test_a_failed_run_keeps_the_file_it_would_have_replaced(bluff, tmp_path) -> None:
    (tmp_path / "games.jsonl").write_text("precious")
    (tmp_path / "broken.py").write_text("def make(rules):\n    raise KeyboardInterrupt\n")
    words = ("record", "--rules", "tiny", "--agents", "broken:make", "--out", "games.jsonl", "--overwrite")
    done = bluff(*words)
    assert (done.status, done.err) == (130, "")
    assert (tmp_path / "games.jsonl").read_text() == "precious"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--rules tiny --agents random --out nowhere/games.jsonl", "there is no folder nowhere"),
        ("--rules tiny --agents random --out .", ".: is a folder"),
        (
            "--rules tiny --agents random honest random --out g",
            "--agents: 3 named for 2 seats; one for all, or exactly 2",
        ),
        ("--rules bloff --agents random honest --out g", "--agents: 2 named for 4 seats"),
        (f"--rules tiny --agents random --out g --games {10**20}", "--games: 100000000000000000000 is not allowed"),
        ("--rules tiny --agents rndom --out g", "no bot named 'rndom' (did you mean 'random'?)"),
        ("--rules tiny --agents runs/none --out g", "runs/none: no such file or run folder"),
        ("--rules tny --agents random --out g", "no rule set named 'tny' (did you mean 'tiny'"),
        ("--rules bloff --players 40 --agents random --out g", "players: 40 is not allowed"),
    ],
)
def test_what_cannot_be_recorded_is_refused_and_nothing_written(bluff, tmp_path, words, complaint) -> None:
    assert complaint in bluff("record", *words.split()).complaint()
    assert names_in(tmp_path) == set()


def test_every_fault_is_named_with_file_line_deal_event_and_expectation(bluff, tmp_path, games) -> None:
    call = next(i for i, event in enumerate(games[1]["deals"][0]["events"]) if "call" in event)
    event = games[1]["deals"][0]["events"][call]
    event["wrong"] = 1 - event["wrong"]
    games[3]["deals"][0]["hands"][0][0] = "K"
    write(tmp_path / "games.jsonl", games)
    done = bluff("check", "games.jsonl")
    assert done.status == 1
    first, second, summary = done.out.splitlines()
    expected = 1 - event["wrong"]
    assert first == f"games.jsonl:2: deal 0, event {call}: wrong: {event['wrong']} stated, {expected} expected"
    assert second.startswith("games.jsonl:4: deal 0: ")
    assert "card 'K' is not in this deck" in second
    assert summary == "games.jsonl: 2 of 4 games good"


def test_json_of_check_holds_the_same(bluff, tmp_path, games) -> None:
    games[0]["deals"][0]["events"][0]["seat"] = 9
    write(tmp_path / "bad.jsonl", games)
    done = bluff("check", "--json", "games.jsonl", "bad.jsonl", "none.jsonl")
    assert done.status == 2
    good, bad, none = done.json()["files"]
    assert (good["good"], good["faults"], good["unreadable"]) == (4, [], None)
    assert bad["good"] == 3
    fault = bad["faults"][0]
    assert (fault["line"], fault["deal"], fault["event"]) == (1, 0, 0)
    assert "seat 9 is not to move" in fault["fault"]
    assert none["unreadable"].startswith("none.jsonl: cannot be read")


def test_a_record_over_many_lines_and_an_unfinished_one_are_read(bluff, tmp_path, games) -> None:
    one = games[0]
    del one["deals"][0]["end"], one["result"]
    one["deals"][0]["events"] = one["deals"][0]["events"][:2]
    (tmp_path / "one.json").write_text(json.dumps(one, indent=1))
    assert bluff("check", "one.json").out == "one.json: 1 game, all good\n"


@pytest.mark.parametrize("junk", ["not json", '{"format"', '{"a": 1', "[1, 2]]", "{'a': 1}"])
def test_a_line_that_is_no_json_is_a_fault(bluff, tmp_path, games, junk) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps(games[0]) + "\n" + junk + "\n")
    done = bluff("check", "bad.jsonl")
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines()[0].startswith("bad.jsonl:2: not JSON: ")
    assert done.out.splitlines()[1] == "bad.jsonl: 1 game good; nothing was read after line 2"


@pytest.mark.parametrize(
    "junk", [None, True, 7, "a", [], {}, {"format": "bluff-record/9"}, {"format": "bluff-record/1"}]
)
def test_json_that_is_no_record_is_a_fault(bluff, tmp_path, junk) -> None:
    write(tmp_path / "bad.jsonl", [junk])
    done = bluff("check", "bad.jsonl")
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("bad.jsonl:1: ")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("none.jsonl", None, "none.jsonl: cannot be read: No such file"),
        (".", None, "cannot be read: Is a directory"),
        ("picture.png", b"\x89PNG\r\n\xff\xfe", "picture.png: not UTF-8 text"),
        ("empty.jsonl", b"", "empty.jsonl: empty; a game record expected"),
    ],
)
def test_a_file_that_cannot_be_read_is_wrong_use(bluff, tmp_path, name, content, complaint) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert complaint in bluff("check", name).complaint()


def test_files_after_an_unreadable_one_are_still_checked(bluff, games) -> None:
    done = bluff("check", "none.jsonl", "games.jsonl")
    assert done.status == 2
    assert done.out == "games.jsonl: 4 games, all good\n"
