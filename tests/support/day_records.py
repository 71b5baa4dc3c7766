"""A Z as the engine hands it to a journal."""

from __future__ import annotations

from datetime import time

from msgspec.structs import replace

from pos_app.domain.attempt import Environment
from pos_app.domain.day import DAY, Z_CLOSED, Closing, content_of, digested, z_after
from pos_app.domain.record import Record
from pos_app.journal import Journal
from tests.support.books import Books
from tests.support.builders import INSTALLATION, WALL


def z_record(journal: Books | Journal, at: int, **facts: object) -> Record:
    """The Z of all that is in this journal since the last one; `facts` are said otherwise than they are."""
    closing = Closing(
        environment=Environment.SANDBOX.value,
        installation_id=INSTALLATION,
        currency="LKR",
        ended_at=at,
        ended=WALL,
    )
    z = z_after(journal.period(), closing, f"closing {at}", "p1", time(4))
    z = replace(z, **facts)
    z = replace(z, digest=journal.z_digest(digested(z)))
    return Record(kind=Z_CLOSED, subject=DAY, actor="p1", at=at, wall=WALL, content=content_of(z))
