"""Names and addresses as shops have them: slow, dead, many, or of a kind that the machine has not."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pos_app.services.client import ServiceClient
from pos_app.services.errors import ConnectFailed, NameNotResolved
from pos_app.system.dialing import MOST_LOOKS, Address
from tests.support.patience import PATIENCE_S
from tests.unit.services.certificates import make, server_context
from tests.unit.services.raw_server import RawServer, http_reply

ABSENT: Address = (socket.AF_APPLETALK, ("service", 0))
"""As IPv6 is where it is switched off: no socket of that kind can be had."""


def local(port: int) -> Address:
    return (socket.AF_INET, ("127.0.0.1", port))


@contextmanager
def named(
    port: int, lookup: Callable[[str, int], list[Address]], connect_s: float
) -> Iterator[ServiceClient]:
    client = ServiceClient(
        f"http://localhost:{port}", allow_loopback_http=True, connect_s=connect_s, lookup=lookup
    )
    client.warm()
    with closing(client):
        yield client


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_an_address_of_a_kind_that_this_machine_has_not_is_passed_over(
    server: RawServer, first: bool
) -> None:
    addresses = [ABSENT, local(server.port)] if first else [local(server.port), ABSENT]
    with named(server.port, lambda _host, _port: addresses, PATIENCE_S) as client:
        assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
    assert len(server.requests) == 1


def test_no_address_but_of_such_a_kind_is_not_sent() -> None:
    with (
        named(9, lambda _host, _port: [ABSENT], PATIENCE_S) as client,
        pytest.raises(ConnectFailed) as caught,
    ):
        client.post("/x", b"{}", {}, PATIENCE_S)
    assert not caught.value.sent


def test_a_refused_connection_is_told_in_the_words_of_the_system() -> None:
    """Of sockets Windows has numbers of its own, each of which C calls an unknown error."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    addresses = [local(port)]
    with (
        named(port, lambda _host, _port: addresses, 4) as client,
        pytest.raises(ConnectFailed, match=r"(?i)refused"),
    ):
        client.post("/x", b"{}", {}, PATIENCE_S)


@contextmanager
def full(address: Address) -> Iterator[list[socket.socket]]:
    """The listener's queue has no room: who connects hears nothing, until these are closed and it accepts."""
    fillers = [socket.socket(address[0]) for _ in range(4)]
    try:
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(address[1])
        yield fillers
    finally:
        for filler in fillers:
            filler.close()


def test_on_a_slow_line_an_address_among_many_has_all_the_time(black_hole: int) -> None:
    """The first of eight takes a second to connect, as by satellite; the others lead nowhere."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as slow:
        port = slow.getsockname()[1]

        def serve(fillers: list[socket.socket]) -> None:
            for filler in fillers:
                filler.close()
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = slow.accept()
                    with connection:
                        if connection.recv(9_999):
                            connection.sendall(http_reply(b"{}"))

        addresses = [local(port), *[local(black_hole)] * 7]
        with full(local(port)) as fillers, named(port, lambda _host, _port: addresses, 4) as client:
            serving = threading.Timer(0.7, serve, [fillers])
            serving.start()
            try:
                assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
            finally:
                serving.cancel()
                # What waits for the next connection hears the one on Linux, the other on Windows.
                with contextlib.suppress(OSError):
                    slow.shutdown(socket.SHUT_RDWR)
                slow.close()
                serving.join()


def test_a_dead_family_costs_no_share_of_the_time(server: RawServer) -> None:
    """Twenty addresses of one family are dead: the other's is tried second, not last."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6, backlog=0) as dead:
        address = (socket.AF_INET6, dead.getsockname())
        addresses = [*[address] * 20, local(server.port)]
        with full(address), named(server.port, lambda _host, _port: addresses, 4) as client:
            assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200


