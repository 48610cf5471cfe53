"""How agents play: counted while games are played, from what lies in the batch, hidden cards included.

Every statistic is a ratio Σx / Σn over deals: x of n plays were bluffs, x of n answers were calls, and so on. A bluff
is a play that is not truthful [C4]; the truth was possible where the hand held a card that makes a claim true which the
rules allowed there.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.statistics import SUMS, ratio_sums
from bluff_env import GameBatch, Rules, layout
from bluff_env.engine.state import ANSWER, EVENT_CALL, GIVE, PICK

#: Cards in a hand, by the lowest number of each group.
HANDS: Final = ("1", "2", "3–4", "5–8", "9–16", "17+")
_HAND_FROM: Final = np.array([1, 2, 3, 5, 9, 17])
#: Cards that the accused has left.
LEFT: Final = ("0", *HANDS)
#: Cards in the claim that is answered.
COUNTS: Final = ("1", "2", "3", "4", "5+")

#: What is counted: group -> the cells in it, which are told apart by these words.
GROUPS: Final = {
    "bluff": ("",),
    "bluff_by_truth": ("possible", "impossible"),
    "bluff_by_hand": HANDS,
    "bluff_by_hand_truth_possible": HANDS,
    "cards": ("truth", "bluff"),
    "caught": ("",),
    "doubted": ("",),
    "passes": ("",),
    "call": ("",),
    "call_by_count": COUNTS,
    "call_by_left": LEFT,
    "right": ("",),
    "right_by_count": COUNTS,
    "cut_off": ("",),
}
#: Groups whose ratios are means, not shares.
MEANS: Final = ("cards",)
#: Group -> its cells by number.
CELLS: Final = {
    name: range(start, start + len(words))
    for (name, words), start in zip(
        GROUPS.items(), np.cumsum([0, *map(len, GROUPS.values())])[:-1].tolist(), strict=True
    )
}
N_CELLS: Final = sum(map(len, GROUPS.values()))


class Watch:
    """Counts how agents play the games of some deals, all of them before the first interval is asked for.

    Args:
        rules: what is played.
        agents: how many agents are told apart.
        deal_of: (G,) the deal of each game, from 0.
        seating: (G, n) which agent sits at each seat.
    """

    def __init__(self, rules: Rules, agents: int, deal_of: NDArray[np.int64], seating: NDArray[np.int64]) -> None:
        t = layout(rules).tables
        actions = layout(rules).actions
        self._kinds = np.arange(len(t.kinds))
        self._matches = t.matches
        self._can_be_true = (t.follows.astype(np.int8) @ t.matches.astype(np.int8)) > 0  # (C + 1, K), by last claim
        self._call, self._decline = actions["call"].start, actions["decline"].start
        self._pass = actions["pass"].start if "pass" in actions else -1
        self._deal_of, self._seating = deal_of, seating
        self._counts = np.zeros((agents, int(deal_of.max()) + 1, N_CELLS, 2), np.int64)
        self._first = 0

    def begin(self, batch: GameBatch, first: int) -> None:
        """A batch begins, whose row 0 is game `first`."""
        self._first = first
        self._rule = batch.rule[0]

    def before(self, batch: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Looks at the rows in which a step is about to be made.

        Args:
            batch: the games.
            rows: (R,) those under way.
            actions: (R,) what is done in them.
        """
        g = batch.games
        phase = g["phase"][rows]
        self._picking = rows[phase == PICK]
        self._last = g["last"][self._picking]
        self._calling = rows[(phase == ANSWER) | (phase == GIVE)]  # a call is over when its penalty is paid [B7]
        if self._pass >= 0:
            passing = actions == self._pass
            self._add("passes", 0, rows[passing], g["player"][rows[passing]], True)
        answered = (phase == ANSWER) & ((actions == self._call) | (actions == self._decline))
        if answered.any():
            where, calls = rows[answered], actions[answered] == self._call
            self._answers(batch, where, calls)

    def after(self, batch: GameBatch) -> None:
        """Looks at what the step has brought about."""
        g = batch.games
        laid = g["phase"][self._picking] == ANSWER
        if laid.any():
            self._plays(batch, self._picking[laid], self._last[laid])
        rows = self._calling
        if rows.size:
            events = g["events"][rows]
            for slot in range(events.shape[1]):
                called = (events[:, slot, 0] == EVENT_CALL) & (slot < g["n_events"][rows])
                truthful, accused = events[called, slot, 3] != 0, events[called, slot, 2]
                for group, those in (("caught", ~truthful), ("doubted", truthful)):
                    self._x(group, 0, rows[called][those], accused[those])

    def end(self, batch: GameBatch) -> None:
        """All games of the batch are over."""
        rows, cut = np.arange(len(batch)), batch.cut_off
        games = self._seating[self._first + rows]
        for agent in range(len(self._counts)):
            sat = rows[(games == agent).any(axis=1)]
            deals = self._deal_of[self._first + sat]
            at = CELLS["cut_off"][0]
            np.add.at(self._counts[agent, :, at, 1], deals, 1)
            np.add.at(self._counts[agent, :, at, 0], deals, cut[sat])

    def sums(self) -> NDArray[np.int64]:
        """(agents, N_CELLS, SUMS) int64: the sums over deals."""
        by_cell = self._counts.transpose(0, 2, 3, 1)
        return ratio_sums(by_cell[:, :, 0], by_cell[:, :, 1])

    def _answers(self, batch: GameBatch, rows: NDArray[np.int64], calls: NDArray[np.bool_]) -> None:
        g = batch.games
        seat, accused = g["player"][rows], g["mover"][rows]
        lie = self._lies(batch, rows)
        left = g["sizes"][rows, accused] + g["laps"][rows, accused]  # as others see it [D2]
        by_count = np.minimum(g["count"][rows], len(COUNTS)) - 1
        self._add("call", 0, rows, seat, calls)
        self._add("call_by_count", by_count, rows, seat, calls)
        self._add("call_by_left", np.where(left > 0, _group(left) + 1, 0), rows, seat, calls)
        self._add("right", 0, rows[calls], seat[calls], lie[calls])
        self._add("right_by_count", by_count[calls], rows[calls], seat[calls], lie[calls])

    def _plays(self, batch: GameBatch, rows: NDArray[np.int64], last: NDArray[np.int32]) -> None:
        g, rule = batch.games, self._rule
        seat, count = g["mover"][rows], g["count"][rows]
        lie = self._lies(batch, rows)
        hand = batch.cards[rows[:, None], (rule["c_hands"] + seat * rule["stride"])[:, None] + self._kinds]
        hand = hand + batch.cards[rows[:, None], rule["c_last"] + self._kinds]
        able = ((hand > 0) & self._can_be_true[last]).any(axis=1)
        by_hand = _group(g["sizes"][rows, seat] + count)
        self._add("bluff", 0, rows, seat, lie)
        self._add("bluff_by_truth", np.where(able, 0, 1), rows, seat, lie)
        self._add("bluff_by_hand", by_hand, rows, seat, lie)
        self._add("bluff_by_hand_truth_possible", by_hand[able], rows[able], seat[able], lie[able])
        self._add("cards", lie.astype(np.int64), rows, seat, count)
        self._n("caught", 0, rows[lie], seat[lie])
        self._n("doubted", 0, rows[~lie], seat[~lie])
        self._add("passes", 0, rows, seat, False)

    def _lies(self, batch: GameBatch, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(R,) bool: is the play on the table a bluff?"""
        laid = batch.cards[rows[:, None], self._rule["c_last"] + self._kinds] > 0
        lies: NDArray[np.bool_] = (laid & ~self._matches[batch.games["claim"][rows]]).any(axis=1)
        return lies

    def _add(self, group: str, cell: Any, rows: NDArray[np.int64], seat: NDArray[np.int32], x: Any) -> None:
        """One more of n in each of the rows, and x more of x, for who sits at the seats."""
        self._n(group, cell, rows, seat)
        self._x(group, cell, rows, seat, x)

    def _n(self, group: str, cell: Any, rows: NDArray[np.int64], seat: NDArray[np.int32]) -> None:
        np.add.at(self._counts, (*self._where(group, cell, rows, seat), 1), 1)

    def _x(self, group: str, cell: Any, rows: NDArray[np.int64], seat: NDArray[np.int32], x: Any = 1) -> None:
        np.add.at(self._counts, (*self._where(group, cell, rows, seat), 0), x)

    def _where(self, group: str, cell: Any, rows: NDArray[np.int64], seat: NDArray[np.int32]) -> tuple[Any, Any, Any]:
        games = self._first + rows
        return self._seating[games, seat], self._deal_of[games], CELLS[group].start + cell


def no_sums(agents: int) -> NDArray[np.int64]:
    """The sums of no deals."""
    return np.zeros((agents, N_CELLS, SUMS), np.int64)


def _group(hand: NDArray[np.int32]) -> NDArray[np.int64]:
    """The group of `HANDS` that each number of cards belongs to."""
    return np.searchsorted(_HAND_FROM, hand, side="right") - 1
