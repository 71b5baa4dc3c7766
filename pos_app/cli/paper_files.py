"""Papers at the command line: as text on the terminal, or as files. The original comes from a printer's queue alone."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import plain_line
from pos_app.cli.output import Output
from pos_app.cli.parser import new_file, seconds
from pos_app.domain.paper import WIDTHS, Bitmap, Paper, lines_of, text_of
from pos_app.domain.print_job import EXPIRES_MS
from pos_app.domain.receipt import Copy
from pos_app.domain.record import wall_of

_JOB = "FILE"
"""What a printer that is sent the file answers with when all is on paper; nobody listens for it."""

_ISOLATES = {0x2066: None, 0x2069: None}
"""What keeps ids apart in a mirrored paper's text."""

_MOST_S = EXPIRES_MS / 1000
"""No paper waits longer for its printer than that."""

_DRAWN = ("png", "escpos")
_FILES = ("pdf", *_DRAWN)
_WIDTH = 80

_TEXT = ".txt"
"""What lies beside a PDF, under its name."""


class Form(NamedTuple):
    """How a paper is wanted: `kind` "text" or what kind of file, at `path`."""

    kind: str
    path: Path | None


def add_arguments(parser: argparse.ArgumentParser, *, prints: bool = False) -> None:
    """In which form, and on which paper. `prints`: on the counter's own printer, too."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--text", action="store_true", help="the paper as lines of text")
    form.add_argument(
        "--pdf", type=new_file, metavar="FILE", help="the paper as a PDF, and its text beside it in a .txt"
    )
    form.add_argument(
        "--png", type=new_file, metavar="FILE", help="the paper as a picture of the printer's dots"
    )
    form.add_argument("--escpos", type=new_file, metavar="FILE", help="the bytes for an ESC/POS printer")
    if prints:
        form.add_argument(
            "--print", action="store_true", help="on the counter's printer, as its settings say"
        )
        parser.add_argument(
            "--again", action="store_true", help="with --print: a copy, where the original may be on paper"
        )
        parser.add_argument(
            "--wait",
            type=seconds(1, _MOST_S, 30),
            metavar="S",
            help="with --print: waits so long for a printer that takes nothing just now, 900 at most",
        )
    parser.add_argument(
        "--width",
        type=int,
        choices=sorted(WIDTHS),
        help=f"with --png or --escpos: how wide the paper is, in mm; {_WIDTH} without",
    )
    parser.add_argument(
        "--page",
        choices=("roll", "a4"),
        help="with --pdf: what it is written on, a roll of 80 mm or A4; a roll without",
    )


def form_of(arguments: argparse.Namespace) -> Form | None:
    """What was asked for; None for nothing of it. Raises CommandError where an option would be of no effect."""
    found = Form("text", None) if arguments.text else None
    for kind in _FILES:
        path = getattr(arguments, kind)
        if path is not None:
            found = Form(kind, path)
    kind = "" if found is None else found.kind
    is_printed = getattr(arguments, "print", False)
    if arguments.width is not None and kind not in _DRAWN:
        why = (
            "the counter's printer has the width of its settings"
            if is_printed
            else "it is of --png and --escpos"
        )
        raise CommandError(Exit.USAGE, f"--width: {why}; leave it out")
    path = None if found is None else found.path
    if kind == "pdf" and path is not None and path.suffix.lower() == _TEXT:
        raise CommandError(
            Exit.USAGE, f"--pdf: {path} is what its text beside it is called; name it like receipt.pdf"
        )
    if arguments.page is not None and kind != "pdf":
        why = "the counter's printer has its own paper" if is_printed else "it is of --pdf"
        raise CommandError(Exit.USAGE, f"--page: {why}; leave it out")
    return found


def copy_now() -> Copy:
    """What every paper made here is marked with: nobody counts it, and it is no original."""
    return Copy(0, wall_of(datetime.now().astimezone()))


def give(paper: Paper, form: Form, arguments: argparse.Namespace) -> None:
    """Prints or writes it. Raises CommandError: then no file of that name was begun."""
    if form.path is None:
        output = Output(goes_on=False)
        for line in lines_of(paper):
            # A terminal is told nothing of directions: what would turn its letters is written as what it is.
            output.line(plain_line(line.translate(_ISOLATES)))
        return
    _begin(form.path, form)
    made = _drawn(paper, form.kind, arguments)
    if form.kind == "pdf":
        _write(form.path.with_suffix(_TEXT), text_of(paper).encode(), form)
    _write(form.path, made, form)


def _drawn(paper: Paper, kind: str, arguments: argparse.Namespace) -> bytes:
    from pos_app.ui.paper.offscreen import drawing

    with drawing():
        if kind == "pdf":
            from pos_app.ui.paper.pdf import Page, pdf_of

            return pdf_of(paper, Page(arguments.page or "roll"))
        from pos_app.ui.paper.raster import bitmap_of, png_of

        bitmap = bitmap_of(paper, WIDTHS[arguments.width or _WIDTH])
    return png_of(bitmap) if kind == "png" else _stream(bitmap)


def _stream(bitmap: Bitmap) -> bytes:
    from pos_app.devices.escpos import job_stream

    return job_stream(bitmap, _JOB)


def _begin(path: Path, form: Form) -> None:
    """Before anything is drawn, or written beside it."""
    from pos_app.system.atomic_file import only_a_file

    try:
        only_a_file(path)
    except OSError as error:
        raise _not_written(path, form, error) from error


def _write(path: Path, data: bytes, form: Form) -> None:
    from pos_app.system.atomic_file import write_whole

    try:
        write_whole(path.absolute(), data)
    except OSError as error:
        raise _not_written(path, form, error) from error


def _not_written(path: Path, form: Form, error: OSError) -> CommandError:
    return CommandError(Exit.CANNOT_CREATE, f"--{form.kind}: {path} cannot be written: {error.strerror}")
