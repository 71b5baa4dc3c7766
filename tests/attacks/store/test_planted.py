"""Wrong stores on a real PostgreSQL, each with its fault planted in what is asked of the database: each is seen."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import msgspec
import psycopg
import pytest

from pos_app.domain.shipping import Answer, Verdict
from pos_app.store import receive
from pos_app.store.database import PAGE, Database
from tests.support.store import PretendCounter, attempt, code_for, rows, serving

Check = Callable[[Database, int], None]
Plant = Callable[[Database, pytest.MonkeyPatch], None]


def what_a_twin_builds_on(database: Database, shop: int) -> None:
    """It says that its events come behind the head, and names another one before them."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    twin = counter.twin()
    counter.pay("K7Q2MX-2-1")
    twin.pay("K7Q2MX-3-1")
    twin.pay("K7Q2MX-4-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)), twin.at(url):
        counter.ship()
        assert twin.ship(7, 9).verdict is Verdict.FORK
    assert rows(database, "SELECT max(last) FROM batch") == [(6,)]


def what_leaves_a_gap(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    counter.pay("K7Q2MX-2-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship(1, 2)
        assert counter.ship(5, 6).verdict is Verdict.GAP
    assert rows(database, "SELECT max(last) FROM batch") == [(2,)]


def what_comes_behind_a_revocation(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship(1, 1)
        rows(database, "UPDATE installation SET state = 'revoked'")
        assert counter.send(counter.batch(2, 3)).status_code == 403
    assert rows(database, "SELECT max(last) FROM batch") == [(1,)]


def what_no_index_takes(database: Database, shop: int) -> None:
    counter = PretendCounter()
    noise = "".join(sha256(bytes((place,))).hexdigest() for place in range(200))
    counter.write("STATUS_ANSWERED", attempt=attempt(noise))
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        said = counter.send(counter.batch(1, 4))
        assert said.status_code == 200
        assert msgspec.json.decode(said.content, type=Answer).verdict is Verdict.TAKEN


def what_a_partition_shows(database: Database, shop: int) -> None:
    del shop
    connection = database.connect_now(PAGE)
    try:
        connection.execute("SELECT * FROM batch_default")
    except psycopg.errors.InsufficientPrivilege:
        return
    finally:
        connection.close()
    raise AssertionError("a partition was read by its own name")


def what_comes_twice(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        assert counter.ship().verdict is Verdict.HAVE
    assert rows(database, "SELECT count(*) FROM batch") == [(1,)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(1,)]


def _without(part: str) -> Plant:
    def plant(_database: Database, patch: pytest.MonkeyPatch) -> None:
        swap: str = vars(receive)["_SWAP"]
        assert part in swap
        patch.setattr(receive, "_SWAP", swap.replace(part, ""))

    return plant


def _drops_its_lane(_database: Database, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(receive, "NO_TABLE_TAKES", (psycopg.DataError, psycopg.IntegrityError))


def _grants_a_partition(database: Database, _patch: pytest.MonkeyPatch) -> None:
    rows(database, "GRANT SELECT ON batch_default TO pos_page")


def _forgets_the_head(database: Database, _patch: pytest.MonkeyPatch) -> None:
    """The batch is written, and the head is moved by nobody."""
    rows(
        database,
        "CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.head_seq := OLD.head_seq; "
        "NEW.head_mac := OLD.head_mac; RETURN NEW; END $$",
    )
    rows(
        database,
        "CREATE TRIGGER stays BEFORE UPDATE ON installation FOR EACH ROW EXECUTE FUNCTION stays()",
    )


PLANTED: dict[str, tuple[Check, Plant]] = {
    "swap_without_before": (
        what_a_twin_builds_on,
        _without("AND (i.head_seq = 0 OR i.head_mac = v.before) "),
    ),
    "gap_accepted": (
        what_leaves_a_gap,
        _without("AND i.head_seq = v.first - 1\nAND (i.head_seq = 0 OR i.head_mac = v.before) "),
    ),
    "token_outlives_revocation": (what_comes_behind_a_revocation, _without("AND i.state = 'joined' ")),
    "one_bad_batch_drops_its_lane": (what_no_index_takes, _drops_its_lane),
    "a_grant_on_a_partition": (what_a_partition_shows, _grants_a_partition),
    "the_head_is_not_moved": (what_comes_twice, _forgets_the_head),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_store_is_seen(
    database: Database, shop: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, plant = PLANTED[name]
    plant(database, monkeypatch)
    with pytest.raises((AssertionError, psycopg.Error)):
        check(database, shop)


@pytest.mark.parametrize("name", PLANTED)
def test_the_right_one_passes(database: Database, shop: int, name: str) -> None:
    """Else the catch would prove nothing."""
    PLANTED[name][0](database, shop)
