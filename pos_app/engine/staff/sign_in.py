"""Signing in, unlocking and switching: by a code sent to the number on file, or by a passcode. Enrols nobody else."""

from __future__ import annotations

from msgspec import Struct

from pos_app.domain.ages import Stamp
from pos_app.domain.commands import EnrolFirst, SendOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.record import Record
from pos_app.domain.staff import ChoosePasscode, EnterPasscode
from pos_app.domain.views import SignIn, SignInStep
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.staff.approvals import Verdict
from pos_app.engine.staff.number_proof import NumberProof, Wanted
from pos_app.engine.staff.passcodes import Passcodes
from pos_app.engine.staff.roster import FIRST, Refusal, Roster
from pos_app.engine.staff.sessions import Sessions

P = PasscodeProblem

FIRST_START, BY_ADMINISTRATOR = "first start", "by the administrator of the machine"
"""Why there is a first manager, as the journal has it."""

CHOOSE_MS = 5 * 60_000
"""So long after the right code a first passcode may be chosen."""


class _Chooser(Struct, frozen=True):
    """Who has proved by a code to be there, and opens the session by choosing a passcode."""

    person_id: str
    opened: Stamp
    at: int


class SignInSteps:
    """Owns whose first passcode is being chosen. `proof` calls `proved` back."""

    def __init__(
        self,
        ports: Ports,
        live_payments: LivePayments,
        roster: Roster,
        sessions: Sessions,
        passcodes: Passcodes,
    ) -> None:
        self._journal = ports.journal
        self._live_payments = live_payments
        self._clock = ports.clock
        self._roster = roster
        self._sessions = sessions
        self._passcodes = passcodes
        self._publish = ports.publish
        self._chooser: _Chooser | None = None

    @property
    def choosing(self) -> Person | None:
        """Whose first passcode may be chosen just now."""
        chooser = self._chooser
        if chooser is None or self._clock.now() - chooser.at > CHOOSE_MS:
            return None
        return self._roster.enabled(chooser.person_id)

    def leave(self, person_id: str = "") -> None:
        """Nobody (or not this person) is choosing a first passcode any more."""
        if self._chooser is not None and person_id in ("", self._chooser.person_id):
            self._chooser = None

    def enrol_first(self, command: EnrolFirst, proof: NumberProof, *, administrator: bool) -> None:
        """The first manager, once a code sent to the number proves it: of a first start, and there alone.

        Where the record was damaged, and nobody is left on the list or no manager, whoever stands at the till may
        have done it: then the `administrator` of the machine makes one, at the command line.
        """
        if self._roster.has_manager or not self._roster.known:
            return
        never_was = administrator or self._never_was_anybody()
        if never_was is None:
            self._refuse(FIRST, OtpProblem.CANNOT_RECORD)
            return
        if not never_was:
            self._refuse(FIRST, OtpProblem.ONLY_ADMINISTRATOR)
            return
        try:
            person, number = self._roster.first(command.name, command.number)
        except Refusal:
            self._refuse(FIRST, OtpProblem.BAD_REQUEST)
            return
        by = TERMINAL if administrator else person.person_id
        reason = BY_ADMINISTRATOR if administrator else FIRST_START
        proof.begin(Wanted(person=person, number=number, first=True, by=by, reason=reason))

    def _never_was_anybody(self) -> bool | None:
        """Whether a whole record names nobody; None while it cannot be read.

        A start looks at the newest events alone: whoever takes people out of the middle, and out of every table,
        leaves an empty list and a gap behind (threat 29).
        """
        if self._roster.people or self._roster.rebuilt:
            return False
        return self._live_payments.read(lambda: self._journal.stands_since(FIRST, ()), None)

    def send(self, command: SendOtp, proof: NumberProof) -> None:
        """Sends a code to a person's number on file."""
        wanted = proof.wanted
        if wanted is not None and wanted.first and wanted.person.person_id == command.person_id:
            proof.send()
            return
        person = self._roster.enabled(command.person_id)
        read = self._live_payments.read(lambda: (self._journal.unsealed(command.person_id),), None)
        if read is None:
            self._refuse(command.person_id, OtpProblem.CANNOT_RECORD)
            return
        if person is None or read[0] is None:
            self._refuse(command.person_id, OtpProblem.UNKNOWN_PERSON)
            return
        self.leave()
        proof.begin(Wanted(person=person, number=read[0].decode()))

    def proved(self, wanted: Wanted) -> bool:
        """The code was right: they are in, or choose their passcode first."""
        person: Person | None = wanted.person
        if not wanted.first:
            person = self._roster.enabled(wanted.person.person_id)
        elif not self._enrolled(wanted):
            return False
        if person is None or person.number_digest != wanted.person.number_digest:
            self._refuse(wanted.person.person_id, OtpProblem.UNKNOWN_PERSON)
            return True
        opened = self._clock.stamp()
        if not person.passcode_set or person.passcode_dead:
            # A choice of a passcode says not whose: while one is made, nobody else is at an open till.
            self._sessions.lock(idle=False)
            self._chooser = _Chooser(person.person_id, opened, self._clock.now())
            self._say(SignInStep.CHOOSE_PASSCODE, person)
            return True
        return self._enter(person, "sms", opened)

    def _enrolled(self, wanted: Wanted) -> bool:
        person = wanted.person
        content = {"name": person.name, "role": person.role.value, "reason": wanted.reason}
        sealed = wanted.number.encode()
        record = self._live_payments.record(
            "PERSON_ENROLLED", person.person_id, wanted.by, person=person, content=content, sealed=sealed
        )
        if not self._live_payments.commit([record]):
            return False
        self._roster.put(person)
        return True

    def _enter(self, person: Person, by: str, opened: Stamp | None = None, *before: Record) -> bool:
        """Durable first; then the till is theirs."""
        if not self._live_payments.commit([*before, self._sessions.entering(person, by, opened)]):
            return False
        self._sessions.enter(person, opened)
        self._chooser = None
        self._say(SignInStep.SIGNED_IN, person, by_passcode=by == "passcode")
        return True

    def enter(self, command: EnterPasscode) -> None:
        """Unlocks, switches or, where that is enough, signs in."""
        person = self._roster.enabled(command.person_id)
        if person is None:
            self._refuse_passcode(command.person_id, Verdict(P.UNKNOWN_PERSON))
        elif not person.passcode_set:
            self._refuse_passcode(command.person_id, Verdict(P.NOT_SET))
        elif not person.passcode_dead and not self._sessions.may_enter(person):
            self._refuse_passcode(command.person_id, Verdict(P.NEEDS_SMS))
        else:
            turn = self._sessions.turn
            self._say(SignInStep.CHECKING, person, by_passcode=True)
            self._passcodes.check(person, command.passcode, lambda verdict: self._seen(person, turn, verdict))

    def _seen(self, asked: Person, turn: int, verdict: Verdict) -> None:
        person = self._roster.enabled(asked.person_id)
        if verdict.problem:
            self._refuse_passcode(asked.person_id, verdict)
        elif person is None or not self._sessions.may_enter(person):
            self._refuse_passcode(asked.person_id, Verdict(P.NEEDS_SMS))
        elif turn != self._sessions.turn:
            # Somebody locked, left or came while it was looked at: they are asked again.
            self._refuse_passcode(asked.person_id, Verdict(P.BUSY))
        elif self._is_here(person):
            self._sessions.proved_again()
            self._say(SignInStep.SIGNED_IN, person, by_passcode=True)
        elif not self._enter(person, "passcode"):
            self._refuse_passcode(asked.person_id, Verdict(P.CANNOT_RECORD))

    def _is_here(self, person: Person) -> bool:
        here = self._sessions.person
        return here is not None and here.person_id == person.person_id and not self._sessions.locked

    def choose(self, command: ChoosePasscode) -> None:
        """Only for whoever has just proved to be there: by a code, or by the passcode they have."""
        chooser = self._chooser if self.choosing is not None else None
        person = self.choosing or self._sessions.person
        if person is None or (chooser is None and not self._sessions.is_fresh(person.person_id)):
            self._refuse_passcode("" if person is None else person.person_id, Verdict(P.NEEDS_SMS))
            return
        turn = self._sessions.turn
        self._say(SignInStep.CHECKING, person, by_passcode=True)
        self._passcodes.choose(
            person, command.passcode, lambda problem, made: self._chosen(person, chooser, turn, problem, made)
        )

    def _chosen(
        self, person: Person, chooser: _Chooser | None, turn: int, problem: P, made: Record | None
    ) -> None:
        step = SignInStep.REFUSED if chooser is None else SignInStep.CHOOSE_PASSCODE
        if made is None or made.person is None:
            self._say(step, person, problem, by_passcode=True)
        elif chooser is not self._chooser or (chooser is None and turn != self._sessions.turn):
            # Whoever takes or locks the till ends a first choice; a session beside it whose time is over does not.
            self._refuse_passcode(person.person_id, Verdict(P.NEEDS_SMS))
        elif chooser is not None:
            if self._enter(made.person, "sms", chooser.opened, made):
                self._roster.put(made.person)
            else:
                self._say(step, person, P.CANNOT_RECORD, by_passcode=True)
        elif self._live_payments.commit([made]):
            self._roster.put(made.person)
            self._say(SignInStep.SIGNED_IN, made.person, by_passcode=True)
        else:
            self._say(step, person, P.CANNOT_RECORD, by_passcode=True)

    def _say(
        self, step: SignInStep, person: Person, problem: P = P.NONE, *, by_passcode: bool = False
    ) -> None:
        self._publish(
            SignIn(
                step=step,
                person_id=person.person_id,
                number_mask=person.number_mask,
                problem=problem.value,
                by_passcode=by_passcode,
            )
        )

    def _refuse(self, person_id: str, problem: OtpProblem) -> None:
        self._publish(SignIn(step=SignInStep.REFUSED, person_id=person_id, problem=problem.value))

    def _refuse_passcode(self, person_id: str, verdict: Verdict) -> None:
        self._publish(
            SignIn(
                step=SignInStep.REFUSED,
                person_id=person_id,
                problem=verdict.problem.value,
                tries_left=verdict.tries_left,
                wait_s=verdict.wait_ms / 1000 if verdict.wait_ms else None,
                by_passcode=True,
            )
        )
