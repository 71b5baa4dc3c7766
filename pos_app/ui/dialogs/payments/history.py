"""All payments, newest first, however many: searched, opened, and saved as they are shown. It changes nothing."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import date_in
from pos_app.domain.search import LookThrough, Meant, Only, ReadRows
from pos_app.domain.views import AttemptChanged, PaymentRows, PaymentsCounted, StaffProblem
from pos_app.i18n.words.export import words as export_words
from pos_app.i18n.words.find import words as find_words
from pos_app.i18n.words.history import words
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading, title_row
from pos_app.ui.dialogs.payments.found import Found, paint_found, row_of, sought_in, spoken
from pos_app.ui.post import Post, name_request
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.long_rows import LongRows
from pos_app.ui.widgets.rows import Row


class HistoryList(LongRows):
    """Rows as the list of today has them."""

    def __init__(self, config: TillViewConfig) -> None:
        super().__init__("history_list", words.LIST)
        self._config = config

    def paint_row(self, row: Row, data: Found | None) -> None:
        """What is not here yet says so, and stays where it is."""
        if data is None:
            width, height = row.room.width() - 2 * S3, row.room.height()
            row.write(row.place(S3, 0, width, height), "second", tokens().muted, words.NOT_HERE_YET)
        else:
            paint_found(row, data)

    def spoken_row(self, data: Found | None) -> str:
        """As it is shown."""
        return words.NOT_HERE_YET if data is None else spoken(data, self._config)


class HistoryPanel(Panel):
    """`receive` what the engine publishes. `opened(attempt)` wants its details, `export_wanted(Meant)` what is shown
    as a file, `closed` to go away: then `end` says that nobody looks any more.
    """

    opened = Signal(object)
    export_wanted = Signal(object)
    closed = Signal()

    def __init__(
        self,
        config: TillViewConfig,
        post: Post,
        who: str,
        *,
        has_files: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("history")
        self._config = config
        self._post = post
        self._who = who
        self._today = f"{datetime.now().astimezone():%Y-%m-%d}"
        self._asked = ""
        self._only = Only.ALL
        self._noted: dict[str, Decimal] = {}
        self.meant = Meant()
        self.found = Label("", "strong", name="history_found")
        self.close_button = Button(words.CLOSE, name="history_close", keycap="Esc")
        self.field = Field(find_words.SEARCH, "history_search", example=find_words.EXAMPLE)
        self.first = Field(export_words.FROM, "history_from", example=export_words.DATE_EXAMPLE)
        self.last = Field(export_words.TO, "history_to", example=export_words.DATE_EXAMPLE)
        self.filters = {
            only: Button(text, name=f"history_{only.value}", role="chip").padded(S2)
            for only, text in (
                (Only.ALL, find_words.ALL),
                (Only.PAID, find_words.PAID),
                (Only.NOT_PAID, find_words.NOT_PAID),
            )
        }
        self.said = Label("", "body", "muted", wrap=True, name="history_said")
        self.said.hide()
        self.rows = HistoryList(config)
        self.export = Button(words.EXPORT, name="history_export")
        self._lay_out(has_files=has_files)
        self.setFocusProxy(self.field)
        for field in (self.field, self.first, self.last):
            field.edited.connect(self._look)
            field.entered.connect(self._to_list)
        for only, button in self.filters.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, only=only: self._show_only(only))
        self.rows.picked.connect(lambda found: self.opened.emit(found.attempt))
        self.rows.block_wanted.connect(self._read)
        self.rows.typed.connect(self._type)
        self.export.clicked.connect(self._export)
        self.close_button.clicked.connect(self.closed)
        self._look()

    def _lay_out(self, *, has_files: bool) -> None:
        search = QWidget()
        row = QHBoxLayout(search)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S3)
        row.addWidget(self.field, 2)
        row.addWidget(self.first, 1)
        row.addWidget(self.last, 1)
        chips = ButtonRow("history_filters")
        chips.set_parts(list(self.filters.values()))
        title = title_row(heading(words.TITLE, "history_title"), self.found, self.close_button)
        below = [button_row(self.export)] if has_files else []
        laid = column(self, title, search, chips, self.said, self.rows, *below, spacing=S3)
        laid.setStretchFactor(self.rows, 1)

    def receive(self, published: PaymentsCounted | PaymentRows | AttemptChanged) -> None:
        """How many there are by now, a block of them, or what became of one."""
        match published:
            case PaymentsCounted() if published.request_id == self._asked:
                self._take_count(published)
            case PaymentRows() if published.request_id == self._asked:
                self._take_rows(published)
            case AttemptChanged():
                self._take_change(published.attempt)

    def take_noted(self, attempt_id: str, back: Decimal) -> None:
        """What a payment's refund notes come to by now."""
        self._noted[attempt_id] = back
        shown = (found.attempt for _, _, found in self.rows.known_rows())
        attempt = next((each for each in shown if each.attempt_id == attempt_id), None)
        if attempt is not None:
            self._take_change(attempt)

    def end(self) -> None:
        """Nobody looks any more."""
        self._asked = ""
        self._post(LookThrough(request_id="", who=self._who))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows lead into the list; Esc closes."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            event.accept()
            self.rows.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _type(self, character: str) -> None:
        """Typed in the list: it belongs to the search."""
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.edit.type_over(character)

    def _take_count(self, counted: PaymentsCounted) -> None:
        if counted.problem:
            self.found.setText("")
            self._say_why_not(counted.problem)
            return
        self.rows.set_count(counted.count, counted.block)
        said = words.FOUND if counted.is_over else words.LOOKING
        self.found.setText(said.of(counted.count))
        is_none = counted.is_over and not counted.count
        self.said.setText(words.NONE if is_none else "")
        self.said.setVisible(is_none)
        self.export.setEnabled(bool(counted.count))

    def _take_rows(self, read: PaymentRows) -> None:
        if read.problem:
            self.rows.give_up_block(read.block)
            self._say_why_not(read.problem)
            return
        self._noted |= read.noted
        rows = [row_of(each, self._config, self._today, read.noted) for each in read.rows]
        self.rows.take_block(read.block, rows)
        self.said.setVisible(not self.rows.count())

    def _say_why_not(self, problem: StaffProblem) -> None:
        self.said.setText(find_words.PROBLEM.get(problem, find_words.UNKNOWN))
        self.said.show()

    def _take_change(self, attempt: Attempt) -> None:
        for block, at, found in self.rows.known_rows():
            if found.attempt.attempt_id == attempt.attempt_id:
                self.rows.replace_row(block, at, row_of(attempt, self._config, self._today, self._noted))

    def _show_only(self, only: Only) -> None:
        self._only = only
        self._look()

    def _look(self) -> None:
        """From the newest on, of what is meant now."""
        days = self._days()
        for only, button in self.filters.items():
            button.set_kind("picked" if only is self._only else "plain")
            button.setChecked(only is self._only)
        self.meant = Meant(
            sought=sought_in(self.field.text().strip(), self._config),
            earliest=days[0],
            latest=days[1],
            only=self._only,
        )
        self._asked = name_request()
        self.rows.begin()
        self._post(LookThrough(request_id=self._asked, meant=self.meant, who=self._who))

    def _days(self, *, is_typed: bool = False) -> tuple[str, str]:
        """From and to; what is no day is no bound. `is_typed`: nobody is in the middle of one."""
        days: list[str] = []
        is_wrong = False
        for field in (self.first, self.last):
            text = field.text().strip()
            field.clear_error()
            try:
                days.append(date_in(text).isoformat() if text else "")
            except ValueError:
                days.append("")
                if is_typed or len(text) >= len(export_words.DATE_EXAMPLE):
                    field.show_error(export_words.BAD_DATE, focus=is_typed and not is_wrong)
                    is_wrong = True
        if all(days) and days[0] > days[1]:
            self.last.show_error(export_words.BAD_ORDER, focus=is_typed)
        return days[0], days[1]

    def _check_days(self) -> bool:
        """Whether what is shown is what was meant; what is wrong is said, and has the keyboard."""
        self._days(is_typed=True)
        return self.first.error.isHidden() and self.last.error.isHidden()

    def _to_list(self) -> None:
        """Enter in a field."""
        if self._check_days():
            self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _export(self) -> None:
        if self._check_days():
            self.export_wanted.emit(self.meant)

    def _read(self, block: int) -> None:
        self._post(ReadRows(request_id=self._asked, block=block, who=self._who))
