"""One question with two answers. Enter gives the focused one, Esc the safe one; it does nothing itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.overlay import OverlayHost


class Confirm(Panel):
    """`answered(bool)` comes once. `danger`: yes cannot be undone, so the safe answer has the focus."""

    answered = Signal(bool)

    def __init__(
        self,
        question: str,
        more: str,
        *,
        yes: str,
        no: str,
        danger: bool = False,
        name: str = "confirm",
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(clean(question))
        self._is_answered = False
        self.yes = Button(yes, name=f"{name}_yes", kind="danger" if danger else "primary")
        self.no = Button(no, name=f"{name}_no", keycap="Esc")
        more_label = Label(more, "body", "muted", wrap=True, name=f"{name}_more")
        column(self, heading(question, f"{name}_question"), more_label, button_row(self.no, self.yes))
        self.setFocusProxy(self.no if danger else self.yes)
        self.yes.clicked.connect(lambda: self._answer(True))
        self.no.clicked.connect(lambda: self._answer(False))

    def ask(
        self, overlay: OverlayHost, then: Callable[[], object], on_close: Callable[[], None] | None = None
    ) -> None:
        """Over what stands there: `then` is done on yes, once the question is gone."""

        def answered(agreed: bool) -> None:
            overlay.close_panel(self)
            if agreed:
                then()

        self.answered.connect(answered)
        overlay.open(self, on_close=on_close)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc is the safe answer, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self._answer(False)
            return
        super().keyPressEvent(event)

    def _answer(self, answer: bool) -> None:
        if not self._is_answered:
            self._is_answered = True
            self.answered.emit(answer)
