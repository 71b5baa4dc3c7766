"""The list of people of a simulated shop where they sign in, as an earlier day left it in the journal."""

from __future__ import annotations

from datetime import UTC, datetime

from pos_app.domain.people import Person, Role
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from tests.verification.simulation.calls import quick_hash
from tests.verification.simulation.journal import SimJournal

CASHIER, OTHER, MANAGER = "person-1", "person-2", "person-3"
ORDER = (CASHIER, OTHER, MANAGER)
_NAMES = ("Kamala", "Ruwan", "Nimali")
PASSCODE, WRONG = "602957", "750392"


def enrol(journal: SimJournal, wall_ms: int) -> None:
    """Two cashiers and a manager, each with a passcode that signs in without an SMS."""
    wall = datetime.fromtimestamp(wall_ms / 1000, UTC).isoformat(timespec="milliseconds")
    for person_id in (MANAGER, CASHIER, OTHER):
        place = ORDER.index(person_id)
        name, number = _NAMES[place], f"+9477000010{place}"
        person = Person(
            person_id=person_id,
            name=name,
            role=Role.MANAGER if person_id == MANAGER else Role.CASHIER,
            number_mask=mask_number(number),
            number_digest=journal.digest(number),
            passcode_set=True,
            passcode_signs_in=True,
        )
        for kind, subject, sealed in (
            ("PERSON_ENROLLED", person_id, number.encode()),
            ("PASSCODE_SET", f"passcode:{person_id}", quick_hash(Secret(PASSCODE))),
        ):
            record = Record(
                kind=kind,
                subject=subject,
                actor=MANAGER,
                at=wall_ms,
                wall=wall,
                person=person,
                sealed=sealed,
            )
            journal.append([record])
