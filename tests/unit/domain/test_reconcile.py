"""Rows of the service's list beside our payments: each class of difference, and what is none."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from pos_app.domain import reconcile
from pos_app.domain.attempt import MONEY, OPEN, Environment, Resolution, State
from pos_app.domain.flow.statuses import KNOWN, PAYMENT_SUCCESS, UNPAID_ENDS
from pos_app.domain.reconcile import (
    Comparison,
    Difference,
    DifferenceKind,
    Fact,
    Marks,
    Ours,
    Progress,
    Run,
    Site,
    There,
    at_risk,
    compare,
    echoed,
    incomplete,
    ours_of,
    paid_twice,
    places_of,
    receipt_gap,
    reopens,
    runs_of,
)
from pos_app.domain.replies import ListedTransaction, NoAnswer, Refused, StatusReply, StatusReport
from pos_app.domain.replies import Why as Silence
from pos_app.domain.sale import Sale
from tests.support.builders import attempt as build_attempt

OWN, OLDER, OTHER = "T7K3M9QR", "AAAA2222", "BBBB2222"
AT = "2026-03-01 14:05:00"
SITE = Site(
    environment=Environment.LIVE,
    own=OWN,
    installations=frozenset({OWN, OLDER}),
    currency="LKR",
    counter_id=1,
    merchant_id="M-1",
)
RUN = Run(
    number=1,
    first="2026-03-01 00:00:00",
    last="2026-03-01 23:59:59",
    tapped_from=0,
    tapped_to=1_000,
    currency="LKR",
)
SIGNED = Resolution("paid", "Nimali", "seen", 1)


def ours(number: int = 1, state: State = State.PAID, **facts: Any) -> Ours:
    """The first attempt of a sale, of 12.50."""
    base = Ours(
        attempt_id=f"T{OWN}-{number:04d}-1-K7Q2M9",
        sale_id=f"{number:04d}",
        number=1,
        state=state,
        amount=Decimal("12.50"),
        currency="LKR",
        merchant_id="M-1",
        counter_id=1,
        transaction_date_time=AT,
        tapped_at=500,
        shown=True,
        wallet_transaction_id=f"0{number}",
    )
    return replace(base, **facts)


def row(external_id: str, status: str = PAYMENT_SUCCESS, **facts: Any) -> ListedTransaction:
    """As the service lists it."""
    base = ListedTransaction("W-9", external_id, AT, "+94771234567", Decimal("12.50"), status)
    return replace(base, **facts)


def listed(each: Ours, status: str = PAYMENT_SUCCESS, **facts: Any) -> ListedTransaction:
    """The row of one of ours."""
    return row(each.attempt_id, status, **{"wallet_transaction_id": each.wallet_transaction_id, **facts})


def report(each: Ours, status: str = PAYMENT_SUCCESS, amount: str = "12.50") -> StatusReport:
    """What an ask says."""
    return StatusReport(status, each.attempt_id, each.wallet_transaction_id, Decimal(amount))


def told(
    rows: list[ListedTransaction],
    payments: list[Ours],
    replies: dict[str, StatusReply] | None = None,
    after: dict[str, Ours] | None = None,
    *,
    whole: bool = True,
    comparison: Comparison | None = None,
) -> list[Difference]:
    """A whole run: rows, our payments, asks. `after`: what the asks made of a payment."""
    made = comparison or Comparison(RUN, SITE)
    known = {each.attempt_id: each for each in payments}
    for each in rows:
        made.take(each, known.get(each.external_id))
    for each_ours in payments:
        made.scan(each_ours)
    found = []
    for attempt_id in made.candidates:
        now = (after or {}).get(attempt_id, known[attempt_id])
        difference = made.settle(now, (replies or {}).get(attempt_id), whole=whole)
        found += [difference] if difference is not None else []
    return [*found, *made.rest()]


def kinds(found: list[Difference]) -> list[str]:
    """Their classes."""
    return [each.kind.value for each in found]


@given(st.sampled_from(sorted(State)), st.sampled_from(sorted(KNOWN)), st.booleans())
def test_what_is_equal_has_no_money_on_one_side_alone(state: State, status: str, signed: bool) -> None:
    """Whatever state meets whatever status: money there and none here is a difference, and the other way round."""
    own = ours(state=state, resolution=SIGNED if signed else None)
    found = compare(own, There(status, Decimal("12.50")))
    money_there, money_here = status == PAYMENT_SUCCESS, own.is_money
    if money_there == money_here and (money_here or state in OPEN or status in UNPAID_ENDS):
        assert found is None
    if money_there != money_here:
        expected = DifferenceKind.THERE_PAID if money_there else DifferenceKind.HERE_PAID
        assert found is expected
    if not money_here and not money_there and status not in UNPAID_ENDS:
        is_over = state not in OPEN | {State.UNRESOLVED, State.DISPUTED}
        assert found is (DifferenceKind.THERE_OPEN if is_over else None)


@given(st.sampled_from(sorted(KNOWN)), st.sampled_from([" ", "S", "\u0131", "\u200b"]))
def test_a_status_counts_by_its_exact_name(status: str, extra: str) -> None:
    """Case, spaces and look-alike letters make another one."""
    for wrong in (status + extra, status.upper(), status.lower()):
        assert compare(ours(), There(wrong, Decimal("12.50"))) is DifferenceKind.UNKNOWN_STATUS


@pytest.mark.parametrize(
    ("there", "kind"),
    [
        (There("", Decimal("12.50")), "unreadable"),
        (There(PAYMENT_SUCCESS, None), "unreadable"),
        (There(PAYMENT_SUCCESS, Decimal("12.51")), "amount"),
        (There("Merchant Cancel", Decimal("12.5")), "here_paid"),
    ],
)
def test_what_is_compared_first(there: There, kind: str) -> None:
    """What cannot be read, then the amount as a Decimal, then what it says."""
    assert compare(ours(), there) == kind


def test_amounts_are_exact_decimals() -> None:
    """12.5 is 12.50; a float of 0.1 + 0.2 never comes near."""
    assert compare(ours(), There(PAYMENT_SUCCESS, Decimal("12.500"))) is None
    assert (
        compare(ours(amount=Decimal("0.30")), There(PAYMENT_SUCCESS, Decimal(0.1 + 0.2)))
        is DifferenceKind.AMOUNT
    )


@pytest.mark.parametrize(("first", "second"), [("0123", "123"), ("0", "000"), ("T1-A", "T1-A")])
def test_a_number_echo_is_the_same_id(first: str, second: str) -> None:
    """Samples of the service do both."""
    assert echoed(first) == echoed(second)


def test_letters_and_points_are_no_numbers() -> None:
    """Nothing else is made equal."""
    assert len({echoed(each) for each in ("012A", "12A", "1.0", "1", "\u06601", "")}) == 6


def test_a_day_that_is_equal_has_no_difference() -> None:
    """Every row is counted once, however often it comes."""
    payments = [ours(1), ours(2, State.CANCELLED), ours(3, State.NOT_SENT, shown=False)]
    made = Comparison(RUN, SITE)
    rows = [listed(payments[0]), listed(payments[1], "Merchant Cancel"), listed(payments[0])]
    assert told(rows, payments, comparison=made) == []
    assert (made.rows, made.equal, made.missing, made.candidates) == (2, 2, {}, ())


def test_a_row_that_turns_to_money_while_the_list_is_read() -> None:
    """Several answers show it: what the first of them said is not the last word."""
    own, open_one = ours(1, State.FAILED), ours(2, State.FAILED)
    made = Comparison(RUN, SITE)
    made.take(listed(own, "Customer Reject"), own)
    made.take(listed(open_one, "Merchant Initiated"), open_one)
    assert (made.equal, made.candidates) == (1, (open_one.attempt_id,))
    for _ in range(2):
        made.take(listed(own), own)
        made.take(listed(open_one), open_one)
    assert (made.rows, made.equal) == (2, 0)
    late = {each.attempt_id: replace(each, state=State.PAID_LATE) for each in (own, open_one)}
    replies: dict[str, StatusReply] = {each.attempt_id: report(each) for each in (own, open_one)}
    assert told([], [own, open_one], replies, late, comparison=made) == []
    assert (made.rows, made.equal) == (2, 2)
    made.take(listed(own), own)
    assert made.equal == 2


def test_every_candidate_is_asked_and_what_the_ask_settles_is_none() -> None:
    """there_paid: PAID_LATE after the ask. Rule 10: the list alone settles nothing."""
    own = ours(1, State.CANCELLED)
    made = Comparison(RUN, SITE)
    found = told(
        [listed(own)],
        [own],
        {own.attempt_id: report(own)},
        {own.attempt_id: replace(own, state=State.PAID_LATE)},
        comparison=made,
    )
    assert found == []
    assert (made.rows, made.equal) == (1, 1)


@pytest.mark.parametrize("said", ["Merchant Initiated", "Customer Approved", "Payment Fail"])
@pytest.mark.parametrize("state", [State.DISPUTED, State.WAITING, State.CANCELLED])
def test_money_that_the_list_shows_and_the_word_by_the_id_denies_is_a_difference(
    state: State, said: str
) -> None:
    """Found by seed 5221: an old answer by the id made the day equal, and the payment was paid all the same."""
    own = ours(1, state)
    (found,) = told([listed(own)], [own], {own.attempt_id: report(own, said)})
    assert (found.kind.value, found.there_status) == ("there_paid", PAYMENT_SUCCESS)
    assert (found.here_state, found.at_risk, found.asked) == (state.value, own.amount, True)


def test_here_paid_and_not_there() -> None:
    """In the list it failed, and by its id too."""
    own = ours()
    [found] = told([listed(own, "Payment Fail")], [own], {own.attempt_id: report(own, "Payment Fail")})
    assert (found.kind, found.at_risk, found.asked) == ("here_paid", Decimal("12.50"), True)
    assert (found.here_state, found.there_status, found.key) == (
        "PAID",
        "Payment Fail",
        f"here_paid {own.attempt_id}",
    )


def test_here_paid_and_not_in_the_list() -> None:
    """5009 says the same by the id; where nothing was said, it counts only if the list was whole."""
    own = ours()
    made = Comparison(RUN, SITE)
    [found] = told([], [own], {own.attempt_id: Refused("5009")}, comparison=made)
    assert (found.kind, found.there_status, found.asked, made.missing) == ("here_paid", "5009", True, {})
    silent: dict[str, StatusReply] = {own.attempt_id: NoAnswer(Silence.TIME_OUT, sent=True)}
    [found] = told([], [own], silent)
    assert (found.kind, found.asked) == ("here_paid", False)
    assert told([], [own], silent, whole=False) == []
    assert kinds(told([], [own], {own.attempt_id: Refused("5009")}, whole=False)) == ["here_paid"]


def test_the_service_knows_it_by_its_id_and_its_list_does_not() -> None:
    """Then it is its list that is not whole, and that is for the run to say."""
    own, ended, never = ours(1), ours(2, State.CANCELLED), ours(3, State.REFUSED, shown=False)
    made = Comparison(RUN, SITE)
    replies: dict[str, StatusReply] = {
        own.attempt_id: report(own),
        ended.attempt_id: report(ended, "Merchant Cancel"),
    }
    assert told([], [own, ended, never], replies, comparison=made) == []
    assert set(made.missing) == {own.attempt_id, ended.attempt_id}


@pytest.mark.parametrize("facts", [{"counter_id": 2}, {"merchant_id": "M-2"}, {"origin": "https://other"}])
def test_what_this_list_is_not_asked_for_is_not_missing_in_it(facts: dict[str, Any]) -> None:
    """It is asked about by its id all the same."""
    own = ours(**facts)
    made = Comparison(RUN, SITE)
    made.scan(own)
    assert (made.candidates, made.missing) == ((own.attempt_id,), {})


def test_a_second_look_finds_it() -> None:
    """A list that lags behind: it is no candidate any more."""
    own, other = ours(1), ours(2)
    made = Comparison(RUN, SITE)
    for each in (own, other):
        made.scan(each)
    assert set(made.missing) == {own.attempt_id, other.attempt_id}
    made.take(listed(own), own)
    made.take(listed(other, "Payment Fail"), other)
    assert (made.missing, made.candidates) == ({}, (other.attempt_id,))


def test_there_open_may_still_take_money() -> None:
    """Ended here, alive there, and still so by its id."""
    own = ours(1, State.FAILED)
    [found] = told(
        [listed(own, "Merchant Initiated")], [own], {own.attempt_id: report(own, "Merchant Initiated")}
    )
    assert (found.kind, found.at_risk) == ("there_open", Decimal("12.50"))


def test_another_amount_is_at_risk_by_its_difference() -> None:
    """Nothing of it where no money is on either side."""
    own = ours(1, State.DISPUTED)
    [found] = told(
        [listed(own, amount=Decimal("12.00"))], [own], {own.attempt_id: report(own, amount="12.00")}
    )
    assert (found.kind, found.at_risk, found.there_amount) == ("amount", Decimal("0.50"), Decimal("12.00"))
    ended = ours(1, State.CANCELLED)
    assert at_risk(DifferenceKind.AMOUNT, ended, There("Payment Fail", Decimal(1))) == 0
    assert at_risk(DifferenceKind.AMOUNT, own, There()) is None
    assert at_risk(DifferenceKind.UNREADABLE, own, There("x")) == Decimal("12.50")
    assert at_risk(DifferenceKind.THERE_OPEN, own, There("x")) == Decimal("12.50")


def test_an_unknown_status_and_what_cannot_be_read_are_asked_about() -> None:
    """What remains is told with its text, redacted."""
    own, other = ours(1), ours(2)
    rows = [listed(own, "Payment success"), listed(other, amount=None)]
    found = told(rows, [own, other], {own.attempt_id: report(own, "pay to +94771234567")})
    assert kinds(found) == ["unknown_status", "unreadable"]
    assert "1234" not in found[0].there_status
    assert [each.asked for each in found] == [True, False]


def test_our_id_that_we_do_not_know() -> None:
    """Of this installation it is told at once: another copy is selling (rule 20). Of an older one it is listed."""
    made = Comparison(RUN, SITE)
    own, older = f"T{OWN}-0007-1-K7Q2M9", f"T{OLDER}-0008-1-K7Q2M9"
    assert made.take(row(own, transaction_date_time="2026-01-01 00:00:00"), None)
    assert made.take(row(own), None)
    assert not made.take(row(older), None)
    assert not made.take(row(f"T{OLDER}-0009-1-K7Q2M9", transaction_date_time="2026-01-01 00:00:00"), None)
    found = [*made.rest()]
    assert [(each.kind, each.subject, each.at_risk) for each in found] == [
        ("there_unknown", own, Decimal("12.50")),
        ("there_unknown", older, Decimal("12.50")),
    ]
    assert made.rows == 2


def test_another_till_at_this_counter_is_listed_and_not_ours() -> None:
    """One line for all of it, and no money of ours at risk."""
    rows = [row(f"T{OTHER}-{number:04d}-1-K7Q2M9") for number in (1, 2, 3, 3)]
    rows += [row(f"T{OTHER}-0004-1-K7Q2M9", "Payment Fail"), row(f"T{OTHER}-0005-1-K7Q2M9", amount=None)]
    [found] = told(rows, [])
    assert (found.kind, found.subject, found.count) == ("other_till", OTHER, 5)
    assert (found.there_amount, found.at_risk, found.attempt_id) == (Decimal("37.50"), Decimal(0), "")


def test_an_id_that_no_till_makes() -> None:
    """Money taken under this counter without a till; a sale that it looks like is a hint, and never a match."""
    private = row("0123", wallet_transaction_id="W-1")
    again = row("123", wallet_transaction_id="W-1")
    failed = row("my-own", "Payment Fail", wallet_transaction_id="W-2")
    sandbox = row(f"SBX-T{OWN}-0001-1-K7Q2M9", wallet_transaction_id="W-3", amount=Decimal("3.00"))
    own = ours(5, State.CANCELLED, shown=False)
    found = told([private, again, failed, sandbox], [own, ours(6, State.CANCELLED, shown=False)])
    assert [(each.kind, each.subject, each.at_risk, each.looks_like) for each in found] == [
        ("foreign", "W-1", Decimal("12.50"), "0005"),
        ("foreign", "W-3", Decimal("3.00"), ""),
    ]


@pytest.mark.parametrize(
    ("facts", "near"),
    [({"transaction_date_time": "2026-03-01 14:09:00"}, ""), ({"transaction_date_time": "?"}, "")],
)
def test_what_is_far_away_looks_like_nothing(facts: dict[str, Any], near: str) -> None:
    """Or has no time."""
    [found] = told([row("x")], [ours(5, State.CANCELLED, shown=False, **facts)])
    assert found.looks_like == near


def test_strangers_outside_of_the_range_are_of_another_run() -> None:
    """A day more is asked for at both ends."""
    outside = "2026-02-28 23:59:59"
    rows = [
        row("x", transaction_date_time=outside),
        row(f"T{OTHER}-0001-1-K7Q2M9", transaction_date_time=outside),
    ]
    assert told(rows, []) == []


def test_strangers_that_cannot_be_read() -> None:
    """Without an id, an amount, a status or a time; a foreign id may be a customer's number."""
    rows = [
        row("", wallet_transaction_id=""),
        row("", wallet_transaction_id="", status=""),
        row("a", amount=None, wallet_transaction_id=""),
        row("b", transaction_date_time="soon", wallet_transaction_id=""),
        row("+94771234567", "Payed", wallet_transaction_id=""),
        row("+94 77 123 4567", wallet_transaction_id=""),
    ]
    found = told(rows, [])
    assert kinds(found) == ["unreadable"] * 4 + ["unknown_status", "foreign"]
    assert "1234" not in msgspec.json.encode(found).decode()


