"""The list of people: enrolled by a code, renumbered, changed with a reason; every guard, and whose work it is."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.commands import EnrolFirst, SendOtp, SignOut, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import Role
from pos_app.domain.replies import OtpVerified
from pos_app.domain.staff import ChooseLanguage, Lock, Renumber
from pos_app.domain.views import SignInStep, StaffAnswered, StaffProblem
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import NUMBER, REF, SITE
from tests.unit.engine.staff_steps import KAMALA, NEW, NIMALI, NUMBERS, RUWAN, WHY, Staffed, renumber, three

SP, S = StaffProblem, SignInStep


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"name": " "}, SP.BAD_NAME),
        ({"name": "x" * 41}, SP.BAD_NAME),
        ({"name": "Ka\u202emala"}, SP.BAD_NAME),
        ({"name": "kamala "}, SP.NAME_TAKEN),
        ({"number": "12"}, SP.BAD_NUMBER),
        ({"number": "+94112345678"}, SP.BAD_NUMBER),
        ({"number": "077 123 4568"}, SP.NUMBER_TAKEN),
        ({"reason": "  "}, SP.NO_REASON),
    ],
)
def test_an_enrolment_that_cannot_be_sends_nothing(
    quick: Staffed, facts: dict[str, Any], problem: StaffProblem
) -> None:
    """And says why."""
    quick.enrol("person-4", **facts)
    assert quick.answer() is problem
    assert "send otp" not in quick.rig.names()


@pytest.mark.parametrize(
    ("one", "other"),
    [("José", "JOSE\u0301"), ("க\u0bca", "க\u0bc6\u0bbe"), ("\u0623حمد", "\u0627\u0654حمد")],
    ids=("accent", "vowel-sign", "hamza"),
)
def test_a_name_that_another_keyboard_writes_is_the_same_name(quick: Staffed, one: str, other: str) -> None:
    """On the list nobody could tell them apart."""
    quick.enrol("person-4", name=one, number="+94771230041")
    quick.proves("person-4", "+94771230041")
    assert quick.person("person-4").name == one
    quick.enrol("person-5", name=other, number="+94771230042")
    assert quick.answer() is SP.NAME_TAKEN


@pytest.mark.parametrize("number", [NUMBERS[RUWAN], NUMBERS[NIMALI], "12"])
def test_a_number_that_cannot_be_theirs(quick: Staffed, number: str) -> None:
    """Taken, or none."""
    renumber(quick, KAMALA, number)
    assert quick.answer() in (SP.NUMBER_TAKEN, SP.BAD_NUMBER)
    renumber(quick, KAMALA, NUMBERS[KAMALA])
    assert quick.answer() is SP.NO_CHANGE
    renumber(quick, "person-9")
    assert quick.answer() is SP.UNKNOWN_PERSON
    renumber(quick, KAMALA, reason="")
    assert quick.answer() is SP.NO_REASON
    assert "send otp" not in quick.rig.names()


def test_every_change_is_an_event_with_name_and_reason(till: Staffed) -> None:
    """From what, to what."""
    till.change(KAMALA, name="Kamala P", role=Role.MANAGER, language="ta", passcode_signs_in=True)
    assert till.answer() is SP.NONE
    event = till.rig.journal.events_of(KAMALA)[-1]
    assert (event.kind, event.actor, event.content["name"]) == ("PERSON_CHANGED", NIMALI, "Kamala")
    assert event.content["reason"] == WHY
    assert event.content["changes"]["role"] == {"from": "cashier", "to": "manager"}
    assert set(event.content["changes"]) == {"name", "role", "language", "passcode_signs_in"}
    till.kill()
    assert till.person(KAMALA).name == "Kamala P"
    assert till.person(KAMALA).passcode_set


def test_everybody_chooses_their_own_language(till: Staffed) -> None:
    """Without a manager or a reason, in the record all the same; not behind the lock, and not twice."""
    till.rig.tell(Lock())
    till.types(KAMALA)
    till.rig.tell(ChooseLanguage("ta"))
    till.rig.tell(ChooseLanguage("ta"))
    events = [each for each in till.rig.journal.events_of(KAMALA) if each.kind == "PERSON_CHANGED"]
    assert [(each.actor, each.content["changes"]) for each in events] == [
        (KAMALA, {"language": {"from": "", "to": "ta"}})
    ]
    signed_in = till.rig.terminal.signed_in
    assert signed_in is not None
    assert signed_in.language == "ta"
    till.rig.tell(Lock())
    till.rig.tell(ChooseLanguage("si"))
    till.kill()
    assert till.person(KAMALA).language == "ta"


@pytest.mark.parametrize("full", [True, False])
def test_a_language_that_cannot_be_recorded_is_not_spoken(full: bool) -> None:
    journal = MemoryJournal()
    till = three(journal)
    journal.full = full
    till.rig.tell(ChooseLanguage("si"))
    assert till.person(NIMALI).language == ("" if full else "si")


@pytest.mark.parametrize(
    ("whom", "what", "problem"),
    [
        (NIMALI, {"role": Role.CASHIER}, SP.LAST_MANAGER),
        (NIMALI, {"enabled": False}, SP.LAST_MANAGER),
        (KAMALA, {"name": "RUWAN"}, SP.NAME_TAKEN),
        (KAMALA, {"name": ""}, SP.BAD_NAME),
        (KAMALA, {"name": "Kamala"}, SP.NO_CHANGE),
        (KAMALA, {}, SP.NO_CHANGE),
        ("person-9", {"enabled": False}, SP.UNKNOWN_PERSON),
        (KAMALA, {"enabled": False, "reason": ""}, SP.NO_REASON),
    ],
)
def test_what_may_not_be_changed(
    quick: Staffed, whom: str, what: dict[str, Any], problem: StaffProblem
) -> None:
    """Nothing is, and why is told."""
    before = quick.rig.terminal.people
    reason = str(what.pop("reason", WHY))
    quick.change(whom, reason, **what)
    assert quick.answer() is problem
    assert quick.rig.terminal.people == before


def test_of_two_managers_one_may_go(quick: Staffed) -> None:
    """Who disables themselves is signed out."""
    quick.change(KAMALA, role=Role.MANAGER)
    quick.change(NIMALI, enabled=False)
    assert (quick.here, quick.rig.dialog.step) == ("", S.IDLE)
    assert quick.kinds(NIMALI)[-2:] == ["PERSON_CHANGED", "SIGNED_OUT"]
    quick.types(KAMALA)
    quick.change(KAMALA, role=Role.CASHIER)
    assert quick.answer() is SP.LAST_MANAGER


def test_a_disabled_person_neither_signs_in_nor_keeps_a_session(till: Staffed) -> None:
    """Nor by a code that is out; enabled again, they begin with another."""
    till.rig.wait(16 * 60)
    till.rig.tell(SendOtp(KAMALA))
    till.rig.otp_sent()
    till.change(KAMALA, enabled=False)
    till.rig.tell(SubmitOtp(KAMALA, "123456"))
    assert "submit otp" not in till.rig.names()
    assert KAMALA not in till.sessions
    for again in (False, True):
        if again:
            till.kill()
        till.types(KAMALA)
        assert till.rig.dialog.problem == PasscodeProblem.UNKNOWN_PERSON.value
        till.rig.tell(SendOtp(KAMALA))
        assert till.seen == (S.REFUSED, OtpProblem.UNKNOWN_PERSON.value)
    till.types(NIMALI)
    till.change(KAMALA, enabled=True)
    till.types(KAMALA)
    assert till.seen == (S.REFUSED, PasscodeProblem.NEEDS_SMS)
    till.by_sms(KAMALA)
    assert till.here == KAMALA


def test_the_number_of_somebody_disabled_may_be_given_away_and_then_not_had_back(quick: Staffed) -> None:
    """Two people with one number could sign each other in."""
    quick.change(KAMALA, enabled=False)
    renumber(quick, RUWAN, NUMBERS[KAMALA])
    quick.proves(RUWAN, NUMBERS[KAMALA])
    quick.change(KAMALA, enabled=True)
    assert quick.answer() is SP.NUMBER_TAKEN


@pytest.mark.parametrize("who", ["nobody", "cashier", "locked"])
def test_the_desk_asks_again_who_wants_it(quick: Staffed, who: str) -> None:
    """Though the gate has asked already: whatever comes to it comes from a manager at the till, or is refused."""
    problem = {"nobody": SP.NOT_SIGNED_IN, "cashier": SP.NOT_ALLOWED, "locked": SP.LOCKED}[who]
    if who == "locked":
        quick.rig.tell(Lock())
    elif who == "nobody":
        quick.rig.tell(SignOut())
    else:
        quick.types(KAMALA)
    authentication = quick.rig.engine._authentication
    authentication.handle(Renumber(request_id="x", person_id=RUWAN, number=NEW, reason=WHY))
    assert quick.rig.last(StaffAnswered) == StaffAnswered(request_id="x", problem=problem)
    assert "send otp" not in quick.rig.names()


def test_what_cannot_be_recorded_is_not_changed() -> None:
    """Nobody is enrolled, nobody is changed."""
    journal = MemoryJournal()
    till = three(journal)
    till.enrol("person-4", name="Saman", number=NEW)
    till.rig.otp_sent()
    till.rig.tell(SubmitOtp("person-4", "123456"))
    journal.full = True
    till.rig.otp_submitted(OtpVerified(REF, NEW[1:]))
    assert till.seen == (S.CODE_SENT, OtpProblem.CANNOT_RECORD)
    till.change(KAMALA, enabled=False)
    assert till.answer() is SP.CANNOT_RECORD
    assert len(till.rig.terminal.people) == 3
    assert till.person(KAMALA).enabled


def test_where_nobody_signs_in_the_account_of_the_machine_may() -> None:
    """At the command line."""
    journal = MemoryJournal()
    till = Staffed(journal, SITE)
    till.rig.tell(SignOut())
    till.enrolled(KAMALA)
    assert journal.events_of(KAMALA)[-1].actor == "terminal"


def test_the_first_start_is_over_with_the_first_manager(quick: Staffed) -> None:
    """Nobody enrols themselves later."""
    quick.rig.tell(SignOut())
    quick.rig.tell(EnrolFirst("Mallory", NEW))
    assert "send otp" not in quick.rig.names()
    assert NUMBER not in repr(quick.rig.terminal)
