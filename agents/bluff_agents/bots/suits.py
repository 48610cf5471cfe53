"""Suited games for the bot that counts: how likely a claim is a lie, and what to claim and to lay.

While a claim is followed everything happens in one suit, the relative suit 0, so most arrays here are (R, B).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.habits import SuitedHabits
from bluff_agents.bots.sight import Sight
from bluff_agents.bots.stakes import Stakes
from bluff_env import Layout

Reals = NDArray[np.float64]


class Suit:
    """What the observer has in sight of the cards of one suit, and where the unseen ones may be.

    Args:
        layout, habits: of the rules, and what is believed of people.
    """

    def __init__(self, layout: Layout, habits: SuitedHabits) -> None:
        rules, t = layout.rules, layout.tables
        self.habits = habits
        self.players, self.ranks = rules.players, rules.ranks
        self.claims, self.kinds = len(t.claims), len(t.kinds)
        self.deck_size, self.jokers = rules.deck_size, rules.jokers
        self.rank = np.arange(self.ranks)[:, None]

    def unseen(self, see: Sight, others_in_pile: NDArray[np.int64]) -> tuple[Reals, Reals, Reals]:
        """(R, B) the chance that a card of the suit is among the cards of hands and stock that are not in sight, (B,)
        how many those are, and (B,) how many jokers are among them.

        Args:
            see: the observations.
            others_in_pile: (B,) cards that other seats laid into the pile, the play on the table aside.
        """
        h, r = self.habits, self.ranks
        seen = see.part("hand", 0, r) + see.part("mine_in_pile", 0, r)
        total = self.deck_size - see.total("hand") - see.total("mine_in_pile")
        for seat in range(1, self.players):
            at = seat * self.kinds
            seen += see.part("known", at, at + r)
        total -= see.total("known")
        if "start_card" in see:
            seen += see.part("start_card", 0, r)
            total -= see.total("start_card")
        claimed = np.zeros_like(seen)
        for seat in range(1, self.players):
            at = seat * self.claims
            claimed += see.part("claimed_in_pile", at, at + r)
        if see.answering:
            claimed[see.claim, see.rows] -= 1
        chance = np.where(seen > 0, 0.0, (1 - h.told) ** np.maximum(claimed, 0))
        jokers = np.zeros(len(see.rows))
        if self.jokers:
            last = self.claims
            jokers += self.jokers - see.part("hand", last, last + 1)[0] - see.part("mine_in_pile", last, last + 1)[0]
            for seat in range(1, self.players):
                jokers -= see.part("known", seat * self.kinds + last, seat * self.kinds + last + 1)[0]
            np.maximum(jokers, 0, out=jokers)
        return chance, np.maximum(total - h.told * others_in_pile, 1.0), jokers

    def followed(self, see: Sight) -> NDArray[np.int64]:
        """(B,): the rank that the play on the table had to follow, in its suit; -1 where it led."""
        n, r = self.players, self.ranks
        before = see.play(1)
        suit, rank = before[n + r], before[n : n + r].argmax(axis=0)
        claimant = see.claimant
        led = (before[-2:].sum(axis=0) > 0) | (before[claimant, see.rows] > 0)
        floor = np.where((suit > 0) & ~led, rank, -1)
        if "start_card" in see:
            start = see.part("start_card", 0, r)
            first = (before[:n].sum(axis=0) == 0) & (start.sum(axis=0) > 0)
            floor = np.where(first, start.argmax(axis=0), floor)
        return np.where(floor < see.claim, floor, -1)


class SuitedDoubt(Suit):
    """Bayes' rule over why a seat makes this claim: it holds the card, or it holds no card that could follow."""

    def __init__(self, layout: Layout, habits: SuitedHabits) -> None:
        super().__init__(layout, habits)
        self.must = layout.rules.passing == "never"

    def __call__(self, see: Sight) -> Reals:
        """(B,) the chance that the play on the table is a lie; 1 where own sight proves it."""
        h, rows, claim, who = self.habits, see.rows, see.claim, see.claimant
        others = see["pile_size"][0] - 1 - see.total("mine_in_pile")
        unseen, total, jokers = self.unseen(see, np.maximum(others, 0))
        held = see["hand_sizes"][who, rows] + 1.0
        share = np.minimum(held / total, 0.95)
        floor = self.followed(see)
        leads = floor < 0
        card = unseen[claim, rows] * share
        open_ = np.where(self.rank > floor, unseen, 0.0).sum(axis=0)
        none = (1 - share) ** open_
        joker = 1 - (1 - share) ** jokers
        claims = np.where(leads, self.claims, self.ranks - 1 - floor)
        true = np.where(leads, card / held, card / (1 + np.maximum(open_ - unseen[claim, rows], 0) * share))
        stuck = none * (1.0 if self.must else h.lie)
        true += np.where(leads, 0.0, none) * joker * h.joker / claims
        lie = np.where(leads, h.stray, stuck * (1 - joker * h.joker) + (1 - none) * h.stray) / claims
        called = see["called"].reshape(self.players, 3, -1)
        lie *= (h.record + called[who, 0, rows]) / (h.record + called[who, 1, rows])
        odds = true / (lie + 1e-12)
        chance: Reals = 1 / (1 + odds**h.shrink)
        return chance


