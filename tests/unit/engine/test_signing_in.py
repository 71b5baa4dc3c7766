"""Signing in by a code: every outcome, every limit, and what a restart must not give away."""

import pytest

from pos_app.domain.commands import EnrolFirst, SendOtp, SignOut, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused, OtpSent, OtpVerified, Why
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import SignInStep, Terminal
from pos_app.engine.connection.calls import OtpSubmitAnswered
from pos_app.engine.core.journal_store import JournalStore
from tests.unit.domain.flow.story import NEVER_LEFT, TIME_OUT, UNAUTHORISED
from tests.unit.engine.counter_steps import code_sent, seen
from tests.unit.engine.rig import NUMBER, PASSCODE, REF, Rig

P = OtpProblem
NO_TOKEN = NoAnswer(Why.SIGN_IN, sent=False)
CODE = SubmitOtp("person-1", "123456")


def test_the_first_person_enrols_as_manager_by_a_code(rig: Rig, journal: JournalStore) -> None:
    """The number lies sealed; what is on the list is fit for a screen."""
    rig.tell(EnrolFirst("  Nimali   Perera ", "077 123 4567"))
    assert rig.take("send otp") == ("send otp", "person-1", NUMBER[1:])
    rig.calls.made.append(("send otp", "person-1", NUMBER[1:]))
    rig.otp_sent()
    rig.tell(CODE)
    rig.otp_submitted()
    assert seen(rig) == (SignInStep.CHOOSE_PASSCODE, P.NONE)
    assert rig.last(Terminal).signed_in is None
    rig.tell(ChoosePasscode(PASSCODE))
    rig.passcode_hashed()
    (person,) = journal.people()
    assert (person.name, person.role, person.number_mask) == ("Nimali Perera", "manager", "+94 •• ••• 567")
    assert journal.unsealed("person-1") == NUMBER.encode()
    assert rig.terminal.signed_in == person
    assert rig.dialog.step is SignInStep.SIGNED_IN
    rig.tell(EnrolFirst("Another", "+94771234568"))
    assert "send otp" not in rig.names()


@pytest.mark.parametrize(
    ("name", "number"), [("", NUMBER), ("  ", NUMBER), ("N", "12"), ("N", "+94112345678")]
)
def test_an_enrolment_without_name_or_mobile_number_sends_nothing(rig: Rig, name: str, number: str) -> None:
    """Nothing is counted either."""
    rig.tell(EnrolFirst(name, number))
    assert seen(rig) == (SignInStep.REFUSED, P.BAD_REQUEST)
    assert "send otp" not in rig.names()


def test_a_code_signs_in_a_person_on_the_list(staffed: Rig, journal: JournalStore) -> None:
    """SMS, six digits, the till."""
    code_sent(staffed)
    assert (staffed.dialog.tries_left, staffed.dialog.resend_in_s) == (5, 30)
    staffed.tell(CODE)
    assert staffed.dialog.step is SignInStep.CHECKING
    staffed.otp_submitted()
    assert staffed.terminal.signed_in is not None
    assert [event.kind for event in journal.events_of("person-1")] == [
        "PERSON_ENROLLED",
        "SIGNED_IN",
        "SIGNED_OUT",
        "SIGNED_IN",
    ]


def test_somebody_unknown_gets_no_code(staffed: Rig) -> None:
    """Only the list of cashiers."""
    staffed.tell(SendOtp("person-9"))
    assert seen(staffed) == (SignInStep.REFUSED, P.UNKNOWN_PERSON)
    assert staffed.names() == []


@pytest.mark.parametrize(
    "reply",
    [
        OtpVerified("f" * 32, NUMBER[1:]),
        OtpVerified(REF, "94771234568"),
        OtpVerified(REF, ""),
        OtpVerified(REF, NUMBER),
    ],
)
def test_a_success_for_another_reference_or_number_opens_nothing(staffed: Rig, reply: OtpVerified) -> None:
    """Both must be ours."""
    code_sent(staffed)
    staffed.tell(CODE)
    staffed.otp_submitted(reply)
    assert seen(staffed) == (SignInStep.CODE_SENT, P.NOT_CHECKED)
    assert staffed.terminal.signed_in is None


