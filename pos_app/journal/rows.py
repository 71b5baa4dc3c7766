"""Records as rows of the event table and back; snapshots as exact text. Knows no SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.journal.chain import Keys, canonical
from pos_app.journal.seal import seal


class Content(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a row holds beside its header: the event, and the facts it made true."""

    event: dict[str, Any] = {}
    attempt: Attempt | None = None
    sale: Sale | None = None
    person: Person | None = None


Row = tuple[int, int, str, str, str, str, str, str, bytes | None, bytes]

_encode = msgspec.json.Encoder().encode
_content = msgspec.json.Decoder(Content)
_attempt = msgspec.json.Decoder(Attempt)
_sale = msgspec.json.Decoder(Sale)
_person = msgspec.json.Decoder(Person)


def row_of(record: Record, seq: int, before: bytes, keys: Keys) -> Row:
    """The record's row, sealed and chained to the row before it."""
    content = Content(record.content, record.attempt, record.sale, record.person)
    sealed = None if record.sealed is None else seal(keys.seal, record.subject, record.sealed)
    columns = (
        seq,
        record.at,
        record.wall,
        record.kind,
        record.subject,
        record.actor,
        " ".join(record.path),
        _encode(content).decode(),
        sealed,
    )
    mac = keys.mac(before, canonical(as_bytes(columns)))
    return (*columns, mac)


def as_bytes(columns: Sequence[Any]) -> tuple[Any, ...]:
    """The texts of a row as UTF-8, as the chain takes them."""
    return tuple(
        value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value for value in columns
    )


def content_of(text: str | bytes) -> Content:
    """What a row holds."""
    return _content.decode(text)


def record_of(row: Sequence[Any]) -> Record:
    """A row as it was handed over, its sealed bytes left sealed."""
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


def text_of(snapshot: Attempt | Sale | Person) -> str:
    """A snapshot as text."""
    return _encode(snapshot).decode()


def attempt_of(text: str) -> Attempt:
    """An attempt from its snapshot."""
    return _attempt.decode(text)


def sale_of(text: str) -> Sale:
    """A sale from its snapshot."""
    return _sale.decode(text)


def person_of(text: str) -> Person:
    """A person from its snapshot."""
    return _person.decode(text)
