"""Plays one cell of the matrix once: the fault at its step, by the kind of payment and the dice."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from random import Random

from tests.verification.matrix import (
    at_cancel,
    at_change,
    at_clock,
    at_code,
    at_counter,
    at_crash,
    at_damage,
    at_day,
    at_disk,
    at_display,
    at_late,
    at_later,
    at_memory,
    at_paper,
    at_poll,
    at_record,
    at_send,
    at_sleep,
    at_store,
    at_unique,
)
from tests.verification.matrix.cells import Case

Player = Callable[[Case, Random], list[str]]

BY_STEP: dict[str, Player] = {
    "S": at_send.play,
    "T": at_poll.play,
    "C": at_cancel.play,
    "G": at_later.play,
    "O1": at_code.play_send,
    "O2": at_code.play_try,
}


BY_ROW: dict[int, Player] = dict.fromkeys((1, 2, 3), at_crash.play)
BY_ROW |= dict.fromkeys((4, 5, 6, 7, 8), at_disk.play)
BY_ROW |= {12: at_counter.second_start, 13: at_counter.same_counter, 15: at_memory.play}
BY_ROW |= {54: at_store.play, 55: at_change.play}
BY_ROW |= dict.fromkeys((9, 10, 11), at_clock.play)
BY_ROW[14] = at_sleep.play
BY_ROW[51] = at_display.play
BY_ROW |= dict.fromkeys((49, 50), at_late.play)
"""Rows that have a player of their own."""

BY_CELL: dict[tuple[int, str], Player] = dict.fromkeys(
    ((39, "J1"), (40, "J1"), (40, "D"), (41, "J1"), (41, "D"), (48, "D")), at_record.play
)
BY_CELL |= dict.fromkeys(((1, "D"), (2, "D"), (3, "D")), at_paper.killed)
BY_CELL |= dict.fromkeys(((4, "D"), (5, "D"), (6, "D")), at_paper.without_disk)
BY_CELL[52, "D"] = at_paper.at_the_printer
BY_CELL |= dict.fromkeys(((9, "D"), (10, "D")), at_day.clock_at_the_paper)
BY_CELL |= dict.fromkeys(((9, "G"), (10, "G")), at_day.clock_at_the_closing)
BY_CELL[11, "D"] = at_day.hour_at_the_paper
BY_CELL[13, "G"] = at_day.twin_at_the_closing
BY_CELL[39, "G"] = at_day.unknown_at_the_closing

FROM_THE_LINE = frozenset({*range(16, 39), 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 53})


def player(case: Case) -> Player | None:
    """What plays this cell."""
    if case.row in (7, 8) and case.step in ("T", "G", "D"):
        return at_damage.play
    if case.row == 43:
        return at_unique.play
    if (case.row, case.step) == (15, "D"):
        # The watchdog ends a till whose window hangs, and it is started again.
        return at_crash.play
    if (case.row, case.step) == (16, "D"):
        return at_counter.dead_line
    if (case.row, case.step) in BY_CELL:
        return BY_CELL[case.row, case.step]
    if case.row in BY_ROW:
        return BY_ROW[case.row]
    if case.row not in FROM_THE_LINE:
        return None
    return BY_STEP.get(case.step)


def play(case: Case, seed: int) -> list[str]:
    """What was not as the cell demands, nothing when all was. The same for the same seed."""
    found = player(case)
    assert found is not None, f"nothing plays {case.name}"
    return found(case, Random(zlib.crc32(f"{case.name}/{seed}".encode())))
