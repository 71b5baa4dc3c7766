"""I7, I10, I12 judged: what is settled becomes known in time, the limits of codes hold, no bug comes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tests.simulation.history import History
from tests.simulation.verdict import FINAL, GATEWAY_FINAL, Violation

QUARTER = 15 * 60_000
DAY = 24 * 60 * 60_000
MINUTE_AND_TRIP = 63_000
"""A busy service may have asked for a minute's wait just before; then the request is on its way."""


def i7(history: History) -> Iterator[Violation]:
    """A minute after the faults: what the service had settled is settled here, and wishes to cancel came true."""
    settled = {attempt.attempt_id: attempt for moment in history.settled for attempt in moment.attempts}
    ledger = {held.external_id: held for held in history.held}
    for moment in history.calm:
        for attempt in moment.attempts:
            held = ledger.get(attempt.attempt_id)
            after = settled[attempt.attempt_id]
            if held is None or after.state.value in (*FINAL, "DISPUTED"):
                continue
            status = held.status_at(history.calm_at)
            if status in GATEWAY_FINAL:
                yield Violation("I7", attempt.attempt_id, f"{status} a minute ago, still {after.state}")
            stuck = status == "Merchant Initiated" and held.status_at(moment.at + MINUTE_AND_TRIP) == status
            forbidden = any(flag.value == "CANCEL_NOT_ALLOWED" for flag in after.flags)
            if stuck and attempt.cancel_wish is not None and not forbidden:
                yield Violation("I7", attempt.attempt_id, "to be cancelled for a minute, and still could be")


def i10(history: History) -> Iterator[Violation]:
    """Codes sent in any window of real time: 3 in 15 minutes and 10 a day a person, 30 a day a terminal.

    A till knows of its own sends alone.
    """
    by_number: dict[tuple[str, str], list[int]] = defaultdict(list)
    by_till: dict[str, list[int]] = defaultdict(list)
    for at, till, number in history.messages:
        by_number[till, number].append(at)
        by_till[till].append(at)
    for (_, number), times in by_number.items():
        yield from _window(number[-3:], times, 3, QUARTER)
        yield from _window(number[-3:], times, 10, DAY)
    for till, times in by_till.items():
        yield from _window(till, times, 30, DAY)


def _window(about: str, times: list[int], most: int, length: int) -> Iterator[Violation]:
    for first, last in zip(times, times[most:], strict=False):
        if last - first < length:
            yield Violation("I10", about, f"{most + 1} codes within {(last - first) // 1000} s")
            return


def i12(history: History) -> Iterator[Violation]:
    """No exception came out of the engine."""
    for accident in history.accidents:
        yield Violation("I12", "engine", accident)
