"""Which cards to lay: the truth where it can be told, and the lies that leave the best hand to go on with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.chances import NEVER, chance_of_proof, turns_until
from bluff_agents.bots.habits import Habits
from bluff_agents.bots.sight import Sight
from bluff_env import Layout

Cards = NDArray[np.int64]


class Planner:
    """Plans a whole play from the hand, the pile and the table, and from nothing that changes while cards are picked.

    Hands here are (K, B) in the order of picks: row 0 is the claimed rank, a joker comes last. A play is worth the
    share that the hand it leaves has in the race to be out first: going out needs a true last play, so what counts are
    the ranks left, and whether there are cards enough to lay on every turn before the first of them may be claimed.

    Args:
        layout: of the rules.
        habits: how cards are weighed.
    """

    def __init__(self, layout: Layout, habits: Habits) -> None:
        rules, t = layout.rules, layout.tables
        h = self.habits = habits
        self.claims, self.kinds = len(t.claims), len(t.kinds)
        self.copies, self.jokers = int(t.deck[0]), rules.jokers
        self.cap = min(rules.most_cards, rules.deck_size)
        self.history = layout.history
        self._proof = chance_of_proof(rules)
        self._until = turns_until(rules)[:, None]
        # The lie is the card needed last; a joker, which is never needed less, is given away last.
        self._order_of_lies = np.vstack([self._until, np.full((self.kinds - self.claims, 1), -1)])
        self.passing = rules.passing == "allowed"
        order = (np.arange(self.kinds)[:, None] + np.arange(self.claims)) % self.claims
        order[self.claims :] = self.claims
        self._order = order
        ranks, pile = np.arange(self.kinds + 1.0), np.arange(rules.deck_size + 1)
        self._worth = np.exp(h.lead + h.home * (ranks == 1)) * np.maximum(ranks, 1) ** -h.spread
        new = np.maximum(self.claims - ranks, 0)[:, None] * (1 - (1 - 1 / self.claims) ** pile)
        self._ranks_with_pile = np.rint(ranks[:, None] + new).astype(np.int64)

    def claim(self, see: Sight, weight: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """(B,) the relative rank to claim where there is a choice, and (B,) where passing is better.

        Of ranks held alike the one of which more cards lie in the pile, where nobody can miss them.
        """
        hand, open_ = see["hand"], see["claimable"] > 0
        score = hand[: self.claims] * 256 + see["mine_in_pile"][: self.claims]
        best = np.where(open_, score, -1).argmax(axis=0)
        passes = np.zeros(len(see.rows), np.bool_)
        may = np.flatnonzero(see.may("pass") & (hand[best, see.rows] == 0))
        if may.size:
            there, kinds = see.only(may), self._order[:, best[may]]
            rivals = weight[see["hand_sizes"][1:, may]].sum(axis=0)
            passes[may] = self.plan(there, kinds, hand[:, may][kinds, there.rows], rivals)[1]
        return best, passes

    def plan(
        self, see: Sight, kinds: Cards, hand: Cards, rivals: NDArray[np.float64]
    ) -> tuple[Cards, NDArray[np.bool_]]:
        """(K, B) the cards to lay, and (B,) where passing, if one may, is better.

        Args:
            see: the observations.
            kinds: (K, B) the relative kinds in the order of picks.
            hand: (K, B) the hand in that order.
            rivals: (B,) what the other hands count in the race.
        """
        lay, held_back = self._truth(hand)
        left = hand - lay
        true, rest = lay.sum(axis=0), left.sum(axis=0)
        stays = self._share(hand, hand.sum(axis=0), rivals) if self.passing else None
        best = np.where(true > 0, self._share(left, rest, rivals), -1.0)
        caught = self._worth[self._ranks_with_pile[(hand > 0).sum(axis=0), see["pile_size"][0]]]
        caught /= caught + rivals
        unseen = self.copies - hand[0] - see["mine_in_pile"][kinds[0], see.rows]
        lies = np.zeros_like(true)
        chosen: list[NDArray[np.intp]] = []
        called_of_late = (see.recent_calls() + np.float64(0.4)) / (self.history + 3)
        able = ~held_back
        for number in range(1, self.habits.extra + 1):
            able = able & (true + number <= self.cap) & (rest >= number)
            if not able.any():
                break
            card = np.where(left > 0, self._order_of_lies, -2).argmax(axis=0)
            chosen.append(card)
            left[card, see.rows] -= able
            called = self._chance_of_call(unseen, true + number, rest == number, called_of_late)
            stands = self._share(left, np.maximum(rest - number, 0), rivals)
            value = stands - called * (stands - caught)
            able &= value > best  # a further card is thought of only where this one is worth it
            lies += able
            best = np.where(able, value, best)
        for number, card in enumerate(chosen):
            lay[card, see.rows] += lies > number
        if stays is None:
            return lay, np.zeros(len(true), np.bool_)
        return lay, (true == 0) & (stays >= best)

    def _truth(self, hand: Cards) -> tuple[Cards, NDArray[np.bool_]]:
        """The true cards to lay, and where some are held back: to lie with, on turns that would else take the cards
        meant for the last play.
        """
        lay = np.zeros_like(hand)
        np.minimum(hand[0], self.cap, out=lay[0])
        if self.jokers:
            total = hand.sum(axis=0)
            last = (hand[0] + hand[-1] == total) & (total <= self.cap)
            lay[-1] = np.where(last, hand[-1], (hand[0] == 0) & (hand[-1] > 0))
        left = hand - lay
        rest = left.sum(axis=0)
        lacking = self._lacking(left, rest)
        lacking[lacking > NEVER // 2] = 0  # nothing held back would last so long
        back = np.minimum(lacking, lay[0] - 1) * (rest > 0)
        np.maximum(back, 0, out=back)
        lay[0] -= back
        return lay, back > 0

    def _lacking(self, left: Cards, rest: NDArray[np.int64]) -> NDArray[np.int64]:
        """(B,) cards lacking (if positive) to lay one on every turn until the first rank left may be claimed."""
        ranks = left[: self.claims]
        turns = np.where(ranks > 0, self._until, NEVER)
        first = turns.min(axis=0)
        group = np.where(turns == first, ranks, 0).max(axis=0)
        if self.jokers:
            first = np.where(left[-1] > 0, 1, first)
            group = group + left[-1]
        lacking: NDArray[np.int64] = first - 1 - (rest - group)
        if self.passing:
            return np.zeros_like(lacking)  # a turn without a true card costs none
        return lacking

    def _share(self, left: Cards, rest: NDArray[np.int64], rivals: NDArray[np.float64]) -> NDArray[np.float64]:
        """(B,) the share in the race that a hand has after its play has stood; 1 for an empty one, which has won."""
        worth = self._worth[(left > 0).sum(axis=0)]
        worth = np.where(self._lacking(left, rest) > 0, worth * np.exp(-self.habits.stuck), worth)
        return np.where(rest > 0, worth / (worth + rivals), 1.0)

    def _chance_of_call(
        self, unseen: Cards, count: Cards, last: NDArray[np.bool_], of_late: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(B,) the chance that a lie of `count` cards is called: by whoever has proof; at a nervous table also by
        whoever lacks one card of it, and every last card; and as often as any play was called of late.
        """
        most = self._proof.shape[1] - 1
        proof = self._proof[unseen, np.minimum(count, most)]
        guess = np.where(last, 1.0, self._proof[unseen, np.minimum(count + 1, most)])
        called = proof + np.minimum(self.habits.nerves * of_late, 1.0) * (guess - proof)
        result: NDArray[np.float64] = called + (1 - called) * of_late
        return result
