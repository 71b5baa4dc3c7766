"""Plays one cell of the matrix once: the fault at its step, by the kind of payment and the dice."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from random import Random

from tests.matrix import at_cancel, at_code, at_later, at_poll, at_send
from tests.matrix.cells import Case

Player = Callable[[Case, Random], list[str]]

BY_STEP: dict[str, Player] = {
    "S": at_send.play,
    "T": at_poll.play,
    "C": at_cancel.play,
    "G": at_later.play,
    "O1": at_code.play_send,
    "O2": at_code.play_try,
}


def player(case: Case) -> Player | None:
    """What plays this cell."""
    return BY_STEP.get(case.step)


def play(case: Case, seed: int) -> list[str]:
    """What was not as the cell demands, nothing when all was. The same for the same seed."""
    found = player(case)
    assert found is not None, f"nothing plays {case.name}"
    return found(case, Random(zlib.crc32(f"{case.name}/{seed}".encode())))
