"""The verbs `pos-app store …`: each does one thing and says it, as words or as one JSON object a line."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256

from pos_app.domain.text import is_plain
from pos_app.store import acts, backup, keys, recount
from pos_app.store.accounts.accounts import LINK_HOURS, SHOWN_MOST, owners_link
from pos_app.store.acts import Act
from pos_app.store.cluster import ClusterUnusable
from pos_app.store.database import BECOME, DOOR, RECEIVE, Database, TooNew
from pos_app.store.errors import CANNOT_CREATE, CONFIGURATION, FINDING, OK, UNAVAILABLE, USAGE, StoreError
from pos_app.store.joining import CODE_MINUTES, give_code, refuse_keys
from pos_app.store.pages.site import PageConfig, Site
from pos_app.store.place import DATABASE, Place, Settings, checked, read_dsn
from pos_app.store.running import Listening, is_loopback, run
from pos_app.store.server import Side

NAME_MOST = 80
FIRST_OWNER = "owner"
_CUTOFF = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_CUTOFF_MINUTES = 4 * 60
"""When a new shop's day begins: where a counter's ends unless its settings say otherwise (`[day] cutoff`)."""

Connection = psycopg.Connection[tuple[Any, ...]]


class Teller:
    """What a verb says: lines for people, or one JSON object a line; `write` takes each.

    `plain` makes of a text one line that moves no terminal: what counters told is in it.
    """

    def __init__(self, write: Callable[[str], None], plain: Callable[[str], str], *, as_json: bool) -> None:
        self._write = write
        self._plain = plain
        self._as_json = as_json

    def say(self, value: Mapping[str, Any], *lines: str) -> None:
        """These lines; `value` is the same for programs."""
        text = json.dumps(value, ensure_ascii=False) if self._as_json else "\n".join(map(self._plain, lines))
        self._write(text)


def name_of(text: str, field: str, most: int = NAME_MOST, example: str = "Main street") -> str:
    """A name that people read. Raises StoreError."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= most or not is_plain(name):
        raise StoreError(USAGE, f"{field}: 1 to {most} printable characters, for example {example!r}")
    return name


def cutoff_of(text: str) -> int:
    """Minutes behind midnight. Raises StoreError."""
    read = _CUTOFF.fullmatch(text)
    if read is None:
        raise StoreError(USAGE, f"--cutoff {text!r}: a time from 00:00 to 23:59, for example 04:00")
    return int(read[1]) * 60 + int(read[2])


def init(folder: Path | None, dsn: str, name: str, shop: str, tell: Teller) -> int:
    """A new store: its PostgreSQL (or tables in another's), its key, its first shop."""
    name = name_of(name, "--name")
    shop = name_of(shop, "--shop") if shop else name
    dsn = read_dsn(dsn) if dsn else ""
    place = Place(folder)
    with place.alone():
        if place.is_made:
            raise StoreError(
                CANNOT_CREATE, f"there is a store in {place.folder} already: store run serves it"
            )
        if not dsn:
            _make_cluster(place)
        if not place.key_file.exists():
            try:
                keys.make(place.key_file)
            except OSError as error:
                raise StoreError(CANNOT_CREATE, f"{place.key_file}: {error.strerror}") from error
        with _for_init(place, dsn) as database:
            try:
                database.migrate()
                with database.connect_now(RECEIVE) as connection, connection.transaction():
                    if connection.execute("SELECT 1 FROM store").fetchone() is None:
                        store_id = f"st-{secrets.token_hex(6)}"
                        connection.execute(
                            "INSERT INTO store (store_id, name) VALUES (%s, %s)", (store_id, name)
                        )
                    number = _add_shop(connection, shop, exists_ok=True)
                link = _give_link(database, number, FIRST_OWNER, "")
            except psycopg.errors.InsufficientPrivilege as error:
                text = (
                    f"the tables cannot be made: {_why(error)}; the user of --dsn makes roles (CREATEROLE) and owns "
                    f"the database, or an administrator makes {', '.join(BECOME)} before: docs/store-service.md"
                )
                raise StoreError(CANNOT_CREATE, text) from error
            except psycopg.Error as error:
                raise StoreError(CANNOT_CREATE, f"the tables cannot be made: {_why(error)}") from error
        place.write_settings(Settings(dsn=dsn))
    said = {
        "data": str(place.folder),
        "name": name,
        "shop": number,
        "shop_name": shop,
        "key": str(place.key_file),
        "link": link,
    }
    tell.say(
        said,
        f"The store {name!r} is in {place.folder}, with shop {number} ({shop}).",
        f"Its key is {place.key_file}: keep a copy of it apart from backups.",
        f"Its owner chooses a password, once, within {LINK_HOURS} hours, at the address that store run says and",
        link,
    )
    return OK


