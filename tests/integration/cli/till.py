"""Runs `python -m pos_app` as a shop would, and reads what it says; knows nothing of the till's own code.

What a verb loads first is loaded once for many (tests/support/forked.py); its process is one of its own.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from signal import Signals
from typing import Any, NamedTuple, Self

from tests.support.forked import Forked, start_anew, start_verb

LIMIT_S = 60.0
KEYS = [
    "sale_id",
    "attempt_id",
    "wallet_transaction_id",
    "kind",
    "amount",
    "currency",
    "state",
    "reason",
    "service_status",
    "code",
    "qr_text",
    "origin",
    "other_origin",
]


class Done(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Every line of standard output, which must all be JSON objects."""
        found = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(each, dict) for each in found)
        return found

    @property
    def last(self) -> dict[str, Any]:
        return self.objects[-1]

    @property
    def states(self) -> list[str]:
        return [each["state"] for each in self.objects]


class Running:
    """A process under way; its lines are read as they come, so that a test waits for one and never sleeps."""

    def __init__(self, process: Forked | subprocess.Popen[bytes]) -> None:
        self._process = process
        self._out: list[str] = []
        self._err: list[str] = []
        self._ended = False
        self._changed = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout, self._out)),
            threading.Thread(target=self._read, args=(self._process.stderr, self._err)),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, pipe: Any, lines: list[str]) -> None:
        with pipe:
            for line in pipe:
                with self._changed:
                    lines.append(line.decode())
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def said(self) -> list[dict[str, Any]]:
        """The objects it has said so far."""
        return [json.loads(line) for line in list(self._out)]

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first object it has said, or says next, that is wanted."""
        self._wait(lambda: any(map(wanted, self.said())))
        return next(filter(wanted, self.said()))

    def tells(self, text: str) -> None:
        """Waits for a text on standard error."""
        self._wait(lambda: any(text in line for line in self._err))

    @property
    def lines(self) -> list[str]:
        """Standard output as far as it was read."""
        return self._out

    def says(self, text: str) -> None:
        """Waits for a text on standard output."""
        self._wait(lambda: any(text in line for line in self._out))

    def until_lines(self, wanted: Callable[[list[str]], list[str]]) -> list[str]:
        """What is made of standard output, once it is something."""
        self._wait(lambda: bool(wanted(self._out)))
        return wanted(self._out)

    def _wait(self, said: Callable[[], bool]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: said() or self._ended, LIMIT_S)
            assert said(), f"never said; it said {self._out} {self._err}"

    def state(self, name: str) -> dict[str, Any]:
        """The first object with this state."""
        return self.until(lambda said: said["state"] == name)

    def send(self, number: Signals) -> Self:
        self._process.send_signal(number)
        return self

    def group(self, number: Signals) -> Self:
        """As a terminal does it: everything that belongs to the command gets the signal."""
        os.killpg(self._process.pid, number)
        return self

    def kill(self) -> Done:
        """As a power cut does it."""
        self._process.kill()
        return self.end()

    def end(self) -> Done:
        """Waits for it to end by itself."""
        try:
            code = self._process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
            self._join()
            raise AssertionError(f"did not end; it said {self._out} {self._err}") from None
        self._join()
        return Done(code, "".join(self._out), "".join(self._err))

    def _join(self) -> None:
        for reader in self._readers:
            reader.join(LIMIT_S)


class Till:
    """One counter: a config, a secrets file and a data folder, named in front of every verb."""

    def __init__(
        self, common: list[str], environment: Mapping[str, str] | None = None, program: str = "pos_app"
    ) -> None:
        self.common = common
        self.program = program
        self.environment = {**os.environ, **(environment or {})}

    def start(self, *arguments: str | bytes) -> Running:
        """Starts a verb with --json."""
        return self.start_saying("--json", *arguments)

    def run(self, *arguments: str | bytes) -> Done:
        """A verb with --json, to its end."""
        return self.start(*arguments).end()

    def start_saying(self, *arguments: str | bytes) -> Running:
        """Starts a verb as a person does."""
        line = [*self.common, *arguments]
        if self.program == "pos_app":
            return Running(start_verb(line, self.environment))
        return Running(start_anew([sys.executable, "-m", self.program, *line], self.environment))

    def say(self, *arguments: str | bytes) -> Done:
        """A verb as a person runs it, to its end."""
        return self.start_saying(*arguments).end()


def till_of(config: Path, secrets: Path, data: Path) -> Till:
    """A counter with these files."""
    return Till(["--config", str(config), "--secrets-file", str(secrets), "--data-dir", str(data)])


def bare(*arguments: str | bytes, environment: Mapping[str, str] | None = None) -> Done:
    """`pos-app` with these arguments alone."""
    return Till([], environment).say(*arguments)
