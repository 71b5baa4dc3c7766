"""The disk refuses (docs/failure-model.md, behaviour H): nothing is sent that is not durable, asking goes on."""

import msgspec

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Cancel, CheckNow, Continue, EnrolFirst, SendOtp, SubmitOtp
from pos_app.domain.ids import sale_and_number
from pos_app.domain.replies import CancelAccepted
from pos_app.domain.views import AttemptChanged, Block, Decline, Published, Terminal
from tests.support.memory_journal import MemoryJournal
from tests.unit.domain.flow.story import NEVER_LEFT, NOT_FOUND, TIME_OUT
from tests.unit.engine.rig import AMOUNT, NUMBER, Rig


def full(rig: Rig, full: bool = True) -> None:
    """The disk fills up, or is emptied."""
    assert isinstance(rig.journal, MemoryJournal)
    rig.journal.full = full


def unreadable(rig: Rig, unreadable: bool = True) -> None:
    """The file cannot be read, or can again."""
    assert isinstance(rig.journal, MemoryJournal)
    rig.journal.unreadable = unreadable


def has_code(shown: Published) -> bool:
    """Whether a picture holds what a customer can scan."""
    if isinstance(shown, AttemptChanged):
        return bool(shown.attempt.qr_text)
    return isinstance(shown, Terminal) and any(each.qr_text for each in (*shown.open, *shown.recent))


def test_no_intent_no_payment(frail: Rig) -> None:
    """J0: nothing is written, nothing is sent, nothing is sold until the disk takes something again."""
    full(frail)
    assert not frail.charge()
    assert frail.why() is Decline.NOT_DURABLE
    assert (frail.terminal.block, frail.terminal.block_detail) == (Block.JOURNAL_HALTED, "disk full")
    assert "initiate" not in frail.names()
    full(frail, False)
    frail.wait(1)
    assert (frail.terminal.block, frail.terminal.block_detail) == (Block.NONE, "")
    assert sale_and_number(frail.charge()) == ("0001", 1)


def test_an_observation_that_cannot_be_written_is_shown_and_tried_each_second(frail: Rig) -> None:
    """J1: the outcome stays on the screen; later it lies in the journal in order."""
    attempt_id = frail.charge()
    frail.initiated()
    frail.wait(3)
    full(frail)
    frail.asked("Payment Success")
    assert frail.state(attempt_id) is State.PAID
    assert frail.block() is Block.JOURNAL_HALTED
    assert not frail.charge(amount=AMOUNT + 1)
    frail.wait(5)
    written = frail.journal.attempt(attempt_id)
    assert written is not None
    assert written.state is State.WAITING
    full(frail, False)
    frail.wait(1)
    assert frail.block() is Block.NONE
    written = frail.journal.attempt(attempt_id)
    assert written is not None
    assert written.state is State.PAID
    assert frail.charge(amount=AMOUNT + 1)


def test_a_code_that_cannot_be_written_is_shown_to_nobody_until_it_is(frail: Rig) -> None:
    """Rule 10: after a restart its payment would be one that nobody can have scanned here."""

    attempt_id = frail.charge()
    full(frail)
    frail.initiated()
    frail.wait(3)
    frail.asked("Merchant Initiated")
    assert frail.state(attempt_id) is State.WAITING
    assert frail.block() is Block.JOURNAL_HALTED
    assert [each for each in frail.shown if has_code(each)] == []
    full(frail, False)
    frail.wait(1)
    assert frail.attempt(attempt_id).qr_showable
    assert has_code(frail.terminal)


def test_a_code_that_is_written_stays_while_nothing_more_can_be(frail: Rig) -> None:
    """Whoever has it before them may pay: the journal knows that it came."""
    attempt_id = frail.charge()
    frail.initiated()
    full(frail)
    frail.wait(3)
    frail.asked("Verification Success")
    assert frail.block() is Block.JOURNAL_HALTED
    assert frail.attempt(attempt_id).qr_showable
    assert has_code(frail.terminal)


