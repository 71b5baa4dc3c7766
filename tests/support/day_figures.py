"""A day that has something for each of its pictures."""

from __future__ import annotations

from decimal import Decimal

from pos_app.domain.attempt import State
from pos_app.domain.day import Carried, Named
from pos_app.domain.figures import DayFigures, HourFigures, NotPaid, Waited
from pos_app.domain.takings import Tally

FIGURES = DayFigures(
    number=12,
    business_date="2025-11-21",
    currency="LKR",
    environment="live",
    began="2025-11-21T08:02:11.000+05:30",
    ended="2025-11-21T21:40:00.000+05:30",
    hours=(
        HourFigures(
            hour="09",
            wall="2025-11-21T09+05:30",
            taken=Tally(3, 1_000_00),
            before=Tally(1, 2_000_00),
            not_paid=1,
            waited=Waited(3, (8_400, 20_000, 80_000)),
        ),
        HourFigures(hour="10", wall="2025-11-21T10+05:30"),
        HourFigures(
            hour="11", wall="2025-11-21T11+05:30", taken=Tally(1, 25_400_50), waited=Waited(1, (400,) * 3)
        ),
    ),
    compared="2025-11-14",
    methods=(("qr", Tally(3, 26_300_50)), ("push", Tally(1, 100_00))),
    not_paid=(
        NotPaid("FAILED", "customer_rejected", "", 4),
        NotPaid("REFUSED", "", "5005", 3),
        NotPaid("REFUSED", "opened_at_another_service", "", 2),
        NotPaid("CANCELLED", "", "", 1),
        NotPaid("LATER_STATE", "later_reason", "9999", 1),
    ),
    late=(Named(11, "A-1", "T-R000001", "PAID_LATE", Decimal("12.50"), "LKR"),),
    carried=(Carried("A-2", "0170", State.UNRESOLVED.value, Decimal("7.00"), "LKR", "p1", 840),),
)
