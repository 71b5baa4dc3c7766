"""`pos-app gallery`: every component and every payment state to look at, or as pictures. Takes no payment."""

from __future__ import annotations

import argparse
import os

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.output import Output
from pos_app.cli.parser import path
from pos_app.system.display import has_display

THEMES = ("light", "dark")
SECTIONS = ("parts", "before", "waiting", "results", "reasons", "dialogs", "windows", "papers", "day")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go, of what, and in which theme."""
    parser.add_argument(
        "--screenshots", type=path, default=None, metavar="DIR", help="saves a picture of each"
    )
    parser.add_argument("--section", choices=SECTIONS, default=None, help="this part of it alone")
    parser.add_argument("--theme", choices=THEMES, default="light", help="light or dark")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """The window until it is closed; or the pictures, which need no display."""
    pictures = arguments.screenshots is not None
    if not has_display():
        if not pictures:
            raise CommandError(Exit.NO_DISPLAY, "the gallery needs a display; --screenshots DIR does not")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from pos_app.gallery import opening

    language = options.language or "en"
    if not pictures:
        return opening.look(arguments.theme, language, arguments.section or SECTIONS[0])
    folder = arguments.screenshots
    try:
        count = opening.keep(folder, arguments.theme, language, arguments.section)
    except OSError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be made: {error.strerror}") from error
    Output(goes_on=True).line(f"{count} pictures in {folder}")
    return int(Exit.OK)
