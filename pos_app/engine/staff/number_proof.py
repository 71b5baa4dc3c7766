"""A number proved by a code sent to it: counts before each send, asks for checks."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pos_app.domain import otp
from pos_app.domain.otp import OtpProblem, problem_of_send, problem_of_try
from pos_app.domain.people import Person
from pos_app.domain.phone import msisdn
from pos_app.domain.replies import NoAnswer, OtpRefused, OtpSent, OtpVerified, Why
from pos_app.domain.views import Purpose, SignIn, SignInStep
from pos_app.engine.connection.calls import OtpSendAnswered, OtpSubmitAnswered
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.staff.codes import Codes


class Wanted(Struct, frozen=True, kw_only=True):
    """Whose number is to be proved, and what for. `by`: the manager who began it, and whose reason it is."""

    person: Person
    number: str
    purpose: Purpose = Purpose.SIGN_IN
    first: bool = False
    request_id: str = ""
    by: str = ""
    reason: str = ""

    @property
    def key(self) -> str:
        """What calls and replies about it carry: a reply to another purpose is none of this one."""
        own = self.person.person_id
        if self.purpose is Purpose.SIGN_IN:
            return own
        return f"{self.purpose.value}:{own}:{self.person.number_digest[:8]}"


class _Code(Struct, frozen=True):
    """The code that is out, and how often one was sent and tried. `taken`: as the till stood at the last try."""

    wanted: Wanted
    busy: bool = False
    asked_at: int = 0
    resend_at: int = 0
    sends: int = 0
    server_ref: str = ""
    sent_at: int = 0
    tries: int = 0
    taken: int = 0


class NumberProof:
    """Owns the one proof under way. `proved` makes it durable and says so, or returns False: it is not.

    `taken` gives another number once somebody has taken the till: a code that was typed before proves nothing then.
    """

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
        codes: Codes,
        proved: Callable[[Wanted], bool],
        taken: Callable[[], int],
    ) -> None:
        self._config = config
        self._live_payments = live_payments
        self._calls = ports.calls
        self._clock = ports.clock
        self._codes = codes
        self._publish = ports.publish
        self._proved = proved
        self._taken = taken
        self._code: _Code | None = None
        self._sending: dict[str, _Code] = {}
        """By key, the proofs whose code is being sent just now, begun anew since or not."""

    def take_config(self, config: EngineConfig) -> None:
        """New messages, from the next code on."""
        self._config = config

    @property
    def wanted(self) -> Wanted | None:
        """What is being proved."""
        return None if self._code is None else self._code.wanted

    def begin(self, wanted: Wanted) -> None:
        """Sends a code; to the same number for the same purpose it is one more of the same proof."""
        code = self._code
        if code is not None and (code.wanted.key, code.wanted.number) == (wanted.key, wanted.number):
            self._code = replace(code, wanted=wanted)
        else:
            self._code = self._gone_on_with(wanted)
        self.send()

    def _gone_on_with(self, wanted: Wanted) -> _Code:
        """The proof as it was left, while its code is still being sent: when it was asked for is known of no other."""
        left = self._sending.get(wanted.key)
        if left is None or left.wanted.number != wanted.number:
            return _Code(wanted)
        self._code = left = replace(left, wanted=wanted)
        self._say(SignInStep.SENDING)
        return left

    def leave(self) -> bool:
        """Nothing is being proved any more; replies under way are nobody's. False: nothing was."""
        was, self._code = self._code, None
        return was is not None

    def send(self) -> None:
        """A code, if one may go; counted durably before it goes."""
        code = self._code
        if code is None or code.busy:
            return
        person = code.wanted.person
        allowed = self._codes.allowance(code.wanted.number)
        if allowed is not None and allowed.problem:
            self._say(self._step_now(), problem=allowed.problem, wait_ms=allowed.wait_ms)
            return
        if allowed is None or not self._codes.count(code.wanted.number, person.person_id):
            self._say(SignInStep.REFUSED, problem=OtpProblem.CANNOT_RECORD)
            return
        now, again = self._clock.now(), self._codes.allowance(code.wanted.number)
        wait_ms = again.wait_ms if again is not None else 0
        self._code = replace(code, busy=True, sends=code.sends + 1, asked_at=now, resend_at=now + wait_ms)
        self._sending[code.wanted.key] = self._code
        self._say(SignInStep.SENDING)
        message = self._config.otp_messages.get(person.language, self._config.otp_message)
        self._calls.send_otp(code.wanted.key, msisdn(code.wanted.number), message)

    def _step_now(self) -> SignInStep:
        return SignInStep.CODE_SENT if self._code and self._code.server_ref else SignInStep.REFUSED

    def sent(self, fact: OtpSendAnswered) -> None:
        """The SMS is on its way, or is not, or may be."""
        self._sending.pop(fact.person_id, None)
        code = self._code
        if code is None or code.wanted.key != fact.person_id:
            return
        code = self._code = replace(code, busy=False)
        match fact.reply:
            case OtpSent() as sent if sent.msisdn == msisdn(code.wanted.number):
                self._code = replace(code, server_ref=sent.server_ref, sent_at=code.asked_at, tries=0)
                self._say(SignInStep.CODE_SENT)
            case OtpSent():
                self._say(self._step_now(), problem=OtpProblem.BAD_REPLY)
            case OtpRefused() as refused:
                wait = int((refused.retry_after_s or 0) * 1000)
                self._say(self._step_now(), problem=problem_of_send(refused), wait_ms=wait)
            case NoAnswer() as silence:
                problem = _problem_of_silence(silence, OtpProblem.NOT_SENT_FOR_SURE)
                self._say(self._step_now(), problem=problem)

    def submit(self, typed: str) -> None:
        """Checks a code; the try is counted before it is made."""
        code = self._code
        if code is None or code.busy:
            return
        if not code.server_ref:
            self._say(SignInStep.REFUSED, problem=OtpProblem.CODE_EXPIRED)
        elif self._expired(code):
            self._drop(OtpProblem.CODE_EXPIRED)
        elif code.tries >= self._config.otp_limits.tries_per_reference:
            self._drop(OtpProblem.TOO_MANY_TRIES)
        elif not otp.is_code(typed):
            self._say(SignInStep.CODE_SENT, problem=OtpProblem.BAD_CODE)
        else:
            self._code = replace(code, busy=True, tries=code.tries + 1, taken=self._taken())
            self._say(SignInStep.CHECKING)
            self._calls.submit_otp(code.wanted.key, code.server_ref, typed)

    def _expired(self, code: _Code) -> bool:
        return self._clock.now() - code.sent_at > self._config.otp_limits.valid_ms

    def submitted(self, fact: OtpSubmitAnswered) -> None:
        """Proved only by a verified reply with the same reference and number, within its time, and once.

        And by whoever typed it: once somebody else has the till nobody knows where they are.
        """
        code = self._code
        if code is None or not code.busy or code.server_ref != fact.server_ref:
            return
        if code.wanted.key != fact.person_id:
            return
        code = self._code = replace(code, busy=False)
        match fact.reply:
            case OtpVerified() if self._expired(code) or code.taken != self._taken():
                self._drop(OtpProblem.CODE_EXPIRED)
            case OtpVerified() as verified:
                same = verified.server_ref == code.server_ref
                if same and verified.msisdn == msisdn(code.wanted.number):
                    self._verified(code)
                else:
                    self._not_verified(code, OtpProblem.NOT_CHECKED)
            case OtpRefused() as refused:
                wait = int((refused.retry_after_s or 0) * 1000)
                self._not_verified(code, problem_of_try(refused), wait)
            case NoAnswer() as silence:
                if not silence.sent:
                    # It never left: the try does not count.
                    code = self._code = replace(code, tries=code.tries - 1)
                self._not_verified(code, _problem_of_silence(silence, OtpProblem.NOT_CHECKED))

    def _verified(self, code: _Code) -> None:
        # Whoever makes it durable says so themselves: by then this proof is over.
        self._code = None
        if not self._proved(code.wanted):
            self._code = code
            self._say(SignInStep.CODE_SENT, problem=OtpProblem.CANNOT_RECORD)

    def _not_verified(self, code: _Code, problem: OtpProblem, wait_ms: int = 0) -> None:
        """No session. A reference whose tries are used up, or that is dead, is dropped."""
        person = code.wanted.person
        content = {"reason": problem.value, "purpose": code.wanted.purpose.value}
        failed = self._live_payments.record(
            "OTP_FAILED", person.number_digest, person.person_id, content=content
        )
        self._live_payments.write([failed])
        spent = code.tries >= self._config.otp_limits.tries_per_reference
        if problem is OtpProblem.WRONG_CODE and spent:
            problem = OtpProblem.TOO_MANY_TRIES
        if problem in (OtpProblem.TOO_MANY_TRIES, OtpProblem.CODE_EXPIRED):
            self._drop(problem)
        else:
            self._say(SignInStep.CODE_SENT, problem=problem, wait_ms=wait_ms)

    def _drop(self, problem: OtpProblem) -> None:
        """This reference can no longer prove anything: start again."""
        if self._code is not None:
            self._code = replace(self._code, server_ref="", tries=0)
        self._say(SignInStep.REFUSED, problem=problem)

    def _say(self, step: SignInStep, *, problem: OtpProblem = OtpProblem.NONE, wait_ms: int = 0) -> None:
        code, limits = self._code, self._config.otp_limits
        if code is None:
            return
        resend_in_s = tries_left = None
        if code.server_ref:
            resend_in_s = max(0, code.resend_at - self._clock.now()) / 1000
            tries_left = limits.tries_per_reference - code.tries
        self._publish(
            SignIn(
                step=step,
                person_id=code.wanted.person.person_id,
                number_mask=code.wanted.person.number_mask,
                problem=problem.value,
                tries_left=tries_left,
                resend_in_s=resend_in_s,
                wait_s=wait_ms / 1000 if wait_ms else None,
                resent=code.sends > 1,
                purpose=code.wanted.purpose,
                request_id=code.wanted.request_id,
            )
        )


def _problem_of_silence(silence: NoAnswer, otherwise: OtpProblem) -> OtpProblem:
    if silence.why is Why.SIGN_IN:
        # Without a token nothing leaves, and no network brings one.
        return OtpProblem.SIGN_IN_REFUSED
    if not silence.sent:
        return OtpProblem.NOT_PROVEN if silence.why is Why.TLS else OtpProblem.NO_CONNECTION
    return otherwise
