"""Crashes are counted through restarts, ends are not, and no clock setting moves either."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pos_app.app.kiosk.starts import FILE, Moment, Starts, moment
from tests.support.unprivileged import owned_folder, somebody

MINUTE = 60_000


class Machine:
    """A machine's own time."""

    def __init__(self) -> None:
        self.boot, self.at_ms = "first", 10 * MINUTE

    def __call__(self) -> Moment:
        return Moment(self.boot, self.at_ms)


def crash(folder: Path, machine: Machine, times: int, apart_ms: int) -> list[int]:
    """What each start counts; none is ended."""
    counted = []
    for _ in range(times):
        counted.append(Starts(folder, machine).begin())
        machine.at_ms += apart_ms
    return counted


def test_a_start_that_was_not_ended_is_a_crash(tmp_path: Path) -> None:
    assert crash(tmp_path, Machine(), 4, MINUTE) == [0, 1, 2, 3]


def test_an_end_is_none(tmp_path: Path) -> None:
    for _ in range(4):
        starts = Starts(tmp_path, Machine())
        assert starts.begin() == 0
        starts.end()


def test_an_end_forgets_none_of_the_crashes_before_it(tmp_path: Path) -> None:
    machine = Machine()
    crash(tmp_path, machine, 3, 1000)
    safe = Starts(tmp_path, machine)
    assert safe.begin() == 3
    # The safe screen stands, and itself is killed.
    safe.end()
    assert Starts(tmp_path, machine).begin() == 3


def test_one_whose_screen_fell_under_it_did_not_crash(tmp_path: Path) -> None:
    """The first of a session's two ways to draw: each start of such a machine counted as a crash, and after three the
    till was not started again."""
    machine = Machine()
    assert crash(tmp_path, machine, 2, 1000) == [0, 1]
    for _ in range(4):
        assert Starts(tmp_path, machine).begin() == 2
        starts = Starts(tmp_path, machine)
        assert starts.begin(screen_fell=True) == 2
        starts.end()


def test_only_those_of_five_minutes_count(tmp_path: Path) -> None:
    assert crash(tmp_path, Machine(), 8, 2 * MINUTE) == [0, 1, 2, 3, 3, 3, 3, 3]
    (tmp_path / "slow").mkdir()
    assert crash(tmp_path / "slow", Machine(), 6, 6 * MINUTE) == [0, 1, 1, 1, 1, 1]


def test_a_person_who_starts_it_again_begins_a_new_count(tmp_path: Path) -> None:
    machine = Machine()
    crash(tmp_path, machine, 3, 1000)
    starts = Starts(tmp_path, machine)
    starts.begin()
    starts.forgive()
    assert starts.begin() == 0


def test_a_power_cut_is_no_crash_of_the_till(tmp_path: Path) -> None:
    machine = Machine()
    crash(tmp_path, machine, 3, 1000)
    machine.boot, machine.at_ms = "second", 20 * MINUTE
    assert Starts(tmp_path, machine).begin() == 0


def test_where_boots_have_no_name_time_that_ran_back_tells_of_one(tmp_path: Path) -> None:
    machine = Machine()
    machine.boot = ""
    crash(tmp_path, machine, 3, 1000)
    machine.at_ms = MINUTE
    assert Starts(tmp_path, machine).begin() == 0


def test_a_file_that_cannot_be_read_or_written_keeps_no_till_from_starting(
    tmp_path: Path, capsys: object
) -> None:
    del capsys
    no_text = b'{"boot": "\xff", "at_ms": 1, "running": true}'
    no_end = b'{"more": ' + b"[" * 100_000
    for text in (b"", b"[]", b'{"boot": 3}', b"\0", no_text, no_end):
        (tmp_path / FILE).write_bytes(text)
        assert Starts(tmp_path, Machine()).begin() == 0
    nowhere = Starts(tmp_path / "nowhere", Machine())
    assert nowhere.begin() == 0
    nowhere.end()


@pytest.mark.skipif(os.name != "posix", reason="no folder can be closed to its owner there")
def test_where_there_is_no_room_for_another_file_crashes_count_all_the_same() -> None:
    """On a full disk the till began again for ever: a crash that is not counted comes to no safe screen."""
    machine = Machine()
    with owned_folder() as folder, somebody():
        assert Starts(folder, machine).begin() == 0
        folder.chmod(0o500)
        try:
            assert crash(folder, machine, 5, 1000) == [1, 2, 3, 3, 3]
            # Something else has written there: what is longer left its end behind each record, which nobody could read.
            (folder / FILE).write_bytes(b"[" * 2_000)
            assert crash(folder, machine, 4, 1000) == [0, 1, 2, 3]
            Starts(folder, machine).forgive()
            assert Starts(folder, machine).begin() == 0
        finally:
            folder.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_its_place_holds_up_no_start(tmp_path: Path) -> None:
    """It was waited for whoever writes into it: a black screen, at each start."""
    os.mkfifo(tmp_path / FILE)
    starts = Starts(tmp_path, Machine())
    assert starts.begin() == 0
    starts.end()


def test_the_machines_time_runs_whatever_the_clock_is_set_to(tmp_path: Path) -> None:
    first, second = moment(), moment()
    assert first.boot == second.boot
    assert second.at_ms >= first.at_ms
    assert [Starts(tmp_path).begin() for _ in range(3)] == [0, 1, 2]
