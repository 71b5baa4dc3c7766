"""Receipts and a report as they come out of the printer, in four scripts and on both widths. Nothing is printed."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.paper import WIDTHS
from pos_app.domain.receipt import Copy, Letterhead, Receipt
from pos_app.domain.refund import Note, NoteReason, NoteWay
from pos_app.gallery.exhibit import Exhibit
from pos_app.i18n.languages import languages
from pos_app.i18n.papers import Papers
from pos_app.ui.paper.raster import bitmap_of
from pos_app.ui.paper.strip import PaperStrip

HEAD = Letterhead(
    shop="Corner Shop", header=("12 Galle Road, Colombo 3",), footer=("Thank you!",), tax_id="134 567 890"
)
_COPY = Copy(1, "2025-11-21T14:20:00.000+05:30")
_SIZE = (440, 1060)


def receipt(state: State = State.PAID) -> Receipt:
    """Of a payment in the sandbox."""
    is_note = state is State.DISPUTED
    return Receipt(
        number="" if is_note else "SBX-TK7M3Q9RD-R000123",
        environment=Environment.SANDBOX,
        sale_id="0123",
        attempt_id="SBX-TK7M3Q9RD-0123-1-K7Q2M9",
        wallet_transaction_id="900123",
        amount=Decimal("1250.00"),
        currency="LKR",
        kind=Kind.QR,
        state=state,
        paid_at="" if is_note else "2025-11-21T14:07:31.000+05:30",
        counter_id=3,
        invoice="INV-2025/0017",
        cashier="Nimali",
        needs_settling=state is State.PAID_LATE,
        check="" if is_note else "K7Q2M9XHTD",
    )


def note(number: int = 7) -> Note:
    """A refund note that a manager has signed beside a cashier."""
    return Note(
        number=number,
        attempt_id="SBX-TK7M3Q9RD-0123-1-K7Q2M9",
        sale_id="0123",
        amount=Decimal("450.00"),
        currency="LKR",
        environment="sandbox",
        reason=NoteReason.RETURNED,
        way=NoteWay.TRANSFER,
        noted="2025-11-21T14:20:00.000+05:30",
        by="p2",
        owner="p1",
        receipt="SBX-TK7M3Q9RD-R000123",
        text="the box was broken",
        receiver="Kamala …567",
        payer="+94 77 ••• •567",
        name="Ruwan",
        beside="p1",
    )


def _slip(language: str, *, for_shop: bool) -> QWidget:
    paper = Papers(language, HEAD).slip(note(), {"p1": "Nimali"}, for_shop=for_shop)
    strip = PaperStrip("slip", WIDTHS[80])
    strip.setAccessibleName(paper.title)
    strip.show_bitmap(bitmap_of(paper, WIDTHS[80]))
    return strip


def _strip(language: str, width: int, state: State, copy: Copy | None) -> QWidget:
    strip = PaperStrip("paper", WIDTHS[width])
    paper = Papers(language, HEAD).receipt(receipt(state), copy)
    strip.setAccessibleName(paper.title)
    strip.show_bitmap(bitmap_of(paper, WIDTHS[width]))
    return strip


def papers() -> list[Exhibit]:
    """A receipt in each language, then what else there is of it in English."""
    found = [
        Exhibit(f"receipt-{each}", partial(_strip, each, 80, State.PAID, None), _SIZE) for each in languages()
    ]
    return [
        *found,
        *(Exhibit(f"slip-{each}", partial(_slip, each, for_shop=True), _SIZE) for each in languages()),
        Exhibit("slip-customer", partial(_slip, "en", for_shop=False), _SIZE),
        Exhibit("receipt-58", partial(_strip, "en", 58, State.PAID, None), _SIZE),
        Exhibit("receipt-copy", partial(_strip, "en", 80, State.PAID, _COPY), _SIZE),
        Exhibit("receipt-late", partial(_strip, "en", 80, State.PAID_LATE, None), _SIZE),
        Exhibit("receipt-note", partial(_strip, "en", 80, State.DISPUTED, None), _SIZE),
    ]
