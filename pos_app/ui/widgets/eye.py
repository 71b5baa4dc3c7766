"""The eye beside a secret: it can be seen while somebody looks, and by nobody who comes later. Keeps no text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QHideEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from pos_app.i18n.words.fields import words
from pos_app.ui.garbage import while_whole
from pos_app.ui.theme.tokens import TOUCH
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING

_PLAIN = QLineEdit.EchoMode.Normal
_DOTS = QLineEdit.EchoMode.Password
_PRIVATE = Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText


class Eye(Button):
    """Shows what stands in `edit`, until it is pressed again or the keyboard goes elsewhere."""

    def __init__(self, edit: QLineEdit, label: str) -> None:
        super().__init__(name=f"{edit.objectName()}_eye", icon="eye", kind="quiet")
        self._edit = edit
        self._label = label
        # As high as the field it stands beside: nothing of it is moved by the ring's room.
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.look(shown=False)
        self.setEnabled(bool(edit.text()))
        self.clicked.connect(self._turn)
        edit.textChanged.connect(self._text_changed)
        edit.installEventFilter(self)

    @property
    def is_open(self) -> bool:
        """Whether the secret can be read on the screen."""
        return self._edit.echoMode() is _PLAIN

    def look(self, *, shown: bool) -> None:
        """Plain text, or dots; what is listened to says which."""
        self._edit.setEchoMode(_PLAIN if shown else _DOTS)
        # No word list of the system's learns it, whichever way it is shown.
        self._edit.setInputMethodHints(self._edit.inputMethodHints() | _PRIVATE)
        self.set_icon("eye_off" if shown else "eye")
        self.name_anew(self._label)

    def name_anew(self, label: str) -> None:
        """For whoever listens; in another language."""
        self._label = label
        at, act = (words.IS_SHOWN, words.HIDE) if self.is_open else (words.IS_HIDDEN, words.SHOW)
        self._edit.setAccessibleName(clean(at.format(label=label), DETAILS_LIMIT))
        self.called(act.format(label=label))

    def sizeHint(self) -> QSize:
        """A finger's."""
        return QSize(TOUCH + 2 * RING, TOUCH)

    def minimumSizeHint(self) -> QSize:
        """Never less."""
        return self.sizeHint()

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field is left, or cannot be typed into any more."""
        if event.type() == QEvent.Type.FocusOut:
            self._look_whether_left()
        elif event.type() in (QEvent.Type.EnabledChange, QEvent.Type.Hide):
            self._text_changed(self._edit.text())
            self.look(shown=False)
        return super().eventFilter(watched, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard was here."""
        super().focusOutEvent(event)
        self._look_whether_left()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks at what cannot be seen."""
        super().hideEvent(event)
        self.look(shown=False)

    def _turn(self) -> None:
        self.look(shown=not self.is_open)
        if not self.hasFocus():
            # From there it is noticed when somebody goes on to something else.
            self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _text_changed(self, text: str) -> None:
        if not text:
            self.look(shown=False)
        self.setEnabled(bool(text) and self._edit.isEnabled())

    def _look_whether_left(self) -> None:
        """Once the keyboard has arrived where it goes."""
        QTimer.singleShot(0, self, self._close_if_left)

    def _close_if_left(self) -> None:
        if self.is_open and not (self._edit.hasFocus() or self.hasFocus()):
            self.look(shown=False)
