"""Judging: rotations, intervals, what is independent of what, what is written, what is refused."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bluff_agents.cli import main
from bluff_agents.evaluation import EvaluationError, distinct_names, evaluate, seatings
from bluff_agents.evaluation.files import whole
from bluff_agents.evaluation.plots import check_plot, draw
from bluff_agents.evaluation.report import FEW_DEALS, as_json, print_report
from bluff_agents.evaluation.statistics import intervals
from bluff_env import BluffError, rules
from bluff_env.record import read_records
from small_players import SMALL, Chance, Remembering, Trusting


def table() -> list[Any]:
    return [Chance(), Trusting(), Remembering()]


def text_of(evaluation: Any) -> str:
    out = io.StringIO()
    print_report(evaluation, Console(file=out, width=80))
    return out.getvalue()


# ---- who sits where ----


def test_over_its_rotations_every_agent_sits_at_every_seat_once() -> None:
    games = seatings(4, 4)
    assert games.shape == (4, 4)
    assert all(sorted(game) == [0, 1, 2, 3] for game in games)
    assert all(sorted(seat) == [0, 1, 2, 3] for seat in games.T)
    assert list(games[1]) == [3, 0, 1, 2]  # agent i at seat i + 1


def test_the_rotations_of_a_deal_keep_its_own_order_round_the_table() -> None:
    """Over the deals each agent has each other on its left equally often, which no rotation could bring about."""
    records: list[dict[str, Any]] = []
    evaluate(SMALL, table(), deals=200, on_record=records.append)
    seats = [record["seats"] for record in records]
    for first, second, third in zip(seats[::3], seats[1::3], seats[2::3], strict=True):
        assert first == [*second[1:], second[0]] == [*third[2:], *third[:2]]
    orders = Counter(game[(game.index("chance") + 1) % 3] for game in seats)
    assert min(orders.values()) > 200


def test_of_two_agents_each_is_alone_at_every_seat_once() -> None:
    games = seatings(2, 3).tolist()
    assert games == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("agents", "players", "allowed"), [(3, 4, "1 .* 2 .* or 4"), (3, 2, "1 .* or 2"), (0, 4, "1 .* or 4")]
)
def test_a_number_of_agents_that_fits_no_table_is_refused(agents: int, players: int, allowed: str) -> None:
    with pytest.raises(EvaluationError, match=f"^agents: {agents} named for {players} seats; name {allowed}"):
        seatings(agents, players)


def test_namesakes_get_numbers() -> None:
    assert distinct_names(["a", "a", "b", "a"]) == ["a", "a#2", "b", "a#3"]
    assert distinct_names(["a", "a", "a#2"]) == ["a", "a#3", "a#2"]


# ---- what decides the result ----


def test_rotation_cancels_the_luck_of_cards_and_seats() -> None:
    """Three equal agents win equally often to the last game, though the seats do not."""
    result = evaluate(SMALL, [Chance(), Chance(), Chance()], deals=40)
    assert [agent.name for agent in result.agents] == ["chance", "chance#2", "chance#3"]
    assert len({agent.share for agent in result.agents}) == 1
    assert 3 * result.agents[0].share + result.cut_off == pytest.approx(1, abs=1e-5)


def test_one_agent_named_fills_every_seat() -> None:
    agent = Remembering()
    assert evaluate(SMALL, [agent], deals=20).to_dict() == evaluate(SMALL, [agent] * 3, deals=20).to_dict()


def test_the_games_of_a_deal_are_dealt_alike() -> None:
    records: list[dict[str, Any]] = []
    evaluate(SMALL, table(), deals=2, on_record=records.append)
    dealt = [record["deals"][0]["hands"] for record in records]
    assert dealt[0] == dealt[1] == dealt[2] != dealt[3]


@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_results_do_not_depend_on_how_many_games_are_held_at_once(chunk: int) -> None:
    records: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    result = evaluate(SMALL, table(), deals=8, seed=3, chunk=chunk, on_record=records.append)
    assert result == evaluate(SMALL, table(), deals=8, seed=3, on_record=expected.append)
    assert records == expected


def test_one_agent_at_several_seats_remembers_each_by_itself() -> None:
    agent = Remembering()
    shared = evaluate(SMALL, [agent] * 3, deals=20, names=["a", "b", "c"])
    apart = evaluate(SMALL, [Remembering() for _ in range(3)], deals=20, names=["a", "b", "c"])
    assert shared.agents == apart.agents


def test_a_seed_decides_everything() -> None:
    first, again, other = (evaluate(SMALL, table(), deals=30, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.agents != other.agents


# ---- the numbers ----


def test_shares_count_the_games_in_the_records() -> None:
    records: list[dict[str, Any]] = []
    result = evaluate(SMALL, table(), deals=50, on_record=records.append)
    winners = [r["seats"][r["result"]["winner"]] if r["result"]["winner"] is not None else None for r in records]
    assert result.games == len(records) == 150
    assert sum(agent.share for agent in result.agents) + result.cut_off == pytest.approx(1, abs=1e-5)
    for agent in result.agents:
        assert agent.share == pytest.approx(winners.count(agent.name) / 150, abs=1e-6)
    assert result.cut_off == pytest.approx(winners.count(None) / 150, abs=1e-6)


def test_two_agents_are_judged_both_ways() -> None:
    records: list[dict[str, Any]] = []
    result = evaluate(SMALL, [Trusting(), Chance()], deals=30, on_record=records.append)
    assert [(m.one, m.rest) for m in result.matchups] == [("trusting", "chance"), ("chance", "trusting")]
    assert result.games == len(records) == 30 * 6
    for matchup in result.matchups:
        games = [r for r in records if r["seats"].count(matchup.one) == 1]
        won = sum(r["result"]["winner"] == r["seats"].index(matchup.one) for r in games)
        assert matchup.share == pytest.approx(won / 90, abs=1e-6)
    assert result.fair == 0.5
    assert sum(agent.share for agent in result.agents) + result.cut_off == pytest.approx(1, abs=1e-5)


def test_two_agents_at_two_seats_are_a_table_and_both_matchups() -> None:
    result = evaluate("tiny", [Trusting("tiny"), Chance("tiny")], deals=30)
    assert result.games == 60
    assert [m.share for m in result.matchups] == [agent.share for agent in result.agents]


@pytest.mark.parametrize("chunk", [4, 4096])
def test_the_turns_of_a_match_are_those_of_all_its_deals(chunk: int) -> None:
    match = rules({"players": 3, "ranks": 4, "suits": 2, "max_turns": 30, "target_points": 3})
    records: list[dict[str, Any]] = []
    found = evaluate(match, [Trusting(match), Chance(match)], 20, chunk=chunk, on_record=records.append)
    turns = [sum("play" in e or "pass" in e for deal in r["deals"] for e in deal["events"]) for r in records]
    assert max(len(record["deals"]) for record in records) > 3
    assert found.turns == pytest.approx(np.mean(turns), abs=1e-6)
    for agent in found.agents:
        own = [t for t, r in zip(turns, records, strict=True) if agent.name in who_won(r)]
        assert agent.turns == pytest.approx(np.mean(own), abs=1e-6)


def who_won(record: dict[str, Any]) -> list[str]:
    winner = record["result"]["winner"]
    return [] if winner is None else [record["seats"][winner]]


def test_the_interval_covers_the_true_share() -> None:
    """Games of a deal that mostly end alike: an interval over games would be too narrow by half."""
    rng = np.random.default_rng(5)
    trials, deals, share = 400, 200, 0.3
    covered = 0
    for trial in range(trials):
        alike = rng.random(deals) < 0.8
        each = np.where(alike[:, None], (rng.random(deals) < share)[:, None], rng.random((deals, 4)) < share)
        low, high = intervals(each.sum(axis=1)[:, None], np.array([4]), seed=trial, resamples=400)
        covered += low[0] <= share <= high[0]
    assert 0.91 <= covered / trials <= 0.98


def test_no_win_in_a_hundred_deals_is_not_a_certain_zero() -> None:
    wins = np.array([[0, 4]] * 100)
    low, high = intervals(wins, np.array([4, 4]), seed=0)
    assert low[0] == 0
    assert high[0] == pytest.approx(0.0362, abs=1e-4)  # exact binomial bound: 1 - 0.025 ** (1 / 100)
    assert (low[1], high[1]) == (pytest.approx(1 - high[0]), 1)


# ---- what is refused ----


class Cheating(Chance):
    name = "cheating"

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return mask.argmin(axis=1), None


class Muddled(Chance):
    name = "muddled"

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return noise, None


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Cheating(), r"^agent cheating: (row \d+: )?action \d+ \(.*\) is not legal for player_\d; legal: "),
        (Muddled(), r"^agent muddled: shape .* dtype float64 found; .* whole numbers expected"),
    ],
)
def test_a_faulty_answer_names_the_agent(agent: Any, said: str) -> None:
    with pytest.raises(BluffError, match=said):
        evaluate(SMALL, [agent], deals=1)


def test_an_agent_of_another_layout_is_refused() -> None:
    with pytest.raises(EvaluationError, match=r"agent chance was made for other rules: .*kinds"):
        evaluate(SMALL, [Chance("bloff")], deals=1)


@pytest.mark.parametrize(("argument", "value"), [("deals", 0), ("deals", 10**9), ("seed", -1), ("seed", 2**53)])
def test_numbers_out_of_range_are_refused(argument: str, value: int) -> None:
    with pytest.raises(EvaluationError, match=f"^{argument}: {value} is not allowed"):
        evaluate(SMALL, [Chance()], **{argument: value})


# ---- what is shown and written ----


def test_json_has_the_documented_keys() -> None:
    found = json.loads(as_json(evaluate("tiny", [Chance("tiny"), Trusting("tiny")], deals=5)))
    assert {"rules", "deals", "cut_off", "agents", "matchups"} <= set(found)
    assert found["rules"] == "tiny"
    assert set(found["agents"][0]) == {"name", "share", "low", "high", "turns"}
    assert set(found["matchups"][0]) == {"one", "rest", "share", "low", "high"}


def test_house_rules_stand_in_json_in_full() -> None:
    assert rules(evaluate(SMALL, [Chance()], deals=1).to_dict()["rules"]) == SMALL


def test_a_win_that_never_came_has_no_turns() -> None:
    result = evaluate(SMALL.replace(max_turns=1), [Chance()], deals=3)
    assert result.cut_off == 1
    assert [agent.turns for agent in result.agents] == [None] * 3
    assert "100.0 % of games were cut off after 1 turn:" in text_of(result)


@pytest.mark.parametrize("agents", [1, 2, 3])
def test_the_report_fits_eighty_columns(agents: int) -> None:
    names = ["runs/a_rather_long_name_for_a_run/checkpoints/step_001000000.safetensors"] * agents
    text = text_of(evaluate(SMALL, table()[:agents], deals=FEW_DEALS, names=names))
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "fair share" in text
    assert "house rules, 3 players: 30 deals × " in text
    assert "too narrow" not in text


def test_few_deals_come_with_a_warning() -> None:
    assert "too narrow" in text_of(evaluate(SMALL, table(), deals=FEW_DEALS - 1))


@pytest.mark.parametrize("agents", [2, 3])
def test_a_picture_shows_every_agent(agents: int, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figure = draw(evaluate(SMALL, table()[:agents], deals=5))
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert [label.split("\n")[0] for label in labels] == ["chance", "trusting", "remembering"][:agents]
    figure.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(EvaluationError, match=r"out.txt: '.txt' found; a plot ends in .pdf, .png, .svg"):
        check_plot(Path("out.txt"))


def interrupted(path: Path) -> None:
    path.write_text("half")
    raise KeyboardInterrupt


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "games.jsonl"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), whole(target) as temporary:
        interrupted(temporary)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("games.jsonl", "old")]
    with whole(target) as temporary:
        temporary.write_text("new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("games.jsonl", "new")]


# ---- the command ----


def bluff_evaluate(*words: object) -> int:
    return main(["evaluate", "--rules", "tiny", "--deals", "3", *map(str, words)])


def test_the_command_prints_only_json_when_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert bluff_evaluate("--json", "--save", tmp_path / "g.jsonl", "--agents", "random", "honest") == 0
    printed = capsys.readouterr()
    assert [agent["name"] for agent in json.loads(printed.out)["agents"]] == ["random", "honest"]
    assert printed.err == ""


def test_the_command_keeps_all_games_as_records(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    assert bluff_evaluate("--agents", "random", "--save", out) == 0
    records = list(read_records(out))
    assert len(records) == 6
    assert {tuple(sorted(record["seats"])) for record in records} == {("random", "random#2")}
    assert records[0]["name"] == "tiny"
    assert [path.name for path in tmp_path.iterdir()] == ["g.jsonl"]


def test_the_command_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert bluff_evaluate("--agents", "random", "--plot", tmp_path / "p.svg") == 0
    assert "<svg" in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--agents", "random", "random", "random"], "agents: 3 named for 2 seats; name 1 (fills every seat) or 2"),
        (["--agents", "random", "--save", "{}/no/g.jsonl"], "there is no folder"),
        (["--agents", "random", "--save", "{}"], "is a folder"),
        (["--agents", "random", "--save", "{}/old.jsonl"], "exists already; --overwrite"),
        (["--agents", "random", "--plot", "{}/p.txt"], "'.txt' found; a plot ends in"),
        (["--agents", "random", "--plot", "{}/a.png", "--save", "{}/a.png"], "named for both --save and --plot"),
        (["--agents", "random", "--max-turns", "0"], "max_turns: 0 is not allowed"),
    ],
)
def test_wrong_use_is_one_line_and_changes_nothing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "old.jsonl").write_text("old")
    assert bluff_evaluate(*(word.replace("{}", str(tmp_path)) for word in words)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.jsonl", "old")]


def test_overwrite_replaces_a_file(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    out.write_text("old")
    assert bluff_evaluate("--agents", "random", "--save", out, "--overwrite") == 0
    assert len(list(read_records(out))) == 6
