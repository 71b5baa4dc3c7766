"""Texts that any disk, reader and JSON parser takes: lone surrogates and control characters are replaced.

What comes from a reply is cleaned where it arrives. This is the last door: a strange character must never be
why a payment could not be recorded.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

REPLACEMENT = "\ufffd"

_T = TypeVar("_T")


def plain(text: str) -> str:
    """A header's text without anything that cannot be printed."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else REPLACEMENT for character in text)


def storable(value: _T) -> _T:
    """The value with each lone surrogate in its texts replaced, at any depth."""
    built = _walk(msgspec.to_builtins(value, builtin_types=(bytes,)))
    return msgspec.convert(built, type(value))


def _walk(value: Any) -> Any:
    if isinstance(value, str):
        # UTF-16 joins two halves that belong together.
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_walk(key): _walk(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_walk(item) for item in value]
    return value
