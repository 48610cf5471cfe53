"""How agents play: counted right, in a game worked out by hand and against what records say."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from bluff_agents import load
from bluff_agents.evaluation import evaluate
from bluff_agents.evaluation.behaviour import CELLS, HANDS, LEFT, Watch
from bluff_agents.evaluation.calibration import ALL, BRIER, Forecasts
from bluff_agents.evaluation.statistics import ratio_intervals, ratio_sums
from bluff_agents.policy import PolicyAgent
from bluff_env import GameBatch, layout, rules
from helpers import random_rules
from make_tiny_agent import random_layers
from small_players import SMALL, Chance, Hopeful, Trusting

DEAL = {"dealer": 2, "hands": [["A", "2", "3"], ["2", "4", "4"], ["A", "3"]]}


def played(watcher: Any, texts: list[str]) -> GameBatch:
    """The deal above, played as said."""
    batch = GameBatch(SMALL, deals=[DEAL], restart=False)
    watcher.begin(batch, 0)
    for text in texts:
        legal = {batch.action_text(int(a)): int(a) for a in np.flatnonzero(batch.mask[0])}
        actions = np.array([legal[text]])
        watcher.before(batch, np.array([0]), actions)
        batch.step(actions)
        watcher.after(batch)
    return batch


def counted(watch: Watch) -> dict[int, dict[str, list[tuple[int, int]]]]:
    """(x, n) of every cell in which something was counted: agent -> group -> cells."""
    sums = watch.sums()
    return {
        agent: {group: [tuple(sums[agent, cell, :2].tolist()) for cell in CELLS[group]] for group in CELLS}
        for agent in range(len(sums))
    }


def test_a_game_worked_out_by_hand_is_counted_right() -> None:
    """Seat 0 tells the truth with one of three cards; seat 1 bluffs with two fours as twos and is called; seat 2, with
    two cards, tells the truth with a three and is called by seat 1, wrongly, after seat 0 declined.
    """
    watch = Watch(SMALL, 3, np.array([0]), np.array([[0, 1, 2]]))
    played(
        watch,
        [
            *["pick A", "lay", "decline", "decline"],
            *["pick 4", "pick 4", "call"],
            *["pick 3", "lay", "decline", "call"],
        ],
    )
    got = counted(watch)
    assert got[0]["bluff"] == [(0, 1)]
    assert got[1]["bluff"] == [(1, 1)]
    assert got[1]["bluff_by_truth"] == [(1, 1), (0, 0)]  # it held a two
    assert got[2]["bluff_by_truth"] == [(0, 1), (0, 0)]
    three = HANDS.index("3–4")
    assert got[0]["bluff_by_hand"][three] == (0, 1)
    assert got[1]["bluff_by_hand"][three] == (1, 1)
    assert got[2]["bluff_by_hand"][HANDS.index("2")] == (0, 1)
    assert got[1]["bluff_by_hand_truth_possible"][three] == (1, 1)
    assert [got[seat]["cards"] for seat in range(3)] == [[(1, 1), (0, 0)], [(0, 0), (2, 1)], [(1, 1), (0, 0)]]
    assert got[1]["caught"] == [(1, 1)]
    assert got[2]["doubted"] == [(1, 1)]
    assert got[0]["doubted"] == [(0, 1)]
    # asked: seats 1 and 2 about the first play, 2 (who calls) about the second, 0 and 1 about the third
    assert [got[seat]["call"] for seat in range(3)] == [[(0, 1)], [(1, 2)], [(1, 2)]]
    assert got[2]["call_by_count"][:2] == [(0, 1), (1, 1)]
    assert got[2]["call_by_left"][LEFT.index("1")] == (1, 1)
    assert got[1]["right"] == [(0, 1)]
    assert got[2]["right"] == [(1, 1)]
    assert got[2]["right_by_count"][1] == (1, 1)


def test_a_play_without_a_fitting_card_is_a_bluff_that_had_to_be() -> None:
    watch = Watch(SMALL, 3, np.array([0]), np.array([[0, 1, 2]]))
    once = ["lay", "decline", "decline"]
    played(watch, ["pick 2", *once, "pick 2", *once, "pick A", "lay"])
    got = counted(watch)
    assert got[0]["bluff_by_truth"] == [(1, 1), (0, 0)]  # a two laid as an ace, with an ace in hand
    assert got[2]["bluff_by_truth"] == [(1, 1), (0, 0)]  # an ace laid as a three, with a three in hand
    watch = Watch(SMALL, 3, np.array([0]), np.array([[0, 1, 2]]))
    played(watch, ["pick 2", *once, "pick 2", *once, "pick 3", *once, "pick A", "lay"])
    assert counted(watch)[0]["bluff_by_truth"] == [(1, 1), (1, 1)]  # its second, of a four that it never had


def test_records_tell_the_same() -> None:
    """A recount in plain Python from the records of many games, hands followed card by card."""
    records: list[dict[str, Any]] = []
    agents = [Chance(), Trusting(), Hopeful()]
    told = evaluate(SMALL, agents, deals=40, behaviour=True, on_record=records.append).behaviour
    assert told is not None
    x: Counter[tuple[str, str, str]] = Counter()
    n: Counter[tuple[str, str, str]] = Counter()

    def add(name: str, group: str, word: str, value: int) -> None:
        x[name, group, word] += value
        n[name, group, word] += 1

    for record in records:
        recount(record, add)
    for one in told:
        for group, words in one.groups.items():
            for word, ratio in words.items():
                assert ratio.of == n[one.name, group, word], (one.name, group, word)
                if ratio.of:
                    assert ratio.value == pytest.approx(x[one.name, group, word] / ratio.of, abs=1e-6)


def recount(record: dict[str, Any], add: Any) -> None:
    """One game of SMALL: the pile is the penalty, the nearest caller calls, nobody passes."""
    (deal,) = record["deals"]
    seats, hands, pile = record["seats"], [Counter(hand) for hand in deal["hands"]], Counter[str]()
    for name in seats:
        add(name, "cut_off", "", int(deal["end"]["cut_off"]))
    events = deal["events"]
    for at, event in enumerate(events):
        if "call" in event:
            continue
        seat, cards = event["seat"], event["play"]
        name, size = seats[seat], hands[seat].total()
        lie, able = any(card != event["claim"] for card in cards), hands[seat][event["claim"]] > 0
        word = {1: "1", 2: "2", 3: "3–4", 4: "3–4"}.get(size, "5–8")
        add(name, "bluff", "", lie)
        add(name, "bluff_by_truth", "possible" if able else "impossible", lie)
        add(name, "bluff_by_hand", word, lie)
        if able:
            add(name, "bluff_by_hand_truth_possible", word, lie)
        add(name, "cards", "bluff" if lie else "truth", len(cards))
        add(name, "passes", "", 0)
        hands[seat] -= Counter(cards)
        pile += Counter(cards)
        call = events[at + 1] if at + 1 < len(events) and "call" in events[at + 1] else None
        add(name, "caught" if lie else "doubted", "", call is not None)
        left = hands[seat].total()
        for step in range(1, record["rules"]["players"]):
            asked = (seat + step) % record["rules"]["players"]
            calls = call is not None and call["seat"] == asked
            add(seats[asked], "call", "", calls)
            add(seats[asked], "call_by_count", str(len(cards)), calls)
            add(seats[asked], "call_by_left", {0: "0", 1: "1", 2: "2", 3: "3–4", 4: "3–4"}.get(left, "5–8"), calls)
            if calls:
                add(seats[asked], "right", "", lie)
                add(seats[asked], "right_by_count", str(len(cards)), lie)
                hands[call["wrong"]] += pile
                pile = Counter()
                break


@pytest.mark.parametrize("seed", range(6))
def test_plays_calls_and_passes_of_any_rules_are_those_of_the_records(seed: int) -> None:
    rng = np.random.default_rng(seed)
    r = random_rules(rng, players=int(rng.integers(2, 5)), max_turns=40)
    records: list[dict[str, Any]] = []
    (told,) = evaluate(r, [Chance(r)], deals=6, behaviour=True, on_record=records.append).behaviour or ()
    events = [event for record in records for deal in record["deals"] for event in deal["events"]]
    plays = [event for event in events if "play" in event]
    calls = [event for event in events if "call" in event]
    bluffs = [call for call in calls if not call["truthful"]]
    groups = told.groups
    assert groups["bluff"][""].of == len(plays)
    assert sum(ratio.of for ratio in groups["bluff_by_hand"].values()) == len(plays)
    assert groups["caught"][""].of + groups["doubted"][""].of == len(plays)
    assert share(groups["caught"][""]) == len(bluffs)
    assert share(groups["doubted"][""]) == len(calls) - len(bluffs)
    assert share(groups["passes"][""]) == sum("pass" in event for event in events)
    if r.call_order == "nearest":
        assert groups["right"][""].of == len(calls)
        assert share(groups["right"][""]) == len(bluffs)


def share(ratio: Any) -> int:
    return round((ratio.value or 0) * ratio.of)


# ---- intervals ----


def test_an_interval_takes_the_deals_for_independent() -> None:
    """Ten plays a deal that are all alike say no more than one."""
    rng = np.random.default_rng(1)
    covered, wide = 0, 0.0
    for _ in range(300):
        bluffs = 10 * (rng.random(80) < 0.3).astype(np.int64)
        _, low, high = ratio_intervals(ratio_sums(bluffs, np.full(80, 10)))
        covered += low <= 0.3 <= high
        wide = float(high - low)
    assert 0.92 <= covered / 300 <= 0.98
    assert wide > 0.15


def test_wilson_by_hand_where_every_deal_has_one_play() -> None:
    """24 of 100: (0.24 + z²/200 ± z √(0.24·0.76/100 + z²/40000)) / (1 + z²/100), with the variance of 99 degrees."""
    value, low, high = ratio_intervals(ratio_sums(np.array([1] * 24 + [0] * 76), np.ones(100, np.int64)))
    z, n = 1.959964, 99
    middle, wide = (0.24 + z * z / (2 * n)), z * math.sqrt(0.24 * 0.76 / n + z * z / (4 * n * n))
    assert value == pytest.approx(0.24)
    assert (low, high) == (
        pytest.approx((middle - wide) / (1 + z * z / n), abs=1e-6),
        pytest.approx((middle + wide) / (1 + z * z / n), abs=1e-6),
    )


def test_never_in_a_hundred_deals_is_not_a_certain_never() -> None:
    _, low, high = ratio_intervals(ratio_sums(np.zeros(100, np.int64), np.full(100, 30)))
    assert low == 0
    assert high == pytest.approx(0.037, abs=1e-3)  # Wilson's for 0 of 100, not of 3,000


def test_nothing_counted_is_no_number() -> None:
    assert all(np.isnan(ratio_intervals(ratio_sums(np.zeros(3, np.int64), np.zeros(3, np.int64)))))


# ---- calibration ----


def test_chances_are_compared_with_who_won() -> None:
    """By hand: hopeful tells one in so many cards at the beginning of every turn."""
    forecasts = Forecasts(SMALL, [Hopeful()], np.array([0]), np.zeros((1, 3), np.int64))
    turns = ["pick A", "lay", "decline", "decline", "pick 2", "pick 4", "decline", "decline"]
    batch = played(forecasts, [*turns, "pick 3", "pick A", "decline", "decline"])
    assert batch.winner[0] == 2
    forecasts.end(batch)
    sums = forecasts.sums()[0]
    assert sums[ALL, :2].tolist() == [1, 3]
    assert sums[ALL, -1] == pytest.approx(1 / 3 + 1 / 3 + 1 / 2)
    assert sums[BRIER, 0] == pytest.approx(1 / 9 + 1 / 9 + 1 / 4)
    assert sums[3, :2].tolist() == [0, 2]
    assert sums[5, :2].tolist() == [1, 1]


def test_agents_that_cannot_tell_are_left_out() -> None:
    told = evaluate(SMALL, [Chance(), Hopeful(), load("random", SMALL)], deals=10, calibration=True).calibration
    assert told is not None
    assert [one.name for one in told] == ["hopeful"]
    assert sum(one.won.of for one in told[0].bins) == told[0].turns == told[0].won.of
    assert told[0].constant == pytest.approx((told[0].won.value or 0) * (1 - (told[0].won.value or 0)), abs=1e-5)


@pytest.mark.parametrize(("rewards", "paid", "chance"), [("win", 0.25, 0.25), ("win_loss", -0.5, 0.25)])
def test_what_a_critic_expects_is_read_as_the_rewards_it_has_learnt_under(
    rewards: str, paid: float, chance: float
) -> None:
    agent = critic(paid, rewards)
    batch = GameBatch("bloff", games=3)
    assert agent.win_chance(batch.observation) == pytest.approx(np.full(3, chance))


def test_zero_sum_is_the_rewards_of_the_rules() -> None:
    """Four players: a chance of 1/4 is worth 1/4 - 3/4 × 1/3 = 0."""
    assert critic(0.0, None).win_chance(GameBatch("bloff").observation) == pytest.approx([0.25])
    assert critic(7.0, None).win_chance(GameBatch("bloff").observation) == pytest.approx([1.0])


def critic(paid: float, rewards: str | None) -> PolicyAgent:
    """An agent whose critic always says the same."""
    lay = layout(rules("bloff"))
    value = [(np.zeros((lay.size, 1), np.float32), np.array([paid], np.float32))]
    weights = random_layers([lay.size, lay.n_actions])
    return PolicyAgent("bloff", weights, value=value, value_rewards=rewards)
