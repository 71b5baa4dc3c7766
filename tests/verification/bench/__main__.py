"""Measures and prints one table; exit 1 only when a measurement broke.

python -m tests.verification.bench [NAME…] [--quick]
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import time
import traceback

from tests.verification.bench.figure import Figure

MEASURES = (
    "start",
    "bundle",
    "key_to_qr",
    "screen",
    "stalls",
    "usage",
    "journal_commit",
    "journal_page",
    "client_call",
    "paper",
    "exports",
    "printing",
    "closing",
    "reconciling",
    "sandbox_load",
    "store_receiving",
    "store_reading",
)
BROKEN = (OSError, RuntimeError, AssertionError, LookupError, ValueError, StopIteration)
"""A child that ended, a sandbox that did not start, a reply that was not the expected one."""
HEAD = ("figure", "ours", "floor", "ratio", "goal", "")


def row_of(figure: Figure) -> tuple[str, ...]:
    """A figure as the table's texts."""
    verdict = "reached" if figure.reached else f"MISSED: {figure.limited_by or 'not explained'}"
    return (
        figure.name,
        f"{figure.ours:.3g} {figure.unit}",
        f"{figure.floor:.3g} {figure.unit} ({figure.floor_is})",
        "" if figure.absolute else f"{figure.ratio:.2f} ×",
        f"≤ {figure.goal:.4g} {figure.unit if figure.absolute else '×'}",
        verdict,
    )


def table(figures: list[Figure]) -> str:
    """All of them, in columns."""
    rows = [HEAD, *(row_of(figure) for figure in figures)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main() -> int:
    """The exit code. A goal that is missed is a row of the table, not a failure."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.bench", description=__doc__)
    asked.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURES))
    asked.add_argument("--quick", action="store_true", help="fewer rounds: to see that it works")
    arguments = asked.parse_args()
    unknown = set(arguments.names) - set(MEASURES)
    if unknown:
        asked.error(f"no such figure: {', '.join(sorted(unknown))}")
    figures: list[Figure] = []
    broken = False
    for name in arguments.names or MEASURES:
        began = time.monotonic()
        sys.stderr.write(f"{name} …\n")
        try:
            measure = importlib.import_module(f"tests.verification.bench.{name}").measure
            takes_quick = "quick" in inspect.signature(measure).parameters
            figures += measure(quick=arguments.quick) if takes_quick else measure()
        except BROKEN:
            broken = True
            traceback.print_exc()
        sys.stderr.write(f"{name}: {time.monotonic() - began:.0f} s\n")
    print(table(figures))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
