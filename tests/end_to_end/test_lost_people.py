"""The record is gone or was taken apart: the window says so, makes no first manager, and shows what was paid."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from pos_app.domain.people import FIRST_MANAGER
from pos_app.system import paths
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import written
from tests.support.sandbox import Sandbox
from tests.unit.journal.tampering import tamper

REPOSITORY = Path(__file__).parents[2]
NEW = "94770000042"


def first_manager(config: Path, data: Path, sandbox: Sandbox, *, name: str = "Amara Silva") -> str:
    """As the administrator of the machine types it; what was said."""
    common = [
        f"--config={config / 'config.toml'}",
        f"--secrets-file={config / 'secrets.toml'}",
        f"--data-dir={data}",
    ]
    before = len(sandbox.sms(NEW))
    process = subprocess.Popen(
        [sys.executable, "-m", "pos_app", *common, "first-manager", name, f"+{NEW}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=REPOSITORY,
        text=True,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    said = ""
    while "type it" not in said and process.poll() is None:
        said += process.stderr.readline()
    if process.poll() is None:
        assert len(sandbox.sms(NEW)) == before + 1
        process.stdin.write(f"{sandbox.sms(NEW)[0]['code']}\n")
        process.stdin.flush()
    # Not `communicate`: what the reading of a line has read ahead would be lost, where the process is quick to end.
    process.stdin.close()
    assert process.stdout is not None
    with process:
        said += process.stderr.read()
        return process.stdout.read() + said


def take_people_out(data: Path) -> None:
    """Rows of the middle, by somebody who can write the file."""
    connection = sqlite3.connect(data / "sandbox" / "journal.sqlite", isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    kinds = "('PERSON_ENROLLED', 'PERSON_RECOVERED', 'PASSCODE_SET')"
    connection.execute(f"DELETE FROM event WHERE kind IN {kinds}")
    connection.execute("DELETE FROM person")
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()


def take_journal_away(data: Path) -> None:
    for part in (data / "sandbox").glob("journal.sqlite*"):
        part.unlink()


@pytest.mark.parametrize("deed", [take_people_out, take_journal_away])
def test_only_the_administrator_makes_a_manager_where_there_was_one(
    make_till: MakeTill,
    sandbox: Sandbox,
    config_dir: Path,
    tmp_path: Path,
    deed: Callable[[Path], None],
) -> None:
    till = make_till()
    paid = till.charge_qr("12.50")
    sandbox.act(paid, "pay")
    till.until_result("PAID")
    assert till.stop()
    deed(tmp_path / "data")

    till = make_till(signed_in="", people=False)
    assert till.window.objectName() == "wizard"
    till.until_seen("lost_people")
    assert not till.seen("first_manager")
    assert till.says("lost_command") == FIRST_MANAGER
    assert till.stop()

    said = first_manager(config_dir, tmp_path / "data", sandbox)
    assert "Amara Silva is the manager now" in said
    assert "is a manager" in first_manager(config_dir, tmp_path / "data", sandbox, name="Another")

    till = make_till(signed_in="", people=False)
    assert till.window.objectName() == "till"
    till.until(lambda: till.rows("people") == ["Amara Silva"])
    ends = (State.PAID, State.PAID_LATE, State.DISPUTED)
    till.until(
        lambda: [each.state in ends for each in written(till).recent if each.attempt_id == paid] == [True]
    )


def test_the_list_of_open_payments_is_not_empty_while_the_service_is_still_asked(
    make_till: MakeTill, sandbox: Sandbox, tmp_path: Path
) -> None:
    """It said that all payments are settled, of a record that was begun anew a moment ago."""
    till = make_till()
    sandbox.act(till.charge_qr("12.50"), "pay")
    till.until_result("PAID")
    assert till.stop()
    last = "UPDATE event SET content = 'x' WHERE seq = (SELECT max(seq) FROM event)"
    tamper(tmp_path / "data" / "sandbox" / "journal.sqlite", last)
    till = make_till(signed_in="Kasun", people=False)
    till.press(Qt.Key.Key_F8)
    till.until_seen("nothing_open")
    assert till.says("nothing_open") == "We still ask the service for the others."


def test_settings_that_were_lost_lead_back_to_the_people_of_the_record(
    make_till: MakeTill, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wizard asks for the counter, and for no first manager."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    assert make_till().stop()
    till = make_till(signed_in="", people=False, config=None)
    assert till.window.objectName() == "wizard"
    # What the form of a live counter stores; a service on this machine it would not take.
    paths.user_file().parent.mkdir(parents=True)
    shutil.copy(config_dir / "config.toml", paths.user_file())
    assert till.app is not None
    first: Any = till.app._first_start
    first._answer = lambda _problems: None
    first._was_saved(())
    till.until(lambda: till.window.objectName() == "till")
    till.until(lambda: till.rows("people") == ["Nimali", "Kasun"])
