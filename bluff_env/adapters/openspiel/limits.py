"""How large a game can get: what OpenSpiel wants to be told of it, from the rules alone.

Lengths are bounds that no game exceeds, not lengths that some game reaches.
"""

from __future__ import annotations

from typing import Final

from bluff_env.engine.penalty import WHOLE_STOCK_INSTEAD
from bluff_env.layout import layout
from bluff_env.ruleset import Rules
from bluff_env.ruleset.tables import rank_order, tables

#: OpenSpiel counts in 32 bits.
_MOST: Final = 2**31 - 1
#: Numbers in the largest information state tensor that is offered: 256 MiB of float32.
MAX_TENSOR: Final = 2**26


def deals(r: Rules) -> int:
    """Deals that a match can have: all seats but the winner one point short. [M1]"""
    return 1 if r.target_points is None else r.players * (r.target_points - 1) + 1


def votes(r: Rules) -> int:
    """Votes on a start card that a deal can have, each of all seats. [B2]"""
    asked = r.start_card == "vote" and r.start_card_high in rank_order(r)
    return r.start_card_redraws if asked else 0


def gifts(r: Rules) -> int:
    """Cards that one penalty can move from hand to hand. [B7]"""
    if r.penalty == "pile" or r.empty_stock == "nothing":
        return 0
    return min(WHOLE_STOCK_INSTEAD if r.stock_penalty is None else r.stock_penalty, r.deck_size)


def asked(r: Rules) -> int:
    """Seats that may be asked about one play. [C3]"""
    return 1 if r.callers == "next" else r.players - 1


def longest(r: Rules) -> int:
    """Decisions of players in the longest game."""
    lay = layout(r)
    most = min(r.most_cards, r.deck_size)
    turn = most + int("lay" in lay.actions) + int(lay.tables.claim_choice) + int(r.dropp is not None)
    turn += asked(r) * (1 if r.dropp is None else 2)
    turn += gifts(r) if "give" in lay.phases else 0
    return min(_MOST, deals(r) * (r.max_turns * turn + votes(r) * r.players))


def chance_outcomes(r: Rules) -> int:
    """The most outcomes of one chance node: seats, kinds, cards in a hand, places in the stock, or noticed or not."""
    stock = 0 if r.hand_size is None else r.deck_size - r.hand_size * r.players
    return max(
        r.players,
        len(tables(r).kinds),
        r.deck_size if gifts(r) and r.give == "random" else 1,
        stock if votes(r) else 1,
        2,
    )


def chance_nodes(r: Rules) -> int:
    """Chance nodes on the longest way through a game."""
    turn = gifts(r) if r.give == "random" else 0
    turn += int(r.call_order == "race") + (r.players - 1 if r.dropp is not None else 0)
    return min(_MOST, deals(r) * (r.deck_size + 2 + votes(r) + r.max_turns * turn))


def events(r: Rules) -> int:
    """The most events that one seat can see in a game: rows of the information state tensor."""
    gives = "give" in layout(r).phases
    turn = 2 + int(gives) + (1 + asked(r) if r.dropp is not None else 0)
    return deals(r) * (2 + int(r.start_card != "none") + 2 * votes(r) + turn * r.max_turns)


def utilities(r: Rules) -> tuple[float, float, float | None]:
    """Least and most that a seat is paid, and what all together are, None where that differs. [E3]"""
    if r.rewards == "zero_sum":
        return -1.0 / (r.players - 1), 1.0, 0.0
    if r.rewards == "win_loss":
        return -1.0, 1.0, 0.0 if r.players == 2 else None
    return 0.0, 1.0, None
