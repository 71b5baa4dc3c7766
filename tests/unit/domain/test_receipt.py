"""What a receipt says and swears to, whom it is made for, and how a paper is known again."""

from __future__ import annotations

from decimal import Decimal
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, Attempt, CancelWish, Environment, Resolution, State
from pos_app.domain.ids import ALPHABET
from pos_app.domain.paper import Code, Line, Marking, text_of
from pos_app.domain.receipt import (
    CODE_LENGTH,
    Copy,
    Letterhead,
    Scanned,
    Verdict,
    code_of,
    code_text,
    judged,
    receipt_of,
    scanned_in,
    shown_number,
    sworn,
)
from pos_app.i18n.papers import Papers
from tests.support import receipts
from tests.support.builders import attempt

AT = "2026-03-01T23:07:00.000+05:30"
PAID: Attempt = replace(
    attempt(1), state=State.PAID, receipt=123, receipt_of="7K3M9QRD", wallet_mask="+94 •• ••• 567"
)
OURS = frozenset({"7K3M9QRD"})


def code(of: Attempt, at: str = AT) -> str:
    """As a journal makes it, with any key."""
    return code_of(sha256(sworn(of, at).encode()).digest())


@pytest.mark.parametrize("state", list(State))
def test_a_receipt_is_made_of_proven_money_alone(state: State) -> None:
    """Whatever else is known of the payment; in dispute it gets a note, which confirms nothing."""
    made = receipt_of(replace(PAID, state=state), AT)
    if state in MONEY:
        assert made is not None
        assert (made.number, made.paid_at, made.is_note) == ("SBX-T7K3M9QRD-R000123", AT, False)
    elif state is State.DISPUTED:
        assert made is not None
        assert (made.number, made.paid_at, made.check, made.is_note) == ("", "", "", True)
    else:
        assert made is None


def test_money_without_a_number_or_a_time_has_no_receipt() -> None:
    """It was taken under a version that gave none."""
    assert receipt_of(replace(PAID, receipt=0), AT) is None
    assert receipt_of(PAID, "") is None


def test_a_receipt_shows_three_digits_of_the_wallet_and_no_more() -> None:
    made = receipt_of(PAID, AT)
    assert made is not None
    assert made.mask == "…567"
    hidden = receipt_of(replace(PAID, wallet_mask="••••"), AT)
    assert hidden is not None
    assert hidden.mask == ""


def test_nothing_on_a_paper_turns_letters_around_or_is_a_command() -> None:
    """Whatever the service, or an old journal, calls things (threat 19)."""
    evil = "9\u202e12\x1b@\u200b7"
    made = receipt_of(
        replace(PAID, wallet_transaction_id=evil, invoice_number=evil, payment_reference=evil),
        AT,
        cashier=evil,
    )
    assert made is not None
    assert {made.wallet_transaction_id, made.invoice, made.reference, made.cashier} == {"912@7"}


@pytest.mark.parametrize("environment", list(Environment))
@pytest.mark.parametrize("kind", ["receipt", "note"])
def test_the_marking_is_the_payments_own(environment: Environment, kind: str) -> None:
    """Whatever the till's settings are by now (I9)."""
    made = receipts.note() if kind == "note" else receipts.receipt()
    paper = Papers("en", receipts.HEADS["en"]).receipt(replace(made, environment=environment))
    marks = [at for at, each in enumerate(paper.blocks) if isinstance(each, Marking)]
    if environment is Environment.LIVE:
        assert not marks
    else:
        assert marks[0] == 0
        assert marks[-1] == len(paper.blocks) - 1
        assert len(marks) == (2 if kind == "note" else 3)


def test_an_original_has_no_mark_of_a_copy_and_every_other_paper_has() -> None:
    made = Papers("en", receipts.HEADS["en"])
    assert "COPY" not in text_of(made.receipt(receipts.receipt()))
    printed = text_of(made.receipt(receipts.receipt(), Copy(2, AT))).splitlines()
    assert printed.count("COPY 2") == printed.count("printed 2026-03-01 23:07") == 2
    kept = text_of(made.receipt(receipts.receipt(), Copy(0, AT))).splitlines()
    assert kept.count("COPY") == kept.count("made 2026-03-01 23:07, not printed by the till") == 2


def test_the_time_on_it_is_that_of_the_money_with_its_offset() -> None:
    said = text_of(
        Papers("en", receipts.HEADS["en"]).receipt(receipts.receipt(), Copy(3, "2026-03-09T08:00:00+05:30"))
    )
    assert "Paid at: 2026-03-01 23:07:00 +05:30" in said


