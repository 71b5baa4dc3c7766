"""The counter's day at the window while things happen behind it: another person, another closing, a refusal."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.commands import CloseDay, PrintPaper, ReadFigures, ReadX, ReadZ
from pos_app.domain.day import Entry, X, Z
from pos_app.domain.people import Person
from pos_app.domain.staff import Approve
from pos_app.domain.views import (
    DayClosed,
    DayProblem,
    DayStep,
    DayView,
    FiguresRead,
    PrintAnswered,
    PrintProblem,
    PrintView,
    StaffAnswered,
    Terminal,
    XRead,
    ZRead,
)
from pos_app.i18n.words.day import words
from pos_app.i18n.words.printing import words as paper_words
from tests.support.day_figures import FIGURES
from tests.support.published import NIMALI, RUWAN, terminal
from tests.support.stage import Stage

F10 = Qt.Key.Key_F10
BOSS = replace(RUWAN, passcode_set=True)
TAKINGS: dict[str, Any] = {
    "environment": "sandbox",
    "installation_id": "K7M3Q9RD",
    "currency": "LKR",
    "from_seq": 11,
    "to_seq": 50,
    "began_at": 0,
    "began": "2025-11-21T08:02:11.000+05:30",
    "ended_at": 1,
    "ended": "2025-11-21T21:40:00.000+05:30",
    "entries": (Entry("PAID", "qr", NIMALI.person_id, "LKR", 2, 19_50),),
}


def x(number: int = 3, whose: str = "") -> X:
    """What was taken so far."""
    return X(number=number, whose=whose, **TAKINGS)


def z(number: int = 3) -> Z:
    """A closed day."""
    return Z(number=number, request_id="r", business_date="2025-11-21", by=BOSS.person_id, **TAKINGS)


class Day(Stage):
    """Somebody has opened the day and reads its takings."""

    def __init__(self, qtbot: Any, person: Person = BOSS, **told: Any) -> None:
        super().__init__(qtbot, **told)
        self.person = person
        self.tell()
        self.open()

    def tell(self, **day: Any) -> None:
        """The terminal, with the day as it now is."""
        self.receive(self.terminal(**day))

    def terminal(self, **day: Any) -> Terminal:
        """The third period is open."""
        about: dict[str, Any] = {"number": 3, "last_z": 2, "began": TAKINGS["began"], "has_money": True}
        told = terminal(people=(NIMALI, BOSS), signed_in=self.person, day=DayView(**(about | day)))
        return replace(told, printing=PrintView(printer="network"))

    def open(self) -> None:
        """From the manager's menu; what is read is answered."""
        self.press(F10)
        self.part("manager_day").click()
        self.answer()

    def answer(self, number: int = 3) -> None:
        """What was asked for last, of the period with this number."""
        asked = self.commands(ReadX)[-1]
        self.receive(XRead(request_id=asked.request_id, report=x(number, asked.whose)))

    def close_day(self) -> CloseDay:
        """Pressed, and yes."""
        self.part("day_close").click()
        self.part("day_ask_yes").click()
        wanted: CloseDay = self.commands(CloseDay)[-1]
        return wanted

    @property
    def said(self) -> str:
        """The line beside the report."""
        return str(self.part("day_said").text())


def test_the_next_cashier_is_not_shown_the_z_that_was_asked_for_before_them(qtbot: Any) -> None:
    """A closing may take minutes; who asked for it has left, and a handover is blind."""
    on = Day(qtbot)
    wanted = on.close_day()
    on.tell(step=DayStep.ASKING, to_ask=2, request_id=wanted.request_id)
    on.person = NIMALI
    on.tell(step=DayStep.ASKING, to_ask=2, request_id=wanted.request_id)
    on.open()
    on.receive(DayClosed(request_id=wanted.request_id, z=z()))
    assert on.part("day_title").text() == words.TITLE
    on.tell(number=4, last_z=3)
    on.answer(4)
    assert on.part("day_which").currentText() == words.OWN
    assert on.said == ""


