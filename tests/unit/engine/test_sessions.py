"""Who is at the till: sessions of twelve real hours, locks that wait for a customer, and what a kill leaves."""

from __future__ import annotations

import msgspec
import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Park, SendOtp, SignOut, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.passcode import PasscodeProblem, subject_of
from pos_app.domain.replies import OtpVerified
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode, EnterPasscode, Lock
from pos_app.domain.views import SignInStep
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import PASSCODE, REF
from tests.unit.engine.staff_steps import KAMALA, NIMALI, NUMBERS, RUWAN, SIGNED, Staffed, three

P, S = PasscodeProblem, SignInStep
HOUR = 3_600
SESSION = SIGNED.session_ms / 1000


@pytest.fixture
def till(journal: JournalStore) -> Staffed:
    """A manager and two cashiers, all in their sessions; the manager is at it."""
    return three(journal)


def charged(till: Staffed, person_id: str) -> str:
    """A push that waits for its customer."""
    attempt_id = till.rig.charge(Kind.PUSH, who=person_id)
    till.rig.initiated()
    assert till.rig.state(attempt_id) is State.WAITING
    return attempt_id


def reboot(till: Staffed, hours: float) -> None:
    """The machine was off for so long."""
    clock = till.rig.clock
    clock.ms += int(hours * HOUR * 1000)
    clock.boot, clock.booted = f"boot at {clock.ms}", clock.ms
    till.kill()


def test_twelve_hours_after_the_code_the_session_is_over(till: Staffed) -> None:
    """By itself, with a word in the journal; then a code is needed."""
    till.rig.wait(SESSION - 60)
    assert till.here == NIMALI
    till.rig.wait(61)
    assert (till.here, till.sessions) == ("", ())
    over = till.rig.journal.events_of(NIMALI)[-1]
    assert (over.kind, over.content["why"]) == ("SIGNED_OUT", "session over")
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)
    till.by_sms(NIMALI)
    assert till.here == NIMALI


def test_nothing_is_done_for_whose_session_ended_while_the_machine_slept(till: Staffed) -> None:
    """The loop waits by a clock that stands still meanwhile, and is woken by what they want."""
    till.rig.clock.ms += int((SESSION + 60) * 1000)
    assert till.rig.charge(Kind.QR, who=NIMALI) == ""
    assert till.here == ""


def test_a_passcode_does_not_lengthen_a_session(till: Staffed) -> None:
    """Only a code begins one."""
    till.rig.wait(SESSION - HOUR)
    till.types(KAMALA)
    assert till.here == KAMALA
    till.rig.wait(HOUR + 1)
    assert till.here == ""


def test_whoever_is_signing_in_then_goes_on_with_it(till: Staffed) -> None:
    """The code that is out for the next one still opens their session."""
    till.rig.wait(SESSION - 60)
    till.rig.tell(SendOtp(KAMALA))
    till.rig.otp_sent()
    till.rig.wait(61)
    assert till.here == ""
    assert till.seen == (S.CODE_SENT, "")
    till.rig.tell(SubmitOtp(KAMALA, "123456"))
    till.rig.otp_submitted(OtpVerified(REF, NUMBERS[KAMALA][1:]))
    assert till.here == KAMALA


def a_code_is_looked_at(till: Staffed, person_id: str) -> None:
    """They have typed it; the service has not answered yet."""
    till.rig.tell(SendOtp(person_id))
    till.rig.otp_sent()
    till.rig.tell(SubmitOtp(person_id, "123456"))
    assert till.seen == (S.CHECKING, "")


def it_was_right(till: Staffed, person_id: str) -> None:
    """The service's word on it."""
    till.rig.otp_submitted(OtpVerified(REF, NUMBERS[person_id][1:]))


