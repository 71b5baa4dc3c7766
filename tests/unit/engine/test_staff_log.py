"""What people did can be looked through by a manager, newest first, and by nobody else."""

from __future__ import annotations

from msgspec.structs import replace

from pos_app.domain.rights import Act
from pos_app.domain.staff import ChangePerson, Lock, Permit, ReadStaffLog
from pos_app.domain.views import StaffLog, StaffProblem
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import SITE, Rig


def asked(rig: Rig, limit: int = 200) -> StaffLog:
    """The answer to one wish."""
    rig.tell(ReadStaffLog(request_id="log", limit=limit))
    return rig.last(StaffLog)


def test_the_newest_act_comes_first_with_who_whom_and_why(rig: Rig) -> None:
    """As it was journalled, over both journals."""
    rig.sign_in()
    rig.tell(ChangePerson(request_id="1", person_id="person-1", reason="Was misspelt", name="Nimali P"))
    rig.tell(Permit(request_id="2", act=Act.DIAGNOSTICS, reason="For the help desk"))
    lines = asked(rig).lines
    assert [line.kind for line in lines[:2]] == ["PERMITTED", "PERSON_CHANGED"]
    assert (lines[1].who, lines[1].whom, lines[1].reason) == ("person-1", "person-1", "Was misspelt")
    assert lines[1].content["changes"]["name"]["to"] == "Nimali P"
    assert lines[0].content["act"] == "diagnostics"
    assert "PERSON_ENROLLED" in [line.kind for line in lines]
    assert "SIGNED_IN" not in [line.kind for line in lines]


def test_no_more_is_read_than_was_asked_for(rig: Rig) -> None:
    """And at least one."""
    rig.sign_in()
    for number in range(4):
        rig.tell(Permit(request_id=f"{number}", act=Act.DIAGNOSTICS, reason=f"The {number}th"))
    assert [line.reason for line in asked(rig, 2).lines] == ["The 3th", "The 2th"]
    assert len(asked(rig, -1).lines) == 1


def test_nobody_looks_from_behind_the_lock(memory: MemoryJournal) -> None:
    """Where people sign in, a manager must be there."""
    rig = Rig(memory, replace(SITE, sign_in_required=True)).start()
    assert asked(rig).problem is StaffProblem.NOT_SIGNED_IN
    rig.sign_in()
    assert asked(rig).problem is StaffProblem.NONE
    rig.tell(Lock())
    answer = asked(rig)
    assert (answer.problem, answer.lines) == (StaffProblem.LOCKED, ())


def test_a_journal_that_cannot_be_read_says_so(frail: Rig, memory: MemoryJournal) -> None:
    """No bug, and no empty list either."""
    frail.sign_in()
    memory.unreadable = True
    assert asked(frail).problem is StaffProblem.CANNOT_READ
