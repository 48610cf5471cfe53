"""What MkDocs does not do by itself: pages that lie outside docs/, and links to files of the checkout."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
#: page of the site -> where it lies in the checkout
ELSEWHERE = {"bots.md": "agents/README.md", "changes.md": "CHANGELOG.md"}
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?://|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that lie elsewhere."""
    for name, path in ELSEWHERE.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links as seen from the site: to a page, or for any other file of the checkout its path in words."""
    here = posixpath.dirname(ELSEWHERE.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    pages = {path: name for name, path in ELSEWHERE.items()}

    def link(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        path = posixpath.normpath(posixpath.join(here, target))
        if path in pages:
            return f"[{text}]({pages[path]}{anchor})"
        if path.startswith("docs/"):
            return f"[{text}]({path.removeprefix('docs/')}{anchor})"
        return f"{text} (`{path}`)" if path not in text else text

    return _LINK.sub(link, markdown)
