"""[V] What a session shows and tells gives nothing away: what the person's seat cannot know changes nothing in it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import bluff_env
from bluff_agents.play import PlayError, Session
from bluff_agents.play.events import Teller
from play.common import Dropper, Quiet, two_deals

TABLES = [("bloff", 4), ("blof_free_pass", 3), ("bluffstopp_six", 3), ("bluffstopp_dropp", 4), ("blof_two_decks", 8)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_two_deals_that_differ_in_hidden_cards_alone_are_shown_alike(name: str, players: int) -> None:
    rules = bluff_env.rules(name, players=players, max_turns=40)
    seat = 1
    deals = two_deals(rules, seat, 5)
    one, other = (Session(rules, Quiet(rules), seat=seat, seed=1, deal=deal) for deal in deals)
    assert deals[0] != deals[1]
    rng, seen = random.Random(3), 0
    while not one.over and len(one.view()["hand"]) > 1:
        shown = json.dumps(one.view())
        assert shown == json.dumps(other.view())
        assert one.explain() == other.explain()
        assert repr(one) == repr(other)
        move = next((m for m in one.moves if m.kind == "decline"), None) or rng.choice(one.moves)
        assert one.play(move) == other.play(move)
        seen += 1
    assert seen > 3
    assert one.record()["deals"] != other.record()["deals"]


def test_drops_that_nobody_notices_change_nothing_that_is_shown() -> None:
    """[D2] Against the same deal without drops, while nobody runs out of cards."""
    base = bluff_env.rules("bluffstopp_dropp", players=3, hand_size=12)
    rules = base.replace(dropp={"penalty": 3, "notice": 0.0, "false_notice": 0.0})
    one, other = (Session(rules, agent(rules), seat=1, seed=4) for agent in (Quiet, Dropper))
    rng, laid = random.Random(3), 0
    while laid < 5:
        assert json.dumps(one.view()) == json.dumps(other.view())
        assert one.hint("counter") == other.hint("counter")
        move = next((m for m in one.moves if m.kind == "decline"), None) or rng.choice(one.moves)
        laid += move.kind == "play"
        assert one.play(move) == other.play(move)
    drops = [sum("drop" in event for event in game.record()["deals"][0]["events"]) for game in (one, other)]
    assert drops[0] == 0
    assert drops[1] >= 8


def told(events: list[dict[str, Any]], seat: int = 0, name: str = "bluffstopp_dropp", **fields: Any) -> Any:
    rules = bluff_env.rules(name, **fields)
    teller = Teller(rules, seat)
    return [teller.tell([event]) for event in events] if fields.get("reveal") else teller.tell(events)


PLAY = {"seat": 1, "claim": "7S", "play": ["7S"]}
CALL = {"seat": 2, "call": 1, "truthful": False, "wrong": 1, "pile": 0, "drawn": ["2S"], "given": ["3H"], "next": 2}
ALIKE = {
    "what another lays": ([PLAY], [{**PLAY, "play": ["2H"]}]),
    "what another draws": ([CALL], [{**CALL, "drawn": ["4S"]}]),
    "what others give each other": ([CALL], [{**CALL, "given": ["4S"]}]),
    "who else noticed a drop": (
        [{"seat": 1, "drop": "2S", "noticed": [0, 2]}, PLAY],
        [{"seat": 1, "drop": "2S", "noticed": [0]}, PLAY],
    ),
    "what was dropped": (
        [{"seat": 1, "drop": "2S", "noticed": [0]}, PLAY],
        [{"seat": 1, "drop": "3H", "noticed": [0]}, PLAY],
    ),
    "whether a notice is a false alarm": (
        [{"seat": 1, "drop": "2S", "noticed": [0]}, {"seat": 1, "pass": True}, {"cleared": 0, "next": 2}],
        [{"seat": 1, "pass": True}, {"alarm": 1, "noticed": [0]}, {"cleared": 0, "next": 2}],
    ),
    "a drop nobody noticed": ([{"seat": 1, "drop": "2S", "noticed": []}, PLAY], [PLAY]),
    "a drop only others noticed": (
        [{"seat": 1, "drop": "2S", "noticed": [2]}, PLAY],
        [PLAY, {"alarm": 1, "noticed": [3]}],
    ),
    "where a start card went": (
        [{"start": "KS", "votes": [True, True, True, False], "back_at": 3}],
        [{"start": "KS", "votes": [True, True, True, False], "back_at": 7}],
    ),
    "what an accused draws": (
        [{"seat": 2, "accuse": 1, "guilty": True, "drawn": ["2S", "3S", "4S"]}],
        [{"seat": 2, "accuse": 1, "guilty": True, "drawn": ["2H", "3H", "4H"]}],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ALIKE)
def test_events_are_told_without_what_the_seat_cannot_know(what: str) -> None:
    one, other = ALIKE[what]
    assert told(one) == told(other)


def test_who_gives_cards_away_sees_which_and_who_gets_cards_sees_them() -> None:
    assert told([CALL], seat=2)[0]["lost"] == ["3H"]
    assert told([CALL], seat=0)[0]["lost"] == told([CALL], seat=1)[0]["lost"] == []
    rules = bluff_env.rules("bluffstopp")
    (event,) = Teller(rules, 1).tell([CALL], gained=["2S", "3H"])
    assert event["gained"] == ["2S", "3H"]
    assert event["words"].endswith("You draw one card; you get one card from seat 2’s hand: 2♠ 3♥.")


def test_cards_turned_for_the_caller_alone_are_seen_by_caller_and_accused_alone() -> None:
    events = [[{**PLAY, "play": [card]}, CALL] for card in ("2H", "3H")]
    for seat, alike in ((0, True), (1, False), (2, False), (3, True)):
        one, other = (told(some, seat, "bluffstopp", reveal="caller") for some in events)
        assert (one == other) == alike, seat
    one, other = (told(some, 3, "bluffstopp") for some in events)
    assert one != other


class Faulty(Quiet):
    """Answers with what is not legal."""

    def choose(self, observation: Any, mask: Any, noise: Any) -> Any:
        return mask.argmin(axis=1)


def test_an_agent_that_breaks_the_rules_does_not_give_its_hand_away() -> None:
    rules = bluff_env.rules("bloff", players=2)

    def begin() -> None:
        Session(rules, Faulty(rules), seed=1).play(0)

    with pytest.raises(PlayError, match=r"seat 1: agent quiet: action .* is not legal for player_1$"):
        begin()


def test_a_seed_is_not_shown_as_it_would_tell_all_hands() -> None:
    session = Session("tiny", "random", seed=123456789)
    assert "123456789" not in json.dumps(session.view()) + json.dumps(session.events)
