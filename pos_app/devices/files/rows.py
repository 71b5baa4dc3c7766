"""What every file of rows is: begun with its columns, written page by page, ended once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Cells = Sequence[str]


class RowsFile(Protocol):
    """Raises OSError when the disk refuses. Nothing is complete before `end`."""

    def write(self, rows: Sequence[Cells]) -> None:
        """The next rows, each with a text for each column."""
        ...

    def end(self) -> None:
        """Hands over what is still held; the file stays open."""
        ...

    def drop(self) -> None:
        """Lets go of what was begun, where nothing is to become of it."""
        ...
