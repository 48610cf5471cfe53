"""What the examples of other frameworks share: wrong use is one line, before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from frameworks.common import run

pytestmark = pytest.mark.long  # libraries that take long to import
EXAMPLES = (("sb3_example.py", "sb3_contrib"), ("train_torchrl.py", "torchrl"), ("train_tianshou.py", "tianshou"))


@pytest.mark.parametrize(("script", "library"), EXAMPLES)
def test_a_file_that_cannot_be_written_is_refused_before_training(script: str, library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    (tmp_path / "mine.safetensors").write_text("precious")
    for words, said in (
        (["--out", "mine.safetensors"], "exists already; --overwrite replaces it"),
        (["--out", "none/mine.safetensors"], "there is no folder none"),
        (["--steps", "-5"], "'-5' is not allowed; a whole number from 1 to"),
        (["--seed", "4294967296"], "'4294967296' is not allowed; a whole number from 0 to 4294967295"),
    ):
        done = run(script, tmp_path, *words)
        assert done.returncode == 2
        assert said in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
        assert "steps," not in done.stderr + done.stdout
    assert (tmp_path / "mine.safetensors").read_text() == "precious"
