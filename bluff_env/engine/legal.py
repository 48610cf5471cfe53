"""Which actions are legal: a bit each in the game's row (`GAME.legal`), spread into the mask that agents see.

Bits make the usual questions cheap: is this action legal, how many are, which is the k-th.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bluff_env.engine.bits import contains, low_bits, ones, place_of, turned
from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.copying import above, spread
from bluff_env.engine.rng import noise_of
from bluff_env.engine.state import ANSWER, CLAIM, DROP, GIVE, LEGAL_WORDS, PICK, VOTE
from bluff_env.engine.turn import may_pass
from bluff_env.engine.words import order, relative_kind

_WORD: Final = 64
_ONE: Final = np.uint64(1)


@jit
def find_legal(rule: Any, game: Any, cards: Any) -> None:
    """The legal actions of the seat to move; none when the game is over."""
    for word in range(LEGAL_WORDS):
        game.legal[word] = 0
    phase = game.phase
    if phase == ANSWER:
        allow(game, rule.a_decline)
        allow(game, rule.a_call)
        if rule.a_accuse >= 0 and game.may_accuse:
            allow_all(game, rule.a_accuse, low_bits(rule.seats - 1))  # [D3]
    elif phase == PICK:
        allow_all(game, rule.a_card, cards_to_pick(rule, game, cards))
        if rule.a_lay >= 0 and game.count > 0:
            allow(game, rule.a_lay)
        # where the claim is chosen, the pass was offered with it
        if rule.a_pass >= 0 and rule.follow_count[game.last] == 1 and may_pass(rule, game):
            allow(game, rule.a_pass)
    elif phase == CLAIM:
        allow_all(game, rule.a_claim, turned(rule.follow_bits[game.last], game.shift, rule.claims))
        if rule.a_pass >= 0 and may_pass(rule, game):
            allow(game, rule.a_pass)
    elif phase == DROP:
        allow(game, rule.a_drop_none)
        if game.sizes[game.player] > 1:  # never the last card [D1]
            allow_all(game, rule.a_drop, cards_in_hand(rule, game, cards))
    elif phase == VOTE:
        allow(game, rule.a_decline)
        allow(game, rule.a_call)
    elif phase == GIVE:
        allow_gifts(rule, game, cards)


@inlined
def cards_in_hand(rule: Any, game: Any, cards: Any) -> Any:
    """A bit for every relative kind of which the seat to move holds a card that it has not picked; jokers last."""
    held = above(cards, rule.c_hands + game.player * rule.stride, rule.c_picked, rule.stride)
    return turned(held & low_bits(rule.claims), game.shift, rule.claims) | (held & ~low_bits(rule.claims))


@inlined
def cards_to_pick(rule: Any, game: Any, cards: Any) -> Any:
    """Of those, none that goes back in the order that starts at the claim, so that a set of cards has exactly one
    series of picks.
    """
    first = relative_kind(rule, game, game.claim)
    gone = low_bits(game.position)
    gone = ((gone << np.uint64(first)) | (gone >> np.uint64(rule.claims - first))) & low_bits(rule.claims)
    return cards_in_hand(rule, game, cards) & ~gone


@jit
def allow_gifts(rule: Any, game: Any, cards: Any) -> None:
    """Picks as for a play, but exactly so many: a card is open only if enough others stand from it on. [B7]"""
    hand = rule.c_hands + game.player * rule.stride
    owed = game.owed - game.picked
    left = 0
    for k in range(rule.kinds):
        if order(rule, game.claim, k) >= game.position:
            left += cards[hand + k] - cards[rule.c_picked + k]
    for place in range(game.position, rule.kinds):
        kind = place
        if place < rule.claims:
            kind = game.claim + place
            kind = kind - rule.claims if kind >= rule.claims else kind
        here = cards[hand + kind] - cards[rule.c_picked + kind]
        if here > 0 and left >= owed:
            allow(game, rule.a_card + relative_kind(rule, game, kind))
        left -= here


@inlined
def write_mask(rule: Any, game: Any, out: Any) -> None:
    """(A,) bool: the legal actions."""
    for word in range(LEGAL_WORDS):
        left = rule.actions - _WORD * word
        if left > 0:
            spread(out, _WORD * word, min(left, _WORD), game.legal[word])


@inlined
def is_legal(rule: Any, game: Any, action: int) -> Any:
    """Is this one of the legal actions? Any whole number may be asked about."""
    if action < 0 or action >= rule.actions:
        return False
    return contains(game.legal[action // _WORD], action % _WORD)


@inlined
def uniform_action(game: Any) -> Any:
    """A uniform legal action, from the game's noise; -1 when the game is over."""
    count = 0
    for word in range(LEGAL_WORDS):
        count += ones(game.legal[word])
    if count == 0:
        return -1
    left = np.int64(noise_of(game.seed, game.steps) * count)
    word = 0
    while left >= ones(game.legal[word]):
        left -= ones(game.legal[word])
        word += 1
    return _WORD * word + place_of(game.legal[word], left)


@inlined
def allow(game: Any, action: int) -> None:
    """Makes one action legal."""
    game.legal[action // _WORD] |= _ONE << np.uint64(action % _WORD)


@inlined
def allow_all(game: Any, at: int, bits: Any) -> None:
    """Makes the actions legal whose bits are set, counted from action `at`."""
    word, place = at // _WORD, np.uint64(at % _WORD)
    game.legal[word] |= bits << place
    if place > np.uint64(0):
        over = bits >> (np.uint64(_WORD) - place)
        if over != np.uint64(0):
            game.legal[word + 1] |= over
