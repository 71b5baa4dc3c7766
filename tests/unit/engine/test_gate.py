"""What the gate believes, what it writes, and that it stands in the way of no payment that is under way."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.commands import Answer, Cancel, Continue, Park, SendOtp, SignOut, SignRefund
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Accepted, CancelAccepted
from pos_app.domain.rights import Act, Grant
from pos_app.domain.staff import Permit
from pos_app.domain.views import CommandRefused, StaffAnswered, StaffProblem
from pos_app.engine.core.config import Reconfigured
from pos_app.engine.staff.refusals import QUIET_MS
from tests.unit.engine.gate_deeds import DEEDS, OWNER, REASON
from tests.unit.engine.gate_standings import MANAGER, NAMES, OTHER, SIGNED, Stand, Standing, signed_in, stand
from tests.unit.engine.rig import NUMBER, Rig

S = Standing
Thing = TypeVar("Thing")


def told(on: Stand, kind: str) -> list[Any]:
    """The journal's events of a kind."""
    return [each for each in on.journal.records if each.kind == kind]


def some(thing: Thing | None) -> Thing:
    """It is there."""
    assert thing is not None
    return thing


def told_actors(on: Stand, kind: str) -> list[str]:
    """By whom."""
    return [each.actor for each in on.journal.records if each.kind == kind]


@pytest.mark.parametrize("claimed", [OTHER, MANAGER, "person-9"])
def test_a_wish_in_anothers_name_is_refused(claimed: str) -> None:
    """A switch of cashiers has overtaken the tap: the payment is not booked on either."""
    for act in (Act.CHARGE, Act.CANCEL, Act.PARK, Act.CLOSE, Act.CONTINUE, Act.COMPLETE):
        on = stand(act, S.OWNER)
        before = len(on.journal.records)
        on.rig.tell(DEEDS[act].command(on.about, claimed))
        assert [each.kind for each in on.journal.records[before:]] == ["RIGHT_REFUSED"]
        assert on.journal.records[-1].content["problem"] == StaffProblem.NOT_SIGNED_IN
        assert on.journal.records[-1].content["claimed"] == claimed
        assert not on.rig.calls.made


@pytest.mark.parametrize("claimed", ["", TERMINAL])
def test_a_wish_that_names_nobody_is_the_signed_in_persons(claimed: str) -> None:
    """Owner and actor alike."""
    on = stand(Act.CHARGE, S.OWNER)
    on.rig.tell(DEEDS[Act.CHARGE].command("", claimed))
    (intent,) = told(on, "INTENT")
    assert (intent.actor, intent.attempt.owner, intent.sale.owner) == (OWNER, OWNER, OWNER)


def test_a_cancel_is_written_with_who_did_it() -> None:
    """Not with whose payment it is."""
    on = stand(Act.CANCEL, S.MANAGER)
    on.rig.tell(Cancel(on.about, TERMINAL))
    assert told_actors(on, "CANCEL") == [MANAGER]
    assert some(on.rig.attempt(on.about).cancel_wish).who == MANAGER
    assert on.rig.attempt(on.about).owner == OWNER


def test_an_answer_carries_the_name_on_the_list() -> None:
    """What was typed, or put into the wish, is not what is written."""
    on = stand(Act.COMPLETE, S.OWNER)
    on.rig.tell(Answer(on.about, "complete", "The Owner Himself", REASON))
    resolution = some(on.rig.attempt(on.about).resolution)
    assert (resolution.name, resolution.reason) == (NAMES[OWNER], REASON)
    assert told_actors(on, "ANSWER") == [OWNER]


@pytest.mark.parametrize("standing", [S.OWNER, S.COMMAND_LINE])
def test_a_reason_is_written_as_plain_text(standing: Standing) -> None:
    """No line of its own, no turned direction, no 280 kB."""
    on = stand(Act.COMPLETE, standing)
    on.rig.tell(Answer(on.about, "complete", "\u202eNimali", " given\n\u202eback \x1b[2J" + "x" * 280_000))
    resolution = some(on.rig.attempt(on.about).resolution)
    assert resolution.reason == ("given back [2J" + "x" * 280_000)[:200]
    assert resolution.name == ("Kamala" if standing is S.OWNER else "Nimali")


def test_a_refund_is_signed_with_the_name_on_the_list() -> None:
    """Rule 9."""
    on = stand(Act.SIGN_REFUND, S.MANAGER)
    on.rig.tell(SignRefund(on.about, "Somebody", REASON))
    assert some(some(on.journal.sale(on.about)).refund).name == NAMES[MANAGER]
    assert told_actors(on, "REFUND_SIGNED") == [MANAGER]


def test_an_answer_nobody_knows_needs_a_manager_and_does_nothing() -> None:
    """The strictest, for what the table does not name."""
    on = stand(Act.COMPLETE, S.OWNER)
    on.rig.tell(Answer(on.about, "give_away", "", REASON))
    assert on.rig.last(CommandRefused) == CommandRefused(
        act=Act.SIGN_OFF, needs=Grant.MANAGER, attempt_id=on.about
    )
    assert on.rig.attempt(on.about).resolution is None


