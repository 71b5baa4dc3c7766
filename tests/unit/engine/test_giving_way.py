"""An earlier attempt that comes to money after all: the later one of its sale must not take it again."""

from pos_app.domain.attempt import State
from pos_app.domain.commands import CheckNow
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.domain.flow.story import NEVER_LEFT
from tests.unit.engine.rig import Rig


def _rejected_then_again(rig: Rig) -> tuple[str, str]:
    """A first attempt that the customer rejected, and the tap on the second, whose bytes have not left."""
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Customer Reject")
    rig.wait(0)
    return first, rig.charge(sale_id=rig.attempt(first).sale_id)


def test_what_has_not_left_stays_here_once_an_earlier_attempt_took_the_money(
    rig: Rig, journal: JournalStore
) -> None:
    """Found by seed 41023: between two tries to connect the earlier attempt turned out to be paid, or disputed."""
    first, second = _rejected_then_again(rig)
    rig.initiated(NEVER_LEFT)
    rig.tell(CheckNow(first))
    rig.asked("Payment Success", of=first)
    rig.wait(60)
    ended = journal.attempt(second)
    assert ended is not None
    assert ended.state is State.NOT_SENT
    assert "initiate" not in rig.names()
    assert [event.kind for event in journal.events_of(second)][-1] == "SUPERSEDED"


def test_after_a_kill_what_may_have_left_is_asked_about_before_it_gives_way(memory: MemoryJournal) -> None:
    """Found by seed 48295: the earlier attempt, taken up first, told the later one to stay where its bytes had gone."""
    rig = Rig(memory).start()
    first, second = _rejected_then_again(rig)
    rig.tell(CheckNow(first))
    rig.asked("Payment Success", of=first)
    told = next(place for place, each in enumerate(memory.records) if each.kind == "SUPERSEDED")
    del memory.records[told:]
    rig.restart()
    assert rig.attempt(first).state is State.PAID_LATE
    assert rig.attempt(second).state is State.IN_DOUBT
    assert ("ask", second) in [(each[0], each[1]) for each in rig.calls.made]
    rig.asked("Merchant Initiated", of=second)
    assert rig.take("cancel")[1] == second


def test_an_open_attempt_is_cancelled_when_an_earlier_one_took_the_money(
    rig: Rig, journal: JournalStore
) -> None:
    """The customer may have paid the photographed code of before: the newer one must not take it again."""
    first, second = _rejected_then_again(rig)
    rig.initiated()
    rig.tell(CheckNow(first))
    rig.asked("Payment Success", of=first)
    assert rig.take("cancel")[1] == second
    wished = journal.attempt(second)
    assert wished is not None
    assert wished.cancel_wish is not None
    assert wished.cancel_wish.who == "terminal"
    rig.restart()
    late = journal.attempt(first)
    assert late is not None
    assert late.state is State.PAID_LATE
