"""Requests go to the one configured origin, whatever a reply, a variable or a caller says."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pos_app.services.client import ServiceClient
from pos_app.services.errors import Redirected
from pos_app.services.network import Network
from pos_app.services.origin import Origin, OriginError, parse_origin
from tests.support.patience import PATIENCE_S
from tests.unit.services.raw_server import JSON_HEADER, RawServer, http_reply, says

SECRETS = {"Authorization": "Bearer t", "X-MERCHANT-SECRETCODE": "c", "X-MERCHANT-PSW": "p"}
LURES = [
    "Location: http://127.0.0.1:{evil}/x",
    "Location: http://localhost:{evil}/x",
    "Location: //127.0.0.1:{evil}/x",
    "Location: https://127.0.0.1:{evil}/x",
    "Location: http://user:word@127.0.0.1:{evil}/x",
    "Location: http://127.0.0.1:{own}@127.0.0.1:{evil}/x",
    "Location: /x",
    "Location: ",
    "Refresh: 0; url=http://127.0.0.1:{evil}/x",
    "Content-Location: http://127.0.0.1:{evil}/x",
]


@pytest.fixture
def evil() -> Iterator[RawServer]:
    with RawServer() as evil:
        yield evil


@pytest.mark.parametrize(("status", "lure"), list(product([300, 301, 302, 303, 307, 308], LURES)))
def test_no_redirect_is_followed(
    status: int, lure: str, server: RawServer, evil: RawServer, client: ServiceClient
) -> None:
    header = lure.format(evil=evil.port, own=server.port).encode() + b"\r\n"
    server.play = says(http_reply(b"{}", f"{status} Moved", JSON_HEADER + header))
    with pytest.raises(Redirected) as caught:
        client.post("/x", b"{}", SECRETS, 2)
    assert caught.value.http_status == status
    assert len(server.requests) == 1
    assert (evil.accepted, evil.heard) == (0, b"")


def test_neither_proxies_nor_netrc_of_the_environment_reach_a_request(
    server: RawServer,
    evil: RawServer,
    client: ServiceClient,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, evil.url)
        monkeypatch.setenv(name.lower(), evil.url)
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login evil password evil\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    client.post("/x", b"{}", {"Accept": "application/json"}, 2)
    assert evil.accepted == 0
    assert b"authorization" not in server.requests[0].lower()


@pytest.mark.parametrize(
    "base_url",
    [
        "http://gateway.example",
        "http://127.0.0.1.evil.example",
        "http://[::2]:80",
        "ftp://127.0.0.1",
        "gateway.example",
        "//gateway.example",
        "https://",
        "https://user:word@gateway.example",
        "https://@gateway.example",
        "https://gateway.example/?",
        "https://gateway.example/#",
        "https://gateway.example/a/../b",
        "https://gateway.example/%2e%2e",
        "https://gateway.example//x",
        "https://gateway.example:0",
        "https://gateway.example:70000",
        "https://gateway.example:8x",
        "https://gateway.example\\evil.example",
        "https://gateway.example ",
        "https://gateway.exa\nmple",
        "https://gatewаy.example",  # noqa: RUF001 - the look-alike is the point
        "https://[::1",
        "https://gateway..example",
        "https://2130706433",
        "https://127.1",
        "https://gateway.example:",
    ],
)
def test_addresses_the_till_must_not_talk_to(base_url: str) -> None:
    with pytest.raises(OriginError):
        parse_origin(base_url, allow_loopback_http=True)


def test_http_is_for_the_sandbox_on_this_machine_alone() -> None:
    assert parse_origin("http://127.0.0.1:8080", allow_loopback_http=True).port == 8080
    assert parse_origin("http://[::1]:8080", allow_loopback_http=True).host == "::1"
    with pytest.raises(OriginError):
        parse_origin("http://127.0.0.1:8080")


def test_an_address_may_have_a_port_and_a_plain_path() -> None:
    origin = parse_origin("https://Gateway.Example/till/v2/")
    assert origin == Origin("https", "gateway.example", 443, "/till/v2")
    assert origin.url("/apicall/x") == "https://gateway.example:443/till/v2/apicall/x"


@pytest.mark.parametrize(
    "path", ["x", "/../x", "/x/./y", "//evil", "/x?y", "/x#y", "/%2e", "@evil", "/x\r\n"]
)
def test_a_path_cannot_leave_the_origin(path: str, server: RawServer, client: ServiceClient) -> None:
    with pytest.raises(OriginError):
        client.post(path, b"{}", {}, PATIENCE_S)
    assert server.accepted == 0


def test_no_socket_is_opened_to_another_host_or_port(server: RawServer) -> None:
    network = Network(Origin("http", "127.0.0.1", server.port), lambda _host, _port: [])
    for host, port in (("127.0.0.1", server.port + 1), ("localhost", server.port)):
        with pytest.raises(OriginError):
            network.connect_tcp(host, port)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", " a", "a ", "ж", "a\x7f"])
def test_a_header_that_would_forge_another_is_refused(
    value: str, server: RawServer, client: ServiceClient
) -> None:
    with pytest.raises(ValueError, match="cannot be sent") as caught:
        client.post("/x", b"{}", {"X-MERCHANT-PSW": value}, 2)
    assert value not in str(caught.value)
    assert server.accepted == 0


def test_latin_1_goes_out_as_it_is(server: RawServer, client: ServiceClient) -> None:
    client.post("/x", b"{}", {"X-MERCHANT-PSW": "pässwörd"}, 2)
    assert "X-MERCHANT-PSW: pässwörd\r\n".encode("latin-1") in server.requests[0]
    assert b"Accept-Encoding: identity\r\n" in server.requests[0]
