"""F10 and what it opens: the day, people, settings, what was done, diagnostics, leaving. Built when wanted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.membership import MembershipNews, NotJoined
from pos_app.domain.phone import spaced
from pos_app.domain.rights import Act
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.views import Block, MembershipRecorded, SignIn, StaffAnswered, StaffLog, Terminal
from pos_app.i18n.languages import languages
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.manager import words
from pos_app.i18n.words.store import words as store_words
from pos_app.ui.dialogs.parts.answers import while_there
from pos_app.ui.post import name_request
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.exits import Exits
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.people.managers_menu import Item
    from pos_app.ui.dialogs.people.panel import PeoplePanel
    from pos_app.ui.dialogs.people.saved_file import SavedFile
    from pos_app.ui.dialogs.people.staff_log import StaffLogPanel
    from pos_app.ui.dialogs.people.store_panel import StorePanel
    from pos_app.ui.till.window.payment_details import PaymentDetails

_WIDE = 760


class Doors(NamedTuple):
    """What else the menu leads to; each is told what to do when it is left again."""

    settings: Callable[[Callable[[], None]], None]
    day: Callable[[Callable[[], None]], None]
    history: Callable[[Callable[[], None]], None]


class ManagerMenu(QObject):
    """One of each panel at a time; they go when somebody else is at the till."""

    _file_made = Signal(str, str)
    _file_copied = Signal(str, str)
    _store_answered = Signal(object)

    def __init__(
        self,
        context: TillContext,
        overlay: OverlayHost,
        approvals: ApprovalRequests,
        doors: Doors,
        exits: Exits,
    ) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._approvals = approvals
        self._doors = doors
        self._exits = exits
        self._people: PeoplePanel | None = None
        self._log: StaffLogPanel | None = None
        self._file: SavedFile | None = None
        self._store: StorePanel | None = None
        self._store_asked = ""
        self._known_otherwise = False
        """A store knows this till as another counter: it joins with a new identity, if at all."""
        self._log_asked = ""
        # From whatever thread made the file to the window's.
        self._file_made.connect(self._show_file, Qt.ConnectionType.QueuedConnection)
        self._file_copied.connect(self._show_copied, Qt.ConnectionType.QueuedConnection)
        self._store_answered.connect(self._show_store_news, Qt.ConnectionType.QueuedConnection)

    def receive(self, published: Terminal | SignIn | StaffAnswered | StaffLog | MembershipRecorded) -> None:
        """What the engine says of people, of what they did, and of the store."""
        if isinstance(published, Terminal):
            self._take_terminal(published)
        if isinstance(published, MembershipRecorded):
            self._show_recorded(published)
        elif isinstance(published, StaffLog):
            if self._log is not None and published.request_id == self._log_asked:
                self._log.show_log(published, self._till_state.terminal.people)
        elif self._people is not None:
            self._people.receive(published)

    def _take_terminal(self, terminal: Terminal) -> None:
        if self._store is not None:
            self._store.show_view(terminal.store)
        if self._people is not None and not self._is_manager:
            # A manager who has just made a cashier of themselves.
            self._overlay.close_panel(self._people)

    def _back_to_menu(self, at: str) -> None:
        """Closing what the menu led to is one step back, unless it went away for somebody else or a lock."""
        if self._overlay.top is None and not self._till_state.is_covered:
            self.open_menu(at)

    def open_menu(self, at: str = "") -> None:
        """F10; `at`: the name of the row that has the keyboard."""
        if self._overlay.top is not None:
            return
        from pos_app.ui.dialogs.people.managers_menu import Item, ManagersMenu
        from pos_app.ui.till.notices.notice_words import store_standing

        has = {
            Item.DIAGNOSTICS: self._exits.diagnostics is not None,
            Item.IDENTITY: self._is_used_twice or self._known_otherwise,
            Item.PUT_OFF: self._till_state.terminal.block is Block.UPDATING,
            Item.LEAVE: self._exits.leave is not None,
            Item.STORE: self._exits.store is not None,
        }
        items = tuple(item for item in Item if has.get(item, True))
        standing = store_standing(self._till_state.terminal) if self._is_manager else ""
        menu = ManagersMenu(items, is_manager=self._is_manager, store=standing)

        def chosen(item: Item) -> None:
            self._overlay.close_panel(menu)
            self._open(item)

        menu.chosen.connect(chosen)
        menu.closed.connect(lambda: self._overlay.close_panel(menu))
        if at and Item[at] in menu.rows:
            menu.setFocusProxy(menu.rows[Item[at]])
        self._overlay.open(menu)

    def show_number(self, attempt: Attempt, details: PaymentDetails) -> None:
        """The wallet number of a payment in full, for a moment; a manager's act, with a reason."""
        more = approval_words.SHOW_MORE.format(mask=attempt.wallet_mask, seconds=details.SHOWN_S)
        question = (approval_words.SHOW_TITLE, more, approval_words.SHOW_YES)

        def given(answered: StaffAnswered) -> None:
            if details in self._overlay.panels:
                details.show_number(spaced(answered.shown))

        self._approvals.permit(Act.UNMASK_NUMBER, question, given, about=attempt)

    @property
    def _is_manager(self) -> bool:
        person = self._till_state.person
        return person is None or person.is_manager

    def _open(self, item: Item) -> None:
        from pos_app.ui.dialogs.people.managers_menu import Item

        match item:
            case Item.DAY:
                self._doors.day(lambda: self._back_to_menu("DAY"))
            case Item.HISTORY:
                self._doors.history(lambda: self._back_to_menu("HISTORY"))
            case Item.PEOPLE:
                self._open_people()
            case Item.SETTINGS:
                self._doors.settings(lambda: self._back_to_menu("SETTINGS"))
            case Item.STORE:
                self._open_store()
            case Item.DONE:
                self._open_log()
            case Item.DIAGNOSTICS:
                question = (words.DIAGNOSTICS_TITLE, words.DIAGNOSTICS_WHAT, words.DIAGNOSTICS_YES)
                self._approvals.permit(Act.DIAGNOSTICS, question, lambda _given: self._make_file())
            case Item.IDENTITY:
                what = words.IDENTITY_WHAT if self._is_used_twice else words.IDENTITY_STORE
                question = (words.IDENTITY_TITLE, what, words.IDENTITY_YES)
                self._approvals.permit(Act.RENEW_IDENTITY, question, lambda _given: self._renewed())
            case Item.PUT_OFF:
                question = (words.PUT_OFF_TITLE, words.PUT_OFF_WHAT, words.PUT_OFF_YES)
                self._approvals.permit(Act.PUT_OFF_UPDATE, question, lambda _given: None)
            case Item.LEAVE:
                question = (words.LEAVE_TITLE, words.LEAVE_WHAT, words.LEAVE_YES)
                self._approvals.permit(Act.LEAVE_KIOSK, question, lambda _given: self._leave())

    @property
    def _is_used_twice(self) -> bool:
        return self._till_state.terminal.block is Block.IDENTITY_USED_TWICE

    def _renewed(self) -> None:
        self._known_otherwise = False

    def _open_people(self) -> None:
        from pos_app.ui.dialogs.people.acts import Forms
        from pos_app.ui.dialogs.people.panel import PeoplePanel

        forms = Forms(self._config.country, languages())
        panel = PeoplePanel(self._till_state.terminal.people, forms, self._post)
        self._people = panel
        panel.closed.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_WIDE, on_close=self._people_closed)

    def _open_store(self) -> None:
        from pos_app.ui.dialogs.people.store_panel import StorePanel

        if self._exits.store is None:
            return
        panel = self._store = StorePanel(self._till_state.terminal.store, self._exits.store.address())
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        panel.join_wanted.connect(self._join_store)
        panel.leave_wanted.connect(self._leave_store)
        self._overlay.open(panel, on_close=self._store_closed)

    def _join_store(self, address: str, code: str) -> None:
        question = (store_words.JOIN_ASK.format(address=address), store_words.JOIN_WHAT, store_words.JOIN_YES)

        def given(_answered: StaffAnswered) -> None:
            if self._store is not None and self._exits.store is not None:
                self._store_asked = name_request()
                self._store.begin(store_words.JOINING)
                who = self._till_state.who
                self._exits.store.join(
                    self._store_asked, address, code, who, while_there(self._store_answered.emit)
                )

        self._approvals.permit(Act.JOIN_STORE, question, given, content={"join": address})

    def _leave_store(self) -> None:
        question = (store_words.LEAVE_ASK, store_words.LEAVE_WHAT, store_words.LEAVE_YES)

        def given(_answered: StaffAnswered) -> None:
            if self._store is not None and self._exits.store is not None:
                self._store_asked = name_request()
                self._store.begin(store_words.LEAVING)
                self._exits.store.leave(
                    self._store_asked, self._till_state.who, while_there(self._store_answered.emit)
                )

        name = self._till_state.terminal.store.store_name
        self._approvals.permit(Act.JOIN_STORE, question, given, content={"leave": name})

    def _show_store_news(self, news: MembershipNews) -> None:
        """What came of asking; without a problem it is being recorded."""
        self._known_otherwise = self._known_otherwise or news.problem is NotJoined.OTHERWISE
        if self._store is not None and news.problem:
            self._store.show_problem(news.problem, news.said)

    def _show_recorded(self, recorded: MembershipRecorded) -> None:
        if self._store is None or recorded.request_id != self._store_asked:
            return
        if recorded.problem:
            self._store.show_problem(NotJoined.CANNOT_RECORD)
        elif recorded.joined:
            self._store.show_done(store_words.JOINED)
        else:
            self._store.show_done(store_words.LEFT if recorded.told else store_words.LEFT_UNTOLD)

    def _open_log(self) -> None:
        from pos_app.ui.dialogs.people.staff_log import StaffLogPanel

        today = datetime.now().astimezone().date()
        panel = self._log = StaffLogPanel(self._till_state.terminal.people, today)
        panel.closed.connect(lambda: self._overlay.close_panel(panel))
        panel.wanted.connect(self._ask_log)
        self._overlay.open(panel, width=_WIDE, on_close=self._log_closed)
        self._ask_log("", "")

    def _ask_log(self, who: str, day: str) -> None:
        """What is answered to an earlier question is not for this one."""
        self._log_asked = name_request()
        self._post(ReadStaffLog(request_id=self._log_asked, person_id=who, day=day))

    def _make_file(self) -> None:
        from pos_app.ui.dialogs.people.saved_file import SavedFile

        if self._exits.diagnostics is None:
            return
        panel = self._file = SavedFile()
        panel.closed.connect(lambda: self._overlay.close_panel(panel))
        panel.stick_wanted.connect(self._take_along)
        self._overlay.open(panel, on_close=self._file_closed)
        self._exits.diagnostics(while_there(self._file_made.emit))

    def _show_file(self, path: str, problem: str) -> None:
        if self._file is not None:
            self._file.show_outcome(path, problem)

    def _take_along(self, path: str, folder: str) -> None:
        if self._exits.take_along is not None:
            self._exits.take_along(path, folder, while_there(self._file_copied.emit))

    def _show_copied(self, _path: str, problem: str) -> None:
        if self._file is not None:
            self._file.show_copied(problem)

    def _leave(self) -> None:
        if self._exits.leave is not None:
            self._exits.leave()

    def _people_closed(self) -> None:
        panel: QWidget | None
        panel, self._people = self._people, None
        if panel is not None:
            panel.leave()
        self._back_to_menu("PEOPLE")

    def _store_closed(self) -> None:
        self._store = None
        self._back_to_menu("STORE")

    def _log_closed(self) -> None:
        self._log = None
        self._back_to_menu("DONE")

    def _file_closed(self) -> None:
        self._file = None
        self._back_to_menu("DIAGNOSTICS")
