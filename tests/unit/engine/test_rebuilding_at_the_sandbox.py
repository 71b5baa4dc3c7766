"""The journal lost, the real sandbox on a socket that cuts its lists: the till finds every payment of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pos_app.domain import list_reader
from pos_app.domain.attempt import State
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.views import Published, Terminal
from pos_app.engine import headless
from pos_app.engine.connection.worker_pool import ServiceRoute
from pos_app.engine.till import Till
from pos_app.journal import Journal
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient
from tests.unit.engine.damage import Opens, begun_anew
from tests.unit.engine.rig import SITE
from tests.unit.services.live import opened

pytestmark = pytest.mark.slow

SOLD_FROM = datetime(2023, 11, 2, 8, 0, 0)
"""Within the month before the damaged journal was found (damage.py)."""

ENOUGH_S = 90


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    """One for all."""
    with Sandbox(switches={"approve_to_paid_s": 0}) as running:
        yield running


@pytest.fixture
def sandbox(running: Sandbox) -> Sandbox:
    """Empty."""
    running.reset()
    return running


@pytest.fixture
def lost(path: Path, opens: Opens) -> str:
    """The installation whose journal is garbage now; its anchor is left."""
    journal = opens()
    journal.close()
    path.write_bytes(b"no database" * 500)
    return journal.installation_id


def _sold(sandbox: Sandbox, installation: str, count: int) -> list[str]:
    """Paid ones, under two counter ids, some in the same second, and others' between them."""
    client = ServiceClient(sandbox)
    ours = [f"SBX-T{installation}-{number:04d}-1" for number in range(1, count + 1)]
    for number, attempt_id in enumerate(ours):
        at = SOLD_FROM + timedelta(hours=number // 3)
        for each in (attempt_id, f"SBX-TAAAAAAAA-{number + 1:04d}-1"):
            client.initiate_qr(each, transactionDateTime=f"{at:%Y-%m-%d %H:%M:%S}", counterId=1 + number % 2)
        sandbox.act(attempt_id, "pay")
    client.close()
    return ours


def _rebuilt(sandbox: Sandbox, journal: Journal) -> Rebuilt:
    """What the till says when it has read the list twice."""
    ended = threading.Event()
    told: list[Rebuilt] = []

    def heard(published: Published) -> None:
        if isinstance(published, Terminal) and published.rebuilt is not None and published.rebuilt.ended:
            told.append(published.rebuilt)
            ended.set()

    config = msgspec.structs.replace(SITE, merchant_id=sandbox.merchant_pg_identifier, calls_apart_ms=0)
    till = Till(config, journal, ServiceRoute(lambda: opened(sandbox), "chargeTotal"), heard)
    thread = threading.Thread(target=headless.run, args=(till,), name="till")
    thread.start()
    try:
        assert ended.wait(ENOUGH_S), "the rebuild does not end"
    finally:
        till.stop()
        thread.join()
    return told[0]


@pytest.mark.parametrize(
    ("cap", "order", "dates"),
    [(20, "shuffled", "inclusive"), (20, "newest-first", "exclusive"), (100, "oldest-first", "inclusive")],
)
def test_every_payment_of_ours_is_found(
    sandbox: Sandbox, opens: Opens, lost: str, cap: int, order: str, dates: str
) -> None:
    """Issue 10, 1.4. A cap of 100 is reached too: others' payments stand between."""
    ours = _sold(sandbox, lost, 75)
    for switch, value in (("list_cap", cap), ("list_order", order), ("list_dates", dates)):
        sandbox.switch(switch, value)
    journal = begun_anew(opens)
    told = _rebuilt(sandbox, journal)
    assert (told.found, told.incomplete) == (75, ())
    found = {each.attempt_id: each.state for each in journal.recent(1_000)}
    assert set(found) == set(ours)
    assert set(found.values()) <= {State.PAID_LATE, State.WAITING}


def test_a_till_that_takes_the_first_page_for_the_list_is_caught(
    sandbox: Sandbox, opens: Opens, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the bug that was there. It says it is done, and has lost most of them."""

    def believes(_: list_reader.Reading, answer: Any) -> bool:
        return isinstance(answer, tuple)

    monkeypatch.setattr(list_reader.Reading, "_is_whole", believes)
    _sold(sandbox, lost, 40)
    sandbox.switch("list_cap", 20)
    told = _rebuilt(sandbox, begun_anew(opens))
    assert told.found < 40


def test_a_list_that_gives_no_more_whatever_is_asked_is_named(
    sandbox: Sandbox, opens: Opens, lost: str
) -> None:
    """Dates and pages without effect: what it shows is taken up, and nobody is told that this is all."""
    _sold(sandbox, lost, 40)
    for switch, value in (("list_cap", 20), ("list_dates", "ignored"), ("page_meaning", "ignored")):
        sandbox.switch(switch, value)
    told = _rebuilt(sandbox, begun_anew(opens))
    assert told.found == 10
    assert told.incomplete == ("2023-10-14 00:00:00 – 2023-11-15 23:59:59",)
