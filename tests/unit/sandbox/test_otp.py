"""The one-time-password service: sending, submitting, its limits and every row of its error table."""

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import SEND_PATH, SUBMIT_PATH, Answer, ServiceClient

NUMBER = "94771234567"
PREFIX = "ONE_TIME_PASSWORD_SMS."


def error_of(answer: Answer) -> tuple[int, str]:
    assert answer.json["statusCode"] == "ERROR"
    assert answer.json["data"] is None
    return answer.status, answer.json["code"].removeprefix(PREFIX)


def send(client: ServiceClient, sandbox: Sandbox) -> tuple[str, str]:
    """The reference and the code of a fresh SMS."""
    reference = client.send_otp(NUMBER).json["data"]["serverRef"]
    sms = sandbox.sms(NUMBER)[0]
    assert sms["serverRef"] == reference
    return reference, sms["code"]


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06d}"


def test_a_code_is_sent_and_accepted_once(client: ServiceClient, sandbox: Sandbox) -> None:
    sent = client.send_otp(NUMBER, "Till code {{code}}, keep it")
    assert sent.status == 200
    assert (sent.json["statusCode"], sent.json["message"]) == ("SUCCESS", None)
    data = sent.json["data"]
    assert (data["status"], data["msisdn"], len(data["serverRef"])) == ("PENDING_AUTH", f"tel:+{NUMBER}", 32)
    assert [data[name] for name in ("method", "description", "pinMeta", "serviceId")] == [None] * 4
    sms = sandbox.sms(f"+{NUMBER}")[0]
    assert len(sms["code"]) == 6
    assert sms["text"] == f"Till code {sms['code']}, keep it"
    accepted = client.submit_otp(data["serverRef"], sms["code"])
    assert accepted.json["data"]["status"] == "SUCCESS"
    assert accepted.json["message"]
    assert error_of(client.submit_otp(data["serverRef"], sms["code"])) == (400, "VERIFICATION_EXPIRED")


def test_five_tries_then_no_more(client: ServiceClient, sandbox: Sandbox) -> None:
    reference, code = send(client, sandbox)
    for _ in range(5):
        answer = client.submit_otp(reference, wrong(code))
        assert (answer.status, answer.json) == (
            200,
            {"statusCode": "ERROR", "message": "Wrong PIN", "data": None},
        )
    assert client.submit_otp(reference, code).json["message"] == "Max attempt exceeded"
    assert error_of(client.submit_otp(reference, code)) == (400, "VERIFICATION_FAILED")


def test_the_last_of_five_tries_may_still_be_right(client: ServiceClient, sandbox: Sandbox) -> None:
    reference, code = send(client, sandbox)
    for _ in range(4):
        client.submit_otp(reference, wrong(code))
    assert client.submit_otp(reference, code).json["data"]["status"] == "SUCCESS"


def test_an_old_code_is_dead_after_a_new_one(client: ServiceClient, sandbox: Sandbox) -> None:
    old_reference, old_code = send(client, sandbox)
    reference, code = send(client, sandbox)
    assert error_of(client.submit_otp(old_reference, old_code)) == (400, "VERIFICATION_EXPIRED")
    assert error_of(client.submit_otp(reference, old_code)) == (400, "INVALID_OTP")
    assert client.submit_otp(reference, code).json["data"]["status"] == "SUCCESS"


def test_a_code_expires_with_the_sandboxs_clock(client: ServiceClient, sandbox: Sandbox) -> None:
    reference, code = send(client, sandbox)
    sandbox.clock(301)
    assert error_of(client.submit_otp(reference, code)) == (400, "VERIFICATION_EXPIRED")


def test_five_sends_a_number_in_fifteen_minutes(client: ServiceClient, sandbox: Sandbox) -> None:
    for _ in range(5):
        send(client, sandbox)
    assert error_of(client.send_otp(NUMBER)) == (403, "MAX_OTP_CODES_EXCEEDED")
    assert client.send_otp("94770000001").status == 200
    sandbox.clock(901)
    assert client.send_otp(NUMBER).status == 200


