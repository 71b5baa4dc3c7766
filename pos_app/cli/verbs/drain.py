"""`pos-app drain`: asks a till to close for an update, and says when nothing is under way (docs/updates.md)."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import data_folder, environment_of
from pos_app.cli.parser import whole
from pos_app.cli.printer import Printer, printer_of
from pos_app.domain.draining import DrainStep
from pos_app.journal.lock import is_held
from pos_app.system.updating import SELLING, TILLS, Everybody, run_folder

WAIT_S = 60
LONGEST_S = 3_600
ENDS_IN_S = 20.0
"""From the word that nothing is under way to the end of the till's process."""

ANSWERS_IN_S = 5.0
"""Behind the time that it was given: a busy till's last word."""

FOUND_IN_S = 3.0
"""So long tills take to find files that were made for them just now."""

LOOK_S = 0.1
GRACE_S = 2.0
"""A till's clock and ours agree so well on when the time is over."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whose, how long, and what then."""
    parser.add_argument("--wait", type=whole, metavar="S", help=f"so many seconds at most, else {WAIT_S}")
    parser.add_argument("--end", action="store_true", help="ends the till as soon as nothing is under way")
    parser.add_argument(
        "--strict", action="store_true", help="waits for payments that were given up and may be paid, too"
    )
    parser.add_argument(
        "--all-users", action="store_true", help="every till of this machine; for its administrator"
    )


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 nothing is under way (--end: ended), 75 something is or it was put off, 69 no till runs, 78 not allowed."""
    wait_s = float(WAIT_S if arguments.wait is None else min(int(arguments.wait), LONGEST_S))
    printer = printer_of(options, goes_on=True)
    drain = _Drain(printer, wait_s, strict=arguments.strict, end=arguments.end)
    if arguments.all_users:
        return int(drain.everybody())
    environment = environment_of(options)
    return int(drain.own(data_folder(options, environment)))


class _Drain:
    def __init__(self, printer: Printer, wait_s: float, *, strict: bool, end: bool) -> None:
        self._printer = printer
        self._wait_s = wait_s
        self._strict, self._end = strict, end
        self._until = time.monotonic() + wait_s

    def own(self, folder: Path) -> Exit:
        """The till of one data folder, by its socket."""
        from pos_app.app.single_instance import CloseFor, ask_to_close
        from pos_app.bootstrap.journal import JOURNAL

        journal = folder / JOURNAL

        def runs() -> bool:
            return is_held(journal)

        if not runs():
            return self._none()
        step = DrainStep.NONE
        wanted = CloseFor(wait_s=self._wait_s, strict=self._strict, end=self._end)
        for told in ask_to_close(folder, wanted, self._wait_s + ANSWERS_IN_S):
            if told.step not in set(DrainStep):
                break
            step = DrainStep(told.step)
            self._say(step, told.open, busy=told.busy)
            if step in (DrainStep.PUT_OFF, DrainStep.TOO_LATE):
                return Exit.UPDATING
            if step is DrainStep.DRAINED and not self._end:
                return Exit.OK
        if step is DrainStep.DRAINED:
            return Exit.OK if self._gone(runs, ENDS_IN_S) else self._unanswered()
        # One that is starting, a wizard, or a verb that takes a payment: nobody answers, and it will end by itself; or
        # a till that hangs.
        if step is DrainStep.NONE:
            self._say(DrainStep.CLOSING, None, busy=None)
        left = max(0.0, self._until - time.monotonic())
        return self._drained() if self._gone(runs, left) else self._unanswered()

    def everybody(self) -> Exit:
        """Every till of the machine, by the files that all of them look at."""
        try:
            everybody = Everybody()
        except OSError as error:
            raise CommandError(
                Exit.CONFIGURATION,
                f"--all-users is for the machine's administrator: {run_folder()}: {error.strerror}",
            ) from error
        with everybody:
            if not everybody.was_there:
                # Also where there is less time to wait: "no till runs" has whoever hears it replace the program.
                time.sleep(FOUND_IN_S)
            if not everybody.is_any(TILLS):
                return self._none()
            left = max(0.0, self._until - time.monotonic())
            everybody.ask(int(left * 1000), strict=self._strict, end=self._end)
            # Each till knows its own payments; nobody adds them up.
            self._say(DrainStep.CLOSING, None, busy=None)
            name, grace = (TILLS, 0.0) if self._end else (SELLING, GRACE_S)
            if self._gone(lambda: everybody.is_any(name), max(0.0, left - grace)):
                # Nothing is sold until the time is over: whoever asked has something to do meanwhile.
                everybody.stands = not self._end
                return self._drained()
            # What is being ended sells no more: the answer is no before it is gone.
            if self._end and self._gone(lambda: everybody.is_any(name), GRACE_S):
                return self._drained()
        return self._unanswered()

    def _gone(self, is_there: Callable[[], bool], limit_s: float) -> bool:
        until = time.monotonic() + limit_s
        while is_there():
            if time.monotonic() >= until:
                return False
            time.sleep(LOOK_S)
        return True

    def _none(self) -> Exit:
        self._printer.value({"step": "no_till_runs", "open": 0, "busy": False}, "no till runs here")
        return Exit.UNAVAILABLE

    def _drained(self) -> Exit:
        self._say(DrainStep.DRAINED, 0, busy=False)
        return Exit.OK

    def _unanswered(self) -> Exit:
        """Whether it sells is the till's alone to say."""
        self._printer.value(
            {"step": "nobody_answered", "open": None, "busy": None},
            "the time is over, and what is still at work does not say what it does: a till that hangs or is "
            "starting, or a verb",
        )
        return Exit.UPDATING

    def _say(self, step: DrainStep, open_: int | None, *, busy: bool | None) -> None:
        """`open_`, `busy`: as the till says; None where nobody does."""
        closing = "asked to close" if open_ is None else "closing"
        text = {
            DrainStep.NONE: "the till sells",
            DrainStep.CLOSING: f"closing: {open_} payments are under way" if open_ else closing,
            DrainStep.DRAINED: "nothing is under way",
            DrainStep.PUT_OFF: "a manager put the update off: the till sells",
            DrainStep.TOO_LATE: "the time is over and something is still under way: the till sells again",
        }[step]
        self._printer.value({"step": step.value, "open": open_, "busy": busy}, text)
