"""A slow, obvious referee for the card games of RULES.md, to hold the fast engine against.

Written from RULES.md and RECORD.md alone, in plain Python, sharing nothing with bluff_env. Ids in brackets,
as [C4], name the rule carried out. This is the front door: referee_rules has the rules object, the deck and
the deal, referee_table one deal in progress, referee_records game records and match play, referee_count the
size of small games, referee_random rules and games at random.
"""

from __future__ import annotations

from referee_count import count_histories, distinct_deals, distinct_stocks
from referee_records import FORMAT, Fault, Match, replay
from referee_rules import (
    JOKER,
    RANK_LETTERS,
    SUIT_LETTERS,
    Illegal,
    check_deal,
    check_rules,
    claims,
    deck,
    following,
    hand_sizes,
    matches,
    random_deal,
    rank_order,
    rewards,
    to_follow_after,
)
from referee_table import Move, Play, Table

__all__ = [
    "FORMAT",
    "JOKER",
    "RANK_LETTERS",
    "SUIT_LETTERS",
    "Fault",
    "Illegal",
    "Match",
    "Move",
    "Play",
    "Table",
    "check_deal",
    "check_rules",
    "claims",
    "count_histories",
    "deck",
    "distinct_deals",
    "distinct_stocks",
    "following",
    "hand_sizes",
    "matches",
    "random_deal",
    "rank_order",
    "replay",
    "rewards",
    "to_follow_after",
]
