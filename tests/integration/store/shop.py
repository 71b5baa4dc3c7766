"""A store in a folder, by its verbs alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM
from typing import Any

from tests.integration.cli.till import Running

REPOSITORY = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONUTF8": "1"}


class Said:
    """What a verb said and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Each line of --json."""
        return [json.loads(line) for line in self.out.splitlines()]


class Shop:
    """`folder` is the store's --data; `more`: variables that its verbs see besides."""

    def __init__(self, folder: Path, more: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._environment = ENVIRONMENT | dict(more or {})
        self._command = [sys.executable, "-m", "pos_app", "store"]

    def verb(self, name: str, *more: str) -> Said:
        """One of them, to its end."""
        return Said(self.plainly(name, "--json", *more))

    def plainly(self, name: str, *more: str) -> subprocess.CompletedProcess[str]:
        """The same as a person reads it."""
        command = [*self._command, name, "--data", str(self.folder), *more]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            env=self._environment,
            timeout=100,
            check=False,
        )

    def begin(self, name: str, *more: str) -> subprocess.Popen[bytes]:
        """A verb under way, as a person types it: at a terminal, whose end is not passed over as behind `nohup`."""
        return subprocess.Popen(
            ["env", "--default-signal=HUP", *self._command, name, "--data", str(self.folder), *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=REPOSITORY,
        )

    def start(self, *more: str) -> tuple[Running, str]:
        """`store run`, and where it serves."""
        process = subprocess.Popen(
            [*self._command, "run", "--json", "--data", str(self.folder), *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=REPOSITORY,
            start_new_session=True,
        )
        running = Running(process)
        return running, str(running.until(lambda said: "url" in said)["url"])

    @contextmanager
    def served(self, *more: str) -> Iterator[str]:
        """Until the block ends."""
        running, url = self.start(*more)
        try:
            yield url
        finally:
            done = running.send(SIGTERM).end()
            assert done.code == 0, done.err

    def code(self, shop: str = "1") -> str:
        """A joining code."""
        return str(self.verb("code", shop).objects[0]["code"])
