"""Codes by SMS in the live environment are counted for the whole machine: another data folder gives no more."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from pos_app.bootstrap.shop import DataFolder, Shop
from pos_app.doctor.machine import codes_finding
from pos_app.domain.ages import Stamp
from pos_app.domain.attempt import Environment
from pos_app.domain.commands import EnrolFirst
from pos_app.domain.otp import OtpProblem
from pos_app.domain.secret import Secret
from pos_app.domain.views import SignInStep
from pos_app.engine.core.engine import Engine
from pos_app.engine.staff.machine_sends import KEPT, MachineSends
from pos_app.journal import Journal, open_journal
from pos_app.secrets import ShopSecrets
from pos_app.settings import load_settings
from pos_app.system import paths
from tests.support.owners_alone import is_owners_alone
from tests.unit.engine.damage import KEY
from tests.unit.engine.recorder import FakeClock
from tests.unit.engine.rig import NUMBER, SITE, Rig

P = OtpProblem
DAY_S = 24 * 60 * 60


class Machine:
    """Tills on one machine, each in a data folder of its own; time passes for all of them."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "state" / "sms-sends"
        self.clock = FakeClock()
        self._folder = folder
        self._tills = 0
        self._journals: list[Journal] = []

    def till(self) -> Rig:
        """Another one, in a folder that knows nothing."""
        self._tills += 1
        journal = open_journal(self._folder / f"{self._tills}.sqlite", KEY, Environment.SANDBOX)
        self._journals.append(journal)
        rig = Rig(journal, SITE)
        rig.clock = self.clock
        rig.boot()
        rig.engine = Engine(SITE, rig.ports(machine_sends=MachineSends(self.file)))
        return rig.start()

    def ask(self, number: str = NUMBER) -> str:
        """A code is asked for at a new till; what stood in the way, "" when it was sent."""
        rig = self.till()
        rig.tell(EnrolFirst("Nimali", number))
        if "send otp" in rig.names():
            assert rig.dialog.step is SignInStep.SENDING
            return ""
        return rig.dialog.problem

    def close(self) -> None:
        """All of them."""
        for journal in self._journals:
            journal.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Nothing has been sent from it."""
    made = Machine(tmp_path)
    yield made
    made.close()


def test_a_new_folder_gives_a_number_no_more_codes(machine: Machine) -> None:
    """Three in a quarter of an hour, with the waits between them; another number has its own."""
    for wait_s in (31, 61, 61):
        assert machine.ask() == ""
        machine.clock.ms += wait_s * 1000
    assert machine.ask() == P.TOO_MANY_CODES
    assert machine.ask("+94771230001") == ""
    machine.clock.ms += 15 * 60 * 1000
    assert machine.ask() == ""
    assert machine.ask() == P.WAIT


def test_ten_a_day_to_a_number_and_thirty_a_day_in_all(machine: Machine) -> None:
    """However many folders there are; a day later they may go again."""
    for _ in range(10):
        assert machine.ask() == ""
        machine.clock.ms += 20 * 60 * 1000
    assert machine.ask() == P.DAY_LIMIT
    for place in range(20):
        assert machine.ask(f"+9477123{place:04d}") == ""
    assert machine.ask("+94779999999") == P.TERMINAL_LIMIT
    machine.clock.ms += DAY_S * 1000
    assert machine.ask() == ""


def test_no_number_stands_in_the_file_and_a_copy_of_it_is_of_no_use(machine: Machine, tmp_path: Path) -> None:
    """Not in clear, not by a hash that another machine would make."""
    assert machine.ask() == ""
    text = machine.file.read_text("ascii")
    assert NUMBER[1:] not in text
    assert is_owners_alone(machine.file)
    other = MachineSends(tmp_path / "other")
    assert other.count(NUMBER, Stamp("boot", 1)) == ""
    here = MachineSends(machine.file)
    assert here.sends()[0][0] != other.sends()[0][0]
    assert here.sends()[0][0] == here.hash_of(NUMBER)


@pytest.mark.expects_log("cannot be counted for the whole machine")
def test_where_it_cannot_be_written_the_journal_counts_alone_and_that_is_said(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    """A code must not fail for it; the event, the log and `doctor` say so."""
    machine.file.parent.write_text("a file where the folder should be")
    rig = machine.till()
    rig.tell(EnrolFirst("Nimali", NUMBER))
    assert "send otp" in rig.names()
    (sent,) = rig.journal.otp_sends(5)
    assert sent.content["not_counted_for_the_machine"]
    assert "cannot be counted for the whole machine" in caplog.text
    caplog.clear()
    assert codes_finding(machine.file).verdict == "warning"


def test_a_file_that_was_cut_off_or_is_garbage_counts_what_can_be_read(tmp_path: Path) -> None:
    """A power cut in the middle of a line; nothing is raised, and the next count mends it."""
    file = tmp_path / "sms-sends"
    here = MachineSends(file)
    for place in range(3):
        assert here.count(NUMBER, Stamp("boot", place)) == ""
    file.write_bytes(file.read_bytes()[:-20])
    assert [stamp.since_boot for _, stamp in MachineSends(file).sends()] == [0, 1]
    assert MachineSends(file).count(NUMBER, Stamp("boot", 7)) == ""
    assert [stamp.since_boot for _, stamp in MachineSends(file).sends()] == [0, 1, 7]
    file.write_bytes(file.read_bytes().replace(b'"number":"', b'"number":"\xff', 1))
    assert [stamp.since_boot for _, stamp in MachineSends(file).sends()] == [1, 7]
    file.write_bytes(b"\xff garbage\n" * 3)
    again = MachineSends(file)
    assert again.sends() == []
    assert again.count(NUMBER, Stamp("boot", 9)) == ""
    assert len(MachineSends(file).sends()) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    """The engine's thread stood for ever behind whoever wanted a code, with the payments."""
    os.mkfifo(tmp_path / "sms-sends")
    here = MachineSends(tmp_path / "sms-sends")
    assert here.sends() == []
    assert here.count(NUMBER, Stamp("boot", 1)), "said, as of any file that cannot be written"


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_of_two_that_count_at_once_both_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tills each read the file and put it back: a number got a code more than it may for each that was lost."""
    file = tmp_path / "sms-sends"
    other = Thread(target=lambda: MachineSends(file).count(NUMBER, Stamp("boot", 2)))
    token_bytes = secrets.token_bytes

    def overtaken(length: int) -> bytes:
        monkeypatch.setattr(secrets, "token_bytes", token_bytes)
        other.start()
        other.join(0.2)  # unless it waits for its turn
        return token_bytes(length)

    monkeypatch.setattr(secrets, "token_bytes", overtaken)
    assert MachineSends(file).count(NUMBER, Stamp("boot", 1)) == ""
    other.join()
    assert [stamp.since_boot for _, stamp in MachineSends(file).sends()] == [1, 2]
    assert len({number for number, _ in MachineSends(file).sends()}) == 1


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    """The file does not grow for ever."""
    here = MachineSends(tmp_path / "sms-sends")
    for place in range(3 * KEPT):
        assert here.count(NUMBER, Stamp("boot", place)) == ""
    kept = [stamp.since_boot for _, stamp in here.sends()]
    assert KEPT <= len(kept) <= 2 * KEPT
    assert kept[-1] == 3 * KEPT - 1


@pytest.mark.parametrize("environment", list(Environment))
def test_a_live_shop_has_the_machines_count_and_a_sandbox_none(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder of the user's state, whatever data folder is named."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    given = {
        "gateway.environment": environment.value,
        "gateway.base_url": "https://pay.example.com"
        if environment is Environment.LIVE
        else "http://127.0.0.1:1",
        "gateway.merchant_pg_identifier": "M-1",
        "gateway.counter_id": 1,
        "shop.name": "Harbour Shop",
        "shop.currency": "LKR",
        "shop.country": "LK",
    }
    nothing = Secret("")
    secrets = ShopSecrets(
        access_token=nothing,
        merchant_secret_code=nothing,
        merchant_password=nothing,
        otp_access_token=nothing,
        token_client_secret=nothing,
        source="test",
    )
    shop = Shop(load_settings(None, {}, given), secrets, DataFolder(tmp_path / "data"))
    if environment is Environment.SANDBOX:
        assert shop.machine_sends is None
    else:
        assert shop.machine_sends is not None
        assert shop.machine_sends.file.parent == paths.state_dir()
        assert paths.state_dir().is_relative_to(tmp_path)
