"""What a counting player carries in its head, as one compiled record: beliefs, weights and tables of its rules."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.chances import NEVER, chance_of_proof, turns_until
from bluff_agents.bots.habits import Habits, SuitedHabits
from bluff_agents.bots.suspicion import guilt, noticed
from bluff_env import Layout
from bluff_env.engine.state import MAX_CLAIMS, MAX_KINDS

#: Most cards that a hand's weight is told apart for.
MOST: Final = 240
#: Most copies of a rank (4 suits of 4 decks), and with the jokers.
COPIES: Final = 16
COUNTS: Final = 32

_NUMBERS = dict.fromkeys(f.name for f in (*fields(Habits), *fields(SuitedHabits)))

MIND: Final = np.dtype(
    [(name, np.float64) for name in _NUMBERS]
    + [
        ("suited", np.int32),
        ("copies", np.int32),  # cards of each kind but the joker
        ("jokers", np.int32),
        ("options", np.int32),  # claims to choose from when following: with more of them one must lie less often
        ("ordered", np.int32),  # one claim follows from the last: turns can be planned
        ("stays", np.int32),  # and it is always the same
        ("passes", np.int32),  # a turn without a true card need not cost a lie
        ("patient", np.int32),  # hasty calls keep some ranks from ever coming up
        ("dealt", np.float64),  # three quarters of the cards dealt to each
        ("guilt", np.float64),
        ("noticed", np.float64),
        ("rank_at", np.int32, MAX_CLAIMS),  # the rank, from one claimed, to claim in each own turn after that; -1: none
        ("keep", np.int64, MAX_KINDS),  # how much each relative kind is worth keeping, all different
        ("weight", np.float64, MOST),  # what a hand of so many cards counts in the race
        ("base", np.float64, MOST),  # what so many cards of its own count, as a logarithm, before how they go together
        ("proof", np.float64, (COPIES + 1, COUNTS)),  # the chance that somebody can prove a lie: unseen cards, claimed
        ("lies", np.float64, COUNTS),  # how often so many cards are claimed with none of them held
        ("fillers", np.float64, COUNTS),  # and with one short
    ],
    align=True,
)


def make_mind(layout: Layout, keep: NDArray[np.int64], habits: Habits | SuitedHabits) -> NDArray[Any]:
    """The `MIND` array of length 1 that the compiled functions read.

    Args:
        layout: of the rules.
        keep: (K,) how much each relative kind is worth keeping.
        habits: of the player.
    """
    rules, t = layout.rules, layout.tables
    copies = int(t.deck[0])
    stands = rules.round_ends == "call" or rules.follow in ("same", "adjacent", "same_or_adjacent")
    mind = np.zeros(1, MIND)
    values: dict[str, Any] = {
        **asdict(habits),
        "suited": rules.suited,
        "copies": copies,
        "jokers": rules.jokers,
        "options": int(t.follows[0].sum()),
        "ordered": rules.follow in ("next", "same") and not (rules.round_ends == "call" and rules.lead == "any"),
        "stays": rules.follow == "same",
        "passes": rules.passing == "allowed",
        "patient": stands and rules.penalty == "pile" and not rules.suited,
        "dealt": 0.75 * (rules.hand_size or rules.deck_size / rules.players),
        "guilt": guilt(rules),
        "noticed": noticed(rules),
    }
    for name, value in values.items():
        mind[name] = value
    mind["rank_at"] = -1
    if mind["ordered"][0]:
        for rank, turn in enumerate(turns_until(rules)):
            if turn < NEVER:
                mind["rank_at"][0, turn - 1] = rank
        if mind["stays"][0]:
            mind["rank_at"][0, : len(t.claims)] = 0
    mind["keep"][0, : len(keep)] = keep
    cards = np.arange(float(MOST))
    if isinstance(habits, SuitedHabits):
        cards[0] = 0.5
        mind["weight"] = cards**-habits.chase * np.exp(-habits.decay * cards)
    else:
        beyond = np.maximum(cards - mind["dealt"][0] / 0.75, 0)
        mind["weight"] = (cards - (1 - habits.far) * beyond + 1) ** -habits.chase
        mind["base"] = habits.lead - habits.rest * np.log(cards + 1)
        _believe(mind, habits, chance_of_proof(rules), copies)
    mind.setflags(write=False)
    return mind


def _believe(mind: NDArray[Any], habits: Habits, proof: NDArray[np.float64], copies: int) -> None:
    """Nobody is expected to lie in a way that somebody is sure to know of."""
    count = np.arange(COUNTS)
    column = np.minimum(count, proof.shape[1] - 1)
    mind["proof"][0, : copies + 1] = proof[:, column]
    held = np.clip(count - 1, 0, copies)
    mind["lies"] = habits.lie * habits.bold ** np.maximum(count - 1, 0) * (1 - proof[copies, column])
    mind["fillers"] = habits.filler * habits.thin ** np.maximum(count - 2, 0) * (1 - proof[copies - held, column])
    mind["fillers"][0, :2] = 0
