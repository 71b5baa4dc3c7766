"""Today's payments, newest first, and the search among them (F4). It asks the engine and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import count

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import State
from pos_app.domain.phone import NumberError, parse_number
from pos_app.domain.search import PAGE, Cursor, FindPayments, Sought, amounts_meant, matches, may_be_number
from pos_app.domain.views import AttemptChanged, PaymentsFound
from pos_app.i18n.words.find import words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, title_row
from pos_app.ui.dialogs.payments.found_list import FoundList, day_of
from pos_app.ui.dialogs.sign_in.digit_pad import DigitPad
from pos_app.ui.post import Post
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.tokens import S2, S3, S5
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import CENTRE, Label

TURNS = 25
"""So many answers in a row are asked for without a touch: a search without a hit ends after some thousand."""

_SIDE = 280
_SIDE_SHARE = 0.36
_WIDE_ENOUGH = 700
_STATE_FROM = 2
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_REQUESTS = count(1)


def _now() -> datetime:
    return datetime.now().astimezone()


class FoundPayments(Panel):
    """`receive` what the engine publishes. `opened(attempt)` wants its details, `closed` to go away."""

    opened = Signal(object)
    closed = Signal()

    def __init__(
        self,
        config: TillViewConfig,
        post: Post,
        *,
        now: Callable[[], datetime] = _now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("found_payments")
        self._config = config
        self._post = post
        self._today = f"{now():%Y-%m-%d}"
        self._sought = Sought()
        self._asked = ""
        self._is_first = True
        self._is_asking = False
        self._all_days = False
        self._more: Cursor | None = None
        self._wanted = PAGE
        self._turns = 0
        self.title = heading(words.TITLE, "found_title")
        self.close_button = Button(words.CLOSE, name="found_close", keycap="Esc")
        self.field = Field(words.SEARCH, "found_search", example=words.EXAMPLE)
        self.hint = Label(words.HINT, "second", "muted", wrap=True, name="found_hint")
        self.pad = DigitPad("found_pad", lambda: self.field.edit)
        self.said = Label(words.LOOKING, "body", "muted", wrap=True, align=CENTRE, name="found_said")
        self.rows = FoundList(config)
        self.earlier = Button(words.EARLIER, name="found_earlier", kind="outline")
        self.earlier.hide()
        self._lay_out()
        self.setFocusProxy(self.field)
        self.field.edited.connect(self._search)
        self.field.entered.connect(self.rows.pick_current)
        self.rows.picked.connect(self.opened)
        self.rows.typed.connect(self._type)
        self.rows.end_neared.connect(self._want_more)
        self.earlier.clicked.connect(self._look_earlier)
        self.close_button.clicked.connect(self.closed)
        self._begin()

    def _lay_out(self) -> None:
        self._side = QWidget()
        self._side.setFixedWidth(_SIDE)
        column(self._side, self.field, self.hint, self.pad, spacing=S3).addStretch(1)
        found = QVBoxLayout()
        found.setSpacing(S2)
        for part in (self.said, self.rows):
            found.addWidget(part)
        found.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        found.addStretch(0)
        found.setStretch(1, 1)
        room = QWidget()
        # With few rows or none the panel stays where it is.
        room.setMinimumHeight(self.rows.sizeHint().height())
        both = QHBoxLayout(room)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(S5)
        both.addWidget(self._side)
        both.addLayout(found, 1)
        column(self, title_row(self.title, self.close_button), room, spacing=S3)

    def receive(self, published: PaymentsFound | AttemptChanged) -> None:
        """An answer, or what became of a payment meanwhile."""
        if isinstance(published, AttemptChanged):
            self._take_change(published)
        elif published.request_id == self._asked:
            self._take_found(published)

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
        self._sought = self._meant(self.field.text().strip())
        self._all_days = False
        self._begin()

    def _meant(self, text: str) -> Sought:
        folded = text.casefold()
        states = till_words.state.items() if len(text) >= _STATE_FROM else ()
        return Sought(
            text=text,
            amounts=amounts_meant(text, self._config.written),
            states=frozenset(State(state) for state, word in states if word.casefold().startswith(folded)),
            number=self._number(text),
        )

    def _number(self, text: str) -> str:
        if not may_be_number(text):
            return ""
        try:
            return parse_number(text, self._config.country)
        except NumberError:
            return ""

    def _begin(self) -> None:
        """From the newest on; what is listed stays until the first answer comes."""
        self._is_first = True
        self._more = None
        self._wanted = PAGE
        self.title.setText(words.TITLE_ALL if self._all_days else words.TITLE)
        self._ask(anew=True)

    def _ask(self, *, anew: bool = False) -> None:
        self._turns = 0 if anew else self._turns + 1
        self._is_asking = True
        self._asked = f"find-{next(_REQUESTS)}"
        earliest = "" if self._all_days else self._today
        command = FindPayments(
            request_id=self._asked, sought=self._sought, earliest=earliest, before=self._more
        )
        self._post(command)

    def _take_found(self, answer: PaymentsFound) -> None:
        self._is_asking = False
        if self._is_first:
            self._is_first = False
            self.rows.clear()
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
        self.title.setText(words.TITLE_ALL)
        self.earlier.hide()
        self._wanted += PAGE
        self._ask(anew=True)
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_change(self, change: AttemptChanged) -> None:
        """A list that is looked at tells what becomes of each payment in it."""
        attempt = change.attempt
        if self._is_first or self.rows.put(attempt, self._today):
            return
        listed = self.rows.attempts()
        is_newest = not listed or attempt.tapped_at > listed[0].tapped_at
        if is_newest and matches(attempt, self._sought):
            self.rows.put_first(attempt, self._today)
            self.said.hide()
            self.rows.show()