def test_open_payments_are_asked_about_while_nothing_can_be_written(frail: Rig) -> None:
    """W."""
    frail.charge()
    frail.initiated()
    full(frail)
    for _ in range(5):
        frail.wait(4)
        frail.asked("Merchant Initiated")


def test_no_durable_wish_no_cancel(frail: Rig) -> None:
    """Cancel needs its row first; it goes out when the disk takes the row."""
    attempt_id = frail.charge()
    frail.initiated()
    full(frail)
    frail.tell(Cancel(attempt_id, "person-1"))
    assert "cancel" not in frail.names()
    assert frail.attempt(attempt_id).cancel_wish is not None
    frail.asked("Merchant Initiated")
    frail.wait(6)
    frail.asked("Merchant Initiated")
    assert "cancel" not in frail.names()
    full(frail, False)
    frail.wait(8)
    frail.asked("Merchant Initiated")
    assert "cancel" in frail.names()
    frail.cancelled(CancelAccepted())


def test_no_durable_count_no_re_send(frail: Rig) -> None:
    """A re-send that cannot be counted is not made."""
    frail.charge(Kind.PUSH)
    frail.initiated(TIME_OUT)
    frail.wait(0)
    frail.asked(NOT_FOUND)
    full(frail)
    frail.wait(3)
    frail.asked(NOT_FOUND)
    assert "re-send" not in frail.names()


def test_what_was_not_sent_for_want_of_disk_says_nothing_about_the_line(frail: Rig) -> None:
    """The connection shown stays what the service made of it."""
    frail.charge(Kind.PUSH)
    frail.initiated(NEVER_LEFT)
    frail.wait(0.5)
    frail.probed(NOT_FOUND)
    before = frail.terminal.connection
    full(frail)
    assert not frail.charge(Kind.PUSH, amount=AMOUNT + 1, wallet_number="+94771234568")
    frail.wait(10)
    assert frail.connection() is before
    assert "initiate" not in frail.names()


def test_a_full_disk_kills_no_sms_budget(frail: Rig) -> None:
    """A code that cannot be counted is not sent."""
    frail.sign_in()
    frail.wait(60)
    full(frail)
    frail.tell(SendOtp("person-1"))
    assert "send otp" not in frail.names()
    assert frail.dialog.problem == "cannot_record"


def test_a_kill_while_nothing_could_be_written_is_recovered_by_asking(frail: Rig) -> None:
    """The intent is durable; the service still knows."""
    attempt_id = frail.charge()
    frail.initiated()
    full(frail)
    frail.wait(3)
    frail.asked("Payment Success")
    full(frail, False)
    frail.restart()
    frail.asked("Payment Success")
    written = frail.journal.attempt(attempt_id)
    assert written is not None
    assert written.state is State.PAID


def test_an_unreadable_journal_stops_selling_but_no_asking(frail: Rig) -> None:
    """Rule 5 is not decided on half of a sale; what is in hand goes on to its end."""
    attempt_id = frail.charge()
    frail.initiated()
    unreadable(frail)
    assert not frail.charge(amount=AMOUNT + 1)
    assert frail.why() is Decline.NOT_DURABLE
    frail.wait(3)
    frail.asked("Payment Success")
    assert frail.state(attempt_id) is State.PAID
    assert frail.last(AttemptChanged).sale.sale_id == "0001"
    frail.tell(CheckNow("unknown"))
    unreadable(frail, False)
    frail.wait(1)
    assert frail.charge(amount=AMOUNT + 1)


