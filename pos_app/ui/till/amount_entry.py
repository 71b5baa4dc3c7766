"""What typing does to the amount's text, and how the text is shown. Pure; money.py judges the result."""

from __future__ import annotations

from pos_app.domain.money import MAX_WHOLE_DIGITS, AmountFormat, Currency

SEPARATORS = (".", ",")

POINT = "point"
"""What the decimal key of a numeric keypad types, whatever is printed on it."""

SPARE_DIGITS = 3
"""So many digits more than the currency has are kept and shown, so that the amount is refused and not cut."""

LONGEST = 24
"""No amount is longer; of what is longer nothing is taken."""


def typed(text: str, character: str, money: Currency, written: AmountFormat) -> str:
    """The text after one more character; unchanged where the character can belong to no number.

    Separators are kept as they were typed, and digits too many behind the point, so that "12,50" where the
    comma groups, or "1,250" where it is the point, is refused as a whole and never becomes another amount.
    """
    if character == POINT:
        character = written.decimal
    if character in SEPARATORS or character == written.decimal:
        return _separated(text, character)
    if not (character.isascii() and character.isdigit()):
        return text
    _, has_point, fraction = text.rpartition(written.decimal)
    if has_point:
        return text + character if len(fraction) < money.digits + SPARE_DIGITS else text
    if sum(each.isdigit() for each in text) >= MAX_WHOLE_DIGITS:
        return text
    return character if text == "0" else text + character


def _separated(text: str, character: str) -> str:
    if not text:
        # A group needs digits before it: what was meant may be a point, so nothing is dropped.
        return f"0{character}"
    bounced = text.endswith(character)
    return text if bounced or len(text) >= LONGEST else text + character


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
