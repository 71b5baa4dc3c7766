"""Passcodes: chosen, entered, waited for, dead after ten; every count holds over kills and set clocks."""

from __future__ import annotations

import pytest

from pos_app.domain.passcode import PasscodeProblem, subject_of
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode, Lock
from pos_app.domain.views import SignInStep
from pos_app.engine.connection.calls import PasscodeChecked, PasscodeHashed
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import PASSCODE
from tests.unit.engine.staff_steps import KAMALA, NIMALI, RUWAN, WRONG, Staffed, locked, three, wrong

P, S = PasscodeProblem, SignInStep
OTHER = Secret("602957")


def test_it_unlocks_and_the_journal_says_so(till: Staffed) -> None:
    """By name, and with the try before the answer."""
    locked(till)
    till.types(NIMALI)
    assert (till.seen, till.here, till.locked) == ((S.SIGNED_IN, ""), NIMALI, False)
    assert till.rig.dialog.by_passcode
    assert till.kinds(NIMALI)[-2:] == ["LOCKED", "UNLOCKED"]
    assert till.kinds(subject_of(NIMALI))[-2:] == ["PASSCODE_TRY", "PASSCODE_RIGHT"]
    assert till.rig.journal.events_of(NIMALI)[-1].content["name"] == "Nimali"


def test_it_switches_cashiers_without_a_message(till: Staffed) -> None:
    """Locked or not; whose session goes on says the journal."""
    till.types(KAMALA)
    assert (till.here, till.locked) == (KAMALA, False)
    till.types(RUWAN)
    assert till.here == RUWAN
    assert till.rig.journal.events_of(RUWAN)[-1].content["from"] == KAMALA
    assert till.kinds(RUWAN)[-1] == "SWITCHED"
    assert "send otp" not in till.rig.names()


def test_a_wrong_one_is_told_with_what_is_left(quick: Staffed) -> None:
    """And nothing opens."""
    locked(quick)
    quick.types(NIMALI, WRONG)
    assert (quick.seen, quick.locked) == ((S.REFUSED, P.WRONG), True)
    assert quick.rig.dialog.tries_left == 9


def test_each_try_is_durable_before_it_is_looked_at(till: Staffed) -> None:
    """A kill in between costs it."""
    locked(till)
    for used in (1, 2):
        till.rig.tell(EnterPasscode(NIMALI, PASSCODE))
        kinds = till.kinds(subject_of(NIMALI))
        assert (kinds[-1], kinds.count("PASSCODE_TRY")) == ("PASSCODE_TRY", used)
        till.kill()
    till.types(NIMALI, WRONG)
    assert till.rig.dialog.tries_left == 7


def test_a_right_one_ends_the_row(quick: Staffed) -> None:
    """Ten in a row, not ten in all."""
    locked(quick)
    for _ in range(3):
        wrong(quick, 6)
        quick.types(NIMALI)
        assert quick.seen == (S.SIGNED_IN, "")
        quick.rig.tell(Lock())
    assert not quick.person(NIMALI).passcode_dead


def test_waits_grow_and_are_told(quick: Staffed) -> None:
    """Ten seconds after three, a minute after five, five after seven; within it nothing is even counted."""
    locked(quick)
    waits = []
    for _ in range(9):
        quick.types(NIMALI, WRONG)
        waits.append(quick.rig.dialog.wait_s or 0)
        if waits[-1]:
            quick.types(NIMALI)
            assert quick.seen == (S.REFUSED, P.WAIT)
            assert quick.rig.dialog.wait_s == waits[-1]
        quick.rig.wait(waits[-1])
    assert waits == [0, 0, 10, 10, 60, 60, 300, 300, 300]
    assert quick.kinds(subject_of(NIMALI)).count("PASSCODE_TRY") == 9


def test_after_ten_it_is_dead_whatever_is_typed(till: Staffed) -> None:
    """The right one too; the list says so."""
    locked(till)
    wrong(till, 10)
    assert till.seen == (S.REFUSED, P.DEAD)
    assert till.person(NIMALI).passcode_dead
    till.rig.wait(86_400)
    till.kill()
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.DEAD)
    assert NIMALI not in till.sessions
    kinds = till.kinds(subject_of(NIMALI))
    assert (kinds.count("PASSCODE_TRY"), kinds[-1]) == (10, "PASSCODE_DEAD")


def test_the_tenth_may_be_killed_before_its_answer(till: Staffed) -> None:
    """What was counted is enough to be dead."""
    locked(till)
    wrong(till, 9)
    till.rig.tell(EnterPasscode(NIMALI, WRONG))
    till.kill()
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.DEAD)
    assert till.person(NIMALI).passcode_dead


