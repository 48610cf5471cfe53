"""[V] On the wire: what the person's seat may not see never reaches the browser."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the browser version needs the extra web")

import bluff_env
from bluff_agents.agent import Memoryless
from bluff_agents.play import Session
from bluff_agents.web.files import pages
from bluff_agents.web.playing import PlayRoom
from bluff_env import Game
from play.common import Caller, Quiet, two_deals
from web.serving import Tab, get, let_in, served

TABLES = [("bloff", 4), ("bluffstopp_six", 3), ("bluffstopp_dropp", 4)]


def all_bytes(session: Session, moves: list[str] | None, truly: bool = False) -> tuple[bytes, list[str]]:
    """Every byte of page and messages that a browser gets in a game up to its last card, and the moves made.

    Args:
        session: a game that begins.
        moves: what the person does; None: declines, and lays at random.
        truly: lays no bluff, and ends the game where nothing else can be laid.
    """
    rng, done = random.Random(3), list[str]()
    with served(PlayRoom(session, lambda: pytest.fail("no other game"))) as server:
        cookie = let_in(server)
        got = b"".join(get(server, path, Cookie=cookie)[2] for path in sorted(pages()))
        for tab_number in range(2):  # the second is a reload, which is told all that has happened
            with Tab(server, cookie) as tab:
                begin = tab.received.index(b"\r\n\r\n")  # behind what differs by time and key
                tab.hear()
                state = tab.hear()
                while not tab_number and not state["view"]["over"] and len(state["view"]["hand"]) > 1:
                    shown = [move for move in state["view"]["moves"] if not truly or move["true"] in (True, None)]
                    if not shown:
                        break
                    stands = [move["text"] for move in shown if move["kind"] == "decline"]
                    text = moves[len(done)] if moves else (stands or [rng.choice(shown)["text"]])[0]
                    assert tab.ask({"type": "hint", "at": state["at"]})["type"] == "hint"
                    assert tab.ask({"type": "move", "at": state["at"], "move": "give 9"})["type"] == "error"
                    state = tab.ask({"type": "move", "at": state["at"], "move": text})
                    done.append(text)
                got += tab.received[begin:].replace(str(server.port).encode(), b"PORT")
    return got, done


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_two_games_that_differ_in_hidden_cards_alone_are_the_same_bytes_on_the_wire(name: str, players: int) -> None:
    rules = bluff_env.rules(name, players=players, max_turns=24)
    one, other = two_deals(rules, 1, 5)
    assert one != other
    first, moves = all_bytes(Session(rules, Quiet(rules), seat=1, seed=1, deal=one), None)
    second, _ = all_bytes(Session(rules, Quiet(rules), seat=1, seed=1, deal=other), moves)
    assert len(moves) > 3
    assert first == second


def test_what_an_opponent_draws_for_a_wrong_call_is_not_on_the_wire() -> None:
    rules = bluff_env.rules("bluffstopp_six", players=2)
    seat, seed = 0, 3  # the person begins, and can follow the start card truly
    games = [Session(rules, Caller(rules), seat=seat, seed=1, deal=deal) for deal in two_deals(rules, seat, seed)]
    first, moves = all_bytes(games[0], None, truly=True)
    second, _ = all_bytes(games[1], moves, truly=True)
    assert first == second
    drawn = [
        [event["drawn"] for event in game.record()["deals"][0]["events"] if event.get("call") == seat]
        for game in games
    ]  # fmt: skip
    assert [len(cards) for cards in drawn[0]] == [len(cards) for cards in drawn[1]] == [3] * 5
    assert all(sorted(a) != sorted(b) for a, b in zip(*drawn, strict=True))


def test_neither_the_seed_nor_a_record_goes_over_the_wire() -> None:
    session = Session("tiny", "random", seed=1234567890123)
    with served(PlayRoom(session, lambda: session)) as server, Tab(server, let_in(server)) as tab:
        for _ in range(2):
            tab.hear()
        assert b"1234567890123" not in tab.received
        assert b'"hands"' not in tab.received
        assert b'"deals"' not in tab.received


class Clumsy(Memoryless):
    """Plays what is not legal, once it is asked to lay: the engine's complaint names what it might have laid."""

    def __init__(self, rules: Any) -> None:
        super().__init__(rules, "clumsy")

    def choose(self, observation: Any, mask: Any, noise: Any) -> Any:
        legal = mask.argmax(axis=1)
        decline = self.layout.actions["decline"].start
        return np.where(mask[:, decline], decline, mask.argmin(axis=1) if mask.any() else legal)


def test_what_an_agent_fails_at_is_said_in_the_terminal_and_not_in_the_browser(capfd: Any) -> None:
    rules = bluff_env.rules("bloff", players=2)
    deal = Game(rules, seed=2).record()["deals"][0]
    del deal["events"]
    session = Session(rules, Clumsy(rules), seat=(deal["dealer"] + 1) % 2, deal=deal)
    with served(PlayRoom(session, lambda: session)) as server, Tab(server, let_in(server)) as tab:
        tab.hear()
        state = tab.hear()
        for _ in range(2):
            answer = tab.ask({"type": "move", "at": state["at"], "move": state["view"]["moves"][0]["text"]})
            assert answer == {"type": "error", "text": answer["text"]}
            assert "the terminal says what" in answer["text"]
            assert "pick" not in answer["text"]
        assert b"is not legal for player" not in tab.received
    assert "is not legal for player" in capfd.readouterr().err
    assert session.record()["deals"][0]["events"] == []
