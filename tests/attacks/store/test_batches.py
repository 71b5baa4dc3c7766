"""What is posted as a batch and is none, or is somebody else's: nothing of it comes in, and it holds nobody up."""

from __future__ import annotations

import socket
import threading
from hashlib import sha256
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from pos_app.domain import shipping
from pos_app.domain.shipping import Batch, Header, Refusal, Shipped, Signed, Verdict
from pos_app.store import server
from pos_app.store.database import Database
from tests.attacks import hostile
from tests.support.store import PretendCounter, attempt, code_for, rows, serving

NEXT_TO_A_MEBIBYTE = 90_000
"""So many levels of JSON are a batch of the size that is allowed."""


def refusal(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, msgspec.json.decode(said.content, type=Refusal).code


def nothing_came(database: Database) -> bool:
    return rows(database, "SELECT (SELECT count(*) FROM batch), (SELECT count(*) FROM attempt)") == [(0, 0)]


def signed_over(counter: PretendCounter, header: Header, text: bytes) -> bytes:
    return shipping.posted(counter.signed(msgspec.msgpack.encode(header)), text)


def test_a_batch_is_nothing_but_what_its_counter_signed(database: Database, shop: int) -> None:
    """Each part of it exchanged for another counter's, or for another batch's."""
    counter, other = PretendCounter(), PretendCounter("OTHER1", 2)
    counter.pay("K7Q2MX-1-1")
    other.pay("OTHER1-1-1", "5000.00")
    mine, foreign = shipping.read_batch(counter.batch(1, 3)), shipping.read_batch(other.batch(1, 3))
    mixed = {
        "digest": Batch(signed=mine.signed, packed=foreign.packed),
        "signature": Batch(
            signed=Signed(header=mine.signed.header, signature=foreign.signed.signature), packed=mine.packed
        ),
        "installation": foreign,
    }
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        with other.at(url, code_for(database, shop)):
            for code, batch in mixed.items():
                assert refusal(counter.send(msgspec.msgpack.encode(batch)))[1] == code
        assert nothing_came(database)
        assert counter.ship().verdict is Verdict.TAKEN


def test_a_signature_of_another_meaning_signs_no_batch(database: Database, shop: int) -> None:
    """A session's challenge that is a header's bytes; a header under another label; none at all."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    text = shipping.text_of(counter.events)
    header = shipping.header_of(counter.installation, b"", counter.events, text)
    labels = (b"", shipping.SESSION_LABEL, shipping.JOIN_LABEL, shipping.SESSION_LABEL + b"st-test\0")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for label in labels:
            signed = Signed(header=header, signature=counter.key.sign(label + header))
            assert refusal(counter.send(shipping.posted(signed, text))) == (403, "signature")
        for signature in (b"", b"\0" * 64, b"\xff" * 65):
            signed = Signed(header=header, signature=signature)
            assert refusal(counter.send(shipping.posted(signed, text))) == (403, "signature")
    assert nothing_came(database)


def test_replayed_batches_change_nothing(database: Database, shop: int) -> None:
    """By the counter itself, in each order, and by who listened and has a session of another counter."""
    counter, listener = PretendCounter(), PretendCounter("OTHER1", 2)
    for number in range(1, 6):
        counter.pay(f"K7Q2MX-{number}-1")
    bodies = [counter.batch(first, first + 2) for first in range(1, 15, 3)]
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for body in bodies:
            assert counter.send(body).status_code == 200
        before = rows(database, "SELECT * FROM takings ORDER BY hour")
        for body in (*reversed(bodies), *bodies):
            said = msgspec.json.decode(counter.send(body).content, type=shipping.Answer)
            assert (said.verdict, said.head.seq) == (Verdict.HAVE, 15)
        with listener.at(url, code_for(database, shop)):
            assert refusal(listener.send(bodies[0])) == (403, "installation")
    assert rows(database, "SELECT * FROM takings ORDER BY hour") == before
    assert rows(database, "SELECT count(*) FROM batch") == [(5,)]
    assert rows(database, "SELECT count(*) FROM fork") == [(0,)]


def test_ranges_that_are_none(database: Database, shop: int) -> None:
    """Signed by the counter's own key, so that only the store's look is in the way."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    events = counter.events
    text = shipping.text_of(events)
    right = shipping.read_header(shipping.header_of(counter.installation, b"", events, text))
    twice = (events[0], events[0], events[2])
    short = (events[0], events[1], msgspec.structs.replace(events[2], mac=b"short"))
    wrong = [
        (msgspec.structs.replace(right, first=0), text, "range"),
        (msgspec.structs.replace(right, first=-3, last=-1), text, "range"),
        (msgspec.structs.replace(right, first=3, last=1), text, "range"),
        (msgspec.structs.replace(right, last=1 << 62), text, "range"),
        (msgspec.structs.replace(right, last=4), text, "order"),
        (msgspec.structs.replace(right, first=2), text, "order"),
        (msgspec.structs.replace(right, mac=b"\0" * 32), text, "macs"),
        (msgspec.structs.replace(right, digest=sha256(b"[]").digest()), b"[]", "range"),
    ]
    for odd, code in ((twice, "order"), (short, "macs")):
        other = shipping.text_of(odd)
        digest = sha256(other).digest()
        wrong.append((msgspec.structs.replace(right, digest=digest, mac=odd[-1].mac), other, code))
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for header, its_text, code in wrong:
            assert refusal(counter.send(signed_over(counter, header, its_text))) == (422, code), header
        assert nothing_came(database)
        assert counter.ship().verdict is Verdict.TAKEN


def _bodies(counter: PretendCounter) -> dict[str, tuple[bytes, tuple[int, str]]]:
    """Name, what is posted, and how it is refused."""
    deep_msgpack = b"\x91" * 200_000 + b"\xc0"
    deep = (
        b'[{"seq":1,"kind":"A","mac":"'
        + b"A" * 43
        + b'=","content":{"a":%s%s}}]'
        % (
            b"[" * NEXT_TO_A_MEBIBYTE,
            b"]" * NEXT_TO_A_MEBIBYTE,
        )
    )
    bomb = b" " * (500 << 20)
    unread = b'[{"seq":1,"kind":"\xff\xfe","mac":""}]'
    huge = b'[{"seq":%s,"kind":"A","mac":""}]' % (b"9" * 5_000)

    def of(text: bytes) -> bytes:
        header = Header(
            installation=counter.installation,
            first=1,
            last=1,
            before=b"",
            mac=b"\0" * 32,
            digest=sha256(text).digest(),
        )
        return signed_over(counter, header, text)

    cut = of(b"[]")
    return {
        "nothing": (b"", (422, "unreadable")),
        "deep in MessagePack": (deep_msgpack, (422, "unreadable")),
        "deep in JSON": (of(deep), (422, "unreadable")),
        "half a gigabyte in half a megabyte": (of(bomb), (413, "too_long")),
        "no UTF-8": (of(unread), (422, "unreadable")),
        "a number of 5,000 digits": (of(huge), (422, "unreadable")),
        "cut off": (cut[: len(cut) // 2], (422, "unreadable")),
        "something behind it": (cut + b"\0", (422, "unreadable")),
    }


def test_bombs_and_what_cannot_be_read(database: Database, shop: int) -> None:
    counter = PretendCounter()
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for name, (body, wanted) in _bodies(counter).items():
            assert refusal(counter.send(body)) == wanted, name
        # What is read as JSON before anybody signed in.
        for path in ("/v1/join", "/v1/challenge", "/v1/session"):
            deep = b'{"installation":' + b"[" * 30_000 + b"]" * 30_000 + b"}"
            assert refusal(httpx.post(url + path, content=deep, trust_env=False)) == (422, "unreadable")
            long = httpx.post(url + path, content=b" " * (70 << 10), trust_env=False)
            assert refusal(long) == (413, "too_long")
        counter.pay("K7Q2MX-1-1")
        assert counter.ship().verdict is Verdict.TAKEN


def test_a_slow_body_ends_at_its_deadline_and_others_are_served(
    database: Database, shop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Those who are served have it as well, on a machine that stands still for a moment.
    monkeypatch.setattr(server, "BODY_S", 3.0)
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        place = urlsplit(url)
        assert place.hostname
        assert place.port
        slow = [socket.create_connection((place.hostname, place.port), timeout=30) for _ in range(20)]
        try:
            for each in slow:
                each.sendall(
                    b"POST /v1/batches HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n"
                    b"Authorization: Bearer " + counter.token.encode() + b"\r\n\r\n\x82"
                )
            assert counter.ship().verdict is Verdict.TAKEN
            for each in slow:
                assert each.recv(200).startswith(b"HTTP/1.1 408 ")
        finally:
            for each in slow:
                each.close()
        assert counter.head().seq == 3


def _is_text(text: str) -> bool:
    """What a journal can hold: no half of a pair."""
    return text.encode("utf-8", "ignore").decode() == text


TEXTS = [text[:2_000] for text in hostile.payloads() if _is_text(text)]


def _hostile(counter: PretendCounter) -> None:
    """A payment with each text in each place that takes one, and such as no table takes."""
    for number, text in enumerate(TEXTS, 1):
        cut = text
        counter.write(
            "STATUS_ANSWERED",
            attempt=attempt(
                f"K7Q2MX-{number}-1", "PAID", "1.00", sale_id=cut, owner=cut, wallet_mask=cut,
                wallet_transaction_id=cut[:500], reason=cut, code=cut, service_status=cut, kind="push",
            ),
            event={"who": cut, "name": cut, cut[:90]: cut},
        )  # fmt: skip


def test_hostile_texts_are_kept_as_they_are_or_set_aside(database: Database, shop: int) -> None:
    """No text is SQL, none ends a lane: those with U+0000, for which PostgreSQL has no text, are shown as unfit."""
    counter = PretendCounter()
    _hostile(counter)
    told = len(counter.events)
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert counter.ship().verdict is Verdict.TAKEN
    (unfit,) = rows(database, "SELECT count(*) FROM unfit")[0]
    fits = rows(database, "SELECT owner FROM attempt ORDER BY seq")
    wanted = [text for text in TEXTS if "\0" not in text]
    assert [owner for (owner,) in fits] == wanted
    assert unfit == told - len(wanted)
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(len(wanted), 100 * len(wanted))]


NO_TABLE_TAKES: dict[str, dict[str, object]] = {
    "an id that is longer than an index's row": {"attempt_id": "x"},
    "a wallet's id that is longer": {"wallet_transaction_id": "x"},
    "an amount beyond all sums": {"amount": "1E+999999"},
    "no number": {"amount": "NaN"},
    "endless": {"amount": "Infinity"},
    "less than nothing": {"amount": "-5.00"},
    "a currency of a thousand letters": {"currency": "L" * 1_000},
    "a number below nothing": {"number": -1},
}


@pytest.mark.parametrize("name", NO_TABLE_TAKES)
def test_what_no_table_takes_is_held_and_its_neighbours_go_on(
    database: Database, shop: int, name: str
) -> None:
    """Five counters at once, one of them with this: nobody waits for it, and its own next batch is taken."""
    noise = "".join(sha256(bytes((place,))).hexdigest() for place in range(200))
    odd = {field: noise if value == "x" else value for field, value in NO_TABLE_TAKES[name].items()}
    counters = [PretendCounter(f"COUNT{number}", number + 1) for number in range(5)]
    for number, counter in enumerate(counters):
        counter.pay(f"COUNT{number}-1-1")
        if number == 3:
            told = attempt("COUNT3-2-1", "PAID", wallet_transaction_id="77")
            counter.write("STATUS_ANSWERED", attempt={**told, **odd})
            counter.pay("COUNT3-3-1")
    with serving(database) as url:
        verdicts: list[Verdict] = []

        def ship(counter: PretendCounter, code: str) -> None:
            with counter.at(url, code):
                verdicts.append(counter.ship().verdict)

        codes = [code_for(database, shop) for _ in counters]
        threads = [threading.Thread(target=ship, args=each) for each in zip(counters, codes, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert verdicts == [Verdict.TAKEN] * 5
    assert rows(database, "SELECT seq FROM unfit") in ([(4,)], [])
    (n,) = rows(database, "SELECT sum(n) FROM takings WHERE minor = n * 10000")[0]
    assert n == 6


def test_kinds_of_a_newer_counter_are_kept(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.events.append(Shipped(seq=1, kind="NOT YET THOUGHT OF", mac=b"m" * 32, content={"x": {"y": [1]}}))
    counter.write("STATUS_ANSWERED", attempt=attempt("K7Q2MX-1-1", "PAID", colour="green", flags=["new"]))
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert counter.ship().verdict is Verdict.TAKEN
    assert rows(database, "SELECT state FROM attempt") == [("PAID",)]
