"""Buttons side by side, breaking into more lines where there is no room. Lays out only what is visible."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.tokens import GAP


class ButtonRow(QWidget):
    """Lines begin where reading begins; `centred` puts each in the middle, `at_end` where reading ends."""

    def __init__(
        self, name: str, *, centred: bool = False, at_end: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._before = 0.5 if centred else 1.0 if at_end else 0.0
        self._parts: list[QWidget] = []
        self._told = 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What stands in it now."""
        return tuple(self._parts)

    def set_parts(self, parts: list[QWidget]) -> None:
        """These and no others, in this order."""
        if parts == self._parts:
            return
        for old in self._parts:
            if old not in parts:
                old.hide()
        self._parts = parts
        last: QWidget | None = None
        for part in parts:
            part.setParent(self)
            part.show()
            if last is not None:
                QWidget.setTabOrder(last, part)
            last = part
        self._place()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """It may need more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Lines times a button's height."""
        return height_of([part.sizeHint() for part in self._parts], width)

    def sizeHint(self) -> QSize:
        """One line."""
        sizes = [part.sizeHint() for part in self._parts]
        width = sum(size.width() + GAP for size in sizes)
        return QSize(max(0, width - GAP), max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """The widest button, and the lines at the present width."""
        widest = max((part.minimumSizeHint().width() for part in self._parts), default=0)
        return QSize(widest, self.heightForWidth(max(self.width(), widest)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew; another number of lines asks for another height."""
        super().resizeEvent(event)
        self._place()
        if self.heightForWidth(event.size().width()) != self.heightForWidth(event.oldSize().width()):
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """A button changed its text."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
            self.updateGeometry()
        return super().event(event)

    def _place(self) -> None:
        top = 0
        mirrored = self.isRightToLeft()
        parts = iter(self._parts)
        for line in _lines([part.sizeHint() for part in self._parts], self.width()):
            height = _height(line)
            used = sum(size.width() for size in line) + GAP * (len(line) - 1)
            left = max(0, int((self.width() - used) * self._before))
            for size, part in zip(line, parts, strict=False):
                at = self.width() - left - size.width() if mirrored else left
                part.move(QPoint(at, top))
                part.resize(QSize(size.width(), height))
                left += size.width() + GAP
            top += height + GAP
        if top != self._told:
            # Whoever lays this out remembers the height it had with other texts.
            self._told = top
            self.updateGeometry()


def height_of(sizes: Sequence[QSize], width: int) -> int:
    """What parts of these sizes take at a width. A layout asks some forty times before a result stands."""
    lines = _lines(sizes, width)
    return sum(_height(line) for line in lines) + GAP * max(0, len(lines) - 1)


def _lines(sizes: Sequence[QSize], width: int) -> list[list[QSize]]:
    lines: list[list[QSize]] = []
    left = 0
    for size in sizes:
        wanted = size.width()
        if not lines or left + wanted > width:
            lines.append([])
            left = 0
        lines[-1].append(size)
        left += wanted + GAP
    return lines


def _height(line: list[QSize]) -> int:
    return max(size.height() for size in line)
