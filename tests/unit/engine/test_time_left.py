"""How long the till still waits for the customer is told with each picture, as far as it is known."""

from pos_app.domain.commands import Cancel
from pos_app.domain.views import AttemptChanged
from tests.unit.engine.rig import Rig


def left(rig: Rig) -> float | None:
    """As last told."""
    return rig.last(AttemptChanged).activity.gives_up_in_s


def test_the_time_left_is_told_while_a_customer_is_waited_for(rig: Rig) -> None:
    attempt_id = rig.charge()
    assert left(rig) == 300
    rig.initiated()
    rig.wait(3)
    rig.asked("Verification Success")
    assert left(rig) == 297
    rig.tell(Cancel(attempt_id, "person-1"))
    assert left(rig) is None


def test_more_time_is_told_when_the_customer_is_under_way(rig: Rig) -> None:
    rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Customer Approved")
    while not rig.last(AttemptChanged).activity.extended:
        rig.wait(5)
        if "ask" in rig.names():
            rig.asked("Customer Approved")
        assert rig.clock.ms < rig.attempt(rig.last(AttemptChanged).attempt.attempt_id).tapped_at + 310_000
    assert 110 < (left(rig) or 0) <= 120


def test_nothing_is_left_once_the_till_gave_up(rig: Rig) -> None:
    rig.charge()
    rig.initiated()
    rig.wait(301)
    assert left(rig) is None
