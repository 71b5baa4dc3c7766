"""The window beside the till: the coach above, the customer's phone below. It can be made a strip.

It knows where it may stand, and neither the course nor the phone.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.ui.design.tokens import S2, S3
from pos_app.ui.training.coach import Coach
from pos_app.ui.training.strip import Strip
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.words.training import words

TALL = 900
"""From this height on the coach's tallest page and the whole phone stand below each other."""


class Sheet(QWidget):
    """`stand` says where it may be. `closed` when its owner puts it away."""

    closed = Signal()

    def __init__(self, phone: QWidget) -> None:
        super().__init__()
        self.setObjectName("sheet")
        self.setWindowTitle(words.WINDOW)
        self.coach = Coach()
        self.phone = phone
        self.strip = Strip()
        self.phone_button = Button(
            "", name="show_phone", kind="quiet", icon="phone", accessible=words.SHOW_PHONE, pad=S3
        )
        self.fold_button = Button(
            "", name="fold", kind="quiet", icon="chevron_down", accessible=words.FOLD, pad=S3
        )
        self._wide, self._small = QRect(), QRect()
        self._may_fold = False
        self._folded = False
        self._phone_wanted = True
        self._coach_is_short = True
        self._band = SandboxBand()
        self._lay_out()
        self.strip.unfolded.connect(lambda: self.fold(False))
        self.fold_button.clicked.connect(lambda: self.fold(True))
        self.phone_button.clicked.connect(lambda: self._want_phone(not self._phone_wanted))

    @property
    def is_folded(self) -> bool:
        """Whether only the strip is left."""
        return self._folded

    @property
    def may_fold(self) -> bool:
        """Whether it stands in front of the till otherwise."""
        return self._may_fold

    def stand(self, wide: QRect, small: QRect, *, may_fold: bool) -> None:
        """The whole of it here; made small there, where the whole would stand in front of the till."""
        self._wide, self._small, self._may_fold = wide, small, may_fold
        self.fold_button.setVisible(may_fold)
        self._folded = self._folded and may_fold
        self._place()

    def fold(self, folded: bool) -> None:
        """Small or whole; small only where the whole is in the till's way."""
        folded = folded and self._may_fold
        if folded != self._folded:
            self._folded = folded
            self._place()

    def need(self, *, phone: bool, short: bool) -> None:
        """The step is about the phone; `short`: the coach's page leaves room for it anyway."""
        self._phone_wanted, self._coach_is_short = phone, short
        self._arrange()

    def _want_phone(self, wanted: bool) -> None:
        self._phone_wanted = wanted
        self._arrange()

    def _place(self) -> None:
        # First what needs the most room goes, then the window shrinks; or the other way round.
        if self._folded:
            self._arrange()
            self.setMinimumSize(0, 0)
            self.setGeometry(self._small)
        else:
            self.setGeometry(self._wide)
            self._arrange()

    def _arrange(self) -> None:
        low = self._wide.height() < TALL
        both = not low or self._coach_is_short
        self.strip.setVisible(self._folded)
        self._whole.setVisible(not self._folded)
        self._beside.setVisible(not self._folded)
        self.phone.setVisible(not self._folded and (self._phone_wanted or both))
        self.phone_button.setVisible(low and not both)
        self._rest.setVisible(not self._folded and self.phone.isHidden())

    def _lay_out(self) -> None:
        self._whole = QWidget()
        self._whole.setObjectName("sheet_whole")
        inside = QVBoxLayout(self._whole)
        inside.setContentsMargins(S2, S2, S2, S2)
        inside.setSpacing(S2)
        inside.addWidget(self.coach)
        self._rest = QWidget()
        self._rest.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        inside.addWidget(self._rest, 1)
        inside.addWidget(self.phone, 1)
        self._beside = QWidget()
        row = QHBoxLayout(self._beside)
        row.setContentsMargins(S3, 0, S3, S2)
        row.setSpacing(S2)
        row.addStretch(1)
        row.addWidget(self.phone_button)
        row.addWidget(self.fold_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._band)
        whole.addWidget(self.strip, 1)
        whole.addWidget(self._whole, 1)
        whole.addWidget(self._beside)

    def showEvent(self, event: QShowEvent) -> None:
        """In its place from the first picture on."""
        super().showEvent(event)
        self._place()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Whoever put it here is told."""
        super().closeEvent(event)
        self.closed.emit()
