"""A payment is found by another counter of its shop, and by nobody else; what is told is what its counter told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.shipping import FIND_DAYS, FIND_MOST, FINDS_A_MINUTE, FindRequest, Found, Refusal
from pos_app.store import find
from pos_app.store.database import Database
from pos_app.store.receive import Refused
from tests.support.store import PretendCounter, add_shop, attempt, code_for, rows, serving

NOW = datetime.now(UTC)
WALL = (NOW - timedelta(minutes=5)).astimezone().isoformat(timespec="milliseconds")
ID = "SBX-TK7Q2MXAB-0001-1-K7Q2M9"


def paid(counter: PretendCounter, attempt_id: str = ID, amount: str = "1250.00", **more: object) -> None:
    """A payment told as a counter tells it: waiting, then money with its receipt's check code."""
    facts = {
        "tapped_wall": WALL, "wallet_mask": "+94 •• ••• 567", "wallet_transaction_id": "W-77", **more,
    }  # fmt: skip
    counter.write("INTENT", WALL, attempt=attempt(attempt_id, "WAITING", amount, **facts))
    facts |= {"receipt": 12, "receipt_of": "K7Q2MXAB"}
    counter.write(
        "STATUS_ANSWERED", WALL, attempt=attempt(attempt_id, "PAID", amount, **facts), check="23456789AB"
    )


@contextmanager
def two_counters(database: Database, shop: int) -> Iterator[tuple[PretendCounter, PretendCounter]]:
    """One that sold and told, and another of the same shop."""
    one, other = PretendCounter("K7Q2MXAB", 1), PretendCounter("M9QRDXYZ", 3)
    paid(one)
    with serving(database) as url, one.at(url, code_for(database, shop)):
        one.ship()
        with other.at(url, code_for(database, shop)):
            yield one, other


def found(counter: PretendCounter, **asked: str) -> Found:
    said = counter.post("/v1/find", FindRequest(**asked))
    assert said.status_code == 200, said.text
    return msgspec.json.decode(said.content, type=Found)


