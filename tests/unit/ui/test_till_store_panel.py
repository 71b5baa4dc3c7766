"""Joining a central store and leaving it in the manager's menu: what is typed, what is asked, what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pos_app.domain.membership import MembershipDoor, MembershipNews, NotJoined, StoreState, StoreView
from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.views import MembershipRecorded, StaffAnswered, StaffProblem
from pos_app.i18n.words.manager import words as manager_words
from pos_app.i18n.words.store import words
from tests.support.driver import Key
from tests.support.published import NIMALI, RUWAN, terminal
from tests.support.stage import Stage

WELL = StoreView(state=StoreState.WELL, store_name="Central", shop_name="Main street")
ADDRESS = "https://store.example"
Tell = Callable[[MembershipNews], None]


class Doors:
    """What was wished of the store, and how to answer."""

    def __init__(self, address: str = "") -> None:
        self.joined: list[tuple[str, str, str, str]] = []
        self.left: list[tuple[str, str]] = []
        self.tells: list[Tell] = []
        self.door = MembershipDoor(self._join, self._leave, lambda: address)

    def _join(self, request_id: str, address: str, code: str, who: str, tell: Tell) -> None:
        self.joined.append((request_id, address, code, who))
        self.tells.append(tell)

    def _leave(self, request_id: str, who: str, tell: Tell) -> None:
        self.left.append((request_id, who))
        self.tells.append(tell)


def opened(qtbot: Any, doors: Doors, store: StoreView | None = None) -> Stage:
    """The panel, by F10 and its row."""
    on = Stage(qtbot, store_door=doors.door)
    on.receive(terminal(signed_in=RUWAN, store=store or StoreView()))
    on.press(Key.Key_F10)
    on.touch("manager_join")
    assert on.seen("store_panel")
    return on


def permit(on: Stage) -> Permit:
    """The question is answered with a usual reason, and the engine lets it be."""
    on.touch("permit_reason_suggestion_0")
    on.touch("permit_do")
    asked = on.commands(Permit)[-1]
    assert isinstance(asked, Permit)
    on.receive(StaffAnswered(request_id=asked.request_id))
    on.settle()
    return asked


def join(on: Stage, code: str = "7k2m q9xb") -> Permit:
    """Typed, asked, allowed."""
    on.fill("store_address", ADDRESS)
    on.fill("store_code", code)
    on.press(Key.Key_Return)
    return permit(on)


def test_a_counter_joins_by_address_and_code_once_a_manager_signed(qtbot: Any) -> None:
    doors = Doors()
    on = opened(qtbot, doors)
    assert on.says("store_standing") == words.NOT_MEMBER
    assert not on.seen("store_leave")
    asked = join(on)
    assert (asked.act, dict(asked.content)) == (Act.JOIN_STORE, {"join": ADDRESS})
    ((request_id, address, code, who),) = doors.joined
    assert (address, code, who) == (ADDRESS, "7K2MQ9XB", RUWAN.person_id)
    assert on.says("store_said") == words.JOINING
    assert not on.takes("store_join")
    doors.tells[0](MembershipNews())
    on.receive(MembershipRecorded(request_id=request_id))
    assert on.says("store_said") == words.JOINED
    on.receive(terminal(signed_in=RUWAN, store=WELL))
    assert "Central" in on.says("store_standing")
    assert on.seen("store_leave")
    assert not on.seen("store_code")


def test_leaving_says_whether_the_store_has_heard_it(qtbot: Any) -> None:
    for told, said in ((True, words.LEFT), (False, words.LEFT_UNTOLD)):
        doors = Doors()
        on = opened(qtbot, doors, WELL)
        assert not on.seen("store_join")
        on.touch("store_leave")
        assert dict(permit(on).content) == {"leave": "Central"}
        ((request_id, who),) = doors.left
        assert who == RUWAN.person_id
        on.receive(MembershipRecorded(request_id=request_id, joined=False, told=told))
        assert on.says("store_said") == said


@pytest.mark.parametrize("problem", [each for each in NotJoined if each and each is not NotJoined.NO_ADDRESS])
def test_each_reason_is_said_and_it_can_be_tried_again(qtbot: Any, problem: NotJoined) -> None:
    doors = Doors()
    on = opened(qtbot, doors)
    join(on)
    doors.tells[0](MembershipNews(problem=problem, said="https://other.example"))
    on.until_says(
        "store_said",
        words.PROBLEM[problem].format(address="https://other.example", said="https://other.example"),
    )
    assert on.takes("store_join")
    assert on.text("store_code") == "7k2m q9xb"


def test_a_till_that_the_store_knows_otherwise_is_offered_a_new_identity(qtbot: Any) -> None:
    """It was given another counter number: its manager reads as which it is known, and begins anew, or does not."""
    doors = Doors()
    on = opened(qtbot, doors)
    join(on)
    known = "this installation joined as counter 1 of merchant M-1 (live)"
    doors.tells[0](MembershipNews(problem=NotJoined.OTHERWISE, said=known))
    on.until_says("store_said", known)
    for offered in (True, False):
        for _ in range(2):
            on.press(Key.Key_Escape)
        on.press(Key.Key_F10)
        assert on.seen("manager_identity") is offered
        if offered:
            on.touch("manager_identity")
            assert on.says("permit_more") == manager_words.IDENTITY_STORE
            assert permit(on).act is Act.RENEW_IDENTITY


def test_what_is_typed_wrong_names_field_and_example(qtbot: Any) -> None:
    doors = Doors()
    on = opened(qtbot, doors)
    on.part("store_join").click()
    assert on.says("store_address_error") == words.PROBLEM[NotJoined.NO_ADDRESS].format(address=ADDRESS)
    on.fill("store_address", "ftp://x")
    on.fill("store_code", "12")
    on.part("store_join").click()
    assert on.says("store_code_error") == words.BAD_CODE.format(example="7K2M-Q9XB")
    assert not on.commands(Permit)
    on.fill("store_code", "7K2MQ9XB")
    on.part("store_join").click()
    permit(on)
    doors.tells[0](MembershipNews(problem=NotJoined.NO_ADDRESS, said="x"))
    on.until_says("store_address_error", words.PROBLEM[NotJoined.NO_ADDRESS].format(address=ADDRESS))


def test_the_address_of_the_settings_is_the_only_one(qtbot: Any) -> None:
    on = opened(qtbot, Doors(ADDRESS))
    assert on.text("store_address") == ADDRESS
    assert not on.takes("store_address")
    assert on.has_focus("store_code")


def test_what_could_not_be_recorded_is_not_joined(qtbot: Any) -> None:
    doors = Doors()
    on = opened(qtbot, doors)
    join(on)
    request_id = doors.joined[0][0]
    on.receive(MembershipRecorded(request_id=request_id, problem=StaffProblem.CANNOT_RECORD))
    assert on.says("store_said") == words.PROBLEM[NotJoined.CANNOT_RECORD]


def test_news_after_it_was_closed_open_nothing(qtbot: Any) -> None:
    doors = Doors()
    on = opened(qtbot, doors)
    join(on)
    on.press(Key.Key_Escape)
    doors.tells[0](MembershipNews(problem=NotJoined.AWAY))
    on.receive(MembershipRecorded(request_id=doors.joined[0][0]))
    on.settle()
    assert not on.seen("store_panel")


def test_a_cashier_does_not_reach_it(qtbot: Any) -> None:
    on = Stage(qtbot, store_door=Doors().door)
    on.receive(terminal(signed_in=NIMALI))
    on.press(Key.Key_F10)
    assert on.seen("manager_join")
    assert not on.takes("manager_join")
