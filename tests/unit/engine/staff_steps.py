"""People at a till that asks them to sign in: each step by their own wishes, the calls answered at once."""

from __future__ import annotations

import msgspec

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import msisdn
from pos_app.domain.replies import OtpVerified
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChangePerson, ChoosePasscode, Enrol, EnterPasscode, Lock, Renumber
from pos_app.domain.views import SignInStep, StaffAnswered, StaffProblem
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore
from tests.unit.engine.rig import NUMBER, PASSCODE, REF, SITE, Rig

NIMALI, KAMALA, RUWAN = "person-1", "person-2", "person-3"
NUMBERS = {NIMALI: NUMBER, KAMALA: "+94771234568", RUWAN: "+94771234569"}
NAMES = {NIMALI: "Nimali", KAMALA: "Kamala", RUWAN: "Ruwan"}
WRONG = Secret("111122")
SIGNED = msgspec.structs.replace(SITE, sign_in_required=True)
WHY = "started on Monday"
NEW = "+94771230001"


class Staffed:
    """A till with people; `rig` underneath. A fresh one has its first manager signed in."""

    def __init__(self, journal: JournalStore, config: EngineConfig = SIGNED) -> None:
        self.rig = Rig(journal, config).start()
        self.asked = 0
        if not journal.people():
            self.rig.sign_in()

    @property
    def here(self) -> str:
        """Who is at the till, behind a lock or not."""
        person = self.rig.terminal.signed_in
        return "" if person is None else person.person_id

    @property
    def locked(self) -> bool:
        """As last shown."""
        return self.rig.terminal.locked

    @property
    def sessions(self) -> tuple[str, ...]:
        """Whose passcode is enough."""
        return self.rig.terminal.sessions

    @property
    def seen(self) -> tuple[SignInStep, str]:
        """What the dialog shows."""
        return self.rig.dialog.step, self.rig.dialog.problem

    def person(self, person_id: str) -> Person:
        """As the list has them."""
        return next(each for each in self.rig.terminal.people if each.person_id == person_id)

    def kinds(self, subject: str) -> list[str]:
        """What the journal says happened to a subject."""
        return [event.kind for event in self.rig.journal.events_of(subject)]

    def answer(self) -> StaffProblem:
        """The last one's, whose request it must be."""
        told = self.rig.last(StaffAnswered)
        assert told.request_id == f"r{self.asked}"
        return told.problem

    def enrol(self, person_id: str = KAMALA, role: Role = Role.CASHIER, **facts: str) -> None:
        """A code goes to the number."""
        self.asked += 1
        command = Enrol(
            request_id=f"r{self.asked}",
            name=facts.get("name", NAMES.get(person_id, "Somebody")),
            number=facts.get("number", NUMBERS.get(person_id, "+94771234000")),
            role=role,
            reason=facts.get("reason", WHY),
            language=facts.get("language", ""),
        )
        self.rig.tell(command)

    def proves(self, person_id: str, number: str = "") -> None:
        """The code comes and is typed."""
        number = number or NUMBERS[person_id]
        self.rig.otp_sent()
        self.rig.tell(SubmitOtp(person_id, "123456"))
        self.rig.otp_submitted(OtpVerified(REF, msisdn(number)))

    def enrolled(self, person_id: str = KAMALA, role: Role = Role.CASHIER) -> None:
        """Somebody new on the list."""
        self.enrol(person_id, role)
        self.proves(person_id)
        assert self.person(person_id).role is role

    def change(self, person_id: str, reason: str = WHY, **what: object) -> None:
        """A manager changes it."""
        self.asked += 1
        command = ChangePerson(request_id=f"r{self.asked}", person_id=person_id, reason=reason)
        self.rig.tell(msgspec.structs.replace(command, **what))

    def by_sms(self, person_id: str, number: str = "") -> None:
        """Signs in by a code; whoever has no passcode chooses one."""
        self.rig.wait(16 * 60)
        self.rig.tell(SendOtp(person_id))
        self.proves(person_id, number)
        if self.rig.dialog.step is SignInStep.CHOOSE_PASSCODE:
            self.choose()

    def choose(self, passcode: Secret = PASSCODE) -> None:
        """As typed."""
        self.rig.tell(ChoosePasscode(passcode))
        if "hash passcode" in self.rig.names():
            self.rig.passcode_hashed()

    def types(self, person_id: str, passcode: Secret = PASSCODE) -> None:
        """A passcode at the lock, or at the names."""
        self.rig.tell(EnterPasscode(person_id, passcode))
        if "check passcode" in self.rig.names():
            self.rig.passcode_checked()

    def kill(self) -> None:
        """A new run on the same journal."""
        self.rig.restart()


def three(journal: JournalStore) -> Staffed:
    """A manager at the till, and two cashiers whose sessions are open."""
    staffed = Staffed(journal)
    for person_id in (KAMALA, RUWAN):
        staffed.enrolled(person_id)
    for person_id in (KAMALA, RUWAN, NIMALI):
        staffed.by_sms(person_id)
    assert staffed.sessions == (NIMALI, KAMALA, RUWAN)
    return staffed


def locked(till: Staffed) -> Staffed:
    """The manager's lock."""
    till.rig.tell(Lock())
    assert till.locked
    return till


def wrong(till: Staffed, times: int, person_id: str = NIMALI) -> None:
    """So many wrong ones, each after its wait."""
    for _ in range(times):
        till.types(person_id, WRONG)
        till.rig.wait(till.rig.dialog.wait_s or 0)


def renumber(till: Staffed, person_id: str, number: str = NEW, reason: str = WHY) -> None:
    """A code goes to the new number."""
    till.asked += 1
    till.rig.tell(Renumber(request_id=f"r{till.asked}", person_id=person_id, number=number, reason=reason))
