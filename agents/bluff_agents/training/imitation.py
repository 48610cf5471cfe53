"""A beginner that plays like somebody else: before the first rollout the policy imitates an agent.

A beginner that starts from nothing hardly ever wins against a good agent, so it has nothing to learn from; one that
plays as the agent does wins its fair share from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bluff_agents.agent import Agent
from bluff_agents.training.model import MASKED, ParallelPPO
from bluff_env import GameBatch, Rules
from bluff_env.asking import Asker

_GAMES: Final = 512
_EPOCHS: Final = 4
_BATCH: Final = 1024
_RATE: Final = 1e-3
# What is left to each of the other legal actions together: somebody who is sure of all it does tries nothing else.
_DOUBT: Final = 0.02
# Sets these games apart from those of the training that follows.
_SALT: Final = 0x1417


@dataclass(frozen=True, slots=True)
class _Played:
    """N decisions: (N, D) what was seen, (N, A) what was legal, (N,) what was done, (N,) what the game came to pay that
    seat (nan: its end was not played).
    """

    observation: NDArray[np.int8]
    mask: NDArray[np.bool_]
    action: NDArray[np.int64]
    paid: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.action)


def imitate(model: ParallelPPO, agent: Agent, rules: Rules, steps: int, seed: int) -> None:
    """Teaches the policy what the agent does, and the critic what comes of it, from `steps` decisions of games in which
    it fills all seats. Draws nothing from torch's generator.
    """
    played = _play(agent, rules, steps, seed)
    optimizer = torch.optim.Adam(model.policy.parameters(), lr=_RATE)
    scale = agent.layout.scale
    for epoch in range(_EPOCHS):
        order = np.random.default_rng([seed, _SALT, epoch]).permutation(len(played))
        for low in range(0, len(played), _BATCH):
            _learn(model, optimizer, played, order[low : low + _BATCH], scale)


def _learn(
    model: ParallelPPO, optimizer: torch.optim.Optimizer, played: _Played, rows: NDArray[np.int64],
    scale: NDArray[np.float32],
) -> None:  # fmt: skip
    """One step of the optimizer."""
    mask = torch.from_numpy(played.mask[rows])
    logits, values = model.evaluate(torch.from_numpy(played.observation[rows].astype(np.float32) / scale))
    likely = torch.log_softmax(torch.where(mask, logits, MASKED), dim=1)
    done = likely.gather(1, torch.from_numpy(played.action[rows])[:, None]).mean()
    any_other = (torch.where(mask, likely, 0.0).sum(dim=1) / mask.sum(dim=1)).mean()
    paid = torch.from_numpy(played.paid[rows])
    seen = ~paid.isnan()
    wrong = torch.where(seen, paid.nan_to_num() - values, 0.0).square().mean()
    loss = -(1 - _DOUBT) * done - _DOUBT * any_other + model.vf_coef * wrong
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.policy.parameters(), model.max_grad_norm)
    optimizer.step()


def _play(agent: Agent, rules: Rules, steps: int, seed: int) -> _Played:
    """So many decisions, or a few more: as many games at once, one after another."""
    begin = int(np.random.SeedSequence([seed, _SALT]).generate_state(1)[0])
    batch = GameBatch(rules, games=_GAMES, seed=begin)
    asker, rows = Asker(agent, _GAMES, rules.players), np.arange(_GAMES)
    length = -(-steps // _GAMES)
    shape = (length, _GAMES)
    observation = np.empty((*shape, batch.layout.size), np.int8)
    mask = np.empty((*shape, batch.layout.n_actions), np.bool_)
    player, action = np.empty(shape, np.int64), np.empty(shape, np.int64)
    rewards, over = np.empty((*shape, rules.players), np.float32), np.empty(shape, np.bool_)
    for at in range(length):
        observation[at], mask[at], player[at] = batch.observation, batch.mask, batch.player
        action[at] = asker.ask(batch, rows, batch.noise())
        rewards[at], over[at] = batch.step(action[at])
        asker.forget(np.flatnonzero(over[at]))
    paid = np.empty(shape, np.float32)
    final = np.full((_GAMES, rules.players), np.nan, np.float32)
    for at in range(length - 1, -1, -1):
        final[over[at]] = rewards[at][over[at]]
        paid[at] = final[rows, player[at]]
    flat = length * _GAMES
    return _Played(observation.reshape(flat, -1), mask.reshape(flat, -1), action.reshape(flat), paid.reshape(flat))
