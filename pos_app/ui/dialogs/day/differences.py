"""A day beside the service's list: how far it is, what differs and what is at risk. It decides and posts nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.reconcile import Decided, DifferenceKind, Run
from pos_app.domain.views import ReconStep, ReconView
from pos_app.i18n.words.reconcile import words
from pos_app.ui.dialogs.parts.lines import (
    LeftByEsc,
    beside_each_other,
    button_row,
    column,
    focus,
    heading,
    title_row,
)
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.label import Label

SHOWN = 50
"""So many stand here at once; the others come with a touch."""

_SHORT = 120
_ABOVE = 4


class DifferencesPanel(LeftByEsc):
    """`sign_wanted(Decided)`, `sign_all_wanted(class)`, `more_wanted(key)`, `stop_wanted`, `left`.

    `run` is what is shown, None while the first one is under way.
    """

    sign_wanted = Signal(object)
    sign_all_wanted = Signal(str)
    more_wanted = Signal(str)
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("differences")
        self.run: Run | None = None
        self.found: list[Decided] = []
        self._rows: list[QWidget] = []
        self._keys_at: int | None = None
        """The row that had the keyboard when the list was begun anew."""
        self._waits = False
        """Whether the next ones are on their way: asked for twice they would come twice."""
        self.of_time = Label("", "second", "muted", wrap=True, name="differences_time")
        self.of_time.setParent(self)
        self.said = Label(words.READING, "strong", wrap=True, name="differences_said")
        self.of_time.setVisible(False)
        self.more = Label("", "body", "warn", wrap=True, name="differences_more")
        self.more.setParent(self)
        self.more.setVisible(False)
        self.stop = Button(words.STOP, name="differences_stop")
        self.next = Button(words.NEXT, name="differences_next")
        self.back = back = Button(words.BACK, name="differences_back", keycap="Esc")
        title = title_row(heading(words.TITLE, "differences_title"), back)
        self._column = column(
            self, title, self.of_time, self.said, self.more, button_row(self.stop, self.next), spacing=S3
        )
        self.next.setVisible(False)
        self.setFocusProxy(back)
        back.clicked.connect(self.left)
        self.stop.clicked.connect(self.stop_wanted)
        self.next.clicked.connect(self._want_more)

    def show_view(self, view: ReconView) -> None:
        """How far it is."""
        if self.run is not None or not self.stop.isVisibleTo(self):
            return
        match view.step:
            case ReconStep.READING if view.back_to:
                self.said.setText(words.READ.of(view.rows, time=view.back_to))
            case ReconStep.READING:
                self.said.setText(words.READING)
            case ReconStep.COMPARING:
                self.said.setText(words.COMPARING)
            case ReconStep.ASKING:
                self.said.setText(words.ASKING.format(asked=view.asked, count=view.to_ask))
            case ReconStep.ENDING:
                self.said.setText(words.ENDING)

    def say_problem(self, text: str) -> None:
        """Nothing is compared, and why."""
        self._waits = False
        self.stop.setVisible(False)
        self.said.setText(text)
        self.said.set_tone("bad")

    def show_run(self, run: Run) -> None:
        """What it came to; its differences come by `show_found`."""
        self.run = run
        self.stop.setVisible(False)
        self.of_time.setVisible(True)
        self.of_time.setText(words.OF_TIME.format(first=run.first, last=run.last))
        first, *others = [*words.result(run)] or [words.NOTHING]
        self.said.setText(first)
        self.said.set_tone("text" if run.complete else "bad")
        self.more.setText("\n".join(others))
        self.more.setVisible(bool(others))

    def begin_list(self) -> None:
        """It is read from its beginning. The keyboard waits at no button that is another one a moment later."""
        held = self.window().focusWidget()
        for place, row in enumerate(self._rows):
            if held is not None and row.isAncestorOf(held):
                self._keys_at = place
                focus(self.back)
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows.clear()
        self.found.clear()
        self._waits = True

    def show_found(self, found: Sequence[Decided], *, more: bool) -> None:
        """The next of them."""
        if self.run is not None:
            # Why they could not be read before is over.
            self.show_run(self.run)
        for each in found:
            row = self._row(each, len(self.found))
            self.found.append(each)
            self._rows.append(row)
            self._column.insertWidget(_ABOVE + len(self._rows) - 1, row)
        self.next.setVisible(more)
        self._waits = False
        if self._keys_at is not None:
            # Once the rows have their places.
            QTimer.singleShot(0, self, self._go_on)

    def _go_on(self) -> None:
        """The keyboard to where it was, or to the next that can be signed for."""
        place, self._keys_at = self._keys_at, None
        if place is None or not self.back.hasFocus():
            return
        for row in self._rows[place:]:
            buttons = row.findChildren(Button)
            if buttons:
                focus(buttons[-1])
                return

    def _want_more(self) -> None:
        """Once. The button is not disabled: it would give the keyboard to the way back, and Enter again would leave."""
        if not self._waits:
            self._waits = True
            self.more_wanted.emit(self.found[-1].difference.key if self.found else "")

    def _row(self, each: Decided, place: int) -> QWidget:
        difference, name = each.difference, f"difference_{place}"
        row = Card(f"{name}_card", ground="bg", edge="line")
        tone = "bad" if difference.at_risk is None or difference.at_risk else "muted"
        lines = [difference.at, *(clean(line, _SHORT) for line in words.sides(difference))]
        if difference.sale_id:
            lines.insert(0, words.SALE.format(sale=difference.sale_id))
        about = clean(difference.attempt_id or difference.wallet_transaction_id or difference.subject, _SHORT)
        parts: list[QWidget] = [
            Label(words.KIND[difference.kind], "strong", wrap=True, name=f"{name}_kind"),
            Label(words.risk(difference), "body", tone, wrap=True, name=f"{name}_risk"),
            Label("\n".join([*lines, about]), "second", "muted", wrap=True, name=f"{name}_sides"),
        ]
        if each.is_open:
            parts.append(beside_each_other(*self._buttons(each, name)))
        else:
            signed = words.SIGNED.format(name=clean(each.name, _SHORT), reason=clean(each.reason, _SHORT))
            parts.append(Label(signed, "body", wrap=True, name=f"{name}_signed"))
        column(row, *parts, spacing=S3).setContentsMargins(S4, S3, S4, S3)
        return row

    def _buttons(self, each: Decided, name: str) -> list[Button]:
        if each.difference.kind is DifferenceKind.INCOMPLETE:
            return []
        sign = Button(words.SIGN, name=f"{name}_sign")
        sign.clicked.connect(lambda: self.sign_wanted.emit(each))
        kind = each.difference.kind.value
        count = self.run.differences.get(kind, 0) if self.run is not None else 0
        if count < 2 or any(other.difference.kind == kind for other in self.found):
            return [sign]
        sign_all = Button(words.SIGN_ALL, name=f"{name}_sign_all")
        sign_all.clicked.connect(lambda: self.sign_all_wanted.emit(kind))
        return [sign_all, sign]
