"""Initiate, get status and cancel as the service's document describes them."""

import json
import re

import pytest

from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import QR_PATH, ServiceClient


def test_a_push_rings_on_the_customers_phone(client: ServiceClient, sandbox: Sandbox) -> None:
    reply = client.initiate_push("A-1", "+94771234567").response
    assert set(reply) == {"status", "message", "walletTransactionId"}
    client.initiate_push("A-2", "+94770000009")
    client.initiate_qr("A-3")
    rung = sandbox.pushes("+94771234567")
    assert [push["walletTransactionId"] for push in rung] == [reply["walletTransactionId"]]
    assert [push["externalMerchantTransactionId"] for push in sandbox.pushes()] == ["A-2", "A-1"]


def test_a_qr_reply_carries_a_text_of_84_characters(client: ServiceClient) -> None:
    reply = client.initiate_qr("A-1").response
    assert re.fullmatch(r"[A-Za-z0-9_-]{84}", reply["qrEncryptedText"])
    assert reply["externalMerchantTransactionId"] == "A-1"


def test_get_status_by_either_id_echoes_what_was_sent(client: ServiceClient) -> None:
    wallet_id = client.initiate_qr("A-1").response["walletTransactionId"]
    by_external, by_wallet = (
        client.get_status("A-1").response,
        client.get_status(wallet_id=wallet_id).response,
    )
    assert by_external == by_wallet
    assert by_external["merchantTxnStatusName"] == "Merchant Initiated"
    assert by_external["walletTransactionId"] == wallet_id
    assert by_external["invoiceNumber"] == "INV-1"
    assert by_external["transactionDateTime"] == "2026-01-31 14:05:00"
    assert by_external["merchantPgIdentifier"] == client.merchant


@pytest.mark.parametrize("amount", ["12.50", "12.5", "0.01", "99999999999.999", "100", "1250.10"])
def test_an_amount_keeps_its_digits(client: ServiceClient, amount: str) -> None:
    body = json.dumps(client.initiate_body("A-1", chargeTotal="@")).replace('"@"', amount)
    assert client.send(QR_PATH, body).response["status"] == "success"
    assert f'"transactionAmount":{amount},' in client.get_status("A-1").text


def test_cancel_answers_with_the_transaction(client: ServiceClient) -> None:
    wallet_id = client.initiate_qr("A-1").response["walletTransactionId"]
    reply = client.cancel(wallet_id=wallet_id).response
    assert reply["status"] == "success"
    assert (reply["externalMerchantTransactionId"], reply["transactionAmount"]) == ("A-1", 12.5)
    assert client.status_name("A-1") == "Merchant Cancel"


@pytest.mark.parametrize(
    "amounts", [{"amount": "12.50"}, {"chargeTotal": 12.5}, {"amount": "12.50", "chargeTotal": 12.5}]
)
def test_qr_takes_either_form_of_the_amount(client: ServiceClient, amounts: dict[str, object]) -> None:
    assert client.initiate_qr("A-1", **{"chargeTotal": None, **amounts}).response["status"] == "success"


def test_two_different_amounts_are_refused(client: ServiceClient) -> None:
    assert client.initiate_qr("A-1", amount="12.51", chargeTotal=12.5).code == "5001"


def test_text_in_any_script_comes_back(client: ServiceClient) -> None:
    client.headers["Content-Type"] = "application/json;charset=UTF-8"
    client.initiate_qr("A-1", invoiceNumber="විකුණුම් 7 – தமிழ்")
    assert client.get_status("A-1").response["invoiceNumber"] == "විකුණුම් 7 – தமிழ்"


def test_a_scanned_code_is_verified_and_knows_its_customer(client: ServiceClient, sandbox: Sandbox) -> None:
    text = client.initiate_qr("A-1").response["qrEncryptedText"]
    scanned = sandbox.scan(text, "ignore", "+94771112222")
    assert (scanned["status"], scanned["walletAccountNumber"]) == ("Verification Success", "+94771112222")
    assert client.cancel("A-1").code == "5006"


def test_a_code_of_another_hand_cannot_be_scanned(client: ServiceClient, sandbox: Sandbox) -> None:
    text = client.initiate_qr("A-1").response["qrEncryptedText"]
    changed = ("B" if text[40] != "B" else "C").join((text[:40], text[41:]))
    for wrong in (changed, text[:-4], "", "hello", "é" * 84, "A" * 84):
        with pytest.raises(ControlError) as refused:
            sandbox.scan(wrong)
        assert refused.value.status == 400
    assert client.status_name("A-1") == "Merchant Initiated"
