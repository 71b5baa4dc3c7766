"""Payments put aside that run, and those that ended until they were looked at: who is in the row, and the row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHideEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.parked import words
from pos_app.i18n.words.till import Words
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.tokens import S2, S3, TICK_MS, Tokens
from pos_app.ui.till.notices.notices import Notices
from pos_app.ui.till.payment.freshness import Freshness
from pos_app.ui.till.payment.panel_model import minutes
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.till.window.state import TillState
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.button import Button, on_touch
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.reading import as_read

MOST = 6
_CHIP_LEAST, _CHIP_MOST = 186, 260
_HEIGHT = 52
_DISC = 28
_WIDE_ENOUGH = 760


class Parked:
    """A parked payment as it was told last, and when."""

    def __init__(self, change: AttemptChanged) -> None:
        self.change = change
        self._since = QElapsedTimer()
        self._since.start()

    def left_s(self) -> float | None:
        """How long its customer still has; None when nobody is waited for."""
        told = self.change.activity.gives_up_in_s
        if told is None or not self.change.attempt.is_open:
            return None
        return max(0.0, told - self._since.elapsed() / 1000)


class ParkedChip(Button):
    """One of them; it has no words of its own, only what it is shown."""

    def __init__(self, at: int, config: TillViewConfig, words_: Words) -> None:
        super().__init__("", name=f"parked_{at}")
        self._config = config
        self._words = words_
        self._parked: Parked | None = None
        self._line = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(grown(_CHIP_MOST))
        self.hide()

    @property
    def attempt_id(self) -> str:
        """The payment it stands for."""
        return self._parked.change.attempt.attempt_id if self._parked is not None else ""

    def line(self) -> str:
        """What is written below the amount."""
        return self._line

    def show_parked(self, parked: Parked | None) -> None:
        """Another payment, or none."""
        self._parked = parked
        self.setVisible(parked is not None)
        if parked is not None:
            attempt = parked.change.attempt
            said = words.SPOKEN_NOTED if attempt.note else words.SPOKEN
            spoken = said.format(
                note=attempt.note,
                money=self._config.money_of(attempt.amount, attempt.currency),
                sale=attempt.sale_id,
                state=self._words.state[attempt.state],
            )
            self.setAccessibleName(clean(spoken, DETAILS_LIMIT))
            self._line = ""
            self.show_time()

    def show_time(self) -> None:
        """The seconds pass; nothing else of the window moves."""
        if self._parked is None:
            return
        state = self._words.state[self._parked.change.attempt.state]
        left = self._parked.left_s()
        line = state
        if left is not None:
            line = words.LEFT.format(state=state, time=minutes(left))
            if not self._has_room(line):
                # The disc says the state, and the time is what is looked for.
                line = self._words.wait.left.format(time=minutes(left))
        if line != self._line:
            self._line = line
            self.update()

    def sizeHint(self) -> QSize:
        """A finger's height, room for the longest amount."""
        return QSize(grown(_CHIP_LEAST), grown(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """As in its hint."""
        return self.sizeHint()

    def text_fits(self) -> bool:
        """Whether both lines are inside."""
        return self._has_room(self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room for the line, or less."""
        super().resizeEvent(event)
        self.show_time()

    def _has_room(self, line: str) -> bool:
        room = self.width() - 2 * RING - grown(_DISC) - 2 * S2 - S3
        return QFontMetricsF(font("small")).horizontalAdvance(line) <= room

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, ink: str) -> None:
        """Disc, amount, line; from the side where reading begins."""
        if self._parked is None:
            return
        attempt = self._parked.change.attempt
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = grown(_DISC)
        left = shape.right() - S2 - side if mirrored else shape.x() + S2
        disc = QRectF(left, shape.center().y() - side / 2, side, side)
        badge.paint_small(
            painter, disc, badge.AGED if attempt.state is State.PAID else mark_of(attempt.state)
        )
        near, far = (S3, S2 + side + S2) if mirrored else (S2 + side + S2, S3)
        room = shape.adjusted(near, 4, -far, -4)
        middle = room.height() / 2
        upper, lower = room.adjusted(0, 0, 0, -middle), room.adjusted(0, middle, 0, 0)
        begin = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
        painter.setFont(font("strong"))
        painter.setPen(QColor(ink))
        figure = as_read(self._config.figure_of(attempt.amount, attempt.currency))
        painter.drawText(upper, begin, figure)
        if attempt.note:
            used = painter.fontMetrics().horizontalAdvance(figure) + S2
            painter.setFont(font("small"))
            beside = upper.adjusted(0, 0, -used, 0) if mirrored else upper.adjusted(used, 0, 0, 0)
            note = painter.fontMetrics().elidedText(
                clean(attempt.note), Qt.TextElideMode.ElideRight, int(beside.width())
            )
            painter.drawText(beside, begin, as_read(note))
        painter.setFont(font("small"))
        painter.setPen(QColor(on.muted))
        painter.drawText(lower, begin, as_read(self._line))


class ParkedRow(SaysAnew, QWidget):
    """`chosen(attempt_id)` brings a payment back; `more_wanted`: those that have no room here.

    `note_wanted(attempt_id)`: whose the payment parked last is, is to be written down.
    """

    chosen = Signal(str)
    note_wanted = Signal(str)
    more_wanted = Signal()

    def __init__(self, config: TillViewConfig, words_: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parked_row")
        self._parked: tuple[Parked, ...] = ()
        self._chips = [ParkedChip(at, config, words_) for at in range(MOST)]
        self._more = Button("", name="parked_more", kind="quiet").padded(S2)
        self._more.clicked.connect(self.more_wanted)
        self._note = Button("", name="parked_note", kind="quiet", icon="message").padded(S2)
        self._note.clicked.connect(self.ask_note)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S2)
        for chip in self._chips:
            row.addWidget(chip, 1)
            on_touch(chip, lambda it: it.attempt_id, self.chosen.emit)
        row.addWidget(self._more)
        row.addWidget(self._note)
        row.addStretch(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_parked(self, parked: Sequence[Parked]) -> None:
        """These, as many as there is room for."""
        if not parked and not self._parked:
            return
        self._parked = tuple(parked)
        self._arrange()
        self.setVisible(bool(parked))

    def bring_next(self) -> None:
        """The one that has waited longest in the row; after it, each in its turn: what is parked anew is the last."""
        if self._parked and self.isVisible():
            self.chosen.emit(self._parked[0].change.attempt.attempt_id)

    def ask_note(self) -> None:
        """Whose the one is that was parked last."""
        waiting = self._waiting
        if waiting and self.isVisible():
            self.note_wanted.emit(waiting[-1].change.attempt.attempt_id)

    @property
    def _waiting(self) -> list[Parked]:
        return [each for each in self._parked if each.change.attempt.is_open]

    def say_anew(self) -> None:
        """The language has changed."""
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Time runs while it is looked at."""
        super().showEvent(event)
        self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """No ticking where nothing is parked."""
        super().hideEvent(event)
        self._tick.stop()

    def sizeHint(self) -> QSize:
        """One line of chips."""
        return QSize(grown(_CHIP_LEAST), grown(_HEIGHT))

    def _arrange(self) -> None:
        self.setAccessibleName(words.ROW)
        is_wide = self.width() >= grown(_WIDE_ENOUGH)
        self._note.setText(words.NOTE if is_wide else "")
        self._note.set_keycap(cap(Action.NOTE) if is_wide else "")
        self._note.called(words.NOTE_SAID)
        self._note.setVisible(bool(self._waiting))
        beside = self._note.sizeHint().width() + S2 if self._waiting else 0
        room = self._room_for(self.width() - beside)
        # What ended goes by itself; those that run and have no room here are counted, and in the list behind it.
        if _running(self._parked[room:]):
            self._more.setText(words.MORE.format(count=len(self._parked)))
            room = self._room_for(self.width() - beside - self._more.sizeHint().width() - S2)
        shown = self._parked[:room]
        for at, chip in enumerate(self._chips):
            chip.show_parked(shown[at] if at < len(shown) else None)
        rest = _running(self._parked[room:])
        self._more.setVisible(bool(rest))
        self._more.setText(words.MORE.format(count=rest))
        self._more.setAccessibleName(words.MORE_SAID.format(count=rest))

    def _room_for(self, width: int) -> int:
        """How many chips are in it."""
        return max(1, min(MOST, (width + S2) // (grown(_CHIP_LEAST) + S2)))

    def _show_time(self) -> None:
        for chip in self._chips:
            chip.show_time()


def _running(parked: Sequence[Parked]) -> int:
    return sum(not each.change.attempt.is_final for each in parked)


def _urgency(parked: Parked) -> int:
    """Those whose customer still has time first, then what needs somebody, then what is over."""
    attempt = parked.change.attempt
    return 0 if attempt.is_open else 2 if attempt.is_final and not attempt.needs_answer else 1


_KEPT = 2 * MOST
"""So many that ended are kept at the most, by whoever never looks; the lists have them all."""


class ParkedPayments:
    """Kept for everybody, shown to whom it concerns; what is on the panel is not in the row.

    What ended is there for a minute from when whom it concerns could see it; what they ended themselves is no news.
    """

    def __init__(self, row: ParkedRow, notices: Notices, till_state: TillState, freshness: Freshness) -> None:
        self.row = row
        self._notices = notices
        self._till_state = till_state
        self._freshness = freshness
        self._kept: dict[str, Parked] = {}

    def take(self, change: AttemptChanged) -> bool:
        """What became of a payment; whether somebody at the till should hear that it ended."""
        attempt = change.attempt
        is_aside = attempt.parked or self._till_state.ended_aside(attempt)
        if not is_aside or (attempt.is_final and not self._ran(attempt.attempt_id)):
            return False
        before = self._kept.get(attempt.attempt_id)
        was_told = before is not None and before.change.attempt.state is attempt.state
        self._kept[attempt.attempt_id] = Parked(change)
        ended = not attempt.is_open and self._till_state.shown_id != attempt.attempt_id
        if _ended_by_hand(attempt) and not self._till_state.wants_other(attempt.attempt_id):
            self.looked_at(attempt.attempt_id)
            ended = False
        elif ended:
            self._notices.take_ended(change)
        elif attempt.is_final:
            self.looked_at(attempt.attempt_id)
        self._forget_oldest()
        self.show()
        is_news = ended and not was_told
        return is_news and self._till_state.is_attended and self._till_state.concerns(attempt)

    def take_over(self, old: ParkedPayments) -> None:
        """What was kept in another window: of what had ended nobody is told anew, and whom it concerns may be away."""
        self._kept = old._kept | self._kept
        self._notices.take_over(old._notices)
        self.show()

    def tell(self, change: AttemptChanged) -> None:
        """Of a result that left the panel before anybody can have read it, as of one that ended aside."""
        if not _ended_by_hand(change.attempt):
            self._kept[change.attempt.attempt_id] = Parked(change)
            self._notices.take_ended(change)

    def show(self) -> None:
        """To whoever is at the till now."""
        here = [each for each in self._kept.values() if self._is_for(each.change.attempt)]
        if not self._till_state.is_attended:
            here = []
        for each in here:
            if each.change.attempt.is_final:
                self._freshness.came(each.change.attempt.attempt_id)
        self.row.show_parked(sorted(here, key=_urgency))
        self._notices.show_ended(self._till_state.concerns)

    def known(self, attempt_id: str) -> AttemptChanged | None:
        """One of them."""
        parked = self._kept.get(attempt_id)
        return None if parked is None else parked.change

    def bring_back(self, attempt_id: str) -> AttemptChanged | None:
        """The payment that was touched; parked anew it is the last in the row."""
        parked = self._kept.pop(attempt_id, None)
        if parked is None:
            return None
        self._kept[attempt_id] = parked
        self.looked_at(attempt_id)
        return parked.change

    def give_ended(self) -> AttemptChanged | None:
        """The newest that ended, for the notice that tells of it."""
        change = self._notices.give_ended(self._till_state.concerns)
        if change is not None:
            self.looked_at(change.attempt.attempt_id)
        return change

    def forget_old(self) -> None:
        """Over for a minute: above the next sale it would be taken for that one's. The lists have it."""
        ended = [each.change.attempt for each in self._kept.values() if each.change.attempt.is_final]
        old = [each for each in ended if self._is_old(each) and not each.needs_answer]
        for attempt in old:
            self.looked_at(attempt.attempt_id)
        if old:
            self.show()

    def _is_old(self, attempt: Attempt) -> bool:
        """What was paid is old by the clock alone; of any other end somebody has to have had the news."""
        young = self._freshness.is_young(attempt.attempt_id)
        return not young and (attempt.state is State.PAID or self._freshness.knows(attempt.attempt_id))

    def looked_at(self, attempt_id: str) -> None:
        """One that ended has been seen; one that runs stays."""
        parked = self._kept.get(attempt_id)
        if parked is not None and parked.change.attempt.is_final:
            del self._kept[attempt_id]
            self._notices.drop_ended(attempt_id)

    def _ran(self, attempt_id: str) -> bool:
        """Whether its end is news: what ended is asked about for a while, and is not told of again."""
        before = self._till_state.known(attempt_id)
        return attempt_id in self._kept or (before is not None and before.attempt.is_open)

    def _is_for(self, attempt: Attempt) -> bool:
        return self._till_state.concerns(attempt) and attempt.attempt_id != self._till_state.shown_id

    def _forget_oldest(self) -> None:
        ended = [key for key, each in self._kept.items() if each.change.attempt.is_final]
        for key in ended[: max(0, len(ended) - _KEPT)]:
            del self._kept[key]


def _ended_by_hand(attempt: Attempt) -> bool:
    """Cancelled by the cashier whose it is, or signed off by a manager at the till: whoever did it knows."""
    if attempt.needs_answer or not attempt.is_final or attempt.state in MONEY:
        return False
    wish = attempt.cancel_wish
    return attempt.state is State.SIGNED_OFF or (wish is not None and wish.who == attempt.owner)
