"""`resampled`: a position that a player cannot tell from the one it is at.

What the player cannot have seen of the deal under way is drawn anew, as if the others chose their cards blindly:
every way that the cards may have gone is as likely (`chains`), and so is each of the answers that are not told yet.
Claims, passes, calls and whatever else is public stay. Earlier deals of a match, in which nothing can change any more,
stay as they were. The new deal and choices are played from the deal on by the engine, and the player's information
state is compared: only what it cannot tell apart is returned.
"""

from __future__ import annotations

from bluff_env.adapters.openspiel.chains import Chains
from bluff_env.adapters.openspiel.dealing import order_of_seats
from bluff_env.adapters.openspiel.drops import redropped
from bluff_env.adapters.openspiel.observer import information_of
from bluff_env.adapters.openspiel.position import Position
from bluff_env.adapters.openspiel.story import Sampler, Step, Story
from bluff_env.errors import BluffError

_TRIES = 100


class _Missed(Exception):
    """What has been drawn cannot be played: only under dropp, where cards missing from a hand are not all known."""


def resampled(position: Position, player: int, uniform: Sampler) -> Position:
    """A position with the same information state of a player.

    Args:
        position: where the game stands.
        player: whose information state stays.
        uniform: called for numbers in [0, 1), which decide everything.

    Raises:
        BluffError: no such player, or none has been found.
    """
    n = position.table.rules.players
    if not 0 <= player < n:
        raise BluffError(f"player {player}: a seat from 0 to {n - 1} expected")
    if not position.games:
        return position.table.root  # nobody has seen a card yet
    if position.waiting >= 0:
        return _before_chance(position, player, uniform)
    if not any(step.what == "deal" for step in position.steps):
        return position  # nothing is hidden in a deck of one kind
    known = information_of(position, player)
    for _ in range(_TRIES):
        try:
            found = _once(position, player, uniform)
        except _Missed:
            continue
        if found.player == position.player and information_of(found, player) == known:
            return found
    raise BluffError(f"resampling: no other state found in {_TRIES} tries for player {player}")


def _before_chance(position: Position, player: int, uniform: Sampler) -> Position:
    """Where chance is about to decide in a step: the position before it, and the step again if it is the player's."""
    known = information_of(position, player)
    before = position
    while before.waiting >= 0:
        assert before.parent is not None
        before = before.parent
    for _ in range(_TRIES):
        found = resampled(before, player, uniform)
        if before.player == player:
            found = found.next(position.waiting)
        if information_of(found, player) == known:
            return found
    raise BluffError(f"resampling: no other state found in {_TRIES} tries for player {player}")


def _once(position: Position, player: int, uniform: Sampler) -> Position:
    story = Story(position, player, uniform)
    redropped(story, uniform)
    chains = Chains(story, uniform)
    chains.shuffle()
    hands, stock, places = chains.dealt()
    return _Replay(story, chains.moved(), places, uniform).play(hands, stock)


