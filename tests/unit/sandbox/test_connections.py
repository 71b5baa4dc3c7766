"""The table of connections on a clock of its own: who is ended for keeping the sandbox waiting."""

from pos_app.sandbox.connections import MOST, Connections
from tests.support.transports import RecordingTransport

PEER = ("127.0.0.1", 5000)


class Time:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def opened(connections: Connections, port: int = 5000) -> RecordingTransport:
    transport = RecordingTransport()
    connections.opened(("127.0.0.1", port), transport)
    return transport


def test_a_request_that_never_ends_is_ended() -> None:
    time = Time()
    connections = Connections(time)
    transport = opened(connections)
    for _ in range(9):
        time.now_s += 1
        assert connections.received(PEER, 1)
        connections.sweep()
    assert not transport.aborted
    time.now_s += 2
    connections.sweep()
    assert transport.aborted


def test_a_till_may_be_silent_between_its_requests() -> None:
    time = Time()
    connections = Connections(time)
    transport = opened(connections)
    connections.received(PEER, 100)
    connections.request_read(PEER)
    connections.trust(PEER)
    connections.answered(PEER)
    time.now_s += 60
    connections.sweep()
    assert not transport.aborted
    connections.received(PEER, 1)
    time.now_s += 11
    connections.sweep()
    assert transport.aborted


def test_a_held_call_is_no_slow_request() -> None:
    time = Time()
    connections = Connections(time)
    transport = opened(connections)
    connections.request_read(PEER)
    time.now_s += 60
    connections.sweep()
    assert not transport.aborted


def test_a_stranger_who_stays_idle_is_ended() -> None:
    time = Time()
    connections = Connections(time)
    transport = opened(connections)
    connections.request_read(PEER)
    connections.answered(PEER)
    time.now_s += 11
    connections.sweep()
    assert transport.aborted


def test_a_request_has_a_size() -> None:
    connections = Connections(Time())
    opened(connections)
    assert connections.received(PEER, 80 * 1024)
    assert not connections.received(PEER, 1)


def test_there_are_4096_connections_at_most() -> None:
    connections = Connections(Time())
    held = [opened(connections, port) for port in range(MOST)]
    assert opened(connections, MOST).closed
    assert not held[0].closed
    connections.closed(("127.0.0.1", 0))
    assert not opened(connections, MOST).closed
