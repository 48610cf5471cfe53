"""What `counter` believes of people, and how it weighs cards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """Numbers found by letting bots play four-handed `bloff`: the beliefs fitted to claims that were seen to be true or
    not at tables of `honest` and of `counter`, the weights by winning. Most may be halved or doubled without much loss.

    Attributes:
        lie: how often a player without the card lies with a single card rather than with more.
        bold: how much rarer each further card of such a lie is.
        filler: how often a player adds one false card to true ones.
        shrink: how far the odds are to be believed (1: fully); people are not as regular as the beliefs above.
        record: called plays that weigh as much as these beliefs when a seat's own record speaks against them.
        pile_known: share of the other seats' cards in the pile that are taken not to be of the claimed rank.
        told: share of cards claimed earlier into the pile that are taken to have been what they were claimed to be.
        caution: how much heavier a wrong call weighs than a right one: a right one helps the whole table as much.
        nerves: how much more than what is proved is called, as a multiple of the share of plays called of late.
        chase: a seat with s cards counts (s + 1) ** -chase in the race to be out first.
        lead: the own hand counts exp(lead) * ranks ** -spread: ranks in the hand, not cards, take turns to get rid of.
        spread: see lead.
        home: a hand of a single rank counts exp(home) times more.
        stuck: a hand that must end with a lie counts exp(stuck) times less.
        extra: most false cards in a play.
        patience: where calls keep ranks from coming up, cards of a pile that each call of late forgives.
    """

    lie: float = 0.7
    bold: float = 0.06
    filler: float = 0.045
    shrink: float = 0.7
    record: float = 30.0
    pile_known: float = 0.85
    told: float = 0.4
    caution: float = 2.0
    nerves: float = 3.0
    chase: float = 1.0
    lead: float = 0.8
    spread: float = 1.25
    home: float = 2.0
    stuck: float = 2.0
    extra: int = 3
    patience: float = 2.5


@dataclass(frozen=True, slots=True)
class SuitedHabits:
    """The same for suited games.

    Attributes:
        lie: how often a player who cannot follow lies, where it may pass.
        stray: how often a player lies who could tell the truth.
        joker: how often a player lays a joker it holds rather than lie.
        shrink, record, caution, nerves: as in `Habits`.
        told: share of cards claimed by others into the pile that are taken to be what they were claimed to be.
        ace_nerves: how much more often a claim that nothing can follow is doubted.
        last_nerves: the same as nerves for a last card.
        chase, decay: a hand of s cards counts s ** -chase * exp(-decay * s) in the race to be out first.
        tempo: who leads counts exp(tempo) times more.
        bold: how much better than a pass a lie must be.
        lead_low: 1 to lead with the lowest card, -1 with the highest.
        ace_hand: most cards in a hand that leads with a card that keeps the lead, rather than keep it to gain the lead.
    """

    lie: float = 0.35
    stray: float = 0.03
    joker: float = 0.8
    shrink: float = 1.0
    record: float = 10.0
    told: float = 0.8
    caution: float = 2.0
    nerves: float = 1.3
    ace_nerves: float = 0.3
    last_nerves: float = 4.0
    chase: float = 0.7
    decay: float = 0.1
    tempo: float = 0.3
    bold: float = 1.0
    lead_low: float = 1.0
    ace_hand: int = 4
