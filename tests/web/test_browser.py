"""In a real browser: whole games by clicking and by keys, a reload, a record watched, at two widths.

With BLUFF_SHOTS=FOLDER in the environment pictures of the pages are left there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the browser version needs the extra web")
webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("no Chromium with chromedriver here (Debian: chromium, chromium-driver)", allow_module_level=True)

from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from bluff_agents import load
from bluff_agents.play import Session
from bluff_agents.watch import Shelf
from bluff_agents.web.playing import PlayRoom
from bluff_agents.web.room import Room
from bluff_agents.web.server import Server
from bluff_agents.web.watching import WatchRoom
from bluff_env.record import write_records
from web.serving import served

pytestmark = pytest.mark.slow
PATIENCE = 120
MOST_CLICKS = 400


class Browser:
    """One tab, and what is done in it."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.shot = 0

    def width(self, pixels: int) -> None:
        size = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str) -> Any:
        return WebDriverWait(self.driver, PATIENCE, 0.05).until(lambda _: self.run(f"return {script}"))

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def click(self, selector: str) -> None:
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def text(self, selector: str) -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, selector).text)

    def press(self, *keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def choose(self, selector: str, text: str) -> None:
        Select(self.driver.find_element(By.CSS_SELECTOR, selector)).select_by_visible_text(text)

    def fits(self) -> None:
        """Nothing sticks out at the side, at 1280 and at 400 pixels."""
        for pixels in (400, 1280):
            self.width(pixels)
            wide, shown = self.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide <= shown == pixels
            self.picture(str(pixels))

    def picture(self, name: str) -> None:
        folder = os.environ.get("BLUFF_SHOTS")
        if folder:
            self.shot += 1
            test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split()[0].removeprefix("test_")[:40]
            self.driver.save_screenshot(str(Path(folder, f"{test}-{self.shot:02}-{name}.png")))

    def complaints(self) -> list[str]:
        """What the browser has complained of: a script's error, something that the page may not load."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.driver.quit()


@pytest.fixture
def browser(started: Browser) -> Iterator[Browser]:
    """A browser that has seen nothing, and in the end has nothing to complain of and fetched nothing from elsewhere."""
    started.driver.delete_all_cookies()
    started.width(1280)
    started.complaints()
    yield started
    assert started.complaints() == []
    hosts = started.run("return performance.getEntriesByType('resource').map((e) => new URL(e.name).host)")
    assert set(hosts) == {started.run("return location.host")}
    started.driver.get("about:blank")


def visit(browser: Browser, server: Server) -> None:
    browser.driver.get(server.address)
    assert "token" not in browser.driver.current_url
    browser.wait("document.querySelector('#head #title').textContent !== 'bluff'")


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


def by_clicking(browser: Browser, state: str) -> None:
    """One move of the person: lets claims stand, keeps start cards, lays true cards where there are any."""
    if state == "answer":
        browser.click("[data-key=decline]")
    elif state == "vote":
        browser.click("[data-key=keep]")
    else:
        claims = [button.get_attribute("data-key")[5:] for button in browser.all("#claims button")]
        cards = browser.all("#hand button")
        names = [card.get_attribute("aria-label") for card in cards]
        if claims:
            browser.click("#claims button")
            wanted = browser.all("#claims button")[0].get_attribute("aria-label")
        else:
            wanted = ""
        good = [i for i, name in enumerate(names) if wanted.endswith(name)] if wanted else []
        browser.all("#hand button")[(good or [0])[0]].click()
        browser.click("[data-key=lay]")


def whole_game(browser: Browser, room: PlayRoom, at: Callable[[int], None]) -> None:
    """Clicks until the game is over. `at` is told how many moves have been made."""
    for moves in range(MOST_CLICKS):
        state = settled(browser)
        if state == "over":
            break
        at(moves)
        by_clicking(browser, settled(browser))
        if moves == 0:
            browser.choose("#pace", "at once")
    assert room.session.over
    assert browser.text("#end h2")
    assert len(browser.all("#end tbody tr")) == len(room.session.seats)
    assert len(browser.all("#log li")) == len(room.session.events)


@pytest.mark.parametrize(("rules", "seed", "width"), [("bloff", 24, 1280), ("bluffstopp", 9, 400)])
def test_a_whole_game_by_clicking_with_a_reload_on_the_way(browser: Browser, rules: str, seed: int, width: int) -> None:
    room = playing(rules, seed, players=3)
    with served(room) as server:
        visit(browser, server)
        browser.width(width)

        def at(moves: int) -> None:
            if moves in (0, 1, 6):
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
    with served(room) as server:
        visit(browser, server)
        browser.choose("#pace", "at once")
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        done: list[str] = []
        for _ in range(40):
            state = settled(browser)
            if state == "over" or {"call", "decline", "lay"} <= set(done):
                break
            turns, events = room.session.view()["turns"], len(room.session.events)
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
            browser.wait(f"document.querySelectorAll('#log li').length > {events}" if state != "answer" else "true")
            settled(browser)
            assert room.session.view()["turns"] >= turns
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
    with served(room) as server:
        visit(browser, server)
        while settled(browser) != "answer":
            by_clicking(browser, settled(browser))
        before = room.session.view()
        assert browser.all("#moment .bar")
        browser.wait(
            "document.querySelector('#window').hidden || document.querySelector('#main').dataset.state !== 'answer'"
        )
        settled(browser)
        assert room.session.view() != before
        assert not [event for event in room.session.events if event["kind"] == "call" and event["seat"] == 0]


def test_a_tab_without_the_server_says_so_and_comes_back(browser: Browser) -> None:
    room: Room = playing("tiny", 1)
    with served(room) as server:
        visit(browser, server)
        settled(browser)
    browser.wait("!document.querySelector('#notice').hidden")
    assert "connection is gone" in browser.text("#notice")
    browser.complaints()  # of the connections that failed


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

    def stands(position: int) -> None:
        browser.wait(f"document.querySelector('#main').dataset.position === '{position}'")

    with served(room) as server:
        visit(browser, server)
        stands(0)
        browser.click("[data-key=step]")
        stands(1)
        browser.wait("document.querySelector('#opinion .bars') !== null")
        browser.fits()
        assert browser.text("#truth").startswith("The claim is true with a chance of")
        assert len(browser.all(".handrow")) == 3
        browser.click("[data-key=call]")
        stands(showing.calls[0])
        assert "call it a bluff" in browser.text("#next")
        browser.wait("document.querySelector('#opinion .bars') !== null")
        browser.fits()
        browser.press(Keys.ARROW_RIGHT)
        stands(showing.calls[0] + 1)
        assert browser.all(".turned .card")
        browser.press("c")
        stands(showing.calls[1])
        browser.press("1")
        browser.wait("document.querySelectorAll('.handrow').length === 1")
        browser.fits()
        assert len(browser.all("#plot polyline")) == 3
        browser.driver.refresh()
        stands(showing.calls[1])
        browser.wait("document.querySelectorAll('.handrow').length === 1")
        browser.choose("#agent", "honest")
        browser.press("o")
        browser.click("[data-key=last]")
        stands(len(showing))
        assert "wins" in browser.text("#next")
        browser.fits()
        browser.click("#plot")
        browser.wait(f"Math.abs(document.querySelector('#main').dataset.position - {len(showing) / 2}) < 3")
        browser.click("[data-key=gamenext]")
        browser.wait("document.querySelector('#title').textContent === 'bluffstopp'")
        browser.press("c")
        stands(shelf.open(1).calls[0])
        browser.fits()
