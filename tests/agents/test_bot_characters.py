"""The bots with character: each does what its name says, and `counter` is beaten by none of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bluff_env
from bluff_agents import bot_names, load
from bluff_agents.evaluation import evaluate

GAMES = ("bloff", "blof_free", "cheat", "bluffstopp", "bluffstopp_open")


class Moments:
    """What bots are asked in games between several of them: observations, the full states and the legal actions."""

    def __init__(self, name: str, bots: tuple[str, ...] = ("honest", "bold", "counter", "random"), steps: int = 250):
        self.rules = bluff_env.rules(name)
        batch = bluff_env.GameBatch(self.rules, games=120, seed=8)
        self.layout = batch.layout
        agents = [load(bot, self.rules) for bot in bots]
        rows: list[tuple[NDArray[Any], ...]] = []
        for _ in range(steps):
            noise = batch.noise()
            rows.append((batch.observation.copy(), batch.mask.copy(), noise, batch.state()))
            every = [agent.act(batch.observation, batch.mask, noise)[0] for agent in agents]
            batch.step(np.choose(batch.player % len(agents), every))
        self.observation, self.mask, self.noise, self.state = (np.concatenate(x) for x in zip(*rows, strict=True))
        self.first = {segment: where.start for segment, where in self.layout.actions.items()}

    def see(self, piece: str) -> NDArray[np.int64]:
        return self.observation[:, self.layout.pieces[piece]].astype(np.int64)

    def asked(self, phase: str) -> NDArray[np.bool_]:
        return self.see("phase")[:, self.layout.phases.index(phase)] == 1

    def act(self, bot: str, observation: NDArray[np.int8] | None = None) -> NDArray[np.int64]:
        agent = load(bot, self.rules)
        return agent.act(self.observation if observation is None else observation, self.mask, self.noise)[0]

    def calls(self, bot: str, observation: NDArray[np.int8] | None = None) -> NDArray[np.bool_]:
        """Of the rows in which a play is answered: does the bot call?"""
        return (self.act(bot, observation) == self.first["call"])[self.asked("answer")]

    def lies(self, bot: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of the first picks of a play: does the bot pick a card that is not what it claims, and need it not?"""
        claims = len(self.layout.tables.claims)
        rows = self.asked("pick") & (self.see("picked").sum(axis=1) == 0)
        actions, claim, hand = self.act(bot)[rows], self.see("claim")[rows].argmax(axis=1), self.see("hand")[rows]
        able = (hand[np.arange(len(hand)), claim] > 0) | (hand[:, claims:].sum(axis=1) > 0)
        kind = actions - self.first["card"]
        picks = (kind >= 0) & (kind < hand.shape[1])
        return picks & (kind != claim) & (kind < claims), able


@pytest.mark.parametrize("name", GAMES)
def test_always_call_calls_whatever_it_is_asked_about(name: str) -> None:
    calls = Moments(name).calls("always_call")
    assert len(calls) > 1000
    assert calls.all()


@pytest.mark.parametrize("name", GAMES)
def test_liar_lies_though_it_could_tell_the_truth(name: str) -> None:
    moments = Moments(name, ("liar", "honest"))
    lies, able = moments.lies("liar")
    rows = moments.asked("pick") & (moments.see("picked").sum(axis=1) == 0)
    hand, claim = moments.see("hand")[rows], moments.see("claim")[rows].argmax(axis=1)
    others = hand.sum(axis=1) > hand[np.arange(len(hand)), claim]
    assert (able & others).sum() > 200
    assert lies[others].all()


def test_liar_lays_one_card_or_two() -> None:
    moments = Moments("bloff", ("liar", "honest"))
    begun = moments.asked("pick") & (moments.see("picked").sum(axis=1) == 1)
    lays = (moments.act("liar") == moments.first["lay"])[begun]
    assert 0.4 < lays.mean() < 0.6


