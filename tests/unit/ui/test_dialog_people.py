"""The list of people: each act, its wish, its problems, and the code of a new number."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import SubmitOtp
from pos_app.domain.people import Person, Role
from pos_app.domain.staff import ChangePerson, Enrol, LeaveEnrolment, Renumber
from pos_app.domain.views import Purpose, SignIn, SignInStep, StaffAnswered, StaffProblem
from pos_app.ui.dialogs.people.acts import ACTS, Forms
from pos_app.ui.dialogs.people.panel import PeoplePanel
from pos_app.ui.dialogs.people.staff_question import StaffQuestion
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, LineEdit
from pos_app.ui.widgets.label import Label
from tests.support.published import NIMALI, RUWAN, terminal
from tests.unit.ui.dialog_cases import Key, Posted, faults, focused, press, settle, shown, type_text

MANY = tuple(
    replace(
        NIMALI,
        person_id=f"x{at}",
        name=name * (200 // len(name) if at == 3 else 1),
        enabled=at % 5 != 4,
        passcode_set=at % 2 == 0,
        passcode_signs_in=at % 4 == 0,
        passcode_dead=at % 7 == 6,
        role=Role.MANAGER if at % 9 == 0 else Role.CASHIER,
        language="si" if at % 3 == 0 else "",
    )
    for at, name in enumerate(("Amara", "فاطمة الزهراء", "👩‍🍳 Priya", "Nimalishanthi", "சரண்யா") * 6)
)


@pytest.fixture
def posted() -> Posted:
    return Posted()


def opened(
    qtbot: QtBot, posted: Posted, people: tuple[Person, ...] = (NIMALI, RUWAN), **stage: Any
) -> PeoplePanel:
    panel = PeoplePanel(people, Forms("LK", ("en", "si")), posted)
    shown(qtbot, panel, width=760, **stage)
    return panel


def part(panel: PeoplePanel, name: str) -> Any:
    found = [each for kind in (Button, LineEdit, Label) for each in panel.findChildren(kind, name)]
    assert len(found) == 1, (name, found)
    return found[0]


def pick(panel: PeoplePanel, person_id: str) -> None:
    """Somebody's page, from the list."""
    staff(panel).picked.emit(person_id)


def staff(panel: PeoplePanel) -> PeopleList:
    """Those on the list."""
    found = panel.findChild(PeopleList, "staff")
    assert found is not None
    return found


def ask(panel: PeoplePanel, key: str, reason: str = "as agreed") -> None:
    """One of the acts on Nimali, with a reason."""
    pick(panel, "p1")
    part(panel, f"person_{key}").click()
    part(panel, "staff_question_reason").setText(reason)
    part(panel, "staff_question_do").click()


def enrol(panel: PeoplePanel, posted: Posted) -> str:
    part(panel, "staff_enrol").click()
    part(panel, "person_name").setText("Kasun")
    part(panel, "person_number").setText("077 123 4567")
    part(panel, "staff_question_reason").setText("New at this shop")
    part(panel, "staff_question_do").click()
    command = posted[-1]
    assert isinstance(command, Enrol)
    return command.request_id


def seen(step: SignInStep, request_id: str, purpose: Purpose = Purpose.ENROL, **told: Any) -> SignIn:
    return SignIn(step=step, person_id="new", purpose=purpose, request_id=request_id, **told)


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("alone_on", {"passcode_signs_in": True}),
        ("reset", {"reset_passcode": True}),
        ("disable", {"enabled": False}),
    ],
)
def test_an_act_posts_its_change_with_the_reason(
    qtbot: QtBot, posted: Posted, key: str, changes: dict[str, Any]
) -> None:
    panel = opened(qtbot, posted, (replace(NIMALI, passcode_set=True), RUWAN))
    ask(panel, key)
    command = posted[-1]
    assert isinstance(command, ChangePerson)
    assert command == ChangePerson(
        request_id=command.request_id, person_id="p1", reason="as agreed", **changes
    )
    panel.receive(StaffAnswered(request_id=command.request_id))
    assert part(panel, "person_done").text().startswith("Done and recorded")


