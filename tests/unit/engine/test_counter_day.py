"""X at any time, and the closing: what is open is asked about once and carried over, and nothing blocks the Z."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import (
    Answer,
    Cancel,
    CheckZ,
    CloseDay,
    LeaveClosing,
    ReadFigures,
    ReadX,
    ReadZ,
)
from pos_app.domain.day import CheckedZ, Grand, Z, anchor_text, digested, totals
from pos_app.domain.receipt import Verdict
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.takings import Tally
from pos_app.domain.views import (
    DayClosed,
    DayProblem,
    DayStep,
    FiguresRead,
    Terminal,
    XRead,
    ZChecked,
    ZRead,
)
from pos_app.engine.connection.calls import DayCounted
from pos_app.engine.core import counter_day
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import Rig
from tests.unit.engine.test_receipt_numbers import pay

SILENT = NoAnswer(Why.CONNECT, sent=False, detail="no line")


def closed(rig: Rig, request_id: str = "c1") -> Z:
    """The Z that a closing came to."""
    news = rig.last(DayClosed)
    assert (news.request_id, news.problem) == (request_id, DayProblem.NONE)
    assert news.z is not None
    return news.z


def close(rig: Rig, request_id: str = "c1") -> Z:
    """With nothing to ask about, or nobody to wait for."""
    rig.tell(CloseDay(request_id=request_id, wait_s=0))
    return closed(rig, request_id)


def carried(z: Z) -> dict[str, tuple[str, bool]]:
    """State of each that is carried over, and whether the service has answered for it."""
    return {each.attempt_id: (each.state, each.asked) for each in z.carried}


def test_an_empty_day_closes(rig: Rig) -> None:
    """And the next one begins behind it."""
    first, second = close(rig), close(rig, "c2")
    assert (first.number, first.from_seq, second.number) == (1, 1, 2)
    assert second.from_seq == first.to_seq + 1
    assert second.previous == first.digest != ""
    assert totals(first.entries, "LKR").taken == Tally()
    assert first.asked


def test_a_day_is_summed_by_state_method_and_person(rig: Rig) -> None:
    """What comes after it is in the next one."""
    rig.pay()
    push = rig.charge(Kind.PUSH, amount=Decimal("7.05"), who="person-2")
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", push)
    refused = rig.charge(amount=Decimal("3.00"))
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail", refused)
    z = close(rig)
    sums = totals(z.entries, "LKR")
    assert (sums.paid, sums.paid_late, sums.ended) == (Tally(2, 1955), Tally(), {"FAILED": 1})
    assert sums.by_kind == {"qr": Tally(1, 1250), "push": Tally(1, 705)}
    assert totals(z.entries, "LKR", "person-2").taken == Tally(1, 705)
    assert sum(each.amount for each in z.hours) == 1955
    assert [(each.first, each.last) for each in z.receipts] == [(1, 2)]
    assert z.grand == {"LKR": Grand(taken=1955)}
    pay(rig)
    second = close(rig, "c2")
    assert totals(second.entries, "LKR").taken == Tally(1, 1250)
    assert second.grand == {"LKR": Grand(taken=3205)}
    assert [(each.first, each.last) for each in second.receipts] == [(3, 3)]


def test_open_payments_are_asked_about_once_four_side_by_side(rig: Rig) -> None:
    """And are carried over by name; they stay open, and selling goes on meanwhile."""
    ids = [rig.charge(another_customer=True) for _ in range(6)]
    for _ in ids:
        rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    assert rig.names().count("ask") == 4
    assert rig.last(Terminal).day.step is DayStep.ASKING
    rig.asked("Payment Success", ids[0])
    assert rig.names().count("ask") == 4
    sold_meanwhile = rig.charge(another_customer=True)
    assert sold_meanwhile
    for each in ids[1:]:
        rig.asked("Merchant Initiated", each)
    z = closed(rig)
    assert z.asked is False  # one was opened while it was asked
    assert {**carried(z)} == {
        **dict.fromkeys(ids[1:], ("WAITING", True)),
        sold_meanwhile: ("INTENT", False),
    }
    assert totals(z.entries, "LKR").paid == Tally(1, 1250)
    assert rig.state(ids[1]) is State.WAITING
    assert rig.last(Terminal).day.step is DayStep.OPEN


def test_no_line_and_no_answer_keep_no_day_open(rig: Rig) -> None:
    """The Z says since when the service was not reached."""
    opened = rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    rig.asked(SILENT, opened)
    z = closed(rig)
    assert carried(z) == {opened: ("WAITING", False)}
    assert not z.asked
    assert z.unreached_since


def test_an_answer_is_waited_for_a_minute_at_most(rig: Rig) -> None:
    """Then it is closed without it."""
    opened = rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1", wait_s=600))
    rig.wait(59)
    assert not [each for each in rig.shown if isinstance(each, DayClosed)]
    rig.wait(2)
    assert carried(closed(rig))[opened][1] is False


def test_what_ended_unpaid_is_asked_about_once_more(rig: Rig) -> None:
    """Rule 8: it may have been paid late; then it is in this very Z."""
    refused = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail", refused)
    rig.tell(CloseDay(request_id="c1"))
    rig.asked("Payment Success", refused)
    z = closed(rig)
    assert totals(z.entries, "LKR").paid_late == Tally(1, 1250)
    assert carried(z) == {refused: ("PAID_LATE", True)}
    assert z.late_from == ()


def test_what_ended_beyond_what_is_asked_about_is_counted(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Z says how many were not asked about once more."""
    monkeypatch.setattr(counter_day, "MOST_ENDED", 2)
    for _ in range(3):
        ended_unpaid(rig)
    rig.tell(CloseDay(request_id="c1"))
    while "ask" in rig.names():
        rig.asked("Payment Fail")
    assert closed(rig).not_asked == 1


