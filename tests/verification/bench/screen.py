"""How late the screen shows what the service said and did."""

from __future__ import annotations

from tests.verification.bench.figure import Figure, median, percentile
from tests.verification.bench.playing import played

INTERVAL_MS = 1_100
"""The till asks a scanned payment once a second, give or take a tenth."""
LATE_MS = 20


def measure(*, quick: bool = False) -> list[Figure]:
    """p99 from reply to paint against a bare signal's, p95 from the service's change to paint."""
    measured = played("screen", quick=quick)
    limited_by = (
        f"of it {median(measured['commit']):.2f} ms for each durable commit before anything is shown "
        f"(p99 {percentile(measured['commit'], 0.99):.2f}), {median(measured['show']):.2f} ms on the window's "
        f"thread before the paint (p99 {percentile(measured['show'], 0.99):.2f}), {median(measured['paint']):.2f} ms "
        f"to paint what looks otherwise (p99 {percentile(measured['paint'], 0.99):.2f})"
    )
    return [
        Figure(
            name="reply to screen: p99",
            unit="ms",
            ours=percentile(measured["reply"], 0.99),
            floor=percentile(measured["bare"], 0.99),
            goal=3,
            floor_is="bare signal to label, p99",
            limited_by=limited_by,
        ),
        Figure(
            name="reply to screen: median",
            unit="ms",
            ours=median(measured["reply"]),
            floor=median(measured["bare"]),
            goal=3,
            floor_is="bare signal to label",
            limited_by=limited_by,
        ),
        Figure(
            name="service's change to screen: p95",
            unit="ms",
            ours=percentile(measured["change"], 0.95),
            floor=INTERVAL_MS,
            goal=INTERVAL_MS + LATE_MS,
            floor_is="polling interval; goal: it and 20 ms",
            absolute=True,
        ),
    ]
