"""Starts the customer's phone beside the till, in the sandbox only, and tells it what stands on the screen."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QProcess

STOP_LIMIT_MS = 2_000


class PhoneProcess(QObject):
    """Owns the process. Its token goes in by its standard input, never as an argument."""

    def __init__(
        self, control_url: str, control_token: str, *, theme: str, at: QPoint, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedChannels)
        where = f"--at={at.x()},{at.y()}"
        self._arguments = ["--till-lines", "--control-url", control_url, "--theme", theme, where]
        self._token = control_token
        self._told = ""

    def start(self) -> None:
        """Returns at once; the phone shows itself when it is ready."""
        frozen = getattr(sys, "frozen", False)
        # By its file and isolated: -m would load what lies in the folder the till was started in.
        program = ["-I", str(Path(__file__).parents[1] / "phone" / "__main__.py")]
        self._process.start(sys.executable, [*(["phone"] if frozen else program), *self._arguments])
        self._tell({"token": self._token})

    def show_code(self, qr_text: str) -> None:
        """The till's screen shows this code; empty when it is gone."""
        self._tell({"qr": qr_text})

    def _tell(self, said: dict[str, str]) -> None:
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.write(json.dumps(said).encode() + b"\n")

    def stop(self) -> None:
        """The phone ends with the till: its input closes, and if that is not enough it is ended."""
        if self._process.state() is QProcess.ProcessState.NotRunning:
            return
        self._process.closeWriteChannel()
        if not self._process.waitForFinished(STOP_LIMIT_MS):
            self._process.kill()
            self._process.waitForFinished(STOP_LIMIT_MS)
