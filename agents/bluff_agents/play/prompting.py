"""What a person is asked, in words, and what is made of what the person types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bluff_agents.play.words import SUIT_WORDS, cards_words, claim_words, counted, plural
from bluff_env import Game, Move


def prompt(game: Game, seat: int) -> str:
    """What a seat is asked, where it is to move."""
    view = game.view(seat)
    least, most = bounds(game, seat)
    if view.over:
        return "the game is over"
    match view.deciding:
        case "vote":
            return "vote: keep the start card, or another?"
        case "give":
            return f"you were right, and the stock cannot pay: give {least} of your cards"
        case "answer":
            claim = claim_words(view.claim or "", view.count)
            accuses = Move("accuse", seat=(seat + 1) % game.rules.players) in game.legal_moves
            answers = "call, decline or accuse a seat" if accuses else "call or decline"
            return f"seat {view.claimant} claims {claim}: {answers}?"
    can_pass = ", or pass" if Move("pass") in game.legal_moves else ""
    return f"your turn: claim {_claimable(game, view.to_claim, view.last_claim)} with {_many(most)}{can_pass}"


def bounds(game: Game, seat: int) -> tuple[int, int]:
    """How many cards a play or a gift of a seat may have; zeros where it is asked something else."""
    if game.turn != seat or game.deciding not in ("play", "give"):
        return 0, 0
    if game.deciding == "give":
        owed = int(game.batch.games["owed"][0])
        return owed, owed
    return 1, min(game.rules.most_cards, len(game.view(seat).hand))


def refusal(game: Game, seat: int, move: Move | None) -> str:
    """Why a move, or what is none, cannot be made by a seat that is to move, and what can: "…; allowed: …"."""
    return f"{_why_not(game, seat, move)}; allowed: {_allowed(game, seat)}"


def _why_not(game: Game, seat: int, move: Move | None) -> str:
    view = game.view(seat)
    if move is None:
        return "no move"
    if move.kind != "play" or view.deciding != "play":
        return "not possible here"
    if move.claim not in view.to_claim:
        return f"{claim_words(move.claim or '', len(move.cards))} cannot be claimed now"
    most = bounds(game, seat)[1]
    if len(move.cards) > most:
        return f"{len(move.cards)} cards, where {most} may be laid"
    missing = Counter(move.cards) - Counter(view.hand)
    return f"you do not hold {cards_words(sorted(missing.elements()))}" if missing else "not possible here"


def _allowed(game: Game, seat: int) -> str:
    view = game.view(seat)
    least, most = bounds(game, seat)
    if view.deciding == "give":
        return f"give and {counted(least, 'card')} of your hand, such as give {''.join(view.hand[:least])}"
    if view.deciding != "play":
        answers = [str(move) for move in game.legal_moves]
        return " or ".join([", ".join(answers[:-1]), answers[-1]])
    example = Move("play", view.to_claim[0], view.hand[:1])
    can_pass = ", or pass" if Move("pass") in game.legal_moves else ""
    return f"{_claimable(game, view.to_claim, view.last_claim)} with {_many(most)}, such as {example}{can_pass}"


def _many(most: int) -> str:
    return {1: "one card", 2: "1 or 2 cards"}.get(most, f"1 to {most} cards")


def _claimable(game: Game, claims: Sequence[str], follows: str | None) -> str:
    suited = game.rules.suited
    if len(claims) == 1:
        return claim_words(claims[0]) if suited else plural(claims[0])
    if len(claims) == len(game.layout.tables.claims):
        return "any card" if suited else "any rank"
    if suited and follows is not None:
        return f"a higher {SUIT_WORDS[follows[1]].removesuffix('s')}"
    return f"one of {cards_words(claims)}"


def notation(text: str) -> str:
    """What a person types as records write it: `10` is `T`, `♥` is `H`, cards may be in small letters."""
    text = text.strip()
    words = text.lower().split()
    if words and words[0] in ("call", "decline", "pass", "keep", "another", "accuse"):
        return " ".join(words)
    for sign, letter in (("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C"), ("10", "T")):
        text = text.replace(sign, letter)
    if words and words[0] in ("drop", "give"):
        return f"{words[0]} {text.partition(' ')[2].replace(' ', '').upper()}"
    return text.replace(" ", "").upper()
