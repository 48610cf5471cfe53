"""Records over the wire: what a page can ask for, and what it cannot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the browser version needs the extra web")

from bluff_agents import load
from bluff_agents.play import Session
from bluff_agents.watch import Shelf
from bluff_agents.web.watching import WatchRoom
from bluff_env import BluffError, Rules
from bluff_env.record import write_records
from web.serving import Tab, let_in, served


def asked(name: str, rules: Rules) -> Any:
    if name == "missing":
        raise BluffError("missing: no such agent")
    return load(name, rules)


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    records = []
    for seed in (1, 2):
        session = Session("tiny", "random", seed=seed)
        while not session.over:
            session.play(0)
        records.append(session.record())
    write_records(tmp_path / "games.jsonl", records)
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write('{"format": "bluff-record/1"}\n')
    room = WatchRoom(Shelf([tmp_path / "games.jsonl"]), ["counter", "missing"], asked, game=1, eyes=0)
    with served(room) as server, Tab(server, let_in(server)) as opened:
        hello = opened.hear()
        assert (hello["mode"], hello["games"], hello["game"], hello["eyes"]) == ("watch", 3, 1, "0")
        yield opened


def test_a_page_gets_outline_positions_and_opinions(tab: Tab) -> None:
    game = tab.ask({"type": "game", "game": 1})
    assert len(game["sizes"]) == game["last"] + 1
    for position in range(game["last"] + 1):
        shown = tab.ask({"type": "show", "game": 1, "position": position, "eyes": "open"})
        assert (shown["position"], shown["last"]) == (position, game["last"])
        said = tab.ask({"type": "opinion", "game": 1, "position": position, "agent": 0})
        assert (said["said"] is None) == (position == game["last"])
    failed = tab.ask({"type": "opinion", "game": 1, "position": 0, "agent": 1})
    assert (failed["said"], failed["failed"]) == (None, "missing: no such agent")


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ({"type": "game", "game": 3}, "game 4 is not allowed; a game from 1 to 3"),
        ({"type": "game", "game": 2}, "games.jsonl:3: rules: missing"),
        ({"type": "game", "game": -1}, "from 0"),
        ({"type": "show", "game": 0, "position": 10**6, "eyes": "open"}, "position 1000000: from 0 to"),
        ({"type": "show", "game": 0, "position": 0, "eyes": "2"}, "open or a seat expected"),
        ({"type": "show", "game": 0, "position": 0, "eyes": "-1"}, "open or a seat expected"),
        ({"type": "show", "game": 0, "position": 0, "eyes": "²"}, "open or a seat expected"),
        ({"type": "opinion", "game": 0, "position": 0, "agent": 2}, "one of 2 expected"),
        ({"type": "opinion", "game": 0, "position": 0, "agent": "os:system"}, "a whole number expected"),
        ({"type": "move", "at": 0, "move": "call"}, "one of game, show, opinion expected"),
    ],
)
def test_what_is_not_there_is_refused_and_the_page_goes_on(tab: Tab, message: Any, complaint: str) -> None:
    refused = tab.ask(message)
    assert refused["type"] == "error"
    assert complaint in refused["text"]
    assert tab.ask({"type": "game", "game": 0})["type"] == "game"


def test_a_seat_s_view_over_the_wire_holds_one_hand(tab: Tab) -> None:
    opened = tab.ask({"type": "show", "game": 0, "position": 0, "eyes": "open"})
    begin = len(tab.received)
    shown = tab.ask({"type": "show", "game": 0, "position": 0, "eyes": "1"})
    assert shown["hands"] == [None, opened["hands"][1]]
    assert json.dumps(opened["hands"][0], separators=(",", ":")).encode() not in tab.received[begin:]
