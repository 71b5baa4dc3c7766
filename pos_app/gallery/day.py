"""The counter's day and its paper: takings, closing, a closed day, what did not print. Nothing is closed or printed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from pos_app.devices.escpos import job_stream
from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.domain.attempt import Reason, State
from pos_app.domain.day import Carried, Entry, Grand, Receipts, X, Z
from pos_app.domain.figures import DayFigures, HourFigures, NotPaid, waited
from pos_app.domain.paper import Paper
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.domain.takings import Tally
from pos_app.domain.views import DayClosed, DayStep, DayView, FiguresRead, PrintView, XRead
from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.papers import HEAD, receipt
from pos_app.gallery.samples import KASUN, NIMALI, RUWAN, config
from pos_app.i18n.papers import Papers
from pos_app.i18n.table import spoken
from pos_app.training.printer.window import PrinterWindow
from pos_app.ui.dialogs.day.panel import DayPanel
from pos_app.ui.dialogs.day.pictures import DayPictures
from pos_app.ui.dialogs.day.prints import PrintsPanel
from pos_app.ui.dialogs.day.report_view import ReportView
from pos_app.ui.paper.raster import bitmap_of
from pos_app.ui.paper.worker import PaperWorker

_ROOM = (1080, 640)
_PRINTER = (480, 640)
_WIDE = 1040
_DOTS = 576
_TAKINGS: dict[str, Any] = {
    "number": 12,
    "environment": "sandbox",
    "installation_id": "K7M3Q9RD",
    "currency": "LKR",
    "from_seq": 8811,
    "to_seq": 9950,
    "began_at": 0,
    "began": "2025-11-21T08:02:11.000+05:30",
    "ended_at": 1,
    "ended": "2025-11-21T21:40:00.000+05:30",
    "entries": (
        Entry("FAILED", "qr", NIMALI.person_id, "LKR", 9, 4_500_00),
        Entry("PAID", "push", KASUN.person_id, "LKR", 29, 31_500_00),
        Entry("PAID", "qr", NIMALI.person_id, "LKR", 381, 480_012_50),
    ),
    "carried": (
        Carried(
            "SBX-TK7M3Q9RD-0170-1-K7Q2M8", "0170", State.UNRESOLVED.value, receipt().amount, "LKR", "", 840
        ),
    ),
    "receipts": (Receipts("K7M3Q9RD", 101, 510),),
    "grand": {"LKR": Grand(taken=612_340_050)},
}
_JOBS = (
    PrintJob(
        number=7,
        paper=PaperKind.RECEIPT,
        about="SBX-TK7M3Q9RD-0123-1-K7Q2M9",
        state=JobState.UNKNOWN,
        why=Why.BROKE_OFF,
    ),
    PrintJob(
        number=8,
        paper=PaperKind.RECEIPT,
        about="SBX-TK7M3Q9RD-0124-1-K7Q2M9",
        state=JobState.HELD,
        why=Why.PAPER_OUT,
    ),
    PrintJob(number=9, paper=PaperKind.Z, about="12", state=JobState.EXPIRED, why=Why.NO_CONNECTION),
)


_AN_HOUR = (3, 12, 25, 41, 68, 55, 38, 34, 47, 62, 29, 9)
"""How many payments each hour of the sample's day had, from eight on."""


def _figures() -> DayFigures:
    hours = tuple(
        HourFigures(
            hour=f"{8 + at:02d}",
            wall=f"2025-11-21T{8 + at:02d}+05:30",
            taken=Tally(many, many * 1_215_00),
            before=Tally(many, _AN_HOUR[-at] * 1_180_00),
            not_paid=(0, 0, 1, 0, 3, 2, 0, 0, 1, 2, 0, 0)[at],
            waited=waited([6_000 + 380 * many, 14_000 + 700 * many, 31_000 + 900 * many]),
        )
        for at, many in enumerate(_AN_HOUR)
    )
    return DayFigures(
        number=12,
        business_date="2025-11-21",
        currency="LKR",
        environment="sandbox",
        began=str(_TAKINGS["began"]),
        ended=str(_TAKINGS["ended"]),
        hours=hours,
        compared="2025-11-14",
        methods=(("qr", Tally(381, 480_012_50)), ("push", Tally(42, 33_932_50))),
        not_paid=(
            NotPaid("FAILED", Reason.CUSTOMER_REJECTED.value, "", 4),
            NotPaid("CANCELLED", "", "", 3),
            NotPaid("REFUSED", "", "5005", 2),
        ),
        carried=_TAKINGS["carried"],
    )


def _pictures(*, as_tables: bool = False) -> DayPictures:
    made = DayPictures(config(), 12, has_printer=True)
    made.which.set_text("12")
    made.take(FiguresRead(request_id="figures", figures=_figures()))
    if as_tables:
        made.table_button.click()
    return made


class DrawnHere(PaperWorker):
    """Draws at once: a picture of the gallery waits for no thread."""

    def draw(self, key: str, paper: Paper, width: int) -> None:
        self.drawn.emit(key, bitmap_of(paper, width))


def _x() -> X:
    return X(**_TAKINGS)


def _z() -> Z:
    return Z(
        **_TAKINGS,
        request_id="closing",
        business_date="2025-11-21",
        by=RUWAN.person_id,
        digest="ab" * 16,
        asked=True,
    )


def _panel(step: DayStep) -> DayPanel:
    names = {each.person_id: each.name for each in (NIMALI, RUWAN, KASUN)}
    view = ReportView(config(), DrawnHere(), names)
    day = DayView(number=12, began=str(_TAKINGS["began"]), last_z=11, step=step, asked=2, to_ask=5)
    made = DayPanel(day, RUWAN, view, has_printer=True)
    made.take(XRead(request_id="x", report=_x()))
    made.show_day(day)
    return made


def _closed() -> DayPanel:
    made = _panel(DayStep.OPEN)
    made.take(DayClosed(request_id="closing", z=_z()))
    made.show_day(DayView(number=13, began=str(_TAKINGS["ended"]), last_z=12))
    return made


def _prints(*jobs: PrintJob) -> QWidget:
    receipts = [job.number for job in jobs if job.paper is PaperKind.RECEIPT]
    amounts = {number: (Decimal("1250.00") + 75 * at, "LKR") for at, number in enumerate(receipts)}
    return PrintsPanel(
        PrintView(printer="virtual", auto="all", unprinted=jobs, amounts=amounts),
        config().money_of,
    )


def _printer() -> QWidget:
    """With a receipt that came out, by its bytes."""
    printer = VirtualPrinter()
    printer.take(job_stream(bitmap_of(Papers(spoken(), HEAD).receipt(receipt()), _DOTS), "0007"))
    return PrinterWindow(printer)


def day() -> list[Exhibit]:
    """All of it."""
    from pos_app.gallery.dialogs import room

    panels: dict[str, tuple[Callable[[], QWidget], int]] = {
        "day-so-far": (partial(_panel, DayStep.OPEN), _WIDE),
        "day-asking": (partial(_panel, DayStep.ASKING), _WIDE),
        "day-interrupted": (partial(_panel, DayStep.INTERRUPTED), _WIDE),
        "day-closed": (_closed, _WIDE),
        "day-pictures": (_pictures, _WIDE),
        "day-tables": (partial(_pictures, as_tables=True), _WIDE),
        "prints": (partial(_prints, *_JOBS), 760),
        "prints-none": (_prints, 760),
    }
    found = [Exhibit(name, partial(room, build, width), _ROOM) for name, (build, width) in panels.items()]
    return [*found, Exhibit("pretended-printer", _printer, _PRINTER)]
