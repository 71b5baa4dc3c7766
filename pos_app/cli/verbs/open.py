"""`pos-app open`: open payments and those that need attention; with --resolve it asks until they are final."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import is_gone
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop, data_folder, environment_of, open_reading, origin_here, reading
from pos_app.bootstrap.unsettled import require_all_known, some_may_come, unsettled
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.elsewhere import Here
from pos_app.cli.headless_till import Run
from pos_app.cli.paper_of_payment import paper_of_payment
from pos_app.cli.parser import plain, seconds
from pos_app.cli.payment import Payment, Resumed
from pos_app.cli.printer import Printer, printer_of
from pos_app.cli.sweep import Sweep
from pos_app.domain.attempt import ATTENTION
from pos_app.domain.commands import Continue
from pos_app.domain.people import TERMINAL
from pos_app.i18n.words.terminal import words
from pos_app.i18n.words.till import words as till_words

CONTINUE_S = 60.0
"""How long a payment is gone on with that needs attention already."""

_LONGEST_S = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to ask, and which payment to go on with."""
    parser.add_argument(
        "--resolve", type=seconds(0, _LONGEST_S, 60), metavar="SECONDS", help="asks until all are final"
    )
    parser.add_argument(
        "--continue", dest="go_on", type=plain, metavar="ID", help="goes on with this payment"
    )


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when the list was printed, or all are final; 4 when some are not, or may not be known yet (of a list, too).
    --continue: as `pay`."""
    if arguments.resolve is None and arguments.go_on is None:
        return _list(options, printer_of(options))
    printer = printer_of(options, goes_on=True)
    with shop_at_work(options) as shop:
        return int(
            _go_on(arguments, shop, printer) if arguments.go_on else _resolve(arguments, shop, printer)
        )


def _list(options: Options, printer: Printer) -> int:
    environment = environment_of(options)
    journal = open_reading(options, environment)
    with reading():
        here = Here(origin_here(options), journal)
        found = unsettled(journal)
        more = is_gone(data_folder(options, environment)) if journal is None else some_may_come(journal)
        rest = till_words.bar.rebuilding if more else ""
        printer.attempts(map(here.told, found), rest or words.NOTHING_OPEN)
    if found and rest:
        printer.note(rest)
    return int(Exit.NOT_KNOWN if more else Exit.OK)


def _resolve(arguments: argparse.Namespace, shop: Shop, printer: Printer) -> Exit:
    attempts = [attempt for attempt in unsettled(shop.journal) if not attempt.is_final]
    more = some_may_come(shop.journal)
    if not attempts and not more:
        printer.note(words.NOTHING_OPEN)
        return Exit.OK
    sweep = Sweep(attempts, printer, arguments.resolve, some_may_come=more)
    return Run(shop, sweep, needs_ready=False).run()


def _go_on(arguments: argparse.Namespace, shop: Shop, printer: Printer) -> Exit:
    attempt = next((each for each in unsettled(shop.journal) if each.attempt_id == arguments.go_on), None)
    if attempt is None or attempt.is_final:
        require_all_known(shop.journal, arguments.go_on)
        raise CommandError(Exit.USAGE, f"--continue: {arguments.go_on} is no open payment of this till")
    Here(shop.origin, shop.journal).require(attempt)
    limit_s = arguments.resolve
    if limit_s is None and attempt.state in ATTENTION:
        limit_s = CONTINUE_S
    command = Continue(attempt.attempt_id, TERMINAL)
    with paper_of_payment(shop) as paper:
        payment = Payment(command, printer, resumed=Resumed(attempt.sale_id, limit_s), paper=paper.last)
        code = Run(shop, payment, needs_ready=False, printing=paper.line).run()
        paper.say(printer, payment.paid)
        return code
