"""cage without a display, as the kiosk's service runs it, and the service manager that listens to it."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.support.sandbox import REPOSITORY
from tests.verification.proof.kiosk.account import as_nobody, give

SESSION = REPOSITORY / "packaging" / "kiosk" / "session"
LIMIT_S = 60
WATCHDOG_MS = 2_000
_HEADLESS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
_OURS = ("QT_", "DISPLAY", "WAYLAND_", "PYTEST_")


class Manager:
    """What systemd would hear of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self._socket.settimeout(LIMIT_S)
        self.path.chmod(0o666)

    def until(self, words: str) -> str:
        """The first message with these words."""
        while True:
            said = self._socket.recv(500).decode()
            if words in said:
                return said

    def silence(self) -> None:
        """Raises TimeoutError once nothing was said for longer than a service manager waits."""
        self._socket.settimeout(2 * WATCHDOG_MS / 1000)
        for _ in range(100):
            self._socket.recv(500)

    def close(self) -> None:
        """Listens no more."""
        self._socket.close()


class Service:
    """The kiosk's session on a folder of its own. `start` it as often as the service manager would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run = folder / "run"
        self.run.mkdir(mode=0o700)
        give(folder)
        self.manager = Manager(folder)
        self._running: subprocess.Popen[bytes] | None = None

    def _environment(self) -> Mapping[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        return kept | _HEADLESS | {
            "XDG_RUNTIME_DIR": str(self.run),
            "RUNTIME_DIRECTORY": str(self.run),
            "NOTIFY_SOCKET": str(self.manager.path),
            "WATCHDOG_USEC": str(WATCHDOG_MS * 1000),
        }  # fmt: skip

    def start(self, command: Sequence[str], **more: str) -> subprocess.Popen[bytes]:
        """A program alone on the screen."""
        with (self.folder / "said").open("ab") as said:
            self._running = subprocess.Popen(
                as_nobody([str(SESSION), *command]),
                env={**self._environment(), **more},
                cwd=REPOSITORY,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        return self._running

    @property
    def program(self) -> int:
        """The process that has the screen."""
        return int((self.run / "till").read_text())

    def stop(self) -> int:
        """As `systemctl stop` does; the session's exit code."""
        assert self._running is not None
        subprocess.run([str(SESSION), "--stop"], env=self._environment(), check=True, timeout=LIMIT_S)
        return self._running.wait(LIMIT_S)

    def said(self) -> str:
        """What was said on standard output and error."""
        return (self.folder / "said").read_text(errors="replace")

    def end(self) -> None:
        """Leaves nothing behind."""
        if self._running is not None and self._running.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                os.kill(self.program, 9)
            self._running.kill()
            self._running.wait(LIMIT_S)
        self.manager.close()


@contextlib.contextmanager
def service(folder: Path) -> Iterator[Service]:
    """One, ended with the test."""
    made = Service(folder)
    try:
        yield made
    finally:
        made.end()
