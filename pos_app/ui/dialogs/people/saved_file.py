"""A file for the help desk is being made, or was: where it lies, or why there is none. It makes nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.i18n.words.manager import words
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, focus, heading
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label


class SavedFile(Panel):
    """`closed` when it is to go away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("saved_file")
        self.said = Label(words.DIAGNOSTICS_MAKING, "body", "muted", wrap=True, name="saved_file_said")
        self.path = Label("", "strong", wrap=True, name="saved_file_path")
        self.path.hide()
        close = Button(words.CLOSE, name="saved_file_close", kind="primary", keycap="Esc")
        title = heading(words.DIAGNOSTICS, "saved_file_title")
        column(self, title, self.said, self.path, button_row(close), spacing=S3)
        self.setFocusProxy(close)
        self._close = close
        close.clicked.connect(self.closed)

    def show_outcome(self, path: str, problem: str) -> None:
        """The file's path, or what is wrong."""
        self.said.setText(words.DIAGNOSTICS_FAILED if problem else words.DIAGNOSTICS_MADE)
        self.said.set_tone("bad" if problem else "text")
        self.path.setText(clean(problem, DETAILS_LIMIT) if problem else path)
        self.path.show()
        focus(self._close)
