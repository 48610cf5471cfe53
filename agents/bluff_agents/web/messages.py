"""What a browser may send: small JSON objects of known forms, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bluff_env import BluffError

#: Bytes of the longest message that is read; what a page sends is far shorter.
MOST_BYTES: Final = 2000
_LONGEST_TEXT: Final = 300
_LARGEST_NUMBER: Final = 2**53 - 1
_KINDS: Final = {int: "a whole number", str: "a text", bool: "true or false"}

#: Message types, the keys that each must have beside `type`, and of what kind their values are.
Forms = Mapping[str, Mapping[str, type]]


class MessageError(BluffError):
    """A message that is refused, for a reason that its sender may be told."""


def parsed(text: str | bytes | None, forms: Forms) -> dict[str, Any]:
    """A message as it was sent, checked.

    Args:
        text: what has come; bytes are no message.
        forms: what may come.

    Raises:
        MessageError: one line about the first fault.
    """
    if not isinstance(text, str):
        raise MessageError("message: text expected, bytes found")
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise MessageError(f"message: longer than {MOST_BYTES} bytes")
    try:
        message = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MessageError("message: not JSON") from None
    if not isinstance(message, dict):
        raise MessageError("message: an object expected")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in forms:
        raise MessageError(f"message: type: one of {', '.join(forms)} expected")
    wanted = {"type": str, **forms[kind]}
    if set(message) != set(wanted):
        raise MessageError(f"message: {kind}: exactly the keys {', '.join(wanted)} expected")
    for key, value in message.items():
        _check(kind, key, value, wanted[key])
    return message


def _check(kind: str, key: str, value: Any, wanted: type) -> None:
    if type(value) is not wanted:
        raise MessageError(f"message: {kind}: {key}: {_KINDS[wanted]} expected")
    if isinstance(value, int) and not 0 <= value <= _LARGEST_NUMBER:
        raise MessageError(f"message: {kind}: {key}: a number from 0 to 2^53 - 1 expected")
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        raise MessageError(f"message: {kind}: {key}: at most {_LONGEST_TEXT} characters expected")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key twice")
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(name)
