"""A manager's approval: one thing, by a passcode that counts like any try, for the cashier who stays signed in."""

from __future__ import annotations

import msgspec
import pytest

from pos_app.domain.attempt import State
from pos_app.domain.commands import Answer, Cancel, CheckNow, SignOut
from pos_app.domain.passcode import PasscodeProblem, subject_of
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approve, Lock, Permit
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.engine.connection.calls import PasscodeChecked
from pos_app.engine.staff.refusals import QUIET_MS
from tests.unit.engine.gate_deeds import DEEDS, OWNER, REASON
from tests.unit.engine.gate_standings import (
    MANAGER,
    NAMES,
    OTHER,
    PASSCODE,
    WRONG,
    Stand,
    Standing,
    approve,
    disabled,
    stand,
)
from tests.unit.engine.rig import NUMBER
from tests.unit.engine.test_gate import told

S = Standing


def beside_a_cashier(act: Act = Act.CANCEL) -> Stand:
    """Somebody who is not the owner is at the till."""
    return stand(act, S.NOT_OWNER)


def ask(on: Stand, **changed: object) -> None:
    """A cancel is to be approved; the passcode is not yet looked at."""
    asked = Approve(
        request_id="a",
        command=Cancel(on.about, OTHER),
        manager_id=MANAGER,
        passcode=PASSCODE,
        reason=REASON,
    )
    on.rig.tell(msgspec.structs.replace(asked, **changed))


def answer(on: Stand) -> StaffAnswered:
    """The last one."""
    return on.rig.last(StaffAnswered)


def test_one_thing_is_done_in_the_managers_name() -> None:
    """And the cashier is still the one at the till."""
    on = beside_a_cashier()
    ask(on, reason="  the customer\thas gone ")
    assert not told(on, "APPROVED")
    on.rig.passcode_checked()
    (approved,) = told(on, "APPROVED")
    assert (approved.subject, approved.actor) == (on.about, MANAGER)
    assert approved.content == {
        "act": "cancel",
        "for": OTHER,
        "name": NAMES[MANAGER],
        "reason": "the customer has gone",
        "request_id": "a",
    }
    assert [each.actor for each in told(on, "CANCEL")] == [MANAGER]
    assert answer(on) == StaffAnswered(request_id="a")
    assert on.rig.terminal.signed_in is not None
    assert on.rig.terminal.signed_in.person_id == OTHER
    on.rig.tell(Cancel(on.about, OTHER))
    assert len(told(on, "CANCEL")) == 1


def test_each_wrong_passcode_counts_and_the_tries_run_out() -> None:
    """As many as at the sign-in, and the same ones."""
    on = beside_a_cashier()
    for count in range(1, 11):
        ask(on, passcode=WRONG)
        on.rig.passcode_checked()
        assert answer(on).tries_left == 10 - count
        assert answer(on).passcode == (PasscodeProblem.DEAD if count == 10 else PasscodeProblem.WRONG)
        on.rig.wait(301)
    ask(on)
    assert answer(on).passcode == PasscodeProblem.DEAD
    assert "check passcode" not in on.rig.names()
    tries = [each for each in on.journal.events_of(subject_of(MANAGER)) if each.kind == "PASSCODE_TRY"]
    assert len(tries) == 10
    assert not told(on, "CANCEL")


def test_a_wait_is_told() -> None:
    """After three wrong ones."""
    on = beside_a_cashier()
    for _ in range(3):
        ask(on, passcode=WRONG)
        on.rig.passcode_checked()
    ask(on)
    assert (answer(on).passcode, answer(on).wait_s) == (PasscodeProblem.WAIT, 10)


def test_refused_approvals_do_not_flood_the_journal() -> None:
    """One of each act a minute."""
    on = beside_a_cashier()
    for _ in range(20):
        ask(on, manager_id=OWNER)
    assert answer(on).passcode == PasscodeProblem.NOT_A_MANAGER
    (refused,) = told(on, "APPROVAL_REFUSED")
    assert refused.actor == OTHER
    assert refused.content["manager"] == OWNER
    on.rig.clock.ms += QUIET_MS
    ask(on, manager_id=OWNER)
    assert told(on, "APPROVAL_REFUSED")[-1].content["not_written_before"] == 19


