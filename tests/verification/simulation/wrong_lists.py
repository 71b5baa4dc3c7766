"""Wrong tills, part nine: a day beside the service's list that says equal, and is not."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain import list_reader, reconcile
from pos_app.domain.ids import parts_of
from pos_app.domain.reconcile import Comparison, DifferenceKind
from tests.verification.simulation.planting import Planter
from tests.verification.simulation.wrong_folders import empty_half_is_proof as _half


def first_answer_is_the_days_list(planter: Planter) -> None:
    """One answer, one day."""
    planter.put(list_reader.Reading, "_is_whole", lambda _, answer: isinstance(answer, tuple))


def a_half_of_the_day_is_proof(planter: Planter) -> None:
    """Two halves that add up to their whole prove it, where one of them is empty as well."""
    _half(planter)


def settled_from_the_list(planter: Planter) -> None:
    """What the list says of a payment is believed, and nobody asks."""

    def wrong(ours: Any, there: Any) -> Any:
        kind = right(ours, there)
        return None if kind is DifferenceKind.THERE_PAID else kind

    right = planter.put(reconcile, "compare", wrong)


def another_tills_row_is_ours(planter: Planter) -> None:
    """Whatever has an id of a till's form is of this till."""

    def wrong(self: Any, row: Any, ours: Any) -> Any:
        installation, _, _ = parts_of(self._site.environment, row.external_id)
        if installation:
            self._site = replace(self._site, installations=self._site.installations | {installation})
        return right(self, row, ours)

    right = planter.put(Comparison, "take", wrong)


def strangers_are_left_out(planter: Planter) -> None:
    """What is not ours is none of our business."""
    planter.put(Comparison, "rest", lambda _: iter(()))


def complete_without_the_asks(planter: Planter) -> None:
    """The list was read: that is a day."""

    planter.put(Comparison, "candidates", property(lambda _: ()))
