"""Opens what is not the till itself: the person's menu, open payments, settings, help. Built when first wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import CheckReceipt, CheckZ, Park, ReadNotes, ReadReceipt, SignOut
from pos_app.domain.day import anchor_in
from pos_app.domain.receipt import Verdict
from pos_app.domain.refund import noted
from pos_app.domain.rights import Act
from pos_app.domain.search import Meant
from pos_app.domain.staff import ChooseLanguage
from pos_app.domain.views import (
    AttemptChanged,
    CommandRefused,
    NoteAnswered,
    NotesRead,
    PaymentRows,
    PaymentsCounted,
    PaymentsFound,
    PaymentsSummed,
    Published,
    ReceiptChecked,
    ReceiptRead,
    SignIn,
    Terminal,
    ZChecked,
)
from pos_app.i18n.words.lock import words as lock_words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.ui.post import name_request
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.till.window.parts import InFront
from pos_app.ui.till.window.state import TillContext

if TYPE_CHECKING:
    from pos_app.ui.dialogs.payments.found import FoundPayments
    from pos_app.ui.dialogs.payments.history import HistoryPanel
    from pos_app.ui.dialogs.payments.open_payments import OpenPayments
    from pos_app.ui.dialogs.payments.receipt_sheet import ReceiptSheet
    from pos_app.ui.dialogs.sign_in.change_passcode import ChangePasscode
    from pos_app.ui.paper.worker import PaperWorker
    from pos_app.ui.till.window.payment_details import PaymentDetails

SettingsDoor = Callable[[Callable[[], None]], QWidget]
"""Makes the settings' panel; it calls what it is given when it is to be closed."""

_CARD = 680
_WIDE = 860
_WIDEST = 960
_SETTINGS = 1120


