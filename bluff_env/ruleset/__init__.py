"""The rules as data: the `Rules` object, its checks, the named sets and the tables they compile into."""

from __future__ import annotations

from bluff_env.ruleset.load import name_of, named, rules
from bluff_env.ruleset.named import NAMED, NamedSet, rule_names
from bluff_env.ruleset.rules import Dropp, Rules
from bluff_env.ruleset.tables import Tables, tables

__all__ = ["NAMED", "Dropp", "NamedSet", "Rules", "Tables", "name_of", "named", "rule_names", "rules", "tables"]
