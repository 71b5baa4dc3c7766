"""What typing does to the amount's text, and how the text is shown. Pure; money.py judges the result."""

from __future__ import annotations

from pos_app.domain.money import MAX_WHOLE_DIGITS, AmountFormat, Currency

SEPARATORS = (".", ",")


def typed(text: str, character: str, money: Currency, written: AmountFormat) -> str:
    """The text after one more character; unchanged where the character cannot belong to an amount.

    A group separator is kept as it was typed, so that "12,50" where the comma groups is refused as a whole
    and never becomes 1250.
    """
    point = written.decimal
    if character == point:
        if point in text or not money.digits:
            return text
        return (text or "0") + point
    if character == written.group and character:
        return text + character if text and point not in text else text
    if not (character.isascii() and character.isdigit()):
        return text
    whole, has_point, fraction = text.partition(point)
    if has_point:
        return text + character if len(fraction) < money.digits else text
    if sum(each.isdigit() for each in whole) >= MAX_WHOLE_DIGITS:
        return text
    return character if whole == "0" else text + character


def shown(text: str, money: Currency, written: AmountFormat) -> str:
    """The text as the display writes it: grouped as it grows; as typed where groups were typed."""
    if not text:
        return "0" + (written.decimal + "0" * money.digits if money.digits else "")
    whole, point, fraction = text.partition(written.decimal)
    if written.group and written.group in whole:
        return text
    grouped = f"{int(whole):,}".replace(",", written.group) if whole.isdigit() else whole
    return grouped + point + fraction
