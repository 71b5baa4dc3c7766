"""The journal's disk is full: no new payments, the open one is still asked about, and a person writes it down."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


@contextlib.contextmanager
def no_room(data_dir: Path) -> Iterator[None]:
    """No file of this process may grow beyond what the journal has now: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal = data_dir / "sandbox" / "journal.sqlite-wal"
    resource.setrlimit(resource.RLIMIT_FSIZE, (journal.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_nothing_is_sent_when_it_cannot_be_recorded(
    till: StartedTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    with no_room(tmp_path / "data"):
        till.type("70")
        till.press(Qt.Key.Key_F2)
        till.until_says("block", "This terminal cannot record payments")
        assert not till.part("method_qr").isEnabled()
        assert not till.part("method_push").isEnabled()
        assert sandbox.calls("initiate_qr") == []
        assert till.says("amount").endswith("70")
    till.until(lambda: not till.seen("block"))
    till.press(Qt.Key.Key_F2)
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert len(sandbox.transactions()) == 1


def test_an_end_that_cannot_be_recorded_stays_on_the_screen_to_be_written_down(
    till: StartedTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    attempt_id = till.charge_push("71")
    with no_room(tmp_path / "data"):
        sandbox.act(attempt_id, "pay")
        till.until_says("write_down", "WRITE DOWN: sale")
        assert "PAID 71.00" in till.says("write_down")
    till.until(lambda: not till.seen("write_down"))
    till.until_result("PAID")
    till.stop()