@pytest.mark.parametrize("name", GAMES)
def test_cautious_never_lies_where_it_could_tell_the_truth(name: str) -> None:
    moments = Moments(name, ("cautious", "honest", "bold", "random"))
    lies, able = moments.lies("cautious")
    assert able.sum() > 300
    assert not (lies & able).any()
    if "claim" in moments.layout.phases:  # nor claims what it does not hold, where it may choose
        rows = moments.asked("claim")
        claim = moments.act("cautious")[rows] - moments.first["claim"]
        hand = moments.see("hand")[rows][:, : len(moments.layout.tables.claims)]
        could = (hand * moments.see("claimable")[rows]).sum(axis=1) > 0
        chosen = np.take_along_axis(hand, np.clip(claim, 0, hand.shape[1] - 1)[:, None], axis=1)[:, 0]
        assert (chosen[could & (claim >= 0)] > 0).all()


@pytest.mark.parametrize("name", GAMES)
def test_bold_calls_and_lies_more_than_cautious(name: str) -> None:
    moments = Moments(name)
    assert moments.calls("bold").mean() > 1.5 * moments.calls("cautious").mean()
    bold, cautious = (play(name, bot) for bot in ("bold", "cautious"))
    assert bold > cautious


def play(name: str, bot: str) -> float:
    """The share of a bot's plays that are lies, at a table of its own."""
    batch = bluff_env.GameBatch(name, games=150, seed=2)
    agent, pieces = load(bot, name), batch.layout.state_pieces
    lies = plays = 0
    for _ in range(200):
        full = batch.state()
        played, claim = full[:, pieces["last_play"]].astype(int), full[:, pieces["claim"]].argmax(axis=1)
        false = played.sum(axis=1) > played[np.arange(len(played)), claim]
        # the first seat that is asked sits left of the claimant: so every play is counted once
        fresh = batch.observation[:, batch.layout.pieces["claimant"]][:, batch.rules.players - 1] == 1
        lies += int((false & fresh).sum())
        plays += int(fresh.sum())
        batch.step(agent.act(batch.observation, batch.mask, batch.noise())[0])
    return lies / plays


@pytest.mark.parametrize("name", ["bloff", "blof_free", "bluffstopp", "bluffstopp_open"])
def test_adaptive_calls_a_seat_the_more_the_more_of_its_plays_were_bluffs(name: str) -> None:
    moments = Moments(name)
    where = moments.layout.pieces["called"]
    rates = []
    for bluffs, truths in ((0, 10), (3, 3), (10, 0)):
        told = moments.observation.copy()
        told[:, where] = np.tile([bluffs, truths, 0], moments.rules.players)
        rates.append(moments.calls("adaptive", told).mean())
    assert rates[0] < rates[1] < rates[2]


@pytest.mark.parametrize("name", ["bloff", "bluffstopp"])
def test_adaptive_calls_a_liar_it_has_caught_more_often_than_one_it_has_not(name: str) -> None:
    moments = Moments(name, ("liar", "honest"))
    by_liar = ((moments.see("claimant").argmax(axis=1) % 2 == 1) & (moments.see("claimant").sum(axis=1) > 0))[
        moments.asked("answer")
    ]  # honest is asked at the odd seats, so a claimant an odd number of seats away is a liar
    rates = []
    # the very same plays after as many calls, ever more of which turned up a bluff: how often a table calls matters too
    for bluffs in (0, 6, 12):
        told = moments.observation.copy()
        told[:, moments.layout.pieces["called"]] = np.tile([bluffs, 12 - bluffs, 0], moments.rules.players)
        rates.append(moments.calls("adaptive", told)[by_liar].mean())
    assert by_liar.sum() > 300
    assert rates[0] < rates[1] < rates[2]


