"""A film of a game as a GIF: `scripts/gif`, or python -m bluff_agents.gamegif. Needs pygame-ce and Pillow.

    scripts/gif                                               # docs/images/game.gif, for the README
    scripts/gif --rules bluffstopp --players 3 --agents counter bold honest --seed 2 --out my.gif

One picture for every play, pass and call, all hands shown. The same agents and seed make the same film.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bluff_agents.evaluation.files import check_target, whole
from bluff_agents.loading import load
from bluff_env import BluffError, Game, rules
from bluff_env.asking import Asker
from bluff_env.render.scene import Scene, scene_of
from bluff_env.render.size import HEIGHT, WIDTH

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

#: The README's film: a short game in which a bluff is called and somebody wins.
FILM: Final = Path(__file__).resolve().parents[2] / "docs" / "images" / "game.gif"
AGENTS: Final = ("counter", "bold", "honest", "liar")
SEED: Final = 110
#: How long a picture is shown, in milliseconds: after a call or at the end there is more to look at.
_SHOWN: Final = {"begin": 1500, "play": 700, "call": 1800, "end": 3500}
#: A film is smaller than the picture, and no longer than this many pictures.
_SIZE: Final = (WIDTH * 4 // 5, HEIGHT * 4 // 5)
_LONGEST: Final = 300
_COLOURS: Final = 64


class FilmError(BluffError):
    """A film that cannot be made."""


def played(game: Game, agents: Sequence[str]) -> Iterator[tuple[str, Scene]]:
    """Plays a game to its end: what is to be seen at the beginning, after every play, pass and call, and at the end.

    Args:
        game: not begun.
        agents: who sits in each seat, as `load` takes them.

    Yields:
        "begin", "play", "call" or "end", and the table with all hands.
    """
    n = game.rules.players
    if len(agents) != n:
        raise FilmError(f"--agents: {len(agents)} named for {n} seats; exactly {n}")
    players = {name: Asker(load(name, game.rules), 1, n) for name in dict.fromkeys(agents)}
    names = [name if agents.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(agents)]
    row = np.zeros(1, np.int64)
    yield "begin", scene_of(game, None, names=names)
    while not game.over:
        batch = game.batch
        action = players[agents[game.turn or 0]].ask(batch, row, batch.noise())
        game.push_action(int(action[0]))
        event = game.last_event()
        if game.over:
            yield "end", scene_of(game, None, names=names)
        elif event is not None:
            yield "call" if "call" in event else "play", scene_of(game, None, names=names)


def film(moments: Iterator[tuple[str, Scene]], out: Path) -> tuple[int, float]:
    """Writes a film, whole or not at all.

    Returns:
        How many pictures it has, and how many seconds it takes.

    Raises:
        FilmError: too long a game, or the file cannot be written.
    """
    from PIL import Image

    from bluff_env.render.drawn.picture import picture

    pictures: list[Picture] = []
    times: list[int] = []
    for kind, scene in moments:
        if len(pictures) == _LONGEST:
            raise FilmError(f"{out}: the game is longer than {_LONGEST} pictures; another --seed")
        pictures.append(Image.fromarray(picture(scene)).resize(_SIZE, Image.Resampling.LANCZOS))
        times.append(_SHOWN[kind])
    palette = _palette(pictures)
    few = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in pictures]
    with whole(out) as temporary:
        few[0].save(temporary, format="GIF", save_all=True, append_images=few[1:], duration=times, loop=0)
    return len(few), sum(times) / 1000


def _palette(pictures: Sequence[Picture]) -> Picture:
    """The same few colours for all pictures, so that what does not change from one to the next is not written again.

    They are chosen by how often they occur; the rare ones that mean something are given room of their own.
    """
    from PIL import Image

    from bluff_env.render.drawn import colours

    rare = (colours.LIE, colours.TRUTH, colours.BACK, colours.BACK_LINES, colours.GOLD, colours.EDGE)
    some = pictures[:: max(1, len(pictures) // 6)]
    sheet = Image.new("RGB", (_SIZE[0], _SIZE[1] * len(some) + 60 * len(rare)))
    for i, one in enumerate(some):
        sheet.paste(one, (0, i * _SIZE[1]))
    for i, colour in enumerate(rare):
        sheet.paste(colour, (0, _SIZE[1] * len(some) + 60 * i, _SIZE[0], _SIZE[1] * len(some) + 60 * (i + 1)))
    return sheet.quantize(_COLOURS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes a film."""
    parser = argparse.ArgumentParser(prog="scripts/gif", description="Makes a GIF of a game that agents play.")
    parser.add_argument("--rules", default="bloff", metavar="NAME", help="a rule set or a YAML file (bloff)")
    parser.add_argument("--players", type=int, metavar="N", help="how many seats")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="AGENT", help=f"one a seat ({' '.join(AGENTS)})")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"decides the game ({SEED})")
    parser.add_argument("--out", type=Path, default=FILM, metavar="FILE", help="the file (docs/images/game.gif)")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that exists")
    told = parser.parse_args(arguments)
    fields: dict[str, Any] = {} if told.players is None else {"players": told.players}
    try:
        for module, name in (("pygame", "pygame-ce"), ("PIL", "Pillow")):
            if importlib.util.find_spec(module) is None:
                raise FilmError(f"a film needs {name}, which is not installed: pip install 'bluff-env[render,judge]'")
        check_target(told.out, told.overwrite or told.out == FILM)
        game = Game(rules(told.rules, **fields), seed=told.seed)
        pictures, seconds = film(played(game, tuple(told.agents)), told.out)
    except BluffError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{told.out}: {pictures} pictures, {seconds:.0f} seconds, {told.out.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
