"""A number is proved for a manager who enrols or renumbers: whose work it is, and whose codes are whose."""

from __future__ import annotations

import msgspec
import pytest

from pos_app.domain.commands import SendOtp, SignOut, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import Role
from pos_app.domain.replies import OtpRefusal, OtpRefused, OtpVerified
from pos_app.domain.staff import LeaveEnrolment, Lock
from pos_app.domain.views import Purpose, SignIn, SignInStep, StaffAnswered, StaffProblem
from pos_app.engine.connection.calls import OtpSubmitAnswered
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import REF
from tests.unit.engine.staff_steps import KAMALA, NEW, NIMALI, NUMBERS, RUWAN, SIGNED, WHY, Staffed, renumber

SP, S = StaffProblem, SignInStep


def test_a_manager_puts_somebody_on_the_list(journal: JournalStore) -> None:
    """Proved by a code to their number, in the manager's name and with a reason; the manager stays signed in."""
    till = Staffed(journal)
    till.enrol(KAMALA, language="si")
    shown = till.rig.dialog
    assert (shown.step, shown.purpose, shown.person_id) == (S.SENDING, Purpose.ENROL, KAMALA)
    till.proves(KAMALA)
    shown = till.rig.dialog
    assert (shown.step, shown.purpose, shown.request_id) == (S.SIGNED_IN, Purpose.ENROL, "r1")
    assert till.here == NIMALI
    person = till.person(KAMALA)
    assert (person.name, person.role, person.language) == ("Kamala", Role.CASHIER, "si")
    assert (person.passcode_set, person.number_mask) == (False, "+94 •• ••• 568")
    (event,) = journal.events_of(KAMALA)
    assert (event.kind, event.actor) == ("PERSON_ENROLLED", NIMALI)
    assert (event.content["name"], event.content["reason"]) == ("Kamala", WHY)
    assert journal.unsealed(KAMALA) == NUMBERS[KAMALA].encode()
    assert NUMBERS[KAMALA] not in repr((event.content, event.person))


def test_a_new_number_is_proved_and_ends_what_hung_on_the_old_one(till: Staffed) -> None:
    """Whoever has the old phone has neither a session nor a code under way."""
    till.rig.wait(16 * 60)
    till.rig.tell(SendOtp(KAMALA))
    till.rig.otp_sent()
    till.types(NIMALI)
    renumber(till, KAMALA)
    _, key, msisdn = till.rig.take("send otp")
    assert msisdn == NEW[1:]
    till.rig.calls.made.append(("send otp", key, msisdn))
    till.proves(KAMALA, NEW)
    assert (till.rig.dialog.step, till.rig.dialog.purpose) == (S.SIGNED_IN, Purpose.RENUMBER)
    assert (till.here, KAMALA in till.sessions) == (NIMALI, False)
    assert till.rig.journal.unsealed(KAMALA) == NEW.encode()
    assert till.kinds(KAMALA)[-2:] == ["PERSON_RENUMBERED", "SIGNED_OUT"]
    till.rig.tell(SubmitOtp(KAMALA, "123456"))
    assert "submit otp" not in till.rig.names()
    till.by_sms(KAMALA, NEW)
    assert till.here == KAMALA


def test_a_manager_with_a_new_number_stays(quick: Staffed) -> None:
    """They have just proved it."""
    renumber(quick, NIMALI)
    quick.proves(NIMALI, NEW)
    assert (quick.here, NIMALI in quick.sessions) == (NIMALI, True)


@pytest.mark.parametrize("whose", [NIMALI, KAMALA])
def test_who_finds_a_managers_till_open_takes_over_nobodys_number(quick: Staffed, whose: str) -> None:
    """A number is a way in under a name that signs: it took a phone in the hand, and the minute of an open till."""
    quick.rig.wait(3 * 60)
    renumber(quick, whose)
    assert quick.answer() is StaffProblem.LOCKED
    assert (quick.here, quick.locked) == (NIMALI, True)
    assert "send otp" not in quick.rig.names()
    quick.types(NIMALI)
    renumber(quick, whose)
    quick.rig.wait(3 * 60)
    quick.proves(whose, NEW)
    assert quick.kinds(whose).count("PERSON_RENUMBERED") == 1


def test_who_finds_a_managers_till_open_makes_no_manager(quick: Staffed) -> None:
    """Enrolled, by another role or enabled again: under a name of their own they would have signed for themselves, and
    what was done would have said that the manager wanted it."""
    quick.change(RUWAN, role=Role.MANAGER)
    quick.change(RUWAN, enabled=False)
    quick.rig.wait(3 * 60)
    quick.enrol("person-4", Role.MANAGER, number=NEW)
    assert (quick.answer(), quick.locked) == (StaffProblem.LOCKED, True)
    assert "send otp" not in quick.rig.names()
    for person_id, wanted in ((KAMALA, {"role": Role.MANAGER}), (RUWAN, {"enabled": True})):
        quick.types(NIMALI)
        quick.rig.wait(3 * 60)
        before = quick.person(person_id)
        quick.change(person_id, **wanted)
        assert (quick.answer(), quick.locked) == (StaffProblem.LOCKED, True)
        assert quick.person(person_id) == before
    quick.types(NIMALI)
    quick.change(KAMALA, role=Role.MANAGER)
    assert quick.answer() is StaffProblem.NONE
    quick.rig.wait(3 * 60)
    # A cashier signs for nobody: nor does whoever is a manager no more.
    quick.change(KAMALA, role=Role.CASHIER)
    assert quick.answer() is StaffProblem.NONE
    quick.enrol("person-4", number=NEW)
    assert ("send otp" in quick.rig.names(), quick.locked) == (True, False)


