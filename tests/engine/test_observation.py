"""What a seat sees: right, and no more than it may see."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bluff_env import GameBatch, Rules
from bluff_env.cards import texts_of
from bluff_env.engine.state import ANSWER, CLAIM, DROP, GIVE, PICK, VOTE
from bluff_env.layout import NOTICE_CAP
from bluff_env.record import record_of_row
from helpers import counts, hands, name, named_rules, random_rules
from plain_observer import pieces


def _rules() -> list[Rules]:
    rng = np.random.default_rng(11)
    corner = Rules(players=2, ranks=1, suits=4, suited=True, follow="higher_in_suit", lead="any", ace="high")
    return [*named_rules(), corner, *(random_rules(rng, max_turns=100) for _ in range(12))]


def _expected(batch: GameBatch, row: int, seat: int) -> dict[str, list[int]]:
    """The plain observer's account of the deal under way, saturated as the layout says."""
    record = record_of_row(batch, row)
    deal, r, n = record["deals"][-1], batch.rules, batch.rules.players
    own = Counter(texts_of(batch.layout.tables, hands(batch, row)[seat]))
    window = bool(batch.games["phase"][row] == ANSWER)
    plain = pieces(record["rules"], deal, deal["events"], seat, own, window_open=window)
    highest = {p.name: p.highest for p in batch.layout.parts}
    if "scores" in plain:
        scores = batch.games["scores"][row, :n].tolist()
        plain["scores"] = scores[seat:] + scores[:seat]
    if r.dropp is not None:
        # The layout shows how fresh a notice is, the plain observer how old; and one's own hand as the others see it.
        plain["notices"] = [max(0, NOTICE_CAP + 1 - age) if age else 0 for age in plain["notices"]]
        plain["hand_sizes"][0] += int(batch.games["laps"][row, seat])
    if r.target_points is not None:
        for earlier in record["deals"][:-1]:  # `called` outlasts a deal
            before = pieces(record["rules"], earlier, earlier["events"], seat, own, window_open=False)["called"]
            plain["called"] = [a + b for a, b in zip(plain["called"], before, strict=True)]
    return {name: np.minimum(values, highest[name]).tolist() for name, values in plain.items()}


def _mid_event(batch: GameBatch, row: int) -> bool:
    """Between the events a record can tell: a vote, cards being given, a drop being decided."""
    return bool(batch.games["phase"][row] in (VOTE, GIVE)) or (
        batch.rules.dropp is not None and bool(batch.games["phase"][row] in (CLAIM, PICK, DROP))
    )


@pytest.mark.parametrize("r", _rules(), ids=name)
def test_the_observation_is_what_the_plain_observer_works_out_from_the_events(r: Rules) -> None:
    rng = np.random.default_rng(5)
    batch = GameBatch(r, games=2, seed=9, restart=False)
    for step in range(600):
        if (batch.player < 0).all():
            break
        row, seat = int(rng.integers(2)), int(rng.integers(r.players))
        if (step < 20 or rng.random() < 0.05) and batch.player[row] >= 0 and not _mid_event(batch, row):
            seen = batch.observe(seat)[row]
            for piece, values in _expected(batch, row, seat).items():
                assert seen[batch.layout.pieces[piece]].tolist() == values, piece
        batch.step(batch.random_actions())


@pytest.mark.parametrize("r", _rules(), ids=name)
def test_known_never_claims_what_is_not_so(r: Rules) -> None:
    """[V] a lower bound of every hand, at every point of a game, for every seat."""
    batch = GameBatch(r, games=8, seed=4, restart=False)
    k, n = len(batch.layout.tables.kinds), r.players
    for _ in range(300):
        for seat in range(n):
            seen = batch.observe(seat)[:, batch.layout.pieces["known"]].reshape(len(batch), n, k)
            assert not seen[:, 0].any()
            for row in range(len(batch)):
                place = _places(batch, row)
                for other in range(1, n):
                    assert (seen[row, other] <= hands(batch, row)[(seat + other) % n][place]).all()
        if (batch.player < 0).all():
            break
        batch.step(batch.random_actions())


def _places(batch: GameBatch, row: int) -> NDArray[np.int64]:
    """(K,) the kind that stands at each place of the relative order."""
    c, k = len(batch.layout.tables.claims), len(batch.layout.tables.kinds)
    return np.array([(int(batch.shift[row]) + i) % c for i in range(c)] + list(range(c, k)))


