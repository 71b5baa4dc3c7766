"""How often the till crashed lately: a small durable file beside the journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from pos_app.domain.unreadable import UNREADABLE
from pos_app.system.atomic_file import write_over, write_whole
from pos_app.system.boot_clock import boot_id, ms_since_boot
from pos_app.system.plain_file import read_plain
from pos_app.system.standard_error import tell

FILE = "kiosk.json"
TOO_OFTEN = 3
WITHIN_MS = 5 * 60_000
_ROOM = 512
"""Bytes of the file, always: on a full disk the next record is written over this one, where that needs no room."""


class Moment(msgspec.Struct, frozen=True):
    """A time no clock setting moves: which boot of the machine, and milliseconds since then."""

    boot: str
    at_ms: int


class _Record(msgspec.Struct, frozen=True):
    boot: str
    at_ms: int
    running: bool
    crashes: tuple[int, ...] = ()


def moment() -> Moment:
    """Now."""
    return Moment(boot_id(), ms_since_boot())


class Starts:
    """One process uses the file at a time: its owner has the kiosk's lock.

    What cannot be written is not counted: it must not keep a till from starting.
    """

    def __init__(self, folder: Path, now: Callable[[], Moment] = moment) -> None:
        self._path = folder / FILE
        self._now = now

    def begin(self, *, screen_fell: bool = False) -> int:
        """The till starts. How often it crashed in the last five minutes: begun, and never ended.

        `screen_fell`: the one before had no screen to stand on, and did not crash.
        """
        now = self._now()
        crashes = self._lately(self._ended() if screen_fell else self._read(), now)
        self._write(_Record(now.boot, now.at_ms, running=True, crashes=crashes))
        return len(crashes)

    def end(self) -> None:
        """It ended as it should, or is not running while somebody is told what happened."""
        now = self._now()
        self._write(_Record(now.boot, now.at_ms, running=False, crashes=self._lately(self._ended(), now)))

    def forgive(self) -> None:
        """A person wants it to be started again: counted from nothing."""
        now = self._now()
        self._write(_Record(now.boot, now.at_ms, running=False))

    @staticmethod
    def _lately(record: _Record | None, now: Moment) -> tuple[int, ...]:
        """A machine that was restarted begins anew: a power cut is no crash of the till."""
        if record is None or record.boot != now.boot or record.at_ms > now.at_ms:
            return ()
        crashed = (*record.crashes, now.at_ms) if record.running else record.crashes
        return tuple(at for at in crashed if at > now.at_ms - WITHIN_MS)[-TOO_OFTEN:]

    def _ended(self) -> _Record | None:
        before = self._read()
        return None if before is None else msgspec.structs.replace(before, running=False)

    def _read(self) -> _Record | None:
        """A file that cannot be read counts nothing: it must not keep a till from selling."""
        try:
            return msgspec.json.decode(read_plain(self._path), type=_Record)
        except (OSError, *UNREADABLE):
            return None

    def _write(self, record: _Record) -> None:
        data = msgspec.json.encode(record).ljust(_ROOM)
        try:
            write_whole(self._path, data)
        except OSError:
            self._write_over(data)

    def _write_over(self, data: bytes) -> None:
        """There is no room for another file. A till that crashes for just that reason would never come to its end."""
        try:
            write_over(self._path, data)
        except OSError as error:
            tell(f"pos-app: {self._path.name} cannot be written: {error.strerror}\n")
