"""Plays cases of the least exercised cells, several tills at once, and adds up what they came to."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from tests.support.figures import Figures
from tests.verification.campaign.proxy import matrix
from tests.verification.campaign.proxy.case import Case, case_of
from tests.verification.campaign.proxy.faults import Fault, catalogue
from tests.verification.campaign.proxy.footprint import Footprint
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.story import Outcome, play

TILLS = 10
"""At work at once, in one process; most of a case is waiting."""

PIECE = 20
MOST_FINDINGS = 200
"""A run that finds more is no measurement; it ends."""


class Campaign:
    """Owns the shop while it runs; `stop` from any thread ends it after the cases under way."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self._stopping = threading.Event()
        self._played = 0
        self.footprint = Footprint()

    def stop(self) -> None:
        """No further case."""
        self._stopping.set()

    def run(self, rounds: int, until: float) -> None:
        """Every cell `rounds` times more, or until a time (monotonic seconds)."""
        with Shop() as shop, ThreadPoolExecutor(TILLS, thread_name_prefix="case") as pool:
            faults = catalogue(shop.evil.address)
            try:
                for _ in range(rounds):
                    self._play(shop, pool, self._round(faults), until)
                    self._audit(shop)
                    if self._over(until):
                        return
            finally:
                self.stop()
                self.figures.add({}, {}, self.footprint.findings())

    def _over(self, until: float) -> bool:
        hopeless = len(self.figures.findings) >= MOST_FINDINGS
        return hopeless or self._stopping.is_set() or time.monotonic() >= until

    def _round(self, faults: Sequence[Fault]) -> list[Case]:
        """One case for each cell, the least exercised cells first."""
        counts = self.figures.counts
        cells = sorted(matrix.cells(), key=lambda cell: counts.get(matrix.name(*cell), 0))
        return [case_of(faults, counts.get(matrix.name(*cell), 0), cell) for cell in cells]

    def _play(self, shop: Shop, pool: ThreadPoolExecutor, cases: Sequence[Case], until: float) -> None:
        waiting: dict[Future[tuple[Case, Outcome, float]], Case] = {}
        for case in cases:
            waiting[pool.submit(self._one, shop, case, until)] = case
        done: list[Future[tuple[Case, Outcome, float]]] = []
        began = time.monotonic()
        for future in as_completed(waiting):
            done.append(future)
            if len(done) == PIECE:
                began = self._add(shop, done, waiting, began)
        self._add(shop, done, waiting, began)

    def _one(self, shop: Shop, case: Case, until: float) -> tuple[Case, Outcome, float]:
        if self._over(until):
            return case, Outcome((), "not played"), 0.0
        began = time.monotonic()
        folder = shop.folder / case.cell.replace("/", "-")
        try:
            return case, play(shop, folder, case), time.monotonic() - began
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _add(
        self,
        shop: Shop,
        done: list[Future[tuple[Case, Outcome, float]]],
        waiting: dict[Future[tuple[Case, Outcome, float]], Case],
        began: float,
    ) -> float:
        counts: dict[str, int] = {}
        findings: list[str] = []
        worst = self._size()
        for future in done:
            error = future.exception()
            if error is not None:
                findings.append(f"{waiting[future]}: broke off: {error!r}")
                continue
            case, outcome, seconds = future.result()
            if outcome.ended == "not played":
                continue
            counts[case.cell] = counts.get(case.cell, 0) + 1
            worst["case_s"] = max(worst.get("case_s", 0.0), seconds)
            findings += outcome.findings
        done.clear()
        findings += [f"I12 {told}" for told in shop.accidents.take()]
        self._played += sum(counts.values())
        now = time.monotonic()
        self.figures.add(counts, worst, findings, now - began)
        return now

    def _size(self) -> dict[str, float]:
        """How far the process has grown since its first cases, and its open descriptors."""
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.footprint.note(self._played, pages * os.sysconf("SC_PAGESIZE") / (1 << 20))
        descriptors = float(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
        return {"growth_mib": self.footprint.growth_mib, "descriptors": descriptors}

    def _audit(self, shop: Shop) -> None:
        """After a round: nobody went to the evil host. The ledger begins anew, so that it stays small."""
        findings = (
            [f"T9 {shop.evil.visits} connections to the host of a redirect"] if shop.evil.visits else []
        )
        shop.evil.visits = 0
        self.figures.add({}, {}, findings)
        shop.fresh_ledger()


def table(figures: Figures) -> Iterator[str]:
    """The matrix with the cases played in each cell; "." where the fault cannot be."""
    columns = [(step, kind) for step in ("S", "T", "C") for kind in ("push", "qr")]
    columns += [(step, "") for step in ("G", "O1", "O2")]
    live = set(matrix.cells())
    yield f"{'row':<40}" + "".join(f"{f'{step} {kind}'.strip():>8}" for step, kind in columns)
    for row, (name, _) in matrix.ROWS.items():
        told = [
            str(figures.counts.get(matrix.name(row, *column), 0)) if (row, *column) in live else "."
            for column in columns
        ]
        yield f"{f'{row} {name}':<40}" + "".join(f"{each:>8}" for each in told)


def summary(figures: Figures) -> Figures:
    """The same in few words."""
    played = [figures.counts.get(matrix.name(*cell), 0) for cell in matrix.cells()]
    counts = {
        "cases": sum(played),
        "of 206 cells".replace("206", str(len(played))): sum(1 for count in played if count),
        "in the least": min(played),
    }
    return Figures(figures.name, counts, figures.worst, figures.findings, figures.seconds)
