"""Jobs as files in a folder, each whole or not there: for trying, and for programs that print what they find."""

from __future__ import annotations

import os
from pathlib import Path

from pos_app.devices.printers.printer import BrokeOff, Form, NotReady
from pos_app.domain.print_job import JobState, PrintJob, Why
from pos_app.system.atomic_file import write_whole


class FolderPrinter:
    """`folder` exists already: the till makes none where somebody mistyped."""

    form = Form.ESCPOS

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> FolderSession:
        """As in Printer."""
        if not self._folder.is_dir() or not os.access(self._folder, os.W_OK):
            raise NotReady(Why.NO_SUCH_PRINTER)
        return FolderSession(self._folder)


class FolderSession:
    """One file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:  # noqa: ARG002 - a disk tells no time
        """As in Session. PRINTED: the file lies there, and through a power cut. A name that is there is left alone."""
        try:
            write_whole(self._folder / f"{job.number:06d}.escpos", data, new=True)
        except OSError as error:
            raise BrokeOff from error
        return JobState.PRINTED

    def close(self) -> None:
        """Nothing is held."""