@pytest.mark.parametrize(
    ("told", "line"),
    [("name", "Cashier: Nimal Perera"), ("number", "Cashier: 3"), ("none", "")],
)
def test_the_cashier_is_told_as_the_shop_wants(told: str, line: str) -> None:
    said = text_of(
        Papers("en", Letterhead(shop="Shop", cashier=told)).receipt(receipts.receipt())
    ).splitlines()
    assert [each for each in said if each.startswith("Cashier")] == ([line] if line else [])


@pytest.mark.parametrize(
    ("settled", "line"),
    [
        ("", "Not settled yet: please ask the shop."),
        ("complete", "Settled: the sale was completed."),
        ("refund", "Settled: money back noted, outside this till."),
    ],
)
def test_late_money_says_so_and_how_it_was_settled(settled: str, line: str) -> None:
    said = text_of(Papers("en", receipts.HEADS["en"]).receipt(receipts.late(settled))).splitlines()
    assert "PAID LATE" in said
    assert "PAID" not in said
    assert line in said


def test_money_that_crossed_a_cancel_is_settled_too() -> None:
    crossed = receipt_of(replace(PAID, cancel_wish=CancelWish("person-1", 5)), AT)
    assert crossed is not None
    assert (crossed.needs_settling, crossed.settled) == (True, "")
    answered = replace(
        PAID, cancel_wish=CancelWish("person-1", 5), resolution=Resolution("refund", "N", "late", 9)
    )
    settled = receipt_of(answered, AT)
    assert settled is not None
    assert settled.settled == "refund"


def test_a_note_is_no_receipt_and_says_so() -> None:
    paper = Papers("en", receipts.HEADS["en"]).receipt(receipts.note())
    said = text_of(paper)
    assert "This is not a receipt." in said
    assert not any(isinstance(each, Code) for each in paper.blocks)
    for absent in ("PAID", "Paid at", "Receipt:", "Check code", "Thank you"):
        assert absent not in said
    assert any(isinstance(each, Line) and each.text == "PAYMENT IN DISPUTE" for each in paper.blocks)


@given(st.binary(min_size=16, max_size=40))
def test_a_code_is_ten_signs_that_are_read_aloud(digest: bytes) -> None:
    made = code_of(digest)
    assert len(made) == CODE_LENGTH
    assert set(made) <= set(ALPHABET)


def test_the_code_on_the_paper_is_read_again_in_either_case_and_with_its_hyphen() -> None:
    made = replace(receipts.receipt(), check="K7Q2M9XHTD")
    text = code_text(made)
    wanted = Scanned("T7K3M9QRD-0123-1-K7Q2M9", "T7K3M9QRD-R000123", "K7Q2M9XHTD")
    assert set(text) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ -")
    for typed in (text, text.lower(), f" {text} ", text.replace("K7Q2M9XHTD", "K7Q2M-9XHTD")):
        assert scanned_in(typed) == wanted
    for other in ("", "INV-7", text[:-1], f"{text}2", text.replace(" ", "")):
        assert scanned_in(other) is None


CHANGES = {
    "amount": replace(PAID, amount=Decimal("12.51")),
    "currency": replace(PAID, currency="USD"),
    "payment": replace(PAID, attempt_id="SBX-T7K3M9QRD-0001-2-K7Q2M9"),
    "number": replace(PAID, receipt=124),
}


@pytest.mark.parametrize("what", CHANGES)
def test_anything_else_on_a_paper_has_another_code(what: str) -> None:
    assert code(CHANGES[what]) != code(PAID)
    assert code(PAID, AT.replace("23:07", "23:08")) != code(PAID)


def test_a_paper_is_ours_changed_missing_or_another_tills() -> None:
    right = Scanned(PAID.attempt_id, shown_number(PAID), code(PAID))
    ours = judged(right, PAID, code(PAID), OURS)
    assert (ours.verdict, ours.is_ours, ours.attempt) == (Verdict.OURS, True, PAID)
    forged = judged(replace(right, check="2222222222"), PAID, code(PAID), OURS)
    assert (forged.verdict, forged.is_ours) == (Verdict.CHANGED, False)
    moved = judged(replace(right, attempt_id="SBX-T7K3M9QRD-0002-1-K7Q2M9"), PAID, code(PAID), OURS)
    assert moved.verdict is Verdict.CHANGED
    assert judged(right, None, "", OURS).verdict is Verdict.MISSING
    assert judged(right, None, "", frozenset()).verdict is Verdict.FOREIGN
    live = replace(right, number=right.number.removeprefix("SBX-"))
    assert judged(live, PAID, code(PAID), OURS).verdict is Verdict.MISSING


def test_a_paper_whose_money_was_given_back_says_so() -> None:
    back = replace(PAID, state=State.PAID_LATE, resolution=Resolution("refund", "Nimali", "late", 9))
    scanned = Scanned(back.attempt_id, shown_number(back), code(back))
    checked = judged(scanned, back, code(back), OURS)
    assert (checked.is_ours, checked.was_noted) == (True, True)
