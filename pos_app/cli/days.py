"""Dates and numbers of Zs as they are typed behind an option."""

from __future__ import annotations

import argparse
import re

from pos_app.domain.day import date_in


def date_of(text: str) -> str:
    """A date (ISO), written as one is: 2026-03-01. Raises argparse.ArgumentTypeError."""
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError("another form")
        return date_in(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date; write 2026-03-01") from None


def z_number(text: str) -> int:
    """The number of a Z. Raises argparse.ArgumentTypeError."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no Z; they are numbered from 1")
    return int(text)
