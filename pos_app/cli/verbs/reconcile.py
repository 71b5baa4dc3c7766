"""`pos-app reconcile`: our payments beside the service's list; what differs, with the money at risk."""

from __future__ import annotations

import argparse
import uuid
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.days import listed_date, z_number
from pos_app.cli.headless_till import NO_ANSWER, Asks
from pos_app.cli.headless_till import Run as TillRun
from pos_app.cli.printer import Printer, printer_of
from pos_app.domain.commands import LeaveReconciling, ReadDifferences, Reconcile
from pos_app.domain.people import TERMINAL
from pos_app.domain.reconcile import Decided, Run, sums_at_risk
from pos_app.domain.views import DayProblem, DifferencesRead, Published, ReconEnded
from pos_app.i18n.words.reconcile import words

_PROBLEMS = {
    DayProblem.NO_SUCH_Z: (Exit.USAGE, "--z: there is no such Z"),
    DayProblem.NO_LIST: (
        Exit.UNAVAILABLE,
        # Where no window runs, no other verb stays until that is done.
        "the service's list is still to be read for a record that was begun anew, for some minutes: let "
        "`open --resolve 600` end first, or a window",
    ),
    DayProblem.CANNOT_RECORD: (Exit.CANNOT_CREATE, "the journal cannot be written"),
    DayProblem.CANNOT_READ: (Exit.CANNOT_CREATE, "the journal cannot be read"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which time."""
    parser.add_argument(
        "--from", dest="first", type=listed_date, metavar="DATE", help="the first day of a range"
    )
    parser.add_argument("--to", dest="last", type=listed_date, metavar="DATE", help="the last day of it")
    parser.add_argument("--z", type=z_number, metavar="N", help="the day of this Z; else what is open")
    parser.add_argument("--again", action="store_true", help="a Z's day once more, though it was compared")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 equal; 1 differences; 4 the list was not whole, or not all was asked about; 69 nothing could be read."""
    if (arguments.first is None) != (arguments.last is None):
        raise CommandError(Exit.USAGE, "--from and --to belong together")
    if arguments.first is not None and arguments.z is not None:
        raise CommandError(Exit.USAGE, "--z: name a Z or a range of days")
    if arguments.first is not None and arguments.first > arguments.last:
        raise CommandError(Exit.USAGE, f"--from: {arguments.first} is after {arguments.last}")
    with shop_at_work(options) as shop:
        wanted = Reconcile(
            request_id=uuid.uuid4().hex,
            first=f"{arguments.first} 00:00:00" if arguments.first else "",
            last=f"{arguments.last} 23:59:59" if arguments.last else "",
            z=arguments.z or 0,
            again=arguments.again,
            who=TERMINAL,
        )
        verb = _Reconciling(wanted)
        TillRun(shop, verb, needs_ready=False, ends_at=NO_ANSWER).run()
        if verb.run is None:
            stopped = (
                Exit.CANNOT_CREATE,
                "it was interrupted: what was done is kept, and it goes on from there",
            )
            raise CommandError(*_PROBLEMS.get(verb.problem, stopped))
        _say(printer_of(options, goes_on=True), verb.run, verb.found, as_json=options.json)
        return int(_exit_of(verb.run))


def _exit_of(run: Run) -> Exit:
    if run.read_nothing:
        return Exit.UNAVAILABLE
    if not run.complete:
        return Exit.NOT_KNOWN
    return Exit.NOT_PAID if run.own_differences else Exit.OK


class _Reconciling(Asks):
    """Hears what it came to; then reads what was found, page by page."""

    def __init__(self, wanted: Reconcile) -> None:
        super().__init__(wanted)
        self._wanted = wanted
        self.run: Run | None = None
        self.problem = DayProblem.NONE
        self.found: list[Decided] = []

    def heard(self, published: Published) -> None:
        """What it came to, then the differences."""
        match published:
            case ReconEnded():
                self.run, self.problem = published.run, published.problem
                if self.run is None:
                    self._end(Exit.OK)
                else:
                    self._read("")
            case DifferencesRead():
                self.found += published.found
                if published.more:
                    self._read(published.found[-1].difference.key)
                else:
                    self._end(Exit.OK)

    def _read(self, after: str) -> None:
        number = self.run.number if self.run is not None else 0
        self._post(ReadDifferences(request_id=self._wanted.request_id, run=number, after=after, who=TERMINAL))

    def interrupted(self) -> None:
        """It ends as far as it has come."""
        self._post(LeaveReconciling(request_id=self._wanted.request_id, who=TERMINAL))


def _say(printer: Printer, run: Run, found: list[Decided], *, as_json: bool) -> None:
    for each in found:
        printer.value(difference_object(each), _line(each))
    sums = sums_at_risk(each.difference for each in found)
    others = {code: of for code, of in sorted(sums.items()) if code != run.currency}
    if as_json:
        printer.value({**run_object(run), "other_currencies": others}, "")
        return
    for line in _lines(run, others):
        printer.value({}, line)


def difference_object(each: Decided) -> dict[str, Any]:
    """One difference; amounts are exact text, null where nobody can say."""
    found = each.difference
    return {
        "difference": found.kind.value,
        "subject": found.subject,
        "at": found.at,
        "attempt_id": found.attempt_id,
        "sale_id": found.sale_id,
        "wallet_transaction_id": found.wallet_transaction_id,
        "here": {"state": found.here_state, "amount": _text(found.here_amount)},
        "there": {"status": found.there_status, "amount": _text(found.there_amount)},
        "currency": found.currency,
        "at_risk": _text(found.at_risk),
        "count": found.count,
        "asked": found.asked,
        "looks_like": found.looks_like,
        "detail": found.excerpt,
        "decision": each.reason,
        "decided_by": each.name,
    }


def run_object(run: Run) -> dict[str, Any]:
    """What a run came to."""
    return {
        "run": run.number,
        "z": run.z or None,
        "from": run.first,
        "to": run.last,
        "complete": run.complete,
        "why": run.why.value,
        "rows": run.rows,
        "equal": run.equal,
        "noted": run.noted,
        "calls": run.calls,
        "asked": run.asked,
        "not_asked": run.not_asked,
        "differences": run.differences,
        "more": run.more,
        "currency": run.currency,
        "at_risk": run.at_risk,
    }


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _line(each: Decided) -> str:
    said = words.line(each)
    return f"{said}  [{each.difference.subject}]"


def _lines(run: Run, others: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    yield f"run {run.number}: {run.first} to {run.last}"
    yield from words.result(run)
    for code, sums in others.items():
        yield from words.risks(code, sums)
