"""A store in memory that keeps to the protocol (domain/shipping.py), and can be told to be lost, restored or a liar.

It knows counters by their public keys, as a store does, and looks at every batch as one must: signature, continuity,
digest. A test's Shipper talks to it as to a StoreClient. Not a copy of pos_app/store: what both understand alike is
the protocol's page alone.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
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

STORE_ID = "S-1"


class Held(msgspec.Struct):
    """What is held of one installation."""

    public_key: bytes
    events: list[Shipped] = []
    headers: list[Signed] = []
    lasts: list[int] = []
    state: str = "joined"


class ModelStore:
    """All counters' store. `lost`: nothing is answered; `late`: what arrives is done, and its reply is lost."""

    def __init__(self) -> None:
        self.counters: dict[str, Held] = {}
        self.epoch = 1
        self.lost = False
        self.late = False
        self.calls: list[str] = []
        self.forks: list[Signed] = []
        self.lies: Callable[[Head], Head] = lambda head: head
        self.sessions: set[str] = set()

    def take_in(self, installation: str, public_key: bytes) -> None:
        """As if it had joined."""
        self.counters[installation] = Held(public_key=public_key, events=[], headers=[], lasts=[])

    def restore(self, installation: str, batches: int) -> None:
        """So many batches are held again, as from an old backup; every session is over."""
        held = self.counters[installation]
        del held.headers[batches:], held.lasts[batches:]
        del held.events[held.lasts[-1] if held.lasts else 0 :]
        self.epoch += 1
        self.sessions.clear()

    def head_of(self, installation: str) -> Head:
        """What it holds, as it says it."""
        held = self.counters[installation]
        if not held.events:
            return self.lies(Head(epoch=self.epoch))
        newest = held.events[-1]
        return self.lies(Head(seq=newest.seq, mac=newest.mac, epoch=self.epoch, proof=held.headers[-1]))

    def line(self) -> Line:
        """A counter's connection to it."""
        return Line(self)


class Line:
    """What a Shipper calls."""

    def __init__(self, store: ModelStore) -> None:
        self._store = store
        self._token = ""
        self._of = ""
        self.closed = False

    @property
    def has_session(self) -> bool:
        return bool(self._token)

    def _called(self, name: str) -> None:
        self._store.calls.append(name)
        if self._store.lost or self.closed:
            raise ConnectFailed("lost")

    def _late(self) -> None:
        if self._store.late:
            raise TimedOut("late")

    def challenge(self, installation: str) -> Challenge:
        self._called("challenge")
        held = self._store.counters.get(installation)
        if held is None or held.state == "left":
            raise StoreRefused(401, "unknown", "nobody of that name")
        if held.state == "revoked":
            raise StoreRefused(403, "revoked", "its key was taken back")
        return Challenge(challenge=b"c" * 32, store_id=STORE_ID)

    def session(self, request: SessionRequest) -> Session:
        self._called("session")
        held = self._store.counters[request.installation]
        key = Ed25519PublicKey.from_public_bytes(held.public_key)
        key.verify(request.signature, SESSION_LABEL + STORE_ID.encode() + b"\0" + request.challenge)
        self._of, self._token = request.installation, f"token-{len(self._store.calls)}"
        self._store.sessions.add(self._token)
        self._late()
        return Session(token=self._token, seconds=3600, head=self._store.head_of(self._of))

    def end_session(self) -> None:
        self._token = ""

    def _known(self) -> Held:
        if self._token not in self._store.sessions:
            raise StoreRefused(401, "session", "no such session")
        held = self._store.counters[self._of]
        if held.state != "joined":
            raise StoreRefused(403, "revoked", "its key was taken back")
        return held

    def head(self) -> Head:
        self._called("head")
        self._known()
        return self._store.head_of(self._of)

    def batch(self, body: bytes) -> Answer:
        self._called("batch")
        held = self._known()
        batch = read_batch(body)
        Ed25519PublicKey.from_public_bytes(held.public_key).verify(
            batch.signed.signature, BATCH_LABEL + batch.signed.header
        )
        header = read_header(batch.signed.header)
        assert header.installation == self._of
        events = events_of(header, unpacked(batch.packed))
        verdict, shown = self._swap(held, header.first, header.last, header.before, header.mac), None
        if verdict is Verdict.TAKEN:
            held.events += events
            held.headers.append(batch.signed)
            held.lasts.append(header.last)
        if verdict is Verdict.FORK:
            self._store.forks.append(batch.signed)
            at = next(
                (n for n, last in enumerate(held.lasts) if last >= min(header.first, held.lasts[-1])), -1
            )
            shown = held.headers[at]
        self._late()
        return Answer(verdict=verdict, head=self._store.head_of(self._of), held=shown)

    @staticmethod
    def _swap(held: Held, first: int, last: int, before: bytes, mac: bytes) -> Verdict:
        seq = held.events[-1].seq if held.events else 0
        if first > seq + 1:
            return Verdict.GAP
        if first == seq + 1:
            same = seq == 0 or held.events[-1].mac == before
            return Verdict.TAKEN if same else Verdict.FORK
        if last > seq:
            # Its beginning is held; the rest comes again behind the head that is told.
            return Verdict.HAVE
        return Verdict.HAVE if held.events[last - 1].mac == mac else Verdict.FORK

    def told(self, after: int) -> ToldPage:
        self._called("told")
        held = self._known()
        found: dict[str, Told] = {}
        for each in held.events:
            attempt = each.content.get("attempt")
            if each.seq > after and isinstance(attempt, dict):
                key = str(attempt["attempt_id"])
                found[key] = Told(attempt_id=key, seq=each.seq, attempt=attempt)
        told = sorted(found.values(), key=lambda each: each.seq)
        return ToldPage(told=tuple(told[:2]), more=len(told) > 2)

    def close(self) -> None:
        self.closed = True
