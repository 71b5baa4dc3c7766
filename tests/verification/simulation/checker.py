"""The judge of histories: all invariants over one history, in their order."""

from __future__ import annotations

from tests.verification.simulation import (
    beside,
    copies,
    days,
    drains,
    ending,
    guarding,
    keeping,
    lasting,
    noting,
    pacing,
    papers,
    sending,
    standing,
    stores,
)
from tests.verification.simulation.history import History
from tests.verification.simulation.verdict import Violation

INVARIANTS = (
    sending.i1a,
    sending.i1b,
    sending.i1c,
    ending.i1_ends,
    ending.late,
    ending.overpaid,
    pacing.pacing,
    keeping.i2,
    keeping.i3,
    sending.i4,
    keeping.i5,
    keeping.i6,
    lasting.i7,
    sending.i9,
    lasting.i10,
    keeping.i11,
    lasting.i12,
    standing.i13,
    guarding.passcodes,
    guarding.first_manager,
    days.i15,
    days.i16,
    days.i17,
    days.i18,
    noting.notes,
    beside.i19,
    papers.i14,
    papers.wanted,
    papers.i23,
    drains.i24,
    copies.i3b,
    copies.code_seen,
    copies.own_address,
    copies.opens_in_time,
    copies.at_home,
    copies.stops_for_strangers,
    copies.sees_what_it_lost,
    copies.taken_over,
    copies.list_before_sales,
    stores.m,
)
"""I8 is about files and I12's times and sizes about processes: other tests hold those."""


def judge(history: History) -> list[Violation]:
    """Every violation; empty for a history as it should be."""
    return [violation for invariant in INVARIANTS for violation in invariant(history)]
