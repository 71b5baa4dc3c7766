"""The running payment: amount, QR or phone, stages, time, what to do next. Shows; decides nothing."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Kind
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.till import Words
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import QR_LEAST, S1, S2, S4, S5, TICK_MS
from pos_app.ui.till.payment.action_buttons import ActButtons
from pos_app.ui.till.payment.facts_row import FactsRow
from pos_app.ui.till.payment.panel_model import Act, PanelModel, minutes, next_step, stage, warning
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.payment.qr_view import QrView
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.band import SandboxMark
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.fitting import fit
from pos_app.ui.widgets.label import CENTRE, LEFT, TOP, ElidedLabel, Label
from pos_app.ui.widgets.stages import Stages
from pos_app.ui.widgets.ticker import Ticker


class Picture(QWidget):
    """One large icon on a soft disc."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon = icon
        self._tone = ("primary", "primarysoft")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(220)

    def show_icon(self, icon: str, *, calm: bool) -> None:
        """Another icon; `calm` takes the colour out."""
        self._icon = icon
        self._tone = ("muted", "bg") if calm else ("primary", "primarysoft")
        self.update()

    def sizeHint(self) -> QSize:
        """Seen from two metres."""
        return QSize(QR_LEAST, 180)

    def minimumSizeHint(self) -> QSize:
        """Still an icon."""
        return QSize(120, 96)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Disc and icon."""
        on = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height())
        disc = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(on, self._tone[1])))
        painter.drawEllipse(disc)
        inner = side * 0.24
        paint_icon(
            painter, self._icon, disc.adjusted(inner, inner, -inner, -inner), getattr(on, self._tone[0])
        )


class Aside(QWidget):
    """Picture, a sentence, a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("waiting_aside")
        self._picture = Picture("phone")
        self._said = Label("", "body", "muted", align=CENTRE, wrap=True, name="aside_text")
        self._number = Label("", "title", align=CENTRE, name="wallet_mask")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S2)
        column.addStretch(1)
        column.addWidget(self._picture, 6)
        column.addSpacing(S4)
        column.addWidget(self._said)
        column.addWidget(self._number)
        column.addStretch(1)

    def show_phone(self, said: str, number: str) -> None:
        """The request is on its way to this number."""
        self._picture.show_icon("phone", calm=False)
        self._said.setText(said)
        self._number.setText(number)

    def show_no_code(self, said: str) -> None:
        """There is no code to scan (any more, or yet)."""
        self._picture.show_icon("qr", calm=True)
        self._said.setText(said)
        self._number.setText("")


_SHORT = 470
_SCANNED = 2


