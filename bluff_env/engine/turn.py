"""[C2] [B3] A turn: perhaps a drop, the claim, the cards, and laying them."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.copying import added, blank, lowered, moved, subtracted, zeroed
from bluff_env.engine.dropp import notices
from bluff_env.engine.events import note
from bluff_env.engine.state import ANSWER, CLAIM, DROP, EVENT_PLAY, PICK
from bluff_env.engine.words import absolute, left_of, order


@jit
def begin_turn(rule: Any, game: Any, cards: Any, seat: int) -> None:
    """Gives the turn to a seat. After a claim that nothing can follow it leads. [B4]"""
    game.mover = seat
    game.player = seat
    game.count = 0
    game.position = 0
    game.dropped = -1
    if rule.follow_count[game.last] == 0:
        game.last = rule.claims  # [B4]
    if rule.dropp:
        # From here on the seat may have dropped any one card that others were certain of. [D2]
        lowered(cards, rule.c_known + seat * rule.seats * rule.stride, rule.seats * rule.stride, 1)
        game.claim = -1
        game.phase = DROP
    else:
        open_turn(rule, game)


@inlined
def open_turn(rule: Any, game: Any) -> None:
    """The claim is asked only where the rules leave a choice, which all can see. [C7] [C8]"""
    if rule.follow_count[game.last] == 1:
        game.claim = rule.follow_first[game.last]
        game.phase = PICK
    else:
        game.claim = -1
        game.phase = CLAIM


@inlined
def may_pass(rule: Any, game: Any) -> Any:
    """[C9] [B5] who leads must lay, and under must_play so must the last of a round of passes."""
    if not rule.passing or game.last == rule.claims or game.count > 0:
        return False
    return not rule.must_play or game.passes < rule.seats - 1


@inlined
def choose_claim(rule: Any, game: Any, relative: int) -> None:
    """The claim picked from the segment `claim`. [C7] [C8]"""
    game.claim = absolute(rule, game, relative)
    game.phase = PICK


@inlined
def pick(rule: Any, game: Any, cards: Any, log: Any, relative: int) -> None:
    """One card for the play. It is laid by itself at the cap, or when no card is left where all can see that. [C2]"""
    kind = relative if relative >= rule.claims else absolute(rule, game, relative)
    cards[rule.c_picked + kind] += 1
    game.count += 1
    game.position = order(rule, game.claim, kind)
    if game.count == rule.cap or (game.count == game.sizes[game.player] and not rule.dropp):
        lay(rule, game, cards, log)


@jit
def lay(rule: Any, game: Any, cards: Any, log: Any) -> None:
    """Lays the picked cards face down with the claim, and asks the seat on the left. [C2] [C3] [B3]"""
    seat, claim, count = game.mover, game.claim, game.count
    moved(cards, rule.c_picked, rule.c_last, rule.stride)
    subtracted(cards, rule.c_picked, rule.c_hands + seat * rule.stride, rule.stride)
    added(cards, rule.c_picked, rule.c_laid + seat * rule.stride, rule.stride)
    blank(cards, rule.c_picked, rule.c_picked + rule.stride)
    game.sizes[seat] -= count
    game.pile += count
    game.turns += 1
    game.share = game.turns * rule.turns_scale // rule.max_turns
    at = rule.c_claimed + seat * rule.stride + claim
    cards[at] = min(cards[at] + count, 127)
    if cards[at] > rule.copies:
        game.many_claimed = 1
    game.last = claim
    turn_to(rule, game, claim)
    remember(rule, game, cards, seat, claim, count)
    game.passes = 0  # [C9]
    game.layer = seat
    game.callers = 0
    game.may_accuse = 1
    if rule.dropp:
        notices(rule, game, cards, log, EVENT_PLAY)
    else:
        note(game, EVENT_PLAY, seat, claim)
    game.phase = ANSWER
    game.player = left_of(rule, seat)


@inlined
def turn_to(rule: Any, game: Any, claim: int) -> None:
    """A claim others will follow: relative index 0 stands for its rank, or where suits rotate for its suit."""
    if rule.block == 1:
        game.front = claim
        game.shift = claim
    else:
        game.front = claim // rule.block
        game.shift = game.front * rule.block


@inlined
def remember(rule: Any, game: Any, cards: Any, seat: int, claim: int, count: int) -> None:
    """The play's entry in the ring of plays (see `state`), not called so far."""
    game.head = (game.head if game.head > 0 else rule.history) - 1
    at = rule.c_recent + game.head * rule.recent_stride
    zeroed(cards, at, at + rule.recent_stride)
    cards[at + seat] = 1
    cards[at + rule.seats + seat] = 1
    at += 2 * rule.seats
    if rule.suits_claimed:
        cards[at + claim - game.shift] = 1
        at += rule.ranks_claimed
        cards[at + game.front] = 1
        cards[at + rule.suits_claimed + game.front] = 1
    elif rule.ranks_claimed:
        cards[at + claim] = 1
        cards[at + rule.ranks_claimed + claim] = 1
    cards[rule.c_recent + game.head * rule.recent_stride + rule.recent_outcome] = min(count, 127)
