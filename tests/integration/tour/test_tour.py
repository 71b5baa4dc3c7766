"""The tour drives the real till through a day, in a process of its own, as a bundle's self-test does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from tests.support.sandbox import REPOSITORY
from tests.support.types_of_qt import made_elsewhere

LEAST_PICTURES = 8


def _tour(*arguments: str, types: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.support.types_of_qt", str(types), "tour", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=150,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )


@pytest.mark.timeout(160)
def test_a_day_comes_to_its_end_with_its_pictures(tmp_path: Path) -> None:
    types = tmp_path / "types"
    done = _tour("--screenshots", str(tmp_path), types=types)
    assert done.returncode == 0, done.stdout + done.stderr
    pictures = sorted(tmp_path.glob("*.png"))
    assert len(pictures) >= LEAST_PICTURES
    readable = {path.name: zxingcpp.read_barcodes(Image.open(path)) for path in pictures}
    codes = {name: found[0].text for name, found in readable.items() if found}
    assert any("waiting-qr" in name for name in codes)
    assert not any("paid" in name for name in codes)
    assert made_elsewhere(types) == []


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = _tour("--screenshots", str(tmp_path / "file" / "pictures"), types=tmp_path / "types")
    assert done.returncode == 73
    assert "cannot be made" in done.stderr


def test_pictures_that_were_made_are_made_where_nobody_reads_of_them(tmp_path: Path) -> None:
    """`gallery | head -0` ended with 70, and the tour did not begin: both wrote past what each verb writes by."""
    said = b"pos-app: standard output cannot be written: No space left on device\n"
    command = [sys.executable, "-m", "pos_app"]
    own = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    # Where a folder stands no picture can be: the tour is over with its first.
    taken = tmp_path / "tour" / "01-sign-in.png"
    taken.mkdir(parents=True)
    lost = f"pos-app: the picture {taken} cannot be written\n".encode()
    lines = {
        ("gallery", "--section", "day"): (0, said),
        ("tour",): (73, said + lost),
    }
    for (verb, *more), ends in lines.items():
        line = [*command, verb, "--screenshots", str(tmp_path / verb), *more]
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                line, stdout=full, stderr=subprocess.PIPE, cwd=REPOSITORY, env=own, timeout=60, check=False
            )
        # Qt's off-screen plugin says there what it does not support.
        ours = b"".join(each for each in done.stderr.splitlines(keepends=True) if b"plugin" not in each)
        assert (done.returncode, ours) == ends, verb
