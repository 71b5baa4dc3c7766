"""Every button: painted from the tokens, with an optional icon and keycap. Fires once per press."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.fonts import font, grown, text_factor
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_KEY, TOUCH, Tokens
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING, box, focus_ring, keycap_size, paint_keycap, turned
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.touch import touch_of

_PAD = 18
_QUIET_PAD = 10
"""Without an edge of its own its text should not stand far from where the others end."""
_GAP = 10
_ICON = 20
_LONGEST_KEY = 20


Meant = TypeVar("Meant")
Touched = TypeVar("Touched", bound=QAbstractButton)


class Dress(NamedTuple):
    """The colours a kind of button wears."""

    fill: str | None
    ink: str
    edge: str | None
    over: str
    down: str
    edge_width: float = 1


def dress(kind: str, on: Tokens) -> Dress:
    """Kinds: primary, plain, picked (a plain one that is on), outline, danger, warn, quiet; soft and chip are pills."""
    match kind:
        case "primary":
            return Dress(on.primary, on.onprimary, None, on.primaryhover, on.primarypressed)
        case "outline":
            return Dress(None, on.primary, on.primary, on.hover, on.primarysoft, 2)
        case "danger":
            return Dress(None, on.bad, on.bad, on.hover, on.badsoft, 2)
        case "warn":
            return Dress(None, on.warn, on.warn, on.hover, on.warnsoft, 2)
        case "soft":
            return Dress(on.primarysoft, on.primary, None, on.hover, on.pressed)
        case "picked":
            return Dress(on.primarysoft, on.primary, on.primary, on.hover, on.pressed)
        case "quiet":
            return Dress(None, on.muted, None, on.hover, on.pressed)
        case "chip":
            return Dress(on.warnsoft, on.warn, None, on.hover, on.pressed)
        case _:
            return Dress(on.key, on.text, on.keyline, on.hover, on.pressed)


class Button(QAbstractButton):
    """`text` is the accessible name too unless it is `called` otherwise; `keycap` is what the keyboard's key says."""

    def __init__(
        self,
        text: str = "",
        *,
        name: str,
        kind: str = "plain",
        keycap: str = "",
        icon: str = "",
        role: str = "strong",
    ) -> None:
        super().__init__()
        self.kind = kind
        self._keycap = clean(keycap, _LONGEST_KEY)
        self._icon = icon
        self._role = role
        self._called = ""
        self._pad = _QUIET_PAD if kind == "quiet" else _PAD
        self._busy = False
        self._keeps_place = False
        self._measured: tuple[tuple[object, ...], float] = ((), 0.0)
        self._hint: tuple[float, QSize] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setObjectName(name)
        # A click must not move the focus away from a text field or the amount; Tab still reaches it.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Another text and, unless one was fixed, accessible name."""
        fit = clean(text, DETAILS_LIMIT).replace("\n", " ")
        self.setAccessibleName(clean(self._called, DETAILS_LIMIT) or fit)
        if fit == self.text():
            return
        super().setText(fit)
        if "&" in fit:
            # Qt would make a key of it; nobody's name may press a button.
            self.setShortcut(QKeySequence())
        self.updateGeometry()

    def called(self, name: str) -> Self:
        """What a screen reader says, whatever its text is; "" for the text."""
        self._called = name
        self.setText(self.text())
        return self

    def padded(self, pad: int) -> Self:
        """Other room beside its text than its kind has, in pixels."""
        self._pad = pad
        self.updateGeometry()
        return self

    def set_kind(self, kind: str) -> None:
        """Dress it otherwise."""
        if kind != self.kind:
            self.kind = kind
            self.update()

    @property
    def keycap(self) -> str:
        """The key that is drawn on it, "" for none."""
        return self._keycap

    def set_keycap(self, keycap: str) -> None:
        """Another key drawn on it, "" for none."""
        fit = clean(keycap, _LONGEST_KEY)
        if fit != self._keycap:
            self._keycap = fit
            self.updateGeometry()
            self.update()

    def set_icon(self, icon: str) -> None:
        """Another icon, "" for none."""
        if icon != self._icon:
            self._icon = icon
            self.updateGeometry()
            self.update()

    def set_busy(self, *, busy: bool) -> None:
        """What it began is under way: it cannot be pressed, and says so with an hourglass."""
        if busy != self._busy:
            self._busy = busy
            self.setEnabled(not busy)
            self.updateGeometry()
            self.update()

    def setEnabled(self, enabled: bool) -> None:
        """Off while it has the keyboard, it has it again once it is on, unless somebody went elsewhere meanwhile.

        Qt would hand the keyboard to the next button, and a second Enter would press that one.
        """
        around, window = self.parentWidget(), self.window()
        if not enabled and around is not None and window.focusWidget() is self:
            self._keeps_place = True
            # Not nobody: what a panel does with a key goes on.
            around.setFocus(Qt.FocusReason.OtherFocusReason)
        super().setEnabled(enabled)
        if enabled and self._keeps_place:
            self._keeps_place = False
            if window.focusWidget() is around:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def sizeHint(self) -> QSize:
        """Room for icon, text, keycap and the focus ring. Rows of buttons ask for it some hundred times a window."""
        factor = text_factor()
        if self._hint is None or self._hint[0] != factor:
            width = max(self._content_width(factor) + 2 * self._pad, TOUCH)
            height = TOUCH // 2 + round(TOUCH // 2 * factor)
            self._hint = factor, QSize(round(width + 0.5) + 2 * RING, height + 2 * RING)
        return self._hint[1]

    def updateGeometry(self) -> None:
        """It shows something else, and is as large as that."""
        self._hint = None
        super().updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Nothing on it is ever cut."""
        return self.sizeHint()

    def text_fits(self) -> bool:
        """Whether icon, text and keycap have their room."""
        return self._content_width(text_factor()) + 2 * RING <= self.width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the focused button too; a key held down presses once."""
        if event.isAutoRepeat():
            event.accept()
        elif event.key() in ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Shape, ring and contents."""
        on = tokens()
        worn = dress(self.kind, on)
        painter = QPainter(self)
        shape = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
        radius = shape.height() / 2 if self.kind in ("chip", "soft") else RADIUS_KEY
        faded = not self.isEnabled()
        touch = touch_of(self)
        fill = worn.down if touch.pressed else worn.over if touch.hovered else worn.fill
        if faded:
            fill = on.bg if worn.fill else None
        edge = on.keyline if faded and (worn.edge or worn.fill) else worn.edge
        box(painter, shape, radius, fill, edge, worn.edge_width)
        if touch.focused:
            focus_ring(painter, QRectF(self.rect()), radius, on)
        self.paint_contents(painter, shape, on, on.off if faded else worn.ink)

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, ink: str) -> None:
        """Icon, text and keycap in a row, centred."""
        left = shape.x() + (shape.width() - self._content_width(text_factor())) / 2
        icon = self._shown_icon()
        if icon:
            side = grown(_ICON)
            at = QRectF(left, shape.center().y() - side / 2, side, side)
            paint_icon(painter, icon, turned(at, self), ink)
            left += side + (_GAP if self.text() else 0)
        advance = self._text_width()
        painter.setFont(font(self._role))
        painter.setPen(QColor(ink))
        text_room = turned(QRectF(left, shape.y(), advance + 1, shape.height()), self)
        painter.drawText(
            text_room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, as_read(self.text())
        )
        if self._keycap:
            size = keycap_size(self._keycap)
            left += advance + _GAP
            cap = QRectF(left, shape.center().y() - size.height() / 2, size.width(), size.height())
            on_fill = self.kind == "primary" and self.isEnabled()
            quiet_ink = ink if on_fill or not self.isEnabled() else on.muted
            paint_keycap(
                painter, turned(cap, self), self._keycap, quiet_ink, None, ink if on_fill else on.keyline
            )

    def _shown_icon(self) -> str:
        return "slow" if self._busy else self._icon

    def _content_width(self, factor: float) -> float:
        """At the text's factor. Measured once: every layout of the window asks for it several times."""
        shown = (self.text(), self._keycap, self._shown_icon(), factor)
        if self._measured[0] != shown:
            self._measured = (shown, self._measure())
        return self._measured[1]

    def _measure(self) -> float:
        width = self._text_width()
        if self._shown_icon():
            width += grown(_ICON) + (_GAP if self.text() else 0)
        if self._keycap:
            width += _GAP + keycap_size(self._keycap).width()
        return width

    def _text_width(self) -> float:
        return QFontMetricsF(font(self._role)).horizontalAdvance(self.text()) if self.text() else 0.0


def on_touch(
    button: Touched, stands_for: Callable[[Touched], Meant], tell: Callable[[Meant], object]
) -> None:
    """`tell` hears what it stood for when the finger came down: while it is down another may come to its place."""
    meant: list[Meant] = []

    def came_down() -> None:
        meant[:] = [stands_for(button)]

    def touched() -> None:
        for each in meant:
            tell(each)

    button.pressed.connect(came_down)
    button.clicked.connect(touched)
