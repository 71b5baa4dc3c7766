"""What an update and the tills of one machine know of each other, whichever accounts they run under.

Two files in the folder of what holds until the next start of the machine (docs/updates.md):

`pos-app.updating`, a flag: the program is being replaced, no till starts. Whoever updates writes the name of the
machine's start and their process, each on a line of its own; so a flag whose machine was restarted or whose writer
has gone holds nobody up.

`pos-app/tills`: each till that has a journal holds a shared lock on it, which dies with its process; `pos-app/selling`
likewise, as long as the till may begin a payment. Whoever gets the whole lock knows that there is none: no till can
forget to say so, and one that lies only keeps an update waiting. Both are made by the machine's administrator, and
where they are not there, nothing is held.

On Windows there is no such folder, and no name of a machine's start: the flag lies with the site's settings, and holds
while the installer lives whose process it names, unless it is from before the start. The locks are not there (an event
in Global\\ would take their place): the installer looks for open tills itself.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pos_app.system.atomic_file import write_whole
from pos_app.system.boot_clock import boot_id, ms_since_boot

FOLDER_VARIABLE = "POS_APP_RUN_DIR"
FLAG = "pos-app.updating"
FOLDER = "pos-app"
TILLS, SELLING, REQUEST = "tills", "selling", "request"
_ASKING = "asking"
"""Locked by who writes or takes away the request; the administrator's alone, so that nobody else can hold it."""
FLAG_LASTS_S = 60 * 60
"""A flag that names nobody who could be gone."""

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_MOST_BYTES = 4_096
_SETTLED_NS = 2_000_000_000
"""A folder that was changed so long ago shows it by its time; within a tick of the clock two changes show the same."""


def run_folder() -> Path:
    """Where it all lies."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("PROGRAMDATA") or "C:/ProgramData") / FOLDER
    return Path("/run")


def is_updating(folder: Path | None = None) -> bool:
    """Whether the program is being replaced just now: nothing of it is to be started."""
    flag = (folder or run_folder()) / FLAG
    try:
        written = flag.stat().st_mtime
    except OSError:
        return False
    said = ""
    try:
        with flag.open("rb") as file:
            said = file.read(_MOST_BYTES).decode("ascii", "replace")
    except FileNotFoundError:
        return False
    except OSError:
        # It is there: one that only its writer may read (by a umask of 077) counts as one that names nobody.
        pass
    here = boot_id()
    start, process = [line.strip() for line in (*said.split("\n"), "")[:2]]
    if start and here and start != here:
        return False
    if process.isdigit():
        # Without a name of the start its time has to tell whose number that is.
        return _lives(int(process)) and (bool(here) or _is_of_this_start(written))
    return abs(time.time() - written) < FLAG_LASTS_S and _is_of_this_start(written)


def _is_of_this_start(written: float) -> bool:
    """Not from before it; a clock that was set forward meanwhile makes it one."""
    return written > time.time() - ms_since_boot() / 1000 - 1


def _lives(process: int) -> bool:
    """A number that no process can have names one that has gone."""
    if process >= 1 << 31:
        return False
    if sys.platform == "win32":
        return _lives_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another account's, and there
    return True


def raise_flag(process: int, folder: Path | None = None) -> None:
    """No till starts until `lower_flag`, or until this process (its number) is gone. Raises OSError."""
    write_whole((folder or run_folder()) / FLAG, f"{boot_id()}\n{process}\n".encode("ascii"), mode=0o644)


def lower_flag(folder: Path | None = None) -> None:
    """Tills start again. Raises OSError."""
    ((folder or run_folder()) / FLAG).unlink(missing_ok=True)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine's administrator asks of every till. `until_ms`: since the machine's start of this name."""

    request_id: str
    boot: str
    until_ms: int
    strict: bool = False
    end: bool = False


