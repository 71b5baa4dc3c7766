"""`pos-app`: reads the command line and starts the till or a verb. Loads a verb's parts only when it runs."""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import plain_lines
from pos_app.cli.parser import Parser, Version, add_common, options_of
from pos_app.system.paths import FolderError
from pos_app.system.standard_error import tell, tell_where

VERBS = {
    "pay": ("takes a payment without a window", "pos_app.cli.verbs.pay"),
    "open": ("open payments and those that need attention", "pos_app.cli.verbs.open"),
    "status": ("what the service says of a payment", "pos_app.cli.verbs.status"),
    "cancel": ("closes a payment so that it can take no money", "pos_app.cli.verbs.cancel"),
    "close": ("closes the day by a Z, whatever is open", "pos_app.cli.verbs.close"),
    "reconcile": ("our payments beside the service's list", "pos_app.cli.verbs.reconcile"),
    "report": ("what was taken: an X of the open day, a Z of a closed one", "pos_app.cli.verbs.report"),
    "export": ("the payments as a file for whoever keeps the books", "pos_app.cli.verbs.export"),
    "receipt": ("a payment's receipt, or whether a paper is ours", "pos_app.cli.verbs.receipt"),
    "find": ("payments of the shop's other counters, as the store has them", "pos_app.cli.verbs.find"),
    "transactions": ("the service's list, or the journal's", "pos_app.cli.verbs.transactions"),
    "refund": ("refund notes: lists them, makes, gives or withdraws one", "pos_app.cli.verbs.refund"),
    "join": ("has a central store take this counter in, by its code", "pos_app.cli.verbs.join"),
    "leave": ("tells no central store any more, whether it hears of it or not", "pos_app.cli.verbs.leave"),
    "sync": ("what the central store has yet to hear, and its incidents", "pos_app.cli.verbs.sync"),
    "first-manager": ("makes the first manager, where there is none", "pos_app.cli.verbs.first_manager"),
    "otp": ("sends and checks a sign-in code", "pos_app.cli.verbs.otp"),
    "doctor": ("what the till needs, and whether it has it", "pos_app.cli.verbs.doctor"),
    "diagnostics": ("a zip for whoever helps: no secrets, numbers, names", "pos_app.cli.verbs.diagnostics"),
    "restore": ("puts a copy of the journal back in its place", "pos_app.cli.verbs.restore"),
    "drain": (
        "asks the till to close for an update, and says when nothing is under way",
        "pos_app.cli.verbs.drain",
    ),
    "tour": ("drives the real window through a day and takes its pictures", "pos_app.cli.verbs.tour"),
    "gallery": ("every component and every payment state, to look at", "pos_app.cli.verbs.gallery"),
    "training": ("the course: the till and the customer's phone, in a sandbox", "pos_app.cli.verbs.training"),
    "store": ("the store of several counters: makes, runs, checks it", "pos_app.cli.verbs.store"),
    "sandbox": ("both services, on this machine alone", "pos_app.cli.verbs.sandbox"),
    "man": ("this command's manual page, for man", "pos_app.cli.verbs.man"),
    "completion": ("what a shell needs to complete verbs and options", "pos_app.cli.verbs.completion"),
}

DESCRIPTION = "A wallet till. Without a verb it opens; a verb does one thing without its window."
EXIT_CODES = (
    "Exit codes: 0 ok (pay: PAID), 1 not paid (cancel: paid before), 2 bad input, 3 no display, "
    "4 not known yet, 5 PAID_LATE, 10 a manager left the kiosk, 69 service unavailable, 70 ended by a fault, "
    "73 in use or cannot create, 75 an update is under way or has to wait, 78 configuration, "
    "130 or 143 on a second signal."
)


def parser() -> Parser:
    """The whole grammar; a verb's options are added when the line turns out to name it."""
    made = Parser(prog="pos-app", description=DESCRIPTION, epilog=EXIT_CODES)
    add_common(made)
    made.add_argument(
        "--version", action=Version, help="says which version it is, its commit, and what it runs on"
    )
    made.add_argument(
        "--kiosk",
        action="store_true",
        default=argparse.SUPPRESS,
        help="the till alone on its screen; a manager leaves it",
    )
    # With a name for them, argparse need not lay out a usage line to find one.
    verbs = made.add_subparsers(dest="verb", metavar="VERB", prog=made.prog, parser_class=Parser)
    for name, (says, _module) in VERBS.items():
        verb = verbs.add_parser(
            name,
            help=says,
            description=says,
            given=made.given,
            load=functools.partial(_add_arguments, name),
        )
        verb.set_defaults(usage=verb.format_usage)
    return made


def _add_arguments(name: str, verb: Parser) -> None:
    own = name not in ("sandbox", "store")
    add_common(verb, data_dir=own, sandbox=own)
    _, module = VERBS[name]
    importlib.import_module(module).add_arguments(verb)


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code (docs/command-line.md)."""
    _give_streams()
    try:
        return _main(argv)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Exception as error:
        # Python would end with 1, and that is a word about money: not paid, for certain.
        _tell_of_fault(error)
        return int(Exit.FAULT)


def _tell_of_fault(error: Exception) -> None:
    """Where it was and of which type, as a log that is on does it; what it says may hold a secret or a number."""
    if sys.excepthook is not sys.__excepthook__:
        sys.excepthook(type(error), error, error.__traceback__)
        return
    # By nothing that has to be loaded: that may be what fails.
    tell_where(error)
    said = f"unexpected {type(error).__qualname__}; `open` lists what it had begun, and a log tells more"
    tell(f"pos-app: {said}\n")


def _main(argv: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal without a sign for something shows its number; a payment must not end over it.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = argparse.Namespace()
    try:
        parser().parse_args(sys.argv[1:] if argv is None else argv, arguments)
        return _run(arguments)
    except CommandError as error:
        usage = arguments.usage() if error.exit_code is Exit.USAGE and arguments.verb else ""
        tell(f"{usage}pos-app: {plain_lines(str(error))}\n")
        return int(error.exit_code)
    except FolderError as error:
        tell(f"pos-app: {plain_lines(str(error))}\n")
        return int(Exit.CANNOT_CREATE)


def _give_streams() -> None:
    """Whoever started us may have closed them, and a window's process has none on some systems."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the end
    if os.name != "posix":
        # Where no console is behind them Windows would take the letters of its region alone (cp1252).
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")


_PLAY = ("tour", "gallery", "training", "sandbox")
"""Verbs that show payments which are none, or serve them; any other may be told to by --sandbox."""


def _run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    if options.sandbox or arguments.verb in _PLAY:
        from pos_app.bootstrap.sandbox_rule import refuse_sandbox

        refuse_sandbox()
    if arguments.verb is None:
        from pos_app.app import run_till

        return run_till(options)
    if options.kiosk:
        raise CommandError(Exit.USAGE, f"--kiosk: it is the till's own; {arguments.verb} has no window")
    if options.language and not options.json:
        from pos_app.i18n.languages import speak

        speak(options.language)
    verb = importlib.import_module(VERBS[arguments.verb][1])
    gc.freeze()
    gc.enable()
    return int(verb.run(options, arguments))
