"""Round robins: who meets whom, what is the same for any number of processes, when it ends, what is written."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bluff_agents.cli import main
from bluff_agents.evaluation import EvaluationError, evaluate, workers
from bluff_agents.evaluation import ratings as rating_module
from bluff_agents.evaluation.collecting import looks
from bluff_agents.evaluation.files import whole_folder
from bluff_agents.evaluation.ratings import rated_by_openskill, rated_together, ratings
from bluff_agents.evaluation.schedule import mixed_tables, round_robin
from bluff_agents.evaluation.shards import Job, Part, play_part
from bluff_env.engine.arguments import row_seeds
from small_players import SMALL, Chance, Failing, Hopeful, Remembering, Trusting

ROOT = Path(__file__).resolve().parents[2]


def pool() -> list[Any]:
    return [Chance(), Trusting(), Remembering(), Hopeful()]


# ---- who meets whom ----


@pytest.mark.parametrize(("agents", "players"), [(4, 4), (5, 4), (7, 3), (3, 4), (2, 5), (6, 4), (2, 4), (4, 3)])
def test_at_mixed_tables_every_agent_sits_equally_often_in_every_deal(agents: int, players: int) -> None:
    tables = mixed_tables(agents, players, 20, 0)
    for deal in tables:
        assert set(Counter(deal.ravel().tolist()).values()) == {deal.size // agents}
        for table in deal:  # as different as can be
            assert max(Counter(table.tolist()).values()) == -(-players // agents)


def test_the_tables_of_a_deal_do_not_depend_on_how_many_follow() -> None:
    assert (mixed_tables(5, 4, 7, 3) == mixed_tables(5, 4, 50, 3)[:7]).all()


def test_over_the_deals_everybody_meets_everybody_else_about_equally_often() -> None:
    met: Counter[tuple[int, int]] = Counter()
    for table in mixed_tables(6, 4, 600, 0).reshape(-1, 4):
        met.update((int(a), int(b)) for a in table for b in table if a < b)
    assert len(met) == 15
    assert max(met.values()) / min(met.values()) < 1.3


def test_copies_are_met_by_everybody_in_all_seats() -> None:
    schedule = round_robin(3, 4, 2, 0)
    assert len(schedule.pairs) == 6
    seats = schedule.seats(0, 2)
    assert seats.shape == (2, 6 * 4 + 3 * 4, 4)
    for one, rest, games in schedule.pairs:
        assert (seats[:, games] == np.where(np.eye(4, dtype=bool), one, rest)).all()


def test_at_two_seats_both_ways_are_the_same_games() -> None:
    schedule = round_robin(3, 2, 1, 0)
    assert schedule.games == 6
    assert [pair[:2] for pair in schedule.pairs] == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    result = evaluate("tiny", [Chance("tiny"), Trusting("tiny"), Hopeful("tiny")], deals=20, round_robin=True)
    shares = {(m.one, m.rest): m.share for m in result.matchups}
    assert shares["chance", "trusting"] + shares["trusting", "chance"] + result.cut_off <= 1.2
    assert result.fair == 0.5


def test_shares_of_a_round_robin_are_those_of_the_records() -> None:
    records: list[dict[str, Any]] = []
    result = evaluate(SMALL, pool(), deals=12, round_robin=True, on_record=records.append)
    assert result.games == len(records) == 12 * (12 * 3 + 12)
    alone = [record for record in records if len(set(record["seats"])) == 2]
    mixed = [record for record in records if len(set(record["seats"])) == 3]
    for matchup in result.matchups:
        games = [r for r in alone if r["seats"].count(matchup.one) == 1 and matchup.rest in r["seats"]]
        assert len(games) == 36
        won = sum(r["result"]["winner"] == r["seats"].index(matchup.one) for r in games)
        assert matchup.share == pytest.approx(won / 36, abs=1e-6)
    for agent in result.agents:
        seats = sum(agent.name in r["seats"] for r in mixed)
        won = sum(agent.name in r["seats"] and r["result"]["winner"] == r["seats"].index(agent.name) for r in mixed)
        assert agent.share == pytest.approx(won / seats, abs=1e-6)
    assert result.fair == pytest.approx(1 / 3, abs=1e-6)


def test_without_mixed_tables_an_agents_share_is_that_of_its_games_alone() -> None:
    result = evaluate(SMALL, pool(), deals=12, round_robin=True, tables="copies")
    for agent in result.agents:
        own = [m.share for m in result.matchups if m.one == agent.name]
        assert agent.share == pytest.approx(np.mean(own), abs=1e-5)


# ---- processes ----


def loader() -> list[Any]:
    return pool()


@pytest.mark.slow
def test_the_result_is_the_same_for_any_number_of_processes() -> None:
    found = []
    for processes in (1, 2, 3):
        records: list[dict[str, Any]] = []
        games: list[int] = []
        result = evaluate(
            SMALL, pool(), 250, 3, round_robin=True, rated=openskill(), behaviour=True, calibration=True, until=0.09,
            workers=processes, chunk=1000, on_record=records.append, on_games=games.append,
        )  # fmt: skip
        assert sum(games) >= result.games
        found.append((result.to_dict(), records))
    assert found[0] == found[1] == found[2]
    assert 0 < found[0][0]["deals"] < 250


def test_an_agent_that_fails_in_another_process_is_one_line() -> None:
    with pytest.raises(EvaluationError, match=r"^workers: RuntimeError: nothing comes to mind$"):
        evaluate(SMALL, [Chance(), Failing(), Chance()], 10, chunk=6, workers=2)


def test_an_agent_that_cannot_be_handed_over_is_one_line() -> None:
    agent = Chance()
    agent.lock = open(os.devnull)  # type: ignore[attr-defined]  # noqa: SIM115
    with pytest.raises(EvaluationError, match=r"^workers: an agent cannot be handed to another process: TypeError"):
        evaluate(SMALL, [agent], 10, chunk=6, workers=2)
    agent.lock.close()  # type: ignore[attr-defined]


def parts_of(count: int) -> tuple[Job, Any]:
    """Parts whose results, with records, are far larger than a pipe holds."""
    seats = np.broadcast_to(np.arange(3, dtype=np.int16), (400, 3, 3))
    job = Job(SMALL, None, ("a", "b", "c"), np.zeros(3, np.int64), 5000, False, False, True)
    return job, (Part(row_seeds(seed, 400), seats) for seed in range(count))


def under_way(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Any]]:
    """Parts that two processes play, the first of which is there; and the processes."""
    team: list[Any] = []

    class Seen(workers._Worker):
        def __init__(self, packed: bytes) -> None:
            super().__init__(packed)
            team.append(self)

    monkeypatch.setattr(workers, "_Worker", Seen)
    job, parts = parts_of(20)
    found = workers.play_parts(job, parts, workers.Given([Chance()]), 2)
    next(found)
    return found, team


def test_processes_end_at_once_even_in_the_middle_of_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process writes more than fits into the pipe, so once the beginning is there it waits for somebody to read."""
    found, team = under_way(monkeypatch)
    assert any(worker.pipe.poll(60) for worker in team)
    begin = time.monotonic()
    found.close()
    assert time.monotonic() - begin < 10
    assert not any(worker.process.is_alive() for worker in team)