def test_who_asked_for_a_closing_is_shown_its_z_when_they_look_again(qtbot: Any) -> None:
    on = Day(qtbot)
    wanted = on.close_day()
    on.tell(step=DayStep.ASKING, to_ask=2, request_id=wanted.request_id)
    on.press(Qt.Key.Key_Escape)
    on.press(Qt.Key.Key_Escape)
    on.open()
    on.receive(DayClosed(request_id=wanted.request_id, z=z()))
    assert on.part("day_title").text() == "Z 3"


def test_why_a_closing_failed_is_still_said_when_it_can_be_gone_on_with(qtbot: Any) -> None:
    on = Day(qtbot)
    wanted = on.close_day()
    assert wanted.number == 3, "the day that is meant"
    on.tell(step=DayStep.COUNTING, request_id=wanted.request_id)
    on.receive(DayClosed(request_id=wanted.request_id, problem=DayProblem.CANNOT_RECORD))
    on.tell(step=DayStep.INTERRUPTED, request_id=wanted.request_id)
    assert on.said == f"{words.PROBLEM[DayProblem.CANNOT_RECORD]} {words.INTERRUPTED}"
    on.part("day_close").click()
    assert on.commands(CloseDay)[-1].request_id == wanted.request_id
    on.receive(DayClosed(request_id=wanted.request_id, z=z()))
    on.tell(number=4, last_z=3)
    assert on.said == words.DONE


def test_a_day_that_is_closed_while_it_is_asked_about_is_not_closed_twice(qtbot: Any) -> None:
    """The till closes by itself at the cut-off, where a shop wants that: the yes would be of the next day."""
    on = Day(qtbot)
    on.part("day_close").click()
    on.tell()
    assert on.seen("day_ask"), "nothing has changed"
    on.tell(number=4, last_z=3)
    assert not on.seen("day_ask")
    assert on.commands(CloseDay) == []


def test_what_was_read_before_the_day_turned_is_not_taken_for_the_new_day(qtbot: Any) -> None:
    """It is read anew, once; where the till is locked once somebody is there."""
    on = Day(qtbot)
    before = len(on.commands(ReadX))
    on.tell(step=DayStep.COUNTING)
    assert on.said == words.COUNTING
    turned = {"number": 4, "last_z": 3}
    on.receive(replace(on.terminal(**turned), locked=True))
    assert len(on.commands(ReadX)) == before
    on.tell(**turned)
    on.tell(**turned)
    assert len(on.commands(ReadX)) == before + 1
    assert not on.part("day_print").isEnabled()
    on.answer(4)
    assert on.said == ""
    assert on.part("day_print").isEnabled()


def test_a_cashiers_part_of_a_closed_day_is_not_printed_as_todays(qtbot: Any) -> None:
    """It has no paper: what would be printed is what they took since."""
    on = Day(qtbot, NIMALI, cashier_may_close=True)
    wanted = on.close_day()
    on.receive(DayClosed(request_id=wanted.request_id, own=x(whose="p1")))
    on.tell(number=4, last_z=3)
    assert on.said == words.DONE_OWN
    assert not on.part("day_print").isEnabled()
    on.choose("day_which", "p1")
    on.answer(4)
    assert on.part("day_print").isEnabled()


def test_why_nothing_is_printed_is_said_where_it_was_wanted(qtbot: Any) -> None:
    """The notice of it is under the panel: a disk that takes nothing made a button that does nothing."""
    on = Day(qtbot)
    said = paper_words.PROBLEM[PrintProblem.CANNOT_RECORD]
    on.part("day_print").click()
    on.receive(
        PrintAnswered(request_id=on.commands(PrintPaper)[-1].request_id, problem=PrintProblem.CANNOT_RECORD)
    )
    assert on.said == said
    on.part("day_pictures_button").click()
    asked = on.commands(ReadFigures)[-1]
    on.receive(FiguresRead(request_id=asked.request_id, figures=FIGURES))
    on.part("pictures_print").click()
    on.receive(
        PrintAnswered(request_id=on.commands(PrintPaper)[-1].request_id, problem=PrintProblem.CANNOT_RECORD)
    )
    assert on.part("pictures_said").text() == said


