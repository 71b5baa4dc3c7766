"""Amount, keypad, invoice number and reference: what is owed. Judges what was typed, starts nothing."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.money import SEPARATORS, AmountError, AmountProblem, parse_amount
from pos_app.domain.text import is_reference
from pos_app.i18n.words.till import PadWords
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_PANEL, S1, S2, S3, S5
from pos_app.ui.till.amount.amount_entry import POINT, Entry, is_number_like
from pos_app.ui.till.amount.keypad import BACKSPACE, Keypad
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import RIGHT, Label
from pos_app.ui.widgets.paint import RING, box, focus_ring
from pos_app.ui.widgets.touch import touch_of

if TYPE_CHECKING:
    from pos_app.ui.widgets.field import Field


_MOST_LINES = 4
"""So much room is kept for what is wrong; the keys need theirs."""


class Display(Card):
    """The card with the amount; it rests the focus where no text field has it.

    Its shape keeps the same distance from its edge as the keys below, so that they line up.
    """

    def __init__(self) -> None:
        super().__init__("amount")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The surface, and a ring while it has the focus."""
        on = tokens()
        painter = QPainter(self)
        shape = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
        box(painter, shape, RADIUS_PANEL, on.surface, on.line)
        if touch_of(self).focused:
            focus_ring(painter, QRectF(self.rect()), RADIUS_PANEL, on)


class _Sent(NamedTuple):
    """What is being recorded: the amount as it was typed, invoice number and reference."""

    entry: Entry
    texts: tuple[str, ...]


