"""`pos-app tour`: the real window through a whole day, with its pictures."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go."""
    parser.add_argument("--screenshots", type=Path, default=None, metavar="DIR", help="keeps the pictures")


def run(arguments: argparse.Namespace) -> int:
    """0 when every step came to its end, else 1."""
    from pos_app.tour import run_tour

    return run_tour(arguments)
