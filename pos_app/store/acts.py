"""Acts: what was changed by hand, by whom and why, each line chained to the one before. Only ever added to.

Written in the same transaction as the change, or the change is refused by the database itself (sql/002.sql).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec
import psycopg

COMMAND_LINE = ""
"""`who` of an act on the store's own machine; its account is 0."""
_LABEL = b"pos_app store act 1\0"
_HEAD = "SELECT number, mac, date_trunc('milliseconds', clock_timestamp()) FROM act_head FOR UPDATE"
_ADD = "INSERT INTO act VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
_ON = "UPDATE act_head SET number = %s, mac = %s"


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody does. `shop` 0: it is about the whole store or the person alone. `subject`: to whom or what."""

    kind: str
    shop: int = 0
    account: int = 0
    who: str = COMMAND_LINE
    subject: str = ""
    reason: str = ""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An act as it stands in the chain."""

    number: int
    at: datetime
    act: Act
    before: bytes
    mac: bytes


def mac_of(number: int, at: datetime, act: Act, before: bytes) -> bytes:
    """The chain's value behind this line: everything of it, and everything before it."""
    said = (
        number,
        at.astimezone(UTC).isoformat(timespec="milliseconds"),
        act.shop,
        act.account,
        act.who,
        act.kind,
        act.subject,
        act.reason,
    )
    return sha256(_LABEL + before + msgspec.json.encode(said)).digest()


async def write(connection: psycopg.AsyncConnection[Any], act: Act) -> int:
    """Adds it in the transaction that is open, before the change itself; its number. Raises psycopg.Error."""
    head = await (await connection.execute(_HEAD)).fetchone()
    row = _row(head, act)
    await connection.execute(_ADD, row)
    await connection.execute(_ON, (row[0], row[-1]))
    return int(row[0])


def write_now(connection: psycopg.Connection[Any], act: Act) -> int:
    """The same for a verb, which has no loop. Raises psycopg.Error."""
    row = _row(connection.execute(_HEAD).fetchone(), act)
    connection.execute(_ADD, row)
    connection.execute(_ON, (row[0], row[-1]))
    return int(row[0])


def _row(head: tuple[Any, ...] | None, act: Act) -> tuple[Any, ...]:
    if head is None:
        raise LookupError("the chain of acts has no head: store check says more")
    number, before, at = head
    mac = mac_of(number + 1, at, act, before)
    said = (act.shop, act.account, act.who, act.kind, act.subject, act.reason)
    return (number + 1, at, *said, before, mac)


COLUMNS = "number, at, shop, account, who, kind, subject, reason, before, mac"


def line_of(row: tuple[Any, ...]) -> Line:
    """A row of COLUMNS."""
    number, at, shop, account, who, kind, subject, reason, before, mac = row
    act = Act(kind=kind, shop=shop, account=account, who=who, subject=subject, reason=reason)
    return Line(number=number, at=at, act=act, before=before, mac=mac)


def broken_at(lines: Iterable[Line], head: tuple[int, bytes]) -> int | None:
    """The number of the first line that is not as it was written, or is missing; None: all stand, up to the head."""
    number, mac = 0, b""
    for line in lines:
        fits = line.number == number + 1 and line.before == mac
        if not fits or line.mac != mac_of(line.number, line.at, line.act, line.before):
            return number + 1
        number, mac = line.number, line.mac
    return None if (number, mac) == head else number + 1
