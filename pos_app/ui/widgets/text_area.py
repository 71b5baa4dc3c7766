"""A sentence of a few lines, all of it in sight: read from the side that its letters are. Used like a LineEdit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.tokens import S1, S3
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.plain_edit import LONGEST, PlainEdit
from pos_app.ui.widgets.reading import as_read, is_from_right

_RIGHT = Qt.LayoutDirection.RightToLeft
LINES = 2


class TextArea(PlainEdit, QPlainTextEdit):
    """One line of text, broken where it is long. Enter is a signal and ends no line; nothing is carried off or dropped.

    `textEdited` when a person has changed it.
    """

    entered = Signal()
    textEdited = Signal(str)  # noqa: N815 - as a field of one line calls it

    def __init__(self, name: str, accessible: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.setFont(font("body"))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setAcceptDrops(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(S3, S1, S3, S1)
        self.document().setDocumentMargin(0)
        self.setFixedHeight(LINES * self.fontMetrics().lineSpacing() + 2 * S1 + RING)
        self._filled = False
        self._see_through()
        self._turn()
        self.textChanged.connect(self._was_changed)

    def text(self) -> str:
        """What stands in it."""
        return self.toPlainText()

    def setText(self, text: str | None) -> None:
        """Filled by us; its beginning is in sight."""
        self._filled = True
        self.setPlainText(clean(text or ""))
        self._filled = False

    def put_back(self, text: str) -> None:
        """What was typed: here nothing else than clean text is taken."""
        self.setText(text)

    def setPlaceholderText(self, text: str | None) -> None:
        """An example."""
        super().setPlaceholderText(as_read(clean(text or "", DETAILS_LIMIT)))

    def type_over(self, character: str) -> None:
        """As if typed on a keyboard; "" is backspace."""
        if character:
            self.insertPlainText(character)
        else:
            self.textCursor().deletePreviousChar()

    def sizeHint(self) -> QSize:
        """As tall as its lines."""
        return QSize(super().sizeHint().width(), self.height())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted is one line of plain text, and no longer than anybody types."""
        room = max(0, LONGEST - len(self.toPlainText()))
        self.insertPlainText(" ".join(clean(source.text()).split("\n"))[:room])

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The edge shows the focus."""
        super().focusInEvent(event)
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        """Our edge and ground, around what scrolls."""
        if event.type() == QEvent.Type.Paint:
            self._paint_ground(focused=self.hasFocus())
            return True
        return super().event(event)

    def _was_changed(self) -> None:
        self._turn()
        if not self._filled:
            self.textEdited.emit(self.text())

    def _turn(self) -> None:
        """Arabic among Latin signs is read from the right all the same, its full stop at the left end."""
        text, app_side = self.text(), QGuiApplication.layoutDirection()
        from_right = is_from_right(text) if text else app_side is _RIGHT
        side = _RIGHT if from_right else Qt.LayoutDirection.LeftToRight
        # As in a field of one line: what is read from the left stays at the window's own side.
        at_right = from_right or app_side is _RIGHT
        edge = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(self.document().defaultTextOption())
        if (option.textDirection(), option.alignment()) != (side, edge | Qt.AlignmentFlag.AlignAbsolute):
            option.setTextDirection(side)
            option.setAlignment(edge | Qt.AlignmentFlag.AlignAbsolute)
            self.document().setDefaultTextOption(option)
