"""How many codes leave this terminal, and how long one is good: restarts and double clicks included."""

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import OtpSent
from pos_app.domain.views import SignInStep
from tests.unit.engine.counter_steps import code_sent, seen
from tests.unit.engine.rig import NUMBER, Rig

P = OtpProblem


CODE = SubmitOtp("person-1", "123456")


def test_a_double_click_on_send_sends_one(staffed: Rig) -> None:
    """And one on check checks once."""
    staffed.tell(SendOtp("person-1"))
    staffed.tell(SendOtp("person-1"))
    assert staffed.names() == ["send otp"]
    assert seen(staffed) == (SignInStep.SENDING, "")
    staffed.otp_sent()
    staffed.tell(CODE)
    staffed.tell(CODE)
    assert staffed.names() == ["submit otp"]


def test_a_resend_waits_30_then_60_seconds_and_kills_the_old_code(staffed: Rig) -> None:
    """The countdown tells the truth."""
    code_sent(staffed)
    staffed.wait(29)
    staffed.tell(SendOtp("person-1"))
    assert (staffed.dialog.problem, staffed.dialog.wait_s) == (P.WAIT, 1)
    staffed.wait(1)
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent(OtpSent("e" * 32, NUMBER[1:]))
    assert staffed.dialog.resent
    assert staffed.dialog.resend_in_s == 60
    staffed.tell(CODE)
    assert staffed.take("submit otp")[2] == "e" * 32


def test_a_code_is_good_for_ten_minutes(staffed: Rig) -> None:
    """At the moment it is typed, and at the moment it is answered."""
    code_sent(staffed)
    staffed.wait(601)
    staffed.tell(CODE)
    assert seen(staffed) == (SignInStep.REFUSED, P.CODE_EXPIRED)
    assert staffed.names() == []
    staffed.wait(60)
    code_sent(staffed)
    staffed.wait(595)
    staffed.tell(CODE)
    staffed.wait(10)
    staffed.otp_submitted()
    assert seen(staffed) == (SignInStep.REFUSED, P.CODE_EXPIRED)
    assert staffed.terminal.signed_in is None


def test_three_codes_in_15_minutes_and_a_restart_gives_no_more(staffed: Rig) -> None:
    """Counted durably before each send: also those that were never answered."""
    for wait in (31, 61, 61):
        staffed.tell(SendOtp("person-1"))
        assert staffed.names() == ["send otp"]
        staffed.restart(off_s=wait)
        staffed.calls.made.clear()
    staffed.tell(SendOtp("person-1"))
    assert staffed.dialog.problem == P.TOO_MANY_CODES
    assert staffed.names() == []
    wait_s = staffed.dialog.wait_s
    assert wait_s is not None
    staffed.wait(wait_s)
    staffed.tell(SendOtp("person-1"))
    assert staffed.names() == ["send otp"]


def test_ten_codes_a_day(staffed: Rig) -> None:
    """One was spent on enrolling."""
    for _ in range(9):
        staffed.wait(900)
        staffed.tell(SendOtp("person-1"))
        staffed.otp_sent()
    staffed.wait(900)
    staffed.tell(SendOtp("person-1"))
    assert staffed.dialog.problem == P.DAY_LIMIT


def test_a_reference_does_not_survive_a_restart(staffed: Rig) -> None:
    """Its tries were counted in memory; so it dies with it."""
    code_sent(staffed)
    staffed.restart()
    staffed.calls.made.clear()
    staffed.tell(CODE)
    assert staffed.names() == []


def test_the_ten_minutes_begin_when_the_code_is_asked_for(staffed: Rig) -> None:
    """A slow answer makes no code younger."""
    staffed.tell(SendOtp("person-1"))
    staffed.wait(14)
    staffed.otp_sent()
    staffed.wait(590)
    staffed.tell(CODE)
    assert seen(staffed) == (SignInStep.REFUSED, P.CODE_EXPIRED)
