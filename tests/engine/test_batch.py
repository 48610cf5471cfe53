"""GameBatch: seeds, deals, rows left alone, snapshots, threads, errors."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bluff_env import BluffError, GameBatch, Rules
from bluff_env.record import check_record
from helpers import name, named_rules, played, random_rules

seeds_ = st.integers(0, 2**53 - 1)


def _all_cards(batch: GameBatch) -> NDArray[np.int64]:
    """(N, K) every card there is: hands, pile, laps, cleared piles, stock, the start card turned or in the pile. Each
    kind but the joker has as many copies as any other, so the relative order does not matter.
    """
    state, at = batch.state().astype(np.int64), batch.layout.state_pieces
    k = len(batch.layout.tables.kinds)
    pieces = ("hands", "laid_in_pile", "laps", "aside", "stock", "start_card")
    return np.sum([state[:, at[p]].reshape(len(batch), -1, k).sum(1) for p in pieces if p in at], axis=0)


@settings(max_examples=40, deadline=None)
@given(seed=seeds_, rules_seed=st.integers(0, 10**6))
def test_no_card_is_lost_or_made_and_somebody_can_always_move(seed: int, rules_seed: int) -> None:
    r = random_rules(np.random.default_rng(rules_seed), max_turns=60)
    batch = GameBatch(r, games=3, seed=seed, restart=False)
    for _ in range(400):
        assert (_all_cards(batch) == batch.layout.tables.deck).all()
        going = batch.player >= 0
        assert (batch.mask.any(axis=1) == going).all()
        if not going.any():
            break
        batch.step(batch.random_actions())


@settings(max_examples=30, deadline=None)
@given(seed=seeds_, rules_seed=st.integers(0, 10**6))
def test_rewards_are_as_the_rules_say(seed: int, rules_seed: int) -> None:
    """[E3] zero_sum sums to zero; win_loss and win; 0 to all when cut off [E2]."""
    r = random_rules(np.random.default_rng(rules_seed), max_turns=30)
    batch = GameBatch(r, games=4, seed=seed, restart=False)
    for _ in range(2000):
        actions = batch.random_actions()
        if (actions < 0).all():
            break
        rewards, done = batch.step(actions)
        assert not rewards[~done].any()
        for row in np.flatnonzero(done):
            winner, got = int(batch.winner[row]), rewards[row]
            if batch.cut_off[row]:
                assert winner == -1
                assert not got.any()
                continue
            others = {"zero_sum": -1 / (r.players - 1), "win_loss": -1.0, "win": 0.0}[r.rewards]
            assert got[winner] == 1
            assert np.allclose(np.delete(got, winner), others)
            if r.rewards == "zero_sum":
                assert abs(got.sum()) < 1e-5


def _trail(batch: GameBatch, row: int, steps: int) -> list[bytes]:
    """What a row shows, step by step."""
    seen = []
    for _ in range(steps):
        seen.append(batch.observation[row].tobytes() + batch.mask[row].tobytes() + bytes([batch.player[row] + 1]))
        batch.step(batch.random_actions())
    return seen


@pytest.mark.parametrize("r", named_rules()[::2], ids=name)
def test_the_same_seed_is_the_same_game_alone_in_seven_and_in_a_thousand(r: Rules) -> None:
    alone = GameBatch(r, seeds=[77])
    seven = GameBatch(r, seeds=[5, 4, 77, 3, 2, 1, 0])
    thousand = GameBatch(r, seeds=[*range(1000, 1600), 77, *range(2000, 2399)])
    trail = _trail(alone, 0, 400)
    assert _trail(seven, 2, 400) == trail
    assert _trail(thousand, 600, 400) == trail


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameBatch, "rows_a_thread", 1)
    one, two, five = (GameBatch("blof_free", games=33, seed=4, threads=t) for t in (1, 2, 5))
    for _ in range(300):
        actions = one.random_actions()
        for batch in (two, five):
            assert (batch.random_actions() == actions).all()
            rewards, done = batch.step(actions)
        rewards, done = one.step(actions)
        assert (two._rewards == rewards).all()
        assert (five._done == done).all()
        for batch in (two, five):
            assert (batch.observation == one.observation).all()
            assert (batch.mask == one.mask).all()


def test_rows_left_alone_do_not_change() -> None:
    batch = GameBatch("bloff", games=6, seed=1)
    for _ in range(50):
        actions = batch.random_actions()
        actions[[1, 4]] = -1
        before = batch.snapshot()
        rewards, done = batch.step(actions)
        for row in (1, 4):
            assert batch.games[row] == before.games[row]
            assert (batch.cards[row] == before.cards[row]).all()
            assert not done[row]
            assert not rewards[row].any()


def test_restart_begins_the_next_game_in_the_same_step_and_without_it_a_finished_row_rests() -> None:
    on, off = GameBatch("tiny", games=1, seeds=[3]), GameBatch("tiny", seeds=[3], restart=False)
    following = int(on.games["next_seed"][0])
    while True:
        actions = off.random_actions()
        rewards, done = off.step(actions)
        rewards_on, done_on = on.step(actions)
        assert (rewards == rewards_on).all()
        assert done[0] == done_on[0]
        assert off.cut_off[0] == on.cut_off[0]
        if done[0]:
            break
    assert off.player[0] == -1
    assert not off.mask.any()
    assert on.seed[0] == following
    assert (on.observation == GameBatch("tiny", seeds=[following]).observation).all()
    off.reset()
    assert (off.observation == on.observation).all()
    with pytest.raises(BluffError, match="only -1"):
        GameBatch.step(played(off), [0])


def test_a_cut_off_is_marked_only_after_the_step_that_made_it() -> None:
    """[E2]"""
    batch = GameBatch("tiny", games=50, seed=2)
    cut = 0
    for _ in range(200):
        _, done = batch.step(batch.random_actions())
        assert not (batch.cut_off & ~done).any()
        cut += int(batch.cut_off.sum())
    assert cut > 0


@settings(max_examples=25, deadline=None)
@given(seed=seeds_, rules_seed=st.integers(0, 10**6), first=st.integers(0, 60))
def test_snapshot_restore_continue_equals_continue(seed: int, rules_seed: int, first: int) -> None:
    r = random_rules(np.random.default_rng(rules_seed), max_turns=50)
    batch = GameBatch(r, games=3, seed=seed)
    for _ in range(first):
        batch.step(batch.random_actions())
    snapshot = batch.snapshot()
    trails = []
    for other in (batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch)), GameBatch(r, games=3, seed=0)):  # noqa: S301
        other.restore(pickle.loads(pickle.dumps(snapshot)))  # noqa: S301  # our own snapshot
        trails.append(_trail(other, 1, 80))
    assert all(trail == trails[0] for trail in trails)


def test_given_deals_are_dealt_and_survive_in_records() -> None:
    """[C1] a deal as game records write it."""
    source = GameBatch("bluff", games=5, seed=8, restart=False).records()
    deals = [{k: v for k, v in record["deals"][0].items() if k != "events"} for record in source]
    for record, deal in zip(GameBatch("bluff", games=5, deals=deals).records(), deals, strict=True):
        assert {k: v for k, v in record["deals"][0].items() if k != "events"} == deal
        assert record["seed"] is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dealer": 2}, "dealer 2; a seat from 0 to 1"),
        ({"dealer": None}, "dealer missing"),
        ({"opener": 1}, "opener 1; with first_player dealer_left it is 0"),
        ({"hands": [["A", "A", "2"]]}, "1 hands; 2 lists"),
        ({"hands": [["A", "A", "2", "3"], ["3", "2"]]}, "has 4 cards; dealt from dealer 1 it has 3"),
        ({"hands": [["A", "A", "2"], ["3", "3", "9"]]}, "'9' is not in this deck"),
        ({"hands": [["A", "A", "2"], ["3", "3", "3"]]}, "1 cards 2; the deck has 2"),
        ({"cards": []}, "unknown key 'cards'"),
    ],
)
def test_a_deal_the_rules_could_not_have_dealt_is_refused_and_nothing_changes(
    changes: dict[str, Any], message: str
) -> None:
    good = {"dealer": 1, "hands": [["A", "A", "2"], ["3", "3", "2"]], "stock": []}
    batch = GameBatch("tiny", deals=[good])
    before = batch.observation.copy()
    with pytest.raises(BluffError, match=message):
        batch.reset(deals=[{**good, **changes}])
    assert (batch.observation == before).all()


def test_an_illegal_action_names_the_row_and_changes_no_row() -> None:
    batch = GameBatch("bloff", games=5, seed=1)
    actions = batch.random_actions()
    actions[3] = batch.layout.actions["call"].start
    before = batch.snapshot()
    with pytest.raises(ValueError, match=r"row 3: action 1 \(call\) is not legal for player_\d; legal: .*pick"):
        batch.step(actions)
    assert (batch.games == before.games).all()
    for wrong in (16, -2, 10**9):
        actions[3] = wrong
        with pytest.raises(ValueError, match=f"row 3: action {wrong} is not legal"):
            batch.step(actions)
    for shape in ([0, 1], np.zeros(5), [[0]] * 5):
        with pytest.raises(ValueError, match="whole numbers expected"):
            batch.step(shape)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games: 0"),
        ({"threads": 0}, "threads: 0"),
        ({"seed": -1}, "seeds: -1"),
        ({"seed": 2**53}, "0 to 9007199254740991 allowed"),
        ({"games": 3, "seeds": [1, 2]}, r"\(3,\) whole numbers expected"),
        ({"games": 2, "seeds": [0.5, 1.5]}, "whole numbers expected"),
    ],
)
def test_wrong_arguments_get_one_clear_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BluffError, match=message) as error:
        GameBatch("bloff", **arguments)
    assert "\n" not in str(error.value)


def test_a_random_action_is_uniform_over_the_legal_ones() -> None:
    batch = GameBatch("bloff", games=20_000, seed=1)
    picks = batch.random_actions()
    assert batch.mask[np.arange(20_000), picks].all()
    share = (picks[:, None] == np.arange(16)).mean(0)
    expected = (batch.mask / batch.mask.sum(1, keepdims=True)).mean(0)
    assert np.abs(share - expected).max() < 0.012


def test_the_deal_is_uniform() -> None:
    """[C1] each card is as likely in each hand, each seat as likely the dealer."""
    batch = GameBatch("tiny", games=30_000, seed=3)
    dealers = np.bincount(batch.games["dealer"], minlength=2) / 30_000
    assert np.abs(dealers - 0.5).max() < 0.012
    held = batch.state()[:, batch.layout.state_pieces["hands"]].reshape(-1, 2, 3)
    # 6 cards, 3 a hand: a hand holds both of a rank with chance 1/5
    assert np.abs((held == 2).mean(0) - 0.2).max() < 0.012


def test_memory_for_a_game_stays_below_four_kibibytes() -> None:
    batch = GameBatch("bloff", games=1000)
    arrays = (batch.games, batch.cards, batch._logs.at_hand, batch.observation, batch.mask)
    assert sum(a.nbytes for a in arrays) / 1000 < 4096


def test_a_mask_of_rows_means_the_rows_that_are_true() -> None:
    """`batch.reset(rows=done)` deals anew where games have ended, and nowhere else."""
    batch = GameBatch("bloff", games=4, seed=1, restart=False)
    for _ in range(20):
        batch.step(batch.random_actions())
    batch.reset(rows=np.array([False, False, True, False]))
    assert batch.steps.tolist() == [20, 20, 0, 20]
    assert len(batch.observe(0, rows=[True, False, False, True])) == 2
    for rows in ([0.9], [[0]], [True, False], [4], [-1]):
        with pytest.raises(BluffError, match="rows: "):
            batch.reset(rows=rows)


def test_seats_and_outputs_of_the_wrong_shape_or_kind_are_refused() -> None:
    batch = GameBatch("bloff", games=2)
    for seats in ([0, 1, 2], 1.7, [0.0, 1.0], 4, -1):
        with pytest.raises(BluffError, match="seats: "):
            batch.observe(seats)
    for out in (np.zeros(3, np.int64), np.zeros(2, np.int32), np.zeros(4, np.int64)[::2]):
        with pytest.raises(BluffError, match="out: "):
            batch.random_actions(out)


def test_actions_of_any_whole_number_form_are_taken_and_none_of_them_twice_compiled() -> None:
    from bluff_env.engine import rows as compiled

    forms = []
    for form in range(5):
        batch = GameBatch("bloff", games=3, seed=1)
        actions = batch.random_actions()
        read_only = actions.copy()
        read_only.flags.writeable = False
        wide = np.repeat(actions, 2)
        batch.step([actions.tolist(), actions.astype(np.uint8), read_only, wide[::2], actions.astype(np.uint64)][form])
        forms.append(batch.observation.tobytes())
    assert len(set(forms)) == 1
    assert len(compiled.step_rows.signatures) == 1
    with pytest.raises(BluffError, match="is not legal"):
        batch.step(np.full(3, 2**64 - 1, np.uint64))


def test_without_a_seed_every_row_is_a_game_of_its_own() -> None:
    assert len(set(GameBatch("bloff", games=5, seed=None).seed.tolist())) == 5
    assert GameBatch("bloff", games=5, seed=None).seed[0] != GameBatch("bloff", games=5, seed=None).seed[0]


def test_a_cut_off_of_an_earlier_game_does_not_cling_to_a_row_left_alone() -> None:
    batch = GameBatch("tiny", games=30, seed=2)
    while not batch.cut_off.any():
        batch.step(batch.random_actions())
    batch.step(np.full(30, -1))
    assert not batch.cut_off.any()


def test_a_threaded_batch_goes_on_in_a_forked_process(monkeypatch: pytest.MonkeyPatch) -> None:
    import multiprocessing

    monkeypatch.setattr(GameBatch, "rows_a_thread", 1)
    batch = GameBatch("bloff", games=6, seed=1, threads=2)
    batch.step(batch.random_actions())
    context = multiprocessing.get_context("fork")
    child = context.Process(target=batch.step, args=(batch.random_actions(),))
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_long_games_are_told_whole_from_any_snapshot_on() -> None:
    """A row keeps the end of its log at hand; records, snapshots and copies hold all of it."""
    batch = GameBatch("bloff", games=4, seed=5, restart=False)
    later = GameBatch("bloff", games=4, restart=False)
    for step in range(6000):
        batch.step(batch.random_actions())
        if step == 1500:
            later.restore(batch.snapshot())
            twin = copy.deepcopy(batch)
    longest = int(batch.steps.argmax())
    assert batch.steps[longest] > 1500
    assert batch.games["log_begin"][longest] > 0
    for other in (later, twin):
        while (other.player >= 0).any():
            other.step(other.random_actions())
        assert other.records() == batch.records()
    for record in batch.records():
        check_record(record)


def test_a_copy_is_a_batch_of_its_own() -> None:
    batch = GameBatch("bloff", games=40, seed=1)
    twin = copy.copy(batch)
    for _ in range(600):  # until logs have grown
        batch.step(batch.random_actions())
    for _ in range(600):
        twin.step(twin.random_actions())
    assert twin.records() == batch.records()


def test_a_batch_pickled_into_read_only_memory_is_copied_out_of_it() -> None:
    batch = GameBatch("bloff", games=3, seed=1)
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(batch, protocol=5, buffer_callback=buffers.append)
    frozen = [bytes(buffer.raw()) for buffer in buffers]
    kept = [bytes(bytearray(buffer)) for buffer in frozen]
    twin = pickle.loads(data, buffers=frozen)  # noqa: S301  # its own
    for _ in range(50):
        twin.step(twin.random_actions())
        batch.step(batch.random_actions())
    assert frozen == kept
    assert (twin.observation == batch.observation).all()


@pytest.mark.parametrize("name", ["observation", "mask", "games", "cards", "restart", "threads"])
def test_what_a_batch_was_made_with_cannot_be_replaced(name: str) -> None:
    batch = GameBatch("bloff", games=3)
    with pytest.raises(AttributeError, match=f"GameBatch.{name} is fixed when the batch is made"):
        setattr(batch, name, getattr(batch, name))


@pytest.mark.parametrize("row", [3, -1, 10**9])
def test_a_row_that_is_not_there_is_refused_wherever_one_is_asked_for(row: int) -> None:
    batch = GameBatch("bloff", games=3)
    for ask in (batch.rewards_so_far, batch.events, batch.trace, batch.snapshot):
        with pytest.raises(BluffError, match="rows: "):
            ask(row)
    with pytest.raises(BluffError, match="actions: "):
        batch.check(np.zeros(2, np.int64))


def test_writing_into_the_mask_changes_no_game() -> None:
    batch, other = (GameBatch("bloff", games=3, seed=1) for _ in range(2))
    batch.mask[:] = True
    assert (batch.random_actions() == other.random_actions()).all()
    with pytest.raises(BluffError, match="is not legal") as error:
        batch.step(np.full(3, batch.layout.actions["decline"].start))
    assert "legal: " in str(error.value)
    assert "(decline)" not in str(error.value).partition("legal: ")[2]
    batch.refresh()
    assert (batch.mask == other.mask).all()
