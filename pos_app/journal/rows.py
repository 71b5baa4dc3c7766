"""Records as rows of the event table and back; snapshots as exact text. Knows no SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pos_app.domain import ids
from pos_app.domain.attempt import Attempt, State
from pos_app.domain.people import Person
from pos_app.domain.print_job import PrintJob
from pos_app.domain.reconcile import Ours, Run
from pos_app.domain.record import Record
from pos_app.domain.refund import Note
from pos_app.domain.sale import Sale
from pos_app.journal.chain import Keys, canonical
from pos_app.journal.seal import seal
from pos_app.journal.texts import plain, storable


class Content(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a row holds beside its header: the event, and the facts it made true."""

    event: dict[str, Any] = {}
    attempt: Attempt | None = None
    sale: Sale | None = None
    person: Person | None = None


class Parts(msgspec.Struct, frozen=True):
    """The snapshots of a row as texts; each stands in the row and in its own table, and is written once."""

    attempt: bytes | None = None
    sale: bytes | None = None
    person: bytes | None = None


class _Raw(msgspec.Struct, frozen=True):
    """Snapshots left unread."""

    attempt: msgspec.Raw = msgspec.Raw()
    sale: msgspec.Raw = msgspec.Raw()
    person: msgspec.Raw = msgspec.Raw()


Row = tuple[int, int, str, str, str, str, str, str, bytes | None, bytes]

_encode = msgspec.json.Encoder().encode
_content = msgspec.json.Decoder(Content)
_raw = msgspec.json.Decoder(_Raw)
_attempt = msgspec.json.Decoder(Attempt)
_sale = msgspec.json.Decoder(Sale)
_person = msgspec.json.Decoder(Person)
_print_job = msgspec.json.Decoder(PrintJob)
_recon_run = msgspec.json.Decoder(Run)
_ours = msgspec.json.Decoder(Ours)
_note = msgspec.json.Decoder(Note)


def row_of(record: Record, seq: int, before: bytes, keys: Keys) -> tuple[Row, Parts]:
    """The record's row, sealed and chained to the row before it, and the snapshots in it.

    Raises TypeError for content that is not JSON-ready.
    """
    parts = Parts(_snapshot(record.attempt), _snapshot(record.sale), _snapshot(record.person))
    wall, kind, subject, actor = map(plain, (record.wall, record.kind, record.subject, record.actor))
    sealed = None if record.sealed is None else seal(keys.seal, subject, record.sealed)
    path, content = " ".join(record.path), _content_text(record.content, parts)
    columns = (
        seq,
        record.at,
        wall.encode(),
        kind.encode(),
        subject.encode(),
        actor.encode(),
        path.encode(),
        content,
        sealed,
    )
    mac = keys.mac(before, canonical(columns))
    return (seq, record.at, wall, kind, subject, actor, path, content.decode(), sealed, mac), parts


def _snapshot(fact: Attempt | Sale | Person | None) -> bytes | None:
    if fact is None:
        return None
    try:
        return _encode(fact)
    except UnicodeEncodeError:
        return _encode(storable(fact))


def _content_text(event: dict[str, Any], parts: Parts) -> bytes:
    """The same bytes as a Content would give, from snapshots that are text already."""
    fields = []
    if event:
        try:
            fields.append(b'"event":' + _encode(event))
        except UnicodeEncodeError:
            fields.append(b'"event":' + _encode(storable(event)))
    for name, part in ((b"attempt", parts.attempt), (b"sale", parts.sale), (b"person", parts.person)):
        if part is not None:
            fields.append(b'"%b":%b' % (name, part))
    return b"{%b}" % b",".join(fields)


def content_of(text: str | bytes) -> Content:
    """What a row holds. Raises msgspec.DecodeError."""
    return _content.decode(text)


def parts_of(text: str | bytes) -> Parts:
    """A row's snapshots, to the byte as they were written. Raises msgspec.DecodeError."""
    raw = _raw.decode(text)
    return Parts(*(bytes(part) or None for part in (raw.attempt, raw.sale, raw.person)))


def record_of(row: Sequence[Any]) -> Record:
    """A row as it was handed over, its sealed bytes left sealed. Raises ValueError."""
    _, at, wall, kind, subject, actor, path, text = row[:8]
    content = content_of(text)
    return Record(
        kind=kind,
        subject=subject,
        actor=actor,
        at=at,
        wall=wall,
        content=content.event,
        path=tuple(State(state) for state in path.split()),
        attempt=content.attempt,
        sale=content.sale,
        person=content.person,
    )


def attempt_of(text: str | bytes) -> Attempt:
    """An attempt from its snapshot."""
    return _attempt.decode(text)


def sale_of(text: str | bytes) -> Sale:
    """A sale from its snapshot."""
    return _sale.decode(text)


def person_of(text: str | bytes) -> Person:
    """A person from its snapshot."""
    return _person.decode(text)


def print_job_of(text: str | bytes) -> PrintJob:
    """A job for the printer from its snapshot."""
    return _print_job.decode(text)


def recon_run_of(text: str | bytes) -> Run:
    """A run of a reconciliation from its snapshot."""
    return _recon_run.decode(text)


def ours_of(text: str | bytes) -> Ours:
    """What a reconciliation needs of an attempt, from its snapshot; the rest of it is skipped."""
    return _ours.decode(text)


def note_of(text: str | bytes) -> Note:
    """A refund note from its snapshot."""
    return _note.decode(text)


def number_of(sale_id: str) -> int:
    """The number that is a sale's key; 0 for a text that is no sale's."""
    return int(sale_id) if sale_id.isascii() and sale_id.isdecimal() and len(sale_id) <= 10 else 0


def place_of(sale_id: str, number: int) -> int:
    """An attempt's key: in the order of its sale's number, then of its own."""
    return number_of(sale_id) * ids.ATTEMPTS_OF_A_SALE + number


def place_in(attempt_id: str) -> int:
    """The key that an attempt's id holds; 0 when it is none of ours."""
    sale_id, number = ids.sale_and_number(attempt_id)
    return place_of(sale_id, number)
