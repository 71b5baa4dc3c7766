"""One store as its owner runs it: `pos-app store run`, its private PostgreSQL, and what may happen to both."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import psycopg

from pos_app.store.accounts.accounts import owners_link
from pos_app.store.cluster import Cluster
from pos_app.store.database import DOOR, RECEIVE, Database
from pos_app.store.joining import give_code
from pos_app.store.recount import Finding, examine
from tests.support.ports import free_port
from tests.verification.campaign.stores.small_disk import CannotMount, SmallDisk

POS_APP = (sys.executable, "-m", "pos_app", "store")


class Store:
    """In a folder of its own, at a port that stays; on a disk of its own where one can be mounted and `may_fill`."""

    def __init__(self, folder: Path, *, may_fill: bool = True) -> None:
        self.folder = folder
        self.disk: SmallDisk | None = None
        self.no_disk = ""
        """Why there is none."""
        try:
            self.disk = SmallDisk(folder) if may_fill else None
        except CannotMount as error:
            self.no_disk = str(error)
        self._cluster = Cluster(folder)
        self.database = Database(self._cluster.dsn(), private=True)
        # The system gives it to no connection while the store is down.
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def init(self) -> None:
        """Made, with one shop."""
        command = [*POS_APP, "init", "--data", str(self.folder), "--name", "Chaos", "--shop", "Main street"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"store init: exit {done.returncode}: {done.stderr}")

    def start(self) -> None:
        """Until it serves, whatever was killed before."""
        command = [*POS_APP, "run", "--data", str(self.folder), "--port", str(self.port), "--json"]
        with (self.folder.parent / "store.log").open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            self.kill()
            raise RuntimeError("the store did not start: store.log says why")

    @property
    def pid(self) -> int:
        """The running store's."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """SIGKILL; its PostgreSQL is left as it is."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def kill_postgresql(self) -> None:
        """SIGKILL to its first process: the others end by themselves, and the disk is as it is."""
        try:
            process_id = int((self._cluster.data / "postmaster.pid").read_text().split()[0])
            os.kill(process_id, signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            return
        gone = threading.Event()
        for _ in range(200):
            try:
                os.kill(process_id, 0)
            except ProcessLookupError:
                return
            gone.wait(0.05)

    def cut(self) -> None:
        """Every connection of the store to its database is ended."""
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ANY(%s)"
        try:
            with psycopg.connect(self._cluster.dsn(), autocommit=True, connect_timeout=3) as connection:
                connection.execute(others, (["pos_receive", "pos_page"],))
        except psycopg.Error:
            return

    def back_up(self, to: Path) -> None:
        """As a power cut would leave it: both killed, the folder copied, started again."""
        self._copy(self._cluster.data, to)

    def put_back(self, kept: Path) -> None:
        """The copy in place of what is there; nobody says so."""
        self._copy(kept, self._cluster.data)

    def _copy(self, source: Path, to: Path) -> None:
        self.kill()
        self.kill_postgresql()
        shutil.rmtree(to, ignore_errors=True)
        subprocess.run(["cp", "-a", str(source), str(to)], check=True)
        self.start()

    def code(self) -> str:
        """A joining code for its shop."""
        with self.database.connect_now(RECEIVE) as connection, connection.transaction():
            return give_code(connection, 1)

    def link(self) -> str:
        """A one-time link of an owner, as its path."""
        with self.database.connect_now(DOOR) as connection:
            return f"/link/{owners_link(connection, 1, 'nimali.perera', 'Nimali Perera')}"

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """As the database's superuser."""
        with psycopg.connect(self._cluster.dsn(), autocommit=True) as connection:
            return connection.execute(sql.encode(), values).fetchall()

    def examined(self) -> list[Finding]:
        """What `store check --deep` looks at."""

        async def look() -> list[Finding]:
            connection = await self.database.connect(RECEIVE)
            try:
                return await examine(connection, deep=True)
            finally:
                await connection.close()

        return asyncio.run(look())

    def health(self) -> tuple[int, bool]:
        """What it says of itself: the status, and whether its disk has room; 0 where it says nothing."""
        try:
            said = httpx.get(f"{self.url}/health", timeout=10, trust_env=False)
        except httpx.TransportError:
            return 0, False
        return said.status_code, bool(said.json()["disk_ok"])

    def end(self) -> None:
        """Both, and the disk."""
        self.kill()
        self.kill_postgresql()
        if self.disk is not None:
            self.disk.end()
