"""Where each thing stands on a paper, in dots of the printer. It draws on whatever it is given: a picture or a PDF.

Text is laid out by Qt, which knows all four scripts and takes what one font lacks from another. Where lines begin at
the right, labels stand there; ids, amounts and times are read from the left in every script, by lines of their own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextLine, QTextOption

from pos_app.domain.paper import (
    Bar,
    Bars,
    Block,
    Code,
    Figure,
    Fill,
    Line,
    Marking,
    Pair,
    Paper,
    Rule,
    Signature,
    Weight,
)
from pos_app.ui.charts.fill import filled
from pos_app.ui.theme.tokens import FAMILIES
from pos_app.ui.till.payment.qr_matrix import matrix

MODULE = 6
"""Dots of a QR code's module, each way: read by a scanner of any age off paper that was folded."""

QUIET = 4
"""Modules of white around it."""

_MASK = 3
"""Of every code: black on white at this size needs no choosing, which took longer than all else on the paper."""

_GAP = 6
"""Between two thoughts, in dots."""

_PITCH = 1.5
"""From one line to the next, of the size of the letters: the marks of Sinhala and Tamil have room in it."""

_PADDING = 10
_RULE = 2
_LEGEND, _BESIDE = 0.12, 0.25
"""Of the room: what shows a pattern beside its meaning; labels and numbers that leave a bar its place on their line."""

_INSET = 6.0
"""So much lower than what is behind it (dots)."""

_BLACK, _WHITE = QColor(0, 0, 0), QColor(255, 255, 255)
_SIZES = {Weight.NOTE: 0.84, Weight.PLAIN: 1.0, Weight.STRONG: 1.0, Weight.HEAD: 1.4, Weight.STATE: 1.75}
_FIGURE = 2.0
_CURRENCY = 0.6
_SMALLEST = 0.7
"""Of the body: a figure or a word that is still too wide then is broken."""
_HAND = 3
"""So many letters high is the room to sign in."""


class Part(NamedTuple):
    """One block in its place: from `top` on, `height` dots of it. `paint` draws it, its own top at 0."""

    top: float
    height: float
    paint: Callable[[QPainter], None]


class Sheet(NamedTuple):
    """A paper laid out. `missing`: the texts for which no font has a glyph; `torn`: those whose word no line holds."""

    width: int
    height: int
    parts: tuple[Part, ...]
    missing: tuple[str, ...]
    torn: tuple[str, ...]

    def draw(self, painter: QPainter) -> None:
        """All of it, on white."""
        for part in self.parts:
            painter.save()
            painter.translate(0, part.top)
            part.paint(painter)
            painter.restore()


def lay(paper: Paper, width: int) -> Sheet:
    """A paper that is so many dots wide; as high as it gets. Needs a QGuiApplication, on any thread."""
    laying = _Laying(paper, width)
    for block in paper.blocks:
        laying.put(block)
    return laying.sheet()


def paper_font(size: float, *, bold: bool = False) -> QFont:
    """Letters so many dots high, as a head of dots prints them: on or off, with hints."""
    made = QFont(FAMILIES)
    made.setPixelSize(round(size))
    made.setWeight(QFont.Weight.Bold if bold else QFont.Weight.Normal)
    made.setHintingPreference(QFont.HintingPreference.PreferFullHinting)
    made.setStyleStrategy(QFont.StyleStrategy.NoAntialias)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


