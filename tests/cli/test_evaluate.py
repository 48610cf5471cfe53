"""`bluff evaluate`: what it writes goes where it was told to, and nothing that is asked for is passed over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bluff_agents.evaluation import EvaluationError
from bluff_agents.evaluation.files import check_apart, whole_folder
from bluff_env.record import read_records

TINY = ("evaluate", "--rules", "tiny", "--deals", "3", "--agents")

UNREACHABLE = """
class Unreachable:
    def act(self, observation, mask, noise=None, state=None):
        raise {error}

class Wordless(Unreachable):
    def act(self, observation, mask, noise=None, state=None):
        return mask.argmax(axis=1), None

    def win_chance(self, observation):
        raise {error}

def make(rules):
    return Unreachable()

def wordless(rules):
    return Wordless()
"""


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"__pycache__"}


# ---- what is written ----


@pytest.mark.parametrize("again", ["out", "./out", "there/../out", "{}/out", "link/out"])
@pytest.mark.parametrize(("first", "second"), [("--save", "--report"), ("--plot", "--report"), ("--save", "--plot")])
def test_two_things_to_write_under_one_name_are_refused(bluff, tmp_path, first, second, again) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    suffix = ".png" if "--plot" in (first, second) else ""
    words = [first, f"out{suffix}", second, again.replace("{}", str(tmp_path)) + suffix]
    assert f"named for both {first} and {second}" in bluff(*TINY, "random", *words).complaint()
    assert names_in(tmp_path) == {"there", "link"}


def test_a_file_in_a_folder_that_is_replaced_is_refused_whichever_is_named_first() -> None:
    for files, folders in (
        ({"--save": Path("r/a")}, {"--report": Path("./r")}),
        ({}, {"--a": Path("r"), "--b": Path("r/a")}),
    ):
        with pytest.raises(EvaluationError, match=r"^r/a: in the folder of --\w+, which is replaced as a whole$"):
            check_apart(files, folders)
    check_apart({"--save": Path("r.jsonl"), "--plot": None}, {"--report": Path("r")})


def test_a_folder_never_takes_the_place_of_a_file(tmp_path) -> None:
    (tmp_path / "games").write_text("precious")
    with pytest.raises(EvaluationError, match="is a file or a link"), whole_folder(tmp_path / "games"):
        pytest.fail("nothing is to be made")
    with pytest.raises(EvaluationError, match="is a file or a link"), whole_folder(tmp_path / "late"):
        (tmp_path / "late").write_text("precious")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"games": "precious", "late": "precious"}


def test_games_picture_and_report_are_written_side_by_side(bluff, tmp_path) -> None:
    pytest.importorskip("matplotlib")
    done = bluff(*TINY, "random", "--save", "a.jsonl", "--plot", "a.png", "--report", "a")
    assert done.out.splitlines()[-3:] == ["Written: a.jsonl", "Written: a.png", "Written: a"]
    assert len(list(read_records(tmp_path / "a.jsonl"))) == 6
    assert names_in(tmp_path) == {"a.jsonl", "a.png", "a"}


# ---- what is asked for in vain ----


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--ratings", "--ratings: only a --round-robin has ratings"),
        ("--ratings --round-robin --tables copies", "--ratings: come from mixed tables, which --tables copies leaves"),
        ("--tables both", "--tables both: only a --round-robin has tables to choose from"),
        ("--tables copies", "--tables copies: only a --round-robin has tables to choose from"),
        ("--overwrite", "--overwrite: only with --save, --plot or --report"),
    ],
)
def test_what_would_be_passed_over_is_refused(bluff, words, complaint) -> None:
    assert complaint in bluff(*TINY, "random", "honest", *words.split()).complaint()


def test_ratings_come_unasked_where_a_round_robin_has_mixed_tables(bluff) -> None:
    pytest.importorskip("openskill")
    words = (*TINY, "random", "honest", "--json")
    assert "ratings" in bluff(*words, "--round-robin").json()
    assert "ratings" in bluff(*words, "--round-robin", "--ratings", "--tables", "mixed").json()
    assert "ratings" not in bluff(*words, "--round-robin", "--tables", "copies").json()
    assert "ratings" not in bluff(*words, "--no-ratings").json()


# ---- errors of an agent's own ----


@pytest.mark.parametrize(
    ("kind", "error"),
    [("OSError", "'boom'"), ("FileNotFoundError", "2, 'No such file', 'mine'"), ("BrokenPipeError", "'gone'")],
)
def test_an_agents_own_error_is_not_taken_for_the_files(bluff, tmp_path, kind, error) -> None:
    module = f"guest_{kind.lower()}"
    (tmp_path / f"{module}.py").write_text(UNREACHABLE.format(error=f"{kind}({error})"))
    for words in (
        ("evaluate", "--deals", "3", "--save", "s.jsonl", "--agents", f"{module}:make"),
        ("evaluate", "--deals", "3", "--save", "s.jsonl", "--calibration", "--agents", f"{module}:wordless"),
        ("record", "--out", "s.jsonl", "--agents", f"{module}:make"),
    ):
        said = bluff(*words, "--rules", "tiny").complaint()
        assert said.startswith(f"bluff: agent {words[-1]}: {kind}: "), said
    assert names_in(tmp_path) == {f"{module}.py"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="takes a disk that is full")
def test_a_full_disk_is_still_the_files(bluff, tmp_path, monkeypatch) -> None:
    plain = Path.open
    monkeypatch.setattr(
        Path,
        "open",
        lambda path, *words, **more: plain(Path("/dev/full") if ".part" in path.name else path, *words, **more),
    )
    assert "s.jsonl: cannot be written: No space left" in bluff(*TINY, "random", "--save", "s.jsonl").complaint()
    assert names_in(tmp_path) == set()
