"""`diagnostics`: what is in the zip, what never is, and where it may be written."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pos_app.app import demo_people
from pos_app.app.diagnostics import KEPT, Diagnostics
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.shop import OWN_SANDBOX, open_shop
from pos_app.diagnostics_bundle.archive import BundleError, Contents, pack
from pos_app.journal.lock import FileLock
from tests.guards.canaries import PASSCODE, SANDBOX_MARK, Scanner, known
from tests.guards.encodings import ENCODINGS, WRITTEN_AS_TEXT
from tests.integration.cli.till import Till, bare
from tests.support.command_line import arguments
from tests.support.sandbox import Sandbox

NUMBER = "+94771234567"
NAMES = ("Nimali", "Kasun")
MEMBERS = {
    *("README.txt", "versions.json", "settings.json", "doctor.json", "journal.json", "log.jsonl", "crash.txt")
}


def opened(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def data_of(till: Till) -> Path:
    return Path(till.common[till.common.index("--data-dir") + 1]) / "sandbox"


def secrets_of(sandbox: Sandbox) -> list[tuple[str, str]]:
    """Whole, not only by their mark."""
    return [
        ("access token", sandbox.access_token),
        ("secret code", sandbox.merchant_secret_code),
        ("password", sandbox.merchant_password),
    ]


@pytest.fixture
def till(till: Till, config_dir: Path) -> Till:
    """A counter that was open once."""
    open_shop(arguments(config_dir, data_of(till).parent)).close()
    return till


@pytest.fixture
def used(sandbox: Sandbox, till: Till, config_dir: Path) -> Till:
    """A counter with people and a payment, and a log into which everything was written that must not leave."""
    data = data_of(till).parent
    shop = open_shop(arguments(config_dir, data))
    assert shop.journal is not None
    demo_people.enrol(shop.journal)
    shop.close()
    assert till.run("pay", "--amount", "12.50", f"--push={NUMBER}", "--give-up-after", "1").code in (1, 4)
    log = data / "sandbox" / "log" / "pos-app.log"
    ways = [ENCODINGS[name] for name in WRITTEN_AS_TEXT]
    planted = [encode(secret).decode("latin-1") for _, secret in secrets_of(sandbox) for encode in ways]
    planted += [
        "Nimali typed it",
        f"sent to {NUMBER}",
        "code 482913",
        f"passcode {PASSCODE}",
        str(Path.home()),
    ]
    with log.open("a") as file:
        for text in planted:
            line = {"at": "2026", "level": "INFO", "message": text, "thread": text, "attempt_id": text}
            file.write(json.dumps(line | {"errors": [{"type": "X", "text": text, "places": [text]}]}) + "\n")
            file.write(text.replace("\n", " ") + "\n")
    (log.parent / "crash.log").write_text(
        f"Fatal Python error\n  File {Path.home()}/x.py {sandbox.access_token}\n"
    )
    return till


def clear(used: Till) -> None:
    """What was planted goes again before this run's own guard looks."""
    for file in (data_of(used) / "log").iterdir():
        file.unlink()


def test_nothing_that_must_stay_is_in_it_however_it_is_written(
    sandbox: Sandbox, used: Till, tmp_path: Path
) -> None:
    file = tmp_path / "d.zip"
    done = used.run("diagnostics", str(file))
    assert (done.code, done.err) == (0, "")
    assert set(done.last["members"]) == set(opened(file)) == MEMBERS
    names = [("a name", name) for name in NAMES]
    codes = [("a code", "482913"), ("home", str(Path.home()) + "/")]
    scanner = Scanner([*secrets_of(sandbox), *names, *codes])
    assert scanner.in_bytes(file.read_bytes()) == []
    assert known().in_bytes(file.read_bytes()) == []
    log = (data_of(used) / "log" / "pos-app.log").read_bytes()
    assert scanner.in_bytes(log), "it was there to be found"
    clear(used)


