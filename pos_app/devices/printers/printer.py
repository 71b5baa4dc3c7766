"""What every printer is to the till: opened before anything is sent, sent to once, and honest about what it knows."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from pos_app.domain.print_job import JobState, PrintJob, Why


class Form(StrEnum):
    """What a printer wants: the bytes of an ESC/POS job, or a PDF."""

    ESCPOS = "escpos"
    PDF = "pdf"


class NotReady(Exception):
    """It takes nothing just now. No byte of the job was sent."""

    def __init__(self, why: Why) -> None:
        super().__init__(why.value)
        self.why = why


class BrokeOff(Exception):
    """Something may have been sent, and nobody knows what lies on paper."""

    def __init__(self, why: Why = Why.BROKE_OFF) -> None:
        super().__init__(why.value)
        self.why = why


class Session(Protocol):
    """One job's way to an open printer. Whoever opened it closes it, sent or not."""

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:
        """SENT: all bytes were taken. PRINTED: the printer has named this job as done.

        `until`: time.monotonic() by which it is over. Raises BrokeOff.
        """
        ...

    def close(self) -> None:
        """Lets the printer go; once is enough."""
        ...


class Printer(Protocol):
    """Reached anew for each job."""

    @property
    def form(self) -> Form:
        """What it wants."""
        ...

    def open(self) -> Session:
        """A way to the printer that is ready, as far as it tells. Bounded. Raises NotReady."""
        ...
