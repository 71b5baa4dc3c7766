"""A process that stood still knows for how long; one that waits by itself has not stood still."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

from tests.support.sandbox import REPOSITORY
from tests.verification.campaign.standstill import LOOK_S, Standstill

STOOD_S = 0.6
PROGRAM = """
import sys, time
from tests.verification.campaign.standstill import Standstill
with Standstill() as still:
    began = time.monotonic()
    print("begun", flush=True)
    sys.stdin.readline()
    print(still.since(began), flush=True)
"""


def test_what_it_stood_still_is_told_and_what_it_waited_is_not() -> None:
    line = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        threading.Event().wait(STOOD_S)
        process.send_signal(signal.SIGCONT)
        process.stdin.write("\n")
        process.stdin.flush()
        stood = float(process.stdout.readline())
    assert stood >= STOOD_S - 2 * LOOK_S


def test_one_that_waits_has_not_stood_still() -> None:
    with Standstill() as still:
        began = time.monotonic()
        threading.Event().wait(STOOD_S)
        waited = time.monotonic() - began
        # On a machine that stands still meanwhile, no longer than it waited too long.
        assert still.since(began) <= waited - STOOD_S + 2 * LOOK_S
