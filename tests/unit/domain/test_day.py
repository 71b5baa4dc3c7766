"""The counter's day, pure: dates on odd nights, sums by currency, what a Z says of the one before it."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pos_app.domain.day import (
    Anchor,
    CheckedZ,
    Closing,
    Copies,
    Entry,
    Grand,
    Hour,
    Named,
    OlderZ,
    Opened,
    Period,
    Report,
    Unprinted,
    Z,
    anchor_in,
    anchor_text,
    business_date,
    content_of,
    currencies_of,
    digested,
    follows,
    grown,
    is_overdue,
    is_paper,
    is_set_back,
    overdue_in,
    own_part,
    text_of,
    totals,
    units_of,
    x_of,
    z_after,
    z_in,
    z_judged,
)
from pos_app.domain.receipt import Verdict
from pos_app.domain.takings import Tally, hour_of

FOUR = time(4)
ENTRIES = (
    Entry("FAILED", "qr", "p1", "LKR", 2, 2500),
    Entry("PAID", "push", "p2", "LKR", 1, 705),
    Entry("PAID", "qr", "p1", "LKR", 3, 3750),
    Entry("PAID", "qr", "p1", "USD", 1, 100),
    Entry("PAID?", "qr", "p1", "LKR", 1, 0),
    Entry("PAID_LATE", "qr", "p1", "LKR", 1, 1250),
)
PERIOD = Period(
    number=1, from_seq=1, to_seq=9, began_at=0, began="2026-03-01T08:00:00.000+05:30", entries=ENTRIES
)
CLOSING = Closing(
    environment="live",
    installation_id="7K3M9QRD",
    currency="LKR",
    ended_at=9_000,
    ended="2026-03-01T21:00:00.000+05:30",
)


def z_of(period: Period = PERIOD, **facts: object) -> Z:
    """Its digest stands for a real one."""
    z = z_after(period, CLOSING, "r", "p1", FOUR)
    return replace(z, **{"digest": "AB" * 16, **facts})


@pytest.mark.parametrize(
    ("wall", "cutoff", "date"),
    [
        ("2026-03-01T21:00:00.000+05:30", FOUR, "2026-03-01"),
        ("2026-03-02T03:59:59.999+05:30", FOUR, "2026-03-01"),
        ("2026-03-02T04:00:00.000+05:30", FOUR, "2026-03-02"),
        ("2026-03-02T00:00:00.000+05:30", time(0), "2026-03-02"),
        ("2026-01-01T01:00:00.000+00:00", FOUR, "2025-12-31"),
        # Two of three in the night on which the clocks go back, each with its own offset; and the night without one.
        ("2026-10-25T02:30:00.000+02:00", time(2, 45), "2026-10-24"),
        ("2026-10-25T02:30:00.000+01:00", time(2, 45), "2026-10-24"),
        ("2026-10-25T03:00:00.000+01:00", time(2, 45), "2026-10-25"),
        ("2026-03-29T03:00:00.000+02:00", time(2, 45), "2026-03-29"),
        ("2026-03-29T01:59:00.000+01:00", time(2, 45), "2026-03-28"),
    ],
)
def test_a_business_date_is_the_local_time_less_the_cut_off(wall: str, cutoff: time, date: str) -> None:
    """On days of 23 and of 25 hours as on any other."""
    assert business_date(wall, cutoff, "") == date


@given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)), st.dates(), st.integers(0, 719))
def test_a_date_never_goes_back_behind_the_one_before_it(
    wall: datetime, before: object, minutes: int
) -> None:
    """Whatever somebody sets the clock to."""
    cutoff = time(minutes // 60, minutes % 60)
    assert business_date(wall.isoformat(), cutoff, str(before)) >= str(before)


def test_a_z_closed_the_next_morning_is_of_the_day_that_sold() -> None:
    """An empty one is of the day on which it is closed."""
    late = replace(CLOSING, ended="2026-03-02T08:30:00.000+05:30")
    sold = replace(PERIOD, last_money="2026-03-01T20:00:00.000+05:30")
    assert z_after(sold, late, "r", "p1", FOUR).business_date == "2026-03-01"
    assert z_after(PERIOD, late, "r", "p1", FOUR).business_date == "2026-03-02"


def test_sums_are_of_one_currency_and_of_no_dispute() -> None:
    """What ended otherwise, and what no sum can hold, is counted."""
    sums = totals(ENTRIES, "LKR")
    assert (sums.paid, sums.paid_late, sums.taken) == (Tally(4, 4455), Tally(1, 1250), Tally(5, 5705))
    assert sums.by_kind == {"push": Tally(1, 705), "qr": Tally(4, 5000)}
    assert sums.ended == {"FAILED": 2, "PAID?": 1}
    assert totals(ENTRIES, "USD").taken == Tally(1, 100)
    assert totals(ENTRIES, "LKR", "p2").taken == Tally(1, 705)
    assert currencies_of(z_of()) == ("LKR", "USD")
    assert (text_of(5705, "LKR"), text_of(7, "JPY"), text_of(1, "KWD")) == ("57.05", "7", "0.001")


def test_grand_totals_grow_by_each_currency() -> None:
    """Corrections are a total of their own, so that what was taken never falls."""
    wrong = Named(1, "a", "", "DISPUTED", Decimal("12.50"), "LKR")
    odd = replace(wrong, amount=Decimal("0.005"))
    assert (units_of(wrong), units_of(odd)) == (1250, 0)
    period = replace(PERIOD, corrections=(wrong, odd))
    assert grown({"LKR": Grand(1, 2, 3)}, period) == {"LKR": Grand(5706, 2, 1253), "USD": Grand(100, 0, 0)}


def test_a_z_follows_the_one_before_it_or_it_is_told_why_not() -> None:
    """Number, range, digest and totals."""
    first = z_of()
    second = z_of(replace(PERIOD, number=2, from_seq=first.to_seq + 1, to_seq=20, previous=first))
    assert follows(first, None) == follows(second, first) == ""
    assert follows(second, None) == "it is not the first"
    assert "begin" in follows(replace(second, from_seq=3), first)
    assert "know" in follows(replace(second, previous="x"), first)
    assert "below" in follows(replace(second, grand={"LKR": Grand(1)}), first)
    assert "below" in follows(replace(second, grand={}), first)


def test_a_z_is_read_again_as_it_was_written() -> None:
    """Also by a program that knows more fields: what is not said is left out."""
    z = z_of(late_from=(Named(1, "a", "R", "PAID", Decimal("0.10"), "LKR"),), hours=(Hour("h", "LKR", 1, 2),))
    assert z_in(content_of(z)) == z
    assert digested(z) == digested(replace(z, digest="another"))
    assert digested(z) != digested(replace(z, by="p2"))
    assert "unreached_since" not in content_of(z)


def test_a_z_from_before_prints_were_named_keeps_its_digest() -> None:
    """What it was taken over then is what it is taken over now."""
    old = content_of(z_of())
    assert not {"copies", "unprinted", "unprinted_more"} & {*old}
    assert msgspec.json.encode({key: old[key] for key in old if key != "digest"}).decode() == digested(
        z_in(old)
    )
    told = z_of(replace(PERIOD, copies=(Copies("p2", 3),), unprinted_more=1))
    assert (z_in(content_of(told)), digested(told) == digested(z_of())) == (told, False)


def test_the_first_z_of_a_rebuilt_journal_names_the_old_ones_last() -> None:
    """Proven or not."""
    older = OlderZ(12, "AAAAAAAA", "CD" * 16, proven=False)
    z = z_of(replace(PERIOD, older=older))
    assert (z.number, z.older, z.previous) == (1, older, older.digest)


def test_a_cashier_sees_what_is_theirs() -> None:
    """Neither grand totals nor anybody else's payments."""
    asked = (Copies("p1", 1), Copies("p2", 2))
    open_ = (Unprinted("receipt", "a", "EXPIRED"),)
    own = own_part(z_of(replace(PERIOD, copies=asked, unprinted=open_, unprinted_more=4)), "p2")
    assert (own.copies, own.unprinted, own.unprinted_more) == ((Copies("p2", 2),), (), 0)
    assert own.entries == (ENTRIES[1],)
    assert (own.grand, own.corrections, own.receipts, own.acts, own.hours) == ({}, (), (), {}, ())
    whole: Report = x_of(PERIOD, CLOSING)
    assert whole.grand["LKR"].taken == 5705


