"""An initiate that has not begun to leave when somebody wishes it cancelled, or its minute is over, never leaves."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.events import InitiateAnswered
from pos_app.domain.replies import NoAnswer
from pos_app.domain.secret import Secret
from pos_app.engine.connection.calls import HELD_BACK
from pos_app.engine.connection.executor import Executor
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.connection.worker_pool import MOST_AT_ONCE
from pos_app.engine.core.mailbox import Message
from pos_app.services.client import ServiceClient
from pos_app.services.open import Services
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Payments
from pos_app.system.boot_clock import ms_since_boot
from tests.unit.engine.test_renewing import LIMIT_S
from tests.unit.services.conftest import MERCHANT
from tests.unit.services.live import PATIENT
from tests.unit.services.raw_server import Connection, RawServer, http_reply

MINUTE = 60_000


class SlowTokens:
    """Where each initiate waits before its bytes leave: `wanted` counts who came, until `given`."""

    def __init__(self) -> None:
        self.wanted = threading.Semaphore(0)
        self.given = threading.Event()
        self.until_ms = 0

    def token(self, limit_s: float) -> Secret:
        self.wanted.release()
        assert self.given.wait(limit_s + LIMIT_S)
        while ms_since_boot() <= self.until_ms:
            pass
        return Secret("token")

    def has_changed(self) -> bool:
        return False

    def refused(self, token: Secret) -> None:
        raise AssertionError(f"{token} was refused")


class Rig:
    """A real executor on a raw server, whose token is a long time coming."""

    def __init__(self, server: RawServer) -> None:
        self.server = server
        self.tokens = SlowTokens()
        self.heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
        client = ServiceClient(server.url, allow_loopback_http=True)
        self._services = Services(
            Payments(client, MERCHANT, self.tokens, deadlines=PATIENT), OtpSms(client, self.tokens), (client,)
        )
        poller = PollLoop(lambda: self._services, self.heard.put)
        self.executor = Executor(lambda: self._services, "chargeTotal", poller, self.heard.put)

    def initiate(self, attempt_id: str, within_ms: int | None = MINUTE, *, resend: bool = False) -> None:
        """Its bytes are its id."""
        body = f'"{attempt_id}"'.encode()
        self.executor.initiate(attempt_id, Kind.PUSH, body, resend=resend, within_ms=within_ms)

    def comes_to_its_token(self) -> None:
        """One of them has left the queue, and is about to send."""
        assert self.tokens.wanted.acquire(timeout=LIMIT_S)

    def answer(self) -> InitiateAnswered:
        """What came of one."""
        found = self.heard.get(timeout=LIMIT_S)
        assert isinstance(found, InitiateAnswered)
        return found


@pytest.fixture
def rig(server: RawServer) -> Iterator[Rig]:
    rig = Rig(server)
    yield rig
    rig.tokens.given.set()
    rig.executor.close()


@pytest.fixture
def server() -> Iterator[RawServer]:
    with RawServer() as server:
        yield server


@pytest.mark.parametrize("resend", [False, True])
def test_a_wish_while_it_still_connects_holds_it_back(rig: Rig, resend: bool) -> None:
    """I1c: not one byte behind the wish, however long the way to the first one takes."""
    rig.initiate("A-1", resend=resend)
    rig.comes_to_its_token()
    rig.executor.hold_back("A-1")
    rig.tokens.given.set()
    answered = rig.answer()
    assert (answered.attempt_id, answered.resend) == ("A-1", resend)
    assert answered.reply is HELD_BACK
    assert rig.server.heard == b""


def test_a_wish_while_it_waits_for_a_thread_holds_it_back(rig: Rig) -> None:
    """Behind as many as there is room for; those go on."""
    for number in range(MOST_AT_ONCE):
        rig.initiate(f"B-{number}")
        rig.comes_to_its_token()
    rig.initiate("A-1")
    rig.executor.hold_back("A-1")
    rig.tokens.given.set()
    replies = {answered.attempt_id: answered.reply for answered in (rig.answer() for _ in range(5))}
    assert replies.pop("A-1") is HELD_BACK
    assert all(isinstance(reply, NoAnswer) and reply.sent for reply in replies.values())
    assert b"A-1" not in rig.server.heard


def test_a_wish_behind_the_first_byte_changes_nothing(rig: Rig) -> None:
    """It has left: its answer is the service's, and only the service can cancel it."""
    has_come, goes_on = threading.Event(), threading.Event()

    def play(connection: Connection) -> None:
        has_come.set()
        goes_on.wait(LIMIT_S)
        connection.send(http_reply(b"{}"))

    rig.server.play = play
    rig.tokens.given.set()
    rig.initiate("A-1")
    assert has_come.wait(LIMIT_S)
    rig.executor.hold_back("A-1")
    goes_on.set()
    reply = rig.answer().reply
    assert isinstance(reply, NoAnswer)
    assert reply.sent


def test_a_wish_for_another_holds_nothing_back(rig: Rig) -> None:
    """Nor one for what nobody sends."""
    rig.initiate("A-1")
    rig.comes_to_its_token()
    rig.executor.hold_back("A-2")
    rig.tokens.given.set()
    assert rig.answer().reply is not HELD_BACK
    assert b"A-1" in rig.server.heard


def test_what_is_too_late_at_its_first_byte_does_not_leave(rig: Rig) -> None:
    """Rule 3: none later than 60 s after the tap, wherever it waited."""
    rig.initiate("A-1", within_ms=0)
    rig.tokens.until_ms = ms_since_boot()
    rig.tokens.given.set()
    assert rig.answer().reply is HELD_BACK
    assert rig.server.heard == b""


def test_bytes_that_close_an_id_are_never_too_late(rig: Rig) -> None:
    """Rule 3a knows no time."""
    rig.initiate("A-1", within_ms=None)
    rig.tokens.given.set()
    assert rig.answer().reply is not HELD_BACK
    assert b"A-1" in rig.server.heard
