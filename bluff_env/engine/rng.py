"""Random numbers: splitmix64 (Steele, Lea and Flood 2014), one 64-bit state a game, kept in the game's own row.

Two uses, kept apart: what the game draws (dealer, deal) moves the row's state; the noise offered to agents is a hash of
seed and step, so it moves nothing and is the same in any batch.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bluff_env.engine.compiling import inlined, jit

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_NOISE_SALT: Final = np.uint64(0xD1B54A32D192ED03)
_S27, _S30, _S31, _S32, _S11, _S10 = (np.uint64(s) for s in (27, 30, 31, 32, 11, 10))

#: Seeds are whole numbers from 0 to MAX_SEED: every JSON reader holds them exactly.
MAX_SEED: Final = 2**53 - 1


@inlined
def mix(x: Any) -> Any:
    """The output function of splitmix64: a bijection of 64-bit numbers."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@inlined
def draw(game: Any) -> Any:
    """The next 64 random bits of a game."""
    game.rng = game.rng + _GOLDEN
    return mix(game.rng)


@jit
def below(game: Any, bound: int) -> Any:
    """A uniform number from 0 to bound - 1 (Lemire 2019: multiply and reject, so exactly uniform)."""
    size = np.uint64(bound)
    low_mask = np.uint64(0xFFFFFFFF)
    product = (draw(game) >> _S32) * size
    if (product & low_mask) < size:  # the division below is rarely worth its time
        threshold = (np.uint64(1) << _S32) % size
        while (product & low_mask) < threshold:
            product = (draw(game) >> _S32) * size
    return np.int64(product >> _S32)


@jit
def start(game: Any, seed: int) -> None:
    """Seeds a game's generator and draws the seed of the row's next game."""
    game.rng = mix(np.uint64(seed) + _GOLDEN)
    game.next_seed = np.int64(draw(game) >> _S11)


@inlined
def noise_of(seed: int, steps: int) -> float:
    """A uniform number in [0, 1) for the decision a game of this seed asks after `steps` decisions."""
    bits = mix(mix(np.uint64(seed) ^ _NOISE_SALT) + _GOLDEN * np.uint64(steps + 1))
    return np.float64(bits >> _S11) * (1.0 / 9007199254740992.0)
