"""Codes sent and checked end to end over the sandbox's sockets."""

import pytest

from pos_app.domain.replies import OtpRefusal, OtpRefused, OtpSent, OtpVerified
from pos_app.services.open import Services
from tests.support.sandbox import Sandbox
from tests.unit.services.live import NUMBER


def test_a_code_is_sent_checked_and_used_up(sandbox: Sandbox, services: Services) -> None:
    msisdn = NUMBER[1:]
    sent = services.otp.validate_code(msisdn, "කේතය {{code}}")
    assert isinstance(sent, OtpSent)
    code = sandbox.sms(msisdn)[0]["code"]
    assert sandbox.sms(msisdn)[0]["text"] == f"කේතය {code}"
    wrong = services.otp.submit_code("000000" if code != "000000" else "111111", sent.server_ref)
    assert isinstance(wrong, OtpRefused)
    assert wrong.refusal is OtpRefusal.WRONG_PIN
    assert services.otp.submit_code(code, sent.server_ref) == OtpVerified(sent.server_ref, msisdn)
    assert isinstance(services.otp.submit_code(code, sent.server_ref), OtpRefused)


@pytest.mark.parametrize(
    ("ending", "refusal"),
    [("4038", OtpRefusal.PHONE_NUMBER_NOT_ALLOWED), ("4039", OtpRefusal.PHONE_NUMBER_BLOCKED)],
)
def test_a_number_that_gets_no_codes_is_told_apart(
    ending: str, refusal: OtpRefusal, services: Services
) -> None:
    found = services.otp.validate_code(f"9477123{ending}", "{{code}}")
    assert isinstance(found, OtpRefused)
    assert found.refusal is refusal


def test_an_old_code_is_told_from_a_wrong_one(sandbox: Sandbox, services: Services) -> None:
    sent = services.otp.validate_code(NUMBER[1:], "{{code}}")
    assert isinstance(sent, OtpSent)
    sandbox.clock(400)
    found = services.otp.submit_code(sandbox.sms(NUMBER[1:])[0]["code"], sent.server_ref)
    assert isinstance(found, OtpRefused)
    assert found.refusal is OtpRefusal.VERIFICATION_EXPIRED


@pytest.mark.parametrize("body", ["envelope", "plain", "html", "empty", "json"])
def test_too_many_codes_are_refused_whatever_the_body(
    body: str, sandbox: Sandbox, services: Services
) -> None:
    sandbox.switch("http_error_body", body)
    found = [services.otp.validate_code(NUMBER[1:], "{{code}}") for _ in range(6)][-1]
    assert isinstance(found, OtpRefused)
    assert found.http_status == 403
    expected = OtpRefusal.PERMISSION_DENIED if body == "empty" else OtpRefusal.MAX_OTP_CODES_EXCEEDED
    assert found.refusal is expected
