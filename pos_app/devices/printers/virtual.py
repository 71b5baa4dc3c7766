"""A printer that is not there: reads the real bytes as strictly as one that is, and keeps what would lie on paper.

It can be without paper, open, off, one-way, and die after so many bytes. In this process it is reached by a channel,
from anywhere on this machine by virtual_server.py.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from pos_app.devices.escpos import job_echo
from pos_app.devices.escpos_reading import (
    Cut,
    Fed,
    Inked,
    JobAsked,
    Read,
    Reader,
    RealTimeOff,
    Started,
    StatusAsked,
    UnknownCommand,
    picture_of,
)
from pos_app.devices.printers.channel import ChannelGone, ChannelSession, opened
from pos_app.devices.printers.printer import Form, NotReady
from pos_app.domain.paper import Bitmap
from pos_app.domain.print_job import Why

LINE_ROWS = 30
"""Rows of one empty line."""


MOST = 200
"""So many sheets hang from it; of what nobody tears off the oldest fall down."""

BUFFER_ROWS = 200
"""So many rows it holds while it cannot print."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What lies on paper. `job`: by what it was named, "" where it never was. `is_cut`: it came out to its end."""

    bitmap: Bitmap
    job: str
    is_cut: bool


@dataclass(slots=True)
class Switches:
    """What somebody does to the printer. `rows_left`: of paper, None for plenty. `dies_after`: so many bytes more."""

    rows_left: int | None = None
    is_open: bool = False
    is_off: bool = False
    talks: bool = True
    dies_after: int | None = None
    bytes_per_s: int | None = None


@dataclass(slots=True)
class _Roll:
    rows: list[bytes] = field(default_factory=list)
    job: str = ""


