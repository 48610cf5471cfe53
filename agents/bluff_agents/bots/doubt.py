"""How likely the play on the table is a lie, from what the observer has in sight and from what people do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.chances import Hypergeometric, chance_of_proof
from bluff_agents.bots.habits import Habits
from bluff_agents.bots.sight import Sight
from bluff_env import Layout


class Doubt:
    """Bayes' rule over what the claimant may have held: all its cards of the claimed rank laid truthfully, none held
    and a lie, or true cards with a false one among them.

    Args:
        layout: of the rules.
        habits: what people are believed to do.
    """

    def __init__(self, layout: Layout, habits: Habits) -> None:
        rules, t = layout.rules, layout.tables
        self.habits = habits
        self.players, self.kinds, self.claims = rules.players, len(t.kinds), len(t.claims)
        self.deck_size, self.copies, self.jokers = rules.deck_size, int(t.deck[0]), rules.jokers
        self.options = int(t.follows[0].sum())  # with more claims to choose from one must lie less often
        self._chances = Hypergeometric(2 * rules.deck_size + 16)
        # Nobody is expected to lie in a way that somebody is sure to know of.
        proof = chance_of_proof(rules)
        count = np.arange(min(rules.most_cards, rules.deck_size) + 1)
        column = np.minimum(count, proof.shape[1] - 1)
        held = np.clip(count - 1, 0, self.copies)
        self._lie = habits.lie * habits.bold ** np.maximum(count - 1, 0) * (1 - proof[self.copies, column])
        self._filler = habits.filler * (1 - proof[self.copies - held, column])
        self._filler[:2] = 0

    def __call__(self, see: Sight) -> NDArray[np.float64]:
        """(B,) the chance that the play on the table is a lie; 1 where own sight proves it."""
        h, rows = self.habits, see.rows
        count, who, sizes = see["claim_count"][0], see.claimant, see["hand_sizes"]
        unknown, marked, drawn, sure = self._unseen(see, count, who, sizes)
        held = np.stack([count, count - 1, np.zeros_like(count)]) - sure
        all_of_them, one_less, none = self._chances(held, unknown, marked, drawn)
        called = see["called"].reshape(self.players, 3, -1)
        record = (h.record + called[who, 0, rows]) / (h.record + called[who, 1, rows])
        false = none**self.options * self._lie[count] + one_less * self._filler[count]
        false *= np.where(count > 1, record, 1.0)  # who holds nothing must lie, whoever it is
        odds = all_of_them / (false + 1e-9)
        chance: NDArray[np.float64] = 1 / (1 + odds**h.shrink)
        return chance

    def _unseen(
        self, see: Sight, count: NDArray[np.int64], who: NDArray[np.intp], sizes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], ...]:
        """Cards not in sight, those of them that make the claim true, cards of the claimant's hand before the play that
        are among them, and cards that make the claim true known to be in that hand: four times (B,).

        The claim on the table is the relative rank 0. A joker makes any claim true.
        """
        h, rows = self.habits, see.rows
        hand, mine = see["hand"], see["mine_in_pile"]
        known = see["known"].reshape(self.players, self.kinds, -1)
        known_cards = known.sum(axis=1)
        mine_cards = mine.sum(axis=0)
        others_in_pile = see["pile_size"][0] - count - mine_cards
        unknown = self.deck_size - sizes[0] - mine_cards - known_cards.sum(axis=0)
        unknown -= np.rint(h.pile_known * others_in_pile).astype(np.int64)
        marked = self.copies - hand[0] - mine[0] - known[:, 0].sum(axis=0)
        sure = known[who, 0, rows]
        if "start_card" in see:
            unknown -= see.total("start_card")
            marked -= see.part("start_card", 0, 1)[0]
        if self.jokers:
            marked += self.jokers - hand[-1] - mine[-1] - known[:, -1].sum(axis=0)
            sure = sure + known[who, -1, rows]
        claimed = see["claimed_in_pile"].reshape(self.players, self.claims, -1)
        marked -= np.rint(h.told * (claimed[1:, 0].sum(axis=0) - count)).astype(np.int64)
        unknown = np.maximum(unknown, 0)
        marked = np.minimum(np.maximum(marked, 0), unknown)
        drawn = np.minimum(np.maximum(sizes[who, rows] + count - known_cards[who, rows], 0), unknown)
        return unknown, marked, drawn, sure
