"""The zoo: trained agents that come with the package, named "zoo/bloff-4" wherever agents are named.

Each lies in a folder of its own here, as a run left it: `agent.safetensors`, `config.yaml` (the recipe as run, seed and
all), `metrics.csv` and `curves.png`; and `strength.json`, what `scripts/zoo` found when it judged the agent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bluff_agents.agentfile import RUN_AGENT
from bluff_agents.errors import AgentError
from bluff_env.ruleset.rules import near

#: What the name of an agent of the zoo begins with.
PREFIX: Final = "zoo/"
_HERE: Final = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """All agents of the zoo by the name that `load` takes, in alphabetical order."""
    return tuple(sorted(PREFIX + path.parent.name for path in _HERE.glob(f"*/{RUN_AGENT}")))


def folder(name: str) -> Path:
    """The folder of an agent of the zoo.

    Raises:
        AgentError: there is none of that name.
    """
    known = names()
    if name not in known:
        raise AgentError(f"agent: no {name!r} in the zoo{near(name, known)}; {', '.join(known) or 'it is empty'}")
    return _HERE / name.removeprefix(PREFIX)
