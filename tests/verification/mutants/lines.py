"""The three lines a mutant has to pass: the quick tests, the same for what lies outside functions, the slow ones."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.verification.mutants.areas import Area
from tests.verification.mutants.functions import functions_of, try_functions
from tests.verification.mutants.mutant import Mutant, Verdict
from tests.verification.mutants.outsides import outsides_of
from tests.verification.mutants.results import Results
from tests.verification.mutants.trial import attempt
from tests.verification.mutants.workshop import environment, prepare

_LIMIT_S = 60
_SLOW_LIMIT_S = 240
_SHARES = (0.55, 0.85, 1.0)
"""How far into the time of an area each line may go; what one leaves over, the next one has."""


@dataclass(frozen=True)
class Budget:
    """When each line has to end (monotonic seconds); None where nobody waits."""

    began: float
    seconds: float | None

    def left(self, line: int) -> float | None:
        """What a line has left."""
        return None if self.seconds is None else self.began + self.seconds * _SHARES[line] - time.monotonic()

    def is_over(self, line: int) -> bool:
        """Whether it has to end now."""
        left = self.left(line)
        return left is not None and left <= 0


def examine(area: Area, seconds: float | None, *, resume: bool) -> list[Mutant]:
    """Tries what there is time for; every mutant of the area with what is known of it."""
    fresh_tests = prepare(area, resume=resume)
    first = None if seconds is None else seconds * _SHARES[0]
    budget = Budget(try_functions(area, first, resume=resume, fresh_tests=fresh_tests), seconds)
    outsides = _try_outsides(area, budget, fresh_tests=fresh_tests)
    return _try_slowly(area, functions_of(area), budget, fresh_tests=fresh_tests) + outsides


def _kept(area: Area, name: str, *, fresh_tests: bool) -> Results:
    results = Results(area.place / f"{name}.json")
    if fresh_tests:
        results.forget_survivors()
    return results


def _code(area: Area, module: Path) -> str:
    return hashlib.sha256((area.place / module).read_bytes()).hexdigest()[:12]


def _try_outsides(area: Area, budget: Budget, *, fresh_tests: bool) -> list[Mutant]:
    results = _kept(area, "outsides", fresh_tests=fresh_tests)
    made = [
        (module, f"{mutant.key} @{_code(area, module)}", mutant, text)
        for module in area.modules(area.place)
        for mutant, text in outsides_of(area.place, module)
    ]
    for module, key, _, text in random.sample(made, len(made)):
        if budget.is_over(1):
            break
        if results.get(key) is Verdict.UNTRIED:
            results.put(key, attempt(area.place, area.tests, module, text, _LIMIT_S))
    return [msgspec.structs.replace(mutant, verdict=results.get(key)) for _, key, mutant, _ in made]


def _try_slowly(area: Area, mutants: list[Mutant], budget: Budget, *, fresh_tests: bool) -> list[Mutant]:
    """What the quick tests let through."""
    results = _kept(area, "slow", fresh_tests=fresh_tests)
    codes = {
        ".".join(module.with_suffix("").parts): _code(area, module) for module in area.modules(area.place)
    }
    keys = {
        mutant.name: f"{mutant.key} @{next(codes[name] for name in codes if mutant.name.startswith(f'{name}.'))}"
        for mutant in mutants
        if mutant.verdict is Verdict.SURVIVED
    }
    untried = [name for name, key in keys.items() if results.get(key) is Verdict.UNTRIED]
    unchanged = _slowly(area, "") if untried and not budget.is_over(2) else Verdict.SURVIVED
    if unchanged is Verdict.TIMEOUT:
        print(f"{area.name}: the slow tests were too slow without any change; they were left out", flush=True)
        untried = []
    elif unchanged is not Verdict.SURVIVED:
        raise RuntimeError(
            f"{area.name}: the slow tests fail without any change: nothing can be said by them"
        )
    for name in untried:
        if budget.is_over(2):
            break
        results.put(keys[name], _slowly(area, name))
    return [
        msgspec.structs.replace(mutant, verdict=results.get(keys[mutant.name]))
        if results.get(keys.get(mutant.name, "")) is not Verdict.UNTRIED
        else mutant
        for mutant in mutants
    ]


def _slowly(area: Area, name: str) -> Verdict:
    """In processes of their own, told by mutmut's variable which of the copies of a function to run."""
    for command in area.slow:
        with subprocess.Popen(
            [sys.executable, *command],
            cwd=area.place / "mutants",
            env=environment(MUTANT_UNDER_TEST=name, PYTHONPATH=str((area.place / "mutants").absolute())),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                if process.wait(_SLOW_LIMIT_S):
                    return Verdict.KILLED
            except subprocess.TimeoutExpired:
                return Verdict.TIMEOUT
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
    return Verdict.SURVIVED
