"""What can be done about an open payment, and what right it takes. Pure: the list shows it, the engine does it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import OPEN, Attempt, Reason, State
from pos_app.domain.rights import Act
from pos_app.domain.views import Activity
from pos_app.i18n.words.open_payments import words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.i18n.words.till import words as till_words


class Step(StrEnum):
    """One thing to do; each by its name in the table of words."""

    CONTINUE = "CONTINUE"
    SHUT = "SHUT"
    ANSWER = "ANSWER"
    SIGN_OFF = "SIGN_OFF"
    SIGN_REFUND = "SIGN_REFUND"
    CHECK = "CHECK"
    CANCEL = "CANCEL"
    GIVE_NOTE = "GIVE_NOTE"
    WITHDRAW_NOTE = "WITHDRAW_NOTE"

    @property
    def text(self) -> str:
        """The words on its button."""
        if self is Step.GIVE_NOTE:
            return refund_words.GIVE
        if self is Step.WITHDRAW_NOTE:
            return refund_words.WITHDRAW
        return str(getattr(words, self.value))


RIGHTS = {
    Step.CONTINUE: Act.CONTINUE,
    Step.SHUT: Act.CLOSE,
    Step.ANSWER: Act.COMPLETE,
    Step.SIGN_OFF: Act.SIGN_OFF,
    Step.SIGN_REFUND: Act.SIGN_REFUND,
    Step.CHECK: Act.CHECK,
    Step.CANCEL: Act.CANCEL,
    Step.GIVE_NOTE: Act.GIVE_REFUND,
    Step.WITHDRAW_NOTE: Act.WITHDRAW_REFUND,
}
"""The right that each step takes."""


class Advice(msgspec.Struct, frozen=True):
    """One sentence, and what may be done, the likeliest first."""

    sentence: str
    steps: tuple[Step, ...]


def advice(attempt: Attempt, activity: Activity) -> Advice:
    """The next action for a payment of the list; whoever has no right to it has a manager asked."""
    match attempt.state:
        case State.PAID_LATE:
            return Advice(words.ADVICE_LATE, (Step.ANSWER,))
        case State.PAID:
            return Advice(words.ADVICE_CROSSED, (Step.ANSWER,))
        case State.DISPUTED:
            return Advice(words.ADVICE_DISPUTED, (Step.SIGN_OFF, Step.CHECK))
        case State.UNRESOLVED if attempt.reason is Reason.OTHER_ORIGIN:
            return Advice(till_words.because(attempt), (Step.SIGN_OFF,))
        case State.UNRESOLVED:
            return Advice(words.ADVICE_UNRESOLVED, (Step.CHECK, Step.SIGN_OFF, *_cancel(attempt)))
        case State.INTENT | State.IN_DOUBT if activity.from_before_restart:
            if activity.may_continue:
                return Advice(words.ADVICE_RESTART, (Step.CONTINUE, Step.SHUT, Step.CHECK))
            return Advice(words.ADVICE_RESTART_CLOSE, (Step.SHUT, Step.CHECK))
        case _ if attempt.cancel_wish is not None:
            return Advice(words.ADVICE_CANCELLING, (Step.CHECK,))
        case State.WAITING:
            return Advice(words.ADVICE_WAITING, (Step.CHECK, Step.CANCEL))
        case _:
            return Advice(words.ADVICE_DOUBT, (Step.CHECK, *_cancel(attempt)))


def listed(open_: tuple[Attempt, ...], attention: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Each once, what a person has to settle first, then the oldest first."""
    every = {attempt.attempt_id: attempt for attempt in (*open_, *attention)}
    return tuple(sorted(every.values(), key=lambda each: (each.state in OPEN, each.tapped_at)))


def age_s(attempt: Attempt, now: datetime) -> float:
    """Seconds since the tap, by the wall clock; a clock set back makes none negative."""
    return max(0.0, (now - datetime.fromisoformat(attempt.tapped_wall)).total_seconds())


def _cancel(attempt: Attempt) -> tuple[Step, ...]:
    return (Step.CANCEL,) if attempt.cancel_wish is None else ()
