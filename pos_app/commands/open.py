"""`pos-app open`: open payments and those that need attention; with --resolve it asks until they are final."""

from __future__ import annotations

import argparse
import re

from pos_app.commands.arguments import Flag, Once
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.following import Run
from pos_app.commands.opening import InUseError, Shop, open_reading, open_shop, settings_of
from pos_app.commands.printing import Printer, printer_of
from pos_app.commands.sweep import Sweep
from pos_app.domain.attempt import Attempt
from pos_app.domain.people import TERMINAL
from pos_app.domain.wishes import Continue
from pos_app.journal import Queries

CONTINUE_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long to ask, and which payment to go on with."""
    parser.add_argument(
        "--resolve", action=Once, type=_seconds, metavar="SECONDS", help="asks until all are final"
    )
    parser.add_argument(
        "--continue", dest="go_on", action=Once, metavar="ID", help="goes on with this payment"
    )
    parser.add_argument("--sandbox", action=Flag, default=argparse.SUPPRESS, help="on a sandbox of its own")


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) or float(text) > 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; it is 0 to 86400 seconds, for example 60")
    return float(text)


def run(arguments: argparse.Namespace) -> int:
    """0 when the list was printed, or all are final; 4 when some are not."""
    printer = printer_of(arguments)
    if arguments.resolve is None and arguments.go_on is None:
        return _list(arguments, printer)
    shop = open_shop(arguments)
    try:
        return int(_resolve(arguments, shop, printer))
    finally:
        shop.close()


def _list(arguments: argparse.Namespace, printer: Printer) -> int:
    environment = "sandbox" if arguments.sandbox else settings_of(arguments).gateway.environment
    for attempt in unsettled(open_reading(arguments, environment)):
        printer.attempt(attempt)
    return int(Exit.OK)


def unsettled(book: Queries) -> list[Attempt]:
    """Open ones and those that need attention, each once, oldest first."""
    found = {attempt.attempt_id: attempt for attempt in [*book.open_attempts(), *book.needs_answer()]}
    return sorted(found.values(), key=lambda attempt: attempt.tapped_at)


def _resolve(arguments: argparse.Namespace, shop: Shop, printer: Printer) -> Exit:
    if shop.book is None:
        raise InUseError(Exit.CANNOT_CREATE, "the journal is not open")
    attempts = [attempt for attempt in unsettled(shop.book) if not attempt.is_final]
    wish = None
    if arguments.go_on is not None:
        attempts = [attempt for attempt in attempts if attempt.attempt_id == arguments.go_on]
        if not attempts:
            raise CommandError(Exit.USAGE, f"--continue: {arguments.go_on} is no open payment of this till")
        wish = Continue(arguments.go_on, TERMINAL)
    if not attempts:
        return Exit.OK
    limit_s = CONTINUE_S if arguments.resolve is None else arguments.resolve
    return Run(shop, Sweep(attempts, printer, limit_s, wish), needs_ready=False).run()
