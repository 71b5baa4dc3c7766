"""I7, I10, I12 judged: what is settled becomes known in time, the limits of codes hold, no bug comes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pos_app.domain.attempt import Attempt
from tests.verification.simulation.history import Held, History
from tests.verification.simulation.verdict import FINAL, GATEWAY_FINAL, Violation

QUARTER = 15 * 60_000
DAY = 24 * 60 * 60_000
TRIP = 3_000
"""A busy service may have asked for a minute's wait just before; then the request is on its way."""


def i7(history: History) -> Iterator[Violation]:
    """What the service had settled when the faults stopped is settled here in time, and wishes to cancel came true.

    In time: within a minute, while it is open or young; an older one is asked about more rarely, each five minutes
    at the end of its first day, and is looked at when the till has come to rest. After a day only closing asks.
    """
    tapped = {
        each.record.subject: each.at
        for journal in history.journals.values()
        for each in journal
        if each.record.kind == "INTENT"
    }
    ledger = {(held.external_id, held.origin): held for held in history.held}
    for moment in history.calm:
        for attempt in moment.attempts:
            held = ledger.get((attempt.attempt_id, attempt.origin)) or ledger.get((attempt.attempt_id, ""))
            age = history.calm_at - tapped.get(attempt.attempt_id, history.calm_at)
            elsewhere = attempt.origin not in ("", moment.origin)
            if held is None or age >= DAY or elsewhere:
                continue
            is_prompt = attempt.is_open or age < QUARTER
            yield from _late(history, moment.till, attempt, held, is_prompt=is_prompt)


def _late(
    history: History, till: str, attempt: Attempt, held: Held, *, is_prompt: bool
) -> Iterator[Violation]:
    moments, time = (history.settled, "a minute") if is_prompt else (history.rested, "eight minutes")
    found = [
        (moment.at, each)
        for moment in moments
        if moment.till == till
        for each in moment.attempts
        if each.attempt_id == attempt.attempt_id
    ]
    for at, after in found:
        if after.state.value in (*FINAL, "DISPUTED"):
            continue
        status = held.status_at(history.calm_at)
        if status in GATEWAY_FINAL:
            yield Violation("I7", attempt.attempt_id, f"{status} {time} ago, still {after.state}")
        stuck = status == "Merchant Initiated" and held.status_at(at + TRIP) == status
        forbidden = any(flag.value == "CANCEL_NOT_ALLOWED" for flag in after.flags)
        if stuck and attempt.cancel_wish is not None and not forbidden:
            yield Violation("I7", attempt.attempt_id, f"to be cancelled for {time}, and still could be")


def i10(history: History) -> Iterator[Violation]:
    """Codes sent in any window of real time: 3 in 15 minutes and 10 a day a person, 30 a day a terminal.

    A till knows of its own sends alone, as far as its folder holds them: each line is judged for itself. Where the
    codes are real, the machine counts them too: whatever folder is put on it, they are judged all together.
    """
    by_number: dict[tuple[str, str], list[int]] = defaultdict(list)
    by_till: dict[str, list[int]] = defaultdict(list)
    of_machines = ((at, _machine(history, till, at), number) for at, till, number in history.messages)
    for at, till, number in (*history.messages, *(of_machines if history.live else ())):
        by_number[till, number].append(at)
        by_till[till].append(at)
    for (_, number), times in by_number.items():
        yield from _window(number[-3:], times, 3, QUARTER)
        yield from _window(number[-3:], times, 10, DAY)
    for till, times in by_till.items():
        yield from _window(till, times, 30, DAY)


def _machine(history: History, line: str, at: int) -> str:
    """Where a line's till ran at a time."""
    starts = [(since, machine) for since, name, machine in history.machines if name == line and since <= at]
    return f"{max(starts)[1]}, whatever its folder" if starts else line


def _window(about: str, times: list[int], most: int, length: int) -> Iterator[Violation]:
    for first, last in zip(times, times[most:], strict=False):
        if last - first < length:
            yield Violation("I10", about, f"{most + 1} codes within {(last - first) // 1000} s")
            return


def i12(history: History) -> Iterator[Violation]:
    """No exception came out of the engine."""
    for accident in history.accidents:
        yield Violation("I12", "engine", accident)
