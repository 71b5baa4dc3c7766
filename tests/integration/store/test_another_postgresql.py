"""A store in a PostgreSQL of somebody else's (--dsn), over the network, with a password, never as its superuser."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.domain.shipping import Verdict
from pos_app.store.database import PAGE, Database
from tests.integration.store.shop import Shop
from tests.support.another_postgresql import PASSWORD, AnotherPostgreSQL, another_postgresql
from tests.support.store import PretendCounter

USER = f"CREATE ROLE pos_app LOGIN PASSWORD '{PASSWORD}'"
GUIDE = Path(__file__).parents[3] / "docs" / "store-service.md"


def made_before() -> list[str]:
    """What docs/store-service.md gives to the administrator of a PostgreSQL whose users make no roles."""
    block = GUIDE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    return [line.partition(";")[0] for line in block.splitlines()]


@pytest.fixture
def foreign() -> Iterator[AnotherPostgreSQL]:
    with another_postgresql() as running:
        yield running


def in_another(foreign: AnotherPostgreSQL, folder: Path) -> Shop:
    """A store whose verbs find the password where libpq looks for it."""
    return Shop(folder, {"PGPASSFILE": str(foreign.password_file)})


def sells(store: Shop) -> None:
    """Served, told, looked over; what is another's is backed up by its own tools."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with store.served() as url:
        with counter.at(url, store.code()):
            assert counter.ship().verdict is Verdict.TAKEN
        assert [each["events"] for each in store.verb("counters").objects] == [3]
        assert store.verb("rebuild").objects == [{"events": 3}]
        deep = store.verb("check", "--deep")
        assert deep.objects == [{"finding": None, "deep": True}], deep.out + deep.err
    saved = store.verb("backup", str(store.folder.parent / "copy.tgz"))
    assert saved.code == 73
    assert "pg_dump" in saved.err


def test_a_user_who_may_make_roles(foreign: AnotherPostgreSQL, folder: Path) -> None:
    foreign.administrator(f"{USER} CREATEROLE", "CREATE DATABASE pos_store OWNER pos_app")
    store = in_another(foreign, folder)
    said = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app"))
    assert said.code == 0, said.err
    sells(store)
    again = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app"))
    assert again.code == 73


def test_roles_that_an_administrator_made_before(foreign: AnotherPostgreSQL, folder: Path) -> None:
    foreign.administrator(USER, "CREATE DATABASE pos_store")
    foreign.administrator(*made_before(), database="pos_store")
    store = in_another(foreign, folder)
    said = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app"))
    assert said.code == 0, said.err
    sells(store)


def test_somebody_who_may_nothing_is_told_what_is_wanting(foreign: AnotherPostgreSQL, folder: Path) -> None:
    foreign.administrator(USER, "CREATE DATABASE pos_store")
    store = in_another(foreign, folder)
    said = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app"))
    assert said.code == 73
    assert "CREATEROLE" in said.err
    assert "docs/store-service.md" in said.err
    foreign.administrator("ALTER ROLE pos_app CREATEROLE", "ALTER DATABASE pos_store OWNER TO pos_app")
    said = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app"))
    assert said.code == 0, said.err


def noticed_after_s(dsn: str) -> tuple[float, float]:
    """A machine that is gone without a word: while nothing is under way to it, and while something is."""
    with (
        Database(dsn).connect_now(PAGE) as connection,
        socket.socket(fileno=os.dup(connection.fileno())) as sock,
    ):
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle, each, count, sent_ms = (
            sock.getsockopt(socket.IPPROTO_TCP, option)
            for option in (
                socket.TCP_KEEPIDLE,
                socket.TCP_KEEPINTVL,
                socket.TCP_KEEPCNT,
                socket.TCP_USER_TIMEOUT,
            )
        )
        return idle + each * count, sent_ms / 1000


def test_one_that_does_not_answer_is_said_within_seconds(
    foreign: AnotherPostgreSQL, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign.administrator(f"{USER} CREATEROLE", "CREATE DATABASE pos_store OWNER pos_app")
    store = in_another(foreign, folder)
    said = store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("nobody"))
    assert said.code == 73
    assert PASSWORD not in said.err
    assert store.verb("init", "--name", "My shop", "--dsn", foreign.dsn("pos_app")).code == 0
    monkeypatch.setenv("PGPASSFILE", str(foreign.password_file))
    assert noticed_after_s(foreign.dsn("pos_app")) == (30, 30)
    assert noticed_after_s(f"{foreign.dsn('pos_app')} keepalives_idle=50") == (70, 30)
    foreign.stop()
    for verb in (("counters",), ("check",), ("run",)):
        said = store.verb(*verb)
        assert (said.code, "does not answer" in said.err) == (69, True), said.err
