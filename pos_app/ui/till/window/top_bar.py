"""Shop, counter, what is open, connection, who is signed in, clock. Opens nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTime, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.domain.views import Connection, Terminal
from pos_app.i18n.words.lock import words as lock_words
from pos_app.i18n.words.till import Words
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3, S5, S6, TOUCH, Tokens
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import LEFT, ElidedLabel, Label
from pos_app.ui.widgets.paint import RING, turned
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.ticker import Ticker

_HEIGHT = 36
_LINE = 24
_AVATAR = 34
_LEAST_NAME = 96
_LEAST_SHOP = 150
_LINK = {
    Connection.UNKNOWN: ("checking", "muted"),
    Connection.CONNECTED: ("connected", "ok"),
    Connection.LOST: ("lost", "bad"),
    Connection.STRANGE: ("lost", "bad"),
    Connection.SLOW: ("slow", "warn"),
    Connection.SIGN_IN_REFUSED: ("locked_out", "bad"),
}


class Link(QWidget):
    """The connection: an icon of its own for each state, and the words."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.setObjectName("connection")
        self._words = words
        self._state = Connection.UNKNOWN
        self._is_narrow = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.show_state(Connection.UNKNOWN)

    def show_state(self, state: Connection) -> None:
        """Another state."""
        self._state = state
        self.setAccessibleName(self._words.connection[state])
        self.updateGeometry()
        self.update()

    def be_narrow(self, narrow: bool) -> None:
        """Where the bar has no room for the words, the icon tells it alone; a screen reader hears them."""
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self.updateGeometry()
            self.update()

    def whole_width(self) -> int:
        """With the words."""
        words = self._words.connection[self._state]
        return round(QFontMetricsF(font("body")).horizontalAdvance(words)) + 30

    def sizeHint(self) -> QSize:
        """Icon and words."""
        return QSize(20 if self._is_narrow else self.whole_width(), TOUCH)

    def text_fits(self) -> bool:
        """Whether the words have their room."""
        return self.sizeHint().width() <= self.width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, words."""
        on = tokens()
        painter = QPainter(self)
        icon, token = _LINK[self._state]
        at = turned(QRectF(0, self.height() / 2 - 10, 20, 20), self)
        paint_icon(painter, icon, at, getattr(on, token))
        if self._is_narrow:
            return
        painter.setFont(font("body"))
        painter.setPen(QColor(on.muted if token in ("ok", "muted") else getattr(on, token)))
        room = turned(QRectF(self.rect()).adjusted(28, 0, 0, 0), self)
        painter.drawText(room, int(LEFT.value), self._words.connection[self._state])


class Who(Button):
    """The person signed in: first letter in a disc, and the name. Without one, the way to sign in."""

    def __init__(self) -> None:
        super().__init__("", name="person", kind="quiet")
        self.somebody = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Disc, and the beginning of a name that is longer than the bar has room for."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), grown(_AVATAR + _LEAST_NAME) + 10 + 4 * RING), hint.height())

    def sizeHint(self) -> QSize:
        """Disc and name."""
        width = QFontMetricsF(font("body")).horizontalAdvance(self.text())
        return QSize(round(width) + grown(_AVATAR) + 10 + 4 * RING, super().sizeHint().height())

    def text_fits(self) -> bool:
        """Whether the name, or its beginning, has its room."""
        return self.minimumSizeHint().width() <= self.width()

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, _ink: str) -> None:
        """Disc, letter, name."""
        side = grown(_AVATAR)
        disc = turned(QRectF(shape.x() + RING, shape.center().y() - side / 2, side, side), self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(on.primarysoft))
        painter.drawEllipse(disc)
        if self.somebody:
            painter.setFont(font("strong"))
            painter.setPen(QColor(on.primary))
            painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, self.text()[:1].upper())
        else:
            paint_icon(painter, "person", disc.adjusted(8, 8, -8, -8), on.primary)
        painter.setFont(font("body"))
        painter.setPen(QColor(on.text))
        room = turned(shape.adjusted(side + 10 + RING, 0, 0, 0), self)
        shown = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, int(room.width()) + 1
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, as_read(shown))


class TopBar(SaysAnew, QWidget):
    """Signals say what was touched."""

    open_wanted = Signal()
    sign_in_wanted = Signal()
    lock_wanted = Signal()
    settings_wanted = Signal()
    help_wanted = Signal()
    mute_wanted = Signal(bool)
    """True: no sounds any more."""

    def __init__(self, config: TillViewConfig, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top_bar")
        self._sandbox = config.is_sandbox
        self._words = words
        self._id = config.counter_id
        said = words.bar
        self.setFixedHeight(_HEIGHT + grown(_LINE))
        self._shop = ElidedLabel(config.shop_name, "shop", name="shop")
        self._shop.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._shop.setMinimumWidth(min(self._shop.sizeHint().width(), grown(_LEAST_SHOP)))
        self._counter = Label(said.counter.format(id=config.counter_id), "body", "muted", name="counter")
        self.badge = Button("", name="open_badge", kind="chip", role="chip", keycap=cap(Action.OPEN))
        self.badge.hide()
        self._link = Link(words)
        self.person = Who()
        self.mute = Button("", name="mute_button", kind="quiet", icon="sound").called(said.mute)
        self.mute.hide()
        self._is_muted = False
        self.lock = Button("", name="lock_button", kind="quiet", icon="lock").called(lock_words.MENU_LOCK)
        self.settings = Button("", name="settings_button", kind="quiet", icon="gear").called(said.settings)
        self.help = Button("", name="help_button", kind="quiet", icon="help").called(said.help)
        self._clock = Ticker("clock", said.clock, widest="00:00")
        self._minute = QTimer(self)
        self._minute.setSingleShot(True)
        self._minute.timeout.connect(self._tell_time)
        self._lay_out()
        self.badge.clicked.connect(self.open_wanted)
        self.person.clicked.connect(self.sign_in_wanted)
        self.mute.clicked.connect(lambda: self.mute_wanted.emit(not self._is_muted))
        self.lock.clicked.connect(self.lock_wanted)
        self.settings.clicked.connect(self.settings_wanted)
        self.help.clicked.connect(self.help_wanted)
        self.show_terminal(Terminal())
        self._tell_time()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(S6, 0, S6, 0)
        row.setSpacing(S2)
        row.addWidget(self._shop)
        row.addSpacing(S2)
        row.addWidget(self._counter)
        row.addStretch(1)
        for part in (self.badge, self._link, self.person, self.mute, self.lock, self.settings, self.help):
            row.addWidget(part)
        row.addSpacing(S3)
        row.addWidget(self._clock)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width."""
        super().resizeEvent(event)
        self._make_room()

    def _give_way(self) -> None:
        """Before another part comes: Qt lays out at once, and a window that has grown does not shrink again."""
        self._counter.hide()
        self._link.be_narrow(True)

    def _make_room(self) -> None:
        """Which counter it is can be missed first, then the words of the connection: its icon tells it too."""
        others = (
            self.badge,
            self._link,
            self.person,
            self.mute,
            self.lock,
            self.settings,
            self.help,
            self._clock,
        )
        parts = [each for each in others if not each.isHidden()]
        around = self._shop.minimumWidth() + 2 * S6 + 2 * S2 + S3
        least = sum(
            (each.minimumSizeHint() if each is self.person else each.sizeHint()).width() + S2
            for each in parts
            if each is not self._link
        )
        self._link.be_narrow(least + self._link.whole_width() + 2 * S2 + around > self.width())
        wanted = sum(each.sizeHint().width() + S2 for each in parts) + self._counter.sizeHint().width() + S2
        self._counter.setVisible(wanted + around <= self.width())

    def say_anew(self) -> None:
        """The language has changed; what was published is shown by whoever knows it."""
        said = self._words.bar
        self._counter.setText(said.counter.format(id=self._id))
        self.lock.called(lock_words.MENU_LOCK)
        self.settings.called(said.settings)
        self.help.called(said.help)
        self._clock.name_anew(said.clock)
        self._name_mute()
        self._make_room()

    def show_sounds(self, *, heard: bool, muted: bool) -> None:
        """Whether there is anything to hear, and whether somebody has switched it off for now."""
        self._is_muted = muted
        self._give_way()
        self.mute.setVisible(heard)
        self.mute.set_icon("sound_off" if muted else "sound")
        self.mute.set_kind("warn" if muted else "quiet")
        self._name_mute()
        self._make_room()

    def _name_mute(self) -> None:
        said = self._words.bar
        self.mute.called(said.unmute if self._is_muted else said.mute)

    def show_terminal(self, terminal: Terminal) -> None:
        """What the engine published of the terminal."""
        said = self._words.bar
        self._link.show_state(terminal.connection)
        person = terminal.signed_in
        self.person.somebody = person is not None
        self.person.setText(person.name if person else said.sign_in)
        name = clean(person.name, DETAILS_LIMIT) if person else ""
        self.person.setAccessibleName(said.signed_in.format(name=name) if person else said.sign_in)
        self.lock.setVisible(person is not None)
        self.settings.setVisible(person is not None and person.is_manager)
        self._make_room()

    def show_open(self, terminal: Terminal, on_panel: str) -> None:
        """How many payments want somebody; one that waits before everybody's eyes is not among them."""
        waiting = {each.attempt_id for each in terminal.open} - {on_panel}
        count = len(waiting | {each.attempt_id for each in terminal.attention})
        count += len(terminal.overpaid) + terminal.notes_count
        was_shown, before = not self.badge.isHidden(), self.badge.text()
        if count and not was_shown:
            self._give_way()
        self.badge.setVisible(bool(count))
        if count:
            said = self._words.bar
            self.badge.setText(said.open.of(count))
        if (bool(count), self.badge.text()) != (was_shown, before):
            self._make_room()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bar's ground (another in the sandbox) and its hairline."""
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(on.sandboxbar if self._sandbox else on.surface))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(on.line))

    def _tell_time(self) -> None:
        """The minute; the timer sleeps until the next one."""
        now = QTime.currentTime()
        self._clock.set_text(now.toString("HH:mm"))
        self._minute.start((60 - now.second()) * 1000 - now.msec() + S5)
