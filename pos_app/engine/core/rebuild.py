"""A fresh journal's first events: what a damaged one still says. Writes what it is given; asks nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.ids import parts_of
from pos_app.domain.membership import JOINED, membership_in
from pos_app.domain.membership import SUBJECT as STORE
from pos_app.domain.origins import with_origin
from pos_app.domain.passcode import RECOVERED as PASSCODE_RECOVERED
from pos_app.domain.passcode import subject_of
from pos_app.domain.people import TERMINAL
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT, RECOVERED
from pos_app.domain.record import Record, wall_of
from pos_app.domain.refund import REFUND_RECOVERED, content_of
from pos_app.domain.refund import subject_of as subject_of_note
from pos_app.domain.sale import Sale
from pos_app.journal.salvage import Salvage

NAMED = 500
"""So many attempts to ask about are named in the event; the lists show the others."""


def records_of(salvage: Salvage, file: str, now: int, wall: datetime) -> list[Record]:
    """One transaction: all of it, or the next start begins again."""
    now = max(now, salvage.last_at)
    claimed = [each for each in salvage.claimed if each not in salvage.installations]
    at: dict[str, Any] = {"at": now, "wall": wall_of(wall)}
    about = {
        "file": file,
        "findings": [str(finding) for finding in salvage.findings],
        "installations": salvage.installations,
        "claimed": claimed,
        "next_sale": salvage.next_sale,
        "next_person": salvage.next_person,
        "since": salvage.day_before_gap(),
        "origin": salvage.origins[-1] if salvage.origins else "",
        "found": len(salvage.attempts) + len(salvage.hints),
        "ask": sorted({*salvage.doubtful} & {*salvage.attempts})[:NAMED],
    }
    if salvage.last_z is not None:
        about["last_z"] = msgspec.to_builtins(salvage.last_z)
    return [
        *(replace(send, content=send.content | {"recovered": True}) for send in salvage.sends),
        Record(kind=REBUILT, subject=JOURNAL, actor=TERMINAL, content=about, **at),
        *_people(salvage, at),
        *_attempts(salvage, now, at),
        *_notes(salvage, at),
        *_store(salvage, at),
    ]


def _people(salvage: Salvage, at: dict[str, Any]) -> Iterator[Record]:
    for key, person in salvage.people.items():
        passcode = subject_of(key)
        hashed, tries = salvage.sealed.get(passcode), salvage.tries.get(passcode, [])
        known = person.passcode_set and hashed is not None
        yield Record(
            kind="PERSON_RECOVERED",
            subject=key,
            actor=TERMINAL,
            # Whatever was damaged, nobody knows how many wrong ones there were: a code by SMS is needed.
            person=replace(person, passcode_set=known, passcode_dead=known),
            sealed=salvage.sealed.get(key),
            **at,
        )
        if hashed is not None:
            yield Record(kind=PASSCODE_RECOVERED, subject=passcode, actor=TERMINAL, sealed=hashed, **at)
        for each in tries:
            yield replace(each, content=each.content | {"recovered": True})


def _notes(salvage: Salvage, at: dict[str, Any]) -> Iterator[Record]:
    """Under their own numbers, which lie on paper; the next one is behind them."""
    notes = salvage.all_notes()
    for number in sorted(notes):
        yield Record(
            kind=REFUND_RECOVERED,
            subject=subject_of_note(number),
            actor=TERMINAL,
            content=content_of(notes[number], salvage.news_of(notes[number])),
            **at,
        )


def _store(salvage: Salvage, at: dict[str, Any]) -> Iterator[Record]:
    """Whose counter it was, under the installation that joined: a manager is told that it has to join anew."""
    here = membership_in(salvage.memberships)
    if here is not None:
        about = msgspec.to_builtins(here) | {"recovered": True}
        yield Record(kind=JOINED, subject=STORE, actor=TERMINAL, content=about, **at)


def _attempts(salvage: Salvage, now: int, at: dict[str, Any]) -> Iterator[Record]:
    entered: set[str] = set()
    places: set[tuple[str, int]] = set()
    for proven, known in ((True, salvage.attempts), (False, salvage.hints)):
        for key, attempt in known.items():
            sale_id, place = attempt.sale_id, (attempt.sale_id, attempt.number)
            if place in places or parts_of(attempt.environment, key)[1:] != place:
                # Its place is taken, or is not where its id says: it can only be named.
                about = {"proven": proven, "entered": False}
                yield Record(kind=RECOVERED, subject=key, actor=TERMINAL, content=about, **at)
                continue
            places.add(place)
            new_sale = sale_id not in entered
            entered.add(sale_id)
            taken = attempt if proven else in_doubt(attempt, now)
            taken = _with_proven_origin(taken, salvage.origins, proven=proven)
            yield Record(
                kind=RECOVERED,
                subject=key,
                actor=TERMINAL,
                content={"proven": proven} | _known_of_money(salvage, key, proven=proven),
                path=(taken.state,),
                attempt=taken,
                sale=(salvage.sales.get(sale_id) or sale_for(taken)) if new_sale else None,
                sealed=salvage.sealed.get(key) if proven and not taken.is_final else None,
                **at,
            )


def _known_of_money(salvage: Salvage, attempt_id: str, *, proven: bool) -> dict[str, int | str | bool]:
    """The Z of the damaged journal that counts it: the first of this one is not to count it again. Its paper's time.

    And what no Z of that one says of it, so that the first one here does: a correction, or that it came late.
    """
    if not proven:
        return {}
    known: dict[str, int | str | bool] = {}
    if (z := salvage.counted.in_z.get(attempt_id)) is not None:
        known["z"] = z
    elif (corrected := salvage.counted.corrected.get(attempt_id)) is not None:
        known["corrects"] = corrected[1]
    elif attempt_id in salvage.counted.late:
        known["late"] = True
    if paid_at := salvage.paid_walls.get(attempt_id):
        known["paid_at"] = paid_at
    return known


def _with_proven_origin(attempt: Attempt, origins: Sequence[str], *, proven: bool) -> Attempt:
    """What names no service belongs to the first that the damaged journal names; a hint names none that it may.

    Else whoever can spoil a journal and change an address would have it asked where they please.
    """
    if proven or not origins or attempt.origin in origins:
        return with_origin(attempt, next(iter(origins), ""))
    return replace(attempt, origin=origins[-1] if attempt.origin else origins[0])


def in_doubt(attempt: Attempt, now: int) -> Attempt:
    """A hint proves nothing of what became of it: it is asked about, and nobody stands before the till for it.

    Nor does its time: one ahead of this till's, as of a clock that was set back since, would hold its limits off.
    """
    gave_up_at = attempt.gave_up_at
    return replace(
        attempt,
        tapped_at=min(attempt.tapped_at, now),
        gave_up_at=None if gave_up_at is None else min(gave_up_at, now),
        state=State.IN_DOUBT,
        recovered=True,
        shown=False,
        released_at=now,
        ended_at=None,
        resolution=None,
        refusal_opened=False,
        wallet_transaction_id="",
        code="",
        http_status=0,
        receipt=0,
        receipt_of="",
    )


def sale_for(attempt: Attempt) -> Sale:
    """What is owed, as far as its attempt says."""
    return Sale(
        sale_id=attempt.sale_id,
        amount=attempt.amount,
        currency=attempt.currency,
        counter_id=attempt.counter_id,
        owner=attempt.owner,
        opened_at=attempt.tapped_at,
        invoice_number=attempt.invoice_number,
        payment_reference=attempt.payment_reference,
    )
