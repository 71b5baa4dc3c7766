"""What the panel of a published attempt says and offers, and what is said aloud of it. Pure: no widget, no clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, Flag, Kind, Reason, State
from pos_app.domain.views import Activity, AttemptChanged, Block, Connection
from pos_app.i18n.words.till import Words
from pos_app.ui.view_config import TillViewConfig

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
    if attempt.state is not State.WAITING or _waits_for_code(attempt):
        return 0
    return 1 + _STAGE.get(attempt.service_status, 0)


def _waits_for_code(attempt: Attempt) -> bool:
    """Known to the service, and nobody can scan it: its code has not come yet, or cannot be written."""
    is_before_scan = attempt.service_status in ("", "Merchant Initiated")
    return attempt.kind is Kind.QR and not attempt.qr_text and not attempt.recovered and is_before_scan


def next_step(attempt: Attempt, elapsed_s: float, words: Words, left_s: float | None = None) -> NextStep:
    """What the cashier does now. `left_s`: until the till lets go by itself, where that is known."""
    said = words.wait
    if attempt.cancel_wish is not None or attempt.gave_up_at is not None:
        return _cancelling(attempt, words)
    if Flag.QR_LOST in attempt.flags:
        return NextStep(words.flag[Flag.QR_LOST])
    if attempt.state is State.INTENT or (attempt.state is State.WAITING and _waits_for_code(attempt)):
        return NextStep(said.sending_next)
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


def warning(attempt: Attempt, activity: Activity, passed_s: float, words: Words, *, halted: bool) -> str:
    """The one line of warning of an open payment: that nothing can be recorded comes before a bad line."""
    if halted:
        return words.block[Block.JOURNAL_HALTED]
    if attempt.state is State.INTENT and activity.connection in (Connection.LOST, Connection.STRANGE):
        # Nothing has left yet: it is not one that may still complete.
        return words.connection[activity.connection]
    return trouble(attempt.sale_id, activity, passed_s, words)


def _refused_ask(code: str, words: Words) -> str:
    if not code:
        return ""
    named = words.code.get(code)
    return f"{named.said} {named.todo}" if named else words.wait.unknown_status


def minutes(seconds: float) -> str:
    """0:17, 12:05."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


class Tone(StrEnum):
    """How a panel looks; never the only carrier of what it says."""

    WAITING = "waiting"
    PAID = "paid"
    AGED = "aged"
    NOT_PAID = "not_paid"
    NOT_KNOWN = "not_known"
    DISPUTED = "disputed"
    LATE = "late"


class Act(StrEnum):
    """What may be done from a panel."""

    CANCEL = "cancel"
    CHECK = "check"
    PARK = "park"
    LEAVE = "leave"
    NEXT = "next"
    QR = "qr"
    PUSH = "push"
    CONTINUE = "continue"
    CLOSE = "close"
    ANSWER = "answer"
    SIGN_REFUND = "sign_refund"
    PRINT = "print"


class PanelModel(msgspec.Struct, frozen=True, kw_only=True):
    """A panel's words: `lead` is what it means for the money, `more` what happened and what to do."""

    tone: Tone
    headline: str
    lead: str = ""
    more: str = ""
    acts: tuple[Act, ...] = ()


def present(change: AttemptChanged, config: TillViewConfig, words: Words) -> PanelModel:
    """What the panel of this attempt says now."""
    attempt = change.attempt
    if change.sale.overpaid and change.sale.refund is None and attempt.state in MONEY:
        return _paid_twice(change, words)
    match attempt.state:
        case State.PAID:
            return _paid(attempt, config, words)
        case State.PAID_LATE:
            return _late(attempt, words)
        case State.FAILED | State.CANCELLED | State.NOT_SENT | State.REFUSED:
            return _not_paid(change, config, words)
        case State.DISPUTED:
            return _disputed(attempt, words)
        case State.SIGNED_OFF:
            return _signed_off(change, config, words)
        case State.IN_DOUBT | State.UNRESOLVED:
            return _not_known(change, config, words)
        case State.INTENT if change.activity.from_before_restart:
            return _not_known(change, config, words)
        case _:
            return _waiting(change, config, words)


def _waiting(change: AttemptChanged, config: TillViewConfig, words: Words) -> PanelModel:
    attempt = change.attempt
    headline = words.wait.title
    if attempt.cancel_wish is not None:
        headline = words.wait.cancelling
    elif attempt.state is State.INTENT:
        headline = words.wait.sending
    acts = [Act.CHECK, Act.PARK]
    if attempt.cancel_wish is None:
        acts.insert(0, Act.CANCEL)
    lead = _from_before(change, config, words)
    return PanelModel(tone=Tone.WAITING, headline=headline, lead=lead, acts=tuple(acts))


