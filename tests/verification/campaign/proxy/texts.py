"""Changes to a true JSON body that make it a text nobody may believe. Knows the envelopes, no till."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

Change = Callable[[bytes], bytes]


def _with_field(text: bytes) -> Change:
    """One field more, inside the envelope's object or the outermost one."""

    def change(body: bytes) -> bytes:
        return re.sub(rb"\{(?=\")", lambda _: b'{"extra":' + text + b",", body, count=1)

    return change


def _amount(text: bytes) -> Change:
    """Another amount where there is one, else a field more."""

    def change(body: bytes) -> bytes:
        found, count = re.subn(rb'("transactionAmount":)[0-9.]+', lambda m: m[1] + text, body)
        return found if count else _with_field(text)(body)

    return change


def _envelope(put: Callable[[Any], Any]) -> Change:
    """Another value inside the envelope: response of the one service, data of the other."""

    def change(body: bytes) -> bytes:
        document = json.loads(body)
        name = "response" if "response" in document else "data"
        document[name] = put(document[name])
        return json.dumps(document).encode()

    return change


def _named(name: str) -> Change:
    """The envelope under another name."""
    return lambda body: body.replace(b'"response"', name.encode()).replace(b'"statusCode"', name.encode())


def _doubled(body: bytes) -> bytes:
    """The first key twice: failure first, and what the service said after it."""
    if b'"statusCode":"SUCCESS"' in body:
        return body.replace(b'{"statusCode"', b'{"statusCode":"ERROR","statusCode"', 1)
    return body.replace(b'"response":{', b'"response":{"status":"failure","status":"failure",', 1)


def _true_for_text(body: bytes) -> bytes:
    """Where a text is due, a boolean; where a list is due, a text."""
    for text in (
        b'"status":"success"',
        b'"status":"failure"',
        b'"statusCode":"SUCCESS"',
        b'"statusCode":"ERROR"',
    ):
        if text in body:
            return body.replace(text, text.partition(b":")[0] + b":true", 1)
    return re.sub(rb'"transactionList":\[.*\]', b'"transactionList":"none"', body, flags=re.DOTALL)


NO_JSON: dict[str, Change] = {
    "NaN": _amount(b"NaN"),
    "1e400": _amount(b"1e400"),
    "5,000 digits": _amount(b"1" * 5000),
    "100,000 levels": _with_field(b"[" * 100_000 + b"]" * 100_000),
    "invalid UTF-8": _with_field(b'"\xff\xfe\xc3"'),
    "lone surrogate": _with_field(b'"\\ud83d"'),
    "UTF-16": lambda body: body.decode().encode("utf-16"),
    "BOM": lambda body: b"\xef\xbb\xbf" + body,
    "two documents": lambda body: body + body,
    "half": lambda body: body[: len(body) // 2],
    "nothing": lambda _: b"",
}

NOT_OURS: dict[str, Change] = {
    "envelope a list": _envelope(lambda inner: [inner]),
    "envelope null": _envelope(lambda _: None),
    "envelope a text": _envelope(lambda _: "success"),
    "envelope empty": _envelope(lambda _: {}),
    "envelope missing": _named('"answer"'),
    "a list of it": lambda body: b"[" + body + b"]",
    "a key twice": _doubled,
    "true for a text": _true_for_text,
    "null": lambda _: b"null",
    "a number": lambda _: b"12.5",
}
