"""The floor: a process with nothing but a QMainWindow. Says when it was painted and runs until a signal."""

from __future__ import annotations

import signal
import sys

from PySide6.QtWidgets import QApplication, QMainWindow

from tests.verification.bench.watching import at_first_paint, say


def main() -> int:
    """Runs until SIGTERM, whose default is the end."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    app = QApplication(["bare"])
    window = QMainWindow()
    window.resize(1366, 768)
    window.show()
    at_first_paint(lambda _window, _painting, at: say(repr(at)))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
