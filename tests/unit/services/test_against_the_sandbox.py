"""Both services as the sandbox plays them, end to end over its sockets: the contract the two sides share."""

import sys
from decimal import Decimal
from itertools import count
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import Accepted, CancelAccepted, Listing, NoAnswer, Refused, StatusReport, Why
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.services.bodies import QrAmountField
from pos_app.services.client import ServiceClient
from pos_app.services.open import CommandToken, OAuthToken, Services
from pos_app.services.token import ClientCredentials
from tests.support.sandbox import Sandbox
from tests.unit.services.live import NUMBER, PATIENT, opened

_ids = count(1)


def order(sandbox: Sandbox, kind: Kind, amount: str = "12.50") -> Order:
    return Order(
        kind=kind,
        attempt_id=f"SBX-T7K3M9QRD-{next(_ids):04d}-1",
        amount=Decimal(amount),
        merchant_id=sandbox.merchant_pg_identifier,
        counter_id=1,
        transaction_date_time="2026-01-31 14:05:00",
        wallet_number=NUMBER if kind is Kind.PUSH else "",
        invoice_number="ඉන්-1",
        payment_reference="table 4",
    )


def begun(sandbox: Sandbox, services: Services, kind: Kind) -> tuple[Order, Accepted]:
    made = order(sandbox, kind)
    found = services.payments.initiate(kind, services.payments.initiate_body(made))
    assert isinstance(found, Accepted)
    return made, found


@pytest.mark.parametrize("id_echo", ["string", "number"])
@pytest.mark.parametrize("amount_echo", ["string", "number", "double"])
@pytest.mark.parametrize("kind", Kind)
def test_a_payment_is_made_and_seen(
    kind: Kind, amount_echo: str, id_echo: str, sandbox: Sandbox, services: Services
) -> None:
    sandbox.switch("amount_echo", amount_echo)
    sandbox.switch("id_echo", id_echo)
    made, accepted = begun(sandbox, services, kind)
    assert bool(accepted.qr_text) is (kind is Kind.QR)
    sandbox.act(accepted.wallet_transaction_id, "pay")
    assert services.payments.get_status(made.attempt_id) == StatusReport(
        name="Payment Success",
        external_id=made.attempt_id,
        wallet_transaction_id=accepted.wallet_transaction_id,
        amount=Decimal("12.50"),
        merchant_id=sandbox.merchant_pg_identifier,
        invoice_number="ඉන්-1",
        transaction_date_time="2026-01-31 14:05:00",
    )
    assert services.payments.cancel(made.attempt_id) == Refused(
        "5006", "Cannot change status, transaction already processed"
    )


@pytest.mark.parametrize("field", ["chargeTotal", "amount"])
def test_either_qr_body_is_taken_where_only_it_is(field: QrAmountField, sandbox: Sandbox) -> None:
    sandbox.switch("qr_body", field)
    for sent in ("chargeTotal", "amount"):
        services = opened(sandbox, qr_amount_field=sent)
        made = order(sandbox, Kind.QR)
        found = services.payments.initiate(Kind.QR, services.payments.initiate_body(made))
        services.close()
        assert isinstance(found, Accepted if sent == field else Refused)


def test_an_id_is_taken_once_and_cancelled_once(sandbox: Sandbox, services: Services) -> None:
    made, accepted = begun(sandbox, services, Kind.QR)
    again = services.payments.initiate(Kind.QR, services.payments.initiate_body(made))
    assert isinstance(again, Refused)
    assert again.code == "5000"
    expected = CancelAccepted(made.attempt_id, accepted.wallet_transaction_id)
    assert services.payments.cancel(wallet_transaction_id=accepted.wallet_transaction_id) == expected
    second = services.payments.cancel(made.attempt_id)
    assert isinstance(second, Refused)
    assert second.code == "5006"
    unknown = services.payments.get_status("SBX-NEVER")
    assert isinstance(unknown, Refused)
    assert unknown.code == "5009"


@pytest.mark.parametrize("http_status", [200, 400, 422])
def test_refusals_are_read_at_any_http_status_that_is_theirs(
    http_status: int, sandbox: Sandbox, services: Services
) -> None:
    sandbox.switch("failure_http_status", http_status)
    found = services.payments.get_status("SBX-NEVER")
    assert isinstance(found, Refused)
    assert found.code == "5009"
    assert services.payments.query(QueryFilter(external_id="SBX-NEVER")) == Listing()


def test_every_filter_is_understood(sandbox: Sandbox, services: Services) -> None:
    made = [begun(sandbox, services, Kind.QR) for _ in range(3)]
    one, accepted = made[0]

    def found(wanted: QueryFilter) -> set[str]:
        listing = services.payments.query(wanted)
        assert isinstance(listing, Listing)
        assert all(item.amount == Decimal("12.50") for item in listing.transactions)
        return {item.external_id for item in listing.transactions}

    everyone = {order.attempt_id for order, _ in made}
    assert found(QueryFilter()) == everyone
    assert found(QueryFilter(external_id=one.attempt_id)) == {one.attempt_id}
    assert found(QueryFilter(wallet_transaction_id=accepted.wallet_transaction_id)) == {one.attempt_id}
    assert found(QueryFilter(from_date="2026-01-31 00:00:00", to_date="2026-01-31 23:59:59")) == everyone
    assert found(QueryFilter(from_date="2026-02-01 00:00:00")) == set()
    assert found(QueryFilter(counter_id="1")) == everyone
    assert found(QueryFilter(counter_id="2")) == set()
    sandbox.switch("page_size", 2)
    assert found(QueryFilter(page_start="2", page_end="2")) == {one.attempt_id}
    sandbox.switch("page_meaning", "position")
    assert found(QueryFilter(page_start="1", page_end="2")) == everyone - {one.attempt_id}


