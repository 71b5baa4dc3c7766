"""The list of open payments and those that need a person (F8). It posts commands and settles nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

from PySide6.QtCore import QRectF, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind, Reason, State
from pos_app.domain.commands import Answer, Cancel, CheckNow, Close, Continue, SignRefund
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.refund import Note
from pos_app.domain.rights import Act
from pos_app.domain.sale import Sale
from pos_app.domain.staff import Approvable
from pos_app.domain.views import (
    Activity,
    AttemptChanged,
    CommandRefused,
    Published,
    StaffProblem,
    Terminal,
)
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.open_payments import words as list_words
from pos_app.i18n.words.people import words as people_words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.i18n.words.till import Words, words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, tab_through, title_row
from pos_app.ui.dialogs.payments.open_steps import RIGHTS, Advice, Step, advice, age_s, listed
from pos_app.ui.dialogs.payments.settle import Settle
from pos_app.ui.dialogs.payments.settle_questions import (
    answer_question,
    confirm_question,
    refund_question,
    sign_off_question,
)
from pos_app.ui.post import About, Post, Then, Want, needs_manager
from pos_app.ui.theme.tokens import S1, S3
from pos_app.ui.till.payment.panel_model import present
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.badge import DISPUTED, LATE, Mark, paint_small
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import RIGHT, Label

_LIKELY = {
    Step.CONTINUE: "primary",
    Step.ANSWER: "primary",
    Step.SIGN_REFUND: "primary",
    Step.CANCEL: "danger",
    Step.GIVE_NOTE: "primary",
}


class Disc(QWidget):
    """The state's little mark; the words beside it say the same."""

    def __init__(self, mark: Mark, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = mark
        self.setFixedSize(32, 32)

    def show_mark(self, mark: Mark) -> None:
        """Another state."""
        self._mark = mark
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The disc."""
        paint_small(QPainter(self), QRectF(self.rect()), self._mark)


class OpenRow(Card):
    """`wished(key, step)`, `opened(key)` for the payment's panel. The key is an attempt's or a sale's id."""

    wished = Signal(str, str)
    opened = Signal(str)

    def __init__(self, key: str, mark: Mark, parent: QWidget | None = None) -> None:
        super().__init__(f"open_{key}", ground="surface", parent=parent)
        self.key = key
        self.disc = Disc(mark)
        self.amount = Label("", "title", name=f"open_{key}_amount")
        self.age = Label("", "second", "muted", align=RIGHT, name=f"open_{key}_age")
        self.facts = Label("", "second", "muted", wrap=True, name=f"open_{key}_facts")
        self.sentence = Label("", "body", wrap=True, name=f"open_{key}_advice")
        self.buttons = ButtonRow(f"open_{key}_buttons", at_end=True)
        self._steps: dict[Step, Button] = {}
        self._show = Button(list_words.SHOW, name=f"show_{key}")
        self._show.clicked.connect(lambda: self.opened.emit(self.key))
        grid = QGridLayout(self)
        grid.setContentsMargins(S3, S3, S3, S3)
        grid.setHorizontalSpacing(S3)
        grid.setVerticalSpacing(S1)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 4)
        grid.addWidget(self.disc, 0, 0, 2, 1)
        grid.addWidget(self.amount, 0, 1)
        grid.addWidget(self.facts, 1, 1)
        grid.addWidget(self.buttons, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        below = QHBoxLayout()
        below.addWidget(self.sentence, 1)
        below.addWidget(self.age)
        grid.addLayout(below, 2, 1, 1, 2)

    def show_attempt(
        self,
        attempt: Attempt,
        activity: Activity,
        config: TillViewConfig,
        words: Words,
        person: Person | None,
    ) -> None:
        """The payment as it now is, and what `person` can do about it."""
        self.disc.show_mark(mark_of(attempt.state))
        self.amount.setText(config.money_of(attempt.amount, attempt.currency))
        method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
        wallet = f" {attempt.wallet_mask}" if attempt.wallet_mask else ""
        sale = config.sale(words.result.sale.format(sale=attempt.sale_id))
        self.facts.setText(f"{words.state[attempt.state]} · {method}{wallet} · {sale}")
        self._advise(advice(attempt, activity), person, attempt.owner, can_show=True)

    def show_sale(self, sale: Sale, config: TillViewConfig, words: Words, person: Person | None) -> None:
        """A sale that was paid twice."""
        self.disc.show_mark(DISPUTED)
        self.amount.setText(config.money_of(sale.amount, sale.currency))
        which = config.sale(words.result.sale.format(sale=sale.sale_id))
        self.facts.setText(f"{words.result.paid_twice} · {which}")
        twice = Advice(list_words.ADVICE_TWICE, (Step.SIGN_REFUND,))
        self._advise(twice, person, sale.owner, can_show=False)

    def show_note(self, note: Note, config: TillViewConfig, words: Words, person: Person | None) -> None:
        """A refund note that is promised, and neither given nor withdrawn."""
        self.disc.show_mark(LATE)
        self.amount.setText(config.money_of(note.amount, note.currency))
        which = config.sale(words.result.sale.format(sale=note.sale_id))
        self.facts.setText(f"{note.shown} · {refund_words.NOTED} · {refund_words.facts(note)} · {which}")
        said = Advice(refund_words.ADVICE, (Step.WITHDRAW_NOTE, Step.GIVE_NOTE))
        self._advise(said, person, note.owner, can_show=False)

    def show_age(self, attempt: Attempt, now: datetime) -> None:
        """How long ago it was started."""
        self.age.setText(time_words.age(age_s(attempt, now)))

    def _advise(self, said: Advice, person: Person | None, owner: str, *, can_show: bool) -> None:
        self.sentence.setText(said.sentence)
        parts: list[QWidget] = [self._button(step, person, owner) for step in said.steps]
        self.buttons.set_parts([*parts, self._show] if can_show else parts)
        self.buttons.setVisible(bool(parts) or can_show)

    def _button(self, step: Step, person: Person | None, owner: str) -> Button:
        if step not in self._steps:
            name = f"{step.name.lower()}_{self.key}"
            button = Button(step.text, name=name, kind=_LIKELY.get(step, "plain"))
            button.clicked.connect(lambda: self.wished.emit(self.key, step.name))
            self._steps[step] = button
        needs = needs_manager(person, RIGHTS[step], owner)
        text = approval_words.BY_MANAGER.format(text=step.text) if needs else step.text
        if self._steps[step].text() != text:
            self._steps[step].setText(text)
        return self._steps[step]


AGE_TICK_MS = 10_000
MOST_ROWS = 50
"""Of a till whose journal was lost thousands may wait: nobody reads so many, and a window would stand still."""


def note_key(note: Note) -> str:
    """A note's place in the list; no payment's and no sale's id begins so."""
    return f"note_{note.number}"


def _stand(attempt: Attempt | None) -> tuple[State, Reason] | None:
    """What an answer about it is bound to."""
    return None if attempt is None else (attempt.state, attempt.reason)


def _now() -> datetime:
    return datetime.now().astimezone()


class OpenPayments(Panel):
    """`receive` what the engine publishes. `opened(attempt_id)` wants the payment's panel, `closed` to go.

    `note_given(Note)`, `note_unwanted(Note)`: something is to become of a refund note.
    """

    opened = Signal(str)
    note_given = Signal(object)
    note_unwanted = Signal(object)
    closed = Signal()

    def __init__(
        self,
        config: TillViewConfig,
        post: Post,
        terminal: Terminal,
        *,
        want: Want | None = None,
        now: Callable[[], datetime] = _now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("open_payments")
        self._config = config
        self._post = post
        self._want = want or self._post_at_once
        self._now = now
        self._words = words
        self._terminal = terminal
        self._activity: dict[str, Activity] = {}
        self._rows: dict[str, OpenRow] = {}
        self._question: QWidget | None = None
        self._asked = ""
        self._asked_as: tuple[State, Reason] | None = None
        self.done = Label("", "strong", wrap=True, name="open_done")
        self.done.hide()
        self.none = Label(list_words.NONE, "body", "muted", wrap=True, name="nothing_open")
        self.hint = Label(list_words.HINT, "second", "muted", wrap=True)
        self.close_button = Button(list_words.CLOSE, name="open_payments_close", keycap="Esc")
        self.recovered = Label("", "body", wrap=True, name="recovered")
        self.answer_all = Button(list_words.RECOVERED_ANSWER, name="answer_recovered")
        self.more = Label("", "second", "muted", wrap=True, name="more_open")
        self._list = QWidget()
        title = title_row(heading(list_words.TITLE, "open_title"), self.close_button)
        before = (title, self.done, self.hint, self.none, self.recovered, self.answer_all)
        self._lines = column(self._list, *before, spacing=S3)
        self._before = len(before)
        self._lines.addWidget(self.more)
        self._lines.addStretch(1)
        self._room = column(self, self._list)
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.closed)
        self.answer_all.clicked.connect(self._ask_about_recovered)
        self._tick = QTimer(self)
        self._tick.setInterval(AGE_TICK_MS)
        self._tick.timeout.connect(self._show_ages)
        self._refresh()

    def receive(self, published: Published) -> None:
        """The list follows the terminal; a payment's activity says whether it may be continued."""
        if isinstance(published, Terminal):
            self._terminal = published
            self._refresh()
        elif isinstance(published, AttemptChanged):
            self._activity[published.attempt.attempt_id] = published.activity
            self._refresh()
            self._say_settled(published)
        elif isinstance(published, CommandRefused) and published.problem is StaffProblem.PAYMENT_CHANGED:
            self._say_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Ages grow only while they are seen."""
        super().showEvent(event)
        self._show_ages()
        self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing ticks."""
        self._tick.stop()
        super().hideEvent(event)

    def _attempts(self) -> dict[str, Attempt]:
        return {each.attempt_id: each for each in listed(self._terminal.open, self._terminal.attention)}

    def _recovered(self) -> list[Attempt]:
        """Late ones that the service told of after the journal was lost; of one currency, which has a sum."""
        found = [
            each for each in self._terminal.attention if each.recovered and each.state is State.PAID_LATE
        ]
        return [each for each in found if each.currency == found[0].currency]

    def _refresh(self) -> None:
        attempts = self._attempts()
        sales = {sale.sale_id: sale for sale in self._terminal.overpaid}
        notes = {note_key(note): note for note in self._terminal.notes}
        every = [*sales, *attempts, *notes]
        keys = every[:MOST_ROWS]
        for key in [key for key in self._rows if key not in keys]:
            gone = self._rows.pop(key)
            gone.hide()
            gone.setParent(None)
            gone.deleteLater()
        person = self._terminal.signed_in
        for at, key in enumerate(keys):
            row = self._rows.get(key) or self._new_row(key, attempts.get(key))
            if self._lines.indexOf(row) != self._before + at:
                self._lines.removeWidget(row)
                self._lines.insertWidget(self._before + at, row)
            if key in attempts:
                activity = self._activity.get(key, Activity())
                row.show_attempt(attempts[key], activity, self._config, self._words, person)
            elif key in notes:
                row.show_note(notes[key], self._config, self._words, person)
            else:
                row.show_sale(sales[key], self._config, self._words, person)
        rebuilt = self._terminal.rebuilt
        asks = rebuilt is not None and not rebuilt.ended
        self.none.setText(self._words.bar.rebuilding if asks else list_words.NONE)
        self.none.setVisible(not keys)
        self.hint.setVisible(bool(sales) or bool(attempts))
        count = len(every) + self._terminal.notes_more
        self.more.setText(list_words.MORE.format(shown=len(keys), all=count))
        self.more.setVisible(count > len(keys))
        self._order_keys([self._rows[key] for key in keys])
        self._show_recovered()
        self._show_ages()
        if not isinstance(self._question, Settle):
            return
        if self._asked not in every:
            # Settled meanwhile, here or by the service: asked once more it would be answered twice.
            self._close_question()
        elif _stand(attempts.get(self._asked)) != self._asked_as:
            # What is being answered is not what is asked any more.
            self._close_question()
            self._say_changed()

    def _order_keys(self, rows: list[OpenRow]) -> None:
        """By Tab, as they are read: Qt puts what came last behind all others, and the most urgent stands above them."""
        tab_through(self.close_button, self.answer_all, *(part for row in rows for part in row.buttons.parts))

    def _show_recovered(self) -> None:
        found = self._recovered()
        many = len(found) > 1
        if many:
            self.recovered.setText(list_words.RECOVERED.format(count=len(found), money=self._sum(found)))
        self.recovered.setVisible(many)
        self.answer_all.setVisible(
            many and not any(self._by_manager(Act.COMPLETE, each.owner) for each in found)
        )

    def _sum(self, attempts: list[Attempt]) -> str:
        return self._config.money_of(
            sum((each.amount for each in attempts), Decimal(0)), attempts[0].currency
        )

    def _ask_about_recovered(self) -> None:
        found = self._recovered()
        if not found:
            return
        question = Confirm(
            list_words.RECOVERED_TITLE.format(count=len(found), money=self._sum(found)),
            list_words.RECOVERED_MORE,
            yes=list_words.RECOVERED_YES,
            no=self._words.ask.go_back,
            danger=True,
            name="confirm",
        )

        def answered(agreed: bool) -> None:
            # As they were read out: what came up since asks for an answer of its own.
            for each in found if agreed else ():
                command = Answer(
                    each.attempt_id, "complete", self._name, list_words.RECOVERED_REASON, self._who
                )
                self._want(command, each, None)
            self._close_question()

        question.answered.connect(answered)
        self._put_before_the_list(question)

    def say(self, text: str) -> None:
        """What became of something that was asked for on the list; "" takes it away."""
        self.done.setText(text)
        self.done.setVisible(bool(text))

    def _say_changed(self) -> None:
        self.say(people_words.problem(StaffProblem.PAYMENT_CHANGED))

    def _say_settled(self, change: AttemptChanged) -> None:
        """What became of the payment that was asked about; in no colour, which a proof alone has."""
        attempt = change.attempt
        if attempt.attempt_id != self._asked or attempt.resolution is None or attempt.needs_answer:
            return
        sale = self._words.result.sale.format(sale=attempt.sale_id)
        said = (
            self._config.money_of(attempt.amount, attempt.currency),
            sale,
            present(change, self._config, self._words).lead,
        )
        self.say(clean(" · ".join(each for each in said if each), DETAILS_LIMIT))

    def _new_row(self, key: str, attempt: Attempt | None) -> OpenRow:
        row = OpenRow(key, DISPUTED if attempt is None else mark_of(attempt.state))
        row.wished.connect(self._command)
        row.opened.connect(self.opened)
        self._rows[key] = row
        return row

    def _show_ages(self) -> None:
        now = self._now()
        for key, attempt in self._attempts().items():
            if key in self._rows:
                self._rows[key].show_age(attempt, now)

    def _command(self, key: str, step: str) -> None:
        match Step[step]:
            case Step.GIVE_NOTE:
                self._of_note(key, self.note_given)
            case Step.WITHDRAW_NOTE:
                self._of_note(key, self.note_unwanted)
            case Step.CHECK:
                self._post(CheckNow(key))
            case Step.CONTINUE:
                self._want(Continue(key, self._who), self._attempts().get(key), None)
            case Step.CANCEL:
                self._confirm(key, Cancel(key, self._who), Act.CANCEL)
            case Step.SHUT:
                self._confirm(key, Close(key, self._who), Act.CLOSE)
            case asked:
                self._ask(key, asked)

    def _of_note(self, key: str, wanted: SignalInstance) -> None:
        note = next((each for each in self._terminal.notes if note_key(each) == key), None)
        if note is not None:
            wanted.emit(note)

    @property
    def _who(self) -> str:
        return self._terminal.signed_in.person_id if self._terminal.signed_in else TERMINAL

    @property
    def _name(self) -> str:
        return self._terminal.signed_in.name if self._terminal.signed_in else TERMINAL

    def _post_at_once(self, command: Approvable, _about: About, _then: Then | None = None) -> bool:
        self._post(command)
        return True

    def _by_manager(self, act: Act, owner: str) -> bool:
        return needs_manager(self._terminal.signed_in, act, owner)

    def _confirm(self, key: str, command: Cancel | Close, act: Act) -> None:
        attempt = self._attempts().get(key)
        if attempt is None:
            return
        if self._by_manager(act, attempt.owner):
            # The manager's passcode is the second thought.
            self._want(command, attempt, None)
            return
        question = confirm_question(attempt, command, self._config, self._words)

        def answered(agreed: bool) -> None:
            if agreed:
                self._want(command, attempt, None)
            self._close_question()

        question.answered.connect(answered)
        self._put_before_the_list(question)

    def _ask(self, key: str, step: Step) -> None:
        attempt, sale = self._attempts().get(key), self._sale(key)
        by_manager = self._by_manager
        if sale is not None:
            self._open_question(refund_question(key, sale.owner, self._words, self._name, by_manager), key)
        elif attempt is not None:
            question = sign_off_question if step is Step.SIGN_OFF else answer_question
            self._open_question(question(attempt, self._config, self._words, self._name, by_manager), key)

    def _open_question(self, question: Settle, key: str) -> None:
        question.left.connect(self._close_question)
        question.settled.connect(lambda action, reason: self._settled(question, key, action, reason))
        self._put_before_the_list(question)
        self._asked, self._asked_as = key, _stand(self._attempts().get(key))

    def _put_before_the_list(self, question: QWidget) -> None:
        self._close_question()
        self.done.hide()
        self._question = question
        self._list.hide()
        self._room.addWidget(question)
        question.show()
        (question.focusProxy() or question).setFocus()

    def _settled(self, question: Settle, key: str, action: str, reason: str) -> None:
        """The question goes with its answer, which may be a manager's a moment later."""

        def close() -> None:
            if self._question is question:
                self._close_question()

        sale = self._sale(key)
        if sale is not None:
            command: Answer | SignRefund = SignRefund(
                key, self._name, reason, self._who, question.way, question.receiver
            )
        else:
            command = Answer(
                key,
                action,
                self._name,
                reason,
                self._who,
                question.way,
                question.receiver,
                seen=self._asked_as,
            )
        if self._want(command, sale or self._attempts().get(key), lambda _allowed: close()):
            close()
        else:
            question.ask_again()

    def _sale(self, key: str) -> Sale | None:
        return next((sale for sale in self._terminal.overpaid if sale.sale_id == key), None)

    def _close_question(self) -> None:
        if self._question is not None:
            # Out of the panel at once: it may be asked again before Qt deletes it.
            self._question.hide()
            self._question.setParent(None)
            self._question.deleteLater()
            self._question = None
            self._list.show()
            self.close_button.setFocus()
