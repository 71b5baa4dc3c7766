"""One round of a real store's bad day, and the judge on trial: what is wrong in the store's tables is found."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.support.ports import free_port
from tests.verification.campaign.stores.chaos import DISK_FULL, FAULTS, Round, fresh
from tests.verification.campaign.stores.counter import Counter
from tests.verification.campaign.stores.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    """Not below the tests' own folders: where root runs them the store is another user, who may not go there."""
    with tempfile.TemporaryDirectory(prefix="pos-store-") as folder:
        Path(folder).chmod(0o755)
        made = Store(fresh(Path(folder, "stores")) / "store")
        made.init()
        made.start()
        try:
            yield made
        finally:
            made.end()


def test_a_round_ends_with_everything_where_it_belongs(store: Store, tmp_path: Path) -> None:
    played = Round(1, store, tmp_path)
    played.play()
    assert played.findings == []
    assert sum(played.counts[fault] for fault in FAULTS) >= 2
    assert played.counts["events"] > 50


def test_a_full_disk_is_told_and_costs_nothing(store: Store, tmp_path: Path) -> None:
    """The store refuses and says so, the counters sell on, and once there is room everything is there."""
    if store.disk is None:
        pytest.skip(store.no_disk)
    played = Round(3, store, tmp_path, (DISK_FULL, "kill PostgreSQL", DISK_FULL))
    played.play()
    assert played.findings == []
    assert played.counts[DISK_FULL] == 2


class Deaf(Store):
    """It says that all is well."""

    def health(self) -> tuple[int, bool]:
        return 200, True


def test_a_store_that_does_not_say_that_its_disk_is_full_is_found(tmp_path: Path) -> None:
    """Planted."""
    with tempfile.TemporaryDirectory(prefix="pos-store-") as folder:
        Path(folder).chmod(0o755)
        made = Deaf(fresh(Path(folder, "stores")) / "store")
        if made.disk is None:
            pytest.skip(made.no_disk)
        try:
            made.init()
            made.start()
            played = Round(4, made, tmp_path, (DISK_FULL,))
            played.play()
        finally:
            made.end()
    assert ["/health says 200" in finding for finding in played.findings] == [True]


def test_a_head_that_was_moved_by_hand_is_found(store: Store, tmp_path: Path) -> None:
    """Planted where no program would do it."""

    class Moved(Round):
        def _judge(self) -> None:
            self._store.rows("UPDATE installation SET head_seq = head_seq - 1 RETURNING life")
            super()._judge()

    played = Moved(2, store, tmp_path)
    played.play()
    assert any("head" in finding for finding in played.findings), played.findings


def test_a_counter_that_sells_no_more_has_finished_its_sale(tmp_path: Path) -> None:
    """A round counts what is held once nobody sells: a sale that ended behind the count was found as one untold."""
    under_way, may_end = threading.Event(), threading.Event()

    class Slow(Counter):
        def sell(self, *_: object, **__: object) -> None:
            under_way.set()
            may_end.wait()
            super().sell()

    counter = Slow(tmp_path, Random("key").randbytes(32), 1, f"http://127.0.0.1:{free_port()}", Random(1))
    counter.start()
    under_way.wait()
    threading.Timer(0.2, may_end.set).start()
    counter.stop_selling()
    at_rest = counter.place()
    may_end.set()
    counter.stop()
    assert counter.place() == at_rest
