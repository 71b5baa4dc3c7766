"""`pos-app sandbox`: hands over to the sandbox's own command; the till imports nothing else of it."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.cli.parser import Parser
from pos_app.sandbox import command


def add_arguments(parser: Parser) -> None:
    """The sandbox's own; its --data-dir is a common option, which may stand before the verb too."""
    command.add_arguments(parser)
    parser.add_argument(
        "--printer",
        type=_printer_port,
        default=None,
        metavar="N",
        help="a printer too, at this port of this machine; its switches at the next (one JSON object a line)",
    )
    for action in parser._actions:
        if action.dest == "data_dir":
            action.default = argparse.SUPPRESS


def run(options: Options, arguments: argparse.Namespace) -> int:
    """Serves until a signal comes."""
    if options.sandbox:
        raise CommandError(Exit.USAGE, "--sandbox: this verb is the sandbox")
    arguments.data_dir, arguments.json = options.data_dir, options.json
    if arguments.printer is None:
        return command.run(arguments)
    return _with_printer(arguments)


def _printer_port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65535):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port for a printer; it is a number from 1 to 65534, for example 9100"
        )
    return int(text)


def _with_printer(arguments: argparse.Namespace) -> int:
    """The services know nothing of it: a till reaches it as any printer in the shop's network."""
    from pos_app.devices.printers.virtual import VirtualPrinter
    from pos_app.devices.printers.virtual_server import LOOPBACK, PrinterServer

    port = arguments.printer
    try:
        printer = PrinterServer(VirtualPrinter(), port, port + 1)
    except OSError as error:
        text = f"ports {port} and {port + 1} are used by another program or not allowed: {error.strerror}"
        raise CommandError(Exit.USAGE, text) from error
    note(f"a printer listens on {LOOPBACK}:{port}, its switches on {LOOPBACK}:{port + 1}")
    printer.start()
    try:
        return command.run(arguments)
    finally:
        printer.stop()
