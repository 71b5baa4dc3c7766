"""The six pictures in words and shares: each bar as long as its number says, each number in its table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pos_app.domain.figures import DayFigures, HourFigures
from pos_app.domain.money import AmountFormat
from pos_app.domain.paper import Fill
from pos_app.domain.takings import Tally
from pos_app.i18n.pictures import MOST_LISTED, Form, Picture, Pictures
from tests.support.day_figures import FIGURES
from tests.unit.ui.paper_cases import LANGUAGES


def made(figures: DayFigures = FIGURES, language: str = "en") -> dict[str, Picture]:
    """By their names."""
    return {each.name: each for each in Pictures(language).of(figures)}


def test_the_money_of_each_hour_and_that_of_a_week_ago_behind_it() -> None:
    shown = made()["takings"]
    assert shown.form is Form.COLUMNS
    assert shown.rows == (
        ("09:00", "LKR 1,000.00", "3", "LKR 2,000.00"),
        ("10:00", "LKR 0.00", "0", "LKR 0.00"),
        ("11:00", "LKR 25,400.50", "1", "LKR 0.00"),
    )
    assert [bar.said for bar in shown.bars] == ["1.0k", "", "25k"]
    assert shown.bars[2].marks == ((Fill.BEHIND, 0.0), (Fill.SOLID, 1.0))
    assert shown.bars[0].marks[0][1] == pytest.approx(2 * shown.bars[0].marks[1][1])
    assert shown.legend == ((Fill.SOLID, "this day"), (Fill.BEHIND, "14 Nov"))


@pytest.mark.parametrize(
    ("units", "code", "said"),
    [
        (250, "KWD", "0.250"),
        (9_999, "KWD", "9.999"),
        (12_750, "KWD", "13"),
        (700, "LKR", "7"),
        (3, "JPY", "3"),
    ],
)
def test_what_is_something_is_not_said_to_be_nothing(units: int, code: str, said: str) -> None:
    """A quarter of a dinar stood on its bar as 0."""
    hours = tuple(replace(each, taken=Tally(1, units)) for each in FIGURES.hours)
    assert {bar.said for bar in made(replace(FIGURES, hours=hours, currency=code))["takings"].bars} == {said}


def test_without_a_day_to_compare_with_nothing_is_compared() -> None:
    shown = made(replace(FIGURES, compared=""))["takings"]
    assert (shown.heads, shown.legend) == (("Hour", "Taken", "Payments"), ())
    assert [mark for bar in shown.bars for mark, _ in bar.marks] == [Fill.SOLID] * 3


def test_methods_are_parts_of_a_whole() -> None:
    """A small one is there and is no nothing; what is not all is not said to be all."""
    shown = made()["methods"]
    assert shown.form is Form.WHOLE
    assert [(bar.label, bar.said) for bar in shown.bars] == [("QR code", "99 %"), ("Phone", "1 %")]
    assert sum(share for bar in shown.bars for _, share in bar.marks) == pytest.approx(1)
    assert {fill for bar in shown.bars for fill, _ in bar.marks} == {Fill.SOLID, Fill.HATCHED}
    assert made(replace(FIGURES, methods=(("qr", Tally(1, 5)),)))["methods"].bars[0].said == "100 %"


def test_the_share_that_was_paid() -> None:
    """An hour in which nothing ended says nothing, and not 0."""
    assert made()["success"].rows == (
        ("09:00", "75 %", "3", "1"),
        ("10:00", "", "0", "0"),
        ("11:00", "100 %", "1", "0"),
    )


def test_how_long_it_took() -> None:
    """The longest is drawn first, so that the shorter ones are seen."""
    shown = made()["waiting"]
    assert shown.rows[0] == ("09:00", "8.4 s", "20 s", "1 min 20 s", "3")
    assert shown.rows[1] == ("10:00", "", "", "", "0")
    assert [fill for fill, _ in shown.bars[0].marks] == [Fill.OPEN, Fill.HATCHED, Fill.SOLID]
    shares = [share for _, share in shown.bars[0].marks]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1


def test_why_not_paid_the_most_frequent_first() -> None:
    """By reason, else by the service's code, else by state; what a later version wrote is said as it stands."""
    shown = made()["not_paid"]
    assert shown.rows == (
        ("The customer rejected the payment.", "4"),
        ("No wallet with this number.", "3"),
        ("Refused", "2"),
        ("Cancelled", "1"),
        ("LATER_STATE", "1"),
    )
    assert shown.bars[1].marks == ((Fill.SOLID, 0.75),)


def test_late_and_carried_over() -> None:
    assert made()["late"].rows == (
        ("Late, from Z 11", "LKR 12.50"),
        ("Sale 0170 · Not known yet · 14 min", "LKR 7.00"),
    )
    many = made(replace(FIGURES, carried=FIGURES.carried * 70))["late"]
    assert (len(many.rows), many.notes) == (MOST_LISTED, ("and 21 more",))


def test_amounts_are_written_as_the_shop_writes_them() -> None:
    shown = {each.name: each for each in Pictures("en", AmountFormat(",", ".")).of(FIGURES)}
    assert shown["takings"].rows[2][1] == "LKR 25.400,50"


def test_other_currencies_and_long_days_are_said() -> None:
    assert made(replace(FIGURES, others=2))["takings"].notes == (
        "2 payments in other currencies are not in these pictures.",
    )
    long = made(replace(FIGURES, hours=(HourFigures(hour="09"),)))["takings"]
    assert long.notes == ("The day was open for long: the hours of all its days are put together.",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bar_has_its_row_and_no_row_lacks_a_head(language: str) -> None:
    """In every language; without a day sold there is no bar at all."""
    for picture in made(language=language).values():
        assert len(picture.bars) == len(picture.rows)
        assert all(len(row) == len(picture.heads) for row in picture.rows)
        assert all(0 <= share <= 1 for bar in picture.bars for _, share in bar.marks)
    empty = DayFigures(number=0, business_date="x", currency="LKR", environment="live", began="", ended="")
    assert all(not picture.bars for picture in made(empty, language).values())
    assert "x" in Pictures(language).named(empty)
