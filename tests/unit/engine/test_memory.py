"""What has ended lives on in the journal alone: a till of many days keeps no more than what is open."""

from pos_app.domain.commands import Answer, CheckNow
from pos_app.domain.views import AttemptChanged, Terminal
from pos_app.engine.core.publisher import TIMES_S
from tests.support.memory_journal import MemoryJournal
from tests.unit.domain.flow.story import TIME_OUT
from tests.unit.engine.rig import AMOUNT, Rig


def finish(rig: Rig) -> None:
    """All rechecks pass."""
    for _ in range(5):
        rig.wait(1_000)
        while "ask" in rig.names():
            oldest = next(call[1] for call in rig.calls.made if call[0] == "ask")
            rig.asked(rig.attempt(oldest).service_status, oldest)


def test_ended_payments_leave_the_memory(frail: Rig) -> None:
    """After their last check."""
    frail.pay()
    finish(frail)
    first = frail.engine.sizes
    for _ in range(40):
        frail.pay()
        finish(frail)
    assert frail.engine.sizes == {**first, "recent": 5}
    assert first["lives"] == first["sales"] == first["bodies"] == first["wakes"] == 0


def test_what_waits_for_a_person_stays(frail: Rig) -> None:
    """And leaves when it is answered."""
    attempt_id = frail.charge()
    frail.initiated()
    frail.wait(3)
    frail.asked("Merchant Cancel")
    frail.wait(11)
    frail.asked("Payment Success")
    finish(frail)
    assert frail.engine.sizes["lives"] == 1
    frail.tell(Answer(attempt_id, "refund", "Nimali", "given back"))
    assert frail.engine.sizes["lives"] == 0


def test_what_ended_while_the_disk_was_full_leaves_afterwards(frail: Rig) -> None:
    """The journal has it then."""
    frail.pay()
    assert isinstance(frail.journal, MemoryJournal)
    frail.journal.full = True
    frail.wait(11)
    frail.asked("Merchant Initiated")
    finish(frail)
    assert frail.engine.sizes["lives"] == 1
    frail.journal.full = False
    frail.wait(1)
    assert frail.engine.sizes["lives"] == 0


def test_looking_at_an_old_payment_keeps_nothing(frail: Rig) -> None:
    """It is read, asked about, and let go."""
    attempt_id = frail.pay()
    finish(frail)
    frail.tell(CheckNow(attempt_id))
    assert frail.engine.sizes["lives"] == 1
    frail.asked("Payment Success")
    assert frail.engine.sizes["lives"] == 0


def test_a_picture_is_shown_only_when_it_differs(frail: Rig) -> None:
    """Where the line is well asking is no news, an answer that says something is, and times are every ten seconds."""
    frail.charge()
    frail.initiated()
    frail.wait(3)
    frail.asked("Merchant Initiated")
    before = len(frail.shown)
    for _ in range(3):
        frail.wait(2.5)
        frail.asked("Merchant Initiated")
    (picture,) = frail.shown[before:]
    assert isinstance(picture, AttemptChanged)
    assert picture.activity.elapsed_s >= TIMES_S
    frail.wait(2.5)
    frail.asked("Verification Success")
    changed, glance = frail.shown[before + 1 :]
    assert isinstance(changed, AttemptChanged)
    assert isinstance(glance, Terminal)
    assert glance.open[0].service_status == "Verification Success"


def test_in_trouble_each_ask_is_shown_and_when_the_next_is(frail: Rig) -> None:
    frail.charge()
    frail.initiated()
    frail.wait(3)
    frail.asked(TIME_OUT)
    before = len(frail.shown)
    frail.wait(4)
    frail.asked(TIME_OUT)
    seen = [each.activity for each in frail.shown[before:] if isinstance(each, AttemptChanged)]
    assert [each.asking for each in seen] == [True, False]
    assert [each.next_ask_in_s is None for each in seen] == [True, False]


def test_a_recheck_without_an_answer_keeps_trying_for_a_while(frail: Rig) -> None:
    """And then leaves."""
    frail.pay()
    for _ in range(60):
        frail.wait(60)
        while "ask" in frail.names():
            frail.asked(TIME_OUT)
    assert frail.engine.sizes["lives"] == 0
    assert frail.charge(amount=AMOUNT + 1)
