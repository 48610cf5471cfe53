"""Files of records: written whole or not at all, and read with faults that name file and line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bluff_env.errors import RecordError
from bluff_env.record import read_lines, read_records, write_records
from records.common import Record, two_turns


def fault_in(path: Path) -> str:
    """The one line with which a file is refused, without its path."""
    with pytest.raises(RecordError) as caught:
        list(read_records(path))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(str(path))
    return text.removeprefix(str(path))


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def line() -> str:
    return json.dumps(two_turns())


# ---- writing ----


def test_one_game_is_one_line_of_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = {**two_turns(), "seats": ["Bjørn", "♠"]}
    assert write_records(path, [record, two_turns()]) == 2
    lines = path.read_text(encoding="utf-8").split("\n")
    assert (len(lines), lines[2]) == (3, "")
    assert "Bjørn" in lines[0]
    assert json.loads(lines[0]) == record
    assert list(read_records(path)) == [record, two_turns()]


def test_a_fault_while_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [two_turns()])
    before = path.read_bytes()

    def half() -> Iterator[Record]:
        yield two_turns()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(path, half())
    with pytest.raises(TypeError):
        write_records(path, [two_turns(), {"not": {"json"}}])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_what_goes_wrong_in_making_records_is_not_the_files(tmp_path: Path) -> None:
    def unreachable() -> Iterator[Record]:
        yield two_turns()
        raise ConnectionError("nobody there")

    with pytest.raises(ConnectionError, match="nobody there"):
        write_records(tmp_path / "games.jsonl", unreachable())
    assert os.listdir(tmp_path) == []


def test_nothing_stands_at_the_path_before_the_last_record_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def looking() -> Iterator[Record]:
        for _ in range(3):
            assert not path.exists()
            yield two_turns()

    assert write_records(path, looking()) == 3
    assert os.listdir(tmp_path) == ["games.jsonl"]


def test_a_file_written_is_as_readable_as_any_other(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain", "")
    write_records(tmp_path / "games.jsonl", [two_turns()])
    assert (tmp_path / "games.jsonl").stat().st_mode == plain.stat().st_mode


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "none" / "games.jsonl", tmp_path / "folder"):
        with pytest.raises(RecordError) as caught:
            write_records(path, [two_turns()])
        assert str(caught.value).startswith(f"{path}: cannot be written: ")
    assert sorted(os.listdir(tmp_path)) == ["folder"]


# ---- reading ----


def test_lines_and_one_record_over_many_lines_are_both_read(tmp_path: Path) -> None:
    lines = written(tmp_path / "lines", f"{line()}\n\n{line()}\n")
    assert [number for number, _ in read_lines(lines)] == [1, 3]
    pretty = written(tmp_path / "pretty", json.dumps(two_turns(), indent=2))
    assert list(read_lines(pretty)) == [(1, two_turns())]
    windows = tmp_path / "windows"
    windows.write_bytes(f"{line()}\r\n{line()}\r\n".encode())
    assert len(list(read_records(windows))) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": empty; a game record expected"),
        (" \n\n", ": empty; a game record expected"),
        ("{\n", ":1: not JSON: "),
        ("game\n", ":1: not JSON: Expecting value at column 1"),
        ("3\n", ":1: a game record is a mapping; int found"),
        ("[]\n", ":1: a game record is a mapping; list found"),
        ("NaN\n", ":1: a game record is a mapping; float found"),
    ],
)
def test_a_file_that_holds_no_record_is_named(tmp_path: Path, text: str, message: str) -> None:
    assert fault_in(written(tmp_path / "games.jsonl", text)).startswith(message)


def test_a_fault_names_the_line_and_the_games_before_it_are_read(tmp_path: Path) -> None:
    spoilt = two_turns()
    spoilt["deals"][0]["events"][2]["pile"] = 4
    path = written(tmp_path / "games.jsonl", f"{line()}\n{json.dumps(spoilt)}\n{line()}\n")
    assert fault_in(path) == ":2: deal 0, event 2: pile: 4 stated, 3 expected"
    reading = read_records(path)
    assert next(reading) == two_turns()


def test_a_line_cut_short_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "games.jsonl", f"{line()}\n{line()[:50]}")
    assert fault_in(path).startswith(":2: not JSON: ")


def test_a_first_line_cut_short_is_named_although_the_rest_might_go_on_from_it(tmp_path: Path) -> None:
    cut = line()[: line().index('"name"')]
    path = written(tmp_path / "games.jsonl", f"{cut}\n{line()}\n")
    assert fault_in(path).startswith(":1: not JSON: ")


def test_a_fault_within_a_record_over_many_lines_is_named_by_its_own_line(tmp_path: Path) -> None:
    lines = json.dumps(two_turns(), indent=2).split("\n")
    lines[4] = lines[4].rstrip(",")
    path = written(tmp_path / "game.json", "\n".join(lines))
    assert fault_in(path).startswith(":6: not JSON: Expecting ',' delimiter")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"seed": ' + "9" * 5000 + "}"])
def test_json_that_python_will_not_read_is_a_fault_and_no_crash(tmp_path: Path, text: str) -> None:
    assert fault_in(written(tmp_path / "games.jsonl", text)).startswith(":1: ")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert fault_in(tmp_path / "none.jsonl") == ": cannot be read: No such file or directory"
    assert fault_in(tmp_path) == ": cannot be read: Is a directory"
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(line().encode() + "ø".encode("latin-1"))
    assert fault_in(latin) == f": not UTF-8 text (byte {len(line())})"


def test_reading_goes_game_by_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    many: list[Any] = [two_turns()] * 50
    write_records(path, many)
    assert sum(1 for _ in read_records(path)) == 50


def test_a_link_or_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    """Files are written under another name and renamed, which would put a file in their place."""
    (tmp_path / "real.jsonl").write_text("kept")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link.jsonl", "pipe"):
        with pytest.raises(RecordError, match="is no plain file"):
            write_records(tmp_path / name, [])
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_text() == "kept"
