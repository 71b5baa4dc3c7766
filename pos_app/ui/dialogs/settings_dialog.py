"""The counter's settings, for a manager; anybody else sees them and changes nothing. It writes nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.ui.dialogs.connection_test import TestConnection
from pos_app.ui.dialogs.counter_form import COUNTER_FIELDS, TILL_FIELDS
from pos_app.ui.dialogs.counter_page import CounterPage, Save
from pos_app.ui.dialogs.lines import Panel, column
from pos_app.ui.dialogs.set_up import SECRET_FIELDS, SetUp
from pos_app.ui.widgets.label import Label
from pos_app.ui.words import english_setup as words


class SettingsDialog(Panel):
    """`closed` when it is to go away, `saved(SetUp)` when a change is stored. It never shows a secret.

    `own_sandbox`: the till was started on a sandbox of its own, whose settings are in no file.
    """

    closed = Signal()
    saved = Signal(object)

    def __init__(
        self,
        counter: SetUp,
        test: TestConnection,
        save: Save,
        *,
        is_manager: bool,
        own_sandbox: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.page = CounterPage(
            words.SETTINGS_TITLE,
            (*COUNTER_FIELDS, *TILL_FIELDS, *SECRET_FIELDS),
            counter.environment,
            test,
            save,
            secrets_needed=False,
            save_words=words.SAVE,
            back_words=words.CLOSE,
        )
        self.page.form.fill(counter)
        may_change = is_manager and not own_sandbox
        why_not = words.OWN_SANDBOX if own_sandbox else words.ONLY_MANAGERS
        self.why_not = Label(why_not, "body", "warn", wrap=True, name="why_not_changed")
        self.why_not.setVisible(not may_change)
        column(self, self.page, self.why_not)
        if may_change:
            self.setFocusProxy(self.page.form.part("shop_name"))
        else:
            for part in (self.page.form, self.page.test, self.page.hint, self.page.save):
                part.setEnabled(False)
            self.setFocusProxy(self.page.back)
        self.page.left.connect(self.closed)
        self.page.saved.connect(self._was_saved)

    def _was_saved(self, counter: SetUp) -> None:
        self.page.outcome.set_tone("ok")
        self.page.outcome.setText(words.SAVED)
        self.page.outcome.show()
        self.saved.emit(counter)