def test_whose_passcode_is_tried_is_written_of_each_manager() -> None:
    """Within the same minute: the second manager's stood among what was only counted."""
    on = beside_a_cashier()
    for manager in (MANAGER, OWNER):
        ask(on, manager_id=manager, passcode=WRONG)
        if manager == MANAGER:
            on.rig.passcode_checked()
    assert [each.content["manager"] for each in told(on, "APPROVAL_REFUSED")] == [MANAGER, OWNER]


def test_no_try_is_spent_on_what_cannot_be_approved_anyway() -> None:
    """A payment nobody knows, no reason, somebody else's tap, no manager."""
    on = beside_a_cashier()
    ask(on, command=Cancel("SBX-no-such", OTHER))
    assert answer(on).problem is StaffProblem.UNKNOWN_PAYMENT
    ask(on, reason=" ")
    assert answer(on).problem is StaffProblem.NO_REASON
    ask(on, command=Cancel(on.about, OWNER))
    assert answer(on).problem is StaffProblem.NOT_SIGNED_IN
    ask(on, manager_id="person-9")
    assert answer(on).passcode == PasscodeProblem.UNKNOWN_PERSON
    disabled(on.rig, MANAGER)
    ask(on)
    assert answer(on).passcode == PasscodeProblem.UNKNOWN_PERSON
    assert not on.journal.events_of(subject_of(MANAGER))[1:]


def test_a_sign_off_is_of_what_the_manager_was_asked_about() -> None:
    """The line is back while the passcode is looked at: the money came, of another amount."""
    on = beside_a_cashier(Act.SIGN_OFF)
    before = on.rig.attempt(on.about)
    word = Answer(on.about, "not_paid", "", REASON, OTHER, seen=(before.state, before.reason))
    ask(on, command=word)
    on.rig.tell(CheckNow(on.about, OTHER))
    report = on.rig.report(on.about, "Payment Success")
    on.rig.asked(msgspec.structs.replace(report, amount=before.amount + 1), on.about)
    now = on.rig.attempt(on.about)
    assert (before.state, now.state) == (State.UNRESOLVED, State.DISPUTED)
    on.rig.passcode_checked()
    assert answer(on).problem is StaffProblem.PAYMENT_CHANGED
    assert on.rig.attempt(on.about).state is State.DISPUTED
    assert not told(on, "APPROVED")
    ask(on, command=msgspec.structs.replace(word, seen=(now.state, now.reason)))
    on.rig.passcode_checked()
    assert on.rig.attempt(on.about).state is State.SIGNED_OFF


def test_a_second_approval_waits_for_the_first() -> None:
    """One at a time."""
    on = beside_a_cashier()
    ask(on)
    ask(on, request_id="b")
    assert answer(on) == StaffAnswered(request_id="b", passcode=PasscodeProblem.BUSY)
    on.rig.passcode_checked()
    assert answer(on) == StaffAnswered(request_id="a")


@pytest.mark.parametrize(
    ("goes", "problem"), [(SignOut(), StaffProblem.NOT_SIGNED_IN), (Lock(), StaffProblem.LOCKED)]
)
def test_nothing_is_done_for_a_cashier_who_has_left_meanwhile(goes: object, problem: StaffProblem) -> None:
    """The passcode was right; what it was for stood at a till that is nobody's now."""
    on = beside_a_cashier()
    ask(on)
    on.rig.tell(goes)  # type: ignore[arg-type]
    on.rig.passcode_checked()
    assert answer(on).problem is problem
    assert not told(on, "CANCEL")
    assert not told(on, "APPROVED")


def test_nothing_is_done_by_a_manager_who_is_none_any_more() -> None:
    """Disabled while the passcode was looked at."""
    on = beside_a_cashier()
    ask(on)
    disabled(on.rig, MANAGER)
    on.rig.passcode_checked()
    assert answer(on).passcode == PasscodeProblem.UNKNOWN_PERSON
    assert not told(on, "CANCEL")


def test_a_passcode_that_could_not_be_looked_at_does_nothing_and_holds_nothing_up() -> None:
    """The call broke."""
    on = beside_a_cashier()
    ask(on)
    _, check, _ = on.rig.take("check passcode")
    on.rig.tell(PasscodeChecked(check, None))
    assert answer(on).passcode == PasscodeProblem.BUSY
    ask(on)
    on.rig.passcode_checked()
    assert told(on, "CANCEL")


