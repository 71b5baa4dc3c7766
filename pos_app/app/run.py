"""Runs the till's window from the options to the exit code."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from pos_app.app.faults import faults_said
from pos_app.app.qt_loading import load_the_rest
from pos_app.app.session import Session
from pos_app.app.view_config import apply_theme, dress_as
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import InUseError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note, plain_lines
from pos_app.bootstrap.shop import NotSetUpError, Shop, config_of, data_folder, environment_of, open_shop
from pos_app.bootstrap.updates import UpdatingError
from pos_app.i18n.table import spoken
from pos_app.journal import JournalError
from pos_app.system import paths
from pos_app.system.display import has_display
from pos_app.system.updating import is_updating
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme

if TYPE_CHECKING:
    from pos_app.app.first_start import FirstStart
    from pos_app.app.set_up import SetUpService
    from pos_app.app.settings.changes import Stored
    from pos_app.app.settings.store import SettingsStore
    from pos_app.app.signals import Signals
    from pos_app.app.window_placement import WindowPlacement
    from pos_app.training.controller import CourseState
    from pos_app.ui.kiosk.safe_screen import SafeScreen


LOOK_AGAIN_MS = 1_000
"""How often a till that does not start looks whether its update is over."""

AGAIN_MS = 15_000
"""A counter that cannot open (another program has its journal, its settings are being written) tries again."""

SAID_MS = 50
_AGAIN = 1
"""With which the loop of the refusal ends when the till is to be tried again."""


class App(QObject):
    """Owns the session that is on, and ends it with the application. `stands`: a window is on the screen.

    `opens`: this thread opens a session now, and does nothing else until it has. `updated`: the till is to end because
    its program is to be replaced; nothing is under way.
    """

    opens = Signal()
    stands = Signal()
    updated = Signal()

    def __init__(self, qt: QApplication, options: Options, alone: WindowPlacement | None = None) -> None:
        """`alone`: of a till that has the screen to itself."""
        super().__init__()
        self._qt = qt
        self._options = options
        self._alone = alone
        self._course: CourseState | bool = options.training
        self._session: Session | None = None
        self._first_start: FirstStart | None = None
        self._stop_log: Callable[[], None] | None = None
        self._has_begun = False
        self.not_again: CommandError | None = None
        """Why a till that has ended did not begin again: there is no window any more that could say so."""
        self.stands.connect(self._start_log)
        self.stands.connect(load_the_rest)

    @property
    def session(self) -> Session | None:
        """The run of the till that is on; None before there is one, and while the wizard sets the counter up."""
        return self._session

    def open(self) -> None:
        """The till, or the wizard when nothing is set up or nobody is enrolled. Raises CommandError."""
        self.opens.emit()
        try:
            session = self._make_session(self._open_shop(self._options.sandbox))
        except NotSetUpError:
            self._begin_first_start(None)
            return
        if session.has_people:
            self._show(session)
        else:
            self._begin_first_start(session)

    def _open_shop(self, sandbox: bool) -> Shop:
        """On any thread. Raises CommandError."""
        options = replace(self._options, sandbox=sandbox)
        if sandbox and self._first_start is not None:
            # As the wizard was read, so the till that it led to.
            options = replace(options, language=spoken())
        shop = open_shop(options)
        if shop.control is not None and shop.journal is not None:
            from pos_app.app import demo_people

            try:
                demo_people.enrol(shop.journal)
            except JournalError as error:
                shop.close()
                raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
            except Exception:
                shop.close()
                raise
        return shop

    def _make_session(self, shop: Shop) -> Session:
        """Raises CommandError."""
        # Beside a till that has the screen to itself there is no room for a phone.
        phone = shop.control is not None and self._alone is None
        apply_theme(self._qt, shop.settings, phone=phone)
        try:
            session = self._session = Session(
                shop, self._settings_store, phone=phone, course=self._course, placement=self._alone
            )
        except JournalError as error:
            # What was opened a moment ago cannot be read any more.
            shop.close()
            raise CommandError(Exit.CANNOT_CREATE, str(error)) from error
        except Exception:
            # It would keep its journal from whoever tries again.
            shop.close()
            raise
        # Queued: the session that says so is to be ended, and is not in the middle of anything then.
        session.another_till.connect(self._begin_anew, Qt.ConnectionType.QueuedConnection)
        session.restart_wanted.connect(self._restart, Qt.ConnectionType.QueuedConnection)
        session.updated.connect(self.updated, Qt.ConnectionType.QueuedConnection)
        return session

    def _restart(self) -> None:
        """An exercise: the sandbox's till ends as at a power cut, and begins again with the exercise going on."""
        old = self._session
        if old is None or old.beside is None:
            return
        self._course = old.beside.controller.state()
        with self._another_begins():
            try:
                if old.stop():
                    self._show(self._make_session(self._open_shop(True)))
            except CommandError as error:
                self.not_again = error

    def _settings_store(self) -> SettingsStore:
        from pos_app.app.settings.store import SettingsStore

        return SettingsStore(self._options)

    def _begin_anew(self, stored: Stored) -> None:
        """The counter is another one now: this session ends, the next begins; or this one again, and says why."""
        from pos_app.app.restart import begin_anew

        old = self._session
        if old is None:
            return
        with self._another_begins():
            session = begin_anew(old, stored, lambda: self._make_session(self._open_shop(False)))
            self._stop_the_log()
            if session is not None and session.has_people:
                self._show(session)
            elif session is not None:
                self._begin_first_start(session)

    @contextlib.contextmanager
    def _another_begins(self) -> Iterator[None]:
        """One session ends here and the next begins. Where none does, also for a fault, the till ends: it would stay
        without a window, and keep its journal from whoever starts it again."""
        self._qt.setQuitOnLastWindowClosed(False)
        self._has_begun = False
        self.opens.emit()
        try:
            yield
        finally:
            if not self._has_begun:
                self._qt.quit()
            self._qt.setQuitOnLastWindowClosed(self._alone is None)

    def setting_up(self) -> SetUpService:
        """On the files the settings and secrets were read from, or would be read from next time."""
        from pos_app.app.set_up import SetUpService

        return SetUpService(
            config_of(self._options) or paths.user_file(),
            paths.user_secrets_file(),
            self._options.secrets_file,
        )

    def _end(self, session: Session) -> bool:
        """Another takes its place, and has a log of its own."""
        ended = session.stop()
        self._stop_the_log()
        return ended

    def _begin_first_start(self, session: Session | None) -> None:
        from pos_app.app.first_start import FirstStart

        show = self._alone.show if self._alone is not None else None
        first = FirstStart(self._open_shop, self._make_session, self._end, self.setting_up(), show)
        first.ready.connect(self._show)
        self._first_start = first
        if session is None:
            theme.dress(self._qt, "light")
            set_language(self._options.language or QLocale.system().name()[:2])
            first.begin()
        else:
            first.enrol(session)
        self._has_begun = True
        self.stands.emit()

    def _show(self, session: Session) -> None:
        session.painted.connect(self.stands)
        session.show()
        self._has_begun = True

    def _start_log(self) -> None:
        """Beside the journal, once there is one; not before the first paint, because its parts load slowly."""
        if self._session is None or self._stop_log is not None:
            return
        from pos_app.bootstrap.working_shop import start_log_of

        shop = self._session.shop
        self._stop_log = start_log_of(shop, self._options.log_level)
        extra = {"seq": self._session.opened_at, "installation_id": self._session.installation_id}
        logging.getLogger(__name__).info("the till is open: %s", shop.environment.value, extra=extra)

    def pulse(self, beat: Callable[[], None]) -> bool:
        """Has `beat` called on the engine's thread; False while there is no engine that could."""
        return self._session is not None and self._session.pulse(beat)

    def stop(self) -> bool:
        """Ends the session, then the log; True when every thread ended in time."""
        if self._first_start is not None:
            self._first_start.stop()
        ended = self._session.stop() if self._session is not None else True
        self._stop_the_log()
        return ended

    def _stop_the_log(self) -> None:
        stop, self._stop_log = self._stop_log, None
        if stop is not None:
            logging.getLogger(__name__).info("the till is closed")
            stop()


