"""One decision of one game: the action of the seat to move, and the rewards."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.call import answer, give
from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.dropp import accuse, drop
from bluff_env.engine.passing import do_pass
from bluff_env.engine.start import vote
from bluff_env.engine.state import ANSWER, CLAIM, DROP, GIVE, OVER, PICK, VOTE, WIN, ZERO_SUM
from bluff_env.engine.turn import choose_claim, lay, open_turn, pick
from bluff_env.engine.words import absolute


@jit
def step(rule: Any, game: Any, cards: Any, log: Any, action: int) -> None:
    """Plays one legal action of the seat to move, and writes it and what chance decides into the log."""
    log[game.logged] = action
    game.logged += 1
    game.steps += 1
    game.last_player = game.player
    game.n_events = 0
    game.asked = 0
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


@inlined
def write_rewards(rule: Any, game: Any, out: Any) -> None:
    """(n,) float32: zeros until the game is over, and when it was cut off. [E3] [M1]"""
    for seat in range(rule.seats):
        out[seat] = reward_of(rule, game, seat)


@inlined
def reward_of(rule: Any, game: Any, seat: int) -> float:
    """What one seat is paid. [E3] [M1]"""
    if game.phase != OVER or game.winner < 0 or game.cut_off:
        return 0.0
    if seat == game.winner:
        return 1.0
    if rule.rewards == WIN:
        return 0.0
    return -1.0 / (rule.seats - 1) if rule.rewards == ZERO_SUM else -1.0
