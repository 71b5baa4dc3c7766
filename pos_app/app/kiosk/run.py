"""Runs the till as the only thing on its screen: opens it, or says why not, until it is left or the machine ends it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app.faults import faults_said
from pos_app.app.kiosk.counter_facts import told
from pos_app.app.kiosk.placement import Alone
from pos_app.app.kiosk.starts import TOO_OFTEN, Starts
from pos_app.app.kiosk.watchdog import Watchdog
from pos_app.app.run import AGAIN_MS, LOOK_AGAIN_MS, SAID_MS, App, Ending, runs_already
from pos_app.app.view_config import dress_as
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import InUseError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import plain_lines
from pos_app.bootstrap.shop import data_folder, data_root_of, settings_ahead
from pos_app.bootstrap.updates import UpdatingError
from pos_app.journal import JournalInUse
from pos_app.journal.lock import FileLock
from pos_app.system.paths import FolderError, data_dir
from pos_app.system.service_manager import ServiceManager
from pos_app.system.updating import is_updating
from pos_app.ui.kiosk.full_screen import FullScreen
from pos_app.ui.kiosk.safe_screen import SafeScreen, Told, Updating
from pos_app.ui.theme import theme

LOCK = Path("kiosk")


def run_kiosk(options: Options) -> int:
    """An exit code. Raises CommandError where there is no screen to say it on."""
    refuse_administrators()
    choose_platform(os.environ)
    folder = folder_of(options)
    try:
        lock = FileLock(folder / LOCK)
    except JournalInUse as error:
        if runs_already(options, error):
            return int(Exit.OK)
        raise InUseError(
            Exit.CANNOT_CREATE, f"{folder} is in use by another till that is starting"
        ) from error
    except OSError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be used: {error.strerror}") from error
    try:
        qt = theme.application()
        qt.setApplicationDisplayName("")
        kiosk = Kiosk(qt, options, Starts(folder), ServiceManager(os.environ))
        kiosk.begin()
        qt.exec()
        code, _ = kiosk.stop()
    finally:
        lock.release()
    return int(code)


def refuse_administrators() -> None:
    """Whoever breaks out of a till may then do what its account may. Raises CommandError."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        raise CommandError(Exit.USAGE, "--kiosk: not as root; give the till a user of its own")


def choose_platform(variables: MutableMapping[str, str]) -> None:
    """The screen that is there, whatever QT_QPA_PLATFORM says. Raises CommandError without one."""
    if sys.platform != "linux":
        return
    variables.pop("QT_QPA_PLATFORM", None)
    for name, platform in (("WAYLAND_DISPLAY", "wayland"), ("DISPLAY", "xcb")):
        if variables.get(name):
            variables["QT_QPA_PLATFORM"] = platform
            return
    raise CommandError(
        Exit.NO_DISPLAY,
        "no display: --kiosk runs in cage, or in a session of its own (packaging/kiosk/README)",
    )


def folder_of(options: Options) -> Path:
    """Where lock and crashes are kept: the counter's data folder, or the one around it while nothing is set up."""
    try:
        environment = settings_ahead(options).gateway.environment
    except CommandError:
        try:
            return data_dir(data_root_of(options), "")
        except FolderError as error:
            raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
    return data_folder(options, environment)


