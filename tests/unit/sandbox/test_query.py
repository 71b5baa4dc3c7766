"""The query: every filter, both meanings of pages, and the failure without a status."""

from typing import Any

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient

DAYS = ["2026-01-30 09:00:00", "2026-01-31 00:00:00", "2026-01-31 23:59:59", "2026-02-01 08:00:00"]


@pytest.fixture
def four(client: ServiceClient) -> ServiceClient:
    """Q-0 to Q-3, one a day or so, on counters 1, 1, 11 and 12."""
    for number, (day, counter) in enumerate(zip(DAYS, [1, 1, 11, 12], strict=True)):
        client.initiate_qr(f"Q-{number}", transactionDateTime=day, counterId=counter)
    return client


def ids(client: ServiceClient, **filters: Any) -> list[str]:
    items = client.query(**filters).response["transactionList"]
    return [item["externalMerchantTransactionId"] for item in items]


def test_everything_newest_first_when_no_page_is_asked_for(four: ServiceClient) -> None:
    assert ids(four) == ["Q-3", "Q-2", "Q-1", "Q-0"]


def test_an_item_has_the_documented_fields(client: ServiceClient) -> None:
    wallet_id = client.initiate_push("A-1", "+94771234567").response["walletTransactionId"]
    assert client.query().response["transactionList"] == [
        {
            "walletTransactionId": wallet_id,
            "externalMerchantTransactionId": "A-1",
            "transactionDateTime": "2026-01-31 14:05:00",
            "walletAccountNumber": "+94771234567",
            "transactionAmount": 12.5,
            "transactionStatus": "Merchant Initiated",
            "statusDescription": "Merchant transaction initiated",
        }
    ]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"fromDate": "2026-01-31 00:00:00"}, ["Q-3", "Q-2", "Q-1"]),
        ({"toDate": "2026-01-31 00:00:00"}, ["Q-1", "Q-0"]),
        ({"fromDate": "2026-01-31", "toDate": "2026-01-31"}, ["Q-2", "Q-1"]),
        ({"counterId": "1"}, ["Q-1", "Q-0"]),
        ({"counterId": 11}, ["Q-2"]),
        ({"outletId": 2}, ["Q-3", "Q-2"]),
        ({"outletId": "1", "fromDate": "2026-01-31"}, ["Q-1"]),
        ({"externalMerchantTransactionId": "Q-2"}, ["Q-2"]),
        ({"outletId": "", "pageStart": "", "toDate": ""}, ["Q-3", "Q-2", "Q-1", "Q-0"]),
        ({"pageStart": "1", "pageEnd": "1"}, ["Q-3", "Q-2"]),
        ({"pageStart": 2}, ["Q-1", "Q-0"]),
        ({"pageStart": "1", "pageEnd": "2"}, ["Q-3", "Q-2", "Q-1", "Q-0"]),
    ],
)
def test_a_filter_finds(
    four: ServiceClient, sandbox: Sandbox, filters: dict[str, Any], found: list[str]
) -> None:
    sandbox.switch("page_size", 2)
    assert ids(four, **filters) == found