class Ending:
    """SIGINT, SIGTERM and SIGHUP from the moment a window stands; before that they end the process at once."""

    def __init__(self, asked_to_end: Callable[[], None]) -> None:
        self._asked_to_end = asked_to_end
        self._signals: Signals | None = None

    def begin(self) -> None:
        """Also keeps what was loaded out of the way of later searches for garbage."""
        from pos_app.app.signals import Signals

        gc.freeze()
        if self._signals is None:
            self._signals = Signals(self._asked_to_end)

    def stop(self) -> None:
        """Gives the signals back."""
        if self._signals is not None:
            self._signals.stop()


def runs_already(options: Options, in_use: Exception) -> bool:
    """Whether a till with a window has this counter's journal: it comes to the front, and that is said.

    `in_use` says what it holds. Raises InUseError when its window does not answer: nothing comes to the front then.
    """
    from pos_app.app.single_instance import raise_running

    try:
        if not raise_running(data_folder(options, environment_of(options))):
            return False
    except TimeoutError:
        raise InUseError(
            Exit.CANNOT_CREATE,
            f"{in_use}; it does not answer: if its window stays still, end that process, or restart the machine",
        ) from in_use
    sys.stdout.write("already running\n")
    return True


def _wait_for_update(qt: QApplication, options: Options) -> int:
    """Says so on the screen until the window is closed or the update is over; the new program is another process."""
    from pos_app.app.kiosk.counter_facts import told
    from pos_app.ui.kiosk.safe_screen import SafeScreen, Updating

    what = told(options, updating=Updating.DESKTOP)
    dress_as(qt, what.config)
    screen = SafeScreen(what)
    looks = QTimer(screen)
    looks.timeout.connect(lambda: None if is_updating() else screen.close())
    looks.start(LOOK_AGAIN_MS)
    screen.show()
    qt.exec()
    looks.stop()
    screen.deleteLater()
    return int(Exit.UPDATING)


