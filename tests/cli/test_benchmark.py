"""The benchmark: tasks are what they were, scores carry intervals over seeds and deals, faults are told."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bluff_agents import configs
from bluff_agents.agentfile import write_agent
from bluff_agents.benchmark import Task, play_task, read_task, reference, task_names
from bluff_agents.benchmark.lines import LATEX, faults, lines, told
from bluff_agents.benchmark.playing import task_schedule
from bluff_agents.benchmark.scoring import crossed_interval, student
from bluff_agents.benchmark.task import FOLDER
from bluff_env import layout, rules
from bluff_env.errors import ConfigError
from make_tiny_agent import random_layers

ROOT = Path(__file__).resolve().parents[2]
GAMES = Path(__file__).with_name("benchmark_games.json")


def runs(folder: Path, task: Task, count: int, **info: Any) -> list[str]:
    """Agents that were never trained, in files that say they were."""
    lay = layout(task.rules)
    names = []
    for seed in range(count):
        path = folder / f"mine-{seed}.safetensors"
        layers = random_layers([lay.size, 8, lay.n_actions], seed)
        write_agent(path, task.rules, layers, info={"recipe": "r", "seed": seed, "steps": task.steps, **info})
        names.append(str(path))
    return names


@pytest.fixture
def small(tmp_path: Path) -> Task:
    path = tmp_path / "small-3-v1.yaml"
    path.write_text(
        "title: small\nrules: {players: 3, ranks: 4, suits: 2, max_turns: 30}\nsteps: 1000\nseeds: 3\ndeals: 20\n"
        "deal_seed: 5\nagainst: [random, [random, honest]]\n"
    )
    return read_task(str(path))


# ---- tasks ----


@pytest.mark.parametrize("name", task_names())
def test_every_task_can_be_played_and_its_recipe_is_for_its_game(name: str) -> None:
    task = read_task(name)
    assert task.seeds >= 5
    assert task.recipe is not None
    recipe = configs.read(task.recipe).values
    assert rules(recipe["rules"]) == task.rules
    assert recipe["total_steps"] + (recipe.get("imitate_steps", 0) if recipe.get("imitate") else 0) <= task.steps


def test_tasks_are_dealt_from_seeds_of_their_own() -> None:
    seeds = [read_task(name).deal_seed for name in task_names()]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) > 2**30  # far from those that anybody trains with


@pytest.mark.parametrize("name", task_names())
def test_the_games_of_a_task_are_what_they_were(name: str) -> None:
    """If they are not on purpose, those who compare must be told: give the task a new number, then keep its games.

    `python tests/cli/test_benchmark.py` writes them anew.
    """
    assert digest(name) == json.loads(GAMES.read_text())[name]


def digest(name: str) -> str:
    """How the bots do on the first deals of a task, as a few letters."""
    task = read_task(name)
    result = play_task(task, list(task.bots), deals=5)
    text = json.dumps([[score.against, score.runs] for score in result.scores])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("steps", "0", "steps: 0 is not allowed; a whole number from 1"),
        ("deals", "true", "deals: True is not allowed"),
        ("against", "[]", r"against: \[\] is not allowed"),
        ("against", "[nobody]", "against: no bot named 'nobody'"),
        ("against", "[[random, honest, counter]]", "against: random, honest, counter: 3 bots for the other 2 seats"),
        ("against", "[random, random]", "against: .*: the same opponents twice"),
        ("rules", "{base: blof, cards: 3}", "rules: .*cards"),
        ("title", "7", "title: 7 is not allowed; a text"),
        ("stpes", "3", "stpes: no such key .did you mean 'steps'"),
    ],
)
def test_a_faulty_task_names_file_and_line(tmp_path: Path, key: str, value: str, said: str) -> None:
    fields = {"title": "x", "rules": "{base: blof, players: 3}", "steps": "5", "seeds": "5", "deals": "5"}
    fields |= {"deal_seed": "1", "against": "[random]", key: value}
    path = tmp_path / "x-v1.yaml"
    path.write_text("\n".join(f"{name}: {text}" for name, text in fields.items()))
    with pytest.raises(ConfigError, match=rf"x-v1\.yaml:{list(fields).index(key) + 1}: {said}"):
        read_task(str(path))


def test_a_task_without_a_key_or_a_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x-v1.yaml").write_text("title: x")
    with pytest.raises(ConfigError, match="rules: missing"):
        read_task(str(tmp_path / "x-v1.yaml"))
    (tmp_path / "x.yaml").write_text("title: x")
    with pytest.raises(ConfigError, match="small letters and a number, such as bloff-4-v1"):
        read_task(str(tmp_path / "x.yaml"))
    with pytest.raises(ConfigError, match=r"no task named 'blof-4-v1' .did you mean 'bloff-4-v1'"):
        read_task("blof-4-v1")


@pytest.mark.parametrize("ending", [".yaml", ".yml"])
def test_another_task_by_the_name_of_a_known_one_is_refused(tmp_path: Path, ending: str) -> None:
    """Its line would stand in a table under a name that says something else."""
    shipped = (FOLDER / "bloff-4-v1.yaml").read_text(encoding="utf-8")
    path = tmp_path / f"bloff-4-v1{ending}"
    path.write_text(f"# a copy\n{shipped}", encoding="utf-8")
    assert read_task(str(path)) == read_task("bloff-4-v1")
    for old, new in (
        ("deals: 1000", "deals: 999"),
        ("title: ", "title: another "),
        ("bloff_quick", "bluffstopp_quick"),
    ):
        assert old in shipped
        path.write_text(shipped.replace(old, new), encoding="utf-8")
        with pytest.raises(
            ConfigError, match=rf"bloff-4-v1{ending}: differs from the task bloff-4-v1 .*; another name"
        ):
            read_task(str(path))
    own = path.with_name("bloff-4-own-v1.yaml")
    path.rename(own)
    assert read_task(str(own)).name == "bloff-4-own-v1"


# ---- who sits where ----


def test_every_agent_meets_the_same_opponents_in_the_same_order_from_all_seats(small: Task) -> None:
    seats = task_schedule(small, 2, 20).seats(0, 20).reshape(20, 2, 2, 3, 3)
    for deal in seats:
        assert (np.where(deal[0] == 0, 1, deal[0]) == deal[1]).all()
        for games in deal.reshape(4, 3, 3):
            assert sorted(int(np.flatnonzero(game < 2)[0]) for game in games) == [0, 1, 2]
    assert set(np.unique(seats[:, 0, 0])) == {0, 2}  # two of random
    orders = {tuple(np.roll(game, -int(np.argmin(game)))) for game in seats[:, 0, 1].reshape(-1, 3)}
    assert orders == {(0, 2, 3), (0, 3, 2)}


def test_fewer_deals_are_the_first_of_the_tasks(small: Task) -> None:
    assert (task_schedule(small, 2, 20).drawn[:7] == task_schedule(small, 2, 7).drawn).all()


# ---- scores ----


def test_a_score_is_the_mean_over_opponents_and_seeds(small: Task, tmp_path: Path) -> None:
    result = play_task(small, runs(tmp_path, small, 3))
    assert [score.against for score in result.scores] == ["2 × random", "random + honest"]
    assert result.score.mean == pytest.approx(np.mean([score.mean for score in result.scores]), abs=1e-5)
    for score in (result.score, *result.scores):
        assert score.mean == pytest.approx(np.mean(score.runs), abs=1e-5)
        assert score.low <= score.mean <= score.high
    assert result.method == "mine"
    assert faults(result) == []
    alone = play_task(small, [result.runs[1].agent])
    assert alone.score.runs == (result.score.runs[1],)  # whoever else is judged


@pytest.mark.slow
def test_a_score_is_the_same_for_any_number_of_processes(small: Task, tmp_path: Path) -> None:
    big = Task(**{**{key: getattr(small, key) for key in Task.__slots__}, "deals": 500})
    names = runs(tmp_path, small, 2)
    assert play_task(big, names).to_dict() == play_task(big, names, workers=2).to_dict()


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1e6, 1.96)]
)
def test_students_quantiles_are_those_of_tables(freedom: float, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=6e-4)


def test_the_interval_covers_the_mean_over_seeds_and_deals() -> None:
    """Five seeds of different strength on deals of different luck, both drawn anew each time."""
    rng = np.random.default_rng(3)
    covered = [0, 0]
    for _ in range(400):
        for at, (spread, luck) in enumerate([(0.08, 0.1), (0.0, 0.2)]):
            strength = 0.5 + spread * rng.standard_normal(5)
            chance = np.clip(strength[:, None] + luck * rng.standard_normal(60), 0, 1)
            _, low, high = crossed_interval(rng.binomial(4, chance), 4, 0)
            covered[at] += low <= 0.5 <= high
    assert all(0.92 <= count / 400 <= 0.995 for count in covered)


def test_five_seeds_that_differ_are_less_sure_than_one() -> None:
    rng = np.random.default_rng(0)
    wins = rng.binomial(4, np.array([0.2, 0.4, 0.5, 0.6, 0.8])[:, None], size=(5, 1000))
    _, low, high = crossed_interval(wins, 4, 0)
    assert high - low > 0.4
    _, low, high = crossed_interval(wins[:1], 4, 0)
    assert high - low < 0.05


def test_winning_every_game_is_not_a_certain_one() -> None:
    mean, low, high = crossed_interval(np.full((5, 100), 4), 4, 0)
    assert (mean, high) == (1, 1)
    assert low == pytest.approx(1 - 0.0362, abs=1e-4)


# ---- what is said ----


@pytest.mark.parametrize(
    ("count", "info", "said"),
    [
        (1, {}, "1 of at least 3 seeds: the interval is over deals alone"),
        (2, {}, "2 of at least 3 seeds"),
        (3, {"steps": 1200}, "1,200 learner steps; the task allows 1,000"),
        (3, {"steps": None}, "does not say how many steps"),
        (3, {"seed": 0}, "3 agents were trained with the same seed, 0"),
    ],
)
def test_what_keeps_a_line_out_of_a_table_is_said(
    small: Task, tmp_path: Path, count: int, info: dict[str, Any], said: str
) -> None:
    result = play_task(small, runs(tmp_path, small, count, **info))
    assert any(said in fault for fault in faults(result)), faults(result)
    console = Console(width=80, highlight=False)
    with console.capture() as captured:
        for part in told(result):
            console.print(part)
    text = captured.get()
    assert max(map(len, text.splitlines())) <= 80
    assert "Note: " in text


def test_a_try_with_fewer_deals_is_called_one(small: Task) -> None:
    assert faults(play_task(small, ["honest"], deals=3)) == ["3 of 20 deals: a try, not a result"]


def test_the_line_has_a_cell_for_every_column(small: Task, tmp_path: Path) -> None:
    result = play_task(small, runs(tmp_path, small, 2), method="ours_2")
    head, rule, line = lines(result)
    assert head.count("|") == rule.count("|") == line.count("|") == 8
    assert line.startswith("| small-3-v1 | ours_2 | ")
    assert line.endswith(" | 2 | 1,000 |")
    for text, after in pairwise(lines(result, LATEX)):
        assert text.count(" & ") == after.count(" & ") == 6
        assert r"ours\_2" in after
        assert after.endswith(r" \\")


# ---- the command ----


def test_tasks_are_listed_and_described(bluff: Any) -> None:
    done = bluff("benchmark")
    assert all(name in done.out for name in task_names())
    assert max(map(len, done.out.splitlines())) <= 80
    assert [task["name"] for task in bluff("benchmark", "--json").json()] == list(task_names())
    assert "3,000,000 decisions of the learner" in bluff("benchmark", "bloff-4-v1").out


def test_json_has_the_documented_keys(bluff: Any) -> None:
    found = bluff("benchmark", "bloff-2-v1", "--agent", "honest", "--deals", 3, "--json").json()
    assert set(found) == {"task", "version", "method", "deals", "cut_off", "runs", "score", "scores", "faults"}
    assert set(found["score"]) == {"against", "mean", "low", "high", "runs"}
    assert set(found["runs"][0]) == {"agent", "seed", "steps", "bot", "imitated", "imitate"}


def test_the_command_ends_with_the_line(bluff: Any) -> None:
    done = bluff("benchmark", "bloff-2-v1", "--agent", "honest", "--deals", 3, "--method", "H")
    assert done.out.splitlines()[-1].startswith("| bloff-2-v1 | H | ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bloff-2-v1", "--agent", "honest", "honest"], "agent honest: named twice"),
        (["bloff-2-v1", "--agent", "nobody"], "no bot named 'nobody'"),
        (["bloff-2-v1", "--agent", "honest", "--deals", "0"], "deals: 0 is not allowed; 1 to 2,000"),
        (["bloff-2-v1", "--agent", "honest", "--workers", "-1"], "workers: -1 is not allowed"),
        (["--agent", "honest"], "no task named; tasks: "),
        (["x"], "no task named 'x'"),
        (["x.yaml"], "cannot be read"),
        (["bloff-2-v1", "--method", "m"], "--method: only with --agent"),
        (["bloff-2-v1", "--deals", "5", "--latex"], "--deals, --latex: only with --agent"),
        (["bloff-2-v1", "--workers", "1", "--json"], "--workers: only with --agent"),
        (["--trust"], "--trust: only with --agent"),
        (["bloff-2-v1", "--agent", "honest", "--latex", "--json"], "--latex: not with --json"),
    ],
)
def test_wrong_use_is_one_line(bluff: Any, words: list[str], said: str) -> None:
    assert said in bluff("benchmark", *words).complaint()


# ---- references ----


def test_the_page_of_the_benchmark_fits_the_numbers_beside_it() -> None:
    told = [json.loads(path.read_text()) for path in sorted((ROOT / "docs/reference").glob("*.json"))]
    text = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
    assert reference.page(text, told) == text


def test_references_are_written_between_the_marks(small: Task, tmp_path: Path) -> None:
    result = play_task(small, runs(tmp_path, small, 2))
    told = result.to_dict() | {"lines": lines(result)}
    text = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
    written = reference.page(text, [told])
    assert "| small-3-v1 | mine | " in written
    assert "- 2 of at least 3 seeds" in written
    assert reference.page(written, [told]) == written
    with pytest.raises(ConfigError, match="0 places marked 'references'; one expected"):
        reference.page("", [told])


def test_curves_of_several_seeds_are_drawn(small: Task, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curve = {"steps": [500.0, 1000.0], "random": [0.2, 0.5], "honest": [0.1, 0.2]}
    told = play_task(small, runs(tmp_path, small, 2)).to_dict() | {"curves": [curve, curve]}
    (axes,) = reference.draw(told, small).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["random", "honest", "fair share"]


@pytest.mark.slow
def test_a_try_trains_judges_and_leaves_the_docs_alone(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    (tmp_path / "pyproject.toml").touch()
    settings = ["total_steps=2048", "games=16", "steps_per_rollout=32", "batch_size=256", "evaluate_deals=2"]
    words = [word for setting in settings for word in ("--set", setting)]
    assert reference.main(["--seeds", "2", *words, "bloff-4-v1"], tmp_path) == 0
    folder = tmp_path / "runs/reference-try"
    assert json.loads((folder / "bloff-4-v1.json").read_text())["faults"][1:] == ["2 of at least 5 seeds"]
    assert (folder / "bloff-4-v1.png").is_file()
    assert not (tmp_path / "docs").exists()


@pytest.mark.parametrize("words", [["--seeds", "0"], ["--odd"], ["no-task"]])
def test_wrong_use_of_the_script_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_task_that_names_no_recipe_has_no_reference(
    small: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert reference.main([str(tmp_path / f"{small.name}.yaml")], tmp_path) == 2
    assert "the task names no recipe to be its reference" in capsys.readouterr().err


if __name__ == "__main__":
    GAMES.write_text(json.dumps({name: digest(name) for name in task_names()}, indent=1) + "\n")
