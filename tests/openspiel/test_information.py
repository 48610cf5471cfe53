"""What a player of the OpenSpiel game knows: perfect recall, equal strings and tensors, and nothing hidden."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from bluff_env.errors import BluffError
from spiel_games import CORNERS, every_state, load, walk

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import rl_environment  # noqa: E402  (only where it is installed)
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation  # noqa: E402

from bluff_env.adapters.openspiel import limits  # noqa: E402
from bluff_env.adapters.openspiel.observer import information_of as known  # noqa: E402

#: Games so short that information states come again.
SHORT = {
    "three": "tiny; ranks: 3; suits: 1; max_turns: 4",
    "race": "bloff; call_order: race; ranks: 2; suits: 2; players: 3; max_turns: 1; max_cards: 1",
    "match": "tiny; ranks: 2; suits: 1; target_points: 2; max_turns: 2",
    "drops": "bluffstopp_dropp; ranks: 2; suits: 2; hand_size: 2; players: 2; max_turns: 1; "
    "dropp: {penalty: 3; notice: 0.5; false_notice: 0.25}",
    "gifts": "bluffstopp; ranks: 2; suits: 2; hand_size: 2; players: 2; start_card: none; give: choose; "
    "max_turns: 2; penalty: stock_1",
    "draws": "bluffstopp; ranks: 2; suits: 2; hand_size: 2; players: 2; start_card: none; max_turns: 2; "
    "penalty: stock_1",
    "votes": "bluffstopp; ranks: 2; suits: 2; start_card_high: 2; start_card_redraws: 1; hand_size: 1; players: 2; "
    "max_turns: 1",
    "seen by the caller": "tiny; ranks: 3; suits: 1; players: 3; max_turns: 2; reveal: caller",
    "pairs": "tiny; ranks: 2; suits: 2; max_cards: 2; max_turns: 2",
}


def decisions(states):
    return [state for state in states if state.current_player() >= 0]


@pytest.mark.parametrize("rules", SHORT.values(), ids=SHORT)
def test_a_player_remembers_all_it_has_known_and_done(rules):
    """Perfect recall: one information state, one past of information states and own actions."""
    game = load(rules)
    pasts = defaultdict(set)
    for state in decisions(every_state(game)):
        player, past = state.current_player(), []
        for before, after in zip(state.position.steps, state.position.steps[1:], strict=False):
            if before.player == player:
                past.append((known(before, player), after.action))
        pasts[state.information_state_string()].add(tuple(past))
    assert len(pasts) > 10
    assert all(len(found) == 1 for found in pasts.values())


@pytest.mark.parametrize("rules", SHORT.values(), ids=SHORT)
def test_equal_strings_are_equal_tensors_and_the_other_way_round(rules):
    game = load(rules)
    observation = make_observation(game, INFO_STATE_OBS_TYPE)
    tensors: dict[str, bytes] = {}
    for state in every_state(game):
        for player in range(game.num_players()):
            observation.set_from(state, player)
            text, tensor = observation.string_from(state, player), observation.tensor.tobytes()
            assert tensors.setdefault(text, tensor) == tensor
    assert len(set(tensors.values())) == len(tensors)


@pytest.mark.parametrize("rules", CORNERS.values(), ids=CORNERS)
def test_in_longer_games_too_different_strings_are_different_tensors(rules):
    game = load(rules)
    tensors: dict[str, bytes] = {}
    for seed in range(2):
        for state in walk(game, np.random.default_rng(seed)):
            for player in range(game.num_players()):
                text = state.information_state_string(player)
                tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
                assert tensors.setdefault(text, tensor) == tensor
    assert len(set(tensors.values())) == len(tensors)


@pytest.mark.parametrize("rules", SHORT.values(), ids=SHORT)
def test_who_knows_the_same_sees_the_same_and_may_do_the_same(rules):
    game = load(rules)
    seen: dict[str, tuple[bytes, list[int]]] = {}
    for state in decisions(every_state(game)):
        player = state.current_player()
        found = (game.table.observe(state.position, player).tobytes(), state.legal_actions())
        assert seen.setdefault(state.information_state_string(), found) == found
    assert len(seen) > 10


@pytest.mark.parametrize("rules", SHORT.values(), ids=SHORT)
def test_nobody_knows_what_another_holds_before_it_is_shown(rules):
    """Right after the deal a player knows its own hand and what is turned: others' hands do not tell states apart."""
    game = load(rules)
    strings = defaultdict(set)
    for state in every_state(game):
        position = state.position
        if position.games and not position.parent.games:
            for player in range(game.num_players()):
                own = position.count("hands", player).tobytes()
                shown = (int(position.game["dealer"]), int(position.game["opener"]), int(position.game["start"]))
                mine = position.player == player
                strings[player, own, shown, mine].add(state.information_state_string(player))
    assert all(len(found) == 1 for found in strings.values())
    others = {found for many in strings.values() for found in many}
    assert len(others) == len(strings)


