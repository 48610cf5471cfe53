"""`load`: an agent from a name (a bot, the zoo), an agent file, a run folder, one's own factory, or an SB3 .zip."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bluff_env
from bluff_agents import zoo
from bluff_agents.agent import Agent
from bluff_agents.agentfile import RUN_AGENT, read_agent
from bluff_agents.bots import BOTS
from bluff_agents.errors import AgentError
from bluff_agents.guest import Guest
from bluff_agents.policy import PAID, PolicyAgent
from bluff_agents.search import SEARCHERS
from bluff_env import Rules
from bluff_env.ruleset.rules import near


def load(
    name_or_path: str | os.PathLike[str],
    rules: str | Mapping[str, Any] | Rules | None = None,
    trust: bool = False,
    seed: int | None = None,
) -> Agent:
    """An agent that plays the given rules.

    Args:
        name_or_path: a bot's name (`bot_names()`), or "ismcts", which searches; a trained agent of the zoo
            ("zoo/bloff-4", `zoo.names()`); an agent file (.safetensors), or a run folder for the one in it;
            "package.module:factory", called as factory(rules), for an agent of your own: anything with `act` as of
            `Agent`; or a MaskablePPO model saved by Stable-Baselines3 (.zip), only with `trust`.
        rules: anything `bluff_env.rules` takes; None: those that an agent file, or the zoo's, was trained on.
        trust: load a .zip although that can run code hidden in it.
        seed: seeds the agent's own generator, used where `act` is given no noise.

    Raises:
        AgentError: one line that says what cannot be found, read or seated, and what is expected.

    >>> load("honest", "bloff").name
    'honest'
    """
    rules = None if rules is None else bluff_env.rules(rules)
    if not isinstance(name_or_path, str | os.PathLike) or not os.fspath(name_or_path):
        raise AgentError(f"agent: {name_or_path!r} found; a bot's name, a file, or package.module:factory expected")
    text = os.fspath(name_or_path)
    path = agent_file(text)
    if path is not None:
        return _from_file(path, rules, seed)
    players: dict[str, Callable[[Rules, int | None], Agent]] = {**BOTS, **SEARCHERS}
    bot, saved, factory = text in players, Path(text).suffix == ".zip", ":" in text
    if bot or saved or factory:
        if rules is None:
            raise AgentError(f"{text}: only an agent file knows the rules it plays; rules expected")
        if bot:
            return players[text](rules, seed)
        return _from_zip(Path(text), rules, trust, seed) if saved else _from_factory(text, rules)
    if os.sep in text or "/" in text:
        raise AgentError(f"{text}: no such file or run folder")
    raise AgentError(
        f"agent: no bot named {text!r}{near(text, tuple(players))}; {', '.join(players)}, one of the zoo such as "
        "zoo/bloff-4, an agent file (.safetensors), a run folder, or package.module:factory expected"
    )


def agent_file(name_or_path: str | os.PathLike[str]) -> Path | None:
    """The agent file that `load` would read; None where it reads none, such as for a bot.

    Raises:
        AgentError: a folder without one, or none of that name in the zoo.
    """
    text = os.fspath(name_or_path)
    path = Path(text)
    if text in BOTS or text in SEARCHERS or path.suffix == ".zip":
        return None
    try:
        path.exists()
    except OSError as error:  # such as a name that is too long
        raise AgentError(
            f"{text!r}: {error.strerror}; a bot's name, a file, or package.module:factory expected"
        ) from None
    if text.startswith(zoo.PREFIX) and not path.exists():
        path = zoo.folder(text)
    if path.is_dir():
        if not (path / RUN_AGENT).is_file():
            raise AgentError(f"{path}: no {RUN_AGENT} in this folder; a run folder expected")
        return path / RUN_AGENT
    return path if path.suffix == ".safetensors" or path.is_file() else None


def _from_file(path: Path, rules: Rules | None, seed: int | None) -> PolicyAgent:
    file = read_agent(path, rules)
    rewards = file.info.get("rewards")  # free text to whoever wrote the file, so it may be anything
    return PolicyAgent(
        rules or file.rules,
        file.weights,
        file.activation,
        name=_short_name(path),
        seed=seed,
        value=file.value,
        value_rewards=rewards if rewards in PAID else file.rules.rewards,
    )


def _short_name(path: Path) -> str:
    """What tables call the agent: its run folder's name, or the file's."""
    path = Path(os.path.abspath(path))
    return path.parent.name if path.name == RUN_AGENT and path.parent.name else path.stem


def _from_factory(text: str, rules: Rules) -> Agent:
    module_name, _, attribute = text.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (ImportError, ValueError, TypeError) as error:  # ValueError, TypeError: not the name of a module
        raise AgentError(f"{text}: module {module_name!r} cannot be imported: {error}") from None
    except Exception as error:  # whatever the module does when it is imported, a syntax error among it
        raise AgentError(f"{text}: importing {module_name!r} failed: {_what(error)}") from error
    factory = getattr(module, attribute, None)
    if factory is None:
        known = tuple(name for name in vars(module) if not name.startswith("_"))
        raise AgentError(f"{text}: module {module_name!r} has no {attribute!r}{near(attribute, known)}")
    if not callable(factory):
        raise AgentError(
            f"{text}: {attribute!r} is a {type(factory).__name__}; something called as factory(rules) expected"
        )
    try:
        agent = factory(rules)
    except Exception as error:  # somebody else's code: told in one line, with the cause kept for Python users
        raise AgentError(f"{text}: called as {attribute}(rules), it failed: {_what(error)}") from error
    if isinstance(agent, Agent):
        return agent
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{text}: it made a {type(agent).__name__} without act(); an agent expected")
    return Guest(rules, text, agent)


def _what(error: Exception) -> str:
    """An exception in one line: its kind and its text."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _from_zip(path: Path, rules: Rules, trust: bool, seed: int | None) -> Agent:
    if not path.is_file():
        raise AgentError(f"{path}: no such file")
    if not trust:
        raise AgentError(
            f"{path}: an SB3 .zip holds pickles, which can run any code when loaded; load it only with trust=True, "
            "and only if you trust whoever made it"
        )
    from bluff_agents.sb3 import load_zip

    return load_zip(path, rules, seed)
