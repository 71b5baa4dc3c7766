"""New connections beside old ones: a call that is under way ends over its own, the next goes over the new ones."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pos_app.domain.events import TimeCame
from pos_app.domain.secret import Secret
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.connection.worker_pool import WorkerPool
from pos_app.engine.core.mailbox import Message
from pos_app.services.open import ServiceConfig, Services, open_services
from pos_app.services.token import StaticTokens

LIMIT_S = 30.0


class Line(Services):
    """Connections of the till's own kind, told apart by name; whether they were closed can be seen."""

    def __init__(self, name: str) -> None:
        token = StaticTokens(Secret("token"))
        made = open_services(
            ServiceConfig(
                base_url="http://127.0.0.1:1",
                merchant_id="M",
                secret_code=Secret("code"),
                password=Secret("word"),
                token=token,
                sandbox=True,
            )
        )
        super().__init__(made.payments, made.otp, ())
        self.name = name
        self.closed = threading.Event()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def heard() -> queue.SimpleQueue[Message]:
    return queue.SimpleQueue()


@pytest.fixture
def old() -> Line:
    return Line("old")


@pytest.fixture
def pool(heard: queue.SimpleQueue[Message], old: Line) -> Iterator[WorkerPool]:
    made = WorkerPool("test", lambda: old, heard.put)
    yield made
    made.close()


def name_of(services: Services) -> str:
    assert isinstance(services, Line)
    return services.name


def test_a_call_under_way_ends_over_its_own_connections(
    pool: WorkerPool, heard: queue.SimpleQueue[Message], old: Line
) -> None:
    goes_on, has_begun = threading.Event(), threading.Event()

    def slow() -> TimeCame:
        services = pool.services()
        has_begun.set()
        assert goes_on.wait(LIMIT_S)
        assert isinstance(services, Line)
        return TimeCame(f"{services.name}, closed: {services.closed.is_set()}")

    broke = TimeCame("broke")
    pool.submit(slow, broke)
    assert has_begun.wait(LIMIT_S)
    fresh = Line("new")
    pool.renew(lambda: fresh)
    pool.submit(lambda: TimeCame(name_of(pool.services())), broke)
    assert heard.get(timeout=LIMIT_S) == TimeCame("new")
    assert not old.closed.is_set()
    goes_on.set()
    assert heard.get(timeout=LIMIT_S) == TimeCame("old, closed: False")
    assert old.closed.wait(LIMIT_S)
    assert not fresh.closed.is_set()


def test_connections_nobody_uses_are_closed_at_once(pool: WorkerPool, old: Line) -> None:
    assert pool.services() is old
    pool.renew(lambda: Line("new"))
    assert old.closed.is_set()


@pytest.mark.expects_log("exception calling callback")
def test_an_answer_is_told_though_its_old_connections_do_not_close(
    heard: queue.SimpleQueue[Message],
) -> None:
    """What comes of a call is told before anything else is begun: whoever waits for it would wait for ever."""

    class Stubborn(Line):
        def close(self) -> None:
            raise OSError("does not close")

    stubborn = Stubborn("old")
    pool = WorkerPool("stubborn", lambda: stubborn, heard.put)
    goes_on, has_begun = threading.Event(), threading.Event()

    def slow() -> TimeCame:
        pool.services()
        has_begun.set()
        assert goes_on.wait(LIMIT_S)
        return TimeCame("done")

    pool.submit(slow, TimeCame("broke"))
    assert has_begun.wait(LIMIT_S)
    pool.renew(lambda: Line("new"))
    goes_on.set()
    assert heard.get(timeout=LIMIT_S) == TimeCame("done")
    pool.close()
    for thread in threading.enumerate():
        if thread.name.startswith("stubborn"):
            thread.join(LIMIT_S)


def test_closing_ends_the_old_ones_too(heard: queue.SimpleQueue[Message]) -> None:
    first, second = Line("first"), Line("second")
    pool = WorkerPool("test", lambda: first, heard.put)
    has_begun = threading.Event()

    def endless() -> TimeCame:
        services = pool.services()
        has_begun.set()
        assert isinstance(services, Line)
        assert services.closed.wait(LIMIT_S)
        return TimeCame("let go")

    pool.submit(endless, TimeCame("broke"))
    assert has_begun.wait(LIMIT_S)
    pool.renew(lambda: second)
    pool.services()
    pool.close()
    assert heard.get(timeout=LIMIT_S) == TimeCame("let go")
    assert first.closed.is_set()
    assert second.closed.is_set()


def test_what_is_asked_after_the_change_goes_over_the_new_connections() -> None:
    said: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def opening(name: str) -> Services:
        said.put(name)
        return Line(name)

    loop = PollLoop(lambda: opening("old"), said.put)
    loop.renew(lambda: opening("new"))
    loop.ask("SBX-1", "", behind=False)
    loop.stop()
    loop.run()
    assert [said.get(timeout=LIMIT_S) for _ in range(2)] == ["old", "new"]
