"""The rules in play as short sentences for people, from the rules object: each field that matters says its part."""

from __future__ import annotations

from bluff_agents.play.words import card_signs, counted, number_word, plural
from bluff_env.ruleset import Rules
from bluff_env.ruleset import rules as make_rules
from bluff_env.ruleset.tables import rank_order


def explain(rules: str | Rules) -> list[str]:
    """The rules, a sentence or two a line, in the order in which a game needs them."""
    r = make_rules(rules)
    lines = [
        _aim(r),
        _deal(r),
        *_start(r),
        _turn(r),
        _lead(r),
        _follow(r),
        *_passing(r),
        _calls(r),
        _penalty(r),
        *_empty_stock(r),
        _after_call(r),
        *_dropp(r),
        _end(r),
    ]
    return lines


def _aim(r: Rules) -> str:
    first = "Get rid of your cards: whoever is out first wins"
    if r.target_points is not None:
        first += f" the deal and a point; {counted(r.target_points, 'point')} win the match"
    return f"{first}. A last play counts only when it stands: nobody calls it, or the call is wrong."


def _deal(r: Rules) -> str:
    decks = f"{number_word(r.decks)} decks, " if r.decks > 1 else ""
    jokers = f", {counted(r.jokers, 'joker')} among them" if r.jokers else ""
    deck = f"{number_word(r.players).capitalize()} players; {decks}{r.deck_size} cards{jokers}"
    if r.hand_size is None:
        dealt = "all dealt"
    elif r.hand_size * r.players == r.deck_size:
        dealt = f"{counted(r.hand_size, 'card')} to each"
    else:
        dealt = f"{counted(r.hand_size, 'card')} to each, the rest is the stock"
    who = "the seat left of the dealer" if r.first_player == "dealer_left" else "a seat drawn by lot"
    return f"{deck}, {dealt}. {who[:1].upper()}{who[1:]} begins."


def _start(r: Rules) -> list[str]:
    if r.start_card == "none":
        return []
    text = "A start card is turned and lies under the pile; the first play must follow it, if any claim can."
    if r.start_card == "vote" and r.start_card_redraws and r.start_card_high in rank_order(r):
        times = "once" if r.start_card_redraws == 1 else f"{number_word(r.start_card_redraws)} times"
        high = card_signs(r.start_card_high)
        text += f" From {high} up all vote first: more than half for another, and another is turned, at most {times}."
    return [text]


def _turn(r: Rules) -> str:
    joker = " A joker is whatever it is said to be." if r.jokers else ""
    if r.suited:
        return f"A turn: lay one card face down and say which card it is. It need not be so.{joker}"
    most = r.most_cards
    few = {1: "one card", 2: "one or two cards", r.deck_size: "as many cards as you like"}
    limit = few.get(most, f"one to {number_word(most)} cards")
    return f"A turn: lay {limit} face down and say what rank they are. The number is true, the rank need not be.{joker}"


def _lead(r: Rules) -> str:
    if r.lead == "first_rank":
        return f"The first play is claimed as {plural(rank_order(r)[0])}."
    whenever = "Whoever leads" if _leads_often(r) else "Whoever begins the deal"
    return f"{whenever} may claim any {'card' if r.suited else 'rank'}."


def _leads_often(r: Rules) -> bool:
    return r.round_ends == "call" or r.suited or (r.passing == "allowed" and r.all_passed != "must_play")


def _follow(r: Rules) -> str:
    order = [card_signs(rank) for rank in rank_order(r)]
    ranks = " ".join(order) if len(order) <= 4 else f"{order[0]} {order[1]} … {order[-1]}"
    text = {
        "next": f"Then each play must claim the next rank, {ranks} and round again.",
        "any": "Each later play may claim any rank too.",
        "same": "Then all claim the same rank.",
        "adjacent": f"Then one rank up or down from the last claim ({ranks}, and round).",
        "same_or_adjacent": f"Then the same rank as the last claim, or one up or down ({ranks}, and round).",
        "higher_in_suit": f"Then the claim must be of the same suit as the last, and higher ({ranks}); nothing goes "
        f"over {order[-1]}, and who claimed it leads again if it stands.",
    }[r.follow]
    return text + (" After a call the next play leads." if r.round_ends == "call" else "")


def _passing(r: Rules) -> list[str]:
    if r.passing == "never":
        return []
    then = {
        "must_play": "but when all others have passed in a row, the last must lay",
        "clear_pile": "when all others have passed in a row, the pile is put aside and who laid last leads",
        "last_player_leads": "when all others have passed in a row, who laid last leads and the pile stays",
    }[r.all_passed]
    return [f"Instead of laying you may pass, unless you lead; {then}."]


def _calls(r: Rules) -> str:
    if r.callers == "next":
        how = "the seat to its left may call it a bluff"
    elif r.call_order == "race":
        how = "all others say at once whether they call, and one of those who do is drawn"
    else:
        how = "the others are asked in turn, from the left on, and the first to call is the caller"
    seen = "" if r.reveal == "all" else "; only caller and accused see them"
    return f"After a play {how}. A call turns the cards of that play{seen}."


def _penalty(r: Rules) -> str:
    wrong = "Who was wrong (the accused, if it was a bluff, else the caller)"
    if r.penalty == "pile":
        return f"{wrong} takes the whole pile."
    if r.penalty == "whole_stock":
        return f"{wrong} takes the whole stock."
    return f"{wrong} draws {counted(int(r.penalty.removeprefix('stock_')), 'card')} from the stock."


def _empty_stock(r: Rules) -> list[str]:
    if r.penalty == "pile":
        return []
    if r.empty_stock == "nothing":
        return ["What the stock cannot pay is not paid."]
    how = "drawn blind" if r.give == "random" else "which that party picks"
    what = "What the stock cannot pay" if r.penalty != "whole_stock" else "With an empty stock three cards"
    verb = "comes" if r.penalty != "whole_stock" else "come"
    return [f"{what} {verb} from the hand of the party that was right, {how}; who so runs out of cards wins."]


def _after_call(r: Rules) -> str:
    who = {
        "left_of_accused": "the seat left of the accused",
        "right_party": "the party that was right",
        "wrong_party": "the party that was wrong",
        "left_of_wrong": "the seat left of the party that was wrong",
    }[r.after_call]
    return f"After a call {who} goes on."


def _dropp(r: Rules) -> list[str]:
    if r.dropp is None:
        return []
    d = r.dropp
    return [
        "Before laying or passing you may drop a card out of sight, once a turn, not the last one. Each other player "
        f"notices with a chance of {d.notice * 100:g} % (and {d.false_notice * 100:g} % of the time one believes to "
        "have noticed what did not happen).",
        f"When asked whether to call you may accuse a seat of a drop instead: if it has dropped a card since it was "
        f"last found out, it draws {counted(d.penalty, 'card')} from the stock, else you do.",
    ]


def _end(r: Rules) -> str:
    turns = counted(r.max_turns, "turn", words=False)
    if r.target_points is None:
        return (
            f"After {turns} the deal is cut off without a winner; who goes out with the last of them wins all the same."
        )
    return (
        f"After {turns} a deal is cut off, which ends the match without a winner; who goes out with the last of them "
        "wins the deal all the same."
    )
