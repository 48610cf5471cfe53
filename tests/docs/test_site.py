"""The documentation as a site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr  # strict: a link or page that is missing is an error
    return folder


def test_every_page_of_the_docs_is_part_of_the_site(site: Path) -> None:
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert pages <= {path.parent.name for path in site.glob("*/index.html")}
    assert {"bots", "changes"} <= {path.parent.name for path in site.glob("*/index.html")}


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|img|iframe)[^>]+src=.?https?://", text), page
        assert not re.findall(r"<link[^>]+rel=.?(?:stylesheet|preconnect)[^>]+href=.?https?://", text), page
