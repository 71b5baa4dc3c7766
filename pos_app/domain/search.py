"""Looking a payment up: what somebody typed, and whether a payment is the one. Pure; reads no journal."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import FINAL, MONEY, Attempt, State
from pos_app.domain.money import AmountFormat
from pos_app.domain.receipt import shown_number

PAGE = 50
"""So many payments one answer holds at the most."""

_ID_FROM = 4
"""From so many characters on an id is meant: nearly every id holds any one letter."""

_DIGITS_OF_ID_FROM = 6
"""Digits alone mean an id's end sooner than its middle: among a few hundred payments some hold any four by chance."""

_MASK_DIGITS = 3
"""The last digits of a number that are on the screen, and in reach of a search."""

_NUMBER_FROM = 7
"""From so many digits on a whole wallet number may be meant."""


class Cursor(msgspec.Struct, frozen=True):
    """The last payment of a page; the next page goes on behind it."""

    tapped_at: int
    attempt_id: str


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed: as a text, as the beginnings of amounts it may mean, as states, as a wallet number.

    `number` is whole, in international form, and told apart by its digest alone.
    """

    text: str = ""
    amounts: tuple[str, ...] = ()
    states: frozenset[State] = frozenset()
    number: str = ""

    @property
    def is_all(self) -> bool:
        """Nothing was typed."""
        return not self.text


DAY_MS = 86_400_000
_FIRST_DAY = date(1970, 1, 1)
_APART_MS = 2 * DAY_MS
"""Till time and the wall's are so far apart at the most, by the zone, where nobody has moved the wall's."""


def day_ms(day: str) -> int:
    """A day's first moment at Greenwich. By no zone of the system: Windows knows none before 1970 and after 3000."""
    return (date.fromisoformat(day) - _FIRST_DAY).days * DAY_MS


def is_behind(attempt: Attempt, day: str) -> bool:
    """Whether this payment and those tapped before it are of earlier days, as far as can be known.

    By both clocks: the list is in the order of till time, a day is the wall's, and somebody may have set that forward
    or back for an hour or a year.
    """
    return attempt.tapped_wall[:10] < day and attempt.tapped_at < day_ms(day) - _APART_MS


class Only(StrEnum):
    """Which payments are meant: what is neither paid nor known not to be is among all alone."""

    ALL = "all"
    PAID = "paid"
    NOT_PAID = "not_paid"


def is_taken(attempt: Attempt) -> bool:
    """Its money is the shop's: proven, and not given back."""
    given_back = attempt.resolution is not None and attempt.resolution.action == "refund"
    return attempt.state in MONEY and not given_back


def is_not_paid(attempt: Attempt) -> bool:
    """It ended without money, by the service's word, by our own record or by a manager's."""
    if attempt.state is State.SIGNED_OFF:
        return attempt.resolution is not None and attempt.resolution.action == "not_paid"
    return attempt.state in FINAL and attempt.state not in MONEY


def is_among(attempt: Attempt, only: Only) -> bool:
    """Whether it belongs to what is to be seen."""
    match only:
        case Only.PAID:
            return attempt.state in MONEY
        case Only.NOT_PAID:
            return is_not_paid(attempt)
        case Only.ALL:
            return True


class FindPayments(msgspec.Struct, frozen=True, kw_only=True):
    """Look payments up, newest first: answered by views.PaymentsFound.

    `earliest` and `latest` are the days (2026-03-01) between which it looks, "" for none; `before` where the last page
    ended. `owner`: the payments of this person alone, "" for everybody's.
    """

    request_id: str
    who: str = ""
    sought: Sought = Sought()
    earliest: str = ""
    latest: str = ""
    only: Only = Only.ALL
    owner: str = ""
    before: Cursor | None = None


class SumPayments(msgspec.Struct, frozen=True, kw_only=True):
    """How much was taken on a day (2026-03-01): answered by views.PaymentsSummed, a bounded piece at a time.

    `owner`: by this person alone, "" by everybody. `before` where the last piece ended.
    """

    request_id: str
    day: str
    who: str = ""
    owner: str = ""
    before: Cursor | None = None


