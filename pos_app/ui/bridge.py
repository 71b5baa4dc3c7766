"""Between the window's thread and the till's: commands go down by `post`, pictures come up by one signal."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import PurePath
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal

from pos_app.domain.views import Block, Published, Terminal
from pos_app.engine.core.mailbox import Mailbox, Message, Pulse, Stop

if TYPE_CHECKING:
    from pos_app.engine.connection.worker_pool import ServiceRoute
    from pos_app.engine.core.config import Reconfigured
    from pos_app.engine.till import Till


STOP_LIMIT_MS = 5_000
UNANSWERED = 2
"""So many pulses a busy engine may be late; whoever asks for them ends the till at the fourth."""

_MOST_FRAMES = 30
_log = logging.getLogger(__name__)

MakeTill = Callable[[Mailbox, Callable[[Published], None]], "Till"]


class Worker(QThread):
    """A thread with one thing to do; the object itself lives on the window's thread."""

    def __init__(self, name: str, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._work = work

    def run(self) -> None:
        """Works until the till is stopped."""
        self._work()


class Bridge(QObject):
    """Owns the two threads. Receivers of `published` run on the window's thread, whoever publishes.

    The till is made on the engine's thread: loading the services and the HTTP library would hold up the
    window. Commands posted before that wait in the mailbox.
    """

    published = Signal(object)

    def __init__(self, make_till: MakeTill) -> None:
        super().__init__()
        self._make_till = make_till
        self._mailbox = Mailbox()
        self._till: Till | None = None
        self._made = threading.Event()
        self._engine_thread: int | None = None
        self._unanswered = 0
        self._engine = Worker("engine", self._run_engine, self)
        self._poller = Worker("status_poller", self._run_poller, self)

    def start(self) -> None:
        """Starts both threads; to be called after the first paint."""
        self._engine.start()
        self._poller.start()

    def _run_engine(self) -> None:
        self._engine_thread = threading.get_ident()
        try:
            try:
                self._till = self._make_till(self._mailbox, self.published.emit)
            finally:
                self._made.set()
            self._till.run_engine()
        except Exception:
            # The window would get ready for ever: nobody else is left to say it. The log has the rest from Python.
            self.published.emit(Terminal(block=Block.ENGINE_HALTED))
            raise

    def _run_poller(self) -> None:
        self._made.wait()
        if self._till is not None:
            self._till.run_poller()

    def post(self, event: Message) -> None:
        """Hands a command over; never waits."""
        self._mailbox.post(event)

    def pulse(self, beat: Callable[[], None]) -> None:
        """Has `beat` called on the engine's thread in its turn; never, if that thread has come to a stop: the log then
        tells where, because whatever ends a till that hangs writes down the window's place alone."""
        if self._unanswered == UNANSWERED:
            self._tell_where_the_engine_is("does not answer")
        self._unanswered += 1

        def answer() -> None:
            # On the engine's thread: one assignment, and the window's reads it at its next pulse.
            self._unanswered = 0
            beat()

        self._mailbox.post(Pulse(answer))

    def _tell_where_the_engine_is(self, what: str) -> None:
        # Python's own view: its fault handler reads threads while they run, and falls over that now and then.
        frame = sys._current_frames().get(self._engine_thread or 0)
        _log.error("the engine %s; it is at %s", what, " < ".join(_places(frame)) or "its end")

    def reconfigure(self, news: Reconfigured, route: ServiceRoute) -> None:
        """New settings for the till at work; may wait for it to be made, so never on the window's thread."""
        if self._made.wait(STOP_LIMIT_MS / 1000) and self._till is not None:
            self._till.reconfigure(news, route)

    def stop(self) -> bool:
        """Ends both threads; True when they ended in time."""
        if not (self._engine.isRunning() or self._poller.isRunning()):
            return True
        if self._made.wait(STOP_LIMIT_MS / 1000) and self._till is not None:
            self._till.stop()
        else:
            self._mailbox.post(Stop())
        ended = self._poller.wait(STOP_LIMIT_MS)
        if self._engine.wait(STOP_LIMIT_MS):
            return ended
        self._tell_where_the_engine_is("does not end")
        return False


def _places(frame: FrameType | None) -> Iterator[str]:
    """The innermost first."""
    for _ in range(_MOST_FRAMES):
        if frame is None:
            return
        code = frame.f_code
        yield f"{PurePath(code.co_filename).name}:{frame.f_lineno} {code.co_name}"
        frame = frame.f_back
