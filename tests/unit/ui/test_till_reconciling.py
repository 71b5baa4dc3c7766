"""Reconciling at the window: a manager's key, how far it is, what differs in words, signed with a reason."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.commands import (
    DecideDifferences,
    LeaveReconciling,
    ReadDifferences,
    ReadX,
    ReadZ,
    Reconcile,
)
from pos_app.domain.reconcile import Decided, Difference, DifferenceKind, Run, Why
from pos_app.domain.views import (
    DayProblem,
    DayStep,
    DayView,
    DifferencesDecided,
    DifferencesRead,
    ReconEnded,
    ReconStep,
    ReconView,
    XRead,
    ZRead,
)
from pos_app.i18n.words.day import words as day_words
from pos_app.i18n.words.reconcile import words
from tests.support.published import NIMALI, RUWAN, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import faults
from tests.unit.ui.test_till_day import x, z

F10, ESC = Qt.Key.Key_F10, Qt.Key.Key_Escape
BOSS = replace(RUWAN, passcode_set=True)
RUN = Run(
    number=7,
    first="2026-03-01 08:00:00",
    last="2026-03-01 21:40:00",
    tapped_from=0,
    tapped_to=1,
    currency="LKR",
    ended=True,
    complete=True,
    rows=410,
    equal=408,
    differences={"foreign": 2, "other_till": 1},
    at_risk={"foreign": "112.50"},
)


def difference(kind: DifferenceKind = DifferenceKind.FOREIGN, **facts: Any) -> Decided:
    """One that nobody has signed for."""
    base = Difference(
        kind=kind,
        subject="W-1",
        at="2026-03-01 14:05:00",
        currency="LKR",
        wallet_transaction_id="W-1",
        there_status="Payment Success",
        there_amount=Decimal("1250.00"),
        at_risk=Decimal("1250.00"),
    )
    return Decided(difference=replace(base, **facts), run=7)


class Comparing(Stage):
    """A manager has opened the day and pressed the key."""

    def __init__(self, qtbot: Any, **told: Any) -> None:
        super().__init__(qtbot)
        self._told: dict[str, Any] = {"people": (NIMALI, BOSS), "signed_in": BOSS, **told}
        self.receive(terminal(**self._told))
        self.press(F10)
        self.part("manager_day").click()
        self.part("day_reconcile").click()
        self.request = self.commands(Reconcile)[-1].request_id

    def far(self, **view: Any) -> None:
        """How far it is."""
        self.receive(terminal(**self._told, recon=ReconView(run=7, **view)))

    def ended(self, run: Run = RUN, *found: Decided, more: bool = False) -> None:
        """What it came to, and the first of its differences."""
        self.receive(ReconEnded(request_id=self.request, run=run))
        self.receive(DifferencesRead(request_id=self.request, run=run, found=found, more=more))

    def said(self, name: str) -> str:
        """The text of a part."""
        return str(self.part(name).text())


@pytest.fixture
def on(qtbot: Any) -> Comparing:
    """The panel is open."""
    return Comparing(qtbot)


def test_the_key_is_a_managers(qtbot: Any) -> None:
    """A cashier has none."""
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, BOSS), signed_in=NIMALI))
    on.press(F10)
    on.part("manager_day").click()
    assert not on.seen("day_reconcile")


def test_how_far_it_is_is_said(on: Comparing) -> None:
    """The list, the comparing, the asks, the writing down; and it can be stopped."""
    assert faults(on.part("differences")) == []
    assert on.said("differences_said") == words.READING
    on.far(step=ReconStep.READING, rows=120, back_to="2026-03-01 12:00:00")
    assert "2026-03-01 12:00:00: 120 payments" in on.said("differences_said")
    on.far(step=ReconStep.COMPARING)
    assert on.said("differences_said") == words.COMPARING
    on.far(step=ReconStep.ASKING, asked=2, to_ask=9)
    assert "2 of 9" in on.said("differences_said")
    on.far(step=ReconStep.ENDING)
    assert on.said("differences_said") == words.ENDING
    on.part("differences_stop").click()
    assert len(on.commands(LeaveReconciling)) == 1


def test_an_equal_day_says_so(on: Comparing) -> None:
    """With how many payments; nothing is left to do."""
    on.ended(replace(RUN, differences={}, at_risk={}, equal=410))
    assert on.said("differences_said") == words.EQUAL.of(410)
    assert not on.seen("differences_stop")
    assert not on.seen("differences_more")


def test_differences_are_told_in_words_with_their_money(on: Comparing, qtbot: Any) -> None:
    """What each side says, how much is at risk, what it looks like; the class's sum above."""
    on.ended(
        RUN,
        difference(looks_like="0123"),
        difference(
            DifferenceKind.HERE_PAID,
            subject="a-1",
            sale_id="0124",
            here_state="PAID",
            here_amount=Decimal("12.50"),
            there_status="",
            there_amount=None,
            at_risk=Decimal("12.50"),
        ),
        difference(DifferenceKind.INCOMPLETE, subject="t", at_risk=None, there_status="", there_amount=None),
        difference(
            DifferenceKind.OTHER_TILL, subject="BBBB2222", at_risk=Decimal(0), there_status="", count=4
        ),
    )
    assert on.said("differences_said") == words.DIFFERENT.of(2)
    assert "LKR 112.50" in on.said("differences_more")
    assert on.said("difference_0_kind") == words.KIND[DifferenceKind.FOREIGN]
    assert on.said("difference_0_risk") == "At risk: LKR 1,250.00"
    assert "Looks like sale 0123." in on.said("difference_0_sides")
    sides = on.said("difference_1_sides")
    assert "sale 0124" in sides
    assert "Here: Paid, LKR 12.50" in sides
    assert "At the service: not found" in sides
    assert words.NOT_ASKED_ABOUT in sides
    assert on.said("difference_2_risk") == words.AT_RISK_UNKNOWN
    assert not on.seen("difference_2_sign")
    assert on.said("difference_3_risk") == words.NO_RISK
    qtbot.waitUntil(lambda: faults(on.part("differences")) == [])


