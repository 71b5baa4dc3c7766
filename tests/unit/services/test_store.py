"""The calls to a store: what was promised is read, a refusal says why, a pinned certificate is the only one."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.shipping import Challenge, Head, Refusal, Session, SessionRequest, ToldPage
from pos_app.services.errors import Broken, ConnectFailed, Garbled, ServiceError, TlsFailed, TooLarge
from pos_app.services.origin import OriginError
from pos_app.services.store import StoreClient, StoreRefused
from tests.unit.services.certificates import make, server_context
from tests.unit.services.raw_server import JSON_HEADER, RawServer, http_reply, says

HERE = ("127.0.0.1", "localhost")
CA = make("store root", is_ca=True)
OTHER = make("another root", is_ca=True)
LEAF = make("store", CA, hosts=HERE)
STRANGER = make("stranger", OTHER, hosts=HERE)
_json = msgspec.json.Encoder()


@contextmanager
def at(*replies: bytes) -> Iterator[tuple[StoreClient, RawServer]]:
    """A client of a store that answers so."""
    with RawServer() as server:
        server.play = says(*replies)
        client = StoreClient(f"http://127.0.0.1:{server.port}")
        try:
            yield client, server
        finally:
            client.close()


def answer(value: object) -> bytes:
    return http_reply(_json.encode(value))


def refused(status: str, code: str, headers: bytes = b"") -> bytes:
    body = _json.encode(Refusal(code=code, message="because\nof that", field="code"))
    return http_reply(body, status, JSON_HEADER + headers)


REQUEST = SessionRequest(installation="K7Q2MXAB", challenge=b"c", signature=b"s")


def test_what_was_promised_is_read() -> None:
    head = Head(seq=3, mac=b"m" * 32)
    with at(answer(Challenge(challenge=b"c" * 32, store_id="S"))) as (client, _):
        assert client.challenge("K7Q2MXAB").store_id == "S"
    with at(answer(head)) as (client, _):
        assert client.head() == head


def test_a_session_goes_along_with_each_later_call() -> None:
    token = Session(token="token-1", seconds=3600, head=Head())
    with at(answer(token), answer(ToldPage())) as (client, server):
        before = client.has_session
        client.session(REQUEST)
        assert (before, client.has_session) == (False, True)
        client.told(120)
        asked = server.requests[-1]
        assert b"/v1/told?after=120 " in asked
        assert b"Authorization: Bearer token-1" in asked
        client.end_session()
        after = client.has_session
        assert not after


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"seq": "x"}', b"\xff", b"[" * 50_000])
def test_what_is_no_answer_of_a_store_is_garbled(body: bytes) -> None:
    with at(http_reply(body)) as (client, _), pytest.raises(Garbled):
        client.head()


@pytest.mark.parametrize("seq", [-1, -(10**30), 2**63, 10**30])
def test_a_head_that_no_journal_can_look_up_is_garbled(seq: int) -> None:
    with at(answer({"seq": seq, "mac": "eA=="})) as (client, _), pytest.raises(Garbled):
        client.head()
    with (
        at(answer({"told": [{"attempt_id": "x", "seq": seq}]})) as (client, _),
        pytest.raises(Garbled),
    ):
        client.told(1)


def test_a_session_without_a_token_is_none() -> None:
    """Each turn would open another, and believe another head."""
    with at(answer({"token": "", "seconds": 1, "head": {}})) as (client, _):
        with pytest.raises(Garbled):
            client.session(REQUEST)
        assert not client.has_session


def test_more_than_a_reply_may_have_is_not_read() -> None:
    with at(http_reply(b" " * (2 << 20))) as (client, _), pytest.raises((TooLarge, Broken)):
        client.head()


def test_a_refusal_has_its_code_and_says_whether_to_come_again() -> None:
    with at(refused("401 Unauthorized", "code")) as (client, _):
        with pytest.raises(StoreRefused) as caught:
            client.challenge("K7Q2MXAB")
        assert (caught.value.http_status, caught.value.code, str(caught.value)) == (
            401,
            "code",
            "because of that",
        )
        assert not caught.value.is_busy
    with at(refused("503 Service Unavailable", "database", b"Retry-After: 7\r\n")) as (client, _):
        with pytest.raises(StoreRefused) as caught:
            client.head()
        assert caught.value.is_busy
        assert caught.value.retry_s == 7


@pytest.mark.parametrize("after", [b"soon", b"-1", b"1e9", b"999999999999", "\u0667".encode()])
def test_no_store_silences_a_counter_for_ever(after: bytes) -> None:
    with at(refused("429 Too Many", "slow", b"Retry-After: " + after + b"\r\n")) as (client, _):
        with pytest.raises(StoreRefused) as caught:
            client.head()
        assert 0 <= caught.value.retry_s <= 300


@pytest.mark.parametrize("status", ["401 X", "403 X", "404 X", "407 X", "413 X", "204 X"])
def test_a_page_of_whoever_stands_between_is_no_refusal_of_the_store(status: str) -> None:
    """A counter that is told of a refusal asks its owner for a new code, which helps nobody."""
    page = http_reply(b"<html>Log in</html>", status, b"Content-Type: text/html\r\n")
    with at(page) as (client, _), pytest.raises(Garbled) as caught:
        client.head()
    assert caught.value.http_status == int(status[:3])


@pytest.mark.parametrize("status", ["404 Not Found", "500 Internal Server Error", "204 No Content"])
def test_what_is_not_200_is_never_an_answer(status: str) -> None:
    with at(http_reply(b"<html>", status)) as (client, _), pytest.raises((StoreRefused, ServiceError)):
        client.head()


def test_a_token_that_cannot_be_sent_is_no_session() -> None:
    token = Session(token="a\r\nX-Other: b", seconds=1, head=Head())
    with at(answer(token)) as (client, _):
        client.session(REQUEST)
        with pytest.raises(ValueError, match="cannot be sent"):
            client.head()


@pytest.mark.parametrize(
    "address",
    ["http://store.example", "http://10.0.0.5:80", "ftp://127.0.0.1", "https://a:b@store.example", ""],
)
def test_an_address_that_no_counter_talks_to(address: str) -> None:
    with pytest.raises(OriginError):
        StoreClient(address)


def test_closing_ends_it() -> None:
    client = StoreClient("http://127.0.0.1:9")
    client.close()
    with pytest.raises(ConnectFailed):
        client.head()


@pytest.fixture
def ca_file(tmp_path: Path) -> Callable[[bytes], str]:
    def write(pem: bytes) -> str:
        path = tmp_path / "store.pem"
        path.write_bytes(pem)
        return str(path)

    return write


def pin_of(pem: bytes) -> str:
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem.decode())).hexdigest()


def told(server: RawServer, file: str, pin: str) -> int:
    client = StoreClient(f"https://127.0.0.1:{server.port}", file, pin)
    try:
        return client.head().seq
    finally:
        client.close()


def test_the_pinned_certificate_alone_is_believed(tmp_path: Path, ca_file: Callable[[bytes], str]) -> None:
    file = ca_file(CA.pem())
    with RawServer(server_context(tmp_path, LEAF)) as server:
        server.play = says(answer(Head(seq=3)))
        assert told(server, file, pin_of(CA.pem()).upper()) == 3
    # What else stands in the file is believed by nobody.
    file = ca_file(CA.pem() + OTHER.pem())
    with RawServer(server_context(tmp_path, STRANGER)) as server:
        server.play = says(answer(Head(seq=3)))
        with pytest.raises(TlsFailed):
            told(server, file, pin_of(CA.pem()))


@pytest.mark.parametrize("what", ["another", "none", "rubbish"])
def test_a_file_that_is_not_the_pinned_certificate_opens_nothing(
    tmp_path: Path, ca_file: Callable[[bytes], str], what: str
) -> None:
    pem = {"another": OTHER.pem(), "none": b"", "rubbish": b"\xff"}[what]
    file = ca_file(pem)
    with RawServer(server_context(tmp_path, LEAF)) as server, pytest.raises(TlsFailed):
        told(server, file, pin_of(CA.pem()))