def test_pages_can_be_positions(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("page_meaning", "position")
    assert ids(four, pageStart="2", pageEnd="3") == ["Q-2", "Q-1"]


def test_a_wallet_id_is_a_filter(four: ServiceClient) -> None:
    wallet_id = four.get_status("Q-1").response["walletTransactionId"]
    assert ids(four, walletTransactionId=wallet_id) == ["Q-1"]


@pytest.mark.parametrize(
    "filters",
    [{"pageStart": "9"}, {"counterId": "7"}, {"fromDate": "2027-01-01"}, {"walletTransactionId": "1"}],
)
def test_nothing_found_is_5014(four: ServiceClient, filters: dict[str, Any]) -> None:
    assert four.query(**filters).code == "5014"


@pytest.mark.parametrize(
    "filters",
    [
        {"pageStart": "0"},
        {"pageStart": "2", "pageEnd": "1"},
        {"pageStart": "x"},
        {"pageStart": "9" * 30},
        {"fromDate": "yesterday"},
        {"toDate": 5},
        {"counterId": "-1"},
        {"outletId": "²"},
    ],
)
def test_a_filter_that_cannot_be_read_is_5001(four: ServiceClient, filters: dict[str, Any]) -> None:
    answer = four.query(**filters)
    assert answer.code == "5001"
    assert answer.response["transactionList"] == []


def test_an_id_may_be_required(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("query_needs_id", True)
    assert four.query().code == "5015"
    assert ids(four, externalMerchantTransactionId="Q-1") == ["Q-1"]


@pytest.mark.parametrize(
    ("cap", "filters", "found"),
    [
        (3, {}, ["Q-3", "Q-2", "Q-1"]),
        (1, {"pageStart": "2", "pageEnd": "2"}, ["Q-2"]),
        (2, {"pageStart": "2", "pageEnd": "3"}, ["Q-1", "Q-0"]),
        (0, {}, ["Q-3", "Q-2", "Q-1", "Q-0"]),
    ],
)
def test_a_cap_says_nothing_of_what_it_leaves_out(
    four: ServiceClient, sandbox: Sandbox, cap: int, filters: dict[str, Any], found: list[str]
) -> None:
    sandbox.switch("list_cap", cap)
    assert ids(four, **filters) == found


def test_the_order_of_a_list(four: ServiceClient, sandbox: Sandbox) -> None:
    four.initiate_qr("Q-4", transactionDateTime=DAYS[0])
    oldest = ["Q-0", "Q-4", "Q-1", "Q-2", "Q-3"]
    for order, found in (
        ("as-is", ["Q-4", "Q-3", "Q-2", "Q-1", "Q-0"]),
        ("newest-first", oldest[::-1]),
        ("oldest-first", oldest),
    ):
        sandbox.switch("list_order", order)
        assert ids(four) == found
    sandbox.switch("list_order", "shuffled")
    seen = {tuple(ids(four)) for _ in range(30)}
    assert len(seen) > 1
    assert {frozenset(each) for each in seen} == {frozenset(oldest)}


def test_what_is_too_much_is_answered_as_nothing_or_at_no_end(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("list_most", 3)
    assert four.query().code == "5014"
    one_day = {"fromDate": "2026-01-31 00:00:00", "toDate": "2026-01-31 23:59:59"}
    assert ids(four, **one_day) == ["Q-2", "Q-1"]
    sandbox.switch("list_beyond_most", "oversize")
    assert len(four.query().response["transactionList"][0]["statusDescription"]) > 1024 * 1024
    assert ids(four, **one_day) == ["Q-2", "Q-1"]


def test_a_page_may_be_lost(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("page_size", 1)
    sandbox.switch("page_lost", 2)
    assert four.query(pageStart="2", pageEnd="2").code == "5014"
    assert ids(four, pageStart="3", pageEnd="3") == ["Q-1"]
    assert len(ids(four)) == 4


def test_a_list_may_lag(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("list_lag_s", 60)
    assert four.query().code == "5014"
    sandbox.clock(61)
    assert len(ids(four)) == 4


@pytest.mark.parametrize(
    ("dates", "found"),
    [
        ("inclusive", ["Q-2", "Q-1"]),
        ("exclusive", []),
        ("days", ["Q-2", "Q-1"]),
        ("ignored", ["Q-3", "Q-2", "Q-1", "Q-0"]),
    ],
)
def test_what_the_dates_of_a_query_mean(
    four: ServiceClient, sandbox: Sandbox, dates: str, found: list[str]
) -> None:
    sandbox.switch("list_dates", dates)
    wanted = {"fromDate": "2026-01-31 00:00:00", "toDate": "2026-01-31 23:59:59"}
    assert (ids(four, **wanted) if found else four.query(**wanted).code) == (found or "5014")
    assert four.query(fromDate="yesterday").code == "5001"


def test_pages_may_have_no_effect(four: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("page_meaning", "ignored")
    assert len(ids(four, pageStart="2", pageEnd="2")) == 4