def test_a_list_that_was_not_whole_is_said_first(on: Comparing) -> None:
    """Bold, whatever else was found."""
    on.ended(replace(RUN, complete=False, why=Why.NOT_ANSWERED, not_asked=3, more=2))
    assert on.said("differences_said") == words.INCOMPLETE
    more = on.said("differences_more")
    for text in (words.WHY[Why.NOT_ANSWERED], words.NOT_ASKED.of(3), words.MORE.of(2)):
        assert text in more


def test_one_is_signed_for_with_a_reason(on: Comparing) -> None:
    """No payment is changed by it: it says so, and asks why."""
    on.ended(RUN, difference())
    on.part("difference_0_sign").click()
    assert words.SIGN_MORE in on.said("difference_why_more")
    on.part("difference_why_do").click()
    assert on.commands(DecideDifferences) == []
    on.part("difference_why_reason").setText("Of the old till")
    on.part("difference_why_do").click()
    [decided] = on.commands(DecideDifferences)
    assert (decided.run, decided.keys, decided.kind, decided.reason) == (
        7,
        ("foreign W-1",),
        "",
        "Of the old till",
    )
    on.receive(DifferencesDecided(request_id=on.request, count=1))
    assert not on.seen("difference_why")
    signed = Decided(
        difference=difference().difference, run=7, reason="Of the old till", name="Ruwan", wall="w"
    )
    on.receive(DifferencesRead(request_id=on.request, run=RUN, found=(signed,)))
    assert on.said("difference_0_signed") == "Signed by Ruwan: Of the old till"


def test_a_class_is_signed_for_at_once_and_a_refusal_is_said(on: Comparing) -> None:
    """At the first of them stands the key for all."""
    on.ended(RUN, difference(), difference(subject="W-2"))
    assert not on.seen("difference_1_sign_all")
    on.part("difference_0_sign_all").click()
    on.part("difference_why_reason").setText("All of the old till")
    on.part("difference_why_do").click()
    [decided] = on.commands(DecideDifferences)
    assert (decided.keys, decided.kind) == ((), "foreign")
    on.receive(DifferencesDecided(request_id=on.request, problem=DayProblem.CANNOT_RECORD))
    assert on.seen("difference_why_problem")


