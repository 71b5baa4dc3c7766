"""The first start: the wizard, and the session it leads to. Stores nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from pos_app.app.background import Background
from pos_app.app.faults import faults_said
from pos_app.app.keys_wanted import keys_wanted
from pos_app.app.session import Session
from pos_app.app.set_up import SetUpService, live_counter
from pos_app.app.window_placement import OnDesktop
from pos_app.bootstrap.errors import CommandError
from pos_app.bootstrap.sandbox_rule import may_play
from pos_app.bootstrap.shop import Shop
from pos_app.domain.commands import Command
from pos_app.domain.staff import StaffCommand
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.set_up.counter_page import COUNTER_FIELDS
from pos_app.ui.dialogs.set_up.form import FieldProblem, SetUp
from pos_app.ui.dialogs.set_up.wizard import Page, Wizard, WizardCalls
from pos_app.ui.language import set_language

OpenShop = Callable[[bool], Shop]
"""Opens the shop (True: in the sandbox), on any thread; raises CommandError."""

MakeSession = Callable[[Shop], Session]
"""Makes the session of a shop, on the window's thread."""

EndSession = Callable[[Session], bool]
"""Ends a session that another takes the place of; whether it all ended in time."""

STOP_LIMIT_S = 5.0


class FirstStart(QObject):
    """Shows the wizard until a session is ready to sell; `ready(Session)` then."""

    ready = Signal(object)
    _saved = Signal(object)
    _opened = Signal(object)

    def __init__(
        self,
        open_shop: OpenShop,
        make_session: MakeSession,
        end_session: EndSession,
        setting_up: SetUpService,
        show: Callable[[QWidget], None] | None = None,
    ) -> None:
        """`show`: how a window is shown that has the screen to itself."""
        super().__init__()
        self._open_shop = open_shop
        self._make_session = make_session
        self._end_session = end_session
        self._setting_up = setting_up
        self._show_window = show
        self._session: Session | None = None
        self._opening = Background("opening")
        self._unclaimed: Shop | None = None
        self._answer: Callable[[tuple[FieldProblem, ...]], None] | None = None
        self._has_lost_people = False
        self._is_enrolled = False
        self._saved.connect(self._was_saved)
        self._opened.connect(self._was_opened)
        self.wizard: Wizard | None = None

    def begin(self) -> None:
        """Nothing is set up yet: try it, or set up this counter."""
        self._show(Page.START, "", is_sandbox=False)

    def enrol(self, session: Session) -> None:
        """The counter is set up, and nobody is on its list yet."""
        settings = session.shop.settings
        set_language(settings.window.language)
        self._has_lost_people = session.has_lost_people
        page = Page.LOST if self._has_lost_people else Page.MANAGER
        self._session = session
        self._show(page, settings.shop.country, is_sandbox=settings.gateway.environment == "sandbox")
        self._take(session)
        session.start()

    def _show(self, page: Page, country: str, *, is_sandbox: bool) -> None:
        calls = WizardCalls(
            try_sandbox=(lambda: self._open(True)) if may_play() else None,
            check=self._checked,
            test_connection=self._setting_up.test,
            save=self._save,
            post=self._post,
            counter_again=self._counter_again,
            has_lost_people=lambda: self._has_lost_people,
            keys_wanted=self._keys_wanted,
        )
        self.wizard = Wizard(calls, page=page, country=country, is_sandbox=is_sandbox)
        self.wizard.finished.connect(self._was_enrolled)
        (self._show_window or OnDesktop(phone=False).show)(self.wizard)

    def _stored(self) -> dict[str, str] | None:
        """The counter that was set up, where it stands in the file that the wizard writes."""
        return None if self._session is None else self._setting_up.stored(self._session.shop.settings)

    def _counter_again(self) -> dict[str, str] | None:
        """It may be set up once more as long as nothing was ever sold at it."""
        session, stored = self._session, self._stored()
        if session is None or stored is None or self._has_lost_people or session.terminal.recent:
            return None
        return {name: stored[name] for name in COUNTER_FIELDS}

    def _checked(self, typed: Mapping[str, str]) -> SetUp | tuple[FieldProblem, ...]:
        """What the form has no field for stays as it is."""
        return live_counter({**(self._stored() or {}), **typed})

    def _keys_wanted(self, by_finger: bool) -> bool:
        setting = self._session.shop.settings.window.keyboard if self._session is not None else "auto"
        return keys_wanted(setting, by_finger=by_finger, alone=self._show_window is not None)

    def _post(self, command: Command | StaffCommand) -> None:
        if self._session is not None:
            self._session.bridge.post(command)

    def _take(self, session: Session) -> None:
        self._session = session
        if self.wizard is not None:
            session.published.connect(self.wizard.receive)
        session.published.connect(self._look)

    def _open(self, sandbox: bool) -> None:
        """Beside the window: a sandbox takes a second to start, a key store may ask its owner first."""

        def work() -> None:
            try:
                # The page would wait for ever behind any other error.
                with faults_said():
                    self._unclaimed = self._open_shop(sandbox)
            except CommandError as error:
                self._opened.emit(error)
            else:
                self._opened.emit(self._unclaimed)

        self._opening.run(work)

    def _save(self, draft: SetUp, done: Callable[[tuple[FieldProblem, ...]], None]) -> None:
        self._answer = done
        self._setting_up.save(draft, self._saved.emit)

    def _was_saved(self, problems: tuple[FieldProblem, ...]) -> None:
        if problems:
            self._tell_saved(problems)
        elif not self._let_go():
            self._tell_saved((FieldProblem("", words.NOT_SAVED),))
        else:
            self._open(False)

    def _let_go(self) -> bool:
        """The counter is set up once more: what was opened by the settings before gives its journal back."""
        old, self._session = self._session, None
        if old is None:
            return True
        if self.wizard is not None:
            old.published.disconnect(self.wizard.receive)
        old.published.disconnect(self._look)
        return self._end_session(old)

    def _tell_saved(self, problems: tuple[FieldProblem, ...]) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer(problems)

    def _was_opened(self, opened: Shop | CommandError) -> None:
        """On the window's thread again. The page after saving posts commands: the engine runs before it is shown."""
        self._unclaimed = None
        was_saving = self._answer is not None
        session = None
        if isinstance(opened, Shop):
            try:
                with faults_said():
                    session = self._make_session(opened)
            except CommandError as error:
                opened = error
        if session is not None:
            has_people, self._has_lost_people = session.has_people, session.has_lost_people
            self._take(session)
            if not was_saving or has_people:
                # Settings that were lost, of a counter whose record is there: its people sign in.
                self._answer = None
                self._finish()
            else:
                session.start()
                self._tell_saved(())
        elif was_saving:
            self._tell_saved((FieldProblem("", str(opened)),))
        elif self.wizard is not None:
            self.wizard.sandbox_failed(str(opened))

    def _was_enrolled(self) -> None:
        self._is_enrolled = True
        self._look()

    def _look(self, _published: object = None) -> None:
        """Their sign-in is said before the terminal is theirs: until then the till would ask who they are."""
        if self._is_enrolled and self._session is not None and self._session.is_anybody_in:
            self._is_enrolled = False
            self._session.published.disconnect(self._look)
            self._finish()

    def _finish(self) -> None:
        if self._session is not None:
            self.ready.emit(self._session)
        self._close()

    def _close(self) -> None:
        if self.wizard is not None:
            self.wizard.close()
            self.wizard.deleteLater()
            self.wizard = None

    def stop(self) -> None:
        """Ends what was begun and led to nothing."""
        self._close()
        self._setting_up.stop()
        self._opening.stop(STOP_LIMIT_S)
        if self._unclaimed is not None:
            # The person left while it was being opened.
            self._unclaimed.close()
