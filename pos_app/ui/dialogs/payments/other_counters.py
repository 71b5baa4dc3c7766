"""Payments of the shop's other counters as the store tells them: looked up, shown one by one. It asks, keeps nothing.

Apart from the list of this counter's payments on purpose: what stands here is another counter's word at a time that is
said with it, in no list and no sum of this till, and never in the green of a result.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.day import is_paper
from pos_app.domain.elsewhere import Elsewhere, Proof, Unanswered, moment_in, receipt_elsewhere
from pos_app.domain.money import parse_amount
from pos_app.domain.receipt import Receipt, shown_number
from pos_app.domain.shipping import FIND_DAYS_MOST, FIND_DIGITS, FindRequest
from pos_app.domain.text import clean_text
from pos_app.domain.told_attempt import moment_of
from pos_app.domain.views import PrintAnswered, ToldElsewhere
from pos_app.i18n.words.elsewhere import words
from pos_app.i18n.words.find import words as find_words
from pos_app.i18n.words.paper import words as paper_words
from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, button_row, column, focus, heading, title_row
from pos_app.ui.dialogs.payments.found import Found, day_of, paint_found, spoken
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.tokens import S1, S2, S3, S4, S5
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.badge import Badge, Mark
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import CENTRE, Label
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.rows import MOST_ROWS, Row, Rows
from pos_app.ui.widgets.touched_fields import Takes

ID_MOST = 80
"""So many characters of a number or an id are read by a store."""

NUMBER_EXAMPLE, DIGITS_EXAMPLE, TIME_EXAMPLE = "T7K3M9QRD-R000123", "567", "2026-03-01 14:30"

_SIDE = 300
_SIDE_SHARE = 0.42
_ARROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -5, Qt.Key.Key_PageDown: 5}


def _now() -> datetime:
    return datetime.now().astimezone()


def _time(wall: str, now: datetime) -> str:
    """An ISO text as a time; with its day where that is not today."""
    then = datetime.fromisoformat(wall)
    time, day, today = f"{then:%H:%M}", f"{then:%Y-%m-%d}", f"{now:%Y-%m-%d}"
    return time if day == today else find_words.EARLIER_DAY.format(day=day_of(day, today), time=time)


def _told(payment: Elsewhere, now: datetime) -> str:
    """When the store was told, by this counter's clock."""
    return _time(datetime.fromisoformat(payment.told).astimezone(now.tzinfo).isoformat(), now)


def _mark(state: State) -> Mark:
    """A state's little disc; what another counter took is nobody's result here."""
    return badge.AGED if state is State.PAID else mark_of(state)


def why_not(told: ToldElsewhere) -> str:
    """Why nothing was found out."""
    if told.problem is Unanswered.BUSY and told.retry_s:
        return words.BUSY_FOR.format(seconds=told.retry_s)
    return words.PROBLEM.get(told.problem, words.PROBLEM[Unanswered.AWAY])


