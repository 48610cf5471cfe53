"""The OpenSpiel game `python_bluff`: what OpenSpiel asks of a game and of a state, answered from positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pyspiel

from bluff_env.adapters.openspiel import limits
from bluff_env.adapters.openspiel.observer import InformationState, Observation, tensor_size
from bluff_env.adapters.openspiel.position import CHANCE, OVER, Position, TableOfPositions, table_of
from bluff_env.adapters.openspiel.text import rules_of, text_of
from bluff_env.cards import texts_of
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules

NAME: Final = "python_bluff"
_PARAMETERS: Final = {"rules": "bloff", "players": 0, "dealer": -1}


def _type_of(rules: Rules | None) -> Any:
    """The GameType; of rules, or of the game as it is registered, which leaves open what rules decide."""
    low, high = (2, 16) if rules is None else (rules.players, rules.players)
    zero_sum = rules is None or limits.utilities(rules)[2] == 0.0
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Bluff (the Cheat family and Bluffstopp)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=rules is None or _has_tensor(rules),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_PARAMETERS,
    )


def _has_tensor(rules: Rules) -> bool:
    from bluff_env.layout import layout

    return tensor_size(rules, layout(rules)) <= limits.MAX_TENSOR


GAME_TYPE: Final = _type_of(None)


class BluffGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]  # OpenSpiel has no annotations
    """`pyspiel.load_game("python_bluff(rules=bloff; max_turns: 60)")`, or with a dict of parameters.

    Args:
        params: `rules`: see `text.rules_of`; `players`: seats, 0: as the rules say; `dealer`: who deals first, -1:
            chance decides.

    Attributes:
        rules: the rules that are played.
        table: their positions.

    Raises:
        BluffError: rules that are not allowed, or a dealer who is not at the table.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        players, dealer = int(given["players"]), int(given["dealer"])
        rules = rules_of(str(given["rules"]), **({} if players == 0 else {"players": players}))
        if not -1 <= dealer < rules.players:
            raise BluffError(f"dealer: {dealer} found; a seat from 0 to {rules.players - 1}, or -1 for chance")
        self.rules = rules
        text = text_of(rules)
        self.table: TableOfPositions = table_of(text, dealer)
        low, high, total = limits.utilities(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.layout.n_actions,
            max_chance_outcomes=limits.chance_outcomes(rules),
            num_players=rules.players,
            min_utility=low,
            max_utility=high,
            utility_sum=total,
            max_game_length=limits.longest(rules),
        )
        super().__init__(_type_of(rules), info, {"rules": text, "players": rules.players, "dealer": dealer})

    def new_initial_state(self, *given: Any) -> BluffState:
        """A state in which nothing has been dealt yet."""
        if given:
            raise BluffError("state: a new state begins with the deal; state_of(game, history) goes on from it")
        return BluffState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No way through a game has more chance nodes."""
        return limits.chance_nodes(self.rules)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> InformationState | Observation:
        """Who looks at states for a player.

        Raises:
            BluffError: a kind of observation that this game does not have.
        """
        if params:
            raise BluffError(f"observer: parameters {dict(params)!r} found; none are known")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise BluffError("observer: the private information of all players is shown to nobody")
        if kind.perfect_recall:
            if not (single and kind.public_info):
                raise BluffError("observer: perfect recall is of public and a player's private information together")
            return InformationState(self.table)
        return Observation(self.table, kind.public_info, single)


class BluffState(pyspiel.State):  # type: ignore[misc, unused-ignore]  # OpenSpiel has no annotations
    """A state of `python_bluff`.

    Attributes:
        position: where the game stands.
    """

    def __init__(self, game: BluffGame) -> None:
        super().__init__(game)
        self.position: Position = game.table.root
        self._ahead: list[Position] = []

    def current_player(self) -> int:
        """Who decides, chance and the end among them."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.position.player == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may decide here, and how likely."""
        return list(zip(self.position.legal, self.position.chances, strict=True))

    def _apply_action(self, action: int) -> None:
        if self._ahead:  # worked out before
            self.position = self._ahead.pop()
        else:
            self.position = self.position.next(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return action_text(self.position, player, action)

    def returns(self) -> list[float]:
        """What each player is paid: zeros before the end. [E3]"""
        return self.position.table.returns(self.position)

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> BluffState:
        """A state that the player cannot tell from this one: see `resampling`.

        Args:
            player: who looks.
            probability_sampler: called for numbers in [0, 1); they decide everything.
        """
        from bluff_env.adapters.openspiel.resampling import resampled

        found = resampled(self.position, player, probability_sampler)
        state = self.get_game().new_initial_state()
        state._ahead = found.steps[:0:-1]
        for action in found.path:
            state.apply_action(action)
        return state  # type: ignore[no-any-return, unused-ignore]

    def __str__(self) -> str:
        return text_of_position(self.position)


def state_of(game: BluffGame, history: Sequence[int]) -> BluffState:
    """The state that a history leads to: actions and outcomes of chance, as `State.history()` lists them.

    Whole numbers only, so it runs nothing that the numbers could hide; OpenSpiel's own texts of Python states hold
    pickles.

    Raises:
        BluffError: an action that is not legal where it stands.
    """
    state = game.new_initial_state()
    for action in history:
        if int(action) not in state.position.legal:
            state.position.next(int(action))  # says what is wrong
        state.apply_action(int(action))
    return state


def action_text(position: Position, player: int, action: int) -> str:
    """An action, or an outcome of chance, in words. Different ones at a position have different words."""
    if player != CHANCE:
        return position.table.text_of_action(position, action)
    r = position.table.rules
    match position.what:
        case "dealer" | "opener":
            return f"{position.what} {action}"
        case "deal":
            return f"deal {position.table.layout.tables.kinds[action]}"
        case "notice":
            return "noticed" if action else "not noticed"
        case "race":
            return f"first of those who called: number {action}"
        case "back":
            return f"the start card goes back under {action} cards"
        case "blind":
            return f"card {action} of the hand is drawn"
    return f"{action} of {r.players}"


def text_of_position(position: Position) -> str:
    """All of a position in words, hidden cards included: for people who debug, never an observation."""
    table = position.table
    r, t = table.rules, table.layout.tables
    lines = []
    if position.games:
        game = position.game
        for seat in range(r.players):
            hand, laid = (texts_of(t, position.count(region, seat)) for region in ("hands", "laid"))
            lines.append(f"player {seat}: hand {' '.join(hand) or '-'}, in the pile {' '.join(laid) or '-'}")
        played = texts_of(t, position.count("last"))
        if played:
            lines.append(f"on the table: {t.claims[game['claim']]}:{''.join(played)} of player {game['mover']}")
        if game["start"] >= 0:
            lines.append(f"start card {t.kinds[game['start']]}")
        lines.append(f"turns {game['turns']}, stock {game['stock']}, scores {game['scores'][: r.players].tolist()}")
    if position.player == CHANCE:
        dealt = f" after {' '.join(t.kinds[kind] for kind in position.dealt)}" if position.dealt else ""
        lines.append(f"chance decides: {position.what}{dealt} {list(position.results) or ''}".rstrip())
    elif position.player == OVER:
        lines.append("over")
    else:
        own = [list(actions) for actions in position.own]
        lines.append(f"player {position.player} decides: {position.decides}, not told yet: {own}")
    return "\n".join(lines)
