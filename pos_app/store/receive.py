"""Takes batches in: looked at one by one, written many at a time, each head moved by a compare-and-swap or not at all.

The head's row is the key that makes "sent at least once" into "held exactly once": a batch, its attempts and sums are
written in the transaction that moves it. Nothing is told as taken before that transaction is durable.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence

import msgspec
import psycopg
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pos_app.domain.shipping import (
    BATCH_LABEL,
    Answer,
    BadBatch,
    Head,
    Header,
    Shipped,
    Signed,
    Verdict,
    events_of,
    read_batch,
    read_header,
    unpacked,
)
from pos_app.store import beside
from pos_app.store.database import RECEIVE, Connection, Database, Pool
from pos_app.store.projecting import Telling, note_unfit, project
from pos_app.store.telling import Teller, Unfit, columns_of

LANES = 4
GATHERED_MOST = 50
"""So many batches share one commit at most."""
WAITING_MOST = 1_000
"""More than these waiting are told to come again later."""
WAITING_EACH = 4
"""So many of one journal wait at most: by protocol one is under way, a few more where its answers were lost."""
HELD_BYTES_MOST = 32 << 20
"""So much text of events waits or is being written at most; as objects it may be 25 times as much."""
ANSWER_S = 20.0
_LAST_SEQ = 1 << 62
_log = logging.getLogger(__name__)
NO_TABLE_TAKES = (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded)
"""What PostgreSQL says of a value that fits no column or no index: the event's fault, and not the database's."""

STUMBLES = (
    ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, msgspec.MsgspecError,
)  # fmt: skip
"""What this program's own code raises over an event that nobody foresaw, as it would every time; a database, a disk or
a memory that fails is none of them."""


class Refused(Exception):
    """`status` is HTTP's; `code` is for programs, the text for people, `field` what it is about."""

    def __init__(self, status: int, code: str, message: str, field: str = "", retry_s: int = 0) -> None:
        super().__init__(message)
        self.status, self.code, self.field, self.retry_s = status, code, field, retry_s


class Known(msgspec.Struct, frozen=True):
    """A counter's journal that joined: who sends."""

    installation: str
    public_key: bytes
    teller: Teller


class Sent(msgspec.Struct, frozen=True):
    """A batch that was looked at: signed by whom it says, whole, in order."""

    known: Known
    header: Header
    signed: Signed
    packed: bytes
    events: tuple[Shipped, ...]
    size: int
    """Bytes of the events' text, unpacked."""


Waiting = tuple[Sent, asyncio.Future[Answer]]

_SWAP = """WITH v AS (SELECT * FROM unnest(%b::int[], %b::int[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[],
%b::bytea[], %b::bytea[], %b::bytea[]) AS v(shop, life, first, last, before, mac, header, signature, body)),
moved AS (UPDATE installation i SET head_seq = v.last, head_mac = v.mac, head_header = v.header,
head_signature = v.signature FROM v WHERE i.life = v.life AND i.state = 'joined' AND i.head_seq = v.first - 1
AND (i.head_seq = 0 OR i.head_mac = v.before) RETURNING i.life, i.shop),
kept AS (INSERT INTO batch (shop, life, first, last, mac, header, signature, body)
SELECT v.shop, v.life, v.first, v.last, v.mac, v.header, v.signature, v.body FROM v JOIN moved USING (life))
SELECT moved.life, (SELECT epoch FROM store), p.cutoff_minutes FROM moved JOIN shop p ON p.shop = moved.shop"""
_NOW = """INSERT INTO counter_now AS c (counter, shop, life, told_wall, told_seq, open_n, waiting)
SELECT * FROM unnest(%s::int[], %s::int[], %s::int[], %s::text[], %s::bigint[], %s::int[], %s::int[]) ORDER BY 1
ON CONFLICT (counter) DO UPDATE SET changed = clock_timestamp(), seen = clock_timestamp(),
open_n = c.open_n + excluded.open_n, waiting = greatest(0, c.waiting + excluded.waiting),
life = greatest(c.life, excluded.life),
told_wall = CASE WHEN excluded.life >= c.life THEN excluded.told_wall ELSE c.told_wall END,
told_seq = CASE WHEN excluded.life >= c.life THEN excluded.told_seq ELSE c.told_seq END RETURNING c.counter, c.life"""
_SEEN = """UPDATE counter_now SET seen = clock_timestamp()
WHERE life = %s AND seen < clock_timestamp() - interval '30 seconds'"""
_OPEN_ELSEWHERE = (
    "UPDATE counter_now SET open_n = open_n + %s, changed = clock_timestamp() WHERE counter = %s"
)
_HEAD = """SELECT i.head_seq, i.head_mac, s.epoch, i.head_header, i.head_signature, i.state
FROM installation i CROSS JOIN store s WHERE i.life = %s"""
_AT = """SELECT first, last, mac, header, signature, body FROM batch WHERE life = %s AND last >= %s
ORDER BY last LIMIT 1"""
_FORK = """INSERT INTO fork (shop, life, first, last, mac, header, signature, body)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING life"""
_INCIDENT = "INSERT INTO incident (shop, life, kind, seq, detail) VALUES (%s, %s, %s, %s, %s)"


