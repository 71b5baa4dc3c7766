"""Signing in by a code sent by SMS: counts durably before each send, checks, and says who is signed in."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pos_app.domain import otp
from pos_app.domain.otp import OtpProblem, problem_of_send, problem_of_try
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import NumberError, mask_number, msisdn, parse_number
from pos_app.domain.replies import NoAnswer, OtpRefused, OtpSent, OtpVerified, Why
from pos_app.domain.secret import Secret
from pos_app.domain.staff import PeopleWish, SignInWish
from pos_app.domain.views import SignIn, SignInStep
from pos_app.domain.wishes import EnrolFirst, SendOtp, SignOut, SubmitOtp
from pos_app.engine.approvals import Verdict
from pos_app.engine.book import Book
from pos_app.engine.calls import Calls, DeskNews, OtpSendAnswered, OtpSubmitAnswered
from pos_app.engine.clock import Clock
from pos_app.engine.codes import Codes
from pos_app.engine.ledger import Ledger
from pos_app.engine.site import Site

FIRST = "person-1"

DeskWish = SendOtp | SubmitOtp | EnrolFirst | SignOut | SignInWish | PeopleWish
DeskEvent = DeskWish | DeskNews


class _Pending(Struct, frozen=True):
    """A sign-in under way: for whom, the code that is out, and how often it was sent and tried."""

    person: Person
    number: str
    enrolling: bool = False
    busy: bool = False
    asked_at: int = 0
    resend_at: int = 0
    sends: int = 0
    server_ref: str = ""
    sent_at: int = 0
    tries: int = 0


class Desk:
    """Owns the one sign-in under way and the person signed in."""

    def __init__(
        self,
        site: Site,
        book: Book,
        ledger: Ledger,
        calls: Calls,
        clock: Clock,
        publish: Callable[[SignIn], None],
    ) -> None:
        self._site = site
        self._book = book
        self._ledger = ledger
        self._calls = calls
        self._clock = clock
        self._codes = Codes(book, ledger, clock, site.otp_limits)
        self._publish = publish
        self._pending: _Pending | None = None
        self.signed_in: Person | None = None
        self.locked = False
        self.choosing: Person | None = None
        """Who has just proved to be there by a code, and has yet to choose a passcode."""
        self.people: tuple[Person, ...] = ()
        self._list_known = False

    def take_site(self, site: Site) -> None:
        """New messages and times, from the next code on."""
        self._site = site

    def take_up(self) -> None:
        """Reads the list of cashiers; until then nobody is the first."""
        self.people = tuple(self._book.people())
        self._list_known = True

    @property
    def manager_present(self) -> bool:
        """Whether a manager is signed in."""
        return self.signed_in is not None and self.signed_in.role is Role.MANAGER

    def check_passcode(self, person: Person, passcode: Secret, then: Callable[[Verdict], None]) -> None:
        """Whether it is theirs; counted like every try. `then` hears it, on the engine's thread."""
        del person, passcode
        then(Verdict(PasscodeProblem.NOT_SET))

    def handle(self, event: DeskEvent) -> None:
        """A wish about sign-in or people, or what came of a call made for one."""
        match event:
            case SendOtp():
                self.send(event)
            case SubmitOtp():
                self.submit(event)
            case EnrolFirst():
                self.enrol_first(event)
            case SignOut():
                self.sign_out()
            case OtpSendAnswered():
                self.sent(event)
            case OtpSubmitAnswered():
                self.submitted(event)
            case _:
                pass

    def enrol_first(self, wish: EnrolFirst) -> None:
        """First start: the first person becomes manager once a code sent to the number proves it."""
        if self.people or not self._list_known:
            return
        name = " ".join(wish.name.split())
        try:
            number = parse_number(wish.number, self._site.country)
        except NumberError:
            number = ""
        if not number or not name:
            self._say(SignInStep.REFUSED, problem=OtpProblem.BAD_REQUEST)
            return
        person = Person(
            person_id=FIRST,
            name=name,
            role=Role.MANAGER,
            number_mask=mask_number(number),
            number_digest=self._book.digest(number),
        )
        pending = self._pending
        if pending is not None and pending.number == number:
            self._pending = replace(pending, person=person)
        else:
            self._pending = _Pending(person, number, enrolling=True)
        self._send()

    def send(self, wish: SendOtp) -> None:
        """Sends a code to a person's number on file."""
        if self._pending is None or self._pending.person.person_id != wish.person_id:
            person = next((each for each in self.people if each.person_id == wish.person_id), None)
            read = self._ledger.read(lambda: (self._book.unsealed(wish.person_id),), None)
            if read is None:
                self._say(SignInStep.REFUSED, problem=OtpProblem.CANNOT_RECORD)
                return
            sealed = read[0]
            if person is None or not person.enabled or sealed is None:
                self._say(SignInStep.REFUSED, problem=OtpProblem.UNKNOWN_PERSON)
                return
            self._pending = _Pending(person, sealed.decode())
        self._send()

    def _send(self) -> None:
        pending = self._pending
        if pending is None or pending.busy:
            return
        digest = pending.person.number_digest
        allowed = self._codes.allowance(digest)
        if allowed is not None and allowed.problem:
            self._say(self._step_now(), problem=allowed.problem, wait_ms=allowed.wait_ms)
            return
        if allowed is None or not self._codes.count(digest, pending.person.person_id):
            self._say(SignInStep.REFUSED, problem=OtpProblem.CANNOT_RECORD)
            return
        now, again = self._clock.now(), self._codes.allowance(digest)
        wait_ms = again.wait_ms if again is not None else 0
        self._pending = replace(
            pending, busy=True, sends=pending.sends + 1, asked_at=now, resend_at=now + wait_ms
        )
        self._say(SignInStep.SENDING)
        self._calls.send_otp(pending.person.person_id, msisdn(pending.number), self._site.otp_message)

    def _step_now(self) -> SignInStep:
        return SignInStep.CODE_SENT if self._pending and self._pending.server_ref else SignInStep.REFUSED

    def sent(self, fact: OtpSendAnswered) -> None:
        """The SMS is on its way, or is not, or may be."""
        pending = self._pending
        if pending is None or pending.person.person_id != fact.person_id:
            return
        pending = self._pending = replace(pending, busy=False)
        match fact.reply:
            case OtpSent() as sent if sent.msisdn == msisdn(pending.number):
                self._pending = replace(
                    pending, server_ref=sent.server_ref, sent_at=pending.asked_at, tries=0
                )
                self._say(SignInStep.CODE_SENT)
            case OtpSent():
                self._say(self._step_now(), problem=OtpProblem.BAD_REPLY)
            case OtpRefused() as refused:
                wait = int((refused.retry_after_s or 0) * 1000)
                self._say(self._step_now(), problem=problem_of_send(refused), wait_ms=wait)
            case NoAnswer() as silence:
                self._say(
                    self._step_now(), problem=_problem_of_silence(silence, OtpProblem.NOT_SENT_FOR_SURE)
                )

    def submit(self, wish: SubmitOtp) -> None:
        """Checks a code; the try is counted before it is made."""
        pending = self._pending
        if pending is None or pending.busy or pending.person.person_id != wish.person_id:
            return
        if not pending.server_ref:
            self._say(SignInStep.REFUSED, problem=OtpProblem.CODE_EXPIRED)
        elif self._expired(pending):
            self._drop(OtpProblem.CODE_EXPIRED)
        elif pending.tries >= self._site.otp_limits.tries_per_reference:
            self._drop(OtpProblem.TOO_MANY_TRIES)
        elif not otp.is_code(wish.code):
            self._say(SignInStep.CODE_SENT, problem=OtpProblem.BAD_CODE)
        else:
            self._pending = replace(pending, busy=True, tries=pending.tries + 1)
            self._say(SignInStep.CHECKING)
            self._calls.submit_otp(wish.person_id, pending.server_ref, wish.code)

    def _expired(self, pending: _Pending) -> bool:
        return self._clock.now() - pending.sent_at > self._site.otp_limits.valid_ms

    def submitted(self, fact: OtpSubmitAnswered) -> None:
        """A session opens only on a verified reply with the same reference and number, within its time."""
        pending = self._pending
        if pending is None or not pending.busy or pending.server_ref != fact.server_ref:
            return
        pending = self._pending = replace(pending, busy=False)
        match fact.reply:
            case OtpVerified() if self._expired(pending):
                self._drop(OtpProblem.CODE_EXPIRED)
            case OtpVerified() as verified:
                same = verified.server_ref == pending.server_ref and verified.msisdn == msisdn(pending.number)
                if same:
                    self._open_session(pending)
                else:
                    self._not_verified(pending, OtpProblem.NOT_CHECKED)
            case OtpRefused() as refused:
                wait = int((refused.retry_after_s or 0) * 1000)
                self._not_verified(pending, problem_of_try(refused), wait)
            case NoAnswer() as silence:
                if not silence.sent:
                    # It never left: the try does not count.
                    self._pending = replace(pending, tries=pending.tries - 1)
                self._not_verified(pending, _problem_of_silence(silence, OtpProblem.NOT_CHECKED))

    def _not_verified(self, pending: _Pending, problem: OtpProblem, wait_ms: int = 0) -> None:
        """No session. A reference whose tries are used up, or that is dead, is dropped."""
        failed = self._ledger.record(
            "OTP_FAILED",
            pending.person.number_digest,
            pending.person.person_id,
            content={"reason": problem.value},
        )
        self._ledger.write([failed])
        spent = pending.tries >= self._site.otp_limits.tries_per_reference
        if problem is OtpProblem.WRONG_CODE and spent:
            problem = OtpProblem.TOO_MANY_TRIES
        if problem in (OtpProblem.TOO_MANY_TRIES, OtpProblem.CODE_EXPIRED):
            self._drop(problem)
        else:
            self._say(SignInStep.CODE_SENT, problem=problem, wait_ms=wait_ms)

    def _drop(self, problem: OtpProblem) -> None:
        """This reference can no longer open a session: start again."""
        if self._pending is not None:
            self._pending = replace(self._pending, server_ref="", tries=0)
        self._say(SignInStep.REFUSED, problem=problem)

    def _open_session(self, pending: _Pending) -> None:
        person = pending.person
        records = []
        if pending.enrolling:
            enrolled = self._ledger.record(
                "PERSON_ENROLLED",
                person.person_id,
                person.person_id,
                person=person,
                sealed=pending.number.encode(),
            )
            records.append(enrolled)
        records.append(self._ledger.record("SIGNED_IN", person.person_id, person.person_id))
        if not self._ledger.commit(records):
            self._say(SignInStep.CODE_SENT, problem=OtpProblem.CANNOT_RECORD)
            return
        if pending.enrolling:
            self.people = (*self.people, person)
        self.signed_in = person
        self._say(SignInStep.SIGNED_IN)
        self._pending = None

    def sign_out(self) -> None:
        """Whoever is signed in leaves; payments go on."""
        if self.signed_in is not None:
            self._ledger.write(
                [self._ledger.record("SIGNED_OUT", self.signed_in.person_id, self.signed_in.person_id)]
            )
        self.signed_in = None
        self._pending = None
        self._publish(SignIn(step=SignInStep.IDLE))

    def _say(self, step: SignInStep, *, problem: OtpProblem = OtpProblem.NONE, wait_ms: int = 0) -> None:
        pending, limits = self._pending, self._site.otp_limits
        resend_in_s = tries_left = None
        if pending is not None and pending.server_ref:
            resend_in_s = max(0, pending.resend_at - self._clock.now()) / 1000
            tries_left = limits.tries_per_reference - pending.tries
        self._publish(
            SignIn(
                step=step,
                person_id=pending.person.person_id if pending else "",
                number_mask=pending.person.number_mask if pending else "",
                problem=problem.value,
                tries_left=tries_left,
                resend_in_s=resend_in_s,
                wait_s=wait_ms / 1000 if wait_ms else None,
                resent=pending is not None and pending.sends > 1,
            )
        )


def _problem_of_silence(silence: NoAnswer, otherwise: OtpProblem) -> OtpProblem:
    if not silence.sent:
        return OtpProblem.NOT_PROVEN if silence.why is Why.TLS else OtpProblem.NO_CONNECTION
    return OtpProblem.SIGN_IN_REFUSED if silence.why is Why.SIGN_IN else otherwise
