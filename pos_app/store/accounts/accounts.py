"""Accounts as they stand in the database: links, passwords, second factors, sessions. Reads and writes as pos_door.

Each change of an account is one transaction with its act. What somebody types is counted before it is looked at, so
that neither a crash nor many tries at once give a free one.
"""

from __future__ import annotations

import re
import secrets
from enum import StrEnum
from hashlib import sha256
from typing import Any

import msgspec
import psycopg
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pos_app.domain.secret import Secret
from pos_app.store import acts
from pos_app.store.accounts import totp
from pos_app.store.accounts.delays import FORGOTTEN_S, left_s
from pos_app.store.accounts.passwords import Passwords
from pos_app.store.accounts.tokens import digest_of, new_token
from pos_app.store.acts import Act
from pos_app.store.database import Connection, Pool, one_row

LINK_HOURS = 48
IDLE_MINUTES, WHOLE_HOURS = 30, 12
SEEN_S = 30
"""A session that was used is written down so often at most."""
NAME = re.compile(r"[a-z0-9.-]{3,40}")
SHOWN_MOST = 60


class Role(StrEnum):
    """What somebody may do for a shop; each may what the next may."""

    OWNER = "owner"
    MANAGER = "manager"
    READER = "reader"

    def may(self, needed: Role) -> bool:
        """Whether this role includes another."""
        order = [*Role]
        return order.index(self) <= order.index(needed)


class Stage(StrEnum):
    """How far a session has come: owes a code, owes the set-up of an app, or is in."""

    CODE = "code"
    APP = "app"
    IN = "in"


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Who a session belongs to. `shops`: by shop, the role there; `has_app`: signing in asks for a code."""

    account: int
    name: str
    shown: str
    language: str
    stage: Stage
    shops: dict[int, Role] = {}
    has_app: bool = False
    token: str = ""

    def with_role(self, needed: Role) -> tuple[int, ...]:
        """The shops for which this person's role includes it."""
        return tuple(sorted(shop for shop, role in self.shops.items() if role.may(needed)))


class Wait(Exception):
    """Too many wrong ones in a row; `seconds` until the next is looked at."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Taken(Exception):
    """A sign-in name that another account has."""


class Sealer:
    """Secrets as they lie in the database: closed with a key that lies outside it."""

    def __init__(self, key: bytes) -> None:
        """`key`: 32 bytes."""
        self._box = AESGCM(key)

    def seal(self, secret: bytes, of: str) -> bytes:
        """`of` whom it is; opened for nobody else."""
        drawn = secrets.token_bytes(12)
        return drawn + self._box.encrypt(drawn, secret, of.encode())

    def open(self, sealed: bytes, of: str) -> bytes | None:
        """None: another key sealed it, or it was changed."""
        try:
            return self._box.decrypt(sealed[:12], sealed[12:], of.encode())
        except InvalidTag:
            return None


_READER = """SELECT a.account, a.name, a.shown, a.language, s.stage, a.totp IS NOT NULL,
  extract(epoch FROM clock_timestamp() - s.seen),
  ARRAY(SELECT ARRAY[r.shop::text, r.role] FROM reader r WHERE r.account = a.account ORDER BY 1)
