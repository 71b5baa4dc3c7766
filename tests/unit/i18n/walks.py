"""Ways to the panels that open over the till: each leads a window there as a person does. Judges nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.views import SignIn, SignInStep, StaffLine, StaffLog
from pos_app.ui.dialogs.people.acts import ACTS
from tests.support.published import attempt, change, recent
from tests.support.stage import Stage
from tests.unit.ui.lock_cases import BOSS, OTHER, OWN, at, locked

Walk = Callable[[Stage], None]
KEY = Qt.Key


def _manager(on: Stage) -> None:
    on.receive(at(BOSS))
    on.press(KEY.Key_F10)


def _people(on: Stage) -> None:
    _manager(on)
    on.part("manager_people").click()


def _person(on: Stage) -> None:
    _people(on)
    on.part("staff").picked.emit(OWN.person_id)


def _act(key: str) -> Walk:
    def walk(on: Stage) -> None:
        _person(on)
        on.settle()
        on.part(f"person_{key}").click()

    return walk


def _enrol(on: Stage) -> None:
    _people(on)
    on.part("staff_enrol").click()


def _log(on: Stage) -> None:
    _manager(on)
    on.part("manager_done").click()
    asked = on.commands(ReadStaffLog)[-1]
    line = StaffLine(
        kind="PERSON_CHANGED", wall="2025-11-21T14:07:14+05:30", who=BOSS.person_id, whom=OWN.person_id,
        content={"changes": {"role": {"from": "cashier", "to": "manager"}}},
    )  # fmt: skip
    on.receive(StaffLog(request_id=asked.request_id, lines=(line,)))


def _approval(on: Stage) -> None:
    on.receive(at(OWN))
    on.press(KEY.Key_F10)
    on.part("manager_leave").click()


def _not_paid(on: Stage) -> None:
    unknown = attempt(state=State.UNRESOLVED)
    on.receive(at(OWN, attention=(unknown,)))
    on.press(KEY.Key_F8)
    on.part(f"sign_off_{unknown.attempt_id}").click()
    on.part("settle_reason").setText("Ruwan Perera")
    on.part("settle_not_paid").click()


def _open_payments(on: Stage) -> None:
    on.receive(at(OWN, open=recent()[4:], attention=recent()[:1]))
    on.receive(change(attempt(parked=True)))
    on.press(KEY.Key_F8)


def _names(on: Stage) -> None:
    on.receive(at(None))


def _sign_in(step: SignInStep, problem: str = "", *, by_passcode: bool = False) -> Walk:
    def walk(on: Stage) -> None:
        on.receive(at(None, sessions=()))
        on.part("people").picked.emit(OWN.person_id)
        on.receive(
            SignIn(
                step=step,
                person_id=OWN.person_id,
                problem=problem,
                number_mask=OWN.number_mask,
                tries_left=3,
                resend_in_s=45,
                by_passcode=by_passcode,
            )
        )

    return walk


WALKS: dict[str, Walk] = {
    "help": lambda on: on.press(KEY.Key_F1),
    "person-menu": lambda on: on.part("person").click(),
    "manager": _manager,
    "people": _people,
    "person": _person,
    "enrol": _enrol,
    **{f"people-{act.key}": _act(act.key) for act in ACTS if act.applies(OWN)},
    "done": _log,
    "approval": _approval,
    "approval-not-paid": _not_paid,
    "open-payments": _open_payments,
    "details": lambda on: on.part("recent_1").click(),
    "found": lambda on: on.press(KEY.Key_F4),
    "names": _names,
    "code": _sign_in(SignInStep.CODE_SENT),
    "code-wrong": _sign_in(SignInStep.CODE_SENT, "wrong_code"),
    "choose-passcode": _sign_in(SignInStep.CHOOSE_PASSCODE),
    "choose-too-easy": _sign_in(SignInStep.CHOOSE_PASSCODE, "too_easy"),
    "locked": lambda on: on.receive(locked(OWN)),
    "locked-running": lambda on: on.receive(locked(OTHER, open=recent()[:2], attention=recent()[2:4])),
}
"""By name; each begins at a till with nothing open."""

SAMPLES = ("ready", "waiting-60", "waiting-push", "refused", "unresolved", "late", "twice", "lost")
"""The till's states that differ most; tests/verification/proof goes through all of them."""
