"""`pos-app training`: the sandbox's till with the course open. It takes no shop's settings and no secrets."""

from __future__ import annotations

import argparse
import os

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options

_VARIABLES = ("POS_APP_CONFIG", "POS_APP_SECRETS_FILE", "CREDENTIALS_DIRECTORY")
"""Each names settings or secrets of a shop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(options: Options, _arguments: argparse.Namespace) -> int:
    """The till until its window is closed. Raises CommandError where a shop's own set-up is named."""
    refuse_live(options)
    from pos_app.app import run_till

    return run_till(replace(options, sandbox=True, training=True))


def refuse_live(options: Options) -> None:
    """Nobody learns with a shop's secrets at hand. Raises CommandError."""
    named = [f"--{name.replace('_', '-')}" for name in ("config", "secrets_file") if getattr(options, name)]
    named += [name for name in _VARIABLES if os.environ.get(name)]
    if named:
        raise CommandError(
            Exit.CONFIGURATION,
            f"training takes no settings and no secrets of a shop; leave out {', '.join(named)}",
        )