def test_an_approval_that_cannot_be_written_does_nothing() -> None:
    """Neither before the passcode is looked at nor after."""
    on = beside_a_cashier()
    ask(on)
    on.journal.full = True
    on.rig.passcode_checked()
    assert answer(on).passcode == PasscodeProblem.CANNOT_RECORD
    ask(on)
    assert answer(on).passcode == PasscodeProblem.CANNOT_RECORD
    assert not on.rig.attempt(on.about).cancel_wish
    assert "cancel" not in on.rig.names()


@pytest.mark.parametrize("reason", [PASSCODE.reveal(), f"gone, {PASSCODE.reveal()}"])
def test_a_reason_that_holds_the_passcode_is_none(reason: str) -> None:
    """It would stand in what was done for as long as there is a record; and no try is made of it."""
    on = beside_a_cashier()
    ask(on, reason=reason)
    assert answer(on).problem is StaffProblem.NO_REASON
    assert "check passcode" not in on.rig.names()
    assert not told(on, "APPROVED")


def test_a_number_is_shown_beside_a_cashier_with_the_approvals_reason() -> None:
    """Both are written in one transaction before."""
    on = beside_a_cashier(Act.UNMASK_NUMBER)
    approve(
        on.rig,
        Permit(request_id="inner", act=Act.UNMASK_NUMBER, reason="", about=on.about),
        MANAGER,
        PASSCODE,
    )
    assert answer(on) == StaffAnswered(request_id="r", shown=NUMBER)
    approved, unmasked = on.journal.records[-2:]
    assert (approved.kind, unmasked.kind) == ("APPROVED", "NUMBER_UNMASKED")
    assert unmasked.content["reason"] == REASON
    assert unmasked.actor == MANAGER


def test_a_manager_at_the_till_may_approve_too() -> None:
    """It is what they could do alone."""
    on = stand(Act.CANCEL, S.MANAGER)
    approve(on.rig, Cancel(on.about, MANAGER), MANAGER, PASSCODE)
    assert [each.actor for each in told(on, "CANCEL")] == [MANAGER]


@pytest.mark.parametrize("approved", [False, True], ids=["alone", "approved"])
@pytest.mark.parametrize(
    "act",
    [Act.SIGN_OFF, Act.REFUND, Act.SIGN_REFUND, Act.WITHDRAW_REFUND, Act.UNMASK_NUMBER, Act.DIAGNOSTICS],
)
def test_a_number_that_is_typed_into_a_reason_is_kept_nowhere(act: Act, approved: bool) -> None:
    """Its last digits tell whoever knows it which one it was."""
    on = stand(act, S.APPROVED if approved else S.MANAGER)
    before = len(on.journal.records)
    why = "promised to\t+94 77 123 4599, the brother's"
    wish = DEEDS[act].command(on.about, OTHER if approved else MANAGER)
    if hasattr(wish, "reason") and isinstance(wish.reason, str):
        wish = msgspec.structs.replace(wish, reason=why)
    on.rig.tell(
        Approve(request_id="r", command=wish, manager_id=MANAGER, passcode=PASSCODE, reason=why)
        if approved
        else wish
    )
    if approved:
        on.rig.passcode_checked()
    written = [str(msgspec.structs.replace(each, sealed=None)) for each in on.journal.records[before:]]
    assert [each for each in written if "promised to …599, the brother's" in each]
    assert not [each for each in written if "123 4599" in each]


def test_a_number_in_the_reason_for_a_change_of_people_is_not_kept() -> None:
    """Nor in that of somebody new."""
    on = stand(Act.CHANGE_PERSON, S.MANAGER)
    why = "has 077 123 4599 now"
    on.rig.tell(msgspec.structs.replace(DEEDS[Act.CHANGE_PERSON].command("", MANAGER), reason=why))
    assert on.journal.records[-1].content["reason"] == "has …599 now"


def test_no_passcode_is_in_the_journal() -> None:
    """Right or wrong."""
    on = beside_a_cashier()
    secret = Secret("918273")
    ask(on, passcode=secret)
    on.rig.passcode_checked()
    ask(on)
    on.rig.passcode_checked()
    clear = [str(msgspec.structs.replace(each, sealed=None)) for each in on.journal.records]
    assert not [each for each in clear if secret.reveal() in each or PASSCODE.reveal() in each]
