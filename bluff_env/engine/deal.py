"""[C1] [B1] The deal: dealer, opener, shuffle, the cards one at a time from the dealer's left; later deals [M1]."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.chance import chance
from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import zeroed
from bluff_env.engine.rng import below
from bluff_env.engine.rng import start as seed_game
from bluff_env.engine.start import turn_start_card
from bluff_env.engine.state import ASKED_DECK, ASKED_OPENER
from bluff_env.engine.turn import begin_turn
from bluff_env.engine.words import left_of


@jit
def deal(rule: Any, game: Any, cards: Any, seed: int) -> None:
    """A new game in this row, all of it from the seed. [C1]"""
    seed_game(game, seed)
    game.seed = seed
    game.given_deal = 0
    game.dealer = below(game, rule.seats)
    game.opener = opener(rule, game)
    shuffle(rule, game, cards)
    begin_game(rule, game, cards)


@jit
def shuffle(rule: Any, game: Any, cards: Any) -> None:
    """A uniformly drawn order of the deck (Fisher and Yates). [C1]"""
    at = rule.c_deck
    for kind in range(rule.kinds):
        for _ in range(rule.deck[kind]):
            cards[at] = kind
            at += 1
    for i in range(rule.deck_size - 1, 0, -1):
        j = below(game, i + 1)
        a, b = rule.c_deck + i, rule.c_deck + j
        cards[a], cards[b] = cards[b], cards[a]


@jit
def opener(rule: Any, game: Any) -> Any:
    """Who opens the deal: `first_player`. [C1]"""
    if rule.first_random:
        return below(game, rule.seats)
    return (game.dealer + 1) % rule.seats


@jit
def begin_game(rule: Any, game: Any, cards: Any) -> None:
    """Starts a game whose dealer, opener and deck order are set."""
    if rule.target > 0:
        for i in range(rule.deck_size):
            cards[rule.c_first + i] = cards[rule.c_deck + i]  # what a record of the match begins with
        game.first_dealer = game.dealer
        game.first_opener = game.opener
    for seat in range(rule.seats):
        game.scores[seat] = 0
    zeroed(cards, rule.c_called, rule.c_called + 3 * rule.seats)
    game.steps = game.logged = game.log_begin = game.forced = game.n_events = 0
    game.last_player = game.caller = game.wrong = game.right = -1
    game.cut_off = game.truthful = game.taken = game.drawn = game.given = 0
    lay_out(rule, game, cards)


@jit
def next_deal(rule: Any, game: Any, cards: Any, log: Any) -> None:
    """[M1] hands are dealt anew, with the dealer one seat to the left. The deck's order is chance like any other."""
    game.dealer = left_of(rule, game.dealer)
    game.opener = chance(game, log, rule.seats, ASKED_OPENER) if rule.first_random else left_of(rule, game.dealer)
    if game.forced > 0:
        game.forced -= rule.deck_size
        for i in range(rule.deck_size):
            cards[rule.c_deck + i] = log[game.logged + i]
    else:
        if game.asked == 0:
            game.asked = ASKED_DECK
        shuffle(rule, game, cards)
        for i in range(rule.deck_size):
            log[game.logged + i] = cards[rule.c_deck + i]
    game.logged += rule.deck_size
    lay_out(rule, game, cards)


@jit
def lay_out(rule: Any, game: Any, cards: Any) -> None:
    """Hands out the cards in the order of the deck and asks the first seat that has something to decide. [C1] [B1]"""
    zeroed(cards, 0, rule.c_called)  # all that belongs to a deal; `called` outlasts it in a match
    n = rule.seats
    dealt = rule.deck_size if rule.hand_size < 0 else rule.hand_size * n
    for seat in range(n):
        game.sizes[seat] = 0
        game.laps[seat] = 0
    seat = game.dealer
    for i in range(dealt):
        seat = left_of(rule, seat)
        cards[rule.c_hands + seat * rule.stride + cards[rule.c_deck + i]] += 1
        game.sizes[seat] += 1
    game.stock = rule.deck_size - dealt
    game.top = 0
    for i in range(game.stock):
        cards[rule.c_stock + i] = cards[rule.c_deck + dealt + i]
    game.turns = game.share = game.pile = game.count = game.picked = game.position = game.head = 0
    game.passes = game.redraws = game.callers = game.start_lies = game.owed = game.many_claimed = 0
    game.winner = game.layer = game.start = -1
    game.may_accuse = 1
    game.claim = game.dropped = -1
    game.last = rule.claims  # leading [C7]
    game.front = rule.first_front
    game.shift = game.front * rule.block
    if rule.start_card:
        turn_start_card(rule, game, cards)
    else:
        begin_turn(rule, game, cards, game.opener)
