"""The private PostgreSQL, killed as a machine's memory manager would."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pos_app.store.cluster import Cluster, ClusterUnusable
from tests.support.unprivileged import IS_ROOT, NOBODY

pytestmark = pytest.mark.slow


@pytest.fixture
def own() -> Iterator[Cluster]:
    """One of this test's alone, running."""
    with tempfile.TemporaryDirectory(prefix="pos-store-") as folder:
        if IS_ROOT:
            os.chown(folder, NOBODY, NOBODY)
        made = Cluster(Path(folder), durable=False)
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop()


def test_it_starts_again_while_a_process_of_the_killed_one_is_still_at_work(own: Cluster) -> None:
    """Which holds its memory until it looks up: PostgreSQL itself gives up at once."""
    with ThreadPoolExecutor(1) as beside, psycopg.connect(own.dsn("postgres"), autocommit=True) as connection:
        counted = beside.submit(
            connection.execute, "SELECT count(md5(n::text)) FROM generate_series(1, 3000000) AS n"
        )
        with psycopg.connect(own.dsn("postgres"), autocommit=True) as looking:
            sql = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT count(md5%' AND state = 'active'"
            while not looking.execute(sql).fetchone():
                pass
        assert own.process_id is not None
        os.kill(own.process_id, signal.SIGKILL)
        own.start()
        counted.exception()  # Its answer, or the end of its line: the one that was killed does not matter.
    with psycopg.connect(own.dsn("postgres")) as again:
        assert again.execute("SELECT 1").fetchone() == (1,)
    assert b"is still in use" in own.log.read_bytes()


def test_what_else_keeps_it_from_starting_is_said_at_once(own: Cluster) -> None:
    own.stop()
    with (own.data / "postgresql.conf").open("a") as settings:
        settings.write("max_connections = many\n")
    with pytest.raises(ClusterUnusable, match=r"postgresql\.conf"):
        own.start()


def test_one_that_is_begun_by_whoever_is_told_to_end_ends_with_it(
    own: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else knew of it: it wrote on into a folder that was being taken away, which stayed."""
    own.stop()
    begun: list[int] = []

    def told_to_end(_asks: list[str], **_more: object) -> None:
        assert own.process_id is not None
        begun.append(os.pidfd_open(own.process_id))
        raise SystemExit(143)

    with monkeypatch.context() as at_the_first_ask:
        at_the_first_ask.setattr(subprocess, "run", told_to_end)
        with pytest.raises(SystemExit):
            own.start()
    (handle,) = begun
    assert select.select([handle], [], [], 0)[0]
    os.close(handle)
    assert own.process_id is None


def test_it_is_known_to_whoever_is_told_to_end_while_it_is_begun(
    own: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that is busy enough it has its lock file before whoever began it has its number."""
    own.stop()
    begun: list[int] = []

    class ToldAtOnce(subprocess.Popen[bytes]):
        def __init__(self, *of: Any, **more: Any) -> None:
            super().__init__(*of, **more)
            begun.append(os.pidfd_open(self.pid))
            os.kill(os.getpid(), signal.SIGTERM)

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        with monkeypatch.context() as at_the_start:
            at_the_start.setattr(subprocess, "Popen", ToldAtOnce)
            with pytest.raises(SystemExit):
                own.start()
    finally:
        signal.signal(signal.SIGTERM, before)
    (handle,) = begun
    assert select.select([handle], [], [], 0)[0]
    os.close(handle)
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
