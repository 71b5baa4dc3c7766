"""A till in a process of its own that is killed in mid-payment; works the window as a cashier, never stops by itself.

Its standard input is one line of JSON: config_dir, data_dir, control_url, control_token, steps, and (for a death
at a point nobody outside can see) die_at. Each step that is done is a line on standard output.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pos_app.domain.record import Record
from pos_app.journal import Journal
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments


def die_at(point: str) -> None:
    """The process kills itself around the durable intent: "before_intent" or "after_intent"."""
    before, _, kind = point.partition("_")
    write = Journal.append

    def append(journal: Journal, records: Sequence[Record]) -> int:
        meant = any(record.kind == kind.upper() for record in records)
        if meant and before == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        head = write(journal, records)
        if meant:
            os.kill(os.getpid(), signal.SIGKILL)
        return head

    setattr(Journal, "append", append)  # noqa: B010 - to the type checker a method is no variable


def main() -> None:
    """Do the steps, then live on until somebody kills this."""
    told = json.loads(sys.stdin.readline())
    sandbox = Sandbox.elsewhere(told["control_url"], told["control_token"])
    application = QApplication(["till"])
    till = StartedTill(sandbox, arguments(Path(told["config_dir"]), Path(told["data_dir"])))
    till.sign_in("Nimali")
    if told["die_at"]:
        die_at(told["die_at"])
    for step in told["steps"]:
        match step:
            case "qr":
                till.charge_qr("12.50")
            case "push":
                till.start_push("12.50")
            case "cancel":
                till.cancel()
            case "paid":
                till.until_result("PAID")
        sys.stdout.write(f"{step}\n")
        sys.stdout.flush()
    application.exec()


if __name__ == "__main__":
    main()
