"""A copy of the whole store as one file, tried by a scratch restore; and putting it back, which begins an epoch."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import psycopg

from pos_app.store import acts
from pos_app.store.accounts.accounts import Sealer, unsealed_by
from pos_app.store.acts import Act
from pos_app.store.cluster import Cluster, ClusterUnusable, binaries
from pos_app.store.database import BACKUP, DOOR, RECEIVE, Database, TooNew
from pos_app.store.errors import CANNOT_CREATE, CONFIGURATION, FINDING, StoreError
from pos_app.store.place import DATABASE, Place
from pos_app.store.recount import Finding, examine, rebuild

READ_OFF = frozenset({"recount", "sums", "partitions"})
"""Findings about what is read off the batches: told anew where the batches are whole. Any other refuses a copy."""


class Digest(msgspec.Struct, frozen=True):
    """Of what is held up to these heads: of the batches, byte for byte. Equal digests are equal batches."""

    heads: dict[str, int]
    batches: str


def digest(connection: psycopg.Connection[tuple[object, ...]], heads: dict[str, int] | None = None) -> Digest:
    """`heads`: up to where each installation is looked at; by default all that is held."""
    if heads is None:
        found = connection.execute("SELECT installation, head_seq FROM installation ORDER BY 1").fetchall()
        heads = {str(name): int(str(seq)) for name, seq in found}
    row = connection.execute(
        "SELECT coalesce(encode(sha256(string_agg(sha256(b.header || b.signature || b.body || b.mac), ''::bytea "
        "ORDER BY i.installation, b.last)), 'hex'), '') FROM batch b JOIN installation i USING (life) "
        "JOIN unnest(%s::text[], %s::bigint[]) AS h(installation, seq) ON h.installation = i.installation "
        "AND b.last <= h.seq",
        (list(heads), list(heads.values())),
    ).fetchone()
    return Digest(heads, str(row[0]) if row else "")


class Saved(msgspec.Struct, frozen=True):
    """A backup that was tried."""

    file: str
    bytes: int
    digest: Digest
    epoch: int


def save(place: Place, file: Path) -> Saved:
    """Writes and tries it. Raises StoreError: FINDING what was written is not what is held; CANNOT_CREATE."""
    if place.settings().dsn:
        text = "this store's PostgreSQL is another's (--dsn): back it up with its own tools (pg_basebackup, pg_dump)"
        raise StoreError(CANNOT_CREATE, text)
    if file.exists():
        raise StoreError(CANNOT_CREATE, f"{file} is there already: name another file")
    part = file.with_name(file.name + ".part")
    with place.answering() as database:
        try:
            out = part.open("xb")
        except FileExistsError as error:
            # Not ours to take away: what another one is writing would be gone under it.
            text = f"{part} is there: another backup is writing it, or one was cut off; take it away then"
            raise StoreError(CANNOT_CREATE, text) from error
        except OSError as error:
            raise _unwritten(file, error) from error
        try:
            try:
                with out:
                    part.chmod(0o600)
                    _copy(place.cluster, out.fileno())
                    os.fsync(out.fileno())
            except (OSError, ClusterUnusable) as error:
                raise _unwritten(file, error) from error
            held = _tried(part, database)
            with database.connect_now(RECEIVE) as connection:
                row = connection.execute("SELECT epoch FROM store").fetchone()
            if file.exists():
                raise StoreError(CANNOT_CREATE, f"{file} came there meanwhile: name another file")
            part.rename(file)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    return Saved(str(file), file.stat().st_size, held, int(row[0]) if row else 0)


def _unwritten(file: Path, error: Exception) -> StoreError:
    return StoreError(CANNOT_CREATE, f"the backup {file} cannot be written: {error}")


def _copy(cluster: Cluster, out: int) -> None:
    """One tar, packed: the files and the log that makes them whole."""
    command = [
        str(binaries() / "pg_basebackup"),
        *("--pgdata=-", "--format=tar", "--wal-method=fetch", "--gzip", "--checkpoint=fast", "--no-password"),
        f"--dbname={cluster.dsn('postgres', BACKUP)}",
    ]
    done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ClusterUnusable(f"pg_basebackup: {said[-1] if said else 'it failed'}")


def _tried(file: Path, live: Database) -> Digest:
    """Put back beside the store, looked over, and compared with the store itself. Raises StoreError."""
    with _scratch(file) as scratch:
        # A store that did not run for months has none ahead, and makes them when it does.
        scratch.maintain()
        found = asyncio.run(_examined(scratch))
        if found:
            raise StoreError(FINDING, f"the backup is not whole: {found[0].where}: {found[0].text}")
        with scratch.connect_now(RECEIVE) as connection:
            copied = digest(connection)
    with live.connect_now(RECEIVE) as connection:
        held = digest(connection, copied.heads)
    if held != copied:
        raise StoreError(FINDING, "the backup holds other batches than the store: it was not kept; try again")
    return copied


async def _examined(database: Database) -> list[Finding]:
    connection = await database.connect(RECEIVE)
    async with connection:
        await connection.execute("SET statement_timeout = 0")
        return await examine(connection, deep=False)


@contextmanager
def _scratch(file: Path) -> Iterator[Database]:
    """A PostgreSQL on the unpacked copy, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pos-app-scratch-", dir=file.parent))
    cluster = Cluster(folder)
    try:
        _unpack(file, cluster.data)
        cluster.start()
        try:
            yield Database(cluster.dsn(DATABASE), private=True)
        finally:
            cluster.stop()
    except (ClusterUnusable, OSError, tarfile.TarError, EOFError) as error:
        raise StoreError(FINDING, f"{file.name} cannot be put back: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unpack(file: Path, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    with tarfile.open(file, "r:gz") as archive:
        archive.extractall(folder, filter="data")


class Restored(msgspec.Struct, frozen=True):
    """A backup in the store's place. `kept`: where the old one lies; `told_anew`: so many events, 0 for none.

    `unsealed`: the sign-in names of those whose apps another `store.key` sealed: no code of theirs is right here.
    """

    digest: Digest
    epoch: int
    kept: Path | None
    told_anew: int
    unsealed: tuple[str, ...] = ()


def restore(place: Place, file: Path) -> Restored:
    """Puts a backup in the store's place and begins an epoch; what was there is kept beside it.

    Raises StoreError: FINDING where the file does not verify; CONFIGURATION where a newer store made it; nothing has
    changed then.
    """
    place.settings()
    sealer = Sealer(place.keys().derived("page"))
    if place.settings().dsn:
        raise StoreError(
            CANNOT_CREATE, "this store's PostgreSQL is another's (--dsn): restore it with its own tools"
        )
    if not file.is_file():
        raise StoreError(CANNOT_CREATE, f"{file} is no file")
    with place.alone():
        if place.cluster.answers():
            raise StoreError(CANNOT_CREATE, "this store's PostgreSQL runs: end store run first")
        with _scratch_beside(place, file) as (unpacked, told_anew):
            kept = None
            if place.cluster.data.exists():
                kept = _name_aside(place)
                place.cluster.data.rename(kept)
            unpacked.rename(place.cluster.data)
        with place.started():
            database = place.database()
            database.migrate()
            with database.connect_now(RECEIVE) as connection:
                held = digest(connection)
                row = connection.execute(
                    "UPDATE store SET epoch = epoch + 1, epoch_began = now() RETURNING epoch"
                ).fetchone()
                connection.execute("INSERT INTO incident (shop, kind) SELECT shop, 'restored' FROM shop")
                # Each owner reads of it: what was told to the store since that copy comes again.
                for (shop,) in connection.execute("SELECT shop FROM shop ORDER BY shop").fetchall():
                    acts.write_now(connection, Act(kind="restored", shop=shop, subject=file.name))
            with database.connect_now(DOOR) as connection:
                unsealed = unsealed_by(connection, sealer)
    return Restored(held, int(row[0]) if row else 0, kept, told_anew, unsealed)


def _name_aside(place: Place) -> Path:
    """By the time; another one's of the same second has it already."""
    name = f"{place.cluster.data.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(path for path in map(place.folder.joinpath, names) if not path.exists())


@contextmanager
def _scratch_beside(place: Place, file: Path) -> Iterator[tuple[Path, int]]:
    """The unpacked copy, looked over deeply, on the same disk as the place it is for; how much was told anew in it."""
    folder = Path(tempfile.mkdtemp(prefix="pos-app-scratch-", dir=place.folder))
    cluster = Cluster(folder)
    try:
        _unpack(file, cluster.data)
        cluster.start()
        try:
            database = Database(cluster.dsn(DATABASE), private=True)
            # An older program's copy has neither this one's tables nor the months that run now.
            database.migrate()
            told_anew, found = asyncio.run(_made_whole(database))
        except TooNew as error:
            raise StoreError(CONFIGURATION, f"{file}: {error}") from error
        finally:
            cluster.stop()
        if found:
            raise StoreError(FINDING, f"{file} is not whole: {found[0].where}: {found[0].text}")
        yield cluster.data, told_anew
    except (ClusterUnusable, OSError, tarfile.TarError, EOFError, psycopg.Error) as error:
        raise StoreError(FINDING, f"{file} cannot be put back: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _made_whole(database: Database) -> tuple[int, list[Finding]]:
    """What is wrong with a copy, the worst first; where it is in its figures alone, they are told anew: how much."""
    connection = await database.connect(RECEIVE)
    async with connection:
        await connection.execute("SET statement_timeout = 0")
        await connection.execute("SET idle_in_transaction_session_timeout = 0")
        found = sorted(await examine(connection, deep=True), key=lambda each: each.what in READ_OFF)
        if not found or found[0].what not in READ_OFF:
            return 0, found
        told_anew = await rebuild(connection)
        return told_anew, await examine(connection, deep=True)
