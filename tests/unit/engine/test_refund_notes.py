"""Refund notes at the counter: four eyes, never above what was paid, durable first; no payment is changed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.commands import (
    Answer,
    CloseDay,
    GiveNote,
    NoteRefund,
    PrintPaper,
    ReadNotes,
    ReadX,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.day import Grand, totals
from pos_app.domain.print_job import PaperKind
from pos_app.domain.refund import (
    REFUND_GIVEN,
    REFUND_NOTED,
    REFUND_WITHDRAWN,
    Note,
    NoteProblem,
    NoteReason,
    NoteState,
    NoteSums,
    NoteWay,
    is_before_notes,
)
from pos_app.domain.rights import Act
from pos_app.domain.search import FindPayments, Sought
from pos_app.domain.takings import Tally
from pos_app.domain.views import (
    DayClosed,
    NoteAnswered,
    NotesRead,
    PaymentsFound,
    PrintAnswered,
    PrintProblem,
    StaffAnswered,
    StaffProblem,
    XRead,
)
from pos_app.engine.core.config import Printing
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.refund_notes import SHOWN
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.gate_deeds import DEEDS, OWNER
from tests.unit.engine.gate_standings import MANAGER, OTHER, PASSCODE, Standing, approve, signed_in, stand
from tests.unit.engine.rig import AMOUNT, SITE, Rig
from tests.unit.engine.test_restart import reach


def wish(attempt_id: str, amount: Decimal = AMOUNT, **facts: Any) -> NoteRefund:
    """Goods came back; in cash."""
    about: dict[str, Any] = {"request_id": "n", "why": NoteReason.RETURNED, "way": NoteWay.CASH}
    return NoteRefund(attempt_id=attempt_id, amount=amount, **(about | facts))


def note(rig: Rig, attempt_id: str, amount: Decimal = AMOUNT, **facts: Any) -> Note:
    """One that is made."""
    rig.tell(wish(attempt_id, amount, **facts))
    made = rig.last(NoteAnswered)
    assert made.problem is NoteProblem.NONE
    assert made.note is not None
    return made.note


def told(journal: JournalStore, kind: str) -> list[Any]:
    """The journal's events of a kind, of those that are acts."""
    return [each for each in reversed(journal.newest_acts(99)) if each.kind == kind]


def acts(journal: JournalStore) -> list[str]:
    """Their kinds, in their order."""
    return [each.kind for each in reversed(journal.newest_acts(99))]


def numbers(notes: Sequence[Note]) -> list[int]:
    """By number."""
    return [each.number for each in notes]


@pytest.fixture
def printing(journal: JournalStore) -> Rig:
    """A counter with a printer."""
    return Rig(journal, replace(SITE, printing=Printing(printer="network"))).start()


def test_a_note_is_durable_before_it_is_told_and_changes_no_payment(rig: Rig, journal: JournalStore) -> None:
    """PAID stays PAID, to the letter."""
    paid = rig.pay()
    before = rig.attempt(paid)
    made = note(rig, paid, Decimal("5.00"), text="broken", receiver="Kamala 0771234567")
    assert (made.number, made.amount, made.receiver) == (1, Decimal("5.00"), "Kamala …567")
    (written,) = told(journal, REFUND_NOTED)
    assert written.subject == "note:1"
    assert rig.attempt(paid) == before
    assert numbers(rig.terminal.notes) == [1]


def test_notes_of_one_payment_never_come_to_more_than_it(rig: Rig) -> None:
    """Whatever is asked for, and in however many pieces; what was withdrawn is free again."""
    paid = rig.pay()
    note(rig, paid, Decimal("10.00"))
    rig.tell(wish(paid, Decimal("2.51")))
    assert rig.last(NoteAnswered).problem is NoteProblem.TOO_MUCH
    note(rig, paid, Decimal("2.50"))
    rig.tell(wish(paid, Decimal("0.01")))
    assert rig.last(NoteAnswered).problem is NoteProblem.TOO_MUCH
    rig.tell(WithdrawNote(request_id="w", number=1, reason="by mistake"))
    assert note(rig, paid, Decimal("10.00")).number == 3


def test_how_many_are_open_is_told_where_a_screen_holds_fewer(rig: Rig) -> None:
    """The oldest were on no list and in no number."""
    paid = rig.pay()
    for _ in range(SHOWN + 1):
        note(rig, paid, Decimal("0.01"))
    assert (numbers(rig.terminal.notes)[0], len(rig.terminal.notes), rig.terminal.notes_more) == (2, SHOWN, 1)
    rig.tell(GiveNote(request_id="g", number=2))
    assert (numbers(rig.terminal.notes)[0], rig.terminal.notes_more) == (1, 0)


