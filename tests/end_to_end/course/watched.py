"""`python -m tests.end_to_end.course.watched FOLDER`: learns, opens the settings, tells every file it opened."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

OPENED: list[str] = []
IMPORTED: list[str] = []


def listen(event: str, told: tuple[Any, ...]) -> None:
    """Every file by its name, and every module."""
    if event in ("open", "sqlite3.connect", "os.listdir", "os.scandir"):
        OPENED.append(os.fsdecode(told[0]) if isinstance(told[0], str | bytes | os.PathLike) else "")
    elif event == "import":
        IMPORTED.append(str(told[0]))


def main(folder: Path) -> None:
    """From the first import on."""
    sys.addaudithook(listen)
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from pos_app.ui.theme.theme import STYLE_ARGUMENTS
    from tests.end_to_end.course.going import do_right, learner

    application = QApplication(["pos-app", *STYLE_ARGUMENTS])
    application.setQuitOnLastWindowClosed(False)
    with learner(folder) as on:
        do_right(on, "first_qr")
        on.press(Qt.Key.Key_F10)
        on.touch("manager_settings")
        on.until_seen("settings")
        on.press(Qt.Key.Key_Escape)
        on.until(lambda: not on.seen("settings"))
    sys.stdout.write(json.dumps({"opened": OPENED, "keyring": "keyring" in IMPORTED}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