def looked_at(known: Known, body: bytes) -> Sent:
    """A posted body as a batch of this counter's own. Raises BadBatch, Refused."""
    batch = read_batch(body)
    header = read_header(batch.signed.header)
    if header.installation != known.installation:
        raise Refused(
            403, "installation", "this batch is of another installation than the session", "installation"
        )
    try:
        Ed25519PublicKey.from_public_bytes(known.public_key).verify(
            batch.signed.signature, BATCH_LABEL + batch.signed.header
        )
    except InvalidSignature as error:
        raise Refused(
            403, "signature", "this batch is not signed by the counter's key", "signature"
        ) from error
    if not 1 <= header.first <= header.last < _LAST_SEQ:
        raise BadBatch("range", f"a batch's numbers are from 1 to {_LAST_SEQ}, the first not behind the last")
    text = unpacked(batch.packed)
    return Sent(known, header, batch.signed, batch.packed, events_of(header, text), len(text))


class Receiver:
    """The lanes: each with a connection of its own, writing what has gathered for it in one commit."""

    def __init__(self, database: Database, lanes: int = LANES) -> None:
        self._database = database
        self._queues: list[asyncio.Queue[Waiting]] = [asyncio.Queue() for _ in range(lanes)]
        self._behind = [0] * lanes
        """Taken out of each queue, and for a later commit than the one that is under way."""
        self._of_each: dict[int, int] = {}
        """How many of those that wait each journal sent."""
        self._bytes = 0
        """Of the text of those that wait or are being written."""
        self._tasks: list[asyncio.Task[None]] = []
        self._asking = Pool(database, RECEIVE, 2)
        self.counts: dict[str, int] = {}
        """Of each verdict and refusal since the start; `commits`, `events`, `alone` besides."""

    @property
    def waiting(self) -> int:
        """Batches in the lanes that no commit has begun with."""
        return sum(queue.qsize() for queue in self._queues) + sum(self._behind)

    async def start(self) -> None:
        """Begins the lanes."""
        self._tasks = [
            asyncio.create_task(self._lane(number), name=f"lane {number}")
            for number in range(len(self._queues))
        ]

    async def stop(self) -> None:
        """Ends them; who waits for an answer gets none and sends again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await self._asking.close()

    async def take(self, known: Known, body: bytes) -> Answer:
        """The answer to a posted batch, once what it says is durable. Raises BadBatch, Refused."""
        life = known.teller.life
        full = self._full(life)
        if full:
            self.count("busy")
            raise Refused(503, "busy", f"{full} already: send this one again later", "", 2)
        sent = looked_at(known, body)
        self._of_each[life] = self._of_each.get(life, 0) + 1
        self._bytes += sent.size
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._queues[life % len(self._queues)].put_nowait((sent, future))
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await future
        except TimeoutError as error:
            self.count("late")
            raise Refused(
                503, "late", "the store could not write this in time: send it again", "", 2
            ) from error
        self.count(answer.verdict.value)
        return answer

    def _full(self, life: int) -> str:
        """What there is no more room for; "" while there is. Asked before a body is unpacked."""
        if self.waiting >= WAITING_MOST:
            return f"{WAITING_MOST} batches wait"
        if self._of_each.get(life, 0) >= WAITING_EACH:
            return f"{WAITING_EACH} batches of this counter wait"
        return f"{HELD_BYTES_MOST >> 20} MiB of events wait" if self._bytes >= HELD_BYTES_MOST else ""

    def _begun(self, life: int) -> None:
        """One of this journal's waits no more."""
        self._of_each[life] -= 1
        if not self._of_each[life]:
            del self._of_each[life]

    async def head(self, life: int) -> Head:
        """What is held of a journal. Raises Refused."""
        async with self._asking.lend() as connection:
            head, state = await _head(connection, life)
            _must_be_joined(state)
            await connection.execute(_SEEN, (life,))
            return head

    def count(self, what: str, n: int = 1) -> None:
        """One more of these."""
        self.counts[what] = self.counts.get(what, 0) + n

    async def _lane(self, number: int) -> None:
        queue = self._queues[number]
        connection: Connection | None = None
        later: list[Waiting] = []
        try:
            while True:
                gathered, later, given_up = _gather(later or [await queue.get()], queue)
                self._behind[number] = len(later)
                for sent, _ in (*gathered, *given_up):
                    self._begun(sent.known.teller.life)
                self._bytes -= sum(sent.size for sent, _ in given_up)
                if gathered:
                    connection = await self._write_or_fail(connection, gathered)
                self._bytes -= sum(sent.size for sent, _ in gathered)
        finally:
            if connection is not None:
                await connection.close()

    async def _write_or_fail(
        self, connection: Connection | None, gathered: Sequence[Waiting]
    ) -> Connection | None:
        """On a connection that may be gone since it was last used; the one to go on with.

        A new one is tried once: what the lost one may have committed all the same is then found as held.
        """
        for is_last in (connection is None, True):
            try:
                if connection is None or connection.closed or connection.broken:
                    connection = await self._database.connect(RECEIVE)
                await self._write(connection, gathered)
                return connection
            except Exception as error:
                # The one door of a lane: whatever happened, its counters are answered and the next ones served.
                if connection is not None:
                    await connection.close()
                    connection = None
                if not isinstance(error, psycopg.Error | OSError):
                    self._fault(gathered)
                    return None
                if is_last:
                    self.count("database")
                    away = Refused(503, "database", f"the store's database is away: {_said(error)}", "", 2)
                    for _, future in gathered:
                        _fail(future, away)
                    return None
        return connection

    def _fault(self, gathered: Sequence[Waiting]) -> None:
        self.count("bug")
        _log.exception("a batch could not be written")
        fault = Refused(500, "fault", "the store failed at this: send it again later", "", 60)
        for _, future in gathered:
            _fail(future, fault)

    async def _write(self, connection: Connection, gathered: Sequence[Waiting]) -> None:
        try:
            taken = await self._commit(connection, [sent for sent, _ in gathered])
        except (psycopg.Error, *STUMBLES) as error:
            is_ours = isinstance(error, psycopg.OperationalError) and not isinstance(error, NO_TABLE_TAKES)
            alone = len(gathered) == 1
            if alone and not isinstance(error, psycopg.Error):
                self.count("bug")
                _log.exception("a batch is written event by event")
            if is_ours and (connection.broken or connection.closed or alone or not _worth_alone(error)):
                raise
            taken = await self._alone(connection, gathered[0][0]) if alone else {}
        else:
            await self._answer(connection, gathered, taken)
            return
        if len(gathered) == 1:
            await self._answer(connection, gathered, taken)
            return
        # One of them does not go through: each is tried for itself, so that it holds up no other.
        self.count("alone")
        for one in gathered:
            try:
                await self._write(connection, [one])
            except STUMBLES:
                # Whatever it is, it is this one's.
                self._fault([one])

    async def _commit(self, connection: Connection, sent: Sequence[Sent]) -> dict[int, int]:
        """Writes those whose head it is; their lives, and the epoch."""
        async with connection.transaction():
            taken, tellers = await _swap(connection, sent)
            kept = [each for each in sent if each.known.teller.life in taken]
            if kept:
                more = await project(
                    connection, [Telling(tellers[each.known.teller.life], each.events) for each in kept]
                )
                await _tell_now(connection, kept, more)
        self.count("commits")
        self.count("events", sum(len(each.events) for each in kept))
        return taken

    async def _alone(self, connection: Connection, sent: Sent) -> dict[int, int]:
        """A batch of which something fits no table: it is held, and what does not fit is noted event by event."""
        async with connection.transaction():
            taken, tellers = await _swap(connection, [sent])
            if taken:
                teller = tellers[sent.known.teller.life]
                more: dict[int, int] = {}
                for event in sent.events:
                    try:
                        async with connection.transaction():
                            found = await project(connection, [Telling(teller, (event,))])
                    except (*NO_TABLE_TAKES, *STUMBLES) as error:
                        await note_unfit(connection, [(teller, Unfit(event.seq, event.kind, _said(error)))])
                        self.count("unfit")
                    else:
                        for counter, n in found.items():
                            more[counter] = more.get(counter, 0) + n
                await _tell_now(connection, [sent], more)
        self.count("commits")
        return taken

    async def _answer(
        self,
        connection: Connection,
        gathered: Sequence[Waiting],
        taken: dict[int, int],
    ) -> None:
        for sent, future in gathered:
            epoch = taken.get(sent.known.teller.life)
            if epoch is not None:
                head = Head(seq=sent.header.last, mac=sent.header.mac, epoch=epoch, proof=sent.signed)
                if not future.done():
                    future.set_result(Answer(verdict=Verdict.TAKEN, head=head))
                continue
            try:
                answer = await self._verdict(connection, sent)
            except Refused as refused:
                _fail(future, refused)
            else:
                if not future.done():
                    future.set_result(answer)

    async def _verdict(self, connection: Connection, sent: Sent) -> Answer:
        """Of a batch that is not the next one. Raises Refused."""
        teller, header = sent.known.teller, sent.header
        head, state = await _head(connection, teller.life)
        if state == "revoked":
            self.count("revoked")
        _must_be_joined(state)
        if header.first > head.seq + 1:
            return Answer(verdict=Verdict.GAP, head=head)
        held, equal = await _compared(connection, teller.life, sent, head)
        if equal:
            return Answer(verdict=Verdict.HAVE, head=head)
        await self._keep_fork(connection, sent)
        return Answer(verdict=Verdict.FORK, head=head, held=held)

    async def _keep_fork(self, connection: Connection, sent: Sent) -> None:
        teller, header = sent.known.teller, sent.header
        async with connection.transaction():
            row = (
                *(teller.shop, teller.life, header.first, header.last, header.mac),
                *(sent.signed.header, sent.signed.signature, sent.packed),
            )
            cursor = await connection.execute(_FORK, row)
            if await cursor.fetchone():
                await connection.execute(_INCIDENT, (teller.shop, teller.life, "fork", header.first, ""))