def test_a_process_that_is_killed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    found, team = under_way(monkeypatch)
    team[0].process.kill()
    with pytest.raises(EvaluationError, match=r"^workers: a process ended unexpectedly"):
        list(found)
    assert not any(worker.process.is_alive() for worker in team)


def test_results_come_in_the_order_of_the_parts() -> None:
    job, parts = parts_of(7)
    alone = [play_part(job, [Chance()], part) for part in parts]
    job, parts = parts_of(7)
    shared = list(workers.play_parts(job, parts, workers.Given([Chance()]), 3))
    assert [part.records for part in shared] == [part.records for part in alone]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_processes_quietly(tmp_path: Path) -> None:
    words = ["evaluate", "--agents", "counter", "--deals", "100000", "--workers", "2", "--save", "g.jsonl"]
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents")])
    process = subprocess.Popen(
        [sys.executable, "-m", "bluff_agents", *words], cwd=tmp_path, start_new_session=True,
        env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Ctrl-C as in a shell, even where the tests were started in the background, which ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    end = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < end:  # the file that the games are written to
        time.sleep(0.1)
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert list(tmp_path.iterdir()) == []


# ---- until ----


def test_until_ends_at_the_first_look_at_which_all_intervals_are_narrow_enough() -> None:
    result = evaluate(SMALL, pool(), 5000, round_robin=True, tables="mixed", until=0.02)
    assert result.deals in looks(5000, True)
    assert result.half_width <= 0.02
    before = looks(5000, True)[looks(5000, True).index(result.deals) - 1]
    assert before < result.deals
    assert evaluate(SMALL, pool(), before, round_robin=True, tables="mixed").half_width > 0.02
    exactly = evaluate(SMALL, pool(), result.deals, round_robin=True, tables="mixed")
    assert [a.share for a in exactly.agents] == [a.share for a in result.agents]


def test_until_that_is_not_reached_ends_with_the_deals() -> None:
    result = evaluate(SMALL, pool(), 30, round_robin=True, tables="mixed", until=0.001)
    assert result.deals == 30
    assert result.to_dict()["half_width"] > 0.001


@pytest.mark.parametrize("until", [0, 1, -0.1, True, float("nan"), "0.1"])
def test_until_is_a_share(until: Any) -> None:
    with pytest.raises(EvaluationError, match=r"^until: .* is not allowed; a number between 0 and 1"):
        evaluate(SMALL, pool()[:3], 1, until=until)


# ---- ratings ----


def openskill() -> bool:
    return importlib.util.find_spec("openskill") is not None


needs_openskill = pytest.mark.skipif(not openskill(), reason="openskill is not installed")


def games_of(strength: list[float], deals: int, players: int, seed: int = 0) -> tuple[Any, Any]:
    """Tables and winners, drawn by strength."""
    tables = mixed_tables(len(strength), players, deals, seed)
    turns = (np.arange(players)[None] - np.arange(players)[:, None]) % players
    seats = tables[:, :, turns].reshape(deals, -1, players)
    chances = np.array(strength, np.float64)[seats]
    chances /= chances.sum(axis=-1, keepdims=True)
    drawn = np.random.default_rng(seed).random((*seats.shape[:2], 1))
    return seats, (chances.cumsum(axis=-1) < drawn).sum(axis=-1)


@needs_openskill
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_orders_together_are_rated_as_openskill_rates_each(players: int) -> None:
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    seats, won = games_of([5, 3, 2, 1, 1], 20, players)
    seats[:10, :, 0] = 0  # some agents sit twice
    table, winner = seats.reshape(-1, players).astype(np.int64), won.ravel()
    rng = np.random.default_rng(0)
    orders = np.stack([rng.permutation(len(table)) for _ in range(3)])
    orders[1, -7:] = -1
    together = rated_together(model, table, winner, orders, 5)
    for order, row in zip(orders, together, strict=True):
        assert row == pytest.approx(rated_by_openskill(model, table, winner, order[order >= 0], 5), abs=1e-9)


@needs_openskill
def test_ratings_rank_agents_by_their_strength() -> None:
    seats, won = games_of([8, 4, 2, 1, 0.5], 150, 4)
    rating, low, high = ratings(seats, won, 5, 0)
    assert (np.diff(rating) < 0).all()
    assert (low < rating).all()
    assert (rating < high).all()
    assert (low[:-2] > high[2:]).all()


@needs_openskill
def test_games_without_a_winner_are_not_rated() -> None:
    seats, won = games_of([2, 1, 1], 20, 3)
    some = won.copy()
    some[:, 0] = -1
    kept = ratings(seats[:, 1:], won[:, 1:], 3, 0)[0]
    assert ratings(seats, some, 3, 0)[0] == pytest.approx(kept, abs=1.0)
    assert ratings(seats, np.full_like(won, -1), 3, 0)[0] == pytest.approx([25.0] * 3)


@needs_openskill
def test_the_same_seed_gives_the_same_ratings() -> None:
    first = evaluate(SMALL, pool(), 30, 5, round_robin=True, rated=True)
    assert first.ratings is not None
    assert first == evaluate(SMALL, pool(), 30, 5, round_robin=True, rated=True, chunk=7)
    assert [r.name for r in first.ratings] == [a.name for a in first.agents]


def test_ratings_without_openskill_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_module, "find_spec", lambda name: None)
    with pytest.raises(EvaluationError, match=r"^ratings need openskill, .* pip install 'bluff-env\[judge\]'"):
        evaluate(SMALL, pool(), 1, round_robin=True, rated=True)


