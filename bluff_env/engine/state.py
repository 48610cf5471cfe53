"""How games lie in memory: one row a game, rules as runtime arrays, so that one compilation serves all rules.

A game is a `GAME` record (numbers) and a row of int8 card counts, whose regions start at the rule record's `c_`
offsets:

- `c_hands` (n, K) every hand; `c_laid` (n, K) cards each seat has laid into the present pile: their sum is the pile.
- `c_picked` (K) cards picked for the play under way, still in the hand; `c_last` (K) those of the play on the table.
- `c_known` (subject n, observer n, K) cards the observer is certain of in the subject's hand; a subject's rows take
  `known_stride` bytes, whole chunks (see `copying`).
- `c_claimed` (n, C) cards each seat has claimed into the present pile (saturating); `c_called` (n, 3).
- `c_recent` (H, 4) a ring of plays: seat, claim, count, outcome. `c_deck` the deck in the order it was dealt.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.engine.copying import CHUNK
from bluff_env.layout import CALLED_CAP, TURNS_SCALE, Layout, layout
from bluff_env.ruleset import Rules

MAX_SEATS: Final = 16
MAX_CLAIMS: Final = 52
MAX_KINDS: Final = 53

# What the seat to move decides.
CLAIM, PICK, ANSWER, OVER = 0, 1, 2, 3
# What the last step brought about (`GAME.event`).
EVENT_NONE, EVENT_PLAY, EVENT_CALL = 0, 1, 2
# The outcome of a play in `c_recent`.
UNCALLED, CALLED_BLUFF, CALLED_TRUE = 0, 1, 2
# `after_call` and `rewards` as numbers, in the order of the rules object's words.
LEFT_OF_ACCUSED, RIGHT_PARTY, WRONG_PARTY = 0, 1, 2
ZERO_SUM, WIN_LOSS, WIN = 0, 1, 2

#: Pieces by number: where each stands in an observation (`obs_at`) and in the full state (`state_at`), -1 if left out.
PIECES: Final = (
    "hand", "picked", "mine_in_pile", "hand_sizes", "pile_size", "phase", "claimable", "claim", "claim_count",
    "claimant", "origin", "claimed_in_pile", "known", "called", "turns", "recent",
    "player", "hands", "last_play", "laid_in_pile",
)  # fmt: skip
(
    P_HAND, P_PICKED, P_MINE, P_SIZES, P_PILE, P_PHASE, P_CLAIMABLE, P_CLAIM, P_COUNT,
    P_CLAIMANT, P_ORIGIN, P_CLAIMED, P_KNOWN, P_CALLED, P_TURNS, P_RECENT,
    P_PLAYER, P_HANDS, P_LAST, P_LAID,
) = range(len(PIECES))  # fmt: skip

GAME: Final = np.dtype(
    [
        ("rng", np.uint64),  # the game's own generator (splitmix64)
        ("seed", np.int64),  # what the game was dealt from, and what its noise comes from
        ("given", np.int32),  # 1 where the deal was given, so that the seed does not tell it
        ("next_seed", np.int64),  # what the row's next game will be dealt from
        ("steps", np.int32),  # decisions made so far
        ("turns", np.int32),
        ("share", np.int32),  # turns as hundredths of max_turns
        ("player", np.int32),  # the seat to move, -1 when over
        ("last_player", np.int32),  # the seat that moved last
        ("phase", np.int32),  # CLAIM, PICK, ANSWER, OVER
        ("dealer", np.int32),
        ("opener", np.int32),
        ("mover", np.int32),  # whose turn it is, also while its play is answered
        ("last", np.int32),  # the claim to follow; C when leading
        ("shift", np.int32),  # the claim that relative index 0 stands for
        ("claim", np.int32),  # the claim being made, or on the table
        ("count", np.int32),  # cards picked, or laid in the play on the table
        ("position", np.int32),  # picks go on from this place in the order that starts at the claim
        ("pile", np.int32),  # cards in the pile
        ("head", np.int32),  # the latest entry of the ring of plays
        ("winner", np.int32),  # -1 for none
        ("cut_off", np.int32),  # 1 after the step that cut the game off, also where a new game has begun since
        ("event", np.int32),  # EVENT_*: what the last step brought about, with these consequences:
        ("caller", np.int32),
        ("truthful", np.int32),
        ("wrong", np.int32),
        ("taken", np.int32),
        ("sizes", np.int32, MAX_SEATS),  # cards in each hand
    ],
    align=True,
)

RULE: Final = np.dtype(
    [
        ("seats", np.int32),
        ("claims", np.int32),  # C, also the number of kinds that rotate
        ("kinds", np.int32),  # K = C, or C + 1 with jokers
        ("block", np.int32),  # claims rotate in steps of this many
        ("copies", np.int32),  # highest count of claimed_in_pile
        ("called_cap", np.int32),
        ("turns_scale", np.int32),
        ("cap", np.int32),  # most cards in a play
        ("hand_size", np.int32),  # -1: the whole deck is dealt
        ("deck_size", np.int32),
        ("first_random", np.int32),
        ("callers_next", np.int32),
        ("after_call", np.int32),
        ("round_ends_call", np.int32),
        ("rewards", np.int32),
        ("max_turns", np.int32),
        ("history", np.int32),
        ("recent_width", np.int32),
        ("claim_width", np.int32),
        ("actions", np.int32),
        ("a_decline", np.int32),
        ("a_call", np.int32),
        ("a_lay", np.int32),
        ("a_claim", np.int32),
        ("a_card", np.int32),
        ("phase_at", np.int32, 3),  # where CLAIM, PICK, ANSWER stand in the one-hot phase
        ("obs_at", np.int32, len(PIECES)),
        ("state_at", np.int32, len(PIECES)),
        ("c_hands", np.int32),
        ("c_laid", np.int32),
        ("c_picked", np.int32),
        ("c_last", np.int32),
        ("c_known", np.int32),
        ("known_stride", np.int32),
        ("c_claimed", np.int32),
        ("c_called", np.int32),
        ("c_recent", np.int32),
        ("c_deck", np.int32),
        ("c_width", np.int32),
        ("deck", np.int8, MAX_KINDS),
        ("follows", np.int8, (MAX_CLAIMS + 1, MAX_CLAIMS)),
        ("matches", np.int8, (MAX_CLAIMS, MAX_KINDS)),
        ("follow_count", np.int32, MAX_CLAIMS + 1),  # how many claims may follow; the last row is for leading
        ("follow_first", np.int32, MAX_CLAIMS + 1),  # the first of them
    ],
    align=True,
)


@lru_cache(maxsize=256)
def compile_rules(rules: Rules) -> NDArray[Any]:
    """The `RULE` array of length 1 that the compiled functions read (cached, read-only)."""
    lay = layout(rules)
    t = lay.tables
    rule = np.zeros(1, RULE)
    n, c, k = rules.players, len(t.claims), len(t.kinds)
    values: dict[str, Any] = {
        "seats": n, "claims": c, "kinds": k, "block": t.block,
        "copies": lay.parts[[p.name for p in lay.parts].index("claimed_in_pile")].highest[0],
        "called_cap": CALLED_CAP,
        "turns_scale": TURNS_SCALE,
        "cap": min(rules.most_cards, rules.deck_size),
        "hand_size": -1 if rules.hand_size is None else rules.hand_size,
        "deck_size": rules.deck_size,
        "first_random": rules.first_player == "random",
        "callers_next": rules.callers == "next",
        "after_call": ("left_of_accused", "right_party", "wrong_party").index(rules.after_call),
        "round_ends_call": rules.round_ends == "call",
        "rewards": ("zero_sum", "win_loss", "win").index(rules.rewards),
        "max_turns": rules.max_turns,
        "history": lay.history, "recent_width": lay.recent_width, "claim_width": lay.claim_width,
        "actions": lay.n_actions,
    }  # fmt: skip
    for name in ("decline", "call", "lay", "claim", "card"):
        values[f"a_{name}"] = lay.actions[name].start if name in lay.actions else -1
    values["known_stride"] = stride = -(-n * k // CHUNK) * CHUNK
    regions = [
        ("hands", n * k), ("laid", n * k), ("picked", k), ("last", k), ("known", n * stride), ("claimed", n * c),
        ("called", n * 3), ("recent", lay.history * 4), ("deck", rules.deck_size),
    ]  # fmt: skip
    offset = 0
    for name, size in regions:
        values[f"c_{name}"] = offset
        offset += size
    values["c_width"] = offset + CHUNK  # spare bytes: see `copying`
    for name, value in values.items():
        rule[name] = value
    _fill_tables(rule, lay)
    rule.setflags(write=False)
    return rule


def _fill_tables(rule: NDArray[Any], lay: Layout) -> None:
    t = lay.tables
    c, k = len(t.claims), len(t.kinds)
    follows = t.follows
    rule["deck"][0, :k] = t.deck
    rule["matches"][0, :c, :k] = t.matches
    rule["follows"][0, : c + 1, :c] = follows
    rule["follow_count"][0, : c + 1] = follows.sum(axis=1)
    rule["follow_first"][0, : c + 1] = follows.argmax(axis=1)
    rule["phase_at"][0] = [lay.phases.index(p) if p in lay.phases else -1 for p in ("claim", "pick", "answer")]
    rule["obs_at"][0] = [lay.pieces[p].start if p in lay.pieces else -1 for p in PIECES]
    rule["state_at"][0] = [lay.state_pieces[p].start if p in lay.state_pieces else -1 for p in PIECES]
