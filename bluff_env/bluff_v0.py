"""# Bluff

The bluffing card games Bløff, Bluff and Blöf (the Cheat / Bullshit / I Doubt It family) as a PettingZoo AEC
environment.

| | |
|---|---|
| import | `from bluff_env import bluff_v0` |
| agents | `player_0` … in playing order; 2 to 16, 4 unless the rules say otherwise |
| actions | `Discrete(A)`, masked; 16 at `bloff` |
| observation | `Dict(observation=Box(0, 1, (D,), float32), action_mask=Box(0, 1, (A,), int8))`; D is 250 at `bloff` |
| rewards | at the end: +1 to the winner, -1/(players-1) to each other (`rewards=zero_sum`); 0 to all when cut off |
| episode | ends for all agents in the same step, terminated; `infos[agent]["cut_off"]` marks a cut-off |

A turn is a short series of small decisions: pick what to claim (asked only where the rules leave a choice), pick cards
one at a time, lay them; then each other seat is asked whether it calls. `bluff rules NAME` prints the tables of actions
and observations of any rule set, and `env.unwrapped.action_text(action)` says an action in words.

`render_mode` is `ansi` (text), `rgb_array` (a picture, (640, 960, 3) uint8) or `human` (a window). Pictures show all
hands, unless `render_view` names a seat or is `seat`, the agent to move; they need the extra `render`.

```python
from bluff_env import bluff_v0

env = bluff_v0.env(rules="bloff", players=4)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    over = termination or truncation
    action = None if over else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
env.close()
```

Version history: v0, the first. The number changes when a seed would play out differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils import wrappers

from bluff_env.aec import BluffAEC
from bluff_env.ruleset import Rules

__all__ = ["env", "raw_env"]


def env(
    rules: str | Mapping[str, Any] | Rules = "bloff",
    render_mode: str | None = None,
    render_view: str | int | None = None,
    **fields: Any,
) -> wrappers.OrderEnforcingWrapper[Any, Any, Any]:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with -1 for who played it.

    Args:
        rules: anything `bluff_env.rules` takes: a name, a mapping, a YAML file or a `Rules` object.
        render_mode: None, "ansi" (text), "rgb_array" (a picture, (640, 960, 3) uint8) or "human" (a window).
        render_view: whose cards are shown: "all", "seat" (those of the agent to move) or a seat's number; None: "all"
            in pictures, "seat" in text.
        **fields: fields of the rules that differ, e.g. `players=5`.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(rules, render_mode, render_view, **fields), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(
    rules: str | Mapping[str, Any] | Rules = "bloff",
    render_mode: str | None = None,
    render_view: str | int | None = None,
    **fields: Any,
) -> BluffAEC:
    """The environment without wrappers: faster, and an illegal action is a ValueError that names the legal ones."""
    return BluffAEC(rules, render_mode, render_view, **fields)
