"""Refund notes on the screen: a payment's, each with what a person can do about it, and the form of a new one.

What is typed here is what people say: nothing claims that money has moved. It decides and posts nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.money import CURRENCY_DIGITS, AmountError, AmountProblem, currency, parse_amount
from pos_app.domain.people import TERMINAL
from pos_app.domain.refund import (
    MOST_RECEIVER,
    MOST_TEXT,
    Note,
    NoteProblem,
    NoteReason,
    NoteWay,
    Wish,
    is_before_notes,
)
from pos_app.domain.views import NotesRead
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.refund import words
from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.dialogs.parts.lines import (
    LeftByEsc,
    beside_each_other,
    button_row,
    column,
    focus,
    heading,
    tab_through,
    title_row,
)
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel
from pos_app.ui.widgets.touched_fields import Takes

_NAME = 60
MOST_ROWS = 50
"""A script may have noted a payment away by its smallest unit: of thousands of rows a window would stand still."""


def beside(*parts: QWidget) -> QWidget:
    """The parts on one line, as wide as each other."""
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(S3)
    for part in parts:
        row.addWidget(part, 1)
    return both


class WayBack(QWidget):
    """How money goes back, and who gets it: `way`, `receiver`. `checked()` says what is missing."""

    def __init__(self, name: str, label: str = "") -> None:
        super().__init__()
        self.choice = Choice(
            label or words.WAY, f"{name}_way", [(way.value, text) for way, text in words.BY_WAY.items()]
        )
        self.field = Field(words.RECEIVER, f"{name}_receiver", example=for_example(words.RECEIVER_EXAMPLE))
        self.field.edit.setMaxLength(MOST_RECEIVER)
        self.entered = self.field.entered
        column(self, beside(self.choice, self.field))
        self.choice.edited.connect(lambda: self.field.clear_error())

    @property
    def way(self) -> NoteWay:
        """As it is chosen."""
        return NoteWay(self.choice.text())

    @property
    def receiver(self) -> str:
        """As it was typed."""
        return self.field.text().strip()

    def checked(self) -> bool:
        """A transfer goes to somebody."""
        if self.way is not NoteWay.TRANSFER or self.receiver:
            return True
        self.show_missing()
        return False

    def show_missing(self) -> None:
        """Who gets it is not said."""
        self.field.show_error(words.PROBLEM[NoteProblem.NO_RECEIVER])
        bring_into_view(self.field)


def _likely(attempt: Attempt) -> NoteReason:
    """What it is about, most of the time."""
    return NoteReason.LATE if attempt.state is State.PAID_LATE else NoteReason.RETURNED


class NoteForm(LeftByEsc):
    """`wished(Wish)`, `left`. `say` shows why nothing came of it; while it is under way nothing is pressed twice."""

    wished = Signal(object)

    def __init__(
        self,
        attempt: Attempt,
        room: Decimal,
        config: TillViewConfig,
        *,
        has_printer: bool = False,
        by_manager: bool = False,
    ) -> None:
        """`room`: so much of the payment can still be noted. `by_manager`: somebody else has to allow it."""
        super().__init__()
        self.setObjectName("note_form")
        self._config = config
        self._do_text = approval_words.BY_MANAGER.format(text=words.DO) if by_manager else words.DO
        money = config.money_of(attempt.amount, attempt.currency)
        title = words.NEW_TITLE.format(money=money, sale=attempt.sale_id)
        self.setAccessibleName(clean(title))
        # Of another currency than the counter's is what was taken before that was changed.
        self._unit = currency(attempt.currency) if attempt.currency in CURRENCY_DIGITS else config.currency
        self._code = attempt.currency
        self._room = config.figure(room)
        self._left = words.AT_MOST.format(money=config.money_of(room, attempt.currency))
        self.amount = Field(words.AMOUNT, "note_amount", takes=Takes.FIGURES, example=self._left)
        self.amount.set_text(self._room)
        self.why = Choice(
            words.WHY, "note_why", [(reason.value, text) for reason, text in words.REASON.items()]
        )
        self.why.set_text(_likely(attempt).value)
        self.text = Field(words.IN_WORDS, "note_text")
        self.text.edit.setMaxLength(MOST_TEXT)
        self.way = WayBack("note")
        self.problem = SaidLabel("", "body", "bad", wrap=True, name="note_problem")
        self.problem.hide()
        self.back = Button(words.BACK, name="note_back", keycap="Esc")
        self.do = Button(self._do_text, name="note_do", kind="primary")
        # Slips are promised where something prints them.
        said = words.NEW_MORE if has_printer else words.MORE
        more = Label(said, "body", "muted", wrap=True, name="note_more")
        # What is wrong stands above the fields: below them it would be under the buttons on a small screen.
        above = (heading(title, "note_title"), more, self.problem)
        rows = (*above, beside(self.amount, self.why), self.text, self.way)
        column(self, *rows, button_row(self.do, way_back=self.back), spacing=S3)
        self.setFocusProxy(self.amount)
        self.amount.entered.connect(lambda: focus(self.text.edit))
        self.why.edited.connect(lambda: self.text.clear_error())
        self.text.entered.connect(lambda: focus(self.way.choice.box))
        self.way.entered.connect(self.do.click)
        self.do.clicked.connect(self._wish)
        self.back.clicked.connect(self.left)

    def take_room(self, room: Decimal) -> None:
        """So much is left by now: what was asked for before this form was opened may have been noted since."""
        self._left = words.AT_MOST.format(money=self._config.money_of(room, self._code))
        if not room:
            # No amount is an example any more: whatever stands there is too much.
            return
        before, self._room = self._room, self._config.figure(room)
        if self._room != before and self.amount.text() == before:
            self.amount.set_text(self._room)

    def say(self, problem: NoteProblem) -> None:
        """Why nothing was noted: at its field where it is about one."""
        self.wait(waits=False)
        said = words.PROBLEM.get(problem, words.PROBLEM[NoteProblem.CANNOT_RECORD])
        match problem:
            case NoteProblem.BAD_AMOUNT | NoteProblem.TOO_MUCH:
                # The limit stands in an empty field alone.
                more = f" {self._left}" if problem is NoteProblem.TOO_MUCH else ""
                self.amount.show_error(f"{said.format(example=self._room)}{more}")
                bring_into_view(self.amount)
            case NoteProblem.NO_REASON:
                self.text.show_error(said)
                bring_into_view(self.text)
            case NoteProblem.NO_RECEIVER:
                self.way.show_missing()
            case _:
                self.refuse(said)

    def refuse(self, said: str) -> None:
        """Why nothing came of it, where that is about no field; "" where it is put to a manager."""
        self.wait(waits=False)
        self.problem.setText(said)
        self.problem.setVisible(bool(said))
        focus(self.amount.edit)

    def wait(self, *, waits: bool) -> None:
        """Whether it is under way."""
        self.problem.hide()
        self.do.setEnabled(not waits)
        self.do.setText(words.WORKING if waits else self._do_text)

    def _wish(self) -> None:
        try:
            amount = parse_amount(self.amount.text(), self._unit, self._config.written)
        except AmountError as error:
            is_large = error.problem is AmountProblem.TOO_LARGE
            self.say(NoteProblem.TOO_MUCH if is_large else NoteProblem.BAD_AMOUNT)
            return
        text = self.text.text().strip()
        if NoteReason(self.why.text()) is NoteReason.OTHER and not text:
            self.say(NoteProblem.NO_REASON)
        elif self.way.checked():
            self.wait(waits=True)
            self.wished.emit(
                Wish(
                    amount=amount,
                    reason=NoteReason(self.why.text()),
                    way=self.way.way,
                    text=text,
                    receiver=self.way.receiver,
                )
            )


class NotesPanel(LeftByEsc):
    """`new_wanted(room)`, `given(Note)`, `unwanted(Note)`, `print_wanted(Note)`, `left`."""

    new_wanted = Signal(object)
    given = Signal(object)
    unwanted = Signal(object)
    print_wanted = Signal(object)

    def __init__(
        self,
        attempt: Attempt,
        config: TillViewConfig,
        name_of: Callable[[str], str],
        *,
        has_printer: bool = False,
        needs: tuple[bool, bool] = (False, False),
    ) -> None:
        """`name_of`: a person's name by their id. `needs`: whether a note, and its withdrawal, need a manager."""
        super().__init__()
        self.setObjectName("refund_notes")
        self.attempt = attempt
        self._config = config
        self._name_of = name_of
        self._has_printer = has_printer
        self._needs_to_withdraw = needs[1]
        self._room = Decimal(0)
        self._rows: list[QWidget] = []
        money = config.money_of(attempt.amount, attempt.currency)
        self.more = Label(words.MORE, "body", "muted", wrap=True, name="notes_more")
        self.said = Label(words.READING, "body", "muted", wrap=True, name="notes_said")
        text = approval_words.BY_MANAGER.format(text=words.NEW) if needs[0] else words.NEW
        self.new = Button(text, name="notes_new", kind="primary")
        self.new.setEnabled(False)
        close = self._close = Button(words.CLOSE, name="notes_close", keycap="Esc")
        title = title_row(heading(f"{words.TITLE} · {money}", "notes_title"), close)
        self.others = Label("", "second", "muted", wrap=True, name="notes_others")
        self.others.hide()
        rows = (title, self.more, self.said, self.others, button_row(self.new))
        self._column = column(self, *rows, spacing=S3)
        self.setFocusProxy(close)
        close.clicked.connect(self.left)
        self.new.clicked.connect(lambda: self.new_wanted.emit(self._room))

    def take(self, read: NotesRead) -> None:
        """The payment's notes as they now are."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        # What is open goes before what is done; both are read from the newest on.
        chosen = sorted(read.notes, key=lambda note: (note.is_open, note.number))[-MOST_ROWS:]
        left_out = len(read.notes) - len(chosen)
        self._rows = [self._row(note) for note in sorted(chosen, key=lambda note: -note.number)]
        self.others.setText(words.MORE_NOTES.of(left_out))
        self.others.setVisible(left_out > 0)
        for place, row in enumerate(self._rows):
            self._column.insertWidget(3 + place, row)
        self._order_keys()
        self._room = read.room
        self.new.setEnabled(read.room > 0)
        if read.problem:
            self.say(words.PROBLEM[read.problem], "bad")
        elif is_before_notes(self.attempt, read.notes):
            self.say(words.BEFORE)
        else:
            self.say("" if read.notes else words.NONE)

    def _order_keys(self) -> None:
        """By Tab, as they are read: Qt puts what came last behind the key for a new one, which stands below."""
        of_rows = (each for row in self._rows for each in row.findChildren(Button))
        tab_through(self._close, *of_rows, self.new)

    def say(self, text: str, tone: str = "muted") -> None:
        """What became of a wish."""
        self.said.setText(text)
        self.said.set_tone(tone)
        self.said.setVisible(bool(text))

    def _row(self, note: Note) -> QWidget:
        name = f"note_{note.number}"
        row = Card(f"{name}_card", ground="bg", edge="line")
        what = Label(line_of(note, self._config), "strong", wrap=True, name=f"{name}_what")
        facts = Label(facts_of(note, self._name_of), "body", "muted", wrap=True, name=f"{name}_facts")
        layout = column(row, what, facts, beside_each_other(*self._buttons(note, name)), spacing=S3)
        layout.setContentsMargins(S4, S3, S4, S3)
        return row

    def _buttons(self, note: Note, name: str) -> list[Button]:
        found = []
        if self._has_printer:
            paper = Button(words.PRINT, name=f"{name}_print", kind="quiet")
            paper.clicked.connect(lambda: self.print_wanted.emit(note))
            found.append(paper)
        if note.is_open:
            text = words.WITHDRAW
            text = approval_words.BY_MANAGER.format(text=text) if self._needs_to_withdraw else text
            back = Button(text, name=f"{name}_withdraw")
            give = Button(words.GIVE, name=f"{name}_give", kind="primary")
            back.clicked.connect(lambda: self.unwanted.emit(note))
            give.clicked.connect(lambda: self.given.emit(note))
            found += [back, give]
        return found


def line_of(note: Note, config: TillViewConfig) -> str:
    """N-0007 · LKR 12.50 · promised."""
    money = config.money_of(note.amount, note.currency)
    return words.LINE.format(number=note.shown, money=money, state=words.STATE[note.state])


def facts_of(note: Note, name_of: Callable[[str], str]) -> str:
    """Why, how, by whom, and when it was noted; and who gave it or took it back, when, and why."""
    said = [words.facts(note)]
    if by := _signed_by(note.by, note.name, name_of):
        said.append(words.BY.format(name=by))
    if note.beside:
        # Of a record that was put back they may be on no list any more; the papers have their id then, too.
        said.append(words.BESIDE.format(name=clean(name_of(note.beside) or note.beside, _NAME)))
    if note.own:
        said.append(words.OWN)
    said.append(note.noted[:16].replace("T", " "))
    if not note.is_open:
        ended_by = _signed_by(note.ended_by, note.ended_name, name_of)
        said += [words.STATE[note.state], *filter(None, [ended_by]), note.ended[:16].replace("T", " ")]
    if note.ended_why:
        said.append(note.ended_why)
    return " · ".join(said)


def _signed_by(person_id: str, name: str, name_of: Callable[[str], str]) -> str:
    """As they are called now, or as they were then; "" for the machine's owner, who has no name."""
    return clean(name_of(person_id) or ("" if name == TERMINAL else name), _NAME)
