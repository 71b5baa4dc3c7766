"""What the random shop found, each as the shortest story that showed it."""

from __future__ import annotations

from pos_app.domain.attempt import State
from tests.verification.fuzz.shop import Shop
from tests.verification.simulation.gateway import SUCCESS


def test_a_wish_before_the_journal_was_read_does_not_split_an_attempt() -> None:
    """The till came back on an unreadable disk that was then readable but full: what a wish had made of the payment
    in memory was overwritten by the journal, and a late payment (rule 8) was shown as if it were in time."""
    shop = Shop()
    shop.tap(2, again=False, qr=False)
    shop.wait(16_000)
    shop.act("push_clock", 2, 3_600_000)
    (attempt_id,) = shop.stage.gateway.ledger
    assert shop.customer(attempt_id, SUCCESS)
    till = shop.stage.tills[0]
    till.journal.unreadable = True
    till.die(30_000)
    shop.wait(32_000)
    till.journal.unreadable, till.journal.full = False, True
    shop.act("refund", 2)
    assert shop.wrong_in_the_end() == []
    (attempt,) = till.journal.attempts()
    assert attempt.state in (State.PAID, State.PAID_LATE)
