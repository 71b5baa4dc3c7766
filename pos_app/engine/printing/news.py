"""What the line to the printer tells the queue, and what the queue asks of it."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from pos_app.domain.print_job import JobState, PrintJob, Why


class PrintNews(msgspec.Struct, frozen=True):
    """News of one job, by its number."""

    number: int


class PrinterReady(PrintNews, frozen=True):
    """The picture is drawn (`picture`: its SHA-256) and the printer waits for it. No byte of the job was sent."""

    picture: str


class PrinterHeld(PrintNews, frozen=True):
    """It cannot be printed just now. No byte of the job was sent."""

    why: Why


class PrintEnded(PrintNews, frozen=True):
    """All that can be known of a job that was sent: SENT, PRINTED or UNKNOWN."""

    state: JobState
    why: Why = Why.NONE


class PrinterLine(Protocol):
    """Starts and returns at once; each step posts its news, however it ends. One job at a time."""

    def prepare(self, job: PrintJob, content: Any) -> None:
        """Draws the job and opens the printer. Posts PrinterReady or PrinterHeld."""
        ...

    def send(self, number: int) -> None:
        """Sends what was prepared: that it may be sent is durable. Posts PrintEnded."""
        ...

    def leave(self, number: int) -> None:
        """What was prepared is not sent. Posts nothing."""
        ...
