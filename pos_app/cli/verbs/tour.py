"""`pos-app tour`: the real window through a whole day, with its pictures."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.options import Options
from pos_app.cli.output import Output
from pos_app.cli.parser import path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go, and in which colours; the language is an option of every verb."""
    parser.add_argument("--screenshots", type=path, default=None, metavar="DIR", help="keeps the pictures")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="light or dark")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when every step came to its end, 73 where a picture cannot be written, else 1."""
    from pos_app.tour import run_tour

    return run_tour(options, arguments.screenshots, arguments.theme, Output(goes_on=True).line)
