"""A whole till alone on its screen in this process, and all that can be done to it from outside. It asserts nothing."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app.kiosk.run import Kiosk
from pos_app.app.kiosk.starts import Starts
from pos_app.app.run import App
from pos_app.app.session import Session
from pos_app.bootstrap.options import Options
from pos_app.domain.views import Connection
from pos_app.system.service_manager import ServiceManager
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, at_rest


class AloneTill(StartedTill):
    """As a StartedTill, but keys and fingers come the way the display's do: to the native window."""

    def __init__(
        self, sandbox: Sandbox, asked: Options, folder: Path, told: MutableMapping[str, str] | None = None
    ) -> None:
        """`told`: what a service manager tells whom it starts, where there is one."""
        self.sandbox = sandbox
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.kiosk: Kiosk | None = Kiosk(application, asked, Starts(folder), ServiceManager(told or {}))
        self.kiosk.begin()

    @property
    def running(self) -> App | None:
        """The till, while one is on the screen."""
        return self.kiosk.app if self.kiosk is not None else None

    @property
    def session(self) -> Session:
        """The run of the till that is on."""
        assert self.running is not None
        assert self.running.session is not None
        return self.running.session

    @property
    def shown(self) -> list[QWidget]:
        """Every window on the screen but the ground below them all."""
        windows = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        return [each for each in windows if each.objectName() != "backdrop"]

    @property
    def window(self) -> QWidget:
        """The one that has the screen; the one before it may be about to go."""
        assert self.kiosk is not None
        window = self.kiosk.window
        assert window is not None
        return window

    @property
    def native(self) -> QWindow:
        """What the display's events come to."""
        return self.window.windowHandle()

    def strike(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """A key as the keyboard sends it."""
        self.keyboard().press(key, held)

    def until_connected(self) -> None:
        """The till stands and its first call is answered: ended before that, the call would end by itself later."""
        self.until(lambda: self.running is not None and self.running.session is not None)
        self.until(lambda: self.session.terminal.connection is not Connection.UNKNOWN)

    def stop(self) -> bool:
        """Ends everything, once; whether it all ended in time."""
        kiosk, self.kiosk = self.kiosk, None
        at_rest()
        ended = kiosk is None or kiosk.stop()[1]
        _forget_the_exit()
        return ended


def _forget_the_exit() -> None:
    """After an `exit` outside of `exec` no loop of this thread turns any more, and the next test waits for nothing.

    It also broke off pytest-qt's `waitUntil`, whose timer of ten milliseconds still runs: one behind it is the end.
    """
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    QTimer.singleShot(11, lambda: application.exit(0))
    application.exec()
