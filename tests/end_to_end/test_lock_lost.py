"""The journal's lock taken away under a running till: it stops selling and says so; a second one gets nowhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from tests.end_to_end.staffing import written
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

NOTICED = "the journal's lock was removed or replaced"
pytestmark = pytest.mark.expects_log(NOTICED)
SAID = {
    "en": "Another program may be selling on this terminal’s record of payments. No new payments.",
    "si": "මෙම යන්ත්‍රයේ ගෙවීම් වාර්තාව තවත් වැඩසටහනක් භාවිත කරනවා විය හැක.",
    "ta": "இந்த இயந்திரத்தின் கொடுப்பனவுப் பதிவை வேறொரு நிரல் பயன்படுத்தக்கூடும்.",
    "ar": "قد يكون برنامج آخر يستخدم سجل عمليات هذا الجهاز.",
}


def lock_of(data_dir: Path) -> Path:
    return data_dir / "sandbox" / "journal.sqlite.lock"


@pytest.mark.parametrize("language", list(SAID))
def test_a_till_nobody_sells_at_says_it(
    make_till: Callable[..., StartedTill], tmp_path: Path, language: str
) -> None:
    """Before the next customer stands there; in the words of its language."""
    till = make_till(language=language)
    lock_of(tmp_path / "data").unlink()
    till.until_says("block", SAID[language])
    assert not till.part("method_qr").isEnabled()
    assert not till.part("method_push").isEnabled()


def test_nothing_is_sent_once_the_lock_is_gone(till: StartedTill, sandbox: Sandbox, tmp_path: Path) -> None:
    """Also for the second or two until it has been seen; and not when it is put back."""
    lock = lock_of(tmp_path / "data")
    lock.rename(lock.with_name("elsewhere"))
    till.type("70")
    till.press(Qt.Key.Key_F2)
    till.until(lambda: till.seen("block"))
    till.until_says("block", SAID["en"])
    lock.with_name("elsewhere").rename(lock)
    till.press(Qt.Key.Key_F2)
    assert sandbox.calls("initiate_qr") == []
    assert till.says("block").startswith(SAID["en"])
    till.stop()


def test_an_end_is_still_asked_for_and_shown_to_be_written_down(
    till: StartedTill, sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The customer has paid; only the record is no longer ours to write."""
    attempt_id = till.charge_push("71")
    lock_of(tmp_path / "data").unlink()
    till.until(lambda: any("cannot record payments" in said for said in till.words()))
    sandbox.act(attempt_id, "pay")
    till.until_says("write_down", "PAID 71.00")
    till.until(lambda: NOTICED in caplog.text)
    till.stop()


def test_a_restart_is_the_way_back(
    make_till: Callable[..., StartedTill], sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It finds by asking what could not be written down."""
    till = make_till()
    attempt_id = till.charge_push("72")
    lock_of(tmp_path / "data").unlink()
    till.until(lambda: any("cannot record payments" in said for said in till.words()))
    sandbox.act(attempt_id, "pay")
    till.until_says("write_down", "PAID 72.00")
    till.until(lambda: NOTICED in caplog.text)
    till.stop()
    again = make_till(people=False)
    again.until(lambda: not again.seen("block"))
    assert sandbox.transaction(attempt_id)["status"] == "Payment Success"
    # It sells after five seconds though the first answer has not come.
    ends = (State.PAID, State.PAID_LATE)
    again.until(lambda: [each.state in ends for each in written(again).recent] == [True])


def test_a_second_till_is_refused_beside_the_first(
    till: StartedTill, sandbox: Sandbox, config_dir: Path, tmp_path: Path
) -> None:
    """A real process, with the lock's file gone and with a fresh one in its place."""
    lock = lock_of(tmp_path / "data")
    for replaced in (False, True):
        lock.unlink(missing_ok=True)
        if replaced:
            lock.touch(0o600)
        done = subprocess.run(
            [
                sys.executable, "-m", "pos_app", "--config", str(config_dir / "config.toml"),
                "--secrets-file", str(config_dir / "secrets.toml"), "--data-dir", str(tmp_path / "data"),
                "pay", "--amount", "73.00", "--qr",
            ],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 73, done
        assert "is in use by another till" in done.stderr
    till.until_says("block", SAID["en"])
    assert sandbox.calls("initiate_qr") == []
    till.stop()
