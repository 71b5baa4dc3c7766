"""The limits of codes hold in real time: what somebody does to the clock, or to the power, frees none."""

from __future__ import annotations

from pathlib import Path

from pos_app.domain.commands import SendOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import NoAnswer, Why
from pos_app.engine.connection.calls import OtpSendAnswered
from pos_app.engine.core.clock import TillClock
from tests.unit.engine.rig import Rig

NIGHT_S = 14 * 3600


def three_codes(rig: Rig) -> None:
    """As many as a quarter of an hour allows."""
    for wait in (31, 61, 61):
        rig.tell(SendOtp("person-1"))
        assert rig.names() == ["send otp"]
        rig.calls.made.clear()
        rig.tell(OtpSendAnswered("person-1", NoAnswer(Why.TIME_OUT, sent=True)))
        rig.wait(wait)


def reboot(rig: Rig, off_s: float) -> None:
    """Off for so long by the till's wall clock; up for half a minute when the till starts."""
    rig.clock.boot += "'"
    rig.restart(off_s)
    rig.clock.booted = rig.clock.ms - 30_000
    rig.calls.made.clear()


def test_a_reboot_with_a_clock_nobody_confirms_gives_no_more(staffed: Rig) -> None:
    """The wall clock says it was a night; only the half minute since the start is sure."""
    three_codes(staffed)
    reboot(staffed, NIGHT_S)
    staffed.tell(SendOtp("person-1"))
    assert staffed.dialog.problem == OtpProblem.TIME_NOT_SURE
    assert staffed.names() == []
    wait_s = staffed.dialog.wait_s
    assert wait_s is not None
    assert wait_s <= 15 * 60
    staffed.wait(wait_s)
    staffed.tell(SendOtp("person-1"))
    assert staffed.names() == ["send otp"]


def test_a_shop_that_is_off_at_night_does_not_wait(staffed: Rig) -> None:
    """The first reply of the morning says what time it is."""
    staffed.clock.service_told = True
    three_codes(staffed)
    staffed.clock.service_told = False
    reboot(staffed, NIGHT_S)
    staffed.clock.service_told = True
    staffed.tell(SendOtp("person-1"))
    assert staffed.names() == ["send otp"]


def test_a_reboot_of_a_minute_is_told_by_the_service_as_well(staffed: Rig) -> None:
    """The limit still stands, and says so in its own words."""
    staffed.clock.service_told = True
    three_codes(staffed)
    reboot(staffed, 60)
    staffed.tell(SendOtp("person-1"))
    assert staffed.dialog.problem == OtpProblem.TOO_MANY_CODES


def test_the_real_clock_knows_its_boot_and_what_the_service_said() -> None:
    """Two processes of one boot measure on one scale."""
    first, second = TillClock(0), TillClock(10**15)
    one, two = first.stamp(), second.stamp()
    assert one.boot == two.boot
    assert 0 <= two.since_boot - one.since_boot < 60_000
    assert one.service is None
    first.service_said(1_700_000_000_000)
    told = first.stamp().service
    assert told is not None
    assert 0 <= told - 1_700_000_000_000 < 60_000


def test_without_a_name_for_the_boot_each_process_counts_from_its_start(tmp_path: Path) -> None:
    """Windows and macOS: nothing that passed before it is sure until the service says so."""
    nothing = tmp_path / "none"
    one, two = TillClock(0, nothing).stamp(), TillClock(0, nothing).stamp()
    assert one.boot != two.boot
    assert max(one.since_boot, two.since_boot) < 60_000
