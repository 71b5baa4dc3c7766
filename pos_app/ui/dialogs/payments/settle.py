"""A person settles what the till cannot: what happened, and why. It records nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.refund import NoteWay
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.i18n.words.till import Words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, column, focus, heading
from pos_app.ui.dialogs.payments.refund_notes import WayBack
from pos_app.ui.dialogs.people.reason_field import ReasonField
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.badge import Badge, Mark
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.label import Label


class Outcome(msgspec.Struct, frozen=True):
    """One way to settle it: the action of an Answer ("complete", "refund", "paid", …) and its button.

    `by_manager`: somebody else has to allow it, which the button says.
    """

    action: str
    text: str
    kind: str = "plain"
    by_manager: bool = False


BACK = frozenset({"refund", "sign_refund"})
"""Actions that make a refund note."""


class Settle(LeftByEsc):
    """`settled(action, reason)` comes once, and once more after `ask_again`; `left` when it is put off.

    Where money may go back, `way` and `receiver` say how, and to whom.

    `who`: whose name it is recorded under, shown and never typed. `reasons` are offered as touches, so that a
    queue is not kept waiting for typing.
    """

    settled = Signal(str, str)

    def __init__(
        self,
        title: str,
        more: str,
        outcomes: Sequence[Outcome],
        words: Words,
        *,
        who: str = "",
        reasons: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self.setObjectName("settle")
        self._is_settled = False
        # What is shown or hidden before the layout takes it needs its parent: it were a window for a moment.
        said = words.ask.name.format(name=clean(who, 60))
        self.who = Label(said, "second", "muted", wrap=True, name="settle_who")
        self.who.setParent(self)
        self.who.setVisible(bool(who))
        self.reason = ReasonField("settle_reason", reasons, label=words.ask.reason)
        later = Button(words.ask.later, name="settle_later", kind="quiet")
        self.outcomes = {each.action: self._button(each) for each in outcomes}
        buttons = ButtonRow("settle_outcomes", at_end=True)
        buttons.set_parts([later, *self.outcomes.values()])
        text = Label(more, "body", "muted", wrap=True)
        label = refund_words.IF_BACK if len(self.outcomes) > 1 else refund_words.WAY
        self.back = WayBack("settle", label) if BACK.intersection(self.outcomes) else None
        back = [self.back] if self.back is not None else []
        column(self, heading(title, "settle_title"), text, self.who, self.reason, *back, buttons, spacing=S3)
        self.setFocusProxy(self.reason)
        self.reason.entered.connect(self._entered)
        if self.back is not None:
            self.back.entered.connect(self._entered)
        later.clicked.connect(self.left)

    @property
    def way(self) -> NoteWay:
        """How the money goes back, where it may."""
        return self.back.way if self.back is not None else NoteWay.CASH

    @property
    def receiver(self) -> str:
        """Who gets it, as it was typed."""
        return self.back.receiver if self.back is not None else ""

    def ask_again(self) -> None:
        """A manager is asked now, who may say no."""
        self._is_settled = False

    def _entered(self) -> None:
        """Enter does what a form is for; of several outcomes none is the one, and a button has to be pressed."""
        outcomes = list(self.outcomes.values())
        if len(outcomes) == 1:
            outcomes[0].click()
        elif self.reason.checked():
            focus(outcomes[0])

    def _button(self, outcome: Outcome) -> Button:
        text = approval_words.BY_MANAGER.format(text=outcome.text) if outcome.by_manager else outcome.text
        button = Button(text, name=f"settle_{outcome.action}", kind=outcome.kind)
        button.clicked.connect(lambda: self._settle(outcome.action))
        return button

    def _settle(self, action: str) -> None:
        if action in BACK and self.back is not None and not self.back.checked():
            return
        reason = self.reason.checked()
        if reason and not self._is_settled:
            self._is_settled = True
            self.settled.emit(action, reason)


_MARK = 72


class AnswerPanel(QWidget):
    """`settle` asks."""

    def __init__(self, settle: Settle, mark: Mark, hint: str = "") -> None:
        """`hint`: where keys go meanwhile, if nobody asked for it and so it has not taken them."""
        super().__init__()
        self.setObjectName("answer_panel")
        self.settle = settle
        disc = Badge("answer_mark")
        disc.show_mark(mark)
        disc.setFixedSize(_MARK, _MARK)
        self.hint = Label(hint, "second", "muted", wrap=True, name="answer_hint")
        self.hint.setParent(self)
        self.hint.setVisible(bool(hint))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(S3)
        outer.addWidget(self.hint)
        row = QHBoxLayout()
        outer.addLayout(row)
        row.setSpacing(S4)
        row.addWidget(disc, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(settle, 1)
        self.setFocusProxy(settle.focusProxy() or settle)
