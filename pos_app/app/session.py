"""One run of the till on one shop: journal, engine's threads, window, course and phone; ended in the reverse order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app.brightness import Brightness
from pos_app.app.customer_screen import CustomerScreens
from pos_app.app.diagnostics import Diagnostics
from pos_app.app.exports import Exports
from pos_app.app.keys_wanted import keys_wanted
from pos_app.app.last_published import LastPublished
from pos_app.app.sound_notifier import SoundNotifier
from pos_app.app.store_membership import StoreMembership
from pos_app.app.view_config import apply_theme, view_config_of
from pos_app.app.window_placement import OnDesktop, WindowPlacement
from pos_app.bootstrap.shop import Shop
from pos_app.domain.views import Published, StaffAnswered, Terminal
from pos_app.engine.core.mailbox import Mailbox
from pos_app.journal import Journal
from pos_app.ui.bridge import Bridge
from pos_app.ui.theme.fonts import text_factor
from pos_app.ui.till.window.exits import Exits
from pos_app.ui.till.window.main_window import MainWindow

if TYPE_CHECKING:
    from pos_app.app.counter_printer import CounterPrinter
    from pos_app.app.lazy_startup import LazyStartup
    from pos_app.app.settings.changes import SettingsChanges, Stored
    from pos_app.app.settings.store import SettingsStore
    from pos_app.app.single_instance import SingleInstance
    from pos_app.app.update_desk import UpdateDesk
    from pos_app.engine.core.config import Printing
    from pos_app.engine.till import Till
    from pos_app.training.companion import TrainingCompanion
    from pos_app.training.controller import CourseState
    from pos_app.training.printer.window import PrinterWindow
    from pos_app.ui.dialogs.settings.panel import SettingsDialog


MEMORY = "window"
"""The file beside the journal that says where the window stood."""

START_AT_LATEST_MS = 1_000
"""A window that is shown minimised may not be painted for hours; its open payments cannot wait for that."""


class Session(QObject):
    """Owns what it was given: `stop` closes the journal and the shop's sandbox too.

    `painted`: the window stands for the first time. Until then nothing is loaded that it does not show.
    """

    painted = Signal()

    published = Signal(object)
    """What the engine publishes, once it is known here: between two connections to the engine's own signal, each
    queued from its thread, there may be any time."""

    another_till = Signal(object)
    """A Stored change that is another till's: this one is to end, and the new one to begin."""

    _paper_came = Signal()
    """Something lies on the pretended printer's paper; from the printer's thread to the window's."""

    updated = Signal()
    """Nothing is under way, and the program is to be replaced: this till is to end."""

    restart_wanted = Signal()
    """An exercise is about a till that ends and begins again."""

    def __init__(
        self,
        shop: Shop,
        store: Callable[[], SettingsStore] | None = None,
        *,
        phone: bool = False,
        course: CourseState | bool = False,
        placement: WindowPlacement | None = None,
    ) -> None:
        super().__init__()
        if shop.journal is None:
            raise ValueError("a till needs its journal")
        self.shop = shop
        self._journal: Journal = shop.journal
        # Asked while nobody else has the journal: later it is the engine's thread's, in the middle of a commit perhaps.
        self.opened_at = self._journal.head()[0]
        self.installation_id = self._journal.installation_id
        self._known = LastPublished()
        self.bridge = Bridge(self._make_till)
        self._store = store
        self._placement = placement or OnDesktop(phone=phone, memory=shop.data_dir / MEMORY)
        self._changing: SettingsChanges | None = None
        self._printer: CounterPrinter | None = None
        self.paper: PrinterWindow | None = None
        self._paper_came.connect(self._show_paper, Qt.ConnectionType.QueuedConnection)
        self._said = ("", "")
        self._sounds = SoundNotifier(lambda: self.shop.settings.sound, self)
        self._brightness = Brightness()
        self._diagnostics = Diagnostics(lambda: self.shop)
        self._exports = Exports(lambda: self.shop, self._journal.digest)
        self._membership = StoreMembership(lambda: self.shop, self._journal, self.bridge.post)
        self._customers = CustomerScreens()
        self.window = self._make_window()
        self.bridge.published.connect(self._take_note)
        self.window.painted.connect(self._was_painted)
        self._single: SingleInstance | None = None
        self._updates: UpdateDesk | None = None
        self._startup: LazyStartup | None = None
        self._wants_phone = phone
        self._course = course
        self._at_latest = QTimer(self)
        self._at_latest.setSingleShot(True)
        self._at_latest.timeout.connect(self.start)
        self._started = False
        self._ended: bool | None = None

    def _make_window(self) -> MainWindow:
        made = MainWindow(
            msgspec.structs.replace(view_config_of(self.shop.settings), papers_folder=self._papers_folder),
            self.bridge.post,
            settings=self._settings_panel,
            exits=Exits(
                self._diagnostics.save,
                self._placement.leave,
                self._diagnostics.copy,
                self._exports.door,
                self._membership.door,
            ),
            keys_wanted=self.keys_wanted,
        )
        if not self._is_alone:
            made.ask_before_closing()
        self.published.connect(made.receive)
        self._sounds.listen_to(made)
        made.qr_changed.connect(self._brightness.follow)
        return made

    @property
    def _is_alone(self) -> bool:
        """Whether the till has the screen to itself: then a manager alone may leave it."""
        return self._placement.leave is not None

    @property
    def _papers_folder(self) -> str:
        """Where a receipt is kept: among the documents of the desktop, or beside the journal where there is none."""
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return str(self.shop.data_dir / "papers") if self._is_alone or not documents else documents

    def keys_wanted(self, by_finger: bool) -> bool:
        """Whether a field that is touched brings keys to the screen, at the till and beside it."""
        return keys_wanted(self.shop.settings.window.keyboard, by_finger=by_finger, alone=self._is_alone)

    @property
    def has_people(self) -> bool:
        """Whether anybody is on the list of cashiers yet; only before the engine's thread has the journal."""
        return bool(self._journal.people())

    @property
    def has_lost_people(self) -> bool:
        """Whether nobody is on the list because a damaged record has lost them; ahead of the thread, too."""
        return not self._journal.people() and self._journal.was_rebuilt

    def _make_till(self, mailbox: Mailbox, publish: Callable[[Published], None]) -> Till:
        # On the engine's thread: loading the services must not hold up the first paint.
        from pos_app.app.counter_printer import CounterPrinter
        from pos_app.bootstrap.finding import finding_of
        from pos_app.bootstrap.services import service_config
        from pos_app.bootstrap.shipping import shipping_of
        from pos_app.engine.connection.worker_pool import ServiceRoute
        from pos_app.engine.till import OptionalParts, Till
        from pos_app.services.open import open_services

        config = service_config(self.shop)
        printer = self._printer = CounterPrinter(self.shop.settings)
        printer.virtual.tell(self._paper_came.emit)
        return Till(
            self.shop.engine_config(sign_in_required=True),
            self._journal,
            ServiceRoute(lambda: open_services(config), config.qr_amount_field),
            publish,
            mailbox,
            OptionalParts(
                self.shop.machine_sends, printer.line, shipping_of(self.shop), finding_of(self.shop)
            ),
        )

    @property
    def beside(self) -> TrainingCompanion | None:
        """The course and the customer's phone, once they are there."""
        return None if self._startup is None else self._startup.beside

    def _take_note(self, published: Published) -> None:
        if self._ended is not None:
            # Said while it was being ended: nothing shows it any more, or is to begin for it.
            return
        # First: what a window shows may lead to a question about it at once.
        self._known.take(published)
        self.published.emit(published)
        if isinstance(published, StaffAnswered) and self._changing is not None:
            self._changing.hear(published)
        if isinstance(published, Terminal) and self._updates is not None:
            self._updates.take(published.drain)
        if isinstance(published, Terminal) and self._said[0] and self._is_manager:
            # In a later turn: the window may have to uncover the till first.
            QTimer.singleShot(0, self.window.open_settings)

    @property
    def is_anybody_in(self) -> bool:
        """Whether the terminal is somebody's, so that its window stands open."""
        return self.terminal.signed_in is not None

    @property
    def _is_manager(self) -> bool:
        person = self.terminal.signed_in
        return person is not None and person.is_manager

    @property
    def terminal(self) -> Terminal:
        """The terminal as the engine published it last; an empty one until then."""
        return self._known.terminal

    def _changes(self) -> SettingsChanges:
        if self._changing is None:
            from pos_app.app.settings.changes import SettingsChanges
            from pos_app.app.settings.store import own_files

            store = (self._store or own_files)()
            self._changing = SettingsChanges(self.shop, store, self.bridge.post, lambda: self.terminal)
            self._changing.stored.connect(self._hold)
        return self._changing

    def _settings_panel(self, close: Callable[[], None]) -> QWidget:
        from pos_app.app.settings.picture import without_commands
        from pos_app.ui.dialogs.settings.panel import SettingsDialog

        changing, picture = self._changes(), self._changes().picture()
        (said, section), self._said = self._said, ("", "")
        panel = SettingsDialog(
            picture if self._is_manager else without_commands(picture),
            changing.calls()._replace(try_sound=self._sounds.try_out, print_test=self.window.print_test),
            is_manager=self._is_manager,
            said=said,
            section=section,
        )
        panel.closed.connect(close)
        return panel

    def note_begun_anew(self, stored: Stored) -> None:
        """This session began with a change that made another till of it; a manager is told once signed in."""
        from pos_app.engine.core.config import Reconfigured
        from pos_app.i18n.words.settings import words

        config = self.shop.engine_config(sign_in_required=True)
        self.bridge.post(Reconfigured(config=config, who=stored.who, changed=stored.change.names))
        self._said = (words.BEGUN_ANEW, stored.change.section)

    def note_not_begun(self, stored: Stored, why: str) -> None:
        """The change was taken back, because no till could be begun with it."""
        from pos_app.engine.core.config import SettingsNotWritten

        for request_id in stored.granted:
            self.bridge.post(SettingsNotWritten(request_id=request_id, who=stored.who, why=why))
        self._said = (why, stored.change.section)

    def _hold(self, stored: Stored) -> None:
        """A change that was stored holds from now on, and no payment notices."""
        if stored.change.makes_another_till(self.shop.settings, stored.settings):
            self.another_till.emit(stored)
            return
        from pos_app.app.settings.in_force import reconfigure

        before = view_config_of(self.shop.settings)
        reconfigure(self.shop, self.bridge, stored)
        if self._printer is not None:
            self._printer.renew(stored.settings)
        if self.beside is not None:
            self.beside.controller.hold_on()
        apply_theme(_application(), self.shop.settings, phone=self._wants_phone)
        after = view_config_of(self.shop.settings)
        self._changes().done(stored, self._text_that_fits(stored))
        if msgspec.structs.replace(before, theme=after.theme) != after:
            self._change_window(stored)
        self._sounds.show_on(self.window)
        self._customers.begin(self.shop.settings, self.window)

    def _text_that_fits(self, stored: Stored) -> str:
        """That this screen has no room for the size of texts that was asked for, "" where it has."""
        from pos_app.i18n.words.settings import words

        given = round(100 * text_factor())
        was_asked = "window.text_percent" in stored.change.names
        is_less = given < self.shop.settings.window.text_percent
        return words.TEXT_FITS.format(percent=given) if was_asked and is_less else ""

    def _settings_shown(self) -> SettingsDialog | None:
        from pos_app.ui.dialogs.settings.panel import SettingsDialog

        return next((each for each in self.window.overlay.panels if isinstance(each, SettingsDialog)), None)

    def _change_window(self, stored: Stored) -> None:
        """Another window in the place of this one, with what it showed, and the settings where they stood open."""
        old, settings = self.window, self._settings_shown()
        self.published.disconnect(old.receive)
        old.retire()
        self.window = self._make_window()
        self._known.tell(self.window.receive)
        self.window.take_over(old)
        self._placement.show_instead(self.window, old)
        if self.beside is not None:
            self.window.qr_changed.connect(self.beside.show_code)
            self.beside.stand_by(self.window)
        self.window.activateWindow()
        # Whoever left them, or was followed by another, has no more settings before them: nobody is told.
        self._said = ("", "")
        if settings is not None:
            # In the new window's language, which may be what was changed.
            said = self._changes().said_of(stored, self._text_that_fits(stored))
            self._said = (said, stored.change.section)
            self.window.open_settings()
            anew = self._settings_shown()
            if anew is not None:
                anew.take_over(settings)
        self._customers.begin(self.shop.settings, self.window)
        old.end()
        old.deleteLater()

    def show(self) -> None:
        """Shows the window; the threads start once it has been painted, because loading them takes a while."""
        self._customers.make_room(self.shop.settings, self.window)
        self._placement.show(self.window)
        self._at_latest.start(START_AT_LATEST_MS)

    def _was_painted(self) -> None:
        self.painted.emit()
        self.start()

    def start(self) -> None:
        """Starts the engine's threads and what stands beside the till; once."""
        if self._started:
            return
        self._started = True
        self._at_latest.stop()
        if self._wants_phone and self.shop.control is not None:
            from pos_app.app.lazy_startup import LazyStartup

            # Before the engine starts: it waits for the engine's first word, which may be the last for a while.
            self._startup = LazyStartup(self, self.shop.control, lambda: self.terminal, self._course)
        from pos_app.ui.paper.qt_types import make_types

        # The printer draws beside the window from the first job that waits.
        make_types()
        self.bridge.start()
        self._exports.clear(self._papers_folder)
        self._listen()
        self._customers.begin(self.shop.settings, self.window)

    def _listen(self) -> None:
        from pos_app.app.single_instance import SingleInstance
        from pos_app.app.update_desk import UpdateDesk

        self._updates = desk = UpdateDesk(
            self.bridge.post,
            lambda name, told: self._single.tell(name, told) if self._single is not None else None,
            self.updated.emit,
            self.shop.presence,
            parent=self,
        )
        self._single = SingleInstance(
            self.shop.data_dir, self._come_to_front, self, asked=desk.asked, left=desk.left
        )

    def _show_paper(self) -> None:
        """The pretended printer comes up with its first paper, beside the till; and again when it is to print and
        somebody has closed it, because its switches are nowhere else.
        """
        if self._ended is not None or self._printer is None:
            return
        if self.paper is None:
            from pos_app.training.printer.window import PrinterWindow

            self.paper = PrinterWindow(self._printer.virtual)
        if self.paper.isHidden():
            # Before it is shown: a desktop may have given it the keyboard by the time that it is.
            self.paper.winId()
            window = self.paper.windowHandle()
            if window is not None:
                window.activeChanged.connect(self._take_keyboard_back, Qt.ConnectionType.SingleShotConnection)
            self.paper.show()
        self.paper.look()
        if self.beside is not None:
            self.beside.take_paper(self._printer.virtual.whole)

    def _take_keyboard_back(self) -> None:
        """A desktop that gives every new window the keyboard: it is the till's, until a person goes there."""
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.window.activateWindow()

    def pretend_printer(self, paper: bool | None) -> Printing | None:
        """An exercise needs a printer at the counter (CounterPrinter.pretend); None while there is no till yet."""
        if self._printer is None:
            return None
        printing = self._printer.pretend(paper)
        if paper is not None or self.paper is not None:
            self._show_paper()
        return printing

    def pulse(self, beat: Callable[[], None]) -> bool:
        """Has `beat` called on the engine's thread, if that works; False while none is to work here."""
        if not self._started or self._ended is not None:
            return False
        self.bridge.pulse(beat)
        return True

    def _come_to_front(self) -> None:
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMinimized)
        self.window.raise_()
        self.window.activateWindow()

    def stop(self) -> bool:
        """Ends everything, once, each step bounded; True when all threads ended in time."""
        if self._ended is not None:
            return self._ended
        self._started = True
        self._at_latest.stop()
        if self._single is not None:
            self._single.stop()
        if self._updates is not None:
            self._updates.stop()
        if self._startup is not None:
            self._startup.stop()
        if self._changing is not None:
            self._changing.stop()
        self._diagnostics.stop()
        self._exports.stop()
        self._membership.stop()
        self._customers.stop()
        if self.paper is not None:
            self.paper.close()
            self.paper.deleteLater()
        self._sounds.stop()
        self._placement.remember(self.window)
        self._brightness.stop()
        self.window.end()
        self.window.deleteLater()
        self._ended = self.bridge.stop()
        if self._ended:
            self.shop.close()
        return self._ended


def _application() -> QApplication:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("a window needs an application")
    return application
