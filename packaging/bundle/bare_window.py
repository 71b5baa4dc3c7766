"""The floor of the bundle's size and start: an empty window. Says when it was painted, runs until a signal."""

import signal
import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow


class Window(QMainWindow):
    """Tells once, in the turn after its first paint."""

    told = False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        if not self.told:
            self.told = True
            QTimer.singleShot(0, self.tell)

    def tell(self) -> None:
        sys.stdout.write(f"{time.monotonic()!r}\n")
        sys.stdout.flush()


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    application = QApplication(["bare"])
    window = Window()
    window.resize(1366, 768)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
