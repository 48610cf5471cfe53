"""`counter`: weighs the chance that a claim is true against the cards at stake, and plans which cards to lie with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts
from bluff_agents.bots.chances import NEVER, Hypergeometric, chance_of_proof, turns_until
from bluff_env import Rules

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Habits:
    lie: float = 0.85
    bold: float = 0.2
    filler: float = 0.15
    hold_back: float = 0.1
    trust: float = 3.0
    caution: float = 1.2
    others: float = 0.0
    pile_true: float = 0.8
    nerve: float = 2.0
    calls: float = 0.3
    calm: float = 4.0
    last: float = 1.0
    size: float = 0.4
    spread: float = 1.3
    home: float = 2.0
    stuck: float = 1.9
    lead: float = 0.5
    chase: float = 0.5
    sets: float = 4.0
    most_extra: int = 3


class Counter(Bot):
    NAME: ClassVar[str] = "counter"

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        seed: int | None = None,
        habits: Habits = Habits(),
    ) -> None:
        super().__init__(rules, seed)
        self.habits = habits
        r = self.rules
        self._hyper = Hypergeometric(2 * r.deck_size + 16)
        self._proof = chance_of_proof(r)
        until = turns_until(r).astype(np.int64)
        self._until = np.append(until, 0) if self.jokers else until
        h = habits
        cards = np.arange(2 * r.deck_size + 2)
        self._their = (cards + 1.0) ** -h.chase
        self._mine_size = np.exp(h.lead) * (cards + 1.0) ** h.size
        ranks = np.arange(self.kinds + 1)
        self._mine_ranks = np.maximum(ranks, 1.0) ** -h.spread * np.exp(h.home * (ranks == 1))
        # expected ranks after taking a pile
        C = self.claims
        new = (1 - 1 / C) ** np.arange(r.deck_size + 1)
        self._ranks_after = np.rint(np.minimum(ranks[:, None] + np.maximum(C - ranks[:, None],0) * (1 - new), self.kinds)).astype(np.int64)
        self._options = int(self.layout.tables.follows[0].sum())
        h = habits
        m = np.arange(self.cap + 1)
        last = self._proof.shape[1] - 1
        col = np.minimum(m, last)
        self._pure = h.lie * h.bold ** np.maximum(m - 1, 0) * (1 - self._proof[self.copies, col])
        self._fill = h.filler * (1 - self._proof[np.clip(self.copies - m + 1, 0, self.copies), col])
        self._extra = np.arange(h.most_extra + 1)[:, None]
        order = np.arange(self.kinds)[:, None] + np.arange(self.claims)
        order %= self.claims
        order[self.claims:] = self.claims
        self._order = order  # (K, C): kind at place d from claim c

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        actions = np.zeros(len(counts), np.int64)
        rows = np.flatnonzero(self.phase(counts, "answer"))
        if rows.size:
            actions[rows] = np.where(self.worth(counts[rows]) > 0, self._first["call"], self._first["decline"])
        rows = np.flatnonzero(self.phase(counts, "pick"))
        if rows.size:
            actions[rows] = self._pick(counts[rows])
        if "claim" in self.layout.actions:
            rows = np.flatnonzero(self.phase(counts, "claim"))
            if rows.size:
                actions[rows] = self._claim(counts[rows])
        return actions

    def lie_chance(self, counts):
        return self.lie(np.ascontiguousarray(counts.T))[0],

    def get(self, t, name):
        return t[self.layout.pieces[name]]

    def lie(self, t):
        h = self.habits
        B = t.shape[1]; n = self.rules.players; K = self.kinds
        rows = np.arange(B)
        m = self.get(t, "claim_count")[0].astype(np.int64)
        who = self.get(t, "claimant").argmax(0)
        sizes = self.get(t, "hand_sizes").astype(np.int64)
        known = self.get(t, "known").reshape(n, K, B)
        hand, mine = self.get(t, "hand"), self.get(t, "mine_in_pile")
        mine_total = mine.sum(0, dtype=np.int64)
        known_total = known.sum(1, dtype=np.int64)
        pile = self.get(t, "pile_size")[0].astype(np.int64)
        others_pile = pile - m - mine_total
        N = self.rules.deck_size - sizes[0] - mine_total - known_total.sum(0) - np.rint(h.pile_true * others_pile).astype(np.int64)
        k = known[who, 0, rows].astype(np.int64)
        u = self.copies - hand[0] - mine[0] - known[:, 0].sum(0, dtype=np.int64)
        if self.jokers:
            k += known[who, -1, rows]
            u += self.jokers - hand[-1] - mine[-1] - known[:, -1].sum(0)
        claimed = self.get(t, "claimed_in_pile").reshape(n, self.claims, B)
        earlier = claimed[1:, 0].sum(0, dtype=np.int64) - m
        u = np.minimum(np.maximum(u - np.rint(0.7 * earlier).astype(np.int64), 0), N)
        a = np.minimum(np.maximum(sizes[who, rows] + m - known_total[who, rows], 0), N)
        x = np.stack([m, m - 1, m + 1, np.zeros_like(m)]) - k
        p = self._hyper(x, N, u, a)
        called = self.get(t, "called").reshape(n, 3, B)
        vol = (h.trust + called[who, 0, rows]) / (h.trust + called[who, 1, rows])
        p0 = p[3] ** self._options * self._pure[m]
        true = p[0] + h.hold_back * p[2]
        false = np.where(m > 1, (p0 + p[1] * self._fill[m]) * vol, p0)
        s = true + false
        return (false + 1e-9) / (s + 1e-9), sizes, who, m, pile, rows

    def worth(self, counts):
        h = self.habits
        t = np.ascontiguousarray(counts.T)
        p, sizes, who, m, pile, rows = self.lie(t)
        e = self._their[sizes]
        S = e.sum(0)
        me, him = e[0], e[who, rows]
        him_pile = self._their[sizes[who, rows] + pile]
        me_pile = self._their[sizes[0] + pile]
        stay = me / S
        right = me / (S - him + him_pile)
        wrong = me_pile / (S - me + me_pile)
        if h.others:
            c = h.others * (who - 1)
            stay = stay * (1 - c) + c * (p * right + (1 - p) * me / (S - 0.2 * (S - me - him)))
        gain = p * (right - stay) - h.caution * (1 - p) * (stay - wrong)
        return np.where(sizes[who, rows] == 0, p, gain)

    def _claim(self, counts):
        score = self.piece(counts, "hand")[:, : self.claims].astype(np.int64) * 32 + self.piece(counts, "mine_in_pile")[:, : self.claims]
        return self._first["claim"] + np.where(self.piece(counts, "claimable") != 0, score, -1).argmax(1)

    def _pick(self, counts):
        t = np.ascontiguousarray(counts.T)
        rows = np.arange(len(counts))
        order = self._order[:, self.get(t, "claim").argmax(0)]
        hand = self.get(t, "hand")[order, rows].astype(np.int64)
        left = self.plan(t, hand, order[0], rows) > self.get(t, "picked")[order, rows]
        first = left.argmax(0)
        return np.where(left[first, rows], self._first["card"] + order[first, rows], self._first.get("lay", -1))

    def hand_value(self, left, rest):
        """value at my next turn of what is left"""
        C = self.claims
        has = left > 0
        when = np.where(has[:C], self._until[:C, None], NEVER)
        nearest = when.min(0)
        group = np.where(when == nearest, left[:C], 0).max(0)
        if self.jokers:
            nearest = np.where(has[-1], 1, nearest)
            group = group + left[-1]
        stuck = rest - group < nearest - 1
        return self._mine_size[rest] * self._mine_ranks[has.sum(0)] * np.where(stuck, np.exp(-self.habits.stuck), 1.0), nearest - 1 - rest + group

    def plan(self, t, hand, claim, rows):
        h = self.habits
        total = hand.sum(0)
        held = hand[0]
        lay = np.zeros_like(hand)
        truth = np.minimum(held, self.cap)
        if self.jokers:
            jok = hand[-1]
            joker = ((held == 0) & (jok > 0)).astype(np.int64)
            lay[-1] = np.where((held + jok == total) & (total <= self.cap), jok, joker)
        lay[0] = truth
        base = truth + lay[-1] if self.jokers else truth
        left = hand - lay
        rest = total - base
        value, lack = self.hand_value(left, rest)
        hold = np.where(rest > 0, np.minimum(np.maximum(lack, 0), np.maximum(truth - 1, 0)), 0)
        lay[0] -= hold
        left[0] += hold
        base = base - hold
        rest = rest + hold
        # extra cards
        pile = self.get(t, "pile_size")[0].astype(np.int64)
        others = self._their[self.get(t, "hand_sizes")[1:]].sum(0)
        unseen = self.copies - held - self.get(t, "mine_in_pile")[claim, rows]
        ranks = (hand > 0).sum(0)
        bad = self._mine_size[total + pile] * self._mine_ranks[self._ranks_after[ranks, pile]]
        bad = bad / (bad + others)
        nerve = self.suspicion(t)
        lastcol = self._proof.shape[1] - 1
        best = np.where(base > 0, np.where(rest > 0, value / (value + others), 1.0), -1.0)
        extra = np.zeros_like(base)
        chosen = []
        trial = left.copy()
        trial[0] = 0
        key = self._until[:, None]
        for e in range(1, h.most_extra + 1):
            has = trial > 0
            able = has.any(0) & (base + e <= self.cap) & ((hold == 0) | (base == 0))
            if not able.any():
                break
            j = np.where(has, key - h.sets * trial, -1000.0).argmax(0)
            trial[j, rows] -= able
            chosen.append(j)
            rest_e = rest - e
            after = np.maximum(rest_e, 0)
            trial[0] += left[0]
            v, _ = self.hand_value(trial, after)
            trial[0] -= left[0]
            good = np.where(rest_e > 0, v / (v + others), 1.0)
            m = base + e
            proof = self._proof[unseen, np.minimum(m, lastcol)]
            guess = np.where(rest_e <= 0, h.last, self._proof[unseen, np.minimum(m + 1, lastcol)])
            called = proof + nerve * (guess - proof)
            val = np.where(able, good - called * (good - bad), -2.0)
            better = val > best
            extra = np.where(better, e, extra)
            best = np.where(better, val, best)
        for i, j in enumerate(chosen):
            lay[j, rows] += extra > i
        return lay

    def suspicion(self, t):
        h = self.habits
        r = self.get(t, "recent").reshape(self.layout.history, self.layout.recent_width, -1)
        calls = r[:, -2:].sum((0, 1))
        plays = r[:, : self.rules.players].sum((0, 1))
        return np.minimum(h.nerve * (calls + h.calls) / (plays + h.calm), 1.0)
