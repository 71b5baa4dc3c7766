"""Dates and numbers of Zs as they are typed behind an option."""

from __future__ import annotations

import argparse
import re
from datetime import date

from pos_app.domain.day import date_in

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""Its form; whether there is such a day is another question."""

_FIRST_YEAR, _LAST_YEAR = 2000, 2098


def date_of(text: str) -> str:
    """A date (ISO), written as one is: 2026-03-01. Raises argparse.ArgumentTypeError."""
    try:
        if not DATE.fullmatch(text):
            raise ValueError("another form")
        return date_in(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date; write 2026-03-01") from None


def listed_date(text: str) -> str:
    """The same, of a day that a service's list can have payments of. Raises argparse.ArgumentTypeError."""
    day = date_of(text)
    require_listed(date_in(day), text)
    return day


def require_listed(day: date, text: str) -> None:
    """Raises argparse.ArgumentTypeError for a year in which nobody sells."""
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no date of a payment: they lie in the years {_FIRST_YEAR} to {_LAST_YEAR}"
        )


def z_number(text: str) -> int:
    """The number of a Z. Raises argparse.ArgumentTypeError."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no Z; they are numbered from 1")
    return int(text)