def test_one_more_code_for_a_new_number_needs_no_passcode_again(quick: Staffed) -> None:
    """The one who began it is at the till."""
    renumber(quick, KAMALA)
    quick.rig.otp_sent()
    quick.rig.wait(3 * 60)
    renumber(quick, KAMALA)
    assert not quick.locked
    quick.proves(KAMALA, NEW)
    assert KAMALA not in quick.sessions


def test_a_wrong_code_enrols_nobody(quick: Staffed) -> None:
    """It counts, it is told for this purpose, and another may be sent."""
    quick.enrol("person-4", name="Saman", number=NEW)
    quick.rig.otp_sent()
    quick.rig.tell(SubmitOtp("person-4", "000000"))
    quick.rig.otp_submitted(OtpRefused(OtpRefusal.WRONG_PIN, 200))
    shown = quick.rig.dialog
    assert (shown.step, shown.problem, shown.purpose) == (S.CODE_SENT, OtpProblem.WRONG_CODE, Purpose.ENROL)
    assert shown.tries_left == 4
    quick.rig.wait(31)
    quick.rig.tell(SendOtp("person-4"))
    assert quick.rig.names().count("send otp") == 1
    quick.proves("person-4", NEW)
    assert quick.person("person-4").name == "Saman"


def test_an_enrolment_and_a_sign_in_do_not_take_each_others_codes(quick: Staffed) -> None:
    """The same person, two numbers, two references."""
    quick.rig.wait(16 * 60)
    quick.rig.tell(SendOtp(KAMALA))
    quick.types(NIMALI)
    renumber(quick, KAMALA)
    _, sign_in_key, _ = quick.rig.take("send otp")
    _, renumber_key, _ = quick.rig.take("send otp")
    assert sign_in_key != renumber_key


@pytest.mark.parametrize("way", ["sign out", "switch", "locked", "left", "disabled"])
def test_an_enrolment_belongs_to_the_manager_who_began_it(quick: Staffed, way: str) -> None:
    """Who leaves the till leaves it too; behind their lock nobody types the code."""
    quick.enrol("person-4", name="Saman", number=NEW)
    quick.rig.otp_sent()
    match way:
        case "sign out":
            quick.rig.tell(SignOut())
        case "switch":
            quick.types(KAMALA)
        case "locked":
            quick.rig.tell(Lock())
        case "left":
            quick.rig.tell(LeaveEnrolment())
        case "disabled":
            quick.change(KAMALA, role=Role.MANAGER)
            quick.change(NIMALI, enabled=False)
    quick.rig.tell(SubmitOtp("person-4", "123456"))
    assert "submit otp" not in quick.rig.names()
    if way == "locked":
        quick.types(NIMALI)
        quick.rig.tell(SubmitOtp("person-4", "123456"))
        quick.rig.otp_submitted(OtpVerified(REF, NEW[1:]))
        assert quick.person("person-4").name == "Saman"
        return
    idle = [each for each in quick.rig.shown if isinstance(each, SignIn) and each.purpose is Purpose.ENROL]
    assert idle[-1].step is S.IDLE
    quick.by_sms(KAMALA if way == "disabled" else NIMALI)
    quick.rig.tell(SubmitOtp("person-4", "123456"))
    assert "submit otp" not in quick.rig.names()


def test_a_reply_that_comes_after_the_manager_left_enrols_nobody(quick: Staffed) -> None:
    """Nor does the same reply again."""
    quick.enrol("person-4", name="Saman", number=NEW)
    quick.rig.otp_sent()
    quick.rig.tell(SubmitOtp("person-4", "123456"))
    _, key, ref, _ = quick.rig.take("submit otp")
    quick.rig.tell(SignOut())
    verified = OtpSubmitAnswered(key, ref, OtpVerified(REF, NEW[1:]))
    for _ in range(2):
        quick.rig.tell(verified)
    assert len(quick.rig.terminal.people) == 3


def test_the_same_reply_again_signs_nobody_in(quick: Staffed) -> None:
    """After its person has left."""
    quick.rig.wait(16 * 60)
    quick.rig.tell(SendOtp(KAMALA))
    quick.rig.otp_sent()
    quick.rig.tell(SubmitOtp(KAMALA, "123456"))
    _, key, ref, _ = quick.rig.take("submit otp")
    verified = OtpSubmitAnswered(key, ref, OtpVerified(REF, NUMBERS[KAMALA][1:]))
    quick.rig.tell(verified)
    assert quick.here == KAMALA
    quick.rig.tell(SignOut())
    quick.rig.tell(verified)
    assert quick.here == ""


def test_the_list_may_have_changed_while_the_code_was_typed(quick: Staffed) -> None:
    """Two of a name, or of a number, there never are."""
    quick.enrol("person-4", name="Saman", number=NEW)
    quick.change(KAMALA, name="Saman")
    quick.proves("person-4", NEW)
    assert quick.rig.last(StaffAnswered) == StaffAnswered(request_id="r3", problem=SP.NAME_TAKEN)
    assert len(quick.rig.terminal.people) == 3


def test_the_message_is_in_the_persons_language() -> None:
    """Every other one gets the shop's."""
    messages = {"si": "ඔබේ කේතය {{code}}"}
    till = Staffed(MemoryJournal(), msgspec.structs.replace(SIGNED, otp_messages=messages))
    till.enrol(KAMALA, language="si")
    assert till.rig.calls.messages[-1] == messages["si"]
    till.proves(KAMALA)
    till.enrol(RUWAN, language="ta")
    assert till.rig.calls.messages[-1] == SIGNED.otp_message
    till.rig.wait(16 * 60)
    till.rig.tell(SendOtp(KAMALA))
    assert till.rig.calls.messages[-1] == messages["si"]
