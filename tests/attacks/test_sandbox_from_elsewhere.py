"""The sandbox reached from another address, from a web page, by a rebound name, by force; over real sockets."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.sandbox import Sandbox

STATUS = "/apicall/walletpayment/v1/merchant/transaction/getstatus"
KNOCK = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5).close()
    print("let in")
except ConnectionRefusedError:
    print("refused")
"""
PAGE = ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as running:
        yield running


def port_of(sandbox: Sandbox) -> int:
    port = urlsplit(sandbox.base_url).port
    assert port is not None
    return port


def ask(
    sandbox: Sandbox, line: str, *headers: str, body: str = "", host: str | None = None
) -> tuple[int, str, str]:
    """Status, head and body of the answer; the Host is the right one unless another is named."""
    named = f"127.0.0.1:{port_of(sandbox)}" if host is None else host
    words = [line, f"Host: {named}", *headers, f"Content-Length: {len(body)}", "Connection: close", "", body]
    with socket.create_connection(("127.0.0.1", port_of(sandbox)), timeout=10) as connection:
        connection.sendall("\r\n".join(words).encode())
        reply = b""
        while part := connection.recv(65_536):
            reply += part
    head, _, rest = reply.decode().partition("\r\n\r\n")
    return int(head.split()[1]), head.lower(), rest


def knock(address: str, port: int) -> str:
    """What comes of a connection."""
    line = [sys.executable, "-I", "-c", KNOCK, address, str(port)]
    return subprocess.run(line, capture_output=True, text=True, timeout=30, check=True).stdout.strip()


def addresses() -> list[str]:
    """This machine's others: more of the loopback, and its own on the network, if it has one."""
    found = {"127.0.0.2", "127.1.2.3"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            # Nothing is sent: the system only says which of its addresses it would use.
            asking.connect(("192.0.2.1", 9))
            found.add(asking.getsockname()[0])
        except OSError:
            pass
    return sorted(found - {"127.0.0.1", "0.0.0.0"})


@pytest.mark.parametrize("address", addresses())
def test_no_other_address_of_this_machine_answers(sandbox: Sandbox, address: str) -> None:
    """Both doors, the services' and the control interface's."""
    for url in (sandbox.base_url, sandbox.control_url):
        parts = urlsplit(url)
        assert parts.hostname == "127.0.0.1"
        # From a process of its own: this one's sockets are watched, and go to the loopback alone.
        assert knock(address, parts.port or 0) == "refused"
    assert knock("127.0.0.1", port_of(sandbox)) == "let in"


def test_the_kernel_says_it_listens_on_loopback_alone(sandbox: Sandbox) -> None:
    """Whatever is asked: the table of listening sockets."""
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].exists():
        pytest.skip("no such table on this system")
    wanted = f":{port_of(sandbox):04X}"
    rows = [row.split() for table in tables if table.exists() for row in table.read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[1].endswith(wanted) and row[3] == "0A"]
    assert listening == [f"0100007F{wanted}"]


