"""Keeps the zoo: `scripts/zoo`, or python -m bluff_agents.zootable.

    scripts/zoo add bloff-4 runs/zoo_bloff_4     # a finished run becomes zoo/bloff-4
    scripts/zoo judge [NAME …] [--deals N]       # strength.json of these, or of all; and the table in docs/zoo.md
    scripts/zoo page                             # the table alone

One agent plays against copies of each bot and each bot against copies of it, every deal in all rotations of the seats.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from bluff_agents import zoo
from bluff_agents.agentfile import RUN_AGENT, read_agent, write_agent
from bluff_agents.bots import bot_names
from bluff_agents.cli.screen import progress
from bluff_agents.errors import AgentError
from bluff_agents.evaluation import EvaluationError, evaluate, seatings
from bluff_agents.evaluation.files import whole
from bluff_agents.loading import load
from bluff_agents.pages import rewritten
from bluff_env import Rules
from bluff_env.errors import BluffError

_ZOO: Final = Path(zoo.__file__).resolve().parent
_PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "zoo.md"
_COMMAND: Final = "scripts/zoo"
#: What an agent's folder holds of its run.
KEPT: Final = (RUN_AGENT, "config.yaml", "metrics.csv", "curves.png")
#: How large an agent's folder may be, in bytes.
LIMIT: Final = 2_000_000
STRENGTH: Final = "strength.json"
_STRENGTH_BYTES: Final = 10_000
DEALS: Final = 5000
#: Other deals than those that trainings judge by, which follow from the seeds of recipes.
SEED: Final = 1977


def add(name: str, run: Path, target: Path = _ZOO) -> Path:
    """Copies what the zoo keeps of a run of the recipe `zoo_NAME`; the old agent of that name goes when the new one is
    whole.

    Raises:
        AgentError: no finished run of that recipe there, or one that is too large.
    """
    from bluff_agents.training import read_recipe
    from bluff_agents.training.curves import draw_curves
    from bluff_agents.training.metrics import Metrics

    recipe_name = "zoo_" + name.replace("-", "_")
    missing = [file for file in KEPT if not (run / file).is_file()]
    if missing:
        raise AgentError(f"{run}: no {', '.join(missing)} in this folder; a run folder expected")
    file, recipe, made_by = read_agent(run / RUN_AGENT), read_recipe(recipe_name), read_recipe(run)
    other = [key for key, value in recipe.to_dict().items() if key != "out" and made_by.to_dict()[key] != value]
    if other:
        raise AgentError(f"{run}: {', '.join(other)} other than in the recipe {recipe_name}; a run of that expected")
    steps = file.steps or 0
    if steps < recipe.total_steps:
        raise AgentError(f"{run}: {steps:,} steps found; {recipe.total_steps:,} expected")
    fresh, place = target / f".{name}.part", target / name
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    metrics = Metrics(run / "metrics.csv")
    metrics.resume(steps)
    shutil.copyfile(metrics.path, fresh / "metrics.csv")
    title = f"{zoo.PREFIX}{name}: {steps:,} learner steps"
    draw_curves(fresh / "curves.png", metrics.rows, title, file.rules.players)
    config = yaml.safe_dump(recipe.to_dict(), sort_keys=False, allow_unicode=True)
    (fresh / "config.yaml").write_text(config, encoding="utf-8")
    info = file.info | {"recipe": recipe_name}
    write_agent(fresh / RUN_AGENT, file.rules, file.weights, file.activation, value=file.value, info=info)
    if _size(fresh) > LIMIT - _STRENGTH_BYTES:  # the critic, which nobody plays by, is left out
        write_agent(fresh / RUN_AGENT, file.rules, file.weights, file.activation, info=info)
    if (size := _size(fresh)) > LIMIT - _STRENGTH_BYTES:
        shutil.rmtree(fresh)
        raise AgentError(f"{run}: {size:,} bytes found; {LIMIT:,} at most, so that the package stays small")
    if place.exists():
        shutil.rmtree(place)
    fresh.rename(place)
    return place


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def judge(
    name: str, deals: int, seed: int, bots: Sequence[str], on_games: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """How strong an agent of the zoo is: what `strength.json` holds.

    Returns:
        "deals", "seed", "players", "fair", and "bots": {bot: {"won": [share, low, high] of the agent alone against
        copies of the bot, "lost_to": the same of the bot alone against copies of the agent, "cut_off": of all games}}.
    """
    agent = load(name)
    rules: Rules = agent.rules
    found: dict[str, Any] = {}
    for bot in bots:
        result = evaluate(rules, [agent, load(bot, rules)], deals, seed, names=[name, bot], on_games=on_games)
        by = {one.one: [round(value, 4) for value in (one.share, one.low, one.high)] for one in result.matchups}
        found[bot] = {"won": by[name], "lost_to": by[bot], "cut_off": round(result.cut_off, 5)}
    return {"deals": deals, "seed": seed, "players": rules.players, "fair": 1 / rules.players, "bots": found}


def table(strengths: dict[str, dict[str, Any]]) -> list[str]:
    """The lines of the page's tables: against copies of each bot, and each bot against copies."""
    bots = list(dict.fromkeys(bot for one in strengths.values() for bot in one["bots"]))
    lines = []
    for key, title in (
        ("won", "One agent of the zoo against copies of a bot"),
        ("lost_to", "One bot against copies of an agent of the zoo"),
    ):
        lines += [f"### {title}", "", "| | fair | " + " | ".join(bots) + " |", "| --- | --- |" + " --- |" * len(bots)]
        for name, one in strengths.items():
            cells = [_cell(one["bots"][bot][key]) if bot in one["bots"] else "–" for bot in bots]
            lines.append(f"| **{name}** | {100 * one['fair']:.0f} | " + " | ".join(cells) + " |")
        lines.append("")
    cut = ", ".join(
        f"{name} {100 * max(told['cut_off'] for told in one['bots'].values()):.1f} %" for name, one in strengths.items()
    )
    sizes = ", ".join(f"{name} {one['deals']:,}" for name, one in strengths.items())
    return [*lines, f"Deals: {sizes}. Games cut off, against the bot with the most of them: {cut}.", ""]