class Kiosk(QObject):
    """One at a time of two things stands on the screen: the till, or the safe screen."""

    def __init__(self, qt: QApplication, options: Options, starts: Starts, manager: ServiceManager) -> None:
        super().__init__()
        self._qt = qt
        self._options = options
        self._starts = starts
        self._manager = manager
        self._was_quitting = qt.quitOnLastWindowClosed()
        # Only what was asked for ends it: see `stop`.
        qt.setQuitOnLastWindowClosed(False)
        self._screen = FullScreen(qt, self)
        self._app: App | None = None
        self._safe: SafeScreen | None = None
        self._said: Told | None = None
        self._asked: Exit | None = None
        self._ending = Ending(lambda: self.end(Exit.OK))
        self._watchdog = Watchdog(manager, self._pulse, self)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._try)
        self._update = QTimer(self)
        self._update.timeout.connect(self._look_at_update)

    @property
    def app(self) -> App | None:
        """The till, once one has been opened."""
        return self._app

    @property
    def window(self) -> QWidget | None:
        """What has the screen: the till's window, the wizard's, or the safe screen."""
        return self._screen.window

    @property
    def asked(self) -> Exit | None:
        """The exit code with which it was asked to end, None while nobody has."""
        return self._asked

    def begin(self) -> None:
        """The till; or, if it crashed too often lately, the safe screen."""
        self._ending.begin()
        if self._starts.begin(screen_fell=self._manager.screen_fell) >= TOO_OFTEN:
            self._tell("")
        else:
            self._open()

    def end(self, code: Exit) -> None:
        """By a manager, or by whoever ends the machine; an ignored close would veto `quit`."""
        self._asked = code
        self._manager.ending()
        self._qt.exit(int(code))

    def stop(self) -> tuple[Exit, bool]:
        """After the loop: the exit code, and whether every thread ended in time."""
        self._again.stop()
        self._update.stop()
        self._watchdog.stop()
        self._screen.let_go()
        ended = self._app is None or self._app.stop()
        self._close_safe()
        self._ending.stop()
        self._manager.close()
        self._qt.setQuitOnLastWindowClosed(self._was_quitting)
        if self._asked is None:
            return Exit.FAULT, ended
        self._starts.end()
        return self._asked, ended

    def _pulse(self, beat: Callable[[], None]) -> bool:
        return self._app is not None and self._app.pulse(beat)

    def _open(self) -> None:
        app = App(self._qt, self._options, Alone(self._screen, lambda: self.end(Exit.LEFT)))
        app.opens.connect(self._watchdog.loads)
        app.stands.connect(self._stands)
        app.updated.connect(lambda: self.end(Exit.UPDATING))
        try:
            with faults_said():
                app.open()
        except UpdatingError:
            app.stop()
            self._tell("", Updating.ALONE)
        except CommandError as error:
            self._not_opened(app, error)
        else:
            self._app = app

    def _not_opened(self, app: App, error: CommandError) -> None:
        try:
            app.stop()
        finally:
            try:
                self._tell(plain_lines(str(error)))
            finally:
                # Also where the screen itself meets a fault: the one that stands would say for ever that it starts.
                if self._said is None or not self._said.updating:
                    self._again.start(AGAIN_MS)

    def _stands(self) -> None:
        self._ending.begin()
        self._manager.ready()
        # Its engine begins to load now.
        self._watchdog.loads()
        self._close_safe()

    def _tell(self, why: str, updating: Updating = Updating.NO) -> None:
        """Nothing runs that could crash: told, and counted as ended."""
        if is_updating():
            # Whatever keeps it from opening: the new program may be what it takes.
            why, updating = "", Updating.ALONE
        what = told(self._options, why=why, updating=updating)
        self._starts.end()
        self._update.start(LOOK_AGAIN_MS)
        dress_as(self._qt, what.config)
        if self._safe is not None and self._said is not None and _is_same(what, self._said):
            if self._screen.window is not self._safe:
                # What was tried had the screen already.
                self._screen.show(self._safe)
            self._safe.ask_again()
            return
        before, self._said = self._safe, what
        self._safe = SafeScreen(what)
        self._safe.again.connect(self._start_again)
        self._screen.show(self._safe)
        if before is not None:
            before.close()
            before.deleteLater()
        self._manager.safe()

    def _start_again(self) -> None:
        self._starts.forgive()
        # Once the words that it is being started are on the screen.
        self._again.start(SAID_MS)

    def _try(self) -> None:
        self._starts.begin()
        self._open()

    def _look_at_update(self) -> None:
        """The new program is another process: whoever started this one starts it. And whoever updates waits for what
        runs of the old one: a screen that says why there is no till is not in the way."""
        says_so = self._said is not None and bool(self._said.updating)
        if is_updating() is not says_so:
            self._update.stop()
            self.end(Exit.UPDATING)

    def _close_safe(self) -> None:
        self._update.stop()
        safe, self._safe = self._safe, None
        if safe is not None:
            safe.close()
            safe.deleteLater()


def _is_same(one: Told, other: Told) -> bool:
    """Whether both say the same of why there is no till."""
    return (one.why, one.updating, one.stopped) == (other.why, other.updating, other.stopped)
