"""Which cards others may have dropped out of sight, drawn anew. [D1] [D2] [D3]

What an accusation has found out stays. In the turns since a seat was last accused it is as likely as not, before
anybody looks at notices, that it dropped a card; a notice, or that there was none, counts by how likely it is either
way. Dropped is one of the cards that the seat has held from that turn on, and never the last of them.
"""

from __future__ import annotations

from bluff_env.adapters.openspiel.story import Move, Sampler, Story


def redropped(story: Story, uniform: Sampler) -> None:
    """Writes other drops of the other seats into a story's moves."""
    if story.table.rules.dropp is None:
        return
    for seat in range(story.table.rules.players):
        if seat != story.player:
            _redrop(story, seat, uniform)


def _redrop(story: Story, seat: int, uniform: Sampler) -> None:
    dropp = story.table.rules.dropp
    assert dropp is not None
    since = story.accused[seat]
    story.moves = [m for m in story.moves if m.kind != "drop" or m.seat != seat or m.at <= since]
    held = _held_since(story, seat)
    for at, mover in story.turns:
        if mover != seat or at <= since:
            continue
        noticed = at in story.noticed
        true = dropp.notice if noticed else 1 - dropp.notice
        false = dropp.false_notice if noticed else 1 - dropp.false_notice
        open_to = [card for card, begin in held.items() if begin < at]
        if len(held) > 1 and open_to and uniform() * (true + false) < true:
            card = open_to[int(uniform() * len(open_to))]
            del held[card]
            place = next((i for i, move in enumerate(story.moves) if move.at >= at), len(story.moves))
            story.moves.insert(place, Move("drop", seat, [card], at=at))


def _held_since(story: Story, seat: int) -> dict[int, int]:
    """The cards that a seat holds now, as if it had dropped none since it was last accused, and since which step."""
    hold = dict.fromkeys(story.hands[seat], -2)
    stock, start = list(story.stock), -1
    pile: list[int] = []
    last: list[int] = []
    for move in story.moves:
        match move.kind:
            case "lay" | "drop" | "give":
                if move.seat == seat:
                    for card in move.cards:
                        del hold[card]
                elif move.to == seat:
                    hold.update(dict.fromkeys(move.cards, move.at))
                if move.kind == "lay":
                    pile, last = pile + move.cards, move.cards
            case "take":
                hold.update(dict.fromkeys(pile if move.seat == seat else [], move.at))
                pile = []
            case "draw":
                hold.update(dict.fromkeys(stock[: move.count] if move.seat == seat else [], move.at))
                stock = stock[move.count :]
            case "back":
                pile = [card for card in pile if card not in last]
                hold.update(dict.fromkeys(last if move.seat == seat else [], move.at))
            case "clear":
                pile = []
            case "turn":
                start = stock.pop(0)
            case "put_back":
                stock.insert(move.count, start)
            case "keep":
                pile = [start]
    return hold