def test_the_pictures_of_a_day_that_was_closed_are_not_printed_as_todays(qtbot: Any) -> None:
    """They stood as those of the open day; what came out of the printer was of the one that had just begun."""
    on = Day(qtbot)
    on.part("day_pictures_button").click()
    (asked,) = on.commands(ReadFigures)
    on.receive(FiguresRead(request_id=asked.request_id, figures=FIGURES))
    on.tell(number=4, last_z=3)
    on.tell(number=4, last_z=3)
    _, again = on.commands(ReadFigures)
    assert again.number == 0
    assert not on.part("pictures_print").isEnabled()
    on.receive(FiguresRead(request_id=again.request_id, figures=FIGURES))
    assert on.part("pictures_print").isEnabled()
    on.choose("pictures_which", "3")
    on.tell(number=5, last_z=4)
    assert [each.number for each in on.commands(ReadFigures)] == [0, 0, 3], "a closed day stays as it is"


def test_the_reminder_names_the_day_that_is_open(qtbot: Any) -> None:
    """Not the evening before, on which the last one was closed."""
    on = Day(qtbot)
    on.press(Qt.Key.Key_Escape)
    on.press(Qt.Key.Key_Escape)
    on.tell(overdue=True, began="2025-11-20T22:05:00.000+05:30", business_date="2025-11-21")
    assert on.part("day_notice").text() == words.OVERDUE.format(date="21 Nov")


def test_what_a_manager_does_not_allow_is_not_chosen(qtbot: Any) -> None:
    """The choice says whose takings stand below it."""
    on = Day(qtbot, NIMALI)
    on.choose("day_which", "")
    assert on.seen("approval")
    on.press(Qt.Key.Key_Escape)
    assert on.part("day_which").currentText() == words.OWN


def test_what_a_manager_allows_is_shown_though_the_day_turned_while_they_were_asked(qtbot: Any) -> None:
    """The cashier's own takings were read anew meanwhile, and the answer was taken for an older one's."""
    on = Day(qtbot, NIMALI)
    on.choose("day_which", "")
    on.tell(number=4, last_z=3)
    on.answer(4)
    on.part("approval_reason").setText("end of the day")
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    (allowed,) = on.commands(Approve)
    on.receive(StaffAnswered(request_id=allowed.request_id))
    on.receive(XRead(request_id=allowed.command.request_id, report=x(4)))
    assert on.part("day_which").currentText() == words.WHOLE
    on.tell(number=4, last_z=3)
    assert on.part("day_which").currentText() == words.WHOLE
    assert on.part("day_print").isEnabled()


def test_what_cannot_be_read_is_not_chosen(qtbot: Any) -> None:
    """What is compared or printed then is what is read on the panel."""
    on = Day(qtbot)
    on.choose("day_which", "2")
    asked = on.commands(ReadZ)[-1]
    on.receive(ZRead(request_id=asked.request_id, problem=DayProblem.CANNOT_READ))
    assert on.said == words.PROBLEM[DayProblem.CANNOT_READ]
    assert on.part("day_which").currentText() == words.WHOLE
    on.choose("day_which", "2")
    on.receive(ZRead(request_id=on.commands(ReadZ)[-1].request_id, reports=(z(2),)))
    assert on.part("day_which").currentText() == on.part("day_title").text() == "Z 2"
    on.part("day_print").click()
    assert on.commands(PrintPaper)[-1].about == "2"


def test_a_closing_that_was_interrupted_is_said_beside_what_is_read(qtbot: Any) -> None:
    """And a report that was changed says so until something else is read."""
    on = Day(qtbot)
    on.tell(step=DayStep.INTERRUPTED, request_id="c1")
    on.choose("day_which", "")
    on.answer()
    assert on.said == words.INTERRUPTED
    on.choose("day_which", "2")
    asked = on.commands(ReadZ)[-1]
    on.receive(ZRead(request_id=asked.request_id, reports=(z(2),), proven=False))
    on.tell(step=DayStep.INTERRUPTED, request_id="c1")
    assert on.said == words.CHANGED
