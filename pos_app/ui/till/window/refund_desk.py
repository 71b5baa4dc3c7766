"""Refund notes at the window: a payment's, a new one, what becomes of one. The engine judges; this asks and posts."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import GiveNote, NoteRefund, NoteWish, ReadNotes, WithdrawNote
from pos_app.domain.people import TERMINAL
from pos_app.domain.refund import Note, NoteProblem, Wish
from pos_app.domain.rights import Act
from pos_app.domain.views import NoteAnswered, NotesRead, StaffAnswered, StaffProblem
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.people import words as people_words
from pos_app.i18n.words.refund import words
from pos_app.ui.post import name_request
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.payments.refund_notes import NoteForm, NotesPanel
    from pos_app.ui.dialogs.people.staff_question import StaffQuestion

_WIDE = 800
_OVER = frozenset({NoteProblem.NO_SUCH_NOTE, NoteProblem.NOT_OPEN})
"""Asked once more, the answer would be the same."""


class RefundDesk(QObject):
    """One payment's notes at a time. `print_wanted(Note)`: its slips are to be printed."""

    print_wanted = Signal(object)

    def __init__(self, context: TillContext, overlay: OverlayHost, approvals: ApprovalRequests) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._approvals = approvals
        self._panel: NotesPanel | None = None
        self._form: NoteForm | None = None
        self._question: StaffQuestion | None = None
        self._read = ""
        self._asked: dict[str, tuple[NoteWish, QWidget | None, Attempt | Note]] = {}
        """What was asked for and not answered, by its request: the panel that goes when it is done, and of what."""

    def open(self, attempt: Attempt) -> None:
        """A payment's notes."""
        if self._panel is not None or not self._till_state.is_attended:
            return
        from pos_app.ui.dialogs.payments.refund_notes import NotesPanel

        needs = self._approvals.needs_manager
        panel = self._panel = NotesPanel(
            attempt,
            self._config,
            self._till_state.name_of,
            has_printer=self._has_printer,
            needs=(needs(Act.REFUND, attempt.owner), needs(Act.WITHDRAW_REFUND)),
        )
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        panel.new_wanted.connect(lambda room: self._open_form(attempt, room))
        panel.given.connect(self.give)
        panel.unwanted.connect(self.withdraw)
        panel.print_wanted.connect(self.print_wanted)
        self._overlay.open(panel, width=_WIDE, on_close=self._panel_closed)
        self._read_anew()

    def receive(self, news: NotesRead | NoteAnswered) -> None:
        """What the engine says of notes."""
        if isinstance(news, NotesRead):
            if self._panel is not None and news.request_id == self._read:
                self._panel.take(news)
                if self._form is not None and not news.problem:
                    self._form.take_room(news.room)
            return
        if news.request_id not in self._asked:
            return
        _, panel, _ = self._asked.pop(news.request_id)
        if news.problem:
            self._say_problem(panel, news)
        elif panel is not None:
            self._overlay.close_panel(panel)
        self._read_anew()

    def _say_problem(self, panel: QWidget | None, news: NoteAnswered) -> None:
        if self._form is not None and panel is self._form:
            self._form.say(news.problem)
            return
        if self._question is not None and panel is self._question and news.problem not in _OVER:
            # What was typed is sent once more by whoever waits for the disk.
            self._question.say(words.PROBLEM[news.problem])
            return
        if panel is not None:
            self._overlay.close_panel(panel)
        if self._panel is not None:
            self._panel.say(words.PROBLEM[news.problem], "bad")

    def _read_anew(self) -> None:
        if self._panel is not None:
            self._read = name_request()
            attempt_id = self._panel.attempt.attempt_id
            self._post(ReadNotes(request_id=self._read, attempt_id=attempt_id, who=self._till_state.who))

    def _open_form(self, attempt: Attempt, room: Decimal) -> None:
        if self._form is not None:
            return
        from pos_app.ui.dialogs.payments.refund_notes import NoteForm

        needs = self._approvals.needs_manager(Act.REFUND, attempt.owner)
        form = self._form = NoteForm(
            attempt, room, self._config, has_printer=self._has_printer, by_manager=needs
        )

        def wished(wish: Wish) -> None:
            command = NoteRefund(
                request_id=name_request(),
                attempt_id=attempt.attempt_id,
                amount=wish.amount,
                why=wish.reason,
                way=wish.way,
                text=wish.text,
                receiver=wish.receiver,
                name=self._name,
                who=self._till_state.who,
            )
            if not self._want(command, attempt, form):
                # A manager is asked beside the cashier, who may say no.
                form.wait(waits=False)

        form.wished.connect(wished)
        form.left.connect(lambda: self._overlay.close_panel(form))
        self._overlay.open(form, width=_WIDE, on_close=self._form_closed)

    def give(self, note: Note) -> None:
        """The money was handed over: asked once, because nothing leads back."""
        from pos_app.ui.dialogs.confirm import Confirm

        money = self._config.money_of(note.amount, note.currency)
        question = Confirm(
            words.GIVE_ASK,
            words.GIVE_MORE.format(number=note.shown, money=money),
            yes=words.GIVE_YES,
            no=words.GIVE_NO,
            name="note_give",
        )

        def given() -> None:
            who, request_id = self._till_state.who, name_request()
            self._want(
                GiveNote(request_id=request_id, number=note.number, name=self._name, who=who), note, None
            )

        question.ask(self._overlay, given)

    def withdraw(self, note: Note) -> None:
        """A manager takes it back, with the reason."""
        if self._question is not None:
            return
        from pos_app.ui.dialogs.people.staff_question import QuestionText, StaffQuestion

        money = self._config.money_of(note.amount, note.currency)
        said = QuestionText(
            words.WITHDRAW_ASK.format(number=note.shown),
            words.WITHDRAW_MORE.format(money=money),
            self._by_manager(words.WITHDRAW_YES, Act.WITHDRAW_REFUND),
            words.WITHDRAW_REASONS,
        )
        question = StaffQuestion(said, name="note_withdraw")
        self._question = question

        def asked(values: dict[str, str]) -> None:
            wish = WithdrawNote(
                request_id=name_request(),
                number=note.number,
                reason=values["reason"],
                name=self._name,
                who=self._till_state.who,
            )
            if not self._want(wish, note, question):
                question.wait(False)

        question.asked.connect(asked)
        question.left.connect(lambda: self._overlay.close_panel(question))
        self._overlay.open(question, on_close=self._question_closed)

    def _want(self, wish: NoteWish, about: Attempt | Note, panel: QWidget | None) -> bool:
        """Whether it was posted at once; else a manager is asked. What a panel asked for before is not waited for."""
        self._asked = {
            key: each for key, each in self._asked.items() if panel is None or each[1] is not panel
        }
        self._asked[wish.request_id] = (wish, panel, about)
        return self._approvals.want(wish, about)

    def take_refused(self, answered: StaffAnswered) -> None:
        """The engine knew better than the button: the same is put to a manager, who may say no. What was refused for
        another reason, as by a till that locked meanwhile, is said, and can be asked for once more.
        """
        if self._panel is not None and answered.request_id == self._read:
            self._read = ""
        if answered.request_id not in self._asked or not answered.problem:
            return
        wish, panel, about = self._asked[answered.request_id]
        said = ""
        if answered.problem is not StaffProblem.NOT_ALLOWED:
            del self._asked[answered.request_id]
            said = people_words.problem(answered.problem)
        if self._form is not None and panel is self._form:
            self._form.refuse(said)
        elif self._question is not None and panel is self._question:
            self._question.say(said)
        elif self._panel is not None and said:
            self._panel.say(said, "bad")
        if not said:
            self._approvals.ask_manager(wish, about)

    def come_back(self) -> None:
        """What could not be read, as the till was locked, is read for whoever is back."""
        if not self._read:
            self._read_anew()

    def say_not_printed(self, why: str) -> None:
        """Where somebody wanted slips, and the notice of it is covered."""
        if self._panel is not None:
            self._panel.say(why, "bad")

    def _by_manager(self, text: str, act: Act) -> str:
        return approval_words.BY_MANAGER.format(text=text) if self._approvals.needs_manager(act) else text

    @property
    def _has_printer(self) -> bool:
        return bool(self._till_state.terminal.printing.printer)

    @property
    def _name(self) -> str:
        """Under which name it is recorded; the engine writes the one on its list."""
        return self._till_state.person.name if self._till_state.person is not None else TERMINAL

    def _panel_closed(self) -> None:
        self._panel = None
        self._read = ""

    def _form_closed(self) -> None:
        self._form = None

    def _question_closed(self) -> None:
        self._question = None
