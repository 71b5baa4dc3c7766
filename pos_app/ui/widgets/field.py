"""A text field with its label and its error. Bad input keeps its text and gets the focus."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from pos_app.domain.secret import MAX_LENGTH
from pos_app.i18n.words.fields import words
from pos_app.ui.theme.fonts import font, size_of
from pos_app.ui.theme.tokens import S1, S3, TOUCH
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.eye import Eye
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.plain_edit import LONGEST, PlainEdit
from pos_app.ui.widgets.reading import as_read, is_from_right
from pos_app.ui.widgets.text_area import TextArea
from pos_app.ui.widgets.touch import touch_of
from pos_app.ui.widgets.touched_fields import Takes

_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_FROM_LEFT = Qt.AlignmentFlag.AlignLeft | _MIDDLE
_FROM_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | _MIDDLE


class LineEdit(PlainEdit, QLineEdit):
    """One line of plain text: no context menu, no dropped text; Enter is a signal and goes no further."""

    entered = Signal()

    def __init__(
        self, name: str, accessible: str, *, role: str = "body", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.setFont(font(role))
        self.setFrame(False)
        self.setMaxLength(LONGEST)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setAcceptDrops(False)
        self.setMinimumHeight(TOUCH)
        self.setTextMargins(S3 + RING, 0, S3 + RING, 0)
        self._role = role
        self._see_through()
        self._lean(self.text())
        self._turn(self.text())
        self.textChanged.connect(self._lean)
        self.textChanged.connect(self._turn)

    def sizeHint(self) -> QSize:
        """As tall as a finger."""
        return super().sizeHint().expandedTo(QSize(0, max(TOUCH, self.fontMetrics().height() + 2 * S3)))

    def setText(self, text: str | None) -> None:
        """Filled by us; what a person types stays as they typed it."""
        super().setText(clean(text or ""))

    def put_back(self, text: str) -> None:
        """What a person typed, as they typed it: made fit for a screen, a long secret would be another."""
        super().setText(text)

    def setPlaceholderText(self, text: str | None) -> None:
        """An example."""
        super().setPlaceholderText(as_read(clean(text or "", DETAILS_LIMIT)))

    def type_over(self, character: str) -> None:
        """As if typed on a keyboard; "" is backspace."""
        if character:
            self.insert(character)
        else:
            self.backspace()
        self.textEdited.emit(self.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The edge shows the focus."""
        super().focusInEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """In another language lines may begin at the other side."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.LayoutDirectionChange):
            self._turn(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Our edge and ground, the text by Qt."""
        self._paint_ground(focused=touch_of(self).focused)
        super().paintEvent(event)

    def _lean(self, text: str) -> None:
        """An example leans and is light: nobody takes it for what was typed."""
        if text:
            self.setFont(font(self._role))
            return
        light = QFont(font("body", size_of(self._role)))
        light.setItalic(True)
        self.setFont(light)

    def _turn(self, text: str) -> None:
        """Numbers, addresses and Latin names are read from the left in every language, and stay where they are.

        While nothing is typed the caret is where the example is: Qt would put it where the keyboard's letters begin.
        """
        if QGuiApplication.layoutDirection() is not Qt.LayoutDirection.RightToLeft:
            if self.alignment() & Qt.AlignmentFlag.AlignRight:
                self.unsetLayoutDirection()
                self.setAlignment(_FROM_LEFT)
            return
        latin = bool(text) and not is_from_right(text)
        sides = Qt.LayoutDirection
        self.setLayoutDirection(sides.LeftToRight if latin else sides.RightToLeft)
        if self.alignment() != _FROM_RIGHT:
            self.setAlignment(_FROM_RIGHT)


