"""`pos-app close`: closes the counter's day by a Z; asks about what is open, and is kept from closing by none of it."""

from __future__ import annotations

import argparse
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.day_report import say
from pos_app.cli.headless_till import NO_ANSWER, Run
from pos_app.cli.parser import seconds
from pos_app.cli.printer import Printer, object_of_job, printer_of
from pos_app.domain.commands import CloseDay
from pos_app.domain.day import Z
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import PaperKind
from pos_app.domain.views import DayClosed, DayProblem, Published, Terminal
from pos_app.engine.core.mailbox import Message
from pos_app.settings import Settings

if TYPE_CHECKING:
    from pos_app.cli.printing import LastPaper

_MOST_S = 60.0

_PROBLEMS = {
    DayProblem.CANNOT_RECORD: "the day is not closed: the journal cannot be written",
    DayProblem.CANNOT_READ: "the day is not closed: the journal cannot be read",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to wait for answers."""
    parser.add_argument(
        "--wait",
        type=seconds(0, _MOST_S, 20),
        default=_MOST_S,
        metavar="S",
        help="waits so long for answers about open payments, 60 at most",
    )
    parser.add_argument(
        "--no-reconcile", action="store_true", help="closes without comparing with the service's list"
    )


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 closed, equal, with nothing carried over; 4 closed, with something open, unanswered or not equal; 73 in use, or
    not written. With --no-reconcile nothing is compared, and its outcome is not judged."""
    with shop_at_work(options) as shop:
        closing = _close(shop, arguments.wait, reconcile=not arguments.no_reconcile)
        z = closing.z
        if z is None:
            interrupted = "the day is not closed: it was interrupted; close again to finish"
            raise CommandError(Exit.CANNOT_CREATE, _PROBLEMS.get(closing.problem, interrupted))
        _say(printer_of(options, goes_on=True), z, closing.paper, shop.settings, as_json=options.json)
        is_equal = arguments.no_reconcile or _is_equal(z)
        is_known = z.asked and not z.carried and not z.not_asked
        return int(Exit.OK if is_known and is_equal else Exit.NOT_KNOWN)


def _is_equal(z: Z) -> bool:
    """Whether the service's list was read whole and is as the till has it."""
    return z.reconciled is not None and z.reconciled.complete and not z.reconciled.differences


def _close(shop: Shop, wait_s: float, *, reconcile: bool) -> _Closing:
    """A Z has its paper wherever the counter has a printer: `auto` is about receipts alone."""
    if not shop.settings.printer.is_there or shop.journal is None:
        closing = _Closing(wait_s, reconcile=reconcile)
        Run(shop, closing, needs_ready=False, ends_at=NO_ANSWER).run()
        return closing
    from pos_app.cli.printing import LastPaper, line_to_printer

    with line_to_printer(shop.settings) as line:
        closing = _Closing(wait_s, None if line is None else LastPaper(shop.journal), reconcile=reconcile)
        try:
            Run(shop, closing, needs_ready=False, ends_at=NO_ANSWER, printing=line).run()
        except CommandError:
            # A Z that is made is told, whatever became of its paper.
            if closing.z is None:
                raise
    return closing


def _say(printer: Printer, z: Z, paper: LastPaper | None, settings: Settings, *, as_json: bool) -> None:
    """The Z, and where the counter has a printer what became of its paper."""
    if not settings.printer.is_there:
        say(printer, z, as_json=as_json)
        return
    from pos_app.cli.printing import paper_in_vain

    job = None if paper is None else paper.job
    say(printer, z, as_json=as_json, more={"job": object_of_job(job)})
    if not as_json:
        subject = f"Z {z.number}"
        printer.value({}, paper_in_vain(settings, subject) if paper is None else paper.line(subject))


class _Closing:
    """Closes once the till says where it stands; a closing that was interrupted is the one that is finished.

    `paper`: of the Z, waited for when it is closed.
    """

    def __init__(self, wait_s: float, paper: LastPaper | None = None, *, reconcile: bool) -> None:
        self._wait_s = wait_s
        self._reconcile = reconcile
        self.paper = paper
        self._request_id = ""
        self.z: Z | None = None
        self.problem = DayProblem.NONE

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post, self._end = post, end
        if self.paper is not None:
            self.paper.began(post)

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """The first picture of the terminal, then the Z, then what becomes of its paper."""
        if self.paper is not None:
            self.paper.take(published)
        match published:
            case Terminal() if not self._request_id:
                self._request_id = published.day.request_id or uuid.uuid4().hex
                self._post(
                    CloseDay(
                        request_id=self._request_id,
                        who=TERMINAL,
                        wait_s=self._wait_s,
                        reconcile=self._reconcile,
                    )
                )
            case DayClosed():
                self.z, self.problem = published.z, published.problem
                if self.z is None or self.paper is None:
                    self._end(Exit.OK)
                else:
                    self.paper.carry(PaperKind.Z, str(self.z.number), lambda: self._end(Exit.OK))

    def interrupted(self) -> None:
        """What has begun is finished, or left, by whoever closes next; a Z that is made waits for no paper."""
        if self.z is not None and self.paper is not None:
            self.paper.interrupted()
        else:
            self._end(Exit.NOT_KNOWN)
