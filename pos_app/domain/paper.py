"""A picture for paper as everyone between the drawing and the printer's bytes hands it on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bitmap:
    """`rows` holds `height` rows of `width / 8` bytes, the first dot in the highest bit, 1 is ink.

    `width` is in dots and a multiple of 8: 576 on paper of 80 mm, 384 on 58 mm, at 203 dots an inch.
    ValueError for rows that do not add up.
    """

    width: int
    height: int
    rows: bytes

    def __post_init__(self) -> None:
        if self.width % 8 or len(self.rows) != self.height * self.width // 8:
            raise ValueError(f"{len(self.rows)} bytes are not {self.height} rows of {self.width} dots")
