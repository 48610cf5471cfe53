"""Makes the golden records: PYTHONPATH=tests python tests/golden/make.py [NAME…], from the repository's root.

A golden record is a game to be read by a person against RULES.md. One a named set, played by the bots or by random
moves: the shortest of many in which all of `FEATURES` happen; and the game told in source 000. Make them anew only when
a seed plays out differently, and read them again then: a golden file that froze a bug is worse than none. The bots may
change without it: the records stand by themselves.
"""

from __future__ import annotations

import json
import random
import sys
import textwrap
from pathlib import Path
from typing import Any

import bluff_agents
from bluff_env import Game, GameBatch, rule_names
from bluff_env.record import check_record
from gameplay import random_move

Record = dict[str, Any]
HERE = Path(__file__).parent
SEATS = ("counter", "honest", "random", "honest")
SEATS_OF = {"tiny": ("random", "honest")}
FIRST_SEED = {"blof": 2000, "bs": 4000, "bluffstopp_pile": 2000}  # much like another set: another game
SEEDS = 2000
LIVELY = ("blof_free_pass", "bluffstopp", "bluffstopp_stock", "bluffstopp_dropp")  # the bots pass and drop too seldom
SEEDS_OF = {"blof_match": 60}  # five won deals at least

#: What a golden game must show; `tiny`, too short for all of it, shows the cut-off.
ONE_CARD = ("a lie called", "a truth called", "a lie that nobody called", "a winner")
FEATURES = (*ONE_CARD, "several cards in one play")
FEATURES_OF = {
    "tiny": ("a lie called", "a truth called", "a lie that nobody called", "cut off"),
    "blof_pass": (*FEATURES, "a pass"),
    "blof_free_pass": (*FEATURES, "a pile cleared"),
    "blof_match": (*FEATURES, "several deals"),
    "bluffstopp": (*ONE_CARD, "cards from the stock", "another start card"),
    "bluffstopp_six": (*ONE_CARD, "cards from the stock", "a start card kept"),
    "bluffstopp_open": (*ONE_CARD, "cards from the stock", "a pass"),
    "bluffstopp_pile": (*ONE_CARD, "a pass", "a pile taken"),
    "bluffstopp_stock": (*ONE_CARD, "cards from the stock", "cards from a hand"),
    "bluffstopp_jokers": (*ONE_CARD, "cards from the stock", "a joker laid"),
    "bluffstopp_dropp": (*ONE_CARD, "a drop", "a guilty seat accused", "an innocent seat accused", "a false alarm"),
}

ANNE, BJORN, CARLA, DAVID = range(4)
STORY_HANDS = ["AA44556678TQK", "3678899TJJQQK", "AA22335579JQK", "223446789TTJK"]
STORY_EVENTS: list[Record] = [
    {"seat": ANNE, "claim": "A", "play": ["A", "A"]},
    {"seat": BJORN, "claim": "2", "play": ["9"]},
    {"seat": CARLA, "claim": "3", "play": ["3", "3"]},
    {"seat": DAVID, "claim": "4", "play": ["4", "J", "T"]},
    {"seat": ANNE, "call": DAVID},
    {"seat": ANNE, "claim": "5", "play": ["5", "5"]},
]


def features(record: Record) -> set[str]:
    """What happens in a finished game."""
    found = {"several deals"} if len(record["deals"]) > 1 else set()
    for deal in record["deals"]:
        for event, following in zip(deal["events"], [*deal["events"][1:], {}], strict=True):
            found |= _features(event, following)
        found.add("cut off" if deal["end"]["cut_off"] else "a winner")
    return found


