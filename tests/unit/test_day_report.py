"""What the command line tells of a day: all that its paper says."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pos_app.cli.day_report import lines_of, object_of
from pos_app.domain.day import Hour, Named, OlderZ
from tests.support import receipts


def said(**changed: object) -> str:
    return "\n".join(lines_of(receipts.z(**changed)))


def test_what_is_in_dispute_or_was_not_asked_about_stands_in_the_lines() -> None:
    """On paper both were told; a script's report left them out."""
    told = said(not_asked=3)
    assert "in dispute, in no sum  [SBX-T7K3M9QRD-0160-2-K7Q2M2]" in told
    assert "ended payments that were not asked about again: 3" in told
    assert object_of(receipts.z(not_asked=3))["not_asked"] == 3
    assert "asked about again" not in said(not_asked=0)


def test_what_is_of_a_journal_before_this_one_is_of_no_z() -> None:
    """It was told as of Z 0, which is none."""
    earlier = Named(0, "a", "", "PAID", Decimal("7.00"), "LKR")
    told = said(late_from=(earlier,), corrections=(earlier,))
    assert "late, from before this journal: LKR 7.00" in told
    assert "correction from before this journal: LKR 7.00" in told
    assert "Z 0" not in told
    assert "correction of Z 9: LKR 7.00" in said(
        corrections=(Named(9, "a", "", "PAID", Decimal("7.00"), "LKR"),)
    )


@pytest.mark.parametrize("proven", [True, False])
def test_the_first_z_of_a_record_that_was_begun_anew_says_which_one_it_follows(*, proven: bool) -> None:
    """It was written in the record and told nowhere, and whoever keeps the papers had a Z 1 behind a Z 57."""
    older = OlderZ(57, "AAAAAAAA", "CD" * 16, proven)
    told = said(older=older)
    assert "the record was begun anew behind Z 57 of TAAAAAAAA" in told
    assert ("which nothing proves" in told) is not proven
    assert object_of(receipts.z(older=older))["older"] == {
        "number": 57,
        "installation_id": "AAAAAAAA",
        "digest": "CD" * 16,
        "proven": proven,
    }
    assert object_of(receipts.z())["older"] is None


@pytest.mark.parametrize(
    ("summer", "winter"),
    [
        ("2026-10-25T02+02:00", "2026-10-25T02+01:00"),
        ("2026-11-01T01-04:00", "2026-11-01T01-05:00"),
    ],
    ids=["east", "west"],
)
def test_the_hour_that_comes_twice_is_told_in_its_order(summer: str, winter: str) -> None:
    """East of Greenwich the later of the two stood first."""
    nowhen, before = "", "2026-10-24T23+00:00"
    hours = tuple(sorted(Hour(each, "LKR", 1, 100) for each in (summer, winter, before, nowhen)))
    told = [each["hour"] for each in object_of(receipts.z(hours=hours))["by_hour"]]
    assert told == [nowhen, before, summer, winter]


def test_an_x_says_of_nobody_that_they_were_not_answered_for() -> None:
    """It asks nobody. And receipts are named as they are printed."""
    assert "not answered for" in said()
    told = "\n".join(lines_of(receipts.x()))
    assert "carried over: LKR 840.00  UNRESOLVED, 840 s old  [" in told
    assert "receipts SBX-T7K3M9QRD-R000101 to R000510" in told
