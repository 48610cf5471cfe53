"""The moves open to a person, in an order worth reading: answers, then what is true, then bluffs, small ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from bluff_agents.play.words import move_words
from bluff_env import Game, Move
from bluff_env.cards import claim_of
from bluff_env.ruleset import Tables

#: No more moves are listed; any other may still be typed. A large hand has millions.
LISTED: Final = 200


def offered(game: Game, most: int = LISTED) -> list[Move]:
    """Up to `most` legal moves of the seat to move; empty when the game is over."""
    seat = game.turn
    if seat is None:
        return []
    view, t = game.view(seat), game.layout.tables
    if game.deciding == "give":
        owed = int(game.batch.games["owed"][0])
        gifts = (Move("give", cards=cards) for cards in _choices(t, view.hand, owed))
        return list(islice(gifts, most))
    if game.deciding != "play":
        return list(islice(game.legal_moves, most))
    least_simple = [move for move in _simple(game, view.hand) if move in game.legal_moves]
    limit = game.rules.most_cards
    plays = _plays(t, view.to_claim, view.hand, min(limit, len(view.hand)))
    drops = [move for move in least_simple if move.kind == "drop"]
    others = [move for move in least_simple if move.kind != "drop"]
    room = max(0, most - len(least_simple))
    return (others + list(islice(plays, room)) + drops)[:most]


def offer(game: Game, moves: Sequence[Move]) -> list[dict[str, Any]]:
    """The moves as plain data: `id` (its place), `text` (the notation), `kind`, `claim`, `cards`, `true`, `words`."""
    t, accused = game.layout.tables, _accused(game)
    rows = []
    for number, move in enumerate(moves):
        true = is_true(t, move)
        rows.append(
            {
                "id": number,
                "text": str(move),
                "kind": move.kind,
                "claim": move.claim,
                "cards": list(move.cards),
                "true": true,
                "words": move_words(move, true, accused),
            }
        )
    return rows


def is_true(t: Tables, move: Move) -> bool | None:
    """Is a play what it is said to be? None for other moves."""
    if move.kind != "play":
        return None
    matches = t.matches[claim_of(t, move.claim)]
    return all(bool(matches[t.kinds.index(card)]) for card in move.cards)


def _accused(game: Game) -> str:
    seat = game.turn
    view = None if seat is None else game.view(seat)
    return "the play" if view is None or view.claimant is None else f"seat {view.claimant}’s play"


def _simple(game: Game, hand: Sequence[str]) -> Iterator[Move]:
    yield Move("pass")
    for card in dict.fromkeys(hand):
        yield Move("drop", cards=(card,))


def _plays(t: Tables, claims: Sequence[str], hand: Sequence[str], most: int) -> Iterator[Move]:
    """True plays by size, then bluffs by size."""
    for true in (True, False):
        for count in range(1, most + 1):
            for claim in claims:
                for cards in _choices(t, hand, count) if not true else _choices(t, _matching(t, claim, hand), count):
                    move = Move("play", claim, cards)
                    if true or not is_true(t, move):
                        yield move


def _matching(t: Tables, claim: str, hand: Sequence[str]) -> list[str]:
    matches = t.matches[claim_of(t, claim)]
    return [card for card in hand if matches[t.kinds.index(card)]]


def _choices(t: Tables, hand: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    """Every way to take `count` cards of a hand, equal cards not told apart; each in the order of the kinds."""
    held = Counter(hand)
    kinds = [kind for kind in t.kinds if held[kind]]

    def take(at: int, left: int) -> Iterator[tuple[str, ...]]:
        if left == 0:
            yield ()
            return
        if at == len(kinds) or sum(held[kind] for kind in kinds[at:]) < left:
            return
        for some in range(min(held[kinds[at]], left), -1, -1):
            for rest in take(at + 1, left - some):
                yield (kinds[at],) * some + rest

    yield from take(0, count)
