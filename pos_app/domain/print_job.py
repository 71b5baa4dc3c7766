"""A job for the printer, from the wish to the paper. Pure: what was decided is written before a byte leaves.

What may have reached the printer is never sent again by itself: the rule of payments, applied to paper. SENDING is
written before the first byte and uses up the right to an original; whoever prints once more gets a COPY.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.ids import sale_and_number
from pos_app.domain.receipt import Receipt

EXPIRES_MS = 15 * 60_000
"""So long a job waits for its printer: new paper at noon does not print the morning."""

JOB_MS = 10_000
"""So long one job may take, from the first byte on, beside the time in which its dots are printed (`dots_s`)."""

LONGEST_MS = 50_000
"""No job takes longer, however long its paper is."""

HANGS_MS = 60_000
"""The line to the printer bounds all that it does by less: one that says nothing for so long hangs in a device."""

_BYTES_PER_S = 19_200
"""Of dots, at the slowest printers: 50 mm of the narrow paper. A Z that names what is open is a metre long, or two."""


def dots_s(size: int) -> float:
    """In how many seconds a slow printer has printed so many bytes: it takes no more than it has room for."""
    return size / _BYTES_PER_S


_RETRIES_MS = (1_000, 2_000, 4_000, 8_000, 16_000, 30_000)


class PaperKind(StrEnum):
    """What is printed."""

    RECEIPT = "receipt"
    X = "x"
    Z = "z"
    PICTURES = "pictures"
    TEST = "test"
    SLIP = "slip"
    """A refund note's, for the customer."""
    SHOP_SLIP = "shop_slip"
    """The same for the shop, with a line to sign on."""
    ELSEWHERE = "elsewhere"
    """A copy of another counter's receipt, as the store told it: always a copy, and no payment of this till."""


SLIPS = (PaperKind.SLIP, PaperKind.SHOP_SLIP)


class JobState(StrEnum):
    """Where a job is. UNKNOWN: nobody but a person can say what lies on paper."""

    QUEUED = "QUEUED"
    HELD = "HELD"
    SENDING = "SENDING"
    SENT = "SENT"
    PRINTED = "PRINTED"
    UNKNOWN = "UNKNOWN"
    EXPIRED = "EXPIRED"
    LEFT = "LEFT"


class Why(StrEnum):
    """Why a job waits, or why nobody knows what became of it. HELD: no byte of it was sent."""

    NONE = ""
    NO_CONNECTION = "no_connection"
    OFFLINE = "offline"
    COVER_OPEN = "cover_open"
    PAPER_OUT = "paper_out"
    BUSY = "busy"
    NO_SUCH_PRINTER = "no_such_printer"
    CANNOT_DRAW = "cannot_draw"
    CANNOT_RECORD = "cannot_record"
    BROKE_OFF = "broke_off"
    TOO_SLOW = "too_slow"
    TILL_STOPPED = "till_stopped"
    ASKED_AGAIN = "asked_again"
    NOT_WANTED = "not_wanted"
    SEEN = "seen"


class PrintJob(msgspec.Struct, frozen=True, kw_only=True):
    """`about`: a receipt's attempt id, whose X ("": the whole till's), the number of a Z, of its pictures' (0: of the
    open day) or of a refund note. The paper is drawn anew each time.

    `copy`: 0 is the original, n is marked COPY n. `began`: a byte of it may have left. `asked_at`: till ms,
    `asked`: the wall. `picture`: the SHA-256 of the dots that were sent. `printer`, `width`: of
    those set when it was asked for, or last tried.
    `receipt`: of another counter's payment, of which this journal has nothing else.
    """

    number: int
    paper: PaperKind
    about: str = ""
    copy: int = 0
    language: str = "en"
    width: int = 80
    printer: str = ""
    who: str = ""
    asked_at: int = 0
    asked: str = ""
    state: JobState = JobState.QUEUED
    why: Why = Why.NONE
    began: bool = False
    picture: str = ""
    receipt: Receipt | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_waiting(self) -> bool:
        """Whether it is still to be sent by the till itself."""
        return self.state in WAITING

    @property
    def is_open(self) -> bool:
        """Whether somebody may still have to do something: it stands on the list of what did not print."""
        return self.state in OPEN

    @property
    def sale_id(self) -> str:
        """Of a receipt the sale, as its attempt's id says; "" for any other paper."""
        return sale_and_number(self.about)[0] if self.paper is PaperKind.RECEIPT else ""

    @property
    def signs(self) -> str:
        """Four signs that the printer names it by."""
        return f"{self.number % 1_000_000:06d}"[-4:]


