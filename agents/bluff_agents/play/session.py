"""Session: one game of a person in one seat and agents in the others, shown as that seat sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bluff_agents import zoo
from bluff_agents.agent import Agent
from bluff_agents.errors import AgentError
from bluff_agents.loading import load
from bluff_agents.play.events import Event, Teller, gained
from bluff_agents.play.explaining import explain
from bluff_agents.play.hinting import Decision, likeliest, refuse_searching
from bluff_agents.play.offering import offer, offered
from bluff_agents.play.prompting import bounds, notation, prompt, refusal
from bluff_agents.play.summing import summary
from bluff_agents.play.words import card_dict, claim_words
from bluff_env import BluffError, Game, Move, Rules, Snapshot
from bluff_env import rules as make_rules
from bluff_env.asking import Asker
from bluff_env.errors import MoveError
from bluff_env.moves import parse_move
from bluff_env.record import last_events

#: What records call the person's seat.
PERSON: Final = "human"
#: Moves that a hint tells.
_HINTED: Final = 5
#: The latest events that a view holds.
_RECENT: Final = 40
#: How much of what was typed an error repeats.
_QUOTED: Final = 40
_ROW: Final = np.zeros(1, np.int64)


class PlayError(BluffError):
    """What a session is asked for and cannot do: a seat that is not there, too many agents, an undo with nothing to."""


@dataclass(frozen=True, slots=True)
class _Point:
    """How everything stood at a decision of the person."""

    game: Snapshot
    minds: list[Any]
    events: int
    decisions: int
    last: list[str]


class Session:
    """One game. The person's seat is the only one whose cards a session shows, before the game is over.

    After every call the person is asked, or the game is over.

    Args:
        rules: anything `bluff_env.rules` takes.
        agents: who sits in the other seats, from the person's left on: names as `bluff_agents.load` takes them, or
            `Agent`s; a single one, or a list of one, fills all seats. None: `default_opponent`.
        seat: the person's.
        seed: decides the deal and the agents' chance; None: drawn by the system.
        practice: allows `undo`.
        trust: as of `bluff_agents.load`.
        deal: a deal as game records write it, instead of a shuffled one.
        **fields: fields of the rules that differ, e.g. `players=3`.

    Attributes:
        rules, name: what is played, and the named set it is, None for house rules.
        seat, practice: as given.
        seed: what decides the game. Who knows it can work out all hands.
        seats: the name of each seat, `human` for the person.
        events: all that the person's seat has been told, see `Teller.tell`; each with a `table`, how many cards hands,
            pile and stock had after it, as the person's seat sees them: `cards` (a seat each), `pile`, `stock`.

    Raises:
        BluffError: one line: rules, agents, a seat or a seed that cannot be.

    >>> session = Session("tiny", "random", seed=1)
    >>> session.view()["phase"]
    'answer'
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        agents: str | Agent | Sequence[str | Agent] | None = None,
        *,
        seat: int = 0,
        seed: int | None = None,
        practice: bool = False,
        trust: bool = False,
        deal: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> None:
        made = make_rules(rules, **fields)
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < made.players:
            raise PlayError(f"seat: {seat!r} is not allowed; a whole number from 0 to {made.players - 1}")
        # the rules go in as they were given, for the name they are called by
        self._game = Game(rules, seed=seed, deal=deal, **fields)
        self.rules: Rules = self._game.rules
        self.name: str | None = self._game.batch.name
        self.seat, self.practice = seat, practice
        self.seed = int(self._game.batch.seed[0])
        self.seats, self._askers = self._seated(agents, trust)
        self._advisers: dict[str, Agent] = {}
        self._trust = trust
        self._teller = Teller(self.rules, seat)
        self.events: list[Event] = []
        self._decisions: list[Decision] = []
        self._points: list[_Point] = []
        self._offered: list[Move] | None = None
        self._tell([])
        self._go_on()

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._game.over

    @property
    def moves(self) -> list[Move]:
        """The moves listed to the person, the first `offering.LISTED` of them; their places are their ids."""
        if self._offered is None:
            self._offered = offered(self._game)
        return self._offered

    def view(self) -> dict[str, Any]:
        """What the person's seat may see, as plain data that JSON can hold.

        Keys:

        - `rules` (name or None), `players`, `seat`, `practice`, `can_undo`
        - `phase`: "play", "answer", "vote", "give" or "over"; `prompt`: what the person is asked, in words
        - `hand`: the cards in order, each as `words.card_dict`
        - `seats`: by seat: `seat`, `name`, `you`, `cards` (as they appear [D2]), `to_move`, `score`
        - `pile`, `stock`: how many cards; `start_card`: a card or None; `passes`: in a row
        - `claim`: the claim last made, None before any: `seat`, `claim`, `count`, `words`, and `open` while it is
          answered; `follow`: the claim that must be followed, None for who leads
        - `to_claim`: what the person may claim now; `least`, `most`: how many cards a play or a gift may have
        - `moves`: as `offering.offer`; `n_moves`: how many there are, listed or not
        - `notices`: by whom a card may have been dropped, and how many turns ago: `seat`, `ago`
        - `events`: the latest of `Session.events`
        - `turns`, `max_turns`, `target_points`; `over`, `winner`, `cut_off`, `rewards` (None until it is over)
        """
        game = self._game
        view = game.view(self.seat)
        least, most = bounds(game, self.seat)
        return {
            "rules": self.name,
            "players": self.rules.players,
            "seat": self.seat,
            "practice": self.practice,
            "can_undo": bool(self._points) and self.practice,
            "phase": view.deciding or "over",
            "prompt": prompt(game, self.seat),
            "hand": [card_dict(card) for card in view.hand],
            "seats": [
                {
                    "seat": seat,
                    "name": self.seats[seat],
                    "you": seat == self.seat,
                    "cards": size,
                    "to_move": seat == view.turn,
                    "score": view.scores[seat],
                }
                for seat, size in enumerate(view.hand_sizes)
            ],
            "pile": view.pile,
            "stock": view.stock,
            "start_card": None if view.start_card is None else card_dict(view.start_card),
            "passes": view.passes,
            "claim": self._last_claim(view.claimant is not None),
            "follow": view.last_claim,
            "to_claim": list(view.to_claim),
            "least": least,
            "most": most,
            "moves": offer(game, self.moves),
            "n_moves": len(game.legal_moves),
            "notices": [{"seat": seat, "ago": ago} for seat, ago in view.notices],
            "events": [dict(event) for event in self.events[-_RECENT:]],
            "turns": view.turns,
            "max_turns": self.rules.max_turns,
            "target_points": self.rules.target_points,
            "over": view.over,
            "winner": view.winner,
            "cut_off": view.cut_off,
            "rewards": game.rewards if view.over else None,
        }

    def play(self, move: int | str | Move) -> list[Event]:
        """Plays a move of the person, then lets the agents play until the person is asked again or the game is over.

        Args:
            move: a place in `moves`; a move in the notation of records (`4:4JT`, `:4` where the claim is forced, `10♥`
                for `TH`, any case), or a `Move`.

        Returns:
            What the person's seat has been told since: the new ones of `events`.

        Raises:
            PlayError: the move is not legal here, or an agent failed; everything is as it was before.
        """
        actions = self._game.actions_of(self.check(move))
        point = self._point()
        try:
            for action in actions:
                self._decisions.append((self._game.batch.observation.copy(), self._game.batch.mask.copy()))
                self._step(action)
            self._go_on()
        except BaseException:
            self._back_to(point)
            raise
        if self.practice:
            self._points.append(point)
        return self.events[point.events :]

    def check(self, move: int | str | Move) -> Move:
        """The move of the person that is meant, as of `play`. Raises PlayError where it is not legal here."""
        if self.over:
            raise PlayError("the game is over")
        chosen = self._move(move)
        if chosen not in self._game.legal_moves:
            raise PlayError(f"{chosen}: {refusal(self._game, self.seat, chosen)}")
        return chosen

    def undo(self) -> None:
        """Takes the person's last move back, and what the agents did after it. Playing it again, all goes as before.

        Raises:
            PlayError: not in practice mode, or there is nothing to take back.
        """
        if not self.practice:
            raise PlayError("undo: only in practice mode")
        if not self._points:
            raise PlayError("undo: you have made no move yet")
        self._back_to(self._points.pop())

    def hint(self, agent: str | Agent | None = None, most: int = _HINTED) -> dict[str, Any]:
        """What an agent would do in the person's place, seeing what the person sees.

        Args:
            agent: its name or itself; None: `default_opponent`.
            most: how many moves.

        Returns:
            `agent`: its name; `moves`: the likeliest, each with `text`, `words`, `chance`; `rest`: the chance that it
            plays none of them; `win`: how likely it thinks it is to win, None where it cannot tell.

        Raises:
            BluffError: the game is over, or the agent cannot be loaded or asked.
        """
        if self.over:
            raise PlayError("hint: the game is over")
        name, adviser = self.adviser(agent)
        found = likeliest(self._game, adviser, most, self._decisions)
        listed = {row["text"]: row for row in offer(self._game, [move for move, _ in found])}
        win = adviser.win_chance(self._game.batch.observation.copy())
        return {
            "agent": name,
            "moves": [
                {"text": str(move), "words": listed[str(move)]["words"], "chance": float(chance)}
                for move, chance in found
            ],
            "rest": max(0.0, 1.0 - sum(chance for _, chance in found)),
            "win": None if win is None else float(win[0]),
        }

    def record(self) -> dict[str, Any]:
        """The game as a record (`bluff-record/1`), finished or not, hidden cards included."""
        return {**self._game.record(), "seats": list(self.seats)}

    def summary(self) -> dict[str, Any]:
        """How everybody played, once the game is over: see `summing.summary`. Raises PlayError before."""
        if not self.over:
            raise PlayError("summary: the game is not over")
        return summary(self.record(), [int(self._game.hand_counts(seat).sum()) for seat in range(self.rules.players)])

    def explain(self) -> list[str]:
        """The rules in play, a sentence or two a line."""
        return explain(self.rules)

    def __repr__(self) -> str:
        return f"<Session of {' '.join(self.seats)}, turn {self._game.turns}>"

    def _seated(
        self, agents: str | Agent | Sequence[str | Agent] | None, trust: bool
    ) -> tuple[list[str], dict[int, Asker]]:
        """The name of every seat, and who is asked there."""
        n = self.rules.players
        if agents is None:
            agents = default_opponent(self.rules, self.name)
        named: list[str | Agent] = [agents] if isinstance(agents, str | Agent) else list(agents)
        if len(named) == 1:
            named *= n - 1
        if len(named) != n - 1:
            raise PlayError(f"agents: {len(named)} named for {n - 1} other seats; one for all, or exactly {n - 1}")
        seats, askers = [PERSON] * n, {}
        loaded: dict[str, Asker] = {}
        for i, agent in enumerate(named):
            at = (self.seat + 1 + i) % n
            if isinstance(agent, str):
                if agent not in loaded:
                    loaded[agent] = Asker(load(agent, self.rules, trust=trust), 1, n)
                seats[at], askers[at] = agent, loaded[agent]
            else:
                seats[at], askers[at] = agent.name, Asker(agent, 1, n)
        return seats, askers

    def adviser(self, agent: str | Agent | None = None) -> tuple[str, Agent]:
        """Name and agent of who is asked for hints, as of `hint`. Raises BluffError where it cannot be had or asked."""
        if isinstance(agent, Agent):
            refuse_searching(agent)
            return agent.name, agent
        name = default_opponent(self.rules, self.name) if agent is None else agent
        if name not in self._advisers:
            loaded = load(name, self.rules, trust=self._trust)
            refuse_searching(loaded)
            self._advisers[name] = loaded
        return name, self._advisers[name]

    def _move(self, move: int | str | Move) -> Move:
        if isinstance(move, Move):
            return move
        if isinstance(move, int) and not isinstance(move, bool):
            if not 0 <= move < len(self.moves):
                raise PlayError(f"move {move}: {len(self.moves)} moves are listed, 0 to {len(self.moves) - 1}")
            return self.moves[move]
        if not isinstance(move, str):
            raise PlayError(f"move {move!r}: a number, a text or a Move expected")
        claims = self._game.view(self.seat).to_claim
        try:
            return parse_move(self._game.layout.tables, notation(move), claims[0] if len(claims) == 1 else None)
        except MoveError:
            shown = " ".join(move.split())[:_QUOTED]
            raise PlayError(f"{shown!r}: {refusal(self._game, self.seat, None)}") from None

    def _step(self, action: int) -> None:
        game = self._game
        dealer, before = int(game.batch.games["dealer"][0]), game.view(self.seat).hand
        game.push_action(action)
        self._offered = None
        events = last_events(game.batch, 0, dealer)
        self._tell(events, before)

    def _tell(self, events: list[dict[str, Any]], before: Sequence[str] = ()) -> None:
        game = self._game
        fresh: list[str] = []
        dealer: int | None = None
        if not game.batch.steps[0]:
            events = last_events(game.batch, 0, int(game.batch.games["dealer"][0]))
        elif any("end" in event for event in events) and not game.over:
            dealer = int(game.batch.games["dealer"][0])
        else:
            fresh = gained(before, game.view(self.seat).hand)
        told = self._teller.tell(events, fresh, dealer)
        view = game.view(self.seat)
        for event in told:
            event["table"] = {"cards": list(view.hand_sizes), "pile": view.pile, "stock": view.stock}
        self.events += told

    def _go_on(self) -> None:
        game = self._game
        while game.turn is not None and game.turn != self.seat:
            try:
                action = self._askers[game.turn].ask(game.batch, _ROW, game.batch.noise())
            except BluffError as error:
                said = str(error).partition("; legal:")[0]  # what would be legal tells what that seat holds
                raise PlayError(f"seat {game.turn}: {said}") from error
            self._step(int(action[0]))

    def _point(self) -> _Point:
        minds = [asker.saved() for asker in self._askers.values()]
        return _Point(self._game.snapshot(), minds, len(self.events), len(self._decisions), self._teller.last)

    def _back_to(self, point: _Point) -> None:
        self._game.restore(point.game)
        for asker, mind in zip(self._askers.values(), point.minds, strict=True):
            asker.back_to(mind)
        del self.events[point.events :], self._decisions[point.decisions :]
        self._teller.last, self._offered = point.last, None

    def _last_claim(self, stands_open: bool) -> dict[str, Any] | None:
        play = next((event for event in reversed(self.events) if event["kind"] in ("play", "deal")), None)
        if play is None or play["kind"] == "deal":
            return None
        seat, claim, count = play["seat"], play["claim"], play["count"]
        words = claim_words(claim, count)
        return {"seat": seat, "claim": claim, "count": count, "words": words, "open": stands_open}


def default_opponent(rules: str | Mapping[str, Any] | Rules, name: str | None = None) -> str:
    """Who plays against a person where nobody is named: an agent of the zoo for the rules, else `counter`.

    Args:
        rules: what is played.
        name: the named set it is: of several that would do, the one trained under that name comes first.
    """
    made = make_rules(rules)
    wanted = (name or "").replace("_", "-")
    for agent in sorted(zoo.names(), key=lambda known: not known.removeprefix(zoo.PREFIX).startswith(wanted)):
        try:
            load(agent, made)
        except AgentError:
            continue  # trained on other rules
        return agent
    return "counter"
