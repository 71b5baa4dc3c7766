"""Who is let in: hosts, origins, tokens, sizes, methods, and what is no HTTP at all; always JSON."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import PAYMENT_PATH, QR_PATH, STATUS_PATH, Answer, ServiceClient


@contextmanager
def raw_connection(sandbox: Sandbox) -> Iterator[socket.socket]:
    url = urlsplit(sandbox.base_url)
    with socket.create_connection((url.hostname, url.port), timeout=10) as connection:
        yield connection


def raw(sandbox: Sandbox, request: bytes) -> tuple[int, bytes]:
    """Status and body of what comes back for these bytes."""
    with raw_connection(sandbox) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        reply = b""
        while part := connection.recv(65536):
            reply += part
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def failure(answer: Answer) -> int:
    assert answer.response["status"] == "failure"
    return answer.status


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""])
def test_a_rebound_host_name_is_refused(client: ServiceClient, host: str) -> None:
    assert failure(client.send(STATUS_PATH, b"{}", Host=host)) == 403


def test_localhost_is_the_same_host(client: ServiceClient, sandbox: Sandbox) -> None:
    client.headers["Host"] = f"localhost:{urlsplit(sandbox.base_url).port}"
    assert client.get_status("A-1").code == "5009"


@pytest.mark.parametrize(
    "page", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}]
)
def test_a_web_page_is_refused(client: ServiceClient, page: dict[str, str]) -> None:
    answer = client.send(STATUS_PATH, b"{}", **page)
    assert failure(answer) == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert client.send("/control/transactions", b"", method="OPTIONS", **page).status == 403


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "LOCK"])
def test_only_post_is_served(client: ServiceClient, method: str) -> None:
    answer = client.send(STATUS_PATH, b"", method=method)
    assert failure(answer) == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "content_type",
    [None, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "json"],
)
def test_a_body_is_declared_as_json(client: ServiceClient, content_type: str | None) -> None:
    assert failure(client.send(STATUS_PATH, b"{}", Content_Type=content_type)) == 415


@pytest.mark.parametrize("accept", [None, "text/html", "application/xml;q=1"])
def test_json_must_be_acceptable(client: ServiceClient, accept: str | None) -> None:
    # http.client adds no Accept of its own.
    assert failure(client.send(STATUS_PATH, b"{}", Accept=accept)) == 406


@pytest.mark.parametrize("accept", ["*/*", "text/html, application/json;q=0.9", "application/*"])
def test_accept_is_read_as_http_says(client: ServiceClient, accept: str) -> None:
    client.headers["Accept"] = accept
    assert client.get_status("A-1").code == "5009"


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer nonsense", "Basic eDp5", "Bearer é"])
def test_a_token_is_needed(client: ServiceClient, authorization: str | None) -> None:
    header = authorization.encode() if authorization else authorization
    assert failure(client.send(STATUS_PATH, b"{}", Authorization=header)) == 401


def test_neither_token_opens_the_other_door(client: ServiceClient, sandbox: Sandbox) -> None:
    client.headers["Authorization"] = f"Bearer {sandbox.control_token}"
    assert client.get_status("A-1").status == 401
    with pytest.raises(ControlError) as refused:
        Sandbox.control(stand_in(sandbox), "GET", "/transactions")
    assert refused.value.status == 401


def stand_in(sandbox: Sandbox) -> Sandbox:
    """A caller of the control interface who holds only the till's token."""
    caller = Sandbox()
    caller.control_url, caller.control_token = sandbox.control_url, sandbox.access_token
    return caller


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/apicall",
        f"{PAYMENT_PATH}/getstatus/",
        f"/{STATUS_PATH}",
        f"{PAYMENT_PATH}/%2e%2e/getstatus",
        f"{PAYMENT_PATH}/../transaction/getstatus",
        f"{PAYMENT_PATH}/getstatus%00",
        "/control/../etc/passwd",
        "/docs",
        "/openapi.json",
        "/control",
        "/control/nothing",
    ],
)
def test_other_paths_are_not_found(client: ServiceClient, path: str) -> None:
    answer = client.send(path, b"{}")
    assert answer.status == 404
    assert isinstance(answer.json, dict)


