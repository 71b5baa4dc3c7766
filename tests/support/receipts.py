"""Receipts made up for tests, of every kind, and the shop's lines in four scripts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.day import Carried, Copies, Entry, Grand, Named, Receipts, Unprinted, X, Z
from pos_app.domain.receipt import Letterhead, Receipt
from pos_app.domain.refund import Note, NoteReason, NoteState, NoteSums, NoteWay
from pos_app.domain.takings import Tally

HEADS = {
    "en": Letterhead(
        shop="Corner Shop",
        header=("12 Galle Road, Colombo 3", "Tel. 011 234 5678"),
        footer=("Thank you! Come again.",),
        tax_id="134 567 890",
    ),
    "si": Letterhead(
        shop="මුල්ල කඩය",
        header=("12 ගාලු පාර, කොළඹ 3", "Tel. 011 234 5678"),
        footer=("ස්තුතියි! නැවත එන්න.",),
        tax_id="134 567 890",
    ),
    "ta": Letterhead(
        shop="மூலைக் கடை",
        header=("12 காலி வீதி, கொழும்பு 3", "Tel. 011 234 5678"),
        footer=("நன்றி! மீண்டும் வருக.",),
        tax_id="134 567 890",
    ),
    "ar": Letterhead(
        shop="متجر الزاوية",
        header=("12 طريق غالي، كولومبو 3", "Tel. 011 234 5678"),
        footer=("شكرًا لزيارتكم",),
        tax_id="134 567 890",
    ),
}
"""By language."""

PAID_AT = "2026-03-01T23:07:00.000+05:30"


def receipt(**changed: Any) -> Receipt:
    """Of a live payment by QR."""
    told: dict[str, Any] = {
        "number": "T7K3M9QRD-R000123",
        "environment": Environment.LIVE,
        "sale_id": "0123",
        "attempt_id": "T7K3M9QRD-0123-1-K7Q2M9",
        "wallet_transaction_id": "98273498273",
        "amount": Decimal("1250.00"),
        "currency": "LKR",
        "kind": Kind.QR,
        "state": State.PAID,
        "paid_at": PAID_AT,
        "counter_id": 3,
        "mask": "…567",
        "invoice": "INV-2026/0017",
        "cashier": "Nimal Perera",
        "cashier_number": "3",
        "check": "K7Q2M9XHTD",
    }
    return Receipt(**(told | changed))


def sandboxed() -> Receipt:
    """The same in the sandbox."""
    return receipt(
        number="SBX-T7K3M9QRD-R000123",
        attempt_id="SBX-T7K3M9QRD-0123-1-K7Q2M9",
        environment=Environment.SANDBOX,
    )


def late(settled: str = "") -> Receipt:
    """Money that came after the till had let go."""
    return receipt(state=State.PAID_LATE, kind=Kind.PUSH, needs_settling=True, settled=settled)


def note() -> Receipt:
    """Of a payment in dispute."""
    return receipt(state=State.DISPUTED, number="", paid_at="", check="")


def refund_note(**changed: Any) -> Note:
    """One that a manager has signed beside the cashier whose payment it is."""
    told: dict[str, Any] = {
        "number": 7,
        "attempt_id": "SBX-T7K3M9QRD-0123-1-K7Q2M9",
        "sale_id": "0123",
        "amount": Decimal("450.00"),
        "currency": "LKR",
        "environment": "sandbox",
        "reason": NoteReason.RETURNED,
        "way": NoteWay.TRANSFER,
        "noted": "2026-03-01T23:20:00.000+05:30",
        "by": "person-2",
        "owner": "person-1",
        "receipt": "SBX-T7K3M9QRD-R000123",
        "text": "the box was broken",
        "receiver": "Kamala …567",
        "payer": "+94 77 ••• •567",
        "name": "Kavitha Selvan",
        "beside": "person-1",
    }
    return Note(**(told | changed))


def z(**changed: Any) -> Z:
    """A closed day with something of everything."""
    return Z(**(_day() | {"request_id": "r-1", "business_date": "2026-03-01", "by": "person-1"}
                | {"digest": "0123456789abcdef0123456789abcdef"} | changed))  # fmt: skip


def x(**changed: Any) -> X:
    """The same, still open."""
    return X(**(_day() | changed))


NAMES = {"person-1": "Nimal Perera", "person-2": "Kavitha Selvan"}


def _day() -> dict[str, Any]:
    return {
        "number": 12,
        "environment": "sandbox",
        "installation_id": "7K3M9QRD",
        "currency": "LKR",
        "from_seq": 8811,
        "to_seq": 9950,
        "began_at": 1,
        "began": "2026-03-01T08:02:11.000+05:30",
        "ended_at": 2,
        "ended": "2026-03-01T21:40:00.000+05:30",
        "entries": (
            Entry("PAID", "qr", "person-1", "LKR", 380, 48000000),
            Entry("PAID", "push", "person-2", "LKR", 29, 3150000),
            Entry("PAID_LATE", "qr", "person-2", "LKR", 1, 1250),
            Entry("FAILED", "qr", "person-1", "LKR", 9, 0),
            Entry("CANCELLED", "qr", "person-2", "LKR", 7, 0),
        ),
        "late_from": (
            Named(11, "SBX-T7K3M9QRD-0099-1-K7Q2M9", "SBX-T7K3M9QRD-R000099", "PAID_LATE", Decimal("12.50"), "LKR"),
        ),
        "carried": (
            Carried("SBX-T7K3M9QRD-0170-1-K7Q2M8", "0170", "UNRESOLVED", Decimal("840.00"), "LKR", "person-1", 840),
        ),
        "disputed": ("SBX-T7K3M9QRD-0160-2-K7Q2M2",),
        "overpaid": ("0150",),
        "receipts": (Receipts("7K3M9QRD", 101, 510),),
        "grand": {"LKR": Grand(612340050, 90000, 125000)},
        "unreached_since": "2026-03-01T21:40:00+05:30",
        "not_asked": 3,
        "copies": (Copies("person-2", 4),),
        "unprinted": (
            Unprinted("receipt", "SBX-T7K3M9QRD-0170-1-K7Q2M8", "UNKNOWN", "till_stopped", "SBX-T7K3M9QRD-R000507", 1),
            Unprinted("receipt", "SBX-T7K3M9QRD-0171-1-K7Q2M8", "EXPIRED", "paper_out", "SBX-T7K3M9QRD-R000508"),
            Unprinted("z", "11", "HELD", "no_connection"),
        ),
        "unprinted_more": 2,
        "notes": (
            refund_note(),
            refund_note(number=8, state=NoteState.GIVEN, own=True, beside="", way=NoteWay.CASH, receiver=""),
        ),
        "notes_more": 3,
        "noted": {"LKR": NoteSums(Tally(2, 90000), Tally(1, 45000), Tally(1, 20000), Tally(1, 45000))},
    }  # fmt: skip
