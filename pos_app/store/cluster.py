"""A PostgreSQL of the store's own, on its own folder: a socket that nobody else can open, no network, never root."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

ROOT_ROLE = "pos_root"
"""The cluster's superuser; reachable only by who can open the socket's folder."""
PORT = 5432
_LONGEST_SOCKET = 90
"""A socket's path ends at 107 characters on Linux; what PostgreSQL adds is 14."""
_SOCKET_LINE = 5
"""Of `postmaster.pid`, which says the process, its data, its start and its port before."""
_SETTINGS = """
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 60
password_encryption = 'scram-sha-256'
shared_buffers = 128MB
fsync = on
synchronous_commit = on
wal_level = replica
max_wal_senders = 4
wal_compression = on
max_wal_size = 2GB
checkpoint_timeout = 15min
random_page_cost = 1.1
log_destination = 'stderr'
logging_collector = off
log_min_messages = error
timezone = 'UTC'
log_timezone = 'UTC'
jit = off
"""
_START_S, _STOP_S = 60, 30
_STILL_HELD = (b"is still in use", b'lock file "postmaster.pid" already exists')
"""What PostgreSQL says where processes of one that was killed are not all gone."""


class ClusterUnusable(Exception):
    """The private PostgreSQL is missing, cannot be made or does not start; the text says what to do."""


