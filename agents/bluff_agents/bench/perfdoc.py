"""The documentation's page docs/performance.md and README's speeds: measures, writes the tables and pictures in them.

`scripts/perfdoc` runs it. The text of the page is written by hand; what stands between its marks is written here from
docs/performance.json, which is what `bluff bench --peers --curves FOLDER --json` prints.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bluff_agents.bench.measuring import BenchError
from bluff_agents.bench.showing import between, machine_text, number, quantity, target_text, versions_text
from bluff_agents.evaluation.files import whole
from bluff_agents.pages import rewritten
from bluff_env.errors import BluffError

_ROOT: Final = Path(__file__).resolve().parents[3]
_COMMAND: Final = "scripts/perfdoc"
_USAGE: Final = f"usage: {_COMMAND} [--check | FILE]"


def page(text: str, told: Mapping[str, Any], of: str = "docs/performance.md") -> str:
    """A page with what stands between its marks written anew; the same again when it is up to date.

    Args:
        text: the page as it is.
        told: what `collect` gave.
        of: which page, of `PAGES`.

    Raises:
        ConfigError: a mark that the page has not, or has twice.
    """
    for name, section in PAGES[of].items():
        text = rewritten(text, of, name, _COMMAND, list(section(told)))
    return text


def read(path: Path) -> dict[str, Any]:
    """What `bluff bench --peers --curves FOLDER --json` has printed into a file.

    Raises:
        BenchError: not that.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise BenchError(f"{path}: no JSON") from None
    keys = ("machine", "versions", "repeats", "seconds", "results", "peers", "curves")
    missing = [key for key in keys if not isinstance(told, dict) or key not in told]
    if missing:
        raise BenchError(
            f"{path}: no {missing[0]!r}; the output of bluff bench --peers --curves FOLDER --json expected"
        )
    return dict(told)


def main(argv: Sequence[str] | None = None, root: Path = _ROOT) -> int:
    """Writes the page, its numbers and its pictures; with `--check` says whether the page is up to date (1 when not).

    Args:
        argv: nothing: measures everything, peers that are installed too. FILE: takes the numbers from there.
        root: the checkout.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-") and arguments != ["--check"]):
        print(_USAGE, file=sys.stderr)
        return 2
    try:
        return _main(arguments, root)
    except BluffError as error:
        print(f"{_COMMAND}: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"{_COMMAND}: {error.filename}: {error.strerror or error}", file=sys.stderr)
    return 2


def _main(arguments: Sequence[str], root: Path) -> int:
    from bluff_agents.bench.plots import check_folder, save_plots

    numbers, pictures = root / "docs/performance.json", root / "docs/images"
    if not (root / "pyproject.toml").is_file():
        raise BenchError(f"{root} is no checkout of bluff-env")
    before = {of: (root / of).read_text(encoding="utf-8") for of in PAGES}
    if arguments == ["--check"]:
        told = read(numbers)
        stale = [root / of for of, text in before.items() if page(text, told, of) != text]
        for path in stale:
            print(f"{path}: not up to date; run {_COMMAND} docs/performance.json", file=sys.stderr)
        return 1 if stale else 0
    check_folder(pictures)
    told = read(Path(arguments[0])) if arguments else _measure()
    try:
        after = {root / of: page(text, told, of) for of, text in before.items()}
        written = [*save_plots(told, pictures, numbers=False), numbers, *after]
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        raise BenchError(f"{arguments[0] if arguments else 'bench'}: not what bluff bench prints ({found})") from None
    for path, text in ((numbers, json.dumps(told, ensure_ascii=False, indent=1) + "\n"), *after.items()):
        with whole(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    print(*written, sep="\n")
    return 0


def _measure() -> dict[str, Any]:
    """Everything, as `bluff bench` does it when it is not told otherwise."""
    from bluff_agents.bench.catalogue import named
    from bluff_agents.bench.collecting import collect
    from bluff_agents.bench.curves import all_curves

    benchmarks, peers = named([], with_peers=True)
    return collect(benchmarks, peers, all_curves(), repeats=5, seconds=1.0, say=_say)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _machine(told: Mapping[str, Any]) -> list[str]:
    return [
        f"{machine_text(told)}. {told['repeats']} measurements of each, {told['seconds']:g} s long: the median, the "
        f"lowest and the highest. {versions_text(told)}."
    ]


def _figures(told: Mapping[str, Any]) -> list[str]:
    rows = []
    for found in told["results"]:
        name, what, target = f"`{found['name']}`", found["what"], target_text(found)
        if "skipped" in found:
            rows.append((name, what, "not measured: " + found["skipped"], "", target))
            continue
        spread = between(found["low"], found["high"]) if len(found["values"]) > 1 else "–"
        rows.append((name, what, quantity(found["median"], found["unit"]), spread, target))
    return _table(("benchmark", "what", "median", "lowest – highest", "target"), rows)


def _headline(told: Mapping[str, Any]) -> list[str]:
    """The few figures that README names."""
    found = {one["name"]: one for one in told["results"]}
    rows = []
    for name in _HEADLINE:
        one = found.get(name)
        if one is not None and "skipped" not in one:
            rows.append((one["what"], quantity(one["median"], one["unit"]), between(one["low"], one["high"])))
    return _table(("what", f"median of {told['repeats']}", "lowest – highest"), rows)


def _peers(told: Mapping[str, Any]) -> list[str]:
    rows = []
    for peer in told["peers"]:
        if "skipped" in peer:
            rows.append((peer["what"], "not measured: " + peer["skipped"], "", "", "", ""))
        for at, one in enumerate(peer.get("ours", ())):
            theirs = (peer["what"], quantity(peer["median"], peer["unit"])) if at == 0 else ("", "")
            ratio = one["ratio"]
            spread = between(ratio["low"], ratio["high"])
            rows.append((*theirs, f"`{one['name']}`", number(one["median"]), quantity(ratio["median"], "×"), spread))
    return _table(("theirs", "median", "ours", "median", "ours by theirs", "lowest – highest"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


_HEADLINE: Final = (
    "batch", "batch_bluffstopp", "one", "raw_env", "env", "vector", "bot_counter", "learner", "start_cached",
    "start_fresh",
)  # fmt: skip
#: What is written into which page, by the name of its marks.
PAGES: Final[Mapping[str, Mapping[str, Callable[[Mapping[str, Any]], list[str]]]]] = {
    "docs/performance.md": {"machine": _machine, "figures": _figures, "peers": _peers},
    "README.md": {"speed": _headline},
}

if __name__ == "__main__":
    sys.exit(main())
