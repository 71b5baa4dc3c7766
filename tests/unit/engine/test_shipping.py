"""A counter tells its store: every event once and in order, whatever becomes of replies, stores and folders.

The journal and the signatures are real; the store is one in memory that keeps to the protocol.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, State
from pos_app.domain.installation import SUBJECT as INSTALLATION
from pos_app.domain.installation import TAKEN
from pos_app.domain.membership import JOINED, LEFT, SUBJECT, Conviction, StoreState
from pos_app.domain.people import TERMINAL
from pos_app.domain.shipping import EVENTS_MOST, GATHERED_MS, IDLE_CALL_MS, LONGEST_RETRY_MS, Head, Signed
from pos_app.engine import shipping
from pos_app.engine.connection.calls import (
    StoreConvicted,
    StoreFellBehind,
    StoreNews,
    StoreSaid,
    StoreTold,
)
from pos_app.engine.shipping import Acknowledged, CounterHealth, CounterSide, Shipper, Shipping
from pos_app.journal import Journal, open_journal
from pos_app.journal.outbox import Outbox
from tests.support.builders import KEY, ended, intent
from tests.support.model_store import LATE, LOST, STORE_ID, ModelStore
from tests.unit.engine.rig import Rig


class Counter:
    """A folder with a journal, a till on it, and what tells the store of it."""

    def __init__(self, folder: Path, store: ModelStore) -> None:
        self.folder = folder
        self.store = store
        self.posted: list[StoreNews] = []
        self.open()

    def open(self) -> None:
        """The till starts."""
        self.journal: Journal = open_journal(self.folder / "journal.sqlite", KEY, Environment.SANDBOX)
        self.rig = Rig(self.journal)
        self.shipper = Shipper(
            CounterSide(
                Outbox(self.journal.path, self.journal.receipt_code),
                self.journal.device(),
                Acknowledged(self.folder / "store.acknowledged"),
            ),
            lambda _: self.store.line(),
            CounterHealth("1", lambda: "2026-03-02T10:15:30+05:30"),
            self.posted.append,
        )

    def close(self) -> None:
        """The till ends."""
        self.shipper.close()
        self.shipper.keep()
        self.journal.close()

    def put_back(self, backup: Path) -> None:
        """The folder is again as it was; the till starts on it."""
        self.close()
        shutil.rmtree(self.folder)
        shutil.copytree(backup, self.folder)
        self.open()

    @property
    def installation(self) -> str:
        return self.journal.installation_id

    def join(self) -> None:
        """As the verb does, once the store has said yes."""
        self.store.take_in(self.installation, self.journal.device().public_key)
        about = {
            "address": "https://store.example",
            "store_id": STORE_ID,
            "store_name": "Chain",
            "shop_name": "Galle Road",
            "counter": "1",
            "installation_id": self.installation,
        }
        self.journal.append([self.rig.record(JOINED, SUBJECT, TERMINAL, content=about)])

    def sell(self, *numbers: int) -> None:
        """Payments, two events each."""
        for number in numbers:
            tapped = intent(number)
            assert tapped.attempt is not None
            self.journal.append([tapped, ended(tapped.attempt, State.PAID, number * 1000 + 500)])

    def turns(self, most: int = 60) -> int:
        """Until nothing is left to do but wait; how long that is."""
        for _ in range(most):
            wait = self.shipper.turn()
            if wait >= GATHERED_MS or self.shipper.view.state is not StoreState.WELL:
                return wait
        raise AssertionError("it never comes to rest")

    def holds_all(self) -> bool:
        """Whether the store holds exactly what the journal does."""
        held = self.store.disk.held[self.installation].events
        seq, mac = self.journal.head()
        return [each.seq for each in held] == [*range(1, seq + 1)] and held[-1].mac == mac

    def of(self, kind: type[StoreNews]) -> list[StoreNews]:
        """What was posted of a kind."""
        return [each for each in self.posted if isinstance(each, kind)]

    @property
    def state(self) -> str:
        return self.shipper.view.state.value


@pytest.fixture
def store() -> ModelStore:
    return ModelStore(page=2)


@pytest.fixture
def counter(tmp_path: Path, store: ModelStore) -> Iterator[Counter]:
    """Joined, with three payments."""
    folder = tmp_path / "counter"
    folder.mkdir()
    made = Counter(folder, store)
    made.join()
    made.sell(1, 2, 3)
    yield made
    made.close()


def test_a_counter_that_is_no_stores_calls_nobody(tmp_path: Path, store: ModelStore) -> None:
    alone = Counter(tmp_path, store)
    assert alone.shipper.turn() == IDLE_CALL_MS
    assert store.seen.calls == []
    assert alone.state == StoreState.NONE
    alone.close()


def test_everything_is_told_once_and_in_order(counter: Counter) -> None:
    counter.turns()
    assert counter.holds_all()
    assert counter.state == StoreState.WELL
    counter.sell(4)
    counter.turns()
    assert counter.holds_all()
    assert counter.shipper.waiting == 0


def test_while_all_is_well_the_picture_is_news_once(counter: Counter) -> None:
    """Else each payment would draw the screen anew."""
    counter.turns()
    for number in range(4, 9):
        counter.sell(number)
        counter.turns()
    assert len(counter.of(StoreSaid)) == 1


def test_a_backlog_goes_out_batch_by_batch(counter: Counter) -> None:
    counter.sell(*range(4, EVENTS_MOST))
    counter.turns()
    assert counter.holds_all()
    assert counter.store.seen.calls.count("batch") == 2


def test_a_lost_reply_is_no_event_twice(counter: Counter) -> None:
    counter.turns()
    counter.sell(4)
    counter.store.weather = {LATE}
    counter.turns()
    assert counter.state == StoreState.LOST
    counter.store.weather = set()
    counter.turns()
    assert counter.holds_all()
    assert counter.state == StoreState.WELL
    assert not counter.of(StoreConvicted)


def test_a_store_that_is_gone_for_long_is_asked_ever_less_often(counter: Counter) -> None:
    counter.store.weather = {LOST}
    waits = [counter.shipper.turn() for _ in range(14)]
    assert waits[0] <= 1_000
    assert LONGEST_RETRY_MS // 2 <= waits[-1] <= LONGEST_RETRY_MS
    assert counter.shipper.view.waiting == counter.journal.head()[0]
    counter.store.weather = set()
    counter.turns()
    assert counter.holds_all()


def test_an_idle_counter_calls_each_minute(counter: Counter) -> None:
    counter.turns()
    before = len(counter.store.seen.calls)
    for _ in range(3 * IDLE_CALL_MS // GATHERED_MS):
        counter.shipper.turn()
    assert counter.store.seen.calls[before:] in (["head"] * 2, ["head"] * 3)


def test_a_session_that_is_over_is_opened_anew(counter: Counter) -> None:
    counter.turns()
    counter.store.sessions.clear()
    counter.sell(4)
    counter.turns()
    counter.turns()
    assert counter.holds_all()
    assert all(each.view.state is StoreState.WELL for each in counter.of(StoreSaid))  # type: ignore[attr-defined]


def test_a_key_that_was_taken_back_is_not_tried_again_at_once(counter: Counter) -> None:
    counter.turns()
    counter.store.revoke(counter.installation)
    counter.sell(4)
    assert counter.turns() == LONGEST_RETRY_MS
    assert (counter.state, counter.shipper.view.why) == (StoreState.REFUSED, "revoked")
    assert not counter.of(StoreConvicted)


def test_a_restored_store_is_sent_again_what_it_lost(counter: Counter) -> None:
    counter.turns()
    backup = counter.store.backup()
    counter.sell(4)
    counter.turns()
    counter.store.restore(backup)
    counter.sell(5)
    counter.turns()
    counter.turns()
    assert counter.holds_all()
    (behind,) = counter.of(StoreFellBehind)
    assert behind == StoreFellBehind(held=7, acknowledged=9, epoch=2)
    assert not counter.of(StoreConvicted)


def test_it_is_noticed_across_a_restart_of_the_till(counter: Counter) -> None:
    backup = counter.store.backup()
    counter.turns()
    counter.close()
    counter.store.restore(backup)
    counter.open()
    counter.turns()
    assert counter.holds_all()
    assert counter.of(StoreFellBehind)


def test_a_folder_that_was_put_back_is_noticed_at_the_first_contact(counter: Counter, tmp_path: Path) -> None:
    """And what it has forgotten is handed on, to be asked about."""
    counter.turns()
    counter.close()
    backup = shutil.copytree(counter.folder, tmp_path / "backup")
    counter.open()
    counter.sell(4, 5, 6)
    counter.rig.start()
    forgotten = {counter.rig.pay(), counter.rig.pay()}
    counter.turns()
    held = counter.journal.head()[0]
    counter.put_back(backup)
    counter.sell(4)
    counter.shipper.turn()
    (convicted,) = counter.of(StoreConvicted)
    assert isinstance(convicted, StoreConvicted)
    assert (convicted.why, convicted.last) == (Conviction.OLDER, held)
    assert counter.state == StoreState.STOPPED
    (told,) = counter.of(StoreTold)
    assert isinstance(told, StoreTold)
    assert {each.attempt_id for each in told.told} == forgotten
    sent = counter.store.seen.calls.count("batch")
    counter.turns()
    assert counter.store.seen.calls.count("batch") == sent, "nothing more leaves under this identity"


def test_of_what_was_forgotten_no_more_than_the_newest_is_kept(
    counter: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many a store names, and however long it makes them."""
    counter.turns()
    counter.close()
    backup = shutil.copytree(counter.folder, tmp_path / "backup")
    counter.open()
    counter.rig.start()
    forgotten = [counter.rig.pay(), counter.rig.pay()]
    counter.turns()
    held = counter.journal.head()[0]
    counter.put_back(backup)
    monkeypatch.setattr(shipping, "MOST_HINTS", 1)
    seq = counter.journal.head()[0]
    counter.shipper.turn()
    (told,) = counter.of(StoreTold)
    assert isinstance(told, StoreTold)
    assert [each.attempt_id for each in told.told] == forgotten[-1:]
    assert told.more == 1
    assert told.forgotten == held - seq
    monkeypatch.setattr(shipping, "HINT_MOST", 100)
    counter.close()
    counter.posted.clear()
    counter.open()
    counter.shipper.turn()
    (told,) = counter.of(StoreTold)
    assert isinstance(told, StoreTold)
    assert (told.told, told.more) == ((), 2)


