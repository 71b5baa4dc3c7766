"""Instead of a till that does not run: what happened, which payments are open, start again. Settles nothing."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.safe_screen import words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.dialogs.parts.lines import button_row
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S1, S2, S3, S4, S6
from pos_app.ui.till.payment.panel_model import began_time
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.badge import NOT_KNOWN, Mark, paint_small
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place
from pos_app.ui.widgets.label import RIGHT, Label
from pos_app.ui.widgets.said import SaidLabel

_WIDE = 820
_ROWS = 5
"""The newest; the others are counted."""


_MOST_OF_A_LINE = 300


class Updating(StrEnum):
    """Whether the till may not open because its program is being replaced, and who starts it then."""

    NO = ""
    ALONE = "it_is_started_by_the_machine"
    DESKTOP = "somebody_starts_it_again"


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the screen tells. `payments` and `config` are None when they cannot be read."""

    stopped: bool
    """It crashed too often; else it cannot open, and `why` says the reason."""

    why: str = ""
    updating: Updating = Updating.NO
    payments: tuple[Attempt, ...] | None = None
    config: TillViewConfig | None = None
    version: str = ""
    time: str = ""


class SafeScreen(QWidget):
    """`again`: the person wants the till to be started."""

    again = Signal()

    def __init__(self, told: Told, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("safe_screen")
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Window)
        title = _title(told)
        is_sandbox = told.config is not None and told.config.is_sandbox
        self.setWindowTitle(band_words.titled(title) if is_sandbox else title)
        self._card = Card("safe_card")
        self._card.setMaximumWidth(grown(_WIDE))
        lines = QVBoxLayout(self._card)
        lines.setContentsMargins(S6, S6, S6, S6)
        lines.setSpacing(S3)
        lines.addWidget(_headed(title, told))
        if told.why:
            lines.addWidget(Label(told.why, "strong", "bad", wrap=True, name="safe_why"))
        lines.addSpacing(S2)
        for line in _money(told):
            lines.addWidget(line)
        lines.addSpacing(S2)
        lines.addWidget(Label(_help(told), "second", "muted", wrap=True, name="safe_help"))
        self._starting = SaidLabel("", "body", "muted", name="safe_starting")
        self._again = Button(words.AGAIN, name="safe_again", kind="primary", keycap="Enter")
        self._again.clicked.connect(self._wanted)
        # Whoever hears the screen hears all of it with what has the keyboard: there is nothing else to go to.
        if told.updating:
            self._again.hide()
            self._card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._card.setAccessibleName(_read_out(self._card))
            self.setFocusProxy(self._card)
        else:
            self._again.setAccessibleDescription(_read_out(self._card))
            lines.addWidget(button_row(self._starting, self._again))
            self.setFocusProxy(self._again)
        self._lay_out(told)
        self.setStyleSheet(sheet(tokens()))
        KeyBursts(self, lambda: text_place(self.focusWidget())).start()
        FingerScroll(self).start()

    def _lay_out(self, told: Told) -> None:
        """In the middle. Where its texts are longer than the display is high they scroll, and no sentence is cut."""
        middle = QWidget()
        across = QHBoxLayout(middle)
        across.setContentsMargins(S6, S4, S6, S4)
        down = QVBoxLayout()
        down.addStretch(1)
        down.addWidget(self._card)
        down.addStretch(1)
        across.addStretch(1)
        across.addLayout(down, 1000)
        across.addStretch(1)
        area = QScrollArea()
        area.setWidget(middle)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        if told.config is not None and told.config.is_sandbox:
            column.addWidget(SandboxBand())
        column.addWidget(area, 1)

    def ask_again(self) -> None:
        """It was tried, and nothing has changed."""
        self._again.setEnabled(True)
        self._starting.setText("")
        self._again.setFocus()

    def _wanted(self) -> None:
        # Once: it takes a moment until the till covers this.
        self._again.setEnabled(False)
        self._starting.setText(words.STARTING)
        self.again.emit()


def _read_out(card: QWidget) -> str:
    """All of its texts, one after the other; without the places where a long word may be broken."""
    said = (label.text().replace("\u200b", "") for label in card.findChildren(Label))
    # However long the reason is, what not to take again is heard.
    return clean(" ".join(clean(text, _MOST_OF_A_LINE) for text in said if text))


class _Disc(QWidget):
    """A state's little mark; the words beside it say the same."""

    def __init__(self, mark: Mark, size: int) -> None:
        super().__init__()
        self._mark = mark
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The disc."""
        paint_small(QPainter(self), QRectF(self.rect()), self._mark)


def _title(told: Told) -> str:
    if told.updating:
        return words.UPDATING_TITLE
    return words.STOPPED_TITLE if told.stopped else words.NOT_OPENED_TITLE


def _what(told: Told) -> str:
    match told.updating:
        case Updating.ALONE:
            return words.UPDATING_WHAT
        case Updating.DESKTOP:
            return words.UPDATING_LATER
    return words.STOPPED_WHAT if told.stopped else words.NOT_OPENED_WHAT


def _headed(title: str, told: Told) -> QWidget:
    head, texts = QWidget(), QVBoxLayout()
    row = QHBoxLayout(head)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(S4)
    texts.setSpacing(S1)
    texts.addWidget(Label(title, "method", wrap=True, name="safe_title"))
    texts.addWidget(Label(_what(told), "body", "muted", wrap=True, name="safe_what"))
    row.addWidget(_Disc(NOT_KNOWN, 56), 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(texts, 1)
    return head


def _money(told: Told) -> list[QWidget]:
    """The sentence, and a row for each payment."""
    title = Label(words.MONEY_TITLE, "title", wrap=True, name="safe_money_title")
    if told.payments is None or told.config is None:
        return [title, Label(words.UNREADABLE, "body", "warn", wrap=True, name="safe_money")]
    if not told.payments:
        return [title, Label(words.NOTHING_OPEN, "body", wrap=True, name="safe_money")]
    lines: list[QWidget] = [title, Label(words.OPEN, "body", "warn", wrap=True, name="safe_money")]
    lines += [_row(attempt, told.config) for attempt in told.payments[:_ROWS]]
    left = len(told.payments) - _ROWS
    if left > 0:
        lines.append(Label(words.MORE.of(left), "second", "muted", name="safe_more"))
    return lines


def _row(attempt: Attempt, config: TillViewConfig) -> QWidget:
    made = Card(f"safe_{attempt.attempt_id}", ground="raised")
    row = QHBoxLayout(made)
    row.setContentsMargins(S3, S2, S3, S2)
    row.setSpacing(S3)
    row.addWidget(_Disc(mark_of(attempt.state), 28))
    row.addWidget(Label(config.money_of(attempt.amount, attempt.currency), "strong"))
    method = till_words.result.by_qr if attempt.kind is Kind.QR else till_words.result.by_push
    wallet = (attempt.wallet_mask,) if attempt.wallet_mask else ()
    row.addWidget(Label(" · ".join((till_words.state[attempt.state], method, *wallet)), "second"), 1)
    sale = " · ".join((config.sale(words.SALE.format(sale=attempt.sale_id)), began_time(attempt)))
    row.addWidget(Label(sale, "second", "muted", align=RIGHT))
    return made


def _help(told: Told) -> str:
    if told.config is None:
        facts = words.FACTS_WITHOUT_SHOP.format(version=told.version, time=told.time)
    else:
        facts = words.FACTS.format(
            shop=told.config.shop_name, counter=told.config.counter_id, version=told.version, time=told.time
        )
    return words.HELP.format(facts=facts)