@pytest.mark.parametrize(
    ("act", "standing", "who"), [(Act.SIGN_OFF, S.MANAGER, MANAGER), (Act.COMPLETE, S.COMMAND_LINE, "")]
)
@pytest.mark.parametrize("seen", [(State.DISPUTED, Reason.OTHER_AMOUNT), (State.WAITING, Reason.NONE)])
def test_an_answer_to_another_question_is_none(
    act: Act, standing: Standing, who: str, seen: tuple[State, Reason]
) -> None:
    """The payment has changed since it was asked: nothing is written of it but the refusal."""
    on = stand(act, standing)
    before = on.rig.attempt(on.about)
    said = DEEDS[act].command(on.about, who)
    on.rig.tell(msgspec.structs.replace(said, seen=seen))
    assert on.rig.last(CommandRefused).problem is StaffProblem.PAYMENT_CHANGED
    assert on.rig.attempt(on.about) == before
    assert not told(on, "ANSWER")
    on.rig.tell(msgspec.structs.replace(said, seen=(before.state, before.reason)))
    assert some(on.rig.attempt(on.about).resolution).reason == REASON


def test_a_payment_nobody_knows_is_refused_as_such() -> None:
    """Not as somebody else's."""
    on = stand(Act.CANCEL, S.OWNER)
    on.rig.tell(Cancel("SBX-no-such", OWNER))
    assert on.rig.last(CommandRefused).problem is StaffProblem.UNKNOWN_PAYMENT


def test_what_the_till_began_itself_is_everybodys() -> None:
    """And what was begun at the command line."""
    on = stand(Act.CANCEL, S.COMMAND_LINE)
    on.rig.config = SIGNED
    attempt = on.rig.attempt(on.about)
    owned = msgspec.structs.replace(attempt, owner=TERMINAL)
    ours = on.rig.record("NOTED", on.about, TERMINAL, attempt=owned)
    on.journal.append([ours])
    on.rig.restart()
    signed_in(on.rig, OTHER)
    on.rig.tell(Cancel(on.about, OTHER))
    assert told_actors(on, "CANCEL") == [OTHER]


def test_refusals_do_not_flood_the_journal() -> None:
    """One of each act a minute; the next says how many were not written."""
    on = stand(Act.CANCEL, S.NOT_OWNER)
    for _ in range(50):
        on.rig.tell(Cancel(on.about, OTHER))
    assert len(told(on, "RIGHT_REFUSED")) == 1
    assert sum(isinstance(each, CommandRefused) for each in on.rig.shown) == 50
    on.rig.tell(SignRefund("0001", "", ""))
    assert [each.content["act"] for each in told(on, "RIGHT_REFUSED")] == ["cancel", "sign_refund"]
    on.rig.clock.ms += QUIET_MS
    on.rig.tell(Cancel(on.about, OTHER))
    newest = told(on, "RIGHT_REFUSED")[-1]
    assert (newest.subject, newest.actor) == (on.about, OTHER)
    assert newest.content["not_written_before"] == 49


def permit(act: Act, about: str = "", reason: str = REASON) -> Permit:
    """Leave asked for."""
    return Permit(request_id="p", act=act, reason=reason, about=about, content={"changed": ["shop.name"]})


def test_leave_is_written_before_it_is_given() -> None:
    """With what, whose, and why."""
    on = stand(Act.CHANGE_SETTINGS, S.MANAGER)
    on.rig.tell(permit(Act.CHANGE_SETTINGS, reason="  new   name "))
    record = on.journal.records[-1]
    assert (record.kind, record.actor) == ("PERMITTED", MANAGER)
    assert record.content == {
        "act": "change_settings",
        "about": "",
        "content": {"changed": ["shop.name"]},
        "name": NAMES[MANAGER],
        "reason": "new name",
        "request_id": "p",
    }
    assert on.rig.last(StaffAnswered) == StaffAnswered(request_id="p")


def test_leave_that_cannot_be_written_is_not_given() -> None:
    """Nothing is shown either."""
    for act in (Act.UNMASK_NUMBER, Act.LEAVE_KIOSK):
        on = stand(act, S.MANAGER)
        on.journal.full = True
        on.rig.tell(permit(act, on.about))
        assert on.rig.last(StaffAnswered) == StaffAnswered(request_id="p", problem=StaffProblem.CANNOT_RECORD)


def test_leave_without_a_reason_is_not_given() -> None:
    """Nor written."""
    on = stand(Act.LEAVE_KIOSK, S.MANAGER)
    on.rig.tell(permit(Act.LEAVE_KIOSK, reason=" \t"))
    assert on.rig.last(StaffAnswered).problem is StaffProblem.NO_REASON
    assert not told(on, "PERMITTED")


