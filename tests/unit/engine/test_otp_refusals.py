"""Each refusal of the code service, while a code is sent and while one is checked: what is told, what may be done."""

from __future__ import annotations

import pytest

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import OtpRefusal, OtpRefused
from pos_app.domain.views import SignInStep
from tests.unit.engine.counter_steps import code_sent, seen
from tests.unit.engine.rig import Rig

P, R, S = OtpProblem, OtpRefusal, SignInStep
CODE = SubmitOtp("person-1", "123456")

HTTP = {
    R.INVALID_ARGUMENT: (400, P.BAD_REQUEST, P.BAD_REQUEST),
    R.VERIFICATION_EXPIRED: (400, P.BAD_REQUEST, P.CODE_EXPIRED),
    R.VERIFICATION_FAILED: (400, P.BAD_REQUEST, P.TOO_MANY_TRIES),
    R.INVALID_OTP: (400, P.BAD_REQUEST, P.WRONG_CODE),
    R.UNAUTHENTICATED: (401, P.SIGN_IN_REFUSED, P.SIGN_IN_REFUSED),
    R.PERMISSION_DENIED: (403, P.SIGN_IN_REFUSED, P.SIGN_IN_REFUSED),
    R.MAX_OTP_CODES_EXCEEDED: (403, P.TOO_MANY_CODES, P.TOO_MANY_CODES),
    R.PHONE_NUMBER_NOT_ALLOWED: (403, P.NUMBER_NOT_ALLOWED, P.NUMBER_NOT_ALLOWED),
    R.PHONE_NUMBER_BLOCKED: (403, P.NUMBER_BLOCKED, P.NUMBER_BLOCKED),
    R.NOT_FOUND: (404, P.BAD_REQUEST, P.CODE_EXPIRED),
    R.METHOD_NOT_ALLOWED: (405, P.BAD_REQUEST, P.BAD_REQUEST),
    R.NOT_ACCEPTABLE: (406, P.BAD_REQUEST, P.BAD_REQUEST),
    R.UNSUPPORTED_MEDIA_TYPE: (415, P.BAD_REQUEST, P.BAD_REQUEST),
    R.TOO_MANY_REQUESTS: (429, P.SERVICE_BUSY, P.NOT_CHECKED),
    R.INTERNAL: (500, P.SERVICE_DOWN, P.NOT_CHECKED),
    R.UNAVAILABLE: (503, P.SERVICE_DOWN, P.NOT_CHECKED),
    R.TIMEOUT: (504, P.SERVICE_DOWN, P.NOT_CHECKED),
}
ENVELOPE = {
    R.WRONG_PIN: (200, P.BAD_REQUEST, P.WRONG_CODE),
    R.MAX_ATTEMPT_EXCEEDED: (200, P.BAD_REQUEST, P.TOO_MANY_TRIES),
}
ALL = [(refusal, *told) for refusal, told in {**HTTP, **ENVELOPE}.items()]
START_AGAIN = {P.CODE_EXPIRED, P.TOO_MANY_TRIES}


def test_the_table_is_whole() -> None:
    """All 17 of HTTP and both of the envelope; what the service has no name for is an odd request."""
    assert (len(HTTP), len(ENVELOPE)) == (17, 2)
    assert {*HTTP, *ENVELOPE} == {*R} - {R.UNKNOWN}


@pytest.mark.parametrize(("refusal", "status", "told", "_checked"), ALL)
def test_while_a_code_is_sent(
    staffed: Rig, refusal: OtpRefusal, status: int, told: OtpProblem, _checked: OtpProblem
) -> None:
    """No code is out; it was counted, and another may be asked for after the wait."""
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent(OtpRefused(refusal, status))
    assert seen(staffed) == (S.REFUSED, told)
    staffed.tell(CODE)
    assert "submit otp" not in staffed.names()
    staffed.tell(SendOtp("person-1"))
    assert seen(staffed) == (S.REFUSED, P.WAIT)
    staffed.wait(31)
    staffed.tell(SendOtp("person-1"))
    assert staffed.names() == ["send otp"]


@pytest.mark.parametrize(("refusal", "status", "_sent", "told"), ALL)
def test_while_a_code_is_checked(
    staffed: Rig, refusal: OtpRefusal, status: int, _sent: OtpProblem, told: OtpProblem
) -> None:
    """Nobody is signed in; a dead reference is dropped, any other try costs one of five."""
    code_sent(staffed)
    staffed.tell(CODE)
    staffed.otp_submitted(OtpRefused(refusal, status))
    step = S.REFUSED if told in START_AGAIN else S.CODE_SENT
    assert seen(staffed) == (step, told)
    assert staffed.dialog.tries_left == (None if told in START_AGAIN else 4)
    assert staffed.terminal.signed_in is None
    staffed.tell(CODE)
    assert ("submit otp" in staffed.names()) is (told not in START_AGAIN)


@pytest.mark.parametrize("refusal", [R.TOO_MANY_REQUESTS, R.UNAVAILABLE])
def test_a_wait_the_service_asks_for_is_told(staffed: Rig, refusal: OtpRefusal) -> None:
    """For sending and for checking."""
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent(OtpRefused(refusal, 429, retry_after_s=20))
    assert staffed.dialog.wait_s == 20
    staffed.wait(31)
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent()
    staffed.tell(CODE)
    staffed.otp_submitted(OtpRefused(refusal, 429, retry_after_s=20))
    assert staffed.dialog.wait_s == 20
