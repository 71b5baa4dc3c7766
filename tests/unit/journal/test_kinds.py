"""What is written is read for ever: the kinds of events by their names, and a journal of an older version."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment, State
from pos_app.domain.commands import AttemptCommand, Cancel
from pos_app.domain.events import AttemptEvent
from pos_app.domain.ids import installation_of, sale_and_number
from pos_app.domain.kinds import OF_ATTEMPTS, kind_of
from pos_app.journal import Journal, open_journal
from tests.unit.engine.rig import Rig

WRITTEN = Path(__file__).parent / "written" / "version-0.1.0.sqlite"
"""Sold on by the first version that shops could try: three payments paid, one refused, one waiting, one in doubt."""

KINDS = [
    "ANOTHER_STARTED",
    "ANSWER",
    "CANCEL",
    "CANCEL_ANSWERED",
    "CHECK_NOW",
    "CLOSE",
    "CONNECTION_RETURNED",
    "CONTINUE",
    "INITIATE_ANSWERED",
    "LEAVE_PANEL",
    "PARK",
    "SIGN_IN_RENEWED",
    "STATUS_ANSWERED",
    "SUPERSEDED",
    "TILL_STARTED",
    "TIME_CAME",
]
"""Never changed: a renamed class keeps the name it is written under. A new event gets a new line."""


def test_the_kinds_of_an_attempts_events_are_these() -> None:
    """Written out, because a journal of five years ago says them so."""
    assert sorted(OF_ATTEMPTS.values()) == KINDS
    assert {*OF_ATTEMPTS} == {*AttemptEvent.__args__, *AttemptCommand.__args__}
    assert kind_of(Cancel("x", "p1")) == "CANCEL"


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Journal]:
    """The file of an older version, opened by this one."""
    path = tmp_path / "journal.sqlite"
    shutil.copy(WRITTEN, path)
    shutil.copy(WRITTEN.with_name(WRITTEN.name + ".anchor"), path.with_name("journal.sqlite.anchor"))
    with closing(open_journal(path, b"k" * 32, Environment.SANDBOX, machine_id="a machine")) as journal:
        yield journal


def test_a_journal_of_an_older_version_verifies_to_the_last_byte(old: Journal) -> None:
    """Nothing of it is out of place, and every payment is there."""
    assert old.mended == ()
    assert old.verify().broken == ()
    assert old.inspection().findings() == []
    states = [(each.attempt_id, each.state) for each in reversed(old.recent(20))]
    assert states == [
        ("SBX-T23456789-0001-1", State.PAID),
        ("SBX-T23456789-0002-1", State.PAID),
        ("SBX-T23456789-0003-1", State.FAILED),
        ("SBX-T23456789-0003-2", State.PAID),
        ("SBX-T23456789-0004-1", State.REFUSED),
        ("SBX-T23456789-0005-1", State.WAITING),
        ("SBX-T23456789-0006-1", State.IN_DOUBT),
    ]
    assert old.sale("0003") is not None
    assert [each.name for each in old.people()] == ["Nimali"]
    assert old.unsealed("person-1") == b"+94771234567"


def test_a_till_sells_on_in_it(old: Journal) -> None:
    """What was open is asked about under its old id; the next sale has the next number and an id of today."""
    rig = Rig(old).start()
    rig.asked("Payment Success", "SBX-T23456789-0005-1")
    rig.asked("Payment Success", "SBX-T23456789-0006-1")
    # Its time had run out long ago by the clock of this test: the till had let go.
    assert rig.state("SBX-T23456789-0005-1") in (State.PAID, State.PAID_LATE)
    assert rig.state("SBX-T23456789-0006-1") in (State.PAID, State.PAID_LATE)
    sold = rig.charge(amount=Decimal("70.00"))
    assert sale_and_number(sold) == ("0007", 1)
    assert installation_of(sold) == "23456789"
    assert len(sold) > len("SBX-T23456789-0007-1")
    assert old.inspection().findings() == []
