"""The insides of functions, changed and tried by mutmut in the copy. Must not know what a change means."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.verification.mutants.areas import Area
from tests.verification.mutants.mutant import NOTICED, Mutant, Verdict, change
from tests.verification.mutants.workshop import environment

_VERDICTS = {
    None: Verdict.UNTRIED,
    2: Verdict.UNTRIED,
    1: Verdict.KILLED,
    3: Verdict.KILLED,
    0: Verdict.SURVIVED,
    5: Verdict.SURVIVED,
    33: Verdict.SURVIVED,
}
"""mutmut's exit codes. 5 and 33: no test runs the function. Whatever else there is ended by a limit or a crash."""

_MARK = "__mutmut_"
_SAMPLES = "0369258147"
_GRACE_S = 20.0
_LOOK_S = 0.1
_TRIES = b"Running mutation testing"
"""What mutmut says before the first."""


def try_functions(area: Area, seconds: float | None, *, resume: bool, fresh_tests: bool) -> float:
    """Runs mutmut until all are tried or the time is over; each result is on the disk when it is there.

    `seconds` begin when it has made its changes and all tests have passed without one: that takes as long for a sample
    as for all of them. Returns that moment (monotonic seconds).
    """
    if resume and fresh_tests:
        _forget_survivors(area)
    patterns = [] if resume or seconds is None else [_sample(seconds / 60 / area.full_minutes)]
    path = area.place / "mutmut.log"
    log = path.open("wb")
    with (
        log,
        subprocess.Popen(
            [
                str(Path(sys.executable).with_name("mutmut").absolute()),
                "run",
                "--max-children",
                "1",
                *patterns,
            ],
            cwd=area.place,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        ) as process,
    ):
        try:
            ready = _ready(process, path)
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = 0
        finally:
            _end(process)
    if code:
        raise RuntimeError(f"mutmut could not begin, mostly because a test fails: {path}")
    return ready


def _ready(process: subprocess.Popen[bytes], log: Path) -> float:
    """Waits until mutmut tries its first change, or has ended."""
    while _TRIES not in log.read_bytes():
        try:
            process.wait(_LOOK_S)
            break
        except subprocess.TimeoutExpired:
            continue
    return time.monotonic()


def _end(process: subprocess.Popen[bytes]) -> None:
    """mutmut and the test run under it, whatever they are at."""
    for sign in (signal.SIGINT, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, sign)
            try:
                process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                continue


def _sample(share: float) -> str:
    """A pattern of mutmut's names for about this share of all: by the last digit of their numbers."""
    return f"*[{_SAMPLES[: max(1, min(10, int(share * 10)))]}]"


def _notes(area: Area) -> Iterator[tuple[Path, Path]]:
    """Each changed module (relative) and mutmut's notes on it."""
    root = area.place / "mutants"
    for module in area.modules(area.place):
        notes = root / f"{module}.meta"
        if notes.exists():
            yield module, notes


def _forget_survivors(area: Area) -> None:
    for _, path in _notes(area):
        kept = json.loads(path.read_text())
        codes = kept["exit_code_by_key"]
        kept["exit_code_by_key"] = {
            name: code if _verdict(code) in NOTICED else None for name, code in codes.items()
        }
        path.write_text(json.dumps(kept))


def _verdict(code: int | None) -> Verdict:
    return _VERDICTS.get(code, Verdict.TIMEOUT)


def functions_of(area: Area) -> list[Mutant]:
    """Every mutant that mutmut has made, with what came of it so far."""
    found: list[Mutant] = []
    for module, path in _notes(area):
        bodies = _bodies((area.place / "mutants" / module).read_text())
        dotted = ".".join(module.with_suffix("").parts)
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items():
            mangled = name.rpartition(".")[2]
            function = mangled.rpartition(_MARK)[0]
            was, becomes = change(bodies[f"{function}{_MARK}orig"], bodies[mangled])
            found.append(Mutant(name, f"{dotted}.{_plain(function)}", was, becomes, _verdict(code)))
    return found


def _plain(mangled: str) -> str:
    """`x_step` is step, `xǁTurnǁto` is Turn.to."""
    return mangled.removeprefix("x_") if mangled.startswith("x_") else mangled.strip("xǁ").replace("ǁ", ".")


def _bodies(text: str) -> dict[str, list[str]]:
    """The lines of each of mutmut's functions, their own names made equal."""
    lines = text.splitlines()
    return {
        node.name: [line.replace(node.name, "") for line in lines[node.lineno - 1 : node.end_lineno]]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _MARK in node.name
    }
