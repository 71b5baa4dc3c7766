"""The disk of a machine that is a till: a bare Debian, the packages, settings, sealed secrets, services beside it.

Made once for a set of packages, in `build/machine`; nothing is mounted on it and no loop device is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from tests.architecture.sources import ROOT
from tests.verification.proof.debian.machine import AS_ROOT, archive

CODENAME = "bookworm"
HOME = ROOT / "build" / "machine"
INSIDE = Path(__file__).with_name("inside")
PORT = 8455
"""Of the services inside. Outside each machine has a port of its own that leads there."""
NUMBER = "+94770000010"
"""Of the manager whom `inside/make` puts on the list."""
DISK_MB = 3000
_BUILD_LIMIT_S = 1800
# What makes a Debian start by itself; the till's packages name the rest.
_SYSTEM = (
    "systemd", "systemd-sysv", "dbus", "udev", "kmod", "linux-image-amd64", "initramfs-tools", "passwd",
)  # fmt: skip
_PROGRAMS = ("qemu-system-x86_64", "qemu-img", "debootstrap", "mkfs.ext4", "tesseract", "apt-get")


class Image(NamedTuple):
    """What a machine is started from; nobody writes to these files."""

    disk: Path
    kernel: Path
    first_files: Path
    """The kernel's: the initrd."""


@cache
def why_not() -> str:
    """Why no machine can be made here; nothing where one can."""
    missing = [
        name for name in _PROGRAMS if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None
    ]
    if missing:
        return f"{', '.join(missing)}: not installed"
    tried = subprocess.run(
        [*AS_ROOT, "unshare", "--mount", "true"], capture_output=True, text=True, check=False
    )
    return "" if tried.returncode == 0 else "nobody may become root here, which debootstrap needs"


def depends() -> list[str]:
    """What both packages ask for, but each other."""
    found: list[str] = []
    for name in ("pos-app", "pos-app-kiosk"):
        text = (ROOT / "packaging" / "deb" / f"{name}.control").read_text("utf-8")
        line = next(line for line in text.splitlines() if line.startswith("Depends:"))
        found += [part.split()[0] for part in line.removeprefix("Depends:").split(",")]
    return sorted(set(found) - {"pos-app"})


def image(till: Path, kiosk: Path) -> Image:
    """Of these two packages. Raises CalledProcessError with what was said in `build/machine/image.log`."""
    made_of = hashlib.sha256()
    for part in (till, kiosk, Path(__file__), *sorted(INSIDE.iterdir())):
        made_of.update(part.read_bytes())
    made = HOME / f"image-{made_of.hexdigest()[:12]}"
    if not made.is_dir():
        _make(made, till, kiosk)
    return Image(*(made / name for name in Image._fields))


def _make(made: Path, till: Path, kiosk: Path) -> None:
    root, half = HOME / "root", HOME / "half"
    with (HOME / "image.log").open("ab") as log:
        base = _base(log)
        _as_root(log, "rm", "-rf", "--one-file-system", root, half)
        for old in HOME.glob("image-*/"):
            _as_root(log, "rm", "-rf", old)
        half.mkdir()
        _as_root(log, "cp", "-a", base, root)
        _as_root(log, "cp", till, kiosk, root / "tmp")
        _as_root(log, "cp", "-r", INSIDE, root / "tmp" / "inside")
        # A view of mounts of its own, which ends with it: the folder itself has nothing mounted on it.
        _as_root(log, "unshare", "--mount", "--propagation", "private", "sh", "-c", _ENTER, str(root))
        for wanted, name in (("vmlinuz", "kernel"), ("initrd.img", "first_files")):
            _as_root(log, "cp", "--dereference", root / wanted, half / name)
        disk = half / "disk"
        subprocess.run(["truncate", f"--size={DISK_MB}M", disk], check=True)
        _as_root(log, "mkfs.ext4", "-q", "-m", "0", "-d", root, disk)
        _as_root(log, "chown", "-R", str(os.getuid()), half)
        _as_root(log, "rm", "-rf", "--one-file-system", root)
    half.rename(made)


def _base(log: IO[bytes]) -> Path:
    """A bare Debian with what the packages ask for, kept for as long as they ask for the same."""
    packages = ",".join([*_SYSTEM, *depends()])
    made = HOME / f"debian-{hashlib.sha256(f'{CODENAME} {packages}'.encode()).hexdigest()[:12]}"
    if not made.is_dir():
        half, kept = HOME / "debian-half", HOME / "packages"
        kept.mkdir(parents=True, exist_ok=True)
        _as_root(log, "rm", "-rf", "--one-file-system", half)
        options = ["--variant=minbase", f"--cache-dir={kept}", f"--include={packages}"]
        _as_root(log, "debootstrap", *options, CODENAME, half, archive(CODENAME))
        _as_root(log, "mv", half, made)
    return made


def _as_root(log: IO[bytes], *words: str | Path) -> None:
    subprocess.run(
        [*AS_ROOT, "env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        check=True,
        timeout=_BUILD_LIMIT_S,
    )


_ENTER = """
set -eu
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs -o mode=755 none "$0/run"
exec chroot "$0" sh /tmp/inside/make
"""
