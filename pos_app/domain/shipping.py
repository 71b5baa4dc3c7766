"""What a counter tells the store: batches of its journal's events, and what the store answers to each. Pure.

The journal is the outbox: a batch is a range of it without gaps, and the store's head (the number and MAC of the
newest event that it holds) is the only cursor there is. A MAC covers the whole history before it and everything of
its event, also what is never shipped: equal MACs mean equal histories, whatever is left out of the contents.

Nothing here says how bytes are signed or sent (journal/outbox.py, services/store.py, store/receive.py).
"""

from __future__ import annotations

import hmac
import re
import zlib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import scrypt, sha256
from typing import Annotated

import msgspec

from pos_app.domain.unreadable import UNREADABLE

PROTOCOL = 1
"""Rises with a change that the other side cannot ignore; unknown fields and kinds are kept, never refused."""

EVENTS_MOST = 500
BYTES_MOST = 1 << 20
"""So many bytes of events (before they are packed) are one batch at most, unless a single event is longer."""
UNPACKED_MOST = 2 << 20
"""The store unpacks no more than this: what is longer is a bomb (413)."""
GATHERED_MS = 1_000
BACKLOG_PAUSE_MS = 250
IDLE_CALL_MS = 60_000
FIRST_RETRY_MS, LONGEST_RETRY_MS = 1_000, 300_000

BATCH_LABEL = b"pos_app store batch 1\0"
SESSION_LABEL = b"pos_app store session 1\0"
JOIN_LABEL = b"pos_app store join 1\0"
"""What a signature or a proof begins with, so that none can stand in for another."""

MAC_LENGTH = 32

Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""Of an event in a store's answer: what lies beyond no journal can look up."""


