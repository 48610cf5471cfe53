"""From a recipe to RLlib's own configuration: new API stack, PPO, one module for all learners or one a seat."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

import bluff_env
from bluff_agents.policy import input_scale
from bluff_agents.rllib.module import MaskedModule
from bluff_agents.rllib.recipe import SHARED, RllibRecipe
from bluff_env.adapters.rllib import BluffMultiAgentEnv

#: Under this key of `result["env_runners"]` stands what games in training came to (see `_count`).
GAMES: Final = "games"
# A fresh node compiles the engine before its first game, which takes half a minute.
_SAMPLE_TIMEOUT: Final = 600.0
# Runners are started again as often as this: on machines that may be taken away any moment it happens often.
_MOST_RESTARTS: Final = 100_000


def policy_ids(recipe: RllibRecipe) -> tuple[str, ...]:
    """The policies that are trained: "shared", or "player_0" … one a seat."""
    return (SHARED,) if recipe.policies == SHARED else tuple(f"player_{seat}" for seat in range(recipe.rules.players))


def algorithm_config(recipe: RllibRecipe, begun_at: int = 0) -> PPOConfig:
    """The configuration of a recipe; `.build_algo()` makes the algorithm, Ray Tune takes it as it is.

    Args:
        recipe: what is trained, and how.
        begun_at: the steps at which it goes on: with other games than those it dealt from the beginning, or from any
            other step.
    """
    names = policy_ids(recipe)
    env_config = {
        "rules": recipe.training_rules.to_dict(),
        "opponents": dict(recipe.opponents),
        "alike": recipe.alike,
        "lead_weight": recipe.lead_weight[0],
    }
    return (
        PPOConfig()
        .environment(BluffMultiAgentEnv, env_config=env_config, disable_env_checking=True)  # tests check it
        .env_runners(
            num_env_runners=recipe.env_runners,
            num_cpus_per_env_runner=recipe.cpus_per_runner,
            num_envs_per_env_runner=recipe.games_per_runner,
            rollout_fragment_length="auto",
            sample_timeout_s=_SAMPLE_TIMEOUT,
        )
        .learners(num_learners=recipe.learners, num_gpus_per_learner=recipe.gpus_per_learner)
        .training(
            train_batch_size_per_learner=recipe.steps_per_learner,
            minibatch_size=recipe.batch_size,
            num_epochs=recipe.epochs,
            gamma=recipe.gamma,
            lambda_=recipe.gae_lambda,
            clip_param=recipe.clip,
            vf_loss_coeff=recipe.value_weight,
            vf_clip_param=float("inf"),
            grad_clip=recipe.max_gradient,
            lr=_schedule(recipe, recipe.learning_rate),
            entropy_coeff=_schedule(recipe, recipe.entropy),
            use_kl_loss=True,  # with a weight of 0: it is only looked at
            kl_coeff=0.0,
        )
        .multi_agent(policies=set(names), policy_mapping_fn=_shared if names == (SHARED,) else _own)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={name: _module(recipe) for name in names}))
        .fault_tolerance(
            restart_failed_env_runners=True,
            max_num_env_runner_restarts=_MOST_RESTARTS,
            delay_between_env_runner_restarts_s=1.0,
        )
        .callbacks(on_episode_end=_count)
        .debugging(seed=seed_at(recipe, begun_at), log_level="ERROR")
    )


def seed_at(recipe: RllibRecipe, begun_at: int) -> int:
    """The seed of a run that begins, or goes on, at so many steps: 31 bits, since RLlib adds the runner's number."""
    if not begun_at:
        return recipe.seed
    return int(np.random.SeedSequence([recipe.seed, begun_at]).generate_state(1)[0] >> 1)


def _schedule(recipe: RllibRecipe, ends: tuple[float, float]) -> float | list[list[float]]:
    """A ramp as RLlib takes it: a number, or points (step, number)."""
    start, end = ends
    return start if start == end else [[0, start], [recipe.total_steps, end]]


def _module(recipe: RllibRecipe) -> RLModuleSpec:
    """The network as the recipe wants it, for the observations that the rules give."""
    lay = bluff_env.layout(recipe.rules)
    env = BluffMultiAgentEnv({"rules": recipe.training_rules})
    return RLModuleSpec(
        module_class=MaskedModule,
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config={
            "network": list(recipe.network),
            "activation": recipe.activation,
            "scale": input_scale(lay).tolist(),
            "inclination": dict.fromkeys(_ids(lay.actions["call"]), recipe.inclination_to_call),
        },
    )


def _ids(segment: slice) -> range:
    return range(segment.start, segment.stop)


# Found by name on every node, as functions of this module; so no code need be sent there.


def _shared(agent_id: str, episode: Any, **_: Any) -> str:
    return SHARED


def _own(agent_id: str, episode: Any, **_: Any) -> str:
    return agent_id


def _count(*, episode: Any, metrics_logger: Any, env: Any, env_index: int, **_: Any) -> None:
    """Counts a game that has ended: how, and how often learners won against whom."""
    ending = env.unwrapped.envs[env_index].unwrapped.ending
    counts = {"games": 1, "cut_off": int(ending.cut_off), "turns": ending.turns}
    if ending.opponents != "self":
        counts |= {f"won/{ending.opponents}": int(ending.won), f"seats/{ending.opponents}": ending.learners}
    for name, value in counts.items():
        metrics_logger.log_value((GAMES, name), value, reduce="sum")


def count_games(result: dict[str, Any]) -> dict[str, float]:
    """A row of metrics.csv from the games that ended in an iteration: games, share of cut-offs, turns a game, and the
    share that a learner's seat won against each kind of opponent.
    """
    found = result.get("env_runners", {}).get(GAMES, {})
    games = int(np.nan_to_num(float(found.get("games", 0))))  # NaN where no game has ended
    if not games:
        return {"games": 0}
    row = {"games": float(games), "cut_off": float(found["cut_off"]) / games, "turns": float(found["turns"]) / games}
    for key in sorted(found):
        kind, _, who = key.partition("/")
        if kind == "seats" and found[key]:
            row[f"won/{who}"] = float(found[f"won/{who}"]) / float(found[key])
    return row