def _make_cluster(place: Place) -> None:
    if place.cluster.exists:
        return  # an init that was cut off: gone on with
    try:
        place.cluster.make()
    except (ClusterUnusable, OSError) as error:
        raise StoreError(CANNOT_CREATE, str(error)) from error


@contextmanager
def _for_init(place: Place, dsn: str) -> Iterator[Database]:
    """The database that is to be filled: of the cluster just made, which is started for as long, or the one named."""
    if dsn:
        yield Database(dsn)
        return
    cluster = place.cluster
    try:
        cluster.start()
        try:
            with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as connection:
                found = connection.execute(
                    "SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)
                ).fetchone()
                if found is None:
                    connection.execute("CREATE DATABASE pos_store")
            yield Database(cluster.dsn(DATABASE), private=True)
        finally:
            cluster.stop()
    except (ClusterUnusable, OSError) as error:
        raise StoreError(CANNOT_CREATE, _why(error)) from error


def serve(
    folder: Path | None,
    listening: Listening,
    tell: Teller,
    sides: Callable[[Database, Place, Listening], list[Side]] | None = None,
) -> int:
    """Until SIGTERM or Ctrl-C. One line with the address once it serves."""
    listening.checked()
    place = Place(folder)
    place.keys()
    with place.alone(), place.started():
        database = place.database()
        try:
            database.migrate()
        except psycopg.errors.InsufficientPrivilege:
            checked(database)  # somebody else migrates it; it is served as it is
        except psycopg.OperationalError as error:
            raise StoreError(UNAVAILABLE, f"the store's database does not answer: {_why(error)}") from error
        except TooNew as error:
            raise StoreError(CONFIGURATION, str(error)) from error
        cluster = None if place.settings().dsn else place.cluster
        made = [page(database, place, listening)] if sides is None else sides(database, place, listening)

        def started(url: str) -> None:
            tell.say({"url": url, "data": str(place.folder)}, f"The store serves at {url}; Ctrl-C ends it.")

        run(database, cluster, place.folder, listening, started, made)
    return OK


def page(database: Database, place: Place, listening: Listening) -> Side:
    """The owner's page as it is served there. Raises StoreError: the certificate cannot be read."""
    is_tls = listening.certificate is not None or listening.behind_proxy
    pin = "" if listening.certificate is None else _pin_of(listening.certificate)
    is_alone = not is_tls and is_loopback(listening.host)
    key = place.keys().derived("page")
    return Site(database, PageConfig(key=key, is_tls=is_tls, pin=pin, needs_app=not is_alone))


def _pin_of(certificate: Path) -> str:
    """The fingerprint of what a counter is to trust: the last certificate of the file."""
    try:
        last = x509.load_pem_x509_certificates(certificate.read_bytes())[-1]
    except (OSError, ValueError) as error:
        raise StoreError(
            USAGE, f"--tls-cert {certificate}: it cannot be read as PEM: {_why(error)}"
        ) from error
    return last.fingerprint(SHA256()).hex()


def link(folder: Path | None, name: str, shop: str, shown: str, tell: Teller) -> int:
    """A one-time link for an owner of a shop, made where there is none of that name: a new password, a new app."""
    shown = name_of(shown, "--shown", SHOWN_MOST, "Nimali Perera") if shown else ""
    with Place(folder).answering() as database:
        with database.connect_now(RECEIVE) as connection:
            number, shop_name = find_shop(connection, shop or _first_shop(connection))
        path = _give_link(database, number, name, shown)
        tell.say(
            {"link": path, "name": name, "shop": number, "shop_name": shop_name},
            f"{name} of {shop_name} chooses a password, once, within {LINK_HOURS} hours, at the page's address and",
            path,
        )
    return OK


def _first_shop(connection: Connection) -> str:
    row = connection.execute("SELECT shop FROM shop ORDER BY shop LIMIT 1").fetchone()
    return str(row[0]) if row else ""


def _give_link(database: Database, shop: int, name: str, shown: str) -> str:
    with database.connect_now(DOOR) as connection:
        try:
            return f"/link/{owners_link(connection, shop, name, shown)}"
        except ValueError as error:
            raise StoreError(USAGE, f"NAME {name!r}: {error}") from error


def check(folder: Path | None, tell: Teller, *, deep: bool) -> int:
    """Heads, sums, row security, partitions; deep: every signature, and everything told anew beside it."""
    with Place(folder).answering() as database:
        found = asyncio.run(_examined(database, deep=deep))
        for each in found:
            tell.say(recount.as_row(each), f"{each.what}: {each.where}: {each.text}")
    if not found:
        tell.say({"finding": None, "deep": deep}, "Everything is as it has to be.")
    return FINDING if found else OK


async def _examined(database: Database, *, deep: bool) -> list[recount.Finding]:
    connection = await _patient(database)
    async with connection:
        return await recount.examine(connection, deep=deep)


