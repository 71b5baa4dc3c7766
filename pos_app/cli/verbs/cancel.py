"""`pos-app cancel ID`: rule 12's Close; the payment is closed so that it can take no money, and followed to its end."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.unsettled import require_all_known
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.headless_till import AFTER_GIVE_UP_S, Run
from pos_app.cli.parser import plain
from pos_app.cli.printer import printer_of
from pos_app.cli.sweep import Sweep
from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import Close
from pos_app.domain.people import TERMINAL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which payment."""
    parser.add_argument("id", type=plain, metavar="ID", help="the attempt's id, as pay and open print it")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when nothing can be taken any more; 1 when it was paid before, 5 when late, 4 when not known."""
    with shop_at_work(options) as shop:
        attempt = shop.journal.attempt(arguments.id) if shop.journal is not None else None
        if attempt is None:
            require_all_known(shop.journal, arguments.id)
            raise CommandError(
                Exit.USAGE, f"ID: {arguments.id} is no payment of this till; `open` lists them"
            )
        printer = printer_of(options, goes_on=True)
        if attempt.is_final:
            printer.attempt(attempt)
            return int(_exit_of(attempt))
        sweep = Sweep([attempt], printer, AFTER_GIVE_UP_S, Close(attempt.attempt_id, TERMINAL))
        Run(shop, sweep, needs_ready=False).run()
        return int(_exit_of(sweep.attempts[attempt.attempt_id]))


def _exit_of(attempt: Attempt) -> Exit:
    if attempt.state is State.PAID_LATE:
        return Exit.PAID_LATE
    signed_paid = attempt.resolution is not None and attempt.resolution.action == "paid"
    if attempt.state is State.PAID or (attempt.state is State.SIGNED_OFF and signed_paid):
        return Exit.NOT_PAID
    return Exit.OK if attempt.is_final else Exit.NOT_KNOWN