class _Text:
    """One text in lines of at most `room` dots. No word is torn that fits into a line at all."""

    def __init__(self, text: str, font: QFont, room: float, *, from_right: bool) -> None:
        self.text = text
        self._room = room
        self._from_right = from_right
        self.size = font.pixelSize()
        self._lay(font, QTextOption.WrapMode.WordWrap)
        if self.width > room:
            self._lay(font, QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _lay(self, font: QFont, wrap: QTextOption.WrapMode) -> None:
        self._layout = QTextLayout(self.text, font)
        option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
        option.setWrapMode(wrap)
        mirrored = Qt.LayoutDirection.RightToLeft if self._from_right else Qt.LayoutDirection.LeftToRight
        option.setTextDirection(mirrored)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._pitch = font.pixelSize() * _PITCH
        self.height = 0.0
        self.is_torn = wrap is not QTextOption.WrapMode.WordWrap
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(self._room)
            self.height += self._pitch
        self._layout.endLayout()

    @property
    def width(self) -> float:
        """Of its widest line."""
        lines = range(self._layout.lineCount())
        return max((self._layout.lineAt(at).naturalTextWidth() for at in lines), default=0.0)

    @property
    def lines(self) -> int:
        """How many there are."""
        return self._layout.lineCount()

    @property
    def baseline(self) -> float:
        """Of its first line, from the top of the text."""
        return self._baseline(self._layout.lineAt(0)) if self.lines else 0.0

    def _baseline(self, line: QTextLine) -> float:
        """In the middle of its pitch: the fonts of the four scripts ask for very unlike room above and below."""
        return (self._pitch - line.height()) / 2 + line.ascent()

    @property
    def is_missing(self) -> bool:
        """Whether some font was asked for a glyph that none has."""
        return any(0 in run.glyphIndexes() for run in self._layout.glyphRuns())

    def place(self, left: float, room: float, share: float) -> Callable[[QPainter], None]:
        """Draws each line inside `room` from `left` on: 0 at its left, 1 at its right, 0.5 in the middle."""
        return self.place_at(left, 0.0, room, share)

    def place_at(self, left: float, top: float, room: float, share: float) -> Callable[[QPainter], None]:
        """The same, from another top on."""
        at = top
        for number in range(self.lines):
            line = self._layout.lineAt(number)
            down = at + self._baseline(line) - line.ascent()
            line.setPosition(QPointF(left + (room - line.naturalTextWidth()) * share, down))
            at += self._pitch

        def paint(painter: QPainter) -> None:
            self._layout.draw(painter, QPointF(0, 0))

        return paint


class _Laying:
    """From the top down. No part of it holds it: what is drawn is let go on the thread that drew it."""

    def __init__(self, paper: Paper, width: int) -> None:
        self._paper = paper
        self._width = width
        self._body = paper.body
        self._edge = 12.0 if width > 400 else 4.0
        self._room = width - 2 * self._edge
        self._parts: list[Part] = []
        self._missing: list[str] = []
        self._torn: list[str] = []
        self._top = 8.0

    def sheet(self) -> Sheet:
        """What came of it."""
        return Sheet(
            self._width, round(self._top + 12), tuple(self._parts), tuple(self._missing), tuple(self._torn)
        )

    def put(self, block: Block) -> None:
        """One more block below."""
        match block:
            case Line():
                self._line(block)
            case Pair():
                self._pair(block)
            case Figure():
                self._figure(block)
            case Marking():
                self._marking(block)
            case Code():
                self._code(block)
            case Rule():
                self._rule()
            case Signature():
                self._signature(block)
            case Bars():
                self._bars(block)

    def _add(self, height: float, *paints: Callable[[QPainter], None]) -> None:
        def paint(painter: QPainter) -> None:
            painter.setPen(_BLACK)
            for each in paints:
                each(painter)

        self._parts.append(Part(round(self._top), height, paint))
        self._top = round(self._top + height)

    def _text(self, text: str, weight: Weight, room: float, *, is_code: bool = False) -> _Text:
        font = paper_font(self._body * _SIZES[weight], bold=weight >= Weight.STRONG)
        from_right = not is_code and _runs_from_right(text, mirrored=self._paper.right_to_left)
        made = _Text(text, font, room, from_right=from_right)
        if weight is Weight.STATE and made.lines > 1:
            made = _Text(
                text, paper_font(self._body * _SIZES[Weight.HEAD], bold=True), room, from_right=from_right
            )
        while not is_code and made.is_torn and made.size > self._body * _SMALLEST:
            font = paper_font(made.size - 1, bold=weight >= Weight.STRONG)
            made = _Text(text, font, room, from_right=from_right)
        if is_code and made.lines > 1:
            font = paper_font(self._body * _SIZES[Weight.NOTE], bold=weight >= Weight.STRONG)
            made = _Text(text, font, room, from_right=False)
        if is_code and made.lines > 1:
            # It is broken behind its hyphens, so that no part of an id is torn.
            made = _Text(text.replace("-", "-\u200b"), font, room, from_right=False)
        if made.is_torn and not is_code:
            self._torn.append(text)
        if made.is_missing:
            self._missing.append(text)
        return made

    def _line(self, line: Line) -> None:
        room = self._room
        if line.weight is Weight.HEAD and self._parts:
            self._top += _GAP
        text = self._text(line.text, line.weight, room, is_code=line.is_code)
        share = 0.5 if line.centred else (1.0 if self._paper.right_to_left else 0.0)
        self._add(text.height, text.place(self._edge, room, share))

    def _pair(self, pair: Pair) -> None:
        """The label where lines begin, the value where they end: on one line where both have room, else below it."""
        mirrored, room = self._paper.right_to_left, self._room
        label = self._text(pair.label, pair.weight, room)
        value = self._text(pair.value, max(pair.weight, Weight.STRONG), room, is_code=pair.is_code)
        begins, ends = (1.0, 0.0) if mirrored else (0.0, 1.0)
        if label.lines == value.lines == 1 and label.width + value.width + self._body <= room:
            down = max(label.baseline, value.baseline)
            first = label.place_at(self._edge, down - label.baseline, room, begins)
            second = value.place_at(self._edge, down - value.baseline, room, ends)
            self._add(max(label.height, value.height), first, second)
        else:
            first = label.place(self._edge, room, begins)
            second = value.place_at(self._edge, label.height, room, ends)
            self._add(label.height + value.height, first, second)
            self._top += _GAP / 2

    def _figure(self, figure: Figure) -> None:
        """Currency and amount on one line, as large as there is room for."""
        size = self._body * _FIGURE
        while True:
            amount = _Text(figure.amount, paper_font(size, bold=True), self._width * 4, from_right=False)
            small = paper_font(size * _CURRENCY, bold=True)
            beside = _Text(figure.currency, small, self._width, from_right=False)
            between = QFontMetricsF(small).horizontalAdvance(" ")
            wide = beside.width + between + amount.width
            if wide <= self._room or size <= self._body * _SMALLEST:
                break
            size -= 1
        left = self._edge + (self._room - wide) / 2
        down = amount.baseline - beside.baseline
        first = beside.place_at(left, down, beside.width, 0.0)
        second = amount.place(left + beside.width + between, amount.width, 0.0)
        self._add(amount.height, first, second)
        self._top += _GAP

    def _marking(self, marking: Marking) -> None:
        text = self._text(marking.text, Weight.STRONG, self._room)
        bar = QRectF(0, 0, self._width, text.height + _PADDING)
        place = text.place_at(self._edge, _PADDING / 2, self._room, 0.5)

        def paint(painter: QPainter) -> None:
            painter.fillRect(bar, _BLACK)
            painter.setPen(_WHITE)
            place(painter)

        self._top += _GAP
        self._add(bar.height(), paint)
        self._top += _GAP * 2

    def _rule(self) -> None:
        line = QRectF(self._edge, 0, self._room, _RULE)

        def paint(painter: QPainter) -> None:
            painter.fillRect(line, _BLACK)

        self._top += _GAP
        self._add(_RULE, paint)
        self._top += _GAP

    def _signature(self, signature: Signature) -> None:
        """As much room as a hand needs, and the line it writes on."""
        self._top += round(self._body * _HAND)
        self._rule()
        self._line(Line(signature.caption, Weight.NOTE))

    def _bars(self, bars: Bars) -> None:
        """Label, bar and number on one line where all labels are short; else the bar below the two."""
        for fill, meaning in bars.legend:
            text = self._text(meaning, Weight.NOTE, self._room * (1 - _LEGEND) - _GAP)
            swatch = self._room * _LEGEND + _GAP
            left = self._room - swatch - text.width if self._paper.right_to_left else swatch
            self._bar(Bar(meaning, "", ((fill, 1.0),)), 0.0, self._room * _LEGEND, text, left)
        said = [
            self._text(bar.said, Weight.STRONG, self._room, is_code=not _is_from_right(bar.said))
            for bar in bars.bars
        ]
        labels = [self._text(bar.label, Weight.PLAIN, self._room) for bar in bars.bars]
        before, behind = (max(each.width for each in texts) + _GAP for texts in (labels, said))
        is_short = before <= self._room * _BESIDE and behind <= self._room * _BESIDE
        for bar, label, number in zip(bars.bars, labels, said, strict=True):
            if not is_short:
                self._pair(Pair(bar.label, bar.said, is_code=not _is_from_right(bar.said)))
                self._bar(bar, 0.0, self._room)
                continue
            room = self._room - before - behind
            ends = 0.0 if self._paper.right_to_left else self._room - number.width
            beside = number.place(self._edge + ends, number.width, 0.0)
            begins = self._room - label.width if self._paper.right_to_left else 0.0
            self._bar(bar, before, room, label, begins, beside)
        self._top += _GAP

    def _bar(
        self,
        bar: Bar,
        begins: float,
        room: float,
        text: _Text | None = None,
        left: float = 0.0,
        *more: Callable[[QPainter], None],
    ) -> None:
        """A bar in its room, `begins` behind where lines begin; `text` is beside it, `left` from the edge."""
        high = float(self._body)
        down = (text.height - high) / 2 if text is not None else 0.0
        places = []
        is_double = len(bar.marks) > 1 and any(fill is Fill.BEHIND for fill, _ in bar.marks)
        for fill, share in bar.marks:
            long = max(round(room * share), 2.0 if share > 0 else 0.0)
            at = self._room - begins - long if self._paper.right_to_left else begins
            inset = _INSET if is_double and fill is not Fill.BEHIND else 0.0
            places.append((fill, QRectF(self._edge + at, down + inset, long, high - 2 * inset)))

        def paint(painter: QPainter) -> None:
            for fill, place in places:
                filled(painter, place, fill, _BLACK, _WHITE)

        if text is not None:
            self._add(text.height, paint, text.place(self._edge + left, text.width, 0.0), *more)
        elif bar.marks:
            self._add(high + _GAP, paint)

    def _code(self, code: Code) -> None:
        made = matrix(code.text, _MASK)
        if made is None:
            raise ValueError(f"{len(code.text)} characters are too long for a code on paper")
        side, quiet = made.side * MODULE, QUIET * MODULE
        left = round((self._width - side) / 2)

        def paint(painter: QPainter) -> None:
            for row, modules in enumerate(made.rows):
                for column, is_black in enumerate(modules):
                    if is_black:
                        x, y = left + column * MODULE, quiet + row * MODULE
                        painter.fillRect(QRectF(x, y, MODULE, MODULE), _BLACK)

        self._add(side + 2 * quiet, paint)
        self._line(Line(code.caption, Weight.PLAIN))
        self._top += _GAP


def _is_from_right(text: str) -> bool:
    """Whether something in it is written from the right: a number with its unit is read as one there."""
    return any(unicodedata.bidirectional(each) in ("R", "AL") for each in text)


def _runs_from_right(text: str, *, mirrored: bool) -> bool:
    """Whether a text is set from the right: what the shop wrote itself may be in any script."""
    kinds = [kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")]
    if mirrored:
        return not kinds or any(kind != "L" for kind in kinds)
    return bool(kinds) and kinds[0] != "L"


def pages(sheet: Sheet, room: float) -> Sequence[tuple[Part, ...]]:
    """The parts on pages that are `room` dots high; none is cut unless it is higher than a page."""
    found: list[list[Part]] = [[]]
    begins = 0.0
    for part in sheet.parts:
        if found[-1] and part.top + part.height - begins > room:
            found.append([])
            begins = part.top
        found[-1].append(part._replace(top=part.top - begins))
    return [tuple(each) for each in found]