class Meant(msgspec.Struct, frozen=True, kw_only=True):
    """Which payments a view shows; `earliest` and `latest` are days (2026-03-01), "" for no bound."""

    sought: Sought = Sought()
    earliest: str = ""
    latest: str = ""
    only: Only = Only.ALL
    owner: str = ""

    @property
    def is_all(self) -> bool:
        """Nothing is left out."""
        return self == Meant()

    def has(self, attempt: Attempt, digest: str = "") -> bool:
        """Whether a payment is among them; `digest` is that of the whole number that was typed."""
        day = attempt.tapped_wall[:10]
        return (
            self.owner in ("", attempt.owner)
            and (not self.earliest or day >= self.earliest)
            and (not self.latest or day <= self.latest)
            and is_among(attempt, self.only)
            and matches(attempt, self.sought, digest)
        )


class LookThrough(msgspec.Struct, frozen=True, kw_only=True):
    """All payments of a kind, to be scrolled through: answered by views.PaymentsCounted until it is over.

    A later one ends what an earlier one is at. Without a `request_id` nothing is looked through any more.
    """

    request_id: str
    meant: Meant = Meant()
    who: str = ""


class ReadRows(msgspec.Struct, frozen=True, kw_only=True):
    """A block of what a LookThrough found: answered by views.PaymentRows."""

    request_id: str
    block: int
    who: str = ""


def amounts_meant(text: str, written: AmountFormat) -> tuple[str, ...]:
    """The beginnings of the amounts that a typed text may mean, with a point: "1,2" is 12… or 1.2….

    A search may be generous where a charge may not: nothing is paid by it.
    """
    text = text.replace(" ", "").replace("\u00a0", "")
    if not re.fullmatch(r"[0-9.,]*[0-9][0-9.,]*", text):
        return ()
    grouped = re.sub(r"[.,]", "", text)
    whole, point, fraction = text.rpartition(max(".", ",", key=text.rfind))
    if not point:
        return (grouped,)
    with_point = f"{re.sub(r'[.,]', '', whole) or '0'}.{fraction}"
    if point == written.decimal:
        return (with_point,)
    return (grouped,) if len(fraction) > 2 else (with_point, grouped)


def may_be_number(text: str) -> bool:
    """Whether it is worth reading as a whole wallet number."""
    digits = sum(character.isdigit() for character in text)
    return digits >= _NUMBER_FROM and text.isascii() and set(text) <= set("+0123456789 -.()")


def matches(attempt: Attempt, sought: Sought, digest: str = "") -> bool:
    """Whether this payment may be the one; `digest` is that of the whole number that was typed."""
    text = sought.text.casefold()
    if not text or attempt.state in sought.states:
        return True
    if any(f"{attempt.amount:f}".startswith(each) for each in sought.amounts):
        return True
    if digest and attempt.wallet_digest == digest:
        return True
    typed_in = (attempt.invoice_number, attempt.payment_reference)
    if any(text in each.casefold() for each in typed_in):
        return True
    ids = (attempt.attempt_id.casefold(), attempt.wallet_transaction_id.casefold())
    if len(text) >= _ID_FROM and any(each.endswith(text) for each in ids):
        return True
    # Digits alone mean a sale's number: that of another sale's receipt would stand beside nearly each.
    if len(text) >= _ID_FROM and not text.isdigit() and text in shown_number(attempt).casefold():
        return True
    from_inside = _DIGITS_OF_ID_FROM if text.isdigit() else _ID_FROM
    if len(text) >= from_inside and any(text in each for each in ids):
        return True
    return text.isascii() and text.isdigit() and _by_digits(attempt, text)


def _by_digits(attempt: Attempt, digits: str) -> bool:
    """The sale's number with or without its zeros, an amount without its point, or how the number ends."""
    sale = attempt.sale_id
    if sale == digits or sale.lstrip("0") == (digits.lstrip("0") or digits):
        return True
    if f"{attempt.amount:f}".replace(".", "") == digits:
        return True
    last = attempt.wallet_mask[-_MASK_DIGITS:]
    if not last.isdigit() or len(digits) >= _NUMBER_FROM:
        return False
    return last.endswith(digits[-_MASK_DIGITS:])
