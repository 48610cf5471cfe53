#!/usr/bin/env python
"""Makes docs/images/play_web.png and watch_web.png: the pages of `bluff play --web` and `bluff watch --web`.

    python scripts/web_pictures.py

Run in a checkout with the extra `dev`, and with Chromium and its driver (Debian: chromium, chromium-driver).
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from bluff_agents import load  # noqa: E402  # the path comes first
from bluff_agents.cli import main as bluff  # noqa: E402
from bluff_agents.play import Session  # noqa: E402
from bluff_agents.watch import Shelf  # noqa: E402
from bluff_agents.web.playing import PlayRoom  # noqa: E402
from bluff_agents.web.watching import WatchRoom  # noqa: E402
from web.browser import CHROMIUM, DRIVER, Browser  # noqa: E402
from web.serving import served  # noqa: E402

WIDTH = 1180
SEED = 11


def asked_late() -> Session:
    """A game of which some rounds are over, and in which the person is asked about a play."""
    session = Session("bloff", ["zoo/bloff-4", "counter", "honest"], seed=SEED, practice=True)
    while not session.over:
        view = session.view()
        if view["phase"] == "answer" and len(session.events) > 12:
            return session
        declines = [move for move in session.moves if move.kind == "decline"]
        session.play(declines[0] if declines else session.moves[0])
    raise SystemExit(f"web_pictures: with seed {SEED} the person is never asked")


def shown(browser: Browser, room: PlayRoom | WatchRoom, height: int, keys: str, until: str, to: Path) -> None:
    """A picture of a room's page, after some keys and what they bring."""
    with served(room) as server:
        browser.driver.delete_all_cookies()
        size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.driver.get(server.address)
        browser.wait("document.querySelector('#head #title').textContent !== 'bluff'")
        for key in keys:
            browser.press(key)
            time.sleep(1)  # the page moves
        browser.wait(until)
        temporary = to.with_suffix(".new.png")
        browser.driver.save_screenshot(str(temporary))
        temporary.replace(to)
        browser.driver.get("about:blank")
    print(to.relative_to(ROOT))


def main() -> None:
    """Both pictures."""
    if CHROMIUM is None or DRIVER is None:
        raise SystemExit("web_pictures: no Chromium with chromedriver here (Debian: chromium, chromium-driver)")
    images = ROOT / "docs" / "images"
    browser = Browser()
    try:
        room = PlayRoom(asked_late(), asked_late, "zoo/bloff-4")
        hint = "document.querySelector('#hint').textContent.includes('%')"
        shown(browser, room, 720, "h", hint, images / "play_web.png")
        with tempfile.TemporaryDirectory() as folder:
            games = Path(folder, "bloff.jsonl")
            agents = ["--agents", "counter", "honest", "bold", "random", "--seed", "1", "--games", "3"]
            if bluff(["record", "--rules", "bloff", *agents, "--out", str(games)]):
                raise SystemExit("web_pictures: no record")
            opinion = "document.querySelector('#opinion .bars') !== null"
            shown(browser, WatchRoom(Shelf([games]), ["counter"], load), 880, "cccc", opinion, images / "watch_web.png")
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    main()
