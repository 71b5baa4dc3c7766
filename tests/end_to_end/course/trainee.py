"""A learner at the sandbox's till, worked as a person does: the till by its keys, the coach and the phone by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.bootstrap.options import Options
from pos_app.training.coach.sheet import Sheet
from pos_app.training.controller import CourseController, Page
from pos_app.training.course.run import Outcome
from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip
from tests.end_to_end.front import Front
from tests.support.sandbox import Sandbox

RIGHT, WRONG = "0771234567", "0771234568"
F5, F6, F9 = Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_F9


class Trainee(Front):
    """One run of `pos-app training`, or with `course=False` of `pos-app --sandbox`."""

    def __init__(self, data_dir: Path, *, course: bool = True) -> None:
        asked = Options(sandbox=True, training=course, data_dir=data_dir)
        super().__init__(Sandbox(), asked)
        try:
            self.until(lambda: self.session.beside is not None and self.sheet.isVisible())
            self.meet_sandbox()
        except BaseException:
            # Nobody else can: a till left open stands before every test that comes after.
            self.stop()
            raise

    def meet_sandbox(self) -> None:
        """The control interface of the sandbox that this till has started."""
        details = self.session.shop.control
        assert details is not None
        self.sandbox.control_url = details.control_url
        self.sandbox.control_token = details.control_token

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

    def beside(self, name: str) -> Any:
        """The visible part of the sheet with this name."""
        found = [each for each in self.sheet.findChildren(QWidget, name) if each.isVisible()]
        assert len(found) == 1, (name, found)
        return found[0]

    def can_touch(self, name: str) -> bool:
        """Whether it can be seen and pressed."""
        found = [each for each in self.sheet.findChildren(QWidget, name) if each.isVisible()]
        return bool(found) and found[0].isEnabled()

    def touch_beside(self, name: str) -> None:
        """A finger on a part of the sheet, once it can be pressed."""
        self.until(lambda: self.can_touch(name))
        QTest.mouseClick(self.beside(name), Qt.MouseButton.LeftButton)

    def says_beside(self, name: str) -> str:
        """The words of a part of the sheet, "" when it cannot be seen."""
        found: list[Any] = [each for each in self.sheet.findChildren(QWidget, name) if each.isVisible()]
        return str(found[0].text()) if found else ""

    def begin(self, name: str = "Asha") -> None:
        """Says who learns."""
        self.until(lambda: self.controller.page is Page.WHO)
        field = self.beside("learner")
        field.clear()
        QTest.keyClicks(field, name)
        self.touch_beside("course_begin")

    def start(self, key: str) -> None:
        """From the list into an exercise."""
        self.until(lambda: self.controller.page is Page.EXERCISES)
        row = self.sheet.findChild(QWidget, f"exercise_{key}")
        assert row is not None
        QTest.mouseClick(row, Qt.MouseButton.LeftButton)
        self.touch_beside("course_start")
        self.until_step("charge")
        self.until(lambda: self.controller._rig.is_idle)

    def until_step(self, key: str) -> None:
        """The instruction of this step stands on the coach, or on the strip."""
        self.until(lambda: self.controller.run is not None and self.controller.run.step.key == key, 30_000)

    def decide(self, decision: Decision) -> None:
        """What becomes of the goods."""
        if self.sheet.is_folded:
            self.touch_beside("unfold")
        self.touch_beside(f"goods_{decision.value}")

    def hand_over(self) -> None:
        """The goods go."""
        self.decide(Decision.HAND_OVER)

    def until_right(self) -> None:
        """The coach says so, and the exercise is marked."""
        self.until(lambda: self.controller.page is Page.VERDICT)
        run = self.controller.run
        assert run is not None
        assert run.outcome is Outcome.RIGHT, run.slip
        assert self.says_beside("verdict") == "Right"

    def until_slip(self, slip: Slip) -> str:
        """The coach says why it would have cost money; the words."""
        self.until(lambda: self.controller.page is Page.VERDICT)
        run = self.controller.run
        assert run is not None
        assert run.slip is slip, (run.slip, run.outcome)
        assert self.says_beside("verdict") == "This would have cost money"
        return self.says_beside("verdict_why")

    def to_the_list(self) -> None:
        """All exercises again."""
        self.touch_beside("course_back")

    def ask_by_phone(self, amount: str, number: str = RIGHT) -> None:
        """A push, until the till waits for it or knows that it does not know."""
        before = len(self.sandbox.transactions())
        self.start_push(amount, number)
        self.until(lambda: len(self.sandbox.transactions()) > before)

    def ask_by_qr(self, amount: str) -> None:
        """A code, until it stands on the screen."""
        self.charge_qr(amount)

    def settle(self, action: str, reason: str = "The customer has the goods") -> None:
        """Completes or refunds, as the till asks by itself."""
        self.until_seen("settle")
        self.part("settle_reason").setFocus()
        self.type(reason)
        self.touch(f"settle_{action}")
        self.until(lambda: not self.seen("settle"))
