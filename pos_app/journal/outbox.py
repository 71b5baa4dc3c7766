"""The journal as an outbox: its events in their order, cut to what may leave. Reads over connections of its own.

Any thread, beside the till that writes: each look opens the file to read and lets it go again, so that nobody waits
for it and nothing keeps the file open. Nothing is written, ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pos_app.domain import whitelist
from pos_app.domain.membership import SUBJECT, Membership, membership_in
from pos_app.domain.receipt import has_receipt, sworn
from pos_app.domain.shipping import BYTES_MOST, EVENTS_MOST, MAC_LENGTH, Shipped, batches, text_of
from pos_app.journal.errors import JournalTrouble, Reading, Trouble
from pos_app.journal.queries import Queries
from pos_app.journal.reading import connect_to_read
from pos_app.journal.rows import content_of

_HEAD = "SELECT seq, mac FROM event ORDER BY seq DESC LIMIT 1"
_TEXTS = (
    "CAST(wall AS BLOB), CAST(kind AS BLOB), CAST(subject AS BLOB), CAST(actor AS BLOB), CAST(path AS BLOB)"
)
_COLUMNS = f"seq, at, {_TEXTS}, CAST(content AS BLOB), mac"
_RANGE = f"SELECT {_COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT {EVENTS_MOST}"
_MONEY = " PAID"
"""In the path of the event that made a payment money: PAID or PAID_LATE, and not its first state."""


class Place(NamedTuple):
    """Where a journal is: which installation, its newest event (0 and b"": none), and whose counter it says it is."""

    installation_id: str
    seq: int
    mac: bytes
    membership: Membership | None


class Outbox:
    """One journal's. `code`: what the journal's key makes of what a receipt swears to; "" for nothing.

    `references`: whether invoice numbers and payment references leave, asked anew each time.
    """

    def __init__(
        self,
        path: Path,
        code: Callable[[str], str],
        references: Callable[[], bool] = lambda: False,
    ) -> None:
        self._path = path
        self._code = code
        self._references = references

    def place(self) -> Place:
        """Where the journal is now. Raises JournalTrouble."""
        with Reading(), closing(connect_to_read(self._path)) as connection:
            connection.execute("BEGIN")
            installation_id = str(connection.execute("SELECT installation_id FROM meta").fetchone()[0])
            seq, mac = connection.execute(_HEAD).fetchone() or (0, b"")
            return Place(installation_id, seq, mac, membership_in(Queries(connection).events_of(SUBJECT)))

    def mac_at(self, seq: int) -> bytes:
        """The MAC of an event; b"" for one that is not there. Raises JournalTrouble."""
        with Reading(), closing(connect_to_read(self._path)) as connection:
            found = connection.execute("SELECT mac FROM event WHERE seq = ?", (seq,)).fetchone()
            return b"" if found is None else bytes(found[0])

    def unknown(self, attempt_ids: Iterable[str]) -> list[str]:
        """Those of these payments that the journal does not hold. Raises JournalTrouble."""
        with Reading(), closing(connect_to_read(self._path)) as connection:
            held = Queries(connection)
            return [each for each in attempt_ids if held.attempt(each) is None]

    def batch(self, after: int) -> list[Shipped]:
        """The events behind one, as many as one batch holds; none where there is none. Raises JournalTrouble."""
        with Reading(), closing(connect_to_read(self._path)) as connection:
            found = connection.execute(_RANGE, (after,)).fetchall()
        return next(iter(batches(self._shipped(row) for row in found)), [])

    def _shipped(self, row: Sequence[Any]) -> Shipped:
        seq, at, wall, kind, subject, actor, path, content, mac = row
        if not isinstance(mac, bytes) or len(mac) != MAC_LENGTH:
            raise JournalTrouble(Trouble.DAMAGED, f"event {seq} has no MAC")
        bare = Shipped(seq=seq, kind=str(kind, "utf-8", "replace"), mac=mac)
        if bare.kind not in whitelist.KINDS or not isinstance(at, int):
            return bare
        try:
            texts = [str(each, "utf-8") for each in (wall, subject, actor, path)]
            shipped = msgspec.structs.replace(
                bare,
                at=at,
                wall=texts[0],
                subject=texts[1],
                actor=texts[2],
                path=texts[3],
                content=self._content(bare.kind, content, texts[0], texts[3]),
            )
            # What is longer than a batch may be never left, and would keep everything behind it from leaving.
            return shipped if len(text_of([shipped])) <= BYTES_MOST else bare
        except ValueError:
            # It was changed since it was written: its MAC tells the store as much as it tells us.
            return bare

    def _content(self, kind: str, text: bytes, wall: str, path: str) -> dict[str, object]:
        held, references = content_of(text), self._references()
        found: dict[str, object] = {}
        event = whitelist.event_of(kind, held.event) if held.event else {}
        if event:
            found["event"] = event
        if held.attempt is not None:
            found["attempt"] = whitelist.attempt_of(held.attempt, references=references)
            if _MONEY in path and has_receipt(held.attempt):
                found["check"] = self._code(sworn(held.attempt, wall))
        if held.sale is not None:
            found["sale"] = whitelist.sale_of(held.sale, references=references)
        if held.person is not None:
            found["person"] = whitelist.person_of(held.person)
        return found
