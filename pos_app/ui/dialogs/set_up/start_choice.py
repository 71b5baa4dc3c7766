"""The wizard's first page: try the till, where that is allowed, or set up a counter. It starts neither."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.lines import column
from pos_app.ui.dialogs.sign_in.language_row import LanguageRow
from pos_app.ui.theme.tokens import S4
from pos_app.ui.till.amount.method_tile import MethodTile
from pos_app.ui.widgets.label import CENTRE, Label


class StartChoice(QWidget):
    """Says `sandbox` or `counter`, once; after `show_problem`, once more. `language(code)`: another is wanted."""

    sandbox = Signal()
    counter = Signal()
    language = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, may_try: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("start_choice")
        title = Label(words.WELCOME, "heading", wrap=True, align=CENTRE, name="welcome_title")
        more = Label(words.WELCOME_TEXT, "lead", "muted", wrap=True, align=CENTRE)
        self.try_it: MethodTile | None = None
        self.set_up = MethodTile(
            words.SET_UP_TITLE,
            words.SET_UP_TEXT,
            name="set_up_counter",
            icon="shop",
            keycap="",
            primary=not may_try,
        )
        tiles = QWidget()
        row = QHBoxLayout(tiles)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S4)
        if may_try:
            self.try_it = MethodTile(
                words.TRY_TITLE, words.TRY_TEXT, name="try_sandbox", icon="flask", keycap="", primary=True
            )
            self.try_it.clicked.connect(self._try)
            row.addWidget(self.try_it)
        row.addWidget(self.set_up)
        self.outcome = Label("", "body", "muted", wrap=True, align=CENTRE, name="start_outcome")
        languages = LanguageRow(centred=True)
        languages.chosen.connect(self.language)
        column(self, title, more, tiles, self.outcome, languages)
        self.setFocusProxy(self.try_it or self.set_up)
        self.set_up.clicked.connect(self.counter)

    def _try(self) -> None:
        # Starting it takes a moment; a second press would start it twice.
        self._enable(False)
        self.outcome.set_tone("muted")
        self.outcome.setText(words.TRY_STARTING)
        self.sandbox.emit()

    def show_problem(self, text: str) -> None:
        """The sandbox did not start: say why, and let the person choose again."""
        self._enable(True)
        self.outcome.set_tone("bad")
        self.outcome.setText(text)

    def _enable(self, enabled: bool) -> None:
        if self.try_it is not None:
            self.try_it.setEnabled(enabled)
        self.set_up.setEnabled(enabled)