# ---- the command ----


def bluff_evaluate(*words: object) -> int:
    rules = ["--rules", "tiny", "--deals", "12", "--round-robin", "--no-ratings"]
    return main(["evaluate", *rules, *map(str, words)])


def test_json_of_a_round_robin_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert bluff_evaluate("--json", "--behaviour", "--calibration", "--agents", "random", "honest", "counter") == 0
    found = json.loads(capsys.readouterr().out)
    assert {"rules", "deals", "cut_off", "agents", "matchups", "round_robin", "behaviour", "calibration"} <= set(found)
    assert set(found["agents"][0]) == {"name", "share", "low", "high", "turns"}
    assert {frozenset(m) for m in found["matchups"]} == {frozenset({"one", "rest", "share", "low", "high"})}
    assert len(found["matchups"]) == 6
    assert set(found["behaviour"][0]["bluff"][""]) == {"value", "low", "high", "of"}
    assert found["calibration"] == []
    assert "ratings" not in found


def test_what_is_printed_fits_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["random", "honest", "counter"] * 3
    for agents in (names[:3], names):
        assert bluff_evaluate("--behaviour", "--agents", *agents) == 0
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= 80
        assert "Who beats whom" in text


def test_a_report_holds_its_pictures_and_numbers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "r"
    assert bluff_evaluate("--agents", "random", "honest", "counter", "--report", folder) == 0
    text = (folder / "report.md").read_text(encoding="utf-8")
    pictures = {path.name for path in folder.iterdir()} - {"report.md", "results.json"}
    assert pictures == {"standing.png", "who_beats_whom.png", "behaviour.png", "outcomes.png"}
    assert all(f"]({name})" in text for name in pictures)
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in pictures)
    assert len(json.loads((folder / "results.json").read_text())["matchups"]) == 6
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert bluff_evaluate("--agents", "random", "honest", "--report", folder) == 2
    assert bluff_evaluate("--agents", "random", "honest", "--report", folder, "--overwrite") == 0
    assert len(json.loads((folder / "results.json").read_text())["matchups"]) == 2