def test_a_code_sent_to_another_number_is_no_code(staffed: Rig) -> None:
    """The service echoes whom it sent to."""
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent(OtpSent(REF, "94771234568"))
    assert seen(staffed) == (SignInStep.REFUSED, P.BAD_REPLY)
    staffed.tell(CODE)
    assert staffed.names() == []


@pytest.mark.parametrize("typed", ["12345", "1234567", "12345a", "", "\uff11" * 6])
def test_what_is_no_code_is_not_sent_and_not_counted(staffed: Rig, typed: str) -> None:
    """Six ASCII digits."""
    code_sent(staffed)
    staffed.tell(SubmitOtp("person-1", typed))
    assert seen(staffed) == (SignInStep.CODE_SENT, P.BAD_CODE)
    assert (staffed.names(), staffed.dialog.tries_left) == ([], 5)


def test_five_wrong_codes_end_the_reference(staffed: Rig, journal: JournalStore) -> None:
    """The sixth is not even sent; each is in the journal."""
    code_sent(staffed)
    for left in (4, 3, 2, 1):
        staffed.tell(CODE)
        staffed.otp_submitted(OtpRefused(OtpRefusal.WRONG_PIN, 200))
        assert seen(staffed) == (SignInStep.CODE_SENT, P.WRONG_CODE)
        assert staffed.dialog.tries_left == left
    staffed.tell(CODE)
    staffed.otp_submitted(OtpRefused(OtpRefusal.INVALID_OTP, 400))
    assert seen(staffed) == (SignInStep.REFUSED, P.TOO_MANY_TRIES)
    staffed.tell(CODE)
    assert staffed.names() == []
    failed = [event for event in journal.events_of(journal.digest(NUMBER)) if event.kind == "OTP_FAILED"]
    assert len(failed) == 5


@pytest.mark.parametrize(
    ("refusal", "problem"),
    [
        (OtpRefusal.MAX_ATTEMPT_EXCEEDED, P.TOO_MANY_TRIES),
        (OtpRefusal.VERIFICATION_FAILED, P.TOO_MANY_TRIES),
        (OtpRefusal.VERIFICATION_EXPIRED, P.CODE_EXPIRED),
        (OtpRefusal.NOT_FOUND, P.CODE_EXPIRED),
    ],
)
def test_a_dead_reference_means_start_again(staffed: Rig, refusal: OtpRefusal, problem: OtpProblem) -> None:
    """No further try of it leaves."""
    code_sent(staffed)
    staffed.tell(CODE)
    staffed.otp_submitted(OtpRefused(refusal, 400))
    assert seen(staffed) == (SignInStep.REFUSED, problem)
    staffed.tell(CODE)
    assert staffed.names() == []