def _rearranged(batch: GameBatch, seat: int, rng: np.random.Generator) -> GameBatch:
    """The same one-row game with everything changed that `seat` cannot know: other hands, the cards others have laid,
    the picks, drop and chosen claim of another seat to move, answers in a race or vote, what others are certain of or
    have noticed, unnoticed drops, cleared cards, the stock.
    """
    other = GameBatch(batch.rules, games=1, restart=False)
    other.restore(batch.snapshot())
    game, rule, cards = other.games[0], other.rule[0], other.cards[0]
    n, k, r = batch.rules.players, int(rule["kinds"]), batch.rules
    hand_rows, laid_rows = counts(other, 0, "hands", n), counts(other, 0, "laid", n)
    known = counts(other, 0, "known", n * n).reshape(n, n, k)
    answering = game["phase"] == ANSWER
    last = counts(other, 0, "last")[0]
    if answering and game["mover"] != seat:
        laid_rows[game["mover"]] -= last  # the play on the table is a slot of its own
    certain = np.zeros((n, k), np.int64)
    for subject in range(n):
        certain[subject] = known[subject, seat]
        if answering and subject == game["mover"]:
            certain[subject] = np.maximum(certain[subject] - game["count"], 0)
    others = [s for s in range(n) if s != seat]
    slots: list[NDArray[Any]] = []
    pool: list[int] = []
    for s in others:
        hand_rows[s] -= certain[s].astype(np.int8)
        slots += [hand_rows[s], laid_rows[s]]
    if answering and game["mover"] != seat:
        slots.append(last)
    stock_at = int(rule["c_stock"]) + int(game["top"])
    stock = cards[stock_at : stock_at + int(game["stock"])]
    in_stock = np.bincount(stock, minlength=k)
    slots.append(in_stock)
    if r.all_passed == "clear_pile":
        slots.append(counts(other, 0, "aside")[0])
    sizes = [int(slot.sum()) for slot in slots]
    for slot in slots:
        pool += np.repeat(np.arange(k), slot).tolist()
        slot[:] = 0
    dealt = rng.permutation(pool).astype(int).tolist()
    for slot, size in zip(slots, sizes, strict=True):
        for _ in range(size):
            slot[dealt.pop()] += 1
    for s in others:
        hand_rows[s] += certain[s].astype(np.int8)
    if answering and game["mover"] != seat:
        laid_rows[game["mover"]] += last
    for subject in range(n):
        for observer in others:
            known[subject, observer] = rng.integers(0, 3, k)
    stock[:] = rng.permutation(np.repeat(np.arange(k), in_stock))
    deck = cards[rule["c_deck"] : rule["c_deck"] + r.deck_size]
    deck[:] = rng.permutation(deck)
    if r.dropp is not None:
        _other_drops(other, seat, certain, rng)
    if r.call_order == "race" or game["phase"] == VOTE:
        game["callers"] = (int(game["callers"]) & (1 << seat)) | (int(rng.integers(1 << n)) & ~(1 << seat))
    if game["player"] != seat and game["phase"] in (PICK, CLAIM, DROP):
        _repick(other, rng)
    return other


