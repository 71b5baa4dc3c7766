"""The till's window alone, with what the engine would publish in the test's hand; and in each of its states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Charge, Command
from pos_app.domain.sale import Sale
from pos_app.domain.staff import StaffCommand
from pos_app.domain.views import AttemptChanged, Block, ChargeOpened, Connection, Terminal
from pos_app.gallery.payments import RESULTS, WAITING, WISH
from pos_app.ui.theme import theme
from pos_app.ui.till.window.exits import Exits
from pos_app.ui.till.window.main_window import MainWindow
from tests.support.driver import Driver
from tests.support.published import RUWAN, attempt, change, config, recent, terminal

__all__ = ["STATES", "WISH", "Stage"]


class Stage(Driver):
    """A window, and what it posted. Without a `qtbot` whoever made it closes it."""

    def __init__(
        self, qtbot: Any, *, size: tuple[int, int] = (1366, 768), colours: str = "light", **told: Any
    ) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.apply(app, colours)
        self.posted: list[Command | StaffCommand] = []
        exits = Exits(
            diagnostics=told.pop("diagnostics", None),
            leave=told.pop("leave", None),
            store=told.pop("store_door", None),
        )
        keys_wanted = told.pop("keys_wanted", None)
        window = MainWindow(
            config(theme=colours, **told), self.posted.append, exits=exits, keys_wanted=keys_wanted
        )
        super().__init__(window)
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

    def commands(self, kind: type) -> list[Any]:
        """What was posted of this kind."""
        return [command for command in self.posted if isinstance(command, kind)]

    def part(self, name: str) -> Any:
        """The part of this name, seen or not; where there are several, the one that can be seen."""
        found = self.window.findChildren(QWidget, name)
        if len(found) > 1:
            found = [each for each in found if each.isVisible()]
        assert len(found) == 1, (name, found)
        return found[0]

    def begin(self, it: AttemptChanged) -> None:
        """Charge and let the engine open this attempt, whatever its state then is."""
        self.type(f"{it.attempt.amount}")
        self.press(Qt.Key.Key_F3 if it.attempt.kind is Kind.PUSH else Qt.Key.Key_F2)
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
    "ready": lambda on: on.part("amount_pad").clear(),
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
