"""A sentence of a few lines, all of it in sight: read from the side that its letters are. Used like a LineEdit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL, S1, S3
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING, box
from pos_app.ui.widgets.reading import as_read, is_from_right
from pos_app.ui.widgets.touched_fields import Takes, tell_touched

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LONGEST = 5000
_RIGHT = Qt.LayoutDirection.RightToLeft
LINES = 2


class TextArea(QPlainTextEdit):
    """One line of text, broken where it is long. Enter is a signal and ends no line; nothing is carried off or dropped.

    `textEdited` when a person has changed it.
    """

    entered = Signal()
    textEdited = Signal(str)  # noqa: N815 - as a field of one line calls it

    takes = Takes.TEXT
    has_own_keys = False

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
        self.wrong = False
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter stays here and ends no line: a message is one. Nothing is carried off."""
        if event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Cut):
            event.accept()
            return
        if event.key() in _ENTER:
            event.accept()
            if not event.isAutoRepeat():
                self.entered.emit()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Whoever brings keys to the screen is told."""
        super().mouseReleaseEvent(event)
        tell_touched(self, event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted is one line of plain text, and no longer than anybody types."""
        room = max(0, _LONGEST - len(self.toPlainText()))
        self.insertPlainText(" ".join(clean(source.text()).split("\n"))[:room])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Nothing is dropped on a till."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The edge shows the focus."""
        super().focusInEvent(event)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """A new theme would paint its own ground over ours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._see_through()

    def event(self, event: QEvent) -> bool:
        """Our edge and ground, around what scrolls."""
        if event.type() == QEvent.Type.Paint:
            on = tokens()
            edge, width = (on.bad, 2) if self.wrong else (on.fieldline, 1)
            if self.hasFocus() and not self.wrong:
                edge, width = on.focus, 2
            painter = QPainter(self)
            ground = on.field if self.isEnabled() else on.bg
            place = QRectF(self.rect()).adjusted(RING, 0, -RING, 0)
            box(painter, place, RADIUS_SMALL + 2, ground, edge, width)
            painter.end()
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

    def _see_through(self) -> None:
        # Only this role is ours: the others go on following the theme.
        dressed = QPalette()
        dressed.setColor(QPalette.ColorRole.Base, QColor(0, 0, 0, 0))
        if self.palette().color(QPalette.ColorRole.Base).alpha():
            self.setPalette(dressed)
