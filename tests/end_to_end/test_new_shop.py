"""A shop from nothing by the screens alone: its manager, three cashiers, and a first hour of work by all of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import enrol, fill, hand_over, open_people, sign_in_soon, type_code, written
from tests.support import till as started
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

MANAGER = "Amara Silva"
CASHIERS = {"Ravi": "94770000044", "Tharindu": "94770000043", "Zahra": "94770000045"}


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom this test enrols is nobody in the next."""
    monkeypatch.setattr(started, "NUMBERS", {MANAGER: "94770000042"})


def sell(till: StartedTill, sandbox: Sandbox, amount: str) -> None:
    """A sale whose customer pays while the till is locked."""
    sold = till.charge_qr(amount)
    till.press(Qt.Key.Key_F9)
    till.until_seen("cover")
    sandbox.act(sold, "pay")
    till.type_passcode()
    till.until_result("PAID")
    till.press(Qt.Key.Key_Escape)


def test_a_manager_sets_up_a_shop_and_each_cashier_works_in_it(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(signed_in="", people=False)
    till.until_seen("first_manager")
    fill(till, manager_name=MANAGER, manager_number="077 000 0042")
    till.press(Qt.Key.Key_Return)
    type_code(till, "94770000042")
    till.choose_passcode()
    till.until(lambda: till.window.objectName() == "till" and till.says("person") == MANAGER)
    open_people(till)
    for name, number in CASHIERS.items():
        enrol(till, name, number)
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("people_panel"))
    till.leave_menu()

    for place, name in enumerate(CASHIERS, 1):
        hand_over(till)
        sign_in_soon(till, name)
        sell(till, sandbox, str(10 + place))
    hand_over(till, "Ravi")
    assert till.says("person") == "Ravi"
    assert len(sandbox.sms(CASHIERS["Ravi"])) == 2, "one for the number, one for the day's session"

    held = written(till)
    roles = {person.person_id: person.name for person in held.people}
    assert {(roles[each.owner], each.state) for each in held.recent} == {
        (name, State.PAID) for name in CASHIERS
    }
    assert sum(each.kind == "PERSON_ENROLLED" for each in held.acts) == 4
