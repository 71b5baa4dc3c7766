"""What the window remembers of payments: all of it while they matter, nothing of them afterwards."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.ui.till.window.state import TillState
from tests.support.published import attempt, change


def test_nothing_is_kept_of_payments_that_are_over() -> None:
    till_state = TillState()
    for number in range(100):
        one = attempt(attempt_id=f"SBX-TK7M3Q9RD-{number:04}-1", sale_id=f"{number:04}")
        till_state.take(change(one))
        till_state.show(one.attempt_id)
        if number % 2:
            till_state.put_aside(one.attempt_id)
            till_state.leave()
        till_state.take(change(attempt(attempt_id=one.attempt_id, sale_id=one.sale_id, state=State.PAID)))
        till_state.leave()
    # The empty panel's own "" may stand among those that were left.
    assert sum(len(value) for value in vars(till_state).values() if isinstance(value, set | dict)) <= 1
