"""In a real browser: whole games by clicking and by keys, a reload, a record watched, at two widths.

With BLUFF_SHOTS=FOLDER in the environment pictures of the pages are left there.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the browser version needs the extra web")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import bluff_env
from bluff_agents import load
from bluff_agents.play import Session
from bluff_agents.watch import Shelf
from bluff_agents.web.playing import PlayRoom
from bluff_agents.web.room import Room
from bluff_agents.web.server import Server
from bluff_agents.web.watching import WatchRoom
from bluff_env.record import write_records
from web.browser import CHROMIUM, DRIVER, PATIENCE, Browser
from web.serving import served

pytestmark = pytest.mark.slow
MOST_CLICKS = 400


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("no Chromium with chromedriver here (Debian: chromium, chromium-driver)")
    browser = Browser()
    yield browser
    browser.driver.quit()


@pytest.fixture
def browser(started: Browser) -> Iterator[Browser]:
    """A browser that has seen nothing."""
    started.driver.delete_all_cookies()
    started.width(1280)
    yield started
    started.driver.get("about:blank")


@contextlib.contextmanager
def visiting(browser: Browser, room: Room) -> Iterator[Server]:
    """At the page of a room; in the end the browser complains of nothing and has fetched nothing from elsewhere."""
    with served(room) as server:
        browser.complaints()
        browser.driver.get(server.address)
        assert "token" not in browser.driver.current_url
        browser.wait("document.querySelector('#head #title').textContent !== 'bluff'")
        yield server
        assert browser.complaints() == []
        hosts = browser.run("return performance.getEntriesByType('resource').map((e) => new URL(e.name).host)")
        assert set(hosts) == {f"127.0.0.1:{server.port}"}


def playing(rules: str, seed: int, **fields: Any) -> PlayRoom:
    def deal() -> Session:
        return Session(rules, "liar", seed=seed, **fields)

    return PlayRoom(deal(), deal, "counter", moment=0)


def settled(browser: Browser) -> str:
    """Waits until the person is asked or the game is over; what is asked."""
    return str(
        browser.wait(
            "['play', 'answer', 'vote', 'give', 'over'].includes(document.querySelector('#main').dataset.state)"
            " && document.querySelector('#main').dataset.state"
        )
    )


def by_clicking(browser: Browser, room: PlayRoom, state: str) -> None:
    """One move of the person: lets claims stand, keeps start cards, lays true cards where there are any."""
    view = room.session.view()
    if state == "answer":
        browser.click("[data-key=decline]")
    elif state == "vote":
        browser.click("[data-key=keep]")
    else:
        hand = [card["card"] for card in view["hand"]]
        claim = next((claim for claim in view["to_claim"] if claim in hand), view["to_claim"][0])
        good = [place for place, card in enumerate(hand) if card == claim] or [0]
        for place in good[: view["most"]]:
            browser.all("#hand button")[place].click()
        if len(view["to_claim"]) > 1:
            browser.click(f"[data-key=claim{claim}]")
        browser.click("[data-key=lay]")


def whole_game(browser: Browser, room: PlayRoom, at: Callable[[int], None]) -> None:
    """Clicks until the game is over. `at` is told how many moves have been made."""
    for moves in range(MOST_CLICKS):
        state = settled(browser)
        if state == "over":
            break
        at(moves)
        by_clicking(browser, room, settled(browser))
        if moves == 0:
            browser.choose("#pace", "at once")
    assert room.session.over
    assert browser.text("#end h2")
    assert len(browser.all("#end tbody tr")) == len(room.session.seats)
    assert len(browser.all("#log li")) == len(room.session.events)


@pytest.mark.parametrize(("rules", "seed", "width"), [("bloff", 24, 1280), ("bluffstopp", 9, 400)])
def test_a_whole_game_by_clicking_with_a_reload_on_the_way(browser: Browser, rules: str, seed: int, width: int) -> None:
    room = playing(rules, seed, players=3)
    with visiting(browser, room):
        browser.width(width)

        def at(moves: int) -> None:
            if moves in (0, 5):
                browser.fits()
                browser.width(width)
            if moves == 4:
                before = (browser.text("#log"), browser.text("#hand"), browser.text("#where"), room.session.view())
                browser.driver.refresh()
                settled(browser)
                after = (browser.text("#log"), browser.text("#hand"), browser.text("#where"), room.session.view())
                assert after == before

        whole_game(browser, room, at)
        browser.fits()
        browser.width(width)
        browser.click("[data-key=again]")
        assert settled(browser) != "over"
        assert not room.session.over
        assert len(room.finished) == 1


def test_keys_do_what_the_mouse_does(browser: Browser) -> None:
    room = playing("bloff", 3, players=3)
    with visiting(browser, room):
        browser.choose("#pace", "at once")
        done: list[str] = []
        for _ in range(40):
            state = settled(browser)
            if state == "over" or {"call", "decline", "lay"} <= set(done):
                break
            at = room._at
            if state == "answer":
                key = "c" if "decline" in done and "call" not in done else "d"
                done.append({"c": "call", "d": "decline"}[key])
                browser.press(key)
            else:
                rank = room.session.view()["hand"][0]["card"][0].lower()
                browser.press(rank)
                assert len(browser.all("#hand .chosen")) == 1
                browser.press(Keys.ESCAPE)
                assert not browser.all("#hand .chosen")
                browser.press(rank, "l")
                done.append("lay")
            WebDriverWait(browser.driver, PATIENCE, 0.05).until(lambda _, at=at: room._at == at + 1)
        assert {"call", "decline", "lay"} <= set(done)
        browser.press("h")
        browser.wait("!document.querySelector('#hint').hidden")
        assert "counter would" in browser.text("#hint")
        browser.fits()
        browser.press("?")
        assert "Get rid of your cards" in browser.text("dialog")
        browser.fits()
        browser.press(Keys.ESCAPE)
        browser.wait("document.querySelector('dialog') === null")


def test_the_moment_to_answer_runs_out_and_the_claim_stands(browser: Browser) -> None:
    room = playing("bloff", 24, players=3)
    room._moment = 1
    with visiting(browser, room):
        while settled(browser) != "answer":
            by_clicking(browser, room, settled(browser))
        before = room.session.view()
        assert browser.all("#moment .bar")
        browser.wait(
            "document.querySelector('#window').hidden || document.querySelector('#main').dataset.state !== 'answer'"
        )
        settled(browser)
        assert room.session.view() != before
        assert not [event for event in room.session.events if event["kind"] == "call" and event["seat"] == 0]


def test_in_a_low_window_the_claim_to_answer_comes_into_sight(browser: Browser) -> None:
    room = playing("bloff", 24, players=6)
    with visiting(browser, room):
        browser.width(360, 500)
        browser.choose("#pace", "at once")
        assert settled(browser) == "play"
        browser.run("scrollTo(0, 0)")
        browser.press(room.session.view()["hand"][0]["card"][0].lower(), "l")
        browser.wait("document.querySelector('#main').dataset.state === 'answer'")
        script = "const at = document.querySelector('#window').getBoundingClientRect(); return [at.top, at.bottom]"
        top, bottom = browser.run(script)
        height = browser.run("return innerHeight")
        assert 0 <= top < bottom <= height + 1


def test_long_names_stick_out_nowhere(browser: Browser, records: Path) -> None:
    name = "runs/" + "a_name_without_a_break_" * 5
    agent = load("liar", bluff_env.rules("bloff", players=3))
    agent.name = name  # type: ignore[misc]  # a class has one for all
    session = Session("bloff", agent, seed=24, players=3)
    room = PlayRoom(session, lambda: session, "counter", moment=0)
    with visiting(browser, room):
        while settled(browser) != "answer":
            by_clicking(browser, room, settled(browser))
        assert name in browser.text("#window")
        browser.fits()
    games = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    for game in games:
        game["seats"] = [name] * len(game["seats"])
    write_records(records.with_name("named.jsonl"), games)
    watched = WatchRoom(Shelf([records.with_name("named.jsonl")]), [name], lambda _, rules: load("counter", rules))
    with visiting(browser, watched):
        browser.wait("document.querySelector('#opinion .bars') !== null")
        assert name in browser.text("#hands")
        browser.fits()


def test_a_tab_that_has_lost_its_server_says_so(browser: Browser) -> None:
    room: Room = playing("tiny", 1)
    with visiting(browser, room):
        settled(browser)
    browser.wait("!document.querySelector('#notice').hidden")
    assert "connection is gone" in browser.text("#notice")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two games: bloff, and bluffstopp."""
    games = []
    for rules, seed in (("bloff", 24), ("bluffstopp", 9)):
        session = Session(rules, "liar", seed=seed, players=3)
        while not session.over:
            kinds = [move.kind for move in session.moves]
            session.play("call" if "call" in kinds and len(session.events) % 5 == 0 else session.moves[0])
        games.append(session.record())
    write_records(tmp_path / "games.jsonl", games)
    return tmp_path / "games.jsonl"


