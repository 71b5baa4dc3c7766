"""A way of bytes to a printer and, where there is one, back: what it says of itself before and after a job."""

from __future__ import annotations

import contextlib
import time
from typing import Protocol

from pos_app.devices.escpos import job_echo
from pos_app.devices.printers.printer import BrokeOff, NotReady
from pos_app.domain.print_job import JobState, PrintJob, Why, dots_s

STATUS_S = 0.5
"""So long a printer has for all it says of itself; most say nothing, being built one-way."""

ECHO_S = 3.0
"""So long one that does talk has to name the job as done, before it is asked how it is: most receipts take less."""

_STATUS = (
    (1, 0x08, Why.OFFLINE),
    (2, 0x04, Why.COVER_OPEN),
    (2, 0x20, Why.PAPER_OUT),
    (4, 0x60, Why.PAPER_OUT),
)
_ORDER = (Why.COVER_OPEN, Why.PAPER_OUT, Why.OFFLINE)
"""A printer without paper is off line, too; whoever stands before it is told what to do."""


class ChannelGone(OSError):
    """The other end has closed it, or it fails."""


class Channel(Protocol):
    """Both directions of a printer; neither waits for longer than it is told."""

    def write(self, data: bytes, until: float) -> None:
        """All of it. Raises ChannelGone, TimeoutError."""
        ...

    def read(self, until: float) -> bytes:
        """What has come by then, at once where something is there; b"" for nothing. Raises ChannelGone."""
        ...

    def finish(self, until: float) -> None:
        """What was written gets to the printer before the channel is closed. Raises ChannelGone, TimeoutError."""
        ...

    def close(self) -> None: ...


def status_of(channel: Channel, limit_s: float = STATUS_S) -> tuple[bool, Why]:
    """Whether the printer talks, and what keeps it from printing (DLE EOT 1, 2, 4). Raises ChannelGone, TimeoutError.

    Old answers are drained first, and an answer that is none by its fixed bits is passed over: some printers answer
    the question before, some send their status unasked.
    """
    until = time.monotonic() + limit_s
    _drain(channel, until)
    found: dict[int, int] = {}
    for which in (1, 2, 4):
        channel.write(bytes((0x10, 0x04, which)), until)
        answer = _answer(channel, until)
        if answer is None:
            # It does not talk, or not of this: what it says later is drained.
            break
        found[which] = answer
    told = {why for which, bits, why in _STATUS if found.get(which, 0) & bits}
    return bool(found), next((why for why in _ORDER if why in told), Why.NONE)


def _drain(channel: Channel, until: float) -> None:
    """What was said before is forgotten. Raises TimeoutError for what does not stop talking: it is no printer."""
    while channel.read(0):
        if time.monotonic() > until:
            raise TimeoutError("the printer does not stop talking")


def _answer(channel: Channel, until: float) -> int | None:
    while True:
        # What has come is read, however late it is looked at: a machine that stood still takes no printer for mute.
        is_over = time.monotonic() >= until
        for byte in channel.read(until):
            if byte & 0x93 == 0x12:
                return byte
        if is_over:
            return None


class ChannelSession:
    """A job over a channel. `talks`: the printer has answered before."""

    def __init__(self, channel: Channel, *, talks: bool, status_s: float, echo_s: float) -> None:
        self._channel = channel
        self._talks = talks
        self._status_s = status_s
        self._echo_s = echo_s

    def send(self, data: bytes, job: PrintJob, until: float) -> JobState:
        """As in Session."""
        try:
            _drain(self._channel, min(until, time.monotonic() + self._status_s))
            self._channel.write(data, until)
            return self._outcome(job, len(data), until)
        except TimeoutError as error:
            raise BrokeOff(Why.TOO_SLOW) from error
        except OSError as error:
            raise BrokeOff from error

    def _outcome(self, job: PrintJob, size: int, until: float) -> JobState:
        wait_s = self._echo_s if self._talks else self._status_s
        if self._is_named(job, min(until, time.monotonic() + wait_s)):
            return self._named(until)
        if self._talks:
            talks, why = self._status()
            if not talks and self._is_named(job, min(until, time.monotonic() + dots_s(size))):
                # Its buffer was full of dots: of a long paper it has the question behind them all.
                return self._named(until)
            # Out of paper in the middle of the job, or mute since: what came out of it is for a person to see.
            talks, why = (talks, why) if talks else self._status()
            if not talks or why is not Why.NONE:
                raise BrokeOff(why or Why.TOO_SLOW)
        self._channel.finish(until)
        return JobState.SENT

    def _named(self, until: float) -> JobState:
        with contextlib.suppress(OSError):
            self._channel.finish(until)
        return JobState.PRINTED

    def _status(self) -> tuple[bool, Why]:
        """As `status_of`; one that takes not even the question does not talk."""
        try:
            return status_of(self._channel, self._status_s)
        except TimeoutError:
            return False, Why.NONE

    def _is_named(self, job: PrintJob, until: float) -> bool:
        echo, heard = job_echo(job.signs), b""
        while True:
            is_over = time.monotonic() >= until
            heard = (heard + self._channel.read(until))[-64:]
            if echo in heard or is_over:
                return echo in heard

    def close(self) -> None:
        """As in Session."""
        self._channel.close()


def opened(channel: Channel, status_s: float = STATUS_S, echo_s: float = ECHO_S) -> ChannelSession:
    """A session over a channel whose printer is ready, as far as it tells. Raises NotReady, the channel closed."""
    try:
        talks, why = status_of(channel, status_s)
    except OSError as error:
        channel.close()
        raise NotReady(Why.NO_CONNECTION) from error
    if why is not Why.NONE:
        channel.close()
        raise NotReady(why)
    return ChannelSession(channel, talks=talks, status_s=status_s, echo_s=echo_s)
