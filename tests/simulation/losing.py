"""What is left of a journal that is lost, as journal/salvage.py would find it: by which files, and what they prove."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.ids import installation_of, place_of
from pos_app.domain.installation import TAKEN
from pos_app.domain.origins import named_origins
from pos_app.domain.passcode import ENDS_A_ROW, TRY
from pos_app.domain.rebuilt import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.journal.projections import OTP_SEND
from pos_app.journal.salvage import Salvage
from tests.simulation.history import Written

WAYS = ("broken_inside", "cut_off", "tables", "anchor", "nothing_proven", "forged_tables")
"""A damaged copy in whose middle an event was changed; one whose end is missing; one that lost its events and kept
its tables; the anchor alone; a copy whose chain proves nothing, with its anchor; one in whose tables somebody has
written that all is paid. Its key is there always: without it the till refuses to start."""


def salvaged(written: Sequence[Written], installation_id: str, left: int) -> Salvage:
    """`left`: which of the ways, and how much of the events is proven."""
    way = WAYS[left % len(WAYS)]
    proven_to = len(written) * (left // len(WAYS) % 4) // 4 if way in ("broken_inside", "cut_off") else 0
    found = Salvage()
    for each in written[:proven_to]:
        _prove(each.record, found)
    if way in ("broken_inside", "nothing_proven"):
        for each in written[proven_to:]:
            _doubt(each.record, found)
    if way in ("broken_inside", "tables", "nothing_proven", "forged_tables"):
        for each in written:
            _hint(each.record, found, forged=way == "forged_tables")
    found.lost = 0 if way in ("broken_inside", "nothing_proven") else len(written) - proven_to
    found.installations.append(installation_id)
    found.installations += map(installation_of, found.attempts)
    found.installations = [*dict.fromkeys(each for each in found.installations if each)]
    numbers = [int(place_of(key)[0]) for key in (*found.attempts, *found.hints)]
    found.next_sale = max(found.next_sale, *(each + 1 for each in numbers), 1) + found.lost
    return found


def _prove(record: Record, found: Salvage) -> None:
    found.last_at = max(found.last_at, record.at)
    if record.kind == TRY:
        found.tries.setdefault(record.subject, []).append(record)
    if record.attempt is not None:
        found.attempts[record.attempt.attempt_id] = record.attempt
    if record.sale is not None:
        found.sales[record.sale.sale_id] = record.sale
    if record.person is not None:
        found.people[record.person.person_id] = record.person
    if record.kind == OTP_SEND:
        found.sends.append(record)
    if record.kind in ENDS_A_ROW:
        found.tries.pop(record.subject, None)
    if record.kind == TAKEN:
        found.installations += [str(record.content.get("before", "")), str(record.content["installation_id"])]
    found.origins += named_origins([record])
    if record.kind == REBUILT and record.subject == JOURNAL:
        found.installations += [str(each) for each in record.content.get("installations", ())]
        found.next_sale = max(found.next_sale, int(record.content.get("next_sale", 1)))
        origin = str(record.content.get("origin", ""))
        found.origins += [origin] if origin else []
    if record.sealed is not None:
        found.sealed[record.subject] = record.sealed


def _doubt(record: Record, found: Salvage) -> None:
    if record.kind == TRY:
        found.tries.setdefault(record.subject, []).append(record)
    if record.attempt is not None:
        found.doubtful.add(record.attempt.attempt_id)


def _hint(record: Record, found: Salvage, *, forged: bool) -> None:
    """The newest table row of each attempt that no proven event speaks of."""
    attempt = record.attempt
    if attempt is not None and attempt.attempt_id not in found.attempts:
        found.hints[attempt.attempt_id] = replace(attempt, state=State.PAID) if forged else attempt
