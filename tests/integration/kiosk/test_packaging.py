"""What the kiosk's folder names is there: files, exit codes, the credential's name, the installer's places."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from pos_app.bootstrap.errors import Exit
from pos_app.secrets.load import CREDENTIAL
from pos_app.system.service_manager import LOADING_MS
from tests.support.sandbox import REPOSITORY

KIOSK = REPOSITORY / "packaging" / "kiosk"
UNIT = (KIOSK / "pos-app-kiosk.service").read_text("utf-8")


def test_the_unit_gives_the_secrets_by_the_name_the_till_looks_for() -> None:
    assert f"\nLoadCredentialEncrypted={CREDENTIAL}\n" in UNIT


def test_a_till_that_loads_asks_for_as_long_as_a_start_has() -> None:
    assert f"TimeoutStartSec={LOADING_MS // 1000}s" in UNIT.splitlines()


def test_the_readme_names_every_file_and_every_exit_code() -> None:
    readme = (KIOSK / "README.md").read_text("utf-8")
    for path in KIOSK.iterdir():
        assert f"`{path.name}`" in readme or path.name == "README.md"
    for code in (Exit.OK, Exit.LEFT, Exit.USAGE, Exit.UPDATING, Exit.FAULT):
        assert re.search(rf"^\| {int(code)}\b", readme, re.MULTILINE)


def test_a_verb_by_hand_is_given_what_the_service_is() -> None:
    """Without them it looks into another folder and finds no secrets: first-manager could never work."""
    readme = (KIOSK / "README.md").read_text("utf-8").replace("\\\n", " ")
    line = re.search(r"systemd-run (.*) pos-app doctor$", readme, re.MULTILINE)
    assert line is not None
    words = shlex.split(line[1])
    given = {word for before, word in pairwise(words) if before == "-p"}
    given |= {f"User={word[6:]}" for word in words if word.startswith("--uid=")}
    given |= {f"Group={word[6:]}" for word in words if word.startswith("--gid=")}
    unit = UNIT.replace("%S", "/var/lib").splitlines()
    needed = ("User", "Group", "UMask", "StateDirectory", "StateDirectoryMode", "LoadCredentialEncrypted")
    assert given == {
        *(each for each in unit if each.partition("=")[0] in needed),
        *(each.split()[0] for each in unit if each.startswith("Environment=")),
    }


def test_the_installer_puts_each_file_where_its_first_line_says() -> None:
    script = (REPOSITORY / "packaging" / "bundle" / "install.sh").read_text("utf-8")
    for path in KIOSK.glob("pos-app-kiosk.*"):
        if path.suffix != ".service":
            place = re.match(r"# (/[^:]+):", path.read_text("utf-8"))
            assert place is not None, path
            named = place[1].replace("pos-app-kiosk", "$name-kiosk")
            assert named in script, path


@pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
def test_the_session_s_script_is_read_and_may_be_run() -> None:
    session = KIOSK / "session"
    assert session.stat().st_mode & 0o111 == 0o111
    subprocess.run(["sh", "-n", str(session)], check=True)


@pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
def test_to_stop_what_does_not_run_is_no_mistake(tmp_path: Path) -> None:
    stop = ["sh", str(KIOSK / "session"), "--stop"]
    assert subprocess.run(stop, env={"RUNTIME_DIRECTORY": str(tmp_path)}, check=False).returncode == 0
