"""`reconcile` by the real process at a sandbox whose list is cut, mixed up, and holds others' payments."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from tests.integration.cli.test_closing import left_waiting, paid
from tests.integration.cli.till import Till, till_of
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient
from tests.unit.journal.tampering import tamper

OTHERS = "SBX-TBBBB2222-0001-1-K7Q2M9"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sandbox, Path]]:
    """One for this module alone: others' payments at the counter would be found as a stranger's."""
    folder = tmp_path_factory.mktemp("served")
    with Sandbox(config_dir=folder, switches={"approve_to_paid_s": 0}) as running:
        yield running, folder


@pytest.fixture
def sandbox(served: tuple[Sandbox, Path]) -> Sandbox:
    """The same, with nothing of the last test's in it."""
    served[0].reset()
    return served[0]


@pytest.fixture
def till(sandbox: Sandbox, served: tuple[Sandbox, Path], tmp_path: Path) -> Till:
    """At that sandbox, with settings that a test may change."""
    assert sandbox.details
    config, secrets = (shutil.copy(served[1] / name, tmp_path) for name in ("config.toml", "secrets.toml"))
    return till_of(Path(config), Path(secrets), tmp_path / "counter")


@pytest.fixture
def strangers(sandbox: Sandbox) -> Callable[..., None]:
    """Payments at this counter that this till never made, paid."""

    def make(*ids: object, at: datetime | None = None) -> None:
        client = ServiceClient(sandbox)
        at = at or datetime.now()
        for each in ids:
            client.initiate_qr(each, transactionDateTime=f"{at:%Y-%m-%d %H:%M:%S}", chargeTotal=99.5)
            sandbox.act(str(each), "pay")
        client.close()

    return make


def test_an_equal_day_and_what_a_service_does_to_its_list(
    sandbox: Sandbox, till: Till, strangers: Callable[..., None]
) -> None:
    """0; then a cap with a mixed order, an echo by number, another till's and a stranger's payments: 1, each named."""
    ours = [paid(sandbox, till), paid(sandbox, till, "0.05")]
    equal = till.run("reconcile")
    assert equal.code == 0
    (run,) = equal.objects
    assert (run["complete"], run["rows"], run["equal"], run["differences"]) == (True, 2, 2, {})
    strangers(OTHERS, 4711)
    for switch, value in (
        ("list_cap", 3),
        ("list_order", "shuffled"),
        ("id_echo", "number"),
        ("page_size", 1),
    ):
        sandbox.switch(switch, value)
    told = till.run("reconcile")
    assert told.code == 1
    *found, run = told.objects
    assert (run["complete"], run["rows"], run["equal"]) == (True, 4, 2)
    by_kind = {each["difference"]: each for each in found}
    assert set(by_kind) == {"foreign", "other_till"}
    assert (by_kind["foreign"]["detail"], Decimal(by_kind["foreign"]["at_risk"])) == ("4711", Decimal("99.5"))
    assert (by_kind["other_till"]["subject"], by_kind["other_till"]["count"]) == ("BBBB2222", 1)
    assert {kind: Decimal(each) for kind, each in run["at_risk"].items()} == {"foreign": Decimal("99.5")}
    local = till.run("transactions", "--local").objects
    assert sorted(each["attempt_id"] for each in local) == sorted(ours)  # nobody's is adopted
    plain = till.say("reconcile")
    assert "Money taken under this counter without a till." in plain.out
    assert "99.5" in plain.out


def test_what_only_the_service_knows_is_asked_about_and_then_is_no_difference(
    sandbox: Sandbox, till: Till
) -> None:
    """Paid after the till had let go: the ask makes it late money, and the day is equal."""
    alone = left_waiting(till)
    assert till.run("cancel", alone).code in (0, 1, 4)
    late = left_waiting(till)
    sandbox.act(late, "pay")
    run = till.run("reconcile").last
    assert run["complete"]
    assert run["differences"] == {}
    states = {each["attempt_id"]: each["state"] for each in till.run("transactions", "--local").objects}
    assert states[late] in ("PAID", "PAID_LATE")


