"""A print that is cut at every byte of it: the real queue, line, stream and reader, and a printer that dies there."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.devices.escpos import BAND_ROWS, job_stream
from pos_app.devices.escpos_reading import Cut, Fed, Inked, Reader
from pos_app.devices.printers.virtual import LINE_ROWS, VirtualLink, VirtualPrinter
from pos_app.domain.commands import AnswerPrint
from pos_app.domain.paper import Bitmap
from pos_app.domain.print_job import KINDS, JobState, PrintJob, Why, job_in
from pos_app.domain.record import Record
from pos_app.engine.core.config import Printing
from pos_app.engine.printing.line import Line
from pos_app.engine.printing.news import PrinterReady
from pos_app.i18n.papers import Papers
from pos_app.ui.paper.raster import bitmap_of
from tests.support import receipts
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import SITE, Rig

LIMIT_S = 20.0
STATUS = 9
"""Bytes of the three questions before a job: a printer that dies within them got nothing of it."""

ROWS = BAND_ROWS + 3
"""Of the receipt's picture: one whole band and the beginning of the next. More rows are more of the same."""

FIRST, COLUMNS = 144, 96
"""Of each row: its middle, where there is ink. More dots of a row are more of the same, too."""

SHARDS = 4
DEEDS = 500
"""At each so-manieth byte a person answers, too."""


class Kept:
    """The middle of the top of a receipt, drawn once."""

    def __init__(self, bitmap: Bitmap) -> None:
        self.bitmap = bitmap

    def picture(self, job: PrintJob, content: Any) -> Bitmap:  # noqa: ARG002 - of whatever job
        """It."""
        return self.bitmap

    def pdf(self, job: PrintJob, content: Any) -> bytes:
        """Nobody wants one here."""
        raise NotImplementedError


class Counter:
    """A till whose receipt is asked for, on a line that is real but for the cable."""

    def __init__(self, line: Line, news: queue.SimpleQueue[Any], records: list[Record]) -> None:
        self.line, self.news = line, news
        self.virtual = VirtualPrinter()
        line.printer = VirtualLink(self.virtual, LIMIT_S, LIMIT_S)
        self.journal = MemoryJournal()
        if records:
            self.journal.append(records)
        self.rig = Rig(
            self.journal, replace(SITE, printing=Printing(printer="network", auto="all", width=58))
        )

    def start(self) -> None:
        """The till, and what its printer makes of the job that waits."""
        self.rig.restart_with(printer=self.line)
        self.rig.wait(0)
        self.listen()

    def listen(self) -> None:
        """Until the line has told how it ended."""
        while isinstance(self._told(), PrinterReady):
            pass

    def _told(self) -> Any:
        said = self.news.get(timeout=LIMIT_S)
        self.rig.tell(said)
        return said

    @property
    def jobs(self) -> dict[int, PrintJob]:
        """As they are written."""
        found = [job_in(each.content) for each in self.journal.records if each.kind in KINDS]
        return {job.number: job for job in found}

    @property
    def on_paper(self) -> tuple[list[int], bool]:
        """Rows of each sheet, and whether the last was cut off."""
        assert not self.virtual.broken
        sheets = self.virtual.sheets
        return [each.bitmap.height for each in sheets], bool(sheets) and sheets[-1].is_cut


@pytest.fixture(scope="module")
def bitmap(qapp: Any) -> Bitmap:  # noqa: ARG001 - there is no drawing without one
    whole = bitmap_of(Papers("en", receipts.HEADS["en"]).receipt(receipts.sandboxed()), 384)
    assert whole.height > ROWS
    firsts = range(FIRST // 8, ROWS * whole.width // 8, whole.width // 8)
    return Bitmap(COLUMNS, ROWS, b"".join(whole.rows[first : first + COLUMNS // 8] for first in firsts))


@pytest.fixture
def line(bitmap: Bitmap) -> Iterator[tuple[Line, queue.SimpleQueue[Any]]]:
    news: queue.SimpleQueue[Any] = queue.SimpleQueue()
    made = Line(None, Kept(bitmap), news.put)
    made.start()
    yield made, news
    made.stop()


def _asked_for() -> list[Record]:
    """A till's journal with a receipt that waits for its printer."""
    journal = MemoryJournal()
    rig = Rig(journal, replace(SITE, printing=Printing(printer="network", auto="all", width=58)))
    rig.start().pay()
    assert journal.records[-1].kind == "PRINT_QUEUED"
    return list(journal.records)


def _lie(stream: bytes) -> tuple[list[int], bool]:
    """What lies on paper of so many bytes."""
    sheets, rows = [], 0
    for read in Reader().feed(stream):
        match read:
            case Inked():
                rows += 1
            case Fed(lines):
                rows += lines * LINE_ROWS
            case Cut():
                sheets.append(rows)
                rows = 0
            case _:
                pass
    return [*sheets, *([rows] if rows else [])], bool(sheets) and not rows


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_print_that_is_cut_at_any_byte_is_no_second_original(
    shard: int, bitmap: Bitmap, line: tuple[Line, queue.SimpleQueue[Any]]
) -> None:
    """HELD and tried again before the first byte of it, UNKNOWN and never again by itself from that byte on."""
    records = _asked_for()
    stream = job_stream(bitmap, "0001")
    whole = _lie(stream)
    for cut in range(shard, STATUS + len(stream) + 1, SHARDS):
        counter = Counter(*line, records)
        counter.virtual.switches.dies_after = cut
        counter.start()
        counter.virtual.switches.dies_after = None
        if cut <= STATUS:
            assert (counter.jobs[1].state, counter.jobs[1].why) == (JobState.HELD, Why.NO_CONNECTION), cut
            assert counter.on_paper == ([], False), cut
            counter.rig.wait(2)
            counter.listen()
            assert (counter.jobs[1].state, counter.jobs[1].copy) == (JobState.PRINTED, 0), cut
            assert counter.on_paper == whole, cut
            continue
        came = _lie(stream[: cut - STATUS])
        assert (counter.jobs[1].state, counter.jobs[1].why) == (JobState.UNKNOWN, Why.BROKE_OFF), cut
        counter.rig.wait(60)
        counter.rig.restart_with(printer=counter.line)
        counter.rig.wait(60)
        assert counter.news.empty(), cut
        assert counter.on_paper == came, cut
        assert [*counter.jobs] == [1], cut
        if cut % DEEDS == shard:
            counter.rig.tell(AnswerPrint(request_id="q", number=1, seen=False))
            counter.listen()
            assert (counter.jobs[2].state, counter.jobs[2].copy) == (JobState.PRINTED, 1), cut


def test_a_print_that_nothing_cuts_is_told_as_printed(
    bitmap: Bitmap, line: tuple[Line, queue.SimpleQueue[Any]]
) -> None:
    """Else the cuts would prove nothing."""
    counter = Counter(*line, _asked_for())
    counter.virtual.switches.dies_after = STATUS + len(job_stream(bitmap, "0001")) + 1
    counter.start()
    assert counter.jobs[1].state is JobState.PRINTED
    assert counter.on_paper == _lie(job_stream(bitmap, "0001"))