def test_of_twins_the_second_is_convicted_by_the_first_s_signature(counter: Counter, tmp_path: Path) -> None:
    counter.turns()
    counter.close()
    twin = Counter(shutil.copytree(counter.folder, tmp_path / "twin"), counter.store)
    counter.open()
    counter.sell(4, 5)
    twin.sell(6, 7)
    counter.turns()
    twin.turns()
    assert counter.state == StoreState.WELL
    assert not counter.of(StoreConvicted)
    (convicted,) = twin.of(StoreConvicted)
    assert isinstance(convicted, StoreConvicted)
    assert convicted.why is Conviction.FORK
    assert not twin.of(StoreTold), "another's open payments are no business of a copy"
    twin.close()


def test_a_twin_that_meets_the_store_while_it_is_connected_is_convicted_by_the_fork(
    counter: Counter, tmp_path: Path
) -> None:
    counter.turns()
    counter.journal.close()
    twin = Counter(shutil.copytree(counter.folder, tmp_path / "twin"), counter.store)
    twin.turns()
    counter.open()
    counter.sell(4, 5)
    counter.turns()
    twin.sell(6, 7)
    twin.turns()
    assert twin.state == StoreState.STOPPED
    assert counter.store.disk.forks
    twin.close()


def test_no_store_can_convict_a_counter_by_its_own_word(counter: Counter) -> None:
    """Heads and headers that this key never signed stop nobody: nothing more is sent there, and that is all."""
    counter.turns()
    honest = counter.store.head_of(counter.installation)
    for lie in (
        Head(seq=4, mac=b"x" * 32),
        Head(seq=10_000, mac=b"x" * 32),
        Head(seq=honest.seq, mac=b"x" * 32, proof=honest.proof),
        Head(seq=10_000, mac=b"x" * 32, proof=Signed(header=b"{}", signature=b"s" * 64)),
        Head(seq=-1),
        Head(seq=-(10**30), mac=b"x" * 32),
    ):
        counter.store.lies = lambda _, lie=lie: lie  # type: ignore[misc]
        counter.store.sessions.clear()
        counter.sell(20 + len(counter.posted))
        for _ in range(4):
            counter.shipper.turn()
        assert counter.state == StoreState.STRANGE, lie
    assert not counter.of(StoreConvicted)
    counter.store.lies = lambda head: head
    counter.turns()
    assert counter.holds_all()