def _features(event: Record, following: Record) -> set[str]:
    """What happens in one event, or in not calling it."""
    happens = {
        "a truth called": event.get("truthful") is True,
        "a lie called": event.get("truthful") is False,
        "a lie that nobody called": "play" in event
        and not set(event["play"]) <= {event["claim"], "X"}
        and not {"call", "accuse", "alarm"} & set(following),
        "several cards in one play": len(event.get("play", ())) > 1,
        "a joker laid": "X" in event.get("play", ()),
        "a pass": "pass" in event,
        "a pile cleared": event.get("cleared", 0) > 0,
        "a pile taken": event.get("pile", 0) > 0,
        "cards from the stock": bool(event.get("drawn")),
        "cards from a hand": bool(event.get("given")),
        "another start card": event.get("back_at") is not None,
        "a start card kept": "start" in event,
        "a drop": "drop" in event,
        "a guilty seat accused": event.get("guilty") is True,
        "an innocent seat accused": event.get("guilty") is False,
        "a false alarm": "alarm" in event,
    }
    return {name for name, does in happens.items() if does}


def games_of(name: str, first: int, count: int) -> list[Record]:
    """Games of a named set between the bots, from `count` seeds on."""
    batch = GameBatch(name, seeds=range(first, first + count), restart=False)
    names = SEATS_OF.get(name, SEATS)
    seats = [names[seat % len(names)] for seat in range(batch.rules.players)]
    agents = [bluff_agents.load(one, batch.rules) for one in seats]
    while (batch.player >= 0).any():
        player, noise = batch.player.copy(), batch.noise()
        actions = batch.random_actions()
        for seat, agent in enumerate(agents):
            rows = player == seat
            if rows.any():
                actions[rows] = agent.act(batch.observation[rows], batch.mask[rows], noise[rows])[0]
        batch.step(actions)
    return [{**record, "name": name, "seats": seats} for record in batch.records()]


def lively_game(name: str, seed: int) -> Record:
    """A game of random moves, among them many passes, drops and accusations."""
    game, rng = Game(name, seed=seed), random.Random(seed)
    while not game.over:
        game.push(random_move(game, rng))
    return {**game.record(), "seats": ["lively"] * game.rules.players}


def best(name: str) -> Record:
    """The shortest game of a named set that shows all it must."""
    first = FIRST_SEED.get(name, 0)
    if name in LIVELY:
        games = [lively_game(name, seed) for seed in range(300)]
    else:
        last = first + SEEDS_OF.get(name, SEEDS)
        games = [one for at in range(first, last, 200) for one in games_of(name, at, min(200, last - at))]
    showing = [one for one in games if features(one) >= set(FEATURES_OF.get(name, FEATURES))]
    return min(showing, key=_length)


def _length(record: Record) -> int:
    return sum(len(deal["events"]) for deal in record["deals"])


def story() -> Record:
    """The game told in source 000, with a deal that fits it, as far as it is told."""
    deal = {"dealer": DAVID, "hands": [list(hand) for hand in STORY_HANDS], "stock": []}
    game = Game("bloff", deal=deal)
    for event in STORY_EVENTS:
        game.push(event)
    return check_record({**game.record(), "seats": ["Anne", "Bjørn", "Carla", "David"]})


def text_of(record: Record) -> str:
    """JSON that people can read: a hand or an event a line. (The rules hold no spaces that wrapping could harm.)"""

    def one_line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(values: list[Any], indent: str) -> str:
        return "[\n" + ",\n".join(f"{indent}  {one_line(value)}" for value in values) + f"\n{indent}]"

    rules = textwrap.fill(one_line(record["rules"]), 118, initial_indent=' "rules": ', subsequent_indent="   ")
    deals = [
        ",\n".join(
            f'   "{key}": {lines(value, "   ") if key in ("hands", "events") else one_line(value)}'
            for key, value in deal.items()
        )
        for deal in record["deals"]
    ]
    whole = {"rules": rules, "deals": ' "deals": [{\n' + "\n }, {\n".join(deals) + "\n }]"}
    parts = [whole.get(key) or f' "{key}": {one_line(value)}' for key, value in record.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    for name in sys.argv[1:] or rule_names():
        record = best(name)
        (HERE / f"{name}.json").write_text(text_of(record), encoding="utf-8")
        print(f"{name}: {_length(record)} events, seed {record['seed']}")
    (HERE / "anne_bjorn_carla_david.json").write_text(text_of(story()), encoding="utf-8")


if __name__ == "__main__":
    main()
