"""What people did can be looked through by a manager, newest first, and by nobody else."""

from __future__ import annotations

from msgspec.structs import replace

from pos_app.domain.people import TERMINAL
from pos_app.domain.rights import Act
from pos_app.domain.staff import ChangePerson, Lock, Permit, ReadStaffLog
from pos_app.domain.views import StaffLog, StaffProblem
from pos_app.engine.core.config import Reconfigured, SettingsNotWritten
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


_OF_SETTINGS = ("PERMITTED", "SETTINGS_IN_FORCE", "SETTINGS_NOT_WRITTEN")
CHANGES = {"shop.name": {"old": "Corner Shop", "new": "Harbour Shop"}}


def _allowed(rig: Rig, request_id: str, act: Act, content: dict[str, object]) -> None:
    rig.tell(Permit(request_id=request_id, act=act, reason="Moved", content=content))


def test_a_change_of_settings_is_one_line_with_what_changed_and_why(rig: Rig) -> None:
    """It is journalled when it is allowed, once for settings and once for secrets, and when it holds."""
    rig.sign_in()
    _allowed(rig, "1", Act.CHANGE_SETTINGS, {"changes": CHANGES})
    _allowed(rig, "2", Act.CHANGE_SECRETS, {"stored": ["access_token"], "revoked": []})
    rig.tell(Reconfigured(config=SITE, changed=("shop.name", "access_token"), who=TERMINAL))
    lines = [each for each in asked(rig).lines if each.kind in _OF_SETTINGS]
    assert [each.kind for each in lines] == ["SETTINGS_IN_FORCE"]
    assert lines[0].content == {
        "changes": CHANGES,
        "stored": ["access_token"],
        "revoked": [],
        "changed": ["shop.name", "access_token"],
    }
    assert lines[0].reason == "Moved"


def test_a_change_that_came_to_nothing_is_one_line_and_takes_no_other_with_it(rig: Rig) -> None:
    rig.sign_in()
    _allowed(rig, "1", Act.CHANGE_SETTINGS, {"changes": CHANGES})
    _allowed(rig, "2", Act.CHANGE_SECRETS, {"stored": ["access_token"], "revoked": []})
    for request_id in ("1", "2"):
        rig.tell(SettingsNotWritten(request_id=request_id, who=TERMINAL, why="disk full"))
    _allowed(rig, "3", Act.CHANGE_SETTINGS, {"changes": CHANGES})
    lines = [each for each in asked(rig).lines if each.kind in _OF_SETTINGS]
    assert [each.kind for each in lines] == ["PERMITTED", "SETTINGS_NOT_WRITTEN"]
    assert lines[1].content["why"] == "disk full"
    assert lines[0].content["changes"] == CHANGES


def test_one_persons_acts_are_those_by_them_and_about_them(rig: Rig) -> None:
    rig.sign_in()
    rig.tell(ChangePerson(request_id="1", person_id="person-1", reason="Was misspelt", name="Nimali P"))
    assert asked(rig).problem is StaffProblem.NONE
    rig.tell(ReadStaffLog(request_id="log", person_id="person-9"))
    assert rig.last(StaffLog).lines == ()
    rig.tell(ReadStaffLog(request_id="log", person_id="person-1"))
    found = rig.last(StaffLog).lines
    assert "PERSON_CHANGED" in [each.kind for each in found]
    day = found[0].wall[:10]
    rig.tell(ReadStaffLog(request_id="log", day=day))
    assert rig.last(StaffLog).lines
    rig.tell(ReadStaffLog(request_id="log", day="1999-01-01"))
    assert rig.last(StaffLog).lines == ()
