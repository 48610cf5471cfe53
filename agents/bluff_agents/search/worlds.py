"""Worlds: games that could stand behind one observation, the hidden cards drawn.

The observer is seat 0, as observations count seats from it on. What it holds, has laid and is certain of, all sizes,
claims and calls are as observed; the other cards are drawn, each claim of a card in the pile being true as likely as
not where a fitting card is left. Nobody else has dropped a card out of sight, and others are certain of nothing. Who
passed and what was claimed before the piece `recent` is not known, and does not matter for what is legal now: only
games in which exactly the given actions are legal are worlds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_env import GameBatch, Layout, Rules
from bluff_env.engine.batch import Snapshot
from bluff_env.engine.state import ANSWER, CLAIM, PICK
from bluff_env.layout import TURNS_SCALE

#: Decisions in which worlds are drawn.
SEARCHED = {"claim": CLAIM, "pick": PICK, "answer": ANSWER}


class Worlds:
    """Draws worlds of given rules.

    Args:
        rules, layout: what is played.
        count: how many worlds there are at a time.
    """

    def __init__(self, rules: Rules, layout: Layout, count: int) -> None:
        self.rules, self.layout = rules, layout
        self.claims, self.kinds = len(layout.tables.claims), len(layout.tables.kinds)
        self.batch = GameBatch(rules, seeds=np.arange(count), restart=False)
        self._rule = self.batch.rule[0]
        self._block = layout.tables.block

    def draw(
        self, observation: NDArray[np.int8], mask: NDArray[np.bool_], random: np.random.Generator
    ) -> GameBatch | None:
        """Games that an observation allows, in the one batch that is used over and over.

        Args:
            observation: (D,) int8, of a seat that is to move.
            mask: (A,) bool, its legal actions.
            random: draws everything.

        Returns:
            The batch; None where what it decides is not searched, or no such game is found.
        """
        piece = {name: observation[where].astype(np.int64) for name, where in self.layout.pieces.items()}
        decides = self.layout.phases[int(piece["phase"].argmax())]
        if decides not in SEARCHED or not piece["phase"].any():
            return None
        front = self._front(piece)
        for last in self._lasts(piece, front):
            self._fill(piece, SEARCHED[decides], front, last, random, self._accuses(mask))
            if (self.batch.mask == mask).all():
                return self.batch
        return None

    def _accuses(self, mask: NDArray[np.bool_]) -> bool:
        """May it accuse somebody of a drop? Once in a window. [D3]"""
        return "accuse" not in self.layout.actions or bool(mask[self.layout.actions["accuse"]].any())

    def _front(self, piece: dict[str, NDArray[np.int64]]) -> int:
        fronts = len(piece["origin"])
        return int((fronts - piece["origin"].argmax()) % fronts)

    def _absolute(self, counts: NDArray[np.int64], front: int) -> NDArray[np.int64]:
        """(…, K or C) counts in the relative order, by kind."""
        turned = np.roll(counts[..., : self.claims], front * self._block, axis=-1)
        return np.concatenate([turned, counts[..., self.claims :]], axis=-1)

    def _lasts(self, piece: dict[str, NDArray[np.int64]], front: int) -> list[int]:
        """What may be the claim to follow: the one on the table, the last one claimed, a start card, or none."""
        if piece["claimant"].any():
            return [int(self._absolute(piece["claim"], front).argmax())]
        found = []
        latest = self._recent(piece, front)[0]
        if latest is not None and latest[1] is not None:
            found.append(latest[1])
        if "start_card" in piece and piece["start_card"].any():
            start = int(self._absolute(piece["start_card"], front).argmax())
            if start < self.claims:
                found.append(start)
        if not self.rules.suited:
            found.append(front)
        return [*found, self.claims]

    def _recent(
        self, piece: dict[str, NDArray[np.int64]], front: int
    ) -> list[tuple[int, int | None, int, int, int] | None]:
        """The last plays, the latest first: seat, claim (None where it is not told), count, called a bluff, true."""
        r = self.rules
        told: list[tuple[int, int | None, int, int, int] | None] = []
        width, counted = self.layout.recent_width, int(r.most_cards > 1)
        for row in piece["recent"].reshape(-1, width):
            seat, claim, rest = row[: r.players], row[r.players : width - counted - 2], row[width - counted - 2 :]
            if not seat.any():
                told.append(None)
                continue
            what: int | None = None
            if len(claim):
                rank = int(claim[: r.ranks].argmax())
                if r.suited:
                    what = (int(claim[r.ranks :].argmax()) + front) % r.suits * r.ranks + rank
                else:
                    what = (rank + front) % r.ranks
            count = int(rest[0]) if counted else 1
            told.append((int(seat.argmax()), what, count, int(rest[-2]), int(rest[-1])))
        return told

    def _fill(
        self, piece: dict[str, NDArray[np.int64]], phase: int, front: int, last: int, random: np.random.Generator,
        accuses: bool,
    ) -> None:  # fmt: skip
        """Writes the games."""
        n, batch = self.rules.players, self.batch
        count = len(batch)
        games, cards = np.zeros(count, batch.games.dtype), np.zeros_like(batch.cards)
        claim = int(self._absolute(piece["claim"], front).argmax()) if piece["claim"].any() else -1
        picked = self._absolute(piece["picked"], front)
        answering = phase == ANSWER
        mover = int(piece["claimant"].argmax()) if answering else 0
        games["phase"], games["player"], games["mover"], games["last_player"] = phase, 0, mover, mover
        games["dealer"] = games["first_dealer"] = n - 1
        games["opener"] = games["first_opener"] = 0
        games["front"], games["shift"] = front, front * self._block
        games["last"], games["claim"] = last, claim
        games["count"] = int(piece["claim_count"][0]) if answering else int(picked.sum())
        if phase == PICK and picked.any():
            order = np.where(np.arange(self.kinds) < self.claims, (np.arange(self.kinds) - claim) % self.claims,
                             np.arange(self.kinds))  # fmt: skip
            games["position"] = int(order[picked > 0].max())
        share = int(piece["turns"][0])
        games["share"] = share
        games["turns"] = min(-(-share * self.rules.max_turns // TURNS_SCALE), self.rules.max_turns - (not answering))
        games["winner"] = games["start"] = games["dropped"] = games["caller"] = games["wrong"] = games["right"] = -1
        games["may_accuse"] = accuses
        games["layer"] = mover if answering else -1
        if "passes" in piece:
            games["passes"] = int(piece["passes"][0])
        if "scores" in piece:
            games["scores"][:, :n] = piece["scores"]
        games["rng"] = random.integers(0, 2**63, count, dtype=np.uint64)
        games["next_seed"] = random.integers(0, 2**53, count)
        self._recall(piece, front, games, cards)
        self._hand_out(piece, front, games, cards, picked, claim, random)
        log = np.zeros((count, 0), np.uint8)
        batch.restore(Snapshot(self.rules, games, cards, log, batch.observation.copy(), batch.mask.copy()))
        batch.refresh()

    def _region(self, cards: NDArray[np.int8], name: str, seat: int, size: int) -> NDArray[np.int8]:
        at = int(self._rule[f"c_{name}"]) + seat * int(self._rule["stride"])
        return cards[:, at : at + size]

    def _recall(
        self, piece: dict[str, NDArray[np.int64]], front: int, games: NDArray[Any], cards: NDArray[np.int8]
    ) -> None:
        """The pieces `called`, `claimed_in_pile` and `recent`."""
        n, rule, r = self.rules.players, self._rule, self.rules
        at = int(rule["c_called"])
        cards[:, at : at + 3 * n] = piece["called"]
        claimed = self._claimed_by(piece, front)
        games["many_claimed"] = (claimed > int(rule["copies"])).any()
        for seat in range(n):
            self._region(cards, "claimed", seat, self.claims)[:] = claimed[seat]
        begin, stride, outcome = int(rule["c_recent"]), int(rule["recent_stride"]), int(rule["recent_outcome"])
        for back, play in enumerate(self._recent(piece, front)):
            if play is None:
                continue
            seat, what, count, bluff, true = play
            row = begin + back * stride
            cards[:, row + seat] = cards[:, row + n + seat] = 1
            if what is not None and r.suited:
                suit, rank = divmod(what, r.ranks)
                ranks = row + 2 * n
                cards[:, ranks + rank] = cards[:, ranks + r.ranks + suit] = 1
                cards[:, ranks + r.ranks + r.suits + suit] = 1
            elif what is not None:
                cards[:, row + 2 * n + what] = cards[:, row + 2 * n + r.ranks + what] = 1
            cards[:, row + outcome] = min(count, 127)
            cards[:, row + outcome + 1], cards[:, row + outcome + 2] = bluff, true
        games["head"] = 0

    def _claimed_by(self, piece: dict[str, NDArray[np.int64]], front: int) -> NDArray[np.int64]:
        """(n, C): cards each seat has claimed into the pile. What the piece, which saturates, leaves out is told by the
        size of the pile.
        """
        n = self.rules.players
        claimed = self._absolute(piece["claimed_in_pile"].reshape(n, self.claims), front)
        start = "start_card" in piece and piece["start_card"].any()
        others = int(piece["pile_size"][0] - piece["mine_in_pile"].sum() - start)
        full = np.argwhere(claimed[1:] == int(self._rule["copies"]))
        if len(full):
            claimed[full[0, 0] + 1, full[0, 1]] += max(others - int(claimed[1:].sum()), 0)
        return claimed

    def _hand_out(
        self, piece: dict[str, NDArray[np.int64]], front: int, games: NDArray[Any], cards: NDArray[np.int8],
        picked: NDArray[np.int64], claim: int, random: np.random.Generator,
    ) -> None:  # fmt: skip
        """Own cards as they are, the others drawn."""
        n, kinds = self.rules.players, self.kinds
        hand, mine = (self._absolute(piece[name], front) for name in ("hand", "mine_in_pile"))
        known = self._absolute(piece["known"].reshape(n, kinds), front)
        sizes = piece["hand_sizes"].copy()
        sizes[0] = hand.sum()  # what is picked is still in the hand
        table = piece["claimant"].any()
        mover, count = int(piece["claimant"].argmax()), int(piece["claim_count"][0])
        start = -1
        if "start_card" in piece and piece["start_card"].any():
            start = int(self._absolute(piece["start_card"], front).argmax())
            games["start"], games["start_lies"] = start, 1
        pool = self.layout.tables.deck.astype(np.int64) - hand - mine - known[1:].sum(axis=0)
        pool[start] -= start >= 0
        pool = np.maximum(pool, 0)
        claimed = self._claimed_by(piece, front)
        stock = int(piece["stock_size"][0]) if "stock_size" in piece else 0
        stock_at = int(self._rule["c_stock"])
        for row in range(len(games)):
            left = pool.copy()
            self._region(cards, "hands", 0, kinds)[row] = hand
            self._region(cards, "picked", 0, kinds)[row] = picked
            self._region(cards, "laid", 0, kinds)[row] = mine
            played = np.zeros(kinds, np.int64)
            for seat in range(1, n):
                laid = np.zeros(kinds, np.int64)
                for what in np.flatnonzero(claimed[seat]):
                    some = self._claimed(left, int(what), int(claimed[seat, what]), random)
                    laid += some
                    if table and seat == mover and what == claim:  # the latest of them, as good as any
                        played = _some_of(some, count, random)
                self._region(cards, "laid", seat, kinds)[row] = laid
            if table and mover > 0:
                self._region(cards, "last", 0, kinds)[row] = played
            order = random.permutation(np.repeat(np.arange(kinds), left)).tolist()
            for seat in range(1, n):
                drawn = max(int(sizes[seat] - known[seat].sum()), 0)
                some, order = order[:drawn], order[drawn:]
                self._region(cards, "hands", seat, kinds)[row] = known[seat] + np.bincount(some, minlength=kinds)
            cards[row, stock_at : stock_at + min(stock, len(order))] = order[:stock]
        for seat in range(1, n):
            self._region(cards, "known", seat * n, kinds)[:] = known[seat] + (known[seat] > 0) * (
                count if table and seat == mover else 0
            )
        hands = np.stack([self._region(cards, "hands", seat, kinds).sum(axis=1) for seat in range(n)], axis=1)
        games["sizes"][:, :n] = hands
        games["laps"][:, 0] = int(piece["hand_sizes"][0] - hand.sum())  # its own drops, which others still count [D2]
        if "notices" in piece:
            at = int(self._rule["c_notices"])
            cards[:, at : at + n] = piece["notices"]
        games["stock"] = stock
        games["pile"] = sum(self._region(cards, "laid", seat, kinds).sum(axis=1, dtype=np.int64) for seat in range(n))
        games["pile"] += start >= 0

    def _claimed(
        self, left: NDArray[np.int64], claim: int, count: int, random: np.random.Generator
    ) -> NDArray[np.int64]:
        """Cards that were claimed to be something: each is it as likely as not, else anything that is left."""
        some = np.zeros(self.kinds, np.int64)
        for _ in range(count):
            if left.sum() == 0:
                break
            kind = claim
            if left[claim] == 0 or random.random() < 0.5:
                kind = int(np.searchsorted(left.cumsum(), random.integers(left.sum()), side="right"))
            left[kind] -= 1
            some[kind] += 1
        return some


def _some_of(cards: NDArray[np.int64], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """So many of some cards, drawn."""
    drawn = random.permutation(np.repeat(np.arange(len(cards)), cards))[:count]
    found: NDArray[np.int64] = np.bincount(drawn, minlength=len(cards))
    return found
