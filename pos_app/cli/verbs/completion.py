"""`pos-app completion`: what bash needs to complete verbs and options, on standard output. Looks at no shop."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.output import Output


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(_options: Options, _arguments: argparse.Namespace) -> int:
    """The script; zsh reads it after `bashcompinit`."""
    from pos_app.cli.completion import script
    from pos_app.cli.grammar import described
    from pos_app.cli.main import parser

    Output(goes_on=False).line(script(described(parser())).rstrip("\n"))
    return int(Exit.OK)
