"""A learner at the sandbox's till, worked as a person does: the till by its keys, the coach and the phone by touch."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.bootstrap.options import Options
from pos_app.training.coach.sheet import Sheet
from pos_app.training.controller import CourseController, Page
from pos_app.training.course.run import Outcome
from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip
from tests.support.driver import Driver
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

RIGHT, WRONG = "0771234567", "0771234568"
F5, F6, F9 = Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_F9


class Trainee(StartedTill):
    """One run of `pos-app training`, or with `course=False` of `pos-app --sandbox`."""

    def __init__(self, data_dir: Path, *, course: bool = True) -> None:
        asked = Options(sandbox=True, training=course, data_dir=data_dir)
        super().__init__(Sandbox(), asked)
        try:
            self.until(lambda: self.session.beside is not None and self.sheet.isVisible())
            self.meet_own_sandbox()
        except BaseException:
            # Nobody else can: a till left open stands before every test that comes after.
            self.stop()
            raise

    @property
    def sheet(self) -> Sheet:
        """The window beside the till."""
        assert self.session.beside is not None
        return self.session.beside.sheet

    @property
    def controller(self) -> CourseController:
        """The course."""
        assert self.session.beside is not None
        return self.session.beside.controller

    @property
    def coach(self) -> Driver:
        """The sheet, worked by touch."""
        return Driver(self.sheet)

    def begin(self, name: str = "Asha") -> None:
        """Says who learns."""
        self.until(lambda: self.controller.page is Page.WHO)
        field = self.coach.part("learner")
        field.clear()
        QTest.keyClicks(field, name)
        self.coach.touch("course_begin")

    def start(self, key: str) -> None:
        """From the list into an exercise."""
        self.until(lambda: self.controller.page is Page.EXERCISES)
        row = self.sheet.findChild(QWidget, f"exercise_{key}")
        assert row is not None
        QTest.mouseClick(row, Qt.MouseButton.LeftButton)
        self.coach.touch("course_start")
        self.until_step("charge")
        self.until(lambda: self.controller.is_idle)

    def until_step(self, key: str) -> None:
        """The instruction of this step stands on the coach, or on the strip."""
        self.until(lambda: self.controller.run is not None and self.controller.run.step.key == key)

    def steps(self) -> list[str]:
        """Where this till's course is from now on, each time that it says so: a step may pass by itself."""
        controller, steps = self.controller, list[str]()
        controller.changed.connect(lambda: steps.append(controller.run.step.key) if controller.run else None)
        return steps

    def decide(self, decision: Decision) -> None:
        """What becomes of the goods."""
        if self.sheet.is_folded:
            self.coach.touch("unfold")
        self.coach.touch(f"goods_{decision.value}")

    def hand_over(self) -> None:
        """The goods go."""
        self.decide(Decision.HAND_OVER)

    def until_right(self) -> None:
        """The coach says so, and the exercise is marked."""
        self.until(lambda: self.controller.page is Page.VERDICT)
        run = self.controller.run
        assert run is not None
        assert run.outcome is Outcome.RIGHT, run.slip
        assert self.coach.says("verdict") == "Right"

    def until_slip(self, slip: Slip) -> str:
        """The coach says why it would have cost money; the words."""
        self.until(lambda: self.controller.page is Page.VERDICT)
        run = self.controller.run
        assert run is not None
        assert run.slip is slip, (run.slip, run.outcome)
        assert self.coach.says("verdict") == "This would have cost money"
        return self.coach.says("verdict_why")

    def to_the_list(self) -> None:
        """All exercises again."""
        self.coach.touch("course_back")

    def ask_by_phone(self, amount: str, number: str = RIGHT) -> None:
        """A push, until the till waits for it or knows that it does not know."""
        before = len(self.sandbox.transactions())
        self.start_push(amount, number)
        self.until(lambda: len(self.sandbox.transactions()) > before)

    def ask_by_qr(self, amount: str) -> None:
        """A code, until it stands on the screen."""
        self.charge_qr(amount)

    def settle_sale(self, action: str, reason: str = "The customer has the goods") -> None:
        """Completes or refunds, as the till asks by itself."""
        self.until_seen("settle")
        self.part("settle_reason").setFocus()
        self.type(reason)
        self.touch(f"settle_{action}")
        self.until(lambda: not self.seen("settle"))
