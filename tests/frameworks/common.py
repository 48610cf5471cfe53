"""What the tests of the scripts share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def run(script: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A script, in a folder of its own, from this checkout."""
    root = SCRIPTS.parent
    path = os.pathsep.join([str(root), str(root / "agents"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, str(SCRIPTS / script), *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80"},
        capture_output=True, text=True, check=False, timeout=800,
    )  # fmt: skip
