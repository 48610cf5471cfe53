"""The typer application: which commands there are, each imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from bluff_agents.cli.words import WordsError
from bluff_env.ruleset.rules import near

#: The commands in the order that help shows them; each is the function of that name in the module of that name.
COMMANDS: Final = ("play", "watch", "train", "evaluate", "exploit", "record", "check", "rules", "benchmark", "bench")

#: What the parser raises about words it cannot make sense of (typer has no public name for it).
WRONG_WORDS: Final[type[Exception]] = typer.BadParameter.__mro__[2]


class _PlainFlags:
    """Help that does not say of every flag that it takes a <bool>."""

    def get_help_option(self, ctx: Any) -> Any:
        parent: Any = super()
        option = parent.get_help_option(ctx)
        parameters: list[Any] = [*getattr(self, "params", ()), option]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False) and parameter.metavar is None:
                parameter.metavar = ""
        return option


class _Command(_PlainFlags, TyperCommand):
    pass


class _Lazy(_PlainFlags, TyperGroup):
    """Commands that are imported one by one: `bluff rules` should not wait for what `bluff train` needs."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            raise WordsError(f"no command {cmd_name!r}{near(cmd_name, COMMANDS)}; commands: {', '.join(COMMANDS)}")
        module = importlib.import_module(f"bluff_agents.cli.{cmd_name}")
        one = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        one.command(cmd_name, cls=_Command)(getattr(module, cmd_name))
        return get_command(one)


def run(words: list[str]) -> int:
    """Parses and runs one command line; the exit status. Errors about the words are raised as `WRONG_WORDS`."""
    app = typer.Typer(cls=_Lazy, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
    app.callback(invoke_without_command=True)(_bluff)
    try:
        status = get_command(app).main(words, prog_name="bluff", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0


def wrong_words_text(error: Exception) -> str:
    """One line about words that the parser refused, with the help to turn to."""
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = "bluff" if context is None else context.command_path
    text = " ".join(text.split()).rstrip(".")
    return f"{text[:1].lower()}{text[1:]} (see {command} --help)"


def _version(value: bool) -> None:
    if value:
        import bluff_env

        print(f"bluff-env {bluff_env.__version__}")
        raise typer.Exit


def _bluff(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Bluffing card games of the Cheat family: train agents, let them play, judge them."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())