class StartRefusal:
    """Why no till opens, on the screen, where nobody reads what is written; and tries it again."""

    def __init__(self, qt: QApplication, options: Options) -> None:
        self._qt = qt
        self._options = options
        self._why = ""
        self._screen: SafeScreen | None = None
        self._again = QTimer()
        self._again.setSingleShot(True)
        self._again.timeout.connect(lambda: qt.exit(_AGAIN))
        self._update = QTimer()
        self._update.timeout.connect(self._give_way)

    def is_to_try_again(self, error: CommandError) -> bool:
        """By itself after a while, or when somebody wants it; False when the window is closed instead, or is in the way
        of an update: that may be what it takes, and whoever updates waits for whatever runs of the old program."""
        note(str(error))
        self._show(plain_lines(str(error)))
        self._again.start(AGAIN_MS)
        self._update.start(LOOK_AGAIN_MS)
        code = self._qt.exec()
        # They must not end another loop than this one.
        self._again.stop()
        self._update.stop()
        return code == _AGAIN

    def _give_way(self) -> None:
        if is_updating():
            self._qt.exit(int(Exit.UPDATING))

    def _show(self, why: str) -> None:
        from pos_app.app.kiosk.counter_facts import told
        from pos_app.ui.kiosk.safe_screen import SafeScreen

        if self._screen is not None and why == self._why:
            self._screen.ask_again()
            return
        before, self._why = self._screen, why
        what = told(self._options, why=why)
        if what.config is None:
            set_language(self._options.language or QLocale.system().name()[:2])
        dress_as(self._qt, what.config)
        self._screen = SafeScreen(what)
        # Once the words that it is being started are on the screen.
        self._screen.again.connect(lambda: self._again.start(SAID_MS))
        self._screen.show()
        _put_away(before)

    def end(self) -> None:
        """Another window stands, or none is to."""
        screen, self._screen = self._screen, None
        _put_away(screen)


def _put_away(screen: SafeScreen | None) -> None:
    if screen is not None:
        screen.close()
        screen.deleteLater()


def _is_heard() -> bool:
    """Whether somebody reads what goes to standard error: at a terminal, or a program at the other end of a pipe.

    Of a till that was started from a menu it goes into the system's journal, a file, or nowhere.
    """
    if getattr(sys.stderr, "name", "") == os.devnull:
        return False
    try:
        number = sys.stderr.fileno()
        return os.isatty(number) or stat.S_ISFIFO(os.fstat(number).st_mode)
    except (OSError, ValueError, AttributeError):
        return True


def run_till(options: Options) -> int:
    """The till until its window is closed; an exit code. Raises CommandError before a window is shown."""
    if options.kiosk:
        from pos_app.app.kiosk.run import run_kiosk

        return run_kiosk(options)
    if not has_display():
        raise CommandError(
            Exit.NO_DISPLAY,
            "no display: start it in a desktop session, or try `pos-app tour`, which needs none",
        )
    qt = theme.application()
    qt.setApplicationDisplayName("")
    refusal = StartRefusal(qt, options)
    while True:
        try:
            return _run_once(qt, options, refusal)
        except CommandError as error:
            if _is_heard():
                raise
            if not refusal.is_to_try_again(error):
                refusal.end()
                return int(Exit.UPDATING if is_updating() else error.exit_code)


def _run_once(qt: QApplication, options: Options, refusal: StartRefusal) -> int:
    app = App(qt, options)

    def end() -> None:
        # Not by `quit`: a window that asks before it is closed would veto it, and nobody is there to be asked.
        qt.exit(int(Exit.OK))

    ending = Ending(end)
    app.stands.connect(ending.begin)
    app.stands.connect(refusal.end)
    app.updated.connect(end)
    try:
        # Nobody reads of a till from a menu that it ended with a fault: the screen says so, as of any other reason.
        with contextlib.nullcontext() if _is_heard() else faults_said():
            app.open()
        qt.exec()
        if app.not_again is not None:
            raise app.not_again
    except UpdatingError as error:
        refusal.end()
        note(str(error))
        return _wait_for_update(qt, options)
    except InUseError as error:
        if runs_already(options, error):
            refusal.end()
            return int(Exit.OK)
        raise
    finally:
        app.stop()
        ending.stop()
    return int(Exit.OK)
