"""The customer's window: paints one picture after the other. Takes no focus and no input, and asks nothing."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pos_app.i18n.languages import is_right_to_left
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.fit_text import CENTRED, LEADING, FitText
from pos_app.ui.customer.picture import Disc
from pos_app.ui.customer.places import NOWHERE, Places, places
from pos_app.ui.customer.seen import Seen, View, idle
from pos_app.ui.customer.steps import Steps
from pos_app.ui.theme.theme import tokens
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.payment.qr_view import QrView
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.band import SandboxBand, SandboxMark
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

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
        money = f"{self._config.currency.code} {seen.figure}" if seen.figure else ""
        self._amount.say(money)
        self._steps.show_steps(seen.steps, seen.done)
        self._disc.show_seen(seen)
        if seen.code:
            self._code.setAccessibleName(clean(self._words.CODE.format(amount=money), DETAILS_LIMIT))
            self._code.show_text(seen.code)
        else:
            self._code.clear()
        self._arrange()
        self.update()

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
