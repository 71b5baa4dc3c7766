"""`pos-app diagnostics [FILE.zip]`: what somebody who helps from afar needs, without secrets, numbers or names."""

from __future__ import annotations

import argparse
from pathlib import Path

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.printer import printer_of
from pos_app.diagnostics_bundle import BundleError, named, pack
from pos_app.diagnostics_bundle.contents import contents


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and whether a file may be replaced."""
    parser.add_argument(
        "file", nargs="?", type=_zip, metavar="FILE.zip", help="where to; else a new name here"
    )
    parser.add_argument("--force", action="store_true", help="replaces the file")


def _zip(text: str) -> Path:
    path = Path(text)
    if "\0" in text or path.suffix.lower() != ".zip":
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a zip file, for example diagnostics.zip")
    return path


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when the file stands, 1 where no till's is in it; 73 when it cannot be made, or is there already."""
    path = (arguments.file or Path(named())).absolute()
    if not arguments.force and path.exists():
        raise CommandError(Exit.CANNOT_CREATE, f"{path} is there already; --force replaces it")
    try:
        found = contents(options)
        made = pack(found, path, force=arguments.force)
    except BundleError as error:
        raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    said = {"file": str(path), "members": list(made)}
    printer_of(options, goes_on=True).value(
        said, f"{path}: {', '.join(made)}; look through it before you send it"
    )
    if found.without_a_till:
        looked_in = " or ".join(map(str, found.without_a_till))
        raise CommandError(
            Exit.NOT_PAID,
            f"no till of this account has left anything in {looked_in}; in the till's own account: "
            "sudo -Hu ITS-USER pos-app diagnostics /tmp/till.zip",
        )
    return int(Exit.OK)
