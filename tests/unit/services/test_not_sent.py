"""When no byte of the request left, and only then, it counts as not sent."""

import contextlib
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.secret import Secret
from pos_app.services.call import Call
from pos_app.services.client import ServiceClient
from pos_app.services.errors import Broken, ConnectFailed, NameNotResolved, TlsFailed
from pos_app.services.network import Network
from pos_app.services.origin import parse_origin
from pos_app.services.payments import Payments
from pos_app.services.token import FetchedTokens, Grant, StaticTokens
from pos_app.system.dialing import Address
from tests.support.patience import PATIENCE_S
from tests.unit.services.conftest import MERCHANT, TOKEN
from tests.unit.services.live import PATIENT
from tests.unit.services.raw_server import Connection, RawServer, http_reply, says


def local(port: int) -> Address:
    return (socket.AF_INET, ("127.0.0.1", port))


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def test_nobody_listens(free_port: int) -> None:
    client = ServiceClient(f"http://127.0.0.1:{free_port}", allow_loopback_http=True)
    with pytest.raises(ConnectFailed):
        client.post("/x", b"{}", {}, PATIENCE_S)


def test_a_dead_address_is_given_up_at_the_connect_limit(black_hole: int) -> None:
    client = ServiceClient(f"http://127.0.0.1:{black_hole}", allow_loopback_http=True, connect_s=0.3)
    client.warm()
    began = time.monotonic()
    with pytest.raises(ConnectFailed):
        client.post("/x", b"{}", {}, 10 * PATIENCE_S)
    assert time.monotonic() - began < PATIENCE_S


def test_the_second_address_gets_its_share_of_the_time(server: RawServer, black_hole: int) -> None:
    client = ServiceClient(
        f"http://localhost:{server.port}",
        allow_loopback_http=True,
        connect_s=4,
        lookup=lambda _host, _port: [local(black_hole), local(server.port)],
    )
    assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
    client.close()


