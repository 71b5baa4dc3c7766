"""Who becomes the first manager: whoever comes first at a first start, and nobody at a till that lost its people."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.commands import EnrolFirst, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import TERMINAL, Role
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.views import SignInStep
from pos_app.journal.verify import TAIL
from tests.unit.engine.damage import Opens, begun_anew, harm
from tests.unit.engine.rig import NUMBER, SITE, Rig
from tests.unit.engine.staff_steps import SIGNED
from tests.unit.journal.tampering import tamper

WISH = EnrolFirst("Somebody", NUMBER)


def lost(path: Path, opens: Opens, *harms: str) -> Rig:
    """A till whose people were taken out of its record; a window is open on what came of it."""
    journal = opens()
    rig = Rig(journal, SIGNED).start()
    rig.sign_in()
    rig.charge(Kind.QR)
    journal.close()
    harm(path, *harms)
    return Rig(begun_anew(opens), SIGNED).start()


@pytest.mark.parametrize(
    "harms",
    [
        ["DELETE FROM event WHERE kind = 'PERSON_ENROLLED'", "DELETE FROM event WHERE kind = 'PASSCODE_SET'"],
        ["UPDATE event SET kind = 'NOTED', content = '{}' WHERE kind IN ('PERSON_ENROLLED', 'PASSCODE_SET')"],
        ["DELETE FROM event", "DELETE FROM person"],
    ],
)
def test_nobody_at_the_window_becomes_manager_of_a_till_that_lost_its_people(
    path: Path, opens: Opens, harms: list[str]
) -> None:
    """Whoever stands there may have taken them out; no code is sent either."""
    rig = lost(path, opens, *harms)
    assert rig.terminal.people == ()
    rig.tell(WISH)
    assert (rig.dialog.step, rig.dialog.problem) == (SignInStep.REFUSED, OtpProblem.ONLY_ADMINISTRATOR)
    assert "send otp" not in rig.names()
    assert rig.journal.people() == []


def test_people_taken_out_where_no_start_looks_are_no_first_start(path: Path, opens: Opens) -> None:
    """Threat 29: from the middle of the record and out of every table. A start that looks at the end alone begins."""
    journal = opens()
    rig = Rig(journal, SIGNED).start()
    rig.sign_in()
    wall = "2026-03-02T10:15:30.000+05:30"
    journal.append([Record(kind="NOTED", subject="till", actor="till", at=1, wall=wall)] * (TAIL + 50))
    journal.close()
    gone = ("event", "other_event")
    tamper(
        path, "DELETE FROM person", *(f"DELETE FROM {each} WHERE subject LIKE '%person-1'" for each in gone)
    )
    clock = rig.clock
    rig = Rig(opens(), SIGNED)
    rig.clock = clock
    rig.restart(301)
    assert rig.terminal.people == ()
    rig.tell(WISH)
    assert (rig.dialog.step, rig.dialog.problem) == (SignInStep.REFUSED, OtpProblem.ONLY_ADMINISTRATOR)
    assert "send otp" not in rig.names()
    assert rig.journal.people() == []


def test_a_till_that_nobody_ever_had_is_a_first_start(opens: Opens) -> None:
    """However much it has written down meanwhile."""
    journal = opens()
    wall = "2026-03-02T10:15:30.000+05:30"
    journal.append([Record(kind="NOTED", subject="till", actor="till", at=1, wall=wall)] * (TAIL + 50))
    rig = Rig(journal, SIGNED).start()
    rig.tell(WISH)
    assert "send otp" in rig.names()


def test_the_administrator_makes_one_whom_nobody_takes_for_the_one_before(path: Path, opens: Opens) -> None:
    """At the command line; journaled with the reason, under a number that the lost record does not name."""
    rig = lost(path, opens, "DELETE FROM event WHERE kind IN ('PERSON_ENROLLED', 'PASSCODE_SET')")
    administrator = Rig(rig.journal, SITE).start()
    administrator.wait(1_000)
    administrator.tell(WISH)
    administrator.otp_sent()
    administrator.tell(SubmitOtp("person-2", "123456"))
    administrator.otp_submitted()
    (person,) = rig.journal.people()
    assert (person.person_id, person.name, person.role) == ("person-2", "Somebody", Role.MANAGER)
    (enrolled,) = [each for each in rig.journal.events_of("person-2") if each.kind == "PERSON_ENROLLED"]
    assert (enrolled.actor, enrolled.content["reason"]) == (TERMINAL, "by the administrator of the machine")
    again = Rig(rig.journal, SITE).start()
    again.tell(EnrolFirst("Another", "+94771230009"))
    assert "send otp" not in again.names()


def test_what_the_salvage_knows_comes_back(path: Path, opens: Opens) -> None:
    """Then there is a manager, and nobody makes another."""
    rig = lost(path, opens, "DELETE FROM event WHERE kind = 'LOCKED' OR kind = 'INTENT'")
    assert [each.name for each in rig.terminal.people] == ["Nimali"]
    rig.tell(WISH)
    assert "send otp" not in rig.names()


def test_a_rebuilt_record_that_names_nobody_is_no_first_start(opens: Opens) -> None:
    """Even one of which nothing was left."""
    journal = opens()
    about = {"installations": [], "claimed": [], "next_person": 1, "next_sale": 1001, "since": "", "found": 0}
    journal.append([Record(kind=REBUILT, subject=JOURNAL, actor=TERMINAL, at=1, wall="", content=about)])
    rig = Rig(journal, SIGNED).start()
    rig.tell(WISH)
    assert rig.dialog.problem == OtpProblem.ONLY_ADMINISTRATOR
    assert journal.was_rebuilt
