"""Reading one observation, compiled: a row of int8 counts `o`, found by the offsets of the compiled rules."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.state import DECISIONS, P_CALLED, P_CLAIMANT, P_HAND, P_PHASE, P_RECENT, P_SIZES, P_TURNS


@jit
def which(o: Any, at: int, size: int) -> Any:
    """The first of some numbers that is not zero; 0 if all are."""
    for i in range(size):
        if o[at + i] != 0:
            return i
    return 0


@jit
def total(o: Any, at: int, size: int) -> Any:
    """The sum of some numbers."""
    found = 0
    for i in range(size):
        found += o[at + i]
    return found


@jit
def phase_of(rule: Any, o: Any) -> Any:
    """What the observer decides, as in `engine.state`; -1 when it is not to move."""
    for phase in range(DECISIONS):
        place = rule.phase_at[phase]
        if place >= 0 and o[rule.obs_at[P_PHASE] + place] != 0:
            return phase
    return -1


@jit
def claimant_of(rule: Any, o: Any) -> Any:
    """Who made the play on the table, counted from the observer; 0 where there is none."""
    return which(o, rule.obs_at[P_CLAIMANT], rule.seats)


@jit
def size_of(rule: Any, o: Any, seat: int) -> Any:
    """Cards in a hand, the play on the table left out; of another's, as many as it seems to hold [D2]."""
    if rule.dropp > 0 and seat == 0:
        return total(o, rule.obs_at[P_HAND], rule.kinds)
    return 0 + o[rule.obs_at[P_SIZES] + seat]


@jit
def plays_told(rule: Any, o: Any) -> Any:
    """How many of the last H plays there have been."""
    at, width = rule.obs_at[P_RECENT], rule.recent_width
    for back in range(rule.history):
        told = False
        for seat in range(rule.seats):
            told |= o[at + seat] != 0
        if not told:
            return back
        at += width
    return rule.history


@jit
def recent_calls(rule: Any, o: Any) -> Any:
    """How many of the last H plays were called."""
    at, width, calls = rule.obs_at[P_RECENT], rule.recent_width, 0
    for _ in range(rule.history):
        at += width
        calls += o[at - 1] + o[at - 2]
    return calls


@jit
def called_in_all(rule: Any, o: Any) -> Any:
    """Plays called so far in this deal or match (each seat's bluffs and truths saturate)."""
    at, calls = rule.obs_at[P_CALLED], 0
    for seat in range(rule.seats):
        calls += o[at + 3 * seat] + o[at + 3 * seat + 1]
    return calls


@jit
def plays_in_all(rule: Any, o: Any) -> Any:
    """About how many plays there have been: exactly while `recent` tells them all, else by the share of turns gone."""
    told = plays_told(rule, o)
    if told < rule.history:
        return told
    return max(told, o[rule.obs_at[P_TURNS]] * rule.max_turns // rule.turns_scale)


@jit
def passes_before_the_play(rule: Any, o: Any) -> Any:
    """How many seats passed between the play on the table and the one before."""
    n, before = rule.seats, rule.obs_at[P_RECENT] + rule.recent_width
    seat = -1
    for s in range(n):
        if o[before + s] != 0:
            seat = s
    outcome = before + rule.recent_width - 2
    if seat < 0 or o[outcome] + o[outcome + 1] > 0:
        return 0
    return (claimant_of(rule, o) - seat - 1) % n