def test_a_family_that_connects_and_leads_no_further_is_tried_last(tmp_path: Path) -> None:
    """As IPv6 on a line whose packets are smaller than it thinks: the certificate never arrives. The next try is
    the other's."""
    certificate = make("gateway", hosts=("localhost",))
    (tmp_path / "ca.pem").write_bytes(certificate.pem())
    with (
        socket.create_server(("::1", 0), family=socket.AF_INET6) as silent,
        RawServer(server_context(tmp_path, certificate)) as server,
    ):
        addresses = [(socket.AF_INET6, silent.getsockname()), local(server.port)]
        client = ServiceClient(
            f"https://localhost:{server.port}",
            str(tmp_path / "ca.pem"),
            connect_s=2,
            lookup=lambda _host, _port: addresses,
        )
        with closing(client):
            client.warm()
            with pytest.raises(ConnectFailed) as caught:
                client.post("/x", b"{}", {}, PATIENCE_S)
            assert not caught.value.sent
            assert client.post("/x", b"{}", {}, PATIENCE_S).status == 200
    assert len(server.requests) == 1


class NameService:
    """Answers when it is let, as one whose first server is dead."""

    def __init__(self, *addresses: Address) -> None:
        self.addresses = list(addresses)
        self.error: OSError | None = None
        self.asked = 0
        self.answers = threading.Event()

    def __call__(self, _host: str, _port: int) -> list[Address]:
        self.asked += 1
        self.answers.wait(PATIENCE_S)
        if self.error is not None:
            raise self.error
        return list(self.addresses)


def _end_of_lookups() -> None:
    for thread in threading.enumerate():
        if thread.name == "resolver":
            thread.join(PATIENCE_S)


def test_what_a_slow_name_service_finds_is_there_for_the_next_call(server: RawServer) -> None:
    names = NameService(local(server.port))
    with named(server.port, names, 0.5) as client:
        with pytest.raises(NameNotResolved) as caught:
            client.post("/x", b"{}", {}, PATIENCE_S)
        assert not caught.value.sent
        names.answers.set()
        _end_of_lookups()
        names.answers.clear()
        assert client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S).status == 200
        names.answers.set()
        _end_of_lookups()
    assert len(server.requests) == 1


def test_a_name_service_that_is_away_for_a_while_stops_nothing(server: RawServer) -> None:
    names = NameService(local(server.port))
    names.answers.set()
    with named(server.port, names, 2) as client:
        assert client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S).status == 200
        names.error = socket.gaierror(socket.EAI_AGAIN, "try again")
        assert client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S).status == 200
        names.error = socket.gaierror(socket.EAI_NONAME, "no such name")
        with pytest.raises(NameNotResolved, match="no address"):
            client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S)
    assert names.asked == 3


def test_a_name_that_moves_is_followed(server: RawServer) -> None:
    with RawServer() as other:
        names = NameService(local(server.port))
        names.answers.set()
        with named(server.port, names, 2) as client:
            client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S)
            names.addresses = [local(other.port)]
            client.post("/x", b"{}", {"Connection": "close"}, PATIENCE_S)
        assert (len(server.requests), len(other.requests)) == (1, 1)


def test_a_name_service_that_keeps_every_lookup_fills_no_machine(server: RawServer) -> None:
    names = NameService()
    with named(server.port, names, 0.02) as client:
        for _ in range(MOST_LOOKS + 3):
            with pytest.raises(NameNotResolved):
                client.post("/x", b"{}", {}, PATIENCE_S)
    names.answers.set()
    _end_of_lookups()
    assert names.asked == MOST_LOOKS


@pytest.mark.parametrize("host", ["xn--zzzz.example", "xn--a", "a.xn--bcher-kva"])
def test_a_name_that_is_no_word_is_looked_up_as_it_is(host: str) -> None:
    """A slip in the address of the settings must not end in an error of the HTTP library's own."""
    asked: list[str] = []

    def lookup(name: str, _port: int) -> list[Address]:
        asked.append(name)
        return []

    client = ServiceClient(f"https://{host}", lookup=lookup)
    with closing(client), pytest.raises(NameNotResolved):
        client.post("/x", b"{}", {}, PATIENCE_S)
    assert asked == [host]
