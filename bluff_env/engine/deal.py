"""[C1] The deal: dealer and opener, the shuffle, the cards one at a time from the dealer's left."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import zeroed
from bluff_env.engine.rng import below
from bluff_env.engine.rng import start as seed_game
from bluff_env.engine.state import EVENT_NONE
from bluff_env.engine.turn import begin_turn


@jit
def deal(rule: Any, game: Any, cards: Any, seed: int) -> None:
    """A new game in this row, all of it from the seed. [C1]"""
    seed_game(game, seed)
    game.seed = seed
    game.given = 0
    game.dealer = below(game, rule.seats)
    game.opener = opener(rule, game)
    at = rule.c_deck
    for kind in range(rule.kinds):
        for _ in range(rule.deck[kind]):
            cards[at] = kind
            at += 1
    for i in range(rule.deck_size - 1, 0, -1):  # Fisher-Yates
        j = below(game, i + 1)
        a, b = rule.c_deck + i, rule.c_deck + j
        cards[a], cards[b] = cards[b], cards[a]
    lay_out(rule, game, cards)


@jit
def opener(rule: Any, game: Any) -> Any:
    """Who opens the deal: `first_player`. [C1]"""
    if rule.first_random:
        return below(game, rule.seats)
    return (game.dealer + 1) % rule.seats


@jit
def lay_out(rule: Any, game: Any, cards: Any) -> None:
    """Starts a deal whose dealer, opener and deck order are set: hands out the cards and asks the opener. [C1]"""
    zeroed(cards, 0, rule.c_deck)
    n = rule.seats
    dealt = rule.deck_size if rule.hand_size < 0 else rule.hand_size * n
    for seat in range(n):
        game.sizes[seat] = 0
    for i in range(dealt):
        seat = (game.dealer + 1 + i) % n
        cards[rule.c_hands + seat * rule.kinds + cards[rule.c_deck + i]] += 1
        game.sizes[seat] += 1
    for i in range(rule.history):
        cards[rule.c_recent + 4 * i] = -1
    game.steps = game.turns = game.share = game.pile = game.count = game.position = game.head = 0
    game.winner = game.last_player = game.caller = game.wrong = -1
    game.cut_off = game.truthful = game.taken = 0
    game.event = EVENT_NONE
    game.claim = -1
    game.last = rule.claims  # leading [C7]
    game.shift = (rule.claims - 1) if rule.block == 1 else 0
    begin_turn(rule, game, game.opener)