WAITING = frozenset({JobState.QUEUED, JobState.HELD})
OPEN = WAITING | {JobState.SENDING, JobState.UNKNOWN, JobState.EXPIRED}

NEXT: Mapping[JobState, frozenset[JobState]] = {
    JobState.QUEUED: frozenset({JobState.HELD, JobState.SENDING, JobState.EXPIRED, JobState.LEFT}),
    JobState.HELD: frozenset({JobState.HELD, JobState.SENDING, JobState.EXPIRED, JobState.LEFT}),
    JobState.SENDING: frozenset({JobState.SENT, JobState.PRINTED, JobState.UNKNOWN}),
    JobState.UNKNOWN: frozenset({JobState.PRINTED, JobState.LEFT}),
    JobState.EXPIRED: frozenset({JobState.LEFT}),
    JobState.SENT: frozenset(),
    JobState.PRINTED: frozenset(),
    JobState.LEFT: frozenset(),
}
"""From SENDING nothing leads back to where the till would send it by itself."""


class ImpossibleMove(ValueError):
    """A job that cannot go there from where it is."""


def moved(job: PrintJob, to: JobState, why: Why = Why.NONE, picture: str = "") -> PrintJob:
    """The job in its next state. Raises ImpossibleMove, and changes nothing."""
    if to not in NEXT[job.state]:
        raise ImpossibleMove(f"job {job.number}: {job.state} to {to}")
    return replace(
        job,
        state=to,
        why=why,
        began=job.began or to is JobState.SENDING,
        picture=picture or job.picture,
    )


def taken_up(job: PrintJob) -> PrintJob:
    """What a start makes of a job that was written: what was being sent may be on paper, and is never sent again."""
    if job.state is JobState.SENDING:
        return moved(job, JobState.UNKNOWN, Why.TILL_STOPPED)
    return job


def is_expired(job: PrintJob, now: int) -> bool:
    """Whether it has waited too long for its printer."""
    return job.is_waiting and now >= job.asked_at + EXPIRES_MS


def retry_ms(tries: int) -> int:
    """How long after the so-manieth try (from 1) in vain the next one is made."""
    return _RETRIES_MS[min(max(tries, 1), len(_RETRIES_MS)) - 1]


def next_copy(jobs: Iterable[PrintJob]) -> int:
    """Which copy of a paper the next job prints, by all earlier jobs of the same paper; 0: still the original."""
    return max((each.copy + 1 for each in jobs if each.began), default=0)


QUEUED = "PRINT_QUEUED"
ASKED = "PRINT_ASKED"
COPY_ASKED = "COPY_ASKED"
SEEN = "PRINT_SEEN"
LEFT = "PRINT_LEFT"
KIND_OF: Mapping[JobState, str] = {
    JobState.QUEUED: QUEUED,
    JobState.HELD: "PRINT_HELD",
    JobState.SENDING: "PRINT_SENDING",
    JobState.SENT: "PRINT_SENT",
    JobState.PRINTED: "PRINT_DONE",
    JobState.UNKNOWN: "PRINT_UNKNOWN",
    JobState.EXPIRED: "PRINT_EXPIRED",
    JobState.LEFT: LEFT,
}
KINDS = frozenset({*KIND_OF.values(), ASKED, COPY_ASKED, SEEN})
"""Every event that changes a job: each holds the whole job after it."""


def subject_of(number: int) -> str:
    """The subject of a job's events."""
    return f"print:{number}"


def content_of(job: PrintJob) -> dict[str, Any]:
    """What a job's event holds."""
    return {"job": msgspec.to_builtins(job)}


def job_in(content: Mapping[str, Any]) -> PrintJob:
    """The job after an event. Raises msgspec.ValidationError."""
    return msgspec.convert(content.get("job"), PrintJob)
