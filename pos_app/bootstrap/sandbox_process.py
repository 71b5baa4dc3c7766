"""Starts the sandbox as a process of its own and reads where it listens. The wire is the only other link to it."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from pos_app.domain.unreadable import UNREADABLE

START_LIMIT_S = 20.0
STOP_LIMIT_S = 3.0
_MOST_LINE = 64 * 1024


class SandboxError(Exception):
    """The sandbox did not start."""


class Details(msgspec.Struct, frozen=True):
    """The sandbox's first line: where it listens and what it takes."""

    base_url: str
    control_url: str
    control_token: str
    access_token: str
    merchant_secret_code: str
    merchant_password: str
    merchant_pg_identifier: str


class SandboxProcess:
    """Owns the process; it ends with us, however we end: its input closes."""

    def __init__(self, data_dir: Path) -> None:
        frozen = getattr(sys, "frozen", False)
        # By its file and isolated: -m would load what lies in the folder the till was started in.
        program = ["-I", str(Path(__file__).parents[1] / "sandbox" / "__main__.py")]
        command = [sys.executable, *(["sandbox"] if frozen else program)]
        try:
            self._process = subprocess.Popen(
                [*command, "--data-dir", str(data_dir), "--stop-with-parent"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C at a terminal is for the till alone: it still has a payment to cancel there.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            # The program has been replaced meanwhile, or the machine takes no further process.
            raise SandboxError(f"the sandbox cannot be started: {error.strerror}") from error
        try:
            self.details = msgspec.json.decode(self._first_line(), type=Details)
        except (SandboxError, *UNREADABLE) as error:
            self.stop()
            raise SandboxError("the sandbox did not start; see what it said above") from error

    def _first_line(self) -> bytes:
        output = self._process.stdout
        if output is None:
            raise SandboxError("no output")
        if os.name != "posix":
            return output.readline(_MOST_LINE)
        line, until = b"", time.monotonic() + START_LIMIT_S
        with selectors.DefaultSelector() as ready:
            ready.register(output, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not ready.select(until - time.monotonic()):
                    raise SandboxError("no first line in time")
                chunk = os.read(output.fileno(), _MOST_LINE)
                if not chunk:
                    raise SandboxError("ended before it was ready")
                line += chunk
        return line

    def stop(self) -> None:
        """Ends it, within a few seconds."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_LIMIT_S)