def _cell(told: Sequence[float]) -> str:
    share, low, high = (100 * value for value in told)
    return f"{share:.1f} ({low:.1f}–{high:.1f})"


def write_page(path: Path = _PAGE) -> None:
    """Writes the table between the page's marks, from the strengths that are there.

    Raises:
        BluffError: no such page, or no marks in it.
    """
    found = {name: zoo.folder(name) / STRENGTH for name in zoo.names()}
    strengths = {name: json.loads(file.read_text("utf-8")) for name, file in found.items() if file.is_file()}
    if not path.is_file():
        raise EvaluationError(f"{path}: no such file; to be run from a checkout")
    lines = ["", *(table(strengths) if strengths else ["None yet.", ""])]
    text = rewritten(path.read_text(encoding="utf-8"), path.name, "strength", _COMMAND, lines)
    with whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Does what the words say; the exit status."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description="Keeps the trained agents that the package ships.")
    commands = parser.add_subparsers(dest="command", required=True)
    adding = commands.add_parser("add", help="make a finished run an agent of the zoo")
    adding.add_argument("name", help="such as bloff-4")
    adding.add_argument("run", type=Path, help="the run's folder")
    judging = commands.add_parser("judge", help="play against the bots and write strength.json and the page")
    judging.add_argument("names", nargs="*", metavar="NAME", help="such as zoo/bloff-4; all if none")
    judging.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"deals a bot ({DEALS:,})")
    judging.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"decides the deals ({SEED})")
    commands.add_parser("page", help="write the table in docs/zoo.md from what was found before")
    told = parser.parse_args(words)
    try:
        if told.command == "add":
            print(add(told.name, told.run))
            return 0
        if told.command == "judge":
            for name in told.names or zoo.names():
                folder = zoo.folder(name)
                bots = bot_names()
                players = read_agent(folder / RUN_AGENT).rules.players
                with progress(told.deals * len(bots) * len(seatings(2, players)), f"{name}: games") as on_games:
                    strength = judge(name, told.deals, told.seed, bots, on_games)
                with whole(folder / STRENGTH) as temporary:
                    temporary.write_text(json.dumps(strength, indent=1) + "\n", encoding="utf-8")
        write_page()
    except BluffError as error:
        print(f"{_COMMAND}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
