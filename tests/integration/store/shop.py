"""A store in a folder, by its verbs alone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM

from tests.integration.cli.till import Done, Running
from tests.support.forked import TILL, start_verb

REPOSITORY = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONUTF8": "1"}


class Shop:
    """`folder` is the store's --data; `more`: variables that its verbs see besides."""

    def __init__(self, folder: Path, more: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._environment = {**os.environ, **(more or {})}

    def verb(self, name: str, *more: str) -> Done:
        """One of them, to its end."""
        return self.plainly(name, "--json", *more)

    def plainly(self, name: str, *more: str) -> Done:
        """The same as a person reads it."""
        return self.started(name, *more).end()

    def started(self, name: str, *more: str) -> Running:
        """A verb under way, and what it says."""
        return Running(start_verb(["store", name, "--data", str(self.folder), *more], self._environment))

    def begin(self, name: str, *more: str) -> subprocess.Popen[bytes]:
        """A verb under way, as a person types it: at a terminal, whose end is not passed over as behind `nohup`."""
        return subprocess.Popen(
            ["env", "--default-signal=HUP", *TILL, "store", name, "--data", str(self.folder), *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=REPOSITORY,
        )

    def start(self, *more: str) -> tuple[Running, str]:
        """`store run`, and where it serves."""
        running = self.started("run", "--json", *more)
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
