"""What the person at the till can do with it: lock, hand it over, sign out, change the passcode. Does none of it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.domain.people import Person
from pos_app.i18n.words.lock import words
from pos_app.i18n.words.sign_in import words as people_words
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, title_row
from pos_app.ui.dialogs.sign_in.language_row import LanguageRow
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S4, Tokens
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING, keycap_size, paint_keycap, turned
from pos_app.ui.widgets.reading import as_read

_HEIGHT = 16
_LINES = 48
_ICON = 24


class MenuRow(Button):
    """Icon, what it does, a line more, and the key that does it too."""

    def __init__(self, text: str, more: str, *, name: str, icon: str, keycap: str = "") -> None:
        super().__init__(text, name=name, keycap=keycap)
        self._drawn = icon
        self._more = clean(more, DETAILS_LIMIT)
        self.setAccessibleDescription(self._more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Both lines and the key."""
        wide = max(
            QFontMetricsF(font("strong")).horizontalAdvance(self.text()),
            QFontMetricsF(font("second")).horizontalAdvance(self._more),
        )
        cap = keycap_size(self._keycap).width() + S4 if self._keycap else 0
        return QSize(round(wide + cap) + _ICON + 3 * S4 + 2 * RING, _HEIGHT + grown(_LINES) + 2 * RING)

    def text_fits(self) -> bool:
        """Whether both lines have their room."""
        return self.sizeHint().width() <= self.width()

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, ink: str) -> None:
        """From the left: icon, the two lines, the key."""
        left = shape.x() + S4
        icon = QRectF(left, shape.center().y() - _ICON / 2, _ICON, _ICON)
        paint_icon(painter, self._drawn, turned(icon, self), on.primary if self.isEnabled() else ink)
        left += _ICON + S4
        room = turned(QRectF(left, shape.y() + S2, shape.right() - left, shape.height() / 2 - S2), self)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for role, colour, text in (("strong", ink, self.text()), ("second", on.muted, self._more)):
            painter.setFont(font(role))
            painter.setPen(QColor(colour))
            painter.drawText(room, flags, as_read(text))
            room.translate(0, room.height())
        if self._keycap:
            size = keycap_size(self._keycap)
            top = shape.center().y() - size.height() / 2
            cap = QRectF(shape.right() - S4 - size.width(), top, size.width(), size.height())
            paint_keycap(painter, turned(cap, self), self._keycap, on.muted, None, tokens().keyline)


class PersonMenu(Panel):
    """`lock`, `switch`, `day`, `passcode`, `sign_out`, `language(code)`: what was chosen. `closed`: it is to go."""

    lock = Signal()
    switch = Signal()
    day = Signal()
    passcode = Signal()
    sign_out = Signal()
    language = Signal(str)
    closed = Signal()

    def __init__(self, person: Person, lock_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("person_menu")
        role = Label(people_words.ROLE[person.role], "body", "muted", name="menu_role")
        rows = (
            MenuRow(words.MENU_LOCK, words.MENU_LOCK_MORE, name="menu_lock", icon="lock", keycap=lock_key),
            MenuRow(words.MENU_SWITCH, words.MENU_SWITCH_MORE, name="menu_switch", icon="switch"),
            MenuRow(words.MENU_DAY, words.MENU_DAY_MORE, name="menu_day", icon="list"),
            MenuRow(words.MENU_PASSCODE, words.MENU_PASSCODE_MORE, name="menu_passcode", icon="key"),
            MenuRow(words.MENU_SIGN_OUT, words.MENU_SIGN_OUT_MORE, name="menu_sign_out", icon="leave"),
        )
        close = Button(words.MENU_CLOSE, name="menu_close", keycap="Esc")
        languages = LanguageRow()
        languages.chosen.connect(self.language)
        title = title_row(heading(person.name, "menu_title"), close)
        column(self, title, role, *rows, languages, spacing=S2)
        self.setFocusProxy(rows[0])
        wanted = (self.lock, self.switch, self.day, self.passcode, self.sign_out)
        for row, chosen in zip(rows, wanted, strict=True):
            row.clicked.connect(chosen)
        close.clicked.connect(self.closed)
