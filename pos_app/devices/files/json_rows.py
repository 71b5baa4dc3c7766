"""Rows as JSON lines: an object each, every value the exact text that it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from pos_app.devices.files.rows import Cells


class JsonRows:
    """One object a line, its keys the columns in their order."""

    def __init__(self, file: BinaryIO, columns: Cells) -> None:
        self._file = file
        self._columns = tuple(columns)
        self._encoder = msgspec.json.Encoder()

    def write(self, rows: Sequence[Cells]) -> None:
        """The next rows."""
        self._file.write(
            self._encoder.encode_lines([dict(zip(self._columns, row, strict=True)) for row in rows])
        )

    def end(self) -> None:
        """All of it was handed over already."""

    def drop(self) -> None:
        """Nothing is held."""
