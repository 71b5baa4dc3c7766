"""The service's list, with and without a status, and what is not one."""

import json
from typing import Any

import pytest

from pos_app.domain.replies import Listing, NoAnswer, Refused, Why
from pos_app.services.payments import Payments
from tests.unit.services.raw_server import RawServer, told


@pytest.mark.parametrize(
    "fields",
    [
        {"message": "none", "errorCode": "5014", "transactionList": []},
        {"message": "none", "errorCode": 5014},
        {"status": "failure", "code": "5014", "transactionList": None},
        {"transactionList": []},
        {"status": "success", "transactionList": []},
    ],
)
def test_an_empty_list_is_no_error(fields: dict[str, Any], server: RawServer, payments: Payments) -> None:
    told(server, {"response": fields})
    assert payments.query() == Listing()


def test_a_list_is_read_whole(server: RawServer, payments: Payments) -> None:
    item = {
        "walletTransactionId": "W-1",
        "externalMerchantTransactionId": 17,
        "transactionDateTime": "2026-01-31 14:05:00",
        "walletAccountNumber": "+94771234567",
        "transactionAmount": 0.10,
        "transactionStatus": "Payment Success",
        "statusDescription": "paid",
        "more": 1,
    }
    body = json.dumps({"response": {"transactionList": [item, item]}}).replace("0.1", "0.10").encode()
    told(server, body)
    found = payments.query()
    assert isinstance(found, Listing)
    assert found.transactions[0] == found.transactions[1]
    one = found.transactions[0]
    assert (one.external_id, one.wallet_transaction_id, str(one.amount)) == ("17", "W-1", "0.10")
    assert (one.status, one.status_description) == ("Payment Success", "paid")
    assert (one.wallet_account_number, one.transaction_date_time) == ("+94771234567", "2026-01-31 14:05:00")


@pytest.mark.parametrize(
    "fields",
    [
        {"transactionList": None},
        {"transactionList": {}},
        {"transactionList": [None]},
        {"transactionList": [[]]},
        {"transactionList": [{"transactionAmount": True}]},
        {"transactionList": [{"walletTransactionId": "W"}], "errorCode": "5014"},
        {"status": "success", "errorCode": "5014", "transactionList": []},
        {"status": "failure", "transactionList": []},
    ],
)
def test_a_list_that_is_not_plain_is_unreadable(
    fields: dict[str, Any], server: RawServer, payments: Payments
) -> None:
    told(server, {"response": fields})
    found = payments.query()
    assert isinstance(found, NoAnswer)
    assert found.why is Why.UNREADABLE


def test_a_refused_query_names_its_code(server: RawServer, payments: Payments) -> None:
    told(server, {"response": {"message": "no", "errorCode": "5012", "transactionList": []}}, "400 Bad")
    assert payments.query() == Refused("5012", "no")
