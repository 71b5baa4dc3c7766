"""Another counter's payment: what is read of it, what may be copied, and when a paper of it is proven."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Environment
from pos_app.domain.elsewhere import Elsewhere, Proof, asked_for, elsewhere_of, proof_of, receipt_elsewhere
from pos_app.domain.ids import ALPHABET
from pos_app.domain.receipt import Scanned, code_text, scanned_in
from pos_app.domain.shipping import FoundPayment

SANDBOX = Environment.SANDBOX
CHECK = "23456789AB"
NUMBER = "SBX-TK7Q2MXAB-R000012"
ID = "SBX-TK7Q2MXAB-0001-1-K7Q2M9"
PAID_AT = "2026-11-23T10:00:05.000+05:30"


def told(**more: Any) -> FoundPayment:
    attempt = {
        "attempt_id": ID, "sale_id": "0001", "number": 1, "kind": "push", "amount": "1250.00", "currency": "LKR",
        "merchant_id": "M-1", "counter_id": 1, "environment": "sandbox", "owner": "p1", "tapped_at": 1,
        "tapped_wall": "2026-11-23T10:00:00.000+05:30", "transaction_date_time": "2026-11-23 10:00:00",
        "give_up_after_ms": 300_000, "state": "PAID", "receipt": 12, "receipt_of": "K7Q2MXAB",
        "wallet_mask": "+94 •• ••• 567",
    }  # fmt: skip
    facts = {name: more.pop(name) for name in [*more] if name in ("paid_at", "check")}
    return FoundPayment(
        attempt=attempt | more,
        counter="Front",
        counter_id=1,
        installation="K7Q2MXAB",
        told="2026-11-23T04:30:06+00:00",
        **{"paid_at": PAID_AT, "check": CHECK} | facts,
    )


def read(**more: Any) -> Elsewhere:
    found = elsewhere_of(told(**more), SANDBOX)
    assert found is not None
    return found


def test_a_receipt_is_copied_with_its_own_counters_code() -> None:
    receipt = receipt_elsewhere(read())
    assert receipt is not None
    assert (receipt.number, receipt.check, receipt.paid_at) == (NUMBER, CHECK, PAID_AT)
    assert (str(receipt.amount), receipt.mask, receipt.counter_id) == ("1250.00", "…567", 1)
    scanned = scanned_in(code_text(receipt))
    assert scanned is not None
    assert asked_for(scanned).id == NUMBER
    assert proof_of(scanned, [read()])[0] is Proof.UNCHANGED


@pytest.mark.parametrize(
    "more",
    [
        {"state": "DISPUTED"},
        {"state": "WAITING"},
        {"receipt": 0},
        {"check": ""},
        {"check": "23"},
        {"paid_at": ""},
    ],
)
def test_what_is_no_proven_money_has_no_copy(more: dict[str, Any]) -> None:
    assert receipt_elsewhere(read(**more)) is None


def test_a_number_in_the_reason_of_an_answer_is_not_taken_over() -> None:
    answer = {"action": "paid", "name": "Nimali", "reason": "from 077 123 4599", "at": 2}
    signed = read(state="SIGNED_OFF", receipt=0, resolution=answer).attempt.resolution
    assert signed is not None
    assert (signed.name, signed.reason) == ("Nimali", "from …599")


def test_what_a_newer_version_wrote_is_not_read() -> None:
    assert elsewhere_of(told(state="HALF_PAID"), SANDBOX) is None
    assert elsewhere_of(told(amount="a lot"), SANDBOX) is None
    assert elsewhere_of(msgspec.structs.replace(told(), attempt={}), SANDBOX) is None
    assert elsewhere_of(told(something_new=[1, 2]), SANDBOX) is not None


def test_each_way_in_which_a_paper_is_not_proven() -> None:
    scanned = Scanned(ID, NUMBER, CHECK)
    assert proof_of(scanned, [])[0] is Proof.MISSING
    assert (
        proof_of(msgspec.structs.replace(scanned, number="SBX-TK7Q2MXAB-R000013"), [read()])[0]
        is Proof.MISSING
    )
    assert proof_of(msgspec.structs.replace(scanned, attempt_id=ID[:-1] + "A"), [read()])[0] is Proof.CHANGED
    assert proof_of(scanned, [read(check="")])[0] is Proof.UNPROVEN


@given(st.text(ALPHABET, min_size=10, max_size=10))
def test_no_other_code_proves_it(code: str) -> None:
    proof, payment = proof_of(Scanned(ID, NUMBER, code), [read()])
    assert payment is not None
    assert (proof is Proof.UNCHANGED) == (code == CHECK)


@pytest.mark.parametrize(
    "more",
    [
        {"environment": "live"},
        {"attempt_id": "T" + ID[5:]},
        {"attempt_id": "<b>1</b>"},
        {"sale_id": "0002"},
        {"receipt_of": "<script>"},
        {"receipt": -1},
        {"amount": "NaN"},
        {"amount": "-1.00"},
        {"amount": "0"},
        {"amount": "1E+400000"},
        {"amount": "1.005"},
        {"currency": "<b>"},
        {"currency": "\u202eRKL"},
        {"tapped_wall": "now"},
        {"tapped_wall": "2026-11-23T10:00:00"},
        {"paid_at": "x" * 5000},
        {"paid_at": "2026-01-01\u202e10:00+00:00"},
        {"tapped_wall": "0001-01-01T00:00:00+14:00"},
        {"tapped_at": 10**30},
        {"prices": ["NaN"]},
    ],
)
def test_what_no_counter_of_this_shop_can_have_told_is_not_read(more: dict[str, Any]) -> None:
    assert elsewhere_of(told(**more), SANDBOX) is None


def test_hostile_text_comes_out_plain_and_a_code_of_other_signs_is_none() -> None:
    hostile = "<b>\u202e\x1b[31m\nx" * 100
    found = read(wallet_mask=hostile, invoice_number=hostile, wallet_transaction_id=hostile, check="é" * 10)
    for text in (
        found.attempt.wallet_mask,
        found.attempt.invoice_number,
        found.attempt.wallet_transaction_id,
    ):
        assert text.isprintable()
        assert len(text) <= 200
    assert (found.check, receipt_elsewhere(found)) == ("", None)
    assert proof_of(Scanned(ID, NUMBER, CHECK), [found])[0] is Proof.UNPROVEN
    named = elsewhere_of(msgspec.structs.replace(told(), counter=hostile), SANDBOX)
    assert named is not None
    assert named.counter.isprintable()
    assert len(named.counter) <= 60


def test_an_answer_from_no_day_is_not_read() -> None:
    for when in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-11-23 10:00", "\u0662026"):
        assert elsewhere_of(msgspec.structs.replace(told(), told=when), SANDBOX) is None


def test_whose_it_is_goes_by_all_that_this_counter_was() -> None:
    for own, is_own in (({"K7Q2MXAB"}, True), ({"ABCDEFGH"}, False), (set(), False)):
        found = elsewhere_of(told(), SANDBOX, own)
        assert found is not None
        assert found.is_own is is_own
