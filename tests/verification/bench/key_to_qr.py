"""From the key press to the QR on the screen, beside the bare round trip of the service."""

from __future__ import annotations

from tests.verification.bench.figure import Figure, median
from tests.verification.bench.playing import played

OURS_MS = 40


def measure(*, quick: bool = False) -> list[Figure]:
    """The goal is the round trip and 40 ms."""
    measured = played("qr", quick=quick)
    floor = median(measured["floor"])
    return [
        Figure(
            name="key press to QR painted",
            unit="ms",
            ours=median(measured["ours"]),
            floor=floor,
            goal=floor + OURS_MS,
            floor_is="bare round trip; goal: it and 40 ms",
            absolute=True,
            limited_by="two durable commits, before and after the call, and 17 ms of encoding on its own thread",
        )
    ]
