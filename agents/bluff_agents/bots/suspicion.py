"""Dropp: whom to accuse, and when a drop pays. [D1] to [D4]"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.sight import Sight
from bluff_env import Layout
from bluff_env.layout import NOTICE_CAP


class Suspicion:
    """Notices of a drop. Each is acted on once: in the first window after the turn it came from.

    Args:
        layout: of the rules.
        drops: share of turns in which people are believed to drop a card.

    Attributes:
        guilt: the chance that a notice is none of the false alarms.
        noticed: the chance that at least one seat notices a drop.
        penalty: cards that an accusation costs whoever loses it.
    """

    def __init__(self, layout: Layout, drops: float = 0.2) -> None:
        rules = layout.rules
        self.players = rules.players
        self.layout = layout
        self.guilt = self.noticed = 0.0
        self.penalty = 0
        if rules.dropp is not None:
            real, false = drops * rules.dropp.notice, (1 - drops) * rules.dropp.false_notice
            self.guilt = real / (real + false) if real > 0 else 0.0
            self.noticed = 1 - (1 - rules.dropp.notice) ** (rules.players - 1)
            self.penalty = rules.dropp.penalty

    def suspect(self, see: Sight) -> NDArray[np.int64]:
        """(B,) the seat, counted from the observer, of which a notice has come since the last window; 0 for none.

        A drop before a pass is noticed when nobody is asked anything, so notices of the passes before the play count.
        """
        n, notices = self.players, see["notices"]
        since = see.passes_before_the_play()
        back = (see.claimant - np.arange(n)[:, None]) % n  # turns from a seat's last one to the play on the table
        # after a whole round of passes the claimant's own pass is that many turns back
        fresh = (notices == NOTICE_CAP - back) & (back <= since)
        fresh[0] = False
        found: NDArray[np.int64] = fresh.argmax(axis=0)
        return found

    def drop_pays(self, see: Sight) -> NDArray[np.bool_]:
        """(B,) is one card less worth more than the penalty, as far as the stock can pay it, times being noticed?"""
        pays: NDArray[np.bool_] = self.noticed * np.minimum(self.penalty, see["stock_size"][0]) < 1
        return pays
