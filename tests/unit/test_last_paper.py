"""The paper of what a verb has done: what is being printed when its time is over is not cut off."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest

from pos_app.cli import printing
from pos_app.cli.printing import LastPaper
from pos_app.domain.print_job import JobState, PaperKind, Why
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterReady
from tests.unit.engine.test_print_queue import Counter

LIMIT_S = 30.0


def time_is_up() -> None:
    """Of whoever waits here."""
    for each in threading.enumerate():
        if isinstance(each, threading.Timer):
            each.join(LIMIT_S)


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> tuple[Counter, str]:
    """A payment whose receipt is wanted."""
    monkeypatch.setattr(printing, "PAPER_S", 0.01)
    counter = Counter()
    return counter, counter.rig.pay()


def waiting(counter: Counter, about: str, ends: threading.Event) -> LastPaper:
    """A verb that waits for it."""
    last = LastPaper(cast(Any, counter.journal))
    last.began(lambda _message: None)
    last.take(counter.rig.terminal)
    last.carry(PaperKind.RECEIPT, about, ends.set)
    return last


def test_what_is_being_printed_is_waited_for_to_its_end(paid: tuple[Counter, str]) -> None:
    """A Z that took longer than a verb waited was cut off by the end of its till."""
    counter, about = paid
    counter.rig.tell(PrinterReady(1, "sha"))
    ends = threading.Event()
    last = waiting(counter, about, ends)
    time_is_up()
    assert not ends.is_set()
    counter.rig.tell(PrintEnded(1, JobState.PRINTED))
    last.take(counter.rig.terminal)
    assert ends.is_set()
    assert last.job is not None
    assert last.job.state is JobState.PRINTED


def test_what_waits_for_its_printer_is_left_to_the_next_till(paid: tuple[Counter, str]) -> None:
    counter, about = paid
    ends = threading.Event()
    last = waiting(counter, about, ends)
    assert not ends.is_set(), "it may come out at once"
    time_is_up()
    assert ends.is_set()
    counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    assert last.job is not None
    assert last.job.state is JobState.HELD
