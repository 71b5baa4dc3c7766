"""What the guides tell people to type, typed: each of their blocks runs as it stands there, in a home of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.support.sandbox import Sandbox

GUIDES = Path(__file__).parents[3] / "docs" / "guides"
_BLOCK = re.compile(r"<!-- follow: (.+?) -->\n```(sh|python)\n(.*?)```", re.DOTALL)
_DATES = re.compile(r"2026-11-01 --to 2026-11-30")


def blocks(guide: str) -> dict[str, tuple[str, str]]:
    """By their names: the language, and what is to be typed."""
    return {name: (kind, text) for name, kind, text in _BLOCK.findall((GUIDES / guide).read_text("utf-8"))}


class Home:
    """An account with a till that is set up as the guide says: settings and secrets in its own folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / "bin"
        tools.mkdir(parents=True)
        (tools / "pos-app").write_text(f'#!/bin/sh\nexec {sys.executable} -m pos_app "$@"\n', "utf-8")
        (tools / "pos-app").chmod(0o755)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "POS_APP_"))
        }
        self.environment = {
            **kept,
            "HOME": str(folder),
            "PATH": f"{tools}:{kept['PATH']}",
            "POS_APP_RUN_DIR": str(folder / "run"),
        }

    def set_up(self, config_dir: Path) -> None:
        """By the files that the wizard or an editor leaves."""
        own = self.folder / ".config" / "pos-app"
        own.mkdir(parents=True, mode=0o700)
        for name in ("config.toml", "secrets.toml"):
            shutil.copy(config_dir / name, own / name)

    def type(self, text: str, shell: str = "sh") -> subprocess.CompletedProcess[str]:
        """As a person types it, line by line: one that fails keeps nobody from typing the next."""
        command = ["sh", "-c", text] if shell == "sh" else [sys.executable, "-c", text]
        return subprocess.run(
            command,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def pay(self, amount: str, sandbox: Sandbox, code: int = 0) -> str:
        """A payment of its own, which the customer makes; its id, "" for one that did not begin."""
        line = ["pos-app", "--json", "pay", "--amount", amount, "--qr"]
        with subprocess.Popen(line, env=self.environment, stdout=subprocess.PIPE, text=True) as paying:
            assert paying.stdout is not None
            made = ""
            for said in map(json.loads, paying.stdout):
                made = said["attempt_id"]
                if said["state"] == "WAITING":
                    sandbox.act(made, "pay")
            assert paying.wait(60) == code
        return made


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_a_backup_is_made_restored_and_told_apart_as_the_guide_says(
    home: Home, sandbox: Sandbox, config_dir: Path
) -> None:
    """The till that was put back sells nothing once the service's list shows what it does not know, and names it."""
    typed = blocks("installer.md")
    home.set_up(config_dir)
    before = home.pay("12.50", sandbox)
    made = home.type(typed["back up"][1])
    assert made.returncode == 0, made.stderr
    assert "journal.sqlite" in made.stdout
    since = home.pay("13.50", sandbox)
    assert before != since

    restored = home.type(typed["restore"][1])
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert (home.folder / ".local/share/pos-app.before").is_dir()
    days = [(date.today() + timedelta(days=by)).isoformat() for by in (-1, 1)]
    compare, dates = _DATES.subn(" --to ".join(days), typed["compare"][1])
    compared = home.type(compare)
    assert dates == 1
    assert compared.returncode == 1, compared.stderr
    assert since in compared.stdout
    assert before not in compared.stdout
    home.pay("14.50", sandbox, code=73)


def test_neither_backup_nor_restore_touches_a_till_with_a_payment_under_way(
    home: Home, sandbox: Sandbox, config_dir: Path
) -> None:
    """The folder was moved away under the payment by whoever pasted the lines and read the answers afterwards."""
    typed = blocks("installer.md")
    home.set_up(config_dir)
    home.pay("12.50", sandbox)
    line = ["pos-app", "--json", "pay", "--amount", "13.50", "--qr"]
    with subprocess.Popen(line, env=home.environment, stdout=subprocess.PIPE, text=True) as paying:
        assert paying.stdout is not None
        said = next(each for each in map(json.loads, paying.stdout) if each["state"] == "WAITING")
        for name in ("back up", "restore"):
            text = typed[name][1].replace("--wait 60", "--wait 1")
            assert home.type(text).returncode != 0, name
        assert not (home.folder / "pos-app-backup.tar.gz").exists()
        assert not (home.folder / ".local/share/pos-app.before").exists()
        sandbox.act(said["attempt_id"], "pay")
        paying.stdout.read()
        assert paying.wait(60) == 0
    assert home.type(typed["restore"][1]).returncode != 0
    assert (home.folder / ".local/share/pos-app").is_dir()


def test_the_scripts_of_the_guide_run_as_they_stand(home: Home) -> None:
    """Each says what the page says it says; nobody has to look after such a day, and its last word is the file."""
    typed = blocks("scripts.md")
    said = {}
    for name, (kind, text) in typed.items():
        done = home.type(text, kind)
        said[name] = done.stdout.strip().splitlines()[-1:]
        assert "Traceback" not in done.stderr, done.stderr
    (night,) = said.pop("the night")
    assert said == {
        "a payment": ["paid"],
        "a customer who refuses": ["not paid, for certain"],
        "python": ["0 PAID 12.50 LKR"],
    }
    assert "taken: LKR 25.00" in night
    assert (home.folder / f"payments-{date.today()}.csv").is_file()
    kept = (home.folder / "payment.jsonl").read_text("utf-8").splitlines()
    assert json.loads(kept[-1])["state"] == "PAID"


def test_every_block_of_the_guides_that_is_followed_has_its_test() -> None:
    assert {*blocks("installer.md")} == {"back up", "restore", "compare"}
    assert {*blocks("scripts.md")} == {"a payment", "a customer who refuses", "python", "the night"}
