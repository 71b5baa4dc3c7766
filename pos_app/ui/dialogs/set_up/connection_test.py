""" "Test connection" and what came of it. The asking itself is handed in and runs elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.domain.replies import Listing, NoAnswer, QueryReply, Refused
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.answers import Answers
from pos_app.ui.dialogs.parts.mark import Mark
from pos_app.ui.dialogs.set_up.form import SetUp
from pos_app.ui.theme.tokens import S2
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.said import SaidLabel

TestConnection = Callable[[SetUp, Callable[[QueryReply], None]], None]
"""Asks the service with these settings, off the window's thread, and gives the reply once, on any thread.
Empty secrets mean the stored ones."""


class ConnectionTest(QWidget):
    """`wanted` is a press; whoever has the form then calls `run`, or does nothing while fields are wrong."""

    wanted = Signal()
    tested = Signal(bool)

    def __init__(self, test: TestConnection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("connection_test")
        self._test = test
        self._answers = Answers(self)
        self._answers.came.connect(self._show)
        self.button = Button(words.TEST, name="test_connection", icon="connected")
        self.mark = Mark("", "muted", 20)
        self.outcome = SaidLabel("", "second", "muted", wrap=True, name="test_outcome")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S2)
        row.addWidget(self.button)
        row.addWidget(self.mark)
        row.addWidget(self.outcome, 1)
        self.button.clicked.connect(self.wanted)

    def run(self, counter: SetUp) -> None:
        """Ask once; the button is off until the answer is here."""
        self.button.setEnabled(False)
        self._say("checking", "muted", words.TESTING)
        self._test(counter, self._answers.next())

    def forget(self) -> None:
        """The fields changed: the outcome is not theirs any more."""
        self._answers.drop()
        self.button.setEnabled(True)
        self._say("", "muted", "")

    @Slot(object)
    def _show(self, reply: object) -> None:
        self.button.setEnabled(True)
        if isinstance(reply, Listing | Refused | NoAnswer):
            well = isinstance(reply, Listing)
            self._say(*(("tick", "ok") if well else ("warning", "bad")), words.outcome_of_test(reply))
            self.tested.emit(well)

    def _say(self, icon: str, tone: str, text: str) -> None:
        self.mark.set(icon, tone)
        self.outcome.set_tone(tone)
        self.outcome.setText(text)
