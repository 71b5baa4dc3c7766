"""What a real start has of a hang-up from the process that starts it."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def with_a_terminal() -> Iterator[None]:
    """A real start inherits what this process does at a hang-up: behind `nohup`, nothing."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