def ended_unpaid(rig: Rig) -> str:
    """A payment that the service has refused."""
    refused = rig.charge(another_customer=True)
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail", refused)
    return refused


def test_what_ended_and_was_not_answered_for_is_counted(rig: Rig) -> None:
    """The line may be down: the Z said nothing of it where nothing else was open."""
    first, _ = ended_unpaid(rig), ended_unpaid(rig)
    rig.tell(CloseDay(request_id="c1"))
    rig.asked(SILENT, first)
    rig.asked("Payment Fail")
    assert closed(rig).not_asked == 1


def test_what_ended_and_nobody_had_the_time_to_ask_about_is_counted(rig: Rig) -> None:
    """With an open one beside it, which is named by itself and has not ended."""
    ended_unpaid(rig)
    opened = rig.charge(another_customer=True)
    rig.initiated()
    rig.tell(CloseDay(request_id="c1", wait_s=0))
    z = closed(rig)
    assert (z.not_asked, carried(z)) == (1, {opened: ("WAITING", False)})


def test_an_open_payment_is_not_counted_among_what_ended(rig: Rig) -> None:
    """It is carried over as not answered for; the paper said of it that it had ended."""
    opened = rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    rig.wait(61)
    z = closed(rig)
    assert (z.not_asked, carried(z)) == (0, {opened: ("WAITING", False)})


def test_money_after_its_z_is_late_in_the_next_and_a_dispute_is_its_correction(rig: Rig) -> None:
    """An old Z never changes."""
    opened = rig.charge()
    rig.initiated()
    first = close(rig)
    rig.wait(3)
    rig.asked("Payment Success", opened)
    second = close(rig, "c2")
    assert [(each.z, each.attempt_id, each.state) for each in second.late_from] == [(1, opened, "PAID")]
    assert totals(second.entries, "LKR").taken == Tally(1, 1250)
    for _ in range(3):
        rig.wait(20)
        rig.asked("Payment Fail", opened)
    assert rig.state(opened) is State.DISPUTED
    third = close(rig, "c3")
    assert [(each.z, each.attempt_id) for each in third.corrections] == [(2, opened)]
    assert totals(third.entries, "LKR").taken == Tally()
    assert third.disputed == (opened,)
    assert third.grand == {"LKR": Grand(taken=1250, corrected=1250)}
    assert rig.journal.z(1) == first
    assert rig.journal.z(2) == second


def test_the_same_request_gets_the_same_z(rig: Rig) -> None:
    """A second click, also after a restart, makes no second one."""
    z = close(rig)
    rig.pay()
    assert close(rig) == z
    rig.restart()
    assert close(rig) == z
    assert rig.journal.last_z() == z


