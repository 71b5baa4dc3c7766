"""`pos-app report x|z`: what was taken since the last closing, or a closed day as it was closed.

A Z is looked at beside a till at work, too. That an X was read is written first: it needs the journal for itself.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import InUseError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.shop import (
    environment_of,
    letterhead_of,
    open_reading,
    reading,
    reading_keys,
    settings_ahead,
)
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.day_report import say
from pos_app.cli.days import date_of, z_number
from pos_app.cli.headless_till import NO_ANSWER, Asks, Run
from pos_app.cli.paper_files import add_arguments as add_forms
from pos_app.cli.paper_files import copy_now, form_of, give
from pos_app.cli.printer import Printer, printer_of
from pos_app.domain.commands import ReadX
from pos_app.domain.day import X, Z, anchor_in
from pos_app.domain.paper import Paper
from pos_app.domain.people import TERMINAL
from pos_app.domain.receipt import Verdict
from pos_app.domain.views import DayProblem, Published, XRead
from pos_app.engine.core.counter_day import is_proven, verdict_on_z
from pos_app.journal import Keys, Queries

_PROBLEMS = {
    DayProblem.CANNOT_RECORD: "nothing is told: the journal cannot be written, and that an X was read is written first",
    DayProblem.CANNOT_READ: "the journal cannot be read",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which report."""
    parser.add_argument("what", choices=("x", "z"), metavar="x|z", help="the open day, or a closed one")
    parser.add_argument("--number", type=z_number, metavar="N", help="the Z of this number; else the newest")
    parser.add_argument("--date", type=date_of, metavar="DATE", help="the Zs of a business date")
    parser.add_argument("--check", metavar="TEXT", help="whether this journal is still that of a Z's paper")
    add_forms(parser)


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when it was printed, or the paper is this journal's; 1 when there is no such Z, or it was changed, or is not
    the paper's; 73 in use (X).
    """
    asked = [name for name in ("number", "date", "check") if getattr(arguments, name) is not None]
    if len(asked) > 1 or (asked and arguments.what == "x"):
        raise CommandError(Exit.USAGE, f"--{asked[0]}: name one Z, by its number, its date or its paper")
    form = form_of(arguments)
    if form is not None and arguments.check is not None:
        raise CommandError(Exit.USAGE, f"--check: it makes no paper; leave --{form.kind} out")
    environment = environment_of(options)
    journal = open_reading(options, environment)
    printer = printer_of(options)
    if journal is None:
        raise CommandError(Exit.NOT_PAID, "there is no journal yet: no day was ever opened")
    with contextlib.closing(journal), reading():
        if arguments.check is not None:
            return int(_check(printer, journal, reading_keys(options, environment), arguments.check))
        reports: Sequence[X | Z]
        reports = [_x(options)] if arguments.what == "x" else _wanted(journal, arguments)
        if not reports:
            raise CommandError(Exit.NOT_PAID, "there is no such Z")
        if form is not None and form.path is not None and len(reports) > 1:
            raise CommandError(
                Exit.USAGE, f"--{form.kind}: {len(reports)} Zs are of that date; name one by --number"
            )
        for report in reports:
            if form is not None and not (form.path is None and options.json):
                give(_paper(options, journal, report), form, arguments)
            if form is None or options.json:
                say(printer, report, as_json=options.json)
        zs = [each for each in reports if isinstance(each, Z)]
        return int(_judged(journal, options, environment, zs))


def _paper(options: Options, journal: Queries, report: X | Z) -> Paper:
    from pos_app.i18n.papers import Papers

    settings = settings_ahead(options)
    papers = Papers(options.language or settings.window.language, letterhead_of(settings))
    names = {each.person_id: each.name for each in journal.people()}
    return papers.report(report, names, copy_now())


def _wanted(journal: Queries, arguments: argparse.Namespace) -> list[Z]:
    if arguments.date is not None:
        return journal.zs_of_date(arguments.date)
    z = journal.last_z() if arguments.number is None else journal.z(arguments.number)
    return [] if z is None else [z]


def _judged(journal: Queries, options: Options, environment: str, zs: Sequence[Z]) -> Exit:
    """What was told of a changed record is no day as it was closed; said of each, as the window says it."""
    if not zs:
        return Exit.OK
    try:
        keys = reading_keys(options, environment)
    except CommandError as error:
        # A key store that only the till's own session unlocks takes no report from a script.
        note(f"whether it is as it was closed cannot be told: {error}")
        return Exit.OK
    changed = [z for z in zs if not is_proven(journal, keys.z_digest, z)]
    for z in changed:
        note(
            f"Z {z.number} is not as it was closed, or does not follow the one before it: the record was changed"
        )
    return Exit.NOT_PAID if changed else Exit.OK


def _x(options: Options) -> X:
    """By a till without a window, as the window reads it: who may is judged, and that it was read is written first."""
    reading = _Reading(ReadX(request_id="x", who=TERMINAL))
    try:
        with shop_at_work(options) as shop:
            Run(shop, reading, needs_ready=False, ends_at=NO_ANSWER).run()
    except InUseError as error:
        raise InUseError(
            error.exit_code, f"{error}; its window reads it, and writes that it was read"
        ) from error
    if reading.x is None:
        problem = _PROBLEMS.get(reading.problem, "interrupted: nothing was read")
        raise CommandError(Exit.CANNOT_CREATE, problem)
    return reading.x


class _Reading(Asks):
    """Hears the whole till's X."""

    x: X | None = None
    problem = DayProblem.NONE

    def heard(self, published: Published) -> None:
        """The X."""
        if isinstance(published, XRead):
            self.x, self.problem = published.report, published.problem
            self._end(Exit.OK)


_VERDICTS = {
    Verdict.OURS: "Z {number} of {of} is as on the paper",
    Verdict.CHANGED: "Z {number} of this journal is another one, or was changed: an older journal was put back, or the "
    "paper is forged",
    Verdict.MISSING: "this journal is older than the paper: it knows no Z {number}, the last is {last}; it was put "
    "back, or the paper is forged",
    Verdict.FOREIGN: "not ours: another till's",
}


_BEFORE = (
    "of the journal before this one, which was damaged or put back: whether Z {number} is unchanged, nobody can tell "
    "here"
)


def _check(printer: Printer, journal: Queries, keys: Keys, text: str) -> Exit:
    """A folder that was put back whole is older than its own paper: then there is no such Z, or another one."""
    anchor = anchor_in(text)
    if anchor is None:
        raise CommandError(Exit.USAGE, f"--check: {text!r} is no code of a Z's paper")
    checked = verdict_on_z(journal, keys.z_digest, anchor)
    said: dict[str, Any] = {
        "check": checked.is_ours,
        "verdict": checked.verdict.value,
        "number": checked.number,
        "business_date": checked.of,
        "last": checked.last,
        "last_business_date": checked.last_of,
    }
    last_said = f"Z {checked.last} of {checked.last_of}" if checked.last else "none"
    line = _BEFORE if checked.is_before else _VERDICTS[checked.verdict]
    line = line.format(number=checked.number, of=checked.of, last=last_said)
    printer.value(said, line)
    return Exit.OK if checked.is_ours else Exit.NOT_PAID
