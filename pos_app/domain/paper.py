"""What stands on paper: lines and codes for whoever draws or reads them, and the picture the printer gets. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import msgspec

WIDTHS = {80: 576, 58: 384}
"""Dots across, at 203 dots an inch, of paper that is so many millimetres wide."""

BODY, LARGE = 24, 36
"""Heights of a receipt's letters, in dots: as most read it, and large print."""


class Bitmap(msgspec.Struct, frozen=True):
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


class CannotDraw(ValueError):
    """There is no picture of it: what it is about is not there, or a font is missing."""


class Weight(IntEnum):
    """How loud a line is: `NOTE` is below the others, `STRONG` bold, `HEAD` bold and larger, `STATE` the largest."""

    NOTE = 0
    PLAIN = 1
    STRONG = 2
    HEAD = 3
    STATE = 4


class Line(msgspec.Struct, frozen=True):
    """A line of its own, in the middle or where lines begin. `is_code`: no sentence, and read from the left."""

    text: str
    weight: Weight = Weight.PLAIN
    centred: bool = True
    is_code: bool = False


class Pair(msgspec.Struct, frozen=True):
    """What it is, and what it says. `is_code`: an id, an amount, a time: read from the left in every script."""

    label: str
    value: str
    is_code: bool = True
    weight: Weight = Weight.PLAIN


class Figure(msgspec.Struct, frozen=True):
    """The amount of the paper: the largest thing on it."""

    currency: str
    amount: str


class Marking(msgspec.Struct, frozen=True):
    """White on black, from edge to edge: whatever is cut off, it stays in sight."""

    text: str


class Code(msgspec.Struct, frozen=True):
    """`text` as a QR code, with what it is for below."""

    text: str
    caption: str


class Signature(msgspec.Struct, frozen=True):
    """Room to write by hand on a line, and below it what is to be written."""

    caption: str


class Rule(msgspec.Struct, frozen=True):
    """A line across, between two thoughts."""


class Fill(IntEnum):
    """What a bar is filled with: told apart without colours, and by a head of dots.

    BEHIND: open, behind the others and broader than they are, so that it is seen where it is shorter, too.
    """

    SOLID = 0
    HATCHED = 1
    CROSSED = 2
    OPEN = 3
    BEHIND = 4


class Bar(msgspec.Struct, frozen=True):
    """What it is, and the number on it. `marks`: how it is filled up to which share (0 to 1) of the room, in order."""

    label: str
    said: str
    marks: tuple[tuple[Fill, float], ...] = ()


class Bars(msgspec.Struct, frozen=True):
    """Bars below one another. `legend`: what a pattern means."""

    bars: tuple[Bar, ...]
    legend: tuple[tuple[Fill, str], ...] = ()


Block = Line | Pair | Figure | Marking | Code | Rule | Signature | Bars


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of paper, from top to bottom. `body`: the height of its letters in dots.

    `right_to_left`: labels stand at the right and values at the left.
    """

    title: str
    blocks: tuple[Block, ...]
    right_to_left: bool = False
    body: int = BODY


_FIRST, _LAST = "\u2066", "\u2069"
"""Around an id in a script that runs the other way: it is read from the left, whatever stands beside it."""


def lines_of(paper: Paper) -> Iterator[str]:
    """The same as lines of text, one for each thing that is said: to be read aloud, searched, or kept beside a PDF."""
    for block in paper.blocks:
        match block:
            case Line():
                yield _coded(block.text, paper) if block.is_code else block.text
            case Pair():
                value = _coded(block.value, paper) if block.is_code else block.value
                yield f"{block.label}: {value}"
            case Figure():
                yield _coded(f"{block.currency} {block.amount}", paper)
            case Marking():
                yield block.text
            case Code():
                yield f"{block.caption}: {_coded(block.text, paper)}"
            case Rule():
                yield ""
            case Signature():
                yield f"{block.caption}: ____________________"
            case Bars():
                for bar in block.bars:
                    yield f"{bar.label}: {_coded(bar.said, paper)}"


def text_of(paper: Paper) -> str:
    """All of its lines."""
    return "\n".join(lines_of(paper)) + "\n"


def _coded(text: str, paper: Paper) -> str:
    return f"{_FIRST}{text}{_LAST}" if paper.right_to_left else text
