"""Training holds its memory from the first minute on."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from bluff_agents.training import trainer
from small_runs import recipe


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="an option of glibc")
def test_large_arrays_leave_no_holes_in_memory():
    """In a process of its own, as the option cannot be taken back."""
    program = (
        "import numpy as np\n"
        "from bluff_agents.training.memory import give_back_large_blocks\n"
        "def resident():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4096\n"
        "assert give_back_large_blocks()\n"
        "del_me = np.ones(3 << 20)\n"  # 24 MB: glibc would raise its limit when it is freed
        "del del_me\n"
        "before, kept = resident(), []\n"
        "for _ in range(8):\n"
        "    large = np.ones(2 << 20)\n"  # 16 MB
        "    kept.append(np.ones(8 << 10))\n"  # and something small behind it that stays
        "    del large\n"
        "assert resident() - before < 4 << 20, resident() - before\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_judging_and_drawing_are_loaded_before_the_first_rollout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """They take some tens of megabytes, which would come late where a run is first judged after minutes."""
    order: list[str] = []

    def noted(of: object, name: str) -> None:
        real = getattr(of, name)

        def note(*args, **options):
            order.append(name)
            return real(*args, **options)

        monkeypatch.setattr(of, name, note)

    noted(trainer, "judge_alone")
    noted(trainer, "load_drawing")
    noted(trainer._Run, "_rollout")
    trainer.train(recipe(tmp_path / "run", evaluate_every=600))
    assert order[:3] == ["judge_alone", "load_drawing", "_rollout"]
    assert order.count("judge_alone") == 2


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_training_takes_no_more_memory_after_three_minutes_than_after_the_first(tmp_path: Path):
    """Minutes from its first rollout on: before it, all is compiled, which takes as long as the machine needs."""
    out = tmp_path / "run"
    words = ["train", "bloff_quick", "--set", "total_steps=50000000", "--set", f"out={out}", "--set", "threads=1"]
    words += ["--set", "evaluate_every=100000", "--set", "checkpoint_every=100000", "--set", "evaluate_deals=20"]
    with (tmp_path / "log").open("w") as log:
        run = subprocess.Popen([sys.executable, "-m", "bluff_agents", *words], stdout=log, stderr=log)
        try:
            held: list[float] = []  # MiB, by the second
            deadline = time.monotonic() + 480
            while len(held) < 180 and time.monotonic() < deadline:
                time.sleep(1)
                assert run.poll() is None, (tmp_path / "log").read_text()
                if (out / "metrics.csv").exists():
                    held.append(int(Path(f"/proc/{run.pid}/statm").read_text().split()[1]) * 4 / 1024)
        finally:
            run.kill()
            run.wait()
    assert len(held) == 180
    print([round(value) for value in held[::10]])
    assert sum(held[-20:]) / 20 < sum(held[40:60]) / 20 + 50, held[::10]