@pytest.mark.parametrize(
    ("reply", "problem", "left"),
    [
        (TIME_OUT, P.NOT_CHECKED, 4),
        (NEVER_LEFT, P.NO_CONNECTION, 5),
        (NO_TOKEN, P.SIGN_IN_REFUSED, 5),
        (UNAUTHORISED, P.SIGN_IN_REFUSED, 4),
        (OtpRefused(OtpRefusal.TOO_MANY_REQUESTS, 429, retry_after_s=12), P.NOT_CHECKED, 4),
        (OtpRefused(OtpRefusal.INTERNAL, 500), P.NOT_CHECKED, 4),
        (OtpRefused(OtpRefusal.NOT_FOUND, 404, by_status=True), P.NOT_CHECKED, 4),
        (OtpRefused(OtpRefusal.UNKNOWN, 418), P.BAD_REQUEST, 4),
    ],
)
def test_a_code_that_was_not_checked_may_be_tried_again(
    staffed: Rig, reply: NoAnswer | OtpRefused, problem: OtpProblem, left: int
) -> None:
    """The try counts, unless no byte of it left."""
    code_sent(staffed)
    staffed.tell(CODE)
    staffed.otp_submitted(reply)
    assert seen(staffed) == (SignInStep.CODE_SENT, problem)
    assert staffed.dialog.tries_left == left
    staffed.tell(CODE)
    staffed.otp_submitted()
    assert staffed.dialog.step is SignInStep.SIGNED_IN


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (OtpRefused(OtpRefusal.MAX_OTP_CODES_EXCEEDED, 403), P.TOO_MANY_CODES),
        (OtpRefused(OtpRefusal.PHONE_NUMBER_BLOCKED, 403), P.NUMBER_BLOCKED),
        (OtpRefused(OtpRefusal.PHONE_NUMBER_NOT_ALLOWED, 403), P.NUMBER_NOT_ALLOWED),
        (OtpRefused(OtpRefusal.TOO_MANY_REQUESTS, 429, retry_after_s=12), P.SERVICE_BUSY),
        (TIME_OUT, P.NOT_SENT_FOR_SURE),
        (NEVER_LEFT, P.NO_CONNECTION),
        (NO_TOKEN, P.SIGN_IN_REFUSED),
        (NoAnswer(Why.SIGN_IN, sent=True, http_status=401), P.SIGN_IN_REFUSED),
    ],
)
def test_a_code_that_could_not_be_sent_says_why(
    staffed: Rig, reply: NoAnswer | OtpRefused, problem: OtpProblem
) -> None:
    """And it was counted all the same."""
    staffed.tell(SendOtp("person-1"))
    staffed.otp_sent(reply)
    assert seen(staffed) == (SignInStep.REFUSED, problem)
    staffed.tell(SendOtp("person-1"))
    assert staffed.dialog.problem == P.WAIT


def test_an_answer_for_an_old_reference_is_ignored(staffed: Rig) -> None:
    """Only the newest counts."""
    code_sent(staffed)
    before = len(staffed.shown)
    staffed.tell(OtpSubmitAnswered("person-1", "a" * 32, OtpVerified("a" * 32, NUMBER[1:])))
    staffed.tell(OtpSubmitAnswered("person-1", REF, OtpVerified(REF, NUMBER[1:])))
    assert staffed.terminal.signed_in is None
    assert [type(each).__name__ for each in staffed.shown[before:]].count("SignIn") == 0


def test_signing_out_leaves_nobody(staffed: Rig) -> None:
    """And an answer that comes after it signs nobody in."""
    code_sent(staffed)
    staffed.tell(CODE)
    staffed.tell(SignOut())
    staffed.otp_submitted()
    assert staffed.terminal.signed_in is None
    assert staffed.dialog.step is SignInStep.IDLE


def test_changing_the_person_while_a_code_is_sent_serves_the_newer(rig: Rig) -> None:
    """The first answer belongs to nobody; the second person's code is not blocked by it."""
    rig.tell(EnrolFirst("Nimali", NUMBER))
    rig.tell(EnrolFirst("Kamal", "+94771234568"))
    assert rig.names().count("send otp") == 2
    rig.otp_sent()
    assert rig.dialog.problem == P.BAD_REPLY
    rig.otp_sent(OtpSent("e" * 32, "94771234568"))
    rig.tell(CODE)
    rig.otp_submitted(OtpVerified("e" * 32, "94771234568"))
    assert [person.name for person in rig.journal.people()] == ["Kamal"]


def test_a_code_that_was_on_its_way_when_somebody_left_is_good_when_they_come_back(
    staffed: Rig,
) -> None:
    """It was asked for then: it has its ten minutes, and the next one its thirty seconds."""
    staffed.tell(SendOtp("person-1"))
    staffed.wait(3)
    staffed.tell(SignOut())
    staffed.wait(3)
    staffed.tell(SendOtp("person-1"))
    assert seen(staffed) == (SignInStep.SENDING, P.NONE)
    assert staffed.names().count("send otp") == 1
    staffed.otp_sent()
    assert seen(staffed) == (SignInStep.CODE_SENT, P.NONE)
    assert staffed.dialog.resend_in_s == 24
    staffed.tell(CODE)
    staffed.otp_submitted()
    assert staffed.dialog.step is SignInStep.SIGNED_IN
