"""How a counter joins with a code, and how it opens a session with its own key; tokens and codes are kept as hashes."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Any

import psycopg
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pos_app.domain.shipping import (
    CODE_LENGTH,
    CODE_SIGNS,
    Challenge,
    Head,
    Joined,
    JoinRequest,
    Session,
    SessionRequest,
    Signed,
    code_key,
    join_proof,
    session_text,
)
from pos_app.domain.text import is_plain
from pos_app.store import acts, beside, origins
from pos_app.store.acts import Act
from pos_app.store.database import Connection, Pool, one_row
from pos_app.store.receive import Known, Refused
from pos_app.store.telling import Teller, moment

CODE_MINUTES, CHALLENGE_S, SESSION_S = 15, 60, 3600
_TRIES_A_MINUTE = 30
"""Of joining, all counters together: a code has 40 bits, and lives for a quarter of an hour."""
_TEXT_MOST = 80

_INSTALLATION = """SELECT i.installation, i.public_key, i.life, i.shop, i.counter, s.cutoff_minutes, i.state
FROM installation i JOIN shop s USING (shop) WHERE i.installation = %s"""
_SESSION = """SELECT i.installation, i.public_key, i.life, i.shop, i.counter, s.cutoff_minutes,
extract(epoch FROM c.until - now()) FROM installation i JOIN shop s USING (shop) JOIN counter_session c USING (life)
WHERE i.state = 'joined' AND c.until > now() AND c.token_hash = %s"""


def new_code() -> str:
    """A joining code as it is shown: 7K2M-Q9XB."""
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    return f"{signs[:4]}-{signs[4:]}"


def give_code(connection: psycopg.Connection[tuple[object, ...]], shop: int) -> str:
    """A code with which one counter may join this shop within CODE_MINUTES."""
    code = new_code()
    connection.execute(_GIVE, (code_key(code.replace("-", "")), shop, CODE_MINUTES))
    return code


_GIVE = """INSERT INTO join_code (code_key, shop, until) VALUES (%s, %s, now() + make_interval(mins => %s))"""


async def give_code_async(connection: Connection, shop: int) -> str:
    """The same on a page's connection, which must be one of role receive."""
    code = new_code()
    key = await asyncio.to_thread(code_key, code.replace("-", ""))
    await connection.execute(_GIVE, (key, shop, CODE_MINUTES))
    return code


_REFUSED = """UPDATE installation SET state = 'revoked', revoked = coalesce(revoked, clock_timestamp())
WHERE shop = %(shop)s AND signer IN (SELECT signer FROM installation
WHERE shop = %(shop)s AND (installation = %(installation)s OR counter = %(counter)s)) RETURNING life"""
_INCIDENT = """INSERT INTO incident (shop, life, kind, detail) SELECT %(shop)s, max(life), 'revoked', %(detail)s
FROM installation WHERE shop = %(shop)s AND (installation = %(installation)s OR counter = %(counter)s)"""


async def refuse_keys(
    connection: Connection, act: Act, *, installation: str = "", counter: int = 0, detail: str = ""
) -> list[int]:
    """Refuses whoever signs as this journal, or as any of this counter's, from this commit on; which lives that were.

    All lives of a journal sign with the same key: a former one would still open a session. In the caller's
    transaction, of a page or of role receive, with its act, which names the shop. Raises psycopg.Error.
    """
    given = {"shop": act.shop, "installation": installation, "counter": counter, "detail": detail}
    await acts.write(connection, act)
    cursor = await connection.execute(_REFUSED, given)
    lives = [row[0] for row in await cursor.fetchall()]
    await connection.execute(_INCIDENT, given)
    return lives