async def _patient(database: Database) -> Any:
    try:
        connection = await database.connect(RECEIVE)
    except psycopg.Error as error:
        raise StoreError(UNAVAILABLE, f"the store's database does not answer: {_why(error)}") from error
    await connection.execute("SET statement_timeout = 0")
    await connection.execute("SET idle_in_transaction_session_timeout = 0")
    return connection


def rebuild(folder: Path | None, tell: Teller) -> int:
    """Everything that is read off the batches, anew; counters wait meanwhile."""

    async def work(database: Database) -> int:
        connection = await _patient(database)
        async with connection:
            return await recount.rebuild(connection)

    with Place(folder).answering() as database:
        told = asyncio.run(work(database))
    tell.say({"events": told}, f"{told} events were told anew.")
    return OK


def save(folder: Path | None, file: Path, tell: Teller) -> int:
    """A copy of all but the keys, tried by a scratch restore."""
    place = Place(folder)
    saved = backup.save(place, file.absolute())
    events = sum(saved.digest.heads.values())
    value = {
        "file": saved.file, "bytes": saved.bytes, "counters": len(saved.digest.heads), "events": events,
        "digest": saved.digest.batches, "epoch": saved.epoch, "verified": True,
    }  # fmt: skip
    tell.say(
        value,
        f"{saved.file}: {events} events of {len(saved.digest.heads)} journals, {saved.bytes} bytes, "
        f"put back beside the store and found equal.",
        f"The key is not in it: {place.key_file}",
    )
    return OK


def put_back(folder: Path | None, file: Path, tell: Teller) -> int:
    """A backup in the store's place; counters send again what it lacks."""
    place = Place(folder)
    done = backup.restore(place, file.absolute())
    value = {
        "epoch": done.epoch, "digest": done.digest.batches, "events": sum(done.digest.heads.values()),
        "kept": None if done.kept is None else str(done.kept), "told_anew": done.told_anew,
        "unsealed": list(done.unsealed),
    }  # fmt: skip
    anew = (
        f" Its figures did not follow from its batches: all {done.told_anew} events were told anew."
        if done.told_anew
        else ""
    )
    before = "" if done.kept is None else f" What was there is kept in {done.kept}."
    tell.say(
        value,
        f"Restored, with every signature proven; epoch {done.epoch} begins.{anew}{before}",
        "Signed days, refused keys and people are as they were in the copy: refuse again whom you refused since, "
        "before `store run`.",
        *_unsealed(place, done.unsealed),
    )
    return OK


