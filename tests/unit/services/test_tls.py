"""The service's identity is proven or nothing is sent; there is no way to go on without."""

import ssl
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from pos_app.services.client import ServiceClient
from pos_app.services.errors import ConnectFailed, TlsFailed
from tests.support.patience import PATIENCE_S
from tests.unit.services.certificates import DAY, NOW, Pair, make, server_context
from tests.unit.services.raw_server import Connection, RawServer, http_reply, says

CA = make("shop root", is_ca=True)
STRANGER = make("another root", is_ca=True)
BETWEEN = make("between", CA, is_ca=True)
HERE = ("127.0.0.1", "localhost")
GOOD = make("till gateway", CA, hosts=HERE)

BAD: dict[str, tuple[Pair, ...]] = {
    "expired": (make("expired", CA, hosts=HERE, begins=NOW - 9 * DAY, ends=NOW - DAY),),
    "not yet valid": (make("early", CA, hosts=HERE, begins=NOW + DAY, ends=NOW + 9 * DAY),),
    "for another host": (make("other", CA, hosts=("gateway.example", "127.0.0.2")),),
    "for this host by its common name only": (make("127.0.0.1", CA),),
    "signed by itself": (make("self", hosts=HERE),),
    "from an unknown root": (make("unknown", STRANGER, hosts=HERE), STRANGER),
    "for clients": (make("client", CA, hosts=HERE, purpose=ExtendedKeyUsageOID.CLIENT_AUTH),),
    "without the certificate between": (make("gap", BETWEEN, hosts=HERE),),
    "issued by one that is no authority": (make("forged", GOOD, hosts=HERE), GOOD),
    "from a root that only has the same name": (make("same", make("shop root", is_ca=True), hosts=HERE),),
}


@pytest.fixture
def ca_file(tmp_path: Path) -> str:
    file = tmp_path / "ca.pem"
    file.write_bytes(CA.pem())
    return str(file)


def post(server: RawServer, ca_file: str, *, host: str = "127.0.0.1") -> int:
    client = ServiceClient(f"https://{host}:{server.port}", ca_file, connect_s=PATIENCE_S)
    try:
        return client.post("/x", b"{}", {"X-MERCHANT-PSW": "p"}, PATIENCE_S).status
    finally:
        client.close()


@pytest.mark.parametrize("host", HERE)
@pytest.mark.parametrize("chain", [(GOOD,), (make("deep", BETWEEN, hosts=HERE), BETWEEN)])
def test_a_proven_identity_is_talked_to(
    chain: tuple[Pair, ...], host: str, tmp_path: Path, ca_file: str
) -> None:
    with RawServer(server_context(tmp_path, *chain)) as server:
        assert post(server, ca_file, host=host) == 200


@pytest.mark.parametrize("name", BAD)
def test_a_bad_certificate_gets_no_byte_of_the_request(name: str, tmp_path: Path, ca_file: str) -> None:
    with RawServer(server_context(tmp_path, *BAD[name])) as server:
        with pytest.raises(TlsFailed) as caught:
            post(server, ca_file)
        assert not caught.value.sent
    assert server.heard == b""


def test_without_the_shops_root_its_gateway_is_not_believed(tmp_path: Path) -> None:
    with RawServer(server_context(tmp_path, GOOD)) as server, pytest.raises(TlsFailed):
        post(server, "")
    assert server.heard == b""


def test_a_variable_does_not_choose_whom_the_till_believes(
    tmp_path: Path, ca_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", ca_file)
    with RawServer(server_context(tmp_path, GOOD)) as server, pytest.raises(TlsFailed):
        post(server, "")
    assert server.heard == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps its roots in no file")
@pytest.mark.parametrize("there", [b"", CA.pem()[:200]], ids=["empty", "half written"])
def test_without_the_systems_roots_nothing_is_sent_and_with_them_the_next_one_is(
    there: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read anew for each request until they can be: a system that is being brought up to date has none for a moment."""
    roots = tmp_path / "roots.pem"
    roots.write_bytes(there)
    places = ssl.get_default_verify_paths()._replace(openssl_cafile=str(roots), openssl_capath="")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: places)
    with RawServer(server_context(tmp_path, GOOD)) as server:
        client = ServiceClient(server.url, connect_s=1)
        with pytest.raises(TlsFailed, match="the system's roots"):
            client.warm()
        with pytest.raises(TlsFailed, match="the system's roots") as caught:
            client.post("/x", b"{}", {"X-MERCHANT-PSW": "p"}, PATIENCE_S)
        assert not caught.value.sent
        assert server.accepted == 0
        roots.write_bytes(CA.pem())
        assert client.post("/x", b"{}", {"X-MERCHANT-PSW": "p"}, PATIENCE_S).status == 200
        client.close()


def _old(context: ssl.SSLContext) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")


def _modest(context: ssl.SSLContext) -> None:
    context.maximum_version = ssl.TLSVersion.TLSv1_2


def test_tls_older_than_1_2_is_refused(tmp_path: Path, ca_file: str) -> None:
    context = server_context(tmp_path, GOOD)
    _old(context)
    with RawServer(context) as server, pytest.raises(TlsFailed):
        post(server, ca_file)
    assert server.heard == b""


def test_tls_1_2_is_enough(tmp_path: Path, ca_file: str) -> None:
    context = server_context(tmp_path, GOOD)
    _modest(context)
    with RawServer(context) as server:
        assert post(server, ca_file) == 200


def _hang_up(_: Connection) -> None:
    raise OSError("the server hangs up")


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (says(http_reply(b"<html>please log in</html>")), TlsFailed),
        (says(b"\x16\x03\x03\xff\xff" + bytes(99)), TlsFailed),
        (_hang_up, ConnectFailed),
        (Connection.wait, ConnectFailed),
        (lambda c: c.drip(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc" + bytes(999)), ConnectFailed),
    ],
    ids=["plain http", "garbage", "hang-up", "silence", "slow bytes"],
)
def test_a_handshake_that_does_not_end_well_is_not_sent(
    play: Callable[[Connection], None], expected: type[Exception], server: RawServer
) -> None:
    server.reads = False
    server.play = play
    client = ServiceClient(
        f"https://127.0.0.1:{server.port}", connect_s=0.4 if expected is ConnectFailed else PATIENCE_S
    )
    with pytest.raises((TlsFailed, ConnectFailed)) as caught:
        client.post("/x", b"{}", {}, PATIENCE_S)
    client.close()
    assert not caught.value.sent
    assert expected is TlsFailed or caught.type is ConnectFailed