class ElsewhereList(Rows):
    """`picked(payment)`."""

    picked = Signal(object)

    def __init__(self, config: TillViewConfig) -> None:
        super().__init__("elsewhere_list", words.LIST)
        self._config = config
        self.itemClicked.connect(lambda item: self.picked.emit(self.data_at(self.row(item))[0]))
        self.reader.pressed.connect(lambda row: self.picked.emit(self.data_at(row)[0]))

    def show_payments(self, payments: tuple[Elsewhere, ...], now: datetime) -> None:
        """These and no others; the first is chosen."""
        self.clear()
        for payment in payments:
            row = self._row(payment, now)
            self.add_row(spoken(row, self._config), (payment, row))
        self.setCurrentRow(0)
        self.scrollToTop()

    def _row(self, payment: Elsewhere, now: datetime) -> Found:
        attempt = payment.attempt
        line = words.ROW.format(
            counter=words.HERE if payment.is_own else payment.counter,
            time=_told(payment, now),
            by=attempt.wallet_mask or till_words.result.by_qr,
        )
        return Found(
            attempt,
            self._config.money_of(attempt.amount, attempt.currency),
            till_words.state_of(attempt),
            _time(attempt.tapped_wall, now),
            self._config.sale(line),
        )

    def move_by(self, step: int) -> None:
        """The arrows, while the keyboard is in a field."""
        self.setCurrentRow(max(0, min(self.currentRow() + step, self.count() - 1)))

    def enter_pressed(self) -> None:
        """The chosen one."""
        if self.current_data() is not None:
            self.picked.emit(self.current_data()[0])

    def paint_row(self, row: Row, data: tuple[Elsewhere, Found]) -> None:
        """As in the list of this counter's, and never in the green of a result."""
        paint_found(row, data[1], _mark(data[0].attempt.state))

    def sizeHint(self) -> QSize:
        """Six rows."""
        return QSize(420, self.row_height * MOST_ROWS + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        """Two."""
        return QSize(240, self.row_height * 2)


class OtherCountersPanel(LeftByEsc):
    """`asked(FindRequest)` wants them looked up, `opened(Elsewhere)` to look at one, `left` to go away.

    `paper_scanned(text)`: what stands in the first field is the code of a receipt or a Z. `begin` says that it is being
    asked, `receive` what came of it.
    """

    asked = Signal(object)
    opened = Signal(object)
    paper_scanned = Signal(str)

    def __init__(
        self, config: TillViewConfig, *, now: Callable[[], datetime] = _now, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("other_counters")
        self.setAccessibleName(words.TITLE)
        self._config = config
        self._now = now
        self._is_asked = self._is_answered = False
        self._example = config.written_example()
        self.number = Field(words.NUMBER, "elsewhere_id", example=NUMBER_EXAMPLE, takes=Takes.LATIN)
        self.amount = Field(words.AMOUNT, "elsewhere_amount", example=self._example, takes=Takes.FIGURES)
        self.digits = Field(words.DIGITS, "elsewhere_digits", example=DIGITS_EXAMPLE, takes=Takes.FIGURES)
        self.earliest = Field(words.FROM, "elsewhere_from", example=TIME_EXAMPLE)
        self.latest = Field(words.TO, "elsewhere_to", example=TIME_EXAMPLE)
        self._fields = {
            "id": self.number,
            "amount": self.amount,
            "digits": self.digits,
            "earliest": self.earliest,
            "latest": self.latest,
        }
        self.said = Label(words.HINT, "body", "muted", wrap=True, align=CENTRE, name="elsewhere_said")
        self.rows = ElsewhereList(config)
        self.rows.hide()
        self.note = Label("", "second", "muted", wrap=True, name="elsewhere_note")
        self.note.hide()
        self.ask = Button(words.ASK, name="elsewhere_ask", kind="primary")
        self.close_button = Button(words.CLOSE, name="elsewhere_close", keycap="Esc")
        self._voice = Announcer(self.said)
        self._lay_out()
        self.setFocusProxy(self.number)
        for field in self._fields.values():
            field.edited.connect(self._edited)
            field.entered.connect(self._entered)
        self.rows.picked.connect(self.opened)
        self.ask.clicked.connect(self._ask)
        self.close_button.clicked.connect(self.left)

    def _lay_out(self) -> None:
        self._side = QWidget()
        column(self._side, *self._fields.values(), self.ask, spacing=S2).addStretch(1)
        found = QVBoxLayout()
        found.setSpacing(S2)
        found.addWidget(self.said)
        found.addWidget(self.rows, 1)
        found.addWidget(self.note)
        found.addStretch(0)
        room = QWidget()
        room.setMinimumHeight(self.rows.sizeHint().height())
        both = QHBoxLayout(room)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(S5)
        both.addWidget(self._side)
        both.addLayout(found, 1)
        column(self, title_row(heading(words.TITLE, "elsewhere_title"), self.close_button), room, spacing=S3)

    def fill(self, text: str) -> None:
        """What was looked for among this counter's: an amount with its point, or a number that has letters."""
        is_amount = self._config.written.decimal in text and not any(map(str.isalpha, text))
        if is_amount:
            self.amount.set_text(text)
        elif any(map(str.isalpha, text)) and any(map(str.isdigit, text)):
            self.number.set_text(text)

    def begin(self) -> None:
        """It is being asked from now on; what was found before is gone."""
        self._is_asked, self._is_answered = True, False
        self.rows.hide()
        self.note.hide()
        self._say(words.ASKING)

    def receive(self, told: ToldElsewhere) -> None:
        """What was found, that it is nothing, or that nothing was found out. Of what stands there no more: nothing."""
        if not self._is_asked:
            return
        self.rows.show_payments(told.payments, self._now())
        self.rows.setVisible(bool(told.payments))
        self.note.setText(" ".join(_more(told)))
        self.note.setVisible(bool(self.note.text()))
        if told.problem:
            field = self._fields.get(told.field)
            self._say(why_not(told), "bad")
            if field is not None:
                field.show_error(self._bad(told.field))
        elif told.payments:
            self._is_answered = True
            self.said.hide()
            self._voice.say(self.rows.currentItem().text())
        else:
            self._say(_nothing(told, self._now()), "text")

    def _say(self, text: str, tone: str = "muted") -> None:
        self.said.set_tone(tone)
        self.said.setText(text)
        self.said.show()
        self._voice.say(text)

    def _edited(self) -> None:
        if self._is_asked and not self._is_answered:
            self._say(words.HINT)
        self._is_asked = self._is_answered = False
        text = self.number.text().strip()
        if is_paper(text):
            self.number.edit.clear()
            self.paper_scanned.emit(text)

    def _entered(self) -> None:
        """Enter looks it up; once it was found, it opens the chosen one."""
        if self._is_answered:
            self.rows.enter_pressed()
        else:
            self._ask()

    def _ask(self) -> None:
        request = self._request()
        if request is not None:
            self.asked.emit(request)

    def _request(self) -> FindRequest | None:
        """What is typed; None where something of it is wrong, which is said then."""
        found: dict[str, str] = {}
        for name, field in self._fields.items():
            field.clear_error()
            # Pasted out of a text that runs the other way: its marks are no part of a number.
            text = clean_text(field.text()).strip()
            try:
                found[name] = self._read(name, text) if text else ""
            except ValueError:
                field.show_error(self._bad(name))
                return None
        if not any(found.values()):
            self.number.show_error(words.NOTHING)
            return None
        if not self._is_in_order(found["earliest"], found["latest"]):
            return None
        return FindRequest(**found)

    def _read(self, name: str, text: str) -> str:
        match name:
            case "id":
                if len(text) > ID_MOST or not text.isprintable():
                    raise ValueError("too long")
                return text
            case "amount":
                return str(parse_amount(text, self._config.currency, self._config.written))
            case "digits":
                if not FIND_DIGITS.fullmatch(text):
                    raise ValueError("no digits")
                return text
            case _:
                return moment_in(text, ends=name == "latest")

    def _is_in_order(self, earliest: str, latest: str) -> bool:
        if not earliest:
            return True
        first = datetime.fromisoformat(earliest)
        last = datetime.fromisoformat(latest) if latest else self._now()
        if latest and first > last:
            self.latest.show_error(words.BAD_ORDER)
        elif (last - first).days > FIND_DAYS_MOST:
            self.earliest.show_error(words.TOO_LONG.format(most=FIND_DAYS_MOST))
        else:
            return True
        return False

    def _bad(self, name: str) -> str:
        """What is wrong with a field: its limit, and an example."""
        match name:
            case "id":
                return words.BAD_NUMBER.format(most=ID_MOST, example=NUMBER_EXAMPLE)
            case "amount":
                return words.BAD_AMOUNT.format(digits=self._config.currency.digits, example=self._example)
            case "digits":
                return words.BAD_DIGITS
            case _:
                return words.BAD_TIME

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The fields have their width; where it is narrow, a share of it."""
        super().resizeEvent(event)
        self._side.setFixedWidth(min(grown(_SIDE), round(self.width() * _SIDE_SHARE)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move in the list while a field has the keyboard."""
        step = _ARROWS.get(Qt.Key(event.key()))
        if step is not None and self.rows.isVisible():
            event.accept()
            self.rows.move_by(step)
        else:
            super().keyPressEvent(event)


def _more(told: ToldElsewhere) -> list[str]:
    unread = [words.UNREAD.of(told.unread)] if told.unread else []
    return [*unread, *([words.MORE] if told.more else [])]


def _nothing(told: ToldElsewhere, now: datetime) -> str:
    since = moment_of(told.since)
    if since is None:
        return words.NONE
    since = since.astimezone(now.tzinfo)
    return words.NONE_SINCE.format(day=day_of(f"{since:%Y-%m-%d}", f"{now:%Y-%m-%d}"))


class ElsewhereCard(LeftByEsc):
    """A payment of another counter; or a scanned paper of one, with `receive` its verdict once the store has answered.

    `print_wanted(Receipt)` a copy on paper, `receipt_wanted(Receipt)` to look at it, `left` to go away.
    """

    print_wanted = Signal(object)
    receipt_wanted = Signal(object)

    def __init__(
        self,
        config: TillViewConfig,
        payment: Elsewhere | None = None,
        *,
        has_printer: bool,
        now: Callable[[], datetime] = _now,
        parent: QWidget | None = None,
    ) -> None:
        """Without a `payment` it is a paper's, which the store is being asked about."""
        super().__init__(parent)
        self.setObjectName("elsewhere_card")
        title = words.PAPER if payment is None else words.CARD
        self.setAccessibleName(title)
        self._config = config
        self._has_printer = has_printer
        self._now = now
        self._receipt: Receipt | None = None
        self.verdict = Label("", "lead", wrap=True, name="elsewhere_verdict")
        self._disc = Badge("elsewhere_mark")
        self._disc.setFixedSize(72, 72)
        self._facts = QWidget()
        self._grid = QGridLayout()
        self.told = Label(words.AS_TOLD, "second", "muted", wrap=True, name="elsewhere_as_told")
        self.said = Label("", "body", "muted", wrap=True, name="elsewhere_copy_said")
        self.look = Button(paper_words.SHOW, name="elsewhere_receipt", kind="outline")
        self.print = Button(words.PRINT, name="elsewhere_print", kind="primary")
        self.close_button = Button(words.CLOSE, name="elsewhere_card_close", keycap="Esc")
        self._voice = Announcer(self.verdict)
        self._lay_out(title)
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.left)
        self.look.clicked.connect(lambda: self.receipt_wanted.emit(self._receipt))
        self.print.clicked.connect(lambda: self.print_wanted.emit(self._receipt))
        for part in (self._facts, self.told, self.said):
            part.hide()
        if payment is None:
            self._say(f"{words.NOT_HERE} {words.ASKING}", "muted")
        else:
            self.verdict.hide()
            self._show(payment)

    def _lay_out(self, title: str) -> None:
        self._grid.setHorizontalSpacing(S4)
        self._grid.setVerticalSpacing(S1)
        self._grid.setColumnStretch(1, 1)
        row = QHBoxLayout(self._facts)
        row.setContentsMargins(RING, 0, RING, 0)
        row.setSpacing(S5)
        row.addWidget(self._disc, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._grid, 1)
        top = title_row(heading(title, "elsewhere_card_title"), self.close_button)
        self._column = column(self, top, self.verdict, self._facts, self.told, self.said, spacing=S3)

    def receive(self, told: ToldElsewhere) -> None:
        """The verdict on the paper; or why there is none."""
        if told.problem or told.proof is None:
            self._say(f"{words.NOT_HERE} {why_not(told)}", "bad")
            return
        payment = told.payments[0] if told.payments else None
        counter = "" if payment is None else payment.counter
        tone = "text" if told.proof is Proof.UNCHANGED else "bad"
        self._say(words.VERDICT[told.proof].format(counter=counter), tone)
        if payment is not None:
            self._show(payment, may_copy=told.proof is Proof.UNCHANGED)

    def take_print(self, answered: PrintAnswered) -> None:
        """What became of the wish for a copy. Once there is one, another press is none: each would be a paper more."""
        if answered.job is None:
            self._tell(printing_words.PROBLEM.get(answered.problem, ""), "bad")
        else:
            self._tell(words.COPY_ASKED.format(number=answered.job.copy), "text")
        self.print.setEnabled(answered.job is None)
        focus(self.close_button)

    def _say(self, text: str, tone: str) -> None:
        self.verdict.set_tone(tone)
        self.verdict.setText(text)
        self._voice.say(text)

    def _tell(self, text: str, tone: str = "muted") -> None:
        self.said.set_tone(tone)
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def _show(self, payment: Elsewhere, *, may_copy: bool = True) -> None:
        attempt = payment.attempt
        self._disc.show_mark(_mark(attempt.state))
        for at, (name, value) in enumerate(self._texts(payment)):
            self._grid.addWidget(Label(name, "second", "muted"), at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(Label(value, "strong", wrap=True, name=f"elsewhere_{at}"), at, 1)
        self._facts.show()
        self.told.show()
        self._receipt = receipt_elsewhere(payment) if may_copy and not payment.is_own else None
        self._tell(self._why_no_copy(payment) if may_copy else "")
        if self._receipt is not None:
            # Only now: the room of a panel's last row is that of what stands in it from its beginning.
            buttons = [self.look, *([self.print] if self._has_printer else [])]
            self._column.addWidget(button_row(*buttons))

    def _why_no_copy(self, payment: Elsewhere) -> str:
        if payment.is_own:
            return words.OWN
        if self._receipt is not None:
            return "" if self._has_printer else printing_words.NO_PRINTER
        return words.IN_DISPUTE if payment.attempt.state is State.DISPUTED else words.NO_COPY

    def _texts(self, payment: Elsewhere) -> list[tuple[str, str]]:
        """Each row's name and what it says; none that says nothing."""
        attempt, now = payment.attempt, self._now()
        _, amount, method, state, began, own_id, wallet_id, invoice, reference, _ = (
            till_words.ask.details_rows
        )
        by = till_words.result.by_qr if attempt.kind is Kind.QR else till_words.result.by_push
        counter = words.COUNTER_IS.format(name=payment.counter, number=payment.counter_id)
        said = words.STATE_TOLD.format(state=till_words.state_of(attempt), time=_told(payment, now))
        rows = (
            (paper_words.COUNTER, counter),
            (amount, self._config.money_of(attempt.amount, attempt.currency)),
            (state, said),
            (paper_words.NUMBER, shown_number(attempt)),
            (method, by),
            (paper_words.WALLET, attempt.wallet_mask),
            (began, attempt.tapped_wall[:16].replace("T", " ")),
            (own_id, attempt.attempt_id),
            (wallet_id, attempt.wallet_transaction_id),
            (invoice, attempt.invoice_number),
            (reference, attempt.payment_reference),
        )
        return [(name, clean(value, DETAILS_LIMIT)) for name, value in rows if value]