def test_name_role_and_language_go_as_chosen(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    for key, field, value in (
        ("rename", "name", "Nimali P"),
        ("role", "role", Role.MANAGER),
        ("language", "language", "si"),
    ):
        pick(panel, "p1")
        part(panel, f"person_{key}").click()
        question = panel.findChild(StaffQuestion)
        assert question is not None
        question.parts[field].set_text(value)
        part(panel, "staff_question_reason").setText("as agreed")
        part(panel, "staff_question_do").click()
        assert getattr(posted[-1], field) == value
        panel.receive(StaffAnswered(request_id=getattr(posted[-1], "request_id", "")))


def test_marks_of_direction_that_were_pasted_with_it_are_no_part_of_what_is_asked(
    qtbot: QtBot, posted: Posted
) -> None:
    """A name or a number out of a list of contacts: it was refused, and nothing wrong could be seen in it."""
    panel = opened(qtbot, posted)
    part(panel, "staff_enrol").click()
    for field, pasted in (
        ("person_name", "\u200fأحمد\u00a0علي\u200f"),
        ("person_number", "\u202a+94\u00a077 123 4567\u202c"),
        ("staff_question_reason", "\u200fموظف جديد"),
    ):
        part(panel, field).insert(pasted)
    part(panel, "staff_question_do").click()
    (asked,) = posted
    assert isinstance(asked, Enrol)
    assert (asked.name, asked.number, asked.reason) == ("أحمد علي", "+94 77 123 4567", "موظف جديد")


def test_three_signs_that_nobody_sees_are_no_reason(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    pick(panel, "p1")
    part(panel, "person_disable").click()
    part(panel, "staff_question_reason").insert("\u200e\u200f\u200bx")
    part(panel, "staff_question_do").click()
    assert posted == []


def test_a_number_that_is_missing_is_asked_for_as_somebody_else_s(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    part(panel, "staff_enrol").click()
    part(panel, "staff_question_do").click()
    assert part(panel, "person_number_error").text().startswith("Enter the mobile number, for example")


def test_without_a_reason_nothing_is_posted(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    ask(panel, "disable", " ")
    assert posted == []
    assert "Enter a reason, at least 3 letters" in part(panel, "staff_question_reason_error").text()
    assert focused() is part(panel, "staff_question_reason")


@pytest.mark.parametrize("problem", [each for each in StaffProblem if each])
def test_every_problem_of_the_engine_is_said_and_the_text_stays(
    qtbot: QtBot, posted: Posted, problem: StaffProblem
) -> None:
    panel = opened(qtbot, posted)
    request_id = enrol(panel, posted)
    panel.receive(StaffAnswered(request_id=request_id, problem=problem))
    errors = [each.text() for each in panel.findChildren(Label) if each.isVisible() and each.tone == "bad"]
    assert len([each for each in errors if each]) == 1
    assert part(panel, "person_name").text() == "Kasun"
    assert part(panel, "staff_question_do").isEnabled()
    assert isinstance(focused(), LineEdit | Button)


def test_an_enrolment_by_the_code_from_the_new_phone(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    request_id = enrol(panel, posted)
    asked = posted[-1]
    panel.receive(seen(SignInStep.SENDING, request_id))
    panel.receive(seen(SignInStep.CODE_SENT, request_id, number_mask="+94 •• ••• 567", resend_in_s=0))
    assert "+94 77 123 4567" in part(panel, "code_text").text()
    part(panel, "send_new_code").click()
    assert posted[-1] == asked, "the same wish is one more code of the same enrolment"
    panel.receive(seen(SignInStep.CODE_SENT, request_id, resend_in_s=30))
    type_text("482913")
    assert posted[-1] == SubmitOtp("new", "482913")
    panel.receive(seen(SignInStep.CODE_SENT, request_id, problem="wrong_code", tries_left=4, resend_in_s=9))
    assert "4 tries left" in part(panel, "code_error").text()
    panel.receive(seen(SignInStep.SIGNED_IN, request_id))
    assert part(panel, "staff_done").text() == "Kasun is enrolled and can sign in."
    panel.leave()
    assert LeaveEnrolment() not in posted, "nothing is left to be given up"


def test_a_code_that_cannot_be_sent_is_said_on_the_form(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    request_id = enrol(panel, posted)
    panel.receive(seen(SignInStep.REFUSED, request_id, problem="day_limit"))
    assert "10 codes" in part(panel, "staff_question_problem").text()
    assert part(panel, "person_number").text() == "077 123 4567"


def test_what_keeps_an_enrolment_is_seen_on_a_small_screen_and_enter_loses_nothing(
    qtbot: QtBot, posted: Posted
) -> None:
    """It stood below the fold, under the buttons; the keyboard was on "Back", and Enter threw away what was typed."""
    panel = opened(qtbot, posted)
    panel.window().resize(1024, 680)
    settle()
    request_id = enrol(panel, posted)
    panel.receive(seen(SignInStep.REFUSED, request_id, problem="no_connection"))
    for _ in range(3):
        settle()
    assert part(panel, "staff_question_problem").visibleRegion().boundingRect().height() > 10
    assert not covered(panel, "staff_question_problem")
    press(Key.Key_Return)
    assert part(panel, "person_number").text() == "077 123 4567"
    assert part(panel, "staff_question_do").isEnabled()


def covered(panel: PeoplePanel, name: str) -> bool:
    """Whether something else lies over the middle of it."""
    label, window = part(panel, name), panel.window()
    found = window.childAt(label.mapTo(window, label.rect().center()))
    return found is not label


def test_an_enrolment_given_up_goes_back_to_its_form_and_the_engine_hears(
    qtbot: QtBot, posted: Posted
) -> None:
    panel = opened(qtbot, posted)
    request_id = enrol(panel, posted)
    panel.receive(seen(SignInStep.SENDING, request_id))
    panel.receive(seen(SignInStep.CODE_SENT, request_id, resend_in_s=30))
    press(Key.Key_Escape)
    assert posted[-1] == LeaveEnrolment()
    assert part(panel, "person_name").isVisible()
    panel.receive(seen(SignInStep.CODE_SENT, request_id, resend_in_s=30))
    assert part(panel, "person_name").isVisible(), "what comes late is nobody's"


def test_a_new_number_is_said_by_its_mask(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    pick(panel, "p1")
    part(panel, "person_number").click()
    fields = panel.findChildren(Field, "person_number_field")
    fields[0].set_text("12")
    part(panel, "staff_question_reason").setText("Lost the phone")
    part(panel, "staff_question_do").click()
    assert posted == []
    assert "for example 071 234 5678" in fields[0].error.text()
    fields[0].set_text("077 123 4599")
    part(panel, "staff_question_do").click()
    command = posted[-1]
    assert isinstance(command, Renumber)
    panel.receive(seen(SignInStep.SENDING, command.request_id, Purpose.RENUMBER))
    done = seen(SignInStep.SIGNED_IN, command.request_id, Purpose.RENUMBER, number_mask="+94 •• ••• 599")
    panel.receive(done)
    assert part(panel, "person_done").text() == "Nimali has the new number +94 •• ••• 599."


def test_somebody_s_sign_in_elsewhere_is_not_shown_here(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted)
    enrol(panel, posted)
    panel.receive(SignIn(step=SignInStep.CODE_SENT, person_id="p2", number_mask="+94 •• ••• 222"))
    assert part(panel, "person_name").isVisible()


def test_the_list_has_everybody_and_says_who_is_disabled(qtbot: QtBot, posted: Posted) -> None:
    panel = opened(qtbot, posted, (NIMALI, replace(RUWAN, enabled=False)))
    listed = staff(panel)
    assert listed.count() == 2
    panel.receive(terminal(people=(NIMALI, RUWAN, *MANY)))
    assert part(panel, "staff_count").text() == "32 people"
    press(Key.Key_Down)
    press(Key.Key_Return)
    assert part(panel, "person_title").text() == "Ruwan"
    press(Key.Key_Escape)
    assert focused() is listed
    with qtbot.waitSignal(panel.closed):
        press(Key.Key_Escape)


def test_each_act_has_a_button_only_where_it_can_be_done() -> None:
    by_key = {act.key: act for act in ACTS}
    off = replace(NIMALI, enabled=False, passcode_signs_in=True)
    assert not by_key["reset"].applies(NIMALI)
    assert by_key["enable"].applies(off)
    assert not by_key["disable"].applies(off)
    assert by_key["alone_off"].applies(off)
    assert not by_key["alone_on"].applies(off)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
def test_every_page_fits_with_thirty_people(
    qtbot: QtBot, posted: Posted, theme: str, size: tuple[int, int]
) -> None:
    panel = opened(qtbot, posted, MANY, size=size, theme=theme)
    found = faults(panel)
    for person in MANY[:5]:
        pick(panel, person.person_id)
        settle()
        found += faults(panel)
        for act in ACTS:
            if act.applies(person):
                part(panel, f"person_{act.key}").click()
                settle()
                found += faults(panel)
                press(Key.Key_Escape)
    part(panel, "staff_enrol").click()
    settle()
    assert found + faults(panel) == []
