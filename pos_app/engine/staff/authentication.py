"""Who is at the till and who may be: one door to sign-in, sessions, passcodes and the list of people."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.commands import EnrolFirst, SendOtp, SignOut, SubmitOtp
from pos_app.domain.people import Person
from pos_app.domain.secret import Secret
from pos_app.domain.staff import (
    ChangePerson,
    ChooseLanguage,
    ChoosePasscode,
    Enrol,
    EnterPasscode,
    LeaveEnrolment,
    Lock,
    PeopleCommand,
    Renumber,
    SignInCommand,
)
from pos_app.domain.views import SignIn, SignInStep
from pos_app.engine.connection.calls import (
    OtpSendAnswered,
    OtpSubmitAnswered,
    PasscodeChecked,
    PasscodeHashed,
    StaffNews,
)
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.staff.approvals import Verdict
from pos_app.engine.staff.codes import Codes
from pos_app.engine.staff.enrolment import Enrolment
from pos_app.engine.staff.number_proof import NumberProof
from pos_app.engine.staff.passcodes import Passcodes
from pos_app.engine.staff.roster import FIRST, Roster
from pos_app.engine.staff.sessions import Sessions
from pos_app.engine.staff.sign_in import SignInSteps

__all__ = ["FIRST", "Authentication"]

AuthenticationCommand = SendOtp | SubmitOtp | EnrolFirst | SignOut | SignInCommand | PeopleCommand
StaffEvent = AuthenticationCommand | StaffNews

AGAIN_MS = 30_000
"""A session whose time is over while a customer is paying ends after the payment: so often it is looked at."""


class Authentication:
    """Two proofs by SMS may be under way: of whoever signs in, and of whom a manager enrols."""

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
    ) -> None:
        journal, clock, publish = ports.journal, ports.clock, ports.publish
        self._live_payments = live_payments
        self._clock = clock
        self._publish = publish
        self._roster = Roster(journal, config.country)
        self._sessions = Sessions(config.session_ms, journal, live_payments, clock, self._roster)
        passcodes = (config.passcode_limits, journal, live_payments, ports.calls, clock, self._roster)
        self._passcodes = Passcodes(*passcodes)
        self._signing_in = SignInSteps(ports, live_payments, self._roster, self._sessions, self._passcodes)
        self._enrolling = Enrolment(live_payments, self._roster, self._sessions, publish, self._forget)
        self._enrolling.required = config.sign_in_required
        codes = Codes(journal, live_payments, clock, config.otp_limits, ports.machine_sends)
        self._sign_in = NumberProof(
            config, ports, live_payments, codes, self._signing_in.proved, lambda: self._sessions.taken
        )
        # Whose till it is then, enrolment.py judges: a lock takes nothing back from the manager who began it.
        self._enrolment = NumberProof(config, ports, live_payments, codes, self._enrolling.proved, lambda: 0)

    def take_config(self, config: EngineConfig) -> None:
        """New messages, times and limits, from the next code or try on."""
        self._sign_in.take_config(config)
        self._enrolment.take_config(config)
        self._passcodes.take_limits(config.passcode_limits)
        self._sessions.session_ms = config.session_ms
        self._roster.country = config.country
        self._enrolling.required = config.sign_in_required

    def take_up(self) -> None:
        """Reads the list of people, and whose session goes on; until then nobody is the first."""
        self._roster.take_up()
        self._sessions.take_up()

    @property
    def people(self) -> tuple[Person, ...]:
        """The list, in the order they came."""
        return self._roster.people

    @property
    def signed_in(self) -> Person | None:
        """Who is at the till, behind a lock or not."""
        return self._sessions.person

    @property
    def locked(self) -> bool:
        """Whether they must give their passcode first."""
        return self._sessions.locked

    @property
    def sessions(self) -> tuple[str, ...]:
        """Whose passcode is enough now."""
        return self._sessions.open

    @property
    def choosing(self) -> Person | None:
        """Who has just proved to be there by a code, and has yet to choose a passcode."""
        return self._signing_in.choosing

    def distrust(self) -> None:
        """The running till found its record damaged: no passcode counts any more, nor an approval by one."""
        self._passcodes.distrusted = True

    def check_passcode(self, person: Person, passcode: Secret, then: Callable[[Verdict], None]) -> None:
        """Whether it is theirs; counted like every try. `then` hears it, on the engine's thread."""
        self._passcodes.check(person, passcode, then)

    def handle(self, event: StaffEvent) -> None:
        """A command about sign-in or people, or what came of a call made for one."""
        match event:
            case SendOtp() if self._is_of_enrolment(event.person_id):
                self._enrolment.send()
            case SendOtp():
                self._signing_in.send(event, self._sign_in)
            case SubmitOtp():
                self._submit(event)
            case EnrolFirst():
                # At the command line the account of the machine is the right.
                administrator = not self._enrolling.required
                self._signing_in.enrol_first(event, self._sign_in, administrator=administrator)
            case EnterPasscode():
                self._signing_in.enter(event)
            case ChoosePasscode():
                self._signing_in.choose(event)
            case ChooseLanguage():
                self._enrolling.choose_language(event, self.signed_in)
            case Lock():
                self._lock(event)
            case SignOut():
                self._sign_out()
            case Enrol() | Renumber():
                self._enrolling.begin(event, self._enrolment)
            case LeaveEnrolment():
                self._leave_enrolment()
            case ChangePerson():
                self._enrolling.change(event)
            case StaffNews():
                self._heard(event)
        self._give_up_of_another()

    def _heard(self, news: StaffNews) -> None:
        match news:
            case OtpSendAnswered():
                self._sign_in.sent(news)
                self._enrolment.sent(news)
            case OtpSubmitAnswered():
                self._sign_in.submitted(news)
                self._enrolment.submitted(news)
            case PasscodeChecked():
                self._passcodes.checked(news)
            case PasscodeHashed():
                self._passcodes.hashed(news)

    def _is_of_enrolment(self, person_id: str) -> bool:
        wanted = self._enrolment.wanted
        return (
            wanted is not None and wanted.person.person_id == person_id and self._enrolling.is_at_work(wanted)
        )

    def _submit(self, command: SubmitOtp) -> None:
        wanted = self._sign_in.wanted
        if self._is_of_enrolment(command.person_id):
            self._enrolment.submit(command.code)
        elif wanted is not None and wanted.person.person_id == command.person_id:
            self._sign_in.submit(command.code)

    def _lock(self, command: Lock) -> None:
        if command.idle and self._is_customer_waiting():
            return
        self._sessions.lock(idle=command.idle)
        self._signing_in.leave()

    def _is_customer_waiting(self) -> bool:
        """Whether whoever is signed in has a payment under way that is not put aside."""
        person = self.signed_in
        return person is not None and any(
            each.is_open and not each.parked and each.released_at is None and each.owner == person.person_id
            for each in self._live_payments.open_attempts
        )

    def _sign_out(self) -> None:
        self._end_session("left")
        self._sign_in.leave()
        self._signing_in.leave()
        self._publish(SignIn(step=SignInStep.IDLE))

    def _end_session(self, why: str) -> None:
        person = self.signed_in
        if person is not None:
            self._live_payments.write(self._sessions.ending(person.person_id, why))
            self._sessions.end(person.person_id)

    def _forget(self, person_id: str) -> None:
        """Disabled or renumbered: nothing that was under way for them goes on."""
        wanted = self._sign_in.wanted
        if wanted is not None and wanted.person.person_id == person_id:
            self._sign_in.leave()
        self._signing_in.leave(person_id)
        if self._sessions.end(person_id):
            self._publish(SignIn(step=SignInStep.IDLE))

    def _leave_enrolment(self) -> None:
        wanted = self._enrolment.wanted
        if wanted is not None and self._enrolment.leave():
            idle = SignInStep.IDLE
            self._publish(SignIn(step=idle, purpose=wanted.purpose, request_id=wanted.request_id))

    def _give_up_of_another(self) -> None:
        """An enrolment belongs to the manager who began it: when they leave the till, it is given up."""
        wanted, person = self._enrolment.wanted, self.signed_in
        if (
            wanted is not None
            and self._enrolling.required
            and (person is None or person.person_id != wanted.by)
        ):
            self._leave_enrolment()

    @property
    def due_at(self) -> int | None:
        """When (till time, ms) `tick` next has something to do."""
        over_at, now = self._sessions.over_at(), self._clock.now()
        if over_at is None or over_at > now or not self._is_customer_waiting():
            return over_at
        return now + AGAIN_MS

    def tick(self) -> bool:
        """Ends a session whose time is over; True when it did."""
        over_at = self._sessions.over_at()
        if over_at is None or over_at > self._clock.now() or self._is_customer_waiting():
            return False
        self._end_session("session over")
        self._give_up_of_another()
        if self._sign_in.wanted is None and self.choosing is None:
            # Whoever is just signing in beside them goes on with it.
            self._publish(SignIn(step=SignInStep.IDLE))
        return True