@pytest.mark.parametrize("reset", [False, True], ids=["has a passcode", "has yet to choose one"])
def test_a_code_lets_nobody_in_once_somebody_else_has_the_till(till: Staffed, reset: bool) -> None:
    """They would act as, or choose the passcode of, whoever typed it and has gone."""
    if reset:
        till.change(KAMALA, reset_passcode=True)
    till.rig.tell(Lock())
    till.rig.wait(16 * 60)
    set_before = till.kinds(subject_of(KAMALA)).count("PASSCODE_SET")
    a_code_is_looked_at(till, KAMALA)
    till.types(RUWAN)
    it_was_right(till, KAMALA)
    assert (till.here, till.locked) == (RUWAN, False)
    assert till.seen == (S.REFUSED, OtpProblem.CODE_EXPIRED)
    till.choose(Secret("836194"))
    assert till.here == RUWAN
    assert till.kinds(subject_of(RUWAN))[-1] == "PASSCODE_SET"
    assert till.kinds(subject_of(KAMALA)).count("PASSCODE_SET") == set_before
    till.rig.tell(Lock())
    till.rig.wait(30)
    till.rig.tell(SendOtp(KAMALA))
    till.proves(KAMALA)
    assert till.seen == ((S.CHOOSE_PASSCODE if reset else S.SIGNED_IN), "")


def test_a_code_opens_no_till_that_was_locked_meanwhile(till: Staffed) -> None:
    """Whoever typed it may have been the one who left."""
    till.rig.wait(16 * 60)
    a_code_is_looked_at(till, KAMALA)
    till.rig.tell(Lock())
    it_was_right(till, KAMALA)
    assert (till.here, till.locked) == (NIMALI, True)
    assert till.seen == (S.REFUSED, OtpProblem.CODE_EXPIRED)


def test_a_session_that_ends_beside_a_code_or_a_choice_takes_nothing_from_it(till: Staffed) -> None:
    """Nobody has come to the till, and nobody has locked it."""
    till.change(KAMALA, reset_passcode=True)
    till.rig.tell(Lock())
    till.rig.wait(SESSION - 60)
    a_code_is_looked_at(till, KAMALA)
    till.rig.wait(61)
    assert till.here == ""
    it_was_right(till, KAMALA)
    assert till.seen == (S.CHOOSE_PASSCODE, "")
    till.choose(Secret("836194"))
    assert till.here == KAMALA


def test_a_session_that_ends_while_a_first_passcode_is_made_does_not_undo_it(till: Staffed) -> None:
    """It would take another code by SMS."""
    till.change(KAMALA, reset_passcode=True)
    till.rig.tell(Lock())
    till.rig.wait(SESSION - 60)
    a_code_is_looked_at(till, KAMALA)
    it_was_right(till, KAMALA)
    till.rig.tell(ChoosePasscode(Secret("836194")))
    till.rig.wait(61)
    assert till.here == ""
    till.rig.passcode_hashed()
    assert (till.seen, till.here) == ((S.SIGNED_IN, ""), KAMALA)


def test_while_a_first_passcode_is_chosen_nobody_is_at_an_open_till(till: Staffed) -> None:
    """What is chosen says not whose it is; whoever was there gives theirs, and ends the choice."""
    till.change(KAMALA, reset_passcode=True)
    till.rig.wait(16 * 60)
    a_code_is_looked_at(till, KAMALA)
    it_was_right(till, KAMALA)
    assert till.seen == (S.CHOOSE_PASSCODE, "")
    assert (till.here, till.locked) == (NIMALI, True)
    till.types(NIMALI)
    till.choose(Secret("836194"))
    assert till.kinds(subject_of(NIMALI))[-1] == "PASSCODE_SET"
    assert not till.person(KAMALA).passcode_set


def test_a_session_does_not_end_while_a_customer_pays(till: Staffed) -> None:
    """It ends behind the payment."""
    till.rig.wait(SESSION - 60)
    attempt_id = charged(till, NIMALI)
    for _ in range(40):
        till.rig.wait(2)
        if "ask" in till.rig.names():
            till.rig.asked("Merchant Initiated")
    assert till.here == NIMALI
    till.rig.wait(60)
    till.rig.asked("Payment Success")
    assert till.rig.state(attempt_id) is State.PAID
    till.rig.wait(1)
    assert till.here == ""


def test_an_idle_till_does_not_lock_while_a_customer_pays(till: Staffed) -> None:
    """By hand it does; and of a payment that was put aside, or is another's, nobody waits for the result."""
    attempt_id = charged(till, NIMALI)
    till.rig.tell(Lock(idle=True))
    assert (till.here, till.locked) == (NIMALI, False)
    till.rig.tell(Park(attempt_id, NIMALI))
    till.rig.tell(Lock(idle=True))
    assert till.locked
    till.types(NIMALI)
    till.rig.tell(Lock())
    assert till.locked


