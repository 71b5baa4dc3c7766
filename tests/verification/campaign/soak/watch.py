"""Watches one till sell: takes samples of it and of the sandbox, plays the customers, and compares at the end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from pos_app.journal import read_only
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills import judging
from tests.verification.campaign.kills.career import prepared
from tests.verification.campaign.kills.customers import Customers
from tests.verification.campaign.kills.evidence import Evidence, folder_of, gather
from tests.verification.campaign.kills.life import Life, complaints, until
from tests.verification.campaign.kills.orders import Orders, staff
from tests.verification.campaign.soak.sizes import SAMPLE_S, Bound, drift, grows, sample

GIVE_UP_S = 30
LAST_S = 60.0
"""After the last sale everything must be final by then."""

VERBS = ("pay",) * 9 + ("approve",) * 7 + ("reject", "reject", "fail", "")
SLOWEST_S = 0.1
LOOK_S = 0.05
FEWEST = 8
"""Samples a line is drawn through."""

LATENESS_S = 600.0

BOUNDS = {
    "till": (
        Bound("the till's memory", "MiB", 6.0, 0.03),
        Bound("the till's descriptors", "", 3.0),
        Bound("the till's threads", "", 2.0),
    ),
    "sandbox": (
        Bound("the sandbox's memory", "MiB", 6.0, 0.01),
        Bound("the sandbox's descriptors", "", 4.0),
        Bound("the sandbox's threads", "", 2.0),
    ),
    "inside": (
        Bound("the till's blocks", "", 10_000.0, 80.0),
        Bound("the till's widgets", "", 8.0),
    ),
}

_ENDS = {
    "Payment Success": ("PAID", "PAID_LATE"),
    "Payment Fail": ("FAILED",),
    "Customer Reject": ("FAILED",),
    "Merchant Cancel": ("CANCELLED",),
}


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What a soak came to."""

    payments: int
    paid: int
    samples: int
    worst: dict[str, float]
    findings: tuple[str, ...]
    lines: tuple[str, ...]


class Watch:
    """Owns the till's life; `stop` ends it, however the soak went."""

    def __init__(self, sandbox: Sandbox, folder: Path, payments: int, seconds: float) -> None:
        self._sandbox = sandbox
        self._data = folder / "data"
        self._sent_log = folder / "sent.log"
        self._people = staff(3)
        self._payments = payments
        self._seconds = seconds
        self._customers = Customers(sandbox, 1, VERBS, SLOWEST_S, LOOK_S)
        self._samples: dict[str, list[tuple[float, ...]]] = {"till": [], "sandbox": [], "inside": []}
        self._heard = 0
        self._next = 0.0
        orders = Orders(
            config_dir=str(prepared(folder / "config", folder / "own", GIVE_UP_S)),
            data_dir=str(self._data),
            control_url=sandbox.control_url,
            control_token=sandbox.control_token,
            sent_log=str(self._sent_log),
            seed=1,
            people=self._people,
            payments=payments,
            pace_s=seconds / payments,
        )
        self._life = Life(orders, "tests.verification.campaign.soak.till")
        self._selling = False
        self._sold = False

    def sell(self) -> None:
        """Until all are sold."""
        until(lambda: self._sold, self._life, self._seconds + LATENESS_S, self._step, pause_s=LOOK_S)

    def end(self) -> Ended:
        """Waits until all is final, closes the till and compares."""
        findings = (
            [] if not self._selling else ["not everything was sold in time, or the till was broken off"]
        )
        self._selling = False
        if not until(self._is_final, self._life, LAST_S, self._step):
            findings.append(f"not final within {LAST_S:.0f} s of the last sale")
        closing_at = int(time.time() * 1000)
        self._life.ask_to_end()
        if (code := self._life.end()) != 0:
            findings.append(f"the till ended with {code}")
        starts = (self._life.began_wall_ms,)
        evidence = gather(
            self._data,
            self._sandbox,
            self._people,
            self._life.heard,
            starts,
            closing_at,
            self._sent_log,
        )
        findings += judging.violations(evidence)
        findings += judging.accidents(self._data, complaints(self._sent_log))
        findings += unequal(evidence)
        attempts = evidence.history.closed[0].attempts
        findings += self._growth(len(attempts))
        return Ended(
            payments=len(attempts),
            paid=sum(attempt.state.value in _ENDS["Payment Success"] for attempt in attempts),
            samples=len(self._samples["till"]),
            worst=dict(self._worst()),
            findings=tuple(findings),
            lines=tuple(self._lines()),
        )

    def stop(self) -> None:
        """Ends the till."""
        self._life.ask_to_end()
        self._life.end()

    def _step(self) -> None:
        for said in self._life.heard[self._heard :]:
            self._heard += 1
            if said.what == "qr":
                self._customers.see(said.text)
            elif said.what in ("open", "sold"):
                self._selling = said.what == "open"
                self._sold = not self._selling
            elif said.what == "size" and self._selling:
                self._samples["inside"].append(tuple(float(each) for each in said.text.split()))
        self._customers.look()
        now = time.monotonic()
        if now >= self._next and self._selling:
            self._next = now + SAMPLE_S
            with contextlib.suppress(OSError):
                self._samples["till"].append(sample(self._life.pid))
                self._samples["sandbox"].append(sample(self._sandbox.pid))

    def _is_final(self) -> bool:
        journal = read_only(folder_of(self._data) / "journal.sqlite")
        try:
            return not journal.open_attempts() and self._customers.all_decided()
        finally:
            journal.close()

    def _measures(self) -> Iterator[tuple[Bound, list[float]]]:
        for owner, bounds in BOUNDS.items():
            for place, bound in enumerate(bounds):
                values = [each[place] for each in self._samples[owner]]
                if len(values) >= FEWEST:
                    yield bound, values

    def _growth(self, payments: int) -> Iterator[str]:
        found = [grows(values, bound, payments) for bound, values in self._measures()]
        if not found:
            yield f"too few samples to see growth: {len(self._samples['till'])}"
        yield from filter(None, found)

    def _worst(self) -> Iterator[tuple[str, float]]:
        for bound, values in self._measures():
            yield f"gain of {bound.name.removeprefix('the ')}_{bound.unit or 'n'}", drift(values).gain

    def _lines(self) -> Iterator[str]:
        for bound, values in self._measures():
            found = drift(values)
            yield (
                f"{bound.name}: {found.start:.1f} {bound.unit} after the warm-up, {found.gain:+.1f} to the end; "
                f"{min(values):.1f} to {max(values):.1f} in all"
            )


def unequal(evidence: Evidence) -> Iterator[str]:
    """Every payment ended at the till as it ended at the service."""
    held = {each.external_id: each.status for each in evidence.history.held}
    for attempt in evidence.history.closed[0].attempts:
        status = held.pop(attempt.attempt_id, "")
        if attempt.state.value not in _ENDS.get(status, ()):
            yield f"{attempt.attempt_id}: {status or 'unknown'} at the service, {attempt.state} in the journal"
    for external_id, status in held.items():
        yield f"{external_id}: {status} at the service, nothing in the journal"
