"""What a call costs: the cards that the wrong party takes, and those that the right party gets rid of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.sight import Sight
from bluff_env import Layout

#: What an empty stock stands for under `whole_stock` [B7].
_INSTEAD = 3


class Stakes:
    """The penalty under the rules, for whichever party it falls on. [C4] [B6] [B7]"""

    def __init__(self, layout: Layout) -> None:
        rules = layout.rules
        self.pile = rules.penalty == "pile"
        self.whole = rules.penalty == "whole_stock"
        self.cards = 0 if self.pile or self.whole else int(rules.penalty.removeprefix("stock_"))
        self.from_opponent = rules.empty_stock == "from_opponent"

    def __call__(self, see: Sight, right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(B,) cards the wrong party takes, and (B,) those of them that come from the right party's hand of `right`
        cards.
        """
        pile = see["pile_size"][0]
        if self.pile:
            return pile, np.zeros_like(pile)
        stock = see["stock_size"][0]
        owed = np.where(stock > 0, stock, _INSTEAD) if self.whole else np.full_like(stock, self.cards)
        drawn = np.minimum(owed, stock)
        if not self.from_opponent:
            return drawn, np.zeros_like(drawn)
        given = np.minimum(owed - drawn, right)
        return drawn + given, given
