"""A damaged record begun anew, and the passcodes in it: no wrong try is forgiven."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.domain.passcode import TRY, PasscodeProblem, subject_of
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode, Lock
from pos_app.engine.connection.calls import JournalFound
from pos_app.journal import Journal, JournalDamaged
from pos_app.journal.salvage import salvage
from pos_app.journal.verify import TAIL
from tests.unit.engine.damage import KEY, Opens, begun_anew, harm
from tests.unit.engine.rig import PASSCODE, Rig
from tests.unit.journal.tampering import tamper


def _with_a_passcode(opens: Opens, wrong: int) -> Rig:
    """A manager at a locked till at whose passcode somebody has guessed."""
    journal = opens()
    rig = Rig(journal).start()
    rig.sign_in()
    rig.tell(Lock())
    for _ in range(wrong):
        rig.wait(301)
        rig.tell(EnterPasscode("person-1", Secret("111122")))
        rig.passcode_checked()
    assert journal.head()[0] > 0
    return rig


def test_a_passcode_comes_along_with_its_wrong_tries(path: Path, opens: Opens) -> None:
    """A damaged record forgives none of them: whatever was damaged, a code by SMS is needed."""
    journal = _with_a_passcode(opens, 4).journal
    assert isinstance(journal, Journal)
    last = journal.head()[0]
    journal.close()
    harm(path, f"UPDATE event SET actor = 'x' WHERE seq = {last}")
    found = salvage(path, KEY, Environment.SANDBOX)
    assert (len(found.tries["passcode:person-1"]), found.lost) == (4, 0)

    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.passcode_set, person.passcode_dead) == (True, True)
    assert rig.journal.unsealed("passcode:person-1") == b"704918"
    kinds = [event.kind for event in rig.journal.events_of("passcode:person-1")]
    assert kinds == ["PASSCODE_RECOVERED", *["PASSCODE_TRY"] * 4]
    assert rig.terminal.sessions == ()


def test_where_events_are_missing_only_a_code_helps(path: Path, opens: Opens) -> None:
    """Nobody knows how many wrong ones there were in them."""
    journal = _with_a_passcode(opens, 4).journal
    assert isinstance(journal, Journal)
    last = journal.head()[0]
    journal.close()
    harm(path, f"DELETE FROM event WHERE seq > {last - 3}")
    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.passcode_set, person.passcode_dead) == (True, True)
    rig.tell(EnterPasscode("person-1", PASSCODE))
    assert rig.dialog.problem == PasscodeProblem.DEAD


def test_a_passcode_whose_hash_is_gone_is_chosen_anew(path: Path, opens: Opens) -> None:
    """Its person is there, and begins with a code."""
    journal = _with_a_passcode(opens, 0).journal
    assert isinstance(journal, Journal)
    journal.close()
    harm(path, "UPDATE event SET sealed = NULL WHERE kind = 'PASSCODE_SET'")
    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.name, person.passcode_set) == ("Nimali", False)
    rig.tell(EnterPasscode("person-1", PASSCODE))
    assert rig.dialog.problem == PasscodeProblem.NOT_SET


OWN = subject_of("person-1")
TRIES = f"kind = '{TRY}' AND subject = '{OWN}'"
DEEDS = {
    "all deleted": [f"DELETE FROM event WHERE {TRIES}"],
    "the last deleted": [f"DELETE FROM event WHERE seq = (SELECT max(seq) FROM event WHERE {TRIES})"],
    "the first deleted": [f"DELETE FROM event WHERE seq = (SELECT min(seq) FROM event WHERE {TRIES})"],
    "of another person": [f"UPDATE event SET subject = 'passcode:person-9' WHERE {TRIES}"],
    "another kind": [f"UPDATE event SET kind = 'NOTED' WHERE {TRIES}"],
    "made right": [
        f"UPDATE event SET kind = 'PASSCODE_RIGHT' WHERE seq = (SELECT max(seq) FROM event WHERE {TRIES})"
    ],
    "re-ordered": [
        "UPDATE event SET seq = -1 WHERE kind = 'PASSCODE_SET'",
        "UPDATE event SET seq = (SELECT max(seq) + 1000 FROM event) WHERE seq = -1",
    ],
    "not looked up": [f"DELETE FROM other_event WHERE seq IN (SELECT seq FROM event WHERE {TRIES})"],
    "another person deleted": ["DELETE FROM event WHERE kind = 'PERSON_ENROLLED'"],
    "the passcode's choice deleted": ["DELETE FROM event WHERE kind = 'PASSCODE_SET'"],
    "a lock deleted": ["DELETE FROM event WHERE kind = 'LOCKED'"],
    "the sign-in deleted": ["DELETE FROM event WHERE kind = 'SIGNED_IN'"],
    "a note deleted": ["DELETE FROM event WHERE seq = (SELECT min(seq) FROM event WHERE kind = 'NOTED')"],
}


@pytest.mark.parametrize("behind", [3, TAIL + 50], ids=["at the end", "in the middle"])
@pytest.mark.parametrize("deed", DEEDS)
def test_nine_wrong_ones_are_not_forgotten(path: Path, opens: Opens, deed: str, behind: int) -> None:
    """Threat 29: each kind of row, deleted, renamed or re-ordered; at the end, where the start looks, and before."""
    before = _with_a_passcode(opens, 9)
    journal, clock = before.journal, before.clock
    assert isinstance(journal, Journal)
    wall = "2026-03-02T10:15:30.000+05:30"
    journal.append([Record(kind="NOTED", subject="till", actor="till", at=1, wall=wall)] * behind)
    journal.close()
    tamper(path, *DEEDS[deed])
    try:
        rig = Rig(opens())
    except JournalDamaged:
        rig = Rig(begun_again(opens))
    # Their session by SMS goes on: the passcode is all that is asked for.
    rig.clock = clock
    rig.restart(301)
    if isinstance(rig.journal, Journal) and rig.journal.mended:
        # Only a table had lost them: it was made anew, and the nine are counted.
        assert [each.kind for each in rig.journal.events_of(OWN)].count(TRY) == 9
        return
    if rig.terminal.people:
        rig.tell(EnterPasscode("person-1", PASSCODE))
        if "check passcode" in rig.names():
            rig.passcode_checked()
        needs = (PasscodeProblem.NEEDS_SMS,) if deed == "the sign-in deleted" else ()
        assert rig.dialog.problem in (PasscodeProblem.DEAD, PasscodeProblem.NOT_SET, *needs)
    assert rig.terminal.signed_in is None


def begun_again(opens: Opens) -> Journal:
    """The damaged one has been put aside already."""
    from datetime import UTC, datetime

    from pos_app.engine.core.rebuild import records_of
    from pos_app.journal import set_aside
    from pos_app.journal.salvage import salvage_all

    journal = opens()
    aside = set_aside(journal.path)
    wall = datetime.fromtimestamp(1_700_000_000, UTC)
    journal.append(records_of(salvage_all(aside, KEY, Environment.SANDBOX), aside[0].name, 1, wall))
    return journal


def test_a_whole_record_costs_nobody_a_passcode(opens: Opens) -> None:
    """Nine wrong ones, and the tenth is right."""
    rig = _with_a_passcode(opens, 9)
    rig.wait(301)
    rig.tell(EnterPasscode("person-1", PASSCODE))
    rig.passcode_checked()
    assert not rig.terminal.locked


def test_a_record_found_damaged_in_use_ends_every_passcode(opens: Opens) -> None:
    """And with them the approvals by one: who damaged it may stand at the till."""
    rig = _with_a_passcode(opens, 0)
    rig.tell(JournalFound(("event 2 is not as it was written",)))
    rig.tell(EnterPasscode("person-1", PASSCODE))
    assert rig.dialog.problem == PasscodeProblem.DEAD
    assert "check passcode" not in rig.names()
    assert rig.terminal.locked
