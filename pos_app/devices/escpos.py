"""A picture as the bytes of one job for an ESC/POS receipt printer. Only what cheap printers know, too.

Text is never sent as text: a printer's code pages have no Sinhala, no Tamil and no joined Arabic.
"""

from __future__ import annotations

import re

from pos_app.domain.paper import Bitmap

BAND_ROWS = 128
"""Rows of one picture command: small printers hold no more than about 40 kB."""

START = b"\x1b@"
"""ESC @: whatever the last program left behind is forgotten."""

REAL_TIME_OFF = b"\x1d(D\x05\x00\x14\x01\x00\x02\x00"
"""GS ( D: DLE DC4 1 (the drawer's pulse) and 2 (power off) are commands no longer, so that no dots can be one."""

FEED = b"\x1bd\x04"
"""ESC d: past the cutter's knife where GS V does not feed by itself."""

CUT = b"\x1dVB\x00"
"""GS V 66 0: on to the knife, and cut."""

_PICTURE = b"\x1dv0\x00"
_JOB = b"\x1d(H\x06\x00\x30\x30"
_SIGNS = re.compile(r"[!-~]{4}")
_REAL_TIME = (b"\x10\x04", b"\x10\x05", b"\x10\x14")


def job_stream(bitmap: Bitmap, job: str) -> bytes:
    """One picture, cut off, and the question that a printer answers with the job's signs once all is on paper.

    `job`: four visible ASCII signs (GS ( H, function 48). ValueError for other ones, and for a picture without rows.
    """
    if not bitmap.height:
        raise ValueError("a picture without rows")
    return b"".join((START, REAL_TIME_OFF, *_bands(bitmap), FEED, CUT, job_question(job)))


def job_question(job: str) -> bytes:
    """GS ( H, function 48: the printer sends `job_echo` when what came before is printed."""
    if not _SIGNS.fullmatch(job):
        raise ValueError(f"{job!r} is not four visible signs")
    return _JOB + job.encode("ascii")


def job_echo(job: str) -> bytes:
    """What a printer that knows GS ( H sends back for it."""
    return b"\x37\x22" + job.encode("ascii") + b"\x00"


def without_real_time(rows: bytes) -> bytes:
    """The same dots, one of them black where two bytes would have been DLE EOT, DLE ENQ or DLE DC4.

    A printer obeys those at once, even in the middle of a picture. DLE becomes 0x11, which begins and ends none.
    """
    for pair in _REAL_TIME:
        rows = rows.replace(pair, b"\x11" + pair[1:])
    return rows


def _bands(bitmap: Bitmap) -> list[bytes]:
    across = bitmap.width // 8
    rows = without_real_time(bitmap.rows)
    found = []
    for top in range(0, bitmap.height, BAND_ROWS):
        high = min(BAND_ROWS, bitmap.height - top)
        found.append(_PICTURE + across.to_bytes(2, "little") + high.to_bytes(2, "little"))
        found.append(rows[top * across : (top + high) * across])
    return found
