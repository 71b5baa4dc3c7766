"""Parked payments stand above the panel with their state and time left; a touch brings one back."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.attempt import CancelWish, Kind, State
from pos_app.domain.commands import Charge, Park
from pos_app.domain.views import Activity, AttemptChanged, ChargeDeclined, ChargeOpened, Decline
from pos_app.ui.till.window.controller import UNSEEN_S
from tests.support.published import KASUN, NIMALI, RUWAN, attempt, change, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.lock_cases import BOSS, OTHER, OWN, at, locked


def parked(number: int, *, left: float | None = 240, **facts: Any) -> AttemptChanged:
    """A parked payment of `number` rupees."""
    it = attempt(
        attempt_id=f"SBX-TK7M3Q9RD-{number:04d}-1",
        sale_id=f"{number:04d}",
        amount=Decimal(f"{number}.00"),
        parked=True,
        **facts,
    )
    return change(it, activity=Activity(elapsed_s=60, gives_up_in_s=left))


def chips(on: Stage) -> list[str]:
    """What the row says, chip by chip."""
    names = [f"parked_{at}" for at in range(6)]
    return [f"{on.part(name).accessibleName()} | {on.part(name).line()}" for name in names if on.seen(name)]


def test_two_parked_payments_show_their_state_and_the_time_left(qtbot: Any) -> None:
    on = Stage(qtbot)
    assert not on.seen("parked_row")
    on.receive(parked(50), parked(60, kind=Kind.PUSH, state=State.IN_DOUBT, left=None))
    first, second = chips(on)
    assert re.fullmatch(r"Parked: LKR 50\.00, sale 0050, Waiting \| Waiting · (4:00|3:5\d) left", first)
    assert second == "Parked: LKR 60.00, sale 0060, Checking | Checking"
    qtbot.waitUntil(lambda: "3:5" in chips(on)[0])


def test_a_result_is_told_without_touching_the_amount_or_the_panel(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50))
    on.begin(change())
    on.type("77")
    heard: list[str] = []
    on.window.attention_wanted.connect(lambda: heard.append("attention"))
    on.window.result_shown.connect(heard.append)
    on.receive(parked(50, state=State.PAID))
    assert chips(on) == ["Parked: LKR 50.00, sale 0050, Paid | Paid"]
    assert heard == ["attention"], "never the sound of a result: another customer stands there"
    assert on.part("amount_figure").figure() == "77"
    assert on.window.shown_id == attempt().attempt_id


def test_a_touch_brings_it_back_and_parks_what_was_on_the_panel(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50))
    on.begin(change())
    on.type("77")
    qtbot.mouseClick(on.part("parked_0"), Qt.MouseButton.LeftButton)
    assert on.window.shown_id == "SBX-TK7M3Q9RD-0050-1"
    assert [each.attempt_id for each in on.commands(Park)] == [attempt().attempt_id]
    assert on.part("amount_figure").figure() == "77"
    assert chips(on) == []
    on.receive(change(attempt(parked=True)))
    assert chips(on) == ["Parked: LKR 1,250.00, sale 0123, Waiting | Waiting"]
    assert not on.commands(Charge)


@pytest.mark.parametrize("way", ["list", "details"])
def test_another_payment_that_is_shown_parks_what_was_on_the_panel(qtbot: Any, way: str) -> None:
    on = Stage(qtbot)
    other = parked(50)
    on.receive(terminal(open=(other.attempt,), recent=(other.attempt,)), other)
    on.begin(change())
    if way == "list":
        on.press(Qt.Key.Key_F8)
        on.part(f"show_{other.attempt.attempt_id}").click()
    else:
        on.part("recent_0").click()
        on.part("details_panel").click()
    assert on.window.shown_id == other.attempt.attempt_id
    assert [each.attempt_id for each in on.commands(Park)] == [attempt().attempt_id]
    on.receive(change(attempt(parked=True)))
    assert chips(on) == ["Parked: LKR 1,250.00, sale 0123, Waiting | Waiting"]
    heard: list[str] = []
    on.window.attention_wanted.connect(lambda: heard.append("attention"))
    on.window.result_shown.connect(heard.append)
    on.receive(change(attempt(parked=True, state=State.PAID)))
    assert heard == ["attention"]
    assert on.part("ended").text() == "SANDBOX · Sale 0123 · LKR 1,250.00 · Paid"
    assert on.window.shown_id == other.attempt.attempt_id


def test_the_payment_on_the_panel_is_not_parked_by_showing_it_again(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(open=(attempt(),), recent=recent()))
    on.begin(change())
    on.press(Qt.Key.Key_F8)
    on.part(f"show_{attempt().attempt_id}").click()
    assert on.window.shown_id == attempt().attempt_id
    assert on.posted == []


def test_nothing_comes_onto_the_panel_while_a_charge_is_being_recorded(qtbot: Any) -> None:
    on = Stage(qtbot)
    other = parked(50)
    on.receive(terminal(open=(other.attempt,), recent=recent()), other)
    on.type("12.5")
    on.press(Qt.Key.Key_F2)
    on.press(Qt.Key.Key_F8)
    on.part(f"show_{other.attempt.attempt_id}").click()
    assert on.window.shown_id == ""
    asked = on.commands(Charge)[0]
    on.receive(ChargeOpened(asked.request_id, attempt().attempt_id, "0123"), change())
    assert on.window.shown_id == attempt().attempt_id
    assert len(chips(on)) == 1


def test_what_ends_in_the_moment_it_is_parked_is_told_all_the_same(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(Qt.Key.Key_F6)
    assert len(on.commands(Park)) == 1
    heard: list[str] = []
    on.window.attention_wanted.connect(lambda: heard.append("attention"))
    on.receive(change(attempt(state=State.PAID)))
    assert heard == ["attention"]
    assert on.part("ended").text() == "SANDBOX · Sale 0123 · LKR 1,250.00 · Paid"
    on.receive(change(attempt(state=State.PAID)))
    assert heard == ["attention"], "it is asked about for a while yet, and told once"


def test_what_is_paid_while_another_from_before_the_restart_is_looked_at_is_told(qtbot: Any) -> None:
    on = Stage(qtbot)
    before = Activity(from_before_restart=True)
    second = replace(parked(50).attempt, parked=False)
    on.receive(change(activity=before), change(second, activity=before))
    assert on.window.shown_id == attempt().attempt_id
    heard: list[str] = []
    on.window.attention_wanted.connect(lambda: heard.append("attention"))
    on.receive(change(replace(second, state=State.PAID), activity=before))
    assert heard == ["attention"]
    assert on.part("ended").text() == "SANDBOX · Sale 0050 · LKR 50.00 · Paid"
    assert on.window.shown_id == attempt().attempt_id


def test_an_ended_one_stays_until_it_was_looked_at(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50), parked(60))
    on.receive(parked(60, state=State.FAILED), parked(50, state=State.PAID))
    assert [each.rpartition("| ")[2] for each in chips(on)] == ["Paid", "Not paid"]
    assert on.part("ended").text() == "SANDBOX · Sale 0050 · LKR 50.00 · Paid"
    heard: list[str] = []
    on.window.result_shown.connect(heard.append)
    qtbot.mouseClick(on.part("parked_0"), Qt.MouseButton.LeftButton)
    assert on.part("result_headline").text() == "PAID"
    assert heard == [], "it was heard when it ended: the one who stands there now has not paid"
    assert [each.rpartition("| ")[2] for each in chips(on)] == ["Not paid"]
    on.press(Qt.Key.Key_Return)
    assert not on.seen("ended")
    on.receive(parked(50, state=State.PAID, left=None))
    assert len(chips(on)) == 1, "it is asked about for a while yet, and not told of again"


def test_the_notice_and_the_row_tell_of_the_same_payment_once(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50), parked(50, state=State.PAID))
    on.part("ended_button").click()
    assert on.part("result_headline").text() == "PAID"
    assert chips(on) == []


def test_a_payment_that_ends_on_the_panel_is_not_told_again(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50))
    qtbot.mouseClick(on.part("parked_0"), Qt.MouseButton.LeftButton)
    now_s = on.window.controller.freshness.clock()
    on.window.controller.freshness.clock = lambda: now_s
    on.receive(parked(50, state=State.PAID))
    assert on.part("result_headline").text() == "PAID"
    now_s += 2 * UNSEEN_S
    on.press(Qt.Key.Key_Return)
    assert chips(on) == []
    assert not on.seen("ended")


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F6, Qt.Key.Key_5], ids=["esc", "f6", "digit"])
@pytest.mark.parametrize("typed", ["", "12"], ids=["nothing-typed", "typing"])
def test_a_result_that_a_key_for_the_picture_before_it_takes_away_is_told(
    qtbot: Any, key: Qt.Key, typed: str
) -> None:
    on = Stage(qtbot)
    other = parked(50)
    on.receive(other)
    on.begin(change())
    on.type(typed)
    now_s = on.window.controller.freshness.clock()
    on.window.controller.freshness.clock = lambda: now_s
    on.receive(change(attempt(state=State.PAID, ended_at=18_000)))
    now_s += UNSEEN_S / 2
    on.press(key)
    if typed and key is Qt.Key.Key_Escape:
        # It takes the amount away first.
        on.press(key)
    assert on.window.shown_id == (other.attempt.attempt_id if key is Qt.Key.Key_F6 else "")
    assert "Parked: LKR 1,250.00, sale 0123, Paid | Paid" in chips(on)
    assert on.part("ended").isVisible() is (key is not Qt.Key.Key_F6)
    if key is not Qt.Key.Key_F6:
        on.part("ended_button").click()
        assert on.part("result_panel").isVisible()
        assert not [each for each in chips(on) if "0123" in each]


def test_a_payment_that_is_paid_while_it_is_asked_whether_to_park_it_makes_room(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.type("12")
    on.press(Qt.Key.Key_F2)
    now_s = on.window.controller.freshness.clock()
    on.window.controller.freshness.clock = lambda: now_s
    on.receive(change(attempt(state=State.PAID, ended_at=18_000)))
    on.part("question_yes").click()
    assert on.window.shown_id == ""
    assert on.part("ended").isVisible()
    assert [asked.amount for asked in on.commands(Charge)] == [12]


def test_a_chip_that_is_touched_while_a_charge_is_recorded_keeps_its_news(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50), parked(50, state=State.PAID))
    on.type("12")
    on.press(Qt.Key.Key_F2)
    told = chips(on)
    assert len(told) == 1
    on.part("parked_0").click()
    on.part("ended_card").pressed.emit()
    assert (chips(on), on.window.shown_id) == (told, "")


def test_each_sees_what_concerns_them(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50, owner=NIMALI.person_id), parked(60, owner=KASUN.person_id))
    assert len(chips(on)) == 1
    on.receive(terminal(signed_in=KASUN, recent=recent()))
    assert [each.split(",")[0] for each in chips(on)] == ["Parked: LKR 60.00"]
    on.receive(terminal(signed_in=RUWAN, recent=recent()))
    assert len(chips(on)) == 2
    on.receive(terminal(signed_in=RUWAN, locked=True))
    assert chips(on) == []


@pytest.mark.parametrize("size", [(1024, 768), (1920, 1080)])
def test_many_have_their_room_and_the_rest_is_counted(qtbot: Any, size: tuple[int, int]) -> None:
    on = Stage(qtbot, size=size)
    on.receive(*(parked(number) for number in range(50, 60)))
    on.settle()
    shown = len(chips(on))
    assert 2 <= shown <= 6
    assert on.part("parked_more").text() == f"+{10 - shown}"
    for place in range(shown):
        assert on.part(f"parked_{place}").text_fits()
    on.part("parked_more").click()
    assert on.seen("open_payments")


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
def test_with_parked_ones_above_it_a_running_payment_still_has_room(
    qtbot: Any, size: tuple[int, int]
) -> None:
    on = Stage(qtbot, size=size)
    on.receive(parked(50), parked(60))
    on.begin(change(activity=Activity(elapsed_s=75, gives_up_in_s=225)))
    on.settle()
    assert re.fullmatch(r"3:[34]\d left", on.part("waiting_left").text())
    for name in ("next_step", "trust", "waiting_left", "waiting_sale", "parked_0"):
        assert on.part(name).text_fits(), name
    stages = on.part("stages")
    assert stages.height() >= stages.minimumSizeHint().height()


def test_a_payment_to_the_same_number_is_named_as_that(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(Qt.Key.Key_F2)
    asked = on.commands(Charge)[0]
    on.receive(ChargeDeclined(asked.request_id, Decline.LOOKS_OPEN, similar=attempt(), similar_age_s=125))
    assert on.part("question_more").text().startswith("1,250.00 to the same number is still open (sale 0123")


def test_those_whose_customer_still_has_time_stand_before_what_is_over(qtbot: Any) -> None:
    on = Stage(qtbot, size=(1024, 768))
    on.receive(*(parked(number) for number in range(50, 56)))
    on.settle()
    assert on.part("parked_more").text() != "+0"
    on.receive(*(parked(number, state=State.FAILED) for number in (50, 51, 52, 53)))
    on.settle()
    assert [each.split(",")[0] for each in chips(on)][:2] == ["Parked: LKR 54.00", "Parked: LKR 55.00"]
    assert not on.seen("parked_more"), "what is over is not in the list behind it either"


def test_what_i_cancelled_myself_is_no_news_and_what_another_cancelled_is(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=KASUN, recent=recent()))
    on.receive(*(parked(number, owner=KASUN.person_id) for number in (50, 60)))
    mine, his = CancelWish(KASUN.person_id, 1), CancelWish(RUWAN.person_id, 1)
    whose = KASUN.person_id
    on.receive(parked(50, cancel_wish=mine, state=State.CANCELLED, owner=whose))
    assert len(chips(on)) == 1
    assert not on.seen("ended")
    on.receive(parked(60, cancel_wish=his, state=State.CANCELLED, owner=whose))
    assert chips(on) == ["Parked: LKR 60.00, sale 0060, Cancelled | Cancelled"]
    assert on.seen("ended")


def test_what_i_cancelled_and_was_paid_all_the_same_asks_for_its_answer(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50, owner=NIMALI.person_id))
    wish = CancelWish(NIMALI.person_id, 1)
    on.receive(parked(50, owner=NIMALI.person_id, state=State.PAID, cancel_wish=wish))
    assert on.seen("settle")


@pytest.mark.parametrize("state", [State.FAILED, State.REFUSED, State.PAID])
def test_what_is_over_goes_after_a_minute_in_which_it_could_be_seen(qtbot: Any, state: State) -> None:
    now_s = 1000.0
    on = Stage(qtbot)
    on.window.controller.freshness.clock = lambda: now_s
    on.receive(parked(50), parked(60), parked(50, state=state))
    assert len(chips(on)) == 2
    now_s += 61
    on.window.controller.look_at_ages()
    assert [each.split(",")[0] for each in chips(on)] == ["Parked: LKR 60.00"]
    assert not on.seen("ended")


def test_what_ended_for_a_colleague_is_told_in_the_next_window_too(qtbot: Any) -> None:
    """A manager has changed the settings meanwhile; its cashier found nothing, and waited on."""
    old = Stage(qtbot)
    old.receive(at(OWN), parked(50, owner=OWN.person_id), parked(60, owner=OWN.person_id))
    old.receive(at(BOSS), parked(50, owner=OWN.person_id, state=State.FAILED))
    on = Stage(qtbot)
    on.receive(at(BOSS), parked(60, owner=OWN.person_id))
    on.window.take_over(old.window)
    on.receive(at(OWN))
    assert [each.rpartition("| ")[2].partition(" ·")[0] for each in chips(on)] == ["Waiting", "Not paid"]
    assert on.part("ended").text() == "SANDBOX · Sale 0050 · LKR 50.00 · Not paid"
    on.part("ended_button").click()
    assert on.part("result_headline").text() == "NOT PAID"
    assert not on.seen("ended")


def test_what_a_colleague_had_before_them_is_there_in_the_next_window_too(qtbot: Any) -> None:
    """Not parked, and not over: nothing but the number of open payments told of it."""
    theirs = attempt(owner=OTHER.person_id)
    old = Stage(qtbot)
    old.receive(at(OTHER))
    old.begin(change(theirs))
    old.receive(at(OWN), at(BOSS))
    on = Stage(qtbot)
    on.receive(at(BOSS), change(theirs))
    on.window.take_over(old.window)
    assert on.window.shown_id == ""
    on.receive(at(OTHER))
    assert on.window.shown_id == theirs.attempt_id


def test_what_ended_behind_the_lock_has_its_minute_when_its_cashier_is_back(qtbot: Any) -> None:
    now_s = 1000.0
    on = Stage(qtbot)
    on.window.controller.freshness.clock = lambda: now_s
    on.receive(at(recent=recent()), parked(50, owner=OWN.person_id), locked())
    on.receive(parked(50, owner=OWN.person_id, state=State.FAILED))
    now_s += 3600
    on.window.controller.look_at_ages()
    on.receive(at(recent=recent()))
    assert len(chips(on)) == 1
    now_s += 61
    on.window.controller.look_at_ages()
    assert chips(on) == []


def test_f6_on_an_idle_till_brings_one_after_the_other(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50), parked(60), parked(70))
    brought = []
    for _ in range(4):
        on.press(Qt.Key.Key_F6)
        brought.append(on.window.shown_id[-6:-2])
        on.press(Qt.Key.Key_F6)
        assert on.window.shown_id == ""
        on.receive(parked(int(brought[-1])))
    assert brought == ["0050", "0060", "0070", "0050"]
    assert [each.note for each in on.commands(Park)] == [None] * 4


def test_a_note_says_whose_it_is_and_is_kept(qtbot: Any) -> None:
    on = Stage(qtbot)
    assert not on.seen("parked_note")
    on.receive(parked(50), parked(60))
    on.press(Qt.Key.Key_F11)
    assert on.part("park_note_title").text() == "Whose is LKR 60.00, sale 0060?"
    on.type("red cap")
    on.press(Qt.Key.Key_Return)
    assert on.commands(Park) == [Park("SBX-TK7M3Q9RD-0060-1", NIMALI.person_id, "red cap")]
    assert not on.seen("park_note")
    on.receive(parked(60, note="red cap"))
    assert "Parked: red cap, LKR 60.00, sale 0060, Waiting" in chips(on)[1]
    qtbot.mouseClick(on.part("parked_1"), Qt.MouseButton.LeftButton)
    assert "red cap" in on.part("waiting_sale").text()
    qtbot.mouseClick(on.part("parked_note"), Qt.MouseButton.LeftButton)
    on.type("x")
    on.press(Qt.Key.Key_Escape)
    assert len(on.commands(Park)) == 1, "Esc writes nothing down"


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1920, 1080)])
def test_the_time_left_is_never_cut(qtbot: Any, size: tuple[int, int], language: str) -> None:
    on = Stage(qtbot, size=size, language=language)
    on.receive(*(parked(number, note="red cap") for number in range(50, 53)))
    on.settle()
    for place in range(3):
        assert on.part(f"parked_{place}").text_fits()
        assert re.search(r"[34]:\d\d", on.part(f"parked_{place}").line())


def test_a_touch_is_for_the_payment_that_stood_there_when_it_began(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(parked(50), parked(60))
    chip = on.part("parked_0")
    qtbot.mousePress(chip, Qt.MouseButton.LeftButton)
    on.receive(parked(50, state=State.FAILED))
    assert chip.attempt_id == parked(60).attempt.attempt_id
    qtbot.mouseRelease(chip, Qt.MouseButton.LeftButton)
    assert on.window.shown_id == parked(50).attempt.attempt_id
    ours = on.part("recent_0")
    first = ours.attempt
    qtbot.mousePress(ours, Qt.MouseButton.LeftButton)
    newest = attempt(attempt_id="SBX-TK7M3Q9RD-0200-1", sale_id="0200", tapped_at=first.tapped_at + 1)
    on.receive(terminal(recent=(newest, *recent())))
    assert ours.attempt == newest
    qtbot.mouseRelease(ours, Qt.MouseButton.LeftButton)
    assert on.part("payment_details").isVisible()
    assert on.part("payment_details").attempt_id == first.attempt_id