def _other_drops(batch: GameBatch, seat: int, certain: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Other seats have dropped a card more that nobody noticed, and have noticed other things themselves. [D2]"""
    game, rule, cards = batch.games[0], batch.rule[0], batch.cards[0]
    n = batch.rules.players
    for other in range(n):
        if other == seat:
            continue
        notices = int(rule["c_notices"]) + other * n
        cards[notices : notices + n] = rng.integers(0, 20, n)
        hand = counts(batch, 0, "hands", n)[other]
        loose = np.flatnonzero(hand > certain[other])
        if loose.size and game["sizes"][other] > 1 and rng.random() < 0.5:
            kind = int(rng.choice(loose))
            hand[kind] -= 1
            counts(batch, 0, "laps", n)[other, kind] += 1
            game["sizes"][other] -= 1
            game["laps"][other] += 1


def _repick(batch: GameBatch, rng: np.random.Generator) -> None:
    """Another claim, where it is chosen, and another number of picks: nobody else sees them before the play is laid."""
    game, rule = batch.games[0], batch.rule[0]
    if rule["follow_count"][game["last"]] > 1:
        game["phase"] = PICK
        game["claim"] = rng.choice(np.flatnonzero(batch.layout.tables.follows[game["last"]]))
    elif game["phase"] == DROP:
        game["phase"] = PICK  # it has just decided not to drop
        game["claim"] = rule["follow_first"][game["last"]]
    picked = counts(batch, 0, "picked")[0]
    picked[:] = 0
    held = counts(batch, 0, "hands", batch.rules.players)[game["mover"]]
    hand = np.repeat(np.arange(len(held)), held)
    game["count"] = rng.integers(0, min(int(rule["cap"]), len(hand)))
    for kind in rng.choice(hand, game["count"], replace=False):
        picked[kind] += 1
    game["position"] = rng.integers(0, int(rule["claims"]))


@pytest.mark.parametrize("r", _rules(), ids=name)
def test_rearranging_what_a_seat_cannot_know_changes_nothing_it_receives(r: Rules) -> None:
    """[V] neither its observation, nor its mask, nor which seats are asked, at any point of a game."""
    rng = np.random.default_rng(8)
    batch = GameBatch(r, seeds=[6], restart=False)
    checked = 0
    for step in range(400):
        if batch.player[0] < 0:
            break
        if step < 30 or rng.random() < 0.1:
            seat = int(rng.integers(r.players)) if rng.random() < 0.5 else int(batch.player[0])
            other = _rearranged(batch, seat, rng)
            assert (other.observe(seat) == batch.observe(seat)).all()
            assert other.player[0] == batch.player[0] or batch.games["phase"][0] != ANSWER
            if batch.player[0] == seat:
                _same_mask(batch, other)
            _same_seats_asked(batch, other)
            checked += 1
        batch.step(batch.random_actions())
    assert checked > 0


def _same_mask(batch: GameBatch, other: GameBatch) -> None:
    """The mask worked out anew from the rearranged game."""
    other.refresh()
    assert (other.mask == batch.mask).all()


def _same_seats_asked(batch: GameBatch, other: GameBatch) -> None:
    """While all decline, the same seats are asked in both, and the game goes on with the same seat."""
    one, two = (GameBatch(batch.rules, games=1, restart=False) for _ in range(2))
    one.restore(batch.snapshot())
    two.restore(other.snapshot())
    turn = int(one.turns[0])
    while one.games["phase"][0] == ANSWER and one.turns[0] == turn:
        assert two.games["phase"][0] == ANSWER
        assert one.player[0] == two.player[0]
        for b in (one, two):
            b.step([b.layout.actions["decline"].start])
    # What closes the window is public once it is told: answers in a race, and under dropp whether a seat is really out.
    if batch.rules.call_order == "nearest" and batch.rules.dropp is None:
        assert one.player[0] == two.player[0]


def test_picks_and_a_chosen_claim_are_not_seen_by_others_before_the_play_is_laid() -> None:
    """Nobody else sees the steps, only the play."""
    batch = GameBatch("blof_free", seeds=[3], restart=False)
    mover = int(batch.player[0])
    others = [s for s in range(4) if s != mover]
    before = [batch.observe(s).copy() for s in others]
    batch.step([batch.layout.actions["claim"].start + 4])
    batch.step(
        [int(np.flatnonzero(batch.mask[0, batch.layout.actions["card"]])[0]) + batch.layout.actions["card"].start]
    )
    assert batch.player[0] == mover
    for s, seen in zip(others, before, strict=True):
        assert (batch.observe(s) == seen).all()


def test_a_set_of_cards_has_exactly_one_series_of_picks() -> None:
    """Picks never go back in the order that starts at the claimed rank: series of picks are as many as sets."""
    r = Rules(players=2, ranks=4, suits=2, max_cards=3)
    batch = GameBatch(r, seeds=[1], restart=False)
    hand = hands(batch, 0)[batch.player[0]]
    ways = [1, 0, 0, 0]
    for count in hand.tolist():
        ways = [sum(ways[m - t] for t in range(min(count, m) + 1)) for m in range(4)]
    assert _series(batch, int(batch.player[0])) == sum(ways[1:])


def _series(batch: GameBatch, mover: int) -> int:
    if batch.games["phase"][0] != PICK:
        return 1
    found = 0
    for action in np.flatnonzero(batch.mask[0]):
        before = batch.snapshot()
        batch.step([action])
        found += _series(batch, mover)
        batch.restore(before)
    return found


def test_every_number_stays_within_its_highest_value() -> None:
    rng = np.random.default_rng(21)
    for _ in range(20):
        r = random_rules(rng, max_turns=300)
        batch = GameBatch(r, games=4, seed=1)
        for _ in range(200):
            batch.step(batch.random_actions())
            assert (batch.observation >= 0).all()
            assert (batch.observation <= batch.layout.scale).all()
            state = batch.state()
            assert (state >= 0).all()
            assert (state <= batch.layout.state_scale).all()


def test_counts_survive_the_way_to_float_and_back_exactly() -> None:
    batch = GameBatch("blof_two_decks", games=64, seed=2)
    for _ in range(500):
        batch.step(batch.random_actions())
    floats = batch.layout.to_float(batch.observation)
    assert floats.dtype == np.float32
    assert floats.min() >= 0
    assert floats.max() <= 1
    assert (batch.layout.to_counts(floats) == batch.observation).all()


@pytest.mark.parametrize("r", _rules(), ids=name)
def test_what_a_step_brings_up_to_date_is_what_would_be_written_anew(r: Rules) -> None:
    """A seat that goes on deciding gets the same observation and mask as if it saw the game for the first time."""
    batch = GameBatch(r, games=8, seed=3)
    for _ in range(300):
        batch.step(batch.random_actions())
        observation, mask = batch.observation.copy(), batch.mask.copy()
        batch.refresh()
        assert (batch.observation == observation).all()
        assert (batch.mask == mask).all()
