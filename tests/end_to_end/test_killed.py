"""The window's process is killed in mid-payment; the next start shows the truth and the journal holds it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import Attempt, State
from pos_app.journal import read_only
from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import StartedTill, arguments, enrol

LIMIT_S = 60


class Doomed:
    """The process; its death is a SIGKILL."""

    def __init__(self, sandbox: Sandbox, config_dir: Path, data_dir: Path) -> None:
        self._told = {
            "config_dir": str(config_dir),
            "data_dir": str(data_dir),
            "control_url": sandbox.control_url,
            "control_token": sandbox.control_token,
        }
        self._process: subprocess.Popen[str] | None = None

    def run(self, *steps: str, die_at: str = "") -> None:
        """Starts it; returns at once."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.doomed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        )
        assert self._process.stdin is not None
        told = self._told | {"steps": steps, "die_at": die_at}
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()

    def did(self, step: str) -> None:
        """Waits until this step is done."""
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == step:
                return
        pytest.fail(f"it ended before it did {step!r}")

    def kill(self) -> None:
        """SIGKILL, or wait for the one it gave itself."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        self._reap(process)

    def dies(self) -> None:
        """It kills itself."""
        process, self._process = self._process, None
        assert process is not None
        assert process.wait(LIMIT_S) == -9
        self._reap(process)

    @staticmethod
    def _reap(process: subprocess.Popen[str]) -> None:
        process.wait(LIMIT_S)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def doomed(sandbox: Sandbox, config_dir: Path, tmp_path: Path) -> Iterator[Doomed]:
    enrol(arguments(config_dir, tmp_path / "data"))
    it = Doomed(sandbox, config_dir, tmp_path / "data")
    yield it
    it.kill()


def journal(tmp_path: Path) -> list[Attempt]:
    """What the journal holds of the newest attempts, read from beside the till."""
    reading = read_only(tmp_path / "data" / "sandbox" / "journal.sqlite")
    try:
        return list(reading.recent(5))
    finally:
        reading.close()


def wait_for(condition: object) -> None:
    from PySide6.QtCore import QDeadlineTimer

    from tests.support.living import let_live

    deadline = QDeadlineTimer(LIMIT_S * 1000)
    while not condition():  # type: ignore[operator]
        assert not deadline.hasExpired()
        let_live(20)


def restarted(make_till: MakeTill) -> StartedTill:
    """The next start; whose payment it was signs in again: their passcode is enough."""
    return make_till(people=False)


def test_nothing_was_recorded_so_nothing_was_sent(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    doomed.run("push", die_at="before_intent")
    doomed.dies()
    assert sandbox.calls("initiate_push") == []
    till = restarted(make_till)
    assert journal(tmp_path) == []
    assert not till.seen("open_badge")
    till.charge_qr("1")


def test_recorded_and_not_sent_is_asked_about_and_closed_safely(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    doomed.run("push", die_at="after_intent")
    doomed.dies()
    assert sandbox.calls("initiate_push") == []
    till = restarted(make_till)
    till.until_result("NOT KNOWN YET")
    assert "from before the restart" in till.says("result_more")
    till.touch("result_close")
    till.touch("question_yes")
    till.until_result("NOT PAID")
    assert [each["status"] for each in sandbox.transactions()] == ["Merchant Cancel"]
    assert [each.state for each in journal(tmp_path)] == [State.CANCELLED]


def test_killed_while_the_request_is_on_its_way_and_then_paid(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.fault("hold", "initiate_push", at="after")
    doomed.run("push")
    wait_for(lambda: sandbox.held())
    doomed.kill()
    sandbox.release()
    till = restarted(make_till)
    till.until_seen("waiting_panel")
    assert till.says("waiting_title").startswith("Finishing a payment from before the restart")
    sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
    till.until_result("PAID")
    assert [each.state for each in journal(tmp_path)] == [State.PAID]
    assert len(sandbox.transactions()) == 1


def test_the_customer_pays_while_the_till_is_dead(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    doomed.run("qr")
    doomed.did("qr")
    doomed.kill()
    sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
    till = restarted(make_till)
    till.until(lambda: "Paid" in till.says("recent_0"))
    assert not till.seen("open_badge")
    assert [each.state for each in journal(tmp_path)] == [State.PAID]
    till.charge_qr("12.50")


def test_a_cancel_that_was_under_way_is_carried_through_without_a_touch(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.fault("drop_before", "cancel", count=None)
    doomed.run("qr", "cancel")
    doomed.did("cancel")
    wait_for(lambda: sandbox.calls("cancel"))
    doomed.kill()
    sandbox.clear_faults()
    till = restarted(make_till)
    till.until(lambda: [each["status"] for each in sandbox.transactions()] == ["Merchant Cancel"])
    till.until(lambda: "Cancelled" in till.says("recent_0"))
    assert [each.state for each in journal(tmp_path)] == [State.CANCELLED]
    till.press(Qt.Key.Key_Return)


def test_a_paid_sale_is_still_paid_after_the_kill(
    doomed: Doomed, make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    doomed.run("qr", "paid")
    doomed.did("qr")
    sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
    doomed.did("paid")
    doomed.kill()
    before = journal(tmp_path)
    assert [each.state for each in before] == [State.PAID]
    till = restarted(make_till)
    till.until(lambda: "Paid" in till.says("recent_0"))
    assert journal(tmp_path) == before
