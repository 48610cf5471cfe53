"""[C2] A turn: choose the claim, pick cards, lay them."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import added, moved, subtracted, zeroed
from bluff_env.engine.state import ANSWER, CLAIM, EVENT_PLAY, PICK, UNCALLED


@jit
def left_of(rule: Any, seat: int) -> Any:
    """The seat on the left, which comes next in the order of play (a division would cost more)."""
    return seat + 1 if seat + 1 < rule.seats else 0


@jit
def begin_turn(rule: Any, game: Any, seat: int) -> None:
    """Gives the turn to a seat. The claim is asked only where the rules leave a choice, which all can see. [C7] [C8]"""
    game.mover = seat
    game.player = seat
    game.count = 0
    game.position = 0
    if rule.follow_count[game.last] == 1:
        game.claim = rule.follow_first[game.last]
        game.phase = PICK
    else:
        game.claim = -1
        game.phase = CLAIM


@jit
def absolute(rule: Any, game: Any, relative: int) -> Any:
    """The claim that stands at a place in the relative order."""
    claim = relative + game.shift
    return claim - rule.claims if claim >= rule.claims else claim


@jit
def choose_claim(rule: Any, game: Any, relative: int) -> None:
    """The claim picked from the segment `claim`. [C7] [C8]"""
    game.claim = absolute(rule, game, relative)
    game.phase = PICK


@jit
def order(rule: Any, claim: int, kind: int) -> Any:
    """A kind's place in the order of picks, which starts at the claimed card; jokers last."""
    if kind >= rule.claims or kind >= claim:
        return kind if kind >= rule.claims else kind - claim
    return kind - claim + rule.claims


@jit
def pick(rule: Any, game: Any, cards: Any, relative: int) -> None:
    """One card for the play. It is laid by itself at the cap or when no card is left, which all can see. [C2]"""
    kind = relative if relative >= rule.claims else absolute(rule, game, relative)
    cards[rule.c_picked + kind] += 1
    game.count += 1
    game.position = order(rule, game.claim, kind)
    if game.count == rule.cap or game.count == game.sizes[game.player]:
        lay(rule, game, cards)


@jit
def lay(rule: Any, game: Any, cards: Any) -> None:
    """Lays the picked cards face down with the claim, and asks the seat on the left. [C2] [C3]"""
    seat, claim, count = game.mover, game.claim, game.count
    hand = rule.c_hands + seat * rule.kinds
    laid = rule.c_laid + seat * rule.kinds
    moved(cards, rule.c_picked, rule.c_last, rule.kinds)
    subtracted(cards, rule.c_last, hand, rule.kinds)
    added(cards, rule.c_last, laid, rule.kinds)
    zeroed(cards, rule.c_picked, rule.c_picked + rule.kinds)
    game.sizes[seat] -= count
    game.pile += count
    game.turns += 1
    game.share = game.turns * rule.turns_scale // rule.max_turns
    at = rule.c_claimed + seat * rule.claims + claim
    cards[at] = min(cards[at] + count, rule.copies)
    game.last = claim
    game.shift = claim if rule.block == 1 else claim - claim % rule.block
    game.head = (game.head if game.head > 0 else rule.history) - 1
    ring = rule.c_recent + 4 * game.head
    cards[ring] = seat
    cards[ring + 1] = claim
    cards[ring + 2] = min(count, 127)
    cards[ring + 3] = UNCALLED
    game.event = EVENT_PLAY
    game.phase = ANSWER
    game.player = left_of(rule, seat)