def test_a_papers_code_is_that_of_one_z() -> None:
    """In the alphabet that codes on paper have."""
    text = anchor_text(z_of())
    assert text == f"T7K3M9QRD-Z1-57.05-{'AB' * 16}"
    assert anchor_text(z_of(environment="sandbox")) == f"SBX-{text}"
    assert anchor_in(f" sbx-{text.lower()} ") == Anchor("7K3M9QRD", 1, f"SBX-{text}")
    assert is_paper(text)
    others = ("", "Z", "Z1", f"Z1-57.05-{'AB' * 16}", text[:-1], text.replace("-Z1", "-Z0"), f"{text} X")
    assert [anchor_in(each) for each in others] == [None] * len(others)


def test_a_paper_says_whether_the_journal_is_still_its() -> None:
    """Ours, another of that number, older than the paper, another till's; with the date where there is one."""
    z = z_of()
    anchor = anchor_in(anchor_text(z))
    assert anchor is not None
    known = z_judged(anchor, z, z, is_proven=True, is_ours=True)
    assert known == CheckedZ(
        verdict=Verdict.OURS, number=1, of=z.business_date, last=1, last_of=z.business_date
    )
    assert known.is_ours
    other = replace(z, digest="cd" * 16)
    for here, proven in ((other, True), (z, False)):
        changed = z_judged(anchor, here, here, is_proven=proven, is_ours=True)
        assert (changed.verdict, changed.of) == (Verdict.CHANGED, z.business_date)
    older = z_judged(anchor, None, None, is_proven=False, is_ours=True)
    assert older == CheckedZ(verdict=Verdict.MISSING, number=1)
    foreign = z_judged(anchor, z, z, is_proven=True, is_ours=False)
    assert (foreign.verdict, foreign.of) == (Verdict.FOREIGN, "")


