"""What the parts of training are worth: the script's runs, table and picture."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import bluff_agents
from bluff_agents.benchmark import ablation
from bluff_agents.benchmark.runs import trained
from bluff_agents.pages import rewritten
from bluff_agents.training import read_recipe
from bluff_env.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
TOLD: dict[str, Any] = {
    name: {
        "deals": 500,
        "steps": 500_000,
        "against": {
            "3 × honest": {"mean": share, "low": share - 0.02, "high": share + 0.02, "runs": [share] * 3},
            "3 × counter": {"mean": 0.3, "low": 0.28, "high": 0.32, "runs": [0.29, 0.3, 0.31]},
        },
    }
    for name, share in (("whole", 0.5), ("small", 0.45))
}


@pytest.mark.parametrize("name", ablation.VARIANTS)
def test_a_variant_is_the_recipe_with_one_thing_changed(name: str, tmp_path: Path) -> None:
    words = ablation._words(name, 1, tmp_path, [])
    whole, changed = (
        read_recipe(ablation.RECIPE, [word for word in words[1:] if word != "--set" and word in told])
        for told in (ablation._words("whole", 1, tmp_path, []), words)
    )
    plain, other = whole.to_dict(), changed.to_dict()
    assert [key for key in plain if plain[key] != other[key]] == [
        setting.partition("=")[0] for setting in ablation.VARIANTS[name][1]
    ]


def test_the_table_has_a_row_for_each_variant() -> None:
    assert ablation.table(TOLD) == [
        "| | 3 × honest | 3 × counter |",
        "| --- | --- | --- |",
        "| the recipe | 50.0 % (48.0 % – 52.0 %) | 30.0 % (28.0 % – 32.0 %) |",
        "| network 64, 64 | 45.0 % (43.0 % – 47.0 %) | 30.0 % (28.0 % – 32.0 %) |",
    ]


def test_the_picture_has_a_row_for_each_variant() -> None:
    pytest.importorskip("matplotlib")
    (axes,) = ablation.draw(TOLD).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["the recipe", "network 64, 64"]


def test_the_page_fits_the_numbers_beside_it() -> None:
    numbers = ROOT / "docs/ablation.json"
    text = (ROOT / "docs/training.md").read_text(encoding="utf-8")
    if not numbers.is_file():
        assert "Not measured yet" in text
        return
    told = json.loads(numbers.read_text(encoding="utf-8"))
    lines = [*ablation.table(told), "", "![What each part is worth](images/ablation.png)"]
    assert rewritten(text, "docs/training.md", "ablation", "scripts/ablate", lines) == text
    assert list(told) == list(ablation.VARIANTS)


@pytest.mark.slow
def test_a_try_trains_judges_and_leaves_the_docs_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    (tmp_path / "pyproject.toml").touch()
    settings = ["total_steps=512", "games=16", "steps_per_rollout=32", "batch_size=256", "evaluate_deals=2"]
    words = [word for one in (*settings, "imitate=null") for word in ("--set", one)]
    assert ablation.main([*words, "--seed", "0", "small"], tmp_path) == 0
    assert [path.name for path in (tmp_path / "runs/ablation-try").iterdir()] == ["small-0"]
    assert ablation.main([*words, "small"], tmp_path) == 0
    assert list(json.loads((tmp_path / "runs/ablation-try/ablation.json").read_text())) == ["small"]
    assert "| network 64, 64 | " in capsys.readouterr().out
    assert not (tmp_path / "docs").exists()


def test_a_run_of_other_settings_is_not_taken_for_this_one(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    zoo = Path(bluff_agents.__file__).parent / "zoo/bloff-2"
    folder = tmp_path / "bloff-2"
    shutil.copytree(zoo, folder)
    assert trained(folder, ["zoo_bloff_2", "--set", f"out={folder}"])
    with pytest.raises(ConfigError, match="a run with another total_steps, entropy is there; remove it to train anew"):
        trained(folder, ["zoo_bloff_2", "--set", "total_steps=99", "--set", "entropy=0", "--set", f"out={folder}"])


@pytest.mark.parametrize("words", [["--seed", "x"], ["--seed", "3"], ["--set", "x"], ["--set"], ["--odd"], ["smal"]])
def test_wrong_use_of_the_script_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert ablation.main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1
