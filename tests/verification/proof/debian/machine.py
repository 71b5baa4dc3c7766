"""A bare Debian, with nothing on it but what the till's package asks for; each test gets it as it was made."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import pytest

from tests.architecture.sources import ROOT

AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]
LIMIT_S = 300
BUILDER_LIMIT_S = 900
CONTROL = ROOT / "packaging" / "deb" / "pos-app.control"
# So that the kiosk's package makes its user without all of systemd.
BESIDE = ("systemd-standalone-sysusers", "systemd-standalone-tmpfiles")
HOLDER = Path(__file__).with_name("hold.sh")
_NOT_REACHED = ("Failed getting release", "Couldn't download")
"""What debootstrap says where its archive, or the way there, was down; all else it says is somebody's to mend."""

_TOOLS = ("rsvg-convert", "apt-ftparchive", "gpg", "lintian", "appstreamcli", "desktop-file-validate")
_OWN_VIEW = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]


class NotReached(Exception):
    """What a bare Debian is made of could not be had: the archive, the network, apt's list of archives."""


@cache
def why_not() -> str:
    """Why no machine can be made here; nothing where one can."""
    if shutil.which("debootstrap") is None or shutil.which("apt-get") is None:
        return "debootstrap is not here: this is no Debian"
    tried = subprocess.run(
        [*AS_ROOT, *_OWN_VIEW, "chroot", "/", "true"], capture_output=True, text=True, check=False
    )
    said = tried.stderr.strip().splitlines()
    return "" if tried.returncode == 0 else (said or ["it is not allowed"])[-1]


def lacking() -> str:
    """What packages are made and judged with and this machine has not; "" where it has all (bootstrap.sh packages)."""
    return ", ".join(name for name in _TOOLS if shutil.which(name) is None)


def needs_a_bare_debian() -> pytest.MarkDecorator:
    """Some machines let nobody make one: a container without rights, an account that may not become root."""
    return pytest.mark.skipif(bool(why_not()), reason=f"no bare Debian can be made here: {why_not()}")


def depends() -> list[str]:
    """The packages that the till's asks for."""
    line = next(line for line in CONTROL.read_text().splitlines() if line.startswith("Depends:"))
    return [part.split()[0] for part in line.removeprefix("Depends:").split(",")]


@cache
def base(release: str = "", *named: str) -> Path:
    """Its files; made from the archive that this machine itself is kept from, once for each list of packages.

    `release`: another Debian than this machine's, by its code name; `named`: packages beside the smallest Debian's, in
    place of those that the till's asks for. Raises NotReached, and CalledProcessError with what was said in
    `build/proof/debian.log`.
    """
    own = platform.freedesktop_os_release()["VERSION_CODENAME"]
    codename = release or own
    packages = ",".join(named or [*depends(), *BESIDE])
    made_of = hashlib.sha256(f"{codename} {packages}".encode()).hexdigest()[:12]
    home = ROOT / "build" / "proof"
    made = home / f"debian-{codename}-{made_of}"
    if not made.is_dir():
        half, kept = home / "debian-half", home / "debian-packages"
        kept.mkdir(parents=True, exist_ok=True)
        subprocess.run([*AS_ROOT, "rm", "-rf", "--one-file-system", half], check=True)
        options = ["--variant=minbase", f"--cache-dir={kept}", f"--include={packages}"]
        said = home / "debian.log"
        with said.open("wb") as log:
            made_it = subprocess.run(
                [*AS_ROOT, "debootstrap", *options, codename, str(half), archive(own)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=BUILDER_LIMIT_S,
            )
        if made_it.returncode != 0:
            if reason := not_reached(said.read_text("utf-8", "replace")):
                raise NotReached(reason)
            made_it.check_returncode()
        subprocess.run([*AS_ROOT, "mv", half, made], check=True)
    return made


def not_reached(said: str) -> str:
    """The line in which debootstrap says that it did not get something; "" where that was not what ended it."""
    errors = [line for line in said.splitlines() if line.startswith("E: ")]
    return next((line for line in errors if any(sign in line for sign in _NOT_REACHED)), "")


def archive(codename: str) -> str:
    """Where the packages of this Debian are, by what this machine's apt is told of. Raises NotReached."""
    asked = ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages"]
    asked += ["Origin: Debian", f"Codename: {codename}", "Component: main"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    if not found:  # its lists were cleared away; the lines it reads them by are still there
        listed = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)"],
            capture_output=True,
            text=True,
            check=True,
        )
        found = re.findall(rf"^(\S+) {codename}$", listed.stdout, re.MULTILINE)
    if not found:
        raise NotReached(f"apt is told of no archive of Debian {codename}")
    return found[0]


