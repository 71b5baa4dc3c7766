"""What may leave the counter: each field of a payment, a sale and a person is decided about; each kind by its name."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from pos_app.domain import whitelist
from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.print_job import content_of as content_of_job
from pos_app.domain.sale import Sale
from tests.support import builders

FORMAT = Path(__file__).parents[3] / "docs" / "journal-format.md"
STAY = {
    "LIST_BEGAN", "LIST_READ", "RECON_WINDOW", "OTP_SEND", "OTP_FAILED",
    "PASSCODE_TRY", "PASSCODE_RIGHT", "PASSCODE_SET", "PASSCODE_RESET", "PASSCODE_DEAD", "PASSCODE_RECOVERED",
}  # fmt: skip
"""Kinds of which number, kind and MAC alone leave."""


def fields(kind: type[msgspec.Struct]) -> set[str]:
    """By their names."""
    return {*kind.__struct_fields__}


def test_each_field_is_decided_about() -> None:
    """A new one of a payment, a sale or a person leaves because somebody said so, or stays because somebody did."""
    assert fields(Attempt) == whitelist.OF_ATTEMPT | whitelist.REFERENCES | {"qr_text", "wallet_digest"}
    assert fields(Sale) == whitelist.OF_SALE | whitelist.REFERENCES
    assert fields(Person) == whitelist.OF_PERSON | (whitelist.NEVER - {"qr_text", "wallet_digest"})
    assert not whitelist.NEVER & (
        whitelist.OF_ATTEMPT | whitelist.OF_SALE | whitelist.OF_PERSON | whitelist.REFERENCES
    )


def test_each_kind_is_decided_about() -> None:
    """As docs/journal-format.md lists them."""
    kinds = FORMAT.read_text("utf-8").partition("## Kinds")[2].partition("## The tables")[0]
    first = [row.split("|")[1] for row in kinds.splitlines() if row.startswith("| ")]
    written = {name for cell in first for name in re.findall(r"[A-Z][A-Z_]{3,}", cell)}
    assert written == whitelist.KINDS | STAY


def test_a_payment_leaves_without_its_code_and_its_digest_in_the_types_of_its_own_json() -> None:
    made = builders.attempt(qr_text="code", wallet_digest="d" * 32, invoice_number="INV-7")
    told = whitelist.attempt_of(made, references=False)
    assert {"qr_text", "wallet_digest", "invoice_number", "payment_reference"}.isdisjoint(told)
    assert told["amount"] == "12.50"
    assert whitelist.attempt_of(made, references=True)["invoice_number"] == "INV-7"
    # What a store makes a payment of again, to the last field but those.
    again = msgspec.convert(told, Attempt)
    assert again == msgspec.structs.replace(made, qr_text="", wallet_digest="", invoice_number="")
    assert again.amount == Decimal("12.50")


def test_a_person_is_an_id_a_name_and_a_role() -> None:
    assert whitelist.person_of(builders.person()) == {
        "person_id": "p1",
        "name": "Person 1",
        "role": "cashier",
    }


def test_of_a_whole_value_what_its_type_declares_leaves() -> None:
    job = PrintJob(number=3, paper=PaperKind.RECEIPT, about="T1")
    content = content_of_job(job)
    content["job"]["secret"] = "canary"
    content["beside"] = "canary"
    assert whitelist.event_of("PRINT_QUEUED", content) == content_of_job(job)


def test_of_a_reply_nothing_leaves() -> None:
    event = {"attempt_id": "T1", "reply": {"type": "accepted", "qr_text": "canary"}, "resend": True}
    assert whitelist.event_of("INITIATE_ANSWERED", event) == {"resend": True}
    assert whitelist.event_of("STATUS_ANSWERED", event) == {}


def test_what_is_no_z_is_not_told_as_one() -> None:
    with pytest.raises(msgspec.ValidationError):
        whitelist.event_of("Z_CLOSED", {"number": "one"})
