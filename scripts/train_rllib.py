#!/usr/bin/env python3
"""Trains with RLlib: `bluff train`, with `bloff_rllib` unless another recipe is named first; the same options."""

import sys

from bluff_agents.cli import main

words = sys.argv[1:]
named = bool(words) and not words[0].startswith("-")
sys.exit(main(["train", *([] if named else ["bloff_rllib"]), *words]))
