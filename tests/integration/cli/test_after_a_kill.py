"""A `pay` killed in the middle: `open`, `open --resolve`, `open --continue` and `cancel` end in the true state."""

from collections.abc import Callable

import pytest

from tests.integration.cli.till import Done, Running, Till
from tests.support.sandbox import Sandbox

PUSH = ["--push", "+94771234567"]


def id_in(paying: Running, state: str) -> str:
    attempt_id: str = paying.state(state)["attempt_id"]
    return attempt_id


def ended(done: Done) -> tuple[int, str]:
    return done.code, done.last["state"]


@pytest.fixture
def pay(till: Till) -> Callable[..., Running]:
    return lambda *line: till.start("pay", "--amount", "12.50", *line)


Pay = Callable[..., Running]


@pytest.mark.parametrize(
    ("line", "deed", "state"),
    [
        (["--qr"], "pay", "PAID"),
        (PUSH, "pay", "PAID"),
        (["--qr"], "reject", "FAILED"),
        (PUSH, "fail", "FAILED"),
    ],
)
def test_killed_while_waiting_learns_what_the_customer_did(
    sandbox: Sandbox, till: Till, pay: Pay, line: list[str], deed: str, state: str
) -> None:
    paying = pay(*line)
    attempt_id = id_in(paying, "WAITING")
    paying.kill()
    sandbox.act(attempt_id, deed)
    (listed,) = till.run("open").objects
    assert (listed["attempt_id"], listed["state"]) == (attempt_id, "WAITING")
    assert ended(till.run("open", "--resolve", "60")) == (0, state)
    assert till.run("open", "--resolve", "60") == Done(0, "", "")


def test_killed_before_the_reply_finds_the_push_that_arrived(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    sandbox.fault("delay", "initiate_push", delay_s=30, at="after")
    paying = pay(*PUSH)
    attempt_id = id_in(paying, "INTENT")
    while not any(known["externalMerchantTransactionId"] == attempt_id for known in sandbox.transactions()):
        pass
    paying.kill()
    sandbox.clear_faults()
    sandbox.act(attempt_id, "pay")
    assert ended(till.run("open", "--resolve", "60")) == (0, "PAID")


def test_a_qr_code_nobody_saw_is_cancelled(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    sandbox.fault("drop_after", "initiate_qr")
    paying = pay("--qr")
    attempt_id = id_in(paying, "IN_DOUBT")
    paying.kill()
    assert ended(till.run("open", "--resolve", "60")) == (0, "CANCELLED")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"


@pytest.fixture
def doubted(sandbox: Sandbox, pay: Pay) -> str:
    """A push that never arrived; its till was killed."""
    sandbox.fault("drop_before", "initiate_push")
    paying = pay(*PUSH)
    attempt_id = id_in(paying, "IN_DOUBT")
    paying.kill()
    sandbox.clear_faults()
    return attempt_id


def test_nothing_is_sent_again_by_itself(sandbox: Sandbox, till: Till, doubted: str) -> None:
    done = till.run("open", "--resolve", "1")
    assert ended(done) == (4, "IN_DOUBT")
    assert sum(doubted in str(call["body"]) for call in sandbox.calls("initiate_push")) == 1
    assert [said["state"] for said in till.run("open").objects] == ["IN_DOUBT"]


def test_continue_sends_the_same_bytes_again_and_follows_to_the_end(
    sandbox: Sandbox, till: Till, doubted: str
) -> None:
    going_on = till.start("open", "--continue", doubted)
    assert id_in(going_on, "WAITING") == doubted
    sandbox.act(doubted, "pay")
    assert ended(going_on.end()) == (0, "PAID")


def test_continue_of_a_qr_gives_its_code(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    sandbox.fault("drop_before", "initiate_qr")
    paying = pay("--qr")
    attempt_id = id_in(paying, "IN_DOUBT")
    paying.kill()
    going_on = till.start("open", "--continue", attempt_id)
    shown = going_on.until(lambda said: bool(said["qr_text"]))
    sandbox.scan(shown["qr_text"], then="approve")
    assert ended(going_on.end()) == (0, "PAID")


def test_cancel_makes_sure_that_what_never_arrived_never_will(
    sandbox: Sandbox, till: Till, doubted: str
) -> None:
    done = till.run("cancel", doubted)
    assert ended(done) == (0, "CANCELLED")
    assert sandbox.transaction(doubted)["status"] == "Merchant Cancel"
    assert ended(till.run("cancel", doubted)) == (0, "CANCELLED")


def test_cancel_of_what_was_paid_meanwhile_says_so(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    paying = pay("--qr")
    attempt_id = id_in(paying, "WAITING")
    paying.kill()
    sandbox.act(attempt_id, "pay")
    assert ended(till.run("cancel", attempt_id)) == (1, "PAID")
    (listed,) = till.run("open").objects
    assert listed["state"] == "PAID"


@pytest.mark.parametrize("line", [["--resolve", "3600"], ["--continue", "ID"]])
def test_what_is_in_dispute_is_not_waited_for(
    sandbox: Sandbox, till: Till, pay: Pay, line: list[str]
) -> None:
    """A manager's signature alone ends it, at the window, which nobody could open for as long as it was followed."""
    paying = pay("--qr")
    attempt_id = id_in(paying, "WAITING")
    sandbox.fault("edit", "get_status", set={"transactionAmount": 7.77}, count=None, containing=attempt_id)
    sandbox.act(attempt_id, "pay")
    assert ended(paying.end()) == (4, "DISPUTED")
    assert ended(till.run("open", *(attempt_id if each == "ID" else each for each in line))) == (
        4,
        "DISPUTED",
    )


def test_the_same_amount_again_is_asked_about_first(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    paying = pay("--qr")
    attempt_id = id_in(paying, "WAITING")
    paying.kill()
    for line in (["--amount", "12.50", *PUSH], ["--amount", "12.5", "--qr"]):
        refused = till.run("pay", *line)
        assert (refused.code, refused.out) == (2, "")
        assert "12.50 is still open (sale 0001" in refused.err
        assert attempt_id in refused.err
    installation = attempt_id.partition("-0001-1-")[0]
    assert not any(f"{installation}-0002" in str(call["body"]) for call in sandbox.calls())
    another = till.start("pay", "--amount", "12.50", "--qr", "--another-customer")
    second = id_in(another, "WAITING")
    sandbox.act(second, "pay")
    assert ended(another.end()) == (0, "PAID")


def test_while_one_till_is_at_work_others_only_look(sandbox: Sandbox, till: Till, pay: Pay) -> None:
    paying = pay(*PUSH)
    attempt_id = id_in(paying, "WAITING")
    busy = [
        ["pay", "--amount", "1.00", "--qr"],
        ["cancel", attempt_id],
        ["open", "--resolve", "5"],
        ["open", "--continue", attempt_id],
        ["otp", "send", "+94771234567"],
    ]
    for line in busy:
        done = till.run(*line)
        assert (done.code, done.out) == (73, ""), line
        assert "is in use by another till" in done.err
    # What the first poll tells stands in both or in neither: until then they may be read either side of it.
    while not (listed := till.run("open").last)["service_status"]:
        pass
    assert (listed["attempt_id"], listed["state"]) == (attempt_id, "WAITING")
    (local,) = till.run("transactions", "--local").objects
    assert local == listed
    asked = till.run("status", attempt_id)
    assert (asked.code, asked.last["service_status"]) == (0, "Merchant Initiated")
    assert (asked.last["state"], asked.last["sale_id"]) == ("WAITING", "0001")
    sandbox.act(attempt_id, "pay")
    assert ended(paying.end()) == (0, "PAID")