def test_a_body_above_64_kb_is_refused(client: ServiceClient) -> None:
    answer = client.send(QR_PATH, b'{"request": {"x": "' + b"x" * 66_000 + b'"}}')
    assert failure(answer) == 413
    assert client.initiate_qr("A-1").response["status"] == "success"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"POST  HTTP/1.1\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_http_gets_a_400(sandbox: Sandbox, request_bytes: bytes) -> None:
    status, body = raw(sandbox, request_bytes)
    assert status == 400
    assert json.loads(body)["error"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "request_line",
    ["POST http://evil.example{path} HTTP/1.1", "CONNECT evil.example:443 HTTP/1.1", "OPTIONS * HTTP/1.1"],
)
def test_requests_for_a_proxy_are_refused(sandbox: Sandbox, request_line: str) -> None:
    lines = [
        request_line.format(path=STATUS_PATH),
        "Host: evil.example",
        "Content-Length: 0",
        "Connection: close",
    ]
    status, body = raw(sandbox, "\r\n".join([*lines, "", ""]).encode())
    assert status in (400, 403)
    assert json.loads(body)


def test_endless_headers_are_cut_off(sandbox: Sandbox) -> None:
    with raw_connection(sandbox) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\n")
        assert is_cut_off(connection)


def is_cut_off(connection: socket.socket) -> bool:
    """Whether a megabyte of headers is not read to its end."""
    try:
        for _ in range(1000):
            connection.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
        return not connection.recv(1000)
    except OSError:
        return True


def test_strangers_beyond_64_are_turned_away(sandbox: Sandbox, client: ServiceClient) -> None:
    url = urlsplit(sandbox.base_url)
    strangers = [socket.create_connection((url.hostname, url.port), timeout=8) for _ in range(80)]
    try:
        assert strangers[-1].recv(1000).startswith(b"HTTP/1.1 503")
        strangers[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            strangers[0].recv(1)
        assert client.get_status("A-1").code == "5009"
    finally:
        for stranger in strangers:
            stranger.close()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/scan", {}),
        ("POST", "/scan", {"text": 5}),
        ("POST", "/scan", {"text": "x", "then": "dance"}),
        ("POST", "/scan", {"text": "x", "number": "nobody"}),
        ("POST", "/clock", {}),
        ("POST", "/clock", {"offset_s": "x"}),
        ("POST", "/clock", {"offset_s": 1, "now": "2026-01-01T00:00:00Z"}),
        ("POST", "/clock", {"offset_s": 1e300}),
        ("POST", "/clock", {"now": "9999-12-31T23:59:59Z"}),
        ("POST", "/clock", {"now": "noon"}),
        ("POST", "/switches", {"nonsense": 1}),
        ("POST", "/switches", {"otp_tries": 0}),
        ("POST", "/switches", []),
    ],
)
def test_bad_control_requests_are_told_so(sandbox: Sandbox, method: str, path: str, body: object) -> None:
    with pytest.raises(ControlError) as refused:
        sandbox.control(method, path, body)
    assert refused.value.status == 400
    assert "INVALID_ARGUMENT" in str(refused.value)


def test_a_control_path_knows_its_methods(sandbox: Sandbox) -> None:
    for method, path in (("DELETE", "/transactions"), ("GET", "/reset"), ("PUT", "/faults")):
        with pytest.raises(ControlError) as refused:
            sandbox.control(method, path)
        assert refused.value.status == 405


def test_the_listening_address_is_loopback(sandbox: Sandbox) -> None:
    url = urlsplit(sandbox.base_url)
    assert url.hostname == "127.0.0.1"
    own = "127.0.0.2"
    # A bare machine knows no address by its own name, or one of the loop's.
    with suppress(socket.gaierror):
        named = socket.gethostbyname(socket.gethostname())
        own = own if named.startswith("127.") else named
    with pytest.raises(OSError), socket.create_connection((own, url.port), timeout=2):  # noqa: PT011 - refused or no route
        pass
