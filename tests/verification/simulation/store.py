"""A store in memory for the simulation, written from the protocol (docs/store.md): lost, late, torn, put back, a liar.

What it writes of a batch it writes in one step or not at all; `torn` dies in the middle of it. Time is true time (ms).
"""

from __future__ import annotations

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
from tests.verification.simulation.clock import World
from tests.verification.simulation.story import Act

STORE_ID = "S-1"
SESSION_MS = 3_600_000
MONEY = ("PAID", "PAID_LATE")
PAGE = 20


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
    """What is held of one installation."""

    public_key: bytes
    life: int
    batches: list[Batch] = []
    head_seq: int = 0
    head_mac: bytes = b""


class Durable(msgspec.Struct):
    """All that is on the store's disk."""

    held: dict[str, Held]
    attempts: dict[str, Told1]
    paid: dict[str, int]
    """By state of money: so many. `amount` beside it."""
    amounts: dict[str, Decimal]
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
    lied: bool = False
    calls: int = 0


class SimStore:
    """One for all tills of a story; `acts` are its own weather."""

    def __init__(self, world: World, acts: tuple[Act, ...]) -> None:
        self.world = world
        self.disk = Durable(held={}, attempts={}, paid={}, amounts={})
        self.seen = Seen(answered=[], posted=[], restored=[], revoked={}, bodies=[])
        self.sessions: dict[str, str] = {}
        self.revoked: set[str] = set()
        self._acts = tuple(act for act in acts if act.verb.startswith("store_"))
        self._batches = 0
        self._backup: Durable | None = None
        self._tears = {act.value for act in self._acts if act.verb == "store_torn"}

    def is_now(self, verb: str) -> int:
        """Whether this weather is on: `value` of it, at least 1."""
        now = self.world.now
        return next(
            (1 for each in self._acts if each.verb == verb and each.at <= now < each.at + each.value), 0
        )

    def back_up(self) -> None:
        """A backup is taken."""
        self._backup = deepcopy(self.disk)

    def put_back(self) -> None:
        """The old backup is put back, and nobody says so; who joined since is taken in again by hand."""
        if self._backup is None:
            return
        joined = self.disk.held
        self.disk = deepcopy(self._backup)
        for name, held in joined.items():
            self.disk.held.setdefault(name, Held(public_key=held.public_key, life=held.life, batches=[]))
        self.sessions.clear()
        self.seen.restored.append(self.world.now)

    def revoke(self, installation: str) -> None:
        """Its key counts no more, from now on."""
        self.revoked.add(installation)
        self.seen.revoked.setdefault(installation, self.world.now)

    def take_in(self, installation: str, public_key: bytes) -> None:
        """It joined."""
        if installation not in self.disk.held:
            self.disk.held[installation] = Held(
                public_key=public_key, life=len(self.disk.held) + 1, batches=[]
            )

    def head_of(self, installation: str) -> Head:
        """What is held."""
        held = self.disk.held[installation]
        proof = held.batches[-1].signed if held.batches else None
        head = Head(seq=held.head_seq, mac=held.head_mac, epoch=self.disk.epoch, proof=proof)
        return self._lie(head) if self.is_now("store_lies") else head

    def _lie(self, head: Head) -> Head:
        """As a broken-into store would: another history, under a signature that is not this counter's."""
        self.seen.lied = True
        made_up = self.forged(head.proof) if head.proof else None
        if self.world.now // 10_000 % 2:
            return Head(seq=head.seq + 7, mac=b"\2" * 32, epoch=head.epoch, proof=made_up)
        return Head(seq=max(1, head.seq), mac=b"\3" * 32, epoch=head.epoch, proof=None)

    @staticmethod
    def forged(proof: Signed) -> Signed:
        """A header of this counter's that says something else, under a signature that nobody made."""
        header = msgspec.structs.replace(read_header(proof.header), mac=b"\4" * 32)
        return Signed(header=msgspec.msgpack.encode(header), signature=b"\1" * 64)

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

    def keep(self, held: Held, batch: Batch) -> None:
        """In one step: the batch, what is told in it, and the head."""
        self._batches += 1
        if self._batches in self._tears:
            raise ConnectFailed("the store died")
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

    def line(self) -> Line:
        """A counter's connection."""
        return Line(self)


