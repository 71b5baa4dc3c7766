"""The customer and the cashier after a fault: they bring the sale to its end whatever the till says on the way."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from decimal import Decimal

from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.domain.commands import Cancel, Charge, CheckNow, Close, EnrolFirst, SubmitOtp
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import AttemptChanged, Block, ChargeOpened, SignInStep
from tests.support.sandbox import ControlError, Sandbox
from tests.verification.campaign.proxy.case import Case
from tests.verification.campaign.proxy.counter import Counter, newest, sign_in_in, terminal_in
from tests.verification.campaign.proxy.diary import Entry, StuckError

WHO = "person-1"
AMOUNT = Decimal("12.50")
LIMIT_S = 40.0
PATIENCE_S = 5.0
SOON_S = 1.8
"""After which an impatient till gives up."""


class People:
    """Both sides of one counter, for one case."""

    def __init__(self, case: Case, sandbox: Sandbox, counter: Counter) -> None:
        self._case = case
        self._sandbox = sandbox
        self._counter = counter
        self._done: set[tuple[str, str]] = set()
        self._charges = 0
        # Distinct for each case and no number that the sandbox gives a meaning to.
        place = case.number * 7919 + case.row * 131 + sum(case.column.encode()) * 17
        self.number = f"+9477{place % 999_983:06d}1"

    def charge(self, sale_id: str = "", kind: str = "") -> Attempt:
        """A tap; the attempt it became."""
        self._charges += 1
        request = f"tap {self._charges}"
        kind = kind or self._case.kind or "push"
        self._counter.post(
            Charge(
                request_id=request,
                kind=Kind(kind),
                amount=AMOUNT,
                who=WHO,
                wallet_number=self.number if kind == "push" else "",
                sale_id=sale_id,
                another_customer=True,
                give_up_after_s=SOON_S if self._case.impatient and not sale_id else None,
            )
        )
        opened = self._counter.wait("charge opened", lambda entries: _opened(entries, request), LIMIT_S)
        shown = self._counter.wait(
            "picture of it", lambda entries: newest(entries, opened.attempt_id), LIMIT_S
        )
        return shown.attempt

    def pays(self, attempt_id: str, verb: str = "pay") -> None:
        """On the phone, if it is not too late."""
        with contextlib.suppress(ControlError):
            self._sandbox.act(attempt_id, verb)

    def finish(self, sale_id: str) -> Attempt:
        """The customer pays what waits, the cashier starts again what has ended; the sale's last attempt."""
        while True:
            deed, shown = self._counter.wait(
                "next step", lambda entries: self._next(entries, sale_id), LIMIT_S
            )
            attempt = shown.attempt
            if deed == "end":
                return attempt
            self._done.add(_key(deed, shown))
            if deed == "again":
                self.charge(sale_id)
            elif deed == "wish":
                command = Cancel if attempt.kind is Kind.QR else Close
                self._counter.post(command(attempt.attempt_id, WHO))
            elif deed == "close":
                self._counter.post(Close(attempt.attempt_id, WHO))
            elif deed == "check":
                self._counter.post(CheckNow(attempt.attempt_id))
            else:
                self._customer(attempt)

    def _next(self, entries: Sequence[Entry], sale_id: str) -> tuple[str, AttemptChanged] | None:
        shown = newest(entries, sale_id=sale_id)
        if shown is None:
            return None
        deed = self._deed(shown, selling=terminal_in(entries).block is Block.NONE)
        return (deed, shown) if deed and _key(deed, shown) not in self._done else None

    def _deed(self, shown: AttemptChanged, *, selling: bool) -> str:
        attempt = shown.attempt
        if attempt.state is State.UNRESOLVED and self._case.impatient:
            return "close" if ("close", attempt.attempt_id) not in self._done else ""
        if attempt.state in MONEY or attempt.state in (State.DISPUTED, State.UNRESOLVED):
            return "end"
        if attempt.is_final:
            if self._ended_as_wished(attempt):
                return "end"
            return "again" if shown.may_start_another and selling else ""
        if _is_slow(shown) or ("check", attempt.attempt_id) not in self._done:
            return "check"
        if self._case.ending == "cancel" and ("wish", attempt.attempt_id) not in self._done:
            return "wish"
        if self._case.impatient and attempt.number == 1 and attempt.gave_up_at is None:
            return ""
        if attempt.state is State.WAITING and self._case.ending != "cancel":
            return "act" if attempt.kind is Kind.PUSH or attempt.qr_text else ""
        return ""

    def _ended_as_wished(self, attempt: Attempt) -> bool:
        if self._case.ending == "cancel" or self._case.column == "C":
            return attempt.state is not State.REFUSED or attempt.refusal_opened
        return self._case.ending == "reject" and attempt.state is State.FAILED

    def _customer(self, attempt: Attempt) -> None:
        verb = "reject" if self._case.ending == "reject" else "pay"
        if attempt.kind is Kind.PUSH:
            self.pays(attempt.attempt_id, verb)
        else:
            with contextlib.suppress(ControlError):
                self._sandbox.scan(attempt.qr_text, "reject" if verb == "reject" else "approve")

    def asks_for_a_code(self) -> SignInStep:
        """The first person enrols; how the dialog stands after it."""
        return self._says(EnrolFirst("Nimali", self.number))

    def types(self, code: str) -> SignInStep:
        """A code; how the dialog stands after it."""
        return self._says(SubmitOtp(WHO, code))

    def chooses(self) -> SignInStep:
        """Their first passcode; how the dialog stands after it."""
        return self._says(ChoosePasscode(Secret("704918")))

    def _says(self, command: EnrolFirst | SubmitOtp | ChoosePasscode) -> SignInStep:
        seen = len(self._counter.diary.so_far())
        self._counter.post(command)
        return self._counter.wait("dialog", lambda entries: _settled(entries[seen:]), LIMIT_S)

    def code(self) -> str:
        """From the newest SMS."""
        return str(self._sandbox.sms(self.number[1:])[0]["code"])

    def signs_in(self, *, code_is_out: bool) -> None:
        """However often it takes; a real person would have less patience. Raises StuckError."""
        step = SignInStep.CODE_SENT if code_is_out else SignInStep.REFUSED
        for _ in range(4):
            if step is not SignInStep.CODE_SENT:
                step = self.asks_for_a_code()
            if step is SignInStep.CODE_SENT:
                step = self.types(self.code())
            if step is SignInStep.CHOOSE_PASSCODE:
                step = self.chooses()
            if step is SignInStep.SIGNED_IN:
                return
            step = SignInStep.REFUSED
        raise StuckError("no sign-in in four tries on a line that is well")


def _is_slow(shown: AttemptChanged) -> bool:
    return (shown.activity.next_ask_in_s or 0) > PATIENCE_S


def _key(deed: str, shown: AttemptChanged) -> tuple[str, str]:
    """What is done once; a person told to wait for long checks at each such picture."""
    if deed == "check" and _is_slow(shown):
        return f"check at {shown.activity.elapsed_s}", shown.attempt.attempt_id
    return deed, shown.attempt.attempt_id


def _opened(entries: Sequence[Entry], request: str) -> ChargeOpened | None:
    return next(
        (each for each in entries if isinstance(each, ChargeOpened) and each.request_id == request), None
    )


def _settled(entries: Sequence[Entry]) -> SignInStep | None:
    shown = sign_in_in(entries)
    return None if shown is None or shown.step in (SignInStep.SENDING, SignInStep.CHECKING) else shown.step
