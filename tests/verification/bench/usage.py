"""What a till costs while it runs: processor idle and while it polls, memory after a minute of use."""

from __future__ import annotations

import json
import os
import time

from tests.verification.bench.figure import Figure, median
from tests.verification.bench.playing import shop
from tests.verification.bench.processes import Process, bare_window, cpu_s, pss_mib, till

QUICK = bool(os.environ.get("BENCH_QUICK"))
IDLE_S, POLLING_S, USE_S = (4, 6, 15) if QUICK else (20, 30, 75)
HOLD_OFF_S = 1
GOAL_IDLE = 0.01
"""Per cent of a core: the clock's minute is all that is painted."""


def measure(*, quick: bool = False) -> list[Figure]:
    """One run of the till beside one of each floor."""
    idle_s, polling_s = (4, 6) if quick else (IDLE_S, POLLING_S)
    # Each alone: what two processes share counts half for either.
    bare_memory = _bare_memory()
    with shop() as (sandbox, arguments):
        environment = {"BENCH_SANDBOX": json.dumps(sandbox.details), "BENCH_QUICK": "1" if quick else ""}
        with (
            till("usage", arguments, environment) as process,
            Process("tests.verification.bench.bare_poll", environment=environment) as bare,
        ):
            _await(process, "idle")
            idle, _ = _busy(process, bare, idle_s)
            _await(process, "polling")
            polling, floor = _busy(process, bare, polling_s)
            bare.stop()
            _await(process, "used")
            memory = pss_mib(process.pid)
    return [
        Figure(
            name="processor, nothing to do",
            unit="% core",
            ours=idle,
            floor=0,
            goal=GOAL_IDLE,
            floor_is="nothing",
            absolute=True,
            limited_by="a look each second, for garbage and for updates; each two, whether the lock is ours",
        ),
        Figure(
            name="processor while polling",
            unit="% core",
            ours=polling,
            floor=floor,
            goal=2.5,
            floor_is="bare client, same interval",
            limited_by="half of it a clock painted each second, a third the request over a connection gone cold",
        ),
        Figure(
            name="memory after a minute of use",
            unit="MiB PSS",
            ours=memory,
            floor=bare_memory,
            goal=1.8,
            floor_is="bare QMainWindow process",
            limited_by="window 25 MiB, engine with HTTP library and TLS 20, QR encoder and number tables 7; "
            "another Qt process on the machine makes the floor look smaller",
        ),
    ]


def _await(process: Process, part: str) -> None:
    said = json.loads(process.line())
    assert said == part, said


def _busy(process: Process, bare: Process, seconds: float) -> tuple[float, float]:
    """Both processes' shares of one core, in per cent, while nothing else is done."""
    before, start = (cpu_s(process.pid), cpu_s(bare.pid)), time.monotonic()
    time.sleep(seconds - HOLD_OFF_S)
    took = time.monotonic() - start
    return (cpu_s(process.pid) - before[0]) / took * 100, (cpu_s(bare.pid) - before[1]) / took * 100


def _bare_memory() -> float:
    measured = []
    for _ in range(3):
        with bare_window() as process:
            measured.append(pss_mib(process.pid))
    return median(measured)
