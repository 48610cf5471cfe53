"""What a counting player believes of people, and how it weighs cards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """Numbers found by letting bots play: the beliefs fitted to claims that were seen to be true or not, the weights to
    who won. Most may be halved or doubled without much loss.

    Attributes:
        caution: how much heavier a wrong call weighs than a right one: a right one helps the whole table as much.
        first: how many times as heavily it weighs where the first seat asked answers the first play of a deal: whoever
            leads then may lead to the end.
        record: called plays that weigh as much as these beliefs when a seat's own record speaks against them.
        grudge: how heavily the record then weighs (1: as the odds say).
        stray: how often a player lies who could tell the truth.
        near: with the end in sight people keep what they will need: a hand of less than three quarters of the cards
            dealt makes lies rarer by that ratio to this power.
        others: how much a call of another is waited for, as a multiple of the share of plays called.
        start: the share of plays that are called, before any has been,
        firm: and how many plays that belief weighs as much as.
        long: how much the share of all plays called weighs against that of late.
        bait: how much a true play that is called is looked forward to.
        shrink: how far the odds are to be believed (1: fully); people are not as regular as the beliefs below.
        told: share of cards claimed earlier into the pile that are taken to have been what they were claimed to be.
        nerves: how much more than what is proved is called, as a multiple of the share of plays called of late, of
            claims that are as unlikely as can be.
        late: how much of the share of plays called of late is called whatever the cards say.
        trust: a claim is called from this chance of a lie on, whatever is at stake; above 1: by what is at stake.
        plain: 1 for a player that never lies when it can tell the truth.
        lie: how often a player without the card lies with a single card rather than with more.
        bold: how much rarer each further card of such a lie is.
        filler: how often a player adds one false card to a true one.
        thin: how much rarer that is for each further true card.
        held: how often a player keeps back some of the cards it could lay.
        pile_known: share of the other seats' cards in the pile that are taken not to be of the claimed rank.
        chase: a seat with s cards counts (s + 1) ** -chase in the race to be out first.
        far: a card beyond those dealt counts as this share of one: who holds many tells the truth and lays several.
        lead: the own hand, of which more is known, counts exp(lead) more,
        turn: exp(-turn) less for every turn it takes to be rid of,
        risk: exp(-risk) less for every lie that takes,
        over: exp(-over) less for every false card beside others,
        rest: (s + 1) ** -rest less for its s cards.
        home: a hand that is a single true play counts exp(home) times more.
        stuck: a hand that must end with a lie counts exp(stuck) times less.
        extra: most false cards in a play.
        patience: where calls keep ranks from coming up, cards of a pile that each call of late forgives.
    """

    caution: float = 2.0
    first: float = 1.0
    record: float = 12.0
    grudge: float = 1.0
    stray: float = 0.005
    near: float = 0.8
    others: float = 1.2
    start: float = 0.1
    firm: float = 3.0
    long: float = 0.4
    bait: float = 0.4
    shrink: float = 0.7
    told: float = 0.4
    nerves: float = 1.2
    late: float = 0.4
    trust: float = 2.0
    plain: float = 0.0
    lie: float = 0.8
    bold: float = 0.15
    filler: float = 0.1
    thin: float = 0.45
    held: float = 0.03
    pile_known: float = 0.55
    chase: float = 1.75
    far: float = 0.5
    lead: float = -1.5
    turn: float = 0.1
    risk: float = 0.2
    over: float = 0.25
    rest: float = 0.3
    home: float = 0.1
    stuck: float = 2.0
    extra: float = 3
    patience: float = 2.5


#: Where a seat may claim any rank in turn, hardly anybody needs to lie, and the smallest hand mostly wins.
FREE = Habits(
    caution=2.0, record=10.0, nerves=3.0, late=1.0, others=0.0, filler=0.3, shrink=0.7, near=0.5,
    chase=7.0, far=1.0, lead=-1.8, turn=0.6, risk=0.0, over=0.0, rest=4.0, home=1.8,
)  # fmt: skip

#: Where every play of a round claims the same rank, nearly all must lie: one false card at a time, and lies are called.
SAME = Habits(
    record=11.8, grudge=0.45, stray=0.014, others=2.1, long=0.38, bait=0.22, shrink=1.0, told=0.57, late=0.145,
    trust=0.7, plain=1.0, lie=1.0, bold=0.24, filler=0.22, thin=0.41, pile_known=0.48, far=0.29, lead=-2.66, risk=0.28,
    over=0.26, rest=0.59, home=0.19, extra=1,
)  # fmt: skip

#: One rank up or down as well: the truth can mostly be told, and who does not lie may call much.
NEAR = Habits(record=20.0, trust=0.7, plain=1.0, thin=0.0, chase=4.2, home=0.08, extra=1)

#: Claims in sequence, and one may pass: nobody must lie, so lies are called.
WAITING = Habits(
    record=3.0, grudge=2.0, stray=0.04, long=0.8, shrink=0.47, late=0.55, trust=0.7, plain=1.0, lie=0.0, filler=0.0,
    thin=0.0, chase=4.2, far=0.46, turn=0.024, risk=0.0, over=0.44, home=0.04, extra=1,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SuitedHabits:
    """The same for suited games.

    The defaults are what the bots with character start from.

    Attributes:
        caution, first, record, grudge, near, others, start, firm, long, shrink, told, trust, plain: as in `Habits`.
        nerves: a claim that nobody can prove false is doubted at so many times the odds of plays being called.
        lie: how often a player who cannot follow lies, where it may pass.
        stray: how often a player lies who could tell the truth,
        lure: and how much that is oftener, as a logarithm, of a lead with the highest rank than with the lowest.
        lowest: how far a truthful claim is the lowest that the player could make (0: any is as likely).
        joker: how often a player lays a joker it holds rather than lie.
        ace_nerves: how much more often a claim that nothing can follow is doubted.
        last_nerves: the same as nerves for a last card.
        again: the chance that a claim is doubted that was made into this pile before.
        chase, decay: a hand of s cards counts s ** -chase * exp(-decay * s) in the race to be out first.
        tempo: who leads counts exp(tempo) times more.
        hot: and how many times more that is where every play is called,
        heat: the share of plays called to this power.
        high: the own hand counts exp(high * mean height of its cards) more (0: lowest, 1: highest rank).
        bold: how much better than a pass a lie must be.
        press: how much the height of a claim is worth: the next player can hardly follow it truthfully.
    """

    caution: float = 3.0
    first: float = 1.0
    record: float = 15.0
    grudge: float = 1.4
    near: float = 0.2
    others: float = 1.3
    start: float = 0.25
    firm: float = 3.0
    long: float = 0.15
    shrink: float = 1.5
    told: float = 0.8
    nerves: float = 1.0
    trust: float = 2.0
    plain: float = 0.0
    lie: float = 1.0
    stray: float = 0.3
    lure: float = 0.0
    lowest: float = 0.88
    joker: float = 0.8
    ace_nerves: float = 0.0
    last_nerves: float = 2.7
    again: float = 0.7
    chase: float = 0.3
    decay: float = 0.27
    tempo: float = 0.6
    hot: float = 2.0
    heat: float = 1.0
    high: float = 1.2
    bold: float = 0.9
    press: float = 0.022


#: Found by letting a whole population of such players meet at tables with the other bots.
SUITED = SuitedHabits(
    caution=3.4, first=0.0, record=12.5, grudge=1.5, near=0.15, start=0.28, firm=2.5, shrink=1.8, stray=0.06, lure=4.0,
    lowest=0.965, last_nerves=3.3, again=0.94, decay=0.2, tempo=0.55, hot=2.2, heat=1.2, high=1.35, press=0.014,
)  # fmt: skip

#: Where a seat may pass rather than follow, nobody needs to lie.
PASSING = SuitedHabits(
    caution=2.2, record=18.0, grudge=1.1, near=2.3, others=0.19, start=0.42, long=0.11, shrink=2.2, told=0.87,
    nerves=3.3, lie=0.68, stray=0.22, lure=2.0, lowest=0.79, ace_nerves=0.3, last_nerves=6.0, again=0.98, chase=0.31,
    tempo=0.72, hot=2.5, heat=1.2, high=3.8, bold=0.92, press=0.018,
)  # fmt: skip

#: Where whoever is wrong takes the whole stock.
STOCK = SuitedHabits(
    caution=2.2, record=11.8, grudge=1.1, near=1.2, others=0.06, start=0.47, long=0.07, shrink=0.9, told=1.0,
    nerves=3.4, trust=0.7, lie=0.75, stray=0.3, lure=2.5, lowest=0.79, ace_nerves=0.4, last_nerves=6.0, again=0.12,
    chase=1.37, decay=0.25, tempo=0.72, hot=2.5, high=1.7, bold=0.92, press=0.018,
)  # fmt: skip
