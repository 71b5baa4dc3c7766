"""Faults of the service and the line that a life is given, drawn at random. Each is used up by a few calls."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.support.sandbox import Sandbox

LATEST_S = 3.0
"""By then a request that was held up has arrived."""

INITIATE: tuple[dict[str, Any], ...] = (
    {"kind": "drop_before"},
    {"kind": "drop_after"},
    {"kind": "late", "delay_s": 1.0},
    {"kind": "late", "delay_s": LATEST_S},
    {"kind": "duplicate"},
    {"kind": "delay", "at": "after", "delay_s": 1.5},
    {"kind": "delay", "at": "before", "delay_s": 1.0},
    {"kind": "status", "status": 503, "at": "after"},
    {"kind": "status", "status": 502},
    {"kind": "garbage"},
    {"kind": "cut"},
    {"kind": "throttle", "retry_after": 1},
)
ASK: tuple[dict[str, Any], ...] = (
    {"kind": "drop_after", "count": 2},
    {"kind": "status", "status": 503, "count": 3},
    {"kind": "delay", "at": "after", "delay_s": 1.0},
    {"kind": "garbage"},
    {"kind": "cut"},
    {"kind": "throttle", "retry_after": 1},
)
CANCEL: tuple[dict[str, Any], ...] = (
    {"kind": "drop_before"},
    {"kind": "drop_after"},
    {"kind": "cancel_loses"},
    {"kind": "status", "status": 500, "at": "after"},
    {"kind": "delay", "at": "after", "delay_s": 1.5},
    {"kind": "late", "delay_s": 1.0},
)
CODE: tuple[dict[str, Any], ...] = (
    {"kind": "delay", "at": "after", "delay_s": 0.7},
    {"kind": "drop_after"},
)


def add(sandbox: Sandbox, chance: Random) -> None:
    """Some trouble, in half of the lives."""
    for operation, often, kinds in (
        ("initiate_push", 0.25, INITIATE),
        ("initiate_qr", 0.25, INITIATE),
        ("get_status", 0.25, ASK),
        ("cancel", 0.25, CANCEL),
        ("validate_code", 0.04, CODE),
    ):
        if chance.random() < often:
            fields = dict(chance.choice(kinds))
            sandbox.fault(fields.pop("kind"), operation, **fields)
