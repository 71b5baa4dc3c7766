"""The till's window: lays out its parts, paints first, hands on keys and what is published. Waits for nothing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from pos_app.domain.views import Published, Terminal
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.till import words
from pos_app.ui.language import SaysAnew
from pos_app.ui.post import Post
from pos_app.ui.theme.tokens import S2, S5, S6
from pos_app.ui.till.amount.amount_pad import AmountPad
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.exits import NO_EXITS, Exits
from pos_app.ui.till.window.language import WindowLanguage
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.till.window.parked_row import ParkedRow
from pos_app.ui.till.window.recent_strip import RecentStrip
from pos_app.ui.till.window.top_bar import TopBar
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING

if TYPE_CHECKING:
    from pos_app.ui.keyboard.screen_keyboard import KeysWanted, ScreenKeyboard
    from pos_app.ui.till.window.controller import TillController
    from pos_app.ui.till.window.dialog_opener import SettingsDoor
    from pos_app.ui.widgets.overlay import OverlayHost

_PAD_SHARE = 0.315
_PAD_LEAST, _PAD_MOST = 322, 720
_WARM_AFTER_MS = 400
_WARM_STEP_MS = 50


class MainWindow(SaysAnew, QWidget):
    """`receive` every published value on the window's thread; commands leave through `post`."""

    qr_changed = Signal(str)
    """The QR text that can be scanned from the screen now, "" when it is gone."""

    result_shown = Signal(str)
    """A result came onto the panel: its Tone, for whoever makes sounds."""

    panel_changed = Signal(object, str, bool)
    """The payment on the panel as it now is, None for none, who is at the till, and whether nothing can be recorded
    just now: for the customer's screen."""

    amount_typed = Signal(object)
    """The prices that are typed just now, as Decimals, () for none: for the customer's screen."""

    mute_wanted = Signal(bool)
    """Somebody wants no sounds, or sounds again."""

    attention_wanted = Signal()
    """Something ended that is not on the panel, or a payment waits for an answer."""

    painted = Signal()
    """All of it has been painted for the first time."""

    def __init__(
        self,
        config: TillViewConfig,
        post: Post,
        *,
        settings: SettingsDoor | None = None,
        exits: Exits = NO_EXITS,
        keys_wanted: KeysWanted | None = None,
        parent: QWidget | None = None,
    ) -> None:
        # Before there is a window that would be told of it.
        speaking = WindowLanguage(config.language)
        super().__init__(parent)
        self._speaking = speaking
        self._terminal = Terminal()
        self.setObjectName("till")
        self._config = config
        self._name_window()
        self._words = words
        self._post = post
        self._settings = settings
        self._exits = exits
        self._keys_wanted = keys_wanted
        self._screen_keys: ScreenKeyboard | None = None
        self._was_painted = False
        self._asks_before_closing = False
        self._is_retired = False
        self._encoder = encoder = QrEncoder()
        # No child: it outlives the window until its thread has ended, however the window goes.
        self.destroyed.connect(lambda: encoder.stop() if isValid(encoder) else None)
        self._warm = QTimer(self)
        self._warm.setSingleShot(True)
        self._warm.timeout.connect(self._warm_up)
        self._bar = TopBar(config, words)
        self._pad = AmountPad(config, words.pad)
        self._panels = Panels(config, words, self._encoder)
        self._strip = RecentStrip(config, words)
        self._parked = ParkedRow(config, words)
        self._band = SandboxBand() if config.is_sandbox else None
        self._body = self._lay_out()
        self._bar.mute_wanted.connect(self.mute_wanted)

    def _lay_out(self) -> QWidget:
        body = QWidget()
        middle = QHBoxLayout()
        # The pad's parts keep room for their focus rings; the panel lines up with their shapes.
        middle.setContentsMargins(S6 - RING, S5 - RING, S6, S5 - RING)
        middle.setSpacing(S5 - RING)
        middle.addWidget(self._pad)
        right = QVBoxLayout()
        right.setContentsMargins(0, RING, 0, RING)
        right.setSpacing(S2)
        right.addWidget(self._parked)
        right.addWidget(self._panels, 1)
        middle.addLayout(right, 1)
        below = QVBoxLayout(body)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._bar)
        below.addLayout(middle, 1)
        below.addWidget(self._strip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        if self._band is not None:
            # Outside the body: no overlay ever covers it.
            column.addWidget(self._band)
        column.addWidget(body, 1)
        return body

    @cached_property
    def controller(self) -> TillController:
        """What the window does. Not needed for the first paint, which need not wait for it."""
        from pos_app.ui.till.window.controller import TillController
        from pos_app.ui.till.window.parts import Parts
        from pos_app.ui.till.window.state import TillContext, TillState

        parts = Parts(self._bar, self._pad, self._panels, self._strip, self._parked, self._body)
        till_state = TillState(sign_in_required=self._config.sign_in_required)
        context = TillContext(self._config, self._words, till_state, self._post)
        made = TillController(context, parts, self._settings, self._exits, self)
        made.lock_screen.language_wanted.connect(self.speak)
        made.observers.qr_changed.connect(self.qr_changed)
        made.observers.result_shown.connect(self.result_shown)
        made.observers.attention_wanted.connect(self.attention_wanted)
        made.observers.panel_changed.connect(self.panel_changed)
        made.observers.amount_typed.connect(self.amount_typed)
        if self._keys_wanted is not None:
            from pos_app.ui.keyboard.screen_keyboard import ScreenKeyboard

            self._screen_keys = ScreenKeyboard(self, self._keys_wanted, self._keep_clear)
        return made

    def _keep_clear(self, height: int) -> None:
        """Keys stand at the bottom: what is in front of the till goes above them."""
        from pos_app.ui.widgets.overlay import OverlayHost

        for host in self.findChildren(OverlayHost):
            host.keep_clear(height)

    def _name_window(self) -> None:
        title = f"{self._config.shop_name} · {self._config.counter_id}"
        said = band_words.titled(title) if self._config.is_sandbox else title
        self.setWindowTitle(clean(said, DETAILS_LIMIT))

    @property
    def encoder(self) -> QrEncoder:
        """Whoever shows the same code elsewhere asks the same encoder: nothing is encoded twice."""
        return self._encoder

    @property
    def overlay(self) -> OverlayHost:
        """The layer for what asks or alerts."""
        return self.controller.overlay

    def retire(self) -> None:
        """Another window is about to be made in its place: what that one does to the language is not for this one."""
        self._is_retired = True

    def take_over(self, old: MainWindow) -> None:
        """Comes in the place of another window, with what was typed into it and the payment it showed."""
        self._pad.take_over(old._pad)
        self.controller.take_over(old.controller)

    def receive(self, published: Published) -> None:
        """Show what the engine says now. Call on the window's thread only."""
        if isinstance(published, Terminal):
            # First, so that nothing of it is shown in the language of whoever was here before.
            self._speaking.take_terminal(published)
            self._terminal = published
        self.controller.receive(published)

    def speak(self, language: str) -> None:
        """The language chosen at the sign-in, where nobody is known yet."""
        self._speaking.choose(language)

    def say_anew(self) -> None:
        """All that stays on the screen, in another language: nothing typed is lost. Its parts say the rest after it."""
        if self._is_retired:
            return
        self._name_window()
        if "controller" in vars(self):
            self.controller.say_anew(self._terminal)

    @property
    def shown_id(self) -> str:
        """The payment on the panel, "" for none."""
        return self.controller.shown_id

    def show_sounds(self, *, heard: bool, muted: bool) -> None:
        """Whether the till makes sounds at all, and whether somebody has switched them off for now."""
        self._bar.show_sounds(heard=heard, muted=muted)

    def open_settings(self) -> None:
        """The settings' panel, as if it had been asked for."""
        self.controller.open_settings()

    def print_test(self) -> None:
        """A test page on the printer in force."""
        self.controller.print_test()

    def open_attempt(self, attempt_id: str) -> None:
        """Bring a payment's panel up."""
        self.controller.open_attempt(attempt_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no text field wanted."""
        if not self.controller.keys.press(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays in an open overlay, even when an alert left the focus where it was."""
        front = self.controller.lock_screen.overlay or self.overlay
        if front.top is not None:
            return front.focusNextPrevChild(forward)
        return super().focusNextPrevChild(forward)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The amount's share of the width."""
        super().resizeEvent(event)
        self._pad.setFixedWidth(max(_PAD_LEAST, min(_PAD_MOST, round(self.width() * _PAD_SHARE))))

    def showEvent(self, event: QShowEvent) -> None:
        """Ready for an amount at once; what is heavy is loaded after the first paint."""
        super().showEvent(event)
        if self.focusWidget() is None:
            # Also shown once more, after it was minimised or in another's place: the keyboard is where it was.
            self._pad.take_focus()
        self._warm.start(_WARM_AFTER_MS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Its parts paint themselves right after it, in the same turn of the loop."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self._tell_painted)

    def _tell_painted(self) -> None:
        # Before the first touch can come.
        _ = self.controller
        self.painted.emit()

    def _warm_up(self) -> None:
        """A little at a time, so that the first payment finds everything ready and nothing stalls."""
        self._encoder.warm()
        if self._panels.build_next():
            self._warm.start(_WARM_STEP_MS)

    def ask_before_closing(self) -> None:
        """From now on whoever closes it (Alt+F4, the cross) is asked once while a customer is waited for."""
        self._asks_before_closing = True

    def end(self) -> None:
        """Closes it without a question: the till ends, or another window stands in its place."""
        self._asks_before_closing = False
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The encoder's thread ends with the window."""
        if self._asks_before_closing and not _session_ends() and self.controller.ask_to_close(self.end):
            event.ignore()
            return
        self.retire()
        self._warm.stop()
        self._encoder.stop()
        if self._screen_keys is not None:
            self._screen_keys.stop()
            self._screen_keys = None
        if "controller" in vars(self):
            self.controller.stop()
        super().closeEvent(event)


def _session_ends() -> bool:
    """Whether the desktop goes down with all its windows: nobody is there to be asked."""
    application = QGuiApplication.instance()
    return isinstance(application, QGuiApplication) and application.isSavingSession()
