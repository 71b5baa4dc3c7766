"""A payment's receipt: its number, given once with the money; what stands on it; and how a paper is known again. Pure.

A receipt is made of proven money alone (PAID, PAID_LATE), a payment in dispute gets a note. Nothing on it is taken
from the moment in which it is printed, but the mark of a copy.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from hmac import compare_digest

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, Environment, Kind, State
from pos_app.domain.ids import ALPHABET, SANDBOX_PREFIX, receipt_number
from pos_app.domain.text import clean_text

_FORM = re.compile(rf"(?:{SANDBOX_PREFIX})?T(?P<installation>[{ALPHABET}]{{8}})-R(?P<number>[0-9]{{6,12}})")

CODE_LENGTH = 10
"""Signs of the ids' alphabet: 49 bits, so that nobody finds the code of another amount by trying."""

MOST_LINES = 4
"""Of a header, and of a footer."""

MOST_OF_A_LINE = 60
"""Signs: on the narrowest paper two lines of body text, on the widest little more than one."""

_MASK_DIGITS = 3
_MOST_OF_AN_ID = 64


def shown_number(attempt: Attempt) -> str:
    """ "T7K3M9QRD-R000123", in the sandbox "SBX-T7K3M9QRD-R000123"; "" for a payment that has none.

    A payment receipt, not a tax receipt. Numbers run by installation, so that no two papers of one shop are alike.
    """
    return receipt_number(attempt.environment, attempt.receipt_of, attempt.receipt)


def number_in(text: str) -> tuple[str, int]:
    """The installation and the number that a shown number holds; ("", 0) for a text that is none."""
    match = _FORM.fullmatch(text)
    return (match["installation"], int(match["number"])) if match else ("", 0)


class Letterhead(msgspec.Struct, frozen=True, kw_only=True):
    """What is the shop's own on each of its papers. `cashier`: told by "name", by "number", or not at all ("none")."""

    shop: str = ""
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    tax_id: str = ""
    cashier: str = "name"
    size: int = 24


class Copy(msgspec.Struct, frozen=True):
    """A paper that is not the original: the `number`-th (0: nobody counts it, it is no print), made at `wall` (ISO).

    `counter_id`: at which counter, where that is another one than the payment's; 0 for its own.
    """

    number: int
    wall: str
    counter_id: int = 0


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """All that a receipt says of its payment. `number` and `check` are "" on a note, which is no receipt.

    `paid_at`: the wall (ISO, with offset) of the event that made it money, never of a print. `settled`: how a payment
    that came late or across a cancel was answered: "complete", "refund", "" not yet; `needs_settling` whether it has
    to be. `cashier`, `cashier_number`: whose payment it is.
    """

    number: str
    environment: Environment
    sale_id: str
    attempt_id: str
    wallet_transaction_id: str
    amount: Decimal
    currency: str
    kind: Kind
    state: State
    paid_at: str
    counter_id: int
    mask: str = ""
    invoice: str = ""
    reference: str = ""
    cashier: str = ""
    cashier_number: str = ""
    settled: str = ""
    needs_settling: bool = False
    check: str = ""

    @property
    def is_note(self) -> bool:
        """The payment is in dispute: it is told, and no money is confirmed by it."""
        return self.state is State.DISPUTED


def has_receipt(attempt: Attempt) -> bool:
    """Whether it is proven money that was given a number: nothing else gets a receipt."""
    return attempt.state in MONEY and bool(attempt.receipt)


def receipt_of(
    attempt: Attempt, paid_at: str, *, cashier: str = "", cashier_number: str = ""
) -> Receipt | None:
    """The receipt of proven money, without its check code; the note of a dispute; None for any other payment."""
    is_note = attempt.state is State.DISPUTED
    if not is_note and not (has_receipt(attempt) and paid_at):
        return None
    answer = attempt.resolution
    return Receipt(
        number="" if is_note else shown_number(attempt),
        environment=attempt.environment,
        sale_id=attempt.sale_id,
        attempt_id=attempt.attempt_id,
        # The service's own word: nothing in it turns letters around, or is no letter.
        wallet_transaction_id=clean_text(attempt.wallet_transaction_id, _MOST_OF_AN_ID),
        amount=attempt.amount,
        currency=attempt.currency,
        kind=attempt.kind,
        state=attempt.state,
        paid_at="" if is_note else paid_at,
        counter_id=attempt.counter_id,
        mask=_last_digits(attempt.wallet_mask),
        invoice=clean_text(attempt.invoice_number),
        reference=clean_text(attempt.payment_reference),
        cashier=clean_text(cashier),
        cashier_number=cashier_number,
        settled=answer.action if answer is not None and answer.action in ("complete", "refund") else "",
        needs_settling=not is_note and (attempt.state is State.PAID_LATE or attempt.cancel_wish is not None),
    )