FROM page_session s JOIN account a USING (account)
WHERE s.digest = %s AND s.seen > now() - make_interval(mins => %s) AND s.made > now() - make_interval(hours => %s)"""


class Accounts:
    """The door of the page. One for each running store. `needs_app`: no session is in without a second factor."""

    def __init__(
        self, pool: Pool, passwords: Passwords, sealer: Sealer, *, needs_app: bool, store_name: str
    ) -> None:
        """`pool`: of role pos_door."""
        self._pool = pool
        self._passwords = passwords
        self._sealer = sealer
        self._needs_app = needs_app
        self._store_name = store_name

    # Sessions

    async def reader(self, token: str, *, touch: bool = True) -> Reader | None:
        """Whose session this is; None: nobody's, or it is over. `touch` False: looking on keeps no session alive."""
        async with self._pool.lend() as connection:
            cursor = await connection.execute(_READER, (digest_of(token), IDLE_MINUTES, WHOLE_HOURS))
            row = await cursor.fetchone()
            if row is None:
                return None
            account, name, shown, language, stage, has_app, idle, shops = row
            if touch and idle > SEEN_S:
                await connection.execute(
                    "UPDATE page_session SET seen = now() WHERE digest = %s", (digest_of(token),)
                )
                await connection.execute("UPDATE account SET seen = now() WHERE account = %s", (account,))
        return Reader(
            account=account, name=name, shown=shown, language=language, stage=Stage(stage), has_app=has_app,
            shops={int(shop): Role(role) for shop, role in shops}, token=token,
        )  # fmt: skip

    async def sign_out(self, token: str) -> None:
        """Ends this session."""
        async with self._pool.lend() as connection:
            await connection.execute("DELETE FROM page_session WHERE digest = %s", (digest_of(token),))

    async def sign_out_elsewhere(self, reader: Reader) -> None:
        """Ends each other session of this person."""
        async with self._pool.lend() as connection, connection.transaction():
            await acts.write(connection, _by(reader, "signed_out"))
            await connection.execute(
                "DELETE FROM page_session WHERE account = %s AND digest <> %s",
                (reader.account, digest_of(reader.token)),
            )

    async def _begin(self, connection: Connection, account: int, stage: Stage) -> str:
        token = new_token()
        if stage is Stage.IN:
            await connection.execute("UPDATE account SET seen = now() WHERE account = %s", (account,))
        await connection.execute(
            "DELETE FROM page_session WHERE seen < now() - make_interval(mins => %s) "
            "OR made < now() - make_interval(hours => %s)",
            (IDLE_MINUTES, WHOLE_HOURS),
        )
        await connection.execute(
            "DELETE FROM login_try WHERE last < now() - make_interval(secs => %s)", (FORGOTTEN_S,)
        )
        await connection.execute(
            "INSERT INTO page_session (digest, account, stage) VALUES (%s, %s, %s)",
            (digest_of(token), account, stage),
        )
        return token

    async def _go_on(self, connection: Connection, reader: Reader, stage: Stage) -> str:
        """A session that comes further has a new token: who saw the old one has nothing."""
        await connection.execute("DELETE FROM page_session WHERE digest = %s", (digest_of(reader.token),))
        return await self._begin(connection, reader.account, stage)

    # Signing in

    async def sign_in(self, name: str, password: Secret) -> tuple[str, Stage] | None:
        """A session's token and how far it has come; None: name or password is not right. Raises Wait, Busy."""
        # The turn first: what nobody looks at is no try, neither of a person nor of a crowd of names.
        with self._passwords.turn():
            return await self._sign_in(name.strip().lower(), password)

    async def _sign_in(self, name: str, password: Secret) -> tuple[str, Stage] | None:
        await self._count(_tried(name))
        async with self._pool.lend() as connection:
            cursor = await connection.execute(
                "SELECT account, password, totp IS NOT NULL FROM account WHERE name = %s",
                (name.replace("\0", ""),),
            )
            row = await cursor.fetchone()
        account, hashed, has_app = row or (0, None, False)
        if not await self._passwords.is_right(password, hashed):
            return None
        async with self._pool.lend() as connection, connection.transaction():
            # Not a second time if the password was changed meanwhile.
            cursor = await connection.execute(
                "SELECT 1 FROM account WHERE account = %s AND password = %s FOR UPDATE", (account, hashed)
            )
            if await cursor.fetchone() is None:
                return None
            await connection.execute("DELETE FROM login_try WHERE name = %s", (_tried(name),))
            stage = self._stage_of(has_app=has_app)
            return await self._begin(connection, account, stage), stage

    def _stage_of(self, *, has_app: bool) -> Stage:
        if has_app:
            return Stage.CODE
        return Stage.APP if self._needs_app else Stage.IN

    async def _count(self, tried: bytes) -> None:
        """Writes down that something is tried, before it is looked at. Raises Wait."""
        async with self._pool.lend() as connection, connection.transaction():
            # In one: a row that is just being taken away is waited for, and made anew.
            row = await one_row(
                connection,
                "INSERT INTO login_try AS t (name, wrong) VALUES (%s, 0) "
                "ON CONFLICT (name) DO UPDATE SET wrong = t.wrong "
                "RETURNING wrong, extract(epoch FROM clock_timestamp() - last)",
                (tried,),
            )
            wrong, since = row[0], float(row[1])
            left = left_s(wrong, since)
            if not left:
                await connection.execute(
                    "UPDATE login_try SET wrong = %s, last = clock_timestamp() WHERE name = %s",
                    (1 if since > FORGOTTEN_S else wrong + 1, tried),
                )
        if left:
            raise Wait(left)

    async def give_code(self, reader: Reader, typed: str, now: float) -> str | None:
        """The second step: a code of the app, or a recovery code; the new token. None: wrong. Raises Wait.

        `now`: Unix time in seconds.
        """
        tried = _tried(f"{reader.account} code")
        await self._count(tried)
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT totp, totp_step FROM account WHERE account = %s FOR UPDATE", (reader.account,)
            )
            row = await cursor.fetchone()
            if row is None or reader.stage is not Stage.CODE:
                return None
            secret = self._sealer.open(row[0], reader.name) if row[0] is not None else None
            step = totp.step_of(secret, typed, now, row[1]) if secret is not None else None
            if step is not None:
                await connection.execute(
                    "UPDATE account SET totp_step = %s WHERE account = %s", (step, reader.account)
                )
            elif not await self._use_recovery(connection, reader, typed):
                return None
            await connection.execute("DELETE FROM login_try WHERE name = %s", (tried,))
            return await self._go_on(connection, reader, Stage.IN)

    async def _use_recovery(self, connection: Connection, reader: Reader, typed: str) -> bool:
        digest = totp.digest_of_recovery(typed)
        if digest is None:
            return False
        cursor = await connection.execute(
            "SELECT 1 FROM recovery_code WHERE digest = %s AND account = %s FOR UPDATE",
            (digest, reader.account),
        )
        if await cursor.fetchone() is None:
            return False
        await acts.write(connection, _by(reader, "code_used"))
        await connection.execute("DELETE FROM recovery_code WHERE digest = %s", (digest,))
        return True

    # Links

    async def linked(self, link: str) -> tuple[str, str] | None:
        """Sign-in name and name of whom a link is for; None: used, too old, or none."""
        async with self._pool.lend() as connection:
            cursor = await connection.execute(
                "SELECT name, shown FROM account_link JOIN account USING (account) WHERE digest = %s AND until > now()",
                (digest_of(link),),
            )
            return await cursor.fetchone()

    async def use_link(self, link: str, password: Secret) -> tuple[str, Stage] | None:
        """Sets the password and signs in; None: the link was used or is too old. Raises Busy.

        The account begins anew: every session, every link and an app that was set up end with it.
        """
        with self._passwords.turn():
            hashed = await self._passwords.hashed(password)
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT account, a.name, a.shown FROM account_link JOIN account a USING (account) "
                "WHERE digest = %s AND until > now() FOR UPDATE",
                (digest_of(link),),
            )
            row = await cursor.fetchone()
            if row is None:
                return None
            account, name, shown = row
            await acts.write(connection, Act(kind="password_set", account=account, who=shown))
            await connection.execute(
                "UPDATE account SET password = %s, totp = NULL WHERE account = %s", (hashed, account)
            )
            for ends in (
                "DELETE FROM account_link WHERE account = %s",
                "DELETE FROM page_session WHERE account = %s",
                "DELETE FROM recovery_code WHERE account = %s",
            ):
                await connection.execute(ends, (account,))
            await connection.execute("DELETE FROM login_try WHERE name = %s", (_tried(name),))
            stage = self._stage_of(has_app=False)
            return await self._begin(connection, account, stage), stage

    # The account itself

    async def change_password(self, reader: Reader, old: Secret, new: Secret) -> bool:
        """False: the old one is not right. Every other session ends. Raises Wait, Busy."""
        with self._passwords.turn():
            return await self._change_password(reader, old, new)

    async def _change_password(self, reader: Reader, old: Secret, new: Secret) -> bool:
        tried = _tried(f"{reader.account} password")
        await self._count(tried)
        async with self._pool.lend() as connection:
            cursor = await connection.execute(
                "SELECT password FROM account WHERE account = %s", (reader.account,)
            )
            row = await cursor.fetchone()
        if row is None or not await self._passwords.is_right(old, row[0]):
            return False
        hashed = await self._passwords.hashed(new)
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT 1 FROM account WHERE account = %s AND password = %s FOR UPDATE",
                (reader.account, row[0]),
            )
            if await cursor.fetchone() is None:
                return False
            await acts.write(connection, _by(reader, "password_set"))
            await connection.execute(
                "UPDATE account SET password = %s WHERE account = %s", (hashed, reader.account)
            )
            await connection.execute("DELETE FROM login_try WHERE name = %s", (tried,))
            await connection.execute(
                "DELETE FROM page_session WHERE account = %s AND digest <> %s",
                (reader.account, digest_of(reader.token)),
            )
        return True

    async def speak(self, reader: Reader, language: str) -> None:
        """The language of this person's pages from now on."""
        async with self._pool.lend() as connection, connection.transaction():
            await acts.write(connection, _by(reader, "language", subject=language))
            await connection.execute(
                "UPDATE account SET language = %s WHERE account = %s", (language, reader.account)
            )

    async def offered_app(self, reader: Reader) -> bytes:
        """The secret that this session may set up: the same until it is set up, or the session ends."""
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT fresh_totp FROM page_session WHERE digest = %s FOR UPDATE", (digest_of(reader.token),)
            )
            row = await cursor.fetchone()
            kept = self._sealer.open(row[0], reader.name) if row is not None and row[0] is not None else None
            if kept is not None:
                return kept
            drawn = totp.new_secret()
            await connection.execute(
                "UPDATE page_session SET fresh_totp = %s WHERE digest = %s",
                (self._sealer.seal(drawn, reader.name), digest_of(reader.token)),
            )
            return drawn

    def enrolment(self, reader: Reader, secret: bytes) -> str:
        """What the QR code of an app's set-up holds."""
        return totp.enrolment(secret, reader.name, self._store_name)

    async def set_app(self, reader: Reader, typed: str, now: float) -> tuple[str, tuple[str, ...]] | None:
        """Switches the app on; the new token, and recovery codes to be shown once. None: a wrong code. Raises Wait."""
        tried = _tried(f"{reader.account} app")
        await self._count(tried)
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT fresh_totp FROM page_session WHERE digest = %s FOR UPDATE", (digest_of(reader.token),)
            )
            row = await cursor.fetchone()
            secret = (
                self._sealer.open(row[0], reader.name) if row is not None and row[0] is not None else None
            )
            step = None if secret is None else totp.step_of(secret, typed, now, 0)
            if secret is None or step is None or reader.stage is Stage.CODE:
                return None
            await acts.write(connection, _by(reader, "app_set"))
            await connection.execute(
                "UPDATE account SET totp = %s, totp_step = %s WHERE account = %s",
                (self._sealer.seal(secret, reader.name), step, reader.account),
            )
            codes = await _new_codes(connection, reader.account)
            await connection.execute("DELETE FROM login_try WHERE name = %s", (tried,))
            return await self._go_on(connection, reader, Stage.IN), codes

    async def codes_left(self, reader: Reader) -> int:
        """How many recovery codes were not used."""
        async with self._pool.lend() as connection:
            cursor = await connection.execute(
                "SELECT count(*) FROM recovery_code WHERE account = %s", (reader.account,)
            )
            row = await cursor.fetchone()
            return int(row[0]) if row else 0

    # People, for an owner

    async def add(self, by: Reader, shop: int, name: str, shown: str, role: Role) -> str:
        """A new account with a role for a shop of `by`; its link's token. Raises Taken, and PermissionError."""
        if shop not in by.with_role(Role.OWNER):
            raise PermissionError(shop)
        async with self._pool.lend() as connection:
            try:
                async with connection.transaction():
                    await acts.write(
                        connection, _by(by, "person_added", shop=shop, subject=f"{shown} ({name}, {role})")
                    )
                    return await _add(connection, shop, name, shown, role, by.language)
            except psycopg.errors.UniqueViolation as error:
                raise Taken(name) from error

    async def new_link(self, by: Reader, shop: int, account: int) -> str | None:
        """A link for somebody who reads a shop of `by`, and no shop that is not theirs; None: there is nobody so.

        Whoever reads another owner's shop too is given a link by whoever runs the store's machine: a link is a way in.
        """
        own = by.with_role(Role.OWNER)
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT a.shown, a.name FROM account a WHERE account = %s "
                "AND EXISTS (SELECT FROM reader r WHERE r.account = a.account AND r.shop = %s) "
                "AND NOT EXISTS (SELECT FROM reader r WHERE r.account = a.account AND r.shop <> ALL (%s))",
                (account, shop if shop in own else -1, list(own)),
            )
            row = await cursor.fetchone()
            if row is None:
                return None
            await acts.write(connection, _by(by, "link_made", shop=shop, subject=f"{row[0]} ({row[1]})"))
            return await _link(connection, account)


