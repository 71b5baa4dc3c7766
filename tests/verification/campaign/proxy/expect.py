"""What a cell's code asks of the turn in which the till learns of the fault: words of the failure model as checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pos_app.domain.attempt import Attempt, Reason, State
from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.views import Activity, AttemptChanged, Block, Connection, SignIn, SignInStep, Terminal
from tests.verification.campaign.proxy.case import Case

_WAITS = {
    "a second": (0.9, 1.2),
    "a date": (0.9, 1.2),
    "10^9": (59.0, 66.0),
    "nothing": (0.29, 2.0),
    "-1": (0.29, 2.0),
    "soon": (0.29, 2.0),
}
"""Seconds until the next ask after a 429, by what its Retry-After says; without one the interval is doubled."""


def of_reply(case: Case, reply: object) -> Iterator[str]:
    """No believable reply: named for what it is, and "not sent" only where no byte left."""
    if not isinstance(reply, NoAnswer):
        if not case.fault.may_pass:
            yield f"a reply was believed: {reply!r}"[:300]
        return
    before_any_byte = bool(case.fault.line or case.fault.identity)
    if reply.sent is before_any_byte and not (case.fault.line and case.fault.may_pass):
        yield f"{reply.why}: sent is {reply.sent}"
    if case.fault.whys and reply.why not in case.fault.whys:
        yield f"heard as {reply.why}: {reply.detail[:120]}"


def ran_out(case: Case, reply: object) -> bool:
    """Whether the time was over before the fault could show itself."""
    if not isinstance(reply, NoAnswer) or not case.fault.whys:
        return False
    return reply.why in (Why.TIME_OUT, Why.CONNECT) and reply.why not in case.fault.whys


def of_line(reply: object, terminal: Terminal) -> Iterator[str]:
    """What the terminal says of its line."""
    if not isinstance(reply, NoAnswer):
        return
    wanted = {
        Why.SIGN_IN: (Connection.SIGN_IN_REFUSED,),
        Why.SLOW_DOWN: (Connection.SLOW,),
        Why.FORBIDDEN: (Connection.LOST, Connection.SIGN_IN_REFUSED),
        Why.TLS: (Connection.STRANGE,),
        Why.REDIRECT: (Connection.STRANGE,),
        Why.UNREADABLE: (Connection.STRANGE,),
    }.get(reply.why, (Connection.LOST,))
    refused = terminal.block is Block.SIGN_IN_REFUSED
    if terminal.connection not in wanted and not refused:
        yield f"after {reply.why} the line is called {terminal.connection}"
    if reply.why is Why.SIGN_IN and not refused:
        yield "new payments are not blocked after 401"


def of_pace(case: Case, reply: object, activity: Activity, turn_s: float) -> Iterator[str]:
    """L: the next ask waits as long as was asked for. What the turn took is gone from it when it is shown."""
    if not isinstance(reply, NoAnswer) or reply.why is not Why.SLOW_DOWN or activity.next_ask_in_s is None:
        return
    least, most = _WAITS[case.fault.name.partition(",")[0]]
    if not least - turn_s <= activity.next_ask_in_s <= most:
        yield f"after 429 the next ask is due in {activity.next_ask_in_s:.2f} s"


def is_anothers_money(case: Case, pictures: Sequence[AttemptChanged]) -> bool:
    """Somebody paid by a code that no reply had brought to this till by then: rule 10 puts it before a person.
    A slow reply may bring the code behind that, and changes nothing of it. `pictures`: an attempt's, oldest first.
    """
    paid_unseen = case.column == "S" and case.kind == "qr" and case.customer == "first"
    if not paid_unseen or not _is_never_shown(pictures[-1].attempt):
        return False
    first = next(each.attempt for each in pictures if _is_never_shown(each.attempt))
    return not first.qr_text


def _is_never_shown(attempt: Attempt) -> bool:
    return attempt.state is State.DISPUTED and attempt.reason is Reason.CODE_NEVER_SHOWN


def of_attempt(case: Case, reply: object, pictures: Sequence[AttemptChanged]) -> Iterator[str]:
    """U is IN_DOUBT (or WAITING, when an ask beside has shown it), N is NOT_SENT, all others keep the state.
    `pictures`: the attempt's, oldest first.
    """
    if not isinstance(reply, NoAnswer):
        return
    attempt = pictures[-1].attempt
    if case.column == "S":
        allowed = {State.IN_DOUBT, State.WAITING} if reply.sent else {State.INTENT, State.NOT_SENT}
    else:
        allowed = {State.WAITING}
        if case.column == "C":
            allowed |= {State.CANCELLED, State.PAID}  # an ask beside has seen it, or the judge tells
    if case.customer == "first":
        allowed.add(State.PAID)
    if case.ending == "reject":
        allowed.add(State.FAILED)
    if case.impatient:
        allowed |= {State.UNRESOLVED, State.CANCELLED, State.PAID_LATE}
    if attempt.state not in allowed and not is_anothers_money(case, pictures):
        yield f"{attempt.state} after {reply.why}, sent {reply.sent}"
    if case.column == "C" and attempt.cancel_wish is None:
        yield "the cancel wish is gone"


def of_cost(case: Case, replies: Sequence[object]) -> Iterator[str]:
    """A fault of one exchange costs one answer, one that may pass none; a busy machine may cost others their time."""
    if case.times != 1 or case.fault.play is None or case.second is not None:
        return
    silences = [reply for reply in replies if isinstance(reply, NoAnswer)]
    innocent = {Why.TIME_OUT, Why.CONNECT}
    if case.fault.name == "closed after a good reply":
        innocent.add(Why.BROKEN)  # the next request may have met the end on its way
    silences = [reply for reply in silences if reply.why not in innocent]
    if len(silences) > (1 if case.fault.whys else 0):
        yield f"{len(silences)} answers lost by one fault: {', '.join(str(each.why) for each in silences)}"


def of_sign_in(case: Case, reply: object, shown: SignIn) -> Iterator[str]:
    """Q, V and A: nobody is signed in, the reason is told, a code that never left costs no try."""
    if case.fault.may_pass:
        return
    if shown.step in (SignInStep.SIGNED_IN, SignInStep.CHOOSE_PASSCODE):
        yield "signed in by a reply that nobody may believe"
    if not shown.problem:
        yield f"{shown.step} without a word of what is wrong"
    unsent = (OtpProblem.NO_CONNECTION, OtpProblem.NOT_PROVEN)
    if isinstance(reply, NoAnswer) and not reply.sent and shown.problem not in unsent:
        yield f"{reply.why} is told as {shown.problem}"
    if case.row == 29 and shown.problem != OtpProblem.SIGN_IN_REFUSED:
        yield f"401 is told as {shown.problem}"
    wait_s = {"a second": 1.0, "a date": 1.0, "10^9": 60.0}.get(case.fault.name.partition(",")[0])
    if wait_s is not None and shown.wait_s != wait_s:
        yield f"429 is told with a wait of {shown.wait_s} s"
    if case.column == "O2" and shown.tries_left is not None:
        used = 0 if isinstance(reply, NoAnswer) and not reply.sent else 1
        if shown.tries_left != 5 - used:
            yield f"{shown.tries_left} tries left after {reply!r}"[:200]