def _gather(
    first: list[Waiting], queue: asyncio.Queue[Waiting]
) -> tuple[list[Waiting], list[Waiting], list[Waiting]]:
    """What goes into the next commit, at most one batch of each journal; what comes behind it; what nobody awaits."""
    gathered: list[Waiting] = []
    later: list[Waiting] = []
    given_up: list[Waiting] = []
    lives: set[int] = set()
    waiting = list(first)
    while len(gathered) < GATHERED_MOST:
        if not waiting:
            if queue.empty():
                break
            waiting.append(queue.get_nowait())
        one = waiting.pop(0)
        life = one[0].known.teller.life
        if one[1].done():
            # Its counter was told to send it again, and does.
            given_up.append(one)
            continue
        if life in lives:
            later.append(one)
            continue
        lives.add(life)
        gathered.append(one)
    return gathered, later + waiting, given_up


def _must_be_joined(state: str) -> None:
    """A session is kept for a while without asking: what counts stands at the head's row."""
    if state == "left":
        raise Refused(401, "unknown", "this counter has left: join it again", "installation")
    if state != "joined":
        raise Refused(
            403, "revoked", "this counter's key is refused since its owner revoked it", "installation"
        )


def _fail(future: asyncio.Future[Answer], refused: Refused) -> None:
    if not future.done():
        future.set_exception(refused)


