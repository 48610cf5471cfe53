"""docs/performance.md: tables from measurements, the same again from the same; nothing is measured here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bluff_agents.bench import perfdoc
from bluff_agents.bench.measuring import spread
from bluff_agents.bench.perfdoc import main, page, read
from bluff_env.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]

TOLD = {
    "machine": {"cpu": "an abacus", "cores": 1, "system": "Linux x86_64"},
    "versions": {"bluff-env": "0.1.0", "numpy": "2.0"},
    "repeats": 3,
    "seconds": 0.5,
    "results": [
        {"name": "batch", "what": "many games", "unit": "steps/s", "target": 10e6, "at_most": False,
         **spread([4.4e6, 4.5e6, 4.6e6])},
        {"name": "ratio", "what": "two by one", "unit": "×", **spread([1.5])},
        {"name": "vector", "what": "a vector", "unit": "steps/s", "skipped": "there is none"},
    ],
    "peers": [
        {"name": "peer_kite", "what": "Kite, 2 seats", "unit": "decisions/s", "games": 1, **spread([50.0, 60.0]),
         "ours": [{"name": "one", **spread([100.0, 120.0]), "ratio": spread([2.0, 2.0])},
                  {"name": "game", **spread([10.0, 12.0]), "ratio": spread([0.2, 0.2])}]},
        {"name": "peer_swan", "what": "Swan", "unit": "decisions/s", "games": 1024, "skipped": "not installed: pip …"},
    ],
    "curves": [
        {"what": "bloff", "along": along, "unit": "agent-steps/s",
         "points": [{"at": at, **spread([1e5 * at, 1.2e5 * at])} for at in (2, 4)]}
        for along in ("games in the batch", "seats")
    ],
}  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "pyproject.toml").touch()
    for of, sections in perfdoc.PAGES.items():
        marks = [f"<!-- begin {name}: written by scripts/perfdoc -->\nold\n<!-- end {name} -->\n" for name in sections]
        (tmp_path / of).write_text("# Title\n\n" + "\nBy hand.\n\n".join(marks) + "\nThe end.\n")
    return tmp_path


def test_tables_are_written_between_the_marks_and_nothing_else_is_touched(checkout: Path) -> None:
    text = (checkout / "docs" / "performance.md").read_text()
    made = page(text, TOLD)
    assert made.startswith("# Title\n\n<!-- begin machine")
    assert made.endswith("<!-- end peers -->\n\nThe end.\n")
    assert made.count("By hand.") == text.count("By hand.") == 2
    assert "old" not in made
    for line in (
        "an abacus, 1 core, Linux x86_64. 3 measurements of each, 0.5 s long: the median, the lowest and the highest. "
        "bluff-env 0.1.0, numpy 2.0.",
        "| `batch` | many games | 4.50 M steps/s | 4.40 – 4.60 M | ≥ 10 M |",
        "| `ratio` | two by one | 1.50 × | – |  |",
        "| `vector` | a vector | not measured: there is none |  |  |",
        "| Kite, 2 seats | 55.0 decisions/s | `one` | 110 | 2.00 × | 2.00 – 2.00 |",
        "|  |  | `game` | 11.0 | 0.200 × | 0.200 – 0.200 |",
        "| Swan | not measured: not installed: pip … |  |  |  |  |",
    ):
        assert line in made.splitlines()


def test_a_page_written_again_from_the_same_numbers_is_the_same(checkout: Path) -> None:
    once = page((checkout / "docs" / "performance.md").read_text(), TOLD)
    assert page(once, TOLD) == once


def test_a_page_without_a_mark_is_refused(checkout: Path) -> None:
    text = (checkout / "docs" / "performance.md").read_text().replace("end peers", "end of peers")
    with pytest.raises(ConfigError, match="0 places marked 'peers'"):
        page(text, TOLD)


def test_from_a_file_the_page_its_numbers_and_its_pictures_are_written(checkout: Path, tmp_path: Path, capsys) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "f.json"
    file.write_text(json.dumps(TOLD))
    assert main([str(file)], checkout) == 0
    docs = checkout / "docs"
    *written, readme = [Path(line).relative_to(checkout).as_posix() for line in capsys.readouterr().out.splitlines()]
    names = ["images/speed_by_batch.png", "images/speed_by_seats.png", "performance.json", "performance.md"]
    assert written == [f"docs/{name}" for name in names]
    assert all((checkout / name).stat().st_size for name in written)
    assert "| many games | 4.50 M steps/s | 4.40 – 4.60 M |" in (checkout / readme).read_text()
    assert main(["--check"], checkout) == 0
    assert main([str(docs / "performance.json")], checkout) == 0
    (docs / "performance.md").write_text((docs / "performance.md").read_text().replace("4.50 M", "9.99 M"))
    assert main(["--check"], checkout) == 1
    assert "not up to date; run scripts/perfdoc docs/performance.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "no JSON"),
        ("[]", "no 'machine'; the output of bluff bench --peers --curves FOLDER --json expected"),
        (json.dumps({key: value for key, value in TOLD.items() if key != "curves"}), "no 'curves'"),
        (json.dumps({**TOLD, "results": 5}), "not what bluff bench prints (TypeError"),
        (json.dumps({**TOLD, "machine": {}}), "not what bluff bench prints (KeyError"),
        (json.dumps({**TOLD, "curves": [{}]}), "not what bluff bench prints (KeyError"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_is_none_is_one_line_and_status_2(text, complaint, checkout: Path, tmp_path: Path, capsys) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "f.json"
    if text is not None:
        file.write_text(text)
    before = (checkout / "docs" / "performance.md").read_text()
    assert main([str(file)], checkout) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
    assert (checkout / "docs" / "performance.md").read_text() == before


@pytest.mark.parametrize("words", [["--now"], ["a", "b"]])
def test_wrong_words_are_status_2(words: list[str], capsys) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err == "usage: scripts/perfdoc [--check | FILE]\n"


@pytest.mark.parametrize("of", perfdoc.PAGES)
def test_the_pages_of_the_checkout_fit_its_numbers(of: str) -> None:
    text = (ROOT / of).read_text(encoding="utf-8")
    assert page(text, read(ROOT / "docs" / "performance.json"), of) == text
