"""A payment's receipt as it would be printed, to look at and to keep; and the verdict on a paper that was scanned."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.paper import WIDTHS, Bitmap, Paper, text_of
from pos_app.domain.receipt import Checked, Copy, Receipt, Verdict, shown_number
from pos_app.domain.record import wall_of
from pos_app.domain.views import ReceiptChecked, ReceiptProblem, ReceiptRead
from pos_app.i18n.papers import Papers
from pos_app.i18n.words.paper import words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, button_row, column, focus, heading, title_row
from pos_app.ui.key_sets import ENTER
from pos_app.ui.paper.strip import PaperStrip
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.post import name_request
from pos_app.ui.theme.tokens import S3
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel


class ReceiptSheet(LeftByEsc):
    """`left` when it is to go away. `receive` the engine's answer; the paper is drawn by the worker.

    What is shown and saved here is marked a copy: the original is the printer's.
    """

    def __init__(
        self,
        request_id: str,
        config: TillViewConfig,
        worker: PaperWorker,
        *,
        at_counter: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        """`at_counter`: where the copy of another counter's receipt is made; 0 for a receipt of this one."""
        super().__init__(parent)
        self.setObjectName("receipt_sheet")
        self._at_counter = at_counter
        self.setAccessibleName(words.TITLE)
        self.request_id = request_id
        self._config = config
        self._worker = worker
        self._papers = Papers(config.paper_language or config.language, config.letterhead)
        self._paper: Paper | None = None
        self._receipt: Receipt | None = None
        self._drawing = ""
        """The paper that is to be shown once it is drawn: a receipt that is told anew may have none."""
        dots = WIDTHS[config.paper_mm]
        self.strip = PaperStrip("receipt_strip", dots)
        self.said = SaidLabel(words.DRAWING, "body", "muted", wrap=True, name="receipt_said")
        self.save = Button(words.SAVE, name="receipt_save", kind="outline")
        # It has its place from the start: what stands at the panel's edge is laid out once.
        self.save.setEnabled(False)
        close = Button(words.CLOSE, name="receipt_close", keycap="Esc")
        close.clicked.connect(self.left)
        self.save.clicked.connect(self._save)
        held = QWidget()
        row = QHBoxLayout(held)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.strip, 0, Qt.AlignmentFlag.AlignHCenter)
        self.strip.hide()
        title = title_row(heading(words.TITLE, "receipt_title"), close)
        below = [button_row(self.save)] if config.papers_folder else []
        column(self, title, self.said, held, *below, spacing=S3)
        self.setFocusProxy(close)
        worker.drawn.connect(self._drawn)
        worker.saved.connect(self._saved)

    def receive(self, read: ReceiptRead) -> None:
        """What stands on it, or why there is none; told anew it takes the place of what was shown."""
        if read.request_id != self.request_id:
            return
        self.save.setEnabled(False)
        self._drawing = ""
        if read.receipt is None:
            self._paper = self._receipt = None
            self.strip.hide()
            self._tell(words.PROBLEM.get(read.problem, words.PROBLEM[ReceiptProblem.CANNOT_READ]), "bad")
            return
        self._receipt = read.receipt
        now = wall_of(datetime.now().astimezone())
        self._paper = self._papers.receipt(read.receipt, Copy(0, now, self._at_counter))
        said = text_of(self._paper).replace("\n", ". ")
        self.strip.setAccessibleName(words.SHOWN.format(text=said))
        self._drawing = name_request()
        self._worker.draw(self._drawing, self._paper, WIDTHS[self._config.paper_mm])

    def _drawn(self, key: str, bitmap: Bitmap) -> None:
        if key != self._drawing:
            return
        self.said.hide()
        self.strip.show_bitmap(bitmap)
        self.strip.show()
        self.save.setEnabled(True)

    def _save(self) -> None:
        if self._paper is None or self._receipt is None:
            return
        self.save.setEnabled(False)
        name = f"{self._receipt.number or self._receipt.attempt_id}.pdf"
        self._worker.save(self.request_id, self._paper, Path(self._config.papers_folder) / name)

    def _saved(self, key: str, path: str, problem: str) -> None:
        if key != self.request_id:
            return
        self.save.setEnabled(True)
        if problem:
            self._tell(words.NOT_SAVED.format(why=clean(problem, DETAILS_LIMIT)), "bad")
        else:
            self._tell(words.SAVED.format(path=path), "text")

    def _tell(self, text: str, tone: str) -> None:
        self.said.set_tone(tone)
        self.said.setText(text)
        self.said.show()
        focus(self.said)


class PaperVerdict(LeftByEsc):
    """`left` to go away, `opened(attempt)` to look at the payment that the paper is of."""

    opened = Signal(object)

    def __init__(
        self, checked: ReceiptChecked, config: TillViewConfig, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("paper_verdict")
        self.setAccessibleName(words.CHECKED)
        self._attempt = checked.checked.attempt if checked.checked is not None else None
        said = [Label(text, role, tone, wrap=True, name=f"verdict_{at}") for at, (text, role, tone) in
                enumerate(_lines(checked, config))]  # fmt: skip
        close = Button(words.CLOSE, name="verdict_close", keycap="Esc")
        close.clicked.connect(self.left)
        look = Button(words.LOOK, name="verdict_look", kind="primary")
        look.clicked.connect(lambda: self.opened.emit(self._attempt))
        title = title_row(heading(words.CHECKED, "verdict_title"), close)
        column(self, title, *said, button_row(look), spacing=S3)
        look.setVisible(self._attempt is not None)
        self.setFocusProxy(look if self._attempt is not None else close)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter looks at the payment."""
        is_enter = event.key() in ENTER
        if is_enter and self._attempt is not None and not event.isAutoRepeat():
            event.accept()
            self.opened.emit(self._attempt)
        else:
            super().keyPressEvent(event)


def _lines(answer: ReceiptChecked, config: TillViewConfig) -> list[tuple[str, str, str]]:
    """What is said, in which role and tone: the verdict first, then what the record has."""
    checked = answer.checked
    if checked is None:
        return [(words.PROBLEM.get(answer.problem, words.PROBLEM[ReceiptProblem.CANNOT_READ]), "lead", "bad")]
    found = [(words.VERDICT[checked.verdict], "lead", "text" if checked.is_ours else "bad")]
    if checked.attempt is not None:
        found += _facts(checked, checked.attempt, config)
    return found


def _noted(checked: Checked, attempt: Attempt, config: TillViewConfig) -> str:
    if checked.noted is None:
        return words.REFUNDED
    return words.NOTED.format(money=config.money_of(checked.noted, attempt.currency))


def _facts(checked: Checked, attempt: Attempt, config: TillViewConfig) -> list[tuple[str, str, str]]:
    found = []
    if checked.verdict is Verdict.OURS:
        found += [(_noted(checked, attempt, config), "strong", "bad")] if checked.was_noted else []
        found += [(words.NOW_DISPUTED, "strong", "bad")] if attempt.state is State.DISPUTED else []
    parts = (
        shown_number(attempt),
        config.money_of(attempt.amount, attempt.currency),
        till_words.state_of(attempt),
        attempt.tapped_wall[:16].replace("T", " "),
    )
    return [*found, (" · ".join(parts), "strong", "muted")]
