"""One decision of one game: the action of the seat to move, and which actions are legal."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.call import call, decline
from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import zeroed
from bluff_env.engine.state import ANSWER, CLAIM, EVENT_NONE, OVER, PICK, WIN, ZERO_SUM
from bluff_env.engine.turn import choose_claim, lay, pick


@jit
def step(rule: Any, game: Any, cards: Any, action: int) -> None:
    """Plays one legal action of the seat to move."""
    game.steps += 1
    game.last_player = game.player
    game.event = EVENT_NONE
    game.cut_off = 0
    if game.phase == ANSWER:
        if action == rule.a_call:
            call(rule, game, cards)
        else:
            decline(rule, game, cards)
    elif game.phase == CLAIM:
        choose_claim(rule, game, action - rule.a_claim)
    elif action == rule.a_lay:
        lay(rule, game, cards)
    else:
        pick(rule, game, cards, action - rule.a_card)


@jit
def write_mask(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """(A,) bool: the legal actions of the seat to move; none when the game is over."""
    zeroed(out, 0, rule.actions)
    if game.phase == ANSWER:
        out[rule.a_decline] = True
        out[rule.a_call] = True
    elif game.phase == PICK:
        mask_picks(rule, game, cards, out)
    elif game.phase == CLAIM:
        for c in range(rule.claims):
            relative = c - game.shift
            if relative < 0:
                relative += rule.claims
            out[rule.a_claim + relative] = rule.follows[game.last, c] != 0


@jit
def mask_picks(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """Cards still in the hand, never going back in the order that starts at the claim, so that a set of cards has
    exactly one series of picks.
    """
    hand = rule.c_hands + game.player * rule.kinds
    kind = game.claim + game.position  # the place `position` in the order of picks
    if kind >= rule.claims:
        kind -= rule.claims
    at = kind - game.shift
    if at < 0:
        at += rule.claims
    for _ in range(game.position, rule.claims):
        out[rule.a_card + at] = cards[hand + kind] > cards[rule.c_picked + kind]
        kind = kind + 1 if kind + 1 < rule.claims else 0
        at = at + 1 if at + 1 < rule.claims else 0
    for joker in range(rule.claims, rule.kinds):
        out[rule.a_card + joker] = cards[hand + joker] > cards[rule.c_picked + joker]
    if rule.a_lay >= 0 and game.count > 0:
        out[rule.a_lay] = True


@jit
def write_rewards(rule: Any, game: Any, out: Any) -> None:
    """(n,) float32: zeros until the game is over, and when it was cut off. [E3]"""
    for s in range(rule.seats):
        out[s] = 0.0
    if game.phase == OVER and game.winner >= 0:
        if rule.rewards != WIN:
            lost = -1.0 / (rule.seats - 1) if rule.rewards == ZERO_SUM else -1.0
            for s in range(rule.seats):
                out[s] = lost
        out[game.winner] = 1.0
