"""What a till of a test waits for, for longer than a machine stands still: its own limits are for people who wait.

A verb's process is told by a variable (tests/support/fork_server.py); a test that has the till in its own process calls
what it needs.
"""

from __future__ import annotations

VARIABLE = "TEST_PATIENCE_S"
PATIENT_S = 10.0
"""Of a verb of which a test waits for the answer: within the half minute that the test has for it."""
PATIENT = {VARIABLE: str(PATIENT_S)}
"""The environment of a verb that waits longer for the service's first word, for other counters and for a printer's."""


def wait_longer(seconds: float) -> None:
    """In a process of its own alone: nothing is taken back."""
    from pos_app.bootstrap import finding
    from pos_app.cli import headless_till
    from pos_app.devices.printers import network
    from pos_app.engine.core import startup

    headless_till.FIRST_WORD_S = seconds
    finding.FIND_S = seconds  # type: ignore[attr-defined]
    startup.LIMIT_MS = int(seconds * 1000)
    network.LIMITS = network.Limits(seconds, seconds, seconds)