def test_it_says_what_somebody_who_helps_must_know(used: Till, tmp_path: Path) -> None:
    file = tmp_path / "d.zip"
    assert used.run("diagnostics", str(file)).code == 0
    found = {name: json.loads(text) for name, text in opened(file).items() if name.endswith(".json")}
    assert found["versions.json"]["pos-app"]
    settings: dict[str, Any] = {each["name"]: each for each in found["settings.json"]}
    assert settings["gateway.counter_id"]["value"] == 1
    assert settings["gateway.counter_id"]["source"].endswith("config.toml line 5")
    assert {each["about"] for each in found["doctor.json"]} >= {"version", "secrets", "journal", "connection"}
    journal = found["journal.json"]
    assert (journal["cannot"], journal["findings"], sum(journal["attempts"].values())) == ("", [], 1)
    assert journal["events"] == sum(journal["kinds"].values()) > 2
    lines = [json.loads(line) for line in opened(file)["log.jsonl"].splitlines()]
    assert lines[-1]["left_out"] > 10, "lines that are none of ours are counted, not carried"
    clear(used)


def test_no_number_that_the_shop_wrote_into_its_papers_and_messages_is_in_it(
    till: Till, config_dir: Path, tmp_path: Path
) -> None:
    """The README inside says that no phone number is: the shop's own is one."""
    config = tmp_path / "config.toml"
    config.write_text(
        (config_dir / "config.toml").read_text("utf-8")
        + '\n[receipt]\nheader = ["12 Galle Road", "Tel. 011 234 5678"]\nfooter = ["Call 0112345678"]\n'
        + '\n[otp]\nmessage = "{{code}} is your code. Not you? +94 77 123 4567"\n',
        "utf-8",
    )
    own = Till(["--config", str(config), *till.common[2:]])
    file = tmp_path / "d.zip"
    done = own.run("diagnostics", str(file))
    assert (done.code, done.err) == (0, "")
    found = opened(file)
    for name in ("settings.json", "doctor.json"):
        assert "12 Galle Road" in found[name]
        assert "is your code. Not you?" in found[name]
        for number in ("234 5678", "2345678", "123 4567"):
            assert number not in found[name], name


def test_it_is_private_and_replaces_nothing_unasked(till: Till, tmp_path: Path) -> None:
    file = tmp_path / "d.zip"
    assert till.run("diagnostics", str(file)).code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    again = till.run("diagnostics", str(file))
    assert (again.code, file.read_bytes() == before) == (73, True)
    assert "is there already; --force replaces it" in again.err
    assert till.run("diagnostics", str(file), "--force").code == 0
    assert [each.name for each in tmp_path.glob("*.zip")] == ["d.zip"]


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "d.zip"
    target.write_text("somebody's file")
    link.symlink_to(target)
    one = Contents({"a.txt": "b"}, lambda _: True)
    with pytest.raises(BundleError, match="there already"):
        pack(one, link)
    pack(one, link, force=True)
    assert (target.read_text(), link.is_symlink()) == ("somebody's file", False)


def test_what_is_not_clean_after_all_is_not_written(tmp_path: Path) -> None:
    """The last look: whatever part forgot to clean its text."""
    leaky = Contents({"settings.json": f"x {SANDBOX_MARK}01"}, lambda text: SANDBOX_MARK not in text)
    with pytest.raises(BundleError, match=r"settings\.json would hold a secret"):
        pack(leaky, tmp_path / "d.zip")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["none/d.zip", "d.zip/d.zip"])
def test_where_it_cannot_be_written_is_told(till: Till, tmp_path: Path, where: str) -> None:
    (tmp_path / "d.zip").touch()
    done = till.run("diagnostics", str(tmp_path / where))
    assert done.code == 73
    assert "cannot be written" in done.err
    assert "Traceback" not in done.err


def test_without_settings_it_still_says_why(till: Till, tmp_path: Path) -> None:
    """When nothing can be opened, diagnostics are wanted most; what was logged is cleaned by its looks alone."""
    config = tmp_path / "config.toml"
    config.write_text('[gateway]\nbase_url = "ftp://x"\n')
    log = data_of(till) / "log"
    log.mkdir()
    (log / "pos-app.log").write_text(
        json.dumps({"at": "1", "message": f"token={SANDBOX_MARK}0 {NUMBER}"}) + "\n"
    )
    broken = Till(["--config", str(config), *till.common[2:]])
    done = broken.run("diagnostics", str(tmp_path / "d.zip"))
    assert (done.code, done.err) == (0, "")
    found = opened(tmp_path / "d.zip")
    assert "base_url" in found["doctor.json"]
    assert json.loads(found["log-sandbox.jsonl"])["message"] == "token=••• •••"
    clear(till)


