"""A sample of the power cuts and failing disks, and the proof that both can find what they look for."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from pos_app.journal import read_only
from tests.integration.cli.till import Running
from tests.support.forked import start_anew
from tests.support.sandbox import Sandbox
from tests.verification.campaign.disk import layer
from tests.verification.campaign.disk.faulty import Point, attempt_at
from tests.verification.campaign.disk.images import Cut, lay, quick_folder
from tests.verification.campaign.disk.recording import (
    FOLDERS,
    Recording,
    cuts,
    of_first_start,
    of_real_till,
    of_seed,
)

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None,
    reason="the layer is made with gcc, which is not here: `sh packaging/bootstrap.sh campaign` installs it",
)
SEED = 7
FULL_FROM_NOW = "write 28 1 0"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config")


@pytest.fixture(scope="module")
def sandbox(config: Path) -> Iterator[Sandbox]:
    with Sandbox(config_dir=config, switches={"approve_to_paid_s": 0}) as running:
        yield running


def examined(recording: Recording, config: Path, most: int, *ways: Cut) -> list[str]:
    """What is wrong with a sample of the images."""
    found = []
    for _, _, files, judge in cuts(recording, config, Random(1), most, ways or tuple(Cut)):
        with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
            lay(files, Path(folder))
            found += judge(Path(folder))
    return found


def on_the_layer(folder: Path, script: str, fail: str = "") -> tuple[str, list[layer.Entry]]:
    """What a small program said, and what it did to the folder."""
    folder.mkdir(exist_ok=True)
    record = folder.with_name("record")
    command = [sys.executable, "-c", script, str(folder)]
    done = subprocess.run(
        command, env=layer.beneath(folder, record, fail), capture_output=True, text=True, check=True
    )
    return done.stdout, list(layer.entries(record))


WRITES = """
import os, sys
os.chdir(sys.argv[1])
f = os.open("a", os.O_RDWR | os.O_CREAT)
def tried(call, *of):
    try:
        return call(*of)
    except OSError as error:
        return -error.errno
done = [tried(os.write, f, b"12345678"), tried(os.pwrite, f, b"abc", 4), tried(os.ftruncate, f, 6), tried(os.fsync, f)]
os.close(f)
done += [tried(os.rename, "a", "b"), tried(os.fsync, os.open(".", os.O_RDONLY)), tried(os.unlink, "b")]
print(*done)
"""


def test_the_layer_writes_down_all_there_is_to_a_file(tmp_path: Path) -> None:
    said, entries = on_the_layer(tmp_path / "folder", WRITES)
    assert said.split() == ["8", "3", "None", "None", "None", "None", "None"]
    kept = [(each.what, each.offset, each.data) for each in entries if each.what not in "PN"]
    assert kept == [
        ("O", 0, b"a"),
        ("W", 0, b"12345678"),
        ("W", 4, b"abc"),
        ("T", 6, b""),
        ("S", 0, b""),
        ("R", 0, b"a\0b"),
        ("O", 0, b"."),
        ("S", 0, b""),
        ("U", 0, b"b\0"),
    ]


@pytest.mark.parametrize(
    ("fail", "said"),
    [
        # The first is the making of the file.
        ("write 28 2 1", [-errno.ENOSPC, 3, None, None, None, None, None]),
        ("write 5 3 0", [8, -errno.EIO, -errno.EIO, None, -errno.EIO, None, -errno.EIO]),
        ("write -1 2 1", [4, 3, None, None, None, None, None]),
        ("write 30 4 1", [8, 3, -errno.EROFS, None, None, None, None]),
        ("sync 5 1 1", [8, 3, None, -errno.EIO, None, None, None]),
        ("sync 5 2 0", [8, 3, None, None, None, -errno.EIO, None]),
    ],
)
def test_the_layer_refuses_what_it_is_told_to(tmp_path: Path, fail: str, said: list[int | None]) -> None:
    answer, _ = on_the_layer(tmp_path / "folder", WRITES, fail)
    assert answer.split() == [str(each) for each in said]


def test_no_power_cut_takes_what_had_returned(tmp_path: Path, config: Path) -> None:
    assert examined(of_seed(SEED, tmp_path / "seed", ["often"]), config, 60) == []


def test_no_power_cut_of_a_real_tills_first_day_leaves_a_payment_nobody_asks_about(
    tmp_path: Path, sandbox: Sandbox, config: Path
) -> None:
    """Its payments were opened at a service, and there they are asked about."""
    assert examined(of_real_till(tmp_path / "till", sandbox, config), config, 60) == []
    sandbox.reset()


@pytest.mark.usefixtures("sandbox")
def test_no_power_cut_at_the_first_start_leaves_a_till_that_cannot_start(
    tmp_path: Path, config: Path
) -> None:
    """Nor takes its folder later, which is the same folder."""
    recording = of_first_start(tmp_path / "till", config)
    assert examined(recording, config, 40) == []
    # More of them: few of the orders in which a disk may write have one name and not the other.
    found = examined(msgspec.structs.replace(recording, deaf=FOLDERS), config, 200, Cut.REORDERED)
    assert any("the key of the journal" in text for text in found)


@pytest.mark.parametrize(
    ("plants", "deaf", "words"),
    [
        (["normal"], "", "a commit is lost"),
        (["ahead"], "", "older than last known"),
        ([], "-wal", "had left, its intent is lost"),
        (["often"], ".db", "does not open"),
    ],
)
def test_a_till_that_does_not_sync_is_found(
    tmp_path: Path, config: Path, plants: list[str], deaf: str, words: str
) -> None:
    recording = msgspec.structs.replace(of_seed(SEED, tmp_path / "seed", plants), deaf=deaf)
    found = examined(recording, config, 60)
    assert any(words in text for text in found), found[:5]


def test_a_lock_that_could_not_be_written_is_let_go(tmp_path: Path) -> None:
    """Found by seed 22: the same process, trying again, took itself for another till."""
    script = """