def test_anothers_payment_keeps_no_till_open(till: Staffed) -> None:
    """Its cashier has switched away from it."""
    charged(till, NIMALI)
    till.types(KAMALA)
    till.rig.tell(Lock(idle=True))
    assert (till.here, till.locked) == (KAMALA, True)


def test_behind_the_lock_payments_run_on(till: Staffed) -> None:
    """The result is there when they are back."""
    attempt_id = charged(till, NIMALI)
    till.rig.tell(Lock())
    till.rig.wait(3)
    till.rig.asked("Payment Success")
    assert (till.rig.state(attempt_id), till.locked) == (State.PAID, True)


def test_leaving_ends_the_session(till: Staffed) -> None:
    """Behind a lock too; the others' go on."""
    till.rig.tell(Lock())
    till.rig.tell(SignOut())
    assert (till.here, till.locked, till.sessions) == ("", False, (KAMALA, RUWAN))
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)


def test_after_a_kill_nobody_is_signed_in_and_a_passcode_is_enough(till: Staffed) -> None:
    """Within the same twelve hours; who had left has left."""
    till.types(KAMALA)
    till.rig.tell(SignOut())
    till.kill()
    assert (till.here, till.sessions) == ("", (NIMALI, RUWAN))
    till.types(NIMALI)
    assert till.here == NIMALI
    till.kill()
    till.rig.wait(SESSION)
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)


def test_over_a_reboot_only_the_services_time_proves_a_session(till: Staffed) -> None:
    """What no clock proves is over, until a reply has told the time."""
    reboot(till, 1)
    assert list(till.sessions) == []
    till.rig.clock.service_told = True
    till.by_sms(KAMALA)
    reboot(till, 1)
    assert list(till.sessions) == [KAMALA]
    till.types(KAMALA)
    assert till.here == KAMALA
    reboot(till, 11)
    assert list(till.sessions) == []


@pytest.mark.parametrize("days", [-400, -1, 400])
def test_a_set_clock_lengthens_no_session(till: Staffed, days: int) -> None:
    """Neither back nor forth."""
    clock = till.rig.clock
    till.rig.wait(SESSION - HOUR)
    clock.ms += days * 86_400_000
    clock.booted += days * 86_400_000
    till.kill()
    assert NIMALI in till.sessions
    till.types(NIMALI)
    till.rig.wait(HOUR + 1)
    assert (till.here, till.sessions) == ("", ())


def test_with_a_managers_leave_the_passcode_signs_in_without_a_session(till: Staffed) -> None:
    """A session it does not begin; and it ends like one."""
    till.change(KAMALA, passcode_signs_in=True)
    till.rig.wait(SESSION + 1)
    assert till.sessions == (KAMALA,)
    till.types(KAMALA)
    assert till.here == KAMALA
    till.rig.tell(Lock())
    till.types(KAMALA)
    assert (till.here, till.locked) == (KAMALA, False)
    till.rig.wait(SESSION + 1)
    assert till.here == ""


def test_a_lock_with_nobody_there_is_none() -> None:
    """And one lock is enough."""
    till = three(MemoryJournal())
    before = till.kinds(NIMALI).count("LOCKED")
    till.rig.tell(Lock())
    till.rig.tell(Lock(idle=True))
    assert till.kinds(NIMALI).count("LOCKED") == before + 1
    till.rig.tell(SignOut())
    till.rig.tell(Lock())
    assert not till.locked


def test_what_cannot_be_recorded_lets_nobody_in() -> None:
    """The switch must be durable first."""
    journal = MemoryJournal()
    till = three(journal)
    till.rig.tell(SignOut())
    till.rig.wait(16 * 60)
    till.rig.tell(SendOtp(RUWAN))
    till.rig.otp_sent()
    journal.full = True
    till.rig.tell(EnterPasscode(KAMALA, PASSCODE))
    assert till.rig.dialog.problem == P.CANNOT_RECORD
    assert till.here == ""


def test_another_length_of_sessions_holds_at_once() -> None:
    """A shop's own setting."""
    short = msgspec.structs.replace(SIGNED, session_ms=HOUR * 1000)
    till = Staffed(MemoryJournal(), short)
    till.rig.wait(HOUR + 1)
    assert till.here == ""