@pytest.mark.parametrize("code", ["5003", "5004", "5005", "5010", "5013"])
def test_a_customers_refusal_is_named_by_its_code(code: str, sandbox: Sandbox, services: Services) -> None:
    made = msgspec.structs.replace(order(sandbox, Kind.PUSH), wallet_number=f"+9477100{code}")
    found = services.payments.initiate(Kind.PUSH, services.payments.initiate_body(made))
    assert isinstance(found, Refused)
    assert found.code == code


def test_wrong_merchant_secrets_are_a_refusal_or_a_sign_in(sandbox: Sandbox) -> None:
    wrong = opened(sandbox, password=Secret("wrong"))
    found = wrong.payments.query()
    assert isinstance(found, Refused)
    assert found.code == "5011"
    sandbox.switch("bad_merchant_credentials", "http_401")
    found = wrong.payments.query()
    assert isinstance(found, NoAnswer)
    assert found.why is Why.SIGN_IN
    wrong.close()


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("hold", {}, Why.TIME_OUT),
        ("drop_before", {}, Why.BROKEN),
        ("drop_after", {}, Why.BROKEN),
        ("garbage", {}, None),
        ("status", {"status": 503}, Why.HTTP),
        ("throttle", {"retry_after": 7}, Why.SLOW_DOWN),
        ("token_expired", {}, Why.SIGN_IN),
    ],
)
def test_each_fault_is_no_answer_and_the_next_call_is_one(
    kind: str, fields: dict[str, int], why: Why | None, sandbox: Sandbox, services: Services
) -> None:
    made, _ = begun(sandbox, services, Kind.QR)
    sandbox.fault(kind, "get_status", count=1, **fields)
    limits = msgspec.structs.replace(PATIENT, ask_s=1) if why is Why.TIME_OUT else PATIENT
    asking = opened(sandbox, deadlines=limits)
    found = asking.payments.get_status(made.attempt_id)
    asking.close()
    sandbox.release()
    assert isinstance(found, NoAnswer)
    assert found.sent
    assert why is None or found.why is why
    assert found.retry_after_s == fields.get("retry_after")
    assert isinstance(services.payments.get_status(made.attempt_id), StatusReport)


def test_a_reply_lost_after_the_state_changed_is_found_by_asking(
    sandbox: Sandbox, services: Services
) -> None:
    made = order(sandbox, Kind.PUSH)
    sandbox.fault("drop_after", "initiate_push", count=1)
    found = services.payments.initiate(Kind.PUSH, services.payments.initiate_body(made))
    assert isinstance(found, NoAnswer)
    assert found.sent
    assert isinstance(services.payments.get_status(made.attempt_id), StatusReport)
    assert len(sandbox.transactions()) == 1


def test_a_token_is_fetched_by_client_credentials_and_again_when_it_died(sandbox: Sandbox) -> None:
    given = sandbox.details
    secret = Secret(given["oauth_client_secret"])
    path = given["token_url"].removeprefix(sandbox.base_url)
    credentials = ClientCredentials(given["oauth_client_id"], secret, path)
    services = opened(sandbox, OAuthToken(sandbox.base_url, credentials))
    made, _ = begun(sandbox, services, Kind.QR)
    sandbox.fault("token_expired", "get_status", count=1)
    assert isinstance(services.payments.get_status(made.attempt_id), StatusReport)
    services.close()


def test_a_token_is_fetched_by_a_command(sandbox: Sandbox, tmp_path: Path) -> None:
    grant = tmp_path / "grant.json"
    grant.write_text(f'{{"access_token": "{sandbox.access_token}"}}')
    printing = "import pathlib, sys; print(pathlib.Path(sys.argv[1]).read_text())"
    services = opened(sandbox, CommandToken((sys.executable, "-I", "-c", printing, str(grant))))
    begun(sandbox, services, Kind.QR)
    services.close()


def test_the_sandbox_is_not_talked_to_as_if_it_were_live(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="https"):
        ServiceClient(sandbox.base_url)


def test_a_list_by_an_id_alone_is_sign_in_enough(sandbox: Sandbox, services: Services) -> None:
    sandbox.switch("query_needs_id", True)
    refused = services.payments.query()
    assert isinstance(refused, Refused)
    assert refused.code == "5015"
    assert services.payments.todays_list() == Listing()
    sandbox.fault("token_expired", "query", count=1)
    answered = services.payments.todays_list()
    assert isinstance(answered, NoAnswer)
    assert answered.why is Why.SIGN_IN
    sandbox.fault("reply", "query", code="5001", count=1)
    sandbox.fault("reply", "query", code="5011", count=1)
    told = services.payments.todays_list()
    assert isinstance(told, Refused)
    assert told.code == "5001"