def test_an_old_header_of_its_own_convicts_nobody(counter: Counter) -> None:
    """What was signed and still stands in the journal is no other history."""
    counter.turns()
    first = counter.store.head_of(counter.installation)
    counter.sell(4)
    counter.turns()
    counter.store.lies = lambda head: replace(head, proof=first.proof)
    counter.store.sessions.clear()
    counter.sell(5)
    counter.turns()
    counter.turns()
    assert counter.state == StoreState.WELL
    assert not counter.of(StoreConvicted)


def test_a_store_that_takes_nothing_is_not_asked_four_times_a_second(counter: Counter) -> None:
    counter.store.lies = lambda head: Head(epoch=head.epoch)
    waits = [counter.shipper.turn() for _ in range(8)]
    assert max(waits) > 1_000


def test_a_till_with_a_new_identity_waits_until_it_has_joined(counter: Counter) -> None:
    """Begun anew: nothing is sent under either id, and joining again sends the journal from its beginning."""
    counter.turns()
    old = counter.installation
    about = {"installation_id": "NEWNEW23", "before": old, "why": "used_twice", "machine": ""}
    counter.journal.append([counter.rig.record(TAKEN, INSTALLATION, TERMINAL, content=about)])
    assert counter.turns() == IDLE_CALL_MS
    assert counter.state == StoreState.REJOIN
    counter.join()
    counter.turns()
    assert counter.installation == "NEWNEW23"
    assert counter.holds_all()
    assert counter.state == StoreState.WELL


