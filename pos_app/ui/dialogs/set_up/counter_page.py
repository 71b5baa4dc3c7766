"""The wizard's page of a counter: its fields, three beside each other, its test and its saving. It writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.answers import Answers
from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.dialogs.parts.lines import button_row, column, heading
from pos_app.ui.dialogs.set_up.connection_test import ConnectionTest, TestConnection
from pos_app.ui.dialogs.set_up.countries import countries, currencies, currency_of
from pos_app.ui.dialogs.set_up.form import SECRET_FIELDS, Check, FieldProblem, SetUp
from pos_app.ui.theme.tokens import S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, SecretField, for_example
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel
from pos_app.ui.widgets.touched_fields import Takes

COUNTER_FIELDS = ("shop_name", "counter_id", "merchant_pg_identifier", "base_url", "country", "currency")
FIELDS = (*COUNTER_FIELDS, *SECRET_FIELDS)
_COLUMNS = 3
_EXAMPLES = {
    "shop_name": "Corner Shop",
    "counter_id": "1",
    "merchant_pg_identifier": "M-0001",
    "base_url": "https://pay.example.com",
}

Part = Field | Choice


class CounterForm(QWidget):
    """`typed()` is the counter, or None after each problem has been shown at its field."""

    changed = Signal()

    def __init__(self, check: Check) -> None:
        super().__init__()
        self.setObjectName("counter_form")
        self._check = check
        self._parts = {name: _part(name) for name in FIELDS}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S4)
        for across in range(_COLUMNS):
            grid.setColumnStretch(across, 1)
        for at, part in enumerate(self._parts.values()):
            grid.addWidget(part, at // _COLUMNS, at % _COLUMNS)
            part.edited.connect(lambda _text: self.changed.emit())
        country = self._parts["country"]
        country.edited.connect(self._take_its_currency)

    def fill(self, texts: Mapping[str, str]) -> None:
        """What is known of the counter, by field."""
        for name, text in texts.items():
            self._parts[name].set_text(text)

    def texts(self) -> dict[str, str]:
        """What stands in its fields, good or not."""
        return {name: part.text() for name, part in self._parts.items()}

    def part(self, name: str) -> Part:
        """A field by its name in the settings file."""
        return self._parts[name]

    def has(self, name: str) -> bool:
        """Whether this form has the field."""
        return name in self._parts

    def typed(self) -> SetUp | None:
        """The counter; else every problem stands at its field and the first has the focus."""
        result = self._check(self.texts())
        if isinstance(result, SetUp):
            return result
        self.show_problems(result)
        return None

    def show_problems(self, problems: Sequence[FieldProblem]) -> None:
        """Each at its field; texts stay. A problem of no field here is left to whoever asked."""
        for part in self._parts.values():
            part.clear_error()
        here = [problem for problem in problems if problem.field in self._parts]
        for problem in reversed(here):
            self._parts[problem.field].show_error(problem.text)
        if here:
            bring_into_view(self._parts[here[0].field])

    def forget_secrets(self) -> None:
        """They are stored now: nothing of them stays in a field."""
        for name in SECRET_FIELDS:
            self._parts[name].set_text("")

    def _take_its_currency(self, country: str) -> None:
        self._parts["currency"].set_text(currency_of(country))


def _part(name: str) -> Part:
    label = words.LABEL[name]
    match name:
        case "country":
            choice = Choice(label, name, countries())
        case "currency":
            choice = Choice(label, name, currencies())
        case _:
            example = for_example(_EXAMPLES.get(name, ""))
            if name in SECRET_FIELDS:
                return SecretField(label, name, example=example, has_eye=True)
            takes = {"shop_name": Takes.TEXT, "counter_id": Takes.FIGURES}.get(name, Takes.LATIN)
            return Field(label, name, example=example, takes=takes)
    choice.set_text("")
    return choice


Save = Callable[[SetUp, Callable[[tuple[FieldProblem, ...]], None]], None]
"""Writes settings and secrets off the window's thread, then gives the problems once, on any thread: () when
all is stored. A problem of no field ("") is shown below the form."""


class CounterPage(QWidget):
    """`left` is the way back; `saved(SetUp)` comes when everything is stored."""

    left = Signal()
    saved = Signal(object)

    def __init__(self, check: Check, test: TestConnection, save: Save) -> None:
        super().__init__()
        self.setObjectName("counter_page")
        self._write = save
        self._saving: SetUp | None = None
        self._answers = Answers(self)
        self._answers.came.connect(self._finish)
        self.form = CounterForm(check)
        self.test = ConnectionTest(test)
        self.hint = Label(words.SECRETS_HINT, "second", "muted", wrap=True)
        self.outcome = SaidLabel("", "body", "bad", wrap=True, name="save_outcome")
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
        self._let_go_on(is_saving=True)
        self.outcome.hide()
        self._write(counter, self._answers.next())

    def _let_go_on(self, *, is_saving: bool) -> None:
        """Whoever went back meanwhile could begin something else beside what is being stored and opened."""
        for button in (self.save, self.back):
            button.setEnabled(not is_saving)

    @Slot(object)
    def _finish(self, answer: object) -> None:
        counter, self._saving = self._saving, None
        self._let_go_on(is_saving=False)
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
