"""Which form a language takes for a count, by CLDR's rules for whole numbers. Says nothing itself."""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """CLDR's plural forms; a language uses some of them."""

    ZERO = "zero"
    ONE = "one"
    TWO = "two"
    FEW = "few"
    MANY = "many"
    OTHER = "other"


ENGLISH_FORMS = (Form.ONE, Form.OTHER)


def forms(language: str) -> tuple[Form, ...]:
    """The forms a language has."""
    return tuple(Form) if language == "ar" else ENGLISH_FORMS


def form_of(language: str, count: int) -> Form:
    """The form for this many."""
    if language == "ar":
        return _arabic(count)
    singular = (0, 1) if language == "si" else (1,)
    return Form.ONE if count in singular else Form.OTHER


def _arabic(count: int) -> Form:
    if count in (0, 1, 2):
        return (Form.ZERO, Form.ONE, Form.TWO)[count]
    rest = count % 100
    return Form.OTHER if rest < 3 else Form.FEW if rest <= 10 else Form.MANY
