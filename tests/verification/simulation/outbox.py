"""A till of the simulation that tells a store: its journal in memory as an outbox, and the real shipper's turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from pathlib import Path

import msgspec

from pos_app.domain import whitelist
from pos_app.domain.membership import JOINED, SUBJECT, membership_in
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.shipping import EVENTS_MOST, Shipped
from pos_app.engine.connection.calls import StoreNews
from pos_app.engine.shipping import Acknowledged, CounterHealth, CounterSide, Shipper
from pos_app.journal.device import Device
from pos_app.journal.errors import JournalTrouble, Trouble
from pos_app.journal.outbox import Outbox, Place
from tests.support.drawn import Dice
from tests.support.model_store import STORE_ID
from tests.verification.simulation.history import Written
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.store import SimStore

WALL = "2026-03-02T10:15:30+05:30"


def chain(before: bytes, each: Written) -> bytes:
    """The MAC of an event: over what was before it, and all of it."""
    record = each.record
    told = (each.seq, record.kind, record.subject, record.at, record.path, record.content, record.attempt)
    return blake2b(before + msgspec.msgpack.encode(told), digest_size=32).digest()


class Chain:
    """The MACs of a journal, made as far as they are asked for, and anew where the folder was put back."""

    def __init__(self) -> None:
        self._of: list[Written] = []
        self._macs: list[bytes] = []

    def upto(self, written: list[Written], seq: int) -> bytes:
        """Of the event of this number; b"" where there is none."""
        known = min(len(self._of), len(written))
        if known and written[known - 1] is not self._of[known - 1]:
            known = next((n for n in range(known) if written[n] is not self._of[n]), known)
        if len(self._of) > known:
            del self._of[known:], self._macs[known:]
        for each in written[known:seq]:
            self._macs.append(chain(self._macs[-1] if self._macs else b"", each))
            self._of.append(each)
        return self._macs[seq - 1] if 0 < seq <= len(self._macs) else b""


class SimOutbox(Outbox):
    """Reads the journal in memory; what leaves is cut by the product's own list."""

    def __init__(self, journal: SimJournal) -> None:
        super().__init__(Path("nowhere"), lambda _: "")
        self._journal = journal
        self._chain = Chain()

    def _read(self) -> list[Written]:
        if self._journal.unreadable:
            raise JournalTrouble(Trouble.CANNOT_OPEN, "the disk")
        return self._journal.written

    def place(self) -> Place:
        written = self._read()
        newest = self._chain.upto(written, len(written))
        member = membership_in(self._journal.events_of(SUBJECT))
        return Place(self._journal.installation_id, len(written), newest, member)

    def mac_at(self, seq: int) -> bytes:
        return self._chain.upto(self._read(), seq) if seq <= len(self._journal.written) else b""

    def unknown(self, attempt_ids: Iterable[str]) -> list[str]:
        return [each for each in attempt_ids if not self._journal.knows(each)]

    def batch(self, after: int) -> list[Shipped]:
        written = self._read()
        return [self._cut(each) for each in written[after : after + EVENTS_MOST]]

    def _cut(self, each: Written) -> Shipped:
        record = each.record
        mac = self._chain.upto(self._journal.written, each.seq)
        if record.kind not in whitelist.KINDS:
            return Shipped(seq=each.seq, kind=record.kind, mac=mac)
        content: dict[str, object] = {}
        if record.content:
            content["event"] = whitelist.event_of(record.kind, record.content)
        if record.attempt is not None:
            content["attempt"] = whitelist.attempt_of(record.attempt, references=False)
        if record.sale is not None:
            content["sale"] = whitelist.sale_of(record.sale, references=False)
        if record.person is not None:
            content["person"] = whitelist.person_of(record.person)
        return Shipped(
            seq=each.seq,
            kind=record.kind,
            mac=mac,
            at=record.at,
            wall=WALL,
            subject=record.subject,
            actor=record.actor,
            path=" ".join(record.path),
            content=content,
        )


class InMemory(Acknowledged):
    """The file beside the journal; it stays where a folder is put back, as the worst that a backup can leave out."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"))
        self._known = None

    def of(self, journal_there: str) -> int:
        known = self._known
        return known.seq if known is not None and known.journal == journal_there else 0

    def keep(self) -> None:
        """Nothing is written."""


def device_of(journal: SimJournal) -> Device:
    """Made of the journal's key: the same in every copy of the folder."""
    return Device(sha256(journal.line.split("/")[0].encode()).digest())


def join(journal: SimJournal, store: SimStore, wall_ms: int) -> None:
    """As the verb does while no till is at work: the store has said yes, and the journal has it."""
    own = journal.installation_id
    member = membership_in(journal.events_of(SUBJECT))
    if member is not None and member.installation_id == own:
        return
    store.take_in(own, device_of(journal).public_key, journal.line.split("/")[0])
    about = {"address": "https://store.example", "store_id": STORE_ID, "installation_id": own}
    before, journal.before = journal.before, lambda: None
    after, journal.after = journal.after, lambda: None
    try:
        at, wall = wall_ms, datetime.fromtimestamp(wall_ms / 1000, UTC).isoformat(timespec="milliseconds")
        if journal.written:
            # Whatever the clock says: the newest that the journal knows is told by it.
            at, wall = journal.last_at, journal.written[-1].record.wall
        journal.append(
            [Record(kind=JOINED, subject=SUBJECT, actor=TERMINAL, at=at, wall=wall, content=about)]
        )
    finally:
        journal.before, journal.after = before, after


def shipper_of(
    journal: SimJournal, store: SimStore, known: Acknowledged, post: Callable[[StoreNews], None]
) -> Shipper:
    """One life's; its dice are the story's."""
    dice = Dice(f"shipper of {journal.line}")

    def jitter(low: float, high: float) -> float:
        return low + (high - low) * (sum(dice(4).encode()) % 97) / 96

    health = CounterHealth("1", lambda: WALL)
    counter = CounterSide(SimOutbox(journal), device_of(journal), known)
    return Shipper(counter, lambda _: store.line(), health, post, jitter)
