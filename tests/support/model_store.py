"""The one store in memory, written from the protocol (docs/store.md) and not from pos_app/store: for whoever tells one.

It knows counters by their public keys, looks at every batch as a store must, and holds what is counted of them. What it
writes of a batch it writes in one step or not at all. Its `weather` is lost, late, doubled or lying; the simulation's
(tests/verification/simulation/store.py) changes with the time, a test's stays as it was set. A Shipper talks to its
`line` as to a StoreClient. That the real one answers alike is looked at in tests/unit/store/test_beside_the_model.py.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pos_app.domain.shipping import (
    BATCH_LABEL,
    SESSION_LABEL,
    Answer,
    Challenge,
    Head,
    Session,
    SessionRequest,
    Shipped,
    Signed,
    Told,
    ToldPage,
    Verdict,
    events_of,
    read_batch,
    read_header,
    unpacked,
)
from pos_app.services.errors import ConnectFailed, TimedOut
from pos_app.services.store import StoreRefused
from pos_app.store.acts import Line as ActLine

STORE_ID = "S-1"
SESSION_MS = 3_600_000
MONEY = ("PAID", "PAID_LATE")
LOST, AWAY, LATE, TWICE, LIES = "lost", "away", "late", "twice", "lies"
"""Nothing is answered; its database is away, and it says so; what arrives is done and its reply is lost; what was sent
once is handed over twice; what it answers now is no acknowledgement."""


class Batch(msgspec.Struct, frozen=True):
    """One that was taken, and when."""

    signed: Signed
    events: tuple[Shipped, ...]
    at: int


class Told1(msgspec.Struct, frozen=True):
    """The newest that a journal's life told of an attempt."""

    life: int
    seq: int
    state: str
    amount: Decimal


class Held(msgspec.Struct):
    """What is held of one installation. `counter`: whose journal it is, by whatever id."""

    public_key: bytes
    life: int
    counter: str
    batches: list[Batch] = []
    head_seq: int = 0
    head_mac: bytes = b""
    seen: int | None = None
    """When it was heard of last (ms)."""
    waiting: int = 0
    """So many events it had to tell then."""

    @property
    def events(self) -> list[Shipped]:
        """Of all its batches."""
        return [each for batch in self.batches for each in batch.events]


class Durable(msgspec.Struct):
    """All that is on the store's disk."""

    held: dict[str, Held]
    attempts: dict[str, Told1]
    paid: dict[str, int]
    """By state of money: so many. `amount` beside it."""
    amounts: dict[str, Decimal]
    forks: list[Signed]
    """Batches of another history, kept apart."""
    signed: dict[str, str]
    """By shop and business date: what somebody signed of it."""
    acts: list[ActLine]
    epoch: int = 1


class Seen(msgspec.Struct):
    """For the judge: what was answered, sent, put back, revoked."""

    answered: list[tuple[int, str, int]] = []
    """(true ms, installation, head that was acknowledged)"""
    posted: list[tuple[str, int, bytes]] = []
    """(installation, number, MAC) of the last event of every batch that a till ever signed."""
    restored: list[int] = []
    revoked: dict[str, int] = {}
    bodies: list[bytes] = []
    """Every text of events that left a till."""
    calls: list[str] = []