def _by(reader: Reader, kind: str, *, shop: int = 0, subject: str = "") -> Act:
    return Act(kind=kind, shop=shop, account=reader.account, who=reader.shown, subject=subject)


def _tried(what: str) -> bytes:
    return sha256(b"pos_app store try 1\0" + what.encode("utf-8", "replace")).digest()


async def _new_codes(connection: Connection, account: int) -> tuple[str, ...]:
    codes = totp.new_recovery_codes()
    await connection.execute("DELETE FROM recovery_code WHERE account = %s", (account,))
    for code in codes:
        await connection.execute(
            "INSERT INTO recovery_code (digest, account) VALUES (%s, %s)",
            (totp.digest_of_recovery(code), account),
        )
    return codes


async def _add(connection: Connection, shop: int, name: str, shown: str, role: Role, language: str) -> str:
    row = await one_row(
        connection,
        "INSERT INTO account (name, shown, language) VALUES (%s, %s, %s) RETURNING account",
        (name, shown, language),
    )
    await connection.execute(
        "INSERT INTO reader (account, shop, role) VALUES (%s, %s, %s)", (row[0], shop, role)
    )
    return await _link(connection, row[0])


async def _link(connection: Connection, account: int) -> str:
    link = new_token()
    await connection.execute("DELETE FROM account_link WHERE account = %s OR until < now()", (account,))
    await connection.execute(
        "INSERT INTO account_link (digest, account, until) VALUES (%s, %s, now() + make_interval(hours => %s))",
        (digest_of(link), account, LINK_HOURS),
    )
    return link


