"""A counter: a real journal that sells, and the real loop that tells the store over HTTP. Its pauses are short."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path
from random import Random

import msgspec

from pos_app.domain.attempt import Environment, State
from pos_app.domain.ids import attempt_id, sale_id
from pos_app.domain.membership import JOINED, SUBJECT, StoreState
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.shipping import JoinRequest, code_key, join_proof, read_code
from pos_app.engine.connection.calls import StoreConvicted, StoreFellBehind, StoreNews
from pos_app.engine.shipping import Acknowledged, CounterHealth, CounterSide, Shipper
from pos_app.journal import Journal, open_journal
from pos_app.journal.outbox import Outbox, Place
from pos_app.services.store import StoreClient, StoreRefused
from tests.support.builders import WALL, attempt, record, sale

LONGEST_PAUSE_S = 0.15
TRIES = 10


class Counter:
    """On a thread of its own from `start` to `stop`; its folder may be copied and put back in between."""

    def __init__(self, folder: Path, key: bytes, number: int, url: str, dice: Random) -> None:
        self.folder, self.key, self.number, self.url = folder, key, number, url
        self._dice = dice
        self._stopping = threading.Event()
        self._sells = True
        self._selling = threading.Lock()
        """Held for the length of a sale: `stop_selling` comes between two of them."""
        self.heard: list[StoreNews] = []
        self._thread: threading.Thread | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._open()

    def _open(self) -> None:
        self.journal: Journal = open_journal(self.folder / "journal.sqlite", self.key, Environment.SANDBOX)
        self.shipper = Shipper(
            CounterSide(
                Outbox(self.journal.path, self.journal.receipt_code),
                self.journal.device(),
                Acknowledged(self.folder / "store.acknowledged"),
            ),
            lambda _: StoreClient(self.url),
            CounterHealth("1", lambda: WALL),
            self.heard.append,
        )

    def join(self, code: str, store_id: str) -> None:
        """As the verb does."""
        own = self.journal.installation_id
        request = JoinRequest(
            installation=own,
            public_key=self.journal.device().public_key,
            proof=b"",
            merchant_id="M-0001",
            counter_id=self.number,
            environment="sandbox",
            currency="LKR",
        )
        proof = join_proof(code_key(read_code(code)), request)
        request = msgspec.structs.replace(request, proof=proof)
        client = StoreClient(self.url)
        for tries_left in reversed(range(TRIES)):
            try:
                client.join(request)
                break
            except StoreRefused as refused:
                # What was cut or killed in the round before is noticed by the first who comes.
                if not (tries_left and refused.is_busy):
                    raise
        client.close()
        about = {"address": self.url, "store_id": store_id, "installation_id": own}
        self.journal.append(
            [Record(kind=JOINED, subject=SUBJECT, actor=TERMINAL, at=0, wall=WALL, content=about)]
        )

    def start(self) -> None:
        """Sells and ships."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=f"counter {self.number}")
        self._thread.start()

    def stop(self) -> None:
        """The till is ended."""
        self._stopping.set()
        self.shipper.close()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.shipper.keep()
        self.journal.close()

    def stop_selling(self) -> None:
        """It tells on; a sale under way is finished first, so that its journal grows no more."""
        with self._selling:
            self._sells = False

    def copied(self, to: Path, number: int) -> Counter:
        """A second till on a copy of its folder, as it is now."""
        self.stop()
        shutil.copytree(self.folder, to)
        self._open()
        self.start()
        return Counter(to, self.key, number, self.url, Random(self._dice.random()))

    def keep(self, to: Path) -> None:
        """Somebody copies the folder."""
        self.stop()
        shutil.copytree(self.folder, to)
        self._open()
        self.start()

    def put_back(self, kept: Path) -> None:
        """The copy in place of the folder."""
        self.stop()
        shutil.rmtree(self.folder)
        shutil.copytree(kept, self.folder)
        self._open()
        self.start()

    def _run(self) -> None:
        due = 0.0
        while not self._stopping.wait(0.01 + 0.04 * self._dice.random()):
            with self._selling:
                if self._sells and not self.is_stopped:
                    self.sell()
            if time.monotonic() >= due:
                due = time.monotonic() + min(self.shipper.turn() / 1000, LONGEST_PAUSE_S)

    def sell(self, wall: str = WALL, *, always_paid: bool = False) -> None:
        """A payment, which now and then stays open; on its own thread, or while there is none."""
        number = self.journal.next_sale_number()
        sale_name, drawn = sale_id(number), f"{self._dice.randrange(16**6):06X}".translate(_READABLE)
        own = self.journal.installation_id
        begun = attempt(
            number,
            attempt_id=attempt_id(Environment.SANDBOX, own, sale_name, 1, drawn),
            sale_id=sale_name,
            tapped_wall=wall,
        )
        owed = sale(number, sale_id=sale_name)
        first = record(begun, "INTENT", path=(State.INTENT,), sale=owed)
        self.journal.append([msgspec.structs.replace(first, wall=wall)])
        if always_paid or self._dice.random() < 0.9:
            state = State.PAID if always_paid or self._dice.random() < 0.8 else State.FAILED
            end = msgspec.structs.replace(begun, state=state, ended_at=number * 1000 + 900)
            last = record(end, "STATUS_ANSWERED", path=(State.INTENT, state))
            self.journal.append([msgspec.structs.replace(last, wall=wall)])

    def place(self) -> Place:
        """Where its journal is, over a connection of its own: the journal itself is its thread's alone."""
        return Outbox(self.journal.path, self.journal.receipt_code).place()

    @property
    def state(self) -> StoreState:
        """How it stands with the store."""
        return self.shipper.view.state

    @property
    def is_stopped(self) -> bool:
        """Convicted: it sells nothing more under this identity."""
        return self.state is StoreState.STOPPED

    @property
    def convictions(self) -> list[StoreConvicted]:
        """By its own signature."""
        return [each for each in self.heard if isinstance(each, StoreConvicted)]

    @property
    def has_fallen_behind(self) -> bool:
        """It told of a store that held less than it had acknowledged."""
        return any(isinstance(each, StoreFellBehind) for each in self.heard)


_READABLE = str.maketrans("01", "XY")
