"""What the two packages are, before anybody installs them: the same bytes each time, in order."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.bundle.built import built, files, one_at_a_time
from tests.verification.proof.debian.conftest import FINISHED, Packages, pack
from tests.verification.proof.debian.machine import depends, not_reached

pytestmark = pytest.mark.timeout(1800)
# The C library's parts are one package; what the folder itself holds needs none.
_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def unpacked(packages: Packages) -> Iterator[Path]:
    """The files of both, as they would lie on a machine."""
    with tempfile.TemporaryDirectory(prefix="pos-app-unpacked-") as folder:
        for package in packages.now():
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        yield Path(folder)


def said(*command: str | Path) -> str:
    """On both streams, by a judge that must be content."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_packed_twice_they_are_the_same(packages: Packages, tmp_path: Path) -> None:
    before = packages.folder
    with one_at_a_time():
        if FINISHED:  # with xz, and signed inside
            before = pack(tmp_path / "before")[0].parent
        again = pack(tmp_path / "again")
    assert len(again) == 2
    for package in again:
        first = before / package.name
        assert hashlib.sha256(first.read_bytes()).digest() == hashlib.sha256(package.read_bytes()).digest()


def test_debian_s_own_judge_finds_nothing(packages: Packages) -> None:
    """What it would find and why it may be stands in packaging/deb/*.lintian-overrides; an unused one is found, too."""
    quick = "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball"
    command = ["lintian", "--allow-root", "--fail-on=error,warning,info,override", f"--suppress-tags={quick}"]
    command.append("--tag-display-limit=0")
    assert said(*command, *packages.now()) == ""


@pytest.mark.parametrize(
    ("told", "is_said"),
    [
        ("W: Retrying failed download of http://…\nE: Failed getting release file http://…/Release\n", True),
        ("W: Couldn't download package libx11-6\nE: Couldn't download packages: libx11-6\n", True),
        ("I: Retrieving\nE: Couldn't find these debs: libxyz1\n", False),
        ("W: Failure while configuring base packages.\n", False),
    ],
)
def test_only_an_archive_out_of_reach_is_nobody_s_fault(told: str, is_said: bool) -> None:
    """Of what debootstrap says: a proof that is left out for anything else would hide what is ours to mend."""
    assert bool(not_reached(told)) is is_said


def test_the_menu_entry_and_what_shops_of_programs_read_are_in_order(unpacked: Path) -> None:
    share = unpacked / "usr" / "share"
    assert said("desktop-file-validate", share / "applications" / "pos-app.desktop") == ""
    said("appstreamcli", "validate", "--no-net", *(share / "metainfo").iterdir())
    sizes = {path.parents[1].name for path in (share / "icons" / "hicolor").rglob("pos-app.png")}
    assert {"16x16", "48x48", "256x256", "512x512"} <= sizes


def test_it_asks_for_what_its_libraries_need_and_for_nothing_else() -> None:
    """Each library that a file of the folder names and the folder has not, by the package that brings it."""
    carried = {path.name for path in built().rglob("*.so*")}
    programs = [str(path) for path in files() if ".so" in path.name or path.name == "pos-app"]
    wanted = set(_NEEDED.findall(said("objdump", "-p", *programs))) - carried
    owners = {said("dpkg-query", "-S", f"*/x86_64-linux-gnu/{name}").partition(":")[0] for name in wanted}
    assert owners == set(depends())


def test_what_may_be_changed_on_a_machine_is_little(packages: Packages, unpacked: Path) -> None:
    """The kiosk's one file in /etc; the shop's settings and secrets are no package's."""
    for package in packages.now():
        listed = subprocess.run(
            ["dpkg-deb", "-I", package, "conffiles"], capture_output=True, text=True, check=False
        )
        kiosk = ["/etc/needrestart/conf.d/pos-app-kiosk.conf"]
        assert listed.stdout.split() == (kiosk if "kiosk" in package.name else [])
    assert {str(path.relative_to(unpacked)) for path in (unpacked / "etc").rglob("*") if path.is_file()} == {
        "etc/needrestart/conf.d/pos-app-kiosk.conf",
    }


def test_the_kiosk_s_unit_names_files_that_are_there(unpacked: Path) -> None:
    unit = (unpacked / "usr/lib/systemd/system/pos-app-kiosk.service").read_text()
    named = re.findall(r"(?:=|file:| )(/usr/\S+)", unit)
    assert len(named) >= 4
    assert [place for place in named if not (unpacked / place[1:]).exists()] == []
    inside = unpacked / "usr/lib/pos-app/_internal"
    laid = [path for path in unpacked.rglob("*") if path.is_file() and not path.is_relative_to(inside)]
    assert [path for path in laid if re.search(rb"@(HOME|VERSION|SIZE|MAINTAINER)@", path.read_bytes())] == []
