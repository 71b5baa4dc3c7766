"""Argon2id as it is stored and checked, on the crew that makes the calls: never on the engine's thread."""

from __future__ import annotations

import queue
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.domain.secret import Secret
from pos_app.engine.connection.calls import PasscodeChecked, PasscodeHashed
from pos_app.engine.connection.executor import Executor
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.core.mailbox import Message
from pos_app.engine.staff.hashing import MEMORY_KIB, hash_passcode, is_passcode
from pos_app.services.open import Services

MANY = """
import threading
from pathlib import Path
from pos_app.domain.secret import Secret
from pos_app.engine.staff.hashing import hash_passcode, is_passcode

def kib():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4

hashed = hash_passcode(Secret("704918"))
first, together = kib(), threading.Barrier(9)

def work():
    for _ in range(2):
        together.wait()
        is_passcode(Secret("704918"), hashed)
    together.wait()
    together.wait()

threads = [threading.Thread(target=work) for _ in range(8)]
for each in threads:
    each.start()
for _ in range(3):
    together.wait()
print(kib() - first)
together.wait()
"""
RIGHT, WRONG = Secret("704918"), Secret("704919")


def no_services() -> Services:
    """A hash needs no line."""
    raise AssertionError


def test_a_hash_says_its_cost_and_is_another_each_time() -> None:
    """Two equal passcodes cannot be told from their hashes; the passcode is nowhere in it."""
    first, second = hash_passcode(RIGHT), hash_passcode(RIGHT)
    assert first.startswith(b"$argon2id$v=19$m=19456,t=2,p=1$")
    assert first != second
    assert b"704918" not in first
    assert is_passcode(RIGHT, first)
    assert not is_passcode(WRONG, first)


def test_what_is_no_hash_is_never_right() -> None:
    """Whoever could write one could as well write nonsense."""
    for nonsense in (b"", b"704918", b"$argon2id$v=19$m=19456,t=2,p=1$"):
        assert not is_passcode(RIGHT, nonsense)


def test_the_executor_answers_beside_the_engine() -> None:
    """Right, wrong, broken; chosen, and the same again."""
    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    poller = PollLoop(no_services, posted.put)
    executor = Executor(no_services, "amount", poller, posted.put)
    hashed = hash_passcode(RIGHT)
    executor.check_passcode(1, RIGHT, hashed)
    assert posted.get(timeout=20) == PasscodeChecked(1, True)
    executor.check_passcode(2, WRONG, hashed)
    assert posted.get(timeout=20) == PasscodeChecked(2, False)
    executor.hash_passcode(3, RIGHT, hashed)
    assert posted.get(timeout=20) == PasscodeHashed(3, None, same=True)
    executor.hash_passcode(4, WRONG, hashed)
    made = posted.get(timeout=20)
    assert isinstance(made, PasscodeHashed)
    assert made.hashed is not None
    assert is_passcode(WRONG, made.hashed)
    executor.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the size")
def test_the_memory_of_a_hash_goes_back_whichever_thread_made_it() -> None:
    """Eight threads that are all still there keep less than one hash of them needed; each kept its 19 MiB once."""
    done = subprocess.run(
        [sys.executable, "-c", MANY],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert int(done.stdout) < MEMORY_KIB
