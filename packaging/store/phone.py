"""The sandbox's phone beside the fourth counter of `make store`: where the code that signs in arrives.

What it asks with comes by standard input, as one JSON line with `control_url` and `control_token`; it ends with it.
"""

from __future__ import annotations

import json
import sys
import threading

from PySide6.QtCore import QMetaObject, Qt
from PySide6.QtWidgets import QApplication

from pos_app.training.phone.news import Key
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from pos_app.ui.theme import theme

MESSAGES = 2


def main() -> int:
    """Until whoever started it ends."""
    told = json.loads(sys.stdin.readline())
    app = QApplication([*sys.argv[:1], *theme.STYLE_ARGUMENTS])
    theme.dress(app, "light", 100)
    phone = PhoneWindow(Wire(told["control_url"]))
    phone.take(Key(told["control_token"]))
    phone.show_tab(MESSAGES)
    # The till fills the screen: its phone is in front of it, and comes there whenever it has something to say.
    phone.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
    phone.message_came.connect(phone.raise_)
    area = app.primaryScreen().availableGeometry()
    phone.move(area.right() - phone.width(), area.top())
    phone.show()

    def wait() -> None:
        sys.stdin.read()
        QMetaObject.invokeMethod(app, "quit", Qt.ConnectionType.QueuedConnection)

    threading.Thread(target=wait, daemon=True).start()
    return int(app.exec())


if __name__ == "__main__":
    sys.exit(main())
