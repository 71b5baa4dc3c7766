"""A Windows of a test's own, as Wine plays it, on a display of its own with a window manager."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.sources import ROOT
from tests.verification.proof.display import display

BUILT = ROOT / "dist" / "windows" / "pos-app"
MADE = ROOT / "build" / "windows"
BUILD = ["sh", str(ROOT / "packaging" / "windows" / "build.sh")]
NEEDED = ("wine", "wineserver", "makensis", "x86_64-w64-mingw32-gcc", "openbox", "osslsigncode")
LIMIT_S = 240
LOOK_S = 0.1
LATER = "99.0.0"
"""The number of the update: the same till once more."""

UNINSTALLER = ("C:\\Program Files\\pos-app\\uninstall.exe", "/S", "_?=C:\\Program", "Files\\pos-app")
"""Told its folder, last and without quotes (so in two words), it does not go on from a copy of itself."""

_PRIVATE = 0o077
"""Wine makes its access lists of modes, and what lies in a person's folders on Windows is that person's alone."""

FINISHED = os.environ.get("POS_APP_SETUP", "")
"""The installer of a release, which is tried as it is (packaging/release.py); "" where one is packed for the trial."""


def missing() -> str:
    """What this machine lacks of all that; "" where it has all."""
    return ", ".join(name for name in NEEDED if shutil.which(name) is None)


@cache
def built() -> Path:
    """The folder, made anew where it is older than the code; that takes two minutes."""
    log = MADE / "pos-app.log"
    if not (BUILT / "CONTENTS.sha256").exists() or not log.exists() or log.stat().st_mtime < _newest():
        subprocess.run([*BUILD], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    return BUILT


def _newest() -> float:
    places = [ROOT / name for name in ("pos_app", "resources", "packaging/bundle", "packaging/locks")]
    files = [path for place in places for path in place.rglob("*") if path.suffix not in {".pyc", ".po"}]
    files += [ROOT / "packaging" / "windows" / name for name in ("seal.py", "prepare.py", "pos-app.manifest")]
    return max(path.stat().st_mtime for path in files if path.is_file())


def python() -> str:
    """CPython for Windows with what tests need, as that Windows names it; made once."""
    subprocess.run([*BUILD, "--tests"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    return "Z:" + str(MADE / "tests" / "python.exe").replace("/", "\\")


def version() -> str:
    """What it calls itself where nobody says otherwise."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def setup(to: Path, called: str, folder: Path | None = None, **variables: str) -> str:
    """An installer of the built folder, or of another, that calls itself by this version; packed the quick way."""
    if FINISHED and called == version() and folder is None and not variables:
        return FINISHED
    made = to / f"setup-{called}.exe"
    environment = {**os.environ, "COMPRESS": "zlib", "VERSION": called, **variables}
    command = [*BUILD, "--installer", str(made), *([] if folder is None else [str(folder)])]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, env=environment)
    return str(made)


class Ended(NamedTuple):
    """How a program ended, and what it said."""

    code: int
    said: str


class Wine:
    """`c`: its drive C, as this system sees it."""

    def __init__(self, prefix: Path, shown_on: str) -> None:
        self.c = prefix / "drive_c"
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(prefix),
            "LANG": "C.UTF-8",
            "DISPLAY": shown_on,
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=",
        }

    def run(
        self,
        *command: str,
        limit_s: float = LIMIT_S,
        drain_s: int | None = None,
        variables: Mapping[str, str] | None = None,
        most: int | None = None,
    ) -> Ended:
        """Ends within the limit, or is ended; `drain_s`: so long an installer waits for the till to close; `most`: of a
        file that it writes the disk takes so many bytes.
        """
        more = {} if drain_s is None else {"POS_APP_DRAIN_S": str(drain_s)}
        started = Started(command, {**self._environment, **more, **(variables or {})}, most)
        return started.end(limit_s)

    def start(self, *command: str) -> Started:
        """One that goes on."""
        return Started(command, self._environment)

    def stop(self) -> None:
        """All that runs in it, and what Wine itself leaves behind."""
        subprocess.run(["wineserver", "-k"], env=self._environment, check=False, timeout=60)


def take_away(machine: Wine) -> None:
    """The till that an installer has laid, and that Windows has it listed: an older one is refused beside a newer.

    An uninstaller that does not go on from a copy of itself stays; its folder goes, for nothing is installed beside
    something else.
    """
    there = machine.c / "Program Files" / "pos-app"
    if (there / "pos-app.exe").exists():
        machine.run(*UNINSTALLER)
    shutil.rmtree(there, ignore_errors=True)


class Started:
    """A program of that Windows. Its output is a pipe: Python for Windows does not start into a file of Linux."""

    def __init__(
        self, command: tuple[str, ...], environment: dict[str, str], most: int | None = None
    ) -> None:
        limited = [] if most is None else ["prlimit", f"--fsize={most}"]
        self._process = subprocess.Popen(
            [*limited, "wine", *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            umask=_PRIVATE,
            # Python passes the signal of such a limit by: what is too much is then a write that fails.
            restore_signals=most is None,
        )
        self._said: list[bytes] = []
        self._heard = threading.Condition()
        self._is_over = False
        # Services that Wine starts keep the pipe open behind the program: nobody waits for the pipe's end.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            while not self._is_over:
                # What has been said is read to its end before the end of the program is asked about.
                has_ended = self._process.poll() is not None
                is_told = bool(select.select([output], [], [], LOOK_S)[0])
                told = os.read(output.fileno(), 65_536) if is_told else b""
                with self._heard:
                    self._said.append(told)
                    self._is_over = has_ended and not told
                    self._heard.notify_all()

    @property
    def said(self) -> str:
        return b"".join(self._said).decode("utf-8", "replace")

    def says(self, text: str) -> bool:
        """Whether it does before its end, and within the limit."""
        with self._heard:
            self._heard.wait_for(lambda: text in self.said or self._is_over, LIMIT_S)
        return text in self.said

    def is_on(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """At once; what it was asked to keep is kept."""
        self._process.kill()
        self._process.wait(60)
        self._reader.join()

    def end(self, limit_s: float) -> Ended:
        """Raises subprocess.TimeoutExpired, and ends it then."""
        try:
            code = self._process.wait(limit_s)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise AssertionError(f"still there after {limit_s:.0f} s: {self.said}") from error
        self._reader.join()
        return Ended(code, self.said)


@contextmanager
def windows(folder: Path) -> Iterator[Wine]:
    """A machine that nothing was ever installed on; `folder`: where it lies."""
    built()
    prefix = folder / "prefix"
    shutil.copytree(MADE / "prefix", prefix, symlinks=True)
    with display(size="1920x1080") as shown_on:
        manager = subprocess.Popen(
            ["openbox"], env={**os.environ, "DISPLAY": shown_on}, stderr=subprocess.DEVNULL
        )
        machine = Wine(prefix, shown_on)
        try:
            yield machine
        finally:
            machine.stop()
            manager.terminate()
            manager.wait(20)
            shutil.rmtree(prefix, ignore_errors=True)
