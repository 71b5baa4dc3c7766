"""Which state may follow which: the one table. The diagram in the docs is drawn from it."""

from __future__ import annotations

from pos_app.domain.attempt import State

_S = State

_NAMED: dict[State, set[State]] = {
    _S.INTENT: {_S.IN_DOUBT, _S.WAITING, _S.REFUSED, _S.NOT_SENT, _S.UNRESOLVED},
    _S.IN_DOUBT: {_S.WAITING, _S.REFUSED, _S.PAID, _S.FAILED, _S.CANCELLED, _S.UNRESOLVED},
    _S.WAITING: {_S.PAID, _S.FAILED, _S.CANCELLED, _S.UNRESOLVED},
    _S.UNRESOLVED: {_S.WAITING, _S.PAID, _S.FAILED, _S.CANCELLED, _S.SIGNED_OFF},
    _S.DISPUTED: {_S.SIGNED_OFF},
    _S.REFUSED: {_S.WAITING, _S.FAILED, _S.CANCELLED},
    _S.PAID: set(),
    _S.PAID_LATE: set(),
    _S.FAILED: set(),
    _S.CANCELLED: set(),
    _S.NOT_SENT: set(),
    _S.SIGNED_OFF: set(),
}


def _complete(state: State, named: set[State]) -> frozenset[State]:
    """Adds the two rules for every state: a late success, and a dispute."""
    late = set() if state in (_S.PAID, _S.DISPUTED) else {_S.PAID_LATE}
    return frozenset((named | late | {_S.DISPUTED}) - {state})


TRANSITIONS: dict[State, frozenset[State]] = {
    state: _complete(state, named) for state, named in _NAMED.items()
}


class IllegalTransitionError(RuntimeError):
    """The flow tried a step that is not in the table: a bug of ours; nothing has changed."""


def check(before: State, after: State) -> None:
    """Raises IllegalTransitionError unless the table allows it."""
    if after not in TRANSITIONS[before]:
        raise IllegalTransitionError(f"{before} → {after}")