def _worth_alone(error: Exception) -> bool:
    """A deadlock, or a lock or statement that took too long, may be one batch's doing; a full disk is not."""
    return isinstance(
        error,
        psycopg.errors.DeadlockDetected | psycopg.errors.LockNotAvailable | psycopg.errors.QueryCanceled,
    )


def _said(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


async def _swap(connection: Connection, sent: Sequence[Sent]) -> tuple[dict[int, int], dict[int, Teller]]:
    """Moves the heads that these follow and keeps those batches, in one statement; whose, and the epoch.

    And who tells, with the shop's day as it begins now: a session is older than that, and may know another.
    """
    rows = [
        (
            *(each.known.teller.shop, each.known.teller.life, each.header.first, each.header.last),
            *(each.header.before, each.header.mac, each.signed.header, each.signed.signature, each.packed),
        )
        for each in sorted(sent, key=lambda one: one.known.teller.life)
    ]
    cursor = await connection.execute(_SWAP, columns_of(rows))
    found = await cursor.fetchall()
    cutoffs = {life: cutoff for life, _, cutoff in found}
    tellers = {
        each.known.teller.life: msgspec.structs.replace(
            each.known.teller, cutoff_minutes=cutoffs[each.known.teller.life]
        )
        for each in sent
        if each.known.teller.life in cutoffs
    }
    return {life: epoch for life, epoch, _ in found}, tellers


async def _tell_now(connection: Connection, sent: Sequence[Sent], more: dict[int, int]) -> None:
    """One row for each counter, of which two lives may be in one commit: the newest's place, the sums of both."""
    rows: dict[int, tuple[object, ...]] = {}
    told: dict[int, int] = {}
    for each in sorted(sent, key=lambda one: one.known.teller.life):
        teller, last = each.known.teller, each.events[-1]
        wall = last.wall.replace("\0", "")
        told[teller.counter] = told.get(teller.counter, 0) + len(each.events)
        rows[teller.counter] = (
            *(teller.counter, teller.shop, teller.life, wall, last.seq, more.get(teller.counter, 0)),
            -told[teller.counter],
        )
    cursor = await connection.execute(_NOW, columns_of([*rows.values()]))
    newest: dict[int, int] = dict(await cursor.fetchall())
    await _note_beside(connection, sent, newest)
    for counter in sorted(more.keys() - rows.keys()):
        await connection.execute(_OPEN_ELSEWHERE, (more[counter], counter))


async def _note_beside(connection: Connection, sent: Iterable[Sent], newest: dict[int, int]) -> None:
    """The days of which an older journal of a counter tells, though a newer one has joined. `newest`: by counter."""
    told: set[beside.Told] = set()
    for each in sent:
        teller = each.known.teller
        if teller.life < newest[teller.counter]:
            dates = beside.dates_of((event.wall for event in each.events), teller.cutoff_minutes)
            told |= {(teller.life, on) for on in dates}
    await beside.note(connection, told)


async def _head(connection: Connection, life: int) -> tuple[Head, str]:
    cursor = await connection.execute(_HEAD, (life,))
    row = await cursor.fetchone()
    if row is None:
        raise Refused(401, "unknown", "this store does not know this installation: join it", "installation")
    seq, mac, epoch, header, signature, state = row
    proof = None if header is None else Signed(header=header, signature=signature)
    return Head(seq=seq, mac=mac, epoch=epoch, proof=proof), state


async def _compared(connection: Connection, life: int, sent: Sent, head: Head) -> tuple[Signed | None, bool]:
    """The held batch that says where the histories part, and whether they do not."""
    header = sent.header
    if header.last > head.seq:
        # It reaches over the head: equal at the head is equal up to it.
        mine = header.before if header.first == head.seq + 1 else sent.events[head.seq - header.first].mac
        return head.proof, head.seq == 0 or mine == head.mac
    held = await held_at(connection, life, header.last)
    if held is None:
        raise Refused(
            503, "database", "a batch that the head names is not held: store check says more", "", 60
        )
    signed, events = held
    return signed, events[header.last - events[0].seq].mac == header.mac


async def held_at(connection: Connection, life: int, seq: int) -> tuple[Signed, tuple[Shipped, ...]] | None:
    """The held batch with this event in it."""
    cursor = await connection.execute(_AT, (life, seq))
    row = await cursor.fetchone()
    if row is None or row[0] > seq:
        return None
    signed = Signed(header=row[3], signature=row[4])
    try:
        return signed, events_of(read_header(row[3]), unpacked(row[5]))
    except BadBatch as error:
        raise Refused(
            503, "held", "a batch held here is damaged: store check --deep says more", "", 300
        ) from error