class WaitingPanel(SaysAnew, QWidget):
    """`chosen` carries an Act; `other_wanted` asks to cancel and then use the other method."""

    chosen = Signal(object)
    other_wanted = Signal()

    def __init__(
        self, config: TillViewConfig, words: Words, encoder: QrEncoder, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("waiting_panel")
        self._config = config
        self._words = words
        self._change: AttemptChanged | None = None
        self._halted = False
        self._offered: tuple[object, ...] = ()
        """What the buttons offer since it was last shown; a second that passes mostly changes nothing of it."""
        self._by_manager: frozenset[Act] = frozenset()
        self._fitted: tuple[object, ...] = ()
        self._since = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)
        # A stack shows its first part at once: without a parent that would be a window of its own for a moment.
        self.qr = QrView(encoder, self)
        self._aside = Aside()
        self._title = Label("", "body", "muted", wrap=True, name="waiting_title")
        self._title.setParent(self)
        self._mark = SandboxMark() if config.is_sandbox else None
        self._amount = AmountText(
            "waiting_amount", config.currency.code, role="heading", align=LEFT, small_currency=False
        )
        self._stages = Stages("stages")
        self._time = Ticker("waiting_time", words.wait.passed, widest="00:00", role="title", tone="text")
        self._time_left = Ticker(
            "waiting_left", words.wait.left_said, widest=_widest_left(words), role="second"
        )
        self._sale = ElidedLabel("", "second", "muted", name="waiting_sale")
        self._facts = FactsRow(self._time, self._sale, self._time_left)
        self._facts.turned.connect(self._fit)
        self._next = Label("", "strong", wrap=True, align=TOP, name="next_step")
        self._trouble = Label("", "strong", "warn", wrap=True, align=TOP, name="trouble")
        self._trust = Label(words.wait.trust, "second", "muted", wrap=True, align=TOP, name="trust")
        self._other = Button("", name="other_method", kind="outline")
        self._other.clicked.connect(self.other_wanted)
        self._acts = ActButtons("waiting", words)
        self._acts.chosen.connect(self.chosen)
        self._lay_out()

    def _lay_out(self) -> None:
        self._left = QStackedLayout()
        self._left.addWidget(self.qr)
        self._left.addWidget(self._aside)
        right = QVBoxLayout()
        right.setSpacing(S1)
        right.addStretch(1)
        right.addWidget(self._title)
        if self._mark is not None:
            # The sale's number below has no room for the word too.
            right.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(self._amount)
        right.addWidget(self._stages, 30)
        right.addSpacing(S1)
        right.addWidget(self._facts)
        right.addWidget(self._next)
        right.addWidget(self._trouble)
        right.addWidget(self._trust)
        right.addStretch(1)
        self._top = top = QHBoxLayout()
        top.setSpacing(S5)
        top.addLayout(self._left)
        top.addLayout(right)
        self._share()
        column = QVBoxLayout(self)
        column.setContentsMargins(S5, S5, S5, S4)
        column.setSpacing(S2)
        column.addLayout(top, 1)
        column.addWidget(self._acts)

    def _share(self) -> None:
        # Larger texts fill the same height sooner.
        is_short = self.height() < grown(_SHORT)
        for at, share in enumerate((10, 10) if is_short else (12, 8)):
            self._top.setStretch(at, share)
        is_plain = self._change is None or not self._change.activity.from_before_restart
        _set_visible(self._title, visible=not (is_short and is_plain))

    def show_change(
        self,
        change: AttemptChanged,
        model: PanelModel,
        *,
        halted: bool = False,
        whose: str = "",
        number: str = "",
        by_manager: frozenset[Act] = frozenset(),
    ) -> None:
        """The attempt as it now is; `halted`: nothing can be recorded just now; `whose`: if another's.

        `number`: the wallet's, whole, for whoever has typed it; else its mask is shown.
        """
        attempt = change.attempt
        words = self._words.wait
        if change is not self._change:
            # The same one again is shown in another language: its time goes on.
            self._since.restart()
        self._change = change
        self._halted = halted
        self._by_manager = by_manager
        self._offered = ()
        self._title.setText(model.lead or model.headline)
        self._amount.show_figure(self._config.figure(attempt.amount), currency=attempt.currency)
        sale = self._words.result.sale.format(sale=attempt.sale_id)
        self._sale.setText(" · ".join(each for each in (sale, attempt.note, whose) if each))
        self._facts.place()
        names = words.qr_stages if attempt.kind is Kind.QR else words.push_stages
        self._stages.show_stages(names, stage(attempt))
        self._show_left(change, number)
        self._share()
        self._other.setText(words.use_push if attempt.kind is Kind.QR else words.use_qr)
        self._show_time()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts as large as there is room for; with parked payments above, they get more of the width."""
        super().resizeEvent(event)
        self._share()
        self._fit()

    def _fit(self) -> None:
        """Once for all that is said and its room; each poll shows the same again."""
        labels = (self._title, self._sale, self._next, self._trouble, self._trust)
        fitted = (
            self.size(),
            self._facts.is_apart,
            self._acts.heightForWidth(self.width()),
            self._stages.sizeHint(),
            self._amount.figure(),
            *((each.text(), each.isHidden()) for each in labels),
        )
        if fitted != self._fitted:
            self._fitted = fitted
            marks = () if self._mark is None else (self._mark,)
            texts = (self._title, self._amount, self._sale, self._next, self._trouble, self._trust)
            fit(self, (*marks, self._stages, *texts))

    def say_anew(self) -> None:
        """The language has changed; the attempt is shown again by whoever knows it."""
        self._trust.setText(self._words.wait.trust)
        self._time.name_anew(self._words.wait.passed)
        self._time_left.name_anew(self._words.wait.left_said, _widest_left(self._words))
        self._fit()

    def forget(self) -> None:
        """No attempt: nothing of the last one stays, its code least of all."""
        self._change = None
        self.qr.clear()
        self._tick.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Time runs while it is looked at."""
        super().showEvent(event)
        self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """No ticking behind another panel."""
        super().hideEvent(event)
        self._tick.stop()

    def _show_left(self, change: AttemptChanged, number: str) -> None:
        attempt = change.attempt
        reached = stage(attempt)
        if attempt.qr_showable and reached < _SCANNED:
            self.qr.setAccessibleName(
                self._words.wait.code.format(amount=self._config.money_of(attempt.amount, attempt.currency))
            )
            self.qr.show_text(attempt.qr_text)
            self._left.setCurrentWidget(self.qr)
            return
        self.qr.clear()
        if attempt.qr_showable:
            # They have it on their phone: whoever comes next has nothing to scan here.
            self._aside.show_phone(self._words.wait.qr_stages[reached - 1], "")
        elif attempt.kind is Kind.PUSH:
            self._aside.show_phone(self._words.wait.phone, number or attempt.wallet_mask)
        else:
            had_code = attempt.shown and (reached or attempt.cancel_wish is not None)
            self._aside.show_no_code(self._words.wait.no_code if had_code else "")
        self._left.setCurrentWidget(self._aside)

    def _show_time(self) -> None:
        """Once a second; only the time changes, the rest is touched when it says something else."""
        if self._change is None:
            return
        passed = self._since.elapsed() / 1000
        elapsed = self._change.activity.elapsed_s + passed
        attempt = self._change.attempt
        self._time.set_text(minutes(elapsed))
        told = self._change.activity.gives_up_in_s
        left = None if told is None else max(0.0, told - passed)
        said = self._words.wait.left_extended if self._change.activity.extended else self._words.wait.left
        self._time_left.set_text("" if left is None else said.format(time=minutes(left)))
        step = next_step(attempt, elapsed, self._words, left)
        line = warning(attempt, self._change.activity, passed, self._words, halted=self._halted)
        is_other = step.sentence != self._next.text() or bool(line) == self._trouble.isHidden()
        self._next.setText(step.sentence)
        self._trouble.setText(line)
        _set_visible(self._trouble, visible=bool(line))
        _set_visible(self._trust, visible=not line)
        acts = (Act.CANCEL, Act.CHECK, Act.PARK) if attempt.cancel_wish is None else (Act.CHECK, Act.PARK)
        offered = (acts, step.cancel_forward, step.offer_other)
        if offered != self._offered:
            self._offered = offered
            self._acts.offer(
                acts,
                forward=Act.CANCEL if step.cancel_forward else None,
                by_manager=self._by_manager,
                beside=(self._other,) if step.offer_other else (),
                later=(self._other,),
            )
        if is_other:
            self._fit()


def _widest_left(words: Words) -> str:
    return max((words.wait.left, words.wait.left_extended), key=len).format(time="00:00")


def _set_visible(part: QWidget, *, visible: bool) -> None:
    # Asking first keeps the once-a-second call from laying the panel out again.
    if part.isHidden() == visible:
        part.setVisible(visible)
