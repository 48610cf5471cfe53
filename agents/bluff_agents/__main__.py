"""`python -m bluff_agents` is the command `bluff`."""

from __future__ import annotations

import sys

from bluff_agents.cli import main

sys.exit(main())