class ModelStore:
    """All counters' store. `now`: the time that it notes, in ms."""

    def __init__(self, now: Callable[[], int] = lambda: 0, *, page: int = 20) -> None:
        """`page`: so much is told at once of what a folder may have forgotten."""
        self.now = now
        self.page = page
        self.disk = Durable(held={}, attempts={}, paid={}, amounts={}, forks=[], signed={}, acts=[])
        self.seen = Seen(answered=[], posted=[], restored=[], revoked={}, bodies=[], calls=[])
        self.sessions: dict[str, str] = {}
        self.revoked: set[str] = set()
        self.weather: set[str] = set()
        self.lies: Callable[[Head], Head] = lambda head: head
        """What it says for each head that it is to tell."""

    def is_now(self, weather: str) -> bool:
        """Whether it is so at this moment."""
        return weather in self.weather

    def take_in(self, installation: str, public_key: bytes, counter: str = "") -> None:
        """It joined."""
        if installation not in self.disk.held:
            self.disk.held[installation] = Held(
                public_key=public_key,
                life=len(self.disk.held) + 1,
                counter=counter or installation,
                batches=[],
            )

    def revoke(self, installation: str) -> None:
        """Its key counts no more, from now on."""
        self.revoked.add(installation)
        self.seen.revoked.setdefault(installation, self.now())

    def backup(self) -> Durable:
        """A backup is taken."""
        return deepcopy(self.disk)

    def restore(self, backup: Durable) -> None:
        """The old backup is put back, and nobody says so; who joined since is taken in again by hand."""
        joined = self.disk.held
        self.disk = deepcopy(backup)
        for name, held in joined.items():
            again = Held(public_key=held.public_key, life=held.life, counter=held.counter, batches=[])
            self.disk.held.setdefault(name, again)
        self.sessions.clear()
        self.seen.restored.append(self.now())

    def head_of(self, installation: str) -> Head:
        """What is held, as it says it."""
        held = self.disk.held[installation]
        proof = held.batches[-1].signed if held.batches else None
        head = Head(seq=held.head_seq, mac=held.head_mac, epoch=self.disk.epoch, proof=proof)
        return self.lies(head)

    def verdict(
        self, held: Held, first: int, last: int, before: bytes, events: tuple[Shipped, ...]
    ) -> Verdict:
        """Of a batch that was looked at."""
        if first > held.head_seq + 1:
            return Verdict.GAP
        if first == held.head_seq + 1:
            return Verdict.TAKEN if held.head_seq == 0 or before == held.head_mac else Verdict.FORK
        at = min(last, held.head_seq)
        mine = next(each.mac for batch in held.batches for each in batch.events if each.seq == at)
        return Verdict.HAVE if mine == events[at - first].mac else Verdict.FORK

    @staticmethod
    def shown(held: Held, last: int) -> Signed | None:
        """What is held against a fork: the batch with its last event in it, or the newest where it reaches further."""
        signed = (each.signed for each in held.batches if each.events[-1].seq >= min(last, held.head_seq))
        return next(signed, None)

    def keep(self, held: Held, batch: Batch) -> None:
        """In one step: the batch, what is told in it, and the head."""
        self.write(held, batch)
        self.move_head(held, batch)

    def write(self, held: Held, batch: Batch) -> None:
        """The batch and what it tells."""
        held.batches.append(batch)
        for event in batch.events:
            attempt = event.content.get("attempt")
            if isinstance(attempt, dict):
                self.tell(held.life, event.seq, attempt)

    def move_head(self, held: Held, batch: Batch) -> None:
        """To the batch's end."""
        held.head_seq, held.head_mac = batch.events[-1].seq, batch.events[-1].mac
        held.seen, held.waiting = self.now(), max(0, held.waiting - len(batch.events))

    def tell(self, life: int, seq: int, attempt: dict[str, object]) -> None:
        """An attempt as it stands now: the sums lose what it was and win what it is."""
        key = str(attempt["attempt_id"])
        old = self.disk.attempts.get(key)
        if old is not None and (old.life, old.seq) >= (life, seq):
            return
        new = Told1(life, seq, str(attempt["state"]), Decimal(str(attempt["amount"])))
        if old is not None:
            self.count(old, -1)
        self.count(new, 1)
        self.disk.attempts[key] = new

    def count(self, told: Told1, n: int) -> None:
        """One more or less of its state."""
        if told.state in MONEY:
            self.disk.paid[told.state] = self.disk.paid.get(told.state, 0) + n
            self.disk.amounts[told.state] = self.disk.amounts.get(told.state, Decimal()) + n * told.amount

    def answer(self, answer: Answer, signed: Signed) -> Answer:
        """As it goes out; `signed` is what was posted."""
        del signed
        return answer

    def line(self) -> Line:
        """A counter's connection."""
        return Line(self)


