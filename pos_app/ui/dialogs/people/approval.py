"""A second person allows one thing: which manager, why, their passcode. It checks nothing and posts nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.people import Person
from pos_app.domain.secret import Secret
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.i18n.words.approval import words
from pos_app.i18n.words.people import words as people_words
from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.dialogs.parts.lines import (
    LeftByEsc,
    button_row,
    column,
    focus,
    heading,
    stands_with_fields,
    tab_through,
)
from pos_app.ui.dialogs.people.reason_field import ReasonField
from pos_app.ui.dialogs.sign_in.passcode_entry import PasscodeEntry
from pos_app.ui.dialogs.sign_in.steps import PasscodePicture, may_be_passcode, problem_picture
from pos_app.ui.theme.tokens import S3, S6
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel


class ApprovalPanel(LeftByEsc):
    """`submitted(manager_id, Secret, reason)`, `left` when it is given up; `answer` shows why it was not allowed.

    `asked`: what would be done, and what else there is to it, each on a line. `reason`: the `cashier`, who stays signed
    in, has given it already. It is shown and not asked again: it is recorded as that of whoever allows it.
    """

    submitted = Signal(str, object, str)

    def __init__(
        self,
        asked: tuple[str, tuple[str, ...]],
        people: Sequence[Person],
        reasons: tuple[str, ...],
        *,
        cashier: str = "",
        reason: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("approval")
        self.setAccessibleName(words.TITLE)
        what, lines = asked
        self._given = reason
        self._managers = {each.person_id: each for each in approvers(people)}
        options = [(each.person_id, _option(each)) for each in self._managers.values()]
        self.manager = Choice(words.MANAGER, "approval_manager", options)
        self.reason = ReasonField("approval_reason", reasons, parent=self)
        self.reason.setVisible(not reason)
        self.problem = SaidLabel("", "body", "bad", wrap=True, name="approval_problem")
        self.problem.hide()
        self.nobody = Label(words.NO_MANAGER, "body", "warn", wrap=True, name="approval_nobody")
        self.passcode = PasscodeEntry(by_sms=False)
        self.back = Button(words.GO_BACK, name="approval_back", keycap="Esc")
        self.what = Label(what, "strong", wrap=True, name="approval_what")
        self.lines = [
            Label(line, "body", wrap=True, name=f"approval_line_{at}") for at, line in enumerate(lines)
        ]
        said = words.GIVEN.format(name=cashier, reason=clean(reason)) if reason else ""
        self.given = Label(said, "body", wrap=True, name="approval_given")
        if not reason:
            self.given.hide()
        self._lay_out(Label(_hint(cashier, reason), "body", "muted", wrap=True, name="approval_hint"))
        self._connect()
        self.passcode.ask("", words.ALLOW)
        self.passcode.text.hide()
        self._offer()

    def _lay_out(self, hint: Label) -> None:
        left = QVBoxLayout()
        left.setSpacing(S3)
        for part in (
            self.what,
            *self.lines,
            self.given,
            hint,
            self.nobody,
            self.manager,
            self.reason,
        ):
            left.addWidget(stands_with_fields(part))
        left.addStretch(1)
        left.addWidget(button_row(way_back=self.back))
        sides = QWidget()
        row = QHBoxLayout(sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S6)
        row.addLayout(left, 1)
        row.addWidget(self.passcode, 1, Qt.AlignmentFlag.AlignTop)
        # Why it was not done is beside the passcode's field: at the end of the texts it would be under the buttons.
        column(self, heading(words.TITLE, "approval_title"), self.problem, sides, spacing=S3)
        secret = self.passcode
        tab_through(self.manager.box, self.reason.edit, secret.field.edit, secret.open, self.back)

    def _connect(self) -> None:
        self.manager.edited.connect(self._another_manager)
        self.reason.entered.connect(self._go_to_the_passcode)
        self.passcode.submitted.connect(self._submit)
        self.back.clicked.connect(self.left)

    def answer(self, answered: StaffAnswered) -> None:
        """Why it was not done; the passcode is typed again, all else keeps its text."""
        self.problem.hide()
        if answered.passcode:
            shown = problem_picture(answered.passcode, answered.tries_left, answered.wait_s)
            self.passcode.show_picture(shown)
            self.passcode.text.hide()
            if not shown.has_field:
                focus(self.manager.box if len(self._managers) > 1 else self.back)
            return
        self.passcode.show_picture(PasscodePicture())
        self.passcode.text.hide()
        if answered.problem is StaffProblem.NO_REASON and not self._given:
            self.reason.show_missing()
        elif answered.problem:
            self.problem.setText(people_words.problem(answered.problem, reason=words.EXAMPLE))
            self.problem.show()

    def _offer(self) -> None:
        able = [each for each in self._managers.values() if _is_able(each)]
        for part in (self.manager, self.passcode):
            part.setVisible(bool(able))
        self.reason.setVisible(bool(able) and not self._given)
        self.nobody.setVisible(not able)
        if not able:
            self.setFocusProxy(self.back)
            return
        self.manager.set_text(able[0].person_id)
        if len(self._managers) > 1:
            self.setFocusProxy(self.manager.box)
        else:
            self.setFocusProxy(self.passcode.field.edit if self._given else self.reason.edit)

    def _another_manager(self) -> None:
        self.problem.hide()
        self.passcode.clear()
        self.passcode.text.hide()
        focus(self.passcode.field.edit if self._given or self.reason.text() else self.reason.edit)

    def _go_to_the_passcode(self) -> None:
        """Enter in the reason. A passcode that was typed there, where all can read it, goes where it belongs."""
        typed = self.reason.text().strip()
        if not may_be_passcode(typed):
            focus(self.passcode.field.edit)
            return
        self.passcode.field.set_text(typed)
        self.reason.set_text("")
        self.reason.show_missing()

    def _submit(self, passcode: Secret) -> None:
        reason = self._given or self.reason.text().strip()
        if not self._given and (passcode.reveal() in reason or not self.reason.checked()):
            # Not sent, so not lost: what was typed is there again.
            self.passcode.show_picture(PasscodePicture())
            self.passcode.field.set_text(passcode.reveal())
            if passcode.reveal() in reason or may_be_passcode(reason):
                self.reason.set_text("")
            self.reason.show_missing()
            self.passcode.text.hide()
            return
        self.passcode.text.hide()
        self.submitted.emit(self.manager.text(), passcode, reason)


def approvers(people: Sequence[Person]) -> list[Person]:
    """The managers who may allow something, those whose passcode works first."""
    managers = [each for each in people if each.may_manage]
    return sorted(managers, key=lambda each: not _is_able(each))


def _hint(cashier: str, reason: str) -> str:
    if not cashier:
        return words.HINT_NOBODY
    return (words.HINT_GIVEN if reason else words.HINT).format(name=cashier)


def _is_able(manager: Person) -> bool:
    return manager.passcode_set and not manager.passcode_dead


def _option(manager: Person) -> str:
    if manager.passcode_dead:
        return words.DEAD.format(name=manager.name)
    return manager.name if manager.passcode_set else words.NO_PASSCODE.format(name=manager.name)
