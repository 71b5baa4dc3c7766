"""Where a till of this campaign dies: around each commit of a print and of a closing, in its bytes, or at any time."""

from __future__ import annotations

from random import Random

from tests.verification.campaign.kills.points import Death

RECORDS = (
    "STATUS_ANSWERED",
    "PRINT_SENDING",
    "PRINT_HELD",
    "PRINT_DONE",
    "PRINT_UNKNOWN",
    "PRINT_SEEN",
    "COPY_ASKED",
    "CLOSING_BEGAN",
    "Z_CLOSED",
)
"""Kinds of the journal's records; a receipt's PRINT_QUEUED is in the transaction of its STATUS_ANSWERED."""

BYTES = tuple(f"print:{when}" for when in ("opened", "before", "first byte", "half", "written", "ended"))
POINTS = (*(f"commit {kind}:{when}" for kind in RECORDS for when in ("before", "inside", "after")), *BYTES)
_OFTEN = (
    *BYTES,
    *(f"commit {kind}:{when}" for kind in ("PRINT_SENDING", "Z_CLOSED") for when in ("inside", "after")),
)


def drawn(chance: Random) -> Death:
    """Two of three at a point, half of those while a print is at the printer or a Z is written."""
    if chance.random() < 0.67:
        point = chance.choice(_OFTEN if chance.random() < 0.5 else POINTS)
        return Death(point, chance.randint(1, 3 if point.startswith("commit STATUS") else 2))
    return Death(after_s=chance.uniform(1.0, 7.0))
