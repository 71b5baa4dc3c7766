"""A result fills the panel: mark, word, amount, what it means, what to do. Never by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Kind
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.till import Words
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.tokens import S1, S2, S3, S5, TICK_MS
from pos_app.ui.till.payment.action_buttons import ActButtons
from pos_app.ui.till.payment.panel_model import Act, PanelModel, Tone, ended_time, minutes, warning
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.band import SandboxMark
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.fitting import fit
from pos_app.ui.widgets.label import CENTRE, Label
from pos_app.ui.widgets.ticker import Ticker

MARKS = {
    Tone.PAID: badge.PAID,
    Tone.AGED: badge.AGED,
    Tone.NOT_PAID: badge.NOT_PAID,
    Tone.NOT_KNOWN: badge.NOT_KNOWN,
    Tone.DISPUTED: badge.DISPUTED,
    Tone.LATE: badge.LATE,
}
OFFER_MS = 8_000
"""So long a till that asks offers the receipt on a result: the next customer must not be given this one's."""

_WIDEST = 620
_SHARE = 0.72
"""Of the panel's width, for the sentences on a large screen."""


class ResultPanel(SaysAnew, QWidget):
    """`chosen` carries an Act."""

    chosen = Signal(object)

    def __init__(self, config: TillViewConfig, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_panel")
        self._config = config
        self._words = words
        self._change: AttemptChanged | None = None
        self._halted = False
        self._since = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)
        self._offer = QTimer(self)
        self._offer.setSingleShot(True)
        self._offer.setInterval(OFFER_MS)
        self._offer.timeout.connect(self._let_go)
        self._offered = ""
        """The attempt whose receipt is offered, or was."""
        self._fitted: tuple[object, ...] = ()
        self._badge = badge.Badge("result_mark")
        self._headline = Label("", "state", align=CENTRE, wrap=True, name="result_headline")
        self._mark = SandboxMark() if config.is_sandbox else None
        self._amount = AmountText(
            "result_amount", config.currency.code, role="result_amount", align=CENTRE, small_currency=False
        )
        self._facts = Label("", "body", "muted", align=CENTRE, name="result_facts")
        self._lead = Label("", "title", align=CENTRE, wrap=True, name="result_lead")
        self._more = Label("", "body", "muted", align=CENTRE, wrap=True, name="result_more")
        self._trouble = Label("", "strong", "warn", align=CENTRE, wrap=True, name="result_trouble")
        self._write_down = Label("", "title", "bad", align=CENTRE, wrap=True, name="write_down")
        self._sentences = (self._lead, self._more, self._trouble, self._write_down)
        self._time = Ticker("result_time", words.wait.passed, widest=f"{words.result.checking} 00:00")
        self._acts = ActButtons("result", words, centred=True)
        self._acts.chosen.connect(self.chosen)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(S5, S3, S5, S3)
        column.setSpacing(S2)
        column.addStretch(2)
        column.addWidget(self._badge, 8)
        column.addWidget(self._headline)
        if self._mark is not None:
            # Between the word and the amount: no picture shows both without it.
            column.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._amount)
        column.addWidget(self._facts)
        for label in self._sentences:
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(label, 60)
            row.addStretch(1)
            label.setMaximumWidth(grown(_WIDEST))
            column.addLayout(row)
        column.addWidget(self._time, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(S1)
        column.addWidget(self._acts)
        column.addStretch(2)

    def show_change(
        self,
        change: AttemptChanged,
        model: PanelModel,
        *,
        halted: bool = False,
        whose: str = "",
        by_manager: frozenset[Act] = frozenset(),
    ) -> None:
        """The attempt as it now is; `halted`: the journal cannot be written, so a person must write an end.

        `whose`: the cashier it belongs to, where that is another than the one who looks.
        """
        attempt = change.attempt
        said = self._words.result
        if change is not self._change:
            # The same one again is shown in another language: its time goes on.
            self._since.restart()
        self._change = change
        self._halted = halted
        mark = MARKS[model.tone]
        self._badge.show_mark(mark)
        self._headline.setText(model.headline)
        self._headline.set_tone(mark.token)
        self._amount.show_figure(self._config.figure(attempt.amount), currency=attempt.currency)
        method = said.by_qr if attempt.kind is Kind.QR else said.by_push
        sale = self._config.sale(said.sale.format(sale=attempt.sale_id))
        facts = (method, sale, ended_time(attempt), whose)
        self._facts.setText(" · ".join(each for each in facts if each))
        written = said.write_down.format(
            sale=attempt.sale_id,
            state=self._words.state[attempt.state].upper(),
            figure=self._config.figure_of(attempt.amount, attempt.currency),
        )
        for label, text in (
            (self._lead, model.lead),
            (self._more, model.more),
            (self._write_down, written if halted and not attempt.is_open else ""),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        name = f"{model.headline} {self._config.money_of(attempt.amount, attempt.currency)}"
        self.setAccessibleName(clean(self._config.sale(name)))
        self._time.setVisible(model.tone is Tone.NOT_KNOWN and not attempt.is_final)
        self._acts.offer(model.acts, by_manager=by_manager)
        self._offer_print(attempt.attempt_id if Act.PRINT in model.acts else "")
        self._show_time()
        self._fit()

    def _offer_print(self, attempt_id: str) -> None:
        """Of each payment once; "" for one whose receipt is not offered."""
        if attempt_id != self._offered:
            self._offered = attempt_id
            self._offer.start() if attempt_id else self._offer.stop()
        if attempt_id:
            self._acts.button(Act.PRINT).setVisible(self._offer.isActive())

    def _let_go(self) -> None:
        """Its place stays empty: nothing moves under a finger. F12 prints as ever."""
        self._offer.stop()
        if self._offered:
            self._acts.button(Act.PRINT).hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts as large as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def say_anew(self) -> None:
        """The language has changed; the attempt is shown again by whoever knows it."""
        said = self._words
        self._time.name_anew(said.wait.passed, widest=f"{said.result.checking} 00:00")
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Time runs while it is looked at."""
        super().showEvent(event)
        if self._time.isVisibleTo(self):
            self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """No ticking behind another panel, and nothing is offered any more when it comes back."""
        super().hideEvent(event)
        self._tick.stop()
        if self._offer.isActive():
            self._let_go()

    def _show_time(self) -> None:
        if self._change is None:
            return
        open_still = self._time.isVisibleTo(self)
        if open_still != self._tick.isActive() and self.isVisible():
            self._tick.start() if open_still else self._tick.stop()
        passed = self._since.elapsed() / 1000
        elapsed = self._change.activity.elapsed_s + passed
        self._time.set_text(f"{self._words.result.checking} {minutes(elapsed)}")
        change = self._change
        line = warning(change.attempt, change.activity, passed, self._words, halted=self._halted)
        line = line if open_still else ""
        self._trouble.setText(line)
        if self._trouble.isHidden() == bool(line):
            self._trouble.setVisible(bool(line))
            self._fit()

    def _fit(self) -> None:
        """Once for all that asks for room: one customer's result mostly needs what the last one's did."""
        widest = max(grown(_WIDEST), round(self.width() * _SHARE))
        for sentence in self._sentences:
            sentence.setMaximumWidth(widest)
        if self._asked_room() != self._fitted:
            marks = () if self._mark is None else (self._mark,)
            fit(self, (self._headline, *marks, self._amount, self._facts, *self._sentences), grows=True)
            self._fitted = self._asked_room()

    def _asked_room(self) -> tuple[object, ...]:
        """The amount is not in it: it takes what room it gets. Of the facts, in one line, only the width counts."""
        broken = (self._headline, *self._sentences)
        return (
            self.size(),
            self._facts.minimumSizeHint(),
            self._acts.heightForWidth(self.width()),
            self._time.isHidden(),
            *((each.text(), each.isHidden()) for each in broken),
        )
