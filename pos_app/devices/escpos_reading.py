"""The real bytes of a job, read as strictly as a printer that prints nonsense for what it does not know.

For the virtual printer and for tests: whatever the till sends to a printer can be unrolled again as a picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pos_app.devices.escpos import without_real_time
from pos_app.domain.paper import Bitmap


class UnknownCommand(ValueError):
    """Bytes that this till has no reason to send."""


@dataclass(frozen=True, slots=True)
class Started:
    """ESC @."""


@dataclass(frozen=True, slots=True)
class RealTimeOff:
    """GS ( D: the real-time commands 1 and 2 of DLE DC4 are off."""


@dataclass(frozen=True, slots=True)
class Inked:
    """A row of a picture, as wide as `dots` says; it lies on paper as soon as its last byte is here."""

    dots: bytes


@dataclass(frozen=True, slots=True)
class Fed:
    """ESC d: so many empty lines."""

    lines: int


@dataclass(frozen=True, slots=True)
class Cut:
    """GS V 66."""


@dataclass(frozen=True, slots=True)
class JobAsked:
    """GS ( H, function 48: `job` is to be named once all before it is printed."""

    job: str


@dataclass(frozen=True, slots=True)
class StatusAsked:
    """DLE EOT, between two commands: which of 1, 2 and 4."""

    which: int


Read = Started | RealTimeOff | Inked | Fed | Cut | JobAsked | StatusAsked

_ASKS = (1, 2, 4)
_LONGEST = 12


class Reader:
    """Reads bytes as they come, in whatever pieces. After UnknownCommand it is of no more use."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._read = 0
        self._across = 0
        self._rows_left = 0
        self._before = b""
        """The last byte of the row before: a real-time command does not stop at the end of a row."""

    @property
    def is_between(self) -> bool:
        """Whether nothing is half read."""
        return not self._waiting and not self._rows_left

    def feed(self, data: bytes) -> Iterator[Read]:
        """What the bytes come to. Raises UnknownCommand with the place and the bytes."""
        self._waiting += data
        while True:
            read = self._row() if self._rows_left else self._command()
            if read is None:
                return
            yield from read

    def _row(self) -> list[Read] | None:
        if len(self._waiting) < self._across:
            return None
        dots = bytes(self._take(self._across))
        seen = self._before + dots
        if without_real_time(seen) != seen:
            raise UnknownCommand(f"a real-time command within a picture, before byte {self._read}")
        self._before = dots[-1:]
        self._rows_left -= 1
        return [Inked(dots)]

    def _command(self) -> list[Read] | None:
        waiting = bytes(self._waiting[:_LONGEST])
        if not waiting:
            return None
        for head, length in _LENGTHS.items():
            if waiting.startswith(head):
                return self._obeyed(bytes(self._take(length))) if len(waiting) >= length else None
        if any(head.startswith(waiting) for head in _LENGTHS):
            return None
        raise UnknownCommand(f"unknown at byte {self._read}: {waiting.hex(' ')}")

    def _take(self, count: int) -> bytearray:
        taken = self._waiting[:count]
        del self._waiting[:count]
        self._read += count
        return taken

    def _obeyed(self, command: bytes) -> list[Read]:
        match command[:3]:
            case b"\x1b@":
                return [Started()]
            case b"\x1d(D" if command == b"\x1d(D\x05\x00\x14\x01\x00\x02\x00":
                return [RealTimeOff()]
            case b"\x1dv0" if command[3] == 0:
                self._across = int.from_bytes(command[4:6], "little")
                self._rows_left = int.from_bytes(command[6:8], "little")
                self._before = b""
                if self._across and self._rows_left:
                    return []
            case b"\x1d(H" if command[3:7] == b"\x06\x00\x30\x30":
                if all(0x21 <= sign <= 0x7E for sign in command[7:]):
                    return [JobAsked(command[7:].decode("ascii"))]
            case b"\x1dVB":
                return [Cut()]
            case _ if command[:2] == b"\x1bd":
                return [Fed(command[2])]
            case _ if command[:2] == b"\x10\x04" and command[2] in _ASKS:
                return [StatusAsked(command[2])]
        raise UnknownCommand(f"unknown before byte {self._read}: {command.hex(' ')}")


_LENGTHS = {
    b"\x1b@": 2,
    b"\x1d(D": 10,
    b"\x1dv0": 8,
    b"\x1bd": 3,
    b"\x1dVB": 4,
    b"\x1d(H": 11,
    b"\x10\x04": 3,
}


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it was meant: its picture, and the signs it asks to be named by."""

    bitmap: Bitmap
    job: str


def read_job(data: bytes) -> Job:
    """A whole job, nothing before, behind or between. Raises UnknownCommand for anything else."""
    reader = Reader()
    read = list(reader.feed(data))
    if not reader.is_between:
        raise UnknownCommand(f"the job breaks off at byte {len(data)}")
    rows = [each.dots for each in read if isinstance(each, Inked)]
    frame = [each for each in read if not isinstance(each, Inked)]
    match frame:
        case [Started(), RealTimeOff(), Fed(), Cut(), JobAsked(job)] if rows:
            if read[2:-3] != [Inked(each) for each in rows]:
                raise UnknownCommand("the picture does not lie between its start and its cut")
            return Job(picture_of(rows), job)
    raise UnknownCommand(f"not the parts of one job: {[type(each).__name__ for each in frame]}")


def picture_of(rows: list[bytes]) -> Bitmap:
    """Rows as a picture. UnknownCommand for rows of several widths; a picture without rows has no width."""
    across = len(rows[0]) if rows else 0
    if any(len(each) != across for each in rows):
        raise UnknownCommand("rows of several widths")
    return Bitmap(across * 8, len(rows), b"".join(rows))
