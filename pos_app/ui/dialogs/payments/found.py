"""Today's payments, newest first, and the search among them (F4). It asks the engine and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QVBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.domain.day import is_paper
from pos_app.domain.money import at_least
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.phone import NumberError, parse_number
from pos_app.domain.rights import Act
from pos_app.domain.search import (
    PAGE,
    Cursor,
    FindPayments,
    Only,
    Sought,
    SumPayments,
    amounts_meant,
    is_among,
    matches,
    may_be_number,
)
from pos_app.domain.text import clean_text
from pos_app.domain.views import AttemptChanged, PaymentsFound, PaymentsSummed
from pos_app.i18n.words.elsewhere import words as others_words
from pos_app.i18n.words.find import words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.i18n.words.till import words as till_words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.parts.lines import Panel, column, heading
from pos_app.ui.dialogs.sign_in.digit_pad import DigitPad
from pos_app.ui.post import Post, name_request, needs_manager
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3, S5
from pos_app.ui.till.window.keys import Action, action_of, cap
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import CENTRE, Label
from pos_app.ui.widgets.rows import MOST_ROWS, Row, Rows

_DISC = 36
_STATE_FROM = 2
_EDGE = 6


class Found(NamedTuple):
    """A payment, and what its row says of it."""

    attempt: Attempt
    figure: str
    state: str
    time: str
    line: str


def row_of(
    attempt: Attempt, config: TillViewConfig, today: str, noted: Mapping[str, Decimal] = MappingProxyType({})
) -> Found:
    """The day is said where it is another than today. `noted`: by payment, what its refund notes come to."""
    if attempt.kind is Kind.QR:
        line = words.BY_QR.format(sale=attempt.sale_id)
    else:
        line = words.BY_PUSH.format(sale=attempt.sale_id, mask=attempt.wallet_mask)
    line = config.sale(line)
    settled = till_words.because(attempt) if attempt.resolution is not None else ""
    back = noted.get(attempt.attempt_id)
    money_back = f"{refund_words.NOTED} {config.figure_of(back, attempt.currency)}" if back else ""
    for text in (settled, money_back, attempt.invoice_number, attempt.payment_reference):
        if text:
            line = words.WITH_TEXT.format(line=line, text=text)
    day, time = attempt.tapped_wall[:10], attempt.tapped_wall[11:16]
    if day != today:
        time = words.EARLIER_DAY.format(day=day_of(day, today), time=time)
    return Found(
        attempt, config.figure_of(attempt.amount, attempt.currency), till_words.state_of(attempt), time, line
    )


def day_of(day: str, today: str) -> str:
    """12 Nov; with its year where that is not this one."""
    return time_words.day(date.fromisoformat(day)) if day[:4] == today[:4] else day


def spoken(row: Found, config: TillViewConfig) -> str:
    """What a screen reader says of a row."""
    money = config.money_of(row.attempt.amount, row.attempt.currency)
    return clean(
        words.SPOKEN.format(money=money, state=row.state, time=row.time, line=row.line), DETAILS_LIMIT
    )


def paint_found(row: Row, data: Found, mark: badge.Mark | None = None) -> None:
    """Mark (the state's unless said), amount and line at one side; time and state at the other."""
    on = tokens()
    mark = mark or mark_of(data.attempt.state)
    side, height = grown(_DISC), row.room.height()
    badge.paint_small(row.painter, row.place(S3, (height - side) / 2, side, side), mark)
    left, line = S3 + side + S3, (height - 2 * _EDGE) / 2
    width = row.room.width() - left - S3
    upper, lower = row.place(left, _EDGE, width, line), row.place(left, _EDGE + line, width, line)
    time = row.write(upper, "second", on.muted, data.time, at_end=True)
    state = row.write(lower, "strong", getattr(on, mark.token), data.state, at_end=True)
    row.write(row.place(left, _EDGE, width - time - S2, line), "shop", on.text, data.figure)
    row.write(row.place(left, _EDGE + line, width - state - S2, line), "second", on.muted, data.line)


def sought_in(text: str, config: TillViewConfig) -> Sought:
    """What a typed text may mean; signs that nobody sees, pasted with it, are no part of it."""
    text = clean_text(text).strip()
    folded = text.casefold()
    states = till_words.state.items() if len(text) >= _STATE_FROM else ()
    return Sought(
        text=text,
        amounts=amounts_meant(text, config.written),
        states=frozenset(State(state) for state, word in states if word.casefold().startswith(folded)),
        number=_number_in(text, config),
    )


def _number_in(text: str, config: TillViewConfig) -> str:
    if not may_be_number(text):
        return ""
    try:
        return parse_number(text, config.country)
    except NumberError:
        return ""


class FoundList(Rows):
    """`picked(attempt)`; `end_neared` when the last rows come into view; `typed` what belongs to the search."""

    picked = Signal(object)
    end_neared = Signal()
    typed = Signal(str)

    def __init__(self, config: TillViewConfig, parent: QWidget | None = None) -> None:
        super().__init__("found_list", words.LIST, parent=parent)
        self._config = config
        self.noted: dict[str, Decimal] = {}
        self.itemClicked.connect(lambda item: self.picked.emit(self.data_at(self.row(item)).attempt))
        self.reader.pressed.connect(lambda row: self.picked.emit(self.data_at(row).attempt))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def attempts(self) -> list[Attempt]:
        """What is listed."""
        return [found.attempt for found in self.all_data()]

    def show_only(self, attempts: Sequence[Attempt], today: str) -> None:
        """These and no others, in their order; the first is chosen.

        What is listed already keeps its row: a finger that is down on it meanwhile still opens it.
        """
        wanted = {attempt.attempt_id for attempt in attempts}
        for at in reversed(range(self.count())):
            if self.data_at(at).attempt.attempt_id not in wanted:
                self.takeItem(at)
        for at, attempt in enumerate(attempts):
            if at == self.count() or self.data_at(at).attempt.attempt_id != attempt.attempt_id:
                self.insertItem(at, QListWidgetItem())
            self._fill(at, attempt, today)
        while self.count() > len(attempts):
            self.takeItem(len(attempts))
        self.setCurrentRow(0)
        self.scrollToTop()

    def add(self, attempts: Sequence[Attempt], today: str) -> None:
        """Older ones, below."""
        for attempt in attempts:
            self.addItem(QListWidgetItem())
            self._fill(self.count() - 1, attempt, today)
        if self.currentRow() < 0:
            self.setCurrentRow(0)

    def put(self, attempt: Attempt, today: str) -> bool:
        """What became of one that is listed; whether it is."""
        for at in range(self.count()):
            if self.data_at(at).attempt.attempt_id == attempt.attempt_id:
                self._fill(at, attempt, today)
                return True
        return False

    def note(self, attempt_id: str, back: Decimal, today: str) -> None:
        """What its refund notes come to by now."""
        self.noted[attempt_id] = back
        for attempt in self.attempts():
            if attempt.attempt_id == attempt_id:
                self.put(attempt, today)

    def put_first(self, attempt: Attempt, today: str) -> None:
        """A new one; the row that was chosen stays so."""
        self.insertItem(0, QListWidgetItem())
        self._fill(0, attempt, today)

    def pick_current(self) -> None:
        """Enter."""
        found = self.current_data()
        if found is not None:
            self.picked.emit(found.attempt)

    def move_by(self, key: Qt.Key) -> None:
        """The arrows, while the keyboard is in the search."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -5, Qt.Key.Key_PageDown: 5}
        row = self.currentRow() + steps.get(key, 0)
        self.setCurrentRow(max(0, min(row, self.count() - 1)))

    def sizeHint(self) -> QSize:
        """Six rows."""
        return QSize(420, self.row_height * MOST_ROWS + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        """Three."""
        return QSize(240, self.row_height * 3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is typed belongs to the search."""
        text = event.text()
        if event.key() == Qt.Key.Key_Backspace:
            self.typed.emit("")
        elif text.isprintable() and text and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def enter_pressed(self) -> None:
        """The chosen one."""
        self.pick_current()

    def paint_row(self, row: Row, data: Found) -> None:
        """Mark, amount and line at one side; time and state at the other."""
        paint_found(row, data)

    def _fill(self, at: int, attempt: Attempt, today: str) -> None:
        row = row_of(attempt, self._config, today, self.noted)
        self.item(at).setText(spoken(row, self._config))
        self.set_data(at, row)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - self.row_height:
            self.end_neared.emit()


TURNS = 25
"""So many answers in a row are asked for without a touch: a search without a hit ends after some thousand."""

_SIDE = 280
_SIDE_SHARE = 0.36
_WIDE_ENOUGH = 700
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def _now() -> datetime:
    return datetime.now().astimezone()


def _pick(button: Button, *, is_picked: bool) -> None:
    """To be seen and to be heard."""
    button.set_kind("picked" if is_picked else "plain")
    button.setCheckable(True)
    button.setChecked(is_picked)


class FoundPayments(Panel):
    """`receive` what the engine publishes. `opened(attempt)` wants its details, `closed` to go away.

    `paper_scanned(text)`: what stands in the search is the code of a receipt or a Z, by a scanner or pasted.
    `others_wanted(text)`: the payment is another counter's, and that is what stands in the search.
    """

    opened = Signal(object)
    closed = Signal()
    paper_scanned = Signal(str)
    others_wanted = Signal(str)

    def __init__(
        self,
        config: TillViewConfig,
        post: Post,
        *,
        person: Person | None = None,
        has_others: bool = False,
        now: Callable[[], datetime] = _now,
        parent: QWidget | None = None,
    ) -> None:
        """`person`: who looks. What a day has brought is for whoever may see it, and nobody else asks for it.

        `has_others`: a store knows other counters of this shop.
        """
        super().__init__(parent)
        self.setObjectName("found_payments")
        self._who = person.person_id if person is not None else TERMINAL
        self._sees_sums = not needs_manager(person, Act.SEE_SUMS)
        self._only = Only.ALL
        self._owner = ""
        self._summed = ""
        self._summed_of: tuple[str, str, bool] | None = None
        self._sum = (0, Decimal(0))
        self._config = config
        self._post = post
        self._today = f"{now():%Y-%m-%d}"
        self._day = self._today
        self._sought = Sought()
        self._asked = ""
        self._is_first = True
        self._is_asking = False
        self._all_days = False
        self._more: Cursor | None = None
        self._wanted = PAGE
        self._turns = 0
        self.title = heading(words.TITLE, "found_title")
        self.day_before = Button("\u2039", name="found_day_before", kind="quiet").called(words.DAY_BEFORE)
        self.day_after = Button("\u203a", name="found_day_after", kind="quiet").called(words.DAY_AFTER)
        self.filters = {
            only: Button(text, name=f"found_{only.value}", role="chip").padded(S2)
            for only, text in (
                (Only.ALL, words.ALL),
                (Only.PAID, words.PAID),
                (Only.NOT_PAID, words.NOT_PAID),
            )
        }
        self.mine = Button(words.MINE, name="found_mine", role="chip").padded(S2)
        self.total = Label("", "strong", name="found_total")
        self.close_button = Button(words.CLOSE, name="found_close", keycap="Esc")
        self.field = Field(words.SEARCH, "found_search", example=words.EXAMPLE)
        self.hint = Label(words.HINT, "second", "muted", wrap=True, name="found_hint")
        self.pad = DigitPad("found_pad", lambda: self.field.edit)
        self.said = Label(words.LOOKING, "body", "muted", wrap=True, align=CENTRE, name="found_said")
        self.rows = FoundList(config)
        self.earlier = Button(words.EARLIER, name="found_earlier", kind="outline")
        self.earlier.hide()
        self.others = Button(
            others_words.OPEN,
            name="found_others",
            kind="outline",
            keycap=cap(Action.FIND),
        ).called(others_words.OPEN_SAID)
        self._has_others = has_others
        self._lay_out()
        self.setFocusProxy(self.field)
        self.field.edited.connect(self._search)
        self.field.entered.connect(self.rows.pick_current)
        self.rows.picked.connect(self.opened)
        self.rows.typed.connect(self._type)
        self.rows.end_neared.connect(self._want_more)
        self.earlier.clicked.connect(self._look_earlier)
        self.others.clicked.connect(lambda: self.others_wanted.emit(self.field.text().strip()))
        for only, button in self.filters.items():
            button.clicked.connect(lambda _checked=False, only=only: self._show_only(only))
        self.mine.clicked.connect(self._show_mine)
        self.day_before.clicked.connect(lambda: self._go_to(-1))
        self.day_after.clicked.connect(lambda: self._go_to(1))
        self.close_button.clicked.connect(self.closed)
        self._begin()

    def _lay_out(self) -> None:
        self._side = QWidget()
        self._side.setFixedWidth(_SIDE)
        column(self._side, self.field, self.hint, self.pad, self.others, spacing=S3).addStretch(1)
        self.others.setVisible(self._has_others)
        found = QVBoxLayout()
        found.setSpacing(S2)
        chips = ButtonRow("found_filters")
        chips.set_parts([*self.filters.values(), *([self.mine] if self._who != TERMINAL else [])])
        for part in (chips, self.said, self.rows):
            found.addWidget(part)
        found.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        found.addStretch(0)
        found.setStretch(2, 1)
        room = QWidget()
        # With few rows or none the panel stays where it is.
        room.setMinimumHeight(self.rows.sizeHint().height())
        both = QHBoxLayout(room)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(S5)
        both.addWidget(self._side)
        both.addLayout(found, 1)
        self.title.setWordWrap(False)
        top = QWidget()
        row = QHBoxLayout(top)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S2)
        for beside in (self.day_before, self.title, self.day_after):
            row.addWidget(beside)
        row.addStretch(1)
        for last in (self.total, self.close_button):
            row.addWidget(last)
        column(self, top, room, spacing=S3)

    def receive(self, published: PaymentsFound | PaymentsSummed | AttemptChanged) -> None:
        """An answer, or what became of a payment meanwhile."""
        if isinstance(published, AttemptChanged):
            self._take_change(published)
        elif isinstance(published, PaymentsSummed):
            self._take_summed(published)
        elif published.request_id == self._asked:
            self._take_found(published)

    def take_noted(self, attempt_id: str, back: Decimal) -> None:
        """What a payment's refund notes come to by now."""
        self.rows.note(attempt_id, back, self._today)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow, the keys on the screen give way."""
        super().resizeEvent(event)
        is_wide = self.width() >= _WIDE_ENOUGH
        self.pad.setVisible(is_wide)
        self.hint.setVisible(is_wide)
        most = round(self.width() * _SIDE_SHARE)
        self._side.setFixedWidth(max(_SIDE * 2 // 3, min(grown(_SIDE), most)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move in the list while the search has the keyboard; Esc closes."""
        if event.key() in _ARROWS:
            event.accept()
            self.rows.move_by(Qt.Key(event.key()))
        elif action_of(event.key()) is Action.FIND and self._has_others:
            event.accept()
            if not event.isAutoRepeat():
                self.others.click()
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _type(self, character: str) -> None:
        """Typed in the list."""
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.edit.type_over(character)

    def _search(self) -> None:
        text = self.field.text().strip()
        if is_paper(text):
            self.field.edit.clear()
            self.paper_scanned.emit(text)
        self._sought = sought_in(self.field.text().strip(), self._config)
        self._all_days = False
        self._begin()

    def _begin(self) -> None:
        """From the newest on; what is listed stays until the first answer comes."""
        self._is_first = True
        self._more = None
        self._wanted = PAGE
        self._name_day()
        self._ask(anew=True)
        of = (self._day, self._owner, self._all_days)
        if of != self._summed_of:
            self._summed_of = of
            self.total.setText("")
            self._sum_up()

    def _name_day(self) -> None:
        title = words.TITLE_ALL if self._all_days else words.TITLE
        if not self._all_days and self._day != self._today:
            title = words.TITLE_DAY.format(day=day_of(self._day, self._today))
        self.title.setText(title)
        self.day_after.setEnabled(self._day < self._today and not self._all_days)
        for only, button in self.filters.items():
            _pick(button, is_picked=only is self._only)
        _pick(self.mine, is_picked=bool(self._owner))

    def _show_only(self, only: Only) -> None:
        self._only = only
        self._begin()

    def _show_mine(self) -> None:
        self._owner = "" if self._owner else self._who
        self._begin()

    def _go_to(self, days: int) -> None:
        """Another day, at most this one."""
        day = date.fromisoformat(self._day) + timedelta(days=0 if self._all_days else days)
        self._day = min(f"{day:%Y-%m-%d}", self._today)
        self._all_days = False
        self._begin()

    def _sum_up(self, before: Cursor | None = None) -> None:
        """What the day has brought, piece by piece; for whoever may see it."""
        if not self._sees_sums:
            return
        self._summed = ""
        if self._all_days:
            return
        if before is None:
            self._sum = (0, Decimal(0))
        self._summed = name_request()
        self._post(SumPayments(request_id=self._summed, day=self._day, owner=self._owner, before=before))

    def _take_summed(self, answer: PaymentsSummed) -> None:
        if answer.request_id != self._summed:
            return
        if answer.problem:
            self.total.setText("")
            return
        count, total = self._sum
        self._sum = (count + answer.count, total + answer.total)
        if answer.more is not None:
            self._sum_up(answer.more)
            return
        self._summed = ""
        count, total = self._sum
        money = self._config.money(at_least(total, self._config.currency.code))
        self.total.setText(words.TOTAL.format(count=count, money=money))

    def _ask(self, *, anew: bool = False) -> None:
        self._turns = 0 if anew else self._turns + 1
        self._is_asking = True
        self._asked = name_request()
        command = FindPayments(
            request_id=self._asked,
            sought=self._sought,
            earliest="" if self._all_days else self._day,
            latest="" if self._all_days or self._day == self._today else self._day,
            only=self._only,
            owner=self._owner,
            before=self._more,
        )
        self._post(command)

    def _take_found(self, answer: PaymentsFound) -> None:
        self._is_asking = False
        if self._is_first:
            self.rows.noted = {}
        self.rows.noted |= answer.noted
        if self._is_first:
            self._is_first = False
            self.rows.show_only(answer.found, self._today)
        else:
            self.rows.add(answer.found, self._today)
        self._more = answer.more
        is_left = answer.more is not None and not answer.day_is_over
        if is_left and self.rows.count() < self._wanted and self._turns < TURNS:
            self._ask()
            return
        self._show_end(answer, is_left=is_left)

    def _show_end(self, answer: PaymentsFound, *, is_left: bool) -> None:
        """What was found, in words where it is nothing; and whether there is more to look through."""
        if answer.problem:
            self.said.setText(words.PROBLEM.get(answer.problem, words.UNKNOWN))
        elif not self.rows.count():
            self.said.setText(self._nothing(answer))
        self.said.setVisible(bool(answer.problem) or not self.rows.count())
        self.rows.setVisible(bool(self.rows.count()))
        stopped = is_left and self.rows.count() < self._wanted
        self.earlier.setVisible(answer.more is not None and (answer.day_is_over or stopped))

    def _nothing(self, answer: PaymentsFound) -> str:
        text = self._sought.text
        is_filtered = self._only is not Only.ALL or bool(self._owner)
        if not self._all_days and (self._day != self._today or (is_filtered and not text)):
            return words.NONE_OF_DAY
        if not self._all_days:
            return words.NO_MATCH_TODAY.format(text=text) if text else words.NONE_TODAY
        if answer.more is not None:
            day = datetime.fromtimestamp(answer.more.tapped_at / 1000).astimezone()
            return words.NO_MATCH_SO_FAR.format(date=day_of(f"{day:%Y-%m-%d}", self._today), text=text)
        return words.NO_MATCH_EVER.format(text=text) if text else words.NONE_EVER

    def _want_more(self) -> None:
        """The end of the list comes into view."""
        if self._more is None or self._is_asking or self.earlier.isVisibleTo(self):
            return
        self._wanted += PAGE
        self._ask(anew=True)

    def _look_earlier(self) -> None:
        """Behind today, or on from where a long search stopped."""
        self._all_days = True
        self._summed_of = None
        self._summed = ""
        self.total.setText("")
        self._name_day()
        self.earlier.hide()
        self._wanted += PAGE
        self._ask(anew=True)
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_change(self, change: AttemptChanged) -> None:
        """A list that is looked at tells what becomes of each payment in it."""
        attempt = change.attempt
        if not attempt.is_open:
            self._sum_up()
        if self._is_first or self.rows.put(attempt, self._today):
            return
        listed = self.rows.attempts()
        is_newest = not listed or attempt.tapped_at > listed[0].tapped_at
        is_meant = is_among(attempt, self._only) and self._owner in ("", attempt.owner)
        is_meant = is_meant and (self._all_days or self._day == self._today)
        if is_newest and is_meant and matches(attempt, self._sought):
            self.rows.put_first(attempt, self._today)
            self.said.hide()
            self.rows.show()