@pytest.mark.parametrize("has_settings", [True, False])
def test_of_an_account_in_which_no_till_has_run_it_says_so(
    till: Till, tmp_path: Path, has_settings: bool
) -> None:
    """An operator on another console sent what helps nobody: it was made, and ended well."""
    file = tmp_path / "d.zip"
    settings = till.common[:4] if has_settings else ["--config", str(tmp_path / "none.toml")]
    other = Till([*settings, "--data-dir", str(tmp_path / "other")])
    done = other.run("diagnostics", str(file))
    assert (done.code, done.last["file"]) == (1, str(file))
    assert f"no till of this account has left anything in {tmp_path / 'other'}" in done.err
    assert "in the till's own account: sudo -Hu" in done.err
    assert "doctor.json" in opened(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
@pytest.mark.parametrize("name", ["crash.log", "pos-app.log", "pos-app.log.1"])
def test_a_pipe_in_the_place_of_a_log_is_not_waited_for(till: Till, tmp_path: Path, name: str) -> None:
    log = data_of(till) / "log"
    log.mkdir()
    os.mkfifo(log / name)
    done = till.run("diagnostics", str(tmp_path / "d.zip"))
    assert (done.code, done.err) == (0, "")
    assert set(opened(tmp_path / "d.zip")) == MEMBERS


def test_beside_a_till_on_its_own_sandbox_its_log_is_in_it(tmp_path: Path) -> None:
    """Its journal is in use: what lies there is packed as it is, from its own folder."""
    log = tmp_path / OWN_SANDBOX / "log"
    log.mkdir(parents=True)
    (log / "pos-app.log").write_text('{"at": "1", "message": "on its own"}\n')
    lock = FileLock(tmp_path / OWN_SANDBOX / JOURNAL)
    done = bare("--sandbox", "--data-dir", str(tmp_path), "diagnostics", str(tmp_path / "d.zip"))
    lock.release()
    assert (done.code, done.err) == (0, "")
    assert "on its own" in opened(tmp_path / "d.zip")[f"log-{OWN_SANDBOX}.jsonl"]


@pytest.mark.parametrize("year", [2020, 2099])
def test_a_manager_s_are_made_beside_the_till_at_work(
    sandbox: Sandbox, till: Till, config_dir: Path, year: int
) -> None:
    """Those that lie there may be called by a clock that was far ahead: the new ones stay all the same."""
    assert sandbox.details
    shop = open_shop(arguments(config_dir, data_of(till).parent))
    folder = shop.data_dir / "diagnostics"
    folder.mkdir()
    for number in range(KEPT + 3):
        (folder / f"pos-app-diagnostics-{year}{number:04d}-000000.zip").touch()
    told: SimpleQueue[tuple[str, str]] = SimpleQueue()
    diagnosing = Diagnostics(lambda: shop)
    diagnosing.save(lambda path, problem: told.put((path, problem)))
    path, problem = told.get(timeout=30)
    diagnosing.stop()
    shop.close()
    assert (problem, Path(path).parent, set(opened(Path(path)))) == ("", folder, MEMBERS)
    assert len(list(folder.iterdir())) == KEPT
    assert Path(path).exists()


def test_a_manager_is_told_when_they_cannot_be_made(till: Till, config_dir: Path) -> None:
    shop = open_shop(arguments(config_dir, data_of(till).parent))
    (shop.data_dir / "diagnostics").touch()
    told: SimpleQueue[tuple[str, str]] = SimpleQueue()
    diagnosing = Diagnostics(lambda: shop)
    diagnosing.save(lambda path, problem: told.put((path, problem)))
    path, problem = told.get(timeout=30)
    diagnosing.stop()
    shop.close()
    assert path == ""
    assert "diagnostics" in problem


def test_the_name_without_one_is_the_time(
    till: Till, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pos_app.cli.main import main

    monkeypatch.chdir(tmp_path)
    assert main([*till.common, "diagnostics"]) == 0
    (made,) = tmp_path.glob("pos-app-diagnostics-*.zip")
    assert os.access(made, os.R_OK)
