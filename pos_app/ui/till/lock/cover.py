"""What stands instead of the till while it is locked or nobody is at it: shop, clock, sign-in. No payment."""

from __future__ import annotations

from PySide6.QtCore import QTime, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.domain.views import Terminal
from pos_app.i18n.words.lock import words
from pos_app.ui.dialogs.parts.mark import Mark
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S5, S6
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.label import CENTRE, ElidedLabel, Label
from pos_app.ui.widgets.overlay import OverlayHost
from pos_app.ui.widgets.said import SaidLabel
from pos_app.ui.widgets.ticker import Ticker

_HEADER = 36
_FOOTER = 16
_LINE = 24


class Cover(SaysAnew, QWidget):
    """`overlay` holds the sign-in; `show_terminal` tells who is at the till and how many payments run."""

    def __init__(self, config: TillViewConfig, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cover")
        self._sandbox = config.is_sandbox
        self._counter_id = config.counter_id
        self._shop = ElidedLabel(config.shop_name, "title", name="cover_shop")
        self._shop.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._counter = Label(
            words.COUNTER.format(id=config.counter_id), "body", "muted", name="cover_counter"
        )
        self._mark = Mark("lock", "muted", 20)
        self._who = Label("", "strong", name="cover_who")
        self._clock = Ticker("cover_clock", words.CLOCK, widest="00:00", role="method", tone="text")
        self._running = SaidLabel("", "strong", "muted", align=CENTRE, name="cover_running")
        self._minute = QTimer(self)
        self._minute.setSingleShot(True)
        self._minute.timeout.connect(self._tell_time)
        room = QWidget()
        self._lay_out(room)
        self.overlay = OverlayHost(room, veil=False)

    def _lay_out(self, room: QWidget) -> None:
        header = QWidget()
        header.setFixedHeight(_header())
        row = QHBoxLayout(header)
        row.setContentsMargins(S6, 0, S6, 0)
        row.setSpacing(S2)
        row.addWidget(self._shop)
        row.addSpacing(S2)
        row.addWidget(self._counter)
        row.addStretch(1)
        row.addWidget(self._mark)
        row.addWidget(self._who)
        row.addSpacing(S5)
        row.addWidget(self._clock)
        self._running.setMinimumHeight(_FOOTER + grown(_LINE))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, S2)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(room, 1)
        column.addWidget(self._running)

    def say_anew(self) -> None:
        """The language has changed; who is at the till is told by whoever knows it."""
        self._counter.setText(words.COUNTER.format(id=self._counter_id))
        self._clock.name_anew(words.CLOCK)

    def show_terminal(self, terminal: Terminal) -> None:
        """Counts alone: whoever stands here may be anybody."""
        person = terminal.signed_in
        self._mark.setVisible(person is not None)
        self._who.setText(
            f"{words.LOCKED} · {words.LOCKED_BY.format(name=person.name)}" if person else words.NOBODY
        )
        waiting = len(terminal.attention) + len(terminal.overpaid) + terminal.notes_count
        said = [text for text in (words.running(len(terminal.open)), words.attention(waiting)) if text]
        self._running.setText(" · ".join(said))
        self._running.setVisible(bool(said))

    def showEvent(self, event: QShowEvent) -> None:
        """The clock goes while it is seen."""
        super().showEvent(event)
        self._tell_time()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks at it."""
        self._minute.stop()
        super().hideEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Opaque; the header as the till's own bar, another ground in the sandbox."""
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(on.bg))
        painter.fillRect(
            0, 0, self.width(), _header(), QColor(on.sandboxbar if self._sandbox else on.surface)
        )
        painter.fillRect(0, _header() - 1, self.width(), 1, QColor(on.line))

    def _tell_time(self) -> None:
        now = QTime.currentTime()
        self._clock.set_text(now.toString("HH:mm"))
        self._minute.start((60 - now.second()) * 1000 - now.msec() + S5)


def _header() -> int:
    return _HEADER + grown(_LINE)
