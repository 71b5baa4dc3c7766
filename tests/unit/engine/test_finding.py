"""Payments are looked up newest first, in bounded pages, by whoever may see them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, Resolution, State
from pos_app.domain.money import currency
from pos_app.domain.receipt import shown_number
from pos_app.domain.search import PAGE, Cursor, FindPayments, Only, Sought, SumPayments, is_taken
from pos_app.domain.staff import Lock
from pos_app.domain.views import PaymentsFound, PaymentsSummed, StaffProblem
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


def test_a_receipt_s_number_finds_its_payment(rig: Rig) -> None:
    """It is what a customer's paper says; all of it, or behind the till's own letters."""
    first, second = rig.pay(), rig.pay(another_customer=True)
    numbers = [shown_number(each) for each in asked(rig).found]
    assert all(numbers)
    for number, attempt_id in zip(numbers, (second, first), strict=True):
        assert found(rig, text=number) == [attempt_id]
        assert found(rig, text=number.rpartition("-")[2].lower()) == [attempt_id]
    assert found(rig, text="R000009") == []


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


def test_a_clock_that_was_wrong_for_one_sale_does_not_end_the_day(rig: Rig) -> None:
    """Set back a day and put right again: what was sold before it is of the day still, in the list and in its sum."""
    today = f"{rig.clock.wall():%Y-%m-%d}"
    before = [paid(rig, number) for number in (1, 2)]
    rig.clock.pushed = timedelta(days=-1)
    paid(rig, 4)
    rig.clock.pushed = timedelta()
    newest = paid(rig, 8)
    answer = asked(rig, earliest=today)
    assert [each.attempt_id for each in answer.found] == [newest, *reversed(before)]
    assert answer.day_is_over
    assert summed(rig, day=today) == (3, Decimal(11))


def test_a_sum_is_of_one_currency(rig: Rig) -> None:
    """What was taken in another one before the settings changed is no part of it."""
    today = f"{rig.clock.wall():%Y-%m-%d}"
    paid(rig, 4)
    again = Rig(rig.journal, config=replace(rig.config, currency=currency("USD")))
    again.clock.ms = rig.clock.ms
    again.start()
    paid(again, 8)
    assert summed(again, day=today) == (1, Decimal(8))


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


def summed(rig: Rig, **of: Any) -> tuple[int, Decimal]:
    """What the day has brought, piece by piece."""
    day = of.pop("day", f"{rig.clock.wall():%Y-%m-%d}")
    count, total = 0, Decimal(0)
    before: Cursor | None = None
    while True:
        rig.tell(SumPayments(request_id="s", day=day, before=before, **of))
        piece = rig.last(PaymentsSummed)
        assert not piece.problem
        count, total, before = count + piece.count, total + piece.total, piece.more
        if before is None:
            return count, total


def paid(rig: Rig, amount: int) -> str:
    """A payment a minute later, and its proof."""
    attempt_id = rig.charge(amount=Decimal(f"{amount}.00"), another_customer=True)
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", of=attempt_id)
    return attempt_id


@pytest.mark.usefixtures("small")
def test_a_day_s_sum_is_of_what_is_proven_and_of_that_day(rig: Rig) -> None:
    paid(rig, 1000)
    rig.clock.ms += DAY_S * 1000
    for amount in (1, 2, 3, 4, 5, 6, 7):
        paid(rig, amount)
        rig.clock.ms += 60_000
    charge(rig, 5000, another_customer=True)
    assert summed(rig) == (7, Decimal("28.00"))
    yesterday = f"{rig.clock.wall() - timedelta(days=1):%Y-%m-%d}"
    assert summed(rig, day=yesterday) == (1, Decimal("1000.00"))
    assert summed(rig, owner="somebody else") == (0, Decimal(0))


def test_paid_and_not_paid_are_told_apart_and_what_is_open_is_neither(rig: Rig) -> None:
    money = paid(rig, 1)
    rig.clock.ms += 60_000
    open_ = charge(rig, 2, another_customer=True)
    rig.tell(FindPayments(request_id="f", only=Only.PAID))
    assert [each.attempt_id for each in rig.last(PaymentsFound).found] == [money]
    rig.tell(FindPayments(request_id="f", only=Only.NOT_PAID))
    assert rig.last(PaymentsFound).found == ()
    assert open_ in found(rig)


def test_another_day_ends_where_the_next_one_begins(rig: Rig) -> None:
    yesterday = charge(rig, 1)
    day = f"{rig.clock.wall():%Y-%m-%d}"
    rig.clock.ms += DAY_S * 1000
    charge(rig, 2)
    rig.tell(FindPayments(request_id="f", earliest=day, latest=day))
    assert [each.attempt_id for each in rig.last(PaymentsFound).found] == [yesterday]


def test_what_was_given_back_is_not_summed(rig: Rig) -> None:
    attempt_id = paid(rig, 9)
    assert is_taken(rig.attempt(attempt_id))
    back = Resolution("refund", "Kamala", "Given back in cash", 5)
    assert not is_taken(replace(rig.attempt(attempt_id), state=State.PAID_LATE, resolution=back))
