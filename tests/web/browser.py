"""A headless Chromium with one tab, and what is done in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
#: Seconds for anything to happen on a busy machine, on which perhaps the engine is compiled first.
PATIENCE = 240


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

    def width(self, pixels: int, height: int = 900) -> None:
        size = {"width": pixels, "height": height, "deviceScaleFactor": 1, "mobile": False}
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
            self.picture(str(pixels))
            wide, shown = self.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert (wide, shown) == (pixels, pixels)

    def picture(self, name: str) -> None:
        folder = os.environ.get("BLUFF_SHOTS")
        if folder:
            self.shot += 1
            test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split()[0].removeprefix("test_")[:40]
            self.driver.save_screenshot(str(Path(folder, f"{test}-{self.shot:02}-{name}.png")))

    def complaints(self) -> list[str]:
        """What the browser has complained of: a script's error, something that the page may not load."""
        return [entry["message"] for entry in self.driver.get_log("browser")]
