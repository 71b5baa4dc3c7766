"""A passcode is chosen: what may be, by whom, for how long, and what is never chosen for anybody else."""

from __future__ import annotations

import pytest

from pos_app.domain.commands import SendOtp, SignOut
from pos_app.domain.passcode import PasscodeProblem, subject_of
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import SignInStep
from pos_app.engine.connection.calls import PasscodeHashed
from pos_app.engine.staff.sessions import FRESH_MS
from pos_app.engine.staff.sign_in import CHOOSE_MS
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import NUMBER, PASSCODE
from tests.unit.engine.staff_steps import KAMALA, NIMALI, Staffed, locked, three, wrong

P, S = PasscodeProblem, SignInStep
OTHER = Secret("602957")


def test_a_dead_one_is_made_good_by_a_code_and_another_passcode(quick: Staffed) -> None:
    """The same again would give ten more tries at it."""
    locked(quick)
    wrong(quick, 10)
    quick.rig.wait(16 * 60)
    quick.rig.tell(SendOtp(NIMALI))
    quick.proves(NIMALI)
    assert quick.seen == (S.CHOOSE_PASSCODE, "")
    assert quick.locked
    quick.choose(PASSCODE)
    assert quick.seen == (S.CHOOSE_PASSCODE, P.SAME_AS_BEFORE)
    quick.choose(OTHER)
    assert (quick.seen, quick.locked) == ((S.SIGNED_IN, ""), False)
    assert not quick.person(NIMALI).passcode_dead
    locked(quick)
    quick.types(NIMALI, OTHER)
    assert quick.seen == (S.SIGNED_IN, "")


def test_a_manager_resets_a_cashiers(quick: Staffed) -> None:
    """Whose next sign-in is by a code, and chooses."""
    wrong(quick, 10, KAMALA)
    assert quick.person(KAMALA).passcode_dead
    quick.change(KAMALA, reset_passcode=True)
    person = quick.person(KAMALA)
    assert (person.passcode_set, person.passcode_dead) == (False, False)
    reset = quick.rig.journal.events_of(subject_of(KAMALA))[-1]
    assert (reset.kind, reset.actor, reset.content["reason"]) == (
        "PASSCODE_RESET",
        NIMALI,
        "started on Monday",
    )
    quick.types(KAMALA)
    assert quick.seen == (S.REFUSED, P.NOT_SET)
    quick.by_sms(KAMALA)
    assert quick.seen == (S.CHOOSE_PASSCODE, P.SAME_AS_BEFORE)
    quick.choose(OTHER)
    assert quick.here == KAMALA


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("12345", P.TOO_SHORT),
        ("1234567890123", P.TOO_LONG),
        ("12345a", P.NOT_DIGITS),
        ("", P.NOT_DIGITS),
        ("111111", P.TOO_EASY),
        ("123456", P.TOO_EASY),
        ("987654", P.TOO_EASY),
        ("482482", P.TOO_EASY),
        (NUMBER[-6:], P.TOO_EASY),
        ("\u00b2\u00b2\u00b2\u00b2\u00b2\u00b2", P.NOT_DIGITS),
    ],
)
def test_what_may_not_be_chosen_is_not_even_hashed(typed: str, problem: PasscodeProblem) -> None:
    """The digits of their own number are no secret."""
    till = Staffed(MemoryJournal())
    till.choose(Secret(typed))
    assert (till.rig.dialog.problem, till.rig.dialog.by_passcode) == (problem, True)
    assert "hash passcode" not in till.rig.names()


def test_whoever_has_just_proved_to_be_there_chooses_another(till: Staffed) -> None:
    """By the passcode they have; later they are asked again."""
    till.rig.wait(FRESH_MS / 1000 + 1)
    till.choose(OTHER)
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)
    till.types(NIMALI)
    till.choose(OTHER)
    assert (till.seen, till.here) == ((S.SIGNED_IN, ""), NIMALI)
    locked(till)
    till.types(NIMALI, PASSCODE)
    assert till.seen == (S.REFUSED, P.WRONG)
    till.types(NIMALI, OTHER)
    assert till.seen == (S.SIGNED_IN, "")


def test_a_passcode_that_was_reset_is_chosen_anew_behind_a_code_by_sms_alone(till: Staffed) -> None:
    """At a manager's open till whoever stood there reset it, and chose the next one: and could sign for them."""
    till.types(NIMALI)
    till.change(NIMALI, reset_passcode=True)
    till.choose(OTHER)
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)
    assert not till.person(NIMALI).passcode_set
    till.rig.tell(SignOut())
    till.rig.wait(16 * 60)
    till.rig.tell(SendOtp(NIMALI))
    till.proves(NIMALI)
    till.choose(OTHER)
    assert (till.here, till.person(NIMALI).passcode_set) == (NIMALI, True)


def test_a_reset_ends_the_choice_that_is_being_stored(quick: Staffed) -> None:
    """The one it takes away would be there again behind it."""
    quick.rig.tell(ChoosePasscode(OTHER))
    quick.change(NIMALI, reset_passcode=True)
    quick.rig.passcode_hashed()
    assert quick.seen == (S.REFUSED, P.NEEDS_SMS)
    assert not quick.person(NIMALI).passcode_set


def test_nobody_chooses_behind_a_lock_or_with_nobody_there(quick: Staffed) -> None:
    """Nor after leaving."""
    locked(quick)
    quick.choose(OTHER)
    quick.types(NIMALI)
    assert quick.seen == (S.SIGNED_IN, "")
    quick.rig.tell(SignOut())
    quick.choose(OTHER)
    assert "hash passcode" not in quick.rig.names()


def test_a_lock_ends_the_choice_of_whoever_walked_away(quick: Staffed) -> None:
    """The next one at the till would choose it for them."""
    quick.change(KAMALA, reset_passcode=True)
    quick.rig.wait(16 * 60)
    quick.rig.tell(SendOtp(KAMALA))
    quick.proves(KAMALA)
    assert quick.seen == (S.CHOOSE_PASSCODE, "")
    locked(quick)
    quick.choose(OTHER)
    assert (quick.here, quick.locked) == (NIMALI, True)
    assert not quick.person(KAMALA).passcode_set


def test_a_first_choice_does_not_wait_for_ever(quick: Staffed) -> None:
    """Then another code is needed."""
    quick.change(KAMALA, reset_passcode=True)
    quick.rig.wait(16 * 60)
    quick.rig.tell(SendOtp(KAMALA))
    quick.proves(KAMALA)
    quick.rig.wait(CHOOSE_MS / 1000 + 1)
    quick.choose(OTHER)
    assert quick.here == NIMALI
    assert not quick.person(KAMALA).passcode_set


def test_a_hash_that_could_not_be_made_changes_nothing(quick: Staffed) -> None:
    """They try again."""
    quick.rig.tell(ChoosePasscode(OTHER))
    _, check, _, _ = quick.rig.take("hash passcode")
    quick.rig.tell(PasscodeHashed(check, None))
    assert quick.rig.dialog.problem == P.BUSY
    assert quick.rig.journal.unsealed(subject_of(NIMALI)) == PASSCODE.reveal().encode()


def test_a_choice_that_cannot_be_recorded_is_none() -> None:
    """The earlier one holds."""
    journal = MemoryJournal()
    till = three(journal)
    till.rig.tell(ChoosePasscode(OTHER))
    journal.full = True
    till.rig.passcode_hashed()
    assert till.rig.dialog.problem == P.CANNOT_RECORD
    journal.full = False
    till.rig.wait(2)
    locked(till).types(NIMALI, PASSCODE)
    assert not till.locked
