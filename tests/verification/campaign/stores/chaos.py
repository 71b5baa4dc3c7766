"""One round: three counters sell while the store's world breaks; then quiet, and everything is counted."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter as Counts
from pathlib import Path
from random import Random

from pos_app.domain.attempt import Environment
from pos_app.domain.membership import StoreState
from pos_app.journal import open_journal
from tests.verification.campaign.stores.counter import Counter
from tests.verification.campaign.stores.store import Store

DISK_FULL = "disk full"
FAULTS = (
    "kill store",
    "kill PostgreSQL",
    "cut",
    "old backup put back",
    "folder put back",
    "folder copied",
    DISK_FULL,
)
QUIET_S = 60.0
FULL_S = 60.0
"""By then a full disk has been noticed by whoever writes to it."""


class Round:
    """Played by its seed; `findings` is what must not be. `faults`: these and no others."""

    def __init__(self, seed: int, store: Store, folder: Path, faults: tuple[str, ...] = ()) -> None:
        self._faults = faults
        self._dice = Random(seed)
        self._seed = seed
        self._store = store
        self._folder = folder
        self.findings: list[str] = []
        self.counts: Counts[str] = Counts()
        self._counters: list[Counter] = []
        self._twins: list[tuple[Counter, Counter]] = []
        self._disturbed: set[int] = set()
        self._nothing = threading.Event()

    def play(self) -> None:
        """From joining to the count."""
        store_id = self._store.rows("SELECT store_id FROM store")[0][0]
        try:
            for place in range(3):
                number = self._seed * 10 + place
                key = Random(f"key {number}").randbytes(32)
                counter = Counter(self._folder / f"c{place}", key, number, self._store.url, self._dice)
                self._counters.append(counter)
                counter.join(self._store.code(), store_id)
                counter.start()
            for fault in self._faults or self._dice.sample(FAULTS, self._dice.choice((2, 2, 3))):
                self._pause()
                if fault == DISK_FULL and self._store.disk is None:
                    self.counts["no disk to fill"] += 1
                    continue
                self._do(fault)
                self.counts[fault] += 1
            self._pause()
            self._settle()
        finally:
            for counter in self._counters:
                counter.stop()
        self._judge()

    def _pause(self) -> None:
        self._nothing.wait(0.2 + 0.8 * self._dice.random())

    def _do(self, fault: str) -> None:
        match fault:
            case "kill store":
                self._store.kill()
                self._pause()
                self._store.start()
            case "kill PostgreSQL":
                self._store.kill_postgresql()
                if self._dice.random() < 0.5:
                    self._store.kill()
                    self._store.start()
            case "cut":
                self._store.cut()
            case "disk full":
                self._fill_the_disk()
            case "old backup put back":
                kept = self._store.folder / "kept"
                self._store.back_up(kept)
                self._pause()
                self._store.put_back(kept)
            case "folder put back":
                counter = self._dice.choice(self._counters)
                kept = self._folder / "kept"
                counter.keep(kept)
                self._pause()
                counter.put_back(kept)
                self._disturbed.add(counter.number)
            case "folder copied":
                counter = self._dice.choice(self._counters[:3])
                twin = counter.copied(self._folder / "twin", counter.number)
                self._counters.append(twin)
                self._twins.append((counter, twin))
                self._disturbed.add(counter.number)
                twin.start()

    def _fill_the_disk(self) -> None:
        """The store says so and acknowledges nothing more; the counters sell on, and then there is room again."""
        disk = self._store.disk
        assert disk is not None
        disk.fill()
        try:
            until = time.monotonic() + FULL_S
            while not (is_refused := self._is_refused()) and time.monotonic() < until:
                self._nothing.wait(0.05)
            if not is_refused:
                self.findings.append(f"round {self._seed}: its disk is full, and every batch is taken")
            status, has_room = self._store.health()
            if status == 200 or has_room:
                self.findings.append(f"round {self._seed}: its disk is full, and /health says {status}")
            heads = [each.place().seq for each in self._counters]
            for each, head in zip(self._counters, heads, strict=True):
                # However busy the machine is: whoever waits for the store waits as long as its disk is full.
                until = time.monotonic() + FULL_S
                while time.monotonic() < until and not each.is_stopped and each.place().seq <= head:
                    self._nothing.wait(0.05)
                if not each.is_stopped and each.place().seq <= head:
                    self._find(each, "it sold nothing while the store's disk was full")
        finally:
            disk.make_room()

    def _is_refused(self) -> bool:
        """Whether a counter is told to come again later, or nothing."""
        return any(each.state is StoreState.LOST for each in self._counters)

    def _settle(self) -> None:
        """Nobody sells; until each has told all, or stands for good."""
        for counter in self._counters:
            counter.stop_selling()
        until = time.monotonic() + QUIET_S
        while time.monotonic() < until:
            if all(
                each.is_stopped or (each.state is StoreState.WELL and self._is_told(each))
                for each in self._counters
            ):
                return
            self._nothing.wait(0.1)
        for each in self._counters:
            if not each.is_stopped and not self._is_told(each):
                self.findings.append(
                    f"round {self._seed}: counter {each.number} never came to rest: {each.state}"
                )

    def _is_told(self, counter: Counter) -> bool:
        place = counter.place()
        head = self._store.rows(
            "SELECT head_seq, head_mac FROM installation WHERE installation = %s", place.installation_id
        )
        return head == [(place.seq, place.mac)]

    def _judge(self) -> None:
        for counter in self._counters:
            self._judge_counter(counter)
        for one, two in self._twins:
            if not (one.convictions or two.convictions):
                self._find(one, "two folders sold, and nobody was convicted")
        finding = [f"round {self._seed}: store check: {each}" for each in self._store.examined()]
        self.findings += [each for each in finding if "fork" not in each and "behind" not in each]

    def _find(self, counter: Counter, what: str) -> None:
        self.findings.append(f"round {self._seed}: counter {counter.number}: {what}")

    def _judge_counter(self, counter: Counter) -> None:
        if counter.convictions and counter.number not in self._disturbed:
            self._find(counter, "convicted, and its folder was never touched")
        if counter.has_fallen_behind and not self.counts["old backup put back"]:
            self._find(counter, "less is held than was acknowledged, and no backup was put back")
        journal = open_journal(counter.folder / "journal.sqlite", counter.key, Environment.SANDBOX)
        try:
            seq, mac = journal.head()
            installation = journal.installation_id
        finally:
            journal.close()
        self.counts["events"] += seq
        held = self._store.rows(
            "SELECT b.first, b.last, b.mac FROM batch b JOIN installation USING (life) "
            "WHERE installation = %s ORDER BY b.first",
            installation,
        )
        self.counts["batches"] += len(held)
        if [first for first, _, _ in held] != [1, *(last + 1 for _, last, _ in held[:-1])][: len(held)]:
            self._find(counter, "a gap or an overlap is held")
        head = self._store.rows(
            "SELECT head_seq, head_mac FROM installation WHERE installation = %s", installation
        )
        if held and head != [held[-1][1:]]:
            self._find(counter, "the head is not the newest batch's end")
        if not counter.convictions and head != [(seq, mac)]:
            self._find(counter, f"its journal ends at {seq}, and {head[0][0]} is held")


def fresh(folder: Path) -> Path:
    """An empty one that whoever the store runs as may enter."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    return folder
