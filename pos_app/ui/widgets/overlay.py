"""A dimmed layer inside the window that holds one panel at a time. Traps the focus; knows no panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStyle, QVBoxLayout, QWidget
from shiboken6 import isValid

from pos_app.ui.garbage import while_whole
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S4, S6, VEIL_ALPHA
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.motion import OPEN_MS, Motion


def focusable(panel: QWidget) -> list[QWidget]:
    """The panel's parts that Tab may reach now, in tab order."""
    found: list[QWidget] = []
    each: QWidget | None = panel
    while each is not None:
        reached = bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) and each.isEnabled() and each.isVisible()
        if reached and each.focusProxy() is None and (each is panel or panel.isAncestorOf(each)):
            found.append(each)
        each = each.nextInFocusChain()
        if each is panel:
            break
    return found


def first_focusable(panel: QWidget) -> QWidget | None:
    """Where Tab would begin."""
    chain = focusable(panel)
    return chain[0] if chain else None


def alive(widget: QWidget) -> bool:
    """Whether Qt has not deleted it yet."""
    return isValid(widget)


_RISES = 16
"""How far below its place a panel begins (px)."""


class _Open(NamedTuple):
    panel: QWidget
    card: QWidget
    closable: bool
    width: int
    came_from: QWidget | None
    on_close: Callable[[], None] | None


