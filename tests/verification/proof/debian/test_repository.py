"""A fleet's way: apt from a signed repository, by a key that was made for this trial; nothing else is taken."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.verification.proof.debian.conftest import LATER, Packages
from tests.verification.proof.debian.machine import Debian, needs_a_bare_debian

pytestmark = [pytest.mark.timeout(1800), needs_a_bare_debian()]
MAKER = ROOT / "packaging" / "deb" / "repository.sh"
SOURCE = (
    "Types: deb\nURIs: file:/mnt/{0}\nSuites: stable\nComponents: main\nSigned-By: /mnt/{1}/pos-app.gpg\n"
)


def _key(folder: Path) -> Path:
    """As its owner exports it. Their keyring's name is short, as a person's is: gpg's agent listens in it."""
    folder.mkdir()
    owner = "Trial <trial@pos-app.invalid>"
    gpg = ["gpg", "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback"]
    with tempfile.TemporaryDirectory(prefix="pos-app-keys-", dir="/tmp") as home:
        environment = {"PATH": os.environ["PATH"], "GNUPGHOME": home}
        try:
            subprocess.run(
                [*gpg, "--quick-gen-key", owner, "ed25519", "sign", "never"], env=environment, check=True
            )
            file = folder / "key.asc"
            with file.open("wb") as out:
                exported = [*gpg, "--armor", "--export-secret-keys"]
                subprocess.run(exported, env=environment, stdout=out, check=True)
        finally:
            subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=True)
    return file


@pytest.fixture
def repository(packages: Packages, tmp_path: Path) -> Path:
    """With both packages of the version that is; it lies in the machine's /mnt, under the same name."""
    folder = packages.folder / tmp_path.name
    _made(_key(tmp_path / "ours"), folder, *packages.now())
    return folder


def _made(key: Path, folder: Path, *packages: Path) -> None:
    """In a session whose folder for what is temporary has a long name, as CI's have: gpg's agent must find room."""
    long = key.parent / ("a folder with a long name " * 4)
    long.mkdir(exist_ok=True)
    command = ["sh", str(MAKER), str(key), str(folder), *map(str, packages)]
    subprocess.run(command, check=True, env={**os.environ, "TMPDIR": str(long)})
    assert list(long.iterdir()) == []


def _source(debian: Debian, name: str, key: str) -> None:
    text = SOURCE.format(name, key)
    debian.good(
        "sh",
        "-c",
        'rm -f /etc/apt/sources.list; printf %s "$TEXT" >/etc/apt/sources.list.d/till.sources',
        TEXT=text,
    )


def test_from_a_signed_repository(
    debian: Debian, packages: Packages, repository: Path, tmp_path: Path
) -> None:
    """Installed and updated by apt; a list that was changed and one of another's key are not read."""
    _source(debian, repository.name, repository.name)
    debian.good("apt-get", "update", "--error-on=any")
    debian.good("apt-get", "install", "--yes", "pos-app")
    assert debian.version().endswith(" installed")
    _made(tmp_path / "ours" / "key.asc", repository, *packages.folder.glob(f"pos-app*_{LATER}_*.deb"))
    debian.good("apt-get", "update", "--error-on=any")
    debian.good("apt-get", "upgrade", "--yes")
    assert debian.version() == f"{LATER} installed"

    strange = repository.with_name(f"{repository.name}-strange")
    _made(_key(tmp_path / "theirs"), strange, *packages.now())
    _source(debian, strange.name, repository.name)
    assert "NO_PUBKEY" in _refused(debian)
    changed = repository.with_name(f"{repository.name}-changed")
    shutil.copytree(repository, changed)
    release = changed / "dists" / "stable" / "InRelease"
    release.write_text(release.read_text().replace("Label: pos-app", "Label: pos-foo"))
    _source(debian, changed.name, repository.name)
    assert "BADSIG" in _refused(debian)


def _refused(debian: Debian) -> str:
    debian.good("sh", "-c", "rm -rf /var/lib/apt/lists/*")
    done = debian.run("apt-get", "update", "--error-on=any")
    assert done.returncode != 0
    return done.stdout


def test_one_number_is_one_package(packages: Packages, repository: Path, tmp_path: Path) -> None:
    """Machines that have it would never ask for the other: whoever makes the repository is told."""
    kiosk = next(path for path in packages.now() if "kiosk" in path.name)
    other = tmp_path / kiosk.name
    other.write_bytes(kiosk.read_bytes() + b"\n")
    done = subprocess.run(
        ["sh", str(MAKER), str(tmp_path / "ours" / "key.asc"), str(repository), str(other)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "give the new one a new version" in done.stderr
