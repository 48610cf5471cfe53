"""`always_call`: believes nobody."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Counts
from bluff_agents.bots.honest import Honest


class AlwaysCall(Honest):
    """Calls every play it is asked about. In all else it is `honest`: the truth when it can, else one card.

    Whoever plays against it has every lie called, and can make it take pile after pile by telling the truth.
    """

    NAME: ClassVar[str] = "always_call"

    def _answer(self, counts: Counts, claim: NDArray[np.intp]) -> NDArray[np.int64]:
        return np.full(len(counts), self._first["call"])