def test_a_second_closing_waits_for_the_first(rig: Rig) -> None:
    """Another request is told that one is under way; the same one just goes on."""
    opened = rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    rig.tell(CloseDay(request_id="c2"))
    assert rig.last(DayClosed) == DayClosed(request_id="c2", problem=DayProblem.BEING_CLOSED)
    rig.tell(CloseDay(request_id="c1"))
    rig.tell(LeaveClosing(request_id="c1"))
    assert rig.last(DayClosed).problem is DayProblem.BEING_CLOSED
    rig.asked("Merchant Initiated", opened)
    assert closed(rig).number == 1


def test_who_was_still_asked_when_the_day_was_closed_closes_no_other(rig: Rig) -> None:
    """A question on the screen, or a manager's passcode, outlives the day that it is about."""
    first = close(rig)
    rig.tell(CloseDay(request_id="c2", wait_s=0, number=first.number))
    assert rig.last(DayClosed) == DayClosed(request_id="c2", problem=DayProblem.NO_SUCH_CLOSING)
    rig.tell(CloseDay(request_id="c1", wait_s=0, number=first.number))
    assert closed(rig).number == 1, "the same wish gets the same Z, as ever"
    rig.tell(CloseDay(request_id="c3", wait_s=0, number=first.number + 1))
    assert closed(rig, "c3").number == 2


def test_a_closing_that_a_crash_interrupted_is_finished_or_left(rig: Rig) -> None:
    """There is no Z of it; the screen says so until somebody does either."""
    rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    rig.restart()
    day = rig.last(Terminal).day
    assert (day.step, day.request_id, day.last_z) == (DayStep.INTERRUPTED, "c1", 0)
    rig.tell(LeaveClosing(request_id="other"))
    assert rig.last(DayClosed).problem is DayProblem.NO_SUCH_CLOSING
    rig.tell(LeaveClosing(request_id="c1"))
    assert rig.last(Terminal).day.step is DayStep.OPEN
    rig.restart()
    assert rig.last(Terminal).day.step is DayStep.OPEN
    rig.tell(CloseDay(request_id="c2"))
    rig.restart()
    assert close(rig, "c2").number == 1
    began = [each for each in rig.journal.events_of("day") if each.kind == "CLOSING_BEGAN"]
    assert [each.content["request_id"] for each in began] == ["c1", "c2"]


def test_with_a_full_disk_there_is_no_z_and_it_can_be_made_later(memory: MemoryJournal) -> None:
    """All or nothing."""
    rig = Rig(memory).start()
    memory.full = True
    rig.tell(CloseDay(request_id="c1"))
    assert rig.last(DayClosed).problem is DayProblem.CANNOT_RECORD
    memory.full = False
    rig.wait(2)
    opened = rig.charge()
    rig.initiated()
    rig.tell(CloseDay(request_id="c1"))
    memory.full = True
    rig.asked("Payment Success", opened)
    assert rig.last(DayClosed) == DayClosed(request_id="c1", problem=DayProblem.CANNOT_RECORD)
    assert rig.last(Terminal).day.step is DayStep.INTERRUPTED
    memory.full = False
    rig.wait(2)
    assert totals(close(rig).entries, "LKR").paid == Tally(1, 1250)


def test_a_journal_that_cannot_be_read_closes_no_day(memory: MemoryJournal) -> None:
    """Nor shows one."""
    rig = Rig(memory).start()
    memory.unreadable = True
    for command in (CloseDay(request_id="c1"), ReadX(request_id="c1"), ReadZ(request_id="c1")):
        rig.tell(command)
    paper = f"T22222222-Z1-1.00-{'0' * 32}"
    rig.tell(CheckZ(request_id="c1", text=paper))
    told = [each for each in rig.shown if isinstance(each, DayClosed | XRead | ZRead | ZChecked)]
    assert [each.problem for each in told] == [DayProblem.CANNOT_READ] * 4