def _paid(attempt: Attempt, config: TillViewConfig, words: Words) -> PanelModel:
    said = words.result
    if attempt.needs_answer:
        return PanelModel(tone=Tone.PAID, headline=said.paid, lead=said.crossed, acts=(Act.ANSWER,))
    settled = words.because(attempt) if attempt.resolution is not None else ""
    if attempt.resolution is not None and attempt.resolution.action == "refund":
        # Paid, and not the shop's: green, it would have the goods handed over beside the money.
        return PanelModel(tone=Tone.AGED, headline=words.state[State.PAID], lead=settled, acts=(Act.NEXT,))
    acts = (Act.PRINT, Act.NEXT) if config.prints == "ask" and attempt.receipt else (Act.NEXT,)
    return PanelModel(tone=Tone.PAID, headline=said.paid, lead=settled, acts=acts)


def _late(attempt: Attempt, words: Words) -> PanelModel:
    said = words.result
    time, answered = ended_time(attempt)[:5], attempt.resolution
    if answered is not None and not attempt.needs_answer:
        sentence = said.late_refunded if answered.action == "refund" else said.late_completed
        lead = sentence.format(time=time, name=answered.name, reason=answered.reason)
        return PanelModel(tone=Tone.LATE, headline=said.late, lead=lead, acts=(Act.NEXT,))
    lead = said.late_more.format(sale=attempt.sale_id, time=time)
    return PanelModel(tone=Tone.LATE, headline=said.late, lead=lead, acts=(Act.ANSWER, Act.LEAVE))


def _paid_twice(change: AttemptChanged, words: Words) -> PanelModel:
    both = [each.attempt_id for each in (change.attempt, *change.siblings) if each.state in MONEY]
    return PanelModel(
        tone=Tone.DISPUTED,
        headline=words.result.paid_twice,
        lead=words.result.twice_more.format(sale=change.sale.sale_id),
        more="\n".join(sorted(both)),  # an id a line: they are read out and written down
        acts=(Act.SIGN_REFUND, Act.LEAVE),
    )


def _disputed(attempt: Attempt, words: Words) -> PanelModel:
    return PanelModel(
        tone=Tone.DISPUTED,
        headline=words.result.disputed,
        lead=words.result.no_goods,
        more=words.because(attempt),
        acts=(Act.CHECK, Act.LEAVE),
    )


def _signed_off(change: AttemptChanged, config: TillViewConfig, words: Words) -> PanelModel:
    attempt = change.attempt
    said = words.result
    lead = ""
    if attempt.resolution is not None:
        sentence = said.signed_paid if attempt.resolution.action == "paid" else said.signed_not_paid
        lead = sentence.format(name=attempt.resolution.name, reason=attempt.resolution.reason)
    acts = (*_other_ways(change, config), Act.NEXT)
    return PanelModel(tone=Tone.NOT_KNOWN, headline=said.signed_off, lead=lead, acts=acts)


def _not_known(change: AttemptChanged, config: TillViewConfig, words: Words) -> PanelModel:
    attempt = change.attempt
    said = words.result
    reason = words.because(attempt)
    more = said.in_doubt if not reason else f"{reason} {said.unresolved}"
    if attempt.reason is Reason.OTHER_ORIGIN:
        more = reason
    if attempt.cancel_wish is not None:
        more = f"{more} {words.wait.cancel_asked}"
    before = _from_before(change, config, words)
    if before:
        more = f"{before} {more}"
    return PanelModel(
        tone=Tone.NOT_KNOWN,
        headline=said.not_known,
        lead=said.do_not_repeat,
        more=more,
        acts=_ways_out(change),
    )


def _ways_out(change: AttemptChanged) -> tuple[Act, ...]:
    """No way to take money again is among them (docs/failure-model.md, behaviour U)."""
    attempt = change.attempt
    if attempt.reason is Reason.OTHER_ORIGIN:
        return (Act.PARK,)
    acts = [Act.CHECK, Act.PARK]
    if change.activity.from_before_restart and attempt.is_open and not attempt.shown:
        return (*([Act.CONTINUE] if change.activity.may_continue else []), Act.CLOSE, *acts)
    if attempt.cancel_wish is None:
        acts.append(Act.CANCEL)
    elif attempt.kind is Kind.PUSH and not attempt.shown:
        acts.append(Act.CLOSE)
    return tuple(acts)