class Line:
    """What a Shipper calls, as of services.store.StoreClient."""

    def __init__(self, store: SimStore) -> None:
        self._store = store
        self._token = ""
        self._of = ""
        self._closed = False

    @property
    def has_session(self) -> bool:
        return bool(self._token)

    def _called(self) -> None:
        self._store.seen.calls += 1
        if self._closed or self._store.is_now("store_lost"):
            raise ConnectFailed("lost")

    def _reply(self) -> None:
        if self._store.is_now("store_late"):
            raise TimedOut("late")

    def challenge(self, installation: str) -> Challenge:
        self._called()
        if installation not in self._store.disk.held:
            raise StoreRefused(401, "unknown", "nobody of that name")
        if installation in self._store.revoked:
            raise StoreRefused(403, "revoked", "its key was taken back")
        return Challenge(challenge=b"c" * 32, store_id=STORE_ID)

    def session(self, request: SessionRequest) -> Session:
        self._called()
        store, held = self._store, self._store.disk.held[request.installation]
        text = SESSION_LABEL + STORE_ID.encode() + b"\0" + request.challenge
        Ed25519PublicKey.from_public_bytes(held.public_key).verify(request.signature, text)
        if request.acknowledged > held.head_seq:
            store.disk.epoch += 1
        self._of, self._token = request.installation, f"token {store.seen.calls}"
        store.sessions[self._token] = self._of
        self._reply()
        return Session(token=self._token, seconds=SESSION_MS // 1000, head=store.head_of(self._of))

    def end_session(self) -> None:
        self._token = ""

    def _known(self) -> Held:
        if self._token not in self._store.sessions:
            raise StoreRefused(401, "session", "no such session")
        return self._store.disk.held[self._of]

    def head(self) -> Head:
        self._called()
        self._known()
        self._reply()
        return self._store.head_of(self._of)

    def batch(self, body: bytes) -> Answer:
        self._called()
        store, held = self._store, self._known()
        batch = read_batch(body)
        header = read_header(batch.signed.header)
        try:
            key = Ed25519PublicKey.from_public_bytes(held.public_key)
            key.verify(batch.signed.signature, BATCH_LABEL + batch.signed.header)
        except InvalidSignature as error:
            raise StoreRefused(403, "signature", "not its key's") from error
        text = unpacked(batch.packed)
        events = events_of(header, text)
        store.seen.posted.append((header.installation, header.last, header.mac))
        store.seen.bodies.append(text)
        if self._of in store.revoked:
            raise StoreRefused(403, "revoked", "its key was taken back")
        # A line may hand over twice what was sent once; the first reply is lost then.
        times = 2 if store.is_now("store_twice") else 1
        for _ in range(times):
            verdict = store.verdict(held, header.first, header.last, header.before, events)
            if verdict is Verdict.TAKEN:
                store.keep(held, Batch(batch.signed, events, store.world.now))
        shown = held.batches[-1].signed if verdict is Verdict.FORK and held.batches else None
        head = store.head_of(self._of)
        self._reply()
        if verdict in (Verdict.TAKEN, Verdict.HAVE) and not store.is_now("store_lies"):
            store.seen.answered.append((store.world.now, self._of, head.seq))
        if store.is_now("store_lies") and store.world.now // 5_000 % 2:
            return Answer(verdict=Verdict.FORK, head=head, held=store.forged(batch.signed))
        return Answer(verdict=verdict, head=head, held=shown)

    def told(self, after: int) -> ToldPage:
        self._called()
        held = self._known()
        found: dict[str, Told] = {}
        for batch in held.batches:
            for each in batch.events:
                attempt = each.content.get("attempt")
                if each.seq > after and isinstance(attempt, dict):
                    key = str(attempt["attempt_id"])
                    found[key] = Told(attempt_id=key, seq=each.seq, attempt=attempt)
        told = sorted(found.values(), key=lambda each: each.seq)
        self._reply()
        return ToldPage(told=tuple(told[:PAGE]), more=len(told) > PAGE)

    def close(self) -> None:
        self._closed = True
