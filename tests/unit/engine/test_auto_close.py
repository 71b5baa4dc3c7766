"""A till that closes the day by itself: behind the cut-off, in its own name, where the time can be believed."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.day import Z, totals
from pos_app.domain.people import TERMINAL
from pos_app.domain.takings import Tally
from pos_app.domain.views import DayStep, Terminal
from pos_app.engine.core.config import Reconfigured
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import SITE, Rig

TOLD = timedelta(minutes=10)


@pytest.fixture
def till(memory: MemoryJournal) -> Rig:
    """One that closes by itself; the service has told its time."""
    rig = Rig(memory, replace(SITE, auto_close=True))
    rig.clock.service_told = True
    return rig.start()


def zs(rig: Rig) -> list[Z]:
    """All that were closed."""
    last = rig.journal.last_z()
    return [z for number in range(1, last.number + 1) if (z := rig.journal.z(number))] if last else []


def to_cutoff(rig: Rig) -> float:
    """Seconds to the next cut-off by the wall clock."""
    wall = rig.clock.wall()
    at = datetime.combine(wall.date(), rig.config.cutoff, wall.tzinfo)
    at += timedelta(days=at <= wall)
    return (at - wall).total_seconds()


def test_behind_the_cut_off_the_till_closes_in_its_own_name(till: Rig) -> None:
    till.pay()
    till.wait(to_cutoff(till) - 1)
    assert zs(till) == []
    till.wait(2)
    (z,) = zs(till)
    assert (z.by, z.why, totals(z.entries, "LKR").taken) == (TERMINAL, "cutoff", Tally(1, 1250))
    began = [each for each in till.journal.events_of("day") if each.kind == "CLOSING_BEGAN"]
    assert [(each.actor, each.content["why"]) for each in began] == [(TERMINAL, "cutoff")]
    assert z.business_date < till.last(Terminal).day.business_date, "it is of the day on which it sold"
    assert not till.last(Terminal).day.overdue
    till.wait(3 * 86_400)
    assert len(zs(till)) == 1, "a day on which nothing was sold needs no Z"


def test_a_till_that_was_not_told_to_closes_nothing(rig: Rig) -> None:
    rig.clock.service_told = True
    rig.pay()
    rig.wait(3 * 86_400)
    assert zs(rig) == []
    rig.tell(Reconfigured(config=replace(SITE, auto_close=True), who="person-1", changed=("day.auto_close",)))
    assert len(zs(rig)) == 1, "what is open from before is closed as soon as somebody says so"


@pytest.mark.parametrize(
    "pushed", [timedelta(days=3650), TOLD + timedelta(seconds=1), -TOLD - timedelta(seconds=1)]
)
def test_a_clock_that_somebody_set_makes_no_zs(till: Rig, pushed: timedelta) -> None:
    till.pay()
    till.clock.pushed = pushed
    till.wait(3 * 86_400)
    assert zs(till) == []
    till.clock.pushed = timedelta()
    till.wait(61)
    assert len(zs(till)) == 1


@pytest.mark.parametrize("pushed", [TOLD, -TOLD])
def test_a_clock_that_is_somewhat_wrong_does_not_keep_the_day_open(till: Rig, pushed: timedelta) -> None:
    till.clock.pushed = pushed
    till.pay()
    till.wait(to_cutoff(till) + 1)
    assert len(zs(till)) == 1


def test_a_cut_off_within_an_hour_parts_that_hour(memory: MemoryJournal) -> None:
    """What is sold behind it is of the new day, on the stroke and after the next start, too."""
    rig = Rig(memory, replace(SITE, auto_close=True, cutoff=time(4, 30)))
    rig.clock.service_told = True
    till = rig.start()
    till.wait(to_cutoff(till) + 60)
    till.pay()
    till.wait(120)
    assert (zs(till), till.last(Terminal).day.overdue) == ([], False)
    till.restart()
    till.wait(120)
    assert (zs(till), till.last(Terminal).day.overdue) == ([], False)
    till.wait(to_cutoff(till) + 1)
    assert len(zs(till)) == 1


def test_what_is_sold_in_the_last_minutes_before_a_cut_off_is_of_the_day_that_is_over(
    memory: MemoryJournal,
) -> None:
    rig = Rig(memory, replace(SITE, auto_close=True, cutoff=time(4, 30)))
    rig.clock.service_told = True
    till = rig.start()
    till.wait(to_cutoff(till) - 120)
    till.pay()
    till.restart()
    assert zs(till) == []
    till.wait(121)
    assert len(zs(till)) == 1


def test_before_the_service_has_told_the_time_nothing_is_closed(till: Rig) -> None:
    till.pay()
    till.clock.service_told = False
    till.wait(to_cutoff(till) + 600)
    assert (zs(till), till.last(Terminal).day.overdue) == ([], True)
    till.clock.service_told = True
    till.wait(61)
    assert len(zs(till)) == 1


def test_a_payment_under_way_is_carried_over_and_goes_on(till: Rig) -> None:
    till.pay()
    left = to_cutoff(till)
    till.wait(left - 10)
    waiting = till.charge()
    till.initiated()
    till.wait(10)
    assert till.last(Terminal).day.step is DayStep.ASKING
    sold_meanwhile = till.charge(another_customer=True)
    assert sold_meanwhile, "selling never waits for a closing"
    till.asked("Merchant Initiated", waiting)
    (z,) = zs(till)
    assert [each.attempt_id for each in z.carried] == [waiting, sold_meanwhile]
    till.wait(3)
    till.asked("Payment Success", waiting)
    assert till.state(waiting) is State.PAID


def test_what_is_sold_before_the_time_is_known_puts_nothing_off(till: Rig) -> None:
    """Yesterday's money is open, and today's comes on top of it."""
    till.pay()
    till.clock.service_told = False
    till.wait(to_cutoff(till) + 60)
    of_today = till.charge()
    till.initiated()
    till.wait(3)
    till.asked("Payment Success", of_today)
    till.clock.service_told = True
    till.wait(61)
    assert len(zs(till)) == 1


def test_a_crash_in_the_middle_is_gone_on_with_by_the_next_start(till: Rig) -> None:
    till.pay()
    till.charge()
    till.initiated()
    till.wait(to_cutoff(till))
    assert till.last(Terminal).day.step is DayStep.ASKING
    till.restart()
    till.wait(61)
    (z,) = zs(till)
    assert z.why == "cutoff"
    began = [each for each in till.journal.events_of("day") if each.kind == "CLOSING_BEGAN"]
    assert len(began) == 1


def test_a_full_disk_puts_it_off(memory: MemoryJournal, till: Rig) -> None:
    till.pay()
    till.wait(to_cutoff(till) - 1)
    memory.full = True
    till.wait(5)
    assert zs(till) == []
    memory.full = False
    till.wait(180)
    assert len(zs(till)) == 1
