"""The first start: try the sandbox, or set up this counter and its first manager. Both are done elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.domain.attempt import Environment
from pos_app.domain.views import Published, SignIn
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.lines import column, focus
from pos_app.ui.dialogs.set_up.connection_test import TestConnection
from pos_app.ui.dialogs.set_up.counter_form import COUNTER_FIELDS
from pos_app.ui.dialogs.set_up.counter_page import CounterPage, Save
from pos_app.ui.dialogs.set_up.first_manager import FirstManager
from pos_app.ui.dialogs.set_up.form import SECRET_FIELDS, SetUp
from pos_app.ui.dialogs.set_up.lost_people import LostPeople
from pos_app.ui.dialogs.set_up.start_choice import StartChoice
from pos_app.ui.language import SaysAnew, set_language
from pos_app.ui.post import Post
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S4, S6
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place

_WIDEST = 960


class Page(IntEnum):
    """The wizard's pages in their order."""

    START = 0
    COUNTER = 1
    MANAGER = 2
    LOST = 3
    """In the place of the first manager's, where a damaged record has lost them all."""


class WizardCalls(msgspec.Struct, frozen=True, kw_only=True):
    """What the wizard may ask for; all of it runs elsewhere.

    `try_sandbox` starts the till on a sandbox and closes the wizard; None where none may run. `save` stores the
    counter and starts the engine on it before it answers (), because the next page posts commands. `has_lost_people`:
    whether the counter that was stored has a record whose people were lost.
    """

    try_sandbox: Callable[[], None] | None
    test_connection: TestConnection
    save: Save
    post: Post
    has_lost_people: Callable[[], bool] = lambda: False


class Wizard(SaysAnew, QWidget):
    """A window of its own. `finished` comes when the first manager is signed in."""

    finished = Signal()

    def __init__(
        self,
        calls: WizardCalls,
        *,
        page: Page = Page.START,
        country: str = "",
        is_sandbox: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("wizard")
        self._is_sandbox = is_sandbox
        self._name_window()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self._calls = calls
        self._country = country
        self.start: StartChoice | None = None
        self.counter: CounterPage | None = None
        self.manager: FirstManager | None = None
        self.lost: LostPeople | None = None
        self._card = Card("wizard_card")
        self._room = column(self._card)
        self._room.setContentsMargins(S6, S6, S6, S6)
        self._page: QWidget | None = None
        self._lay_out()
        self.setStyleSheet(sheet(tokens()))
        KeyBursts(self, lambda: text_place(self.focusWidget())).start()
        self.show_page(page)

    def receive(self, published: Published) -> None:
        """What the engine publishes; only the enrolment matters here."""
        if isinstance(published, SignIn) and self.manager is not None:
            self.manager.receive(published)

    def sandbox_failed(self, why: str) -> None:
        """What `try_sandbox` began did not come to anything."""
        if self.start is not None:
            self.start.show_problem(words.TRY_FAILED.format(why=why))

    def _name_window(self) -> None:
        self.setWindowTitle(band_words.titled(words.WELCOME) if self._is_sandbox else words.WELCOME)

    def show_page(self, page: Page) -> None:
        """Go to a page; what was typed on another stays there."""
        shown = self._made(page)
        if self._page is not None:
            self._page.hide()
        self._page = shown
        shown.show()
        focus(shown.focusProxy() or shown)

    def _made(self, page: Page) -> QWidget:
        match page:
            case Page.START:
                self.start = self.start or self._start_page()
                return self.start
            case Page.COUNTER:
                self.counter = self.counter or self._counter_page()
                return self.counter
            case Page.MANAGER:
                self.manager = self.manager or self._manager_page()
                return self.manager
            case Page.LOST:
                self.lost = self.lost or LostPeople()
                self._room.addWidget(self.lost)
                return self.lost

    def _start_page(self) -> StartChoice:
        page = StartChoice(may_try=self._calls.try_sandbox is not None)
        if self._calls.try_sandbox is not None:
            page.sandbox.connect(self._calls.try_sandbox)
        page.counter.connect(lambda: self.show_page(Page.COUNTER))
        # Queued: the page is made anew then, and is in the middle of telling now.
        page.language.connect(self._speak, Qt.ConnectionType.QueuedConnection)
        self._room.addWidget(page)
        return page

    def _speak(self, language: str) -> None:
        """From the first page on, in another language; it becomes the counter's when that is saved."""
        set_language(language)

    def say_anew(self) -> None:
        """The first page once more; behind it the wizard ends in the language it was gone through in."""
        if self._page is None or self._page is not self.start:
            return
        self._name_window()
        for page in (self.start, self.counter):
            if page is not None:
                page.hide()
                page.deleteLater()
        self.start = self.counter = self._page = None
        self.show_page(Page.START)

    def _counter_page(self) -> CounterPage:
        page = CounterPage(
            words.COUNTER_TITLE,
            (*COUNTER_FIELDS, *SECRET_FIELDS),
            Environment.LIVE,
            self._calls.test_connection,
            self._calls.save,
            secrets_needed=True,
            save_words=words.NEXT,
            back_words=words.BACK,
        )
        page.left.connect(lambda: self.show_page(Page.START))
        page.saved.connect(self._go_on)
        self._room.addWidget(page)
        return page

    def _manager_page(self) -> FirstManager:
        page = FirstManager(self._country, self._calls.post)
        page.enrolled.connect(lambda _person_id: self.finished.emit())
        self._room.addWidget(page)
        return page

    def _go_on(self, counter: SetUp) -> None:
        self._country = counter.country
        self.show_page(Page.LOST if self._calls.has_lost_people() else Page.MANAGER)

    def _lay_out(self) -> None:
        self._card.setMaximumWidth(_WIDEST)
        middle = QWidget()
        across = QHBoxLayout(middle)
        across.setContentsMargins(S4, S4, S4, S4)
        across.addStretch(1)
        down = QVBoxLayout()
        across.addLayout(down, 1000)
        across.addStretch(1)
        down.addStretch(1)
        down.addWidget(self._card)
        down.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(middle)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        whole = column(self, spacing=0)
        if self._is_sandbox:
            whole.addWidget(SandboxBand())
        whole.addWidget(scroll, 1)
