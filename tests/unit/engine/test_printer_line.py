"""The line to the printer, with its thread, a real socket and a printer that knows what lies on paper."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.devices.printers.folder import FolderPrinter
from pos_app.devices.printers.network import Limits, NetworkPrinter
from pos_app.devices.printers.printer import Form, NotReady, Session
from pos_app.devices.printers.system import SystemPrinter
from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.domain.attempt import Kind
from pos_app.domain.commands import Charge, PrintPaper
from pos_app.domain.paper import Bitmap, CannotDraw
from pos_app.domain.print_job import HANGS_MS, JobState, PaperKind, PrintJob, Why
from pos_app.domain.views import ChargeOpened
from pos_app.engine.core.config import Printing
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.mailbox import Loop, Mailbox, Pulse, Stop
from pos_app.engine.printing.content import PaperContent
from pos_app.engine.printing.line import Line
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterReady
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import AMOUNT, SITE, Rig

LIMIT_S = 30.0
JOB = PrintJob(number=57, paper=PaperKind.TEST)


class Drawing:
    """As many rows as the content says, all ink."""

    def picture(self, job: PrintJob, content: Any) -> Bitmap:
        """Of the job's width."""
        if content is None:
            raise CannotDraw("no font has these letters")
        content = 200 if isinstance(content, PaperContent) else content
        width = 576 if job.width == 80 else 384
        return Bitmap(width, content, b"\xff" * (width // 8 * content))

    def pdf(self, job: PrintJob, content: Any) -> bytes:  # noqa: ARG002 - any will do
        """A beginning of one."""
        return b"%PDF"


class Counter:
    """A line, its printer, and what it said."""

    def __init__(self) -> None:
        self.virtual = VirtualPrinter()
        self.server = PrinterServer(self.virtual)
        self.news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        printer = NetworkPrinter("127.0.0.1", self.server.port, Limits(status_s=LIMIT_S, echo_s=LIMIT_S))
        self.line = Line(printer, Drawing(), self.news.put)
        self.server.start()
        self.line.start()

    def said(self) -> Any:
        return self.news.get(timeout=LIMIT_S)

    def ready(self, rows: int = 200) -> PrinterReady:
        self.line.prepare(JOB, rows)
        said = self.said()
        assert isinstance(said, PrinterReady)
        return said

    def sheets(self) -> list[tuple[int, str, bool]]:
        assert not self.virtual.broken
        return [(each.bitmap.width, each.job, each.is_cut) for each in self.virtual.sheets]


@pytest.fixture
def counter() -> Iterator[Counter]:
    at = Counter()
    yield at
    at.line.stop()
    at.server.stop()


def test_nothing_leaves_before_it_is_told_to(counter: Counter) -> None:
    ready = counter.ready()
    assert (ready.number, len(ready.picture)) == (57, 64)
    assert counter.sheets() == []
    counter.line.send(57)
    assert counter.said() == PrintEnded(57, JobState.PRINTED)
    assert counter.sheets() == [(576, "0057", True)]


def test_what_the_system_refuses_is_tried_again_and_is_no_fault_of_the_drawing(counter: Counter) -> None:
    """A folder that cannot be looked at, as on a disk in the network that is away, or without a free descriptor."""
    there = counter.line.printer
    counter.line.printer = FolderPrinter(Path("/tmp") / ("x" * 300))
    counter.line.prepare(JOB, 200)
    assert counter.said() == PrinterHeld(57, Why.NO_CONNECTION)
    counter.line.printer = there
    counter.ready()


def test_what_is_left_is_not_sent(counter: Counter) -> None:
    counter.ready()
    counter.line.leave(56)
    counter.line.leave(57)
    counter.line.send(57)
    assert counter.said() == PrintEnded(57, JobState.UNKNOWN, Why.BROKE_OFF)
    assert counter.sheets() == []


def test_the_printer_is_free_again_after_each_job(counter: Counter) -> None:
    """One job a connection: the next one needs the printer's only ear."""
    for _ in range(3):
        counter.ready()
        counter.line.send(57)
        assert counter.said() == PrintEnded(57, JobState.PRINTED)
    counter.ready()
    counter.ready()
    assert len(counter.sheets()) == 3


def test_a_printer_without_paper_holds_the_job(counter: Counter) -> None:
    counter.virtual.switches.rows_left = 0
    counter.line.prepare(JOB, 100)
    assert counter.said() == PrinterHeld(57, Why.PAPER_OUT)
    counter.virtual.switches.rows_left = None
    counter.ready()


@pytest.mark.expects_log("job 57 cannot be drawn")
@pytest.mark.parametrize("content", [None, 0])
def test_what_cannot_be_drawn_is_said(counter: Counter, content: int | None) -> None:
    counter.line.prepare(JOB, content)
    assert counter.said() == PrinterHeld(57, Why.CANNOT_DRAW)


@pytest.mark.parametrize("dies_after", [10, 9 + 13, 9 + 5_000])
def test_a_printer_that_dies_leaves_a_question(counter: Counter, dies_after: int) -> None:
    counter.virtual.switches.dies_after = dies_after
    counter.ready()
    counter.line.send(57)
    said = counter.said()
    assert (said.number, said.state) == (57, JobState.UNKNOWN)


class Timed:
    """A printer that keeps what it is sent, and how long it has for it."""

    form = Form.ESCPOS

    def __init__(self) -> None:
        self.taken: list[tuple[int, float]] = []

    def open(self) -> Session:
        return self

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:  # noqa: ARG002 - as in Session
        self.taken.append((len(data), until - time.monotonic()))
        return JobState.SENT

    def close(self) -> None: ...


def test_a_long_paper_has_the_time_in_which_it_is_printed(counter: Counter) -> None:
    """Whole Zs were broken off after ten seconds, and so was each copy that was asked for in their place."""
    counter.line.printer = timed = Timed()
    for rows in (200, 8_000, 100_000):
        counter.ready(rows)
        counter.line.send(57)
        assert counter.said() == PrintEnded(57, JobState.SENT)
    (_, short_s), (metre, metre_s), (_, longest_s) = timed.taken
    assert short_s < 12
    # At 50 mm a second: a printer takes no more than it has room for.
    assert metre == pytest.approx(72 * 8_000, rel=0.01)
    assert metre_s > 8_000 / 8 / 50
    assert longest_s < HANGS_MS / 1000, "the queue waits for no news so long"


def test_another_printer_takes_the_next_job(counter: Counter) -> None:
    counter.line.printer = SystemPrinter("till", ["no-such-program"])
    counter.line.prepare(JOB, 100)
    assert counter.said() == PrinterHeld(57, Why.NO_SUCH_PRINTER)
    counter.line.printer = None
    counter.line.prepare(JOB, 100)
    assert counter.said() == PrinterHeld(57, Why.NO_SUCH_PRINTER)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_a_drawing_costs_that_job_alone(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue hears of it, and the next job is printed."""
    met = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: met.set())
    counter.line.prepare(JOB, "no number")
    assert counter.said() == PrinterHeld(57, Why.CANNOT_DRAW)
    assert met.wait(LIMIT_S)
    counter.line.send(57)
    counter.line.prepare(JOB, 100)
    assert counter.said() == PrintEnded(57, JobState.UNKNOWN, Why.BROKE_OFF)
    assert isinstance(counter.said(), PrinterReady)
    counter.line.send(57)
    assert counter.said() == PrintEnded(57, JobState.PRINTED)


def test_a_line_that_never_began_stops_at_once() -> None:
    Line(None, Drawing(), lambda _: None).stop()


class Hanging:
    """A printer whose driver does not return before somebody lets it."""

    form = Form.ESCPOS

    def __init__(self) -> None:
        self.is_asked = threading.Event()
        self.may_go_on = threading.Event()

    def open(self) -> Session:
        self.is_asked.set()
        assert self.may_go_on.wait(LIMIT_S)
        raise NotReady(Why.OFFLINE)


class OnTheSpot(Line):
    """A wrong line: it waits for the printer on the thread that asks."""

    def prepare(self, job: PrintJob, content: Any) -> None:
        self._prepare(job, content)


def sells_beside(line_of: type[Line], patience_s: float) -> bool:
    """Whether a till opens the next payment while its printer hangs: on the engine's own loop and thread.

    After `patience_s` a printer that hangs is let go: an engine that waited for it goes on only then.
    """
    printer, mailbox, shown = Hanging(), Mailbox(), queue.SimpleQueue[Any]()
    line = line_of(printer, Drawing(), mailbox.post)
    rig = Rig(MemoryJournal(), replace(SITE, printing=Printing(printer="device")))
    ports = replace(rig.ports(printer=line), post=mailbox.post, publish=shown.put)
    engine = threading.Thread(target=Loop(mailbox, Engine(rig.config, ports), rig.clock).run)
    patience = threading.Timer(patience_s, printer.may_go_on.set)
    line.start()
    engine.start()
    try:
        mailbox.post(PrintPaper(request_id="q", paper=PaperKind.TEST))
        assert printer.is_asked.wait(LIMIT_S)
        mailbox.post(Charge(request_id="r", kind=Kind.QR, amount=AMOUNT, who="person-1"))
        mailbox.post(Pulse(lambda: shown.put("turn")))
        # Where the engine waits, its turn comes only once the printer is let go.
        patience.start()
        seen: list[Any] = []
        while not seen or seen[-1] != "turn":
            seen.append(shown.get(timeout=LIMIT_S))
        return not printer.may_go_on.is_set() and any(isinstance(each, ChargeOpened) for each in seen)
    finally:
        patience.cancel()
        printer.may_go_on.set()
        mailbox.post(Stop())
        engine.join(LIMIT_S)
        line.stop()
        if patience.ident is not None:
            # A timer's thread outlives its cancelling by a moment, and a guard looks for threads.
            patience.join(LIMIT_S)


def test_a_printer_that_hangs_holds_up_no_sale() -> None:
    assert sells_beside(Line, LIMIT_S / 2)


def test_a_line_that_waits_where_it_is_asked_would_be_found() -> None:
    """The printer's wait on the engine's thread: planted, and caught by the same till."""
    assert not sells_beside(OnTheSpot, 2)
