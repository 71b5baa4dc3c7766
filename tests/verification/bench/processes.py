"""Starts the till and its floors as processes of their own and reads what the kernel knows of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

REPOSITORY = Path(__file__).parents[3]
END_LIMIT_S = 15


def till_python() -> str:
    """The Python whose environment holds what the till ships with and nothing else, where there is one."""
    return os.environ.get("TILL_PYTHON") or sys.executable


class Process:
    """`with Process("tests.verification.bench.bare_window") as child:`; it says its first line when it was painted."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        environment: dict[str, str] | None = None,
        program: Path | None = None,
        python: str = "",
    ) -> None:
        """`program`: a built one, in place of a module of ours; `python`: not the till's own."""
        starter = [str(program)] if program else [python or till_python(), "-m", module]
        self._command = [*starter, *arguments]
        inherited = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        self._environment = inherited | {"QT_QPA_PLATFORM": "offscreen"} | (environment or {})
        self.first_paint_ms = 0.0

    def __enter__(self) -> Self:
        started = time.monotonic()
        self._process = subprocess.Popen(
            self._command,
            cwd=REPOSITORY,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.first_paint_ms = (float(self.line()) - started) * 1000
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Asks it to end, and sees to it; calling it again does nothing."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def go_on(self) -> None:
        """One line for it, where it waits for one."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """What it says next. Raises RuntimeError when it ended instead."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self._command)} ended with {self._process.wait(END_LIMIT_S)}")
        return line.decode().strip()


def cpu_s(pid: int) -> float:
    """The processor time of all its threads that live; to the nanosecond, where /proc/PID/stat counts ticks."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


def pss_mib(pid: int) -> float:
    """Memory: its own pages, and its share of the shared ones."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def till(scene: str, arguments: Sequence[str], environment: dict[str, str] | None = None) -> Process:
    """The real till; `scene` is a module of tests.verification.bench.scenes, or "" for none."""
    return Process("tests.verification.bench.till_process", scene, *arguments, environment=environment)


def bare_window() -> Process:
    """The floor of start and memory; with Qt for Python as pip installs it, where ours has its modules unpacked."""
    return Process("tests.verification.bench.bare_window", python=sys.executable)