@pytest.mark.parametrize(
    ("ending", "code"), [("4038", "PHONE_NUMBER_NOT_ALLOWED"), ("4039", "PHONE_NUMBER_BLOCKED")]
)
def test_numbers_that_cannot_receive(client: ServiceClient, ending: str, code: str) -> None:
    assert error_of(client.send_otp(f"9477100{ending}")) == (403, code)


@pytest.mark.parametrize(
    "msisdn", ["+94771234567", "tel:94771234567", "", "12", "9" * 16, "٩٤٧٧١٢٣٤٥٦٧", 94771234567, None]
)
def test_a_number_is_digits_with_prefix(client: ServiceClient, msisdn: object) -> None:
    assert error_of(client.send_otp(msisdn)) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize("message", ["no place", "{{code}} {{code}}", "", None, 5, "{{code}}" + "x" * 1000])
def test_a_message_holds_the_placeholder_once(client: ServiceClient, message: object) -> None:
    assert error_of(client.send_otp(NUMBER, message)) == (400, "INVALID_ARGUMENT")


def test_an_unknown_reference_is_not_found(client: ServiceClient) -> None:
    assert error_of(client.submit_otp("0" * 32, "123456")) == (404, "NOT_FOUND")


@pytest.mark.parametrize("pin", ["", None, 123456])
def test_a_pin_is_a_text(client: ServiceClient, pin: object) -> None:
    assert error_of(client.submit_otp("0" * 32, pin)) == (400, "INVALID_ARGUMENT")


def test_the_errors_of_the_door(client: ServiceClient) -> None:
    body = b'{"pin": "1", "serverRef": "2"}'
    assert error_of(client.send(SUBMIT_PATH, body, Authorization=None)) == (401, "UNAUTHENTICATED")
    assert error_of(client.send(SUBMIT_PATH, body, method="GET")) == (405, "METHOD_NOT_ALLOWED")
    assert error_of(client.send(SUBMIT_PATH, body, Accept="text/html")) == (406, "NOT_ACCEPTABLE")
    assert error_of(client.send(SUBMIT_PATH, body, Content_Type="text/plain")) == (
        415,
        "UNSUPPORTED_MEDIA_TYPE",
    )
    assert error_of(client.send(SEND_PATH + "/x", body)) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, "TOO_MANY_REQUESTS"),
        (500, "INTERNAL"),
        (503, "UNAVAILABLE"),
        (504, "TIMEOUT"),
        (403, "PERMISSION_DENIED"),
    ],
)
def test_the_errors_of_the_server_come_by_faults(
    client: ServiceClient, sandbox: Sandbox, status: int, code: str
) -> None:
    sandbox.fault("status", "submit_code", status=status)
    assert error_of(client.submit_otp("0" * 32, "1")) == (status, code)


@pytest.mark.parametrize("code", ["VERIFICATION_FAILED", "INVALID_OTP", "MAX_OTP_CODES_EXCEEDED"])
def test_any_row_of_the_table_can_be_asked_for(client: ServiceClient, sandbox: Sandbox, code: str) -> None:
    sandbox.fault("reply", "validate_code", code=PREFIX + code)
    assert error_of(client.send_otp(NUMBER))[1] == code
    assert sandbox.sms(NUMBER) == []


def test_the_switches_of_a_wrong_pin(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("otp_wrong_pin_http_status", 400)
    reference, code = send(client, sandbox)
    assert client.submit_otp(reference, wrong(code)).status == 400
    sandbox.switch("otp_wrong_pin", "invalid_otp")
    assert error_of(client.submit_otp(reference, wrong(code))) == (400, "INVALID_OTP")
    sandbox.switch("otp_tries", 2)
    assert client.submit_otp(reference, code).json["message"] == "Max attempt exceeded"
