"""RECORD.md: what is written is read back the same, gaps are filled, and a position can be resumed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import bluff_env
import referee
from bluff_env import Game, GameBatch
from bluff_env.reading import game_of
from bluff_env.record import FORMAT, check_record, read_records, write_records
from records.common import RULES, Record, played, said_by_reader, said_by_referee, some_records, two_turns

GAPS = ("truthful", "wrong", "pile", "drawn", "guilty", "back", "next")


def with_gaps(record: Record) -> Record:
    """Without anything that the rules say anyway."""
    record = copy.deepcopy(record)
    for deal in record["deals"]:
        for event in deal["events"]:
            for key in GAPS if "start" not in event else ():
                event.pop(key, None)
            if not event.get("given"):  # what chance or the giver decided stays
                event.pop("given", None)
        if any("seat" in event for event in deal["events"]) or record["rules"]["first_player"] == "dealer_left":
            del deal["opener"]
        if not deal["stock"]:
            del deal["stock"]
        if "end" in deal:
            deal["end"] = {}
    for key in ("name", "seed", "seats", "result"):
        del record[key]
    record["rules"] = {key: value for key, value in record["rules"].items() if value != DEFAULTS[key]}
    return record


def in_order(record: Record) -> Record:
    """With the cards drawn in one order; they were drawn in that of the stock, and a reader may write any."""
    for deal in record["deals"]:
        for event in deal["events"]:
            event.update({key: sorted(event[key]) for key in ("drawn", "given", "back") if key in event})
    return record


DEFAULTS = bluff_env.Rules().to_dict()


@pytest.mark.parametrize("record", some_records())
def test_what_was_written_is_read_back_the_same_by_both_readers(record: Record) -> None:
    assert check_record(record) == record
    assert referee.replay(record) == record
    assert check_record(json.loads(json.dumps(record))) == record


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_named_sets_are_written_whole_and_read_back(name: str) -> None:
    batch = GameBatch(bluff_env.rules(name, max_turns=40), games=20, seed=3, restart=False)
    while (batch.player >= 0).any():
        batch.step(batch.random_actions())
    for record in batch.records():
        assert set(record) == {"format", "rules", "name", "seed", "seats", "deals", "result"}
        assert record["format"] == FORMAT == "bluff-record/1"
        assert record["rules"] == bluff_env.rules(name, max_turns=40).to_dict()
        assert check_record(record) == record == referee.replay(record)


@pytest.mark.parametrize("record", some_records())
def test_gaps_are_filled_as_the_rules_say(record: Record) -> None:
    filled = check_record(with_gaps(record))
    assert filled == {**record, "name": None, "seed": None}
    assert in_order(referee.replay(with_gaps(record))) == in_order(filled)


def test_reading_does_not_change_what_was_read() -> None:
    record = with_gaps(two_turns())
    before = copy.deepcopy(record)
    check_record(record)
    assert record == before


def test_suits_are_accepted_and_ignored_and_the_order_of_cards_is_kept() -> None:
    hands = [["3", "AS", "A"], ["2H", "3C", "2"]]
    deal = {"dealer": 1, "hands": hands, "events": [{"seat": 0, "claim": "A", "play": ["3D", "A"]}]}
    record = {"format": FORMAT, "rules": {"players": 2, "ranks": 3, "suits": 2}, "deals": [deal]}
    filled = check_record(record)
    assert filled == referee.replay(record)
    assert filled["deals"][0]["hands"] == [["3", "A", "A"], ["2", "3", "2"]]
    assert filled["deals"][0]["events"][0]["play"] == ["3", "A"]


def test_a_stock_is_read_in_its_order() -> None:
    record = played({"players": 2, "ranks": 4, "suits": 2, "hand_size": 2}, seed=3, steps=0)
    assert len(record["deals"][0]["stock"]) == 4
    record["deals"][0]["stock"].reverse()
    assert check_record(record) == record


def test_the_opener_may_be_left_out_once_somebody_has_moved_or_where_it_is_fixed() -> None:
    moved = played(RULES[3], seed=2, steps=6)
    opener = moved["deals"][0].pop("opener")
    assert check_record(moved)["deals"][0]["opener"] == opener
    fixed = played(RULES[0], seed=2, steps=0)
    del fixed["deals"][0]["opener"]
    assert check_record(fixed)["deals"][0]["opener"] == (fixed["deals"][0]["dealer"] + 1) % 2
    nobody = played(RULES[3], seed=2, steps=0)
    del nobody["deals"][0]["opener"]
    assert said_by_reader(nobody)[0] == said_by_referee(nobody)[0] == (0, None)


def test_a_record_whose_last_event_ends_the_game_is_over_without_being_told() -> None:
    record = two_turns()
    del record["deals"][0]["end"], record["result"]
    assert check_record(record) == two_turns()


# ---- positions ----


def test_in_a_position_an_open_call_window_is_asked_from_its_first_seat() -> None:
    game = Game("bloff", seed=4)
    claim = game.view(game.turn or 0).to_claim[0]
    mover = game.turn or 0
    game.push(f"{claim}:{game.view(mover).hand[0]}")
    game.push("decline")
    game.push("decline")
    resumed = game_of(game.record())
    assert (resumed.turn, resumed.deciding) == ((mover + 1) % 4, "answer")
    assert resumed.record()["deals"] == game.record()["deals"]


@pytest.mark.parametrize("fields", RULES)
def test_a_position_is_resumed_and_played_on_as_if_never_left(fields: Record) -> None:
    for steps in (0, 4, 11, 25):
        record = played(fields, seed=9, steps=steps)
        if record["result"]:
            continue
        game = game_of(record)
        dealt = {key: record["deals"][0][key] for key in ("dealer", "opener", "hands", "stock")}
        again = Game(game.rules, seed=0, deal=dealt)
        for event in record["deals"][0]["events"]:
            again.push(event)
        if len(record["deals"]) > 1:  # later deals are given, too
            again = game_of(json.loads(json.dumps(record)))
        while not game.over:
            move = next(iter(game.legal_moves))
            assert move in again.legal_moves
            game.push(move)
            again.push(move)
            for seat in range(game.rules.players):
                assert game.view(seat) == again.view(seat)
                assert (game.observe(seat)["observation"] == again.observe(seat)["observation"]).all()
        assert game.record() == {**again.record(), "name": game.record()["name"]}
        assert check_record(game.record()) == referee.replay(game.record()) == game.record()


def test_a_finished_record_gives_a_game_that_is_over() -> None:
    game = game_of(two_turns())
    assert (game.over, game.winner, game.turn) == (True, 1, None)


def test_an_end_says_that_nobody_called_the_last_play() -> None:
    record = two_turns()
    record["deals"][0]["events"].pop()
    assert check_record(record)["result"] == two_turns()["result"]
    for reader in (check_record, referee.replay):
        open_window = copy.deepcopy(record)
        del open_window["deals"][0]["end"]
        open_window["result"] = None
        filled = reader(open_window)
        assert filled["result"] is None
        assert "end" not in filled["deals"][0]


# ---- what a record says of a game ----


def test_a_records_seed_deals_the_same_hands() -> None:
    for fields in RULES:
        record = played(fields, seed=77)
        again = Game(record["rules"], seed=record["seed"]).record()["deals"][0]
        for key in ("dealer", "opener", "hands", "stock"):
            assert again[key] == record["deals"][0][key]


def test_not_calling_is_no_event() -> None:
    batch = GameBatch("bloff", seeds=[2], restart=False)
    declined = 0
    for _ in range(60):
        action = int(batch.random_actions()[0])
        declined += batch.action_text(action) == "decline"
        batch.step([action])
    assert declined > 5
    for event in batch.records()[0]["deals"][0]["events"]:
        assert ("play" in event) != ("call" in event)


def test_a_cut_off_is_recorded_with_no_winner() -> None:
    """[E2]"""
    record = played({"players": 3, "max_turns": 1}, seed=1)
    assert record["deals"][0]["end"] == {"winner": None, "cut_off": True}
    assert record["result"] == {"winner": None, "scores": [0, 0, 0], "rewards": [0.0, 0.0, 0.0], "cut_off": True}


@pytest.mark.parametrize(("rewards", "paid"), [("zero_sum", -1 / 3), ("win_loss", -1.0), ("win", 0.0)])
def test_rewards_are_written_unrounded(rewards: Any, paid: float) -> None:
    """[E3]"""
    for seed in range(20):
        result = played({"players": 4, "ranks": 4, "rewards": rewards}, seed)["result"]
        if result["winner"] is not None:
            assert result["rewards"] == [1.0 if seat == result["winner"] else paid for seat in range(4)]
            assert result["scores"] == [int(seat == result["winner"]) for seat in range(4)]
            return
    pytest.fail("no game ended")


def test_the_name_is_what_the_rules_were_called() -> None:
    for name in bluff_env.rule_names():
        assert Game(name, seed=1).record()["name"] == name
        assert GameBatch(name, seed=1).records()[0]["name"] == name
    assert Game("bloff", seed=1, max_cards=1).record()["name"] is None  # house rules
    assert Game({"base": "blof_free", "max_cards": 1}, seed=1).record()["name"] is None


# ---- files ----


def test_records_come_back_from_a_file(tmp_path: Any) -> None:
    records = some_records()
    path = tmp_path / "games.jsonl"
    assert write_records(path, records) == len(records)
    assert list(read_records(path)) == records
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(records)