@pytest.mark.parametrize("standing", [S.MANAGER, S.COMMAND_LINE])
def test_only_what_is_done_outside_the_engine_can_be_permitted(standing: Standing) -> None:
    """A permit is no way round a wish of its own."""
    on = stand(Act.LEAVE_KIOSK, standing)
    on.rig.tell(permit(Act.SIGN_REFUND, "0001"))
    assert on.rig.last(StaffAnswered).problem is StaffProblem.NOT_ALLOWED


def test_the_number_a_push_went_to_is_shown_to_a_manager_and_that_is_written() -> None:
    """From the bytes that were sent; it is in no event."""
    on = stand(Act.UNMASK_NUMBER, S.MANAGER)
    on.rig.tell(permit(Act.UNMASK_NUMBER, on.about))
    assert on.rig.last(StaffAnswered) == StaffAnswered(request_id="p", shown=NUMBER)
    record = on.journal.records[-1]
    assert (record.kind, record.subject, record.actor) == ("NUMBER_UNMASKED", on.about, MANAGER)
    assert NUMBER[1:] not in str(record)


@pytest.mark.parametrize("about", ["SBX-no-such", "", MANAGER, "terminal"])
def test_no_number_is_shown_of_what_is_no_push(about: str) -> None:
    """Nor is a person's number to be had so."""
    on = stand(Act.UNMASK_NUMBER, S.MANAGER)
    on.rig.tell(permit(Act.UNMASK_NUMBER, about))
    answer = on.rig.last(StaffAnswered)
    assert (answer.problem, answer.shown) == (StaffProblem.UNKNOWN_PAYMENT, "")


def test_a_code_has_no_number() -> None:
    """A QR is sent to nobody."""
    on = stand(Act.LEAVE_KIOSK, S.MANAGER)
    attempt_id = on.rig.charge(Kind.QR, who=MANAGER)
    on.rig.tell(permit(Act.UNMASK_NUMBER, attempt_id))
    assert on.rig.last(StaffAnswered).problem is StaffProblem.UNKNOWN_PAYMENT


def test_a_new_code_comes_by_itself_though_nobody_is_signed_in_any_more() -> None:
    """Rule 3c: begun by the till, still the owner's."""
    on = stand(Act.CHARGE, S.OWNER)
    attempt_id = on.rig.charge(Kind.QR, who=OWNER)
    on.rig.initiated(Accepted(f"W-{attempt_id}", attempt_id, ""))
    on.rig.tell(SignOut())
    on.rig.cancelled(CancelAccepted())
    on.rig.asked("Merchant Cancel")
    intents = told(on, "INTENT")
    assert [each.actor for each in intents] == [OWNER, TERMINAL]
    assert [each.attempt.owner for each in intents] == [OWNER, OWNER]


def test_after_a_restart_nobody_goes_on_before_somebody_is_signed_in() -> None:
    """Rule 12's choice is a person's; the asking is not."""
    on = stand(Act.CONTINUE, S.OWNER)
    on.rig.restart()
    assert "ask" in on.rig.names()
    on.rig.tell(Continue(on.about, OWNER))
    assert on.rig.last(CommandRefused).problem is StaffProblem.NOT_SIGNED_IN
    on.rig.wait(60)
    signed_in(on.rig, OWNER)
    on.rig.tell(Continue(on.about, OWNER))
    assert told_actors(on, "CONTINUE") == [OWNER]


@pytest.mark.parametrize("standing", [S.NOBODY, S.LOCKED_CASHIER])
def test_payments_run_on_behind_a_lock_and_without_anybody(standing: Standing) -> None:
    """Rule 12: asked about as ever, and paid when it is."""
    on = stand(Act.CANCEL, standing)
    on.rig.wait(30)
    on.rig.asked("Payment Success", on.about)
    assert on.rig.state(on.about) is State.PAID


def test_a_till_without_sign_in_believes_the_machine() -> None:
    """As ever; only what the rules ask of a manager needs one."""
    on = stand(Act.PARK, S.COMMAND_LINE)
    on.rig.tell(Park(on.about, TERMINAL))
    assert told_actors(on, "PARK") == [TERMINAL]


def test_signing_in_needs_no_right() -> None:
    """Else nobody ever could."""
    on = stand(Act.CHARGE, S.LOCKED_CASHIER)
    on.rig.tell(SendOtp(OTHER))
    assert on.rig.names() == ["send otp"]


def test_a_gate_opened_by_new_settings_is_shut_by_them_too() -> None:
    """Whether people sign in is the site's, from the next wish on."""
    on = stand(Act.PARK, S.NOBODY)
    rig: Rig = on.rig
    opened = msgspec.structs.replace(SIGNED, sign_in_required=False)
    rig.tell(Reconfigured(config=opened, who=MANAGER, changed=("staff.sign_in_required",)))
    rig.tell(Park(on.about, TERMINAL))
    assert told_actors(on, "PARK") == [TERMINAL]
