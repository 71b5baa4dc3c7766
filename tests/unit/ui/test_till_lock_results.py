"""Whose result and whose late payment is shown to whom after a lock, a switch or a sign-out."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.attempt import State
from pos_app.domain.commands import Answer, Charge, SignOut
from pos_app.domain.views import Activity
from tests.support.published import attempt, change
from tests.support.stage import Stage
from tests.unit.ui.lock_cases import BOSS, OTHER, OWN, at, locked

PAID = attempt(state=State.PAID, ended_at=18_000)
LATE = attempt(state=State.PAID_LATE, ended_at=18_000)


@pytest.fixture
def on(qtbot: Any) -> Stage:
    stage = Stage(qtbot)
    stage.receive(at())
    return stage


def test_a_result_that_came_behind_the_lock_is_shown_to_its_cashier(on: Stage) -> None:
    told: list[str] = []
    on.window.result_shown.connect(told.append)
    on.begin(change())
    on.receive(locked(open=(attempt(),)), change(PAID), locked())
    assert told == []
    assert not on.seen("result_headline")
    on.receive(at())
    assert on.part("result_headline").text() == "PAID"
    assert told == ["paid"]


def test_another_cashier_does_not_get_the_former_s_result(on: Stage) -> None:
    on.begin(change())
    on.receive(locked(open=(attempt(),)), at(OTHER, open=(attempt(),)))
    assert on.part("methods_panel").isVisible()
    assert on.part("open_badge").text() == "1 open payment"
    on.receive(change(PAID), at(OTHER))
    assert not on.seen("result_headline")
    on.receive(locked(OTHER), at(OWN))
    assert on.part("result_headline").text() == "PAID"
    on.receive(locked(OWN), at(OTHER))
    assert on.part("methods_panel").isVisible()


def test_another_cashier_does_not_hear_the_former_s_result(on: Stage) -> None:
    """It came behind the lock; whoever takes the till has a customer of their own before them."""
    theirs = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", owner=OTHER.person_id)
    told: list[str] = []
    on.window.result_shown.connect(told.append)
    on.receive(locked(OWN), at(OTHER))
    on.begin(change(theirs))
    on.receive(locked(OTHER, open=(theirs,)), at(OWN, open=(theirs,)))
    on.begin(change())
    on.receive(
        locked(open=(attempt(), theirs)), change(PAID), locked(open=(theirs,)), at(OTHER, open=(theirs,))
    )
    assert on.part("waiting_panel").isVisible()
    assert told == []
    on.receive(locked(OTHER, open=(theirs,)), at(OWN, open=(theirs,)))
    assert on.part("result_headline").text() == "PAID"
    assert told == ["paid"]


def test_a_manager_gets_the_result_with_the_cashier_s_name(on: Stage) -> None:
    on.begin(change())
    on.receive(locked(open=(attempt(),)), at(BOSS, open=(attempt(),)))
    assert on.part("waiting_sale").text() == "sale 0123 · Nimali"
    on.receive(change(PAID))
    assert on.part("result_facts").text().endswith("· Nimali")
    on.part("result_next").click()
    on.receive(locked(BOSS), at(OWN))
    assert on.part("methods_panel").isVisible(), "it was looked at"


def test_a_sign_out_does_not_lose_the_result(on: Stage) -> None:
    on.begin(change())
    on.receive(at(None, open=(attempt(),)), change(PAID), at(None), at(OTHER))
    assert not on.seen("result_headline")
    on.receive(at(None), at(OWN))
    assert on.part("result_headline").text() == "PAID"


def test_a_late_payment_waits_until_somebody_it_concerns_is_there(on: Stage) -> None:
    on.receive(locked(attention=(LATE,)), change(LATE))
    assert on.window.overlay.top is None
    assert not on.seen("answer_panel")
    on.receive(at(OTHER, attention=(LATE,)))
    assert not on.seen("answer_panel")
    on.receive(locked(OTHER, attention=(LATE,)), at(BOSS, attention=(LATE,)))
    assert "Ruwan" in on.part("settle_who").text()
    on.receive(locked(BOSS, attention=(LATE,)), at(OWN, attention=(LATE,)))
    assert "Nimali" in on.part("settle_who").text()
    on.part("settle_reason_suggestion_0").click()
    on.part("settle_complete").click()
    assert [command.name for command in on.commands(Answer)] == ["Nimali"]


def test_an_alert_that_was_up_when_its_cashier_left_is_raised_again(on: Stage) -> None:
    on.receive(at(attention=(LATE,)), change(LATE))
    assert on.part("answer_panel").isVisible()
    on.receive(locked(attention=(LATE,)), at(OTHER, attention=(LATE,)))
    assert not on.seen("answer_panel")
    on.receive(at(OWN, attention=(LATE,)))
    assert on.part("answer_panel").isVisible()


def test_an_alert_before_anybody_signs_in_comes_with_their_name(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(at(None, attention=(LATE,)), change(LATE))
    assert on.part("cover").isVisible()
    assert not on.seen("answer_panel")
    on.receive(at(OWN, attention=(LATE,)))
    assert "Nimali" in on.part("settle_who").text()


def test_the_other_method_is_not_begun_behind_the_lock(on: Stage) -> None:
    on.begin(change(activity=Activity(elapsed_s=75)))
    on.part("other_method").click()
    on.posted.clear()
    on.receive(locked(open=(attempt(),)))
    cancelled = attempt(state=State.CANCELLED, ended_at=18_000)
    on.receive(change(cancelled, may_start_another=True), at())
    assert on.commands(Charge) == []
    assert on.part("result_headline").text() == "NOT PAID"


def test_a_sign_out_with_an_open_payment_says_so(on: Stage) -> None:
    on.receive(at(open=(attempt(), attempt(attempt_id="b", owner="p2"))))
    on.part("person").click()
    on.part("menu_sign_out").click()
    assert on.part("question_more").text().startswith("1 payment of yours is still open.")
    on.part("question_yes").click()
    assert on.posted == [SignOut()]
