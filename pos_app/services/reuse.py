"""Whether a connection may carry another request: only when nothing came but the one whole reply."""

from __future__ import annotations

import re

_HEAD_END = re.compile(rb"\n\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r\n")


def may_carry_another(received: bytes | bytearray, body_length: int, *, chunked: bool) -> bool:
    """False when more arrived than one reply (a doubled reply, an early 100): it would answer the next call.

    The HTTP library keeps such bytes and reads them as the reply to the next request on the connection.
    """
    head = _HEAD_END.search(received)
    if head is None:
        return False
    end = _end_of_chunks(received, head.end()) if chunked else head.end() + body_length
    return end == len(received)


def _end_of_chunks(received: bytes | bytearray, at: int) -> int:
    while chunk := _CHUNK.match(received, at):
        size = int(chunk[1], 16)
        at = chunk.end() + size + 2
        if size == 0:
            return at
    return -1
