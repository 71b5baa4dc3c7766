"""The named points at which a till of the campaign dies, and how a life's death is drawn. Kills nothing itself."""

from __future__ import annotations

from random import Random

import msgspec

OPERATIONS = ("initiate_push", "initiate_qr", "get_status", "cancel", "validate_code", "submit_code")
"""The calls, by the sandbox's names."""

RECORDS = (
    "OTP_SEND",
    "SIGNED_IN",
    "INTENT",
    "INITIATE_ANSWERED",
    "STATUS_ANSWERED",
    "CANCEL",
    "CANCEL_ANSWERED",
    "CLOSE",
    "CONTINUE",
    "PARK",
    "TIME_CAME",
    "TILL_STARTED",
    "ANSWER",
)
"""Kinds of the journal's records."""

_AROUND = dict.fromkeys(RECORDS, 2) | {"STATUS_ANSWERED": 4, "INTENT": 3}

START = (
    "start:process",
    "start:journal",
    "start:journal is open",
    "start:window",
    "start:painted",
    "start:engine",
    "start:taken up",
    "start:for sale",
)
CLOSING = ("close:asked", "close:threads ended", "close:journal is closed")

FIRST = tuple(f"commit PERSON_ENROLLED:{when}" for when in ("before", "inside", "after"))
"""Of the very first start alone."""

POINTS: tuple[str, ...] = (
    *(f"commit {kind}:{when}" for kind in RECORDS for when in ("before", "inside", "after")),
    *(f"{name}:{when}" for name in OPERATIONS for when in ("before", "first byte", "head", "sent", "reply")),
    "anchor:before",
    "anchor:after",
    *START,
    *CLOSING,
)
ALL = (*FIRST, *POINTS)


class Death(msgspec.Struct, frozen=True):
    """How a life ends. `point` with its `on`-th passing, or "" and `after_s` since the start.

    `closes_after_s`: the window is closed then, and the death comes while it closes.
    """

    point: str = ""
    on: int = 1
    after_s: float = 0.0
    closes_after_s: float = 0.0


_OPENING = tuple(point for point in POINTS if point.startswith(("commit INTENT:", "initiate_")))
"""Who dies here leaves something behind that may or may not have been sent."""

_AFTERWARDS = (
    *(f"commit {kind}:{when}" for kind in ("CLOSE", "CONTINUE") for when in ("before", "inside", "after")),
    *(f"get_status:{when}" for when in ("before", "first byte", "head", "sent", "reply")),
    "start:engine",
    "start:taken up",
    "start:for sale",
)


CODES = tuple(point for point in POINTS if point.startswith(("commit OTP_SEND:", "validate_code:")))
"""Who dies here may have sent a code that was not counted; the same person tries again."""


def drawn(chance: Random, before: str | None = "") -> Death:
    """Two of three deaths at a named point, the others at any time.

    `before`: the point of the last death; None: this is the first life.
    """
    if before is None and chance.random() < 0.5:
        return Death(chance.choice((*FIRST, *START)))
    if chance.random() < 0.65:
        follows = _AFTERWARDS if before in _OPENING else CODES if before in CODES else POINTS
        point = chance.choice(follows if chance.random() < 0.5 else POINTS)
        if point.startswith("close:"):
            return Death(point, closes_after_s=chance.uniform(0.0, 3.0))
        kind = point.partition(" ")[2].partition(":")[0]
        most = 1 if point in START else _AROUND.get(kind, 2)
        return Death(point, chance.randint(1, most))
    if chance.random() < 0.15:
        closes = chance.uniform(0.0, 2.5)
        return Death(after_s=0.7 + closes + chance.uniform(0.0, 0.4), closes_after_s=closes)
    return Death(after_s=chance.choice((chance.uniform(0.05, 1.5), chance.uniform(0.5, 6.0))))