def test_what_is_noted_is_remembered_over_a_kill(rig: Rig) -> None:
    """By the journal, and by nothing else."""
    paid = rig.pay()
    note(rig, paid)
    rig.restart()
    assert numbers(rig.terminal.notes) == [1]
    rig.tell(wish(paid, Decimal("0.01")))
    assert rig.last(NoteAnswered).problem is NoteProblem.TOO_MUCH


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"amount": Decimal(0)}, NoteProblem.BAD_AMOUNT),
        ({"why": NoteReason.OTHER}, NoteProblem.NO_REASON),
        ({"way": NoteWay.TRANSFER}, NoteProblem.NO_RECEIVER),
    ],
)
def test_a_wish_that_is_not_whole_is_answered_and_not_written(
    rig: Rig, journal: JournalStore, facts: dict[str, Any], problem: NoteProblem
) -> None:
    rig.tell(wish(rig.pay(), **facts))
    assert rig.last(NoteAnswered).problem is problem
    assert told(journal, REFUND_NOTED) == []


def test_of_what_is_not_proven_nothing_is_noted(rig: Rig) -> None:
    """Nor of what nobody knows."""
    rig.tell(wish(reach(rig, State.WAITING)))
    assert rig.last(NoteAnswered).problem is NoteProblem.NOT_PAID
    rig.tell(wish("SBX-no-such"))
    assert rig.last(NoteAnswered).problem is NoteProblem.UNKNOWN_PAYMENT


def test_a_full_disk_notes_nothing(frail: Rig, memory: MemoryJournal) -> None:
    """Nor does it give or withdraw; the number is given when it is written."""
    paid = frail.pay()
    made = note(frail, paid, Decimal("5.00"))
    memory.full = True
    for refused in (
        wish(paid, Decimal("1.00")),
        GiveNote(request_id="g", number=made.number),
        WithdrawNote(request_id="w", number=made.number, reason="by mistake"),
    ):
        frail.tell(refused)
        assert frail.last(NoteAnswered).problem is NoteProblem.CANNOT_RECORD
    memory.full = False
    frail.wait(2)
    assert numbers(frail.terminal.notes) == [1]
    assert note(frail, paid, Decimal("1.00")).number == 2


def test_an_unreadable_journal_notes_nothing(frail: Rig, memory: MemoryJournal) -> None:
    """How much is left cannot be said."""
    paid = frail.pay()
    note(frail, paid, Decimal("5.00"))
    memory.unreadable = True
    frail.tell(wish(paid, Decimal("1.00")))
    assert frail.last(NoteAnswered).problem is NoteProblem.CANNOT_READ
    frail.tell(GiveNote(request_id="g", number=7))
    assert frail.last(NoteAnswered).problem is NoteProblem.CANNOT_READ
    frail.tell(ReadNotes(request_id="r", attempt_id=paid))
    assert frail.last(NotesRead).problem is NoteProblem.CANNOT_READ


def test_a_note_is_given_once_and_then_is_on_no_list(rig: Rig, journal: JournalStore) -> None:
    """Nothing leads back, and it cannot be withdrawn behind the customer's signature."""
    made = note(rig, rig.pay())
    rig.tell(GiveNote(request_id="g", number=made.number))
    answer = rig.last(NoteAnswered)
    assert answer.note is not None
    assert answer.note.state is NoteState.GIVEN
    assert rig.terminal.notes == ()
    for late in (
        GiveNote(request_id="g2", number=1),
        WithdrawNote(request_id="w", number=1, reason="mistake"),
    ):
        rig.tell(late)
        assert rig.last(NoteAnswered).problem is NoteProblem.NOT_OPEN
    assert len(told(journal, REFUND_GIVEN)) == 1


def test_a_withdrawal_has_a_reason(rig: Rig, journal: JournalStore) -> None:
    """And a number that is there."""
    note(rig, rig.pay())
    rig.tell(WithdrawNote(request_id="w", number=1, reason=" \u202e "))
    assert rig.last(NoteAnswered).problem is NoteProblem.NO_REASON
    rig.tell(WithdrawNote(request_id="w", number=9, reason="by mistake"))
    assert rig.last(NoteAnswered).problem is NoteProblem.NO_SUCH_NOTE
    rig.tell(WithdrawNote(request_id="w", number=1, reason="by\nmistake"))
    (gone,) = told(journal, REFUND_WITHDRAWN)
    assert gone.content["note"]["ended_why"] == "by mistake"