def test_what_was_compared_again_meanwhile_is_not_taken_for_signed(on: Comparing) -> None:
    """A closing compares, too: what it found is its own, and the older look signs nothing."""
    on.ended(RUN, difference())
    on.part("difference_0_sign").click()
    on.part("difference_why_reason").setText("Looked into")
    on.part("difference_why_do").click()
    on.receive(DifferencesDecided(request_id=on.request, count=0))
    assert on.said("difference_why_problem") == words.NOT_SIGNED
    assert on.said("difference_why_reason") == "Looked into"


def test_the_next_ones_come_with_a_touch(on: Comparing) -> None:
    """Behind the last that is shown."""
    on.ended(RUN, difference(), more=True)
    on.part("differences_next").click()
    on.part("differences_next").click()
    _first, asked = on.commands(ReadDifferences)
    assert (asked.run, asked.after) == (7, "foreign W-1")
    on.receive(DifferencesRead(request_id=on.request, run=RUN, found=(difference(subject="W-2"),)))
    assert on.said("difference_1_kind") == words.KIND[DifferenceKind.FOREIGN]
    assert not on.seen("differences_next")


def test_enter_twice_at_the_next_ones_leaves_nothing(on: Comparing) -> None:
    """The keys went from it to the way back while they were on their way."""
    on.ended(RUN, difference(), more=True)
    on.settle()
    on.part("differences_next").setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2):
        on.press(Qt.Key.Key_Return)
        assert on.has_focus("differences_next")
    assert len(on.commands(ReadDifferences)) == 2


def test_next_ones_that_cannot_be_read_are_asked_for_again(on: Comparing) -> None:
    """And all of them, where the list was begun anew: it had no last one to go on from."""
    on.ended(RUN, difference(), more=True)
    unread = DifferencesRead(request_id=on.request, problem=DayProblem.CANNOT_READ)
    for after in ("foreign W-1", "foreign W-1"):
        on.part("differences_next").click()
        assert on.commands(ReadDifferences)[-1].after == after
        on.receive(unread)
    assert len(on.commands(ReadDifferences)) == 3
    on.receive(DifferencesDecided(request_id=on.request, count=1))
    on.receive(unread)
    on.part("differences_next").click()
    assert len(on.commands(ReadDifferences)) == 5
    assert on.commands(ReadDifferences)[-1].after == ""
    assert on.said("differences_said") == day_words.PROBLEM[DayProblem.CANNOT_READ]
    on.receive(DifferencesRead(request_id=on.request, run=RUN, found=(difference(),)))
    assert on.said("differences_said") == next(iter(words.result(RUN)))


def test_why_nothing_is_compared_is_said(on: Comparing) -> None:
    """And another's answer is none of ours."""
    on.receive(ReconEnded(request_id="another", run=RUN))
    assert on.said("differences_said") == words.READING
    on.receive(ReconEnded(request_id=on.request, problem=DayProblem.NO_LIST))
    assert on.said("differences_said") == words.PROBLEM[DayProblem.NO_LIST]
    on.press(ESC)
    assert not on.seen("differences")
    on.receive(ReconEnded(request_id=on.request, run=RUN))  # nobody looks any more


def test_who_signs_by_keys_goes_on_where_they_were(on: Comparing) -> None:
    """Not at the key for all of a kind, at the top."""
    on.ended(RUN, *(difference(subject=f"W-{each}") for each in range(1, 4)))
    on.settle()
    on.part("difference_1_sign").setFocus(Qt.FocusReason.TabFocusReason)
    on.press(Qt.Key.Key_Return)
    on.part("difference_why_reason").setText("Looked into")
    on.press(Qt.Key.Key_Return)
    on.receive(DifferencesDecided(request_id=on.request, count=1))
    assert on.has_focus("differences_back")
    signed = replace(difference(subject="W-2"), reason="Looked into", name="Ruwan", wall="w")
    found = (difference(subject="W-1"), signed, difference(subject="W-3"))
    on.receive(DifferencesRead(request_id=on.request, run=RUN, found=found))
    on.until(lambda: on.has_focus("difference_2_sign"))


