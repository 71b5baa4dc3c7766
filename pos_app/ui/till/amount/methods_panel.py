"""How does the customer pay? Two ways, or why no payment may start. Starts nothing itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Kind
from pos_app.i18n.words.till import MethodWords
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.tokens import S2, S3, S4, S6
from pos_app.ui.till.amount.method_tile import MethodTile
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.label import CENTRE, Label


class Notice(Card):
    """A sentence on a coloured ground, with a button where something can be done about it."""

    pressed = Signal()
    put_away = Signal()
    """Esc: it has been read."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}_card", ground="warnsoft", edge="warnsoft")
        self.label = Label("", "strong", "warn", wrap=True, align=CENTRE, name=name)
        self.button = Button("", name=f"{name}_button")
        self.button.hide()
        self.button.clicked.connect(self.pressed)
        self._voice = Announcer(self.label)
        self._said = ("", "", "")
        row = QHBoxLayout(self)
        row.setContentsMargins(S4, S3, S4, S3)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        self.hide()

    def say(self, text: str, tone: str = "warn", button: str = "") -> None:
        """Say it, or nothing; `button` is what can be done."""
        if (text, tone, button) == self._said:
            return
        self._said = (text, tone, button)
        self._voice.say(text)
        self.label.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.label.set_tone(tone)
        plain = tone == "text"
        self.set_ground("bg" if plain else f"{tone}soft", "line" if plain else f"{tone}soft")
        self.setVisible(bool(text))


class MethodsPanel(SaysAnew, QWidget):
    """`chosen` carries the Kind that was touched."""

    chosen = Signal(object)

    def __init__(self, default: Kind, words: MethodWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("methods_panel")
        self._words = words
        self._default = default
        self._starting = False
        self.block = Notice("block")
        self.declined = Notice("declined")
        self.ended = Notice("ended")
        self.overpaid = Notice("overpaid")
        self.rebuilt = Notice("rebuilt")
        self.moved = Notice("moved")
        self.store = Notice("store_notice")
        self.day = Notice("day_notice")
        self.printing = Notice("printing_notice")
        self._ask = Label(words.ask, "lead", "muted", align=CENTRE, name="methods_ask")
        self.tiles = {Kind.QR: self._tile(Kind.QR, "qr"), Kind.PUSH: self._tile(Kind.PUSH, "phone")}
        row = QHBoxLayout()
        row.setSpacing(S3)
        for tile in self.tiles.values():
            row.addWidget(tile)
        column = QVBoxLayout(self)
        column.setContentsMargins(S6, S6, S6, S6)
        column.setSpacing(S2)
        column.addStretch(1)
        for part in (
            self.block,
            self.rebuilt,
            self.moved,
            self.store,
            self.day,
            self.printing,
            self.overpaid,
            self.ended,
            self.declined,
            self._ask,
        ):
            column.addWidget(part)
        column.addSpacing(S2)
        column.addLayout(row, 6)
        column.addStretch(1)

    def _tile(self, kind: Kind, icon: str) -> MethodTile:
        title, more, keycap = self._said(kind)
        tile = MethodTile(
            title,
            more,
            name=f"method_{kind.value}",
            icon=icon,
            keycap=keycap,
            primary=kind is self._default,
        )
        tile.clicked.connect(lambda: self.chosen.emit(kind))
        return tile

    def _said(self, kind: Kind) -> tuple[str, str, str]:
        """Title, line more and keycap of a tile."""
        words = self._words
        is_qr = kind is Kind.QR
        keycap = cap(Action.QR if is_qr else Action.PUSH)
        if kind is self._default:
            keycap = words.or_enter.format(key=keycap)
        return (words.qr, words.qr_more, keycap) if is_qr else (words.push, words.push_more, keycap)

    def say_anew(self) -> None:
        """The language has changed; the notices are said by whoever knows them."""
        self.set_starting(self._starting)
        for kind, tile in self.tiles.items():
            tile.say(*self._said(kind))

    def set_blocked(self, words: str) -> None:
        """Why no payment may start, "" when one may."""
        self.block.say(words, "bad")
        self._enable(not words)

    def set_starting(self, starting: bool) -> None:
        """A charge is on its way to be recorded: no second one meanwhile."""
        self._starting = starting
        self._ask.setText(self._words.starting if starting else self._words.ask)
        self._enable(not starting and not self.block.label.text())

    def _enable(self, enabled: bool) -> None:
        for tile in self.tiles.values():
            tile.setEnabled(enabled)
