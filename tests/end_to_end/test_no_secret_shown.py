"""I8 at the real window: no secret, code, passcode or full number in anything it says, is called, or writes."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from tests.end_to_end.conftest import MakeTill
from tests.guards.canaries import Scanner
from tests.support.living import let_live
from tests.support.sandbox import Sandbox
from tests.support.till import NUMBERS, PASSCODE, StartedTill

WALLET = "+94771234567"


class Shown:
    """Everything that a screen reader, a screenshot or a window list could tell, collected as the till goes on."""

    def __init__(self, till: StartedTill) -> None:
        self._till = till
        self.texts: set[str] = set()

    def look(self) -> None:
        """Takes what is there now, seen or hidden."""
        for widget in [*QApplication.topLevelWidgets(), *self._till.window.findChildren(QWidget)]:
            self.texts |= {
                *(widget.windowTitle(), widget.objectName(), widget.windowIconText(), widget.windowRole()),
                *(widget.accessibleName(), widget.accessibleDescription(), widget.accessibleIdentifier()),
                *(widget.toolTip(), widget.statusTip(), widget.whatsThis()),
            }
            if isinstance(widget, QLabel | QAbstractButton):
                self.texts.add(widget.text())
        self.texts |= {each.objectName() for each in self._till.window.findChildren(QObject)}


def scanner(sandbox: Sandbox, code: str) -> Scanner:
    return Scanner(
        [
            ("the access token", sandbox.access_token),
            ("the secret code", sandbox.merchant_secret_code),
            ("the password", sandbox.merchant_password),
            ("the sign-in code", code),
            ("the passcode", PASSCODE),
            ("the wallet number", WALLET.lstrip("+")),
            *((f"the number of {name}", number) for name, number in NUMBERS.items()),
        ]
    )


def standing_alone(code: str, texts: list[str]) -> bool:
    """Six digits may be a part of any longer figure; a code stands alone."""
    return any(re.search(rf"(?<![0-9]){code}(?![0-9])", text) for text in texts)


def test_a_day_at_the_till_says_and_writes_no_secret(make_till: MakeTill, sandbox: Sandbox) -> None:
    """Sign-in, a passcode, a push, a sale by QR, the lock; looked at after every step."""
    till = make_till(signed_in="", log_level="debug")
    shown = Shown(till)
    till.until_seen("people")
    shown.look()
    till.pick("Nimali")
    till.until(lambda: till.takes("code"))
    code = till.code("Nimali")
    shown.look()
    till.type(code)
    till.until(lambda: till.takes("new_passcode"))
    shown.look()
    till.choose_passcode()
    till.until_at_the_till("Nimali")
    shown.look()
    attempt_id = till.charge_push("44", WALLET)
    shown.look()
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    shown.look()
    till.press(Qt.Key.Key_Return)
    sandbox.act(till.charge_qr("45"), "pay")
    shown.look()
    till.until_result("PAID")
    till.press(Qt.Key.Key_Return)
    till.press(Qt.Key.Key_F9)
    till.until(lambda: till.takes("passcode"))
    shown.look()
    till.type_passcode()
    till.until_at_the_till("Nimali")
    shown.look()
    data = till.session.shop.data_dir
    assert till.stop()
    written = [file.read_bytes() for file in data.rglob("*") if file.is_file() and file.name != "journal.key"]
    assert len(shown.texts) > 50
    assert any(file.name == "pos-app.log" for file in data.rglob("*"))
    found = scanner(sandbox, "\0none\0")
    assert [found.in_text(text) for text in shown.texts if found.in_text(text)] == []
    assert [found.in_bytes(content) for content in written if found.in_bytes(content)] == []
    assert not standing_alone(code, sorted(shown.texts))
    assert not standing_alone(code, [content.decode("latin-1") for content in written])


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads command lines in /proc")
def test_no_process_of_the_till_has_a_secret_in_its_command_line(
    qapp: object,  # noqa: ARG001 - the loop in which the other process is watched
    tmp_path: Path,
) -> None:
    """The till, the phone beside it in the same process, and the sandbox it starts, which tells its secrets by pipe."""
    from pos_app.bootstrap.shop import OWN_SANDBOX
    from tests.end_to_end.test_process import LIMIT_S, children, process, wait_until_up
    from tests.guards.canaries import secrets_alone

    with process("--sandbox", f"--data-dir={tmp_path}") as running:
        wait_until_up(tmp_path / OWN_SANDBOX)
        deadline = QDeadlineTimer(LIMIT_S * 1000)
        while not (beside := children(running.pid)):
            assert not deadline.hasExpired()
            let_live(50)
        lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (running.pid, *beside)]
        given = [_environment(pid) for pid in (running.pid, *beside)]
        running.terminate()
        running.wait(LIMIT_S)
    assert len(lines) == 1 + len(beside)
    assert all(lines), "a process that has ended has no command line to look at"
    read = [each for each in given if each is not None]
    assert all(read)
    assert not [found for each in (*lines, *read) if (found := secrets_alone().in_bytes(each))]


def _environment(pid: int) -> bytes | None:
    """None: the process is closed to everybody but root (`pos_app.system.memory`), so there is nothing to see."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except PermissionError:
        return None


def test_a_manager_saves_diagnostics_at_the_window(till: StartedTill) -> None:
    """By F10, with a reason that is recorded; the path is shown, the file is clean and lies beside the journal."""
    till.press(Qt.Key.Key_F10)
    till.touch("manager_diagnostics")
    till.until_seen("permit_reason")
    till.type("For the help desk")
    till.touch("permit_do")
    folder = till.session.shop.data_dir / "diagnostics"
    # A long path may break anywhere: the screen helps it along with signs of no width.
    till.until(lambda: any(str(folder) in words.replace("\u200b", "") for words in till.words()))
    (made,) = folder.iterdir()
    assert made.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(made) as archive:
        assert archive.testzip() is None
        assert "journal.json" in archive.namelist()
