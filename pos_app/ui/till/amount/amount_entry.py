"""What typing does to the amount's text, and how the text is shown. Pure; money.py judges the result."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.money import (
    MAX_WHOLE_DIGITS,
    SEPARATORS,
    AmountError,
    AmountFormat,
    AmountProblem,
    Currency,
    format_amount,
    parse_amount,
)

POINT = "point"
"""What the decimal key of a numeric keypad types, whatever is printed on it."""

PLUS = "+"

MOST_PRICES = 40
"""No till adds up more by hand, and the sale keeps them all."""

LONGEST = 24
"""No amount is longer; of what is longer nothing is taken."""


def typed(text: str, character: str, money: Currency, written: AmountFormat) -> str:
    """The text after one more character; unchanged where the character can belong to no number.

    Separators are kept as they were typed, so that "12,50" where the comma groups is refused as a whole and never
    becomes another amount. Digits the currency does not have change nothing: `refuses` says which.
    """
    if character == POINT:
        character = written.decimal
    if character in SEPARATORS or character == written.decimal:
        return _separated(text, character)
    if not (character.isascii() and character.isdigit()):
        return text
    _, has_point, fraction = text.rpartition(written.decimal)
    if has_point:
        return text + character if len(fraction) < money.digits else text
    if sum(each.isdigit() for each in text) >= MAX_WHOLE_DIGITS:
        return text
    return character if text == "0" else text + character


def _separated(text: str, character: str) -> str:
    if not text:
        # A group needs digits before it: what was meant may be a point, so nothing is dropped.
        return f"0{character}"
    bounced = text.endswith(character)
    return text if bounced or len(text) >= LONGEST else text + character


def refuses(text: str, character: str, money: Currency, written: AmountFormat) -> AmountProblem | None:
    """Why one more character can not follow, None where it can, or where leaving it out changes no amount."""
    if character == POINT:
        character = written.decimal
    if character in SEPARATORS or character == written.decimal:
        no_point = character == written.decimal and not money.digits
        return AmountProblem.TOO_MANY_DIGITS if no_point else None
    if not (character.isascii() and character.isdigit()):
        return AmountProblem.NOT_A_NUMBER
    is_zero = text in ("", "0") and character == "0"
    if is_zero or typed(text, character, money, written) != text:
        return None
    return AmountProblem.TOO_MANY_DIGITS if written.decimal in text else AmountProblem.TOO_LARGE


class Entry(msgspec.Struct, frozen=True):
    """What was typed: prices that are added already, the text of the next one, and a key that was refused.

    Nothing follows a refused key, and nothing is charged, until it is taken away: "3*450" is not 3450, and "1.250"
    where the currency has two digits may have been meant as a thousand.
    """

    prices: tuple[Decimal, ...] = ()
    text: str = ""
    refused: str = ""
    problem: AmountProblem | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not (self.prices or self.text or self.refused)

    def then(self, character: str, money: Currency, written: AmountFormat) -> Entry:
        """After one more character; PLUS adds the price that was typed. Raises AmountError where that is none."""
        if character == PLUS:
            return self._added(money, written)
        if self.refused:
            return self
        problem = refuses(self.text, character, money, written)
        if problem is not None:
            return msgspec.structs.replace(self, refused=character, problem=problem)
        return msgspec.structs.replace(self, text=typed(self.text, character, money, written))

    def back(self, written: AmountFormat) -> Entry:
        """Without the last key: a refused one, a digit, or the plus before it."""
        if self.refused:
            return msgspec.structs.replace(self, refused="", problem=None)
        if self.text or not self.prices:
            return msgspec.structs.replace(self, text=self.text[:-1])
        *before, last = self.prices
        return Entry(prices=tuple(before), text=format_amount(last, AmountFormat(written.decimal, "")))

    def _added(self, money: Currency, written: AmountFormat) -> Entry:
        if not self.text and self.prices:
            return msgspec.structs.replace(self, refused="", problem=None)
        price = parse_amount(self.text, money, written)
        if len(self.prices) >= MOST_PRICES:
            raise AmountError(AmountProblem.TOO_LARGE)
        money.exact(sum(self.prices, price))
        return Entry(prices=(*self.prices, price))

    def amount(self, money: Currency, written: AmountFormat) -> Decimal:
        """All of it as a number. Raises AmountError."""
        if self.problem is not None:
            raise AmountError(self.problem)
        if not self.prices:
            return parse_amount(self.text, money, written)
        last = (parse_amount(self.text, money, written),) if self.text else ()
        return money.exact(sum((*self.prices, *last), Decimal(0)))

    def all_prices(self, money: Currency, written: AmountFormat) -> tuple[Decimal, ...]:
        """What it was added up of, () where it was typed as one."""
        if not self.prices:
            return ()
        last = (parse_amount(self.text, money, written),) if self.text else ()
        return (*self.prices, *last) if len(self.prices) + len(last) > 1 else ()

    def so_far(self, money: Currency, written: AmountFormat) -> tuple[Decimal, ...]:
        """The prices as far as they are typed, () where there is none or something was refused: "12." is 12."""
        if self.problem is not None or self.refused:
            return ()
        try:
            last = (parse_amount(self.text.rstrip(written.decimal), money, written),) if self.text else ()
        except AmountError:
            last = ()
        return (*self.prices, *last)

    def figure(self, money: Currency, written: AmountFormat) -> str:
        """What is charged, as far as it is typed: a sum from its first plus on."""
        if not self.prices:
            return shown(self.text, money, written)
        try:
            last = parse_amount(self.text.rstrip(written.decimal), money, written)
        except AmountError:
            last = Decimal(0)
        return format_amount(sum(self.prices, last), written)

    def sum_line(self, money: Currency, written: AmountFormat) -> str:
        """The prices with their signs: "12.00 + 30.5"; "" where there is nothing to add."""
        if not self.prices:
            return ""
        added = [format_amount(each, written) for each in self.prices]
        return " + ".join((*added, shown(self.text, money, written) if self.text else "…"))


def is_number_like(text: str) -> bool:
    """Whether a pasted text can stand in the amount, to be corrected there: digits and separators."""
    return 0 < len(text) <= LONGEST and set(text) <= set("0123456789").union(SEPARATORS)


def shown(text: str, money: Currency, written: AmountFormat) -> str:
    """The text as the display writes it: grouped as it grows; as typed where groups were typed."""
    if not text:
        return "0" + (written.decimal + "0" * money.digits if money.digits else "")
    whole, point, fraction = text.partition(written.decimal)
    if written.group and written.group in whole:
        return text
    grouped = f"{int(whole):,}".replace(",", written.group) if whole.isdigit() else whole
    return grouped + point + fraction