def test_a_close_compares_and_a_z_says_so(
    sandbox: Sandbox, till: Till, strangers: Callable[..., None]
) -> None:
    """4 where it is not equal; each Z names the days that nobody compared; later they can be."""
    paid(sandbox, till)
    without = till.run("close", "--no-reconcile")
    assert without.code == 0
    assert (without.objects[0]["reconciled"], without.objects[0]["not_reconciled"]) == (None, [])
    paid(sandbox, till, "3.00")
    strangers("my-own-pocket")
    closed = till.run("close")
    assert closed.code == 4
    (z,) = closed.objects
    assert z["reconciled"]["complete"]
    assert z["reconciled"]["differences"] == 1
    assert z["not_reconciled"] == [1]
    lines = till.say("report", "z").out
    assert "reconciled with the service: 1 differences" in lines
    assert "not reconciled: Z 1" in lines
    text = till.say("report", "z", "--text").out
    assert "Z 1 not reconciled" in text
    first = till.run("reconcile", "--z", "1")
    assert (first.code, first.last["z"], first.last["equal"]) == (0, 1, 1)
    again = till.run("reconcile", "--z", "1")
    assert again.last["run"] == first.last["run"]
    assert till.run("reconcile", "--z", "1", "--again").last["run"] > first.last["run"]
    assert till.run("close").objects[0]["not_reconciled"] == []


def test_a_z_that_was_compared_in_part_says_what_differs_all_the_same(sandbox: Sandbox, till: Till) -> None:
    """Its paper had "in part" alone, and money that the service does not know of went unsaid."""
    paid(sandbox, till)
    sandbox.reset()
    sandbox.fault("drop_before", "get_status", count=99)
    closed = till.run("close")
    found = closed.last["reconciled"]
    assert (closed.code, found["complete"], found["differences"]) == (4, False, 1)
    assert "in part (its list was not whole, or not all of it could be asked about): 1 differences" in (
        till.say("report", "z").out
    )
    paper = till.say("report", "z", "--text").out.splitlines()
    assert "Reconciled in part: the service’s list was not whole" in paper
    assert "Reconciled with the service: 1 difference" in paper


def test_what_is_at_risk_in_two_currencies_is_no_sum(sandbox: Sandbox, till: Till) -> None:
    """12.50 rupees and 7.125 dinars that the service has lost stood there as 19.625 rupees."""
    paid(sandbox, Till(till.common, {"POS_APP_SHOP_CURRENCY": "KWD"}), "7.125")
    paid(sandbox, till, "12.50")
    sandbox.reset()
    told = till.run("reconcile")
    assert (told.code, told.last["currency"]) == (1, "LKR")
    assert told.last["at_risk"] == {"here_paid": "12.50"}
    assert told.last["other_currencies"] == {"KWD": {"here_paid": "7.125"}}
    plain = till.say("reconcile").out
    assert ("At risk: LKR 12.50\n" in plain, "At risk: KWD 7.125\n" in plain) == (True, True)


def test_the_services_list_has_our_payments_in_what_they_were_charged(sandbox: Sandbox, till: Till) -> None:
    """It names no currency: dinars of before the change were shown as rupees."""
    dinars = paid(sandbox, Till(till.common, {"POS_APP_SHOP_CURRENCY": "KWD"}), "7.125")
    rupees = paid(sandbox, till, "12.50")
    lines = {line.split()[-1]: line for line in till.say("transactions").out.splitlines()}
    assert " KWD 7.125 " in lines[dinars]
    assert " LKR 12.50 " in lines[rupees]