class Shipped(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event as it leaves the counter.

    `at` is till time in ms, `wall` ISO text with offset, `path` the states passed (space between). A kind that is
    not on the list of what may leave has its number, kind and MAC alone: no gap, and no content.
    """

    seq: int
    kind: str
    mac: bytes
    at: int = 0
    wall: str = ""
    subject: str = ""
    actor: str = ""
    path: str = ""
    content: dict[str, object] = {}


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a counter signs of a batch: whose, from where to where, and the digest of its events' text.

    `before` is the MAC of the event first - 1 (the chain's beginning for first = 1), `mac` that of `last`.
    """

    installation: str
    first: int
    last: int
    before: bytes
    mac: bytes
    digest: bytes
    protocol: int = PROTOCOL


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """A header as the bytes that were signed, and the Ed25519 signature over BATCH_LABEL and them."""

    header: bytes
    signature: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What is posted: a signed header, and the events' text, packed."""

    signed: Signed
    packed: bytes


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The newest event that the store holds of an installation; 0 and the chain's beginning (b"") for none.

    `epoch` rises when the store was restored from a backup; `proof` is the signed header of the newest batch held.
    """

    seq: Number = 0
    mac: bytes = b""
    epoch: Number = 1
    proof: Signed | None = None


class Verdict(StrEnum):
    """What the store says of a batch."""

    TAKEN = "taken"
    HAVE = "have"
    """It was here before: nothing changed."""
    GAP = "gap"
    """It begins behind what is held: the counter goes back to the head."""
    FORK = "fork"
    """Another event stands where this batch has one: `Answer.held` is the signed header that says so."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The reply to a batch. `held` comes with FORK: a header signed by this counter's own key, or it proves nothing."""

    verdict: Verdict
    head: Head
    held: Signed | None = None


class ChallengeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """POST /v1/challenge: who wants a session."""

    installation: str


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """32 bytes to be signed (`session_text`) within a minute, once."""

    challenge: bytes
    store_id: str


class SessionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """POST /v1/session: the signed challenge, and how the counter does (shown on the owner's page, never obeyed).

    Without a `version` it says nothing of that: whoever only asks has a session, too.

    `wall` is the counter's clock as ISO text; `waiting` the events not yet acknowledged; `disk_free` in bytes;
    `acknowledged` the newest head that this store told it as taken: a store that holds less was put back.
    """

    installation: str
    challenge: bytes
    signature: bytes
    version: str = ""
    wall: str = ""
    waiting: int = 0
    disk_free: int = -1
    acknowledged: int = 0


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A bearer token for an hour, and the head."""

    token: Annotated[str, msgspec.Meta(min_length=1)]
    seconds: int
    head: Head


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True):
    """POST /v1/join. `proof` is HMAC-SHA256 with the code's key over what `join_text` gives; the code never leaves."""

    installation: str
    public_key: bytes
    proof: bytes
    merchant_id: str
    counter_id: int
    counter_name: str = ""
    environment: str = ""
    currency: str = ""
    protocol: int = PROTOCOL


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The store took the counter in: which store and which of its shops."""

    store_id: str
    store_name: str
    shop_name: str
    counter: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt of this installation that the store heard of behind a place in the journal (GET /v1/told?after=SEQ).

    A hint, never a fact: it is asked of the service, whatever its state was said to be.
    """

    attempt_id: str
    seq: Number
    attempt: dict[str, object] = {}


class ToldPage(msgspec.Struct, frozen=True, kw_only=True):
    """Hints in the order of seq; more come behind the last where `more`."""

    told: tuple[Told, ...] = ()
    more: bool = False


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The body of each reply that is not 200: a code for programs, words for people, and the field it is about."""

    code: str
    message: str
    field: str = ""


_lines = msgspec.json.Encoder(order="deterministic")
_shipped = msgspec.json.Decoder(tuple[Shipped, ...])
_pack = msgspec.msgpack.Encoder()
_header = msgspec.msgpack.Decoder(Header)
_batch = msgspec.msgpack.Decoder(Batch)


class BadBatch(ValueError):
    """A batch that is none. `code`: unreadable, too_long, digest, range, order or macs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def text_of(events: Sequence[Shipped]) -> bytes:
    """The events as the JSON text that the digest is of."""
    return _lines.encode(events)


def header_of(installation: str, before: bytes, events: Sequence[Shipped], text: bytes) -> bytes:
    """The header to be signed, as bytes."""
    return _pack.encode(
        Header(
            installation=installation,
            first=events[0].seq,
            last=events[-1].seq,
            before=before,
            mac=events[-1].mac,
            digest=sha256(text).digest(),
        )
    )


def posted(signed: Signed, text: bytes) -> bytes:
    """The body of POST /v1/batches (application/msgpack)."""
    return _pack.encode(Batch(signed=signed, packed=zlib.compress(text, 6)))


def read_batch(body: bytes) -> Batch:
    """A posted body. Raises BadBatch."""
    try:
        return _batch.decode(body)
    except UNREADABLE as error:
        raise BadBatch("unreadable", f"this is no batch: {error}") from error


def read_header(header: bytes) -> Header:
    """What was signed. Raises BadBatch."""
    try:
        return _header.decode(header)
    except UNREADABLE as error:
        raise BadBatch("unreadable", f"this is no batch's header: {error}") from error


def unpacked(packed: bytes) -> bytes:
    """The events' text, never more than UNPACKED_MOST bytes of it. Raises BadBatch."""
    inflate = zlib.decompressobj()
    try:
        text = inflate.decompress(packed, UNPACKED_MOST + 1)
    except zlib.error as error:
        raise BadBatch("unreadable", "the events cannot be unpacked") from error
    if len(text) > UNPACKED_MOST:
        raise BadBatch("too_long", f"a batch is at most {UNPACKED_MOST} bytes of events")
    if not inflate.eof or inflate.unused_data:
        raise BadBatch("unreadable", "the events end too early, or something is behind them")
    return text


def events_of(header: Header, text: bytes) -> tuple[Shipped, ...]:
    """The events of a batch, each looked at: range, order, MACs and digest as the header says. Raises BadBatch."""
    if sha256(text).digest() != header.digest:
        raise BadBatch("digest", "the events are not those that were signed")
    try:
        events = _shipped.decode(text)
    except UNREADABLE as error:
        raise BadBatch("unreadable", f"the events cannot be read: {error}") from error
    if not events or len(events) > EVENTS_MOST:
        raise BadBatch("range", f"a batch has 1 to {EVENTS_MOST} events")
    if [each.seq for each in events] != [*range(header.first, header.last + 1)] or header.first < 1:
        raise BadBatch("order", "the events are not the numbers that the header names, one after the other")
    if events[-1].mac != header.mac or any(len(each.mac) != MAC_LENGTH for each in events):
        raise BadBatch("macs", f"each event has a MAC of {MAC_LENGTH} bytes, the last the header's")
    return events


def batches(events: Iterable[Shipped]) -> Iterable[list[Shipped]]:
    """Events in their order, cut into batches of at most EVENTS_MOST and BYTES_MOST."""
    batch: list[Shipped] = []
    size = 0
    for each in events:
        long = len(_lines.encode(each)) + 1
        if batch and (len(batch) == EVENTS_MOST or size + long > BYTES_MOST):
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += long
    if batch:
        yield batch


CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of a joining code: no I, L, O, U, which are read for others."""
CODE_LENGTH = 8


def read_code(typed: str) -> str:
    """A joining code as typed: spaces, hyphens and case do not matter, O is 0, I and L are 1. ValueError: none."""
    text = typed.replace(" ", "").replace("-", "").upper().translate(str.maketrans("OIL", "011"))
    if len(text) != CODE_LENGTH or set(text) - set(CODE_SIGNS):
        raise ValueError(f"a joining code has {CODE_LENGTH} letters and digits, for example 7K2M-Q9XB")
    return text


def code_key(code: str) -> bytes:
    """The key that both sides make of a joining code as `read_code` gives it; the store keeps nothing else of it.

    Slow on purpose (some 50 ms): a code is short.
    """
    return scrypt(code.encode("ascii"), salt=JOIN_LABEL, n=2**14, r=8, p=1, dklen=32)


def join_proof(key: bytes, request: JoinRequest) -> bytes:
    """What shows that a join was made by somebody with the code."""
    return hmac.digest(key, join_text(request), "sha256")


def session_text(store_id: str, challenge: bytes) -> bytes:
    """What a counter signs for a session: for this store alone, so that no other can hand its challenge on."""
    return SESSION_LABEL + store_id.encode() + b"\0" + challenge


def join_text(request: JoinRequest) -> bytes:
    """What the proof of a join is made over: everything of it but the proof."""
    return JOIN_LABEL + _lines.encode(msgspec.structs.replace(request, proof=b""))


FIND_MOST = 20
"""So many payments one answer to a search holds at the most."""
FIND_DAYS = 31
"""So far back it is looked where no time is named and the id is not one that names a single payment."""
FIND_DAYS_MOST = 366
FINDS_A_MINUTE = 30
"""Of one counter; more are told to wait (429)."""
FIND_S = 2.0
"""So long a counter waits for the answer."""
FIND_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,3})?")
FIND_DIGITS = re.compile(r"[0-9]{2,15}")
"""The whole text of what is searched by: an exact amount, and how a wallet's number ends."""


class FindRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """POST /v1/find: payments of the asking counter's shop. All that is given has to fit; nothing given is refused.

    `amount`: exact text ("1250.00"). `earliest`, `latest`: when the customer's payment was begun, ISO with offset.
    `digits`: how the wallet's number ends, as a mask shows it. `id`: an attempt's, a receipt's number, the service's
    id, an invoice number or a reference, as it stands there.
    """

    amount: str = ""
    earliest: str = ""
    latest: str = ""
    digits: str = ""
    id: str = ""


class FoundPayment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A payment as its own counter told it, which may be over by now: never proof of money, but by `check`.

    `attempt`: what that counter shipped of it last. `counter`, `counter_id`, `installation`: which that is. `told`:
    when the store received it, ISO. `paid_at`: the wall of the event that made it money, "" for none; `check`: its
    receipt's check code, made of that counter's own key.
    """

    attempt: dict[str, object]
    counter: str
    counter_id: int
    installation: str
    told: str
    paid_at: str = ""
    check: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, newest first. `since`: from when on it was looked (ISO, "": ever); `more`: not all fit."""

    payments: tuple[FoundPayment, ...] = ()
    since: str = ""
    more: bool = False
