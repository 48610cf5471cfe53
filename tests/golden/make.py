"""Makes the golden records: python tests/golden/make.py, from the repository's root.

A golden record is a game to be read by a person against RULES.md. One a named set, played by the bots: the shortest
of many in which all of `FEATURES` happen; and the game told in source 000. Make them anew only when a seed plays out
differently, and read them again then: a golden file that froze a bug is worse than none. The bots may change without
it: the records stand by themselves.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import bluff_agents
from bluff_env import Game, GameBatch, rule_names
from bluff_env.record import check_record

Record = dict[str, Any]
HERE = Path(__file__).parent
SEATS = ("counter", "honest", "random", "honest")
SEATS_OF = {"tiny": ("random", "honest")}
FIRST_SEED = {"blof": 2000}  # the same rules as bloff: another game
SEEDS = 2000

#: What a golden game must show; `tiny`, too short for all of it, shows the cut-off.
FEATURES = ("a lie called", "a truth called", "a lie that nobody called", "several cards in one play", "a winner")
FEATURES_OF = {"tiny": ("a lie called", "a truth called", "a lie that nobody called", "cut off")}

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
    (deal,) = record["deals"]
    found = set()
    for event, following in zip(deal["events"], [*deal["events"][1:], {}], strict=True):
        if "call" in event:
            found.add("a truth called" if event["truthful"] else "a lie called")
        elif set(event["play"]) != {event["claim"]} and "call" not in following:
            found.add("a lie that nobody called")
        if len(event.get("play", ())) > 1:
            found.add("several cards in one play")
    return found | {"cut off" if deal["end"]["cut_off"] else "a winner"}


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


def best(name: str) -> Record:
    """The shortest game of a named set that shows all it must."""
    first = FIRST_SEED.get(name, 0)
    games = [one for start in range(first, first + SEEDS, 500) for one in games_of(name, start, 500)]
    showing = [one for one in games if features(one) >= set(FEATURES_OF.get(name, FEATURES))]
    return min(showing, key=lambda one: len(one["deals"][0]["events"]))


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

    (deal,) = record["deals"]
    rules = textwrap.fill(one_line(record["rules"]), 118, initial_indent=' "rules": ', subsequent_indent="   ")
    within = [
        f'   "{key}": {lines(value, "   ") if key in ("hands", "events") else one_line(value)}'
        for key, value in deal.items()
    ]
    whole = {"rules": rules, "deals": ' "deals": [{\n' + ",\n".join(within) + "\n }]"}
    parts = [whole.get(key) or f' "{key}": {one_line(value)}' for key, value in record.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    for name in rule_names():
        record = best(name)
        (HERE / f"{name}.json").write_text(text_of(record), encoding="utf-8")
        print(f"{name}: {len(record['deals'][0]['events'])} events, seed {record['seed']}")
    (HERE / "anne_bjorn_carla_david.json").write_text(text_of(story()), encoding="utf-8")


if __name__ == "__main__":
    main()
