""" "Test connection" for both services, and honestly what came of it. The asking is handed in."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.parts.mark import Mark
from pos_app.ui.dialogs.settings.values import ServicesSaid
from pos_app.ui.theme.tokens import S1, S2
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.said import SaidLabel

_MARK = 20


class ServicesTest(QWidget):
    """What came of it, a line for each service. `button` stands where its owner puts it.

    `wanted` is a press; whoever has the form then asks, and shows what came.
    """

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("services_test")
        self.button = Button(words.TEST, name="test_connection", icon="connected")
        self.marks = (Mark("", "muted", _MARK), Mark("", "muted", _MARK))
        self.outcomes = (
            SaidLabel("", "second", "muted", wrap=True, name="test_outcome"),
            SaidLabel("", "second", "muted", wrap=True, name="test_outcome_sms"),
        )
        told = QGridLayout(self)
        told.setContentsMargins(0, 0, 0, 0)
        told.setHorizontalSpacing(S2)
        told.setVerticalSpacing(S1)
        told.setColumnStretch(1, 1)
        for row, (mark, outcome) in enumerate(zip(self.marks, self.outcomes, strict=True)):
            told.addWidget(mark, row, 0)
            told.addWidget(outcome, row, 1)
        self.button.clicked.connect(self.wanted)
        self.forget()

    def begin(self) -> None:
        """The button is off until the answer is here."""
        self.button.setEnabled(False)
        self._say(0, "checking", "muted", words.TESTING)
        self._say(1, "", "muted", "")

    def forget(self) -> None:
        """Nothing was asked, or the fields changed since."""
        self.button.setEnabled(True)
        for place in (0, 1):
            self._say(place, "", "muted", "")

    def show_tested(self, tested: ServicesSaid) -> None:
        """One line for each service."""
        self.button.setEnabled(True)
        if tested.payments is not None:
            well, said = words.payments_outcome(tested.payments)
            self._say(0, *_dress(well), said)
        if tested.sign_in is not None:
            well, said = words.sign_in_outcome(tested.sign_in)
            self._say(1, *_dress(well), said)

    def show_refused(self, why: str) -> None:
        """It was not asked."""
        self.forget()
        self._say(0, "warning", "bad", why)

    def _say(self, place: int, icon: str, tone: str, text: str) -> None:
        self.marks[place].set(icon, tone)
        self.outcomes[place].set_tone(tone)
        self.outcomes[place].setText(text)
        for part in (self.marks[place], self.outcomes[place]):
            part.setVisible(bool(text))
        self.setVisible(any(outcome.text() for outcome in self.outcomes))


def _dress(well: bool) -> tuple[str, str]:
    return ("tick", "ok") if well else ("warning", "bad")
