"""A second person's leave: a manager proves to be there by their passcode, and one thing is done in their name.

Nothing of the command is done before the passcode was right and the approval is durable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec.structs import replace

from pos_app.domain.commands import GiveNote, WithdrawNote
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.record import Record
from pos_app.domain.refund import subject_of
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approvable, Approve, Permit
from pos_app.domain.text import typed_text
from pos_app.domain.views import Published, StaffAnswered, StaffProblem
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.authorizer import Allowed, Authorizer, Refused, act_of, is_anothers
from pos_app.engine.staff.refusals import APPROVAL_REFUSED, Refusals

APPROVED = "APPROVED"


class Verdict(msgspec.Struct, frozen=True):
    """What came of a passcode. Without a problem it was right."""

    problem: PasscodeProblem = PasscodeProblem.NONE
    tries_left: int | None = None
    wait_ms: int = 0


class ChecksPasscodes(Protocol):
    """Who looks at passcodes and counts them. `then` is called once, on the engine's thread, at once or later."""

    def check_passcode(self, person: Person, passcode: Secret, then: Callable[[Verdict], None]) -> None: ...


class _Asked(msgspec.Struct, frozen=True):
    """An approval whose passcode is being looked at. `cashier`: for whom, "" where nobody need sign in."""

    approve: Approve
    act: Act | None
    cashier: str

    @property
    def act_name(self) -> str:
        return self.act.value if self.act is not None else "none"


class Approvals:
    """Owns the one approval under way. `carry_out` does what the authorizer allowed, once its record is durable."""

    def __init__(
        self,
        authorizer: Authorizer,
        authentication: ChecksPasscodes,
        live_payments: LivePayments,
        refusals: Refusals,
        publish: Callable[[Published], None],
        carry_out: Callable[[Allowed, Record], StaffAnswered],
    ) -> None:
        self._authorizer = authorizer
        self._authentication = authentication
        self._live_payments = live_payments
        self._refusals = refusals
        self._publish = publish
        self._carry_out = carry_out
        self._asked: _Asked | None = None

    def ask(self, approve: Approve) -> None:
        """Has the passcode looked at, if nothing else stands in the way; no wrong command costs a try."""
        cashier = self._authorizer.present
        asked = _Asked(approve, act_of(approve.command), cashier.person_id if cashier else "")
        problem = self._authorizer.absent() or _wrong_from_the_start(asked)
        if problem:
            self._refuse(asked, problem)
        elif not _reason(approve):
            self._answer(asked, StaffProblem.NO_REASON)
        elif self._asked is not None:
            self._answer(asked, passcode=PasscodeProblem.BUSY)
        else:
            self._ask_the_manager(asked)

    def _ask_the_manager(self, asked: _Asked) -> None:
        manager = self._authorizer.on_list(asked.approve.manager_id)
        if manager is None or not manager.enabled:
            self._refuse_passcode(asked, Verdict(PasscodeProblem.UNKNOWN_PERSON))
        elif not manager.is_manager:
            self._refuse_passcode(asked, Verdict(PasscodeProblem.NOT_A_MANAGER))
        else:
            judged = self._authorizer.judge_for(_with_reason(asked.approve), manager)
            if isinstance(judged, Refused):
                self._refuse(asked, judged.problem)
                return
            self._asked = asked
            self._authentication.check_passcode(manager, asked.approve.passcode, self._checked)

    def _checked(self, verdict: Verdict) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if verdict.problem:
            self._refuse_passcode(asked, verdict)
            return
        cashier = self._authorizer.present
        manager = self._authorizer.on_list(asked.approve.manager_id)
        if asked.cashier and (cashier is None or cashier.person_id != asked.cashier):
            # They left, or the till was locked or switched, while the passcode was looked at.
            self._refuse(asked, self._authorizer.absent() or StaffProblem.NOT_SIGNED_IN)
        elif manager is None:
            self._refuse_passcode(asked, Verdict(PasscodeProblem.UNKNOWN_PERSON))
        else:
            self._judge_again(asked, manager)

    def _judge_again(self, asked: _Asked, manager: Person) -> None:
        allowed = self._authorizer.judge_for(_with_reason(asked.approve), manager)
        if isinstance(allowed, Refused):
            self._refuse(asked, allowed.problem)
            return
        if hasattr(allowed.command, "beside"):
            # Two people have seen to it: who stood there is written down with who signed.
            allowed = replace(allowed, command=replace(allowed.command, beside=asked.cashier))
        answer = self._carry_out(allowed, self._approved(asked, manager))
        self._publish(msgspec.structs.replace(answer, request_id=asked.approve.request_id))

    def _approved(self, asked: _Asked, manager: Person) -> Record:
        content = {
            "act": asked.act_name,
            "for": asked.cashier or TERMINAL,
            "name": manager.name,
            "reason": _reason(asked.approve),
            "request_id": asked.approve.request_id,
        }
        return self._live_payments.record(APPROVED, _about(asked.approve), manager.person_id, content=content)

    def _refuse(self, asked: _Asked, problem: StaffProblem) -> None:
        self._note(asked, problem.value)
        self._answer(asked, problem)

    def _refuse_passcode(self, asked: _Asked, verdict: Verdict) -> None:
        self._note(asked, verdict.problem.value)
        self._answer(asked, StaffProblem.NONE, verdict.problem, verdict.tries_left, verdict.wait_ms)

    def _note(self, asked: _Asked, problem: str) -> None:
        content = {"problem": problem, "manager": asked.approve.manager_id}
        actor = asked.cashier or TERMINAL
        self._refusals.note(APPROVAL_REFUSED, TERMINAL, actor, asked.act_name, content)

    def _answer(
        self,
        asked: _Asked,
        problem: StaffProblem = StaffProblem.NONE,
        passcode: PasscodeProblem = PasscodeProblem.NONE,
        tries_left: int | None = None,
        wait_ms: int = 0,
    ) -> None:
        self._publish(
            StaffAnswered(
                request_id=asked.approve.request_id,
                problem=problem,
                passcode=passcode.value,
                tries_left=tries_left,
                wait_s=wait_ms / 1000 if wait_ms else None,
            )
        )


def _wrong_from_the_start(asked: _Asked) -> StaffProblem:
    command: object = asked.approve.command
    if not isinstance(command, Approvable):
        return StaffProblem.NOT_ALLOWED
    return StaffProblem.NOT_SIGNED_IN if is_anothers(command, asked.cashier) else StaffProblem.NONE


def _about(approve: Approve) -> str:
    """The payment or sale it is about."""
    command = approve.command
    note = getattr(command, "number", 0) if isinstance(command, GiveNote | WithdrawNote) else 0
    of_it = subject_of(note) if note else ""
    return getattr(command, "attempt_id", "") or getattr(command, "sale_id", "") or of_it or TERMINAL


def _reason(approve: Approve) -> str:
    """As it is kept; none where the passcode was typed into it, which would be kept with it."""
    passcode = approve.passcode.reveal()
    return "" if passcode and passcode in approve.reason else typed_text(approve.reason)


def _with_reason(approve: Approve) -> Approvable:
    """The command; leave that was asked for without a reason has the approval's."""
    command = approve.command
    if isinstance(command, Permit) and not command.reason.strip():
        return msgspec.structs.replace(command, reason=approve.reason)
    return command