class SuitedPlanner(Suit):
    """What to claim and what to lay: one card, so a choice of a true one, of a joker, of a lie, or of the pass.

    Args:
        layout, habits: as above.
        keep: (K, 1) how much each kind is worth keeping.
    """

    def __init__(self, layout: Layout, habits: SuitedHabits, keep: NDArray[np.int64]) -> None:
        super().__init__(layout, habits)
        rules = layout.rules
        self.stakes = Stakes(layout)
        self.history = layout.history
        self.keep = keep
        self.next_only = rules.callers == "next"
        self.right_leads = rules.after_call == "right_party"
        top = np.arange(self.claims) % self.ranks
        # Leading: which card to lead with, by kind; an ace keeps the lead.
        self._lead = (1000.0 - habits.lead_low * top)[:, None]
        self._lead_ace = np.where(top == self.ranks - 1, 2000.0, 1000.0 - habits.lead_low * top)[:, None]
        self._weight = weights(habits, 2 * rules.deck_size + 2)

    def claim(self, see: Sight) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """(B,) the relative claim to make, and (B,) where passing is better than making it."""
        r, rows = self.ranks, see.rows
        claims = np.zeros(len(rows), np.int64)
        passes = np.zeros(len(rows), np.bool_)
        open_ = see["claimable"]
        leads = open_.sum(axis=0) == self.claims
        hand = see["hand"]
        lead = np.where(hand.sum(axis=0) <= self.habits.ace_hand, self._lead_ace, self._lead)
        score = np.where(hand[: self.claims] > 0, lead, 0.0)
        claims = score.argmax(axis=0)
        only_jokers = score.max(axis=0) == 0
        claims = np.where(only_jokers, r - 1, claims)  # what nothing can follow keeps the lead
        follow = np.flatnonzero(~leads)
        if follow.size:
            there = see.only(follow)
            claims[follow], passes[follow] = self._follow(there, open_[:r, follow] > 0)
        return claims, passes

    def forced(self, see: Sight) -> NDArray[np.bool_]:
        """(B,) where one claim alone may follow and passing is better than making it."""
        open_ = np.zeros((self.ranks, len(see.rows)), np.bool_)
        open_[see.claim % self.ranks, see.rows] = True
        return self._follow(see, open_)[1]

    def card(self, see: Sight) -> NDArray[np.int64]:
        """(B,) the relative kind to lay with the claim being made."""
        hand, claim = see["hand"], see.claim
        lie = np.where(hand > 0, self.keep, np.iinfo(np.int64).max).argmin(axis=0)
        kind = np.where(hand[claim, see.rows] > 0, claim, lie)
        if self.jokers:
            kind = np.where((hand[claim, see.rows] == 0) & self._spends_joker(see), self.claims, kind)
        chosen: NDArray[np.int64] = kind
        return chosen

    def _spends_joker(self, see: Sight) -> NDArray[np.bool_]:
        """(B,) a joker for want of a true card: the last one is kept for the last play, which it makes true."""
        if not self.jokers:
            return np.zeros(len(see.rows), np.bool_)
        jokers = see.part("hand", self.claims, self.claims + 1)[0]
        spends: NDArray[np.bool_] = (jokers > 1) | (jokers == see.total("hand"))
        return spends

    def _follow(self, see: Sight, open_: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        r = self.ranks
        held = (see.part("hand", 0, r) > 0) & open_
        able = held.any(axis=0)
        true = np.where(held, self.rank, r).argmin(axis=0)
        called = np.where(open_, self._chance_of_call(see), 2.0)
        value = self._value(see, called)
        lie = np.where(open_, value, -1.0).argmax(axis=0)
        claims = np.where(able, true, lie)
        joker = self._spends_joker(see)
        claims = np.where(~able & joker, np.where(open_, self.rank, -1).argmax(axis=0), claims)
        passes = ~able & ~joker & see.may("pass") & (value[lie, see.rows] < self._stay(see) * self.habits.bold)
        return claims, passes

    def _chance_of_call(self, see: Sight) -> Reals:
        """(R, B) the chance that a lie with each claim of the suit is called: by whoever holds the card, who is known
        to, or who doubts it anyway.
        """
        h = self.habits
        others = np.maximum(see["pile_size"][0] - see.total("mine_in_pile"), 0)
        unseen, total, _ = self.unseen(see, others)
        sizes = see["hand_sizes"]
        theirs = sizes[1] if self.next_only else sizes[1:].sum(axis=0)
        proof = unseen * np.minimum(theirs / total, 1.0)
        for seat in range(1, 2 if self.next_only else self.players):
            at = seat * self.kinds
            proof = np.maximum(proof, see.part("known", at, at + self.ranks) > 0)
        late = (see.recent_calls() + 0.5) / (self.history + 3)
        nerves = h.nerves * (1 + h.ace_nerves * (self.rank == self.ranks - 1))
        nerves = np.where(see.total("hand") == 1, h.last_nerves, nerves)
        called: Reals = proof + (1 - proof) * np.minimum(nerves * late, 0.95)
        return called

    def _value(self, see: Sight, called: Reals) -> Reals:
        """(R, B) the share in the race after a lie with each claim."""
        sizes, mine = see["hand_sizes"], see["hand"].sum(axis=0)
        rivals = self._weight[sizes[1:]].sum(axis=0)
        took, _ = self.stakes(see, sizes[1])
        bonus = np.exp(self.habits.tempo)
        after = self._weight[np.maximum(mine - 1, 0)]
        stands = np.where(self.rank == self.ranks - 1, after * bonus, after)
        stands = np.where(mine == 1, 1.0, stands / (stands + rivals))
        heavy = self._weight[mine - 1 + took]
        caught = heavy / (heavy + rivals * (1 + (bonus - 1) / (self.players - 1) * self.right_leads))
        value: Reals = stands - called * (stands - caught)
        return value

    def _stay(self, see: Sight) -> Reals:
        """(B,) the share in the race after a pass."""
        rivals = self._weight[see["hand_sizes"][1:]].sum(axis=0)
        mine = self._weight[see["hand"].sum(axis=0)]
        stay: Reals = mine / (mine + rivals)
        return stay


def weights(habits: SuitedHabits, most: int) -> Reals:
    """(most + 1,): what a hand of so many cards counts in the race to be out first."""
    cards = np.arange(most + 1.0)
    cards[0] = 0.5
    found: Reals = cards**-habits.chase * np.exp(-habits.decay * cards)
    return found
