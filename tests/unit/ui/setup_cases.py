"""Where the wishes of the wizard and the settings go in tests: remembered, answered when a test says so."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.app.set_up import live_counter
from pos_app.domain.replies import QueryReply
from pos_app.ui.dialogs.set_up.form import FieldProblem, SetUp
from pos_app.ui.dialogs.set_up.wizard import WizardCalls
from tests.unit.ui.dialog_cases import Posted


class Elsewhere:
    """Each list holds what was asked, with the way to answer it."""

    def __init__(self) -> None:
        self.tried_sandbox = 0
        self.tests: list[tuple[SetUp, Callable[[QueryReply], None]]] = []
        self.saves: list[tuple[SetUp, Callable[[tuple[FieldProblem, ...]], None]]] = []
        self.posted = Posted()

    def try_sandbox(self) -> None:
        self.tried_sandbox += 1

    def test(self, counter: SetUp, answer: Callable[[QueryReply], None]) -> None:
        self.tests.append((counter, answer))

    def save(self, counter: SetUp, answer: Callable[[tuple[FieldProblem, ...]], None]) -> None:
        self.saves.append((counter, answer))

    def calls(self) -> WizardCalls:
        return WizardCalls(
            try_sandbox=self.try_sandbox,
            check=live_counter,
            test_connection=self.test,
            save=self.save,
            post=self.posted,
        )