import sys
from pathlib import Path
from pos_app.domain.attempt import Environment
from pos_app.journal import JournalTrouble, open_journal
at = Path(sys.argv[1]) / "journal.sqlite"
try:
    open_journal(at, bytes(32), Environment.SANDBOX)
except JournalTrouble as trouble:
    print(trouble.trouble)
open_journal(at, bytes(32), Environment.SANDBOX).close()
"""
    said, _ = on_the_layer(tmp_path / "folder", script, "write 28 2 1")
    assert said.split() == ["disk_full"]


def pay_on_a_full_disk(data: Path, config: Path, *how: str) -> Running:
    """A payment whose intent cannot be written."""
    files = ["--config", config / "config.toml", "--secrets-file", config / "secrets.toml"]
    command = ["--json", *files, "--data-dir", data, "pay", "--amount", "12.50", "--push", "+94771234567"]
    runner = [sys.executable, "-m", "tests.verification.campaign.disk.runner", FULL_FROM_NOW, *how, "--"]
    return Running(
        start_anew([*runner, *map(str, command)], layer.beneath(data.parent, data.with_name("record")))
    )


def test_nothing_leaves_whose_intent_cannot_be_written(
    tmp_path: Path, sandbox: Sandbox, config: Path
) -> None:
    done = pay_on_a_full_disk(tmp_path / "data", config).end()
    assert (done.code, done.out) == (73, "")
    assert "not started, nothing was sent" in done.err
    assert sandbox.transactions() == []


def test_a_till_that_sends_all_the_same_is_found(tmp_path: Path, sandbox: Sandbox, config: Path) -> None:
    paying = pay_on_a_full_disk(tmp_path / "data", config, "careless")
    try:
        paying.tells("the journal cannot be written")
        # Its answer is what could not be written: by then the request had left.
        (sent,) = sandbox.transactions()
    finally:
        paying.kill()
    with closing(read_only(tmp_path / "data" / "sandbox" / "journal.sqlite")) as journal:
        assert journal.attempt(sent["externalMerchantTransactionId"]) is None
    sandbox.reset()


@pytest.mark.parametrize("n", [4, 40])
def test_a_code_is_counted_or_not_sent(tmp_path: Path, sandbox: Sandbox, config: Path, n: int) -> None:
    point = Point("otp", "full for good", n)
    tried = attempt_at(point, tmp_path / "till", sandbox, config, f"+9477123{n:04}")
    assert (tried.hit, tried.findings) == (True, ())
