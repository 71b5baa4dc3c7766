"""A process that has loaded the till's verbs and becomes `pos-app` by a fork for each that is asked of it.

Started by tests/support/forked.py, which says what is asked: one message a process, with its files. Loading the same
modules anew for each verb took more of the tests' time than what the verbs did. Each process is one of its own
all the same: its folder, environment, files, session, signals, its end and its exit code are those of a real start.
How long it waits for others is its own, too, unless a variable says otherwise (patient_verbs.py).
What it is not is a start: no test of the start itself may use it.

It loads nothing that asks its surroundings anything while it is loaded (keyring and Qt do), begins no thread,
and knows nothing of what the tests wait for.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from typing import Any, NamedTuple

from tests.support.patient_verbs import VARIABLE, wait_longer

LONGEST = 1 << 20
"""Bytes of a message: a line of arguments and an environment."""
FILES = 4
"""With each message: standard input, output and error, and where to answer."""
LOADED = (
    "pos_app.__main__",
    "pos_app.bootstrap.services",
    "pos_app.engine.headless",
    "pos_app.engine.till",
    "pos_app.i18n.languages",
    "pos_app.i18n.papers",
    "pos_app.journal.history",
    "pos_app.journal.salvage",
    "pos_app.log",
    "pos_app.log.hooks",
    "pos_app.services.http",
    "pos_app.store.command",
    "pos_app.store.running",
    "concurrent.futures.thread",
    "cryptography.hazmat.primitives.ciphers.aead",
    "email.parser",
    "h11",
    "httpcore",
    "httpx",
    "idna",
    "phonenumbers",
    "_strptime",
    "_ssl",
)
"""What a verb loads when it runs, apart from its own module."""
_NOT_LOADED = ("tour", "gallery", "training", "sandbox")
"""Verbs of a window, and the stranger."""


class _Asked(NamedTuple):
    """A process to become."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    files: list[int]


def _load() -> None:
    from pos_app.cli.main import VERBS

    own = [module for name, (_, module) in VERBS.items() if name not in _NOT_LOADED]
    for module in (*LOADED, *own):
        importlib.import_module(module)
    wrong = [name for name in ("PySide6", "keyring", "pytest") if name in sys.modules]
    assert not wrong, f"loaded before any verb: {wrong}"
    many = os.listdir("/proc/self/task")  # noqa: PTH208 - no more is loaded than a verb needs
    assert len(many) == 1, f"a process with {len(many)} threads is not forked"


def _serve(asking: socket.socket) -> _Asked | None:
    """In the process that was asked for: what it is. In the server: None, when whoever asks has ended."""
    waiting = selectors.DefaultSelector()
    waiting.register(asking, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is asking:
                told, files, _, _ = socket.recv_fds(asking, LONGEST, FILES)
                if not told:
                    return None
                asked = _Asked(**json.loads(told), files=files)
                pid = os.fork()
                if not pid:
                    return asked
                _began(waiting, pid, files)
            else:
                waiting.unregister(key.fileobj)
                _ended(key.fd, *key.data)


def _began(waiting: selectors.DefaultSelector, pid: int, files: list[int]) -> None:
    """Says who it is: its number, and a handle that never means another one."""
    for file in files[:3]:
        os.close(file)
    answers = socket.socket(fileno=files[3])
    handle = os.pidfd_open(pid)
    socket.send_fds(answers, [str(pid).encode()], [handle])
    waiting.register(handle, selectors.EVENT_READ, (pid, answers))


def _ended(handle: int, pid: int, answers: socket.socket) -> None:
    _, status = os.waitpid(pid, 0)
    os.close(handle)
    with answers:
        try:
            answers.send(str(os.waitstatus_to_exitcode(status)).encode())
        except BrokenPipeError:
            return  # nobody waits for it


def _become(asked: _Asked) -> None:
    os.setsid()
    # A terminal's own: whoever runs the tests behind `nohup`, or a shell in the background, has them passed over by all
    # that they start.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for place, file in enumerate(asked.files[:3]):
        os.dup2(file, place)
    os.closerange(3, max(map(int, os.listdir("/proc/self/fd"))) + 1)  # noqa: PTH208 - as above
    os.environ.clear()
    os.environ.update(asked.environment)
    time.tzset()
    os.chdir(asked.folder)
    sys.argv[1:] = asked.arguments
    if seconds := os.environ.pop(VARIABLE, ""):
        wait_longer(float(seconds))


def _run() -> Any:
    """As `pos-app` ends: its code, or what it raises."""
    from pos_app.__main__ import main

    code: object
    try:
        code = main()
    except SystemExit as end:
        code = end.code
    if isinstance(code, int):
        _ends_with.append(code)
    return code


_ends_with: list[int] = []


def _leave() -> None:
    """Ends the process where Python would take its modules apart, which takes longer than most verbs.

    Threads have ended by now, the other exit functions have run, and what is garbage has been closed.
    """
    if not _ends_with:
        return
    gc.collect()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # Python has a code of its own for that
    os._exit(_ends_with[0])


def _main() -> Any:
    # Before anything else registers one: the first is the last to run.
    atexit.register(_leave)
    _load()
    gc.freeze()
    asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is None:
        return 0
    _become(asked)
    return _run()


if __name__ == "__main__":
    sys.exit(_main())
