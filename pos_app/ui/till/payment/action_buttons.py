"""The buttons of a running payment or a result: one for each act, made when first offered."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.till import Words
from pos_app.ui.theme.tokens import GAP
from pos_app.ui.till.payment.panel_model import Act
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow, height_of
from pos_app.ui.widgets.paint import keycap_size

_ICONS = {
    Act.QR: "qr",
    Act.PUSH: "phone",
    Act.CHECK: "checking",
    Act.ANSWER: "refund",
    Act.SIGN_REFUND: "refund",
    Act.PRINT: "list",
}
_KEYS = {
    Act.CANCEL: Action.BACK,
    Act.CHECK: Action.CHECK,
    Act.PARK: Action.PARK,
    Act.LEAVE: Action.BACK,
    Act.QR: Action.QR,
    Act.PUSH: Action.PUSH,
    Act.PRINT: Action.PRINT,
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
        self._later: tuple[QWidget, ...] = ()
        self._acts: tuple[Act, ...] = ()
        self._is_tight = False

    def offer(
        self,
        acts: tuple[Act, ...],
        *,
        forward: Act | None = None,
        by_manager: frozenset[Act] = frozenset(),
        beside: tuple[QWidget, ...] = (),
        later: tuple[QWidget, ...] = (),
    ) -> None:
        """These acts and no others; `forward` is brought to the front as a warning.

        `by_manager`: those that a manager has to allow, which their buttons say. `beside`: other buttons after them.
        `later`: buttons that may come beside them. They have their room from the beginning: none moves the others.
        """
        self._later, self._acts = later, acts
        ahead = [act for act in acts if act in _PAYING] or [act for act in acts if act in _PRIMARY]
        primary = ahead[0] if ahead else None
        buttons: list[QWidget] = []
        widths = [part.sizeHint().width() for part in self.parts]
        for act in acts:
            button = self.button(act)
            text = self._text(act)
            said = approval_words.BY_MANAGER.format(text=text) if act in by_manager else text
            button.setText(said)
            button.set_keycap("" if self._is_tight else self._cap(act))
            button.set_kind("warn" if act is forward else "primary" if act is primary else "plain")
            buttons.append(button)
        self.set_parts([*buttons, *beside])
        self._fit_keycaps()
        if [part.sizeHint().width() for part in self.parts] != widths:
            # The same buttons with other words.
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        self._fit_keycaps()
        super().resizeEvent(event)

    def _fit_keycaps(self) -> None:
        """Where a button to come would need a line of its own, the keys are left to the help."""
        tight = bool(self._later) and self._needed(self._acts) > self.width()
        if tight != self._is_tight:
            self._is_tight = tight
            for act in self._acts:
                self.button(act).set_keycap("" if tight else self._cap(act))

    def _needed(self, acts: tuple[Act, ...]) -> float:
        """The width of one line with all keycaps and what may come."""
        own = [self.button(act) for act in acts]
        bare = sum(each.sizeHint().width() + GAP for each in (*own, *self._later)) - GAP
        if not self._is_tight:
            return bare
        return bare + sum(keycap_size(self._cap(act)).width() + GAP for act in acts if self._cap(act))

    def heightForWidth(self, width: int) -> int:
        """With the room of what may come."""
        parts = self.parts
        to_come = [each for each in self._later if each not in parts]
        return height_of([part.sizeHint() for part in (*parts, *to_come)], width)

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
            Act.PRINT: printing_words.PRINT_RECEIPT,
            Act.QR: method.qr,
            Act.PUSH: method.push,
            Act.CONTINUE: result.go_on,
            Act.CLOSE: result.close,
            Act.ANSWER: result.answer,
            Act.SIGN_REFUND: result.sign_refund,
        }[act]