def test_another_counter_finds_it_by_what_is_in_hand(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (_, other):
        for asked in (
            {"amount": "1250"},
            {"amount": "1250.00", "digits": "567"},
            {"digits": "771234567"},
            {"id": ID.lower()},
            {"id": "SBX-TK7Q2MXAB-R000012"},
            {"id": "W-77"},
            {"earliest": (NOW - timedelta(hours=1)).isoformat(), "latest": NOW.isoformat()},
        ):
            answer = found(other, **asked)
            assert [each.attempt["attempt_id"] for each in answer.payments] == [ID], asked
            told = answer.payments[0]
            assert (told.counter_id, told.installation, told.check) == (1, "K7Q2MXAB", "23456789AB")
            assert told.paid_at == WALL
            assert told.attempt["amount"] == "1250.00"
            assert datetime.fromisoformat(told.told) > NOW - timedelta(seconds=2)


def test_what_does_not_fit_is_not_found(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (_, other):
        for asked in (
            {"amount": "1250.01"},
            {"digits": "568"},
            {"id": "SBX-TK7Q2MXAB-R000013"},
            {"id": "W-78"},
            {"amount": "1250", "latest": (NOW - timedelta(hours=1)).isoformat()},
        ):
            assert found(other, **asked).payments == (), asked


def test_another_shop_finds_nothing(database: Database, shop: int) -> None:
    with two_counters(database, shop):
        stranger = PretendCounter("STRANGER", 9)
        with (
            serving(database) as url,
            stranger.at(url, code_for(database, add_shop(database, "Another"))),
        ):
            for asked in ({"amount": "1250"}, {"id": ID}, {"digits": "567"}):
                assert found(stranger, **asked).payments == ()


def test_a_pretend_payment_is_never_told_to_a_live_counter(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (_, other):
        rows(database, "UPDATE counter SET environment = 'live' WHERE counter_id = 3 RETURNING 1")
        assert found(other, id=ID).payments == ()


def test_a_counter_that_was_revoked_finds_nothing(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (_, other):
        assert found(other, id=ID).payments
        rows(
            database,
            "UPDATE installation SET state = 'revoked' WHERE installation = 'M9QRDXYZ' RETURNING 1",
        )
        said = other.post("/v1/find", FindRequest(id=ID))
        assert (said.status_code, msgspec.json.decode(said.content, type=Refusal).code) == (403, "revoked")


def test_it_is_asked_thirty_times_a_minute_and_no_more(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (one, other):
        for _ in range(FINDS_A_MINUTE):
            found(other, id=ID)
        said = other.post("/v1/find", FindRequest(id=ID))
        assert said.status_code == 429
        assert 1 <= int(said.headers["retry-after"]) <= 61
        assert found(one, id=ID).payments


def test_more_than_fit_are_said(database: Database, shop: int) -> None:
    one = PretendCounter("K7Q2MXAB", 1)
    for sale in range(FIND_MOST + 2):
        paid(one, f"SBX-TK7Q2MXAB-{sale:04d}-1-K7Q2M9")
    with serving(database) as url, one.at(url, code_for(database, shop)):
        one.ship()
        answer = found(one, amount="1250.00")
    assert len(answer.payments) == FIND_MOST
    assert answer.more


def test_a_field_that_cannot_be_says_which_and_how(database: Database, shop: int) -> None:
    with two_counters(database, shop) as (_, other):
        for field, asked in (
            ("id", {}),
            ("amount", {"amount": "1,250.00"}),
            ("digits", {"digits": "5"}),
            ("earliest", {"earliest": "yesterday"}),
            ("latest", {"earliest": "2026-03-02T00:00:00Z", "latest": "2026-03-01T00:00:00Z"}),
            ("earliest", {"earliest": "2020-01-01T00:00:00Z"}),
            ("id", {"id": "x" * 81}),
        ):
            said = other.post("/v1/find", FindRequest(**asked))
            refusal = msgspec.json.decode(said.content, type=Refusal)
            assert (said.status_code, refusal.code, refusal.field) == (422, "field", field), asked


TEXTS = st.text(max_size=90)
NUMBERS = st.from_regex(r"[0-9]{0,14}(\.[0-9]{0,4})?", fullmatch=True)
MOMENTS = st.datetimes(
    datetime(1960, 1, 1), datetime(2205, 1, 1), timezones=st.just(UTC)
).map(datetime.isoformat)  # fmt: skip


@given(
    request=st.builds(
        FindRequest,
        amount=st.one_of(st.just(""), NUMBERS, TEXTS),
        earliest=st.one_of(st.just(""), MOMENTS, TEXTS),
        latest=st.one_of(st.just(""), MOMENTS, TEXTS),
        digits=st.one_of(st.just(""), st.from_regex(r"[0-9]{1,16}", fullmatch=True), TEXTS),
        id=st.one_of(st.just(""), st.just(ID), TEXTS),
    )
)
def test_whatever_is_asked_is_read_within_its_limits_or_refused_by_field(request: FindRequest) -> None:
    refused: Refused | None = None
    try:
        sought = find.read(request, NOW)
    except Refused as error:
        refused = error
    if refused is not None:
        assert refused.status == 422
        assert refused.field in FindRequest.__struct_fields__
        return
    assert sought.id or sought.amount is not None or sought.digits or sought.since or sought.until
    if sought.since is None:
        assert sought.id.upper() == ID
    else:
        assert (sought.until or NOW) - sought.since <= timedelta(days=max(FIND_DAYS, 366))
    if sought.amount is not None:
        assert sought.amount == Decimal(request.amount)


def test_a_search_without_a_time_goes_back_a_month() -> None:
    assert find.read(FindRequest(amount="5"), NOW).since == NOW - timedelta(days=FIND_DAYS)
    with pytest.raises(Refused):
        find.read(FindRequest(), NOW)