def test_a_true_notice_is_told_like_a_false_one():
    game = load(SHORT["drops"])
    texts = {
        state.information_state_string(player)
        for state in every_state(game)
        for player in range(2)
        if "notice" in state.information_state_string(player) and f"drop seat={player}" not in
        state.information_state_string(player)
    }  # fmt: skip
    texts = {text for text in texts if not any(told in text for told in ("accuse", "call", "end"))}  # which tell more
    dropped = defaultdict(set)
    for state in every_state(game):
        for player in range(2):
            text = state.information_state_string(player)
            if text in texts:
                dropped[text].add(int(state.position.game["laps"][1 - player]) > 0)
    assert dropped
    assert all(found == {False, True} for found in dropped.values())


def test_the_observation_tensor_is_what_the_environments_show():
    game = load(CORNERS["race"])
    for state in walk(game, np.random.default_rng(1)):
        for player in range(3):
            expected = game.table.layout.to_float(game.table.observe(state.position, player))
            assert state.observation_tensor(player) == pytest.approx(expected.tolist())


def test_public_and_private_observations_are_apart():
    game = load("tiny")
    public = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    )
    private = game.make_py_observer(
        pyspiel.IIGObservationType(
            perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
    )
    free = load("blof_free; max_turns: 4")
    kinds = [
        free.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, public_info=told, private_info=info))
        for told, info in ((True, pyspiel.PrivateInfoType.NONE), (False, pyspiel.PrivateInfoType.SINGLE_PLAYER))
    ]
    picking = next(
        state for state in walk(free, np.random.default_rng(0)) if state.position.decides == "pick"
    )  # fmt: skip
    seat = picking.current_player()
    told, own = (observer.string_from(picking, seat) for observer in kinds)
    assert " claim=" not in f" {told}"  # what it is about to claim is not said yet
    assert " claim=" in f" {own}"
    state = list(walk(game, np.random.default_rng(0)))[8]
    assert "hand=" in private.string_from(state, 0)
    assert "hand=" not in public.string_from(state, 0)
    assert "hand_sizes=" in public.string_from(state, 0)


def test_a_tensor_that_would_be_absurd_is_not_offered_and_the_rest_of_the_game_is():
    game = load("blof_match; target_points: 1000")
    assert limits.events(game.rules) * 81 > limits.MAX_TENSOR
    assert not game.get_type().provides_information_state_tensor
    state = list(walk(load("blof_match; target_points: 1000; max_turns: 2"), np.random.default_rng(0)))[-1]
    assert state.is_terminal()
    with pytest.raises(BluffError, match=r"information state tensor: .* at most 67,108,864: lower max_turns") as caught:
        game.make_py_observer(INFO_STATE_OBS_TYPE).set_from(game.new_initial_state(), 0)
    assert "\n" not in str(caught.value)
    step = rl_environment.Environment(game).reset()  # takes observations by itself
    assert len(step.observations["info_state"][0]) == game.table.layout.size
    assert game.new_initial_state().information_state_string(0)
