"""What of the payments goes into a file: which, in which columns, and how a book takes them. Pure; writes nothing.

docs/exports.md says what each column holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

import msgspec

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.day import date_in
from pos_app.domain.ids import receipt_number
from pos_app.domain.search import Meant
from pos_app.domain.takings import MONEY_COLUMNS
from pos_app.domain.text import clean_text


class Format(StrEnum):
    """Which kind of file."""

    CSV = "csv"
    XLSX = "xlsx"
    JSONL = "jsonl"
    LEDGER = "ledger"


ENDING = {Format.CSV: "csv", Format.XLSX: "xlsx", Format.JSONL: "jsonl", Format.LEDGER: "csv"}

COLUMNS = (
    "business_date",
    "z",
    "receipt",
    "sale_id",
    "attempt_id",
    "wallet_transaction_id",
    "kind",
    "amount",
    "currency",
    "state",
    "reason",
    "tapped_at",
    "paid_at",
    "cashier",
    "wallet_mask",
    "invoice",
    "reference",
    "refund_note",
    "refunded",
    "difference",
    "environment",
)
NUMBERS = frozenset({"amount", "refunded"})
"""Columns of amounts: their minus is a sign, not the begin of a formula."""

WHOLE_NUMBER = "wallet_number"
"""The column behind the others where whole wallet numbers were asked for."""

LEDGER_COLUMNS = ("Date", "Amount", "Payee", "Description", "Reference")
LEDGER_NUMBERS = frozenset({"Amount"})

NOT_A_PAYMENT = "SANDBOX – NOT A PAYMENT"
"""What a file without a column for the environment says of each line (I23)."""

Row = tuple[str, ...]

_SANDBOX = Environment.SANDBOX.value
_PUSH = Kind.PUSH.value


class DateOrder(StrEnum):
    """How a book reads a date: 2026-03-01, 01/03/2026 or 03/01/2026."""

    YMD = "ymd"
    DMY = "dmy"
    MDY = "mdy"


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Which payments: of one Z, or of the business dates (ISO) from `first` to `last`, "" for no bound."""

    z: int = 0
    first: str = ""
    last: str = ""

    def has_date(self, date: str) -> bool:
        """Whether a business date is in it."""
        return (not self.first or date >= self.first) and (not self.last or date <= self.last)


def month(text: str) -> Span:
    """The span of a month written as 2026-03. Raises ValueError."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}", text):
        raise ValueError("another form")
    first = date_in(f"{text}-01")
    import calendar  # only here: no start needs it

    last = calendar.monthrange(first.year, first.month)[1]
    return Span(first=first.isoformat(), last=first.replace(day=last).isoformat())


class Booked(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a file tells of a payment, of all that its snapshot holds, as the texts that they are there.

    A million of them are read in one go: nothing is made of a text that goes into a file as a text.
    """

    attempt_id: str
    sale_id: str
    kind: str
    amount: str
    currency: str
    environment: str
    owner: str
    tapped_wall: str
    state: str
    reason: str = ""
    wallet_mask: str = ""
    invoice_number: str = ""
    payment_reference: str = ""
    wallet_transaction_id: str = ""
    receipt: int = 0
    receipt_of: str = ""


def shown_receipt(payment: Booked) -> str:
    """Its receipt's number as it is printed, "" for none."""
    return receipt_number(payment.environment, payment.receipt_of, payment.receipt)


class Place(NamedTuple):
    """Where a payment stands in the books: `z` 0 while no Z of this journal has it. `paid_at`: "" for no money."""

    business_date: str
    z: int
    paid_at: str = ""


class Beside(NamedTuple):
    """What others than the payment itself say of it: its refund notes, what was given back, how the lists differ.

    The one place that the columns of that name are filled from. `refunded` is an exact amount.
    """

    refund_note: str = ""
    refunded: str = ""
    difference: str = ""


NOTHING_BESIDE = Beside()


class Entry(NamedTuple):
    """A payment as it goes into a file. `sign`: -1 where it takes back what an earlier Z counts (a ledger alone).

    `note`: it is a line of a ledger about this refund note, and the payment's amount is the note's.
    """

    payment: Booked
    place: Place
    cashier: str = ""
    beside: Beside = NOTHING_BESIDE
    sign: int = 1
    number: str = ""
    note: str = ""
    is_booked: bool = False
    """A Z of this journal counts it as money, or its open day does, or a Z whose money a later one takes back."""


def row_of(entry: Entry) -> Row:
    """Its cells under COLUMNS."""
    payment, place, cashier, beside = entry[:4]
    return (
        place.business_date,
        str(place.z) if place.z else "",
        shown_receipt(payment),
        payment.sale_id,
        payment.attempt_id,
        payment.wallet_transaction_id,
        payment.kind,
        payment.amount,
        payment.currency,
        payment.state,
        payment.reason,
        payment.tapped_wall,
        place.paid_at,
        cashier,
        payment.wallet_mask,
        payment.invoice_number,
        payment.payment_reference,
        *beside,
        payment.environment,
    )


def numbered_row_of(entry: Entry) -> Row:
    """The same with the whole wallet number behind it."""
    return (*row_of(entry), entry.number)