class Presence:
    """A till's own locks: `begin` when it has its journal, `end` when it has given it up."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = (folder or run_folder()) / FOLDER
        self._wanted: set[str] = set()
        self._held: dict[str, int] = {}
        self._seen: tuple[int, int, int] | None = None

    def begin(self) -> None:
        """It is there, and may sell."""
        self._wanted = {TILLS, SELLING}
        self.look()

    def sells(self, sells: bool) -> None:
        """Whether it may begin a payment from now on; said before it may, and after it may no more."""
        if not self._wanted:
            return
        self._wanted = {TILLS, SELLING} if sells else {TILLS}
        self.look()

    def end(self) -> None:
        """It is not there any more."""
        self._wanted = set()
        self.look()

    def has_news(self) -> bool:
        """Whether anything in the folder may have changed since this was asked last, or is still to be held.

        For whoever looks all day: one question to the system, where the looking is a dozen.
        """
        before, self._seen = self._seen, _state_of(self._folder)
        if self._seen is None:
            return before is not None
        is_settled = time.time_ns() - self._seen[2] > _SETTLED_NS
        return self._seen != before or not is_settled or self._wanted != self._held.keys()

    def look(self) -> None:
        """The administrator may have made the files, or made them anew, after the till was started."""
        for name in (TILLS, SELLING):
            descriptor = self._held.get(name)
            if descriptor is not None and (
                name not in self._wanted or not _is_at(self._folder / name, descriptor)
            ):
                os.close(self._held.pop(name))
            if name in self._wanted and name not in self._held:
                found = _locked(self._folder / name, whole=False)
                if found is not None:
                    self._held[name] = found


def request_here(folder: Path | None = None) -> Request | None:
    """What the administrator asks of this till now; None: nothing, or not any more."""
    path = (folder or run_folder()) / FOLDER / REQUEST
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_uid not in (0, os.geteuid()):
                return None
            asked = msgspec.json.decode(file.read(_MOST_BYTES), type=Request)
    except (OSError, *_UNREADABLE):
        return None
    return asked if asked.boot == boot_id() and ms_since_boot() < asked.until_ms else None


class Everybody:
    """The administrator's side: asks all tills of the machine, whoever they belong to. Raises OSError where it may not.

    As a context: what it asks for holds no longer than that, unless it `stands`: then until its time is over.
    """

    stands = False
    _request_id = ""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = (folder or run_folder()) / FOLDER
        self._request = self._folder / REQUEST
        files = [self._folder / name for name in (TILLS, SELLING)]
        self.was_there = _is_for_all(self._folder) and all(_is_for_all(file) for file in files)
        """Whether tills have had the files to hold since before; else they have yet to find them."""
        self._folder.mkdir(mode=0o755, exist_ok=True)
        _give_all(self._folder, 0o755)
        for file in files:
            descriptor = os.open(file, os.O_RDONLY | os.O_CREAT | _NO_LINK, 0o644)
            try:
                _give_all(descriptor, 0o644)
            finally:
                os.close(descriptor)

    def __enter__(self) -> Everybody:
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._request_id and not self.stands:
            with contextlib.suppress(OSError), self._alone():
                self._withdraw()

    def ask(self, wait_ms: int, *, strict: bool, end: bool) -> None:
        """Of every till that is there, and of each that starts meanwhile."""
        asked = Request(
            request_id=os.urandom(8).hex(),
            boot=boot_id(),
            until_ms=ms_since_boot() + wait_ms,
            strict=strict,
            end=end,
        )
        # Before: what is broken off behind its name is to be taken away, too.
        self._request_id = asked.request_id
        with self._alone():
            write_whole(self._request, msgspec.json.encode(asked), mode=0o644)

    def _withdraw(self) -> None:
        """Unless another has asked since: tills close for that one now."""
        try:
            asked = msgspec.json.decode(self._request.read_bytes(), type=Request)
        except _UNREADABLE:
            return
        if asked.request_id == self._request_id:
            self._request.unlink()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No other administrator's verb writes the request meanwhile, takes it away, or looks for tills."""
        if sys.platform == "win32":
            yield
            return
        descriptor = os.open(self._folder / _ASKING, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def is_any(self, name: str) -> bool:
        """Whether any till is there (TILLS), or may begin a payment (SELLING)."""
        # Another administrator's look is no till.
        with self._alone():
            found = _locked(self._folder / name, whole=True)
            if found is None:
                return True
            os.close(found)
            return False


def _is_for_all(path: Path) -> bool:
    """Whether it is there, and the tills of every account can reach it."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False


def _give_all(what: Path | int, mode: int) -> None:
    """Whatever the umask of whoever made it: what is ours alone no till of another account could hold."""
    if os.name == "posix" and os.stat(what).st_uid == os.geteuid():  # noqa: PTH116
        os.chmod(what, mode)  # noqa: PTH101


_TRIES, _TRY_AGAIN_S = 20, 0.001
"""An administrator's look whether there is a till locks the file for some millionths of a second."""

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)

if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE, _STILL_WAITS, _ACCESS_DENIED = 0x100000, 0x102, 5

    def _lives_on_windows(process: int) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        opened = kernel.OpenProcess(_SYNCHRONIZE, False, ctypes.c_uint32(process))
        if not opened:
            return ctypes.get_last_error() == _ACCESS_DENIED
        handle = ctypes.c_void_p(opened)
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _STILL_WAITS)
        finally:
            kernel.CloseHandle(handle)
else:
    import fcntl


def _locked(path: Path, *, whole: bool) -> int | None:
    """The file, locked; None where it is not there, or somebody else's lock is in the way, or the system has none."""
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
    except OSError:
        return None
    for tries_left in range(0 if whole else _TRIES, -1, -1):
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if whole else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            # A till that came in just then would be seen by nobody until it looks again.
            if tries_left:
                time.sleep(_TRY_AGAIN_S)
        except OSError:
            break
        else:
            return descriptor
    os.close(descriptor)
    return None


def _state_of(folder: Path) -> tuple[int, int, int] | None:
    """What changes with whatever is made, replaced or taken away in it; None where it is not there."""
    try:
        found = os.stat(folder)  # noqa: PTH116 - twice as quick, and asked each second
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        there, here = path.lstat(), os.fstat(descriptor)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
