"""Waiting for sockets and devices, in a process that has more files open than `select` can tell apart."""

import os
import socket
import sys
from collections.abc import Iterator

import pytest

from pos_app.system.waiting import can_read, can_write

if sys.platform != "win32":
    import fcntl
    import resource

FIRST_TOO_HIGH = 1_024
"""FD_SETSIZE."""

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows numbers no files, and its select takes no pipes"
)


@pytest.fixture
def high() -> Iterator[socket.socket]:
    """One end of a pair, under a number that `select` refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard <= FIRST_TOO_HIGH:
        pytest.skip("no process may open so many files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FIRST_TOO_HIGH + 64), hard))
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            twin = socket.socket(fileno=fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, FIRST_TOO_HIGH))
        with twin:
            theirs.sendall(b"x")
            yield twin
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@posix
def test_many_open_files_are_no_hindrance(high: socket.socket) -> None:
    assert high.fileno() >= FIRST_TOO_HIGH
    assert can_write(high, 0)
    assert can_read(high, 0)
    assert can_read(high.fileno(), 0), "a number alone, as of a device"


def test_nothing_has_come() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not can_read(ours, -1.0), "a deadline that has passed is no wait without an end"
        assert can_write(ours, -1.0)


def test_an_end_is_something_to_read() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        theirs.close()
        assert can_read(ours, 0)


@posix
def test_a_pipe_that_is_full_takes_nothing_more() -> None:
    reads, writes = os.pipe()
    try:
        fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4_096)
        os.write(writes, b"x" * 4_096)
        assert not can_write(writes, 0.01)
        os.read(reads, 4_096)
        assert can_write(writes, 0)
    finally:
        os.close(reads)
        os.close(writes)
