"""A late or crossed payment in front of everything: its mark, and the question to settle. Posts nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.ui.dialogs.payments.settle import Settle
from pos_app.ui.theme.tokens import S4
from pos_app.ui.widgets.badge import Badge, Mark

_MARK = 72


class AnswerPanel(QWidget):
    """`settle` asks."""

    def __init__(self, settle: Settle, mark: Mark) -> None:
        super().__init__()
        self.setObjectName("answer_panel")
        self.settle = settle
        disc = Badge("answer_mark")
        disc.show_mark(mark)
        disc.setFixedSize(_MARK, _MARK)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S4)
        row.addWidget(disc, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(settle, 1)
        self.setFocusProxy(settle.focusProxy() or settle)
