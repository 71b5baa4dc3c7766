"""A transport without a socket, for what only has to be seen to be closed."""

import asyncio
from typing import Any


class RecordingTransport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.aborted = False
        self.closed = False
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True
