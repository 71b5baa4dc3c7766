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
    from pos_app.devices.printers.network import NetworkPrinter
    from pos_app.engine.core import startup

    headless_till.FIRST_WORD_S = seconds
    finding.FIND_S = seconds  # type: ignore[attr-defined]
    startup.LIMIT_MS = int(seconds * 1000)
    NetworkPrinter.__init__.__defaults__ = printers_wait(seconds)


def printers_wait(seconds: float) -> tuple[object, ...]:
    """The defaults of a printer on the network that waits so long for a connection, a word and an echo."""
    from pos_app.devices.printers.network import NetworkPrinter

    *limits, lookup = NetworkPrinter.__init__.__defaults__ or ()
    assert len(limits) == 3
    return (seconds, seconds, seconds, lookup)
