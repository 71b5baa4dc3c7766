"""The system's own printer queue (CUPS), by its program `lp`: a PDF in, SENT at best. Raw queues are leaving."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence

from pos_app.devices.printers.printer import BrokeOff, Form, NotReady
from pos_app.domain.print_job import JobState, PrintJob, Why

ASK_S = 2.0

_ENVIRONMENT = ("PATH", "HOME", "CUPS_SERVER", "USER")


class SystemPrinter:
    """`name`: the queue's, "" for the system's default. `lp`, `lpstat`: the programs and their first words."""

    form = Form.PDF

    def __init__(
        self, name: str = "", lp: Sequence[str] = ("lp",), lpstat: Sequence[str] = ("lpstat",)
    ) -> None:
        self._name = name
        self._lp = tuple(lp)
        self._lpstat = tuple(lpstat)

    def open(self) -> SystemSession:
        """As in Printer. A queue that does not exist, or takes nothing, is found before anything is handed over."""
        if shutil.which(self._lp[0]) is None:
            raise NotReady(Why.NO_SUCH_PRINTER)
        try:
            name = self._name or self._default()
            told = self._told("-p", name, "-a", name) if name else b""
        except subprocess.TimeoutExpired as error:
            raise NotReady(Why.OFFLINE) from error
        except OSError:
            # Some systems have lp alone: it says itself what it does not know.
            return SystemSession(self._name, self._lp)
        # With "since", and a space before it: a queue may be called anything.
        if b" disabled since" in told or b" not accepting requests" in told:
            raise NotReady(Why.OFFLINE)
        return SystemSession(self._name, self._lp)

    def _default(self) -> str:
        """The queue that is meant where none is named, without its instance; "" where that is not told."""
        told = self._told("-d")
        if b"no system default" in told:
            raise NotReady(Why.NO_SUCH_PRINTER)
        return told.decode("utf-8", "replace").partition("destination: ")[2].strip().partition("/")[0]

    def _told(self, *asked: str) -> bytes:
        found = _run([*self._lpstat, *asked], b"", ASK_S)
        if found.returncode != 0:
            raise NotReady(Why.NO_SUCH_PRINTER)
        return found.stdout


class SystemSession:
    """Hands one PDF over."""

    def __init__(self, name: str, lp: Sequence[str]) -> None:
        self._name = name
        self._lp = tuple(lp)

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:
        """As in Session. `lp` hangs for a queue whose server is off: it is killed when the time is up."""
        where = ["-d", self._name] if self._name else []
        try:
            told = _run(
                [*self._lp, *where, "-t", f"pos-app {job.number}"], data, max(0.1, until - time.monotonic())
            )
        except subprocess.TimeoutExpired as error:
            raise BrokeOff(Why.TOO_SLOW) from error
        except OSError as error:
            raise BrokeOff from error
        if told.returncode != 0:
            raise BrokeOff
        return JobState.SENT

    def close(self) -> None:
        """Nothing is held."""


def _run(line: Sequence[str], data: bytes, limit_s: float) -> subprocess.CompletedProcess[bytes]:
    """In plain English, whatever the till speaks. A process that outlives its time is killed."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return subprocess.run(
        [*line],
        input=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**kept, "LC_ALL": "C"},
        cwd="/",
        timeout=limit_s,
        check=False,
    )
