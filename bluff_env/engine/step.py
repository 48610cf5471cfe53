"""One decision of one game: the action of the seat to move, and which actions are legal."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.call import answer, give
from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import zeroed
from bluff_env.engine.dropp import accuse, drop
from bluff_env.engine.passing import do_pass
from bluff_env.engine.start import vote
from bluff_env.engine.state import ANSWER, CLAIM, DROP, GIVE, OVER, PICK, VOTE, WIN, ZERO_SUM
from bluff_env.engine.turn import choose_claim, lay, may_pass, open_turn, pick
from bluff_env.engine.words import absolute, order, relative_kind


@jit
def step(rule: Any, game: Any, cards: Any, log: Any, action: int) -> None:
    """Plays one legal action of the seat to move, and writes it and what chance decides into the log."""
    log[game.logged] = action
    game.logged += 1
    game.steps += 1
    game.last_player = game.player
    game.n_events = 0
    game.cut_off = 0
    phase = game.phase
    if phase == ANSWER:
        if action == rule.a_decline or action == rule.a_call:
            answer(rule, game, cards, log, action == rule.a_call)
        else:
            target = game.player + 1 + action - rule.a_accuse
            accuse(rule, game, cards, target if target < rule.seats else target - rule.seats)
    elif action == rule.a_pass:
        do_pass(rule, game, cards, log)
    elif phase == CLAIM:
        choose_claim(rule, game, action - rule.a_claim)
    elif phase == PICK:
        if action == rule.a_lay:
            lay(rule, game, cards, log)
        else:
            pick(rule, game, cards, log, action - rule.a_card)
    elif phase == DROP:
        if action != rule.a_drop_none:
            relative = action - rule.a_drop
            drop(rule, game, cards, relative if relative >= rule.claims else absolute(rule, game, relative))
        open_turn(rule, game)
    elif phase == VOTE:
        vote(rule, game, cards, log, action == rule.a_call)
    elif phase == GIVE:
        give(rule, game, cards, log, action - rule.a_card)


@jit
def write_mask(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """(A,) bool: the legal actions of the seat to move; none when the game is over."""
    zeroed(out, 0, rule.actions)
    phase = game.phase
    if phase == ANSWER:
        out[rule.a_decline] = True
        out[rule.a_call] = True
        if rule.a_accuse >= 0 and game.may_accuse:
            for i in range(rule.seats - 1):
                out[rule.a_accuse + i] = True  # [D3]
    elif phase == PICK:
        mask_cards(rule, game, cards, game.claim, out)
        if rule.a_lay >= 0 and game.count > 0:
            out[rule.a_lay] = True
        if rule.a_pass >= 0:
            # where the claim is chosen, the pass was offered with it
            out[rule.a_pass] = may_pass(rule, game) and rule.follow_count[game.last] == 1
    elif phase == CLAIM:
        for c in range(rule.claims):
            out[rule.a_claim + relative_kind(rule, game, c)] = rule.follows[game.last, c] != 0
        if rule.a_pass >= 0:
            out[rule.a_pass] = may_pass(rule, game)
    elif phase == DROP:
        out[rule.a_drop_none] = True
        if game.sizes[game.player] > 1:  # never the last card [D1]
            mask_drops(rule, game, cards, out)
    elif phase == VOTE:
        out[rule.a_decline] = True
        out[rule.a_call] = True
    elif phase == GIVE:
        mask_gifts(rule, game, cards, out)


@jit
def mask_cards(rule: Any, game: Any, cards: Any, claim: int, out: Any) -> None:
    """Cards still in the hand, never going back in the order that starts at the claim, so that a set of cards has
    exactly one series of picks.
    """
    hand = rule.c_hands + game.player * rule.kinds
    kind = claim + game.position  # the place `position` in the order of picks
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


@jit
def mask_gifts(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """Picks as for a play, but exactly so many: a card is open only if enough others stand from it on. [B7]"""
    hand = rule.c_hands + game.player * rule.kinds
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
        out[rule.a_card + relative_kind(rule, game, kind)] = here > 0 and left >= owed
        left -= here


@jit
def mask_drops(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """Any card of the hand may be dropped. [D1]"""
    hand = rule.c_hands + game.player * rule.kinds
    for k in range(rule.kinds):
        out[rule.a_drop + relative_kind(rule, game, k)] = cards[hand + k] > 0


@jit
def write_rewards(rule: Any, game: Any, out: Any) -> None:
    """(n,) float32: zeros until the game is over, and when it was cut off. [E3] [M1]"""
    for s in range(rule.seats):
        out[s] = 0.0
    if game.phase == OVER and game.winner >= 0 and not game.cut_off:
        if rule.rewards != WIN:
            lost = -1.0 / (rule.seats - 1) if rule.rewards == ZERO_SUM else -1.0
            for s in range(rule.seats):
                out[s] = lost
        out[game.winner] = 1.0
