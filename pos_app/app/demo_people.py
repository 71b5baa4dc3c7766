"""The two people who work in the sandbox's Corner Shop, so that trying the till begins with picking a name."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.people import TERMINAL, Person, Role
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record, wall_of
from pos_app.journal import Journal

_PEOPLE = (("Nimali", Role.MANAGER, "+94770000010"), ("Kasun", Role.CASHIER, "+94770000011"))


def enrol(journal: Journal) -> None:
    """Puts them on an empty list; their codes come to the phone beside the till."""
    if journal.people():
        return
    wall = wall_of(datetime.now().astimezone())
    journal.append(
        [
            Record(
                kind="PERSON_ENROLLED",
                subject=f"demo-{place}",
                actor=TERMINAL,
                at=journal.last_at(),
                wall=wall,
                person=Person(
                    person_id=f"demo-{place}",
                    name=name,
                    role=role,
                    number_mask=mask_number(number),
                    number_digest=journal.digest(number),
                ),
                sealed=number.encode(),
            )
            for place, (name, role, number) in enumerate(_PEOPLE, 1)
        ]
    )