def test_a_payments_notes_are_read_with_what_is_left(rig: Rig) -> None:
    """For whoever looks at it."""
    paid = rig.pay()
    note(rig, paid, Decimal("5.00"))
    rig.tell(ReadNotes(request_id="r", attempt_id=paid))
    read = rig.last(NotesRead)
    assert (numbers(read.notes), read.room) == ([1], Decimal("7.50"))
    rig.tell(ReadNotes(request_id="r", attempt_id="SBX-no-such"))
    assert rig.last(NotesRead).problem is NoteProblem.UNKNOWN_PAYMENT


def test_a_note_is_found_by_its_number_and_told_in_the_list(rig: Rig) -> None:
    """As it stands on its slip; a number that no note has is looked for as any text."""
    paid = rig.pay()
    note(rig, paid, Decimal("5.00"))
    rig.tell(FindPayments(request_id="f", sought=Sought(text="n-0001")))
    found = rig.last(PaymentsFound)
    assert [each.attempt_id for each in found.found] == [paid]
    assert found.noted == {paid: Decimal("5.00")}
    rig.tell(FindPayments(request_id="f", sought=Sought(text="N-0009")))
    assert rig.last(PaymentsFound).found == ()


# Who may


def test_a_cashier_alone_notes_nothing() -> None:
    """Not of their own payment either."""
    on = stand(Act.REPRINT, Standing.OWNER)
    on.rig.tell(wish(on.about, who=OWNER))
    refused = on.rig.last(StaffAnswered)
    assert (refused.request_id, refused.problem) == ("n", StaffProblem.NOT_ALLOWED)
    assert told(on.journal, REFUND_NOTED) == []


def test_a_manager_beside_the_cashier_signs_and_both_are_written_down() -> None:
    """Whatever the wish claims of who stands there."""
    on = stand(Act.REPRINT, Standing.OWNER)
    approve(on.rig, wish(on.about, who=OWNER, name="Somebody", beside="person-9"), MANAGER, PASSCODE)
    (written,) = told(on.journal, REFUND_NOTED)
    made = on.rig.terminal.notes[0]
    assert (written.actor, made.by, made.beside, made.own) == (MANAGER, MANAGER, OWNER, False)
    assert made.name != "Somebody"
    assert [each.subject for each in told(on.journal, "APPROVED")] == [on.about]


def test_a_manager_alone_is_marked_only_where_the_payment_is_their_own() -> None:
    """Who claims to stand beside does not."""
    on = stand(Act.REPRINT, Standing.MANAGER)
    on.rig.tell(wish(on.about, Decimal("5.00"), beside=OTHER))
    attempt = on.rig.attempt(on.about)
    on.journal.append([on.rig.record("NOTED", on.about, MANAGER, attempt=replace(attempt, owner=MANAGER))])
    on.rig.restart(off_s=900)
    signed_in(on.rig, MANAGER)
    on.rig.tell(wish(on.about, Decimal("5.00"), beside=OTHER))
    assert [(each.own, each.beside) for each in on.rig.terminal.notes] == [(False, ""), (True, "")]


def test_who_gives_and_who_withdraws_is_written_with_the_approval() -> None:
    """Of the note, which is no payment."""
    on = stand(Act.WITHDRAW_REFUND, Standing.OWNER)
    command = DEEDS[Act.WITHDRAW_REFUND].command(on.about, OWNER)
    approve(on.rig, command, MANAGER, PASSCODE)
    assert [each.subject for each in told(on.journal, "APPROVED")] == ["note:1"]
    assert [each.actor for each in told(on.journal, REFUND_WITHDRAWN)] == [MANAGER]


def test_another_counters_notes_are_a_managers() -> None:
    """As its payments are."""
    for standing, problem in (
        (Standing.OWNER, NoteProblem.UNKNOWN_PAYMENT),
        (Standing.MANAGER, NoteProblem.NONE),
    ):
        on = stand(Act.REPRINT, standing)
        moved = replace(on.rig.attempt(on.about), counter_id=9)
        on.journal.append([on.rig.record("NOTED", on.about, OWNER, attempt=moved)])
        on.rig.restart(off_s=900)
        signed_in(on.rig, on.who)
        on.rig.tell(ReadNotes(request_id="r", attempt_id=on.about))
        assert on.rig.last(NotesRead).problem is problem


