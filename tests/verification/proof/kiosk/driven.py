"""Run in cage: a till alone on its screen, worked by a cashier of ours. Its last line tells what it saw, as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication

from tests.end_to_end.staffing import open_menu
from tests.integration.kiosk import robot
from tests.integration.kiosk.alone import AloneTill
from tests.verification.proof.kiosk.starting import begun


def main() -> int:
    """A sale, a close from outside, every key; then a manager leaves. The till's exit code."""
    qt, sandbox, till = begun()
    sandbox.act(till.charge_qr("12.50"), "pay")
    till.press(Qt.Key.Key_F5)
    till.until_result("PAID")
    window = till.window
    seen = {
        "platform": QGuiApplication.platformName(),
        "screen": list(QGuiApplication.primaryScreen().size().toTuple()),
        "window": list(window.size().toTuple()),
        "frame": window.frameGeometry() != window.geometry(),
        "close": _closes(till),
    }
    for key, held in robot.commands(robot.every_key()):
        robot.strike(till.native, key, held)
    for _gesture in robot.gestures(till.native):
        pass
    qt.processEvents()
    seen |= {
        "same": till.window is window and window.isVisible(),
        "alone": till.shown == [window],
        "result": till.says("result_headline"),
        "payments": len(sandbox.transactions()),
        "children": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()),
    }
    till.picture().save(str(Path(sys.argv[1], "paid.png")))
    open_menu(till, "manager_leave")
    till.until_seen("permit_reason")
    till.type("Service of the terminal")
    till.touch("permit_do")
    kiosk = till.kiosk
    assert kiosk is not None
    till.until(lambda: kiosk.asked is not None)
    till.kiosk = None
    code, ended = kiosk.stop()
    sys.stdout.write(json.dumps(seen | {"ended": ended}) + "\n")
    return int(code)


def _closes(till: AloneTill) -> bool:
    event = QEvent(QEvent.Type.Close)
    QCoreApplication.sendEvent(till.native, event)
    return event.isAccepted()


if __name__ == "__main__":
    sys.exit(main())