def binaries() -> Path:
    """The folder of Debian's (or another's) newest PostgreSQL binaries. Raises ClusterUnusable."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda file: int(file.parents[1].name) if file.parents[1].name.isdecimal() else 0,
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    raise ClusterUnusable(
        "PostgreSQL is not installed here: apt-get install postgresql, or name one by --dsn"
    )


class Cluster:
    """One private PostgreSQL: made, started, stopped. It belongs to whoever owns `folder`, who must not be root."""

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        """`durable` False is for tests alone: nothing is synced to the disk."""
        self.folder = folder.resolve()
        self._durable = durable
        self._process: subprocess.Popen[bytes] | None = None
        self._short: Path | None = None

    @property
    def data(self) -> Path:
        """PostgreSQL's own folder."""
        return self.folder / "postgresql"

    @property
    def log(self) -> Path:
        """What PostgreSQL says."""
        return self.folder / "postgresql.log"

    @property
    def socket(self) -> Path:
        """The folder of the socket: where its path would be too long another one, as long as it runs."""
        plain = self.folder / "socket"
        return plain if _is_short(plain) else self._short or self._told() or plain

    def _told(self) -> Path | None:
        """What PostgreSQL says of itself for those who did not start it."""
        try:
            said = (self.data / "postmaster.pid").read_text("utf-8").splitlines()
            # The whole folder may be a copy of one that ran, with the other's file.
            if len(said) < _SOCKET_LINE or Path(said[1]) != self.data:
                return None
            found = Path(said[_SOCKET_LINE - 1])
            # In a folder of everybody's another may have taken the name of one that is gone.
            return found if found.lstat().st_uid == self.folder.stat().st_uid else None
        except (OSError, ValueError):
            return None

    def dsn(self, database: str = "pos_store", role: str = ROOT_ROLE) -> str:
        """How to reach a database of it as a role."""
        return f"host='{self.socket}' port={PORT} dbname={database} user={role}"

    @property
    def exists(self) -> bool:
        """Whether it was made before."""
        return (self.data / "PG_VERSION").exists()

    def make(self) -> None:
        """A new one. Raises ClusterUnusable. Under its name when it is whole: what was cut off is begun anew."""
        self._prepare()
        made = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(made, ignore_errors=True)
        done = self._run(
            str(binaries() / "initdb"),
            f"--pgdata={made}",
            f"--username={ROOT_ROLE}",
            "--encoding=UTF8",
            "--locale=C",
            "--auth=trust",
            "--data-checksums",
            *([] if self._durable else ["--no-sync"]),
        )
        if done.returncode:
            raise ClusterUnusable(f"PostgreSQL could not be made in {made}: {_last_line(done.stderr)}")
        with (made / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(_SETTINGS)
            if not self._durable:
                file.write(
                    "fsync = off\nfull_page_writes = off\nmax_wal_size = 128MB\nshared_buffers = 32MB\n"
                )
            # Without these lines it would listen on the network.
            file.flush()
            os.fsync(file.fileno())
        made.rename(self.data)

    def start(self) -> None:
        """Starts it and waits until it answers. Raises ClusterUnusable."""
        self._prepare()
        if not self.exists:
            raise ClusterUnusable(self._why_none())
        tools = self._tools()
        left = None if self._short else self._told()
        # One that a killed store left behind is ended first: this one is to know when it ends.
        self._end_orphan()
        if left is not None and left.parent != self.folder:
            shutil.rmtree(left, ignore_errors=True)
        if self._process is not None:
            self._process.wait(_STOP_S)  # Until it is reaped its number counts as one that runs.
        for tries_left in range(_START_S * 2, -1, -1):
            before = self.log.stat().st_size
            try:
                self._start_once(tools)
            except ClusterUnusable:
                if not tries_left or not self._is_held(before):
                    raise
                # A killed PostgreSQL's other processes hold its memory until they notice: one in a long query, seconds.
                threading.Event().wait(0.5)
            else:
                return

    def _why_none(self) -> str:
        """A restore has two names to give, and may be cut off between them."""
        put_aside = max(self.folder.glob(f"{self.data.name}.before-*"), default=None)
        if put_aside is None:
            return f"there is no store in {self.folder}: store init makes one"
        return (
            f"a store restore was cut off in {self.folder}: begin it again with the same file, or give "
            f"{put_aside.name} its name {self.data.name} back"
        )

    def _is_held(self, before: int) -> bool:
        """Whether what PostgreSQL said since its log was that long is that one that ended still holds the data."""
        with self.log.open("rb") as log:
            log.seek(before)
            said = log.read()
        return any(sign in said for sign in _STILL_HELD)

    def _start_once(self, tools: Path) -> None:
        answers = False
        try:
            self._make_socket()
            with self.log.open("ab") as log, _told_later():
                # A process of its own session: Ctrl-C in a terminal ends the store, which then ends this in order.
                self._process = subprocess.Popen(
                    [str(tools / "postgres"), "-D", str(self.data), "-k", str(self.socket), "-p", str(PORT)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    start_new_session=True,
                    **self._as_owner(),
                )
            self._await_answer(tools, self._process)
            answers = True
        finally:
            # Whoever is told to end meanwhile leaves none behind, which would write on into a folder that goes.
            if not answers:
                self.stop()

    def _await_answer(self, tools: Path, process: subprocess.Popen[bytes]) -> None:
        asks = [str(tools / "pg_isready"), "-q", "-h", str(self.socket), "-p", str(PORT), "-t", "1"]
        for _ in range(_START_S * 10):
            if process.poll() is not None:
                said = _last_line(self.log.read_bytes())
                self._process = None
                raise ClusterUnusable(f"PostgreSQL does not start: {said} ({self.log})")
            if subprocess.run(asks, check=False).returncode == 0:
                return
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
        raise ClusterUnusable(f"PostgreSQL did not answer within {_START_S} s ({self.log})")

    def _end_orphan(self) -> None:
        try:
            number = int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        except (OSError, ValueError, IndexError):
            return
        if not _is_postgres(number, self.data):
            return
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, how)
            if _has_gone(number, _STOP_S):
                return

    def answers(self) -> bool:
        """Whether this cluster runs, whoever started it."""
        if not self.exists or not self.socket.is_dir():
            return False
        try:
            tools = self._tools()
        except ClusterUnusable:
            return False
        asks = [str(tools / "pg_isready"), "-q", "-h", str(self.socket), "-p", str(PORT), "-t", "1"]
        return subprocess.run(asks, check=False).returncode == 0

    @property
    def process_id(self) -> int | None:
        """Of the PostgreSQL that this object started; None while there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def has_ended(self) -> bool:
        """It was started and is not there any more."""
        return self._process is not None and self._process.poll() is not None

    def stop(self) -> None:
        """Ends it in order: connections are cut, everything is written."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
        if self._short is not None:
            shutil.rmtree(self._short, ignore_errors=True)
            self._short = None

    def _prepare(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_root() and self.folder.stat().st_uid == 0:
            raise ClusterUnusable(
                f"PostgreSQL never runs as root, and {self.folder} is root's: "
                "give the folder to another user, for example chown postgres"
            )
        if not self.log.exists():
            self.log.touch(mode=0o600)
            self._give(self.log)

    def _make_socket(self) -> None:
        plain = self.folder / "socket"
        if _is_short(plain):
            plain.mkdir(mode=0o700, exist_ok=True)
            self._give(plain)
        elif self._short is None:
            self._short = Path(tempfile.mkdtemp(prefix="pos-app-store-"))
            self._give(self._short)

    def _tools(self) -> Path:
        """The binaries of the version that made the data. Raises ClusterUnusable."""
        version = (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        own = Path(f"/usr/lib/postgresql/{version}/bin")
        if own.is_dir():
            return own
        newest = binaries()
        if newest.parent.name.isdecimal() and newest.parent.name != version:
            raise ClusterUnusable(
                f"this store was made by PostgreSQL {version}, which is not installed here "
                f"(there is {newest.parent.name}): install postgresql-{version}"
            )
        return newest

    def _give(self, path: Path) -> None:
        """To the folder's owner, where root made it for them."""
        if _is_root():
            owner = self.folder.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _as_owner(self) -> dict[str, Any]:
        if not _is_root():
            return {}
        owner = self.folder.stat()
        return {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}

    def _run(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=self.folder,
            check=False,
            **self._as_owner(),
        )


@contextlib.contextmanager
def _told_later() -> Iterator[None]:
    """Whoever is told to end meanwhile hears of it behind the block: a process that was begun and is not yet known here
    would be left to itself. PostgreSQL chooses its own signals, whatever it was begun with.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_short(socket: Path) -> bool:
    return len(str(socket)) <= _LONGEST_SOCKET


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(_STOP_S)
            break
        except subprocess.TimeoutExpired:
            continue


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def _is_postgres(number: int, data: Path) -> bool:
    """Whether this process is the PostgreSQL of this folder, and not another that got its number since."""
    try:
        line = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return str(data).encode() in line


def _has_gone(number: int, seconds: float) -> bool:
    try:
        handle = os.pidfd_open(number)
    except ProcessLookupError:
        return True
    try:
        ending = select.poll()
        ending.register(handle, select.POLLIN)
        return bool(ending.poll(seconds * 1000))
    finally:
        os.close(handle)


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


STEPS_DOWN_TO = ("pos-app-store", "postgres", "nobody")
"""As whom a store that root starts runs, the first that there is."""


def step_down(folder: Path) -> None:
    """Root becomes the folder's owner, or where that is root too, the first of STEPS_DOWN_TO, who is given the folder.

    For good: nothing of a store runs as root. Nothing for anybody else. Where Python itself lies in a folder of root's
    alone, the right to read files stays; where not even that can be, this process stays, and its PostgreSQL steps down.
    """
    if not _is_root():
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = folder.stat()
    user, group = owner.st_uid, owner.st_gid
    if user == 0:
        user, group = _somebody()
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, group, follow_symlinks=False)
    reads = not _is_readable_by_all()
    if reads and not _may_keep_reading():
        return
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    if reads:
        _read_everything()


def _is_readable_by_all() -> bool:
    """Whether somebody else can load what Python loads later: its own library, this package, and the one it uses."""
    for file in (os.__file__, __file__, psycopg.__file__):
        path = Path(file or "/").resolve()
        if any(not each.stat().st_mode & 0o001 for each in path.parents) or not path.stat().st_mode & 0o004:
            return False
    return True


_PR_SET_KEEPCAPS = 8
_DAC_READ_SEARCH = 1 << 2
_CAPABILITY_VERSION = 0x20080522


def _may_keep_reading() -> bool:
    """Keeps rights over the change of user, if there is the one that is wanted."""
    if sys.platform != "linux":
        return False
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    permitted = next(
        (int(line.split()[1], 16) for line in status.splitlines() if line.startswith("CapPrm:")), 0
    )
    return bool(permitted & _DAC_READ_SEARCH) and ctypes.CDLL(None).prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0


def _read_everything() -> None:
    """Of what was kept nothing stays but the right to read; what is started has not even that."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    sets = struct.pack("=6I", _DAC_READ_SEARCH, _DAC_READ_SEARCH, 0, 0, 0, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, sets):
        raise OSError(ctypes.get_errno(), "the rights of root cannot be given up")


def _somebody() -> tuple[int, int]:
    for name in STEPS_DOWN_TO:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise ClusterUnusable("a store never runs as root: make a user for it, for example pos-app-store")