def test_counter_calls_a_claim_of_a_card_that_a_call_has_shown() -> None:
    moments = Moments("bluffstopp", ("honest", "counter"), steps=80)
    told = moments.observation.copy()
    recent = told[:, moments.layout.pieces["recent"]].reshape(len(told), moments.layout.history, -1)
    # three plays ago the very card now claimed was turned up, and true; under these rules nobody has taken it since
    before = recent[:, 0].copy()
    before[:, -2:] = (0, 1)
    recent[:, 3] = before
    told[:, moments.layout.pieces["recent"]] = recent.reshape(len(told), -1)
    claimed = told[:, moments.layout.pieces["claimed_in_pile"]].reshape(len(told), moments.rules.players, -1)
    claimed[:, 1] += told[:, moments.layout.pieces["claim"]]
    told[:, moments.layout.pieces["claimed_in_pile"]] = claimed.reshape(len(told), -1)
    assert len(moments.calls("counter")) > 500
    assert moments.calls("counter").mean() < 0.6
    assert moments.calls("counter", told).mean() > 0.95


def test_counter_calls_the_first_play_where_nobody_was_asked_before_and_not_so_later() -> None:
    moments = Moments("bluffstopp", ("honest",), steps=40)
    asked = moments.asked("answer")
    plays = moments.see("recent").reshape(len(asked), moments.layout.history, -1)[:, :, : moments.rules.players]
    first = (plays.sum(axis=(1, 2)) == 1)[asked]
    nearest = (moments.see("claimant")[:, -1] == 1)[asked]
    calls = moments.calls("counter")
    assert (first & nearest).sum() > 50
    assert calls[first & nearest].mean() > 0.9
    assert calls[~first].mean() < 0.5


@pytest.mark.parametrize("name", ["bluffstopp", "bluffstopp_open"])
def test_counter_suspects_a_lead_the_more_the_higher_it_is(name: str) -> None:
    moments = Moments(name, ("bold", "counter", "honest"))
    asked = moments.asked("answer")
    plays = moments.see("recent").reshape(len(asked), moments.layout.history, -1)
    led = (plays[:, 1, -2:].sum(axis=1) == 1)[asked]  # after a call somebody leads [B6]
    holds = ((moments.see("hand") + moments.see("mine_in_pile")) * moments.see("claim")).sum(axis=1)[asked]
    more = ((moments.see("hand_sizes") * moments.see("claimant")).sum(axis=1) > 0)[asked]
    rank = (moments.see("claim").argmax(axis=1) % moments.rules.ranks)[asked]
    rows = led & more & (holds == 0)
    calls = moments.calls("counter")
    aces, low = calls[rows & (rank == 12)], calls[rows & (rank < 8)]
    assert min(len(aces), len(low)) > 50
    assert aces.mean() > low.mean()


@pytest.mark.parametrize("other", [bot for bot in bot_names() if bot != "counter"])
@pytest.mark.parametrize("name", ["bloff", "bluffstopp", "bluffstopp_open"])
def test_no_other_bot_beats_counter(name: str, other: str) -> None:
    rules = bluff_env.rules(name)
    judged = evaluate(rules, [load("counter", rules), load(other, rules)], deals=150, resamples=200)
    alone, against = judged.matchups
    assert alone.share > 0.22  # fair: 25 %, and 150 deals leave some 4 % of chance
    assert against.share < 0.28
    assert judged.cut_off < 0.05


@pytest.mark.parametrize("other", ["honest", "cautious", "bold", "adaptive"])
@pytest.mark.parametrize("name", [name for name in bluff_env.rule_names() if name != "tiny"])
def test_no_bot_that_plays_well_beats_counter_under_any_named_rules(name: str, other: str) -> None:
    rules = bluff_env.rules(name)
    judged = evaluate(rules, [load("counter", rules), load(other, rules)], deals=50, resamples=100)
    alone, against = judged.matchups
    assert against.share < 1 / rules.players + 0.08  # 50 deals leave some 6 % of chance
    assert alone.share > 1 / rules.players - 0.08
    assert judged.cut_off < 0.02