def _last_digits(mask: str) -> str:
    """ "…567" of a mask, whatever more of the number the screens show."""
    digits = mask[-_MASK_DIGITS:]
    return f"…{digits}" if len(digits) == _MASK_DIGITS and digits.isdecimal() else ""


def sworn(attempt: Attempt, paid_at: str) -> str:
    """What a check code is taken over: another number, payment, amount, currency or time has another code."""
    parts = (shown_number(attempt), attempt.attempt_id, str(attempt.amount), attempt.currency, paid_at)
    return "\0".join(parts)


def code_of(digest: bytes) -> str:
    """A check code of a keyed digest (at least 16 bytes), in signs that are read aloud over a counter."""
    left = int.from_bytes(digest[:16], "big")
    signs = []
    for _ in range(CODE_LENGTH):
        left, sign = divmod(left, len(ALPHABET))
        signs.append(ALPHABET[sign])
    return "".join(signs)


def code_text(receipt: Receipt) -> str:
    """What the code on the paper holds, all of it in the alphabet of such codes: PAYMENT-ID NUMBER CODE."""
    return f"{receipt.attempt_id} {receipt.number} {receipt.check}"


class Scanned(msgspec.Struct, frozen=True):
    """The three parts of a receipt's code."""

    attempt_id: str
    number: str
    check: str


_SIGN = f"[{ALPHABET}]"
_SCANNED = re.compile(
    rf"(?P<id>(?:{SANDBOX_PREFIX})?T{_SIGN}{{8}}-[0-9]{{4,10}}-[0-9]{{1,4}}(?:-{_SIGN}{{6}})?)"
    rf" +(?P<number>(?:{SANDBOX_PREFIX})?T{_SIGN}{{8}}-R[0-9]{{6,12}})"
    rf" +(?P<check>{_SIGN}{{5}}-?{_SIGN}{{5}})"
)


def scanned_in(text: str) -> Scanned | None:
    """What a scanner read, or somebody typed off a paper, in letters of either case; None where it is no receipt's."""
    match = _SCANNED.fullmatch(text.strip().upper())
    return Scanned(match["id"], match["number"], match["check"].replace("-", "")) if match else None


class Verdict(StrEnum):
    """What a paper's code is to this journal."""

    OURS = "ours"
    """Number, payment, amount and time are what the journal has."""
    CHANGED = "changed"
    """The number is one of ours, and something else on the paper is not what the journal has."""
    MISSING = "missing"
    """It names this installation, and this journal never gave that number: forged, or the journal is an older one."""
    FOREIGN = "foreign"
    """Another till's."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict, and for a number of ours the payment that has it, as it now is.

    `noted`: what its refund notes come to, but for those that were withdrawn; None where it never had one.
    """

    verdict: Verdict
    attempt: Attempt | None = None
    noted: Decimal | None = None

    @property
    def is_ours(self) -> bool:
        """Ours, and unchanged."""
        return self.verdict is Verdict.OURS

    @property
    def was_noted(self) -> bool:
        """Money back was noted for it, or answered before there were notes: somebody's word, and no proof."""
        if self.noted is not None:
            return self.noted > 0
        answer = self.attempt.resolution if self.attempt is not None else None
        return answer is not None and answer.action == "refund"


def judged(scanned: Scanned, attempt: Attempt | None, check: str, installations: frozenset[str]) -> Checked:
    """The verdict on a paper. `attempt`: what has its number here, None for nothing; `check`: the code of that one.

    `installations`: all that this journal ever was.
    """
    if attempt is None or shown_number(attempt) != scanned.number:
        of = number_in(scanned.number)[0]
        return Checked(verdict=Verdict.MISSING if of in installations else Verdict.FOREIGN)
    is_same = attempt.attempt_id == scanned.attempt_id and compare_digest(check, scanned.check)
    return Checked(verdict=Verdict.OURS if is_same else Verdict.CHANGED, attempt=attempt)
