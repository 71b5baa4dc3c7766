"""The line to the printer: draws, opens, sends and waits on a thread of its own, so that nobody else ever does."""

from __future__ import annotations

import hashlib
import logging
import queue
import threading
import time
from typing import Any, Protocol

import msgspec

from pos_app.devices.escpos import job_stream
from pos_app.devices.printers.printer import BrokeOff, Form, NotReady, Printer, Session
from pos_app.domain.paper import Bitmap, CannotDraw
from pos_app.domain.print_job import JOB_MS, LONGEST_MS, JobState, PrintJob, Why, dots_s
from pos_app.engine.core.mailbox import Post
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterReady

log = logging.getLogger(__name__)

STOP_S = 2.0


class Draws(Protocol):
    """What makes a picture of a job, on the line's thread. `content`: what was read for it. Raises CannotDraw."""

    def picture(self, job: PrintJob, content: Any) -> Bitmap:
        """For paper of `job.width` mm."""
        ...

    def pdf(self, job: PrintJob, content: Any) -> bytes:
        """The same as a PDF."""
        ...


class _Prepare(msgspec.Struct, frozen=True):
    job: PrintJob
    content: Any


class _Send(msgspec.Struct, frozen=True):
    number: int


class _Leave(msgspec.Struct, frozen=True):
    number: int


class _Ready(msgspec.Struct, frozen=True):
    job: PrintJob
    data: bytes
    session: Any


class Line:
    """`PrinterLine` with one thread. `printer` may be changed by any thread: the next job goes to the new one."""

    def __init__(
        self, printer: Printer | None, draws: Draws, post: Post, limit_s: float = JOB_MS / 1000
    ) -> None:
        self.printer = printer
        self._draws = draws
        self._post = post
        self._limit_s = limit_s
        self._wishes: queue.SimpleQueue[_Prepare | _Send | _Leave | None] = queue.SimpleQueue()
        self._thread = self._new_thread()
        self._ready: _Ready | None = None

    def _new_thread(self) -> threading.Thread:
        # A daemon: a device that hangs in the kernel must not hold up the end of the till.
        return threading.Thread(target=self._work, name="printer", daemon=True)

    def start(self) -> None:
        """Begins; once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it, bounded. A job that is being sent is asked about at the next start."""
        self._wishes.put(None)
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def prepare(self, job: PrintJob, content: Any) -> None:
        """As in PrinterLine."""
        self._wishes.put(_Prepare(job, content))

    def send(self, number: int) -> None:
        """As in PrinterLine."""
        self._wishes.put(_Send(number))

    def leave(self, number: int) -> None:
        """As in PrinterLine."""
        self._wishes.put(_Leave(number))

    def _work(self) -> None:
        """Until it is stopped. A bug of ours in a drawing or a device ends this thread, and another goes on."""
        is_over = False
        try:
            self._obey()
            is_over = True
        finally:
            if not is_over:
                self._thread = self._new_thread()
                self._thread.start()

    def _obey(self) -> None:
        while (wish := self._wishes.get()) is not None:
            match wish:
                case _Prepare():
                    self._let_go()
                    self._prepare(wish.job, wish.content)
                case _Send(number):
                    self._send(number)
                case _Leave(number):
                    if self._ready is not None and self._ready.job.number == number:
                        self._let_go()
        self._let_go()

    def _let_go(self) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            ready.session.close()

    def _prepare(self, job: PrintJob, content: Any) -> None:
        printer = self.printer
        # Whatever happens, the queue hears of it: it would wait for ever, and nothing more would be printed.
        news: PrinterReady | PrinterHeld = PrinterHeld(job.number, Why.CANNOT_DRAW)
        try:
            if printer is None:
                raise NotReady(Why.NO_SUCH_PRINTER)
            data, picture = self._drawn(printer.form, job, content)
            session = _opened(printer)
            self._ready = _Ready(job, data, session)
            news = PrinterReady(job.number, picture)
        except CannotDraw as error:
            log.warning("job %d cannot be drawn: %s", job.number, error)
        except NotReady as error:
            news = PrinterHeld(job.number, error.why)
        finally:
            self._post(news)

    def _drawn(self, form: Form, job: PrintJob, content: Any) -> tuple[bytes, str]:
        """The bytes for the printer, and what the picture can be known by again."""
        if form is Form.PDF:
            data = self._draws.pdf(job, content)
            return data, hashlib.sha256(data).hexdigest()
        bitmap = self._draws.picture(job, content)
        if not bitmap.height:
            raise CannotDraw("nothing is on it")
        return job_stream(bitmap, job.signs), hashlib.sha256(bitmap.rows).hexdigest()

    def _send(self, number: int) -> None:
        ready, self._ready = self._ready, None
        if ready is None or ready.job.number != number:
            # Nothing of it was sent, and nobody can say so any more: a person looks at the paper.
            self._post(PrintEnded(number, JobState.UNKNOWN, Why.BROKE_OFF))
            return
        state, why = JobState.UNKNOWN, Why.BROKE_OFF
        until = time.monotonic() + min(self._limit_s + dots_s(len(ready.data)), LONGEST_MS / 1000)
        try:
            state, why = ready.session.send(ready.data, ready.job, until), Why.NONE
        except BrokeOff as error:
            why = error.why
        finally:
            ready.session.close()
            self._post(PrintEnded(number, state, why))


def _opened(printer: Printer) -> Session:
    """A way to the printer. What the system refuses in its own words is the printer's trouble, never the picture's: a
    job that cannot be drawn is given up, and this one may come out a minute later. Raises NotReady.
    """
    try:
        return printer.open()
    except OSError as error:
        raise NotReady(Why.NO_CONNECTION) from error
