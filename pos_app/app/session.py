"""One run of the till on one shop: journal, engine's threads, window, phone; ended in the reverse order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from pos_app.app import placing
from pos_app.app.faces import face_of, theme_of
from pos_app.commands.opening import Shop
from pos_app.domain.people import Role
from pos_app.domain.views import Published, Terminal
from pos_app.engine.mailbox import Mailbox
from pos_app.journal import Journal
from pos_app.ui.bridge import Bridge
from pos_app.ui.till.main_window import MainWindow

if TYPE_CHECKING:
    from pos_app.app.phone_process import PhoneProcess
    from pos_app.app.setting_up import SettingUp
    from pos_app.app.single import Doorbell
    from pos_app.engine.till import Till


START_AT_LATEST_MS = 1_000
"""A window that is shown minimised may not be painted for hours; its open payments cannot wait for that."""


class Session(QObject):
    """Owns what it was given: `stop` closes the journal and the shop's sandbox too.

    `painted`: the window stands for the first time. Until then nothing is loaded that it does not show.
    """

    painted = Signal()

    def __init__(
        self, shop: Shop, setting_up: Callable[[], SettingUp] | None = None, *, phone: bool = False
    ) -> None:
        super().__init__()
        if shop.book is None:
            raise ValueError("a till needs its journal")
        self.shop = shop
        self._book: Journal = shop.book
        self._terminal = Terminal()
        self.bridge = Bridge(self._make_till)
        self._make_setting_up = setting_up
        self._setting_up: SettingUp | None = None
        self.window = MainWindow(face_of(shop.settings), self.bridge.post, settings=self._settings_panel)
        self.bridge.published.connect(self.window.receive)
        self.bridge.published.connect(self._take_note)
        self.window.painted.connect(self._was_painted)
        self._doorbell: Doorbell | None = None
        self._phone: PhoneProcess | None = None
        self._wants_phone = phone
        self._at_latest = QTimer(self)
        self._at_latest.setSingleShot(True)
        self._at_latest.timeout.connect(self.start)
        self._started = False

    @property
    def has_people(self) -> bool:
        """Whether anybody is on the list of cashiers yet; only before the engine's thread has the journal."""
        return bool(self._book.people())

    def _make_till(self, mailbox: Mailbox, publish: Callable[[Published], None]) -> Till:
        # On the engine's thread: loading the services must not hold up the first paint.
        from pos_app.commands.wiring import service_config
        from pos_app.engine.till import Till
        from pos_app.services.open import open_services

        config = service_config(self.shop)
        return Till(
            self.shop.site(),
            self._book,
            self._book.last_at(),
            lambda: open_services(config),
            config.qr_amount_field,
            publish,
            mailbox,
        )

    def _make_phone(self) -> PhoneProcess | None:
        control = self.shop.control
        if control is None or not self._wants_phone:
            return None
        from pos_app.app.phone_process import PhoneProcess

        at = placing.phone_place(self._room(), self.window.geometry())
        phone = PhoneProcess(
            control.control_url,
            control.control_token,
            theme=theme_of(self.shop.settings),
            at=at,
            parent=self,
        )
        self.window.qr_changed.connect(phone.show_code)
        return phone

    def _take_note(self, published: Published) -> None:
        if isinstance(published, Terminal):
            self._terminal = published

    def _settings_panel(self, close: Callable[[], None]) -> QWidget:
        from pos_app.app.setting_up import draft_of, own_files
        from pos_app.ui.dialogs.settings_dialog import SettingsDialog

        if self._setting_up is None:
            self._setting_up = (self._make_setting_up or own_files)()
        person = self._terminal.signed_in
        panel = SettingsDialog(
            draft_of(self.shop.settings),
            self._setting_up.test,
            self._setting_up.save,
            is_manager=person is not None and person.role is Role.MANAGER,
            own_sandbox=self.shop.control is not None,
        )
        panel.closed.connect(close)
        return panel

    def show(self) -> None:
        """Shows the window; the threads start once it has been painted, because loading them takes a while."""
        self.window.setGeometry(placing.till_place(self._room(), phone=self._wants_phone))
        self.window.show()
        self._at_latest.start(START_AT_LATEST_MS)

    def _room(self) -> QRect:
        return self.window.screen().availableGeometry()

    def _was_painted(self) -> None:
        self.painted.emit()
        self.start()

    def start(self) -> None:
        """Starts the engine's threads and what stands beside the till; once."""
        if self._started:
            return
        self._started = True
        self._at_latest.stop()
        self.bridge.start()
        from pos_app.app.single import Doorbell

        self._doorbell = Doorbell(self.shop.data_dir, self._come_to_front, self)
        self._phone = self._make_phone()
        if self._phone is not None:
            self._phone.start()

    def _come_to_front(self) -> None:
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMinimized)
        self.window.raise_()
        self.window.activateWindow()

    def stop(self) -> bool:
        """Ends everything, each step bounded; True when all threads ended in time."""
        self._started = True
        self._at_latest.stop()
        if self._doorbell is not None:
            self._doorbell.stop()
        if self._phone is not None:
            self._phone.stop()
        if self._setting_up is not None:
            self._setting_up.stop()
        self.window.close()
        self.window.deleteLater()
        ended = self.bridge.stop()
        if ended:
            self.shop.close()
        return ended
