"""The state table: every verb of the customer, and cancel, from every status."""

import time

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import ServiceClient

INITIATED, VERIFIED, VERIFY_FAILED = "Merchant Initiated", "Verification Success", "Verification Fail"
APPROVED, PAID, FAILED = "Customer Approved", "Payment Success", "Payment Fail"
CANCELLED, REJECTED = "Merchant Cancel", "Customer Reject"

WAYS_INTO = {
    INITIATED: [],
    VERIFIED: ["verify"],
    VERIFY_FAILED: ["misread"],
    APPROVED: ["approve"],
    PAID: ["pay"],
    FAILED: ["fail"],
    REJECTED: ["reject"],
    CANCELLED: ["cancel"],
}
OPEN = {INITIATED, VERIFIED, VERIFY_FAILED, APPROVED}
BEFORE_APPROVAL = {INITIATED, VERIFIED, VERIFY_FAILED}
ALLOWED = {
    "verify": (OPEN, VERIFIED),
    "misread": ({INITIATED, VERIFY_FAILED}, VERIFY_FAILED),
    "approve": (OPEN, APPROVED),
    "pay": (OPEN, PAID),
    "fail": (OPEN, FAILED),
    "reject": (BEFORE_APPROVAL, REJECTED),
}


@pytest.fixture
def slow_sandbox(sandbox: Sandbox) -> Sandbox:
    """An approved payment stays approved."""
    sandbox.switch("approve_to_paid_s", 600)
    return sandbox


def bring_into(status: str, client: ServiceClient, sandbox: Sandbox) -> str:
    wallet_id: str = client.initiate_qr("A-1").response["walletTransactionId"]
    for verb in WAYS_INTO[status]:
        if verb == "cancel":
            client.cancel("A-1")
        else:
            sandbox.act(wallet_id, verb)
    assert client.status_name("A-1") == status
    return wallet_id


@pytest.mark.parametrize("status", WAYS_INTO)
@pytest.mark.parametrize("verb", ALLOWED)
def test_a_verb_moves_only_from_where_it_may(
    client: ServiceClient, slow_sandbox: Sandbox, verb: str, status: str
) -> None:
    wallet_id = bring_into(status, client, slow_sandbox)
    sources, target = ALLOWED[verb]
    if status in sources:
        went_on = status == APPROVED and verb == "verify"
        assert slow_sandbox.act(wallet_id, verb)["status"] == (status if went_on else target)
    else:
        with pytest.raises(ControlError) as refused:
            slow_sandbox.act(wallet_id, verb)
        assert refused.value.status == 409
        assert client.status_name("A-1") == status


@pytest.mark.parametrize("status", WAYS_INTO)
def test_cancel_works_only_at_the_start(client: ServiceClient, slow_sandbox: Sandbox, status: str) -> None:
    bring_into(status, client, slow_sandbox)
    answer = client.cancel("A-1")
    assert answer.code == (None if status == INITIATED else "5006")
    assert client.status_name("A-1") == (CANCELLED if status == INITIATED else status)


def test_an_approved_payment_is_paid_by_itself(client: ServiceClient, sandbox: Sandbox) -> None:
    wallet_id = bring_into(INITIATED, client, sandbox)
    end_s = time.monotonic() + PATIENCE_S
    sandbox.act(wallet_id, "approve")
    while client.status_name("A-1") != PAID:
        assert time.monotonic() < end_s


def test_the_steps_on_the_way_are_recorded(client: ServiceClient, sandbox: Sandbox) -> None:
    paid, failed, rejected = (client.initiate_push(name).response["walletTransactionId"] for name in "PFR")
    ends = {paid: "pay", failed: "fail", rejected: "reject"}
    steps = {
        verb: [step["status"] for step in sandbox.act(some, verb)["steps"]] for some, verb in ends.items()
    }
    assert steps == {
        "pay": [INITIATED, VERIFIED, APPROVED, PAID],
        "fail": [INITIATED, VERIFIED, APPROVED, FAILED],
        "reject": [INITIATED, VERIFIED, REJECTED],
    }


@pytest.mark.parametrize(
    ("then", "status"), [("ignore", VERIFIED), ("reject", REJECTED), ("misread", VERIFY_FAILED)]
)
def test_what_follows_a_scan(client: ServiceClient, sandbox: Sandbox, then: str, status: str) -> None:
    text = client.initiate_qr("A-1").response["qrEncryptedText"]
    assert sandbox.scan(text, then)["status"] == status


def test_a_code_that_was_cancelled_cannot_be_scanned(client: ServiceClient, sandbox: Sandbox) -> None:
    text = client.initiate_qr("A-1").response["qrEncryptedText"]
    client.cancel("A-1")
    with pytest.raises(ControlError) as refused:
        sandbox.scan(text)
    assert refused.value.status == 409


def test_a_failed_verification_can_be_final(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.switch("verification_fail_final", True)
    wallet_id = bring_into(VERIFY_FAILED, client, sandbox)
    with pytest.raises(ControlError):
        sandbox.act(wallet_id, "approve")
    assert client.status_name("A-1") == VERIFY_FAILED


def test_a_transaction_expires_when_the_switch_says_so(client: ServiceClient, sandbox: Sandbox) -> None:
    bring_into(INITIATED, client, sandbox)
    sandbox.clock(10_000)
    assert client.status_name("A-1") == INITIATED
    sandbox.switch("transaction_expiry_s", 600)
    assert client.status_name("A-1") == FAILED


def test_acting_on_nothing_is_a_404(sandbox: Sandbox) -> None:
    with pytest.raises(ControlError) as refused:
        sandbox.act("123", "pay")
    assert refused.value.status == 404


@pytest.mark.parametrize("before", WAYS_INTO)
@pytest.mark.parametrize("after", [PAID, FAILED, INITIATED, "Refunded", "Payment success"])
def test_any_status_can_be_set_from_any(
    client: ServiceClient, slow_sandbox: Sandbox, before: str, after: str
) -> None:
    """Which steps the service takes is not said, nor that an end stays one: asked for or listed, it is the same."""
    wallet_id = bring_into(before, client, slow_sandbox)
    steps = len(slow_sandbox.transaction(wallet_id)["steps"])
    done = slow_sandbox.set_status("A-1", after)
    assert (done["status"], done["steps"][steps]["by"], len(done["steps"])) == (after, "rig", steps + 1)
    assert client.status_name("A-1") == after
    (row,) = client.query().response["transactionList"]
    assert row["transactionStatus"] == after
    assert client.cancel("A-1").code == (None if after == INITIATED else "5006")


def test_of_a_status_that_no_service_has_no_customer_finds_a_way(
    client: ServiceClient, sandbox: Sandbox
) -> None:
    wallet_id = bring_into(PAID, client, sandbox)
    sandbox.set_status(wallet_id, "Refunded")
    for verb in ALLOWED:
        with pytest.raises(ControlError) as refused:
            sandbox.act(wallet_id, verb)
        assert refused.value.status == 409
    with pytest.raises(ControlError) as refused:
        sandbox.set_status(wallet_id, "")
    assert refused.value.status == 400
    assert client.status_name("A-1") == "Refunded"
