"""The printer: `sandbox --printer` as a process of its own, with what people and the mains do to it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from tests.support.ports import free_port
from tests.support.sandbox import REPOSITORY
from tests.verification.campaign.printing.cable import LOOPBACK

AS_NEW: dict[str, Any] = {
    "rows_left": None,
    "is_open": False,
    "is_off": False,
    "talks": True,
    "dies_after": None,
    "bytes_per_s": None,
}
"""Its switches as they are when it is bought."""

JOB_BYTES = 60_000
"""About what a receipt has."""


class Device:
    """At two free ports, the same for all of its processes."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self.port = free_port(neighbours=1)
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0
        self.unknown: list[str] = []
        """Bytes that no printer knows, in its words."""

    @property
    def is_on(self) -> bool:
        """Whether its process is there."""
        return self._process is not None

    def switch_on(self) -> None:
        """Starts it; when this returns it prints."""
        line = ["-m", "pos_app", "--data-dir", str(self._data_dir), "sandbox", "--stop-with-parent"]
        self._process = subprocess.Popen(
            [sys.executable, *line, "--printer", str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=REPOSITORY,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        )
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            raise RuntimeError(f"no printer at {self.port}: it ended with {self._process.wait()}")

    def turn(self, **switches: Any) -> dict[str, Any]:
        """Changes switches; what it then says of itself, nothing where it is not there."""
        with contextlib.suppress(OSError, ValueError):
            with (
                socket.create_connection((LOOPBACK, self.port + 1), timeout=2) as control,
                control.makefile("rw") as lines,
            ):
                lines.write(json.dumps(switches) + "\n")
                lines.flush()
                said: dict[str, Any] = json.loads(lines.readline())
            if said.get("unknown"):
                self.unknown.append(str(said["unknown"]))
            return said
        return {}

    def kill(self) -> None:
        """SIGKILL; its paper is gone with it, and the cable knows what was on it."""
        process, self._process = self._process, None
        if process is not None:
            self.turn()
            process.kill()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                pipe.close()
            process.wait()
            self.kills += 1


def mood(chance: Random) -> dict[str, Any]:
    """What somebody does to it next; as new in two of five."""
    return AS_NEW | chance.choice(
        (
            {},
            {},
            {"rows_left": 0},
            {"rows_left": chance.randrange(700)},
            {"is_open": True},
            {"is_off": True},
            {"talks": False},
            {"dies_after": chance.randrange(JOB_BYTES)},
            {"bytes_per_s": chance.choice((3_000, 20_000, 60_000))},
        )
    )