def test_an_x_is_a_look_that_is_written_down(rig: Rig) -> None:
    """The whole till's, or one person's own: theirs shows nothing of the others."""
    rig.pay()
    rig.charge(amount=Decimal("7.00"), who="person-2")
    rig.initiated()
    rig.tell(ReadX(request_id="x1"))
    whole = rig.last(XRead).report
    assert whole is not None
    assert (totals(whole.entries, "LKR").taken, len(whole.carried)) == (Tally(1, 1250), 1)
    assert whole.grand == {"LKR": Grand(taken=1250)}
    rig.tell(ReadX(request_id="x2", whose="person-2"))
    own = rig.last(XRead).report
    assert own is not None
    assert (own.entries, own.grand, len(own.carried), own.whose) == ((), {}, 1, "person-2")
    assert [each.content["whose"] for each in rig.journal.events_of("day")] == ["", "person-2"]
    assert close(rig).acts == {"CLOSING_BEGAN": 1, "X_READ": 2}


def test_a_z_is_read_again_as_it_was_closed(rig: Rig) -> None:
    """By number, by date, or the newest; its digest is that of its text."""
    first, second = close(rig), close(rig, "c2")
    for wanted, zs in (
        (ReadZ(request_id="r"), (second,)),
        (ReadZ(request_id="r", number=1), (first,)),
        (ReadZ(request_id="r", business_date=first.business_date), (first, second)),
    ):
        rig.tell(wanted)
        assert rig.last(ZRead) == ZRead(request_id="r", reports=zs, proven=True)
    assert first.digest == rig.journal.z_digest(digested(first))
    rig.tell(ReadZ(request_id="r", number=9))
    assert rig.last(ZRead).problem is DayProblem.NO_SUCH_Z


def check(rig: Rig, text: str) -> ZChecked:
    """What a paper says of this journal."""
    rig.tell(CheckZ(request_id="c", text=text))
    return rig.last(ZChecked)


def test_a_zs_paper_says_whether_the_journal_is_still_its(rig: Rig) -> None:
    """It tells no takings, so that whoever is signed in may ask."""
    rig.pay()
    z = close(rig)
    known = check(rig, anchor_text(z).lower()).checked
    assert known == CheckedZ(
        verdict=Verdict.OURS, number=1, of=z.business_date, last=1, last_of=z.business_date
    )
    assert z.installation_id == rig.journal.installation_id
    for text, verdict in (
        (anchor_text(replace(z, number=2)), Verdict.MISSING),
        (anchor_text(replace(z, digest="0" * 32)), Verdict.CHANGED),
        (anchor_text(replace(z, grand={"LKR": Grand(taken=1)})), Verdict.CHANGED),
        (anchor_text(replace(z, installation_id="22222222")), Verdict.FOREIGN),
    ):
        checked = check(rig, text).checked
        assert checked is not None
        assert (checked.verdict, checked.last) == (verdict, 1)
    assert check(rig, "INV-7").problem is DayProblem.NO_SUCH_Z