class _Replay:
    """Plays a story again with other cards."""

    def __init__(
        self, story: Story, moved: dict[int, dict[str, list[int]]], places: list[int], uniform: Sampler
    ) -> None:
        self.story, self.moved, self.places, self.uniform = story, moved, list(places), uniform
        self.layout = story.table.layout
        self.first = {name: part.start for name, part in self.layout.actions.items()}
        self.at = story.begin

    def play(self, hands: list[list[int]], stock: list[int]) -> Position:
        """Deals and plays; the position that comes of it."""
        story, r = self.story, self.story.table.rules
        dealer = story.begin.dealer
        in_order = [kind for seat in order_of_seats(r, dealer) for kind in sorted(hands[seat])]
        told = (*in_order, *stock)
        while self.at.what == "deal":
            kind = told[len(self.at.dealt)]
            self._go(kind)
        hidden = self._untold()
        turn: list[int] = []  # of another seat: its steps since it was asked to play or to give
        for number, step in enumerate(story.steps):
            mover = step.before.player
            if number in hidden:
                self._blindly(step)
            elif mover == story.player or step.before.decides in ("answer", "vote"):
                self._go(step.action)
                self._chance(step, number)
            else:
                turn.append(number)
                if not step.after.own[mover]:  # an event has told of it
                    self._turn(turn, number)
                    turn = []
        return self.at

    def _untold(self) -> set[int]:
        """The steps that the player has not been told of: another's picks under way, secret answers and votes."""
        story = self.story
        secret = ("answer", "vote") if story.table.rules.call_order == "race" else ("vote",)
        found: set[int] = set()
        for number in range(len(story.steps) - 1, -1, -1):
            step = story.steps[number]
            asks, mine = step.before.decides, step.before.player == story.player
            if step.after.sights[story.player] is not step.before.sights[story.player]:
                break
            if asks in ("answer", "vote"):
                if asks not in secret or step.after.decides != asks:
                    break  # told at once, or the last of them, after which all are
            elif mine:
                break
            if not mine:
                found.add(number)
        return found

    def _go(self, action: int) -> None:
        if action not in self.at.legal:
            raise _Missed
        self.at = self.at.next(action)

    def _blindly(self, step: Step) -> None:
        """A step that nobody has been told of: any that leaves the player as much in the dark."""
        mover, known = self.at.player, self.at.sights[self.story.player]
        choices = list(self.at.legal)
        while choices:
            after = self.at.next(choices.pop(int(self.uniform() * len(choices))))
            quiet = after.waiting < 0 and after.sights[self.story.player] is known
            if quiet and after.player == step.after.player and self.at.player == mover == step.before.player:
                self.at = after
                return
        raise _Missed

    def _turn(self, numbers: list[int], last: int) -> None:
        """Another's turn, or gift, which ends with step `last`: with the cards that have been drawn for it."""
        steps = [self.story.steps[number] for number in numbers]
        cards = self.moved.get(last, {})
        picked = [int(kind) for kind in cards.get("lay", cards.get("give", []))]
        for step in steps:
            if step.before.decides == "drop":
                dropped = cards.get("drop")
                where = self.first["drop"] + self._place(dropped[0]) if dropped else self.first["drop_none"]
                self._go(where)
            elif step.action < self.first["card"] or step.action >= self.first["card"] + self.story.table.kinds:
                if step.before.decides == "pick" and step.action == self.first.get("lay", -1):
                    self._pick(picked)
                    picked = []
                self._go(step.action)
        self._pick(picked)
        self._chance(steps[-1], last)

    def _pick(self, kinds: list[int]) -> None:
        """Picks cards one by one, in the order that starts at the claim."""
        claims = len(self.layout.tables.claims)
        claim = int(self.at.game["claim"])
        for kind in sorted(kinds, key=lambda k: (k - claim) % claims if k < claims else k):
            self._go(self.first["card"] + self._place(kind))

    def _place(self, kind: int) -> int:
        claims = len(self.layout.tables.claims)
        return kind if kind >= claims else (kind - int(self.at.game["shift"])) % claims

    def _chance(self, step: Step, number: int) -> None:
        """What chance decided: told results as they were, others as they have been drawn."""
        results = [result for _, result in step.results]
        blind: list[int] | None = None
        while self.at.what and self.at.waiting >= 0:
            what, place = self.at.what, len(self.at.results)
            match what:
                case "back":
                    self._go(self.places.pop(0) if self.places else 0)
                case "blind":
                    blind = self._blind(number) if blind is None else blind
                    self._go(blind.pop(0) if blind else -1)
                case "notice":
                    self._go(self._notice(step, results, place))
                case _:
                    if place >= len(results):
                        raise _Missed
                    self._go(results[place])

    def _blind(self, number: int) -> list[int]:
        """Which places the cards had that were drawn from a hand in a step: in order of kinds, of those left. [B7]"""
        move = next((move for move in self.story.moves if move.kind == "give" and move.at == number), None)
        if move is None:
            return []
        kinds = self.moved.get(number, {}).get("give") or [self.story.kinds[card] for card in move.cards]
        left, places = self.at.count("hands", move.seat).tolist(), []
        for kind in sorted(kinds):
            places.append(sum(left[:kind]) + int(self.uniform() * left[kind]))
            left[kind] -= 1
        return places

    def _notice(self, step: Step, results: list[int], place: int) -> int:
        """Whether a seat notices: the player as it did, the others as chance has it."""
        mover, n = step.before.player, self.story.table.rules.players
        seat = (mover + 1 + place) % n
        if seat == self.story.player:
            told = any(entry.kind == "notice" for entry in self.story.fresh(step.before, step.after, seat))
            return int(told)
        return int(self.uniform() < self.at.chances[1])