class Line:
    """What a Shipper calls, as of services.store.StoreClient."""

    def __init__(self, store: ModelStore) -> None:
        self._store = store
        self._token = ""
        self._of = ""
        self._closed = False

    @property
    def has_session(self) -> bool:
        return bool(self._token)

    def _called(self, name: str) -> None:
        self._store.seen.calls.append(name)
        if self._closed or self._store.is_now(LOST):
            raise ConnectFailed("lost")
        if self._store.is_now(AWAY):
            raise StoreRefused(503, "database", "the database is away", 2.0)

    def _reply(self) -> None:
        if self._store.is_now(LATE):
            raise TimedOut("late")

    def challenge(self, installation: str) -> Challenge:
        self._called("challenge")
        if installation not in self._store.disk.held:
            raise StoreRefused(401, "unknown", "nobody of that name")
        self._refuse_revoked(installation)
        return Challenge(challenge=b"c" * 32, store_id=STORE_ID)

    def session(self, request: SessionRequest) -> Session:
        self._called("session")
        store, held = self._store, self._store.disk.held[request.installation]
        text = SESSION_LABEL + STORE_ID.encode() + b"\0" + request.challenge
        Ed25519PublicKey.from_public_bytes(held.public_key).verify(request.signature, text)
        self._refuse_revoked(request.installation)
        if request.acknowledged > held.head_seq:
            store.disk.epoch += 1
        self._of, self._token = request.installation, f"token {len(store.seen.calls)}"
        store.sessions[self._token] = self._of
        held.seen, held.waiting = store.now(), request.waiting
        self._reply()
        return Session(token=self._token, seconds=SESSION_MS // 1000, head=store.head_of(self._of))

    def end_session(self) -> None:
        self._token = ""

    def _refuse_revoked(self, installation: str) -> None:
        if installation in self._store.revoked:
            raise StoreRefused(403, "revoked", "its key was taken back")

    def _in_session(self) -> Held:
        if self._token not in self._store.sessions:
            raise StoreRefused(401, "session", "no such session")
        return self._store.disk.held[self._of]

    def _known(self) -> Held:
        held = self._in_session()
        self._refuse_revoked(self._of)
        return held

    def head(self) -> Head:
        self._called("head")
        self._known().seen = self._store.now()
        self._reply()
        return self._store.head_of(self._of)

    def batch(self, body: bytes) -> Answer:
        self._called("batch")
        store, held = self._store, self._in_session()
        batch = read_batch(body)
        header = read_header(batch.signed.header)
        if header.installation != self._of:
            raise StoreRefused(403, "installation", "another installation's than the session")
        try:
            key = Ed25519PublicKey.from_public_bytes(held.public_key)
            key.verify(batch.signed.signature, BATCH_LABEL + batch.signed.header)
        except InvalidSignature as error:
            raise StoreRefused(403, "signature", "not its key's") from error
        text = unpacked(batch.packed)
        events = events_of(header, text)
        store.seen.posted.append((header.installation, header.last, header.mac))
        store.seen.bodies.append(text)
        self._refuse_revoked(self._of)
        # A line may hand over twice what was sent once; the first reply is lost then.
        times = 2 if store.is_now(TWICE) else 1
        for _ in range(times):
            verdict = store.verdict(held, header.first, header.last, header.before, events)
            if verdict is Verdict.TAKEN:
                store.keep(held, Batch(batch.signed, events, store.now()))
        against = None
        if verdict is Verdict.FORK:
            store.disk.forks.append(batch.signed)
            against = store.shown(held, header.last)
        head = store.head_of(self._of)
        self._reply()
        said = store.answer(Answer(verdict=verdict, head=head, held=against), batch.signed)
        if verdict in (Verdict.TAKEN, Verdict.HAVE) and not store.is_now(LIES):
            store.seen.answered.append((store.now(), self._of, head.seq))
        return said

    def told(self, after: int) -> ToldPage:
        self._called("told")
        held, page = self._known(), self._store.page
        found: dict[str, Told] = {}
        for each in held.events:
            attempt = each.content.get("attempt")
            if each.seq > after and isinstance(attempt, dict):
                key = str(attempt["attempt_id"])
                found[key] = Told(attempt_id=key, seq=each.seq, attempt=attempt)
        told = sorted(found.values(), key=lambda each: each.seq)
        self._reply()
        return ToldPage(told=tuple(told[:page]), more=len(told) > page)

    def close(self) -> None:
        self._closed = True
