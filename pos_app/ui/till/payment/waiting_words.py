"""Which stage a waiting payment has reached and what to do next, by time and status. Pure."""

from __future__ import annotations

import msgspec

from pos_app.domain.attempt import Attempt, Flag, Kind, State
from pos_app.domain.views import Activity, Block, Connection
from pos_app.i18n.words.till import Words

OPEN_APP_S = 30
OTHER_METHOD_S = 60
CANCEL_S = 180
NEARLY_UP_S = 30
"""docs/payment-rules.md, "Asking: how often", last line."""

_STAGE = {"Verification Success": 1, "Customer Approved": 2, "Payment Success": 3}


class NextStep(msgspec.Struct, frozen=True):
    """One sentence, and which buttons come to the front."""

    sentence: str
    offer_other: bool = False
    cancel_forward: bool = False


def stage(attempt: Attempt) -> int:
    """How many stages are done: 0 while nothing was answered, 1 code shown or request sent, 4 paid."""
    if attempt.state is State.PAID:
        return 4
    if attempt.state is not State.WAITING:
        return 0
    return 1 + _STAGE.get(attempt.service_status, 0)


def next_step(attempt: Attempt, elapsed_s: float, words: Words, left_s: float | None = None) -> NextStep:
    """What the cashier does now. `left_s`: until the till lets go by itself, where that is known."""
    said = words.wait
    if attempt.cancel_wish is not None or attempt.gave_up_at is not None:
        return _cancelling(attempt, words)
    if attempt.state is State.INTENT:
        return NextStep(said.sending_next)
    if Flag.QR_LOST in attempt.flags:
        return NextStep(words.flag[Flag.QR_LOST])
    is_qr = attempt.kind is Kind.QR
    match attempt.service_status:
        case "Verification Success":
            return NextStep(said.scanned if is_qr else said.opened)
        case "Customer Approved":
            return NextStep(said.approved)
        case "Verification Fail":
            return NextStep(said.scan_failed, cancel_forward=True)
        case "" | "Merchant Initiated":
            if left_s is not None and left_s <= NEARLY_UP_S:
                return NextStep(said.nearly_up, offer_other=True, cancel_forward=True)
            return _by_time(is_qr, elapsed_s, words)
        case _:
            return NextStep(said.unknown_status)


def _by_time(is_qr: bool, elapsed_s: float, words: Words) -> NextStep:
    said = words.wait
    if elapsed_s >= CANCEL_S:
        return NextStep(said.long, offer_other=True, cancel_forward=True)
    if elapsed_s >= OTHER_METHOD_S:
        return NextStep(said.other_qr if is_qr else said.other_push, offer_other=True)
    if elapsed_s >= OPEN_APP_S:
        return NextStep(said.open_app_qr if is_qr else said.open_app_push)
    return NextStep(said.next_qr if is_qr else said.next_push)


def _cancelling(attempt: Attempt, words: Words) -> NextStep:
    for flag in (Flag.CANCEL_NOT_ALLOWED, Flag.CANCEL_TOO_LATE, Flag.QR_LOST):
        if flag in attempt.flags:
            return NextStep(words.flag[flag])
    return NextStep(words.wait.gave_up if attempt.gave_up_at is not None else words.wait.cancel_asked)


def trouble(sale_id: str, activity: Activity, passed_s: float, words: Words) -> str:
    """What is wrong with the asking, "" when all is well; `passed_s`: how long ago the activity was published."""
    if activity.connection is Connection.CONNECTED:
        return _refused_ask(activity.ask_code, words)
    # Never "in 0 s": by then it is being asked, and the next answer changes the line.
    left = max(1, round((activity.next_ask_in_s or 0) - passed_s))
    return words.trouble[activity.connection].format(seconds=left, sale=sale_id)


def warning(sale_id: str, activity: Activity, passed_s: float, words: Words, *, halted: bool) -> str:
    """The one line of warning of an open payment: that nothing can be recorded comes before a bad line."""
    return words.block[Block.JOURNAL_HALTED] if halted else trouble(sale_id, activity, passed_s, words)


def _refused_ask(code: str, words: Words) -> str:
    if not code:
        return ""
    named = words.code.get(code)
    return f"{named.said} {named.todo}" if named else words.wait.unknown_status


def minutes(seconds: float) -> str:
    """0:17, 12:05."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