class Joining:
    """Joins, challenges and sessions, on connections of role receive."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tries: list[float] = []
        self._sessions: dict[bytes, tuple[Known, float]] = {}

    async def join(self, request: JoinRequest) -> Joined:
        """Raises Refused: 401 code, 409 it joined otherwise before, 422 for a field that cannot be, 429."""
        _look_at(request)
        self._count_try()
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute("SELECT code_key FROM join_code WHERE until > now()")
            for (key,) in await cursor.fetchall():
                if not hmac.compare_digest(join_proof(key, request), request.proof):
                    continue
                # This one alone is locked: two joins that each lock every code wait for each other.
                cursor = await connection.execute(
                    "SELECT shop, used_by FROM join_code WHERE code_key = %s AND until > now() FOR UPDATE",
                    (key,),
                )
                for shop, used_by in await cursor.fetchall():
                    return await _joined(connection, request, key, shop, used_by)
        raise Refused(
            401, "code", "this code is wrong, used or older than 15 minutes: ask for a new one", "code"
        )

    def _count_try(self) -> None:
        now = asyncio.get_running_loop().time()
        self._tries = [each for each in self._tries if each > now - 60]
        if len(self._tries) >= _TRIES_A_MINUTE:
            text = f"at most {_TRIES_A_MINUTE} joins a minute are tried: wait a minute"
            raise Refused(429, "too_many", text, "", 60)
        self._tries.append(now)

    async def challenge(self, installation: str) -> Challenge:
        """Raises Refused: 401 unknown, 403 revoked."""
        async with self._pool.lend() as connection:
            cursor = await connection.execute(_INSTALLATION, (_plain(installation),))
            row = await cursor.fetchone()
            _must_be_joined(None if row is None else row[6])
            drawn = secrets.token_bytes(32)
            await connection.execute("DELETE FROM challenge WHERE until < now()")
            await connection.execute(
                "INSERT INTO challenge (challenge, installation, until) "
                "VALUES (%s, %s, now() + make_interval(secs => %s))",
                (drawn, installation, CHALLENGE_S),
            )
            store = await one_row(connection, "SELECT store_id FROM store")
            return Challenge(challenge=drawn, store_id=store[0])

    async def session(self, request: SessionRequest) -> Session:
        """Raises Refused: 401 signature or unknown, 403 revoked."""
        async with self._pool.lend() as connection, connection.transaction():
            cursor = await connection.execute(
                "DELETE FROM challenge WHERE challenge = %s AND installation = %s AND until > now() RETURNING 1",
                (request.challenge, _plain(request.installation)),
            )
            asked = await cursor.fetchone()
            cursor = await connection.execute(_INSTALLATION, (_plain(request.installation),))
            row = await cursor.fetchone()
            _must_be_joined(None if row is None else row[6])
            if row is None:
                raise LookupError(request.installation)
            store = await one_row(connection, "SELECT store_id, epoch FROM store")
            signed = session_text(store[0], request.challenge)
            if not asked or not _is_signed(row[1], request.signature, signed):
                raise Refused(
                    401,
                    "signature",
                    "the challenge is not signed by this counter's key, or too old",
                    "signature",
                )
            token = secrets.token_urlsafe(32)
            await connection.execute(
                "INSERT INTO counter_session (token_hash, life, until) "
                "VALUES (%s, %s, now() + make_interval(secs => %s))",
                (_hash(token), row[2], SESSION_S),
            )
            await connection.execute("DELETE FROM counter_session WHERE until < now()")
            head = await _head_and_health(connection, row, request, store[1])
        return Session(token=token, seconds=SESSION_S, head=head)

    async def leave(self, life: int) -> None:
        """This counter tells no more; what it told stays, and with the same key it may join again."""
        async with self._pool.lend() as connection, connection.transaction():
            await connection.execute(
                "UPDATE installation SET state = 'left', left_at = clock_timestamp() "
                "WHERE life = %s AND state = 'joined'",
                (life,),
            )
            await connection.execute("DELETE FROM counter_session WHERE life = %s", (life,))
        self._sessions = {each: one for each, one in self._sessions.items() if one[0].teller.life != life}

    async def known(self, token: str) -> Known:
        """Whose token this is. Raises Refused: 401 session.

        Kept for as long as the token lives: that a key was revoked is seen where it counts, at the head's row.
        """
        digest = _hash(token)
        now = asyncio.get_running_loop().time()
        kept = self._sessions.get(digest)
        if kept is not None and kept[1] > now:
            return kept[0]
        async with self._pool.lend() as connection:
            cursor = await connection.execute(_SESSION, (digest,))
            row = await cursor.fetchone()
        if row is None:
            raise Refused(401, "session", "this session has ended: open a new one", "token")
        known = Known(row[0], row[1], Teller(row[2], row[3], row[4], row[1], row[5]))
        self._sessions = {each: one for each, one in self._sessions.items() if one[1] > now}
        # Not for the hour: what a shop's owner changes (a day's cut-off) counts soon.
        self._sessions[digest] = (known, now + min(float(row[6]), 60.0))
        return known


def _look_at(request: JoinRequest) -> None:
    limits = {"installation": request.installation, "merchant_id": request.merchant_id}
    for field, text in limits.items():
        if not 1 <= len(text) <= _TEXT_MOST or not text.isprintable():
            message = f"{field} has 1 to {_TEXT_MOST} printable characters, for example {_EXAMPLES[field]}"
            raise Refused(422, "field", message, field)
    for field in ("counter_name", "environment", "currency"):
        text = getattr(request, field)
        if len(text) > _TEXT_MOST or not is_plain(text):
            raise Refused(422, "field", f"{field} has at most {_TEXT_MOST} printable characters", field)
    if len(request.public_key) != 32:
        raise Refused(422, "field", "public_key has 32 bytes (Ed25519)", "public_key")
    if not 0 <= request.counter_id < 1 << 62:
        raise Refused(422, "field", "counter_id is a whole number from 0, for example 3", "counter_id")


_EXAMPLES = {"installation": "K7Q2MX", "merchant_id": "M-1001"}


async def _joined(
    connection: Connection, request: JoinRequest, key: bytes, shop: int, used_by: str | None
) -> Joined:
    if used_by not in (None, request.installation):
        raise Refused(401, "code", "this code was used by another counter: ask for a new one", "code")
    cursor = await connection.execute(
        "SELECT i.public_key, i.state, i.shop, c.counter_id, c.merchant_id, c.environment "
        "FROM installation i JOIN counter c USING (counter) WHERE i.installation = %s",
        (request.installation,),
    )
    before = await cursor.fetchone()
    if before is not None and before[0] != request.public_key:
        text = "this installation joined already under another key: begin anew at the counter, then join"
        raise Refused(409, "installation", text, "installation")
    if before is not None and before[2] != shop:
        text = "this installation joined another shop of this store: begin anew at the counter, then join"
        raise Refused(409, "installation", text, "installation")
    _must_be_joined("joined" if before is None or before[1] == "left" else before[1])
    if before is not None and before[3:] != (request.counter_id, request.merchant_id, request.environment):
        # What it told is that counter's, and so would be all that it tells under this id.
        number, merchant, environment = before[3:]
        text = (
            f"this installation joined as counter {number} of merchant {merchant} ({environment}): "
            "set that again, or begin anew at the counter, then join"
        )
        raise Refused(409, "installation", text, "counter_id")
    await connection.execute(
        "UPDATE join_code SET used_by = %s WHERE code_key = %s", (request.installation, key)
    )
    name = request.counter_name or f"Counter {request.counter_id}"
    counter, name = await one_row(
        connection,
        "INSERT INTO counter AS c (shop, environment, merchant_id, counter_id, name) VALUES (%s, %s, %s, %s, %s) "
        "ON CONFLICT (shop, environment, merchant_id, counter_id) "
        "DO UPDATE SET name = CASE WHEN %s = '' THEN c.name ELSE excluded.name END RETURNING counter, name",
        (shop, request.environment, request.merchant_id, request.counter_id, name, request.counter_name),
    )
    if before is None:
        made = await one_row(
            connection,
            "INSERT INTO installation (installation, shop, counter, public_key, currency) "
            "VALUES (%s, %s, %s, %s, %s) RETURNING life",
            (request.installation, shop, counter, request.public_key, request.currency),
        )
        await _own_origin(connection, request, Teller(made[0], shop, counter, request.public_key))
        await connection.execute(
            "INSERT INTO counter_now (counter, shop, life) VALUES (%s, %s, %s) "
            "ON CONFLICT (counter) DO UPDATE SET life = excluded.life, changed = clock_timestamp()",
            (counter, shop, made[0]),
        )
    else:
        # It left and comes back, or its first answer was lost: what is held of it goes on.
        await connection.execute(
            "UPDATE installation SET state = 'joined', left_at = NULL WHERE installation = %s AND state = 'left'",
            (request.installation,),
        )
    told = await one_row(
        connection, "SELECT s.store_id, s.name, p.name FROM store s, shop p WHERE shop = %s", (shop,)
    )
    return Joined(store_id=told[0], store_name=told[1], shop_name=told[2], counter=name)


async def _own_origin(connection: Connection, request: JoinRequest, teller: Teller) -> None:
    """Its payments are its counter's from now on. Raises Refused: 409, another counter told them already."""
    name = origins.of_installation(request.installation)
    own = await origins.claimed(connection, {name: origins.origin_of(teller)})
    if (own[name].shop, own[name].counter) != (teller.shop, teller.counter):
        text = "another counter told payments of this installation: begin anew at the counter, then join"
        raise Refused(409, "installation", text, "installation")


