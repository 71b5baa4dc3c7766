"""Dates as HTTP headers write them. Knows no header by name."""

from __future__ import annotations

from datetime import UTC


def time_in(text: str) -> int | None:
    """The time of an HTTP date in ms since 1970; None for anything else."""
    # Loaded with the first reply: the till's start waits for no parser of dates.
    from email.utils import parsedate_to_datetime

    try:
        said = parsedate_to_datetime(text)
        # HTTP knows one zone, and its oldest way to write a date names none (RFC 9110, 5.6.7).
        return int((said if said.tzinfo else said.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
