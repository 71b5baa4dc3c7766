"""A counter whose files are taken away in every combination, started on what is left, sold on and judged."""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pos_app.app import demo_people
from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import open_journal_of
from pos_app.bootstrap.shop import open_shop
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.headless_till import Run
from pos_app.domain.attempt import MONEY, Attempt, Environment, Kind, State
from pos_app.domain.commands import Charge
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import AttemptChanged, ChargeOpened, Published, Terminal
from pos_app.engine.core.mailbox import Message
from tests.integration.cli.till import till_of
from tests.support.command_line import arguments
from tests.support.sandbox import Sandbox

FILES = ("journal", "wal", "shm", "anchor", "key", "lock", "log", "settings", "secrets")
AT_ONCE = {"approve_to_paid_s": 0}
PUSHED = "+94771234567"
PAID_AMOUNT, PUSH_AMOUNT, NEW_AMOUNT = Decimal("5.00"), Decimal("12.50"), Decimal("3.00")


class Outcome(StrEnum):
    """What a start on what is left comes to: one for each combination (docs/journal-files.md)."""

    NOT_SET_UP = "not set up"
    NO_SECRETS = "no secrets"
    KEY_GONE = "the key is gone"
    GOES_ON = "goes on"
    PROVEN = "begun anew, this till's by proof"
    UNPROVEN = "begun anew, nothing proven"
    FIRST_START = "first start"


def outcome_of(missing: frozenset[str]) -> Outcome:
    """The table of docs/journal-files.md. The till was killed: what it wrote last stands in SQLite's log alone."""
    left = frozenset(FILES) - missing
    if "settings" in missing:
        return Outcome.NOT_SET_UP
    if "secrets" in missing:
        return Outcome.NO_SECRETS
    if "journal" in left:
        if "key" in missing:
            return Outcome.KEY_GONE
        return Outcome.GOES_ON if {"wal", "anchor"} <= left else Outcome.PROVEN
    if "key" in left:
        # SQLite's log of a killed till holds its last events, and each that follows another proves whose they are.
        return Outcome.PROVEN if left & {"anchor", "wal"} else Outcome.UNPROVEN
    return Outcome.UNPROVEN if left & {"wal", "shm", "anchor", "lock", "log"} else Outcome.FIRST_START


def combinations() -> Iterator[frozenset[str]]:
    """All of them, from none missing to all."""
    for many in range(len(FILES) + 1):
        yield from map(frozenset, itertools.combinations(FILES, many))


class Past(NamedTuple):
    """A counter's folder as a power cut left it, the service's own data then, and the two payments in both."""

    folder: Path
    service: Path
    port: int
    paid: str
    pushed: str

    @contextmanager
    def come_again(self, to: Path, missing: frozenset[str]) -> Iterator[tuple[Path, Sandbox]]:
        """The same counter without these files, and the same service, which knows nothing of other tries."""
        shutil.copytree(self.service, to / "service")
        # The address is part of what a payment was opened with.
        with Sandbox(
            data_dir=to / "service", config_dir=to / "config", port=self.port, switches=AT_ONCE
        ) as sandbox:
            yield self.copy(to, missing), sandbox

    def copy(self, to: Path, missing: frozenset[str]) -> Path:
        """The counter's folder, without these files."""
        folder = to / "counter"
        shutil.copytree(self.folder, folder)
        for name in ("config.toml", "secrets.toml"):
            if (to / "config" / name).exists():
                shutil.copy(to / "config" / name, folder / name)
        data = folder / "data" / "sandbox"
        places = {
            "journal": data / "journal.sqlite",
            "wal": data / "journal.sqlite-wal",
            "shm": data / "journal.sqlite-shm",
            "anchor": data / "journal.sqlite.anchor",
            "key": data / "journal.key",
            "lock": data / "journal.sqlite.lock",
            "log": data / "log",
            "settings": folder / "config.toml",
            "secrets": folder / "secrets.toml",
        }
        assert all(place.exists() for place in places.values()), places
        for name in missing:
            place = places[name]
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        return folder


def past(folder: Path) -> Past:
    """One sale paid, people enrolled, then a push that is paid while the till is dead."""
    counter, service = folder / "counter", folder / "service"
    counter.mkdir(parents=True)
    with Sandbox(data_dir=service, config_dir=counter, switches=AT_ONCE) as sandbox:
        till = till_of(counter / "config.toml", counter / "secrets.toml", counter / "data")
        paying = till.start("pay", "--amount", str(PAID_AMOUNT), "--qr")
        paid = str(paying.state("WAITING")["attempt_id"])
        sandbox.act(paid, "pay")
        assert paying.end().code == 0
        with closing(open_journal_of(counter / "data" / "sandbox", Environment.SANDBOX)) as journal:
            demo_people.enrol(journal)
        pushing = till.start("pay", "--amount", str(PUSH_AMOUNT), "--push", PUSHED)
        pushed = str(pushing.state("WAITING")["attempt_id"])
        pushing.kill()
        sandbox.act(pushed, "pay")
        port = urlsplit(sandbox.base_url).port
    assert port is not None
    return Past(counter, service, port, paid, pushed)


