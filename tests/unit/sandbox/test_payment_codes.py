"""Every business code of the payment service comes by the means the sandbox's README names."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import Answer, ServiceClient


def as_user(client: ServiceClient, sandbox: Sandbox, merchant: str, role: str) -> ServiceClient:
    """The same connection with another user's secrets."""
    wanted = (merchant, role)
    user = next(
        user for user in sandbox.users()["users"] if (user["merchant_pg_identifier"], user["role"]) == wanted
    )
    client.merchant = merchant
    client.headers["X-MERCHANT-SECRETCODE"] = user["merchant_secret_code"]
    client.headers["X-MERCHANT-PSW"] = user["merchant_password"]
    return client


def test_5000_for_an_id_that_exists(client: ServiceClient) -> None:
    assert client.initiate_qr("A-1").response["status"] == "success"
    again = client.initiate_push("A-1")
    assert (again.status, again.code, again.response["status"]) == (200, "5000", "failure")


def test_5000_for_an_id_that_was_sent_as_a_number_before(client: ServiceClient) -> None:
    assert client.initiate_qr(1234).response["status"] == "success"
    assert client.initiate_qr("1234").code == "5000"


@pytest.mark.parametrize(
    "fields", [{"chargeTotal": "abc"}, {"counterId": "x"}, {"transactionDateTime": "noon"}]
)
def test_5001_for_a_field_that_cannot_be_read(client: ServiceClient, fields: dict[str, Any]) -> None:
    answer = client.initiate_qr("A-1", **fields)
    assert answer.code == "5001"
    assert client.get_status("A-1").code == "5009"


def test_5002_for_an_unknown_merchant(client: ServiceClient) -> None:
    assert client.initiate_qr("A-1", merchantPgIdentifier="nobody").code == "5002"


@pytest.mark.parametrize("code", ["5003", "5004", "5005", "5010", "5013"])
def test_a_wallet_number_ending_in_the_code_is_refused_with_it(client: ServiceClient, code: str) -> None:
    assert client.initiate_push("A-1", f"+9477100{code}").code == code
    assert client.get_status("A-1").code == "5009"


def test_5006_for_a_second_cancel(client: ServiceClient) -> None:
    client.initiate_qr("A-1")
    assert client.cancel("A-1").response["status"] == "success"
    assert client.cancel("A-1").code == "5006"
    assert client.status_name("A-1") == "Merchant Cancel"


def test_5007_by_a_fault(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    sandbox.fault("reply", "cancel", code="5007")
    assert client.cancel("A-1").code == "5007"
    assert client.status_name("A-1") == "Merchant Initiated"


def test_foreign_transactions_are_closed_to_us(client: ServiceClient, sandbox: Sandbox) -> None:
    """5012 for reading, 5008 for cancelling."""
    own = client.merchant
    wallet_id = (
        as_user(client, sandbox, "SBX-M-0002", "admin").initiate_qr("F-1").response["walletTransactionId"]
    )
    as_user(client, sandbox, own, "admin")
    assert client.get_status("F-1").code == "5012"
    assert client.get_status(wallet_id=wallet_id).code == "5012"
    assert client.cancel("F-1").code == "5008"
    assert client.query(externalMerchantTransactionId="F-1").code == "5014"
    assert client.query(merchantPgIdentifier="SBX-M-0002").code == "5012"
    assert client.initiate_qr("F-2", merchantPgIdentifier="SBX-M-0002").code == "5011"


def test_5009_for_what_is_not_there(client: ServiceClient) -> None:
    assert client.get_status("A-1").code == "5009"
    assert client.cancel(wallet_id="1").code == "5009"


def test_5009_when_the_two_ids_do_not_belong_together(client: ServiceClient) -> None:
    client.initiate_qr("A-1")
    wallet_id = client.initiate_qr("A-2").response["walletTransactionId"]
    assert client.get_status("A-1", wallet_id).code == "5009"
    assert client.get_status("A-2", wallet_id).response["status"] == "success"


def test_5011_for_a_user_who_may_only_look(client: ServiceClient, sandbox: Sandbox) -> None:
    client.initiate_qr("A-1")
    as_user(client, sandbox, client.merchant, "viewer")
    assert client.initiate_qr("A-2").code == "5011"
    assert client.cancel("A-1").code == "5011"
    assert client.status_name("A-1") == "Merchant Initiated"


def test_5011_for_wrong_secrets(client: ServiceClient, sandbox: Sandbox) -> None:
    client.headers["X-MERCHANT-PSW"] = "guess"
    assert client.get_status("A-1").code == "5011"
    sandbox.switch("bad_merchant_credentials", "http_401")
    assert client.get_status("A-1").status == 401


def test_5014_when_nothing_matches(client: ServiceClient) -> None:
    answer = client.query()
    assert answer.code == "5014"
    assert answer.response["transactionList"] == []
    assert "status" not in answer.response


TEXTS = ["merchantPgIdentifier", "externalMerchantTransactionId", "chargeTotal", "transactionDateTime"]


@pytest.mark.parametrize(
    ("name", "absent"), [(name, absent) for name in TEXTS for absent in (None, "")] + [("counterId", None)]
)
def test_5015_names_the_missing_parameter(client: ServiceClient, name: str, absent: Any) -> None:
    for answer in (
        client.initiate_push("A-1", **{name: absent}),
        client.initiate_qr("A-1", **{name: absent}),
    ):
        assert answer.code == "5015"
        assert name in answer.response["message"]


@pytest.mark.parametrize("absent", [None, ""])
def test_5015_for_a_push_to_nobody(client: ServiceClient, absent: Any) -> None:
    answer = client.initiate_push("A-1", absent)
    assert answer.code == "5015"
    assert "walletAccountNumber" in answer.response["message"]


@pytest.mark.parametrize("name", ["X-MERCHANT-SECRETCODE", "X-MERCHANT-PSW"])
def test_5015_names_the_missing_header(client: ServiceClient, name: str) -> None:
    del client.headers[name]
    answer = client.initiate_qr("A-1")
    assert answer.code == "5015"
    assert name in answer.response["message"]


@pytest.mark.parametrize("ask", [ServiceClient.get_status, ServiceClient.cancel])
def test_5015_without_any_id(client: ServiceClient, ask: Callable[[ServiceClient], Answer]) -> None:
    answer = ask(client)
    assert answer.code == "5015"
    assert "externalMerchantTransactionId or walletTransactionId" in answer.response["message"]