class SecretEdit(LineEdit):
    """A line that shows dots; while its eye is open, nothing of it can be carried off either.

    What is too long for a secret is taken, and said to be: behind dots nobody sees where a paste was cut.
    """

    def __init__(
        self, name: str, accessible: str, *, role: str = "body", parent: QWidget | None = None
    ) -> None:
        super().__init__(name, accessible, role=role, parent=parent)
        self.setMaxLength(MAX_LENGTH + LONGEST)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What a mouse has marked, X11 would hand to every program."""
        if self.echoMode() is QLineEdit.EchoMode.Normal:
            self.deselect()
        super().mouseReleaseEvent(event)


def for_example(text: str) -> str:
    """What a field says while it is empty, so that it is not read as its value."""
    return words.EXAMPLE.format(example=text) if text else ""


class Field(QWidget):
    """Label above, edit, error below. `name` is the edit's object name."""

    edited = Signal(str)
    entered = Signal()

    def __init__(
        self,
        label: str,
        name: str,
        *,
        example: str = "",
        role: str = "body",
        takes: Takes = Takes.TEXT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_field")
        self.edit = self._make_edit(name, label, role)
        self.edit.takes = takes
        self.edit.setPlaceholderText(example)
        self.label = Label(label, "second", "muted")
        self.label.setBuddy(self.edit)
        self.error = Label("", "second", "bad", wrap=True, name=f"{name}_error")
        self.error.hide()
        for said in (self.label, self.error):
            said.stand_with_fields()
        self._voice = Announcer(self.edit)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S1)
        column.addWidget(self.label)
        self._line = line = QHBoxLayout()
        line.setSpacing(0)
        line.addWidget(self.edit, 1)
        column.addLayout(line)
        column.addWidget(self.error)
        column.addStretch(1)
        self.edit.textEdited.connect(self._was_edited)
        self.edit.entered.connect(self.entered)
        self.setFocusProxy(self.edit)

    def _make_edit(self, name: str, label: str, role: str) -> LineEdit:
        return LineEdit(name, label, role=role)

    def set_label(self, label: str) -> None:
        """In another language."""
        self.label.setText(label)
        self.edit.setAccessibleName(clean(label, DETAILS_LIMIT))

    def text(self) -> str:
        """What was typed, untouched."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Fill it."""
        self.edit.setText(text)
        self.clear_error()

    def put_back(self, text: str) -> None:
        """What was typed into it, or into another like it, untouched."""
        self.edit.put_back(text)
        self.clear_error()

    def keep_room(self) -> None:
        """What is wrong has its line from the beginning: nothing under the field moves when it is said."""
        policy = self.error.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.error.setSizePolicy(policy)

    def suggest(self, texts: tuple[str, ...], *, most: int = 0) -> None:
        """Texts that a touch fills in, for whoever has no keyboard or a queue.

        `most`: so wide, in pixels, a text is shown; of a longer one the middle goes, and a touch fills in all of it.
        """
        row = ButtonRow(f"{self.edit.objectName()}_suggestions")
        # The stretch below would take the room of a second line from a row that may not grow.
        policy = row.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        row.setSizePolicy(policy)
        row.set_parts([self._suggestion(at, text, most) for at, text in enumerate(texts)])
        self._column.insertWidget(2, row)

    def _suggestion(self, at: int, text: str, most: int) -> Button:
        name = f"{self.edit.objectName()}_suggestion_{at}"
        shown = text
        if most:
            shown = QFontMetrics(font("chip")).elidedText(clean(text), Qt.TextElideMode.ElideMiddle, most)
        button = Button(shown, name=name, kind="soft", role="chip").called(text)
        button.clicked.connect(lambda: self.set_text(text))
        return button

    def show_error(self, words: str, *, focus: bool = True) -> None:
        """Say what is wrong (field, limit, example); the text stays, the focus returns."""
        self.error.setText(words)
        self.error.show()
        self.edit.setAccessibleDescription(clean(words))
        self._voice.say(words, urgent=True)
        self.edit.wrong = True
        self.edit.update()
        if focus:
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_error(self) -> None:
        """Nothing is wrong any more."""
        if self.edit.wrong:
            self.edit.wrong = False
            self.edit.setAccessibleDescription("")
            self._voice.say("")
            self.error.hide()
            self.edit.update()

    def _was_edited(self, text: str) -> None:
        self.clear_error()
        self.edited.emit(text)


class LongField(Field):
    """For a sentence, which needs more than a line to be in sight."""

    def _make_edit(self, name: str, label: str, _role: str) -> LineEdit:
        # What a LineEdit is asked for, a TextArea answers alike.
        return cast(LineEdit, TextArea(name, label))


class SecretField(Field):
    """Shows dots. `has_eye`: whoever types the secret may look at it."""

    def __init__(
        self, label: str, name: str, *, example: str = "", role: str = "body", has_eye: bool = False
    ) -> None:
        # The shop's secrets were given to it by a service, in its letters.
        super().__init__(label, name, example=example, role=role, takes=Takes.LATIN)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.eye = Eye(self.edit, label) if has_eye else None
        if self.eye is not None:
            self._line.addWidget(self.eye)

    def _make_edit(self, name: str, label: str, role: str) -> LineEdit:
        return SecretEdit(name, label, role=role)

    def set_label(self, label: str) -> None:
        """In another language, the eye's too."""
        super().set_label(label)
        if self.eye is not None:
            self.eye.name_anew(label)