class Debian:
    """`with Debian(folder, share)`: one machine with the user `kassa`; `share` is its /mnt. All of it ends with it.

    `files`: what it is made of, where that is not what the till's package asks for; `says`: what each program's
    environment there has besides. `limit_s`: how long one may take.
    """

    limit_s: float = LIMIT_S

    def __init__(
        self, folder: Path, share: Path, files: Path | None = None, says: Mapping[str, str] | None = None
    ) -> None:
        self._says = dict(says or {})
        self._root = folder / "root"
        self._holder = subprocess.Popen(
            [*AS_ROOT, *_OWN_VIEW, "sh", str(HOLDER), str(files or base()), str(folder), str(share)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout is not None
        self._number = self._holder.stdout.readline().strip()

    def __enter__(self) -> Self:
        assert self._number, "the machine's files could not be laid together"
        self.good("useradd", "--create-home", "kassa")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        for pipe in (self._holder.stdin, self._holder.stdout):
            assert pipe is not None
            pipe.close()
        self._holder.wait(60)

    def command(self, *words: str, user: str = "", **variables: str) -> list[str]:
        """A command line of this machine's for one of that."""
        plain = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
        plain |= {
            "HOME": f"/home/{user}" if user else "/root",
            "DEBIAN_FRONTEND": "noninteractive",
            **self._says,
            **variables,
        }
        into = [*AS_ROOT, "nsenter", f"--target={self._number}", "--mount", "--pid"]
        into += ["chroot", *([f"--userspec={user}"] if user else []), str(self._root)]
        return [*into, "env", "-i", *(f"{name}={value}" for name, value in plain.items()), *words]

    def run(self, *words: str, user: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """How it ended, and what it said on both streams, as one."""
        return subprocess.run(
            self.command(*words, user=user, **variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=self.limit_s,
            check=False,
        )

    def good(self, *words: str, user: str = "", **variables: str) -> str:
        """What it said; it must end well."""
        done = self.run(*words, user=user, **variables)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def give(self, name: str, text: str) -> None:
        """A file for the user `kassa` alone, in their home; nothing of it stands on a command line."""
        command = self.command("sh", "-c", f"umask 077; exec cat >/home/kassa/{name}", user="kassa")
        subprocess.run(command, input=text, text=True, check=True)

    @contextmanager
    def begun(self, *words: str, user: str = "") -> Iterator[subprocess.Popen[str]]:
        """A program that goes on, and is ended behind it; its output can be read line by line."""
        command = self.command(*words, user=user)
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as program:
            try:
                yield program
            finally:
                program.kill()

    def version(self, package: str = "pos-app") -> str:
        """The one that is there and its state, as "0.1.0 installed"."""
        return self.run("dpkg-query", "-W", "-f=${Version} ${db:Status-Status}", package).stdout

    def there(self, *places: str) -> list[str]:
        """Those of the places that are there."""
        return [place for place in places if self.run("test", "-e", place).returncode == 0]


def line_with(output: IO[Any] | None, word: str) -> str:
    """Of a program that goes on, the next line with the word in it. Fails when the program ends before."""
    assert output is not None
    for line in output:
        if word in line:
            return str(line)
    raise AssertionError(f"it ended before it said {word}")
