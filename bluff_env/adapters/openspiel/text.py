"""Rules as OpenSpiel's game parameters hold them: one string without commas, brackets or equals signs of its own.

A named set and the fields that differ, parted by semicolons: `bloff; players: 3; max_turns: 60`. Whatever was given
(such text, the path of a YAML file, a YAML or JSON mapping) is written back in this one way, so that a game loaded
from what OpenSpiel writes down is the same game wherever it is loaded.
"""

from __future__ import annotations

from typing import Any

import yaml

from bluff_env.errors import RulesError
from bluff_env.ruleset import Rules, rule_names
from bluff_env.ruleset import rules as make_rules
from bluff_env.ruleset.load import name_of
from bluff_env.ruleset.rules import FIELDS


def rules_of(text: str, **fields: Any) -> Rules:
    """The rules that a text means.

    Args:
        text: a named set; the path of a YAML file; fields as YAML or JSON, in braces or not, parted by semicolons or
            commas; or a named set followed by such fields.
        fields: fields that differ from it.

    Raises:
        RulesError: not readable, an unknown name or field, or a value that is not allowed.
        ConfigError: a YAML file that cannot be read.

    >>> rules_of("tiny; ranks: 2").ranks
    2
    """
    text = text.strip()
    if not text:
        raise RulesError("rules: nothing found; a named set, or fields such as 'bloff; max_turns: 60', expected")
    first, _, rest = text.partition(";")
    if "{" not in first and ":" not in first and rest:
        base, text = first.strip(), rest.strip()
    elif ":" in text and not text.endswith((".yaml", ".yml")):
        base = None
    else:
        return make_rules(text, **fields)
    found = _mapping(text)
    if base is not None:
        if "base" in found:
            raise RulesError(f"base: {found['base']!r} found beside the set {base!r}; one of the two")
        found["base"] = base
    return make_rules({**found, **fields})


def _mapping(text: str) -> dict[str, Any]:
    """Fields as a YAML mapping; semicolons stand for commas, which OpenSpiel's own texts cannot hold."""
    inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    try:
        values = yaml.safe_load("{" + inner.replace(";", ",").replace("\n", ",") + "}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise RulesError(f"rules: {text!r} cannot be read: {what}; fields such as 'bloff; max_turns: 60'") from None
    missing = [str(key) for key, value in values.items() if value is None and key not in FIELDS]
    if missing:  # "tiny; ranks 2": a key without a value
        raise RulesError(f"rules: {missing[0]!r} found; fields such as 'bloff; max_turns: 60' expected")
    return dict(values)


def text_of(rules: Rules) -> str:
    """The one text of these rules: `rules_of(text_of(r)) == r`, and equal rules have equal texts.

    >>> text_of(make_rules("tiny", ranks=2))
    'bloff; players: 2; ranks: 2; suits: 2; max_cards: 1; max_turns: 6'
    """
    name = name_of(rules) or rule_names()[0]
    base = make_rules(name)
    parts = [name]
    for field, value in rules.to_dict().items():
        if value != base.to_dict()[field]:
            parts.append(f"{field}: {_word(value)}")
    return "; ".join(parts)


def _word(value: Any) -> str:
    """A value as YAML reads it back."""
    if isinstance(value, dict):
        return "{" + "; ".join(f"{key}: {_word(inner)}" for key, inner in value.items()) + "}"
    if value is None:
        return "null"
    if isinstance(value, float):  # YAML wants a point in a number with an exponent
        return repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
    return str(value).lower() if isinstance(value, bool) else str(value)