def test_a_counter_that_has_left_calls_nobody(counter: Counter) -> None:
    counter.turns()
    counter.journal.append([counter.rig.record(LEFT, SUBJECT, TERMINAL, content={"store_id": STORE_ID})])
    counter.turns()
    before = len(counter.store.seen.calls)
    assert counter.shipper.turn() == IDLE_CALL_MS
    assert counter.state == StoreState.NONE
    assert len(counter.store.seen.calls) == before


def test_a_counter_that_goes_over_to_another_store_tells_it_all_and_finds_nothing_lost(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one store had acknowledged is no promise of another's."""
    counter.turns()
    first = counter.store
    counter.journal.append([counter.rig.record(LEFT, SUBJECT, TERMINAL, content={"store_id": STORE_ID})])
    counter.turns(1)
    monkeypatch.setattr("tests.support.model_store.STORE_ID", "S-2")
    monkeypatch.setattr(f"{__name__}.STORE_ID", "S-2")
    counter.store = ModelStore()
    counter.join()
    counter.sell(8)
    counter.turns()
    assert counter.state == StoreState.WELL
    assert not counter.of(StoreFellBehind)
    assert counter.store.head_of(counter.installation).seq > first.head_of(counter.installation).seq


def test_another_store_at_the_address_gets_nothing(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.model_store.STORE_ID", "S-2")
    counter.turns()
    assert counter.state == StoreState.LOST
    assert "session" not in counter.store.seen.calls


def test_the_thread_ends_with_the_till(counter: Counter) -> None:
    counter.store.weather = {LOST}
    shipping = Shipping(lambda: counter.shipper)
    shipping.start()
    shipping.stop()
    never = Shipping(lambda: counter.shipper)
    never.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_does_not_leave_all_well_on_the_screen(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter.turns()
    counter.sell(4)
    said: list[StoreState] = []
    looked = threading.Event()

    def heard(news: StoreNews) -> None:
        assert isinstance(news, StoreSaid)
        said.append(news.view.state)
        looked.set()

    def broken(*_: object) -> bytes:
        raise TypeError("planted")

    monkeypatch.setattr(counter.shipper, "_post", heard)
    monkeypatch.setattr(shipping, "text_of", broken)
    thread = Shipping(lambda: counter.shipper)
    thread.start()
    assert looked.wait(30)
    thread.stop()
    assert said == [StoreState.LOST]


def test_a_counter_of_no_store_has_no_such_thread_until_it_joins_one(counter: Counter) -> None:
    shipping = Shipping(lambda: counter.shipper, begins=False)
    shipping.start()
    assert "store" not in {each.name for each in threading.enumerate()}
    shipping.wake()
    shipping.wake()
    assert "store" in {each.name for each in threading.enumerate()}
    shipping.stop()
    assert "store" not in {each.name for each in threading.enumerate()}
    shipping.wake()
    assert "store" not in {each.name for each in threading.enumerate()}


@pytest.mark.parametrize("text", [b"", b"{", b'{"seq": "x"}', b"\xff"])
def test_a_spoilt_note_of_what_was_acknowledged_is_none(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "store.acknowledged"
    path.write_bytes(text)
    acknowledged = Acknowledged(path)
    assert acknowledged.of("I") == 0
    acknowledged.note("I", 7)
    acknowledged.keep()
    assert Acknowledged(path).of("I") == 7
    assert Acknowledged(path).of("J") == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_the_place_of_what_was_acknowledged_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "store.acknowledged")
    assert Acknowledged(tmp_path / "store.acknowledged").of("I") == 0
