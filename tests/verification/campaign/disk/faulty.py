"""One till of its own on a disk that fails at its n-th write or sync, and what the service's ledger says of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec

from pos_app.bootstrap.errors import CommandError
from pos_app.domain.attempt import MONEY, Environment, State
from pos_app.journal import Journal, JournalError, open_journal
from pos_app.secrets import journal_key
from pos_app.system.paths import data_dir
from tests.integration.cli.till import Till, till_of
from tests.support.sandbox import Sandbox
from tests.unit.journal.dump import tables
from tests.verification.campaign.disk import layer
from tests.verification.campaign.disk.deeds import DEEDS, Deed
from tests.verification.campaign.disk.recording import ON_THE_LAYER, as_the_till

KINDS = {
    "full for good": "write 28 {} 0",
    "full once": "write 28 {} 1",
    "write error once": "write 5 {} 1",
    "write error for good": "write 5 {} 0",
    "short write": "write -1 {} 1",
    "read-only for good": "write 30 {} 0",
    "sync error once": "sync 5 {} 1",
    "sync error for good": "sync 5 {} 0",
}
NOTHING_SENT = "nothing was sent"
CODES = frozenset((0, 1, 4, 5, 69, 73))
SETTLED = {"Payment Success": MONEY, "Merchant Cancel": {State.CANCELLED}}


class Point(msgspec.Struct, frozen=True):
    """A deed whose n-th write (or sync) fails in some way."""

    deed: str
    kind: str
    n: int

    def __str__(self) -> str:
        return f"{self.deed}, {self.kind}, n={self.n}"


class Tried(msgspec.Struct, frozen=True):
    """What came of a point. `hit`: the fault was met at all."""

    hit: bool
    sent: int
    findings: tuple[str, ...]


def attempt_at(point: Point, folder: Path, sandbox: Sandbox, config: Path, number: str) -> Tried:
    """The deed on the failing disk, then the till again on a good one; everything is gone afterwards."""
    data, record = folder / "data", folder / "record"
    folder.mkdir()
    try:
        if point.deed != "start":
            _counter(data)
        till = till_of(config / "config.toml", config / "secrets.toml", data)
        environment = layer.beneath(folder, record, KINDS[point.kind].format(point.n))
        deed = DEEDS[point.deed](Till(till.common, environment, ON_THE_LAYER), sandbox, number)
        hit = any(entry.failed or entry.what == "X" for entry in layer.entries(record))
        found, sent = _after(deed, till, data, config, sandbox, number)
        return Tried(hit, sent, tuple(f"{point}: {text}" for text in found))
    except AssertionError as error:
        return Tried(True, 0, (f"{point}: {error}",))
    finally:
        shutil.rmtree(folder)


def _counter(data: Path) -> None:
    """A counter that has been started before, with an installation of its own."""
    place = data_dir(data, Environment.SANDBOX.value)
    key = journal_key(place, Environment.SANDBOX.value, use_keystore=False)
    open_journal(place / "journal.sqlite", key, Environment.SANDBOX).close()


def _after(
    deed: Deed, till: Till, data: Path, config: Path, sandbox: Sandbox, number: str
) -> tuple[list[str], int]:
    found = _told(deed)
    try:
        journal = as_the_till(data, config)
        unsettled = [each for each in journal.open_attempts() if not each.is_final]
        journal.close()
        if unsettled or deed.done.out == "":
            again = till.run("open", "--resolve", "20")
            if again.code not in (0, 4) or again.err:
                found.append(f"the next start: {again.code} {again.err.strip()[-200:]}")
        journal = as_the_till(data, config)
    except (CommandError, JournalError) as error:
        return [*found, f"does not open: {error}"], 0
    try:
        ours = [
            each
            for each in sandbox.transactions()
            if f"-T{journal.installation_id}-" in each["externalMerchantTransactionId"]
        ]
        found += [*_kept(journal), *_agree(deed, journal, ours)]
        found += _counted(journal, len(sandbox.sms(number.removeprefix("+"))))
    finally:
        journal.close()
    return found, len(ours)


def _told(deed: Deed) -> list[str]:
    """A verb ends with a code of its own and in words, whatever the disk does."""
    found = []
    if "Traceback" in deed.done.err:
        found.append(f"a traceback: {deed.done.err.strip()[-300:]}")
    if deed.left_alone and deed.done.code not in CODES:
        found.append(f"ended with {deed.done.code}: {deed.done.err.strip()[-200:]}")
    return found


def _kept(journal: Journal) -> list[str]:
    found = [f"moved aside: {path.name}" for path in journal.path.parent.glob("*-damaged-*.sqlite")]
    broken = journal.verify().broken_at
    if broken:
        found.append(f"the chain breaks at event {broken}")
    before = tables(journal.path)
    journal.rebuild_projections()
    if tables(journal.path) != before:
        found.append("the tables are not what the events say")
    return found


def _agree(deed: Deed, journal: Journal, held: list[dict[str, Any]]) -> list[str]:
    """I2, I3, I4 for one counter; what was said on the screen is true."""
    found = []
    if NOTHING_SENT in deed.done.err and held:
        found.append(f"said that nothing was sent, but {held[0]['externalMerchantTransactionId']} was")
    statuses = {each["externalMerchantTransactionId"]: each["status"] for each in held}
    for attempt_id, status in statuses.items():
        attempt = journal.attempt(attempt_id)
        if attempt is None:
            found.append(f"{attempt_id} ({status}) had left, and is not in the journal")
        elif attempt.state not in SETTLED.get(status, set(State)):
            found.append(f"{attempt_id} is {status}, in the journal {attempt.state}")
    for said in deed.said:
        status = statuses.get(said["attempt_id"], "")
        if (said["state"] in MONEY) != (status == "Payment Success") and said is deed.said[-1]:
            found.append(f"the screen ended with {said['state']}, the service with {status or 'nothing'}")
    if sum(status == "Payment Success" for status in statuses.values()) > 1:
        found.append("paid twice")
    return found


def _counted(journal: Journal, messages: int) -> list[str]:
    counted = len(tables(journal.path)["otp_send"])
    return [f"{messages} codes came, {counted} were counted"] if messages > counted else []


__all__ = ["KINDS", "Point", "Tried", "attempt_at"]
