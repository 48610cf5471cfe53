"""`bluff bench` works and prints what it says; how fast things are is no test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bluff_agents.bench import catalogue, curves, peers
from bluff_agents.bench.curves import BATCH_SIZE, SEATS, Curve
from bluff_agents.bench.loops import batch_loop
from bluff_agents.bench.peers import Peer
from bluff_agents.bench.showing import between, missed, number, target_text

QUICK = ("--repeats", 2, "--seconds", 0)


def test_a_measurement_has_median_spread_machine_and_versions(bluff) -> None:
    told = bluff("bench", "--only", "one", *QUICK, "--json").json()
    assert set(told) == {"machine", "versions", "repeats", "seconds", "results"}
    assert told["repeats"] == 2
    assert set(told["versions"]) == {"bluff-env", "python", "numpy", "numba", "gymnasium", "pettingzoo"}
    assert told["machine"]["cores"] >= 1
    (result,) = told["results"]
    assert (result["name"], result["unit"], len(result["values"])) == ("one", "agent-steps/s", 2)
    assert 0 < result["low"] <= result["median"] <= result["high"]
    assert (result["target"], result["at_most"]) == (800_000, False)


@pytest.mark.parametrize("name", ["batch", "game", "memory", "raw_env", "env", "gym", "vector", "bot"])
def test_every_quick_benchmark_runs(bluff, name) -> None:
    told = bluff("bench", "--only", name, *QUICK, "--json").json()
    assert told["results"]
    assert told["results"][0]["name"].startswith(name)
    for result in told["results"]:
        may_be_skipped = result["name"] in ("batch_threads", "threads_ratio")
        assert (may_be_skipped and "skipped" in result) or result["low"] > 0


def test_the_table_fits_the_screen(bluff) -> None:
    done = bluff("bench", "--only", "one", *QUICK)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0].split() == ["benchmark", "median", "min", "–", "max", "target", "what"]
    assert "≥ 800 k" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize(("name", "figures"), [("learner", 1), ("sb3", 4)])
def test_training_is_measured_where_its_libraries_are(bluff, name, figures) -> None:
    pytest.importorskip("sb3_contrib")
    told = bluff("bench", "--only", name, "--repeats", 1, "--seconds", 0, "--json").json()
    assert len(told["results"]) == figures
    assert all(result["low"] > 0 for result in told["results"])
    assert {"torch", "stable_baselines3", "sb3_contrib"} <= set(told["versions"])


@pytest.mark.parametrize("name", ["learner", "sb3"])
def test_training_is_skipped_where_they_are_not(bluff, monkeypatch, name) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = bluff("bench", "--only", name, *QUICK)
    assert done.status == 0
    assert "needs torch" in " ".join(done.out.split())


@pytest.fixture
def strangers(monkeypatch) -> None:
    """Two peers: one that is there, one that is not."""
    monkeypatch.setattr(peers, "OURS", {"one": lambda: lambda: 10})
    kite = Peer("peer_kite", "Kite, one game", ("json",), (), 1, lambda: lambda: 5, ("one",))
    swan = Peer("peer_swan", "Swan, one game", ("no_such_library",), ("swan",), 1, lambda: lambda: 5, ("one",))
    monkeypatch.setattr(catalogue, "PEERS", (kite, swan))


def test_peers_are_set_beside_ours_with_their_ratios(bluff, strangers) -> None:
    told = bluff("bench", "--only", "one", "--peers", *QUICK, "--json").json()
    kite, swan = told["peers"]
    assert [one["name"] for one in kite["ours"]] == ["one"]
    assert len(kite["ours"][0]["ratio"]["values"]) == 2
    assert swan["skipped"] == "no_such_library is not installed: pip install swan"


def test_the_table_of_peers_says_who_is_not_there(bluff, strangers) -> None:
    done = bluff("bench", "--only", "peer", *QUICK)
    assert (done.status, done.err) == (0, "")
    head, kite, *swan = done.out.split("\n\n")[0].splitlines()
    assert head.split() == ["theirs", "ours", "ratio", "min", "–", "max", "ours", "is", "theirs", "is"]
    assert "Kite, one game" in kite
    assert "no_such_library is not installed: pip install swan" in " ".join(" ".join(swan).split())
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.fixture
def short(monkeypatch) -> None:
    def all_curves() -> list[Curve]:
        points = {n: lambda n=n: batch_loop("tiny", n) for n in (1, 3)}
        return [Curve("tiny", along, dict(points)) for along in (BATCH_SIZE, SEATS)]

    monkeypatch.setattr(curves, "all_curves", all_curves)


def test_curves_are_drawn_and_their_numbers_written(bluff, short, strangers, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = bluff("bench", "--only", "one", "--peers", "--curves", "pictures", *QUICK, "--json")
    folder = tmp_path / "pictures"
    assert {path.name for path in folder.iterdir()} == {"speed_by_batch.png", "speed_by_seats.png", "speed_curves.json"}
    assert (folder / "speed_by_batch.png").read_bytes().startswith(b"\x89PNG")
    by_batch, by_seats = done.json()["curves"]
    assert json.loads((folder / "speed_curves.json").read_text())["curves"] == [by_batch, by_seats]
    assert (by_batch["along"], by_seats["along"]) == (BATCH_SIZE, SEATS)
    assert [(point["at"], len(point["values"])) for point in by_batch["points"]] == [(1, 2), (3, 2)]


def test_curves_go_over_all_sizes_and_the_seats_that_rules_allow() -> None:
    by = {(curve.what, curve.along): list(curve.points) for curve in curves.all_curves()}
    assert by["bloff", BATCH_SIZE] == [1, 4, 16, 64, 256, 1024, 4096]
    assert by["bloff", SEATS] == list(range(2, 17))
    assert by["bluffstopp", SEATS] == list(range(2, 8))


def test_a_folder_for_curves_that_cannot_be_made_is_refused_before_anything_is_measured(bluff, short) -> None:
    pytest.importorskip("matplotlib")
    Path("taken").touch()
    assert "--curves: taken: cannot be made" in bluff("bench", "--curves", "taken", *QUICK).complaint()
    assert "--curves: no/such: cannot be made" in bluff("bench", "--curves", "no/such", *QUICK).complaint()


def test_curves_without_matplotlib_are_refused(bluff, monkeypatch) -> None:
    monkeypatch.setattr("bluff_agents.bench.plots.find_spec", lambda name: None)
    assert "--curves: needs matplotlib" in bluff("bench", "--curves", ".", *QUICK).complaint()


def test_unknown_benchmarks_are_refused(bluff) -> None:
    assert "--only: no benchmark 'boat'; benchmarks: batch, batch_" in bluff("bench", "--only", "boat").complaint()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123, "0.012"), (0.8834, "0.883"), (9.999, "10.0"), (99.96, "100"), (999.6, "1.00 k"), (1234, "1.23 k"),
     (123456, "123 k"), (999600, "1.00 M"), (12345678, "12.3 M")],
)  # fmt: skip
def test_numbers_have_three_digits(value, text) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (4.42e6, 4.55e6, "4.42 – 4.55 M"),
        (999, 1234, "0.999 – 1.23 k"),
        (9e5, 1e6, "0.900 – 1.00 M"),
        (1, 2, "1.00 – 2.00"),
    ],
)
def test_both_ends_of_a_spread_are_in_one_unit(low, high, text) -> None:
    assert between(low, high) == text


def test_a_target_is_shown_without_digits_that_mean_nothing() -> None:
    assert target_text({"target": 10e6, "at_most": False}) == "≥ 10 M"
    assert target_text({"target": 0.8, "at_most": False}) == "≥ 0.8"
    assert target_text({"target": 30.0, "at_most": True}) == "≤ 30"
    assert target_text({"target": 500e3, "at_most": False}) == "≥ 500 k"
    assert target_text({}) == ""
    assert missed({"target": 2.0, "at_most": True, "median": 2.1})
    assert not missed({"target": 2.0, "at_most": False, "median": 2.1})
    assert not missed({"target": 2.0, "at_most": False, "skipped": "why"})
