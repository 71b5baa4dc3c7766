"""The window in each of its states, as the tests and whoever looks at them put it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Charge, Command
from pos_app.domain.sale import Sale
from pos_app.domain.staff import StaffCommand
from pos_app.domain.views import AttemptChanged, Block, ChargeOpened, Connection, Terminal
from pos_app.gallery.payments import RESULTS, WAITING, WISH
from pos_app.ui.theme import theme
from pos_app.ui.till.window.main_window import MainWindow
from tests.unit.ui.till_cases import RUWAN, attempt, change, config, recent, terminal

__all__ = ["STATES", "WISH", "Stage"]


class Stage:
    """A window, and what it posted."""

    def __init__(
        self, qtbot: Any, *, size: tuple[int, int] = (1366, 768), colours: str = "light", **told: Any
    ) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.apply(app, colours)
        self.posted: list[Command | StaffCommand] = []
        beside = {name: told.pop(name) for name in ("diagnostics", "leave") if name in told}
        self.window = MainWindow(config(theme=colours, **told), self.posted.append, **beside)
        # The function keeps the window until the test's end: qtbot itself keeps only a weak reference.
        if qtbot is not None:
            qtbot.addWidget(self.window, before_close_func=lambda _window: self.posted.clear())
        self.window.resize(*size)
        self.window.show()
        self.window.receive(terminal(recent=recent()))

    def receive(self, *published: Any) -> None:
        """As the bridge does."""
        for each in published:
            self.window.receive(each)

    def settle(self) -> None:
        """Lets the window do all that is due now: layouts, repaints, queued signals."""
        for _ in range(3):
            QApplication.processEvents()

    def commands(self, kind: type) -> list[Any]:
        """What was posted of this kind."""
        return [command for command in self.posted if isinstance(command, kind)]

    def part(self, name: str) -> Any:
        """The part of this object name; there is exactly one, or one that is visible."""
        found = self.window.findChildren(QWidget, name)
        if len(found) > 1:
            found = [each for each in found if each.isVisible()]
        assert len(found) == 1, (name, found)
        return found[0]

    def seen(self, name: str) -> bool:
        """Whether a part of this name is visible."""
        return any(each.isVisible() for each in self.window.findChildren(QWidget, name))

    def type(self, qtbot: Any, keys: str) -> None:
        """Keys into whatever has the focus."""
        for key in keys:
            qtbot.keyClicks(self.window.focusWidget() or self.window, key)

    def press(self, qtbot: Any, key: Any) -> None:
        """One key into whatever has the focus."""
        qtbot.keyClick(self.window.focusWidget() or self.window, key)

    def press_at_keypad(self, key: Qt.Key, printed: str) -> None:
        """A key of the numeric keypad."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, Qt.KeyboardModifier.KeypadModifier, printed)
            QApplication.sendEvent(self.window.focusWidget() or self.window, event)

    def begin(self, it: AttemptChanged) -> None:
        """Charge and let the engine open this attempt, whatever its state then is."""
        for digit in f"{it.attempt.amount}":
            self.window._pad.type(digit)
        self.window._controller._actions.charge(it.attempt.kind)
        if it.attempt.kind is Kind.PUSH:
            self.part("wallet_number").setText("077 123 4567")
            self.part("push_send").click()
        asked = self.commands(Charge)[-1]
        self.receive(ChargeOpened(asked.request_id, it.attempt.attempt_id, it.attempt.sale_id), it)
        self.posted.clear()


_NOT_BEGUN = ("from-before-restart", "late-payment", "paid-twice")
"""These come by themselves: nobody has just charged."""


def _overpaid() -> Sale:
    return change().sale


STATES: dict[str, Callable[[Stage], None]] = {
    "ready": lambda on: on.window._pad.clear(),
    **{
        name: lambda on, shown=shown: on.begin(shown)  # type: ignore[misc]
        for name, shown in {**WAITING, **RESULTS}.items()
        if name not in _NOT_BEGUN
    },
    "late": lambda on: on.receive(change(attempt(state=State.PAID_LATE, ended_at=18_000))),
    "twice": lambda on: on.receive(terminal(signed_in=RUWAN, overpaid=(_overpaid(),), recent=recent())),
    "blocked": lambda on: on.receive(terminal(block=Block.STARTING, open=recent())),
    "halted": lambda on: on.receive(terminal(block=Block.JOURNAL_HALTED, block_detail="disk full")),
    "lost": lambda on: on.receive(terminal(connection=Connection.SIGN_IN_REFUSED, attention=recent())),
    "before-restart": lambda on: on.receive(RESULTS["from-before-restart"]),
    "nobody": lambda on: on.receive(Terminal(block=Block.NONE)),
}
"""Every state a cashier can meet, by name."""
