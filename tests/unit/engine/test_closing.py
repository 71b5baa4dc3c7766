"""The crew's end, whenever it comes: no error on the thread that submits, no wait for what nobody can break."""

from __future__ import annotations

import inspect
import queue
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from pos_app.domain.events import TimeCame
from pos_app.engine.connection.worker_pool import WorkerPool
from pos_app.engine.core.mailbox import Message
from tests.unit.engine.test_renewing import LIMIT_S, Line

DONE, BROKE = TimeCame("done"), TimeCame("broke")
_CODE, _FIRST = inspect.getsourcelines(WorkerPool.submit)
LINES = range(_FIRST + 1, _FIRST + len(_CODE))


class Between:
    """Does something once on this thread, just before a line of Crew.submit, if nothing is locked there."""

    def __init__(self, line: int, deed: Callable[[], None], locked: Callable[[], bool]) -> None:
        self.line = line
        self.deed = deed
        self.locked = locked
        self.done = False

    def __enter__(self) -> Between:
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        if frame.f_code is not WorkerPool.submit.__code__:
            return None
        if event == "line" and frame.f_lineno == self.line and not self.done and not self.locked():
            self.done = True
            self.deed()
        return self._trace


def test_a_close_at_any_line_of_submit_is_no_error_and_holds_nobody_up() -> None:
    """The engine's thread submits while the window's closes; where the lock is held, no close can come between."""
    met = []
    for line in LINES:
        heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
        pool = WorkerPool("test", lambda: Line("only"), heard.put)
        with Between(line, pool.close, pool._lock.locked) as between:
            pool.submit(lambda: DONE, BROKE)
        pool.close()
        met.append(between.done)
        pool.submit(lambda: pytest.fail("called after the close"), BROKE)
        if not heard.empty():
            assert heard.get() == DONE
    assert any(met), "not one line at which a close could come"


def test_connections_opened_after_the_close_has_looked_are_closed_too() -> None:
    """A call that has begun and has not come to its connections: they are shut when it gets them."""
    heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
    old, fresh = Line("old"), Line("fresh")
    pool = WorkerPool("test", lambda: old, heard.put)
    has_begun = threading.Event()

    def call() -> TimeCame:
        has_begun.set()
        # The old connections are closed once the close has made its list of what there is to close.
        assert old.closed.wait(LIMIT_S)
        services = pool.services()
        assert services is fresh
        return TimeCame(f"fresh, closed: {fresh.closed.is_set()}")

    assert pool.services() is old
    pool.submit(call, BROKE)
    assert has_begun.wait(LIMIT_S)
    pool.renew(lambda: fresh)
    pool.close()
    assert heard.get(timeout=LIMIT_S) == TimeCame("fresh, closed: True")


def test_what_nobody_can_break_does_not_hold_up_the_close() -> None:
    """It ends by a limit of its own, and what it brings is posted then."""
    heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
    pool = WorkerPool("test", lambda: Line("only"), heard.put, ending_s=0.01)
    goes_on, has_begun = threading.Event(), threading.Event()

    def stuck() -> TimeCame:
        has_begun.set()
        assert goes_on.wait()
        return DONE

    pool.submit(stuck, BROKE)
    assert has_begun.wait(LIMIT_S)
    closing = threading.Thread(target=pool.close)
    closing.start()
    try:
        closing.join(LIMIT_S)
        assert not closing.is_alive()
        assert heard.empty()
    finally:
        goes_on.set()
        closing.join()
    assert heard.get(timeout=LIMIT_S) == DONE


def test_what_waits_for_a_thread_is_given_up() -> None:
    """Four are under way; the fifth is never made and says nothing."""
    heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
    pool = WorkerPool("test", lambda: Line("only"), heard.put)
    closing = threading.Event()
    begun = threading.Barrier(5)

    def under_way() -> TimeCame:
        services = pool.services()
        assert isinstance(services, Line)
        begun.wait(LIMIT_S)
        assert services.closed.wait(LIMIT_S)
        assert closing.wait(LIMIT_S)
        return DONE

    for _ in range(4):
        pool.submit(under_way, BROKE)
    begun.wait(LIMIT_S)
    pool.submit(lambda: pytest.fail("made after all"), BROKE)
    closing.set()
    pool.close()
    assert [heard.get(timeout=LIMIT_S) for _ in range(4)] == [DONE] * 4
    assert heard.empty()