def test_our_wallet_id_under_another_id() -> None:
    """As number or text; the payment is asked about by its own id, and stays a difference."""
    own = ours(7)
    made = Comparison(RUN, SITE)
    found = told(
        [row("x-1", wallet_transaction_id="7")], [own], {own.attempt_id: report(own)}, comparison=made
    )
    assert [(each.kind, each.subject, each.excerpt, each.asked) for each in found] == [
        ("other_id", own.attempt_id, "x-1", True)
    ]


def test_a_row_without_an_external_id_is_matched_by_its_wallet_id() -> None:
    """It is the payment's own row."""
    own = ours(7)
    made = Comparison(RUN, SITE)
    assert told([row("", wallet_transaction_id="7")], [own], comparison=made) == []
    assert (made.rows, made.equal, made.missing) == (1, 1, {})


def test_two_successes_of_one_sale() -> None:
    """The smaller is at risk; nothing once a manager has signed that it was given back."""
    first = ours(1)
    second = replace(first, attempt_id="second", number=2, amount=Decimal("12.00"))
    made = Comparison(RUN, SITE)
    told(
        [listed(first), listed(second, amount=Decimal("12.00"))],
        [first, second, ours(2)],
        comparison=made,
        whole=False,
    )
    assert made.sales_paid_twice == ["0001"]
    sale = Sale(
        sale_id="0001",
        amount=Decimal("12.50"),
        currency="LKR",
        counter_id=1,
        owner="p",
        opened_at=1,
        overpaid=True,
    )
    found = paid_twice(sale, [first, second, ours(1, State.CANCELLED)])
    assert found is not None
    assert (found.kind, found.subject, found.at_risk, found.count) == (
        "paid_twice",
        "0001",
        Decimal("12.00"),
        2,
    )
    assert paid_twice(replace(sale, refund=SIGNED), [first, second]) is None
    assert paid_twice(sale, [first]) is None


