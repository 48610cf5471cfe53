"""What an agent thinks of a decision in a record: its chances, its value estimate, how likely a claim is true."""

from __future__ import annotations

from typing import Any, Final

from bluff_agents.agent import Agent
from bluff_agents.errors import AgentError
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
        `agent`: its name; `seat`: the seat in whose place it is asked; `moves`: the likeliest, all of them where
        there are few, and what was done, each with `text`, `words`, `chance`, and `made`: is it what was done; `rest`:
        the chance of all others; `win`: how likely it thinks that seat is to win, None where it cannot tell; `true`:
        how likely it thinks the claim on the table is true, None where none is, or from an agent that does not count.

    Raises:
        BluffError: the agent cannot be asked.
    """
    step = replay.steps[position]
    before = replay.decisions(position, step.seat)
    game = replay.go(position)
    found = likeliest(game, agent, NAMED, before)
    named = {move for move, _ in found}
    if step.deciding in ("answer", "vote"):  # few moves: all are named, likely or not
        found += [(move, 0.0) for move in game.legal_moves if move not in named]
    elif step.move not in named and (chance := _chance(replay, position, agent)) is not None:
        found.append((step.move, chance))
    game = replay.go(position)
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


def _chance(replay: Replay, position: int, agent: Agent) -> float | None:
    """How likely the agent does what was done at a position; None of an agent with a memory. The game moves on."""
    game, likely = replay.go(position), 1.0
    actions = replay.steps[position].actions
    for number, action in enumerate(actions):
        if number:  # the last small decision need not be played, and chance might decide something after it
            game.push_action(actions[number - 1])
        try:
            likely *= float(agent.probabilities(game.batch.observation, game.batch.mask)[0, action])
        except AgentError:
            return None
    return likely