@pytest.mark.parametrize(
    ("after", "difference", "state"),
    [("Payment Fail", "here_paid", "DISPUTED"), ("Refunded", "unknown_status", "PAID")],
)
def test_what_a_service_does_to_an_end_is_told_and_disputed_at_a_closing(
    sandbox: Sandbox, till: Till, after: str, difference: str, state: str
) -> None:
    """Its list and its answers agree: nothing but the record knows that it was paid."""
    one = paid(sandbox, till)
    sandbox.set_status(one, after)
    told = till.run("reconcile")
    assert (told.code, told.last["complete"]) == (1, True)
    assert told.last["at_risk"] == {difference: "12.50"}
    assert till.run("close").code == 4
    assert [each["state"] for each in till.run("transactions", "--local").objects] == [state]


@pytest.mark.parametrize(
    "said",
    [
        {"externalMerchantTransactionId": OTHERS},
        {"externalMerchantTransactionId": None},
        {"walletTransactionId": "1"},
        {"merchantPgIdentifier": "M-2"},
    ],
    ids=lambda said: next(iter(said)),
)
def test_an_answer_about_another_payment_makes_none_equal(
    sandbox: Sandbox, till: Till, said: dict[str, object]
) -> None:
    """The service denies one that was paid; what was asked about it is answered with the success of another."""
    one = paid(sandbox, till)
    sandbox.set_status(one, "Payment Fail")
    success = {"merchantTxnStatusName": "Payment Success", **said}
    sandbox.fault("edit", "get_status", count=None, set=success)
    told = till.run("reconcile")
    assert (told.code, told.last["complete"], told.last["equal"]) == (4, False, 0)
    assert told.last["at_risk"] == {"here_paid": "12.50"}


@pytest.mark.parametrize("amount", [10**31 + 1, 10**27])
def test_a_row_of_any_size_is_told(sandbox: Sandbox, till: Till, amount: int) -> None:
    """A number that no counter takes ended both verbs: it had too many digits to be given the currency's."""
    paid(sandbox, till)
    client = ServiceClient(sandbox)
    (ours,) = client.query().response["transactionList"]
    client.close()
    row = {**ours, "externalMerchantTransactionId": "X-1", "walletTransactionId": "W-1"}
    rows = [ours, {**row, "transactionAmount": amount}]
    sandbox.fault("reply", "query", count=None, body={"response": {"transactionList": rows}})
    listed = till.say("transactions")
    assert (listed.code, f"LKR {amount:,d}" in listed.out) == (0, True)
    told = till.say("reconcile")
    assert f"At risk: LKR {amount:,d}" in told.out
    assert "unexpected" not in told.err


def test_a_list_that_cannot_be_whole_is_told(sandbox: Sandbox, till: Till) -> None:
    """4: it gives no more whatever it is asked for."""
    for amount in ("1.00", "2.00", "3.00"):
        paid(sandbox, till, amount)
    for switch, value in (("list_cap", 1), ("list_dates", "ignored"), ("page_meaning", "ignored")):
        sandbox.switch(switch, value)
    told = till.run("reconcile")
    assert told.code == 4
    *found, run = told.objects
    assert [each["difference"] for each in found] == ["incomplete"]
    assert (run["complete"], run["asked"]) == (False, 2)  # what it did not show was asked about by its id


NAMED = {"foreign", "other_till"}
HOWEVER_IT_LISTS: dict[str, tuple[dict[str, object], set[str]]] = {
    "as it is": ({}, NAMED),
    "cut at three, the newest": ({"list_cap": 3, "list_order": "newest-first"}, NAMED),
    "cut at three, the oldest": ({"list_cap": 3, "list_order": "oldest-first"}, NAMED),
    "cut at three, any": ({"list_cap": 3, "list_order": "shuffled"}, NAMED),
    "cut at one": ({"list_cap": 1}, NAMED),
    "numbers for texts": ({"id_echo": "number", "amount_echo": "string"}, NAMED),
    "amounts as a double prints": ({"amount_echo": "double"}, NAMED),
    "ends not counted in": ({"list_dates": "exclusive", "list_cap": 4}, NAMED),
    "positions for pages": ({"page_meaning": "position", "list_cap": 2, "list_dates": "ignored"}, NAMED),
    "whole days, cut": ({"list_dates": "days", "list_cap": 3, "page_meaning": "ignored"}, {"incomplete"}),
    "behind the payments": ({"list_lag_s": 600}, {"incomplete"}),
    "a page is lost": (
        {"list_dates": "ignored", "list_cap": 2, "page_size": 2, "page_lost": 2},
        {"incomplete"},
    ),
    "5014 for what is too much": ({"list_most": 4}, {"incomplete"}),
    "too long a reply": ({"list_most": 4, "list_beyond_most": "oversize"}, NAMED),
}
"""What a service may do with its list of five payments at this counter: three of this till, one of another, and one
of a stranger's. And what is told then: who they are, or that the list is not whole. Never that all is equal."""


