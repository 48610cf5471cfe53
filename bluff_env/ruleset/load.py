"""`rules()`: a rules object from a name, a mapping, a YAML file or another rules object."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bluff_env.errors import RulesError
from bluff_env.ruleset.named import NAMED, rule_names
from bluff_env.ruleset.rules import Rules, from_mapping, near
from bluff_env.yamlfile import read_mapping

_PLAIN: Final = Rules().to_dict()


def rules(spec: str | os.PathLike[str] | Mapping[str, Any] | Rules = "bloff", **fields: Any) -> Rules:
    """The rules object that `spec` names, with `fields` changed.

    Args:
        spec: a named set (see `rule_names()`), a mapping of fields (with `base: NAME`, the named set they change,
            if wanted), the path of a YAML file holding such a mapping, or a `Rules` object.
        **fields: fields of RULES section 2 that differ, e.g. `players=5`.

    Raises:
        RulesError: an unknown name (with near matches), an unknown field, or a value that is not allowed.
        ConfigError: a YAML file that cannot be read; names the file and the line.

    >>> rules("bloff", players=5).players
    5
    """
    if isinstance(spec, Rules):
        return spec.replace(**fields) if fields else spec
    if isinstance(spec, Mapping):
        return _from_mapping({**spec, **fields})
    if isinstance(spec, str) and spec in NAMED:
        return from_mapping({**NAMED[spec].fields, **fields})
    if isinstance(spec, str) and not _looks_like_path(spec):
        raise RulesError(_unknown(spec))
    if not isinstance(spec, str | os.PathLike):
        raise RulesError(
            f"rules: {spec!r} found; a name, a mapping, the path of a YAML file or a Rules object expected"
        )
    return _from_file(Path(spec), fields)


def name_of(r: Rules) -> str | None:
    """The first named set that these rules are, whatever the players, max_turns and rewards; None for house rules."""
    return next((name for name in NAMED if _is(r, name)), None)


def _is(r: Rules, name: str) -> bool:
    """Are these the rules of a named set, whatever the players, max_turns and rewards?"""
    free = {"players": r.players, "max_turns": r.max_turns, "rewards": r.rewards}
    return {**_PLAIN, **NAMED[name].fields, **free} == r.to_dict()


def named(spec: object, r: Rules) -> str | None:
    """What these rules are called: the name `spec` asked for them by, if it still fits, else `name_of`."""
    if isinstance(spec, str) and spec in NAMED and _is(r, spec):
        return spec
    return name_of(r)


def _looks_like_path(spec: str) -> bool:
    return spec.endswith((".yaml", ".yml")) or os.sep in spec or "/" in spec


def _unknown(name: str) -> str:
    names = ", ".join(rule_names())
    return f"rules: no rule set named {name!r}{near(name, rule_names())}; names: {names}, or a .yaml file"


def _from_mapping(fields: Mapping[str, Any]) -> Rules:
    rest = {str(key): value for key, value in fields.items()}
    base = rest.pop("base", None)
    if base is None:
        return from_mapping(rest)
    if not isinstance(base, str) or base not in NAMED:
        raise RulesError(_unknown(str(base)).replace("rules:", "base:", 1).removesuffix(", or a .yaml file"))
    return from_mapping({**NAMED[base].fields, **rest})


def _from_file(path: Path, fields: Mapping[str, Any]) -> Rules:
    found = read_mapping(path)
    try:
        return _from_mapping({**found.values, **fields})
    except RulesError as error:
        field = str(error).split(":", 1)[0]
        if field in fields:
            raise
        where = f"{path}:{found.line(field)}" if found.line(field) else str(path)
        raise type(error)(f"{where}: {error}") from None
