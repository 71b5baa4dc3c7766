"""Acts stand in a chain, are written by every hand in the same way, and nothing is changed by hand without one."""

from __future__ import annotations

import asyncio

import msgspec
import psycopg
import pytest

from pos_app.store import acts
from pos_app.store.acts import Act, Line
from pos_app.store.database import DOOR, PAGE, RECEIVE, Database, Pool
from tests.support.store import add_shop, rows


def _lines(database: Database) -> tuple[list[Line], tuple[int, bytes]]:
    lines = [acts.line_of(row) for row in rows(database, f"SELECT {acts.COLUMNS} FROM act ORDER BY number")]
    number, mac = rows(database, "SELECT number, mac FROM act_head")[0]
    return lines, (number, bytes(mac))


def _write(database: Database, role: str, act: Act) -> int:
    with database.connect_now(role) as connection, connection.transaction():
        connection.execute("SELECT set_config('pos.shops', '1', true)")
        return acts.write_now(connection, act)


def test_acts_of_every_hand_stand_in_one_chain(database: Database, shop: int) -> None:
    written = [
        _write(
            database,
            role,
            Act(kind="shop_made", shop=shop, who=role, subject="<b>Käse & \u202e", reason="why"),
        )
        for role in (DOOR, RECEIVE, PAGE)
    ]
    assert written == [1, 2, 3]
    lines, head = _lines(database)
    assert acts.broken_at(lines, head) is None
    assert [line.act.who for line in lines] == [DOOR, RECEIVE, PAGE]


def test_two_at_once_stand_one_behind_the_other(database: Database, shop: int) -> None:
    async def one(pool: Pool, number: int) -> int:
        async with pool.for_shops([shop]) as connection:
            return await acts.write(connection, Act(kind="code_made", shop=shop, account=number))

    async def many() -> list[int]:
        pool = Pool(database, PAGE, 4)
        try:
            return await asyncio.gather(*(one(pool, number) for number in range(12)))
        finally:
            await pool.close()

    assert sorted(asyncio.run(many())) == [*range(1, 13)]
    assert acts.broken_at(*_lines(database)) is None


@pytest.mark.parametrize("field", ["shop", "account", "who", "kind", "subject", "reason"])
def test_a_changed_line_is_found(database: Database, shop: int, field: str) -> None:
    for number in range(3):
        _write(database, DOOR, Act(kind="code_made", shop=shop, subject=str(number)))
    lines, head = _lines(database)
    was = getattr(lines[1].act, field)
    other = msgspec.structs.replace(lines[1].act, **{field: was + 1 if isinstance(was, int) else f"{was}x"})
    lines[1] = msgspec.structs.replace(lines[1], act=other)
    assert acts.broken_at(lines, head) == 2


def test_a_line_that_was_taken_out_is_found(database: Database, shop: int) -> None:
    for _ in range(3):
        _write(database, DOOR, Act(kind="code_made", shop=shop))
    lines, head = _lines(database)
    assert acts.broken_at(lines[:1] + lines[2:], head) == 2
    assert acts.broken_at(lines[:2], head) == 3
    assert acts.broken_at([], head) == 1


