"""Random moves of a Game at every kind of decision, without listing the legal ones, of which there may be millions."""

from __future__ import annotations

import random
from typing import Any

from bluff_env import Game, Move
from bluff_env.cards import kind_of
from referee_records import _replay_deal


def random_move(game: Game, rng: random.Random, most: int = 3) -> Move:
    """A legal move of the seat to move; at most so many cards in a play, about every third one truthful."""
    view, t = game.view(game.turn or 0), game.layout.tables
    if view.deciding == "vote":
        return Move(rng.choice(("keep", "another")))
    if view.deciding == "answer":
        accusations = [move for move in game.legal_moves if move.kind == "accuse"]
        if accusations and rng.random() < 0.15:
            return rng.choice(accusations)
        return Move("call" if rng.random() < 0.9 / game.rules.players else "decline")
    if view.deciding == "give":
        owed = int(game.batch.games["owed"][0])
        return Move("give", cards=tuple(sorted(rng.sample(view.hand, owed), key=lambda card: kind_of(t, card))))
    if Move("pass") in game.legal_moves and rng.random() < 0.35:
        return Move("pass")
    drop = Move("drop", cards=(rng.choice(view.hand),))
    if drop in game.legal_moves and rng.random() < 0.25:
        return drop
    true = [claim for claim in view.to_claim if claim in view.hand]
    if true and rng.random() < 0.3:
        return Move("play", true[0], (true[0],))
    count = rng.randint(1, min(most, game.rules.most_cards, len(view.hand)))
    cards = sorted(rng.sample(view.hand, count), key=lambda card: kind_of(t, card))
    return Move("play", rng.choice(view.to_claim), tuple(cards))


def as_the_referee_says_it(move: Move) -> tuple[Any, ...]:
    """The same move as tests/referee_table.py writes it."""
    match move.kind:
        case "play":
            return ("play", move.claim, move.cards)
        case "keep" | "another":
            return ("vote", move.kind == "another")
        case "drop":
            return ("drop", move.cards[0])
        case "give":
            return ("give", move.cards)
        case "accuse":
            return ("accuse", move.seat)
        case _:
            return (move.kind,)


class Refereed:
    """A game with a plain referee's table beside it, which stands where the game stands.

    The table is told every move; where chance has decided something, it is laid out anew from the game's record.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lay_out()

    def _lay_out(self) -> None:
        deal = self.game.record()["deals"][-1]
        self.table, _ = _replay_deal(self.game.rules.to_dict(), 0, deal)
        self._told = self._events()

    def _events(self) -> tuple[int, int, bool]:
        deals = self.game.record()["deals"]
        return len(deals), len(deals[-1]["events"]), self.game.over

    def push(self, move: Move) -> None:
        """Plays a move in both."""
        self.game.push(move)
        if self._events() != self._told:
            self._lay_out()
            return
        self.table.push(as_the_referee_says_it(move))
        if self.table.phase == "notice":  # decided with the play, which is laid out anew
            self.table.push(("notice", ()))