@pytest.mark.parametrize(
    ("first", "last", "now", "overdue"),
    [
        ("", "", "2026-03-09T12:00:00+05:30", False),
        ("2026-03-01T09+05:30", "2026-03-01T21+05:30", "2026-03-01T23:00:00+05:30", False),
        ("2026-03-01T09+05:30", "2026-03-01T21+05:30", "2026-03-02T03:59:00+05:30", False),
        ("2026-03-01T09+05:30", "2026-03-01T21+05:30", "2026-03-02T04:00:00+05:30", True),
        ("2026-03-01T09+05:30", "2026-03-02T10+05:30", "2026-03-02T10:30:00+05:30", False),
        ("2026-03-01T09+05:30", "2026-03-02T11+05:30", "2026-03-02T11:30:00+05:30", True),
    ],
)
def test_who_forgot_to_close_is_reminded(first: str, last: str, now: str, overdue: bool) -> None:
    """Of money of an earlier day, or of more than 26 hours of it."""
    assert is_overdue(Opened(first=first, last=last), datetime.fromisoformat(now), FOUR) is overdue


@pytest.mark.parametrize(
    ("first", "last", "now"),
    [
        ("2026-03-01T09+05:30", "2026-03-01T21+05:30", "2026-03-01T23:00:00+05:30"),
        ("2026-03-01T03+05:30", "2026-03-01T03+05:30", "2026-03-01T03:30:00+05:30"),
        ("2026-03-01T09+05:30", "2026-03-02T10+05:30", "2026-03-02T10:30:00+05:30"),
        # A night of 25 hours: the local cut-off comes an hour later than it seems.
        ("2026-10-24T09+02:00", "2026-10-24T21+02:00", "2026-10-25T02:30:00+02:00"),
    ],
)
def test_the_reminder_is_timed_to_the_moment_at_which_the_day_is_overdue(
    first: str, last: str, now: str
) -> None:
    opened, wall = Opened(first=first, last=last), datetime.fromisoformat(now)
    left = overdue_in(opened, wall, FOUR)
    assert left is not None
    assert not is_overdue(opened, wall + left - timedelta(seconds=1), FOUR)
    assert is_overdue(opened, wall + left, FOUR)


def test_nothing_is_timed_without_money_or_once_it_is_said() -> None:
    now = datetime.fromisoformat("2026-03-09T12:00:00+05:30")
    assert overdue_in(Opened(), now, FOUR) is None
    long_ago = Opened(first="2026-03-01T09+05:30", last="2026-03-01T21+05:30")
    assert overdue_in(long_ago, now, FOUR) is None


def test_the_end_of_summer_time_is_no_clock_set_back() -> None:
    """Nor is a second or two."""
    assert not is_set_back("2026-10-25T02:59:00+02:00", "2026-10-25T02:01:00+01:00")
    assert is_set_back("2026-10-25T02:59:00+02:00", "2026-10-25T02:01:00+02:00")
    assert not is_set_back("2026-03-01T10:00:30+05:30", "2026-03-01T10:00:00+05:30")
    assert not is_set_back("", "2026-03-01T10:00:00+05:30")
    assert not is_set_back("2026-03-01T10:00:00", "2026-03-01T09:00:00+05:30")


def test_an_hour_that_comes_twice_is_two() -> None:
    """By its offset; a wall that is no time has none."""
    assert hour_of("2026-10-25T02:30:00.000+02:00") == "2026-10-25T02+02:00"
    assert hour_of("2026-10-25T02:30:00.000+01:00") == "2026-10-25T02+01:00"
    assert hour_of("never") == ""
