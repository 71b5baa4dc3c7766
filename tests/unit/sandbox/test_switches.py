"""The switches that no other test turns, and that each one is explained."""

from pathlib import Path

import pytest

import pos_app.sandbox
from pos_app.sandbox.faults import Fault
from pos_app.sandbox.switches import Switches
from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import STATUS_PATH, ServiceClient

README = Path(pos_app.sandbox.__file__).with_name("README.md")


def test_every_switch_and_every_kind_of_fault_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    kinds = Fault.__annotations__["kind"].__args__
    assert [name for name in (*Switches.__struct_fields__, *kinds) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("status", [400, 422, 500])
def test_the_http_status_of_failures(client: ServiceClient, sandbox: Sandbox, status: int) -> None:
    sandbox.switch("failure_http_status", status)
    answer = client.get_status("A-1")
    assert (answer.status, answer.code) == (status, "5009")


def test_ids_echoed_as_numbers(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("id_echo", "number")
    assert client.initiate_qr("1234").response["externalMerchantTransactionId"] == 1234
    assert client.get_status("1234").response["externalMerchantTransactionId"] == 1234
    assert client.initiate_qr("0123").response["externalMerchantTransactionId"] == "0123"
    assert client.query().response["transactionList"][1]["externalMerchantTransactionId"] == 1234


def test_amounts_echoed_as_texts(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("amount_echo", "string")
    client.initiate_qr("A-1", chargeTotal="12.50")
    assert client.get_status("A-1").response["transactionAmount"] == "12.50"


@pytest.mark.parametrize(
    ("sent", "echo"),
    [
        ("12.50", b"12.5"),
        ("100", b"100.0"),
        ("0.001", b"0.001"),
        ("9999999.99", b"9999999.99"),
        ("12500000.00", b"1.25E7"),
        ("10000000", b"1.0E7"),
    ],
)
def test_amounts_echoed_as_a_double_prints(
    sent: str, echo: bytes, client: ServiceClient, sandbox: Sandbox
) -> None:
    sandbox.switch("amount_echo", "double")
    client.initiate_qr("A-1", chargeTotal=sent)
    for answer in (client.get_status("A-1"), client.query(), client.cancel("A-1")):
        assert f'"transactionAmount":{echo.decode()}' in answer.text.replace(" ", "")


def test_one_form_of_the_qr_body_alone(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("qr_body", "amount")
    assert client.initiate_qr("A-1").code == "5015"
    assert client.initiate_qr("A-1", chargeTotal=None, amount="12.50").response["status"] == "success"
    sandbox.switch("qr_body", "chargeTotal")
    assert client.initiate_qr("A-2", chargeTotal=None, amount="12.50").code == "5015"


def test_the_decimals_of_an_amount(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("amount_decimals", 0)
    refused = client.initiate_qr("A-1", chargeTotal="12.5")
    assert refused.code == "5001"
    assert 'at most 0 decimals, for example 12"' in refused.text
    assert client.initiate_qr("A-1", chargeTotal="12").response["status"] == "success"


@pytest.mark.parametrize(
    ("shape", "content_type", "start"),
    [
        ("envelope", "application/json", '{"response":'),
        ("json", "application/json", '{"error":{"code":401,"status":"UNAUTHENTICATED"'),
        ("plain", "text/plain; charset=utf-8", "UNAUTHENTICATED"),
        ("html", "text/html; charset=utf-8", "<html>"),
        ("empty", "text/plain", ""),
    ],
)
def test_the_body_of_http_errors(
    client: ServiceClient, sandbox: Sandbox, shape: str, content_type: str, start: str
) -> None:
    sandbox.switch("http_error_body", shape)
    answer = client.send(STATUS_PATH, b"{}", Authorization=None)
    assert (answer.status, answer.headers["content-type"]) == (401, content_type)
    assert answer.text.startswith(start)
    assert bool(answer.text) == bool(start)


def test_a_reset_puts_the_switches_back(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("failure_http_status", 500)
    sandbox.clock(1000)
    sandbox.fault("throttle")
    client.initiate_qr("A-1")
    sandbox.reset()
    assert client.get_status("A-1").status == 200
    assert sandbox.transactions() == []
    assert abs(sandbox.control("GET", "/clock")["offset_s"]) < 1


def test_the_clock_moves_and_stays_within_its_years(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.control("POST", "/clock", {"now": "1950-01-01T00:00:00"})
    assert sandbox.control("POST", "/clock", {"advance_s": 86400})["now"].startswith("1950-01-02T00:00")
    text = client.initiate_qr("A-1").response["qrEncryptedText"]
    assert sandbox.scan(text, "ignore")["createdAt"].startswith("1950-01-02")
    sandbox.clock(9e9)
    with pytest.raises(ControlError):
        sandbox.control("POST", "/clock", {"advance_s": 9e9})


def test_calls_are_remembered_as_they_were_sent(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.fault("drop_after", "initiate_qr")
    for _ in range(2):
        try:
            client.initiate_qr("A-1")
        except OSError:
            continue
    seen = sandbox.calls("initiate_qr")
    assert [call["http_status"] for call in seen] == [None, 200]
    assert seen[0]["body"] == seen[1]["body"]
    assert '"A-1"' in seen[0]["body"]
