"""Each act of the table of rights as a wish on a till where it makes sense, and the event it is told by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import (
    Answer,
    Cancel,
    Charge,
    CheckNow,
    Close,
    CloseDay,
    Continue,
    GiveNote,
    LeavePanel,
    NoteRefund,
    Park,
    PrintPaper,
    ReadDifferences,
    ReadX,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.people import Role
from pos_app.domain.print_job import PaperKind
from pos_app.domain.refund import NoteReason, NoteWay
from pos_app.domain.replies import CancelAccepted, StatusReport
from pos_app.domain.rights import Act
from pos_app.domain.search import FindPayments, LookThrough, SumPayments
from pos_app.domain.secret import Secret
from pos_app.domain.staff import (
    ChangePerson,
    ChooseLanguage,
    ChoosePasscode,
    Enrol,
    Permit,
    ReadStaffLog,
    Renumber,
)
from tests.unit.engine.rig import AMOUNT, Rig
from tests.unit.engine.test_restart import reach

OWNER = "person-1"
REASON = "as agreed with the customer"


def _waiting(rig: Rig) -> str:
    return reach(rig, State.WAITING)


def _unresolved(rig: Rig) -> str:
    return reach(rig, State.UNRESOLVED)


def _panel_open(rig: Rig) -> str:
    """Unresolved by unreadable replies, and looked at: not released."""
    attempt_id = reach(rig, State.WAITING)
    for _ in range(3):
        rig.asked(StatusReport("Payment Success", attempt_id))
        rig.tell(CheckNow(attempt_id))
    assert rig.attempt(attempt_id).state is State.UNRESOLVED
    assert rig.attempt(attempt_id).released_at is None
    return attempt_id


def _late(rig: Rig) -> str:
    return reach(rig, State.PAID_LATE)


def _paid(rig: Rig) -> str:
    return rig.pay()


def _paper(*, again: bool) -> Callable[[str, str], PrintPaper]:
    return lambda about, who: PrintPaper(
        request_id="r", paper=PaperKind.RECEIPT, about=about, again=again, who=who
    )


def _overpaid(rig: Rig) -> str:
    first = rig.charge(Kind.PUSH)
    rig.initiated()
    rig.tell(Cancel(first, OWNER))
    rig.cancelled(CancelAccepted())
    rig.asked("Merchant Cancel")
    second = rig.charge(Kind.PUSH, sale_id="0001")
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", second)
    rig.wait(9)
    rig.asked("Payment Success", first)
    assert rig.terminal.overpaid
    return "0001"


def _noted(rig: Rig) -> str:
    """A refund note that is promised."""
    attempt_id = rig.pay()
    why, way = NoteReason.RETURNED, NoteWay.CASH
    rig.tell(NoteRefund(request_id="r", attempt_id=attempt_id, amount=AMOUNT, why=why, way=way))
    assert [note.number for note in rig.terminal.notes] == [1]
    return "1"


def _nothing(_rig: Rig) -> str:
    return ""


class Deed(msgspec.Struct, frozen=True):
    """`prepare` makes what it is done to, on a till without sign-in, owned by OWNER.

    `wish` is of that and of the `who` it claims. `told`: the journal's word for it, "" where the act writes none;
    `sends`: the call it makes.
    """

    command: Callable[[str, str], Any]
    told: str = ""
    prepare: Callable[[Rig], str] = _nothing
    sends: str = ""


def _charge(_about: str, who: str) -> Charge:
    return Charge(request_id="r", kind=Kind.QR, amount=AMOUNT, who=who)


def _permit(act: Act) -> Callable[[str, str], Permit]:
    return lambda about, _who: Permit(request_id="r", act=act, reason=REASON, about=about)


def _answer(action: str) -> Callable[[str, str], Answer]:
    return lambda about, who: Answer(about, action, "Somebody Else", REASON, who)


def _enrol(_about: str, _who: str) -> Enrol:
    return Enrol(request_id="r", name="Sunil", number="+94771234599", role=Role.CASHIER, reason=REASON)


def _renumber(_about: str, _who: str) -> Renumber:
    return Renumber(request_id="r", person_id="person-2", number="+94771234598", reason=REASON)


def _change(_about: str, _who: str) -> ChangePerson:
    return ChangePerson(request_id="r", person_id="person-2", name="Sunethra", reason=REASON)


DEEDS: Mapping[Act, Deed] = {
    Act.CHARGE: Deed(_charge, "INTENT", sends="initiate"),
    Act.CHECK: Deed(CheckNow, prepare=_waiting, sends="ask"),
    Act.PARK: Deed(Park, "PARK", _waiting),
    Act.LEAVE: Deed(LeavePanel, "LEAVE_PANEL", _panel_open),
    Act.CANCEL: Deed(Cancel, "CANCEL", _waiting, "cancel"),
    Act.CONTINUE: Deed(Continue, "CONTINUE", _waiting),
    Act.CLOSE: Deed(Close, "CLOSE", _waiting, "cancel"),
    Act.COMPLETE: Deed(_answer("complete"), "ANSWER", _late),
    Act.REFUND: Deed(_answer("refund"), "ANSWER", _late),
    Act.SIGN_OFF: Deed(_answer("not_paid"), "ANSWER", _unresolved),
    Act.SIGN_REFUND: Deed(
        lambda about, who: SignRefund(about, "Somebody Else", REASON, who), "REFUND_SIGNED", _overpaid
    ),
    Act.GIVE_REFUND: Deed(
        lambda about, who: GiveNote(request_id="r", number=int(about or 0), who=who), "REFUND_GIVEN", _noted
    ),
    Act.WITHDRAW_REFUND: Deed(
        lambda about, who: WithdrawNote(request_id="r", number=int(about or 0), reason=REASON, who=who),
        "REFUND_WITHDRAWN",
        _noted,
    ),
    Act.UNMASK_NUMBER: Deed(_permit(Act.UNMASK_NUMBER), "NUMBER_UNMASKED", _waiting),
    Act.CHOOSE_PASSCODE: Deed(lambda _about, _who: ChoosePasscode(Secret("602957"))),
    Act.CHOOSE_LANGUAGE: Deed(lambda _about, _who: ChooseLanguage("ta")),
    Act.ENROL: Deed(_enrol, sends="send otp"),
    Act.RENUMBER: Deed(_renumber, sends="send otp"),
    Act.CHANGE_PERSON: Deed(_change, "PERSON_CHANGED"),
    Act.CHANGE_SETTINGS: Deed(_permit(Act.CHANGE_SETTINGS), "PERMITTED"),
    Act.CHANGE_SECRETS: Deed(_permit(Act.CHANGE_SECRETS), "PERMITTED"),
    Act.TEST_CONNECTION: Deed(_permit(Act.TEST_CONNECTION), "PERMITTED"),
    Act.DIAGNOSTICS: Deed(_permit(Act.DIAGNOSTICS), "PERMITTED"),
    Act.LEAVE_KIOSK: Deed(_permit(Act.LEAVE_KIOSK), "PERMITTED"),
    Act.RENEW_IDENTITY: Deed(_permit(Act.RENEW_IDENTITY), "PERMITTED"),
    Act.PUT_OFF_UPDATE: Deed(_permit(Act.PUT_OFF_UPDATE), "PERMITTED"),
    Act.READ_STAFF_LOG: Deed(lambda _about, _who: ReadStaffLog(request_id="r")),
    Act.FIND_PAYMENTS: Deed(lambda _about, who: FindPayments(request_id="r", who=who)),
    Act.SEE_SUMS: Deed(lambda _about, who: SumPayments(request_id="r", day="2026-03-01", who=who)),
    Act.READ_X: Deed(lambda _about, who: ReadX(request_id="r", whose=OWNER, who=who), "X_READ"),
    Act.CLOSE_DAY: Deed(lambda _about, who: CloseDay(request_id="r", who=who), "CLOSING_BEGAN"),
    Act.RECONCILE: Deed(lambda _about, who: ReadDifferences(request_id="r", who=who)),
    Act.PRINT: Deed(_paper(again=False), "PRINT_ASKED", _paid),
    Act.REPRINT: Deed(_paper(again=True), "PRINT_ASKED", _paid),
    Act.EXPORT: Deed(_permit(Act.EXPORT), "PERMITTED"),
    Act.EXPORT_NUMBERS: Deed(_permit(Act.EXPORT_NUMBERS), "PERMITTED"),
    Act.JOIN_STORE: Deed(_permit(Act.JOIN_STORE), "PERMITTED"),
    Act.READ_HISTORY: Deed(lambda _about, who: LookThrough(request_id="r", who=who)),
}
