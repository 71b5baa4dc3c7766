"""`pos-app sandbox`: hands over to the sandbox's own command; the till imports nothing else of it."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.parser import Parser
from pos_app.sandbox import command


def add_arguments(parser: Parser) -> None:
    """The sandbox's own; its --data-dir is a common option, which may stand before the verb too."""
    command.add_arguments(parser)
    for action in parser._actions:
        if action.dest == "data_dir":
            action.default = argparse.SUPPRESS


def run(options: Options, arguments: argparse.Namespace) -> int:
    """Serves until a signal comes."""
    if options.sandbox:
        raise CommandError(Exit.USAGE, "--sandbox: this verb is the sandbox")
    arguments.data_dir, arguments.json = options.data_dir, options.json
    return command.run(arguments)
