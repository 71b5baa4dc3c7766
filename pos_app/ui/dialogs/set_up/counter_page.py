"""A counter's form with its test and its saving, for the wizard. It writes nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Environment
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.answers import Answers
from pos_app.ui.dialogs.parts.lines import button_row, column, heading
from pos_app.ui.dialogs.set_up.connection_test import ConnectionTest, TestConnection
from pos_app.ui.dialogs.set_up.counter_form import COUNTER_FIELDS, CounterForm
from pos_app.ui.dialogs.set_up.form import SECRET_FIELDS, FieldProblem, SetUp
from pos_app.ui.theme.tokens import S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label

Save = Callable[[SetUp, Callable[[tuple[FieldProblem, ...]], None]], None]
"""Writes settings and secrets off the window's thread, then gives the problems once, on any thread: () when
all is stored. A problem of no field ("") is shown below the form. Empty secrets mean the stored ones."""


FIELDS = (*COUNTER_FIELDS, *SECRET_FIELDS)


class CounterPage(QWidget):
    """`left` is the way back; `saved(SetUp)` comes when everything is stored."""

    left = Signal()
    saved = Signal(object)

    def __init__(self, test: TestConnection, save: Save) -> None:
        super().__init__()
        self.setObjectName("counter_page")
        self._write = save
        self._saving: SetUp | None = None
        self._answers = Answers(self)
        self._answers.came.connect(self._finish)
        self.form = CounterForm(FIELDS, Environment.LIVE, secrets_needed=True)
        self.test = ConnectionTest(test)
        self.hint = Label(words.SECRETS_HINT, "second", "muted", wrap=True)
        self.outcome = Label("", "body", "bad", wrap=True, name="save_outcome")
        self.outcome.hide()
        self.back = Button(words.BACK, name="back", kind="quiet")
        self.save = Button(words.NEXT, name="save", kind="primary")
        buttons = button_row(self.save, way_back=self.back)
        column(
            self,
            heading(words.COUNTER_TITLE, "counter_title"),
            self.form,
            self.hint,
            self.test,
            self.outcome,
            buttons,
            spacing=S4,
        )
        self.setFocusProxy(self.form.part(FIELDS[0]))
        self.form.changed.connect(self._was_changed)
        self.test.wanted.connect(self._test)
        self.save.clicked.connect(self._try_to_save)
        self.back.clicked.connect(self.left)

    def _was_changed(self) -> None:
        self.test.forget()
        self.outcome.hide()

    def _test(self) -> None:
        counter = self.form.typed()
        if counter is not None:
            self.test.run(counter)

    def _try_to_save(self) -> None:
        counter = self.form.typed()
        if counter is None or self._saving is not None:
            return
        self._saving = counter
        self.save.setEnabled(False)
        self.outcome.hide()
        self._write(counter, self._answers.next())

    @Slot(object)
    def _finish(self, answer: object) -> None:
        counter, self._saving = self._saving, None
        self.save.setEnabled(True)
        problems = answer if isinstance(answer, tuple) else (FieldProblem("", words.NOT_SAVED),)
        if not problems:
            self.form.forget_secrets()
            self.saved.emit(counter)
            return
        self.form.show_problems(problems)
        self.outcome.set_tone("bad")
        general = [problem.text for problem in problems if not self.form.has(problem.field)]
        self.outcome.setText(" ".join(general))
        self.outcome.setVisible(bool(general))
