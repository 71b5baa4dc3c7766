"""`pos-app`: reads the command line and starts the till or a verb. Loads a verb's parts only when it runs."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from pos_app.commands.arguments import DEFAULTS, Flag, Parser, common
from pos_app.commands.errors import CommandError

VERBS = {
    "pay": ("takes a payment without a window", "pos_app.commands.pay"),
    "open": ("open payments and those that need attention", "pos_app.commands.open"),
    "status": ("what the service says of a payment", "pos_app.commands.status"),
    "cancel": ("closes a payment so that it can take no money", "pos_app.commands.cancel"),
    "transactions": ("the service's list, or the journal's", "pos_app.commands.transactions"),
    "otp": ("sends and checks a sign-in code", "pos_app.commands.otp"),
    "doctor": ("what the till needs, and whether it has it", "pos_app.commands.doctor"),
    "tour": ("drives the real window through a day and takes its pictures", "pos_app.commands.tour"),
    "sandbox": ("both services, on this machine alone", "pos_app.commands.sandbox"),
}


def parser(verb: str = "") -> Parser:
    """The whole grammar; only the named verb's own options are loaded."""
    made = Parser(prog="pos-app", description="A wallet till.", parents=[common()])
    made.add_argument("--sandbox", action=Flag, help="opens the till on a sandbox of its own")
    verbs = made.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)
    for name, (says, module) in VERBS.items():
        own = verbs.add_parser(
            name, help=says, description=says, parents=[common(data_dir=name != "sandbox")]
        )
        if name == verb:
            importlib.import_module(module).add_arguments(own)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code (experience.md, At the command line)."""
    line = list(sys.argv[1:] if argv is None else argv)
    verb = next((word for word in line if word in VERBS), "")
    arguments = argparse.Namespace(**DEFAULTS)
    parser(verb).parse_args(line, arguments)
    try:
        if arguments.verb is None:
            from pos_app.app import run_till

            return run_till(arguments)
        return int(importlib.import_module(VERBS[arguments.verb][1]).run(arguments))
    except CommandError as error:
        sys.stderr.write(f"pos-app: {error}\n")
        return int(error.exit_code)
