"""What the window remembers of payments: all of it while they matter, nothing of them afterwards."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.ui.till.desk import Desk
from tests.ui.till_cases import attempt, change


def test_nothing_is_kept_of_payments_that_are_over() -> None:
    desk = Desk()
    for number in range(100):
        one = attempt(attempt_id=f"SBX-TK7M3Q9RD-{number:04}-1", sale_id=f"{number:04}")
        desk.take(change(one))
        desk.show(one.attempt_id)
        if number % 2:
            desk.put_aside(one.attempt_id)
            desk.leave()
        desk.take(change(attempt(attempt_id=one.attempt_id, sale_id=one.sale_id, state=State.PAID)))
        desk.leave()
    # The empty panel's own "" may stand among those that were left.
    assert sum(len(value) for value in vars(desk).values() if isinstance(value, set | dict)) <= 1