class Seller:
    """Waits until the till sells and has asked about everything from before, then sells by QR and has it paid."""

    def __init__(self, pay: Callable[[str], object]) -> None:
        self._pay = pay
        self._paying = False
        self.new = ""
        self.told = Terminal()

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        self._post, self._end = post, end

    def ready(self) -> None:
        self._post(
            Charge(request_id="new", kind=Kind.QR, amount=NEW_AMOUNT, who=TERMINAL, another_customer=True)
        )

    def take(self, published: Published) -> None:
        match published:
            case Terminal():
                self.told = published
            case ChargeOpened(attempt_id=attempt_id):
                self.new = attempt_id
            case AttemptChanged(attempt=attempt) if attempt.attempt_id == self.new:
                self._look(attempt)

    def _look(self, attempt: Attempt) -> None:
        if attempt.state is State.WAITING and attempt.qr_showable and not self._paying:
            self._paying = True
            self._pay(attempt.attempt_id)
        elif attempt.is_final:
            self._end(Exit.OK if attempt.state is State.PAID else Exit.NOT_PAID)

    def interrupted(self) -> None:
        self._end(Exit.NOT_PAID)


class Ran(NamedTuple):
    """What came of a start: an exit code for one that did not sell, and what the journal holds then."""

    code: int
    attempts: dict[str, Attempt]
    new: str
    people: tuple[str, ...]
    told: Terminal
    rebuilt: bool


def run(folder: Path, sandbox: Sandbox) -> Ran:
    """Starts a till without a window, as a verb of the command line does, and sells on."""
    asked = arguments(folder, folder / "data")
    seller = Seller(lambda attempt_id: sandbox.act(attempt_id, "pay"))
    try:
        with shop_at_work(asked) as shop:
            code = Run(shop, seller).run()
    except CommandError as refused:
        return Ran(refused.exit_code, {}, "", (), Terminal(), False)
    with closing(open_shop(asked)) as shop:
        assert shop.journal is not None
        attempts = {each.attempt_id: each for each in shop.journal.recent(1_000)}
        people = tuple(each.name for each in shop.journal.people())
        return Ran(int(code), attempts, seller.new, people, seller.told, shop.journal.was_rebuilt)


def judge(ran: Ran, before: Past, outcome: Outcome, sandbox: Sandbox) -> None:
    """Nothing was sent again, nobody's money is shown as another's, and nothing that was paid is out of sight."""
    sent = [str(call["body"]) for call in sandbox.calls("initiate_push")]
    assert not sent, "a push was sent by itself"
    held: dict[str, Any] = {each["externalMerchantTransactionId"]: each for each in sandbox.transactions()}
    for key, attempt in ran.attempts.items():
        if attempt.state in MONEY:
            assert held[key]["status"] == "Payment Success", key
            assert Decimal(str(held[key]["transactionAmount"])) == attempt.amount, key
    states = {
        key: ran.attempts[key].state if key in ran.attempts else None for key in (before.paid, before.pushed)
    }
    match outcome:
        case Outcome.NOT_SET_UP | Outcome.NO_SECRETS:
            assert ran.code == Exit.CONFIGURATION
            return
        case Outcome.KEY_GONE:
            assert ran.code == Exit.CANNOT_CREATE
            return
        case Outcome.FIRST_START:
            assert not ran.rebuilt
            assert states == {before.paid: None, before.pushed: None}
            assert ran.attempts[ran.new].sale_id == "0001"
        case Outcome.GOES_ON:
            assert not ran.rebuilt
            assert states == {before.paid: State.PAID, before.pushed: State.PAID}
        case Outcome.PROVEN:
            assert ran.rebuilt
            assert set(states.values()) <= MONEY, states
        case Outcome.UNPROVEN:
            assert ran.rebuilt
            assert None not in states.values(), states
            assert State.PAID not in states.values(), states
    assert ran.code == Exit.OK
    assert ran.attempts[ran.new].state is State.PAID
    if outcome is not Outcome.FIRST_START:
        assert ran.attempts[ran.new].sale_id not in ("0001", "0002")


def main() -> int:
    """Every combination that starts, sold on and judged; how many were not as they are listed."""
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        before = past(Path(made, "past"))
        for place, missing in enumerate(combinations()):
            if missing & {"settings", "secrets"}:
                continue
            outcome, said = outcome_of(missing), "as listed"
            with before.come_again(Path(made, str(place)), missing) as (folder, sandbox):
                try:
                    judge(run(folder, sandbox), before, outcome, sandbox)
                except AssertionError as error:
                    wrong, said = wrong + 1, f"WRONG: {error}"
            sys.stdout.write(f"{'+'.join(sorted(missing)) or 'none'}: {outcome.value}: {said}\n")
    sys.stdout.write(f"{wrong} are not as they are listed\n")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
