"""What the examples of other frameworks share: their options, checked before anything is trained, and the judging."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import bluff_agents
from bluff_agents.evaluation import evaluate
from bluff_agents.evaluation.files import check_target
from bluff_env import BluffError


def between(least: int, most: int = 10**12) -> Callable[[str], int]:
    """A whole number in a range, for argparse."""

    def number(text: str) -> int:
        if not text.isdecimal() or len(text) > 13 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not allowed; a whole number from {least} to {most}")
        return int(text)

    return number


def parser_of(doc: str, steps: int, out: str) -> argparse.ArgumentParser:
    """Options that every example has: `--steps`, `--seed`, `--out` and `--overwrite`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--steps", type=between(1), default=steps, help="the learner's decisions")
    parser.add_argument("--seed", type=between(0, 2**32 - 1), default=0)
    parser.add_argument("--out", type=Path, default=Path(out), help="the agent file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that exists")
    return parser


def table_parser(doc: str, steps: int, out: str) -> argparse.ArgumentParser:
    """And those of an example that says what is played and judges at the end."""
    parser = parser_of(doc, steps, out)
    parser.add_argument("--rules", default="bloff")
    parser.add_argument("--opponents", default="random", help="what bluff_agents.load takes")
    parser.add_argument("--games", type=between(1), default=128)
    parser.add_argument(
        "--deals", type=between(2), default=100, help="judged by so many, each in all rotations of the seats"
    )
    return parser


def run(parser: argparse.ArgumentParser, train: Callable[[argparse.Namespace], None]) -> None:
    """Parses, refuses a file that could not be written, and trains; a user's mistake is one line and status 2."""
    args = parser.parse_args()
    try:
        check_target(args.out, args.overwrite)
        train(args)
    except BluffError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        sys.exit(2)


def judge(args: argparse.Namespace, steps: int, seconds: float) -> None:
    """Prints how often the agent written wins alone against copies of `random`."""
    judged = evaluate(args.rules, [bluff_agents.load(args.out), bluff_agents.load("random", args.rules)], args.deals)
    alone = judged.matchups[0]
    print(
        f"{args.out}: won {alone.share:.1%} ({alone.low:.1%} – {alone.high:.1%}, 95 %) alone against random, "
        f"fair {1 / judged.rules.players:.0%}; {steps:,} steps, {steps / seconds:,.0f}/s"
    )
