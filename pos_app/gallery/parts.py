"""The components, each in each of its states, on the grounds they are used on. They do nothing when touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.samples import config
from pos_app.i18n.words.settings import words as settings_words
from pos_app.i18n.words.till import words
from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.theme import icons
from pos_app.ui.theme.fonts import ROLES
from pos_app.ui.theme.theme import colour
from pos_app.ui.theme.tokens import S2, S3, S4
from pos_app.ui.till.amount.keypad import Keypad
from pos_app.ui.till.amount.method_tile import MethodTile
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import ElidedLabel, Label
from pos_app.ui.widgets.stages import Stages
from pos_app.ui.widgets.touch import Touch, pose

KINDS = ("primary", "plain", "picked", "outline", "danger", "warn", "soft", "quiet", "chip")
TOUCHES = {
    "plain": Touch(),
    "hovered": Touch(hovered=True),
    "pressed": Touch(pressed=True),
    "focused": Touch(focused=True),
}
_MARKS = (
    badge.PAID,
    badge.NOT_PAID,
    badge.NOT_KNOWN,
    badge.CHECKING,
    badge.WAITING,
    badge.DISPUTED,
    badge.LATE,
)
_WIDE = 880
_FIGURES = (Decimal("0.5"), Decimal(1250), Decimal("999999.99"), Decimal("123456789012.34"))


class Icon(QWidget):
    """One icon in one colour."""

    def __init__(self, name: str, tone: str, side: int = 32) -> None:
        super().__init__()
        self._name, self._tone = name, tone
        self.setAccessibleName(name)
        self.setFixedSize(QSize(side, side))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon alone."""
        icons.paint_icon(QPainter(self), self._name, QRectF(self.rect()), colour(self._tone))


def _on_card(parts: Sequence[QWidget], *, columns: int, ground: str = "surface") -> QWidget:
    made = QWidget()
    card = Card("exhibit", ground=ground)
    around = QVBoxLayout(made)
    around.setContentsMargins(S3, S3, S3, S3)
    around.addWidget(card)
    grid = QGridLayout(card)
    grid.setContentsMargins(S4, S4, S4, S4)
    grid.setSpacing(S3)
    for at, part in enumerate(parts):
        grid.addWidget(part, at // columns, at % columns)
    return made


def _button(kind: str) -> QWidget:
    made: list[QWidget] = []
    for name, touch in TOUCHES.items():
        button = Button(words.wait.check, name=f"{kind}_{name}", kind=kind, keycap="F5", icon="checking")
        pose(button, touch)
        made.append(button)
    disabled = Button(words.wait.check, name=f"{kind}_disabled", kind=kind, keycap="F5", icon="checking")
    disabled.setEnabled(False)
    busy = Button(words.wait.check, name=f"{kind}_busy", kind=kind, icon="checking")
    busy.set_busy(busy=True)
    return _on_card([*made, disabled, busy], columns=3)


def _field() -> QWidget:
    def one(name: str, text: str = "") -> Field:
        made = Field(words.method.number, f"field_{name}", example="+94 71 234 5678")
        made.set_text(text)
        return made

    focused, wrong, off = one("focused", "077"), one("wrong", "07"), one("disabled", "077 123 4567")
    pose(focused.edit, Touch(focused=True))
    wrong.show_error(
        words.method.problem[next(iter(words.method.problem))].format(example="+94…"), focus=False
    )
    off.setEnabled(False)
    return _on_card([one("empty"), one("filled", "077 123 4567"), focused, wrong, off], columns=2)


def _choice() -> QWidget:
    def one(name: str) -> Choice:
        options = list(settings_words.CHOICE["window.theme"].items())
        made = Choice(settings_words.LABEL["window.theme"], f"choice_{name}", options)
        made.set_text("dark")
        return made

    focused, wrong, off = one("focused"), one("wrong"), one("disabled")
    pose(focused.box, Touch(focused=True))
    wrong.show_error(settings_words.LABEL["window.theme"], focus=False)
    off.setEnabled(False)
    return _on_card([one("plain"), focused, wrong, off], columns=2)


def _icons() -> QWidget:
    names = sorted(path.stem for path in icons.folder().glob("*.svg"))
    tones = ("text", "muted", "primary", "ok", "bad", "warn")
    return _on_card([Icon(name, tones[at % len(tones)]) for at, name in enumerate(names)], columns=14)


def _marks() -> QWidget:
    made = []
    for mark in _MARKS:
        disc = badge.Badge("mark")
        disc.show_mark(mark)
        disc.setFixedSize(96, 96)
        made.append(disc)
    return _on_card(made, columns=len(made))


def _stages(names: tuple[str, ...]) -> QWidget:
    made = []
    for done in range(len(names) + 1):
        stages = Stages("stages")
        stages.show_stages(names, done)
        made.append(stages)
    return _on_card(made, columns=len(made))


def _amounts() -> QWidget:
    shown = []
    for value in _FIGURES:
        amount = AmountText("amount", "LKR")
        amount.show_figure(config().figure(value))
        shown.append(amount)
    return _on_card(shown, columns=2)


def _types() -> QWidget:
    return _on_card([ElidedLabel(words.wait.trust, role) for role in ROLES], columns=1)


def _tones() -> QWidget:
    tones = ("text", "muted", "primary", "ok", "bad", "warn", "off")
    return _on_card([Label(words.wait.title, "strong", tone) for tone in tones], columns=4)


def _tiles() -> QWidget:
    method, made = words.method, []
    for primary in (True, False):
        for enabled in (True, False):
            tile = MethodTile(method.qr, method.qr_more, name="tile", icon="qr", keycap="F2", primary=primary)
            tile.setEnabled(enabled)
            made.append(tile)
    return _on_card(made, columns=4)


def _keypad() -> QWidget:
    return _on_card(
        [Keypad(".", (words.pad.point, words.pad.backspace, words.pad.clear, words.pad.plus))],
        columns=1,
        ground="bg",
    )


def _band() -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(S2)
    row.addWidget(SandboxBand(), 1, Qt.AlignmentFlag.AlignTop)
    return made


def parts() -> list[Exhibit]:
    """All of them."""
    made: list[tuple[str, Callable[[], QWidget], tuple[int, int]]] = [
        *((f"button-{kind}", partial(_button, kind), (_WIDE, 192)) for kind in KINDS),
        ("field", _field, (_WIDE, 380)),
        ("choice", _choice, (_WIDE, 300)),
        ("tile", _tiles, (_WIDE + 120, 300)),
        ("keypad", _keypad, (440, 440)),
        ("amount", _amounts, (_WIDE, 260)),
        ("stages-qr", partial(_stages, words.wait.qr_stages), (_WIDE, 260)),
        ("stages-push", partial(_stages, words.wait.push_stages), (_WIDE, 260)),
        ("marks", _marks, (_WIDE, 160)),
        ("icons", _icons, (_WIDE, 260)),
        ("type", _types, (_WIDE, 760)),
        ("tones", _tones, (_WIDE, 130)),
        ("band", _band, (_WIDE, 28)),
    ]
    return [Exhibit(name, build, size) for name, build, size in made]