@pytest.mark.parametrize(("switches", "told"), HOWEVER_IT_LISTS.values(), ids=HOWEVER_IT_LISTS)
def test_a_list_is_whole_or_said_not_to_be(
    sandbox: Sandbox, till: Till, strangers: Callable[..., None], switches: dict[str, object], told: set[str]
) -> None:
    ours = [paid(sandbox, till), paid(sandbox, till, "0.05"), paid(sandbox, till, "3.00")]
    strangers(OTHERS, 4711)
    for switch, value in switches.items():
        sandbox.switch(switch, value)
    done = till.run("reconcile")
    *found, run = done.objects
    kinds = {each["difference"] for each in found}
    assert done.code == (1 if run["complete"] else 4 if run["rows"] else 69)
    assert told <= kinds <= told | NAMED
    assert run["complete"] == ("incomplete" not in told)
    if run["complete"]:
        assert (run["rows"], run["equal"]) == (5, 3)
    # Nothing that the list does not show makes money of ours none, and nobody's becomes ours.
    local = {each["attempt_id"]: each["state"] for each in till.run("transactions", "--local").objects}
    assert local == dict.fromkeys(ours, "PAID")


def test_nobody_gives_a_list(sandbox: Sandbox, till: Till) -> None:
    """69; 5014 is an empty list and no failure."""
    empty = till.run("reconcile")
    assert (empty.code, empty.last["rows"]) == (0, 0)
    paid(sandbox, till)
    sandbox.fault("status", "query", status=503, text="", count=None)
    told = till.run("reconcile")
    assert (told.code, told.last["complete"], told.last["rows"]) == (69, False, 0)


@pytest.mark.parametrize(
    "words",
    [
        ("--from", "2026-03-01"),
        ("--from", "2026-03-02", "--to", "2026-03-01"),
        ("--from", "2026-02-30", "--to", "2026-03-01"),
        ("--from", "0202-03-01", "--to", "2026-03-01"),
        ("--from", "2026-03-01", "--to", "9999-12-31"),
        ("--from", "2026-03-01", "--to", "2026-03-01", "--z", "1"),
        ("--z", "0"),
        ("--z", "9"),
    ],
)
def test_what_cannot_be_meant(till: Till, words: tuple[str, ...]) -> None:
    """2: nothing was done."""
    assert till.run("reconcile", *words).code == 2


def test_a_record_that_was_begun_anew_says_what_to_wait_for(
    sandbox: Sandbox, till: Till, tmp_path: Path
) -> None:
    """ "Try again later": no verb that was tried again stayed until the list was read, so that it never was."""
    paid(sandbox, till)
    tamper(tmp_path / "counter" / "sandbox" / "journal.sqlite", "UPDATE event SET wall = 'x' WHERE seq = 1")
    refused = till.say("reconcile")
    assert refused.code == 69
    assert "`open --resolve 600`" in refused.err


def test_a_range_of_days(sandbox: Sandbox, till: Till) -> None:
    """Of today there is one, of a day long ago none."""
    paid(sandbox, till)
    today = f"{datetime.now():%Y-%m-%d}"
    assert till.run("reconcile", "--from", today, "--to", today).last["equal"] == 1
    assert till.run("reconcile", "--from", "2020-03-01", "--to", "2020-03-01").last["rows"] == 0
