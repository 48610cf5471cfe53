"""Measurements in words: three digits, spreads, targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_SIZES: Final = {" M": 1e6, " k": 1e3, "": 1}


def number(value: float) -> str:
    """A measurement with the three digits that mean something: "9.87 M", "223 k", "0.410"."""
    unit = _unit(value)
    return f"{_digits(value / _SIZES[unit])}{unit}"


def between(low: float, high: float) -> str:
    """The lowest and the highest of some measurements, both in the unit of the highest: "0.98 – 4.55 M"."""
    return f"{_digits(low / _SIZES[_unit(high)])} – {number(high)}"


def quantity(value: float, unit: str) -> str:
    """A measurement with its unit, a ratio with its sign."""
    return f"{number(value)} {unit}"


def target_text(result: Mapping[str, Any]) -> str:
    """What a result ought to reach: "≥ 10 M", or nothing."""
    if "target" not in result:
        return ""
    text = number(result["target"])
    whole, _, unit = text.partition(" ")
    whole = whole.rstrip("0").rstrip(".") if "." in whole else whole
    return f"{'≤' if result['at_most'] else '≥'} {whole}{f' {unit}' if unit else ''}"


def missed(result: Mapping[str, Any]) -> bool:
    """Was a target not reached?"""
    if "target" not in result or "median" not in result:
        return False
    value, target = result["median"], result["target"]
    return bool(value > target if result["at_most"] else value < target)


def machine_text(told: Mapping[str, Any]) -> str:
    """The machine in one line, with how busy it was before."""
    here = told["machine"]
    cores = f"{here['cores']} core" if here["cores"] == 1 else f"{here['cores']} cores"
    load = f", load {here['load']:.1f} beforehand" if "load" in here else ""
    return f"{here['cpu']}, {cores}, {here['system']}{load}"


def versions_text(told: Mapping[str, Any]) -> str:
    """The versions in one line."""
    return ", ".join(f"{name} {version}" for name, version in told["versions"].items())


def _unit(value: float) -> str:
    return next(unit for unit, size in _SIZES.items() if value >= 0.9995 * size or size == 1)


def _digits(value: float) -> str:
    return f"{value:,.{0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3}f}"