def test_a_journal_that_cannot_be_read_at_start_is_tried_each_second(frail: Rig) -> None:
    """Then everything is taken up as ever."""
    attempt_id = frail.charge()
    frail.initiated()
    unreadable(frail)
    frail.clock.ms += 1_000
    unreadable(frail, False)
    assert isinstance(frail.journal, MemoryJournal)
    journal = frail.journal
    again = Rig(journal)
    again.clock.ms = frail.clock.ms
    journal.unreadable = True
    again.start()
    assert again.block() is Block.JOURNAL_HALTED
    again.tell(EnrolFirst("A stranger", "+94771234568"))
    assert again.names() == [], "nobody is the first while the list cannot be read"
    again.wait(3)
    assert not again.charge()
    journal.unreadable = False
    again.wait(1)
    again.asked("Payment Success")
    assert again.state(attempt_id) is State.PAID
    assert again.block() is Block.NONE


def test_the_bytes_of_a_re_send_that_cannot_be_read_are_not_made_up(frail: Rig) -> None:
    """After a restart they lie in the journal alone."""
    attempt_id = frail.charge(Kind.PUSH)
    frail.restart(off_s=5)
    frail.asked(NOT_FOUND)
    unreadable(frail)
    frail.tell(Continue(attempt_id, "person-1"))
    assert "re-send" not in frail.names()
    assert frail.state(attempt_id) is State.IN_DOUBT


def test_no_session_that_cannot_be_recorded(frail: Rig) -> None:
    """The code was right; the till says why nobody is signed in."""
    frail.tell(EnrolFirst("Nimali", NUMBER))
    frail.otp_sent()
    frail.tell(SubmitOtp("person-1", "123456"))
    full(frail)
    frail.otp_submitted()
    assert frail.dialog.problem == "cannot_record"
    assert frail.terminal.signed_in is None
    assert not frail.journal.people()


def test_no_code_while_the_sends_cannot_be_counted(frail: Rig) -> None:
    """Neither up nor down."""
    frail.tell(EnrolFirst("Nimali", NUMBER))
    frail.otp_sent()
    frail.wait(31)
    unreadable(frail)
    frail.tell(SendOtp("person-1"))
    assert frail.dialog.problem == "cannot_record"
    assert "send otp" not in frail.names()


def test_a_later_attempt_releases_an_earlier_one_that_no_end_has_released(frail: Rig) -> None:
    """Words: whatever wrote it, in the same transaction as the later intent."""
    assert isinstance(frail.journal, MemoryJournal)
    first = frail.charge()
    frail.initiated()
    frail.wait(3)
    frail.asked("Customer Reject")
    written = frail.attempt(first)
    old = msgspec.structs.replace(written, released_at=None)
    frail.journal.append([msgspec.structs.replace(frail.journal.records[-1], attempt=old)])
    frail.restart(off_s=10_000)
    assert frail.charge(sale_id="0001")
    now_written = frail.journal.attempt(first)
    assert now_written is not None
    assert now_written.released_at == frail.clock.ms
    assert [record.kind for record in frail.journal.records[-2:]] == ["ANOTHER_STARTED", "INTENT"]


def test_open_payments_are_asked_about_at_once_when_the_disk_takes_something_again(frail: Rig) -> None:
    """A cancel that could not be made durable for a quarter of an hour does not wait for the next slow ask."""
    attempt_id = frail.charge()
    frail.initiated()
    frail.tell(Cancel(attempt_id, "person-1"))
    frail.cancelled(TIME_OUT)
    full(frail)
    for _ in range(200):
        frail.wait(5)
        while "ask" in frail.names():
            frail.asked("Merchant Initiated")
        frail.calls.made.clear()
    full(frail, False)
    frail.wait(2)
    assert "ask" in frail.names()


def test_the_till_sells_again_as_soon_as_anything_could_be_recorded(frail: Rig) -> None:
    """A code's count wrote what the disk had refused; the window kept saying that nothing can be recorded."""
    frail.tell(EnrolFirst("Nimali", NUMBER))
    frail.otp_sent()
    frail.wait(31)
    full(frail)
    frail.tell(SendOtp("person-1"))
    frail.charge()
    assert frail.terminal.block is Block.JOURNAL_HALTED
    full(frail, False)
    frail.tell(SendOtp("person-1"))
    assert frail.last(Terminal).block is Block.NONE
