"""One till's career beside a printer: both die, again and again; then they are let be, and everything is judged."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from pos_app.bootstrap import shop
from pos_app.domain.attempt import Environment
from pos_app.domain.print_job import JobState
from pos_app.journal import open_journal
from pos_app.journal.queries import Queries
from pos_app.secrets import journal_key
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills import career as kills
from tests.verification.campaign.kills.customers import Customers
from tests.verification.campaign.kills.evidence import Evidence, folder_of
from tests.verification.campaign.kills.orders import Orders
from tests.verification.campaign.kills.points import Death
from tests.verification.campaign.kills.till import options_in
from tests.verification.campaign.printing import points
from tests.verification.campaign.printing.cable import Cable
from tests.verification.campaign.printing.device import AS_NEW, JOB_BYTES, Device, mood
from tests.verification.campaign.printing.paper import Findings, Papers, strips
from tests.verification.campaign.printing.till import MANAGER

VERBS = ("approve", "approve", "pay", "pay", "pay", "reject")
"""Customers who mostly pay, soon: this is about the paper."""

LIVES = (4, 9)
AT_POINT_S = 15.0
"""A sale has to be paid before anything is printed."""

PATIENCE_S = 3.0
"""Between two things that happen to the printer, at the most."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """What a career came to, beside its payments and deaths."""

    strips: int
    whole: int
    copies: int
    zs: int
    printer_kills: int
    cuts: int
    unknown: int
    """Jobs that a person was asked about."""


class Career(kills.Career):
    """`device` is its own while it lasts: as new at its end."""

    module = "tests.verification.campaign.printing.till"
    lives = LIVES
    at_point_s = AT_POINT_S

    def __init__(
        self,
        seed: int,
        sandbox: Sandbox,
        config_dir: Path,
        folder: Path,
        goes_on: Callable[[], bool],
        device: Device,
        wrong: str = "",
        *,
        troubled: bool = True,
    ) -> None:
        super().__init__(seed, sandbox, config_dir, folder, goes_on, wrong, troubled=False)
        self._customers = Customers(sandbox, seed, VERBS, slowest_s=0.6)
        self._device = device
        self._beset = troubled
        self._cable = Cable(device.port)
        self._next = 0.0
        self._is_resting = False
        self.printed: Printed | None = None
        with (config_dir / "config.toml").open("a", encoding="utf-8") as file:
            file.write(
                f'\n[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {self._cable.port}\nwidth = 58\n'
            )

    def run(self, deaths: tuple[Death, ...] = ()) -> kills.Outcome:
        """As it says there; and the cable is pulled in at the end."""
        before = self._device.kills
        try:
            self._device.turn(**AS_NEW)
            outcome = super().run(deaths)
        finally:
            self._cable.close()
        if self.printed is not None:
            self.printed = msgspec.structs.replace(self.printed, printer_kills=self._device.kills - before)
        return outcome

    def _drawn(self, lives: int) -> Iterator[Death]:
        for _ in range(lives):
            yield points.drawn(self._chance)

    def _orders(self, place: int, death: Death) -> Orders:
        return msgspec.structs.replace(super()._orders(place, death), person=MANAGER)

    def _live(self, place: int, person: int, death: Death) -> None:  # noqa: ARG002 - it is always the manager
        super()._live(place, MANAGER, death)

    def _meanwhile(self) -> None:
        """Something happens to the printer or its cable, some times in a life; in the end it is as new."""
        now = time.monotonic()
        if not self._device.is_on:
            self._device.switch_on()
        if not self._beset or now < self._next:
            return
        self._next = now + self._chance.uniform(0.3, PATIENCE_S)
        wish = self._chance.random()
        if wish < 0.1:
            self._device.kill()
        elif wish < 0.25:
            self._cable.cut_after = self._chance.randrange(JOB_BYTES)
        else:
            self._device.turn(**mood(self._chance))

    def _rest(self) -> int:
        self._beset = False
        self._cable.cut_after = None
        if not self._device.is_on:
            self._device.switch_on()
        self._device.turn(**AS_NEW)
        return super()._rest()

    def _open_in(self, journal: Queries) -> list[str]:
        """And whatever waits for the printer, or is in question."""
        jobs = [job for job in journal.open_print_jobs(1_000) if job.state is not JobState.EXPIRED]
        return [*super()._open_in(journal), *(f"job {job.number} is {job.state.value}" for job in jobs)]

    def _judge(self, evidence: Evidence) -> None:
        history = msgspec.structs.replace(evidence.history, printing=True)
        super()._judge(msgspec.structs.replace(evidence, history=history))
        (journal,) = history.journals.values()
        letterhead = shop.letterhead_of(shop.settings_of(options_in(self._orders(0, Death()))))
        folder = folder_of(self._data)
        key = journal_key(folder, Environment.SANDBOX.value, use_keystore=False)
        on_paper = strips(self._cable.sent)
        with closing(open_journal(folder / "journal.sqlite", key, Environment.SANDBOX)) as opened:
            papers = Papers(journal, letterhead, opened.receipt_code)
            self._findings += Findings(journal, on_paper, papers).all(self._starts)
        self._findings += [f"the printer was sent {text}" for text in dict.fromkeys(self._device.unknown)]
        kinds = Counter(each.record.kind for each in journal)
        self.printed = Printed(
            strips=len(on_paper),
            whole=sum(strip.is_cut for strip in on_paper),
            copies=kinds["COPY_ASKED"],
            zs=kinds["Z_CLOSED"],
            printer_kills=0,
            cuts=self._cable.cuts,
            unknown=kinds["PRINT_UNKNOWN"],
        )