# Late payments, and sales paid twice


def test_money_back_for_a_late_payment_makes_a_note_of_all_of_it(rig: Rig, journal: JournalStore) -> None:
    """In the transaction of the answer; the payment stays PAID_LATE."""
    late = reach(rig, State.PAID_LATE)
    rig.tell(Answer(late, "refund", "Nimali", "left already", "", NoteWay.TRANSFER, "Kamala 0771234567"))
    (made,) = rig.terminal.notes
    assert (made.amount, made.reason, made.way) == (AMOUNT, NoteReason.LATE, NoteWay.TRANSFER)
    assert (made.text, made.receiver, made.name) == ("left already", "Kamala …567", "Nimali")
    assert rig.attempt(late).state is State.PAID_LATE
    kinds = acts(journal)
    assert kinds.index(REFUND_NOTED) == kinds.index("ANSWER") + 1
    assert "0771234567" not in str(told(journal, "ANSWER")[0].content)
    rig.tell(Answer(late, "refund", "Nimali", "once more"))
    assert len(told(journal, REFUND_NOTED)) == 1


def test_the_goods_make_no_note(rig: Rig, journal: JournalStore) -> None:
    late = reach(rig, State.PAID_LATE)
    rig.tell(Answer(late, "complete", "Nimali", "has the goods"))
    assert told(journal, REFUND_NOTED) == []


def test_what_was_noted_before_the_answer_is_not_noted_again(rig: Rig) -> None:
    """Only what is left; of nothing, nothing."""
    late = reach(rig, State.PAID_LATE)
    note(rig, late, Decimal("5.00"))
    rig.tell(Answer(late, "refund", "Nimali", "left already"))
    assert [each.amount for each in rig.terminal.notes] == [Decimal("5.00"), Decimal("7.50")]
    other = Rig(MemoryJournal()).start()
    again = reach(other, State.PAID_LATE)
    note(other, again)
    other.tell(Answer(again, "refund", "Nimali", "left already"))
    assert numbers(other.terminal.notes) == [1]


def test_an_answer_that_the_disk_does_not_take_keeps_its_note_for_later(
    frail: Rig, memory: MemoryJournal
) -> None:
    """Both are written when it does, and no more is noted meanwhile."""
    late = reach(frail, State.PAID_LATE)
    memory.full = True
    frail.tell(Answer(late, "refund", "Nimali", "left already"))
    assert numbers(frail.terminal.notes) == [1]
    frail.tell(ReadNotes(request_id="r", attempt_id=late))
    assert frail.last(NotesRead).room == 0
    memory.full = False
    frail.wait(2)
    assert len(told(memory, REFUND_NOTED)) == 1
    assert numbers(frail.terminal.notes) == [1]


def test_an_answer_while_nothing_can_be_read_stands_without_a_note(frail: Rig, memory: MemoryJournal) -> None:
    """As those of before there were notes: a person notes it when it can be read."""
    late = reach(frail, State.PAID_LATE)
    memory.unreadable = True
    frail.tell(Answer(late, "refund", "Nimali", "left already"))
    memory.unreadable = False
    assert told(memory, REFUND_NOTED) == []
    assert is_before_notes(frail.attempt(late), memory.notes_of(late))
    assert note(frail, late).number == 1


def test_an_amount_that_no_sum_holds_is_in_no_note(rig: Rig, journal: JournalStore) -> None:
    """The answer stands."""
    late = reach(rig, State.PAID_LATE)
    odd = replace(rig.attempt(late), currency="XXX")
    journal.append([rig.record("NOTED", late, "terminal", attempt=odd)])
    rig.restart()
    rig.tell(Answer(late, "refund", "Nimali", "left already"))
    assert told(journal, REFUND_NOTED) == []
    assert not rig.attempt(late).needs_answer


def test_a_manager_who_signs_for_a_sale_paid_twice_makes_its_note(rig: Rig, journal: JournalStore) -> None:
    """Of one of the two payments (rule 9), beside the signature."""
    sale = DEEDS[Act.SIGN_REFUND].prepare(rig)
    rig.sign_in()
    rig.tell(SignRefund(sale, "", "two taps", way=NoteWay.SHOP_CREDIT))
    (made,) = rig.terminal.notes
    assert (made.amount, made.reason, made.way) == (AMOUNT, NoteReason.PAID_TWICE, NoteWay.SHOP_CREDIT)
    assert rig.attempt(made.attempt_id).state is State.PAID_LATE
    kinds = acts(journal)
    assert kinds.index(REFUND_NOTED) == kinds.index("REFUND_SIGNED") + 1


