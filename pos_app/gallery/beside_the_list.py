"""A day beside the service's list, in each state that a manager may find it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from pos_app.domain.reconcile import Decided, Difference, DifferenceKind, Run, Why
from pos_app.domain.views import DayProblem, ReconStep, ReconView
from pos_app.i18n.words.reconcile import words
from pos_app.ui.dialogs.day.differences import DifferencesPanel

_RUN = Run(
    number=7,
    first="2025-11-21 08:02:11",
    last="2025-11-21 19:04:40",
    tapped_from=0,
    tapped_to=0,
    z=12,
    currency="LKR",
    ended=True,
    complete=True,
    rows=410,
    equal=410,
    calls=6,
)


def _of(kind: DifferenceKind, subject: str, **facts: object) -> Difference:
    return replace(Difference(kind=kind, subject=subject, at="2025-11-21 14:05:10", currency="LKR"), **facts)


_THERE_PAID = _of(
    DifferenceKind.THERE_PAID,
    "SBX-T7K3M9QRD-0123-1-K7Q2M9",
    attempt_id="SBX-T7K3M9QRD-0123-1-K7Q2M9",
    sale_id="0123",
    here_state="CANCELLED",
    here_amount=Decimal("1250.00"),
    there_status="Payment Success",
    there_amount=Decimal("1250.00"),
    at_risk=Decimal("1250.00"),
    asked=True,
)
_FOREIGN = [
    _of(
        DifferenceKind.FOREIGN,
        f"98765432100{number}",
        wallet_transaction_id=f"98765432100{number}",
        there_status="Payment Success",
        there_amount=Decimal("480.00"),
        at_risk=Decimal("480.00"),
        looks_like="0124" if number == 1 else "",
        excerpt=f"471{number}",
    )
    for number in (1, 2)
]
_OTHER_TILL = _of(
    DifferenceKind.OTHER_TILL, "BBBB2222", there_amount=Decimal("9310.50"), at_risk=Decimal(0), count=14
)
_NOT_WHOLE = _of(
    DifferenceKind.INCOMPLETE,
    "2025-11-21 14:05:09 – 2025-11-21 14:05:11",
    excerpt="one_second_is_full",
)
_SIGNED = [
    Decided(
        difference=each,
        run=7,
        reason="The owner's own phone, told off",
        name="Nimali Perera",
        wall="2025-11-21T19:10:00+05:30",
    )
    for each in _FOREIGN
]


def _under_way(view: ReconView) -> QWidget:
    made = DifferencesPanel()
    made.show_view(view)
    return made


def _ended(run: Run, found: Sequence[Difference | Decided] = (), *, more: bool = False) -> QWidget:
    made = DifferencesPanel()
    made.show_run(run)
    made.begin_list()
    shown = [each if isinstance(each, Decided) else Decided(difference=each, run=7) for each in found]
    made.show_found(shown, more=more)
    return made


def _without_a_list() -> QWidget:
    made = DifferencesPanel()
    made.say_problem(words.PROBLEM[DayProblem.NO_LIST])
    return made


_DIFFERENT = replace(
    _RUN,
    equal=393,
    asked=3,
    differences={"there_paid": 1, "foreign": 2, "other_till": 1},
    at_risk={"there_paid": "1250.00", "foreign": "960.00"},
)
_BROKEN_OFF = replace(
    _RUN,
    complete=False,
    why=Why.NOT_ANSWERED,
    equal=371,
    not_asked=4,
    differences={"incomplete": 1},
)

_READING = ReconView(run=7, step=ReconStep.READING, rows=120, calls=3, back_to="2025-11-21 12:40:00")
_ASKING = ReconView(run=7, step=ReconStep.ASKING, rows=410, calls=6, asked=2, to_ask=3)

BESIDE_THE_LIST: tuple[tuple[str, Callable[[], QWidget]], ...] = (
    ("differences-reading", partial(_under_way, _READING)),
    ("differences-asking", partial(_under_way, _ASKING)),
    ("differences-equal", partial(_ended, _RUN)),
    ("differences", partial(_ended, _DIFFERENT, (_THERE_PAID, *_FOREIGN, _OTHER_TILL), more=True)),
    (
        "differences-decided",
        partial(
            _ended, replace(_DIFFERENT, differences={"foreign": 2}, at_risk={"foreign": "960.00"}), _SIGNED
        ),
    ),
    ("differences-incomplete", partial(_ended, _BROKEN_OFF, (_NOT_WHOLE,))),
    ("differences-no-list", _without_a_list),
)
"""By name: how each is made."""
