"""What can be done to a journal's files without its key. Each harm is drawn from a seeded chance. Judges nothing."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.journal.chain import Keys, canonical
from tests.verification.campaign.tampering.specimens import Files, Specimen, files_at, memory, put

WRONG = b"w" * 32


class Harm(msgspec.Struct, frozen=True):
    """What was done, and the files then. `key`: with which key the till then comes."""

    what: str
    files: Files
    key: bytes | None = None


def flip(chance: random.Random, specimen: Specimen) -> Harm:
    """One bit: of any byte, or of one that is not zero, where more is written."""
    if chance.random() < 0.01:
        return _flip_in_key(chance, specimen)
    ending = chance.choice(sorted(specimen.files))
    data = specimen.files[ending]
    at = chance.randrange(len(data))
    if chance.random() < 0.7:
        at = next((place for place in range(at, len(data)) if data[place]), at)
    bit = chance.randrange(8)
    flipped = bytearray(data)
    flipped[at] ^= 1 << bit
    what = f"flip journal.sqlite{ending} byte {at} bit {bit}"
    return Harm(what, specimen.files | {ending: bytes(flipped)})


def _flip_in_key(chance: random.Random, specimen: Specimen) -> Harm:
    key = bytearray(specimen.key)
    at, bit = chance.randrange(len(key)), chance.randrange(8)
    key[at] ^= 1 << bit
    return Harm(f"flip key byte {at} bit {bit}", specimen.files, bytes(key))


def _by_sql(specimen: Specimen, work: Callable[[sqlite3.Connection], None]) -> Files:
    """As somebody would who can write the file but has no key, and leaves its triggers as they were."""
    with memory() as folder:
        path = put(specimen.files, folder)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            triggers = connection.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
            ).fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            work(connection)
            for _, sql in triggers:
                connection.execute(sql)
        return files_at(path)


def _events(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT max(seq) FROM event").fetchone()[0])


def deleted(chance: random.Random, specimen: Specimen) -> Harm:
    """One event, or some of the last."""

    def work(connection: sqlite3.Connection) -> None:
        seq = chance.randint(1, _events(connection))
        more = chance.choice(["seq = ?", "seq >= ?"])
        connection.execute(f"DELETE FROM event WHERE {more}", (seq,))

    return Harm("events deleted", _by_sql(specimen, work))


def swapped(chance: random.Random, specimen: Specimen) -> Harm:
    """Two events change places."""

    def work(connection: sqlite3.Connection) -> None:
        one, other = sorted(chance.sample(range(1, _events(connection) + 1), 2))
        for before, after in ((one, -1), (other, one), (-1, other)):
            connection.execute("UPDATE event SET seq = ? WHERE seq = ?", (after, before))

    return Harm("events swapped", _by_sql(specimen, work))


def doubled(chance: random.Random, specimen: Specimen) -> Harm:
    """One event stands in another's place too, or once more at the end."""

    def work(connection: sqlite3.Connection) -> None:
        last = _events(connection)
        one, other = chance.sample(range(1, last + 2), 2)
        one, other = (other, one) if one > last else (one, other)
        connection.execute("DELETE FROM event WHERE seq = ?", (other,))
        columns = "at, wall, kind, subject, actor, path, content, sealed, mac"
        connection.execute(
            f"INSERT INTO event SELECT ?, {columns} FROM event WHERE seq = ?",
            (other, one),
        )

    return Harm("an event doubled", _by_sql(specimen, work))


_COLUMNS = {
    "event": ("at", "wall", "kind", "subject", "actor", "path", "content", "sealed", "mac"),
    "attempt": (
        "attempt_id",
        "kind",
        "state",
        "amount",
        "tapped_at",
        "ended_at",
        "unsettled",
        "events",
        "snapshot",
    ),
    "sale": ("number", "overpaid", "snapshot"),
    "meta": ("environment", "installation_id", "tag"),
}


def changed(chance: random.Random, specimen: Specimen) -> Harm:
    """One column of one row is another row's, or a little longer; where they are equal, nothing is changed."""
    table = chance.choice(sorted(_COLUMNS))
    column = chance.choice(_COLUMNS[table])

    def work(connection: sqlite3.Connection) -> None:
        rowid = connection.execute(f"SELECT rowid FROM {table} ORDER BY random() LIMIT 1").fetchone()
        value = connection.execute(
            f"SELECT {column}, typeof({column}) FROM {table} WHERE rowid IS ?", rowid
        ).fetchone()
        other = {"integer": 7_777_777, "text": f"{value[0]} ", "blob": b"\0" * 32, "null": None}[value[1]]
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (other, *rowid))

    return Harm(f"{table}.{column} changed", _by_sql(specimen, work))


def re_signed(chance: random.Random, specimen: Specimen) -> Harm:
    """From some event on the chain is made anew with another key; sometimes whose it is, too."""
    keys = Keys(WRONG, specimen.environment)

    def work(connection: sqlite3.Connection) -> None:
        connection.text_factory = bytes
        seq = chance.randint(1, _events(connection))
        before = connection.execute("SELECT mac FROM event WHERE seq = ?", (seq - 1,)).fetchone()
        mac = before[0] if before else keys.genesis
        for row in connection.execute("SELECT * FROM event WHERE seq >= ? ORDER BY seq", (seq,)).fetchall():
            mac = keys.mac(mac, canonical(row))
            connection.execute("UPDATE event SET mac = ? WHERE seq = ?", (mac, row[0]))
        if chance.random() < 0.3:
            identity = connection.execute("SELECT installation_id FROM meta").fetchone()[0].decode()
            tag = keys.meta_tag(Environment(specimen.environment).value, identity)
            connection.execute("UPDATE meta SET tag = ?", (tag,))

    return Harm("re-signed with another key", _by_sql(specimen, work))


def truncated(chance: random.Random, specimen: Specimen) -> Harm:
    """The file, its log or its anchor ends earlier."""
    ending = chance.choice(sorted(specimen.files))
    data = specimen.files[ending]
    return Harm(
        f"journal.sqlite{ending} cut off", specimen.files | {ending: data[: chance.randrange(len(data))]}
    )


def rolled_back(chance: random.Random, specimen: Specimen) -> Harm:
    """An older copy beside the anchor of today, a spoilt one, or none."""
    older = {ending: data for ending, data in specimen.older.items() if ending != ".anchor"}
    anchor = specimen.files[".anchor"]
    how = chance.choice(["today's", "no", "a wrong"])
    if how == "today's":
        return Harm("an older copy, today's anchor", older | {".anchor": anchor})
    if how == "no":
        return Harm("an older copy, no anchor", older)
    fact = struct.pack(">q", 1) + anchor[8:]
    return Harm("an older copy, a wrong anchor", older | {".anchor": fact[:64] * 3 + fact[192:]})


def lost(chance: random.Random, specimen: Specimen) -> Harm:
    """One of the files is gone."""
    ending = chance.choice(sorted(specimen.files))
    files = {name: data for name, data in specimen.files.items() if name != ending}
    return Harm(f"journal.sqlite{ending} deleted", files)


BLOWS = (deleted, swapped, doubled, changed, re_signed, truncated, rolled_back, lost)