class Sleep:
    """A machine that falls asleep: of Linux's clocks CLOCK_MONOTONIC stands still meanwhile, CLOCK_BOOTTIME goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ns = 0
        true = time.clock_gettime_ns

        def read(clock: int) -> int:
            return true(clock) + (self._ns if clock == time.CLOCK_BOOTTIME else 0)

        monkeypatch.setattr(time, "clock_gettime_ns", read)

    def lasts(self, seconds: float) -> None:
        """So long, and the machine is awake again."""
        self._ns += int(seconds * 1e9)


@pytest.fixture
def sleep(monkeypatch: pytest.MonkeyPatch) -> Sleep:
    if not hasattr(time, "CLOCK_BOOTTIME"):
        pytest.skip("the system has no clock that counts on in a sleep beside one that does not")
    return Sleep(monkeypatch)


def test_a_machine_that_slept_while_it_connected_sends_nothing_on_waking(
    server: RawServer, sleep: Sleep
) -> None:
    """The limits of a request are of the time that passed."""

    def lookup(_host: str, _port: int) -> list[Address]:
        sleep.lasts(3_600)
        return [local(server.port)]

    client = ServiceClient(f"http://localhost:{server.port}", allow_loopback_http=True, lookup=lookup)
    payments = Payments(client, MERCHANT, StaticTokens(TOKEN), deadlines=PATIENT)
    reply = payments.initiate(Kind.PUSH, b"{}")
    client.close()
    assert isinstance(reply, NoAnswer)
    assert (reply.why, reply.sent) == (Why.CONNECT, False)
    assert not server.requests


def test_a_machine_that_slept_while_it_fetched_its_token_sends_nothing_on_waking(
    server: RawServer, client: ServiceClient, sleep: Sleep
) -> None:
    def fetch(_limit_s: float) -> Grant:
        sleep.lasts(3_600)
        return Grant(TOKEN)

    reply = Payments(client, MERCHANT, FetchedTokens(fetch), deadlines=PATIENT).initiate(Kind.PUSH, b"{}")
    assert isinstance(reply, NoAnswer)
    assert not reply.sent
    assert not server.requests


def test_a_token_ends_while_the_machine_sleeps(sleep: Sleep) -> None:
    """It lives by the clock of whoever gave it."""
    given = iter([Secret("token-1"), Secret("token-2")])
    tokens = FetchedTokens(lambda _limit_s: Grant(next(given), 600))
    assert tokens.token(1) == Secret("token-1")
    sleep.lasts(601)
    assert tokens.token(1) == Secret("token-2")


def test_a_name_without_an_address() -> None:
    def lookup(_host: str, _port: int) -> list[Address]:
        raise socket.gaierror("no such name")

    with pytest.raises(NameNotResolved):
        ServiceClient("https://till.invalid", lookup=lookup).post("/x", b"{}", {}, PATIENCE_S)


def test_a_silent_name_service_is_given_up_at_the_connect_limit() -> None:
    answer = threading.Event()

    def lookup(_host: str, _port: int) -> list[Address]:
        answer.wait(PATIENCE_S)
        return []

    client = ServiceClient("https://till.invalid", connect_s=1, lookup=lookup)
    try:
        with pytest.raises(NameNotResolved):
            client.post("/x", b"{}", {}, 10 * PATIENCE_S)
    finally:
        answer.set()


def test_no_time_left_means_not_sent(server: RawServer, client: ServiceClient) -> None:
    with pytest.raises(ConnectFailed):
        client.post("/x", b"{}", {}, 0)
    assert not server.heard


def test_an_unusable_extra_certificate_stops_the_request(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    with pytest.raises(TlsFailed):
        ServiceClient("https://127.0.0.1", str(file)).post("/x", b"{}", {}, PATIENCE_S)
    file.write_text("no certificate")
    with pytest.raises(TlsFailed):
        ServiceClient("https://127.0.0.1", str(file)).post("/x", b"{}", {}, PATIENCE_S)


def test_a_failure_on_a_kept_connection_counts_as_sent(server: RawServer, client: ServiceClient) -> None:
    assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
    server.play = Connection.reset
    with pytest.raises(Broken) as caught:
        client.post("/x", b"{}", {}, PATIENCE_S)
    assert caught.value.sent
    assert server.accepted == 1, "it was the kept connection"
    assert len(server.requests) == 2, "and nothing was sent again"


def test_a_connection_the_server_closed_meanwhile_is_not_used(
    server: RawServer, client: ServiceClient
) -> None:
    def once(connection: Connection) -> None:
        connection.send(http_reply(b"{}"))
        raise OSError("the server closes")

    server.play = once
    client.post("/x", b"{}", {}, PATIENCE_S)
    assert server.ended_connection.wait(PATIENCE_S)
    server.play = says(http_reply(b"{}"))
    assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
    assert server.accepted == 2


@pytest.mark.parametrize("chunked", [False, True])
def test_connections_are_kept(chunked: bool, server: RawServer, client: ServiceClient) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.play = says(head + b"2;x=y\r\n{}\r\n0\r\n\r\n" if chunked else http_reply(b"{}"))
    for _ in range(3):
        client.post("/x", b"{}", {}, PATIENCE_S)
    assert server.accepted == 1


@pytest.mark.parametrize("extra", [http_reply(b'{"stale":1}'), b"\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_what_came_beside_a_reply_never_answers_the_next_request(
    extra: bytes, server: RawServer, client: ServiceClient
) -> None:
    server.play = says(http_reply(b'{"mine":1}') + extra, http_reply(b'{"mine":2}'))
    assert client.post("/x", b"{}", {}, PATIENCE_S).body == b'{"mine":1}'
    assert client.post("/x", b"{}", {}, PATIENCE_S).body == b'{"mine":2}'
    assert server.accepted == 2


def test_nor_does_it_where_many_ask_at_once(server: RawServer, client: ServiceClient) -> None:
    """A connection that is used up may come free, or be given on, between any two steps of whoever used it."""
    server.play = lambda connection: connection.send(http_reply(connection.asked[-9:]) * 2)
    others: list[tuple[bytes, bytes]] = []

    def ask(which: int) -> None:
        for number in range(200):
            body = b"%09d" % (which * 1_000 + number)
            with contextlib.suppress(ConnectFailed):  # nothing was sent: that is no wrong answer
                reply = client.post("/x", body, {}, PATIENCE_S)
                if reply.body != body:
                    others.append((body, reply.body))

    asking = [threading.Thread(target=ask, args=(which,)) for which in range(4)]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for each in asking:
            each.start()
        for each in asking:
            each.join()
    finally:
        sys.setswitchinterval(usual)
    assert not others, "a reply went to another question"


def test_a_connection_that_another_thread_has_closed_sends_nothing_and_is_no_fault_of_ours() -> None:
    """The pool closes what the server has closed, also where it has just been given to somebody."""
    network, (ours, theirs) = (
        Network(parse_origin("https://gateway.example"), lambda *_: []),
        socket.socketpair(),
    )
    call = Call(PATIENCE_S, PATIENCE_S)
    with theirs, network.serving(call):
        stream = network.stream(ours)
        ours.close()
        with pytest.raises(ConnectFailed):
            stream.write(b"POST")
        assert not call.sent
        with pytest.raises(Broken):
            stream.read(1)
        assert stream.get_extra_info("is_readable")


def test_closing_ends_what_is_under_way_and_all_that_follows(
    server: RawServer, client: ServiceClient
) -> None:
    heard = threading.Event()

    def hold(connection: Connection) -> None:
        heard.set()
        connection.wait()

    server.play = hold
    payments = Payments(client, MERCHANT, StaticTokens(TOKEN), deadlines=PATIENT)
    found: list[object] = []
    asking = threading.Thread(target=lambda: found.append(payments.get_status("A-1")))
    asking.start()
    assert heard.wait(PATIENCE_S)
    client.close()
    asking.join(PATIENCE_S / 2)
    assert not asking.is_alive()
    assert isinstance(found[0], NoAnswer)
    assert (found[0].why, found[0].sent) == (Why.BROKEN, True)
    after = payments.get_status("A-1")
    assert isinstance(after, NoAnswer)
    assert (after.why, after.sent) == (Why.CONNECT, False)


def test_what_is_loaded_for_the_first_request_takes_none_of_its_time(server: RawServer) -> None:
    """The library's loading, which others wait for too, may take longer than a connection may."""
    client = ServiceClient(server.url, allow_loopback_http=True, connect_s=1)
    client.warm()
    with ThreadPoolExecutor(1) as other:
        with client._changed:
            posted = other.submit(client.post, "/x", b"{}", {}, PATIENCE_S)
            # As long as the lock is held the door is being made.
            threading.Event().wait(1.3)
        assert posted.result().status == 200
    client.close()
