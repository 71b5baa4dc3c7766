"""An update under Wine over a till with a customer before it: refused, nothing touched; once they have paid, done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.sandbox import Sandbox
from tests.verification.proof.windows.wine import (
    LATER,
    Ended,
    Started,
    Wine,
    built,
    missing,
    setup,
    take_away,
    version,
)

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
OPEN = 3
NOBODY, BUSY = 69, 75
PROGRAM = "C:\\Program Files\\pos-app\\pos-app.com"
WINDOW = "C:\\Program Files\\pos-app\\pos-app.exe"
TRIAL = ("pay", "--sandbox", "--data-dir", "C:\\trial", "--amount", "7", "--qr", "--customer", "approve")
PAY = (PROGRAM, "pay", "--json", "--amount", "12.50", "--qr")
SOON_S = 5
ENDS_IN_S = 120.0


class Counter:
    """A counter of that machine with the till on it, at a service that this test plays."""

    def __init__(self, machine: Wine, sandbox: Sandbox) -> None:
        self._machine, self._sandbox = machine, sandbox
        self._paid: set[str] = set()
        self._there = machine.c / "Program Files" / "pos-app"

    def now(self) -> tuple[str, int]:
        """The version that Windows has listed, and which folder of that name lies there: an update brings another."""
        key = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\pos-app"
        asked = self._machine.run("reg", "query", key, "/v", "DisplayVersion", "/reg:64")
        assert asked.code == 0, asked.said
        return asked.said.split()[-1], self._there.stat().st_ino

    def is_whole(self) -> bool:
        """As it was packed, and nothing of an update left beside it."""
        files = (path for path in built().rglob("*") if path.is_file())
        whole = all(
            (self._there / path.relative_to(built())).read_bytes() == path.read_bytes() for path in files
        )
        left = [self._there.with_name(f"pos-app.{each}").exists() for each in ("new", "old")]
        return whole and not any(left) and not self.flag.exists()

    @property
    def flag(self) -> Path:
        """Which keeps tills from starting while the installer that it names is at work."""
        return self._machine.c / "ProgramData" / "pos-app" / "pos-app.updating"

    def begins_to_update(self, installer: str) -> Started:
        """An installer that has begun to wait for the till."""
        started = self._machine.start(installer, "/S")
        while not (self.flag.exists() and self.flag.read_bytes().strip().isdigit()):
            assert started.is_on(), started.said
        return started

    def tries_out(self) -> Ended:
        """Another till on that machine, with a folder and a service of its own."""
        return self._machine.run(PROGRAM, *TRIAL)

    def update(self, installer: str, *words: str, drain_s: int | None = None) -> int:
        """What the installer ends with."""
        return self._machine.run(installer, "/S", *words, drain_s=drain_s).code

    def sells(self) -> Started:
        """A payment at the command line whose customer has the code before them."""
        till = self._machine.start(*PAY)
        assert till.says("WAITING"), till.said
        return till

    def opens(self) -> Started:
        """The till's window. It has taken up the payment that waits when it says so itself, to who asks it to close."""
        till = self._machine.start(WINDOW)
        while not self.waits():
            assert till.is_on(), till.said
        return till

    def waits(self) -> bool:
        """Whether the till, asked to close and let go on at once, names a payment that is under way."""
        return any(each["open"] == 1 for each in self._objects("drain", "--wait", "1"))

    def _objects(self, *words: str) -> list[dict[str, Any]]:
        done = self._machine.run(PROGRAM, words[0], "--json", *words[1:])
        assert done.code in (0, NOBODY, BUSY), done.said
        return [json.loads(line) for line in done.said.splitlines() if line.startswith("{")]

    def pays(self) -> None:
        """The customer who waits."""
        all_ids = {str(each["externalMerchantTransactionId"]) for each in self._sandbox.transactions()}
        (waiting,) = all_ids - self._paid
        self._sandbox.act(waiting, "pay")
        self._paid.add(waiting)

    def states(self) -> list[str]:
        """Of every payment in the journal, by the till that is installed."""
        return [str(each["state"]) for each in self._objects("transactions", "--local")]


@pytest.fixture(scope="module")
def counter(machine: Wine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counter]:
    """With settings where the till looks for them by itself."""
    shop = tmp_path_factory.mktemp("shop")
    with Sandbox(config_dir=shop) as sandbox:
        (account,) = (path for path in (machine.c / "users").iterdir() if path.name != "Public")
        settings = account / "AppData" / "Local" / "pos-app"
        settings.mkdir(parents=True, exist_ok=True)
        for name in ("config.toml", "secrets.toml"):
            (settings / name).write_bytes((shop / name).read_bytes())
            (settings / name).chmod(0o600)
        yield Counter(machine, sandbox)
    machine.stop()
    take_away(machine)


def test_a_payment_of_a_script_is_waited_for(counter: Counter, tmp_path: Path) -> None:
    """It answers nobody, and holds the journal: until it has ended, 3."""
    assert counter.update(setup(tmp_path, version()), "/OLDER") == 0
    before, later = counter.now(), setup(tmp_path, LATER)
    till = counter.sells()
    assert counter.update(later, drain_s=SOON_S) == OPEN
    assert (counter.now(), counter.is_whole(), till.is_on()) == (before, True, True)
    counter.pays()
    ended = till.end(ENDS_IN_S)
    assert (ended.code, '"PAID"' in ended.said) == (0, True), ended.said
    assert counter.update(later, drain_s=SOON_S) == 0
    assert counter.now()[0] == LATER
    assert counter.is_whole()


def test_a_till_with_an_open_payment_stays_and_one_without_closes(counter: Counter, tmp_path: Path) -> None:
    """A power cut in the middle of a payment; the till takes it up again, and the update comes in before it is paid."""
    assert counter.update(setup(tmp_path, version()), "/OLDER") == 0
    before, later = counter.now(), setup(tmp_path, LATER)
    counter.sells().kill()
    till = counter.opens()
    assert counter.update(later, drain_s=SOON_S) == OPEN
    assert (counter.now(), counter.is_whole(), till.is_on()) == (before, True, True)
    counter.pays()
    while counter.waits():
        assert till.is_on()
    assert counter.update(later) == 0
    assert till.end(ENDS_IN_S).code == 0
    assert counter.now()[0] == LATER
    assert counter.now()[1] != before[1]
    assert counter.is_whole()
    assert set(counter.states()) == {"PAID"}


def test_an_installer_that_was_killed_keeps_no_till_from_starting(counter: Counter, tmp_path: Path) -> None:
    """While it waits for the till that is open no other starts; behind it the flag lies there and holds nobody up."""
    assert counter.update(setup(tmp_path, version()), "/OLDER") == 0
    later = setup(tmp_path, LATER)
    counter.sells().kill()
    till = counter.opens()
    installer = counter.begins_to_update(later)
    assert counter.tries_out().code == BUSY
    installer.kill()
    assert counter.flag.exists()
    tried = counter.tries_out()
    assert (tried.code, "Paid" in tried.said) == (0, True), tried.said
    counter.pays()
    while counter.waits():
        assert till.is_on()
    assert counter.update(later) == 0
    assert till.end(ENDS_IN_S).code == 0
    assert counter.is_whole()