@pytest.mark.parametrize(
    "door", [STATUS, "/control/transactions", "/control/sms", "/control/reset", "/control/faults"]
)
@pytest.mark.parametrize("header", PAGE[:2])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_a_web_page_gets_nothing_even_with_the_tokens(
    sandbox: Sandbox, door: str, header: str, method: str
) -> None:
    """A browser says where a call comes from; it is refused before token, path and method, and may read nothing."""
    token = sandbox.control_token if door.startswith("/control") else sandbox.access_token
    status, head, body = ask(sandbox, f"{method} {door} HTTP/1.1", header, f"Authorization: Bearer {token}")
    assert status == 403
    assert "access-control" not in head
    assert token not in body


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
@pytest.mark.parametrize("door", ["/control/scan", "/control/faults", "/control/clock", "/control/switches"])
def test_what_a_form_can_send_changes_nothing(sandbox: Sandbox, door: str, content_type: str) -> None:
    """A browser sends these to anybody without asking first; old ones without saying whence."""
    before = sandbox.control("GET", "/faults"), sandbox.control("GET", "/switches")
    body = json.dumps({"kind": "drop_after", "offset_s": 99, "otp_tries": 1, "text": "x"})
    kind = (f"Content-Type: {content_type}",) if content_type else ()
    assert ask(sandbox, f"POST {door} HTTP/1.1", *kind, body=body)[0] == 401
    bearer = f"Authorization: Bearer {sandbox.control_token}"
    assert ask(sandbox, f"POST {door} HTTP/1.1", bearer, *kind, body=body)[0] == 415
    assert (sandbox.control("GET", "/faults"), sandbox.control("GET", "/switches")) == before


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1.nip.io:{port}",
        "evil.example:{port}",
        "LOCALHOST.:{port}",
        "0:{port}",
    ],
)
@pytest.mark.parametrize("door", [STATUS, "/control/transactions"])
def test_a_rebound_name_is_not_ours(sandbox: Sandbox, door: str, host: str) -> None:
    """A name that leads here today is not this host; with the right token either."""
    bearer = f"Authorization: Bearer {sandbox.control_token}"
    named = host.format(port=port_of(sandbox))
    assert ask(sandbox, f"GET {door} HTTP/1.1", bearer, host=named)[0] == 403


def test_a_second_host_does_not_help_the_first(sandbox: Sandbox) -> None:
    """Whichever of the two stands first."""
    good, evil = f"127.0.0.1:{port_of(sandbox)}", "evil.example"
    bearer = f"Authorization: Bearer {sandbox.control_token}"
    for first, second in ((good, evil), (evil, good)):
        status, _, _ = ask(sandbox, "GET /control/sms HTTP/1.1", f"Host: {second}", bearer, host=first)
        assert status in (400, 403), first


@pytest.mark.parametrize(
    "target",
    [
        "http://evil.example/control/sms",
        "http://127.0.0.1/control/sms",
        "//evil.example/control/sms",
        "//control/sms",
        "/control//sms",
        "/control/%2e%2e/control/sms",
        "/%2e%2e/control/sms",
        "/control/./sms",
        "/control%2fsms",
        "/CONTROL/sms",
        "/control/sms%00",
        "/control/sms/",
    ],
)
def test_a_target_written_another_way_is_no_way_in(sandbox: Sandbox, target: str) -> None:
    """Without the token never more than a refusal; with it nothing but the one spelling is a path."""
    assert ask(sandbox, f"GET {target} HTTP/1.1")[0] in (400, 401, 403, 404)
    bearer = f"Authorization: Bearer {sandbox.control_token}"
    status, _, _ = ask(sandbox, f"GET {target} HTTP/1.1", bearer)
    assert status in (400, 403, 404), status


@pytest.mark.parametrize(
    "token", ["", "x", "{control}x", "{control_short}", "{access}", "{control} {control}"]
)
def test_the_control_interface_takes_its_own_token_alone(sandbox: Sandbox, token: str) -> None:
    """Nor a longer, a shorter, or the services' one."""
    control = sandbox.control_token
    said = token.format(control=control, control_short=control[:-1], access=sandbox.access_token)
    status, _, body = ask(sandbox, "GET /control/sms HTTP/1.1", f"Authorization: Bearer {said}")
    assert status == 401
    assert control not in body


def test_who_reads_slowly_holds_up_nobody(sandbox: Sandbox) -> None:
    """Sixty that ask and never read, and sixty that never finish asking: a till is still served."""
    crowd = [socket.create_connection(("127.0.0.1", port_of(sandbox)), timeout=10) for _ in range(60)]
    try:
        for at, connection in enumerate(crowd):
            whole = f"GET /control/sms HTTP/1.1\r\nHost: 127.0.0.1:{port_of(sandbox)}\r\n\r\n".encode()
            connection.sendall(whole * 50 if at % 2 else whole[:20])
        for _ in range(20):
            assert isinstance(sandbox.control("GET", "/sms"), list | dict)
    finally:
        for connection in crowd:
            connection.close()
