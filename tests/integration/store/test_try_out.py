"""`make store`: everything begins by one command, sells, and ends by Ctrl-C with nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from signal import SIGINT

import pytest

from tests.integration.cli.till import Running
from tests.integration.store.shop import ENVIRONMENT, REPOSITORY, Shop


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="pos-try-"))
    made.chmod(0o711)
    yield made / "all"
    shutil.rmtree(made, ignore_errors=True)


def test_three_counters_sell_until_it_is_told_to_end(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "packaging/store/try_out.py"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "STORE_FOLDER": str(folder)},
        cwd=REPOSITORY,
        start_new_session=True,
    )
    running = Running(process)
    try:
        running.says("http://127.0.0.1:")
        where = json.loads((folder / "running.json").read_text())
        assert (folder / "running.json").stat().st_mode & 0o777 == 0o600
        assert {"control_url", "control_token"} < {*where}
        told = [each["events"] for each in Shop(Path(where["data"])).verb("counters").objects]
        assert len(told) == 3
        another = subprocess.run(
            [sys.executable, "packaging/store/try_out.py"],
            env={**ENVIRONMENT, "STORE_FOLDER": str(folder)},
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            check=False,
        )
        assert (another.returncode, "it runs already" in another.stdout) == (1, True)
        assert json.loads((folder / "running.json").read_text()) == where
    finally:
        done = running.send(SIGINT).end()
    assert done.code == 0, done.err
    assert "All of it has ended." in done.out
    number = (folder / "store" / "postgresql" / "postmaster.pid").exists()
    assert not number
    assert not (folder / "running.json").exists()
    assert Shop(folder / "store").verb("check", "--deep").code == 0


ENDS = """
import fcntl, sys
sys.path.insert(0, "packaging/store")
import try_out

def look():
    with try_out.FOLDER.with_name("all.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

try_out.run = lambda stack, ending: stack.callback(look)
try_out.everything()
"""


def test_what_is_still_ending_keeps_a_second_one_out(folder: Path) -> None:
    """Store and sandbox end last, and take seconds: the second one would take their folder away under them."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS],
        env={**ENVIRONMENT, "STORE_FOLDER": str(folder)},
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=False,
    )
    assert "BlockingIOError" in done.stderr


def test_a_till_without_a_store_says_what_to_type(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "packaging/store/try_out.py", "till"],
        env={**os.environ, "STORE_FOLDER": str(folder)},
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=False,
    )
    assert (done.returncode, "make store" in done.stdout) == (1, True)