def _not_paid(change: AttemptChanged, config: TillViewConfig, words: Words) -> PanelModel:
    attempt = change.attempt
    others = _other_ways(change, config)
    lead = _why_not(attempt, words)
    more = ""
    if attempt.state is State.REFUSED and not change.may_start_another:
        more = words.result.refused_checking
    elif attempt.state is State.REFUSED:
        more = words.code.get(attempt.code, words.result.unknown_code).todo
    elif attempt.state is State.NOT_SENT:
        more = words.because(attempt)
    last = (Act.NEXT,) if others else (Act.CHECK, Act.NEXT)
    return PanelModel(
        tone=Tone.NOT_PAID, headline=words.result.not_paid, lead=lead, more=more, acts=(*others, *last)
    )


def _why_not(attempt: Attempt, words: Words) -> str:
    said = words.result
    match attempt.state:
        case State.NOT_SENT:
            return said.not_sent
        case State.CANCELLED:
            ours = Flag.CANCEL_NOT_OURS not in attempt.flags
            return said.cancelled if ours else said.cancelled_by_service
        case State.REFUSED if attempt.code:
            named = words.code.get(attempt.code, said.unknown_code)
            return said.refused.format(said=named.said.rstrip("."), code=attempt.code)
        case State.REFUSED:
            return said.refused_http.format(code=attempt.http_status or "HTTP")
        case _:
            return words.because(attempt)


def _other_ways(change: AttemptChanged, config: TillViewConfig) -> tuple[Act, ...]:
    """The other method first: it is the likelier to work (docs/payment-rules.md, rule 5 says whether at all). None for
    a sale in another currency than the counter's of now: the engine would decline it."""
    if not change.may_start_another or change.sale.currency != config.currency.code:
        return ()
    if change.attempt.state is State.NOT_SENT:
        # Nothing was wrong with the way they wanted to pay: the line was down, for the other one too.
        return (Act.QR, Act.PUSH) if change.attempt.kind is Kind.QR else (Act.PUSH, Act.QR)
    return (Act.PUSH, Act.QR) if change.attempt.kind is Kind.QR else (Act.QR, Act.PUSH)


def _from_before(change: AttemptChanged, config: TillViewConfig, words: Words) -> str:
    if not change.activity.from_before_restart or not change.attempt.is_open:
        return ""
    attempt = change.attempt
    return words.result.before_restart.format(
        sale=attempt.sale_id, money=config.money_of(attempt.amount, attempt.currency)
    )


def aged(model: PanelModel, age: str, words: Words) -> PanelModel:
    """A paid result that is not this customer's any more: the same facts under a headline that says how long ago.

    In the headline itself: where letters have no capitals, the state's word alone is the one of a fresh result.
    """
    if model.tone is not Tone.PAID:
        return model
    ago = words.result.ago.format(age=age)
    headline = f"{words.state[State.PAID]} · {ago}"
    return msgspec.structs.replace(model, tone=Tone.AGED, headline=headline)


def age_s(attempt: Attempt, now: datetime) -> float:
    """How long ago it ended, by the shop's clock; never below 0."""
    return max(0.0, (now - ended(attempt)).total_seconds())


def ended(attempt: Attempt) -> datetime:
    """When it ended (or, still open, began), by the shop's clock."""
    began = datetime.fromisoformat(attempt.tapped_wall)
    if attempt.ended_at is not None:
        began += timedelta(milliseconds=attempt.ended_at - attempt.tapped_at)
    return began


def ended_time(attempt: Attempt) -> str:
    """The same: "14:07:31"."""
    return ended(attempt).strftime("%H:%M:%S")


def began_time(attempt: Attempt) -> str:
    """When it was started: "14:05"."""
    return attempt.tapped_wall[11:16]


def spoken(change: AttemptChanged, model: PanelModel, config: TillViewConfig, words: Words) -> str:
    """The state, the amount and the next step. Without times: a sentence that changes is said again."""
    money = config.money_of(change.attempt.amount, change.attempt.currency)
    if model.tone is Tone.WAITING:
        now = next_step(change.attempt, change.activity.elapsed_s, words).sentence
        return _sentences(model.lead or model.headline, money, now)
    if model.tone is Tone.AGED:
        return _sentences(words.state[State.PAID], money, model.lead)
    return _sentences(model.headline, money, model.lead, model.more)


def _sentences(*parts: str) -> str:
    """A pause after each."""
    return " ".join(part if part[-1] in ".!?…" else f"{part}." for part in parts if part)
