"""Clock, time zone and locale of the environment: they change what is read aloud, never what is ordered or meant.

Threat 33: two records that differ by their hour alone must not be taken for one another.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.till import Running, Till, till_of
from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.skipif(os.name != "posix", reason="TZ as POSIX knows it")

FAR = ("LINE-14", "XXX12", "Asia/Colombo", "UTC")
STRANGE = ("", ":/etc/passwd", "../../../etc/shadow", "A" * 5_000, "ZZZ-99:99:99", "\u0661", "UTC\n")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sandbox, Path]]:
    folder = tmp_path_factory.mktemp("config")
    with Sandbox(config_dir=folder, switches={"approve_to_paid_s": 0}) as sandbox:
        yield sandbox, folder


@pytest.fixture
def sandbox(served: tuple[Sandbox, Path]) -> Sandbox:
    served[0].reset()
    return served[0]


@pytest.fixture
def counter(served: tuple[Sandbox, Path], tmp_path: Path) -> Till:
    folder = served[1]
    return till_of(folder / "config.toml", folder / "secrets.toml", tmp_path / "data")


def in_zone(counter: Till, zone: str) -> Till:
    """The same counter with another time zone, and with a clock that a library would have preloaded."""
    return Till(counter.common, {"TZ": zone, "FAKETIME": "@2001-01-01 00:00:00"})


def start(counter: Till, zone: str) -> Running:
    """One sale of the same amount, by a process of its own, in this time zone."""
    return in_zone(counter, zone).start("pay", "--amount", "12.50", "--qr", "--another-customer")


def pay(counter: Till, sandbox: Sandbox, zone: str) -> dict[str, Any]:
    paying = start(counter, zone)
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    done = paying.end()
    assert done.last["state"] == "PAID", done
    return done.last


def events(folder: Path) -> list[tuple[int, int, str, str]]:
    """Sequence number, till time (ms), wall clock and subject of each event."""
    (path,) = folder.rglob("journal.sqlite")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as journal:
        return journal.execute("SELECT seq, at, wall, subject FROM event ORDER BY seq").fetchall()


def moment(wall: str) -> datetime:
    told = datetime.fromisoformat(wall)
    assert told.utcoffset() is not None, (
        "a wall time without its offset is two moments in the night of a change"
    )
    return told.astimezone(UTC)


def test_sales_in_any_zone_stay_in_order_and_apart(counter: Till, sandbox: Sandbox, tmp_path: Path) -> None:
    """26 hours to and fro: the order is that of the sequence, till time never goes back, walls name their offset."""
    made = [pay(counter, sandbox, zone) for zone in FAR]
    assert len({each["attempt_id"] for each in made}) == len(FAR)
    assert [each["sale_id"] for each in made] == ["0001", "0002", "0003", "0004"]
    written = events(tmp_path)
    assert [seq for seq, *_ in written] == list(range(1, len(written) + 1))
    ats = [at for _, at, _, _ in written]
    assert ats == sorted(ats)
    walls = [moment(wall) for _, _, wall, _ in written]
    assert all(later - earlier > timedelta(seconds=-1) for earlier, later in pairwise(walls))
    offsets = {datetime.fromisoformat(wall).utcoffset() for _, _, wall, _ in written}
    assert {
        timedelta(hours=14),
        timedelta(hours=-12),
        timedelta(hours=5, minutes=30),
        timedelta(0),
    } <= offsets


def test_an_hour_that_comes_twice_makes_no_two_sales_one(counter: Till, sandbox: Sandbox) -> None:
    """As in the night a clock is set back: a later sale's text is that of an earlier one, its id and payment are not.

    Each zone lies some seconds behind the one before, about as long as a sale takes: the texts meet, or nearly so.
    """
    made = [pay(counter, sandbox, f"AAA0:00:{behind:02}") for behind in (0, 3, 6, 9)]
    assert len({each["attempt_id"] for each in made}) == len(made)
    assert len({each["wallet_transaction_id"] for each in made}) == len(made)
    paid = [each for each in sandbox.transactions() if each["status"] == "Payment Success"]
    assert len(paid) == len(made)


def test_a_restart_in_another_zone_takes_up_what_was_open(counter: Till, sandbox: Sandbox) -> None:
    """It is asked about by its id; that the evening is now the morning before changes nothing of it."""
    paying = start(counter, "LINE-14")
    attempt_id = paying.state("WAITING")["attempt_id"]
    paying.kill()
    sandbox.act(attempt_id, "pay")
    asked = in_zone(counter, "XXX12").run("open", "--resolve", "30")
    assert {each["attempt_id"]: each["state"] for each in asked.objects}[attempt_id] in (
        "PAID",
        "PAID_LATE",
    ), asked


@pytest.mark.parametrize("zone", STRANGE, ids=range(len(STRANGE)))
def test_a_strange_zone_ends_no_start(counter: Till, zone: str) -> None:
    """What the system makes of it is UTC, or some offset; the till says what it is."""
    done = in_zone(counter, zone).run("open")
    assert done.code == 0, done
    assert "Traceback" not in done.err