@pytest.mark.parametrize("change", ["UPDATE act SET who = 'x'", "DELETE FROM act"])
def test_nobody_changes_a_line(database: Database, shop: int, change: str) -> None:
    _write(database, DOOR, Act(kind="code_made", shop=shop))
    for role in (DOOR, RECEIVE, PAGE):
        with database.connect_now(role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(change)
    with pytest.raises(psycopg.errors.RaiseException, match="is never changed"):
        rows(database, change)


def test_nothing_is_changed_by_hand_without_an_act(database: Database, shop: int) -> None:
    """The database itself refuses it (M13): a code, a right, a password, a refusal."""
    rows(database, "INSERT INTO account (name, shown) VALUES ('nimali', 'Nimali')")
    rows(database, "INSERT INTO reader VALUES (1, %s, 'owner')", shop)
    for role, change in (
        (PAGE, "INSERT INTO join_code VALUES ('x', 1, now(), NULL)"),
        (PAGE, "UPDATE reader SET role = 'reader'"),
        (DOOR, "UPDATE account SET password = 'x'"),
        (DOOR, "INSERT INTO account_link VALUES ('x', 1, now())"),
    ):
        with database.connect_now(role) as connection, connection.transaction():
            connection.execute("SELECT set_config('pos.shops', '1', true)")
            with (
                pytest.raises(psycopg.errors.RaiseException, match="without an act"),
                connection.transaction(),
            ):
                connection.execute(change)
            acts.write_now(connection, Act(kind="code_made", shop=shop))
            assert connection.execute(change).rowcount == 1


UNTOLD = {
    ("act", "INSERT"): "the line itself",
    ("act_head", "UPDATE"): "the chain's end",
    (
        "account",
        "UPDATE",
    ): "when somebody was seen last; what else an account holds needs an act, by its columns",
    ("account_link", "UPDATE"): "a link is used once: what it gives has its own act",
    ("account_link", "DELETE"): "as above, or its time is over",
    ("incident", "INSERT"): "what is noticed, not what somebody changes",
    ("login_try", "INSERT"): "a wrong password is nobody's change",
    ("login_try", "UPDATE"): "as above",
    ("login_try", "DELETE"): "as above",
    ("page_session", "INSERT"): "who is in, not who changed something",
    ("page_session", "UPDATE"): "as above",
    ("page_session", "DELETE"): "as above",
    ("recovery_code", "UPDATE"): "a code is used once: the act is the sign-in's",
}
"""What the page's two roles may write without an act, and why."""


def test_no_table_that_a_page_writes_is_forgotten(database: Database) -> None:
    """M13: each has the trigger for whatever may be done to it, or its reason above; one of tomorrow is asked for."""
    bare = rows(
        database,
        "SELECT c.relname, ways.way FROM pg_class c CROSS JOIN (VALUES ('INSERT', 4), ('DELETE', 8), ('UPDATE', 16)) "
        "AS ways(way, bit) WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND EXISTS ("
        "SELECT FROM unnest(ARRAY['pos_page', 'pos_door']) AS role WHERE CASE ways.way "
        "WHEN 'DELETE' THEN has_table_privilege(role, c.oid, 'DELETE') "
        "ELSE has_any_column_privilege(role, c.oid, ways.way) END) AND NOT EXISTS ("
        "SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgfoid = 'needs_an_act'::regproc "
        "AND t.tgenabled = 'O' AND t.tgtype & ways.bit > 0 AND (ways.way <> 'UPDATE' OR t.tgattr::text = '')) "
        "ORDER BY 1, 2",
    )
    assert {*bare} == {*UNTOLD}
    free = rows(
        database,
        "SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_attribute a "
        "WHERE a.attrelid = 'account'::regclass AND a.attnum > 0 "
        "AND has_column_privilege('pos_door', a.attrelid, a.attnum, 'UPDATE') "
        "AND NOT a.attnum = ANY (SELECT unnest(t.tgattr::int2[]) FROM pg_trigger t "
        "WHERE t.tgrelid = a.attrelid AND t.tgname = 'account_needs_an_act')",
    )
    assert free == [(["account", "made", "seen", "totp_step"],)]


def test_an_act_of_another_shop_is_neither_seen_nor_written(database: Database, shop: int) -> None:
    other = add_shop(database, "Another")
    _write(database, DOOR, Act(kind="code_made", shop=other))
    with database.connect_now(PAGE) as connection, connection.transaction():
        connection.execute("SELECT set_config('pos.shops', %s, true)", (str(shop),))
        assert connection.execute("SELECT count(*) FROM act").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
            acts.write_now(connection, Act(kind="code_made", shop=other))
