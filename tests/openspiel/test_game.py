"""The OpenSpiel game `python_bluff`: OpenSpiel's own tests, the engine's games, chance, bounds, and what is loaded."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise

import numpy as np
import pytest

import bluff_env
from bluff_agents.exploit.chances import deals
from bluff_env.errors import BluffError
from spiel_games import CORNERS, load, sampled, walk

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402  (only where it is installed)

from bluff_env.adapters.openspiel import dealing, limits, state_of  # noqa: E402
from bluff_env.adapters.openspiel.text import rules_of, text_of  # noqa: E402

NAMED = [f"{name}; max_turns: 6" for name in bluff_env.rule_names()]
SETS = [pytest.param(text, id=text.partition(";")[0]) for text in NAMED]
SETS += [pytest.param(text, id=name) for name, text in CORNERS.items()]


@pytest.mark.parametrize("rules", SETS)
def test_openspiels_random_simulation_finds_nothing_amiss(rules):
    pyspiel.random_sim_test(load(rules), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_whole_games_with_all_their_turns_pass_openspiels_random_simulation(name):
    pyspiel.random_sim_test(load(f"{name}; max_turns: 200"), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", SETS)
def test_every_game_of_the_engine_is_a_way_through_the_game(rules):
    """With what chance decided there, the same is seen at every step, and the same is paid."""
    game = load(rules)
    r = game.rules
    for seed in range(3):
        batch = bluff_env.GameBatch(r, seeds=[seed], restart=False)
        first = int(batch.rule["c_deck" if r.target_points is None else "c_first"][0])
        deck = batch.cards[0, first : first + r.deck_size].tolist()
        dealer, opener = int(batch.games["dealer"][0]), int(batch.games["opener"][0])
        position = game.table.root.next(dealer)
        if position.what == "opener":
            position = position.next(opener)
        position = dealt(r, position, deck)
        while batch.player[0] >= 0:
            assert position.player == batch.player[0]
            assert list(position.legal) == np.flatnonzero(batch.mask[0]).tolist()
            assert (game.table.mask(position) == batch.mask[0]).all()
            for seat in range(r.players):
                assert (game.table.observe(position, seat) == batch.observe(seat)[0]).all()
            action, begin = int(batch.random_actions()[0]), int(batch.games["logged"][0])
            rewards, _ = batch.step([action])
            decided = batch._logs.whole(0)[begin + 1 :].tolist()
            position = position.next(action)
            while position.what:
                if position.what == "deal":
                    position = dealt(r, position, decided)
                    decided = []
                else:
                    position = position.next(decided.pop(0))
            assert decided == []
            assert game.table.returns(position) == pytest.approx(rewards[0].tolist())


def dealt(r, position, deck):
    """Where a deck leads that is dealt at a position."""
    cards = sum(dealing.hand_sizes(r, position.dealer))
    hands = [sorted(deck[:cards][i :: r.players]) for i in range(r.players)]
    rest = deck[cards:] if dealing.stock_matters(r) else sorted(deck[cards:])
    told = (*(kind for hand in hands for kind in hand), *rest)
    assert sorted(dealing.deck_of(r, position.dealer, told)) == sorted(deck)
    while position.what == "deal":
        position = position.next(told[len(position.dealt)])
    return position


@pytest.mark.parametrize(
    "rules",
    [
        "tiny", "tiny; ranks: 3; suits: 3; players: 2", "bloff; ranks: 3; suits: 2; jokers: 1; players: 3",
        "bluffstopp; ranks: 2; suits: 2; hand_size: 1; players: 2; start_card: none; penalty: stock_1",
    ],
)  # fmt: skip
def test_card_by_card_every_deal_is_as_likely_as_a_shuffled_deck_makes_it(rules):
    game = load(rules)
    r, t = game.rules, game.table.layout.tables
    found: dict[str, float] = {}

    def deal_on(position, likely):
        if position.what != "deal":
            hands = [[t.kinds[k] for k in np.repeat(range(len(t.kinds)), position.count("hands", seat))] for seat in
                     range(r.players)]  # fmt: skip
            at = position.table.at("stock")
            stock = np.frombuffer(position.cards, np.int8)[at : at + r.deck_size - sum(map(len, hands))]
            text = f"{hands} {[t.kinds[k] for k in stock]}"
            assert text not in found  # one way to each deal
            found[text] = likely
            return
        assert sum(position.chances) == pytest.approx(1)
        for outcome, chance in zip(position.legal, position.chances, strict=True):
            deal_on(position.next(outcome), likely * chance)

    deal_on(game.table.root.next(r.players - 1), 1.0)
    expected = {f"{deal['hands']} {deal['stock']}": chance for deal, chance in deals(r)}
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("rules", CORNERS.values(), ids=CORNERS)
def test_no_game_is_longer_or_pays_more_than_openspiel_is_told(rules):
    game = load(rules)
    for seed in range(8):
        states = list(walk(game, np.random.default_rng(seed)))
        chance = sum(state.is_chance_node() for state in states)
        assert len(states) - 1 - chance <= game.max_game_length()
        assert chance <= game.max_chance_nodes_in_history()
        assert max(max(s.legal_actions()) for s in states if s.is_chance_node()) < game.max_chance_outcomes()
        returns = states[-1].returns()
        assert game.min_utility() <= min(returns) <= max(returns) <= game.max_utility()
        assert max(states[-1].position.sights[seat].length for seat in range(game.num_players())) <= limits.events(
            game.rules
        )
        if game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM:
            assert sum(returns) == pytest.approx(0)
            assert game.utility_sum() == 0


@pytest.mark.parametrize(
    ("fields", "low", "high", "zero_sum"),
    [
        ("players: 4; rewards: zero_sum", -1 / 3, 1, True), ("players: 2; rewards: win_loss", -1, 1, True),
        ("players: 3; rewards: win_loss", -1, 1, False), ("players: 2; rewards: win", 0, 1, False),
    ],
)  # fmt: skip
def test_what_can_be_paid_follows_from_the_rewards(fields, low, high, zero_sum):
    game = load(f"bloff; {fields}")
    assert (game.min_utility(), game.max_utility()) == pytest.approx((low, high))
    assert (game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM) == zero_sum
    assert (game.utility_sum() == 0) if zero_sum else game.utility_sum() is None


def test_the_longest_game_is_as_long_as_openspiel_is_told():
    game = load("tiny; ranks: 2; suits: 2; max_cards: 2; max_turns: 1")
    longest = 0
    stack = [(game.table.root, 0)]
    while stack:
        position, length = stack.pop()
        longest = max(longest, length)
        stack += [(position.next(action), length + (position.player >= 0)) for action in position.legal]
    # two picks (the play is laid by itself then) or one pick and lay; then an answer
    assert longest == 3
    assert game.max_game_length() == 4  # a bound: picks up to the cap, and lay


@pytest.mark.parametrize("rules", CORNERS.values(), ids=CORNERS)
def test_a_state_comes_back_from_a_clone_a_text_a_pickle_and_its_history(rules):
    game = load(rules)
    states = list(walk(game, np.random.default_rng(2)))
    for state in states[:: max(1, len(states) // 6)]:
        text = pyspiel.serialize_game_and_state(game, state)
        same_game, again = pyspiel.deserialize_game_and_state(text)
        assert str(same_game) == str(game)
        for other in (state.clone(), again, state_of(game, state.history()), pickle.loads(pickle.dumps(state))):  # noqa: S301
            assert other.history() == state.history()
            assert str(other) == str(state)
            assert other.current_player() == state.current_player()
            assert other.legal_actions() == state.legal_actions()


def test_a_clone_goes_its_own_way():
    game = load("tiny")
    state = list(walk(game, np.random.default_rng(0)))[10]
    before = str(state)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


@pytest.mark.parametrize("rules", [*CORNERS.values(), "bluffstopp_dropp; max_turns: 6"], ids=[*CORNERS, "named"])
def test_every_action_and_outcome_has_words_of_its_own(rules):
    game = load(rules)
    for state in walk(game, np.random.default_rng(4)):
        if not state.is_terminal():
            player = state.current_player()
            texts = {state.action_to_string(player, action): action for action in state.legal_actions()}
            assert len(texts) == len(state.legal_actions())
            assert all(state.string_to_action(player, text) == action for text, action in texts.items())


def test_chance_says_what_it_decides():
    told = set()
    for rules in CORNERS.values():
        game = load(rules)
        for seed in range(6):
            told |= {state.position.what for state in walk(game, np.random.default_rng(seed))}
    assert told == {"dealer", "opener", "deal", "race", "blind", "back", "notice", ""}


def test_a_notice_is_as_likely_as_the_rules_say():
    game, seen = load(CORNERS["dropp"]), set()
    for seed in range(6):
        for before, after in pairwise(walk(game, np.random.default_rng(seed))):
            if after.position.what == "notice":
                dropped = "drop " in before.action_to_string(before.current_player(), after.history()[-1])
                seen.add(round(dict(after.chance_outcomes())[1], 6))
                assert not dropped  # it is decided with the play or pass
    assert seen == {0.5, 0.25}


@pytest.mark.parametrize("rules", ["tiny", "bloff; max_turns: 3", "bluffstopp_dropp; max_turns: 2", CORNERS["votes"]])
def test_a_playthrough_can_be_written_and_played_again(rules):
    text = f"python_bluff(rules={rules})"
    first = generate_playthrough.playthrough(text, None, seed=1)
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", first, re.MULTILINE)]
    assert generate_playthrough.playthrough(text, actions, seed=2) == first
    assert "InformationStateTensor(0).events" in first


# What is loaded


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_a_game_is_loaded_by_the_name_of_its_rules(name):
    assert load(name).rules == bluff_env.rules(name)


@pytest.mark.parametrize(
    "text",
    [
        "bloff; players: 3; max_turns: 60", "{base: bloff, players: 3, max_turns: 60}",
        "base: bloff; players: 3; max_turns: 60",
        '{"base": "bloff", "players": 3, "max_turns": 60}', "base: bloff\nplayers: 3\nmax_turns: 60",
    ],
)  # fmt: skip
def test_rules_are_read_in_every_form_and_written_in_one(text):
    game = load(text)
    assert game.rules == bluff_env.rules("bloff", players=3, max_turns=60)
    assert game.get_parameters()["rules"] == "bloff; players: 3; max_turns: 60"
    assert pyspiel.load_game(str(game)).rules == game.rules


def test_rules_of_a_file_are_in_the_game_and_not_its_path(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("base: bluffstopp_dropp\ndropp: {penalty: 4, notice: 0.00001, false_notice: 0}\n")
    game = load(str(path))
    path.unlink()
    assert pyspiel.load_game(str(game)).rules == game.rules == rules_of(text_of(game.rules))
    assert game.rules.dropp.notice == 0.00001


def test_players_are_openspiels_parameter_too():
    assert pyspiel.load_game("python_bluff(rules=bloff,players=6)").num_players() == 6
    assert pyspiel.load_game("python_bluff").num_players() == 4


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rules": "blof_fre"}, "no rule set named 'blof_fre'"),
        ({"rules": "bloff; colour: red"}, "colour: no such field"),
        ({"rules": "bloff; players: 99"}, "players: 99"), ({"rules": "bloff; players 3"}, "'players 3' found"),
        ({"rules": "bloff; base: tiny"}, "one of the two"), ({"rules": "{a: ["}, "cannot be read"),
        ({"rules": ""}, "nothing found"), ({"rules": "tiny", "dealer": 2}, "dealer: 2 found; a seat from 0 to 1"),
        ({"rules": "no_such.yaml"}, "cannot be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_is_told_in_one_line(parameters, message):
    with pytest.raises(BluffError, match=message.replace("[", r"\[")) as caught:
        pyspiel.load_game("python_bluff", parameters)
    assert "\n" not in str(caught.value)


def test_a_history_with_an_illegal_action_is_refused_in_one_line():
    with pytest.raises(BluffError, match="action 5 is not legal here; legal: 0, 1"):
        state_of(load("tiny"), [5])


def test_an_unknown_observation_is_refused():
    game = load("tiny")
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(BluffError, match="shown to nobody"):
        game.make_py_observer(everything)


def test_the_same_choices_make_the_same_game():
    game = load("bloff; max_turns: 10")
    histories = []
    for _ in range(2):
        random, state = np.random.default_rng(7), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(sampled(state, random))
        histories.append(state.history())
    assert histories[0] == histories[1]
