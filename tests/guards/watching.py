"""Fails a run in which a canary was written where it does not belong, or anything spoke to another machine."""

import contextlib
import ipaddress
import os
import sys
import threading
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.guards.canaries import Scanner, known, secrets_alone

REPOSITORY = Path(__file__).parents[2]

MAY_HOLD_SECRETS = ("secrets*.toml", "sandbox.sqlite*", "token", "grant.json", "record", "sent.log")
"""What a test gives a till as its secrets; the sandbox's own store, which knows both sides' secrets; the record
of a campaign's disk and a killed till's list of requests, which hold what left for the service."""


class Watch:
    """What this process starts and whom it speaks to, from the moment it is told to look."""

    def __init__(self) -> None:
        self._scanner = secrets_alone()
        self._looking = threading.local()
        self.wrong: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Python's audit hook; it can never be taken away again, so that it must be quick."""
        if event == "socket.connect":
            if not is_here(arguments[1]):
                self.wrong.append(f"{_test()}: a socket was connected to {arguments[1]!r}")
        elif event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"):
            self._look_at_line(arguments)

    def _look_at_line(self, arguments: tuple[Any, ...]) -> None:
        if getattr(self._looking, "on", False):
            return
        self._looking.on = True
        try:
            line = arguments[1] if len(arguments) > 1 else arguments[0]
            words = line if isinstance(line, list | tuple) else [line]
            for word in words:
                with contextlib.suppress(TypeError):
                    text = os.fsdecode(word)
                    self.wrong += [
                        f"{_test()}: {what} on a command line" for what in self._scanner.in_text(text)
                    ]
        finally:
            self._looking.on = False


def _test() -> str:
    return os.environ.get("PYTEST_CURRENT_TEST", "between the tests")


def is_here(address: Any) -> bool:
    """Whether a socket's address is on this machine: a path, or a loopback address or name."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in ("localhost", "")


def written_wrongly(scanner: Scanner, folder: Path) -> list[str]:
    """The files that hold what they may not."""
    return [
        f"{path}: {', '.join(found)}"
        for path, found in scanner.in_tree(folder)
        if not any(fnmatch(path.name, pattern) for pattern in MAY_HOLD_SECRETS)
    ]


def written_since(scanner: Scanner, folder: Path, since: float) -> list[str]:
    """The same for the files right in a folder that is not the tests' own: cores, logs, figures."""
    return [
        f"{path}: {', '.join(found)}"
        for path in folder.iterdir()
        if path.is_file() and path.stat().st_mtime >= since and (found := scanner.in_bytes(path.read_bytes()))
    ]


_WATCH: list[Watch] = []


@pytest.fixture(scope="session", autouse=True)
def no_canary_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Looks through everything the run wrote, at its end; the folder's name says which test it was."""
    scanner, began = known(), time.time()
    if not _WATCH:
        _WATCH.append(Watch())
        sys.addaudithook(_WATCH[0])
    yield
    wrong = list(_WATCH[0].wrong)
    wrong += written_wrongly(scanner, tmp_path_factory.getbasetemp())
    for folder in (REPOSITORY, REPOSITORY / "build"):
        if folder.is_dir():
            wrong += written_since(scanner, folder, began)
    if wrong:
        pytest.fail("a canary where it does not belong:\n" + "\n".join(wrong[:50]), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:  # noqa: ARG001
    """What a test logged or printed, at whatever level, holds none either."""
    report: pytest.TestReport = yield
    if report.when == "teardown" and report.passed and _WATCH:
        told = "\n".join(text for _, text in report.sections)
        if found := known().in_text(told):
            report.outcome = "failed"
            report.longrepr = f"{', '.join(found)} was logged or printed"
    return report
