"""The first start: the wizard, and the session it leads to. Stores nothing itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from pos_app.app.session import Session
from pos_app.app.setting_up import SettingUp
from pos_app.domain.wishes import Wish
from pos_app.ui.dialogs.set_up import FieldProblem, SetUp
from pos_app.ui.dialogs.wizard import Page, Wizard, WizardCalls

OpenSession = Callable[[bool], Session]
"""Opens the shop (True: in the sandbox) and makes its session; raises CommandError."""


class FirstStart(QObject):
    """Shows the wizard until a session is ready to sell; `ready(Session)` then."""

    ready = Signal(object)
    failed = Signal(str)
    _saved = Signal(object)

    def __init__(self, open_session: OpenSession, setting_up: SettingUp) -> None:
        super().__init__()
        self._open_session = open_session
        self._setting_up = setting_up
        self._session: Session | None = None
        self._answer: Callable[[tuple[FieldProblem, ...]], None] | None = None
        self._saved.connect(self._was_saved)
        self.wizard: Wizard | None = None

    def begin(self) -> None:
        """Nothing is set up yet: try it, or set up this counter."""
        self._show(Page.START, "", is_sandbox=False)

    def enrol(self, session: Session) -> None:
        """The counter is set up, and nobody is on its list yet."""
        self._take(session)
        settings = session.shop.settings
        self._show(Page.MANAGER, settings.shop.country, is_sandbox=settings.gateway.environment == "sandbox")
        session.start()

    def _show(self, page: Page, country: str, *, is_sandbox: bool) -> None:
        calls = WizardCalls(
            try_sandbox=self._try_sandbox,
            test_connection=self._setting_up.test,
            save=self._save,
            post=self._post,
        )
        self.wizard = Wizard(calls, page=page, country=country, is_sandbox=is_sandbox)
        self.wizard.finished.connect(self._finish)
        if self._session is not None:
            self._session.bridge.published.connect(self.wizard.receive)
        self.wizard.resize(1024, 768)
        self.wizard.show()

    def _post(self, wish: Wish) -> None:
        if self._session is not None:
            self._session.bridge.post(wish)

    def _take(self, session: Session) -> None:
        self._session = session
        if self.wizard is not None:
            session.bridge.published.connect(self.wizard.receive)

    def _try_sandbox(self) -> None:
        self._take(self._open_session(True))
        self._finish()

    def _save(self, draft: SetUp, done: Callable[[tuple[FieldProblem, ...]], None]) -> None:
        self._answer = done
        self._setting_up.save(draft, self._saved.emit)

    def _was_saved(self, problems: tuple[FieldProblem, ...]) -> None:
        """On the window's thread again: the next page posts wishes, so the engine runs before it is shown."""
        from pos_app.commands.errors import CommandError

        if not problems:
            try:
                self._take(self._open_session(False))
            except CommandError as error:
                problems = (FieldProblem("", str(error)),)
            else:
                if self._session is not None:
                    self._session.start()
        if self._answer is not None:
            self._answer(problems)

    def _finish(self) -> None:
        if self._session is not None:
            self.ready.emit(self._session)
        if self.wizard is not None:
            self.wizard.close()

    def stop(self) -> None:
        """Ends what was begun and led to nothing."""
        self._setting_up.stop()