def test_a_z_that_was_changed_in_the_journal_is_not_its_papers(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the digest that stands in it was left as it was."""
    z = close(rig)
    changed = replace(z, by="somebody")
    monkeypatch.setattr(rig.journal, "z", lambda number: changed if number == 1 else None)
    checked = check(rig, anchor_text(z)).checked
    assert checked is not None
    assert checked.verdict is Verdict.CHANGED


def test_a_clock_that_was_set_back_is_said_and_moves_no_money(rig: Rig) -> None:
    """The range goes by numbers; the date never goes back behind the last Z's."""
    first = close(rig)
    rig.pay()
    rig.clock.pushed = timedelta(days=-2)
    pay(rig)
    z = close(rig, "c2")
    assert z.clock_moved
    assert not first.clock_moved
    assert totals(z.entries, "LKR").taken == Tally(2, 2500)
    assert z.business_date == first.business_date
    assert not close(rig, "c3").clock_moved


def test_a_till_that_stands_idle_reminds_of_closing_at_the_cut_off(rig: Rig) -> None:
    """Nobody touches it, and it says so once; once the day is closed it says so no more."""
    rig.pay()
    assert not rig.last(Terminal).day.overdue
    rig.wait(27 * 3600)
    assert rig.last(Terminal).day.overdue
    close(rig)
    assert not rig.last(Terminal).day.overdue


def test_a_day_that_was_left_open_is_named_as_its_z_will_be(rig: Rig) -> None:
    """On the next morning it is still the day on which it sold, for whoever is reminded of it or asked to allow it."""
    close(rig)
    rig.pay()
    sold_on = rig.last(Terminal).day.business_date
    rig.wait(27 * 3600)
    day = rig.last(Terminal).day
    assert (day.overdue, day.business_date) == (True, sold_on)
    rig.restart()
    rig.wait(60)
    assert rig.last(Terminal).day.business_date == sold_on
    assert close(rig, "c2").business_date == sold_on
    assert rig.last(Terminal).day.business_date > sold_on, "nothing was sold yet: it is today's"


def test_wrong_sums_are_made_anew_before_they_are_believed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the journal says so."""
    rig.pay()
    made: list[bool] = []
    monkeypatch.setattr(rig.journal, "takings_agree", lambda: False)
    monkeypatch.setattr(rig.journal, "rebuild_projections", lambda: made.append(True))
    close(rig)
    assert made == [True]
    assert [each.kind for each in rig.journal.events_of("journal")] == ["JOURNAL_MENDED"]


def test_the_count_runs_beside_the_engine(rig: Rig) -> None:
    """Nobody waits for it; what nobody asked for closes nothing."""
    counts: list[bool] = []
    rig.restart_with(count_day=lambda: counts.append(True))
    rig.tell(DayCounted(True))
    rig.tell(CloseDay(request_id="c1"))
    assert counts == [True]
    assert rig.last(Terminal).day.step is DayStep.COUNTING
    assert rig.charge()
    rig.tell(DayCounted(True))
    assert closed(rig).number == 1
    rig.tell(CloseDay(request_id="c2", wait_s=0))
    rig.tell(DayCounted(None))
    assert rig.last(DayClosed) == DayClosed(request_id="c2", problem=DayProblem.CANNOT_READ)


def test_a_signed_off_payment_is_counted_apart(rig: Rig) -> None:
    """A manager's word is no receipt of the service."""
    rig.sign_in()
    opened = rig.charge()
    rig.initiated()
    rig.tell(Cancel(opened, "person-1"))
    rig.wait(400)
    assert rig.state(opened) is State.UNRESOLVED
    rig.tell(Answer(opened, "paid", "", "the customer showed it", who="person-1"))
    sums = totals(close(rig).entries, "LKR")
    assert (sums.taken, sums.ended) == (Tally(), {"SIGNED_OFF(paid)": 1})


def test_the_pictures_of_a_day_show_what_its_report_sums(rig: Rig) -> None:
    """While it is open as once it is closed; what a week ago was taken is beside it."""
    pay(rig)
    refused = rig.charge(amount=Decimal("3.00"))
    rig.initiated()
    rig.wait(4)
    rig.asked("Payment Fail", refused)
    rig.tell(ReadFigures(request_id="f1"))
    first = rig.last(FiguresRead)
    assert (first.request_id, first.problem) == ("f1", DayProblem.NONE)
    shown = first.figures
    assert shown is not None
    assert (shown.number, shown.compared, shown.methods) == (0, "", (("qr", Tally(1, 1250)),))
    assert sum(each.taken.amount for each in shown.hours) == 1250
    assert [(each.state, each.payments) for each in shown.not_paid] == [("FAILED", 1)]
    assert (shown.waited.payments, shown.waited.quantiles) == (1, (3_000, 3_000, 3_000))
    z = close(rig)
    rig.tell(ReadFigures(request_id="f2", number=1))
    closed_one = rig.last(FiguresRead).figures
    assert closed_one is not None
    assert (closed_one.number, closed_one.business_date) == (1, z.business_date)
    assert closed_one.hours == shown.hours
    assert closed_one.not_paid == shown.not_paid
    rig.wait(7 * 24 * 3600)
    pay(rig)
    rig.tell(ReadFigures(request_id="f3"))
    week_later = rig.last(FiguresRead).figures
    assert week_later is not None
    assert week_later.compared == z.business_date
    assert sum(each.before.amount for each in week_later.hours) == 1250
    rig.tell(ReadFigures(request_id="f4", number=7))
    assert rig.last(FiguresRead) == FiguresRead(request_id="f4", problem=DayProblem.NO_SUCH_Z)


def test_pictures_of_a_journal_that_cannot_be_read_are_none(memory: MemoryJournal) -> None:
    """And it is said."""
    rig = Rig(memory)
    memory.unreadable = True
    rig.tell(ReadFigures(request_id="f1"))
    assert rig.last(FiguresRead) == FiguresRead(request_id="f1", problem=DayProblem.CANNOT_READ)
