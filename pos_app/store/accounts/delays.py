"""How long who typed something wrong waits before the next try counts. Pure; what was tried is durable elsewhere."""

from __future__ import annotations

FREE = 4
"""So many wrong ones in a row cost no wait: people mistype."""
FIRST_S, LONGEST_S = 30, 900
"""Longer would let a stranger keep an owner out by name alone; 96 tries a day guess no password of twelve signs."""
FORGOTTEN_S = 24 * 3600
"""A row of wrong ones ends by itself after this long without another."""


def wait_s(wrong: int) -> int:
    """Seconds between the last of so many wrong ones in a row and the next try."""
    if wrong <= FREE:
        return 0
    return min(FIRST_S << min(wrong - FREE - 1, 10), LONGEST_S)


def left_s(wrong: int, since_s: float) -> int:
    """Whole seconds still to wait, `since_s` after the last wrong one; a clock set back waits anew, never for ever."""
    if since_s >= FORGOTTEN_S:
        return 0
    whole = wait_s(wrong)
    return max(0, whole - int(max(0.0, since_s)))
