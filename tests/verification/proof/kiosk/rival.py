"""A red window that wants the whole screen, in front of everything. Run as a process of its own."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget


def main() -> int:
    """Until it is killed."""
    qt = QApplication(["rival"])
    window = QWidget()
    window.setWindowFlags(Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
    colours = window.palette()
    colours.setColor(QPalette.ColorRole.Window, QColor("#ff0000"))
    window.setPalette(colours)
    window.setWindowTitle("rival")
    window.setGeometry(qt.primaryScreen().geometry())
    window.show()
    window.raise_()
    window.activateWindow()
    return qt.exec()


if __name__ == "__main__":
    sys.exit(main())
