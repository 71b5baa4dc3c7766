"""`pos-app close`: closes the counter's day by a Z; asks about what is open, and is kept from closing by none of it."""

from __future__ import annotations

import argparse
import re
import uuid
from collections.abc import Callable

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.day_report import say
from pos_app.cli.headless_till import Run
from pos_app.cli.printer import printer_of
from pos_app.domain.commands import CloseDay
from pos_app.domain.day import Z
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import DayClosed, DayProblem, Published, Terminal
from pos_app.engine.core.mailbox import Message

_MOST_S = 60.0

_PROBLEMS = {
    DayProblem.CANNOT_RECORD: "the day is not closed: the journal cannot be written",
    DayProblem.CANNOT_READ: "the day is not closed: the journal cannot be read",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to wait for answers."""
    parser.add_argument(
        "--wait",
        type=_seconds,
        default=_MOST_S,
        metavar="S",
        help="waits so long for answers about open payments, 60 at most",
    )
    parser.add_argument(
        "--no-reconcile", action="store_true", help="closes without comparing with the service's list"
    )


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text) or float(text) > _MOST_S:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; it is 0 to 60 seconds, as 20")
    return float(text)


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 closed with nothing carried over; 4 closed with something open or unanswered; 73 in use, or not written."""
    with shop_at_work(options) as shop:
        closing = _Closing(arguments.wait)
        Run(shop, closing, needs_ready=False).run()
        if closing.z is None:
            problem = closing.problem or DayProblem.CANNOT_RECORD
            text = _PROBLEMS.get(problem, "the day is not closed: it was interrupted; close again to finish")
            raise CommandError(Exit.CANNOT_CREATE, text)
        say(printer_of(options), closing.z, as_json=options.json)
        return int(Exit.OK if closing.z.asked and not closing.z.carried else Exit.NOT_KNOWN)


class _Closing:
    """Closes once the till says where it stands; a closing that was interrupted is the one that is finished."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._request_id = ""
        self.z: Z | None = None
        self.problem = DayProblem.NONE

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post, self._end = post, end

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """The first picture of the terminal, then the Z."""
        match published:
            case Terminal() if not self._request_id:
                self._request_id = published.day.request_id or uuid.uuid4().hex
                self._post(CloseDay(request_id=self._request_id, who=TERMINAL, wait_s=self._wait_s))
            case DayClosed():
                self.z, self.problem = published.z, published.problem
                self._end(Exit.OK)

    def interrupted(self) -> None:
        """What has begun is finished, or left, by whoever closes next."""
        self._end(Exit.NOT_KNOWN)
