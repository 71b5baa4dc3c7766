"""What a step waits for, each a question put to the scene. None of them knows a button, a window or a clock."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.training.course.scene import OPENED, TAKEN, Decided, Decision, Scene

Sign = Callable[[Scene], bool]


def never(_scene: Scene) -> bool:
    """Not to be waited for."""
    return False


def at_the_till(scene: Scene) -> bool:
    """Somebody is signed in, and the till is not locked."""
    return scene.terminal.signed_in is not None and not scene.terminal.locked


def nothing_open(scene: Scene) -> bool:
    """No payment is open or waits for an answer, and the sandbox is ready for a new exercise."""
    return scene.is_clean and not scene.terminal.open and not scene.terminal.attention


def is_locked(scene: Scene) -> bool:
    """Nobody can sell: the till is locked, or nobody is signed in."""
    return not at_the_till(scene)


def somebody_else(scene: Scene) -> bool:
    """Another person than at the beginning has the till now."""
    person = scene.terminal.signed_in
    return at_the_till(scene) and person is not None and person.person_id != scene.began_with


def restarted(scene: Scene) -> bool:
    """The till has ended and begun again, and somebody is at it."""
    return scene.restarts > 0 and at_the_till(scene)


def papers(count: int, who: int = 0) -> Sign:
    """So many sheets came out, and nothing of this customer's waits for the printer."""

    def sign(scene: Scene) -> bool:
        own = {attempt.attempt_id for attempt in scene.attempts_of(who)}
        waits = any(job.about in own for job in scene.terminal.printing.unprinted)
        return scene.papers >= count and not waits

    return sign


def copied(who: int = 0) -> Sign:
    """The receipt was asked for once more; another paper, a report or a test page, is none."""
    return lambda scene: any(attempt.attempt_id in scene.copied for attempt in scene.attempts_of(who))


def day_closed(scene: Scene) -> bool:
    """There is a Z that was not there when the exercise began."""
    return scene.terminal.day.last_z > scene.began_z


def asked(who: int = 0, kind: Kind | None = None) -> Sign:
    """The customer has the request on the phone, or the code before them; or is already past that."""

    def sign(scene: Scene) -> bool:
        attempt = scene.last_of(who)
        if attempt is None or (kind is not None and attempt.kind is not kind):
            return False
        return scene.row_of(attempt) is not None and not attempt.lets_another_start

    return sign


def another_asked(who: int = 0) -> Sign:
    """A second attempt for the same customer is under way."""
    first = asked(who)
    return lambda scene: len(scene.attempts_of(who)) > 1 and first(scene)


def opened(who: int = 0) -> Sign:
    """The customer has opened the request, or scanned the code."""
    return _row(who, OPENED)


def approved(who: int = 0) -> Sign:
    """The customer has said yes."""
    return _row(who, TAKEN)


def _row(who: int, statuses: frozenset[str]) -> Sign:
    def sign(scene: Scene) -> bool:
        row = scene.row_of(scene.last_of(who))
        return row is not None and row.status in statuses

    return sign


def in_state(who: int, *states: State) -> Sign:
    """The till's own picture of the customer's newest attempt."""
    return _last(who, lambda attempt: attempt.state in states)


def paid(who: int = 0) -> Sign:
    """The till says PAID, in time or late."""
    return in_state(who, *MONEY)


def nothing_taken(who: int = 0) -> Sign:
    """The newest attempt ended without money, by the service's word or our own record."""
    return _last(who, lambda attempt: attempt.lets_another_start)


def parked(who: int = 0) -> Sign:
    """Put aside; or already over."""
    return _last(who, lambda attempt: attempt.parked or attempt.is_final)


def answered(who: int = 0) -> Sign:
    """Whoever had to say what becomes of the money has said it."""
    return _last(who, lambda attempt: attempt.is_final and not attempt.needs_answer)


def _last(who: int, asks: Callable[[Attempt], bool]) -> Sign:
    def sign(scene: Scene) -> bool:
        attempt = scene.last_of(who)
        return attempt is not None and asks(attempt)

    return sign


def said(decision: Decision) -> Sign:
    """The learner chose it in this step."""
    return lambda scene: decision in scene.said


def settled(who: int = 0) -> Sign:
    """Goods for money, or neither."""

    def sign(scene: Scene) -> bool:
        sales = {attempt.sale_id for attempt in scene.attempts_of(who)}
        return any(each.sale_id in sales and is_right(each) for each in scene.decided)

    return sign


def is_right(decided: Decided) -> bool:
    """Whether the shop and the customer are even."""
    if decided.decision is Decision.HAND_OVER:
        return decided.paid and not decided.refunded
    return decided.decision is Decision.NO_GOODS and (decided.refunded or decided.gone)


def either(*signs: Sign) -> Sign:
    """One of them is enough."""
    return lambda scene: any(sign(scene) for sign in signs)


def both(*signs: Sign) -> Sign:
    """All of them."""
    return lambda scene: all(sign(scene) for sign in signs)