def test_payments_of_another_range_are_left_to_another_run() -> None:
    """Neither counted nor asked about."""
    own = ours(1, State.CANCELLED, tapped_at=2_000)
    made = Comparison(RUN, SITE)
    assert not made.take(listed(own), own)
    assert (made.rows, made.candidates) == (0, ())


def test_what_is_beyond_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is this our merchant at all?"""
    monkeypatch.setattr(reconcile, "MOST_KEPT", 2)
    monkeypatch.setattr(reconcile, "MOST_TILLS", 1)
    made = Comparison(RUN, SITE)
    for number in range(4):
        made.take(row("", wallet_transaction_id=f"W{number}"), None)
        made.take(row(f"T{OLDER}-000{number}-1-K7Q2M9"), None)
    assert made.more == 6
    for number in range(4):
        own = ours(number, State.CANCELLED)
        made.take(listed(own), own)
    assert (len(made.candidates), made.more) == (2, 8)
    for installation in (OTHER, "CCCCCCCC"):
        made.take(row(f"T{installation}-0001-1-K7Q2M9"), None)
    assert made.more == 9


def test_it_goes_on_after_a_crash() -> None:
    """Whatever was met before is known again, and what was settled is not asked about twice."""
    payments = [ours(number) for number in range(1, 7)]
    rows = [
        *map(listed, payments[:3]),
        listed(payments[3], "Payment Fail"),
        listed(payments[4], "Payment Fail"),
    ]
    rows += [row("x"), row(f"T{OLDER}-0008-1-K7Q2M9"), row(f"T{OTHER}-0001-1-K7Q2M9")]
    whole = Comparison(RUN, SITE)
    expected = told(rows, payments, comparison=whole)
    first, again = Comparison(RUN, SITE), Comparison(RUN, SITE)
    known = {each.attempt_id: each for each in payments}
    for each in rows:
        first.take(each, known.get(each.external_id))
        again.resume(msgspec.json.decode(msgspec.json.encode(first.progress()), type=Progress))
    first.settle(payments[3], None, whole=True)
    again.resume(first.progress())
    assert again.candidates == (payments[4].attempt_id,)
    found = told([], payments, comparison=again)
    left = [each for each in expected if each.attempt_id != payments[3].attempt_id]
    assert found == left
    assert (again.rows, again.equal, again.more) == (whole.rows, whole.equal, whole.more)
    assert again.settle(payments[3], None, whole=True) is None


def nth_of(sale: int, nth: int) -> Ours:
    """A later attempt of a sale."""
    return replace(ours(sale), number=nth, attempt_id=f"T{OWN}-{sale:04d}-{nth}-K7Q2M9")


def fact(each: Ours) -> Fact:
    """What its columns say."""
    return each.attempt_id, each.place, str(each.amount), each.tapped_at, each.state.value


STATUSES = (*sorted(KNOWN), "Something New", "")
AMOUNTS = (Decimal("12.50"), Decimal("12.5"), Decimal("12.51"), None)


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(State)), st.integers(1, 3), st.sampled_from([500, 500, 500, 1_001])),
        min_size=1,
        max_size=6,
    ),
    st.lists(
        st.tuples(
            st.integers(-1, 5), st.sampled_from((PAYMENT_SUCCESS, *STATUSES)), st.sampled_from(AMOUNTS)
        ),
        max_size=12,
    ),
    st.integers(1, 12),
    st.integers(0, 12),
)
@example(
    made=[(State.CANCELLED, 1, 500)],
    shown=[(0, "Customer Approved", Decimal("12.50")), (0, "Customer Reject", Decimal("12.50"))],
    together=2,
    asked_before=0,
)
def test_what_is_taken_quickly_is_taken_as_each_row_by_itself(
    made: list[tuple[State, int, int]],
    shown: list[tuple[int, str, Decimal | None]],
    together: int,
    asked_before: int,
) -> None:
    """Whatever the states, the statuses and the amounts, a row in several answers, asks in between."""
    payments = [
        replace(nth_of(at // 3 + 1, nth), state=state, tapped_at=tapped)
        for at, (state, nth, tapped) in enumerate(made)
    ]
    payments = list({each.attempt_id: each for each in payments}.values())
    known = {each.attempt_id: each for each in payments}
    rows = [
        listed(payments[which % len(payments)], status, amount=amount)
        if which >= 0
        else row("x-1", status, amount=amount)
        for which, status, amount in shown
    ]
    slow, quick = Comparison(RUN, SITE), Comparison(RUN, SITE)
    for first in range(0, len(rows), together):
        page = rows[first : first + together]
        for each in page:
            slow.take(each, known.get(each.external_id))
        facts = {
            each.attempt_id: fact(each) for each in payments if each.state is not State.SIGNED_OFF or first
        }
        for each in quick.take_equal(page, facts):
            quick.take(each, known.get(each.external_id))
        if first <= asked_before:
            for attempt_id in slow.candidates:
                replies = report(known[attempt_id])
                assert slow.settle(known[attempt_id], replies, whole=True) == quick.settle(
                    known[attempt_id], replies, whole=True
                )
        assert (quick.rows, quick.equal, quick.more) == (slow.rows, slow.equal, slow.more)
        assert set(quick.candidates) == set(slow.candidates)
        told_by_slow, told_by_quick = slow.progress(), quick.progress()
        assert told_by_quick.seen == told_by_slow.seen
        assert told_by_quick.paid == told_by_slow.paid
    in_range = [each for each in sorted(payments, key=lambda each: each.place) if each.tapped_at <= 1_000]
    for one in in_range:
        slow.scan(one)
    wanted = quick.to_scan([each.place for each in in_range])
    for one in in_range:
        if one.place in wanted:
            quick.scan(one)
    assert quick.sales_paid_twice == slow.sales_paid_twice
    assert set(quick.candidates) == set(slow.candidates)
    assert quick.missing == slow.missing
    assert list(quick.rest()) == list(slow.rest())


@pytest.mark.parametrize("quick", [True, False])
def test_a_run_of_dates_is_about_the_payments_that_have_them(*, quick: bool) -> None:
    """Whatever till time says; a row of ours in them is never passed over, nor is one taken that has another."""
    far, other = ours(1, tapped_at=99_000), ours(2, transaction_date_time="2026-03-02 00:00:00")
    made = Comparison(replace(RUN, by_date=True), SITE)
    rows = [listed(far), listed(other, transaction_date_time=other.transaction_date_time)]
    known = {each.attempt_id: each for each in (far, other)}
    if quick:
        rows = made.take_equal(rows, {each: fact(known[each]) for each in known})
    for each in rows:
        made.take(each, known[each.external_id])
    assert (made.rows, made.equal) == (1, 1)
    missing, elsewhere = ours(3, tapped_at=99_000), ours(4, transaction_date_time="2026-02-28 23:59:59")
    for each_ours in (far, other, missing, elsewhere):
        made.scan(each_ours)
    assert list(made.missing) == list(made.candidates) == [missing.attempt_id]


def test_a_sale_paid_twice_is_told_of_its_second_attempt() -> None:
    """Also where they were tapped apart, and one of them is a third."""
    payments = [ours(1), ours(2), nth_of(1, 2), nth_of(1, 3)]
    for one, other, twice in ((0, 2, True), (2, 3, True), (0, 1, False), (1, 3, False)):
        made = Comparison(RUN, SITE)
        taken = [payments[one], payments[other]]
        assert made.take_equal(map(listed, taken), {each.attempt_id: fact(each) for each in taken}) == []
        for each in payments:
            if each.place in made.to_scan([each.place for each in payments]):
                made.scan(each)
        assert list(made.sales_paid_twice) == (["0001"] if twice else [])


@given(
    st.lists(st.tuples(st.integers(1, 40_000), st.integers(1, 3)), max_size=60),
    st.lists(st.tuples(st.integers(1, 40_000), st.integers(1, 3)), max_size=60),
)
def test_many_places_are_marked_as_each_by_itself(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    """Neighbours or not, twice or once."""
    one, many = Marks(), Marks()
    for some in (first, second):
        places = [sale * 10_000 + number for sale, number in some]
        places += [place + 10_000 for place in places]
        assert many.without(places) == [place for place in places if place not in one]
        assert many.add_all(places) == [place for place in places if one.add(place)]
        assert many.without(places) == []


@given(st.sets(st.tuples(st.integers(1, 40_000), st.integers(1, 3)), max_size=60))
def test_places_are_written_in_few_words(sales: set[tuple[int, int]]) -> None:
    """And read back as they were."""
    places = {sale * 10_000 + number for sale, number in sales}
    assert set(places_of(runs_of(places))) == places
    marks = Marks()
    assert all(marks.add(place) for place in places)
    assert not any(marks.add(place) for place in places)
    assert all(place in marks for place in places)
    assert 50_000 * 10_000 + 1 not in marks


def test_a_row_of_sales_is_one_pair() -> None:
    """100,000 of them, too; and the bits of them are few."""
    assert runs_of(sale * 10_000 + 1 for sale in range(1, 100_001)) == [[10_001, 100_000]]
    marks = Marks(most=1)
    assert marks.add(10_001)
    assert not marks.add(90_000 * 10_000 + 1)  # a forger's sale, far off


def test_a_decision_holds_as_long_as_its_facts() -> None:
    """Who it is about, what both say, how much is at risk. Whether it was asked is none of that."""
    before = Difference(
        kind=DifferenceKind.FOREIGN, subject="W-1", there_amount=Decimal(1), at_risk=Decimal(1)
    )
    assert not reopens(before, replace(before, asked=True, looks_like="0001"))
    for facts in ({"there_amount": Decimal(2)}, {"subject": "W-2"}, {"count": 2}, {"there_status": "x"}):
        assert reopens(before, replace(before, **facts))


def test_what_is_not_whole_and_what_is_missing_of_our_own() -> None:
    """Nobody can say what is at risk there."""
    gap = receipt_gap(OWN, [3, 4], 2, AT)
    unread = incomplete("2026-03-01 14:00:00", "one_second_is_full", AT, "LKR")
    assert (gap.excerpt, gap.key) == ("R000003, R000004", f"receipt_gap {OWN}")
    assert not reopens(gap, receipt_gap(OWN, [3, 4], 2, "2026-03-02 09:00:00"))
    assert reopens(gap, receipt_gap(OWN, [8, 9], 2, AT)), "what was signed for were other receipts"
    assert (gap.at_risk, unread.at_risk) == (None, None)


def test_a_run_says_what_it_came_to() -> None:
    """What is another till's is none of our differences."""
    run = replace(RUN, ended=True, differences={"other_till": 1, "foreign": 2, "incomplete": 1}, more=3)
    assert run.own_differences == 5
    assert run.read_nothing
    assert not replace(run, rows=1).read_nothing


def test_a_payment_in_memory_is_read_as_one_of_the_journals() -> None:
    """The rest of it is left out."""
    attempt = build_attempt(state=State.PAID)
    own = ours_of(attempt)
    assert own == msgspec.json.decode(msgspec.json.encode(attempt), type=Ours)
    assert own.is_money is (attempt.state in MONEY)
    assert own.place == int(attempt.sale_id) * 10_000 + attempt.number


def test_a_number_echo_that_is_not_known_again_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: 0123 is not "0123". Then our own wallet id is a stranger's."""
    monkeypatch.setattr(reconcile, "echoed", lambda text: text)
    own = ours(7)
    found = told([row("x-1", wallet_transaction_id="7")], [own], {own.attempt_id: report(own)})
    assert kinds(found) == ["foreign"]
