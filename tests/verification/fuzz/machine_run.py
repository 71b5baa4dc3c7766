"""Target `machine`: the shop's state machine for as long as wanted; a failure is kept as the steps that lead to it."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import run_state_machine_as_test

from tests.support.figures import Figures
from tests.verification.fuzz.machine import ShopMachine

KEPT = Path("build/fuzz")
EXAMPLES, STEPS = 25, 60


def drive(seconds: float, kept: Figures) -> None:
    """Pieces of shops until the time is over; what failed in an earlier run is played first."""
    # The database holds what failed, and the first piece begins with it: what still fails is found again.
    kept.findings.clear()
    ends, pieces = time.monotonic() + seconds, 0
    while time.monotonic() < ends or not pieces:
        began = time.monotonic()
        steps, paid, shops = ShopMachine.steps, ShopMachine.paid, ShopMachine.shops
        findings = _piece()
        pieces += 1
        counts = {
            "shops": ShopMachine.shops - shops,
            "steps": ShopMachine.steps - steps,
            "payments": ShopMachine.paid - paid,
        }
        fresh = [line for line in findings if line not in kept.findings]
        kept.add(counts, findings=fresh, seconds=time.monotonic() - began)


def _piece() -> list[str]:
    wanted = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        print_blob=False,
        database=DirectoryBasedExampleDatabase(KEPT / "hypothesis"),
        # Shrinking knows no time limit; what failed lies in the database, and pytest shrinks it.
        phases=(Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(ShopMachine, settings=wanted)
    except Exception as failure:
        told = "\n".join([f"{type(failure).__name__}: {failure}", *getattr(failure, "__notes__", [])])
        folder = KEPT / "failures" / "machine"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{hashlib.blake2b(told.encode(), digest_size=8).hexdigest()}.txt"
        file.write_text(told, "utf-8", "backslashreplace")
        return [f"machine: {str(failure)[:200]} ({file.name})"]
    return []