class OverlayHost(QWidget):
    """Covers its parent while a panel is open. Panels stack: the newest is on top and has the keyboard.

    A panel is any widget; it is deleted when closed. It may emit its own signals to be closed by whoever
    opened it, and it gets the focus unless `take_focus` is False (an alert nobody asked for). What another panel
    covers has no keys, and has them again when that is closed.
    """

    changed = Signal()
    """A panel was opened or closed."""

    def __init__(self, parent: QWidget, *, veil: bool = True) -> None:
        """`veil`: what lies beneath is dimmed; without it the ground there is seen."""
        super().__init__(parent)
        self.setObjectName("overlay")
        self._veil = veil
        self._stack: list[_Open] = []
        self._tops: dict[int, int] = {}
        self._came = 1.0
        self._covered = 0
        self._coming = Motion(self, OPEN_MS, self._come)
        self.hide()
        parent.installEventFilter(self)

    @property
    def top(self) -> QWidget | None:
        """The panel that has the keyboard."""
        return self._stack[-1].panel if self._stack else None

    @property
    def panels(self) -> tuple[QWidget, ...]:
        """All open panels, the oldest first."""
        return tuple(opened.panel for opened in self._stack)

    def open(
        self,
        panel: QWidget,
        *,
        closable: bool = True,
        width: int = 520,
        take_focus: bool = True,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        """Show a panel over everything. `closable`: Esc closes it. `width` is the widest it gets."""
        card = _holder(panel)
        self._dress()
        card.setParent(self)
        window = self.window()
        self._stack.append(_Open(panel, card, closable, width, window.focusWidget(), on_close))
        self._arrange()
        self.show()
        self.raise_()
        self._show_top()
        self._coming.start()
        if take_focus:
            first = panel.focusProxy() or first_focusable(panel) or panel
            first.setFocus(Qt.FocusReason.PopupFocusReason)
        elif len(self._stack) > 1:
            # What had the keyboard is out of sight now: no key answers or fills in what nobody sees.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def let_close(self, panel: QWidget, on_close: Callable[[], None]) -> None:
        """Esc closes a panel that it could not close before."""
        self._stack = [
            each._replace(closable=True, on_close=on_close) if each.panel is panel else each
            for each in self._stack
        ]

    def keep_clear(self, height: int) -> None:
        """So much at the window's bottom is covered by something else now: panels stand above it, and scroll."""
        window = self.window()
        below = window.height() - self.mapTo(window, QPoint(0, self.height())).y()
        self._covered = max(0, height - below)
        self._place()

    def close_all(self) -> None:
        """The top one first."""
        for panel in reversed(self.panels):
            self.close_panel(panel)

    def focus_top(self) -> bool:
        """The keyboard to what is open; False when nothing is."""
        top = self.top
        if top is not None:
            (top.focusProxy() or first_focusable(top) or top).setFocus(Qt.FocusReason.OtherFocusReason)
        return top is not None

    def close_panel(self, panel: QWidget | None = None) -> None:
        """Close this panel, or the top one. Does nothing when it is not open."""
        wanted = panel or self.top
        opened = next((each for each in self._stack if each.panel is wanted), None)
        if opened is None:
            return
        at = self._stack.index(opened)
        self._stack.remove(opened)
        above = self._stack[at] if at < len(self._stack) else None
        if above is not None and _had_keys(opened.card, above.came_from):
            # The keyboard stays with what is seen, and goes on from there to where this one had it from.
            self._stack[at] = above._replace(came_from=opened.came_from)
        self._tops.pop(id(opened.card), None)
        if not self._stack:
            self.hide()
        opened.card.hide()
        opened.card.deleteLater()
        self._show_top()
        came_from = opened.came_from if above is None else None
        if came_from is not None and alive(came_from) and came_from.isVisible() and came_from.isEnabled():
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        elif above is None:
            # What it came from is gone: a row of a list that ended meanwhile.
            self.focus_top()
        if opened.on_close:
            opened.on_close()
        self.changed.emit()

    def close_top(self) -> None:
        """Esc: close the top panel if that is allowed."""
        if self._stack and self._stack[-1].closable:
            self.close_panel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes what may be closed; all else goes to the window, which knows of the overlay."""
        if event.key() == Qt.Key.Key_Escape and self._stack:
            event.accept()
            if not event.isAutoRepeat():
                self.close_top()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside the top panel."""
        if not self._stack:
            return super().focusNextPrevChild(forward)
        chain = focusable(self._stack[-1].panel)
        if not chain:
            return True
        now = self.window().focusWidget()
        at = chain.index(now) if now in chain else -1
        step = 1 if forward else -1
        following = chain[(at + step) % len(chain)] if at >= 0 else chain[0 if forward else -1]
        following.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        bring_into_view(following)
        return True

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the parent's size."""
        if event.type() == QEvent.Type.PaletteChange and self._stack:
            # What wears a sheet of Qt's follows no palette any more: what is typed stayed as dark as its new ground.
            self._dress()
        if event.type() == QEvent.Type.Resize and self._stack:
            self._arrange()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What lies under the veil cannot be touched."""
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another window: the cards are in its middle."""
        super().resizeEvent(event)
        self._tops.clear()
        self._place()

    def _dress(self) -> None:
        worn = sheet(tokens())
        if self.styleSheet() != worn:
            # Qt dresses every part that is here by then, also where the sheet is the same.
            self.setStyleSheet(worn)

    def event(self, event: QEvent) -> bool:
        """A panel that changed its size is placed again."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The veil. What is seen now has its place, and keeps it."""
        for opened in self._stack:
            place = opened.card.geometry()
            came = round((1 - self._came) * _RISES) if opened is self._stack[-1] else 0
            self._tops.setdefault(id(opened.card), place.top() - came)
        if not self._veil:
            return
        veil = QColor(tokens().veil)
        veil.setAlpha(round(VEIL_ALPHA * (self._came if len(self._stack) == 1 else 1)))
        QPainter(self).fillRect(self.rect(), veil)

    def _come(self, done: float) -> None:
        self._came = done
        self._place()
        self.update()

    def _arrange(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self._place()

    def _show_top(self) -> None:
        for opened in self._stack:
            opened.card.setVisible(opened is self._stack[-1])
        self._place()

    def _place(self) -> None:
        room = self.rect().adjusted(S4, S4, -S4, -S4 - self._covered)
        for opened in self._stack:
            # Nothing scrolls sideways: a panel that needs more in a longer language gets it.
            needed = opened.panel.minimumSizeHint().width() + 2 * S6
            width = min(max(grown(opened.width), needed), room.width())
            height = opened.card.heightForWidth(width) if opened.card.hasHeightForWidth() else -1
            size = QSize(width, min(max(height, opened.card.sizeHint().height()), room.height()))
            place = QRect(room.topLeft(), size)
            place.moveCenter(room.center())
            top = self._tops.get(id(opened.card))
            if top is not None:
                # What is said or opened in it moves nothing above: it grows downwards, as far as there is room.
                place.moveTop(max(room.top(), min(top, room.bottom() + 1 - size.height())))
            if opened is self._stack[-1]:
                place.translate(0, round((1 - self._came) * _RISES))
            opened.card.setGeometry(place)


def _had_keys(card: QWidget, came_from: QWidget | None) -> bool:
    return came_from is None or not alive(came_from) or card.isAncestorOf(came_from)


_BAR_WIDTH = QStyle.PixelMetric.PM_ScrollBarExtent


class _Scroller(QScrollArea):
    """Lets a panel that is too tall for the screen scroll, and follows its height when it is not.

    Its bar comes beside the panel, in room that is kept at both sides: it takes none of the panel's width.
    """

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        self.bar = self.style().pixelMetric(_BAR_WIDTH)
        self.setWidget(panel)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        panel.installEventFilter(self)

    def hasHeightForWidth(self) -> bool:
        """Wrapped text decides."""
        return True

    def heightForWidth(self, width: int) -> int:
        """What the panel needs at this width."""
        panel, width = self._panel, width - 2 * self.bar
        return panel.heightForWidth(width) if panel.hasHeightForWidth() else panel.sizeHint().height()

    def sizeHint(self) -> QSize:
        """The panel's own, and the room beside it."""
        return self._panel.sizeHint() + QSize(2 * self.bar, 0)

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the panel's wish for room upwards."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._scroll_if_needed()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        self._scroll_if_needed()
        super().resizeEvent(event)

    def _scroll_if_needed(self) -> None:
        # A bar that was there for a moment makes texts wrap, and so would keep itself in need.
        fits = self.heightForWidth(self.width()) <= self.height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        left, right = (self.bar, self.bar if fits else 0)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            left, right = right, left
        self.setViewportMargins(left, 0, right, 0)


def _holder(panel: QWidget) -> QWidget:
    card = Card("overlay_card", ground="raised")
    column = QVBoxLayout(card)
    scroller = _Scroller(panel)
    column.setContentsMargins(S6 - scroller.bar, S6, S6 - scroller.bar, S6)
    column.addWidget(scroller)
    panel.show()
    return card
