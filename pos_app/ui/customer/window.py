"""The customer's window: where everything stands by its size, and one picture after the other.

It takes no focus and no input, and asks nothing. `places` is arithmetic; the widgets below it only paint.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.paper import text_of
from pos_app.domain.receipt import receipt_of
from pos_app.domain.record import wall_of
from pos_app.i18n.languages import is_right_to_left
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.fit_text import CENTRED, LEADING, SMALLEST, FitText, fitting
from pos_app.ui.customer.seen import Seen, View, idle
from pos_app.ui.garbage import while_whole
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.till.payment.panel_model import Tone, ended
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.payment.qr_view import QrView
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.badge import NOT_PAID, PAID, Mark
from pos_app.ui.widgets.band import SandboxBand, SandboxMark
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

NOWHERE = QRect()
_BESIDE = (View.CODE, View.PHONE)


class Places(NamedTuple):
    """Rooms in logical pixels; an invalid one is not shown. `unit`: a hundredth of the shorter side."""

    unit: float
    shop: QRect
    picture: QRect
    headline: QRect
    amount: QRect
    more: QRect
    steps: QRect
    is_beside: bool = False


def places(room: QRect, view: View) -> Places:
    """All rooms of a view inside `room`, which the band does not cover."""
    unit = min(room.width(), room.height()) / 100
    if view is View.IDLE:
        return _idle(room, unit)
    header = round(13 * unit)
    body = room.adjusted(0, header, 0, 0).marginsRemoved(_margins(unit))
    shop = QRect(room.x(), room.y(), room.width(), header)
    if view not in _BESIDE:
        return _centred(shop, body, unit)
    return _beside(shop, body, unit) if body.width() > body.height() else _stacked(shop, body, unit)


def _idle(room: QRect, unit: float) -> Places:
    body = room.marginsRemoved(_margins(unit))
    picture, shop, headline, more = _rows(body, (8, 34, 26, 16, 12, 8))[1:5]
    return Places(unit, shop, picture, headline, NOWHERE, more, NOWHERE)


def _centred(shop: QRect, body: QRect, unit: float) -> Places:
    picture, headline, amount, more = _rows(body, (1, 34, 25, 19, 20, 1))[1:5]
    return Places(unit, shop, picture, headline, amount, more, NOWHERE)


def _beside(shop: QRect, body: QRect, unit: float) -> Places:
    """The code at the left, the words at the right."""
    side = min(body.height(), round(body.width() * 0.52))
    picture = QRect(body.x(), body.y() + (body.height() - side) // 2, side, side)
    words = body.adjusted(side + round(5 * unit), 0, 0, 0)
    _above, amount, headline, more, _gap, steps = _rows(words, (2, 26, 21, 24, 3, 24))
    return Places(unit, shop, picture, headline, amount, more, steps, is_beside=True)


def _stacked(shop: QRect, body: QRect, unit: float) -> Places:
    """Amount, code, words, steps, one below the other."""
    side = min(body.width(), round(body.height() * 0.55))
    rest = body.height() - side
    amount = QRect(body.x(), body.y(), body.width(), round(rest * 0.24))
    picture = QRect(body.x() + (body.width() - side) // 2, amount.bottom() + 1, side, side)
    below = QRect(body.x(), picture.bottom() + 1, body.width(), body.bottom() - picture.bottom())
    headline, more, _gap, steps = _rows(below, (30, 30, 6, 34))
    return Places(unit, shop, picture, headline, amount, more, steps)


def _margins(unit: float) -> QMargins:
    side = round(5 * unit)
    return QMargins(side, round(4 * unit), side, round(5 * unit))


def _rows(room: QRect, shares: tuple[int, ...]) -> list[QRect]:
    """The room cut into rows by hundredths of its height."""
    ends = [round(room.height() * sum(shares[: at + 1]) / 100) for at in range(len(shares))]
    tops = [0, *ends]
    return [
        QRect(room.x(), room.y() + top, room.width(), end - top) for top, end in zip(tops, ends, strict=False)
    ]


_MARK_SHARE = 0.42
"""Of its height; the names have the rest."""

_FLAGS = (
    int((Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop).value) | Qt.TextFlag.TextWordWrap.value
)


class Steps(QWidget):
    """Done ones carry a tick, the next a thick ring, the rest a thin one: shape, not colour alone."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._names: tuple[str, ...] = ()
        self._done = 0
        self._largest = SMALLEST

    def show_steps(self, names: tuple[str, ...], done: int) -> None:
        """These steps, of which the first `done` have been reported."""
        self._names, self._done = tuple(clean(name, DETAILS_LIMIT) for name in names), done
        reached = self._names[done - 1] if 0 < done <= len(names) else ""
        self.setAccessibleName(f"{reached} {done}/{len(names)}".strip())
        self.update()

    def text(self) -> str:
        """Their names."""
        return " ".join(self._names)

    def place(self, room: QRect, largest: float) -> None:
        """Where they stand, and how large their letters may become (pixels)."""
        self._largest = max(SMALLEST, round(largest))
        self.setGeometry(room)
        self.setVisible(room.isValid() and bool(self._names))
        self.update()

    def pixels(self) -> int:
        """The size of the names: the same for all."""
        return fitting(self._largest, self._fits)

    def text_fits(self) -> bool:
        """Whether each name has its room."""
        return self._fits(self.pixels())

    def _fits(self, size: int) -> bool:
        metrics = QFontMetrics(font("strong", size))
        cell = round(self.width() / max(1, len(self._names)) - size / 2)
        below = self.height() * (1 - _MARK_SHARE) - size / 4
        sizes = [metrics.boundingRect(QRect(0, 0, cell, 10_000), _FLAGS, name) for name in self._names]
        return all(each.width() <= cell and each.height() <= below for each in sizes)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Line, marks, names, from where reading begins."""
        if not self._names:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font("strong", self.pixels()))
        cell = self.width() / len(self._names)
        for at, name in enumerate(self._names):
            place = (
                len(self._names) - 1 - at if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else at
            )
            self._paint_step(painter, at, name, QRectF(place * cell, 0, cell, self.height()))

    def _paint_step(self, painter: QPainter, at: int, name: str, room: QRectF) -> None:
        on = tokens()
        side = room.height() * _MARK_SHARE
        centre = QPointF(room.center().x(), side / 2)
        thin = max(2.0, side / 16)
        if at + 1 < len(self._names):
            step = -room.width() if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else room.width()
            gap = (side / 2 + thin * 2) * (1 if step > 0 else -1)
            painter.setPen(QPen(QColor(on.primary if at < self._done else on.fieldline), thin))
            painter.drawLine(centre + QPointF(gap, 0), centre + QPointF(step - gap, 0))
        if at < self._done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(on.primary))
            painter.drawEllipse(centre, side / 2, side / 2)
            inner = side * 0.3
            mark = QRectF(centre.x() - inner, centre.y() - inner, 2 * inner, 2 * inner)
            paint_icon(painter, "tick", mark, on.onprimary)
        else:
            is_next = at == self._done
            pen = thin * 2 if is_next else thin
            painter.setPen(QPen(QColor(on.primary if is_next else on.fieldline), pen))
            painter.setBrush(QColor(on.surface))
            painter.drawEllipse(centre, (side - pen) / 2, (side - pen) / 2)
        painter.setPen(QColor(on.text if at <= self._done else on.muted))
        inner = self.pixels() / 4
        below = room.adjusted(inner, side + inner, -inner, 0)
        painter.drawText(below, _FLAGS, name)


_WAIT = Mark("slow", "warn", "warnsoft", "onwarn", solid=False)
_ASK = Mark("question", "warn", "warnsoft", "onwarn", solid=False)
_MARKS = {Tone.PAID: PAID, Tone.NOT_PAID: NOT_PAID, Tone.NOT_KNOWN: _WAIT}
_CALM = {
    View.IDLE: Mark("shop", "primary", "primarysoft", "onprimary", solid=False),
    View.AMOUNT: Mark("list", "primary", "primarysoft", "onprimary", solid=False),
    View.PHONE: Mark("phone", "primary", "primarysoft", "onprimary", solid=False),
    View.MOMENT: Mark("slow", "primary", "primarysoft", "onprimary", solid=False),
}


class Disc(QWidget):
    """A full disc for a certain end, a ring for what waits for somebody, a soft disc for everything calm."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._mark = _CALM[View.IDLE]
        self._is_calm = True

    def show_seen(self, seen: Seen) -> None:
        """The mark of this picture."""
        self._is_calm = seen.view in _CALM
        self._mark = _CALM.get(seen.view) or _MARKS.get(seen.tone, _ASK)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Disc or ring, and the icon."""
        on, mark = tokens(), self._mark
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height()) * (0.8 if self._is_calm else 0.94)
        centre = QPointF(self.width() / 2, self.height() / 2)
        colour = QColor(getattr(on, mark.token))
        pen = side / 22
        painter.setPen(QPen(colour, pen) if not (mark.solid or self._is_calm) else Qt.PenStyle.NoPen)
        fill = colour if mark.solid else QColor(getattr(on, mark.soft))
        painter.setBrush(fill if mark.solid or self._is_calm else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, (side - pen) / 2, (side - pen) / 2)
        part = side * 0.52
        place = QRectF(centre.x() - part / 2, centre.y() - part / 2, part, part)
        paint_icon(painter, mark.icon, place, getattr(on, mark.on) if mark.solid else colour)


_TYPES = QEvent.Type
_KEYS = frozenset({_TYPES.KeyPress, _TYPES.KeyRelease})
_TOUCHES = frozenset(
    {
        _TYPES.MouseButtonPress, _TYPES.MouseButtonRelease, _TYPES.MouseButtonDblClick, _TYPES.MouseMove,
        _TYPES.Wheel, _TYPES.TouchBegin, _TYPES.TouchUpdate, _TYPES.TouchEnd, _TYPES.TouchCancel,
        _TYPES.TabletPress, _TYPES.TabletMove, _TYPES.TabletRelease, _TYPES.NativeGesture,
        _TYPES.ContextMenu, _TYPES.DragEnter, _TYPES.DragMove, _TYPES.Drop,
    }
)  # fmt: skip
_GROUND = {Tone.WAITING: "bg", Tone.PAID: "oksoft", Tone.NOT_PAID: "badsoft"}
_TONE = {Tone.WAITING: "text", Tone.PAID: "ok", Tone.NOT_PAID: "bad"}
FLAGS = (
    Qt.WindowType.Window
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.WindowStaysOnTopHint
)


class CustomerWindow(QWidget):
    """`show_seen` each picture; the code's modules come from the encoder of the `till`.

    Some desktops give every new window the keyboard, whatever it says of itself: keys go on to the till.
    """

    resized = Signal()

    closed = Signal()
    """Somebody has closed it: a desktop's task list, or the end of the application."""

    def __init__(
        self, config: TillViewConfig, words: CustomerWords, encoder: QrEncoder, till: QWidget
    ) -> None:
        super().__init__(None, FLAGS)
        self._till = till
        self.setObjectName("customer_display")
        title = words.TITLE.format(shop=config.shop_name)
        title = band_words.titled(title) if config.is_sandbox else title
        self.setWindowTitle(clean(title, DETAILS_LIMIT))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.BlankCursor)
        turned = is_right_to_left(config.language)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft if turned else Qt.LayoutDirection.LeftToRight)
        self._config = config
        self._words = words
        self._seen = idle(words)
        self._places = places(QRect(0, 0, 1, 1), View.IDLE)
        self._shop = FitText("customer_shop", "shop", wrap=True, parent=self)
        self._headline = FitText("customer_headline", "state", wrap=True, parent=self)
        self._amount = FitText("customer_amount", "result_amount", parent=self)
        self._more = FitText("customer_more", "strong", "muted", wrap=True, parent=self)
        self._steps = Steps("customer_steps", self)
        self._disc = Disc("customer_picture", self)
        self._code = QrView(encoder, self)
        self._code.setObjectName("customer_code")
        self._band = SandboxBand(self) if config.is_sandbox else None
        self._mark = SandboxMark(self, by_height=True) if config.is_sandbox else None
        self._shop.say(config.shop_name)
        self._fill()

    def show_seen(self, seen: Seen) -> None:
        """Another picture."""
        if seen != self._seen:
            self._seen = seen
            self._fill()

    def _fill(self) -> None:
        seen = self._seen
        tone = _TONE.get(seen.tone, "warn")
        self._headline.say(seen.headline, tone)
        self._more.say(seen.more, "text" if seen.view is View.RESULT else "muted")
        money = f"{seen.currency or self._config.currency.code} {seen.figure}" if seen.figure else ""
        self._amount.say(money)
        self._steps.show_steps(seen.steps, seen.done)
        self._disc.show_seen(seen)
        self.setAccessibleDescription("" if seen.paid is None else self._receipt_text(seen.paid))
        if seen.code:
            self._code.setAccessibleName(clean(self._words.CODE.format(amount=money), DETAILS_LIMIT))
            self._code.show_text(seen.code)
        else:
            self._code.clear()
        self._arrange()
        self.update()

    def _receipt_text(self, paid: Attempt) -> str:
        """The receipt for whoever cannot read one: its words, without the code that only a scanner reads."""
        from pos_app.i18n.papers import Papers

        at = wall_of(ended(paid)) if paid.ended_at is not None else ""
        receipt = receipt_of(paid, at)
        if receipt is None:
            return ""
        return text_of(Papers(self._config.language, self._config.letterhead).receipt(receipt))

    def hide_code(self) -> None:
        """At once, whatever is shown next."""
        self._code.clear()
        self._seen = msgspec.structs.replace(self._seen, code="")

    @property
    def view(self) -> View:
        """What is shown now."""
        return self._seen.view

    @property
    def code(self) -> str:
        """The text that can be scanned from here."""
        return self._seen.code if self._code.is_shown else ""

    def _arrange(self) -> None:
        top = 0
        if self._band is not None:
            top = self._band.height()
            self._band.setGeometry(0, 0, self.width(), top)
        at = self._marked(places(self.rect().adjusted(0, top, 0, 0), self._seen.view))
        self._places = at
        unit, is_code = at.unit, self._seen.view is View.CODE
        side = LEADING if at.is_beside else CENTRED
        is_idle = self._seen.view is View.IDLE
        large, headline = (14.0, 9) if is_idle else (6.5, 9 if at.is_beside else 16)
        self._shop.place(
            self._turned(at.shop.adjusted(round(4 * unit), 0, -round(4 * unit), 0)), large * unit
        )
        self._headline.place(self._turned(at.headline), headline * unit, side)
        self._amount.place(self._turned(at.amount), 15 * unit, side)
        self._more.place(self._turned(at.more), 5.6 * unit, side)
        self._steps.place(self._turned(at.steps), 4.6 * unit)
        self._code.setGeometry(self._turned(at.picture))
        self._code.setVisible(is_code)
        self._disc.setGeometry(self._turned(NOWHERE if is_code else at.picture))
        self._disc.setVisible(not is_code)

    def _marked(self, at: Places) -> Places:
        """In the sandbox the mark stands right above the amount, so that no picture has one without the other."""
        if self._mark is None:
            return at
        high = round(6 * at.unit)
        above = at.amount if at.amount.isValid() else at.more.translated(0, at.more.height())
        room = QRect(above.x(), above.y(), above.width(), high)
        if at.is_beside:
            room.setWidth(min(room.width(), self._mark.width_at(high)))
        self._mark.setGeometry(self._turned(room))
        if not at.amount.isValid():
            return at
        # Below a result there is room to move down.
        down = 0 if at.steps.isValid() else high
        amount, more = at.amount.adjusted(0, high, 0, down), at.more.adjusted(0, down, 0, 0)
        return at._replace(amount=amount, more=more)

    def _turned(self, room: QRect) -> QRect:
        """As it stands where lines begin at the right."""
        if self.layoutDirection() is Qt.LayoutDirection.LeftToRight or not room.isValid():
            return room
        return QRect(self.width() - room.x() - room.width(), room.y(), room.width(), room.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything by the window's size."""
        super().resizeEvent(event)
        self._arrange()
        self.resized.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground, tinted by a result, and the shop's strip."""
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(getattr(on, _GROUND.get(self._seen.tone, "warnsoft"))))
        if self._seen.view is not View.IDLE:
            strip = self._places.shop
            painter.fillRect(strip, QColor(on.surface))
            painter.fillRect(strip.x(), strip.bottom(), strip.width(), 1, QColor(on.line))

    def event(self, event: QEvent) -> bool:
        """Whatever a customer touches ends here."""
        if event.type() in _TOUCHES:
            event.accept()
            return True
        return super().event(event)

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """On its native window, and so before Qt looks for a part under the finger."""
        if event.type() in _KEYS:
            handle = self._till.windowHandle()
            if handle is not None:
                QCoreApplication.sendEvent(handle, event)
            return True
        return event.type() in _TOUCHES or super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """It has a native window now."""
        super().showEvent(event)
        handle = self.windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
            handle.installEventFilter(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Not refused: that would keep the whole application from ending."""
        super().closeEvent(event)
        self.closed.emit()
