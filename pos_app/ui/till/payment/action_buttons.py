"""The buttons of a running payment or a result: one for each act, made when first offered."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Kind
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.till import Words
from pos_app.ui.till.payment.panel_model import Act
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow

_ICONS = {
    Act.QR: "qr",
    Act.PUSH: "phone",
    Act.CHECK: "checking",
    Act.ANSWER: "refund",
    Act.SIGN_REFUND: "refund",
}
_KEYS = {
    Act.CANCEL: Action.BACK,
    Act.CHECK: Action.CHECK,
    Act.PARK: Action.PARK,
    Act.LEAVE: Action.BACK,
    Act.QR: Action.QR,
    Act.PUSH: Action.PUSH,
}
_PAYING = (Act.QR, Act.PUSH)
_PRIMARY = (Act.ANSWER, Act.SIGN_REFUND, Act.CONTINUE, Act.NEXT)


class ActButtons(ButtonRow):
    """`chosen` carries the Act. The first of several ways to pay, or the way on, is the primary one."""

    chosen = Signal(object)

    def __init__(
        self, name: str, words: Words, *, centred: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, centred=centred, parent=parent)
        self._name = name
        self._words = words
        self._buttons: dict[Act, Button] = {}

    def offer(
        self,
        acts: tuple[Act, ...],
        *,
        forward: Act | None = None,
        by_manager: frozenset[Act] = frozenset(),
        beside: tuple[QWidget, ...] = (),
    ) -> None:
        """These acts and no others; `forward` is brought to the front as a warning.

        `by_manager`: those that a manager has to allow, which their buttons say. `beside`: other buttons after them.
        """
        ahead = [act for act in acts if act in _PAYING] or [act for act in acts if act in _PRIMARY]
        primary = ahead[0] if ahead else None
        buttons: list[QWidget] = []
        widths = [part.sizeHint().width() for part in self.parts]
        for act in acts:
            button = self.button(act)
            text = self._text(act)
            said = approval_words.BY_MANAGER.format(text=text) if act in by_manager else text
            button.setText(said)
            button.set_keycap(self._cap(act))
            button.set_kind("warn" if act is forward else "primary" if act is primary else "plain")
            buttons.append(button)
        self.set_parts([*buttons, *beside])
        if [part.sizeHint().width() for part in self.parts] != widths:
            # The same buttons with other words.
            self._place()

    def button(self, act: Act) -> Button:
        """The act's button."""
        if act not in self._buttons:
            made = Button(
                self._text(act),
                name=f"{self._name}_{act.value}",
                keycap=self._cap(act),
                icon=_ICONS.get(act, ""),
            )
            made.clicked.connect(lambda: self.chosen.emit(act))
            self._buttons[act] = made
        return self._buttons[act]

    def _cap(self, act: Act) -> str:
        if act is Act.NEXT:
            return self._words.result.any_digit
        return cap(_KEYS[act]) if act in _KEYS else ""

    def _text(self, act: Act) -> str:
        wait, result, method = self._words.wait, self._words.result, self._words.method
        return {
            Act.CANCEL: wait.cancel,
            Act.CHECK: wait.check,
            Act.PARK: wait.park,
            Act.LEAVE: result.leave,
            Act.NEXT: result.next_sale,
            Act.QR: method.qr,
            Act.PUSH: method.push,
            Act.CONTINUE: result.go_on,
            Act.CLOSE: result.close,
            Act.ANSWER: result.answer,
            Act.SIGN_REFUND: result.sign_refund,
        }[act]


def act_for(kind: Kind) -> Act:
    """The act that charges this way."""
    return Act.QR if kind is Kind.QR else Act.PUSH
