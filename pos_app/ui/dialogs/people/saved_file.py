"""A file for the help desk is being made, or was: where it lies, and onto a stick with it; or why there is none."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from pos_app.i18n.words.manager import words
from pos_app.system.sticks import Stick, can_be_seen, sticks
from pos_app.ui.dialogs.parts.lines import Panel, column, focus, heading, title_row
from pos_app.ui.theme.tokens import S3, TICK_MS
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel

_LONGEST_NAME = 24


class SavedFile(Panel):
    """`closed` when it is to go away; `stick_wanted(path, folder)` when the file is to be taken along.

    `find`: what is plugged in now. It is looked for as long as the panel stands. `can_be_seen`: whether one would be
    found; who waits for one that cannot be is not asked for it.
    """

    closed = Signal()
    stick_wanted = Signal(str, str)

    def __init__(
        self,
        parent: QWidget | None = None,
        find: Callable[[], list[Stick]] = sticks,
        can_be_seen: Callable[[], bool] = can_be_seen,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("saved_file")
        self.said = SaidLabel(words.DIAGNOSTICS_MAKING, "body", "muted", wrap=True, name="saved_file_said")
        self.path = Label("", "strong", wrap=True, name="saved_file_path")
        self.path.hide()
        self.along = Label("", "body", "muted", wrap=True, name="saved_file_along")
        self.along.hide()
        self.sticks = ButtonRow("saved_file_sticks")
        self.sticks.hide()
        close = Button(words.CLOSE, name="saved_file_close", keycap="Esc")
        title = title_row(heading(words.DIAGNOSTICS, "saved_file_title"), close)
        column(self, title, self.said, self.path, self.along, self.sticks, spacing=S3)
        self.setFocusProxy(close)
        self._close = close
        self._find = find
        self._can_be_seen = can_be_seen
        self._found: list[Stick] = []
        self._saved_as = ""
        self._to: Stick | None = None
        self._look = QTimer(self)
        self._look.setInterval(TICK_MS)
        self._look.timeout.connect(self._look_for_sticks)
        close.clicked.connect(self.closed)

    def show_outcome(self, path: str, problem: str) -> None:
        """The file's path, or what is wrong."""
        self.said.setText(words.DIAGNOSTICS_FAILED if problem else words.DIAGNOSTICS_MADE)
        self.said.set_tone("bad" if problem else "text")
        self.path.setText(clean(problem, DETAILS_LIMIT) if problem else path)
        self.path.show()
        self._saved_as = path
        if not problem:
            self._show_sticks([])
            self._look_for_sticks()
            self._look.start()
        focus(self._close)

    def show_copied(self, problem: str) -> None:
        """What became of taking it along."""
        name = clean(self._to.name, _LONGEST_NAME) if self._to is not None else ""
        self._to = None
        if problem:
            self._tell(f"{words.DIAGNOSTICS_NOT_COPIED} {clean(problem, DETAILS_LIMIT)}", "bad")
        else:
            self._look.stop()
            self._tell(words.DIAGNOSTICS_COPIED.format(name=name), "ok")
        self.sticks.setEnabled(True)

    def _look_for_sticks(self) -> None:
        found = self._find() if self._to is None else self._found
        if found != self._found:
            self._show_sticks(found)

    def _show_sticks(self, found: list[Stick]) -> None:
        self._found = found
        self._tell("" if found or not self._can_be_seen() else words.DIAGNOSTICS_NO_STICK, "muted")
        self.sticks.set_parts([self._button(at, stick) for at, stick in enumerate(found)])
        self.sticks.setVisible(bool(found))

    def _button(self, at: int, stick: Stick) -> Button:
        text = words.DIAGNOSTICS_STICK.format(name=clean(stick.name, _LONGEST_NAME))
        button = Button(text, name=f"saved_file_stick_{at}", kind="outline")
        button.clicked.connect(lambda: self._take_along(stick))
        return button

    def _take_along(self, stick: Stick) -> None:
        if self._to is None:
            self._to = stick
            self._tell(words.DIAGNOSTICS_COPYING, "muted")
            self.sticks.setEnabled(False)
            self.stick_wanted.emit(self._saved_as, str(stick.folder))

    def _tell(self, text: str, tone: str) -> None:
        self.along.set_tone(tone)
        self.along.setText(text)
        self.along.setVisible(bool(text))
