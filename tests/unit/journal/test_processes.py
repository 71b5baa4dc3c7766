"""One till per journal, others may read, and a killed one leaves nothing behind but what it had written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, JournalInUse, open_journal, read_only
from tests.support.builders import KEY, attempt, intent

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parent.parent.parent


@contextmanager
def till(path: Path, payments: int) -> Iterator[subprocess.Popen[str]]:
    """Another process on the journal; ended behind the test."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.journal.child", str(path), str(payments)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    """The next line."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_second_till_is_refused_and_told_who_holds_it(path: Path, journal: Journal) -> None:
    """In another process, and in this one."""
    journal.append([intent(1)])
    with till(path, 1) as other:
        assert said(other) == f"in use by {os.getpid()}"
    with pytest.raises(JournalInUse):
        open_journal(path, KEY, Environment.SANDBOX)


def test_closing_lets_the_next_till_in(path: Path, journal: Journal) -> None:
    """The lock file stays; the lock does not."""
    journal.close()
    with till(path, 1) as other:
        assert said(other) == "open"


def test_a_killed_till_loses_nothing_and_frees_the_journal(path: Path, opened: Callable[[], Journal]) -> None:
    """kill -9 in the middle of writing, ten times: every commit that returned is there, and the chain holds."""
    last = 0
    for _ in range(10):
        with till(path, 0) as other:
            assert said(other) == "open"
            for _ in range(5):
                last = int(said(other))
            other.send_signal(signal.SIGKILL)
            assert other.stdout is not None
            last = int((other.stdout.read().split() or [str(last)])[-1])
        journal = opened()
        assert journal.head()[0] >= last
        assert not journal.verify().broken_at
        assert journal.next_sale_number() == journal.head()[0] + 1
        journal.close()


def test_another_process_reads_while_the_till_writes(path: Path) -> None:
    """Each commit is seen by the next look, without the lock and without the key."""
    with till(path, 3) as other:
        assert [said(other) for _ in range(4)] == ["open", "1", "2", "3"]
        looking = read_only(path)
        assert [one.attempt_id for one in looking.recent(2)] == [attempt(3).attempt_id, attempt(2).attempt_id]
        looking.close()


def test_a_reader_does_not_hold_up_the_till(path: Path, journal: Journal) -> None:
    """An open look at the past neither blocks a commit nor sees half of one."""
    journal.append([intent(1)])
    looking = read_only(path)
    assert len(looking.recent(9)) == 1
    journal.append([intent(2)])
    assert len(looking.recent(9)) == 2
    looking.close()
