"""A PostgreSQL that is not the store's own: a server on a port, with passwords, and an administrator at its socket."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGINT
from typing import Any

import psycopg

from pos_app.store.cluster import ROOT_ROLE, Cluster, binaries
from tests.support.ports import free_port
from tests.support.unprivileged import IS_ROOT, NOBODY

PASSWORD = "not for a command line"
_RULES = """\
local all pos_root trust
host all all 127.0.0.1/32 scram-sha-256
"""
_ANSWER_S = 60


class AnotherPostgreSQL:
    """`dsn(user)` as it is given to `store init`; `password_file` has everybody's password."""

    def __init__(self, folder: Path, port: int, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.port, self._process = folder, port, process
        self.password_file = folder / "pgpass"
        self.password_file.write_text(f"127.0.0.1:{port}:*:*:{PASSWORD}\n", encoding="ascii")
        self.password_file.chmod(0o600)
        if IS_ROOT:
            shutil.chown(self.password_file, NOBODY, NOBODY)

    def dsn(self, user: str, database: str = "pos_store") -> str:
        """How somebody reaches it over the network."""
        return f"host=127.0.0.1 port={self.port} dbname={database} user={user}"

    def administrator(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """What its administrator does there, one after the other; the last one's rows."""
        reached = f"host='{self.folder}' port={self.port} dbname={database} user={ROOT_ROLE}"
        with psycopg.connect(reached, autocommit=True) as connection:
            for each in statements:
                cursor = connection.execute(each)
            return cursor.fetchall() if cursor.description else []

    def stop(self) -> None:
        """As its administrator stops it for a while."""
        self._process.send_signal(SIGINT)
        self._process.wait(30)


@contextmanager
def another_postgresql() -> Iterator[AnotherPostgreSQL]:
    """Runs until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="pos-another-"))
    if IS_ROOT:
        shutil.chown(folder, NOBODY, NOBODY)
    made = Cluster(folder, durable=False)
    made.make()
    (made.data / "pg_hba.conf").write_text(_RULES, encoding="ascii")
    port = free_port()
    told = ["-D", str(made.data), "-k", str(folder), "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    owner: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if IS_ROOT else {}
    with made.log.open("ab") as log:
        process = subprocess.Popen(
            [str(binaries() / "postgres"), *told], stdout=log, stderr=log, cwd=folder, **owner
        )
    try:
        asks = [str(binaries() / "pg_isready"), "-q", "-h", str(folder), "-p", str(port), "-t", "1"]
        until = time.monotonic() + _ANSWER_S
        # Where nobody listens yet it says so at once.
        while subprocess.run(asks, check=False).returncode:
            assert process.poll() is None, made.log.read_text(encoding="utf-8")
            assert time.monotonic() < until, made.log.read_text(encoding="utf-8")
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        yield AnotherPostgreSQL(folder, port, process)
    finally:
        process.send_signal(SIGINT)
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)
