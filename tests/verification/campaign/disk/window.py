"""The till's window on a disk that fails: works it as a cashier, then says in one JSON line what stood on the screen.

python -m tests.verification.campaign.disk.window PLAN BEFORE|AFTER, told on standard input where the sandbox is (as
JSON). The disk
fails just before the charge, or once the customer's phone has rung; in the end it is mended, and sells again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments, enrol
from tests.verification.campaign.disk import layer

MENDED = "write 0 0 0"
HALTED = "This terminal cannot record payments"


def before(till: StartedTill, plan: str) -> dict[str, Any]:
    """J0: the charge cannot be written, so nothing is sent."""
    layer.fail(plan)
    till.type("70")
    till.press(Qt.Key.Key_F2)
    till.until_says("block", HALTED)
    sent = [call for call in till.sandbox.calls() if call["operation"].startswith("initiate")]
    return {"sent": len(sent), "pay button": till.part("method_qr").isEnabled()}


def after(till: StartedTill, plan: str) -> dict[str, Any]:
    """J1: the payment's end cannot be written, so it stays to be written down by hand."""
    attempt_id = till.charge_push("71")
    layer.fail(plan)
    till.sandbox.act(attempt_id, "pay")
    till.until_says("write_down", "WRITE DOWN: sale")
    said = till.says("write_down")
    layer.fail(MENDED)
    till.until(lambda: not till.seen("write_down"))
    till.until_result("PAID")
    return {"said": said}


def main() -> None:
    """One of the two, then a payment on the mended disk."""
    told = json.loads(sys.stdin.readline())
    sandbox = Sandbox.elsewhere(told["control_url"], told["control_token"])
    assert QApplication(["till"])
    asked = arguments(Path(told["config_dir"]), Path(told["data_dir"]))
    enrol(asked)
    till = StartedTill(sandbox, asked)
    till.sign_in("Nimali")
    plan, when = sys.argv[1:]
    seen = before(till, plan) if when == "BEFORE" else after(till, plan)
    layer.fail(MENDED)
    till.until(lambda: not till.seen("block"))
    if when == "BEFORE":
        till.press(Qt.Key.Key_F2)
        till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    seen["stopped"] = till.stop()
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main()
