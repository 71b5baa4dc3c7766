"""What is kept of tries to sign in: what was looked at, and no longer than it counts."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from pos_app.domain.secret import Secret
from pos_app.store.accounts.accounts import Accounts, Sealer
from pos_app.store.accounts.passwords import WAITING_MOST, Busy, Passwords
from pos_app.store.database import DOOR, Database, Pool
from tests.support.owners import LOW_COST, owner, page_of
from tests.support.store import rows


async def _signs_in_behind_a_crowd(database: Database) -> None:
    pool, passwords = Pool(database, DOOR, 1), Passwords(LOW_COST)
    accounts = Accounts(pool, passwords, Sealer(b"k" * 32), needs_app=False, store_name="Test store")
    try:
        with ExitStack() as crowd:
            for _ in range(WAITING_MOST):
                crowd.enter_context(passwords.turn())
            with pytest.raises(Busy):
                await accounts.sign_in("nimali", Secret("three green cups"))
        assert await accounts.sign_in("nobody", Secret("three green cups")) is None
    finally:
        passwords.close()
        await pool.close()


def test_what_nobody_looked_at_is_no_try(database: Database) -> None:
    """Whoever comes while a crowd does waits no longer for it; and a crowd of names fills no table."""
    asyncio.run(_signs_in_behind_a_crowd(database))
    assert rows(database, "SELECT wrong FROM login_try") == [(1,)]


def test_tries_that_count_no_more_are_taken_away(database: Database, shop: int) -> None:
    tried = "INSERT INTO login_try (name, wrong, last) VALUES (%s, 9, now() - %s::interval)"
    for name, ago in ((b"forgotten", "25 hours"), (b"counts", "23 hours")):
        rows(database, tried, name, ago)
    with page_of(database) as url, owner(database, url, shop):
        pass
    assert rows(database, "SELECT name FROM login_try") == [(b"counts",)]


async def _tries_while_its_row_goes(database: Database) -> None:
    pool, passwords = Pool(database, DOOR, 1), Passwords(LOW_COST)
    accounts = Accounts(pool, passwords, Sealer(b"k" * 32), needs_app=False, store_name="Test store")
    try:
        assert await accounts.sign_in("nobody", Secret("three green cups")) is None
        with database.connect_now(DOOR) as other:
            with other.transaction():
                other.execute("SELECT 1 FROM login_try FOR UPDATE")
                trying = asyncio.create_task(accounts.sign_in("nobody", Secret("three green cups")))
                while not trying.done() and not rows(database, "SELECT 1 FROM pg_locks WHERE NOT granted"):
                    await asyncio.sleep(0)
                other.execute("DELETE FROM login_try")
            assert await trying is None
    finally:
        passwords.close()
        await pool.close()


def test_a_try_whose_row_is_just_taken_away_is_counted_anew(database: Database) -> None:
    """It ended in a fault: the row that it waited for was gone."""
    asyncio.run(_tries_while_its_row_goes(database))
    assert rows(database, "SELECT wrong FROM login_try") == [(1,)]
