"""The first start: try the sandbox, or set up this counter and its first manager. Both are done elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.domain.people import FIRST_MANAGER
from pos_app.domain.views import Published, SignIn
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.lines import column, focus, heading
from pos_app.ui.dialogs.set_up.connection_test import TestConnection
from pos_app.ui.dialogs.set_up.counter_page import CounterPage, Save
from pos_app.ui.dialogs.set_up.first_manager import FirstManager
from pos_app.ui.dialogs.set_up.form import Check, SetUp
from pos_app.ui.dialogs.sign_in.language_row import LanguageRow
from pos_app.ui.keyboard.screen_keyboard import KeysWanted, ScreenKeyboard
from pos_app.ui.language import SaysAnew, set_language
from pos_app.ui.post import Post
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S4, S6
from pos_app.ui.till.amount.method_tile import MethodTile
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place
from pos_app.ui.widgets.label import CENTRE, Label
from pos_app.ui.widgets.said import SaidLabel


class StartChoice(QWidget):
    """Says `sandbox` or `counter`, once; after `show_problem`, once more. `language(code)`: another is wanted."""

    sandbox = Signal()
    counter = Signal()
    language = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, may_try: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("start_choice")
        title = Label(words.WELCOME, "heading", wrap=True, align=CENTRE, name="welcome_title")
        more = Label(words.WELCOME_TEXT, "lead", "muted", wrap=True, align=CENTRE)
        self.try_it: MethodTile | None = None
        self.set_up = MethodTile(
            words.SET_UP_TITLE,
            words.SET_UP_TEXT,
            name="set_up_counter",
            icon="shop",
            keycap="",
            primary=not may_try,
        )
        tiles = QWidget()
        row = QHBoxLayout(tiles)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S4)
        if may_try:
            self.try_it = MethodTile(
                words.TRY_TITLE, words.TRY_TEXT, name="try_sandbox", icon="flask", keycap="", primary=True
            )
            self.try_it.clicked.connect(self._try)
            row.addWidget(self.try_it)
        row.addWidget(self.set_up)
        self.outcome = SaidLabel("", "body", "muted", wrap=True, align=CENTRE, name="start_outcome")
        self._languages = LanguageRow(centred=True)
        self._languages.chosen.connect(self.language)
        column(self, title, more, tiles, self.outcome, self._languages)
        self.setFocusProxy(self.try_it or self.set_up)
        self.set_up.clicked.connect(self.counter)

    def _try(self) -> None:
        # Starting it takes a moment; a second press would start it twice.
        self._enable(False)
        self.outcome.set_tone("muted")
        self.outcome.setText(words.TRY_STARTING)
        self.sandbox.emit()

    def show_problem(self, text: str) -> None:
        """The sandbox did not start: say why, and let the person choose again."""
        self._enable(True)
        self.outcome.set_tone("bad")
        self.outcome.setText(text)
        # Nothing could keep it meanwhile.
        focus(self.focusProxy() or self)

    def _enable(self, enabled: bool) -> None:
        if self.try_it is not None:
            self.try_it.setEnabled(enabled)
        self.set_up.setEnabled(enabled)
        # In another language the page would be made anew, and offer both again.
        self._languages.setEnabled(enabled)


class LostPeople(QWidget):
    """Says what happened and who can help. There is nothing to press: whoever stands here may have done it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lost_people")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{words.LOST_TITLE}. {words.LOST_TEXT} {FIRST_MANAGER}. {words.LOST_MORE}")
        command = Label(FIRST_MANAGER, "strong", wrap=True, name="lost_command")
        column(
            self,
            heading(words.LOST_TITLE, "lost_title"),
            Label(words.LOST_TEXT, "body", wrap=True, name="lost_text"),
            command,
            Label(words.LOST_MORE, "body", "muted", wrap=True, name="lost_more"),
        ).addStretch(1)


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

    `check` knows what a live counter may be. `try_sandbox` starts the till on a sandbox and closes the wizard; None
    where none may run. `save` stores the counter and starts the engine on it before it answers (), because the next
    page posts commands; a later one ends the engine of the one before. `counter_again`: what was stored of the counter,
    by field, where it may be set up once more; None where it may not. `has_lost_people`: whether the counter that was
    stored has a record whose people were lost.
    `keys_wanted`: whether a field that is touched brings keys to the screen.
    """

    try_sandbox: Callable[[], None] | None
    check: Check
    test_connection: TestConnection
    save: Save
    post: Post
    counter_again: Callable[[], Mapping[str, str] | None] = lambda: None
    has_lost_people: Callable[[], bool] = lambda: False
    keys_wanted: KeysWanted = lambda _by_finger: False


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
        self._typed: Mapping[str, str] = {}
        self._card = Card("wizard_card")
        self._room = column(self._card)
        self._room.setContentsMargins(S6, S6, S6, S6)
        self._page: QWidget | None = None
        self._lay_out()
        self.setStyleSheet(sheet(tokens()))
        KeyBursts(self, lambda: text_place(self.focusWidget())).start()
        FingerScroll(self).start()
        self._screen_keys = ScreenKeyboard(self, calls.keys_wanted, self._keep_clear)
        self.show_page(page)

    def receive(self, published: Published) -> None:
        """What the engine publishes; only the enrolment matters here."""
        if isinstance(published, SignIn) and self.manager is not None:
            self.manager.receive(published)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing brings keys to it any more."""
        self._screen_keys.stop()
        super().closeEvent(event)

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
        if self.counter is not None:
            self._typed = self.counter.form.texts()
        self._name_window()
        for page in (self.start, self.counter):
            if page is not None:
                page.hide()
                page.deleteLater()
        self.start = self.counter = self._page = None
        self.show_page(Page.START)

    def _counter_page(self) -> CounterPage:
        page = CounterPage(self._calls.check, self._calls.test_connection, self._calls.save)
        stored = self._calls.counter_again()
        if stored:
            page.form.fill(stored)
        else:
            for name, text in self._typed.items():
                page.form.part(name).put_back(text)
        page.left.connect(self._leave_counter)
        page.saved.connect(self._go_on)
        self._room.addWidget(page)
        return page

    def _manager_page(self) -> FirstManager:
        may_go_back = self._calls.counter_again() is not None
        page = FirstManager(self._country, self._calls.post, may_go_back=may_go_back)
        page.enrolled.connect(lambda _person_id: self.finished.emit())
        page.left.connect(self._back_to_counter)
        self._room.addWidget(page)
        return page

    def _leave_counter(self) -> None:
        """Back to where its page was opened; what was stored and cannot be opened has no manager, or no more."""
        has_manager = self.manager is not None and self._calls.counter_again() is not None
        self.show_page(Page.MANAGER if has_manager else Page.START)

    def _back_to_counter(self) -> None:
        """What was stored does not serve: no code comes by it. Nothing may have been sold meanwhile."""
        if self._calls.counter_again() is not None:
            self.show_page(Page.COUNTER)

    def _go_on(self, counter: SetUp) -> None:
        self._country = counter.country
        before, self.manager = self.manager, None
        if before is not None:
            # In another country numbers are written otherwise; what was typed is typed.
            self.manager = self._manager_page()
            self.manager.take_over(before)
            before.deleteLater()
        self.show_page(Page.LOST if self._calls.has_lost_people() else Page.MANAGER)

    def _keep_clear(self, height: int) -> None:
        """Keys stand at the bottom: the page scrolls above them."""
        self._whole.setContentsMargins(0, 0, 0, height)

    def _lay_out(self) -> None:
        self._card.setMaximumWidth(grown(_WIDEST))
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
        self._whole = whole = column(self, spacing=0)
        if self._is_sandbox:
            whole.addWidget(SandboxBand())
        whole.addWidget(scroll, 1)
