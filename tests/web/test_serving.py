"""The server: who is let in, what is refused, and that the game goes on whatever comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the browser version needs the extra web")

import anyio

from bluff_agents.play import Session
from bluff_agents.web.files import pages
from bluff_agents.web.playing import PlayRoom
from bluff_agents.web.server import Server, ServerError
from web.serving import Refused, Tab, get, let_in, path_of, served


def room_of(rules: str = "tiny", seed: int = 1, agents: Any = "random", **fields: Any) -> PlayRoom:
    def deal() -> Session:
        return Session(rules, agents, seed=seed, **fields)

    return PlayRoom(deal(), deal)


@pytest.fixture
def server() -> Iterator[Server]:
    with served(room_of()) as running:
        yield running


def test_the_address_lets_in_one_browser_and_its_reloads(server: Server) -> None:
    assert server.address.startswith("http://127.0.0.1:")
    status, headers, _ = get(server, path_of(server))
    assert (status, headers["location"]) == (303, "/")
    assert {part.strip().lower() for part in headers["set-cookie"].split(";")[1:]} >= {"httponly", "samesite=strict"}
    cookie = headers["set-cookie"].partition(";")[0]
    for _ in range(2):
        status, _, body = get(server, "/", Cookie=cookie)
        assert status == 200
        assert b"<!doctype html>" in body
    assert get(server, path_of(server), Cookie=cookie)[0] == 303
    for stranger in ({}, {"Cookie": cookie[:-1]}, {"Cookie": cookie.replace("=", "x=")}):
        status, headers, _ = get(server, path_of(server), **stranger)
        assert status == 403
        assert "set-cookie" not in headers


@pytest.mark.parametrize("token", ["", "x", "token", "%00", "é", "a" * 5000])
def test_wrong_tokens_let_nobody_in_and_use_nothing_up(server: Server, token: str) -> None:
    path = f"/?token={token}".encode().decode("latin-1") if token.isascii() else "/?token=%C3%A9"
    assert get(server, path)[0] == 403
    assert get(server, path_of(server), method="HEAD")[0] == 303
    assert let_in(server)


def test_without_the_cookie_nothing_is_seen(server: Server) -> None:
    cookie = let_in(server)
    for path in ("/", "/main.js", "/style.css", "/ws", "/nothing"):
        assert get(server, path)[0] == 403
        assert get(server, path, Cookie='bluff=1; bluff_1=x; ;=;"')[0] == 403
    for none in (None, "", "x", cookie[:-2]):
        with pytest.raises(Refused, match="403"):
            Tab(server, none)
    Tab(server, cookie).close()


def test_other_hosts_and_origins_are_refused(server: Server) -> None:
    cookie, port = let_in(server), server.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}"):
        assert get(server, "/", Cookie=cookie, Host=host)[0] == 403
        with pytest.raises(Refused, match="403"):
            Tab(server, cookie, Host=host, Origin=f"http://{host}")
    origins = ("null", "http://evil.example", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", "")
    for origin in (*origins, f"http://localhost:{port}", None):
        with pytest.raises(Refused, match="403"):
            Tab(server, cookie, Origin=origin)
    assert get(server, "/", Cookie=cookie, Origin="http://evil.example")[0] == 403
    with pytest.raises(Refused, match="403"):
        Tab(server, cookie, path="/main.js")


@pytest.mark.parametrize(
    "path",
    ["/server.py", "/static/main.js", "/../server.py", "/static/../server.py", "/%2e%2e/server.py", "//etc/passwd",
     "/..%2fserver.py", "/main.js/", "/index.html", "/main.js%00", "/\\main.js", "/.", "/__init__.py"],
)  # fmt: skip
def test_paths_outside_the_pages_lead_nowhere(server: Server, path: str) -> None:
    assert get(server, path, Cookie=let_in(server))[0] == 404


def test_only_reading_is_allowed(server: Server) -> None:
    cookie = let_in(server)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"):
        assert get(server, "/", method=method, Cookie=cookie)[0] in (400, 405)


def test_the_page_may_load_nothing_from_elsewhere_and_is_framed_by_nobody(server: Server) -> None:
    cookie = let_in(server)
    for path in ("/", "/main.js", "/nothing"):
        _, headers, _ = get(server, path, Cookie=cookie)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert "text/javascript" in get(server, "/main.js", Cookie=cookie)[1]["content-type"]


def test_the_files_of_the_page_name_no_other_host() -> None:
    named = {"http://www.w3.org/2000/svg"}
    for path, (content, _) in pages().items():
        text = content.decode()
        for known in named:
            text = text.replace(known, "")
        assert "https://" not in text, path
        assert "http://" not in text, path
        assert "//cdn" not in text, path
        assert "innerHTML" not in text, path


MALFORMED = {
    "no JSON": "{",
    "no object": "[1]",
    "nothing": "",
    "a number": "7",
    "deep": "[" * 1900,
    "not a number": '{"type":"hint","at":NaN}',
    "an unknown type": {"type": "deal", "at": 0},
    "a type that is no text": {"type": ["move"], "at": 0},
    "no type": {"at": 0},
    "a key too many": {"type": "hint", "at": 0, "agent": "os:system"},
    "a key too few": {"type": "move", "at": 0},
    "a key twice": '{"type":"hint","at":0,"at":0}',
    "a number as a text": {"type": "hint", "at": "0"},
    "true as a number": {"type": "hint", "at": True},
    "half a number": {"type": "hint", "at": 0.0},
    "below zero": {"type": "hint", "at": -1},
    "beyond numbers": {"type": "hint", "at": 2**60},
    "a move that is no text": {"type": "move", "at": 0, "move": 0},
    "a long move": {"type": "move", "at": 0, "move": "A" * 301},
    "a large message": " " * 2001,
    "a move that is none": {"type": "move", "at": 0, "move": "fold"},
    "a seat that is not there": {"type": "move", "at": 0, "move": "accuse 99999999999"},
    "an empty move": {"type": "move", "at": 0, "move": ""},
    "signs": {"type": "move", "at": 0, "move": "\u0000\ud83c\u202e:♠"},
    "out of turn": {"type": "move", "at": 3, "move": "decline"},
    "again too early": {"type": "again", "at": 0},
    "undo where it is not allowed": {"type": "undo", "at": 0},
}


def test_whatever_comes_is_answered_with_one_line_and_the_game_goes_on(server: Server) -> None:
    with Tab(server, let_in(server)) as tab:
        assert tab.hear()["type"] == "hello"
        state = tab.hear()
        for what, message in MALFORMED.items():
            answer = tab.ask(message)
            assert answer["type"] == "error", what
            assert "\n" not in answer["text"], what
            assert "Traceback" not in answer["text"], what
            if what == "out of turn":
                assert tab.hear()["at"] == 0
        tab.send_frame(2, b"\x00\x01")
        assert tab.hear()["type"] == "error"
        assert tab.silent()
        after = tab.ask({"type": "move", "at": 0, "move": state["view"]["moves"][0]["text"]})
        assert (after["type"], after["at"]) == ("state", 1)


def test_huge_frames_and_bad_bytes_close_the_connection_and_the_game_goes_on(server: Server) -> None:
    cookie = let_in(server)
    with Tab(server, cookie) as tab:
        tab.send_frame(1, b"x" * 100_000)
        assert tab.closed() == 1009
    with Tab(server, cookie) as tab:
        tab.send_frame(1, b"\xff\xfe")
        assert tab.closed() in (1003, 1007)
    with Tab(server, cookie) as tab:
        tab.send_frame(3, b"x")
        assert tab.closed() == 1002
    with Tab(server, cookie) as tab:
        assert [tab.hear()["type"] for _ in range(2)] == ["hello", "state"]


def test_a_second_click_or_tab_cannot_play_twice_and_all_tabs_see_the_move(server: Server) -> None:
    cookie = let_in(server)
    with Tab(server, cookie) as one, Tab(server, cookie) as other:
        for tab in (one, other):
            assert [tab.hear()["type"] for _ in range(2)] == ["hello", "state"]
        move = server.room.session.moves[0]  # type: ignore[attr-defined]
        message = {"type": "move", "at": 0, "move": str(move)}
        seen = one.ask(message)
        assert seen == other.hear()
        assert seen["at"] == 1
        assert one.ask(message)["type"] == "error"
        assert one.hear()["at"] == 1
        assert other.silent()


def test_a_reload_comes_back_to_the_game_with_all_that_has_happened() -> None:
    with served(room_of("bloff", agents="counter")) as server:
        cookie = let_in(server)
        with Tab(server, cookie) as tab:
            tab.hear()
            state = tab.hear()
            for at in range(3):
                state = tab.ask({"type": "move", "at": at, "move": state["view"]["moves"][0]["text"]})
        with Tab(server, cookie) as tab:
            assert tab.hear()["mode"] == "play"
            again = tab.hear()
        assert again["view"] == state["view"]
        assert again["log"] == server.room.session.events  # type: ignore[attr-defined]
        assert (again["at"], again["fresh"]) == (3, [])


def test_a_whole_game_its_summary_and_another_one_after_it() -> None:
    room = room_of("bluffstopp", agents="honest", players=2)
    with served(room) as server, Tab(server, let_in(server)) as tab:
        tab.hear()
        state = tab.hear()
        while not state["view"]["over"]:
            assert state["summary"] is None
            move = state["view"]["moves"][0]["text"]
            state = tab.ask({"type": "move", "at": state["at"], "move": move})
        assert state["summary"]["winner"] == state["view"]["winner"]
        assert tab.ask({"type": "move", "at": state["at"], "move": "call"})["type"] == "error"
        assert tab.ask({"type": "hint", "at": state["at"]})["type"] == "error"
        fresh = tab.ask({"type": "again", "at": state["at"]})
        assert (fresh["view"]["turns"], fresh["log"], fresh["summary"]) == (0, [], None)
        assert [record["result"] is None for record in room.records()] == [False, True]


def test_hints_and_undo() -> None:
    room = room_of("bloff", agents="counter", practice=True)
    with served(room) as server, Tab(server, let_in(server)) as tab:
        tab.hear()
        state = tab.hear()
        hint = tab.ask({"type": "hint", "at": 0})
        assert hint["type"] == "hint"
        assert sum(move["chance"] for move in hint["moves"]) + hint["rest"] == pytest.approx(1)
        after = tab.ask({"type": "move", "at": 0, "move": hint["moves"][0]["text"]})
        back = tab.ask({"type": "undo", "at": 1})
        assert back["view"] == state["view"]
        assert back["at"] == 2
        assert back["log"] == state["log"]
        again = tab.ask({"type": "move", "at": 2, "move": hint["moves"][0]["text"]})
        assert again["fresh"] == after["fresh"]


def test_messages_are_answered_in_turn_however_fast_they_come(server: Server) -> None:
    with Tab(server, let_in(server)) as tab:
        for _ in range(2):
            tab.hear()
        for number in range(50):
            tab.send({"type": "hint", "at": 100 + number})
        for _ in range(50):
            assert tab.hear()["type"] == "error"
            assert tab.hear()["type"] == "state"


def test_whom_hints_cannot_be_had_from_is_said_on_the_page() -> None:
    session = Session("tiny", "random", seed=1)
    with served(PlayRoom(session, lambda: session, "ismcts")) as server, Tab(server, let_in(server)) as tab:
        tab.hear()
        answer = tab.ask({"type": "hint", "at": tab.hear()["at"]})
        assert answer["type"] == "error"
        assert answer["text"].startswith("ismcts: searches for every decision, too slowly to tell its chances")


def test_half_a_character_in_a_name_is_shown_and_the_tab_stays() -> None:
    session = Session("tiny", "random", seed=1)
    session.seats[1] = "half \ud800"
    with served(PlayRoom(session, lambda: session)) as server, Tab(server, let_in(server)) as tab:
        tab.hear()
        assert tab.hear()["view"]["seats"][1]["name"] == "half \ud800"
        assert tab.ask({"type": "hint", "at": 0})["type"] == "hint"


class Stuck:
    """A tab that never takes a message, from the `after`th on."""

    def __init__(self, after: int) -> None:
        self.after, self.taken = after, 0

    async def accept(self) -> None:
        pass

    async def receive(self) -> dict[str, Any]:
        if self.taken < self.after:
            await anyio.sleep_forever()
        return {"type": "websocket.receive", "text": json.dumps({"type": "hint", "at": 0})}

    async def send_text(self, text: str) -> None:
        if self.taken == self.after:
            await anyio.sleep_forever()
        self.taken += 1


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_tab_that_takes_nothing_is_given_up_and_holds_up_nobody(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """While it is welcomed (a hello and a state), and while it is answered."""
    monkeypatch.setattr("bluff_agents.web.server._PATIENCE", 0.05)
    server, tab = Server(room_of()), Stuck(after)

    async def come() -> None:
        with anyio.fail_after(60):
            await server._tab(tab)  # type: ignore[arg-type]  # as much of one as is used

    try:
        anyio.run(come)
    finally:
        server._socket.close()
    assert tab.taken == after
    assert not server._tabs


def test_a_port_that_is_taken_is_said_in_one_line(server: Server) -> None:
    with pytest.raises(ServerError, match=f"port {server.port}: in use"):
        Server(room_of(), server.port)


def test_messages_hold_no_numbers_that_json_has_not(server: Server) -> None:
    with Tab(server, let_in(server)) as tab:
        for _ in range(2):
            opcode, content = tab.frame()
            assert opcode == 1
            json.loads(content, parse_constant=lambda name: pytest.fail(name))