def test_a_report_of_one_table_has_a_picture_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["--rules", "tiny", "--deals", "3", "--agents", "random", "--report", str(tmp_path / "r")]
    assert main(["evaluate", *words]) == 0
    assert (tmp_path / "r/standing.png").is_file()


def test_calibration_is_drawn_for_every_agent_that_can_tell() -> None:
    pytest.importorskip("matplotlib")
    from bluff_agents.evaluation.pictures import calibration_plot

    told = evaluate(SMALL, [Hopeful(), Hopeful(), Chance()], 10, calibration=True)
    figure = calibration_plot(told)
    assert len(figure.axes) == 2
    assert figure.axes[1].get_title().startswith("hopeful#2\nBrier")


@pytest.mark.parametrize("agents", [2, 4])
def test_the_heat_map_has_a_row_and_a_column_an_agent(agents: int) -> None:
    pytest.importorskip("matplotlib")
    from bluff_agents.evaluation.pictures import heat_map

    axes = heat_map(evaluate(SMALL, pool()[:agents], 5, round_robin=True)).axes[0]
    assert len(axes.get_xticklabels()) == len(axes.get_yticklabels()) == agents
    assert len(axes.texts) == agents * (agents - 1)


def interrupted(folder: Path) -> None:
    (folder / "half").write_text("half")
    raise KeyboardInterrupt


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "r"
    target.mkdir()
    (target / "old").write_text("old")
    with pytest.raises(KeyboardInterrupt), whole_folder(target) as fresh:
        interrupted(fresh)
    assert [path.name for path in tmp_path.rglob("*")] == ["r", "old"]
    with whole_folder(target) as fresh:
        (fresh / "new").write_text("new")
    assert [path.name for path in tmp_path.rglob("*")] == ["r", "new"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--agents", "random"], "agents: 1 named for a round robin; 2 or more expected"),
        (["--agents", "random", "honest", "--tables", "odd"], "tables: 'odd' is not allowed; both, copies, mixed"),
        (["--agents", "random", "honest", "--workers", "-1"], "workers: -1 is not allowed; a whole number from 0"),
        (["--agents", "random", "honest", "--until", "0"], "until: 0.0 is not allowed"),
        (["--agents", *["random"] * 10, "--deals", "1000000", "--rules", "blof"], "263,157 deals at most"),
        (["--agents", "random", "honest", "--report", "{}/no/r"], "there is no folder"),
        (["--agents", "random", "honest", "--report", "{}/old"], "exists already; --overwrite replaces it"),
        (["--agents", "random", "honest", "--report", "{}/old", "--overwrite"], "so it is not replaced"),
        (["--agents", "random", "honest", "--report", "{}/old/file"], "is a file or a link"),
        (
            ["--agents", "random", "honest", "--report", "{}", "--save", "{}/a.jsonl", "--overwrite"],
            "holds no report.md",
        ),
    ],
)
def test_wrong_use_is_one_line_and_changes_nothing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/file").write_text("old")
    assert bluff_evaluate(*(word.replace("{}", str(tmp_path)) for word in words)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["old", "file"]


def test_tables_are_a_round_robins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--rules", "tiny", "--agents", "random", "--tables", "mixed"]) == 2
    assert "only a --round-robin has tables to choose from" in capsys.readouterr().err
