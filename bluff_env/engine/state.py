"""How games lie in memory: one row a game, rules as runtime arrays, so that one compilation serves all rules.

A game is a `GAME` record (numbers) and a row of int8 card counts, whose regions start at the rule record's `c_`
offsets:

- `c_hands` (n, K) every hand; `c_laid` (n, K) cards each seat has laid into the present pile: their sum is the pile.
- `c_picked` (K) cards picked for the play under way, still in the hand; `c_last` (K) those of the play on the table.
- `c_known` (subject n, observer n, K) cards the observer is certain of in the subject's hand.
- `c_claimed` (n, C) cards each seat has claimed into the present pile (saturating); `c_called` (n, 3).
- `c_recent` (H, recent_stride) a ring of plays, each written so that it can be copied as an observer sees it: who
  laid, one-hot and twice over; the claim where it is chosen, that of a rank or suit that rotates one-hot and twice
  over; then the count, called and a bluff, called and true.
- `c_deck` the deck in the order it was dealt, `c_stock` the stock, `c_first` the first deal of a match.
- `c_drawn`, `c_given`, `c_back` (K) cards that the last penalty moved; `c_aside` (K) cleared piles.
- `c_laps` (n, K) dropped cards, `c_notices` (observer n, subject n) how fresh a notice is.

Rows of K or C counts take `stride` bytes, whole chunks (see `copying`), zero behind the last count.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.engine.copying import CHUNK
from bluff_env.layout import CALLED_CAP, NOTICE_CAP, TURNS_SCALE, Layout, layout
from bluff_env.ruleset import Rules
from bluff_env.ruleset.tables import rank_order

MAX_SEATS: Final = 16
MAX_CLAIMS: Final = 52
MAX_KINDS: Final = 53
#: 64-bit words of `GAME.legal`: up to 178 actions.
LEGAL_WORDS: Final = 3

# What the seat to move decides.
DECISIONS: Final = 7
CLAIM, PICK, ANSWER, OVER, VOTE, DROP, GIVE = range(DECISIONS)
#: The same as the names in the piece `phase`.
PHASES: Final = {"claim": CLAIM, "pick": PICK, "answer": ANSWER, "vote": VOTE, "drop": DROP, "give": GIVE}
# What a step brought about (`GAME.events`): the kind, up to seven numbers, then the seat that moves next (-1: over).
EVENT_PLAY = 1  # seat, claim; the cards are in `c_last`
EVENT_CALL = 2  # caller, accused, truthful, wrong, pile taken, cards back [B8], all callers (bits); `c_drawn` …
EVENT_PASS = 3  # seat
EVENT_CLEARED = 4  # cards set aside
EVENT_START = 5  # kind, were the seats asked, who voted for another (bits), where it went into the stock or -1
EVENT_DROP = 6  # seat, kind, who noticed (bits)
EVENT_ALARM = 7  # seat suspected, -, who was alarmed (bits)
EVENT_ACCUSE = 8  # accuser, accused, guilty, cards drawn; `c_drawn`
EVENT_END = 9  # winner of the deal or -1, cut off
MOST_EVENTS: Final = 4
EVENT_WIDTH: Final = 9
EVENT_NEXT: Final = 8
# What chance was asked first in a step, where the answer did not stand in the log (`GAME.asked`); 0: nothing.
ASKED_RACE = 1  # who of `choices` callers was first [C3]
ASKED_BLIND = 2  # which of `choices` cards is drawn [B7]
ASKED_BACK = 3  # in which of `choices` places of the stock a start card goes back [B2]
ASKED_OPENER = 4  # which of `choices` seats opens the next deal of a match [M1]
ASKED_NOTICE = 5  # does a seat notice, with probability `odds` [D2]
ASKED_DECK = 6  # the order of the deck in the next deal of a match [M1]
# `after_call` and `rewards` as numbers, in the order of the rules object's words.
LEFT_OF_ACCUSED, RIGHT_PARTY, WRONG_PARTY, LEFT_OF_WRONG = 0, 1, 2, 3
ZERO_SUM, WIN_LOSS, WIN = 0, 1, 2

# Where the outcome of a called play stands in an entry of `c_recent`, counted from `recent_outcome`.
CALLED_BLUFF, CALLED_TRUE = 1, 2

#: Pieces by number: where each stands in an observation (`obs_at`) and in the full state (`state_at`), -1 if left out.
PIECES: Final = (
    "hand", "picked", "mine_in_pile", "hand_sizes", "pile_size", "stock_size", "phase", "claimable", "claim",
    "claim_count", "claimant", "origin", "claimed_in_pile", "known", "called", "turns", "passes", "scores", "notices",
    "start_card", "recent",
    "player", "hands", "last_play", "laid_in_pile", "answers", "opener", "redraws", "owed", "may_accuse", "laps",
    "aside", "stock",
)  # fmt: skip
(
    P_HAND, P_PICKED, P_MINE, P_SIZES, P_PILE, P_STOCK_SIZE, P_PHASE, P_CLAIMABLE, P_CLAIM,
    P_COUNT, P_CLAIMANT, P_ORIGIN, P_CLAIMED, P_KNOWN, P_CALLED, P_TURNS, P_PASSES, P_SCORES, P_NOTICES,
    P_START, P_RECENT,
    P_PLAYER, P_HANDS, P_LAST, P_LAID, P_ANSWERS, P_OPENER, P_REDRAWS, P_OWED, P_MAY_ACCUSE, P_LAPS, P_ASIDE,
    P_STOCK,
) = range(len(PIECES))  # fmt: skip

GAME: Final = np.dtype(
    [
        ("legal", np.uint64, LEGAL_WORDS),  # a bit for each legal action of the seat to move
        ("rng", np.uint64),  # the game's own generator (splitmix64)
        ("seed", np.int64),  # what the game was dealt from, and what its noise comes from
        ("next_seed", np.int64),  # what the row's next game will be dealt from
        ("given_deal", np.int32),  # 1 where the deal was given, so that the seed does not tell it
        ("steps", np.int32),  # decisions made so far
        ("logged", np.int32),  # bytes of the log so far: actions, and what chance decided after them
        ("log_begin", np.int32),  # how many of them stand no longer in the row's log, but in `GameBatch`
        ("forced", np.int32),  # results of chance that stand in the log already (`chance`)
        ("asked", np.int32),  # what chance was asked first in the last step (`ASKED_...`)
        ("choices", np.int32),
        ("odds", np.float64),
        ("turns", np.int32),
        ("share", np.int32),  # turns as hundredths of max_turns
        ("player", np.int32),  # the seat to move, -1 when over
        ("last_player", np.int32),  # the seat that moved last
        ("phase", np.int32),  # CLAIM, PICK, ANSWER, OVER, VOTE, DROP, GIVE
        ("dealer", np.int32),
        ("opener", np.int32),
        ("first_dealer", np.int32),  # of the first deal of a match
        ("first_opener", np.int32),
        ("mover", np.int32),  # whose turn it is, also while its play is answered
        ("last", np.int32),  # the claim to follow; C when leading
        ("shift", np.int32),  # the claim that relative index 0 stands for
        ("front", np.int32),  # the rank, or where suits rotate the suit, that it belongs to
        ("claim", np.int32),  # the claim being made, or on the table
        ("count", np.int32),  # cards picked, or laid in the play on the table
        ("picked", np.int32),  # cards picked to be given [B7]
        ("position", np.int32),  # picks go on from this place in the order that starts at the claim
        ("pile", np.int32),  # cards in the pile
        ("head", np.int32),  # the latest entry of the ring of plays
        ("passes", np.int32),  # in a row [C9]
        ("layer", np.int32),  # the seat that laid last, -1 for nobody
        ("callers", np.int32),  # bits: who has called in a race [C3], who has voted for another start card [B2]
        ("stock", np.int32),  # cards left in it
        ("top", np.int32),  # where its top card stands in `c_stock`
        ("start", np.int32),  # the kind of the start card, -1 for none
        ("many_claimed", np.int32),  # a count of `c_claimed` is above the piece's highest value
        ("start_lies", np.int32),  # it is in the pile
        ("redraws", np.int32),  # start cards put back
        ("dropped", np.int32),  # the kind dropped in this turn, -1 for none [D1]
        ("may_accuse", np.int32),  # the seat asked has not accused in this window [D3]
        ("winner", np.int32),  # -1 for none
        ("cut_off", np.int32),  # 1 after the step that cut the game off, also where a new game has begun since
        ("caller", np.int32),
        ("truthful", np.int32),
        ("wrong", np.int32),
        ("right", np.int32),
        ("owed", np.int32),  # cards the right party still has to pick [B7]
        ("taken", np.int32),  # cards of the pile that the wrong party took
        ("drawn", np.int32),  # cards of the stock
        ("given", np.int32),  # cards of the right party's hand
        ("n_events", np.int32),
        ("events", np.int32, (MOST_EVENTS, EVENT_WIDTH)),
        ("sizes", np.int32, MAX_SEATS),  # cards in each hand
        ("laps", np.int32, MAX_SEATS),  # drops of each seat since it was last found out [D3]
        ("scores", np.int32, MAX_SEATS),
    ],
    align=True,
)

RULE: Final = np.dtype(
    [
        ("notice", np.float64),
        ("false_notice", np.float64),
        ("seats", np.int32),
        ("ranks", np.int32),
        ("claims", np.int32),  # C, also the number of kinds that rotate
        ("kinds", np.int32),  # K = C, or C + 1 with jokers
        ("block", np.int32),  # claims rotate in steps of this many
        ("fronts", np.int32),  # so there are this many ways to rotate them
        ("first_front", np.int32),  # the one before anything is claimed
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
        ("passing", np.int32),
        ("must_play", np.int32),
        ("clear_pile", np.int32),
        ("race", np.int32),
        ("penalty", np.int32),  # 0: the pile, n: cards of the stock, -1: the whole stock
        ("from_opponent", np.int32),
        ("choose", np.int32),
        ("reveal_all", np.int32),
        ("start_card", np.int32),
        ("vote", np.int32),
        ("high_rank", np.int32),  # the lowest rank that is voted on, -1 if it is not in the deck
        ("redraws", np.int32),
        ("dropp", np.int32),  # penalty cards, 0 without dropp
        ("notice_cap", np.int32),
        ("target", np.int32),  # points that win a match, 0 without
        ("log_margin", np.int32),  # the most bytes one step can add to a log
        ("max_turns", np.int32),
        ("history", np.int32),
        ("observation", np.int32),  # D
        ("state", np.int32),  # S
        ("recent_width", np.int32),  # numbers a play in the piece `recent`
        ("recent_stride", np.int32),  # bytes of an entry of the ring of plays
        ("recent_outcome", np.int32),  # where the count stands in it, then the outcomes
        ("ranks_claimed", np.int32),  # numbers of `recent` that tell the rank claimed, 0 where claims run by themselves
        ("suits_claimed", np.int32),  # the same of the suit
        ("counts_shown", np.int32),  # 1 where `recent` tells how many cards were laid
        ("actions", np.int32),  # A
        ("a_decline", np.int32),
        ("a_call", np.int32),
        ("a_pass", np.int32),
        ("a_lay", np.int32),
        ("a_claim", np.int32),
        ("a_card", np.int32),
        ("a_drop_none", np.int32),
        ("a_drop", np.int32),
        ("a_accuse", np.int32),
        ("phase_at", np.int32, DECISIONS),  # where each phase stands in the one-hot phase, -1 if it does not occur
        ("obs_at", np.int32, len(PIECES)),
        ("state_at", np.int32, len(PIECES)),
        ("c_hands", np.int32),
        ("c_laid", np.int32),
        ("c_picked", np.int32),
        ("c_last", np.int32),
        ("c_known", np.int32),
        ("stride", np.int32),  # bytes of a row of K or C counts
        ("c_claimed", np.int32),
        ("c_drawn", np.int32),
        ("c_given", np.int32),
        ("c_back", np.int32),
        ("c_laps", np.int32),
        ("c_notices", np.int32),
        ("c_aside", np.int32),
        ("c_recent", np.int32),
        ("c_called", np.int32),
        ("c_deck", np.int32),
        ("c_stock", np.int32),
        ("c_first", np.int32),
        ("c_width", np.int32),
        ("deck", np.int8, MAX_KINDS),
        ("follow_bits", np.uint64, MAX_CLAIMS + 1),  # the claims that may follow; the last row is for leading
        ("match_bits", np.uint64, MAX_CLAIMS),  # the kinds that make a claim true
        ("follow_count", np.int32, MAX_CLAIMS + 1),  # how many claims may follow
        ("follow_first", np.int32, MAX_CLAIMS + 1),  # the first of them
    ],
    align=True,
)


@lru_cache(maxsize=256)
def compile_rules(rules: Rules) -> NDArray[Any]:
    """The `RULE` array of length 1 that the compiled functions read (cached, read-only)."""
    lay = layout(rules)
    rule = np.zeros(1, RULE)
    values = {**_numbers(rules, lay), **_regions(rules, lay)}
    for name in ("decline", "call", "pass", "lay", "claim", "card", "drop_none", "drop", "accuse"):
        values[f"a_{name}"] = lay.actions[name].start if name in lay.actions else -1
    for name, value in values.items():
        rule[name] = value
    _fill_tables(rule, lay)
    rule.setflags(write=False)
    return rule


def _numbers(r: Rules, lay: Layout) -> dict[str, Any]:
    order = rank_order(r)
    return {
        "seats": r.players, "ranks": r.ranks, "claims": len(lay.tables.claims), "kinds": len(lay.tables.kinds),
        "block": lay.tables.block, "fronts": r.suits if r.suited else r.ranks,
        "first_front": 0 if r.suited else r.ranks - 1,
        "copies": lay.parts[[p.name for p in lay.parts].index("claimed_in_pile")].highest[0],
        "called_cap": CALLED_CAP, "turns_scale": TURNS_SCALE, "notice_cap": NOTICE_CAP,
        "cap": min(r.most_cards, r.deck_size),
        "hand_size": -1 if r.hand_size is None else r.hand_size,
        "deck_size": r.deck_size,
        "first_random": r.first_player == "random",
        "callers_next": r.callers == "next",
        "race": r.call_order == "race",
        "after_call": ("left_of_accused", "right_party", "wrong_party", "left_of_wrong").index(r.after_call),
        "round_ends_call": r.round_ends == "call",
        "passing": r.passing == "allowed",
        "must_play": r.all_passed == "must_play",
        "clear_pile": r.all_passed == "clear_pile",
        "penalty": {"pile": 0, "whole_stock": -1}.get(r.penalty, r.stock_penalty),
        "from_opponent": r.empty_stock == "from_opponent",
        "choose": r.give == "choose",
        "reveal_all": r.reveal == "all",
        "start_card": r.start_card != "none",
        "vote": r.start_card == "vote",
        "high_rank": order.find(r.start_card_high),
        "redraws": r.start_card_redraws,
        "dropp": 0 if r.dropp is None else r.dropp.penalty,
        "notice": 0.0 if r.dropp is None else r.dropp.notice,
        "false_notice": 0.0 if r.dropp is None else r.dropp.false_notice,
        "target": r.target_points or 0,
        "rewards": ("zero_sum", "win_loss", "win").index(r.rewards),
        "max_turns": r.max_turns,
        "history": lay.history, "recent_width": lay.recent_width,
        "observation": lay.size, "state": lay.state_size, "actions": lay.n_actions,
        "ranks_claimed": r.ranks if lay.claim_width else 0,
        "suits_claimed": r.suits if lay.claim_width and r.suited else 0,
        "counts_shown": r.most_cards > 1,
        # an action, a race or blind draws or notices, and where a match goes on the next deal
        "log_margin": 2 + r.deck_size + 2 * r.players,
    }  # fmt: skip


def _regions(r: Rules, lay: Layout) -> dict[str, int]:
    """Where the regions of a row of card counts begin. Those before `called` belong to a deal, the rest to a match."""
    n, stride = r.players, _whole_chunks(len(lay.tables.kinds))
    stock = 0 if r.hand_size is None else r.deck_size - r.hand_size * n
    draws = stride if r.penalty != "pile" or r.dropp is not None else 0
    # who and what rotates stands twice over
    claim = 0 if not lay.claim_width else r.ranks + 2 * r.suits if r.suited else 2 * r.ranks
    recent = 2 * n + claim + 3
    regions = [
        ("hands", n * stride), ("laid", n * stride), ("picked", stride), ("last", stride), ("known", n * n * stride),
        ("claimed", n * stride), ("laps", n * stride if r.dropp is not None else 0),
        ("aside", stride if r.all_passed == "clear_pile" else 0),
        ("notices", n * n if r.dropp is not None else 0), ("recent", lay.history * recent),
        ("called", n * 3), ("drawn", draws), ("given", draws), ("back", draws), ("deck", r.deck_size), ("stock", stock),
        ("first", r.deck_size if r.target_points is not None else 0),
    ]  # fmt: skip
    values, offset = {"stride": stride, "recent_stride": recent, "recent_outcome": recent - 3}, 0
    for name, size in regions:
        values[f"c_{name}"] = offset
        offset += size
    values["c_width"] = _whole_chunks(offset + CHUNK)  # spare bytes: see `copying`
    return values


def _whole_chunks(size: int) -> int:
    return -(-size // CHUNK) * CHUNK


def _fill_tables(rule: NDArray[Any], lay: Layout) -> None:
    t = lay.tables
    c, k = len(t.claims), len(t.kinds)
    follows = t.follows
    rule["deck"][0, :k] = t.deck
    rule["match_bits"][0, :c] = _bits(t.matches)
    rule["follow_bits"][0, : c + 1] = _bits(follows)
    rule["follow_count"][0, : c + 1] = follows.sum(axis=1)
    rule["follow_first"][0, : c + 1] = follows.argmax(axis=1)
    rule["phase_at"][0] = -1
    for name, phase in PHASES.items():
        if name in lay.phases:
            rule["phase_at"][0, phase] = lay.phases.index(name)
    rule["obs_at"][0] = [lay.pieces[p].start if p in lay.pieces else -1 for p in PIECES]
    rule["state_at"][0] = [lay.state_pieces[p].start if p in lay.state_pieces else -1 for p in PIECES]


def _bits(table: NDArray[Any]) -> NDArray[np.uint64]:
    """Each row of a table of truths as the bits of a number, the first the lowest."""
    bits: NDArray[np.uint64] = table.astype(np.uint64) @ (np.uint64(1) << np.arange(table.shape[1], dtype=np.uint64))
    return bits
