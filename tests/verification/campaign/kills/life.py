"""One life of a till from outside: its process, what it says, its death, and how soon it was back."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.support.sandbox import REPOSITORY
from tests.verification.campaign.kills.orders import Orders, Said

_KNOWN_NOISE = "This plugin does not support"
_said = msgspec.json.Decoder(Said)


class Life:
    """Owns the process and its pipes; `end` is to be called, however the life went; once more does no harm."""

    def __init__(self, orders: Orders, module: str = "tests.verification.campaign.kills.till") -> None:
        self.began = time.monotonic()
        self.began_wall_ms = int(time.time() * 1000)
        self.heard: list[Said] = []
        self._complaints = Path(orders.sent_log).with_suffix(".stderr")
        self._rest = b""
        with self._complaints.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=REPOSITORY,
                env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
                start_new_session=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._process.stdin.write(msgspec.json.encode(orders) + b"\n")
        self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """The till's process."""
        return self._process.pid

    @property
    def age_s(self) -> float:
        """Since its start."""
        return time.monotonic() - self.began

    def listen(self, limit_s: float) -> list[Said]:
        """What it says within this time; nothing when it has ended."""
        if not self._selector.select(max(0.0, limit_s)):
            return []
        assert self._process.stdout is not None
        data = os.read(self._process.stdout.fileno(), 65536)
        *lines, self._rest = (self._rest + data).split(b"\n")
        fresh = [_said.decode(line) for line in lines if line]
        self.heard += fresh
        if not data:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(max(limit_s, 0.5))
        return fresh

    @property
    def code(self) -> int | None:
        """Its exit code; minus the signal that killed it; None while it lives."""
        return self._process.poll()

    def after_s(self, what: str) -> float | None:
        """How long after its start it said this for the first time."""
        return next((said.at - self.began for said in self.heard if said.what == what), None)

    def kill(self) -> None:
        """SIGKILL."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def ask_to_end(self) -> None:
        """SIGTERM, as a logout does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    def end(self, limit_s: float = 10.0) -> int:
        """Its exit code; it is killed when it does not end by itself in time."""
        try:
            self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        if self._selector.get_map() is None:
            return int(self._process.returncode)
        while self.listen(0):
            pass
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return int(self._process.returncode)


def complaints(sent_log: Path) -> list[str]:
    """What tills with this log wrote to standard error, but for Qt's word about the off-screen platform."""
    text = sent_log.with_suffix(".stderr").read_text("utf-8", "replace")
    return [line for line in text.splitlines() if line and not line.startswith(_KNOWN_NOISE)]


def until(
    condition: Callable[[], bool],
    life: Life,
    limit_s: float,
    each: Callable[[], None],
    *,
    pause_s: float = 0.1,
) -> bool:
    """Lets a life go on until it is so; `each` is done some times a second meanwhile."""
    by = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > by or life.code is not None:
            return False
        life.listen(pause_s)
        each()
    return True
