"""follows, matches and lead, and cards as text, against a plain statement of each rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import referee
from bluff_env import BluffError, Rules
from bluff_env.cards import claim_of, counts_of, kind_of, texts_of
from bluff_env.ruleset import tables
from bluff_env.ruleset.tables import rank_order

LOW, HIGH = "A23456789TJQK", "23456789TJQKA"
DECKS = [(ranks, ace) for ranks in (1, 2, 3, 5, 12, 13) for ace in ("low", "high")]
every_deck = pytest.mark.parametrize(("ranks", "ace"), DECKS)


def may_follow(follow: str, order: str, last: str, following: str) -> bool:
    """[C2] [C8] and section 2, in words: ranks wrap round."""
    up = order[(order.index(last) + 1) % len(order)]
    down = order[order.index(last) - 1]
    return {
        "next": following == up,
        "any": True,
        "same": following == last,
        "adjacent": following in (up, down),
        "same_or_adjacent": following in (last, up, down),
    }[follow]


@every_deck
@pytest.mark.parametrize("follow", ["next", "any", "same", "adjacent", "same_or_adjacent"])
@pytest.mark.parametrize("lead", ["first_rank", "any"])
def test_what_may_be_claimed_is_what_the_rules_say(follow: Any, lead: Any, ranks: int, ace: Any) -> None:
    rules = Rules(players=2, ranks=ranks, ace=ace, follow=follow, lead=lead)
    order = (LOW if ace == "low" else HIGH)[:ranks]
    t = tables(rules)
    assert t.claims == tuple(order)
    assert t.follows.shape == (ranks + 1, ranks)
    for i, last in enumerate(order):
        for j, following in enumerate(order):
            assert t.follows[i, j] == may_follow(follow, order, last, following)
        row = [order[j] for j in np.flatnonzero(t.follows[i])]
        assert row == referee.following(rules.to_dict(), last)
    led = [order[j] for j in np.flatnonzero(t.lead)]
    assert led == (list(order) if lead == "any" else [order[0]])  # [C7]
    assert led == referee.following(rules.to_dict(), None)
    assert (t.lead == t.follows[-1]).all()
    assert t.claim_choice == any(t.follows[i].sum() > 1 for i in range(ranks + 1))


def test_one_step_up_from_the_king_is_the_ace_and_from_the_ace_the_king_is_adjacent() -> None:
    """[C2]"""
    t = tables(Rules())
    assert [t.claims[i] for i in np.flatnonzero(t.follows[t.claims.index("K")])] == ["A"]
    t = tables(Rules(follow="adjacent"))
    assert {t.claims[i] for i in np.flatnonzero(t.follows[t.claims.index("A")])} == {"2", "K"}


@every_deck
@pytest.mark.parametrize("jokers", [0, 1, 8])
def test_a_card_makes_true_the_claim_of_its_rank_and_a_joker_every_claim(ranks: int, ace: Any, jokers: int) -> None:
    """[B9]"""
    t = tables(Rules(players=2, ranks=ranks, ace=ace, jokers=jokers))
    assert t.kinds == t.claims + (("X",) if jokers else ())
    for i, claim in enumerate(t.claims):
        for k, card in enumerate(t.kinds):
            assert t.matches[i, k] == (card in (claim, "X")) == referee.matches(claim, card)


@pytest.mark.parametrize(
    "fields",
    [{}, {"decks": 2}, {"suits": 1, "jokers": 3}, {"ranks": 5, "suits": 2, "decks": 4}, {"ace": "high", "ranks": 4}],
)
def test_the_deck_holds_each_card_as_often_as_the_rules_say(fields: dict[str, Any]) -> None:
    rules = Rules(players=2, **fields)
    t = tables(rules)
    assert Counter(texts_of(t, t.deck)) == referee.deck(rules.to_dict())
    assert t.deck.sum() == rules.deck_size


@every_deck
def test_small_decks_keep_the_first_ranks_of_the_order(ranks: int, ace: Any) -> None:
    rules = Rules(players=2, ranks=ranks, ace=ace)
    assert rank_order(rules) == (LOW if ace == "low" else HIGH)[:ranks] == referee.rank_order(rules.to_dict())


def test_tables_cannot_be_written_to() -> None:
    t = tables(Rules())
    for array in (t.deck, t.follows, t.matches, t.lead):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


# ---- cards as text ----


def test_cards_and_claims_are_read_by_their_letters() -> None:
    t = tables(Rules(jokers=1))
    assert [kind_of(t, card) for card in (*LOW, "X")] == list(range(14))
    assert [claim_of(t, claim) for claim in LOW] == list(range(13))
    assert tables(Rules(ace="high")).claims[0] == "2"


@pytest.mark.parametrize("suit", "SHDC")
def test_a_suit_is_accepted_and_ignored(suit: str) -> None:
    t = tables(Rules())
    for card in LOW:
        assert kind_of(t, card + suit) == kind_of(t, card)


@pytest.mark.parametrize("card", ["", "1", "10", "a", "AA", "As", "SA", "ASH", "A ", "XS", "Z", 1, None, ["A"], b"A"])
def test_what_is_no_card_is_refused_with_all_that_are(card: Any) -> None:
    t = tables(Rules(jokers=1))
    with pytest.raises(BluffError) as caught:
        kind_of(t, card)
    assert str(caught.value) == f"card {card!r} is not in this deck; cards: A 2 3 4 5 6 7 8 9 T J Q K X"


@pytest.mark.parametrize("claim", ["", "X", "AS", "a", "AA", 1, None])
def test_what_is_no_claim_is_refused_with_all_that_are(claim: Any) -> None:
    t = tables(Rules(jokers=1))
    with pytest.raises(BluffError) as caught:
        claim_of(t, claim)
    assert str(caught.value) == f"claim {claim!r} is not one of these rules; claims: A 2 3 4 5 6 7 8 9 T J Q K"


def test_a_card_that_a_small_deck_lacks_is_none_of_its_cards() -> None:
    t = tables(Rules(ranks=3))
    for card in ("4", "X", "K"):
        with pytest.raises(BluffError, match=r"cards: A 2 3$"):
            kind_of(t, card)


def test_counts_and_texts_are_inverse() -> None:
    t = tables(Rules(jokers=2))
    cards = ["X", "K", "A", "A", "2", "TS"]
    counts = counts_of(t, cards)
    assert texts_of(t, counts) == ["A", "A", "2", "T", "K", "X"]
    assert (counts_of(t, texts_of(t, counts)) == counts).all()
