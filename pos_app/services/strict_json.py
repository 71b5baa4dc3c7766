"""JSON read as strictly as money needs: one UTF-8 document, no key twice, every number an exact Decimal."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

MAX_DEPTH = 20
MAX_DIGITS = 32

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""One without an end goes to the end: else it would be looked for anew from each quote within it."""

_BRACKET = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Unreadable(ValueError):
    """Not a document the till reads; says why in a few words."""


def decode(data: bytes) -> Any:
    """The document: dict, list, str, Decimal, bool or None. Raises Unreadable.

    The standard decoder alone takes NaN, 1e400, a key twice (the last wins: failure becomes success), any
    depth, and half of a surrogate pair, which no database then stores.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8") from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise Unreadable(f"nested deeper than {MAX_DEPTH}")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} at {error.pos}") from error
    if _SURROGATE.search(text):
        _refuse_lone_surrogates(value)
    return value


def number(text: str) -> Decimal:
    """An exact Decimal of at most MAX_DIGITS digits, written out in full or nearly so; raises Unreadable."""
    if len(text) > 2 * MAX_DIGITS:
        raise Unreadable(f"a number of more than {MAX_DIGITS} digits")
    try:
        value = Decimal(text)
    except ArithmeticError as error:
        raise Unreadable("a number beyond all bounds") from error
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or len(digits) > MAX_DIGITS or abs(exponent) > MAX_DIGITS:
        raise Unreadable(f"a number of more than {MAX_DIGITS} digits")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Unreadable("a key twice")
    return made


def _constant(name: str) -> Any:
    raise Unreadable(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    parse_float=number, parse_int=number, parse_constant=_constant, object_pairs_hook=_object
)


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _refuse_lone_surrogates(value: Any) -> None:
    match value:
        case str():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                raise Unreadable("half of a surrogate pair") from error
        case list():
            for item in value:
                _refuse_lone_surrogates(item)
        case dict():
            for key, item in value.items():
                _refuse_lone_surrogates(key)
                _refuse_lone_surrogates(item)
