"""Where a store lies: its folder, its keys, and its PostgreSQL, which is its own or another's (--dsn)."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict

from pos_app.domain.unreadable import UNREADABLE
from pos_app.store import keys
from pos_app.store.cluster import Cluster, ClusterUnusable, step_down
from pos_app.store.database import Database, TooNew
from pos_app.store.errors import CANNOT_CREATE, CONFIGURATION, UNAVAILABLE, USAGE, StoreError

DATABASE = "pos_store"
SYSTEM_FOLDER = Path("/var/lib/pos-app-store")
_LOOKS, _LOOK_S = 100, 0.2
"""So often it is looked whether a PostgreSQL that another starts or ends has done so."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`store.json`: `dsn` "" is a PostgreSQL of the store's own."""

    dsn: str = ""


def default_folder() -> Path:
    """Of the service for root and its user; else of whoever calls."""
    if os.geteuid() == 0 or os.access(SYSTEM_FOLDER, os.W_OK):
        return SYSTEM_FOLDER
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pos-app-store"


class Place:
    """A store's folder. Root steps down for good before anything in it is touched."""

    def __init__(self, folder: Path | None = None) -> None:
        """Raises StoreError: the folder cannot be had."""
        self.folder = (folder or default_folder()).absolute()
        try:
            step_down(self.folder)
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError("this user may not write there")
        except (OSError, ClusterUnusable) as error:
            raise StoreError(CANNOT_CREATE, f"--data {self.folder}: {_why(error)}") from error
        self.cluster = Cluster(self.folder)

    @property
    def key_file(self) -> Path:
        """Apart from the database, and never in a backup."""
        return self.folder / "keys" / "store.key"

    @property
    def _settings_file(self) -> Path:
        return self.folder / "store.json"

    @property
    def is_made(self) -> bool:
        """`store init` ended well here."""
        return self._settings_file.exists()

    def settings(self) -> Settings:
        """Raises StoreError: there is no store here, or its file cannot be read."""
        try:
            return msgspec.json.decode(self._settings_file.read_bytes(), type=Settings)
        except FileNotFoundError as error:
            text = f"there is no store in {self.folder}: make one by store init, or name its folder by --data DIR"
            raise StoreError(CANNOT_CREATE, text) from error
        except (OSError, *UNREADABLE) as error:
            raise StoreError(CONFIGURATION, f"{self._settings_file}: {error}") from error

    def keys(self) -> keys.Keys:
        """Raises StoreError."""
        try:
            return keys.load(self.key_file)
        except (OSError, ValueError) as error:
            text = (
                f"the store's key cannot be read ({error}): put {self.key_file} back from where keys are kept"
            )
            raise StoreError(CANNOT_CREATE, text) from error

    def write_settings(self, settings: Settings) -> None:
        """Written last by `store init`: what is not there was not made."""
        part = self._settings_file.with_suffix(".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, msgspec.json.encode(settings))
            os.fsync(handle)
        finally:
            os.close(handle)
        part.rename(self._settings_file)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else starts or stops this store's PostgreSQL meanwhile. Raises StoreError."""
        with self._lock("lock") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                text = f"another store run or verb is at work in {self.folder}: end it first"
                raise StoreError(CANNOT_CREATE, text) from error
            yield

    @contextmanager
    def _lock(self, name: str) -> Iterator[int]:
        """A file to be locked until the block ends."""
        handle = os.open(self.folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            yield handle
        finally:
            os.close(handle)

    def database(self) -> Database:
        """The store's; it may not answer. Raises StoreError."""
        dsn = self.settings().dsn
        return Database(dsn) if dsn else Database(self.cluster.dsn(DATABASE), private=True)

    @contextmanager
    def answering(self) -> Iterator[Database]:
        """The store's database, for a verb; its PostgreSQL is started for as long, unless it runs. StoreError."""
        if self.settings().dsn:
            yield checked(self.database())
            return
        with self._lock("users") as users, ExitStack() as own:
            # Held by each verb: whoever started the PostgreSQL for itself stops it behind the last of them.
            fcntl.flock(users, fcntl.LOCK_SH)
            if not self._answers(own):
                own.enter_context(self.started())
                own.enter_context(self._behind_the_others(users))
            yield checked(self.database())

    @contextmanager
    def _behind_the_others(self, users: int) -> Iterator[None]:
        """The block's end waits for the verbs that use what this one started. One that is told to end does not."""
        try:
            yield
        except Exception:
            self._wait_for(users)
            raise
        self._wait_for(users)

    def _wait_for(self, users: int) -> None:
        if self.cluster.has_ended:
            return  # nobody can use it, and whoever is to start it anew waits for this one
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.stderr.write("pos-app store: another verb uses the store's PostgreSQL, which ends with it\n")
            sys.stderr.flush()
            fcntl.flock(users, fcntl.LOCK_EX)

    def _answers(self, own: ExitStack) -> bool:
        """Whether the PostgreSQL runs; else this verb is alone as long as `own`, to start it. One that another is just
        starting or ending is waited for. Raises StoreError."""
        looks_left = _LOOKS
        while not self.cluster.answers():
            try:
                own.enter_context(self.alone())
            except StoreError:
                if not looks_left:
                    raise
            else:
                return False
            looks_left -= 1
            time.sleep(_LOOK_S)
        return True

    @contextmanager
    def started(self) -> Iterator[None]:
        """The private PostgreSQL, or nothing where it is another's. Raises StoreError."""
        if self.settings().dsn:
            yield
            return
        try:
            self.cluster.start()
        except (ClusterUnusable, OSError) as error:
            raise StoreError(CANNOT_CREATE, str(error)) from error
        try:
            yield
        finally:
            self.cluster.stop()


def checked(database: Database) -> Database:
    """The same, if it answers and this program knows its tables. Raises StoreError."""
    try:
        database.look()
    except TooNew as error:
        raise StoreError(CONFIGURATION, str(error)) from error
    except psycopg.Error as error:
        raise StoreError(UNAVAILABLE, f"the store's database does not answer: {_why(error)}") from error
    return database


def read_dsn(text: str) -> str:
    """A DSN without a secret in it. Raises StoreError."""
    try:
        parts = conninfo_to_dict(text)
    except psycopg.Error as error:
        example = "for example 'host=db.example dbname=pos_store user=pos_app'"
        raise StoreError(USAGE, f"--dsn {_why(error)}; {example}") from error
    if parts.get("password"):
        raise StoreError(USAGE, "--dsn: a password there would be visible to others; put it into ~/.pgpass")
    return text


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
