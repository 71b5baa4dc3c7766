"""Dates as HTTP headers write them. Knows no header by name."""

from __future__ import annotations


def time_in(text: str) -> int | None:
    """The time of an HTTP date in ms since 1970; None for anything else."""
    # Loaded with the first reply: the till's start waits for no parser of dates.
    from email.utils import parsedate_to_datetime

    try:
        return int(parsedate_to_datetime(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
