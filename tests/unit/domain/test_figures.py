"""What the pictures of a day show, from a roll-up and the payments' own times."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Attempt, Kind, Reason, Resolution, State
from pos_app.domain.day import X, units_in
from pos_app.domain.figures import (
    QUANTILES,
    DayFigures,
    HourFigures,
    NotPaid,
    Waited,
    figures_of,
    success,
    waited,
    week_before,
)
from pos_app.domain.takings import Cell, Tally, hour_of
from tests.support.builders import attempt

DAY = "2026-03-02"


def hour(of_day: int, offset: str = "+05:30", day: str = DAY) -> str:
    """As the roll-up has it."""
    return f"{day}T{of_day:02d}{offset}"


def cell(at: str, column: str = "PAID", kind: str = "qr", currency: str = "LKR") -> Cell:
    """Of the open period."""
    return Cell(3, column, kind, "p1", currency, at)


def report() -> X:
    """The frame of it."""
    return X(
        number=3,
        environment="sandbox",
        installation_id="K7M3Q9RD",
        currency="LKR",
        from_seq=1,
        to_seq=9,
        began_at=0,
        began=f"{DAY}T08:00:00+05:30",
        ended_at=1,
        ended=f"{DAY}T21:00:00+05:30",
    )


def figures(
    takings: dict[Cell, Tally],
    waits: tuple[tuple[str, int], ...] = (),
    unpaid: tuple[Attempt, ...] = (),
    before: dict[Cell, Tally] | None = None,
) -> DayFigures:
    """Of that day."""
    return figures_of(report(), DAY, takings, waits, unpaid, before)


def test_an_hour_without_money_is_an_hour_too() -> None:
    """From the first to the last; what ended without money opens an hour as well."""
    shown = figures(
        {cell(hour(9)): Tally(2, 500), cell(hour(12), "FAILED"): Tally(1, 300), cell(hour(11)): Tally(1, 50)}
    )
    told = [(each.hour, each.taken.amount, each.not_paid, success(each)) for each in shown.hours]
    assert told == [("09", 500, 0, 1.0), ("10", 0, 0, None), ("11", 50, 0, 1.0), ("12", 0, 1, 0.0)]
    assert shown.number == 0


def test_nothing_was_sold() -> None:
    """No hour, no method, nobody who waited."""
    shown = figures({})
    assert (shown.hours, shown.methods, shown.waited, shown.not_paid) == ((), (), Waited(), ())


def test_the_night_the_clocks_go_back_has_two_hours_of_one_name() -> None:
    """Each has its own money; and the week before is beside one of them alone."""
    twice = {cell(hour(2, "+02:00")): Tally(1, 100), cell(hour(2, "+01:00")): Tally(1, 7)}
    shown = figures(twice, before={cell(hour(2, "+02:00", "2026-02-23")): Tally(1, 900)})
    assert [(each.hour, each.taken.amount, each.before.amount) for each in shown.hours] == [
        ("02", 100, 900),
        ("02", 7, 0),
    ]


def test_the_night_the_clocks_go_forward_lacks_an_hour() -> None:
    """It was never there."""
    shown = figures({cell(hour(1, "+01:00")): Tally(1, 1), cell(hour(3, "+02:00")): Tally(1, 1)})
    assert [each.hour for each in shown.hours] == ["01", "03"]


def test_a_day_that_nobody_closed_is_put_together_by_the_hour() -> None:
    """More than a day and a half would be more bars than anybody reads."""
    shown = figures(
        {
            cell(hour(10)): Tally(1, 5),
            cell(hour(10, day="2026-03-04")): Tally(1, 6),
            cell(hour(12)): Tally(1, 1),
        },
        waits=((hour(10), 1_000), (hour(10, day="2026-03-04"), 3_000)),
    )
    assert [(each.hour, each.wall, each.taken.amount) for each in shown.hours] == [
        ("10", "", 11),
        ("11", "", 0),
        ("12", "", 1),
    ]
    assert shown.hours[0].waited == Waited(2, (1_000, 3_000, 3_000))


def test_the_same_hours_of_a_week_ago_stand_beside_them() -> None:
    """Whatever method or person; other currencies are counted and not added."""
    before = {
        cell(hour(9, day="2026-02-23")): Tally(1, 200),
        cell(hour(9, day="2026-02-23"), kind="push"): Tally(2, 300),
        cell(hour(9, day="2026-02-23"), "FAILED"): Tally(1, 9_999),
        cell(hour(9, day="2026-02-23"), currency="USD"): Tally(1, 77),
    }
    shown = figures({cell(hour(9)): Tally(1, 1), cell(hour(9), currency="USD"): Tally(4, 50)}, before=before)
    assert (shown.compared, shown.hours[0].before, shown.others) == ("2026-02-23", Tally(3, 500), 4)
    assert figures({}).compared == ""


def test_methods_are_by_their_money_and_reasons_by_how_often() -> None:
    shown = figures(
        {
            cell(hour(9), kind="push"): Tally(1, 5),
            cell(hour(9)): Tally(9, 50),
            cell(hour(9), "PAID_LATE"): Tally(1, 2),
        },
        unpaid=(
            attempt(1, state=State.FAILED, reason=Reason.CUSTOMER_REJECTED),
            attempt(2, state=State.REFUSED, code="5005"),
            attempt(3, state=State.REFUSED, code="5005"),
            attempt(4, state=State.SIGNED_OFF, resolution=Resolution("paid", "Ruwan", "seen", 1)),
            attempt(5, state=State.SIGNED_OFF, resolution=Resolution("not_paid", "Ruwan", "asked", 1)),
        ),
    )
    assert shown.methods == (("qr", Tally(10, 52)), ("push", Tally(1, 5)))
    assert shown.not_paid == (
        NotPaid("REFUSED", "", "5005", 2),
        NotPaid("FAILED", "customer_rejected", "", 1),
        NotPaid("SIGNED_OFF", "", "", 1),
    )


def test_what_a_manager_signed_off_as_paid_is_not_counted_as_unpaid() -> None:
    shown = figures({cell(hour(9), "SIGNED_OFF(paid)"): Tally(1, 5), cell(hour(9)): Tally(1, 5)})
    assert success(shown.hours[0]) == 1.0


@pytest.mark.parametrize("bad", ["", "nonsense", "2026-03-02T09", "0001-01-01T00+23:59"])
def test_an_hour_that_nobody_can_read_has_no_bar(bad: str) -> None:
    """A table that was changed ends no till."""
    shown = figures({cell(bad): Tally(1, 5), cell(hour(9)): Tally(1, 7)}, waits=((bad, 100),))
    assert [(each.hour, each.taken.amount) for each in shown.hours] == [("09", 7)]


def test_a_week_before_a_date_and_before_none() -> None:
    assert (week_before("2026-03-02"), week_before("soon")) == ("2026-02-23", "")


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=300))
def test_each_quantile_is_a_time_that_somebody_waited(times: list[int]) -> None:
    """And so many of a hundred waited no longer."""
    found = waited(times)
    assert found.payments == len(times)
    for percent, ms in zip(QUANTILES, found.quantiles, strict=True):
        assert ms in times
        assert sum(each <= ms for each in times) * 100 >= percent * len(times)
        assert sum(each < ms for each in times) * 100 < percent * len(times)


@given(
    st.lists(
        st.tuples(st.integers(0, 35 * 60), st.integers(1, 10**9), st.sampled_from(["PAID", "PAID_LATE"])),
        max_size=40,
    )
)
def test_the_hours_add_up_to_the_methods(sold: list[tuple[int, int, str]]) -> None:
    """Whenever it was sold."""
    began = datetime.fromisoformat(f"{DAY}T08:00:00+05:30")
    takings: dict[Cell, Tally] = {}
    for minutes, amount, column in sold:
        at = cell(hour_of((began + timedelta(minutes=minutes)).isoformat()), column)
        takings[at] = takings.get(at, Tally()).plus(Tally(1, amount))
    shown = figures(takings)
    assert sum(each.taken.amount for each in shown.hours) == sum(amount for _, amount, _ in sold)
    assert sum(tally.amount for _, tally in shown.methods) == sum(amount for _, amount, _ in sold)
    walls = [each.wall for each in shown.hours]
    assert walls == sorted(set(walls))


def test_units_are_exact() -> None:
    assert units_in(1_234_567, "LKR") == Decimal("12345.67")
    assert units_in(5, "JPY") == Decimal(5)


def test_an_hour_alone() -> None:
    assert success(HourFigures(hour="09")) is None


def test_kinds_of_methods_are_the_till_s() -> None:
    """A roll-up of every method there is."""
    shown = figures({cell(hour(9), kind=kind.value): Tally(1, 1) for kind in Kind})
    assert {kind for kind, _ in shown.methods} == {kind.value for kind in Kind}
