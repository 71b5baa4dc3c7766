"""One till's career: life after life on one data folder until it is to rest; then everything is judged."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec

from pos_app.domain.attempt import State
from pos_app.journal import JournalError, JournalTrouble, read_only
from pos_app.journal.queries import Queries
from pos_app.secrets import SecretsError
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills import judging, points, trouble
from tests.verification.campaign.kills.cashier import WALLETS
from tests.verification.campaign.kills.customers import Customers
from tests.verification.campaign.kills.evidence import Evidence, folder_of, gather
from tests.verification.campaign.kills.life import Life, complaints, until
from tests.verification.campaign.kills.orders import Orders, Said, staff
from tests.verification.campaign.kills.points import Death
from tests.verification.campaign.standstill import Standstill

AT_POINT_S = 7.0
"""A life that has not come to the point of its death by then is killed where it is."""

LAST_S = 90.0
"""Without faults everything must be final by then."""

CLOSE_S = 5.0
LIVES = (8, 20)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a career came to."""

    deaths: Counter[str]
    back: tuple[float, ...]
    payments: int
    paid: int
    findings: tuple[str, ...]


class Career:
    """Works in a folder of its own on a sandbox of its own; when it no longer `goes_on` it is judged early."""

    module = "tests.verification.campaign.kills.till"
    lives = LIVES
    at_point_s = AT_POINT_S

    def __init__(
        self,
        seed: int,
        sandbox: Sandbox,
        config_dir: Path,
        folder: Path,
        goes_on: Callable[[], bool],
        wrong: str = "",
        *,
        troubled: bool = True,
    ) -> None:
        self._wrong = wrong
        self._troubled = troubled
        self._goes_on = goes_on
        self._seed = seed
        self._sandbox = sandbox
        self._chance = Random(seed)
        self._customers = Customers(sandbox, seed)
        self._config_dir = config_dir
        self._data = folder / "data"
        self._sent_log = folder / "sent.log"
        self._people = staff(LIVES[1] + 4)
        self._deaths: Counter[str] = Counter()
        self._back: list[float] = []
        self._starts: list[int] = []
        self._said: list[Said] = []
        self._findings: list[str] = []

    def run(self, deaths: tuple[Death, ...] = ()) -> Outcome:
        """These deaths, or some that are drawn; then the last, quiet life."""
        with Standstill() as self._still:
            return self._run(deaths)

    def _run(self, deaths: tuple[Death, ...]) -> Outcome:
        person, before = 0, ""
        for place, death in enumerate(deaths or self._drawn(self._chance.randint(*self.lives)), 1):
            if not self._goes_on():
                break
            if self._troubled:
                trouble.add(self._sandbox, self._chance)
            person = person if before in points.CODES else place
            before = death.point
            self._live(place, person, death)
        closing_at = self._rest()
        try:
            evidence = gather(
                self._data,
                self._sandbox,
                self._people,
                self._said,
                self._starts,
                closing_at,
                self._sent_log,
            )
        except (JournalError, SecretsError) as error:
            self._findings.append(f"I6 the journal cannot be opened: {error}")
            return self._outcome(None)
        self._judge(evidence)
        return self._outcome(evidence)

    def _drawn(self, lives: int) -> Iterator[Death]:
        before: str | None = None
        for _ in range(lives):
            death = points.drawn(self._chance, before)
            before = death.point
            yield death

    def _outcome(self, evidence: Evidence | None) -> Outcome:
        attempts = evidence.history.closed[0].attempts if evidence else ()
        return Outcome(
            deaths=self._deaths,
            back=tuple(self._back),
            payments=len(attempts),
            paid=sum(attempt.state.value in ("PAID", "PAID_LATE") for attempt in attempts),
            findings=tuple(f"career {self._seed}: {each}" for each in dict.fromkeys(self._findings)),
        )

    def _orders(self, place: int, death: Death) -> Orders:
        return Orders(
            config_dir=str(self._config_dir),
            data_dir=str(self._data),
            control_url=self._sandbox.control_url,
            control_token=self._sandbox.control_token,
            sent_log=str(self._sent_log),
            seed=self._seed * 1000 + place,
            people=self._people,
            person=place,
            die_at=death.point,
            die_on=death.on,
            closes_after_s=death.closes_after_s,
            wrong=self._wrong,
        )

    def _live(self, place: int, person: int, death: Death) -> None:
        life = Life(msgspec.structs.replace(self._orders(place, death), person=person), self.module)
        self._starts.append(life.began_wall_ms)
        by_us = False
        limit_s = self.at_point_s if death.point else death.after_s
        try:
            while life.code is None and life.age_s < limit_s:
                self._hear(life.listen(min(0.1, limit_s - life.age_s)))
                self._customers.look()
                self._meanwhile()
            by_us = life.code is None
            life.kill()
        finally:
            code = life.end()
        if code == -9:
            self._deaths["at random times" if by_us else death.point] += 1
        elif code != 0 or not death.closes_after_s:
            self._findings.append(f"life {place} ended by itself with {code}")
        self._note(life)

    def _meanwhile(self) -> None:
        """Whatever else happens while it lives, some times a second."""

    def _hear(self, said: list[Said]) -> None:
        for each in said:
            if each.what == "qr":
                self._customers.see(each.text)

    def _note(self, life: Life) -> None:
        self._said += life.heard
        opened = next((each for each in life.heard if each.what == "open"), None)
        if opened is not None:
            back_s = opened.at - life.began
            self._back.append(back_s)
            waited_s = float(opened.text) + self._still.since(life.began)
            self._findings += judging.slow(back_s, waited_s, judging.slowness())

    def _rest(self) -> int:
        """No more faults; the customers decide; one more life ends what is open. When its asking began (ms)."""
        self._sandbox.clear_faults()
        by = time.monotonic() + (trouble.LATEST_S if self._troubled else 0.0)
        life = Life(msgspec.structs.replace(self._orders(0, Death()), tidy=True), self.module)
        closing_at = 0

        def serve() -> None:
            nonlocal closing_at
            self._meanwhile()
            if not closing_at and time.monotonic() >= by:
                self._customers.decide_all()
                closing_at = int(time.time() * 1000)

        self._starts.append(life.began_wall_ms)
        try:
            over = until(
                lambda: bool(closing_at and life.after_s("open")) and self.is_quiet(), life, LAST_S, serve
            )
            asked_at = time.monotonic()
            life.ask_to_end()
        finally:
            code = life.end(PATIENCE_S)
        took_s = time.monotonic() - asked_at
        self._note(life)
        if not over:
            seen = [each.text for each in life.heard if each.what == "sees"][-1:]
            self._findings.append(
                f"not final within {LAST_S:.0f} s without faults (exit {code}): {self._what_is_open()}; "
                f"on the screen: {seen}"
            )
        elif code != 0 or took_s - self._still.since(asked_at) > CLOSE_S:
            self._findings.append(f"the last life closed after {took_s:.1f} s, not {CLOSE_S:.0f} ({code})")
        return closing_at

    def is_quiet(self) -> bool:
        """Whether nothing is under way any more, at the till or with its customers, so that it can be judged."""
        try:
            journal = read_only(folder_of(self._data) / "journal.sqlite")
        except JournalTrouble:
            return False
        try:
            return (
                not self._open_in(journal)
                and self._customers.all_decided()
                and not self._is_paid_behind_an_answer(journal)
            )
        finally:
            journal.close()

    def _is_paid_behind_an_answer(self, journal: Queries) -> bool:
        """A customer paid while a manager signed off that they had not: the till asks again, as a closing would."""
        paid = self._sandbox.control("GET", "/transactions?status=Payment%20Success")
        found = (journal.attempt(each["externalMerchantTransactionId"]) for each in paid)
        return any(
            each is not None
            and each.state is State.SIGNED_OFF
            and each.resolution is not None
            and each.resolution.action == "not_paid"
            for each in found
        )

    def _open_in(self, journal: Queries) -> list[str]:
        """What has not come to its end, in words."""
        still = (*journal.open_attempts(), *journal.needs_answer())
        return [f"{each.attempt_id} is {each.state.value}" for each in still]

    def _what_is_open(self) -> str:
        try:
            journal = read_only(folder_of(self._data) / "journal.sqlite")
        except JournalTrouble as trouble:
            return str(trouble)
        try:
            return ", ".join(self._open_in(journal)) or "customers"
        finally:
            journal.close()

    def _judge(self, evidence: Evidence) -> None:
        self._findings += judging.violations(evidence)
        self._findings += judging.unwitnessed(evidence, self._sandbox, self._sent_log)
        secrets = (
            self._sandbox.access_token,
            self._sandbox.merchant_secret_code,
            self._sandbox.merchant_password,
            *(number.removeprefix("+94").removeprefix("0") for number in WALLETS),
            *(one.msisdn for one in self._people),
        )
        self._findings += judging.leaks(self._data, secrets)
        self._findings += judging.accidents(self._data, complaints(self._sent_log))


def prepared(config_dir: Path, folder: Path, give_up_s: int) -> Path:
    """A copy of the sandbox's settings for this career, with its own patience."""
    own = folder / "config"
    shutil.copytree(config_dir, own)
    file = own / "config.toml"
    more = f"\n[payment]\ngive_up_s = {give_up_s}\nextension_s = 0\n"
    file.write_text(file.read_text("utf-8") + more, "utf-8")
    return own
