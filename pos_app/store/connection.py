"""A connection to the store, from whoever found its address: a request is short at its head, and here in time.

uvicorn reads a head of any length into memory, and waits for its end, or for its beginning, for ever. Nobody has
signed in to either.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_MOST = 64 << 10
"""Bytes of a request beside its body: more than any browser or counter sends. What a body in chunks has between
and behind them counts, too."""
WHOLE_S = 60.0
"""So long after a connection is made, or its last request was whole, the next one has begun and is whole. Between two
requests a connection rests for as long as uvicorn's keep-alive lets it."""


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's own, which ends what is too long or too late."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None
        self._has_begun, self._length, self._whole = False, 0, 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(WHOLE_S, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        whole = self._whole
        super().data_received(data)
        if self.transport.is_closing():
            return
        has_ended = self._whole != whole
        if has_ended:
            self._in_time()
        if self._late is None and (self._has_begun or not has_ended):
            self._late = self.loop.call_later(WHOLE_S, self.transport.close)
        if not has_ended:
            self._length += len(data)
            if self._length > HEAD_MOST:
                self.send_400_response(f"The head of a request has at most {HEAD_MOST} bytes.")

    def on_message_begin(self) -> None:
        self._has_begun = True
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        self._length -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._has_begun, self._length = False, 0
        self._whole += 1
        super().on_message_complete()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