def _must_be_joined(state: str | None) -> None:
    if state is None or state == "left":
        raise Refused(401, "unknown", "this store does not know this installation: join it", "installation")
    if state != "joined":
        raise Refused(
            403, "revoked", "this counter's key is refused since its owner revoked it", "installation"
        )


def _is_signed(public_key: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except InvalidSignature:
        return False
    return True


async def _head_and_health(
    connection: Connection, row: tuple[Any, ...], request: SessionRequest, epoch: int
) -> Head:
    life, shop, counter, cutoff = row[2:6]
    held = await one_row(
        connection,
        "SELECT head_seq, head_mac, head_header, head_signature, clock_timestamp() "
        "FROM installation WHERE life = %s",
        (life,),
    )
    if request.version:
        # Whoever only asks, or says good-bye, tells nothing of how the counter does: Today would name it no more.
        skew = _skew_ms(request.wall, held[4])
        await connection.execute(
            "UPDATE counter_now SET seen = clock_timestamp(), changed = clock_timestamp(), version = %s, wall = %s, "
            "skew_ms = %s, waiting = %s, disk_free = %s WHERE counter = %s AND life = %s",
            (
                *(_plain(request.version), _plain(request.wall), skew),
                *(_whole(request.waiting), _whole(request.disk_free), counter, life),
            ),
        )
        on = beside.dates_of([request.wall], cutoff) or beside.dates_of([held[4].isoformat()], cutoff)
        await beside.note(connection, [(life, each) for each in on])
    if request.acknowledged > held[0]:
        epoch = await _behind(connection, shop, life, held[0], request.acknowledged)
    proof = None if held[2] is None else Signed(header=held[2], signature=held[3])
    return Head(seq=held[0], mac=held[1], epoch=epoch, proof=proof)


async def _behind(connection: Connection, shop: object, life: object, held: int, told: int) -> int:
    """This store was put back: told once for each head that it fell behind, and an epoch begins with the first."""
    epoch, is_new = await one_row(
        connection, "SELECT epoch, epoch_began > now() - interval '1 day' FROM store FOR UPDATE"
    )
    cursor = await connection.execute(
        "SELECT 1 FROM incident WHERE life = %s AND kind = 'behind' AND seq = %s", (life, held)
    )
    if await cursor.fetchone() is None:
        await connection.execute(
            "INSERT INTO incident (shop, life, kind, seq, detail) VALUES (%s, %s, 'behind', %s, %s)",
            (shop, life, held, str(_whole(told))),
        )
        if not is_new:
            # Nobody said that it was restored: the first counter that knows better begins the epoch.
            epoch += 1
            await connection.execute("UPDATE store SET epoch = %s, epoch_began = now()", (epoch,))
    return int(epoch)


def _skew_ms(wall: str, now: datetime) -> int:
    read = moment(wall)
    return 0 if read.year == 1970 else int((read - now).total_seconds() * 1000)


def _plain(text: str) -> str:
    return text.replace("\0", "")[:_TEXT_MOST]


def _whole(number: int) -> int:
    return max(-1, min(number, (1 << 62) - 1))


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "backslashreplace")).digest()
