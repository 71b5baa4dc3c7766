"""The window beside the till: the coach above, the customer's phone below. It can be made a strip.

It knows where it may stand, and neither the course nor the phone.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.training import words
from pos_app.training.coach.card import Coach
from pos_app.training.coach.scroll import Scrolling
from pos_app.training.coach.strip import Strip
from pos_app.ui.keyboard.screen_keyboard import KeysWanted, ScreenKeyboard
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.tokens import BAND_HEIGHT, S2
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place

_COACH_LEAST = 160
"""Lower than this the phone does not press its page, which scrolls from there on."""

PHONE_LEAST = 440
"""A request with all its buttons; lower than this the phone is not shown beside a page that does not need it."""


class Need(StrEnum):
    """What the page of now is about."""

    COACH = "coach"
    PHONE = "phone"
    WHAT_FITS = "what_fits"


class Sheet(SaysAnew, QWidget):
    """`stand` says where it may be. It stays as long as its till: closing it by its frame makes it small at most.

    `spoke`: the language has changed, and another sheet has to stand here.
    """

    spoke = Signal()

    def __init__(self, phone: QWidget, keys_wanted: KeysWanted = lambda _by_finger: False) -> None:
        """`keys_wanted`: whether a field that is touched brings keys to the screen."""
        super().__init__()
        self.setObjectName("sheet")
        self.setWindowTitle(band_words.titled(words.WINDOW))
        self.coach = Coach()
        self.phone = phone
        self.strip = Strip()
        self._wide, self._small = QRect(), QRect()
        self._may_fold = False
        self._folded = False
        self._need = Need.PHONE
        self._asked_for_phone: bool | None = None
        self._lay_out()
        self.strip.unfolded.connect(lambda: self.fold(False))
        self.coach.fold.clicked.connect(lambda: self.fold(True))
        self.coach.phone.clicked.connect(self._change_phone)
        # The phone's keys too: it is a part of this window.
        KeyBursts(self, lambda: text_place(self.focusWidget())).start()
        FingerScroll(self).start()
        # Too narrow to hold them, it has nothing to keep clear of them.
        self._screen_keys = ScreenKeyboard(self, keys_wanted, lambda _height: None)

    @property
    def is_folded(self) -> bool:
        """Whether only the strip is left."""
        return self._folded

    @property
    def may_fold(self) -> bool:
        """Whether it stands in front of the till otherwise."""
        return self._may_fold

    def say_anew(self) -> None:
        """A course is words all over: whoever made the sheet makes another."""
        self.spoke.emit()

    def stand(self, wide: QRect, small: QRect, *, may_fold: bool) -> None:
        """The whole of it here; made small there, where the whole would stand in front of the till."""
        self._wide, self._small, self._may_fold = wide, small, may_fold
        self.coach.fold.setVisible(may_fold)
        self._folded = self._folded and may_fold
        self._place()

    def fold(self, folded: bool) -> None:
        """Small or whole; small only where the whole is in the till's way."""
        folded = folded and self._may_fold
        if folded != self._folded:
            self._folded = folded
            self._place()

    def need(self, need: Need) -> None:
        """What the coach's page of now is about; what somebody asked for on the last one is over."""
        if need != self._need:
            self._asked_for_phone = None
        self._need = need
        self._arrange()

    def _change_phone(self) -> None:
        self._asked_for_phone = self.phone.isHidden()
        self._arrange()

    def _place(self) -> None:
        # What needs the most room goes before the window shrinks, and comes after it has grown.
        if self._folded:
            self._arrange()
            layout = self.layout()
            if layout is not None:
                # What has just been hidden asks for room until then.
                layout.activate()
            self.setGeometry(self._small)
        else:
            self.setGeometry(self._wide)
            self._arrange()

    def _arrange(self) -> None:
        fits = self._room_for_the_phone() >= PHONE_LEAST
        shown = self._need is Need.PHONE or (self._need is Need.WHAT_FITS and fits)
        if self._asked_for_phone is not None:
            shown = self._asked_for_phone
        self.strip.setVisible(self._folded)
        self._whole.setVisible(not self._folded)
        self.phone.setVisible(shown)
        self._rest.setVisible(not shown)
        self.coach.phone.setVisible(self._need is Need.WHAT_FITS and not fits)

    def _room_for_the_phone(self) -> int:
        """Below the coach's page, as tall as its texts make it."""
        width = self._wide.width() - 2 * S2
        return self._wide.height() - BAND_HEIGHT - 3 * S2 - self._scrolling.tall_at(width)

    def _lay_out(self) -> None:
        self._whole = QWidget()
        self._whole.setObjectName("sheet_whole")
        inside = QVBoxLayout(self._whole)
        inside.setContentsMargins(S2, S2, S2, S2)
        inside.setSpacing(S2)
        self._scrolling = Scrolling("coach_room", self.coach, least=_COACH_LEAST)
        inside.addWidget(self._scrolling)
        self._rest = QWidget()
        self._rest.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        inside.addWidget(self._rest, 1)
        inside.addWidget(self.phone, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(SandboxBand())
        whole.addWidget(self.strip, 1)
        whole.addWidget(self._whole, 1)

    def showEvent(self, event: QShowEvent) -> None:
        """In its place from the first picture on."""
        super().showEvent(event)
        self._place()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Only the till puts it away: nobody could bring it back."""
        if event.spontaneous():
            event.ignore()
            self.fold(True)
        else:
            self._screen_keys.stop()
            super().closeEvent(event)
