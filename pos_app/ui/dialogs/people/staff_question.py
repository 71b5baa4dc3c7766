"""One act that is recorded with a name and a reason: what it means, its fields, why. It posts nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import Signal

from pos_app.domain.text import one_line
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.i18n.words.people import words
from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.dialogs.parts.lines import LeftByEsc, button_row, column, focus, heading
from pos_app.ui.dialogs.people.reason_field import ReasonField
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.label import Label

Parts = Mapping[str, Field | Choice]
Check = Callable[[str, str], str]
"""What is wrong with a field's text, in words; "" when nothing."""

_FIELD_OF = {
    StaffProblem.BAD_NAME: "name",
    StaffProblem.NAME_TAKEN: "name",
    StaffProblem.BAD_NUMBER: "number",
    StaffProblem.NUMBER_TAKEN: "number",
}


def nothing_wrong(_field: str, _text: str) -> str:
    """Left to the engine."""
    return ""


class QuestionText(NamedTuple):
    """What is asked: its title, what it means, the button that does it, and the usual reasons."""

    title: str
    more: str
    do: str
    reasons: tuple[str, ...]


class QuestionForm(NamedTuple):
    """The fields of a question, and what is looked at before it is asked. `number_example`: one of the country."""

    parts: Parts | None = None
    check: Check = nothing_wrong
    number_example: str = ""


NO_FIELDS = QuestionForm()
"""A reason alone."""


class StaffQuestion(LeftByEsc):
    """`asked(values)`: a dict of the fields' texts and the "reason"; `left` when it is given up.

    `answer` shows what became of it. While it is under way nothing can be pressed twice.
    """

    asked = Signal(object)

    def __init__(
        self,
        said: QuestionText,
        form: QuestionForm = NO_FIELDS,
        *,
        danger: bool = False,
        name: str = "staff_question",
    ) -> None:
        super().__init__()
        title, more, do, reasons = said
        self.setObjectName(name)
        self.setAccessibleName(clean(title, DETAILS_LIMIT))
        self.parts = dict(form.parts or {})
        self._check = form.check
        self._number_example = form.number_example
        self._do = do
        self._reason_example = reasons[0] if reasons else ""
        self.reason = ReasonField(f"{name}_reason", reasons, label=words.REASON_FIELD)
        self.problem = Label("", "body", "bad", wrap=True, name=f"{name}_problem")
        self.problem.hide()
        self.back = Button(words.BACK, name=f"{name}_back", keycap="Esc")
        self.do = Button(do, name=f"{name}_do", kind="danger" if danger else "primary")
        text = Label(more, "body", "muted", wrap=True, name=f"{name}_more")
        # Above the fields: below them it would be under the buttons on a small screen.
        rows = (heading(title, f"{name}_title"), text, self.problem, *self.parts.values(), self.reason)
        column(self, *rows, button_row(self.do, way_back=self.back), spacing=S3)
        self._connect()

    def _connect(self) -> None:
        fields = [*self.parts.values(), self.reason]
        for before, after in pairwise(fields):
            if isinstance(before, Field):
                before.entered.connect(lambda to=after: focus(to.focusProxy() or to))
        self.reason.entered.connect(self.do.click)
        self.setFocusProxy(fields[0].focusProxy() or fields[0])
        self.do.clicked.connect(self._ask)
        self.back.clicked.connect(self.left)

    def answer(self, answered: StaffAnswered) -> None:
        """Why it was not done: at its field where it is about one, and the focus there."""
        self.wait(False)
        if not answered.problem:
            return
        kind = answered.problem
        said = words.problem(kind, number=self._number_example, reason=self._reason_example)
        part = self.parts.get(_FIELD_OF.get(kind, ""))
        if kind is StaffProblem.NO_REASON:
            self.reason.show_error(said)
        elif part is not None:
            part.show_error(said)
            bring_into_view(part)
        else:
            self.say(said)

    def say(self, problem: str) -> None:
        """What is wrong with the whole of it. The keyboard is at the first field, where Enter leaves nothing."""
        self.wait(False)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        focus(self.focusProxy() or self.back)

    def wait(self, waits: bool) -> None:
        """Whether it is under way."""
        self.problem.hide()
        self.do.setEnabled(not waits)
        self.do.setText(words.WORKING if waits else self._do)

    def _ask(self) -> None:
        # Pasted out of a text that runs the other way: its marks are no part of a name or a number.
        values = {name: one_line(part.text()) for name, part in self.parts.items()}
        wrong = {name: said for name, text in values.items() if (said := self._check(name, text))}
        reason = self.reason.checked()
        # All that is wrong at once; the first has the focus.
        for name in reversed(wrong):
            self.parts[name].show_error(wrong[name])
            bring_into_view(self.parts[name])
        if reason and not wrong:
            self.wait(True)
            self.asked.emit(values | {"reason": reason})
