"""What a network and a server may do to a request: each ends in one named error; nothing is sent twice."""

import gzip
import time

import pytest

from pos_app.services.client import ServiceClient
from pos_app.services.errors import Broken, Garbled, NoBelievableReply, ServiceError, TimedOut, TooLarge
from tests.support.patience import PATIENCE_S
from tests.unit.services.raw_server import JSON_HEADER, Connection, Play, RawServer, http_reply, says

HEAD = b"HTTP/1.1 200 OK\r\n" + JSON_HEADER
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def reset(connection: Connection) -> None:
    connection.reset()


SOON_S = 0.4
"""What runs into its limit."""


def ends_after(data: bytes) -> Play:
    def play(connection: Connection) -> None:
        connection.send(data)
        raise OSError("the server hangs up")

    return play


FAULTS: dict[str, tuple[Play, type[ServiceError]]] = {
    "closed without a word": (ends_after(b""), Broken),
    "reset after the request": (reset, Broken),
    "closed within the head": (ends_after(HEAD), Broken),
    "closed within the body": (ends_after(http_reply(b"{}" * 9)[:-5]), Broken),
    "closed within a chunk": (ends_after(CHUNKED + b"10\r\n{}"), Broken),
    "silence": (Connection.wait, TimedOut),
    "one byte after the other": (lambda c: c.drip(http_reply(b"{}" * 99)), TimedOut),
    "a head without end, slowly": (lambda c: c.repeat(b"X", 0.03), TimedOut),
    "100 Continue for ever": (
        lambda c: c.repeat(b"HTTP/1.1 100 Continue\r\nX-Long: " + b"x" * 9_999 + b"\r\n\r\n"),
        TooLarge,
    ),
    "100 Continue for ever, slowly": (lambda c: c.repeat(b"HTTP/1.1 100 Continue\r\n\r\n", 0.03), TimedOut),
    "chunks without end": (lambda c: _first(c, CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n"), TooLarge),
    "chunks without end, slowly": (lambda c: _first(c, CHUNKED, b"1\r\n \r\n", 0.03), TimedOut),
    "a body without end": (lambda c: _first(c, HEAD + b"\r\n", b" " * 9_999), TooLarge),
    "a megabyte of header": (says(HEAD + b"X-Long: " + b"x" * 1_000_000 + b"\r\n\r\n"), Garbled),
    "more than it may be": (says(http_reply(b" " * ((1 << 20) + 1))), TooLarge),
    "HTTP/0.9": (ends_after(b"<html>hello</html>\n" * 40), Broken),
    "HTTP/0.9 with an empty line": (ends_after(b"<html>\n\nhello</html>\n" * 40), Garbled),
    "a status line that is none": (says(b"HTTP/1.1 abc\r\n\r\n"), Garbled),
    "two lengths": (says(HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), Garbled),
    "a chunk's size that is none": (says(CHUNKED + b"zz\r\n"), Garbled),
    "gzip": (says(http_reply(gzip.compress(b"{}"), headers=b"Content-Encoding: gzip\r\n")), Garbled),
    "br unasked": (says(http_reply(b"{}", headers=JSON_HEADER + b"Content-Encoding: br\r\n")), Garbled),
    "x-gzip in small letters": (says(http_reply(b"{}", headers=b"content-encoding: x-gzip\r\n")), Garbled),
}


def _first(connection: Connection, head: bytes, then: bytes, pause_s: float = 0.0) -> None:
    connection.send(head)
    connection.repeat(then, pause_s)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_after_sending_is_no_believable_reply(
    name: str, server: RawServer, client: ServiceClient
) -> None:
    server.play, expected = FAULTS[name]
    with pytest.raises(NoBelievableReply) as caught:
        client.post("/x", b"{}", {}, SOON_S if expected is TimedOut else PATIENCE_S)
    assert type(caught.value) is expected
    assert caught.value.sent
    assert len(server.requests) == 1, "a POST went twice"


BODY = b'{"response":{"status":"success"}}'
WHOLE = {
    "of a known length": http_reply(BODY),
    "in chunks": CHUNKED + b"10\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (BODY[:16], len(BODY) - 16, BODY[16:]),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_reply_cut_off_at_any_byte_is_none(kind: str, server: RawServer, client: ServiceClient) -> None:
    whole = WHOLE[kind]
    for length in range(len(whole)):
        server.play = ends_after(whole[:length])
        with pytest.raises(Broken):
            client.post("/x", b"{}", {}, PATIENCE_S)
    server.play = ends_after(whole)
    assert client.post("/x", b"{}", {}, PATIENCE_S).body == BODY
    assert len(server.requests) == len(whole) + 1


@pytest.mark.parametrize("name", [name for name, (_, error) in FAULTS.items() if error is TimedOut])
def test_the_deadline_is_wall_clock_however_slowly_bytes_come(
    name: str, server: RawServer, client: ServiceClient
) -> None:
    server.play = FAULTS[name][0]
    client.warm()
    began = time.monotonic()
    with pytest.raises(TimedOut):
        client.post("/x", b"{}", {}, SOON_S)
    # A clock may go in steps.
    assert SOON_S - 0.05 <= time.monotonic() - began < PATIENCE_S


def test_a_server_that_does_not_read_cannot_hold_a_request(server: RawServer, client: ServiceClient) -> None:
    server.reads = False
    server.play = Connection.wait
    with pytest.raises(TimedOut):
        client.post("/x", b" " * 30_000_000, {}, SOON_S)


def test_a_gzip_bomb_costs_nothing(server: RawServer, client: ServiceClient) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    server.play = says(http_reply(bomb, headers=JSON_HEADER + b"Content-Encoding: gzip\r\n"))
    with pytest.raises(Garbled):
        client.post("/x", b"{}", {}, PATIENCE_S)


@pytest.mark.parametrize(
    "reply",
    [
        http_reply(b"{}"),
        http_reply(b"{}", headers=JSON_HEADER + b"".join(b"X-%d: y\r\n" % n for n in range(300))),
        http_reply(b"{}", headers=JSON_HEADER + b"Content-Encoding: identity\r\n"),
        CHUNKED + b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + http_reply(b"{}"),
        http_reply(b"{}", headers=b"Set-Cookie: a=b\r\n" + JSON_HEADER),
    ],
    ids=["plain", "300 headers", "identity", "chunked", "after 100", "with a cookie"],
)
def test_whole_replies_are_read_one_after_the_other(
    reply: bytes, server: RawServer, client: ServiceClient
) -> None:
    server.play = says(reply)
    for _ in range(3):
        found = client.post("/x", b"{}", {}, PATIENCE_S)
        assert (found.status, found.body) == (200, b"{}")
    assert all(b"cookie" not in request.lower() for request in server.requests)


@pytest.mark.parametrize("status", [204, 205])
def test_a_reply_without_a_body_is_a_reply(status: int, server: RawServer, client: ServiceClient) -> None:
    server.play = says(f"HTTP/1.1 {status} None\r\nContent-Length: 0\r\n\r\n".encode())
    assert client.post("/x", b"{}", {}, PATIENCE_S).body == b""
