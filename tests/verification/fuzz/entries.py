"""Target `entry`: any text as an amount, a wallet number or an invoice number, typed or pasted; judged plainly."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from unicodedata import category

from pos_app.domain.money import AmountError, AmountFormat, currency, format_amount, parse_amount
from pos_app.domain.phone import NumberError, mask_number, parse_number
from pos_app.domain.text import clean_text, is_reference, joins, kept_text
from pos_app.ui.till.amount.amount_entry import Entry
from tests.verification.fuzz.finding import Finding

MONIES = tuple(currency(code) for code in ("LKR", "JPY", "BHD"))
FORMATS = (AmountFormat(), AmountFormat(",", "."), AmountFormat(",", "\u202f"), AmountFormat(".", ""))
COUNTRIES = ("LK", "GB", "US", "DE", "IN", "ZZ")
BEYOND = Decimal(10) ** 12


def play(data: bytes) -> str:
    """The first byte says where the text is entered and how things are written there."""
    where, text = (data[0] if data else 0), data[1:].decode("utf-8", "surrogateescape")
    return _ENTRIES[where % len(_ENTRIES)](where // len(_ENTRIES), text)


def _amount(how: int, text: str) -> str:
    money, written = MONIES[how % 3], FORMATS[how // 3 % 4]
    try:
        found = parse_amount(text, money, written)
    except AmountError as error:
        if _plain_amount(text, money.digits, written) is not None:
            raise Finding(f"{text!r} is an amount") from error
        return f"amount {error.problem}"
    if found != _plain_amount(text, money.digits, written) or found.as_tuple().exponent != -money.digits:
        raise Finding(f"{text!r} is not {found}")
    if parse_amount(format_amount(found, written), money, written) != found:
        raise Finding(f"{found} is shown as another amount")
    return "amount"


def _plain_amount(text: str, digits: int, written: AmountFormat) -> Decimal | None:
    """The rule in two expressions: digits, groups of three where they are used, at most so many behind the point; and
    no one group where it may be what stands behind a point."""
    group, point = re.escape(written.group), re.escape(written.decimal)
    grouped = rf"|[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+" if written.group else ""
    if not re.fullmatch(
        rf" *(?:[0-9]+{grouped})(?:{point}[0-9]{{1,{digits}}})? *" if digits else rf" *(?:[0-9]+{grouped}) *",
        text,
    ):
        return None
    plain = text.strip(" ")
    if digits == 3 and written.group in {".", ","} and re.fullmatch(rf"[0-9]+{group}[0-9]+", plain):
        return None
    if written.group:
        plain = plain.replace(written.group, "")
    value = Decimal(plain.replace(written.decimal, "."))
    return value if 0 < value < BEYOND else None


def _keys(how: int, text: str) -> str:
    """Key by key on the amount's pad: whatever is typed, the display shows what would be charged."""
    money, written = MONIES[how % 3], FORMATS[how // 3 % 4]
    entered = Entry()
    for key in text:
        with suppress(AmountError):
            entered = entered.then(key, money, written)
    on_display = entered.figure(money, written)
    try:
        meant = entered.amount(money, written)
    except AmountError as error:
        return f"keys {error.problem}"
    read = (
        on_display.removesuffix(written.decimal)
        .replace(written.group or " ", "")
        .replace(written.decimal, ".")
    )
    if Decimal(read) != meant:
        raise Finding(f"{text!r} is shown as {on_display!r}")
    if sum(entered.all_prices(money, written)) not in (0, meant):
        raise Finding(f"{text!r} is not what it is added up of")
    return "keys"


def _number(how: int, text: str) -> str:
    country = COUNTRIES[how % len(COUNTRIES)]
    try:
        found = parse_number(text, country)
    except NumberError as error:
        return f"number {error.problem}"
    digits = "".join(sign for sign in text if sign in "0123456789")
    if not re.fullmatch(r"\+[0-9]{7,15}", found) or not text.isascii() or not 7 <= len(digits) <= 15:
        raise Finding(f"{text!r} is no number, but {found}")
    if not found.endswith(digits[-5:]) or parse_number(found, country) != found:
        raise Finding(f"{text!r} became {found}")
    if sum(sign.isdigit() for sign in mask_number(found)) > 6:
        raise Finding(f"{found} is not masked")
    return "number"


def _reference(how: int, text: str) -> str:  # noqa: ARG001
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -/.")
    plain = len(text) <= 40 and set(text) <= allowed and (not text or text.strip(" ") != "")
    if is_reference(text) is not plain:
        raise Finding(f"{text!r} as an invoice number")
    return "reference" if plain else "reference refused"


def _foreign(how: int, text: str) -> str:
    """A text of the service on its way to a screen, a log and the journal."""
    limit = (200, 5, 1_000, 0)[how % 4]
    found = clean_text(text, limit)
    if (
        len(found) > limit
        or any(category(sign)[0] == "C" and not joins(found, at) for at, sign in enumerate(found))
        or clean_text(found, limit) != found
    ):
        raise Finding(f"{text!r} is not clean as {found!r}")
    kept = kept_text(text)
    kept.encode("utf-8")
    if kept != text and (not kept.isascii() or not kept.isprintable() or len(kept) > 200):
        raise Finding(f"{text!r} is kept as {kept!r}")
    return "text" if found == text else "text cleaned"


_ENTRIES: tuple[Callable[[int, str], str], ...] = (_amount, _keys, _number, _reference, _foreign)


def seeds() -> list[bytes]:
    """The bad-input list, A to C, at each entry."""
    texts = (
        *(
            "12.50",
            "1,250.00",
            "0",
            "0.00",
            "-1",
            "+5",
            "NaN",
            "Infinity",
            "12,345",
            "1.005",
            ".5",
            "1_000",
            "1.",
        ),
        *(
            "\u0661\u0662\u0663",
            "\uff11\uff12",
            "\u00b2",
            "0x10",
            "10\u00a0000",
            "1" + "0" * 12,
            "1e3",
            "",
            " ",
            "00.01",
        ),
        *(
            "+94771223347",
            "077 123 4567",
            "++94771223347",
            "tel:+44",
            "123456",
            "1" * 16,
            "+",
            "=cmd|",
            "(077)-123.4567",
        ),
        *(
            "INV-1/2.3",
            "x" * 5_00,
            "a\0b",
            "\U0001f600\u200d",
            "<b>PAID</b>",
            "\x1b@",
            "\ud800",
            "\u202eabc",
            "a\u2028b",
        ),
    )
    return [
        bytes((where + len(_ENTRIES) * place,)) + text.encode("utf-8", "surrogatepass")
        for place, text in enumerate(texts)
        for where in range(len(_ENTRIES))
        if where + len(_ENTRIES) * place < 256
    ]


WORDS = [
    text.encode()
    for text in ("12.50", ",000", "\u202f000", "+94", "0x", "\u0661", "\uff11", "1e5", "\u00a0", "\u200b")
]
