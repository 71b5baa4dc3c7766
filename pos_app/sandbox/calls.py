"""Remembers the last calls, so that a test sees what a till sent; it must not keep headers."""

from collections import deque
from typing import Any, NamedTuple

_MOST = 5000
_MOST_BODY = 2048


class Seen(NamedTuple):
    number: int
    at_s: float
    operation: str
    http_status: int | None
    body: bytes


class CallLog:
    def __init__(self) -> None:
        self._seen: deque[Seen] = deque(maxlen=_MOST)
        self._number = 0

    def add(self, at_s: float, operation: str, http_status: int | None, body: bytes) -> None:
        """`http_status` is None when the connection was dropped instead."""
        self._number += 1
        self._seen.append(Seen(self._number, at_s, operation, http_status, body[:_MOST_BODY]))

    def listed(self, operation: str | None) -> list[dict[str, Any]]:
        """Oldest first."""
        return [
            {**seen._asdict(), "body": seen.body.decode(errors="replace")}
            for seen in self._seen
            if operation in (None, seen.operation)
        ]

    def clear(self) -> None:
        self._seen.clear()
