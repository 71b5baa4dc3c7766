"""The poller goes on whatever breaks: each ask has its answer, and the next one is made."""

from __future__ import annotations

import queue
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.events import InitiateAnswered, StatusAnswered, TimeCame
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.secret import Secret
from pos_app.engine.connection.executor import Executor
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.connection.worker_pool import WorkerPool
from pos_app.engine.core.mailbox import Message
from pos_app.services.open import ServiceConfig, Services, open_services
from pos_app.services.token import StaticTokens
from tests.unit.engine.test_renewing import LIMIT_S, Line
from tests.unit.services.certificates import make, server_context
from tests.unit.services.raw_server import RawServer

Heard = queue.SimpleQueue[Message]

ROOT = make("shop root", is_ca=True)
GATEWAY = make("till gateway", ROOT, hosts=("127.0.0.1",))
BUG = "the poller met a bug"


@pytest.fixture
def heard() -> Heard:
    return queue.SimpleQueue()


@contextmanager
def polling(services: Callable[[], Services], heard: Heard) -> Iterator[PollLoop]:
    """A loop on a thread of its own, ended behind the test."""
    loop = PollLoop(services, heard.put)
    thread = threading.Thread(target=loop.run, name="the poller")
    thread.start()
    try:
        yield loop
    finally:
        loop.stop()
        thread.join(LIMIT_S)
    assert not thread.is_alive()


def asked(loop: PollLoop, heard: Heard, attempt_id: str) -> NoAnswer:
    """What came of one ask."""
    loop.ask(attempt_id, "", behind=False)
    answered = heard.get(timeout=LIMIT_S)
    assert isinstance(answered, StatusAnswered)
    assert answered.attempt_id == attempt_id
    assert isinstance(answered.reply, NoAnswer)
    return answered.reply


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the system's roots: empty, as the till starts."""
    file = tmp_path / "roots.pem"
    file.touch()
    places = ssl.get_default_verify_paths()._replace(openssl_cafile=str(file), openssl_capath="")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: places)
    return file


def services_at(url: str) -> Callable[[], Services]:
    config = ServiceConfig(
        base_url=url,
        merchant_id="M",
        secret_code=Secret("code"),
        password=Secret("word"),
        token=StaticTokens(Secret("token")),
    )
    return lambda: open_services(config)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps its roots in no file")
def test_a_till_that_starts_without_the_systems_roots_asks_once_they_are_there(
    roots: Path, tmp_path: Path, heard: Heard
) -> None:
    """Until then nothing leaves: an initiate is "not sent", not "in doubt" (fault 19)."""
    with RawServer(server_context(tmp_path, GATEWAY)) as server:
        services = services_at(server.url)
        with polling(services, heard) as loop:
            executor = Executor(services, "chargeTotal", loop, heard.put)
            refused = asked(loop, heard, "A-1")
            assert (refused.why, refused.sent) == (Why.TLS, False)
            executor.initiate("A-2", Kind.QR, b"{}", resend=False, within_ms=None)
            first = heard.get(timeout=LIMIT_S)
            assert isinstance(first, InitiateAnswered)
            assert isinstance(first.reply, NoAnswer)
            assert (first.reply.why, first.reply.sent) == (Why.TLS, False)
            assert server.heard == b""
            roots.write_bytes(ROOT.pem())
            assert asked(loop, heard, "A-1").sent
            assert len(server.requests) == 1
            executor.close()


class Broken(Line):
    """Connections that break in two places where nobody expects it."""

    def warm(self) -> None:
        raise RuntimeError("does not warm")

    def close(self) -> None:
        raise RuntimeError("does not close")


@pytest.mark.expects_log(BUG)
def test_a_bug_before_the_first_ask_or_between_two_does_not_end_the_poller(heard: Heard) -> None:
    """Neither as the connections are warmed, nor as they are given up for others."""
    broken, line = Broken("old"), Line("new")
    with polling(lambda: broken, heard) as loop:
        assert asked(loop, heard, "A-1").why is Why.CONNECT
        loop.renew(lambda: line)
        assert asked(loop, heard, "A-2").why is Why.CONNECT


class Threads:
    """The system's, which may have none left for a pool: `gone` says how it tells so then."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.gone: Exception | None = None
        begin = threading.Thread.start

        def start(thread: threading.Thread) -> None:
            if self.gone is not None and thread.name.startswith(("poll_", "call_", "test_")):
                raise self.gone
            begin(thread)

        patch.setattr(threading.Thread, "start", start)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Threads:
    return Threads(monkeypatch)


@pytest.mark.expects_log(f"no thread for a call|{BUG}")
@pytest.mark.parametrize("gone", [RuntimeError("can't start new thread"), OSError("no room")])
def test_an_ask_that_gets_no_thread_is_answered_and_the_next_one_is_made(
    threads: Threads, heard: Heard, gone: Exception
) -> None:
    """Unanswered it would be under way for ever, and its payment never asked about again."""
    with polling(lambda: Line("only"), heard) as loop:
        threads.gone = gone
        assert asked(loop, heard, "A-1").why is Why.BROKEN
        assert asked(loop, heard, "A-2").why is Why.BROKEN
        threads.gone = None
        assert asked(loop, heard, "A-3").why is Why.CONNECT


@pytest.mark.expects_log("no thread for a call")
def test_a_call_that_got_no_thread_is_not_made_later(threads: Threads, heard: Heard) -> None:
    """An initiate would leave when its sale was given up long ago."""
    pool = WorkerPool("test", lambda: Line("only"), heard.put)
    made: list[str] = []

    def call(name: str) -> TimeCame:
        made.append(name)
        return TimeCame(name)

    threads.gone = RuntimeError("can't start new thread")
    pool.submit(lambda: call("first"), TimeCame("broke"))
    assert heard.get(timeout=LIMIT_S) == TimeCame("broke")
    threads.gone = None
    pool.submit(lambda: call("second"), TimeCame("broke"))
    assert heard.get(timeout=LIMIT_S) == TimeCame("second")
    pool.close()
    assert made == ["second"]
    assert heard.empty()