def unsealed_by(connection: psycopg.Connection[Any], sealer: Sealer) -> tuple[str, ...]:
    """The sign-in names of whose app this key does not open. Runs on a connection of role pos_door."""
    rows = connection.execute(
        "SELECT name, totp FROM account WHERE totp IS NOT NULL ORDER BY name"
    ).fetchall()
    return tuple(name for name, sealed in rows if sealer.open(sealed, name) is None)


def owners_link(connection: psycopg.Connection[Any], shop: int, name: str, shown: str) -> str:
    """For whoever runs the store's machine: an owner of a shop, made where there is none of that name, and a link.

    The token; the address is the page's with "/link/" and it. Runs on a connection of role pos_door. ValueError: a
    name that is none.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            "a sign-in name has 3 to 40 small letters, digits, dots or hyphens, for example nimali.perera"
        )
    link = new_token()
    with connection.transaction():
        row = connection.execute("SELECT account, shown FROM account WHERE name = %s", (name,)).fetchone()
        shown = row[1] if row else shown.strip()[:SHOWN_MOST] or name
        subject = f"{shown} ({name})"
        acts.write_now(connection, Act(kind="link_made", shop=shop, subject=subject))
        connection.execute(
            "INSERT INTO account (name, shown) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING", (name, shown)
        )
        [(account,)] = connection.execute("SELECT account FROM account WHERE name = %s", (name,)).fetchall()
        connection.execute(
            "INSERT INTO reader (account, shop, role) VALUES (%s, %s, 'owner') "
            "ON CONFLICT (account, shop) DO UPDATE SET role = 'owner'",
            (account, shop),
        )
        connection.execute("DELETE FROM account_link WHERE account = %s", (account,))
        connection.execute(
            "INSERT INTO account_link (digest, account, until) VALUES (%s, %s, now() + make_interval(hours => %s))",
            (digest_of(link), account, LINK_HOURS),
        )
    return link
