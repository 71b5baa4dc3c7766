"""Commands that not everybody may have: posted, or shown to a manager first. The engine judges; this only asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import ReadX
from pos_app.domain.people import LONGEST_NAME, TERMINAL
from pos_app.domain.rights import Act, Grant
from pos_app.domain.staff import Approvable, Approve, Permit
from pos_app.domain.views import CommandRefused, StaffAnswered, StaffProblem, Terminal
from pos_app.i18n.words.approval import words
from pos_app.ui.post import About, Then, name_request, needs_manager
from pos_app.ui.till.window.approval_text import ApprovalText, reason_of
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.domain.secret import Secret
    from pos_app.ui.dialogs.people.approval import ApprovalPanel
    from pos_app.ui.dialogs.people.staff_question import StaffQuestion

_WIDE = 860


class _Pending(msgspec.Struct, frozen=True):
    """A command under way: its panel, if one is open, and what is done once it is allowed."""

    request_id: str
    command: Approvable
    then: Then | None
    panel: QWidget | None = None


class _Asked(NamedTuple):
    """A wish that is put to a manager; `more`: what whoever wishes would have been told."""

    command: Approvable
    act: Act
    about: About
    then: Then | None
    more: str = ""


class ApprovalRequests(QObject):
    """`want` any command: what the person at the till may not have alone is put to a manager, who types a passcode.

    One approval at a time, the next behind it; they go when somebody else is at the till, or it is locked.
    """

    def __init__(self, context: TillContext, overlay: OverlayHost) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._text = ApprovalText(self._config, self._till_state)
        self._who = TERMINAL
        self._last: tuple[Approvable, About] | None = None
        self._approval: ApprovalPanel | None = None
        self._asked: list[_Asked] = []
        """What a manager is asked about now, and what after it."""
        self._question: StaffQuestion | None = None
        self._pending: dict[str, _Pending] = {}

    def needs_manager(self, act: Act, owner: str = TERMINAL) -> bool:
        """Whether whoever is at the till cannot do it alone; where nobody signs in, nobody is asked."""
        opened = act is Act.CLOSE_DAY and self._config.cashier_may_close
        return not opened and needs_manager(self._till_state.person, act, owner)

    def want(self, command: Approvable, about: About = None, then: Then | None = None) -> bool:
        """Post it, or ask a manager; whether it was posted. `then`: once a manager allowed it, or a Permit is given."""
        act = _act_of(command)
        owner = TERMINAL if about is None else about.owner
        if isinstance(command, ReadX):
            owner = command.whose
        if self.needs_manager(act, owner):
            self._ask_manager(command, act, about, then)
            return False
        self._last = (command, about)
        if isinstance(command, Permit):
            self._pending[command.request_id] = _Pending(command.request_id, command, then)
        self._post(command)
        return True

    def ask_manager(self, command: Approvable, about: About = None) -> None:
        """The engine has refused it to whoever is at the till: the same command is put to a manager."""
        if self._till_state.person is not None:
            self._ask_manager(command, _act_of(command), about, None)

    def permit(
        self,
        act: Act,
        question: tuple[str, str, str],
        then: Then,
        *,
        about: About = None,
        content: dict[str, str] | None = None,
    ) -> None:
        """Leave for something outside the engine. `question`: title, what it means, and the button of yes.

        `content`: what is written down of it.
        """
        aim = about.attempt_id if isinstance(about, Attempt) else ""
        command = Permit(request_id=name_request(), act=act, reason="", about=aim, content=content or {})
        if self.needs_manager(act):
            self._ask_manager(command, act, about, then, question[1])
        else:
            self._ask_why(command, question, then)

    def take_terminal(self, terminal: Terminal) -> None:
        """Half an approval is not left to whoever comes next."""
        who = self._till_state.who
        if who != self._who or terminal.locked:
            self._who = who
            self._last = None
            self.stop()

    def take_answer(self, answered: StaffAnswered) -> None:
        """What became of a command of ours; others' are left to them."""
        pending = self._pending.pop(answered.request_id, None)
        if pending is None:
            return
        if answered.problem or answered.passcode:
            self._say_why_not(pending, answered)
            return
        if pending.panel is not None:
            self._overlay.close_panel(pending.panel)
        if pending.then is not None:
            pending.then(answered)

    def take_refused(self, refused: CommandRefused) -> None:
        """The engine knew better than the button: the same command is put to a manager."""
        last, self._last = self._last, None
        if last is None or refused.problem is not StaffProblem.NOT_ALLOWED or self._till_state.person is None:
            return
        command, about = last
        is_it = getattr(command, "attempt_id", getattr(command, "sale_id", "")) == refused.attempt_id
        if is_it and refused.needs in (Grant.OWNER, Grant.MANAGER):
            self._ask_manager(command, refused.act, about, None)

    def stop(self) -> None:
        """What is asked just now is given up."""
        self._asked.clear()
        for panel in (self._approval, self._question):
            if panel is not None:
                self._overlay.close_panel(panel)

    def _ask_manager(
        self, command: Approvable, act: Act, about: About, then: Then | None, more: str = ""
    ) -> None:
        if any(_nameless(each.command) == _nameless(command) for each in self._asked):
            return
        self._asked.append(_Asked(command, act, about, then, more))
        if self._approval is None:
            self._open_approval(self._asked[0])

    def _open_approval(self, asked: _Asked) -> None:
        from pos_app.ui.dialogs.people.approval import ApprovalPanel

        command, act, about, then, more = asked
        person = self._till_state.person
        panel = ApprovalPanel(
            self._text.of(command, act, about, more),
            self._till_state.terminal.people,
            words.reasons(act),
            cashier=clean(person.name, LONGEST_NAME) if person is not None else "",
            reason=reason_of(command),
        )
        self._approval = panel

        def submitted(manager_id: str, passcode: Secret, reason: str) -> None:
            wanted = (
                msgspec.structs.replace(command, reason=reason) if isinstance(command, Permit) else command
            )
            request_id = command.request_id if isinstance(command, Permit) else name_request()
            self._pending[request_id] = _Pending(request_id, command, then, panel)
            self._post(
                Approve(
                    request_id=request_id,
                    command=wanted,
                    manager_id=manager_id,
                    passcode=passcode,
                    reason=reason,
                )
            )

        panel.submitted.connect(submitted)
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_WIDE, on_close=self._approval_closed)

    def _ask_why(self, command: Permit, question: tuple[str, str, str], then: Then) -> None:
        if self._question is not None:
            return
        from pos_app.ui.dialogs.people.staff_question import QuestionText, StaffQuestion

        title, more, yes = question
        panel = StaffQuestion(QuestionText(title, more, yes, words.reasons(command.act)), name="permit")
        self._question = panel

        def asked(values: dict[str, str]) -> None:
            self._pending[command.request_id] = _Pending(command.request_id, command, then, panel)
            self._post(msgspec.structs.replace(command, reason=values["reason"]))

        panel.asked.connect(asked)
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, on_close=self._question_closed)

    def _say_why_not(self, pending: _Pending, answered: StaffAnswered) -> None:
        if self._approval is not None and pending.panel is self._approval:
            self._approval.answer(answered)
        elif self._question is not None and pending.panel is self._question:
            self._question.answer(answered)

    def _approval_closed(self) -> None:
        self._approval = None
        self._forget_panels()
        del self._asked[:1]
        if not self._till_state.is_attended:
            self._asked.clear()
        elif self._asked:
            self._open_approval(self._asked[0])

    def _question_closed(self) -> None:
        self._question = None
        self._forget_panels()

    def _forget_panels(self) -> None:
        """An answer that comes after its panel was closed on purpose does nothing."""
        open_ = (self._approval, self._question)
        self._pending = {
            key: each for key, each in self._pending.items() if each.panel is None or each.panel in open_
        }


def _nameless(command: Approvable) -> Approvable:
    """The wish itself: pressed twice it is one."""
    return msgspec.structs.replace(command, request_id="") if hasattr(command, "request_id") else command


def _act_of(command: Approvable) -> Act:
    from pos_app.engine.staff.authorizer import act_of

    act = act_of(command)
    if act is None:
        raise ValueError("whatever may be approved needs a right")
    return act
