"""Whoever has the store's address and no key: heads without an end, and connections that only stand there."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from pos_app.store import connection
from pos_app.store.connection import HEAD_MOST
from pos_app.store.database import Database
from tests.support.store import PretendCounter, caller, code_for, serving

BEGUN = b"GET /v1/head HTTP/1.1\r\nHost: x\r\n"
BEHIND = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"


@contextmanager
def _connected(url: str) -> Iterator[socket.socket]:
    place = urlsplit(url)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=30) as made:
        yield made


def _is_ended(made: socket.socket) -> bool:
    """Waits for it: whatever is answered before."""
    try:
        while made.recv(65_536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize(("begun", "piece"), [
    (BEGUN + b"X: ", b"a" * 65_536),
    (BEGUN, b"A-header: and another\r\n" * 3_000),
    (b"", b"\r\n" * 30_000),
    (BEHIND, b"A-header: and another\r\n" * 3_000),
    (BEHIND + b"X: ", b"a" * 65_536),
], ids=["one header", "many", "none", "many behind a body", "one behind a body"])  # fmt: skip
def test_a_head_without_an_end_is_not_kept(database: Database, begun: bytes, piece: bytes) -> None:
    with serving(database) as url, _connected(url) as made:
        sent = 0
        try:
            made.sendall(begun)
            # What the system holds on the way is a few pieces more.
            while sent < 500 * HEAD_MOST:
                made.sendall(piece)
                sent += len(piece)
        except ConnectionError:
            pass
        assert sent < 500 * HEAD_MOST
        assert httpx.get(f"{url}/v1/head", trust_env=False).status_code == 401


@pytest.mark.parametrize("begun", [
    b"",
    BEGUN,
    BEGUN + b"\r\n" + BEGUN,
    b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx",
], ids=["nothing", "a head", "a second head", "a body that nobody reads"])  # fmt: skip
def test_what_only_stands_there_is_ended(
    database: Database, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connection, "WHOLE_S", 0.5)
    with serving(database) as url, _connected(url) as made:
        made.sendall(begun)
        assert _is_ended(made)


def test_requests_on_one_connection_are_each_taken_for_themselves(database: Database, shop: int) -> None:
    """A counter's connection carries more heads in an hour than one may be long, and batches longer than that."""
    counter = PretendCounter()
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for number in range(150):
            counter.pay(f"K7Q2MX-{number}-1", reference="x" * 500)
        counter.ship()
        with caller(url) as client:
            for _ in range(100):
                assert client.get("/v1/head", headers={"x": "x" * 1_000}).status_code == 401
        assert counter.head().seq == 450