def test_a_sale_whose_late_payment_goes_back_is_not_noted_twice(rig: Rig, journal: JournalStore) -> None:
    """The customer gets one payment back, whoever signs for what."""
    sale = DEEDS[Act.SIGN_REFUND].prepare(rig)
    rig.sign_in()
    (late,) = rig.terminal.attention
    rig.tell(Answer(late.attempt_id, "refund", "", "two taps"))
    rig.tell(SignRefund(sale, "", "two taps"))
    assert len(told(journal, REFUND_NOTED)) == 1
    assert rig.terminal.overpaid == ()


def test_of_a_sale_that_nobody_knows_nothing_is_noted(rig: Rig, journal: JournalStore) -> None:
    rig.sign_in()
    rig.tell(SignRefund("0099", "", "two taps"))
    assert told(journal, REFUND_NOTED) == []


# Paper


def test_its_slips_are_asked_for_with_it_one_to_sign(printing: Rig, journal: JournalStore) -> None:
    """In one transaction; printed once more each is a copy."""
    paid = printing.pay()
    note(printing, paid, Decimal("5.00"))
    jobs = [job for job in journal.open_print_jobs(9) if job.about == "1"]
    assert [job.paper for job in jobs] == [PaperKind.SLIP, PaperKind.SHOP_SLIP]
    assert len({job.number for job in journal.open_print_jobs(9)}) == len(journal.open_print_jobs(9))
    printing.tell(PrintPaper(request_id="p", paper=PaperKind.SLIP, about="9"))
    assert printing.last(PrintAnswered).problem is PrintProblem.NO_RECEIPT
    printing.tell(PrintPaper(request_id="p", paper=PaperKind.SLIP, about="x"))
    assert printing.last(PrintAnswered).problem is PrintProblem.NO_RECEIPT


def test_where_nothing_prints_no_slip_waits(rig: Rig, journal: JournalStore) -> None:
    """It can be printed by hand when there is a printer."""
    note(rig, rig.pay())
    assert journal.open_print_jobs(9) == []


# The day


def test_takings_stay_gross_and_notes_have_their_own_block(rig: Rig) -> None:
    """On X and Z; what is open is on each Z until it is given."""
    paid = rig.pay()
    note(rig, paid, Decimal("5.00"))
    rig.tell(ReadX(request_id="x"))
    x = rig.last(XRead).report
    assert x is not None
    assert totals(x.entries, "LKR").taken == Tally(1, 1_250)
    assert x.noted == {"LKR": NoteSums(made=Tally(1, 500), open=Tally(1, 500))}
    assert x.noted["LKR"].after(1_250) == 750
    rig.tell(CloseDay(request_id="c1", wait_s=0))
    z = rig.last(DayClosed).z
    assert z is not None
    assert z.grand == {"LKR": Grand(taken=1_250, noted=500)}
    rig.tell(CloseDay(request_id="c2", wait_s=0))
    second = rig.last(DayClosed).z
    assert second is not None
    assert numbers(second.notes) == [1]
    assert second.noted == {"LKR": NoteSums(open=Tally(1, 500))}
    assert second.grand == z.grand
    rig.tell(WithdrawNote(request_id="w", number=1, reason="by mistake"))
    rig.tell(CloseDay(request_id="c3", wait_s=0))
    third = rig.last(DayClosed).z
    assert third is not None
    assert third.noted["LKR"].withdrawn == Tally(1, 500)
    assert third.grand == z.grand


def test_a_cashiers_own_x_has_the_notes_of_their_payments_alone() -> None:
    """And no sums."""
    on = stand(Act.GIVE_REFUND, Standing.OWNER)
    on.rig.tell(ReadX(request_id="x", whose=OWNER))
    own = on.rig.last(XRead).report
    assert own is not None
    assert (numbers(own.notes), own.noted) == ([1], {})
    other = stand(Act.GIVE_REFUND, Standing.NOT_OWNER)
    other.rig.tell(ReadX(request_id="x", whose=OTHER))
    read = other.rig.last(XRead).report
    assert read is not None
    assert read.notes == ()
