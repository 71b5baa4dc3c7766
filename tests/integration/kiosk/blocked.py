"""A process for test_watchdog: a till's two threads, of which one stops working when it is told to."""

from __future__ import annotations

import os
import sys
import threading

from PySide6.QtCore import QCoreApplication, QTimer

from pos_app.app.kiosk.watchdog import Watchdog
from pos_app.engine.core.mailbox import Mailbox, Pulse
from pos_app.system.service_manager import ServiceManager


def main() -> None:
    """Blocks "window" or "engine" for good once a line comes on standard input; "none" has no engine at all."""
    who = sys.argv[1]
    qt = QCoreApplication([])
    mailbox, blocked = Mailbox(), threading.Event()

    def engine() -> None:
        while True:
            event = mailbox.next(None)
            if who == "engine" and blocked.is_set():
                threading.Event().wait()
            if isinstance(event, Pulse):
                event.beat()

    threading.Thread(target=engine, daemon=True).start()

    def pulse(beat: object) -> bool:
        if who == "none":
            return False
        mailbox.post(Pulse(beat))  # type: ignore[arg-type]
        return True

    manager = ServiceManager(os.environ)
    dog = Watchdog(manager, pulse)
    manager.ready()

    def listen() -> None:
        sys.stdin.readline()
        blocked.set()

    threading.Thread(target=listen, daemon=True).start()
    if who == "window":
        look = QTimer()
        look.timeout.connect(lambda: threading.Event().wait() if blocked.is_set() else None)
        look.start(5)
    qt.exec()
    dog.stop()


if __name__ == "__main__":
    main()
