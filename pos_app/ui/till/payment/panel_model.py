"""Turns a published attempt into what its panel says and offers. Pure: no widget, no clock, no decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, Flag, Kind, Reason, State
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.till import Words
from pos_app.ui.view_config import TillViewConfig


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
            return _paid(attempt, words)
        case State.PAID_LATE:
            return _late(attempt, words)
        case State.FAILED | State.CANCELLED | State.NOT_SENT | State.REFUSED:
            return _not_paid(change, words)
        case State.DISPUTED:
            return _disputed(attempt, words)
        case State.SIGNED_OFF:
            return _signed_off(change, words)
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


def _paid(attempt: Attempt, words: Words) -> PanelModel:
    said = words.result
    if attempt.needs_answer:
        return PanelModel(tone=Tone.PAID, headline=said.paid, lead=said.crossed, acts=(Act.ANSWER,))
    return PanelModel(tone=Tone.PAID, headline=said.paid, acts=(Act.NEXT,))


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


def _signed_off(change: AttemptChanged, words: Words) -> PanelModel:
    attempt = change.attempt
    said = words.result
    lead = ""
    if attempt.resolution is not None:
        sentence = said.signed_paid if attempt.resolution.action == "paid" else said.signed_not_paid
        lead = sentence.format(name=attempt.resolution.name, reason=attempt.resolution.reason)
    return PanelModel(
        tone=Tone.NOT_KNOWN, headline=said.signed_off, lead=lead, acts=(*_other_ways(change), Act.NEXT)
    )


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


def _not_paid(change: AttemptChanged, words: Words) -> PanelModel:
    attempt = change.attempt
    others = _other_ways(change)
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


def _other_ways(change: AttemptChanged) -> tuple[Act, ...]:
    """The other method first: it is the likelier to work (docs/payment-rules.md, rule 5 says whether at all)."""
    if not change.may_start_another:
        return ()
    return (Act.PUSH, Act.QR) if change.attempt.kind is Kind.QR else (Act.QR, Act.PUSH)


def _from_before(change: AttemptChanged, config: TillViewConfig, words: Words) -> str:
    if not change.activity.from_before_restart or not change.attempt.is_open:
        return ""
    attempt = change.attempt
    return words.result.before_restart.format(sale=attempt.sale_id, money=config.money(attempt.amount))


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
    ended = datetime.fromisoformat(attempt.tapped_wall)
    if attempt.ended_at is not None:
        ended += timedelta(milliseconds=attempt.ended_at - attempt.tapped_at)
    return max(0.0, (now - ended).total_seconds())


def ended_time(attempt: Attempt) -> str:
    """When it ended (or, still open, began), by the shop's clock: "14:07:31"."""
    began = datetime.fromisoformat(attempt.tapped_wall)
    if attempt.ended_at is not None:
        began += timedelta(milliseconds=attempt.ended_at - attempt.tapped_at)
    return began.strftime("%H:%M:%S")


def began_time(attempt: Attempt) -> str:
    """When it was started: "14:05"."""
    return attempt.tapped_wall[11:16]
