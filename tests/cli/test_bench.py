"""`bluff bench` works and prints what it says; how fast things are is no test."""

from __future__ import annotations

import pytest

from bluff_agents import bench, benchmarks
from bluff_agents.cli.bench import number

QUICK = ("--repeats", 2, "--seconds", 0)


def test_a_measurement_has_median_spread_machine_and_versions(bluff) -> None:
    told = bluff("bench", "--only", "one", *QUICK, "--json").json()
    assert told["repeats"] == 2
    assert set(told["versions"]) == {"bluff-env", "python", "numpy", "numba", "gymnasium", "pettingzoo"}
    assert told["machine"]["cores"] >= 1
    (result,) = told["results"]
    assert (result["name"], result["unit"], len(result["values"])) == ("one", "agent-steps/s", 2)
    assert 0 < result["low"] <= result["median"] <= result["high"]


@pytest.mark.parametrize("name", ["batch", "raw_env", "env", "gym", "bot"])
def test_every_quick_benchmark_runs(bluff, name) -> None:
    told = bluff("bench", "--only", name, *QUICK, "--json").json()
    assert told["results"]
    for result in told["results"]:
        assert result["name"].startswith(name)
        assert result["low"] > 0


def test_the_table_fits_the_screen(bluff) -> None:
    done = bluff("bench", "--only", "one", *QUICK)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0].split() == ["benchmark", "median", "min", "–", "max", "unit", "what"]
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.slow
def test_training_is_measured_where_its_libraries_are(bluff) -> None:
    pytest.importorskip("sb3_contrib")
    (result,) = bluff("bench", "--only", "learner", "--repeats", 1, "--seconds", 0, "--json").json()["results"]
    assert result["low"] > 0


def test_training_is_skipped_where_they_are_not(bluff, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = bluff("bench", "--only", "learner", *QUICK)
    assert done.status == 0
    assert "needs torch" in done.out


@pytest.mark.slow
def test_starts_are_measured_on_a_copy_with_its_own_cache() -> None:
    start = benchmarks._Start()
    root = start._root
    without_cache = start.seconds()
    assert start.seconds() < without_cache
    del start
    assert not root.exists()


def test_what_cannot_be_measured_here_is_skipped_with_its_reason() -> None:
    def prepare() -> bench.Measure:
        raise bench.Skip("needs a bigger boat")

    found = bench.run(bench.Benchmark("boat", "a boat", "s", prepare), 3, 0).to_dict()
    assert found == {"name": "boat", "what": "a boat", "unit": "s", "skipped": "needs a bigger boat"}


def test_unknown_benchmarks_are_refused(bluff) -> None:
    assert "--only: no benchmark 'boat'; benchmarks: batch, one" in bluff("bench", "--only", "boat").complaint()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123, "0.012"), (0.8834, "0.883"), (9.999, "10.0"), (99.96, "100"), (999.6, "1.00 k"), (1234, "1.23 k"),
     (123456, "123 k"), (999600, "1.00 M"), (12345678, "12.3 M")],
)  # fmt: skip
def test_numbers_have_three_digits(value, text) -> None:
    assert number(value) == text