class AmountPad(SaysAnew, QWidget):
    """The left side. `changed` tells that the amount's text changed; `tapped` passes on the keypad.

    `priced`: the prices as far as they are typed; () where none can be charged.
    """

    changed = Signal()
    priced = Signal(object)
    tapped = Signal(str)

    def __init__(self, config: TillViewConfig, words: PadWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("amount_pad")
        self._config = config
        self._words = words
        self._entry = Entry()
        self._sent: _Sent | None = None
        self._recorded: Entry | None = None
        self._fields: tuple[Field, Field] | None = None
        self._scanned: tuple[Field, str, bool] | None = None
        self._display = Display()
        self._label = Label(words.amount, "body", "muted")
        self._figure = AmountText("amount_figure", config.currency.code)
        self._problem = Label("", "second", "bad", wrap=True, name="amount_problem")
        self._problem.hide()
        self._sum = Label("", "second", "muted", wrap=True, align=RIGHT, name="amount_sum")
        # Figures run from the left in every language, under the amount's.
        self._sum.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._sum.hide()
        self._note = Label("", "second", "muted", wrap=True, name="amount_note")
        self._note.hide()
        self._voice = Announcer(self._note)
        self._fold = Button(words.fold, name="fold", kind="quiet", role="second", icon="chevron_down").padded(
            0
        )
        self._fold.setCheckable(True)
        self._fold.toggled.connect(self.unfold)
        point = config.written.decimal if config.currency.digits else ""
        self._keypad = Keypad(point, self._key_names())
        self._keypad.tapped.connect(self.tapped)
        self._lay_out()
        self._show()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._label, 1)
        top.addWidget(self._fold)
        self._inside = QVBoxLayout(self._display)
        self._inside.setContentsMargins(S5, S2, S5, S3)
        self._inside.setSpacing(S1)
        self._inside.addLayout(top)
        self._inside.addWidget(self._figure)
        # What is wrong has its room from the beginning: no key moves under a finger when it is said.
        self._under = QWidget()
        under = QVBoxLayout(self._under)
        under.setContentsMargins(0, 0, 0, 0)
        under.setSpacing(S1)
        for part in (self._sum, self._problem, self._note):
            under.addWidget(part)
        under.addStretch(1)
        self._inside.addWidget(self._under)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S2)
        column.addWidget(self._display)
        column.addWidget(self._keypad, 1)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return self._entry.is_empty

    @property
    def text(self) -> str:
        """The amount as typed; the last price of several."""
        return self._entry.text

    @property
    def entry(self) -> Entry:
        """All that was typed, to be put back."""
        return self._entry

    @property
    def figure(self) -> str:
        """What is shown in large."""
        return self._figure.figure()

    def type(self, character: str) -> bool:
        """One more character (or BACKSPACE); whether it changed anything."""
        before = entry = Entry() if self.is_sent else self._entry
        money, written = self._config.currency, self._config.written
        try:
            if character == BACKSPACE:
                entry = before.back(written)
            else:
                for each in [character] if character == POINT else character:
                    entry = entry.then(each, money, written)
        except AmountError as error:
            self.show_problem(error.problem)
            return False
        if entry == before:
            if before.refused:
                self._say_refused()
            return False
        self.put_back(entry)
        if entry.refused:
            self._say_refused()
        return True

    def paste(self, text: str) -> None:
        """In the place of what was typed; judged as a whole, and what is wrong is said at once."""
        text = text.strip(" ")
        try:
            parse_amount(text, self._config.currency, self._config.written)
            problem = None
        except AmountError as error:
            problem = error.problem
        if is_number_like(text) or problem is None:
            self.put_back(Entry(text=text))
        if problem is not None:
            self.show_problem(problem)

    def take_over(self, other: AmountPad) -> None:
        """What was typed on the pad in whose place this one comes; not where it would be read otherwise here."""
        if (other._config.currency, other._config.written) != (self._config.currency, self._config.written):
            return
        self._entry, self._sent = other._entry, other._sent
        self.take_focus()
        if other._fields is not None:
            self._show_fields(opened=other._fold.isChecked())
            for ours, theirs in zip(self._made_fields(), other._fields, strict=True):
                ours.set_text(theirs.text())
                if theirs.edit is other.focusWidget() and other._fold.isChecked():
                    # Where the rest of it would have gone: at the amount its digits are money.
                    ours.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()
        self._tell()

    def put_back(self, entry: Entry) -> None:
        """In the place of what was typed; or what stood here before a scanner's digits ran into it."""
        if self.is_sent:
            self._drop_sent_texts()
        # A scanner's digits may have begun before it was recorded, and ended after: it is nothing to charge any more.
        self._entry = Entry() if entry is self._recorded else entry
        self._show()
        self._tell()

    @property
    def is_sent(self) -> bool:
        """Whether what stands here is on its way to be recorded: the next key begins the next sale."""
        return self._sent is not None and self._entry is self._sent.entry

    def send(self) -> None:
        """What stands here is charged now: it is seen until it is recorded, or until the next sale begins."""
        self._sent = _Sent(self._entry, tuple(field.text() for field in self._fields or ()))
        self._scanned = None

    def take_recorded(self) -> None:
        """What was sent is gone from here; what was typed since is the next sale's."""
        if self._sent is not None:
            self._recorded = self._sent.entry
            if self.is_sent:
                self.put_back(Entry())
            self._sent = None

    def take_declined(self) -> bool:
        """What was sent stays to be charged again. False: the next sale has begun, and stays whole instead."""
        is_there = self._sent is None or self.is_sent
        self._sent = None
        return is_there

    def put_sent_back(self) -> None:
        """Somebody is asked about what was sent: all of it stands here again, and nothing that was typed since."""
        sent = self._sent
        if sent is None or self.take_declined():
            return
        if self._fields is not None:
            for field, text in zip(self._fields, sent.texts or ("", ""), strict=True):
                field.set_text(text)
            self._show_fields(opened=any(sent.texts))
        self.put_back(sent.entry)

    def _drop_sent_texts(self) -> None:
        """The invoice number and the reference of what was sent; what was typed or scanned since stays."""
        fields = self._fields or ()
        for field, text in zip(fields, self._sent.texts if self._sent is not None else (), strict=False):
            if field.text() == text:
                field.set_text("")
        if self._scanned is not None:
            # Esc: nothing of a sale that is over comes back.
            self._scanned = (self._scanned[0], "", self._scanned[2])
        if not any(field.text() for field in fields):
            self._scanned = None
            self._note.hide()
            if fields:
                self._show_fields(opened=False)

    def take_scanned(self, code: str, into: str) -> bool:
        """A scanned code into the invoice number or the reference, until `undo_scan`; False where it can be neither.

        It starts nothing, and the keyboard stays with the amount.
        """
        if into == "nowhere":
            return True
        if not code or not is_reference(code):
            self._say_note(self._words.no_scan, "bad")
            return False
        was_open = self._fold.isChecked()
        field = self._made_fields()[0 if into == "invoice" else 1]
        before = field.text() if self._scanned is None else self._scanned[1]
        self._scanned = (field, before, was_open if self._scanned is None else self._scanned[2])
        self._show_fields(opened=True)
        field.set_text(code)
        self._say_note(self._words.scanned.format(code=code), "muted")
        self.take_focus()
        return True

    def undo_scan(self) -> bool:
        """Esc: the field has again what stood there before; whether a scan was there to be undone."""
        if self._scanned is None:
            shown = not self._note.isHidden()
            self._note.hide()
            return shown
        (field, before, was_open), self._scanned = self._scanned, None
        field.set_text(before)
        self._note.hide()
        self._show_fields(opened=was_open)
        self.take_focus()
        return True

    def open_invoice(self) -> None:
        """F7: the invoice number, ready to be typed or scanned."""
        self.unfold(opened=True)
        if self._fields is not None:
            self._fields[0].edit.selectAll()

    def _say_note(self, words: str, tone: str) -> None:
        said = clean(words, DETAILS_LIMIT)
        self._note.setText(said)
        self._note.set_tone(tone)
        self._note.show()
        self._voice.say(said)

    def clear(self, *, with_fields: bool = False) -> None:
        """Back to nothing; `with_fields`: invoice number and reference too."""
        if self.is_sent:
            self._drop_sent_texts()
        self._entry = Entry()
        self._show()
        if with_fields:
            self._sent = self._scanned = None
            self._note.hide()
        if with_fields and self._fields:
            for field in self._fields:
                field.set_text("")
            self._show_fields(opened=False)
        self._tell()

    def _tell(self) -> None:
        self.changed.emit()
        self.priced.emit(self._so_far())

    def amount(self) -> Decimal:
        """The amount as a number. Raises AmountError; show it with `show_problem`."""
        config = self._config
        amount = self._entry.amount(config.currency, config.written)
        if amount > config.max_amount:
            raise AmountError(AmountProblem.TOO_LARGE)
        return amount

    def _so_far(self) -> tuple[Decimal, ...]:
        prices = self._entry.so_far(self._config.currency, self._config.written)
        return prices if sum(prices, Decimal(0)) <= self._config.max_amount else ()

    def prices(self) -> tuple[Decimal, ...]:
        """What the amount is added up of, () where it was typed as one."""
        return self._entry.all_prices(self._config.currency, self._config.written)

    def show_problem(self, problem: AmountProblem) -> None:
        """Say the limits and an example; the amount stays and gets the focus."""
        if self._entry.refused:
            self._say_refused()
            return
        decimal = self._config.written.decimal
        other = next((each for each in SEPARATORS if each != decimal and each in self._entry.text), "")
        if problem is AmountProblem.NOT_A_NUMBER and other and self._config.currency.digits:
            said = self._words.other_separator
            self._say_problem(said.format(sign=decimal, other=other, example=self._example()))
        else:
            self._say_problem(self._problem_words(problem))

    def _say_refused(self) -> None:
        """Which key is not taken, and that nothing goes on before it is taken away."""
        problem, words = self._entry.problem, self._words
        key = self._config.written.decimal if self._entry.refused == POINT else self._entry.refused
        why = words.refused_sign.format(key=key)
        if problem is not None and problem is not AmountProblem.NOT_A_NUMBER:
            why = self._problem_words(problem)
        self._say_problem(f"{why} {words.take_away}")

    def _problem_words(self, problem: AmountProblem) -> str:
        config = self._config
        return self._words.problem[problem].format(
            least=config.figure(config.currency.smallest),
            most=config.figure(self._most()),
            example=self._example(),
            currency=config.currency.code,
            digits=config.currency.digits,
        )

    def _most(self) -> Decimal:
        return self._config.max_amount.quantize(self._config.currency.smallest, ROUND_FLOOR)

    def _example(self) -> str:
        money = self._config.currency
        # One that can be typed, also where little is taken or a currency's unit is much.
        return self._config.figure(min(money.exact(Decimal("12.50" if money.digits else "12")), self._most()))

    def _say_problem(self, sentence: str) -> None:
        said = clean(sentence, DETAILS_LIMIT)
        self._sum.hide()
        self._problem.setText(said)
        self._problem.show()
        self._display.setAccessibleDescription(said)
        self.take_focus()

    def take_focus(self) -> None:
        """Let the keyboard rest on the amount."""
        self._display.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_focus_back(self, part: QWidget | None) -> None:
        """Let it rest on what had it: the other half of an invoice number is no money. On the amount, if on nothing."""
        fields = (self._fields or ()) if self._fold.isChecked() else ()
        had_it = next((each.edit for each in fields if each.edit is part), self._display)
        had_it.setFocus(Qt.FocusReason.OtherFocusReason)

    def texts(self) -> tuple[str, str] | None:
        """Invoice number and reference; None when one is wrong, which is then said and has the focus."""
        if self._fields is None:
            return "", ""
        for field in self._fields:
            if not is_reference(field.text()):
                self.unfold(opened=True)
                field.show_error(self._words.text_problem)
                return None
        invoice, reference = (field.text().strip(" ") for field in self._fields)
        return invoice, reference

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both, the figure needs no label: a screen reader hears it all the same."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        wanted = self._label.sizeHint().width() + S1 + self._fold.sizeHint().width()
        self._label.setVisible(wanted <= self.width() - 2 * (S5 + RING))
        words = self._words
        said = [self._problem_words(each) for each in AmountProblem]
        said.append(f"{words.refused_sign.format(key='*')} {words.take_away}")
        metrics, room = QFontMetrics(font("second")), QRect(0, 0, self.width() - 2 * S5, 10_000)
        wrap = int(Qt.TextFlag.TextWordWrap.value)
        tallest = max(metrics.boundingRect(room, wrap, each).height() for each in said)
        self._under.setMinimumHeight(min(tallest, _MOST_LINES * metrics.lineSpacing()))

    def _key_names(self) -> tuple[str, str, str, str]:
        words = self._words
        return words.point, words.backspace, words.clear, words.plus

    def say_anew(self) -> None:
        """The language has changed; what was typed stays, what was wrong with it is said again when it is tried."""
        words = self._words
        self._label.setText(words.amount)
        self._fold.setText(words.fold)
        self._make_room()
        self._keypad.name_keys(self._key_names())
        for field, label in zip(self._fields or (), (words.invoice, words.reference), strict=False):
            field.set_label(label)
            field.clear_error()
        self._show()

    def unfold(self, opened: bool) -> None:
        """Show or fold away invoice number and reference."""
        self._show_fields(opened=opened)
        if opened:
            self._made_fields()[0].edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.take_focus()

    def _show_fields(self, *, opened: bool) -> None:
        self._fold.blockSignals(True)
        self._fold.setChecked(opened)
        self._fold.blockSignals(False)
        self._fold.set_icon("chevron_up" if opened else "chevron_down")
        for field in self._made_fields():
            field.setVisible(opened)

    def _made_fields(self) -> tuple[Field, Field]:
        if self._fields is None:
            from pos_app.ui.widgets.field import Field
            from pos_app.ui.widgets.touched_fields import Takes

            words = self._words
            self._fields = (
                Field(words.invoice, "invoice", takes=Takes.LATIN),
                Field(words.reference, "reference", takes=Takes.LATIN),
            )
            row = QHBoxLayout()
            row.setSpacing(S3)
            for field in self._fields:
                row.addWidget(field)
                field.entered.connect(self.take_focus)
                field.edited.connect(self._scan_was_kept)
            self._inside.addLayout(row)
        return self._fields

    def _scan_was_kept(self) -> None:
        """Somebody types into it: Esc has nothing of a scanner's to take away any more."""
        self._scanned = None
        self._note.hide()

    def _show(self) -> None:
        self._problem.hide()
        self._display.setAccessibleDescription("")
        money, written = self._config.currency, self._config.written
        figure = self._entry.figure(money, written)
        self._figure.show_figure(figure, "muted" if self._entry.is_empty else "text")
        line = self._entry.sum_line(money, written)
        self._sum.setText(line)
        self._sum.setVisible(bool(line))
        name = f"{self._words.amount} {self._config.currency.code} {figure}"
        self._display.setAccessibleName(clean(name, DETAILS_LIMIT))
