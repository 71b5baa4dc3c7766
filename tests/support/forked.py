"""Processes of the till without what their start takes: forked off one that has loaded its verbs (fork_server.py).

`start` is for whoever wants a verb's process and not its start. It gives a real start where a fork would not be the
same: with an environment that is more than the till's own, on a system without forks, and outside the tests, where
campaigns judge whole tills.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from tests.support.fork_server import LONGEST
from tests.support.patient_verbs import VARIABLE

REPOSITORY = Path(__file__).parents[2]
TILL = [sys.executable, "-m", "pos_app"]
_MAY_DIFFER = ("POS_APP_", "XDG_")
_MAY_DIFFER_TOO = frozenset(
    {
        "COLUMNS",
        "CREDENTIALS_DIRECTORY",
        "HOME",
        "LINES",
        "NO_COLOR",
        "PYSIDE6_OPTION_PYTHON_ENUM",
        "PYTEST_CURRENT_TEST",
        "TERM",
        "TMPDIR",
        "TZ",
        VARIABLE,
    }
)
"""What no library, no loader and no Python looks at before the till's first line. Qt for Python sets its own in
whatever process loads it, a test's for one; the till drops it."""


class Forked:
    """A process of the till, as far as subprocess.Popen has it; its two outputs are pipes."""

    def __init__(self, asking: socket.socket, told: bytes) -> None:
        self._lock = threading.Lock()
        self._code: int | None = None
        self._answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        out, writes_out = os.pipe()
        err, writes_err = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        try:
            socket.send_fds(asking, [told], [nothing, writes_out, writes_err, theirs.fileno()])
        finally:
            theirs.close()
            for each in (nothing, writes_out, writes_err):
                os.close(each)
        said, handles, _, _ = socket.recv_fds(self._answers, LONGEST, 1)
        if not said:
            raise RuntimeError("the fork server has ended")
        self.pid, (self._handle,) = int(said), handles
        self.stdout: IO[bytes] = os.fdopen(out, "rb")
        self.stderr: IO[bytes] = os.fdopen(err, "rb")

    def poll(self) -> int | None:
        """Its exit code once it has ended, as subprocess has it: the signal's number below zero."""
        return self._within(0)

    def wait(self, timeout: float | None = None) -> int:
        """The same, within so many seconds. Raises subprocess.TimeoutExpired."""
        code = self._within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("pos-app", timeout or 0)
        return code

    def _within(self, seconds: float | None) -> int | None:
        with self._lock:
            if self._code is None:
                poll = select.poll()
                poll.register(self._answers, select.POLLIN)
                if poll.poll(None if seconds is None else seconds * 1_000):
                    said = self._answers.recv(LONGEST)
                    self._answers.close()
                    os.close(self._handle)
                    # A server that was ended tells no code any more.
                    self._code = int(said) if said else -signal.SIGKILL
            return self._code

    def send_signal(self, number: signal.Signals) -> None:
        """To it alone; one that has ended gets none."""
        if self.poll() is None:
            try:
                signal.pidfd_send_signal(self._handle, number)
            except ProcessLookupError:
                return

    def kill(self) -> None:
        """As a power cut does it."""
        self.send_signal(signal.SIGKILL)


class _Server:
    """The process that is forked, started by the first who wants one; it ends with this one."""

    def __init__(self) -> None:
        self._asking, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asking.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.fork_server", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                # Of the kind that its processes get: what Python makes of them stays.
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=REPOSITORY,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        atexit.register(self._stop)

    def _stop(self) -> None:
        self._asking.close()
        self._process.communicate()

    def start(self, arguments: Sequence[str | bytes], environment: Mapping[str, str]) -> Forked:
        told = {
            "arguments": [os.fsdecode(each) for each in arguments],
            "environment": dict(environment),
            "folder": str(REPOSITORY),
        }
        return Forked(self._asking, json.dumps(told).encode())


def start_verb(
    arguments: Sequence[str | bytes], environment: Mapping[str, str]
) -> Forked | subprocess.Popen[bytes]:
    """`pos-app` with these arguments, in the repository, a session of its own; nothing to read, two pipes to write."""
    command = [*TILL, *arguments]
    if not _is_the_same_forked(arguments, environment):
        return start_anew(command, environment)
    # What is looked for on command lines (tests/guards/watching.py) is looked for here as well.
    sys.audit("subprocess.Popen", sys.executable, command, REPOSITORY, environment)
    with _ONE:
        if not _servers:
            _servers.append(_Server())
        return _servers[0].start(arguments, environment)


def _is_the_same_forked(arguments: Sequence[str | bytes], environment: Mapping[str, str]) -> bool:
    if "PYTEST_CURRENT_TEST" not in os.environ or not hasattr(os, "pidfd_open"):
        return False
    # A line with a zero in it is refused by the system, before there is a till.
    can_be_said = not any(b"\0" in os.fsencode(each) for each in arguments)
    return can_be_said and _seen(environment) == _OURS


def start_anew(command: Sequence[str | bytes], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """The same by a real start, of whatever program."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=REPOSITORY,
        start_new_session=True,
    )


_ONE = threading.Lock()
_servers: list[_Server] = []


def _seen(environment: Mapping[str, str]) -> dict[str, str]:
    """What a start looks at before the till does."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith(_MAY_DIFFER) and name not in _MAY_DIFFER_TOO
    }


_OURS = _seen(os.environ)