def _unsealed(place: Place, names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        return ()
    said = (
        f"Another key sealed the apps of {', '.join(names)}: no code of theirs is right here. Put the store.key of "
        f"that store in the place of {place.key_file}; where it is lost, `store link NAME` for each."
    )
    return (said,)


_COUNTERS = """SELECT i.installation, i.state, p.shop, p.name, c.name, c.merchant_id, c.counter_id, i.head_seq,
n.seen, n.waiting, n.version, n.skew_ms FROM installation i JOIN counter c USING (counter)
JOIN shop p ON p.shop = i.shop LEFT JOIN counter_now n ON n.counter = i.counter AND n.life = i.life
ORDER BY p.shop, c.counter_id, i.life"""


def counters(folder: Path | None, tell: Teller) -> int:
    """Every journal that joined, whose it is and how it does."""
    with Place(folder).answering() as database, database.connect_now(RECEIVE) as connection:
        found = connection.execute(_COUNTERS).fetchall()
    for row in found:
        installation, state, shop, shop_name, name, merchant, number, head, seen, waiting, version, skew = row
        value = {
            "installation": installation, "state": state, "shop": shop, "shop_name": shop_name, "counter": name,
            "merchant_id": merchant, "counter_id": number, "events": head,
            "seen": None if seen is None else seen.isoformat(timespec="seconds"), "waiting": waiting,
            "version": version, "clock_ahead_ms": skew,
        }  # fmt: skip
        when = "an older journal" if seen is None else f"seen {seen:%Y-%m-%d %H:%M} UTC"
        tell.say(value, f"{installation}  {state}  {shop_name} / {name}  {head} events  {when}")
    return OK


def revoke(folder: Path | None, installation: str, tell: Teller) -> int:
    """This journal's key is refused from now on, of all its lives: what the commit finds on its way does not enter."""
    with Place(folder).answering() as database:
        done = asyncio.run(refuse_key(database, installation.replace("\0", "")))
    if not done:
        raise StoreError(FINDING, f"{installation!r} is no installation here: store counters lists them")
    text = f"The key of {installation} is refused. What it may do at the payment service is ended only there."
    tell.say({"installation": installation, "state": "revoked"}, text)
    return OK


async def refuse_key(database: Database, installation: str) -> bool:
    """With every life that signs under its key; False: no such installation."""
    connection = await _patient(database)
    async with connection, connection.transaction():
        cursor = await connection.execute(
            "SELECT shop FROM installation WHERE installation = %s", (installation,)
        )
        row = await cursor.fetchone()
        if row is None:
            return False
        act = Act(kind="counter_revoked", shop=row[0], subject=installation)
        lives = await refuse_keys(connection, act, installation=installation)
        await connection.execute("DELETE FROM counter_session WHERE life = ANY (%s)", (lives,))
        await connection.execute(
            "UPDATE counter_now SET changed = clock_timestamp() WHERE life = ANY (%s)", (lives,)
        )
    return True


def code(folder: Path | None, shop: str, tell: Teller) -> int:
    """A joining code for one counter of a shop."""
    with Place(folder).answering() as database, database.connect_now(RECEIVE) as connection:
        number, name = find_shop(connection, shop)
        with connection.transaction():
            acts.write_now(connection, Act(kind="code_made", shop=number))
            given = give_code(connection, number)
        value = {"code": given, "shop": number, "shop_name": name, "minutes": CODE_MINUTES}
        # Before others are waited for: its minutes run.
        tell.say(value, f"{given} joins one counter to {name} within {CODE_MINUTES} minutes.")
    return OK


def find_shop(connection: Connection, shop: str) -> tuple[int, str]:
    """By its number or its name. Raises StoreError."""
    row = connection.execute(
        "SELECT shop, name FROM shop WHERE shop::text = %(asked)s OR name = %(asked)s "
        "ORDER BY shop::text <> %(asked)s LIMIT 1",
        # No database takes what is no text: bytes of another encoding, as they come from a line.
        {"asked": " ".join(shop.encode(errors="replace").decode().replace("\0", "").split())},
    ).fetchone()
    if row is None:
        raise StoreError(
            FINDING, f"SHOP {shop!r}: there is no such shop, by number or name; store shop lists them"
        )
    return int(row[0]), str(row[1])


def shops(folder: Path | None, tell: Teller, name: str = "", cutoff: str = "", rename: str = "") -> int:
    """Lists them; with a name, makes or changes one."""
    minutes = cutoff_of(cutoff) if cutoff else None
    rename = name_of(rename, "--rename") if rename else ""
    with Place(folder).answering() as database, database.connect_now(RECEIVE) as connection:
        if name:
            number = _known_or_made(connection, name, needs_one=bool(rename))
            if rename or minutes is not None:
                asyncio.run(_changed(database, number, minutes, rename))
        elif minutes is not None or rename:
            raise StoreError(
                USAGE, "--cutoff and --rename are of one shop: name it, for example store shop 1"
            )
        for number, shown, at in connection.execute("SELECT shop, name, cutoff_minutes FROM shop ORDER BY 1"):
            day = f"{at // 60:02d}:{at % 60:02d}"
            tell.say({"shop": number, "name": shown, "cutoff": day}, f"{number}  {shown}  day begins {day}")
    return OK


def _known_or_made(connection: Connection, name: str, *, needs_one: bool) -> int:
    try:
        return find_shop(connection, name)[0]
    except StoreError:
        if needs_one or name.isdecimal():
            raise
    with connection.transaction():
        return _add_shop(connection, name_of(name, "SHOP"), exists_ok=False)


async def _changed(database: Database, number: int, minutes: int | None, rename: str) -> None:
    """All of it with its act, or nothing; a day that begins at another time has all figures told anew."""
    connection = await _patient(database)
    begins = "" if minutes is None else f"{minutes // 60:02d}:{minutes % 60:02d}"
    async with connection, connection.transaction():
        subject = " ".join(filter(None, (rename, begins)))
        await acts.write(connection, Act(kind="shop_changed", shop=number, subject=subject))
        if rename:
            try:
                await connection.execute("UPDATE shop SET name = %s WHERE shop = %s", (rename, number))
            except psycopg.errors.UniqueViolation as error:
                raise StoreError(USAGE, f"--rename {rename!r}: another shop is called that") from error
        if minutes is not None:
            await recount.move_days(connection, number, minutes)


def _add_shop(connection: Connection, name: str, *, exists_ok: bool) -> int:
    if exists_ok:
        found = connection.execute("SELECT shop FROM shop WHERE name = %s", (name,)).fetchone()
        if found is not None:
            return int(found[0])
    row = connection.execute(
        "INSERT INTO shop (name, cutoff_minutes) VALUES (%s, %s) RETURNING shop", (name, _CUTOFF_MINUTES)
    ).fetchone()
    number = int(row[0]) if row else 0
    acts.write_now(connection, Act(kind="shop_made", shop=number, subject=name))
    return number


def _why(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
