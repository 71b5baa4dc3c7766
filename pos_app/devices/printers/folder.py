"""Jobs as files in a folder, each whole or not there: for trying, and for programs that print what they find."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pos_app.devices.printers.printer import BrokeOff, Form, NotReady
from pos_app.domain.print_job import JobState, PrintJob, Why
from pos_app.system.atomic_file import write_whole

_MOST = 1_000
"""So many jobs of one number, of other tills and older journals, may lie in a folder."""


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
        """As in Session. PRINTED: the file lies there, and through a power cut. A name that is there is left alone: the
        job of another till that has this folder, or of the journal before this one, whose jobs began with 1 as well.
        """
        for name in self._names(job.number):
            try:
                write_whole(self._folder / name, data, new=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise BrokeOff from error
            return JobState.PRINTED
        raise BrokeOff

    def _names(self, number: int) -> Iterator[str]:
        """That of the job, and what it is called beside others of the same number; none that is there already."""
        names = (f"{number:06d}{'' if place == 1 else f'-{place}'}.escpos" for place in range(1, _MOST + 1))
        return (name for name in names if not os.path.lexists(self._folder / name))

    def close(self) -> None:
        """Nothing is held."""