class VirtualPrinter:
    """Any thread. `changed` is called, on whatever thread, after each change of what lies on paper."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.switches = Switches()
        self._changed = changed
        self._lock = threading.Lock()
        self._sheets: list[Sheet] = []
        self._fallen = 0
        self._roll = _Roll()
        self._reader = Reader()
        self._to_do: deque[Read] = deque()
        self._broken = ""

    def tell(self, changed: Callable[[], None]) -> None:
        """From now on this is called after each change, instead of what was told before."""
        self._changed = changed

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The paper that came out, the piece that still hangs in the printer last."""
        with self._lock:
            hanging = [self._sheet(is_cut=False)] if self._roll.rows else []
            return (*self._sheets, *hanging)

    @property
    def whole(self) -> int:
        """How many sheets came out to their end since somebody tore them off; those that fell down, too."""
        with self._lock:
            return self._fallen + len(self._sheets)

    @property
    def broken(self) -> str:
        """The bytes that no printer knows, in words; "" while all were known."""
        return self._broken

    def tear_off(self) -> None:
        """Somebody takes what came out."""
        with self._lock:
            self._sheets.clear()
            self._fallen = 0
            self._roll = _Roll()
        self._changed()

    def wanted(self) -> None:
        """Somebody is about to print: whoever shows the printer shows it, also one that is off."""
        self._changed()

    def connected(self) -> None:
        """A new connection: what was half a command is forgotten, what is printed is not."""
        with self._lock:
            self._reader = Reader()

    def take(self, data: bytes) -> tuple[bytes, bool]:
        """Bytes on their way in. What it answers, and whether it is still alive after them."""
        with self._lock:
            left = self.switches.dies_after
            if left is not None:
                data = data[:left]
                self.switches.dies_after = left - len(data)
            answers = self._read(data)
            is_dead = self.switches.dies_after == 0 or self.switches.is_off
        self._changed()
        return b"" if is_dead else answers, not is_dead

    @property
    def is_full(self) -> bool:
        """Whether its buffer holds so much that it takes no more."""
        return len(self._to_do) > BUFFER_ROWS

    def go_on(self) -> bytes:
        """After somebody put paper in or closed it: what it has in its buffer comes out; what it answers."""
        with self._lock:
            before = len(self._to_do)
            answers = self._do()
            is_news = len(self._to_do) != before
        if is_news:
            self._changed()
        return answers

    def _read(self, data: bytes) -> bytes:
        answers = b""
        try:
            for read in self._reader.feed(data):
                if isinstance(read, StatusAsked):
                    answers += self._status(read.which)
                else:
                    self._to_do.append(read)
                    answers += self._do()
        except UnknownCommand as unknown:
            self._broken = self._broken or str(unknown)
        return answers

    @property
    def _is_empty(self) -> bool:
        return self.switches.rows_left is not None and self.switches.rows_left <= 0

    def _do(self) -> bytes:
        answers = b""
        while self._to_do and not self.switches.is_open:
            match self._to_do[0]:
                case Inked() | Fed() if self._is_empty:
                    break
                case Inked(dots):
                    self._out([dots])
                case Fed(lines):
                    across = len(self._roll.rows[-1]) if self._roll.rows else 0
                    self._out([bytes(across)] * (lines * LINE_ROWS if across else 0))
                case Cut():
                    if self._roll.rows:
                        self._sheets.append(self._sheet(is_cut=True))
                        self._fallen += len(self._sheets[:-MOST])
                        del self._sheets[:-MOST]
                    self._roll = _Roll()
                case JobAsked(job):
                    if self._sheets and not self._roll.rows:
                        last = self._sheets[-1]
                        self._sheets[-1] = Sheet(last.bitmap, job, last.is_cut)
                    if self.switches.talks:
                        answers += job_echo(job)
                case Started() | RealTimeOff():
                    pass
            self._to_do.popleft()
        return answers

    def _out(self, rows: list[bytes]) -> None:
        self._roll.rows += rows
        if self.switches.rows_left is not None:
            self.switches.rows_left -= len(rows)

    def _sheet(self, *, is_cut: bool) -> Sheet:
        rows = self._roll.rows
        # A job that follows one that broke off may be of another width: the paper shows both, one below the other.
        across = max(len(row) for row in rows)
        return Sheet(picture_of([row.ljust(across, b"\0") for row in rows]), self._roll.job, is_cut)

    def _status(self, which: int) -> bytes:
        if not self.switches.talks:
            return b""
        status = 0x12
        if which == 1 and (self.switches.is_open or self._is_empty):
            status |= 0x08
        if which == 2:
            status |= (0x04 if self.switches.is_open else 0) | (0x20 if self._is_empty else 0)
        if which == 4 and self._is_empty:
            status |= 0x60
        return bytes([status])


class VirtualLink:
    """The printer of this very process, without a socket."""

    form = Form.ESCPOS

    def __init__(self, printer: VirtualPrinter, status_s: float = 0.0, echo_s: float = 0.0) -> None:
        self._printer = printer
        self._status_s = status_s
        self._echo_s = echo_s

    def open(self) -> ChannelSession:
        """As in Printer."""
        self._printer.wanted()
        if self._printer.switches.is_off or self._printer.switches.dies_after == 0:
            raise NotReady(Why.NO_CONNECTION)
        self._printer.connected()
        return opened(VirtualChannel(self._printer), self._status_s or 0.05, self._echo_s or 0.05)


class VirtualChannel:
    """Bytes handed over by a call; what it answers is there at once."""

    def __init__(self, printer: VirtualPrinter) -> None:
        self._printer = printer
        self._answers = b""

    def write(self, data: bytes, until: float) -> None:
        """As in Channel. A slow printer takes its time of the caller's thread, and no more than it has."""
        pace = self._printer.switches.bytes_per_s
        piece = max(1, pace // 20) if pace else len(data)
        for first in range(0, len(data), max(1, piece)):
            if pace:
                if time.monotonic() > until:
                    raise TimeoutError("the printer is too slow")
                threading.Event().wait(0.05)
            answers, is_alive = self._printer.take(data[first : first + piece])
            self._answers += answers
            if not is_alive:
                raise ChannelGone("the printer went off")

    def read(self, until: float) -> bytes:  # noqa: ARG002 - nothing comes later
        """As in Channel."""
        found, self._answers = self._answers, b""
        return found

    def finish(self, until: float) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is held."""
