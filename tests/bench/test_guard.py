"""The guard's arithmetic and words, with measurements made up: how fast things are is no test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bluff_agents.bench import guard
from bluff_agents.bench.guard import judge, main, read, yardstick

ROOT = Path(__file__).resolve().parents[2]
RATIOS = {"batch": [900.0, 1000.0, 1100.0], "one": [2.0, 1.0, 3.0]}


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "speed.json"
    path.write_text(json.dumps({"ratios": {"batch": 1000, "one": 2.0, "another": 1}}))
    return path


def test_the_median_of_the_rounds_is_judged(recorded: Path) -> None:
    batch, one = judge(RATIOS, read(recorded))
    assert (batch.ratio, batch.low, batch.high, batch.recorded) == (1000, 900, 1100, 1000)
    assert str(one) == "one: 2.00 (1.00 – 3.00) agent-steps a yardstick, 1.00 of the recorded 2.00: good"


@pytest.mark.parametrize(("ratio", "passed"), [(0.501, True), (0.5, True), (0.499, False), (7, True)])
def test_only_less_than_half_of_the_recorded_ratio_fails(ratio: float, passed: bool) -> None:
    (verdict,) = judge({"batch": [ratio]}, {"batch": 1.0})
    assert verdict.passed is passed


def test_what_is_fast_enough_ends_with_status_0_and_a_line_each(recorded: Path, capsys) -> None:
    assert main([], recorded, RATIOS) == 0
    said = capsys.readouterr()
    assert [line.partition(":")[0] for line in said.out.splitlines()] == ["batch", "one"]
    assert said.err == ""


def test_what_is_too_slow_ends_with_status_1_and_says_so(recorded: Path, capsys) -> None:
    assert main([], recorded, RATIOS | {"batch": [499.0]}) == 1
    said = capsys.readouterr()
    assert "batch: 499 (499 – 499) agent-steps a yardstick, 0.50 of the recorded 1.00 k: TOO SLOW" in said.out
    assert said.err == f"scripts/guard: slower than half of what {recorded} records\n"


def test_recording_writes_the_medians_and_judges_by_them(tmp_path: Path, capsys) -> None:
    path = tmp_path / "speed.json"
    assert main(["--record"], path, RATIOS) == 0
    assert read(path) == {"batch": 1000, "one": 2.0}
    assert set(json.loads(path.read_text())) == {"about", "ratios", "machine", "versions"}
    assert main([], path, RATIOS) == 0
    assert capsys.readouterr().out.count("1.00 of the recorded") == 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "no such file"),
        ("{", "holds no recorded ratios"),
        ("[]", "holds no recorded ratios"),
        ('{"ratios": {"batch": "fast"}}', "holds no recorded ratios"),
        ('{"ratios": {"batch": 0}}', "batch: 0.0 found; a number above 0 expected"),
        ('{"ratios": {"batch": Infinity}}', "batch: inf found; a number above 0 expected"),
        ('{"ratios": {"one": 1}}', "nothing is recorded for 'batch'"),
    ],
)
def test_a_faulty_record_is_one_line_and_status_2(text: str | None, complaint: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "speed.json"
    if text is not None:
        path.write_text(text)
    assert main([], path, RATIOS) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_wrong_words_are_status_2(tmp_path: Path, capsys) -> None:
    assert main(["--now"], tmp_path / "speed.json", RATIOS) == 2
    assert capsys.readouterr().err == "usage: scripts/guard [--record]\n"


def test_every_thing_guarded_is_recorded_in_the_checkout() -> None:
    assert set(read(ROOT / ".ci" / "speed.json")) == set(guard._GUARDED)


@pytest.mark.parametrize("rows", [1, 1024])
def test_the_yardstick_counts_its_passes(rows: int) -> None:
    assert yardstick(rows)() == max(1, 128 // rows)


def test_everything_guarded_is_measured_once_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_GUARDED", {"kite": (lambda: lambda: 100, 1)})
    monkeypatch.setattr(guard, "yardstick", lambda rows: lambda: 4)
    monkeypatch.setattr(guard, "per_second", lambda loop, seconds: float(loop()))
    assert guard.measure(3, 0) == {"kite": [25.0, 25.0, 25.0]}
