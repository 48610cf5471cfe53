"""What an agent thinks of a decision in a record: its chances, its value estimate, how likely a claim is true."""

from __future__ import annotations

from typing import Any, Final

from bluff_agents.agent import Agent
from bluff_agents.play.hinting import likeliest
from bluff_agents.play.offering import offer
from bluff_agents.watch.belief import truth
from bluff_env.replaying import Replay

#: Moves that an opinion names.
NAMED: Final = 12


def opinion(replay: Replay, position: int, agent: Agent) -> dict[str, Any]:
    """What an agent would do in the place of the seat to move, seeing what that seat sees.

    Args:
        replay: the game.
        position: where, before its last.
        agent: who is asked.

    Returns:
        `agent`: its name; `seat`: the seat in whose place it is asked; `moves`: the likeliest, each with `text`,
        `words`, `chance`, and `made`: is it what was done; `rest`: the chance of all others; `win`: how likely it
        thinks that seat is to win, None where it cannot tell; `true`: how likely it thinks the claim on the table is
        true, None where none is, or from an agent that does not count.

    Raises:
        BluffError: the agent cannot be asked.
    """
    step = replay.steps[position]
    before = replay.decisions(position, step.seat)
    game = replay.go(position)
    found = likeliest(game, agent, NAMED, before)
    words = offer(game, [move for move, _ in found])
    observation = game.batch.observation.copy()
    win = agent.win_chance(observation)
    return {
        "agent": agent.name,
        "seat": step.seat,
        "moves": [
            {"text": str(move), "words": row["words"], "chance": float(chance), "made": move == step.move}
            for (move, chance), row in zip(found, words, strict=True)
        ],
        "rest": max(0.0, 1.0 - sum(chance for _, chance in found)),
        "win": None if win is None else float(win[0]),
        "true": truth(agent, observation) if step.deciding == "answer" else None,
    }
