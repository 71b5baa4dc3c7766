"""`pos-app completion`: what a shell needs to complete verbs and options, on standard output. Looks at no shop."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """For which shell."""
    parser.add_argument(
        "shell", nargs="?", choices=("bash", "zsh", "fish"), default="bash", help="the shell, else bash"
    )


def run(_options: Options, arguments: argparse.Namespace) -> int:
    """The script of that shell."""
    from pos_app.cli.completion import SHELLS
    from pos_app.cli.grammar import described
    from pos_app.cli.main import parser

    Output(goes_on=False).line(SHELLS[arguments.shell](described(parser())).rstrip("\n"))
    return int(Exit.OK)
