"""How long ago something was, by clocks that nobody at the till can set. Reads no clock."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

SLACK_MS = 20_000
"""What a service's date may be off by: whole seconds, and as long as a reply may be on its way."""


class Stamp(msgspec.Struct, frozen=True):
    """A moment: which boot of the machine, ms since it, and the service's own time (ms) if it has told.

    The wall clock is not in it, because whoever stands at the till can set it.
    """

    boot: str
    since_boot: int
    service: int | None = None


def ages(now: Stamp, earlier: Sequence[Stamp]) -> list[int]:
    """How long ago (ms) each moment was, at the least; `earlier` and the answer oldest first."""
    known = [(now, 0)]
    for stamp in reversed(earlier):
        known.append((stamp, max(age + _between(stamp, later) for later, age in known)))
    return [age for _, age in reversed(known[1:])]


def longest_age(now: Stamp, earlier: Stamp) -> int | None:
    """How long ago (ms) a moment was, at the most; None where no clock proves it.

    For what ends after a time, as `ages` is for what may begin after one: what is not proven counts for neither.
    """
    if earlier.boot == now.boot and now.since_boot >= earlier.since_boot:
        return now.since_boot - earlier.since_boot
    if earlier.service is None or now.service is None or now.service + SLACK_MS < earlier.service:
        return None
    return max(0, now.service - earlier.service) + SLACK_MS


def _between(earlier: Stamp, later: Stamp) -> int:
    """Exact within a boot; over a reboot by the service's time, else the later boot's age proves that much."""
    if earlier.boot == later.boot:
        return max(0, later.since_boot - earlier.since_boot)
    if earlier.service is None or later.service is None:
        return later.since_boot
    return max(later.since_boot, later.service - earlier.service - SLACK_MS)