class DialogOpener(QObject):
    """One of each at a time. `attempt_wanted(attempt_id)`: the list of open payments wants its panel.

    `number_wanted(attempt, details)`: a payment's wallet number is to be shown in full. `day_wanted`: so is the day.
    `notes_wanted(attempt)`: so are a payment's refund notes; `note_given(Note)`, `note_unwanted(Note)`: of the list.
    `others_wanted(text)`: a payment is looked for at other counters. `foreign_paper(text)`: so is a scanned paper.
    """

    attempt_wanted = Signal(str)
    number_wanted = Signal(object, object)
    day_wanted = Signal()
    notes_wanted = Signal(object)
    note_given = Signal(object)
    note_unwanted = Signal(object)
    others_wanted = Signal(str)
    foreign_paper = Signal(str)

    def __init__(
        self,
        context: TillContext,
        in_front: InFront,
        approvals: ApprovalRequests,
        settings: SettingsDoor | None,
        *,
        is_alone: bool = False,
    ) -> None:
        """`is_alone`: the till has the screen to itself."""
        super().__init__(in_front.overlay)
        self._is_alone = is_alone
        self._lock_screen, self._overlay, self._prompts = in_front
        self._config, self._words, self._till_state, self._post = context
        self._approvals = approvals
        self._settings = settings
        self._change: ChangePasscode | None = None
        self._payments: OpenPayments | None = None
        self._found: FoundPayments | None = None
        self._history: HistoryPanel | None = None
        self._details: PaymentDetails | None = None
        self._receipt: ReceiptSheet | None = None
        self._receipt_of: Attempt | None = None
        self._paper_worker: PaperWorker | None = None
        self._checking = self._checked_text = ""
        self._notes_asked = ""

    def receive(self, published: Published) -> None:
        """What stands open here follows what the engine says."""
        match published:
            case Terminal() | CommandRefused() if self._payments is not None:
                self._payments.receive(published)
            case AttemptChanged():
                self._take_change(published)
            case PaymentsFound() | PaymentsSummed() if self._found is not None:
                self._found.receive(published)
            case PaymentsCounted() | PaymentRows() if self._history is not None:
                self._history.receive(published)
            case NotesRead() if published.request_id == self._notes_asked and not published.problem:
                self._take_notes(published)
            case NoteAnswered():
                self._take_noted(published)
            case ReceiptRead() if self._receipt is not None:
                self._receipt.receive(published)
            case ReceiptChecked() | ZChecked():
                self._take_checked(published)
            case SignIn() if self._change is not None:
                self._change.receive(published)

    def _take_notes(self, read: NotesRead) -> None:
        if self._details is not None:
            self._details.show_notes(read.notes)
        for listed in (self._found, self._history):
            if listed is not None:
                listed.take_noted(read.attempt_id, noted(read.notes))

    def _take_noted(self, answered: NoteAnswered) -> None:
        if self._payments is not None:
            self._payments.say(refund_words.PROBLEM[answered.problem] if answered.problem else "")
        if answered.note is not None:
            self._ask_notes(answered.note.attempt_id)

    def _take_change(self, change: AttemptChanged) -> None:
        for listed in (self._payments, self._found, self._history):
            if listed is not None:
                listed.receive(change)
        if self._details is not None:
            self._details.receive(change.attempt)
        self._follow_receipt(change.attempt)

    def _follow_receipt(self, attempt: Attempt) -> None:
        """A paper is of the payment as it is: what is in dispute by now is no receipt any more."""
        shown = self._receipt_of
        if self._receipt is None or shown is None or shown.attempt_id != attempt.attempt_id:
            return
        if (shown.state, shown.resolution) == (attempt.state, attempt.resolution):
            return
        self._receipt_of = attempt
        if self._till_state.is_attended:
            self._read_receipt(self._receipt, attempt)
        else:
            # Behind a lock nobody is told anything.
            self._overlay.close_panel(self._receipt)

    def person_touched(self) -> None:
        """Sign in, or what whoever is signed in can do."""
        person = self._till_state.person
        if person is None:
            self._lock_screen.open_sign_in()
        elif self._overlay.top is None:
            from pos_app.ui.dialogs.sign_in.person_menu import PersonMenu

            menu = PersonMenu(person, cap(Action.LOCK))
            for chosen, do in (
                (menu.lock, self._lock_screen.lock),
                (menu.switch, self._lock_screen.switch),
                (menu.day, self.day_wanted.emit),
                (menu.passcode, self._change_passcode),
                (menu.sign_out, self._ask_sign_out),
                (menu.closed, lambda: None),
            ):
                chosen.connect(lambda do=do: self._close_then(menu, do))
            menu.language.connect(
                lambda code: self._close_then(menu, lambda: self._post(ChooseLanguage(code)))
            )
            self._overlay.open(menu)

    def _close_then(self, menu: QWidget, do: Callable[[], None]) -> None:
        self._overlay.close_panel(menu)
        do()

    def _change_passcode(self) -> None:
        person = self._till_state.person
        if person is None or self._change is not None:
            return
        from pos_app.ui.dialogs.sign_in.change_passcode import ChangePasscode

        change = self._change = ChangePasscode(person, self._post)
        change.closed.connect(lambda: self._overlay.close_panel(change))
        self._overlay.open(change, on_close=self._change_closed)

    def _ask_sign_out(self) -> None:
        """Asked once; what stays behind is said."""
        person = self._till_state.person
        if person is None:
            return
        own = [each for each in self._till_state.terminal.open if each.owner == person.person_id]
        said = self._words.bar
        self._prompts.ask(
            said.sign_out.format(name=person.name),
            lock_words.still_open(len(own)) or said.sign_out_more,
            said.sign_out_yes,
            self._words.ask.go_back,
            lambda: self._post(SignOut()),
        )

    def open_settings(self, then: Callable[[], None] | None = None) -> None:
        """For managers; the settings' dialog itself says what may be changed. `then`: once it was closed."""
        if self._settings is None or self._overlay.top is not None:
            return
        panel: list[QWidget] = []
        panel.append(self._settings(lambda: self._overlay.close_panel(panel[0])))
        self._overlay.open(panel[0], width=_SETTINGS, on_close=then)

    def open_details(self, attempt: Attempt) -> None:
        """One payment, of the strip or of a list."""
        if self._details is not None:
            return
        from pos_app.ui.till.window.payment_details import PaymentDetails

        by_manager = self._approvals.needs_manager(Act.UNMASK_NUMBER)
        details = self._details = PaymentDetails(
            attempt,
            self._config,
            self._words,
            cashier=self._till_state.name_of(attempt.owner),
            by_manager=by_manager,
        )
        if self._is_alone:
            details.hide_copy()
        details.number_wanted.connect(lambda: self.number_wanted.emit(attempt, details))
        details.panel_wanted.connect(self._open_listed)
        details.receipt_wanted.connect(self.open_receipt)
        details.notes_wanted.connect(self.notes_wanted)
        details.shut.connect(lambda: self._overlay.close_panel(details))
        self._overlay.open(details, width=_CARD, on_close=self._details_closed)
        self._ask_notes(attempt.attempt_id)

    def _ask_notes(self, attempt_id: str) -> None:
        """What is noted of the payment whose card is open."""
        if self._details is not None and self._details.attempt_id == attempt_id:
            self._notes_asked = name_request()
            self._post(
                ReadNotes(request_id=self._notes_asked, attempt_id=attempt_id, who=self._till_state.who)
            )

    def open_receipt(self, attempt: Attempt) -> None:
        """A payment's paper, over its card."""
        if self._receipt is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.receipt_sheet import ReceiptSheet

        sheet = self._receipt = ReceiptSheet(name_request(), self._config, self.paper_worker())
        self._receipt_of = attempt
        sheet.left.connect(lambda: self._overlay.close_panel(sheet))
        self._overlay.open(sheet, on_close=self._receipt_closed)
        self._read_receipt(sheet, attempt)

    def _read_receipt(self, sheet: ReceiptSheet, attempt: Attempt) -> None:
        wanted = ReadReceipt(
            request_id=sheet.request_id, attempt_id=attempt.attempt_id, who=self._till_state.who
        )
        self._post(wanted)

    def paper_worker(self) -> PaperWorker:
        """Its thread is there from the first paper on."""
        if self._paper_worker is None:
            from pos_app.ui.paper.worker import PaperWorker

            self._paper_worker = PaperWorker(self)
        return self._paper_worker

    def check_paper(self, text: str) -> None:
        """The code of a receipt or a Z was scanned: is the paper ours, and is the record still that paper's?"""
        if self._till_state.is_attended:
            self._checking, self._checked_text = name_request(), text
            kind = CheckReceipt if anchor_in(text) is None else CheckZ
            self._post(kind(request_id=self._checking, text=text, who=self._till_state.who))

    def _take_checked(self, checked: ReceiptChecked | ZChecked) -> None:
        if checked.request_id != self._checking or not self._till_state.is_attended:
            return
        self._checking = ""
        if isinstance(checked, ZChecked):
            from pos_app.ui.dialogs.day.z_verdict import ZVerdict

            of_z = ZVerdict(checked)
            of_z.left.connect(lambda: self._overlay.close_panel(of_z))
            self._overlay.open(of_z)
            return
        is_foreign = checked.checked is not None and checked.checked.verdict is Verdict.FOREIGN
        if is_foreign and self._till_state.terminal.store.is_member:
            self.foreign_paper.emit(self._checked_text)
            return
        from pos_app.ui.dialogs.payments.receipt_sheet import PaperVerdict

        verdict = PaperVerdict(checked, self._config)

        def look(attempt: Attempt) -> None:
            self._overlay.close_panel(verdict)
            self.open_details(attempt)

        verdict.left.connect(lambda: self._overlay.close_panel(verdict))
        verdict.opened.connect(look)
        self._overlay.open(verdict)

    def stop(self) -> None:
        """The window goes: nothing is drawn any more."""
        if self._paper_worker is not None:
            self._paper_worker.stop()

    def open_note(self, attempt: Attempt) -> None:
        """F11: whose the payment is that was parked last."""
        if self._overlay.top is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.park_note import ParkNote

        asked = ParkNote(attempt, self._config)

        def noted(note: str) -> None:
            self._overlay.close_panel(asked)
            self._post(Park(attempt.attempt_id, self._till_state.who, note))

        asked.noted.connect(noted)
        asked.left.connect(lambda: self._overlay.close_panel(asked))
        self._overlay.open(asked)

    def open_found(self) -> None:
        """F4: today's payments, and the search among them; for whoever is signed in."""
        if self._found is not None or self._overlay.top is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.found import FoundPayments

        found = self._found = FoundPayments(
            self._config,
            self._post,
            person=self._till_state.person,
            has_others=self._till_state.terminal.store.is_member,
        )
        found.closed.connect(lambda: self._overlay.close_panel(found))
        found.opened.connect(self.open_details)
        found.paper_scanned.connect(self.check_paper)
        found.others_wanted.connect(self.others_wanted)
        self._overlay.open(found, width=_WIDEST, on_close=self._found_closed)

    def open_history(self, then: Callable[[], None], export: Callable[[Meant], None] | None = None) -> None:
        """All payments; for a manager. `then` when it is left, `export` saves what is shown as a file."""
        if self._history is not None or self._overlay.top is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.history import HistoryPanel

        shown = self._history = HistoryPanel(
            self._config, self._post, self._till_state.who, has_files=export is not None
        )
        shown.closed.connect(lambda: self._overlay.close_panel(shown))
        shown.opened.connect(self.open_details)
        if export is not None:
            shown.export_wanted.connect(export)

        def gone() -> None:
            self._history = None
            shown.end()
            then()

        self._overlay.open(shown, width=_WIDEST, on_close=gone)

    def open_payments(self) -> None:
        """F8: what is open and what needs a person; for whoever is signed in."""
        if self._payments is not None or self._overlay.top is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.open_payments import OpenPayments

        listed = OpenPayments(self._config, self._post, self._till_state.terminal, want=self._approvals.want)
        for change in self._till_state.changes():
            listed.receive(change)
        listed.closed.connect(lambda: self._overlay.close_panel(listed))
        listed.opened.connect(self._open_listed)
        listed.note_given.connect(self.note_given)
        listed.note_unwanted.connect(self.note_unwanted)
        self._payments = listed
        self._overlay.open(listed, width=_WIDE, on_close=self._payments_closed)

    def open_help(self) -> None:
        """F1: the keys."""
        if self._overlay.top is not None:
            return
        from pos_app.ui.dialogs.help import Help

        shown = Help(self._words)
        shown.closed.connect(lambda: self._overlay.close_panel(shown))
        self._overlay.open(shown, width=_WIDE)

    def _open_listed(self, attempt_id: str) -> None:
        """Its panel comes up; what it was found in goes."""
        for panel in (self._details, self._found, self._history, self._payments):
            if panel is not None:
                self._overlay.close_panel(panel)
        self.attempt_wanted.emit(attempt_id)

    def _found_closed(self) -> None:
        self._found = None

    def _receipt_closed(self) -> None:
        self._receipt = self._receipt_of = None

    def _details_closed(self) -> None:
        self._details = None

    def _payments_closed(self) -> None:
        self._payments = None

    def _change_closed(self) -> None:
        self._change = None
