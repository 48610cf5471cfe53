"""Agents as OpenSpiel policies and the other way round, and OpenSpiel's algorithms on the game."""

from __future__ import annotations

import numpy as np
import pytest

import bluff_agents
import bluff_env
from bluff_agents.agent import Agent
from bluff_agents.errors import AgentError
from bluff_agents.exploit import behaviour, exploitability, grow, uniform
from spiel_games import CORNERS, load, walk

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as spiel_policy  # noqa: E402  (only where it is installed)
from open_spiel.python import rl_agent_policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    cfr,
    expected_game_score,
    external_sampling_mccfr,
    ismcts,
    mcts,
    random_agent,
)
from open_spiel.python.algorithms import exploitability as spiel_exploitability  # noqa: E402

from bluff_agents import openspiel as conversions  # noqa: E402
from bluff_agents.openspiel import agent_from_policy, policy_from_agent  # noqa: E402
from bluff_env.adapters.openspiel.text import rules_of  # noqa: E402

SMALL = "tiny; ranks: 3; suits: 1; max_turns: 4"


def tree_of(rules):
    return grow(rules_of(rules))


# OpenSpiel's algorithms


def nash_conv(game, policy):
    return spiel_exploitability.nash_conv(game, policy)


def test_cfr_and_cfr_plus_go_to_an_equilibrium():
    game = load(SMALL, dealer=1)
    start = nash_conv(game, spiel_policy.UniformRandomPolicy(game))
    for solver in (cfr.CFRSolver(game), cfr.CFRPlusSolver(game), pyspiel.CFRSolver(game), pyspiel.CFRPlusSolver(game)):
        for _ in range(30):
            solver.evaluate_and_update_policy()
        assert nash_conv(game, solver.average_policy()) < 0.2 * start


def test_external_sampling_mccfr_goes_to_an_equilibrium():
    game = load(SMALL, dealer=1)
    np.random.seed(0)  # noqa: NPY002  # OpenSpiel's own
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(400):
        solver.iteration()
    assert nash_conv(game, solver.average_policy()) < 0.5 * nash_conv(game, spiel_policy.UniformRandomPolicy(game))


def test_a_best_response_wins_what_our_solver_says():
    game, tree = load(SMALL, dealer=1), tree_of(SMALL)
    best = exploitability(tree, uniform(tree)).best
    for player in range(2):
        response = best_response.BestResponsePolicy(game, player, spiel_policy.UniformRandomPolicy(game))
        assert response.value(game.new_initial_state()) == pytest.approx(best[player], abs=1e-9)


@pytest.mark.parametrize("rules", [SMALL, CORNERS["dropp"]], ids=["small", "dropp"])
def test_the_reinforcement_learning_environment_plays_games_to_the_end(rules):
    environment = rl_environment.Environment(load(rules), chance_event_sampler=rl_environment.ChanceEventSampler(3))
    agents = [random_agent.RandomAgent(seat, environment.action_spec()["num_actions"]) for seat in
              range(environment.num_players)]  # fmt: skip
    step = environment.reset()
    while not step.last():
        step = environment.step([agents[step.current_player()].step(step).action])
    assert len(step.rewards) == environment.num_players