def ledger_row_of(entry: Entry, order: DateOrder) -> Row:
    """A line of a book for one payment: taken, or taken back."""
    payment = entry.payment
    what = "Correction" if entry.sign < 0 else ""
    if entry.note:
        what = f"Refund note {entry.note}" if entry.sign < 0 else f"Refund note {entry.note} withdrawn"
    told = [what, f"Sale {payment.sale_id}", payment.currency]
    if payment.state == State.PAID_LATE.value:
        told.append("paid late")
    if payment.invoice_number:
        told.append(clean_text(payment.invoice_number))
    # A book knows who paid by the last digits, as the receipt does; a mask begins with a plus.
    digits = payment.wallet_mask[-3:]
    payee = f"Wallet …{digits}" if payment.kind == _PUSH and digits.isdecimal() else "Wallet QR"
    return (
        written_date(entry.place.business_date, order),
        f"-{payment.amount}" if entry.sign < 0 else payment.amount,
        payee,
        _marked(", ".join(filter(None, told)), payment.environment),
        entry.note or shown_receipt(payment) or payment.attempt_id,
    )


class DaySum(NamedTuple):
    """What a day (a Z, or what is not closed yet) comes to in one currency; corrections apart from takings."""

    business_date: str
    z: int
    currency: str
    sign: int
    environment: str
    is_note: bool = False


def day_of(entry: Entry) -> DaySum:
    """Which sum an entry belongs to."""
    place, payment = entry.place, entry.payment
    return DaySum(
        place.business_date, place.z, payment.currency, entry.sign, payment.environment, bool(entry.note)
    )


def ledger_day_row(day: DaySum, count: int, amount: Decimal, order: DateOrder) -> Row:
    """A line of a book for a day's takings, or for what was taken back of earlier ones."""
    what = "Corrections" if day.sign < 0 else "Takings"
    if day.is_note:
        what = "Refund notes" if day.sign < 0 else "Refund notes withdrawn"
    counted = "notes" if day.is_note else "payments"
    of = f"Z {day.z}" if day.z else "not closed yet"
    return (
        written_date(day.business_date, order),
        f"-{amount}" if day.sign < 0 else f"{amount}",
        "Wallet payments",
        _marked(f"{what}, {of}, {count} {counted}, {day.currency}", day.environment),
        of.replace(" ", "-") if day.z else "",
    )


def is_money(payment: Booked) -> bool:
    """Whether it is counted as taken as it now stands."""
    return payment.state in MONEY_COLUMNS


def written_date(date: str, order: DateOrder) -> str:
    """An ISO date as a book reads it."""
    if order is DateOrder.YMD or len(date) != 10:
        return date
    year, month_, day = date.split("-")
    return f"{day}/{month_}/{year}" if order is DateOrder.DMY else f"{month_}/{day}/{year}"


def _marked(text: str, environment: str) -> str:
    return f"{NOT_A_PAYMENT}: {text}" if environment == _SANDBOX else text


def file_name(
    span: Span, kind: Format, environment: Environment, made: str, *, among: Meant | None = None
) -> str:
    """What a file is called that nobody named: what is in it; `made` (ISO) tells files of the open day apart.

    `among`: of the span only these; what was left out is missing in no file that says it has all.
    """
    if among is not None and not among.is_all:
        what = f"shown-{made[:10]}"
    elif span.z:
        what = f"z{span.z}"
    elif span.first or span.last:
        what = (
            span.first if span.first == span.last else f"{span.first or 'begin'}-to-{span.last or made[:10]}"
        )
    else:
        what = f"all-to-{made[:10]}"
    mark = "sandbox-" if environment is Environment.SANDBOX else ""
    book = "ledger" if kind is Format.LEDGER else "payments"
    return f"{mark}{book}-{what}.{ENDING[kind]}"


def other_names(name: str, most: int = 99) -> Iterator[str]:
    """The name, and those to take where it is taken: payments-z12.csv, payments-z12-2.csv …"""
    yield name
    stem, _, ending = name.rpartition(".")
    for number in range(2, most + 1):
        yield f"{stem}-{number}.{ending}"


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is there, and whole. `amount`: the sum of its money, by currency; `head_seq`: the journal's newest
    event when it was read.
    """

    file: str
    format: Format
    rows: int
    amounts: dict[str, Decimal]
    head_seq: int
    sha256: str


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A file as somebody at the window wants it, in a folder. `among`: of the span only these, None for all.

    `numbers`: with whole wallet numbers.
    """

    format: Format
    folder: str
    span: Span = Span()
    among: Meant | None = None
    numbers: bool = False


class News(msgspec.Struct, frozen=True, kw_only=True):
    """How far a file is, or what became of it. `done` of at the most `most` payments are read.

    `trouble`: a WriteTrouble of system/atomic_file.py, or one of these; "" while nothing is wrong.
    """

    done: int = 0
    most: int = 0
    exported: Exported | None = None
    trouble: str = ""

    @property
    def is_over(self) -> bool:
        """Nothing more comes."""
        return self.exported is not None or bool(self.trouble)


class Door(NamedTuple):
    """How a window has a file written: `begin` tells of it on whatever thread, `cancel` gives it up."""

    begin: Callable[[Wish, Callable[[News], None]], None]
    cancel: Callable[[], None]


STOPPED = "stopped"
"""Somebody did not want it any more."""
NOT_READ = "not_read"
"""The record could not be read."""