def test_a_record_is_watched_step_by_step_and_from_call_to_call(browser: Browser, records: Path) -> None:
    shelf = Shelf([records])
    room = WatchRoom(shelf, ["counter", "honest"], load)
    showing = shelf.open(0)
    first, second = [at for at in showing.calls if at > 1][:2]
    assert second > first + 1

    def stands(position: int) -> None:
        browser.wait(f"document.querySelector('#main').dataset.position === '{position}'")

    with visiting(browser, room):
        stands(0)
        browser.click("[data-key=step]")
        stands(1)
        browser.wait("document.querySelector('#opinion .bars') !== null")
        browser.fits()
        assert browser.text("#truth").startswith("The claim is true with a chance of")
        assert len(browser.all(".handrow")) == 3
        browser.click("[data-key=call]")
        stands(first)
        assert "a bluff." in browser.text("#next")
        browser.wait("document.querySelector('#opinion .bars') !== null")
        browser.fits()
        browser.press(Keys.ARROW_RIGHT)
        stands(first + 1)
        assert browser.all(".turned .card")
        browser.press("c")
        stands(second)
        browser.press("1")
        browser.wait("document.querySelectorAll('.handrow').length === 1")
        browser.fits()
        assert len(browser.all("#plot polyline")) == 3
        browser.driver.refresh()
        stands(second)
        browser.wait("document.querySelectorAll('.handrow').length === 1")
        browser.choose("#agent", "honest")
        browser.press("o")
        browser.click("[data-key=last]")
        stands(len(showing))
        assert "wins" in browser.text("#next")
        browser.fits()
        browser.click("#plot")
        middle, near = len(showing) / 2, len(showing) / 10
        browser.wait(f"Math.abs(document.querySelector('#main').dataset.position - {middle}) < {near}")
        browser.click("[data-key=gamenext]")
        browser.wait("document.querySelector('#title').textContent === 'bluffstopp'")
        browser.press("c")
        stands(next(at for at in shelf.open(1).calls if at > 0))
        browser.fits()
