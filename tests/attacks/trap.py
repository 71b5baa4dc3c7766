"""A folder full of modules that leave a trace when somebody loads them, and processes started beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

LIMIT_S = 60
# Names of the standard library, of what the till depends on, and of its own.
NAMES = (
    "__future__",
    "argparse",
    "httpx",
    "json",
    "msgspec",
    "platformdirs",
    "PySide6",
    "signal",
    "sitecustomize",
    "sqlite3",
    "tomllib",
    "usercustomize",
    "uvicorn",
)


class Trap:
    """`sprung` names what was loaded."""

    def __init__(self, folder: Path, names: tuple[str, ...] = NAMES) -> None:
        self.folder = folder / "trap"
        self.folder.mkdir()
        self._trace = folder / "sprung"
        for name in names:
            self.folder.joinpath(f"{name}.py").write_text(
                f"with open({str(self._trace)!r}, 'a') as trace:\n    trace.write({name!r} + ' ')\n"
            )

    @property
    def sprung(self) -> set[str]:
        return set(self._trace.read_text().split()) if self._trace.exists() else set()

    def run(
        self, *arguments: str, variables: Mapping[str, str] | None = None, python: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        """The till with these arguments, started in the trap's folder."""
        return self.start(
            [sys.executable, *python, "-m", "pos_app", *arguments]
            if arguments
            else [sys.executable, *python],
            variables,
        )

    def start(
        self, command: list[str], variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Any command there."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_"))}
        return subprocess.run(
            command,
            cwd=self.folder,
            env=clean | {"QT_QPA_PLATFORM": "offscreen"} | dict(variables or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
