"""Payments are looked up newest first, in bounded pages, by whoever may see them."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, State
from pos_app.domain.search import PAGE, Cursor, FindPayments, Sought
from pos_app.domain.staff import Lock
from pos_app.domain.views import PaymentsFound, StaffProblem
from pos_app.engine.core import search
from pos_app.engine.core.journal_store import JournalStore
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import NUMBER, SITE, Rig
from tests.unit.engine.staff_steps import KAMALA, NIMALI, SIGNED, Staffed, three

DAY_S = 24 * 60 * 60


def asked(rig: Rig, before: Cursor | None = None, **sought: Any) -> PaymentsFound:
    """The answer to one wish; `earliest` beside what is sought."""
    earliest = sought.pop("earliest", "")
    rig.tell(FindPayments(request_id="f", sought=Sought(**sought), earliest=earliest, before=before))
    return rig.last(PaymentsFound)


def found(rig: Rig, **sought: Any) -> list[str]:
    """The ids of the first page."""
    return [each.attempt_id for each in asked(rig, **sought).found]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of three, five looked at for one wish."""
    monkeypatch.setattr(search, "PAGE", 3)
    monkeypatch.setattr(search, "_STEP", 2)
    monkeypatch.setattr(search, "SCANNED", 5)


def charge(rig: Rig, amount: int, **facts: Any) -> str:
    """A payment a minute later."""
    rig.clock.ms += 60_000
    return rig.charge(amount=Decimal(f"{amount}.00"), **facts)


def test_the_newest_comes_first_and_is_as_it_now_is(rig: Rig) -> None:
    first, second = rig.pay(), rig.pay(another_customer=True)
    assert found(rig) == [second, first]
    assert {each.state for each in asked(rig).found} == {State.PAID}
    assert asked(rig).more is None


def test_a_whole_number_is_found_by_its_digest(rig: Rig) -> None:
    mine = rig.charge(Kind.PUSH)
    charge(rig, 13)
    assert found(rig, text="0771234567", number=NUMBER) == [mine]
    assert found(rig, text="0771234568", number="+94771234568") == []


def test_an_earlier_day_is_told_only_when_it_is_asked_for(rig: Rig) -> None:
    yesterday = charge(rig, 1)
    rig.clock.ms += DAY_S * 1000
    today = f"{rig.clock.wall():%Y-%m-%d}"
    answer = asked(rig, earliest=today)
    assert (answer.found, answer.day_is_over) == ((), True)
    assert [each.attempt_id for each in asked(rig, answer.more).found] == [yesterday]
    newest = charge(rig, 2)
    answer = asked(rig, earliest=today)
    assert [each.attempt_id for each in answer.found] == [newest]
    assert answer.day_is_over
    assert [each.attempt_id for each in asked(rig, answer.more).found] == [yesterday]


@pytest.mark.usefixtures("small")
def test_page_by_page_each_is_told_once(rig: Rig) -> None:
    all_of_them = [charge(rig, number) for number in range(1, 10)]
    seen: list[str] = []
    before: Cursor | None = None
    for _ in range(9):
        answer = asked(rig, before)
        assert len(answer.found) <= 3
        seen += [each.attempt_id for each in answer.found]
        before = answer.more
        if before is None:
            break
    assert seen == all_of_them[::-1]


@pytest.mark.usefixtures("small")
def test_a_search_without_a_hit_goes_on_where_it_stopped(rig: Rig) -> None:
    sought = charge(rig, 777)
    for number in range(1, 9):
        charge(rig, number)
    first = asked(rig, text="777", amounts=("777",))
    assert first.found == ()
    assert first.more is not None
    second = asked(rig, first.more, text="777", amounts=("777",))
    assert [each.attempt_id for each in second.found] == [sought]


def test_a_cashier_sees_this_counter_s_payments_and_a_manager_all(journal: JournalStore) -> None:
    """The counter may have had another number before."""
    first = three(journal)
    before = charge(first.rig, 1, who=NIMALI)
    second = Staffed(journal, replace(SIGNED, counter_id=2))
    second.rig.clock.ms = first.rig.clock.ms
    second.by_sms(NIMALI)
    after = charge(second.rig, 2, who=NIMALI)
    assert found(second.rig) == [after, before]
    second.types(KAMALA)
    assert second.here == KAMALA
    assert found(second.rig) == [after]


def test_nobody_looks_from_behind_the_lock(memory: MemoryJournal) -> None:
    rig = Rig(memory, replace(SITE, sign_in_required=True)).start()
    assert asked(rig).problem is StaffProblem.NOT_SIGNED_IN
    rig.sign_in()
    assert asked(rig).problem is StaffProblem.NONE
    rig.tell(Lock())
    assert asked(rig).problem is StaffProblem.LOCKED


def test_a_journal_that_cannot_be_read_says_so(frail: Rig, memory: MemoryJournal) -> None:
    frail.charge()
    memory.unreadable = True
    answer = asked(frail)
    assert (answer.problem, answer.found) == (StaffProblem.CANNOT_READ, ())


def test_no_answer_holds_more_than_a_page(memory: MemoryJournal) -> None:
    rig = Rig(memory).start()
    for number in range(1, PAGE + 3):
        charge(rig, number)
    assert len(asked(rig).found) == PAGE
