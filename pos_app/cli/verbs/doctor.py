"""`pos-app doctor`: what the till needs, and whether it has it; what is wrong first. Never shows a secret."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.printer import printer_of
from pos_app.doctor import examine
from pos_app.doctor.finding import Finding, told
from pos_app.settings.model import BY_NAME

_MARKS = {"problem": "PROBLEM", "warning": "note   ", "ok": "ok     "}
"""In the order in which somebody who has to put it right wants them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much is said."""
    parser.add_argument("--all", action="store_true", help="every setting and where it came from, too")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when all is well, 1 with a problem, 69 without the service, 78 when the settings cannot be used."""
    printer = printer_of(options)
    found: list[Finding] = []
    try:
        for finding in examine(options):
            found.append(finding)
            if options.json:
                printer.value(told(finding), "")
    finally:
        # Also where somebody broke it off (a folder on the network that does not answer), or a fault did.
        shown = [each for each in found if arguments.all or each.about not in BY_NAME or each.verdict != "ok"]
        for finding in sorted(shown, key=lambda each: [*_MARKS].index(each.verdict)):
            printer.note(f"{_MARKS[finding.verdict]}  {finding.about}: {finding.text}")
    printer.note(_summary(found, left_out=len(found) - len(shown)))
    return int(next((each.exit_code for each in found if each.verdict == "problem"), Exit.OK))


def _summary(found: list[Finding], *, left_out: int) -> str:
    problems, notes = (sum(each.verdict == kind for each in found) for kind in ("problem", "warning"))
    said = f"{problems} to put right, {notes} to know of" if problems else f"All is well; {notes} to know of"
    return f"{said}. --all shows {left_out} settings, too." if left_out else f"{said}."
