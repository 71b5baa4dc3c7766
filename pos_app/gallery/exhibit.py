"""One thing to look at: how it is made, how large it is shown, and that it stands under the sandbox's word."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.ui.theme.tokens import S1
from pos_app.ui.widgets.band import SandboxBand, SandboxMark


class Exhibit(NamedTuple):
    """`name` is an id, fit for a file ("button-primary"). `size` is the picture's, or less is made of it.

    `ready`: whether all that is painted beside the window's thread (a code) has come.
    """

    name: str
    build: Callable[[], QWidget]
    size: tuple[int, int] = (560, 96)
    ready: Callable[[QWidget], bool] = lambda _made: True


class Stand(QWidget):
    """An exhibit, and above it the mark where it has none of its own: a picture of it is no proof of a payment."""

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__()
        self.setObjectName("stand")
        self.made = exhibit.build()
        # As it is in the till: what is less high than its picture stands in the middle of it.
        self.made.resize(*exhibit.size)
        width, height = exhibit.size
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S1)
        if self.made.findChild(SandboxBand) is None and self.made.findChild(SandboxMark) is None:
            mark = SandboxMark()
            column.addWidget(mark, 0, Qt.AlignmentFlag.AlignLeft)
            height += mark.sizeHint().height() + S1
        column.addWidget(self.made, 1)
        self.setFixedSize(width, height)