def test_a_comparison_that_was_left_is_looked_at_again(on: Comparing) -> None:
    """It goes on meanwhile, and can still be stopped; asked for twice it were refused."""
    reading = {"step": ReconStep.READING, "rows": 120, "back_to": "2026-03-01 12:00:00"}
    on.far(**reading)
    on.press(ESC)
    on.far(**reading)
    on.part("day_reconcile").click()
    assert "120 payments" in on.said("differences_said")
    assert on.seen("differences_stop")
    on.ended(RUN, difference())
    on.settle()
    assert on.seen("difference_0_sign")
    assert len(on.commands(Reconcile)) == 1
    on.press(ESC)
    on.far()
    on.part("day_reconcile").click()
    assert len(on.commands(Reconcile)) == 2


def _of_the_next_z(on: Comparing) -> str:
    """Z 4 is looked at, and compared: for which request."""
    on.press(ESC)
    on.choose("day_which", "4")
    on.receive(ZRead(request_id=on.commands(ReadZ)[-1].request_id, reports=(z(4),)))
    on.part("day_reconcile").click()
    assert on.commands(Reconcile)[-1].z == 4
    request_id: str = on.commands(Reconcile)[-1].request_id
    return request_id


def _of_the_open_day(on: Comparing) -> None:
    on.press(ESC)
    on.choose("day_which", "")
    on.receive(XRead(request_id=on.commands(ReadX)[-1].request_id, report=x(5)))
    on.part("day_reconcile").click()


def test_a_comparison_that_another_one_had_to_wait_for_is_looked_at_again(qtbot: Any) -> None:
    """It could neither be seen nor stopped any more: the open day's was refused, too, until it had ended by itself."""
    on = Comparing(qtbot, day=DayView(number=5, last_z=4))
    reading = {"step": ReconStep.READING, "rows": 120, "back_to": "2026-03-01 12:00:00"}
    on.far(**reading)
    refused = _of_the_next_z(on)
    on.receive(ReconEnded(request_id=refused, problem=DayProblem.BEING_CLOSED))
    on.far(**reading)
    assert on.said("differences_said") == words.PROBLEM[DayProblem.BEING_CLOSED]
    _of_the_open_day(on)
    assert len(on.commands(Reconcile)) == 2
    on.far(**reading)
    assert "120 payments" in on.said("differences_said")
    assert on.seen("differences_stop")
    on.ended(RUN, difference())
    on.settle()
    assert on.seen("difference_0_sign")


def test_what_ended_beside_one_that_was_refused_is_made_anew(qtbot: Any) -> None:
    on = Comparing(qtbot, day=DayView(number=5, last_z=4))
    on.far(step=ReconStep.READING)
    refused = _of_the_next_z(on)
    on.receive(ReconEnded(request_id=refused, problem=DayProblem.BEING_CLOSED))
    on.receive(ReconEnded(request_id=on.request, run=RUN))
    assert on.said("differences_said") == words.PROBLEM[DayProblem.BEING_CLOSED], "it is of another day"
    on.far()
    _of_the_open_day(on)
    assert len(on.commands(Reconcile)) == 3


def test_one_that_ended_while_nobody_looked_is_made_anew(on: Comparing) -> None:
    on.far(step=ReconStep.COMPARING)
    on.press(ESC)
    on.receive(ReconEnded(request_id=on.request, problem=DayProblem.BEING_CLOSED))
    on.part("day_reconcile").click()
    again = on.commands(Reconcile)[-1].request_id
    assert again != on.request
    on.receive(ReconEnded(request_id=again, problem=DayProblem.BEING_CLOSED))
    on.far(step=ReconStep.READING)
    assert on.said("differences_said") == words.PROBLEM[DayProblem.BEING_CLOSED], (
        "of another's, nothing is told"
    )


def test_a_closing_can_go_on_without(qtbot: Any) -> None:
    """The key stands there as long as the day is compared."""
    on = Stage(qtbot)
    people = (NIMALI, BOSS)
    on.receive(terminal(people=people, signed_in=BOSS))
    on.press(F10)
    on.part("manager_day").click()
    assert not on.seen("day_without")
    on.receive(
        terminal(people=people, signed_in=BOSS, day=DayView(step=DayStep.RECONCILING, request_id="c1"))
    )
    assert on.part("day_said").text() == words.READING
    assert not on.part("day_reconcile").isEnabled()
    on.part("day_without").click()
    assert len(on.commands(LeaveReconciling)) == 1