@pytest.mark.parametrize("rules", ["tiny", CORNERS["race"], CORNERS["dropp"], "bluffstopp; max_turns: 4"])
def test_openspiels_ismcts_chooses_legal_actions(rules):
    game = load(rules)
    random = np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 1.4, 12, random_state=random)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random.random_sample))
    states = [state for state in walk(game, np.random.default_rng(0)) if state.current_player() >= 0]
    for state in states[:: max(1, len(states) // 4)]:
        assert bot.step(state) in state.legal_actions()


# Agents as policies


@pytest.mark.parametrize("name", ["random", "honest", "counter"])
def test_a_policy_plays_like_the_agent(name):
    game, tree = load(SMALL, dealer=1), tree_of(SMALL)
    agent = bluff_agents.load(name, game.rules)
    policy = policy_from_agent(game, name)
    ours, state = exploitability(tree, behaviour(tree, agent)), game.new_initial_state()
    assert list(expected_game_score.policy_value(state, [policy] * 2)) == pytest.approx(ours.values, abs=1e-9)
    assert nash_conv(game, policy) == pytest.approx(ours.nash_conv, abs=1e-9)


@pytest.mark.parametrize("rules", CORNERS.values(), ids=CORNERS)
def test_a_bot_is_a_policy_at_any_rules(rules):
    game = load(rules)
    policy = policy_from_agent(game, "counter")
    for state in walk(game, np.random.default_rng(1)):
        if state.current_player() >= 0:
            found = policy.action_probabilities(state)
            assert sorted(found) == state.legal_actions()
            assert sum(found.values()) == pytest.approx(1)


class Third(Agent):
    """Plays the last legal action at every third of its decisions, else the first: it counts them."""

    def act(self, observation, mask, noise=None, state=None):
        count = np.zeros(len(mask), np.int64) if state is None else state
        legal = mask.astype(bool)
        last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        return np.where(count % 3 == 2, last, legal.argmax(axis=1)), count + 1


def test_an_agent_with_a_memory_is_a_policy_too():
    game = load("tiny")
    policy = policy_from_agent(game, Third(game.rules, "third"))
    decided = {0: 0, 1: 0}
    for state in walk(game, np.random.default_rng(2)):
        player = state.current_player()
        if player >= 0:
            expected = state.legal_actions()[-1 if decided[player] % 3 == 2 else 0]
            assert policy.action_probabilities(state)[expected] == 1
            decided[player] += 1
    assert max(decided.values()) > 3


def test_an_agent_of_other_rules_is_refused():
    with pytest.raises(AgentError, match="plays other rules"):
        policy_from_agent(load("tiny"), bluff_agents.load("honest", "bloff"))


# Policies as agents


def test_an_agent_made_of_the_policy_of_an_agent_plays_like_it():
    game, tree = load(SMALL), tree_of(SMALL)
    agent = bluff_agents.load("counter", game.rules)
    again = agent_from_policy(game, policy_from_agent(game, agent), "again")
    assert again.name == "again"
    assert behaviour(tree, again) == pytest.approx(behaviour(tree, agent))


def test_an_agent_made_of_an_equilibrium_is_hard_to_exploit():
    game, tree = load(SMALL), tree_of(SMALL)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    agent = agent_from_policy(game, solver.average_policy())
    found = exploitability(tree, behaviour(tree, agent)).nash_conv
    assert found < 0.25 * exploitability(tree, uniform(tree)).nash_conv
    counts, mask = tree.observation[:50], tree.mask[:50]
    floats = game.table.layout.to_float(counts)
    assert agent.probabilities(floats, mask) == pytest.approx(agent.probabilities(counts, mask))
    noise = np.random.default_rng(0).random(50)
    once, again = (agent.act(counts, mask, noise)[0] for _ in range(2))
    assert (once == again).all()
    assert mask[np.arange(50), once].all()


def test_a_policy_that_looks_at_observations_plays_at_any_size():
    game = load("bloff")
    learner = random_agent.RandomAgent(0, game.num_distinct_actions())
    policy = rl_agent_policy.JointRLAgentPolicy(game, dict.fromkeys(range(4), learner), use_observation=True)
    agent = agent_from_policy(game, policy, sees="observation")
    result = bluff_agents.load("random", game.rules)
    batch = bluff_env.GameBatch("bloff", games=4, seed=1)
    for _ in range(20):
        likely = agent.probabilities(batch.observation, batch.mask)
        assert likely == pytest.approx(result.probabilities(batch.observation, batch.mask))
        batch.step(agent.act(batch.observation, batch.mask, batch.noise())[0])


def test_a_policy_that_asks_for_more_than_an_observation_tells_is_refused_in_one_line():
    game = load("tiny")
    agent = agent_from_policy(game, spiel_policy.TabularPolicy(load(SMALL)), sees="observation")
    batch = bluff_env.GameBatch("tiny", games=1)
    with pytest.raises(AgentError, match="which an observation does not tell"):
        agent.act(batch.observation, batch.mask, batch.noise())


def test_a_game_too_large_to_go_through_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(conversions, "MAX_POSITIONS", 100)
    game = load("tiny")
    with pytest.raises(AgentError, match=r'policy: more than 100 positions .* or sees="observation"'):
        agent_from_policy(game, spiel_policy.UniformRandomPolicy(game))
    with pytest.raises(AgentError, match="sees: 'all' found; everything or observation"):
        agent_from_policy(game, spiel_policy.UniformRandomPolicy(game), sees="all")
