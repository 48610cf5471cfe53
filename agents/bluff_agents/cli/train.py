"""`bluff train`: a recipe, from beginning to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bluff_agents import configs
from bluff_agents.cli.common import training_installed
from bluff_agents.cli.screen import show, table
from bluff_env.errors import ConfigError

if TYPE_CHECKING:
    from bluff_agents.rllib import RllibRecipe
    from bluff_agents.training import Recipe
    from bluff_agents.training.report import Report


def train(
    config: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A recipe's name (see configs/), a YAML file, or a run folder.")
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change the recipe, such as total_steps=100000 or opponents.self=0.5."
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the run that is in the folder already.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the folder's latest checkpoint.")] = False,
    address: Annotated[
        str | None,
        typer.Option("--address", metavar="HOST:PORT|auto", help="Train on a Ray cluster (recipes for RLlib)."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="With --resume: load RLlib's checkpoints, which can run code in them.")
    ] = False,
) -> None:
    """Train an agent by self-play; leaves a run folder with the agent, its curves and checkpoints.

    For example:

    bluff train bloff_quick

    bluff train bloff_quick --set total_steps=100000 --set seed=1 --set out=runs/one

    bluff train runs/one --resume

    bluff train bloff_rllib --address auto
    """
    if overwrite and resume:
        raise ConfigError("--overwrite and --resume: only one of them")
    from bluff_agents import rllib

    framework = configs.read(config, settings or []).values.get("framework")
    if framework == rllib.FRAMEWORK:
        distributed = rllib.read_recipe(config, settings or [])
        if trust and not resume:
            raise ConfigError("--trust: only with --resume")
        with training_installed(rllib.FRAMEWORK):
            from bluff_agents.rllib.checkpoints import check_folder

            check_folder(distributed.out, overwrite=overwrite, resume=resume, trust=trust)
            from bluff_agents.rllib.trainer import train as run_rllib
        options = {"overwrite": overwrite, "resume": resume, "trust": trust}
        _show(distributed, run_rllib(distributed, address=address, **options), " --trust")
        return
    from bluff_agents.training import read_recipe

    recipe = read_recipe(config, settings or [])
    if address is not None or trust:
        raise ConfigError(f"{'--trust' if address is None else '--address'}: only for recipes with framework: rllib")
    with training_installed():
        from bluff_agents.training.trainer import train as run
    _show(recipe, run(recipe, overwrite=overwrite, resume=resume))


def _show(recipe: Recipe | RllibRecipe, report: Report, more: str = "") -> None:
    """What came of it: the last evaluation, where the agent is, how to go on."""
    clock = f"{int(report.seconds) // 60}:{int(report.seconds) % 60:02}"
    end = "done" if report.finished else "ended before its time, with a checkpoint"
    if report.finished and report.steps == report.before:
        show(f"nothing left to do: all {report.steps:,} steps are made; more with --set total_steps=…")
    else:
        show(f"{end}: {report.steps:,} steps in {clock} ({report.steps_per_s:,.0f} steps/s)")
    if report.judged:
        others = recipe.rules.players - 1
        rows = [
            (f"{others} {one.against}", _percent(one.share), f"{_percent(one.low)} to {_percent(one.high)}",
             f"{one.turns:.0f}", _percent(one.cut_off))
            for one in report.judged
        ]  # fmt: skip
        head = ("one agent against", "won", "95 % interval", "turns", "cut off")
        show("", table(head, rows, numbers=(1, 2, 3, 4)), f"fair share {_percent(1 / recipe.rules.players)}", "")
    if report.nash_conv is not None:
        show(f"NashConv {_percent(report.nash_conv)} of the uniform policy's", "")
    rules = recipe.to_dict()["rules"]
    named = rules if isinstance(rules, str) else "FILE"
    print(f"agent     {report.folder / 'agent.safetensors'}")
    print(f"curves    {report.folder / 'curves.png'}")
    print(f"judge it  bluff evaluate --rules {named} --agents {report.folder} counter")
    if not report.finished:
        print(f"go on     bluff train {report.folder} --resume{more}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