@pytest.mark.parametrize("days", [-400, -1, 1, 400])
def test_a_set_clock_shortens_no_wait(till: Staffed, days: int) -> None:
    """Till time may jump with the wall clock over a restart; a reboot proves only its own age."""
    locked(till)
    wrong(till, 4)
    till.types(NIMALI, WRONG)
    assert till.rig.dialog.wait_s == 60
    clock = till.rig.clock
    clock.ms += days * 86_400_000
    clock.booted += days * 86_400_000
    till.kill()
    till.types(NIMALI)
    assert (till.seen, till.rig.dialog.wait_s) == ((S.REFUSED, P.WAIT), 60)
    clock.boot, clock.booted = "boot-2", clock.ms
    till.kill()
    till.types(NIMALI)
    # Nobody can know whether the session is over, and it is not asked about: an SMS is needed.
    assert till.seen == (S.REFUSED, P.NEEDS_SMS)


def test_what_comes_of_an_old_check_opens_nothing(quick: Staffed) -> None:
    """Locked again, left, another run: each is another turn."""
    quick.rig.tell(EnterPasscode(NIMALI, PASSCODE))
    _, check, right = quick.rig.take("check passcode")
    quick.rig.tell(Lock())
    quick.rig.tell(PasscodeChecked(check, right))
    assert (quick.locked, quick.seen) == (True, (S.REFUSED, P.BUSY))
    quick.rig.tell(PasscodeChecked(check, True))
    assert quick.locked
    quick.rig.tell(PasscodeHashed(check, b"another's"))
    assert quick.rig.journal.unsealed(subject_of(NIMALI)) == PASSCODE.reveal().encode()


def test_one_at_a_time(quick: Staffed) -> None:
    """A second one meanwhile is not counted, and not looked at."""
    quick.rig.tell(EnterPasscode(KAMALA, WRONG))
    quick.rig.tell(EnterPasscode(RUWAN, PASSCODE))
    assert quick.seen == (S.REFUSED, P.BUSY)
    assert quick.rig.names().count("check passcode") == 1
    assert "PASSCODE_TRY" not in quick.kinds(subject_of(RUWAN))[1:]


def test_a_reset_while_it_is_looked_at_wins(quick: Staffed) -> None:
    """So does being disabled."""
    quick.rig.tell(EnterPasscode(RUWAN, PASSCODE))
    quick.change(RUWAN, reset_passcode=True)
    quick.rig.passcode_checked()
    assert (quick.here, quick.seen[0]) == (NIMALI, S.REFUSED)
    quick.rig.tell(EnterPasscode(KAMALA, PASSCODE))
    quick.change(KAMALA, enabled=False)
    quick.rig.passcode_checked()
    assert (quick.here, quick.seen[0]) == (NIMALI, S.REFUSED)


def test_a_check_that_broke_is_told_and_stays_counted(quick: Staffed) -> None:
    """Nothing opens."""
    quick.rig.tell(EnterPasscode(KAMALA, PASSCODE))
    _, check, _ = quick.rig.take("check passcode")
    quick.rig.tell(PasscodeChecked(check, None))
    assert quick.seen == (S.REFUSED, P.BUSY)
    quick.types(KAMALA, WRONG)
    assert quick.rig.dialog.tries_left == 8


def test_what_cannot_be_recorded_is_not_looked_at() -> None:
    """Neither a try nor a choice; behind the lock it stays."""
    journal = MemoryJournal()
    till = locked(three(journal))
    journal.full = True
    till.types(NIMALI)
    assert (till.seen, till.locked) == ((S.REFUSED, P.CANNOT_RECORD), True)
    assert "check passcode" not in till.rig.names()
    journal.full, journal.unreadable = False, True
    till.types(NIMALI)
    assert till.seen == (S.REFUSED, P.CANNOT_RECORD)
    journal.unreadable = False
    till.rig.tell(EnterPasscode(NIMALI, PASSCODE))
    journal.full = True
    till.rig.passcode_checked()
    assert (till.seen, till.locked) == ((S.REFUSED, P.CANNOT_RECORD), True)
    journal.full = False
    till.rig.wait(2)
    till.types(NIMALI)
    assert not till.locked


def test_somebody_unknown_has_none(quick: Staffed) -> None:
    """Only the list of people."""
    quick.types("person-9")
    assert quick.seen == (S.REFUSED, P.UNKNOWN_PERSON)
    assert quick.here == NIMALI
