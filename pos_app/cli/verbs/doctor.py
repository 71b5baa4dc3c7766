"""`pos-app doctor`: what the till needs, and whether it has it. Shows where each setting came from, never a secret."""

from __future__ import annotations

import argparse

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.options import Options
from pos_app.cli.printer import printer_of
from pos_app.doctor import examine
from pos_app.doctor.finding import told

_MARKS = {"ok": "ok     ", "warning": "note   ", "problem": "PROBLEM"}


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Nothing of its own."""


def run(options: Options, _arguments: argparse.Namespace) -> int:
    """0 when all is well, 1 with a problem, 69 without the service, 78 when the settings cannot be used."""
    printer = printer_of(options)
    code = Exit.OK
    for finding in examine(options):
        line = f"{_MARKS[finding.verdict]}  {finding.about}: {finding.text}"
        printer.value(told(finding), line)
        if finding.verdict == "problem" and code is Exit.OK:
            code = finding.exit_code
    return int(code)
