"""What shops install, made in one go: `make release` leaves it in dist/, with the sums of all of it (docs/release.md).

First all that speaks against it is said at once: what is wrong, where, what to do. Then each step runs, its words in
build/release/STEP.log. Everything is built twice, and nothing is signed that did not come out the same.

A rehearsal (REHEARSE=1) tells what a release would be refused for and goes on; it takes no release's key. RESUME=1 goes
on where the last one stopped, as long as the same commit is built and what was made lies there unchanged.
"""

from __future__ import annotations

import argparse
import ast
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

sys.path[:0] = [str(Path(__file__).resolve().parent / "bundle")]
import manifest  # noqa: E402

BUILDER = "bookworm"
"""The oldest Debian that is served: what is built there runs on newer ones, not the other way about."""

LOCK_DAYS = 45
LOCKED_ON = Path("packaging") / "locks" / "resolved"
METAINFO = Path("packaging") / "desktop" / "local.pos_app.till.metainfo.xml"
PUBLIC = Path("pos_app") / "system" / "release_key.py"
BUNDLE = Path("dist") / "pos-app"
WINDOWS = Path("dist") / "windows" / "pos-app"
AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]
TRIAL = [*AS_ROOT, "unshare", "--mount", "--pid", "--fork", "chroot", "/", "true"]
SUMS = "SHA256SUMS"
UNSIGNED = "UNSIGNED.sha256"
_OURS = ("RELEASE_KEY", "SIGN", "REHEARSE", "RESUME", "AUDIT", "STEPS", "VERSION", "COMPRESS")
_OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
_CHANGES = tuple((Path(__file__).parent / "not_inherited.txt").read_text("ascii").split())
"""How the names begin of what would change what is built, or how it is tried, without a word in either build."""
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_FROM_DEBIAN = "  Debian's: "
_NAMED = 5
_TAIL = 25


class Refusal(NamedTuple):
    """What is wrong, where, and what whoever makes the release does about it."""

    wrong: str
    where: str
    do: str

    def __str__(self) -> str:
        return f"{self.wrong}\n    where: {self.where}\n    do:    {self.do}"


class Stopped(Exception):
    """A step that did not come to its end; its words are for whoever makes the release."""


# What speaks against a release. Each looks at one thing and changes nothing.


def version_of(root: Path) -> str:
    """The one of pyproject.toml, where alone it stands."""
    return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def misnumbered(version: str) -> list[Refusal]:
    """Windows takes numbers alone, Debian sorts what follows them."""
    if _VERSION.fullmatch(version):
        return []
    return [
        Refusal(f"{version} is no version of ours", "pyproject.toml", "write 1.2.3, or 1.2.3rc1 before it")
    ]


def uncommitted(root: Path) -> list[Refusal]:
    """What is built is what the commit says, or nobody can build it again."""
    changed = _git(root, "status", "--porcelain").splitlines()
    if not changed:
        return []
    where = _some([line[3:] for line in changed])
    return [Refusal("the tree is not what was committed", where, "commit it, or take it away (git stash -u)")]


def untagged(root: Path, version: str) -> list[Refusal]:
    """vX.Y.Z names this commit, and no other commit bears it."""
    tag = f"v{version}"
    if tag in _git(root, "tag", "--points-at", "HEAD").split():
        return []
    head = _git(root, "rev-parse", "--short", "HEAD")
    if tag in _git(root, "tag", "--list", tag).split():
        at = _git(root, "rev-parse", "--short", f"{tag}^{{commit}}")
        return [
            Refusal(
                f"{tag} is the name of another commit, {at}",
                f"HEAD, {head}",
                f"git checkout {tag}, or give this one a new version (pyproject.toml)",
            )
        ]
    return [
        Refusal(f"no tag {tag}", f"HEAD, {head}", f"git tag -s {tag}, when {version} is what it should be")
    ]


def unwritten(root: Path, version: str) -> list[Refusal]:
    """The changelog tells a shop what is new, with the day; "not released" is for what is not."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if re.match(rf"{re.escape(version)}(?![\w.])", head):
            break
    else:
        return [
            Refusal(f"no entry for {version}", "CHANGELOG.md", f"write one under `## {version} (the day)`")
        ]
    if "not released" in head:
        do = f"write the day in place of it: `## {version} ({datetime.now(UTC).date()})`"
        return [Refusal(f"the entry for {version} says that it is not released", "CHANGELOG.md", do)]
    if not body.strip():
        return [Refusal(f"the entry for {version} is empty", "CHANGELOG.md", "write what changed for a shop")]
    return []


def undeclared(root: Path, version: str) -> list[Refusal]:
    """What software centres show as the newest."""
    releases = ElementTree.parse(root / METAINFO).findall("./releases/release")
    newest = releases[0].get("version") if releases else "none"
    if newest == version:
        return []
    do = f'put <release version="{version}" date="…"> before all others'
    return [Refusal(f"its newest release is {newest}, not {version}", str(METAINFO), do)]


def overdue(root: Path, today: date) -> list[Refusal]:
    """Libraries were chosen too long ago: what was found in them since is not mended."""
    do = "make lock, run the tests, commit"
    try:
        resolved = date.fromisoformat((root / LOCKED_ON).read_text("ascii").strip())
    except (OSError, ValueError) as error:
        return [Refusal(f"nobody knows of which day the locks are ({error})", str(LOCKED_ON), do)]
    days = (today - resolved).days
    if 0 <= days <= LOCK_DAYS:
        return []
    said = (
        f"the locks are {days} days old, {LOCK_DAYS} at most"
        if days > 0
        else "the locks are of a day to come"
    )
    return [Refusal(said, f"{LOCKED_ON}: {resolved}", do)]


def public_key(root: Path) -> str:
    """The one that tills judge by; "" while there is none."""
    for node in ast.parse((root / PUBLIC).read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC_KEY":
            return str(ast.literal_eval(node.value))
    raise Stopped(f"{PUBLIC} names no PUBLIC_KEY")


def unfit_key(root: Path, key: Path, *, rehearsal: bool) -> list[Refusal]:
    """Of the private key: whether it may be believed, and whether tills will know what it signed."""
    where = str(key)
    try:
        own = manifest.public(key)
    except (OSError, ValueError, TypeError) as error:
        do = "name the file that `openssl genpkey -algorithm ed25519` made, without a passphrase"
        return [Refusal(f"RELEASE_KEY is no key that can sign: {error}", where, do)]
    said = []
    if root.resolve() in key.resolve().parents:
        said.append(Refusal("the private key lies among the sources", where, "keep it on a stick of its own"))
    if key.stat().st_mode & 0o077:
        said.append(Refusal("others can read the private key", where, f"chmod 600 {key}"))
    known = public_key(root)
    if rehearsal and own == known:
        do = "rehearse without RELEASE_KEY, or with a key made for the trial"
        said.append(Refusal("a rehearsal is signed with no release's key", where, do))
    if not rehearsal and own != known:
        told = "is another than" if known else "is not in the till, which knows none:"
        do = f'take the right key, or write PUBLIC_KEY = "{own}", commit and tag that'
        said.append(Refusal(f"the key's public half {told} PUBLIC_KEY", str(PUBLIC), do))
    return said


def unsigned(root: Path) -> list[Refusal]:
    """Of no private key: tills that know one would say of this release that nobody signed it, as of a stranger's."""
    if not public_key(root):
        return []
    do = "export RELEASE_KEY=FILE; what comes without one is told by a rehearsal (REHEARSE=1)"
    return [Refusal("nothing would sign this release, and the till knows a signature", str(PUBLIC), do)]


def wrong_builder(codename: str) -> list[Refusal]:
    """A C library newer than a shop's ends the till before its first line."""
    if codename == BUILDER:
        return []
    do = f"build on Debian {BUILDER} (a chroot or a container will do)"
    return [
        Refusal(
            f"this system is {codename or 'unknown'}: what it builds may not start on an older one",
            "here",
            do,
        )
    ]


def powerless(trial: Sequence[str]) -> list[Refusal]:
    """What makes a machine within this one is root's to do; `trial`: does a little of it, and says why it cannot."""
    try:
        done = subprocess.run(trial, capture_output=True, text=True, check=False)
        said = "" if done.returncode == 0 else done.stderr.strip() or f"it ended with {done.returncode}"
    except OSError as error:
        said = str(error)
    if not said:
        return []
    do = "become root of a whole machine, or let this account use sudo there without a password"
    return [Refusal("no bare Debian can be made here, so the packages could not be tried", said, do)]


def carried(listed: str) -> dict[str, str]:
    """The packages of Debian in a THIRD-PARTY.txt, each with its version."""
    rows = [line.partition(_FROM_DEBIAN)[0].split() for line in listed.splitlines() if _FROM_DEBIAN in line]
    return dict(rows)


def offered(policy: str) -> dict[str, str]:
    """What `apt-cache policy` would install of each package; "(none)" where it knows none."""
    found, name = {}, ""
    for line in policy.splitlines():
        if line and not line.startswith(" "):
            name = line.removesuffix(":").partition(":")[0]
        elif line.startswith("  Candidate: "):
            found[name] = line.removeprefix("  Candidate: ")
    return found


def outdated(inside: Mapping[str, str], apt: Mapping[str, str]) -> list[Refusal]:
    """Libraries of Debian in the folder of which there is a newer one: nobody renews them in a shop but we."""
    now = {name: apt.get(name, "(none)") for name in inside}
    stale = [
        f"{name} {inside[name]}, now {now[name]}" for name in sorted(inside) if now[name] != inside[name]
    ]
    if not stale:
        return []
    do = "apt-get update && apt-get upgrade, then `make release` from its beginning"
    return [Refusal("the folder carries libraries of Debian that are not the newest", "; ".join(stale), do)]


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Stopped(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.rstrip("\n")


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


# What is made of files.


def total(path: Path) -> str:
    """SHA-256 of a file; of a folder, of the list of all its files."""
    if path.is_dir():
        return hashlib.sha256("\n".join(manifest.listed(path)).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def same(first: Path, second: Path) -> None:
    """Raises Stopped where two builds of one thing differ: which of them is what the commit says, nobody can tell."""
    if total(first) != total(second):
        raise Stopped(
            f"two builds are not equal, and neither is signed: {first} and {second} (diffoscope tells why)"
        )


def write_sums(folder: Path, names: Iterable[str], to: str = SUMS) -> Path:
    """As `sha256sum -c` reads them; a signature that was of other sums goes."""
    file = folder / to
    file.with_name(file.name + manifest.SIGNATURE).unlink(missing_ok=True)
    half = file.with_name(f".{to}.new")
    half.write_text("".join(f"{total(folder / name)}  {name}\n" for name in sorted(names)), encoding="utf-8")
    half.replace(file)
    return file


def left_out(report: Path) -> list[str]:
    """Tests of a run that were not run, with the reason; a run without a test counts as one."""
    cases = list(ElementTree.parse(report).iter("testcase"))
    skipped = [(case.get("name"), node) for case in cases for node in case.iter("skipped")]
    return [f"{name}: {node.get('message')}" for name, node in skipped] or (
        [] if cases else ["no test was found"]
    )


class Made:
    """What was done of one release, in a file, so that it can be gone on with. `of`: what is released, and how."""

    def __init__(self, file: Path, root: Path, of: str, *, resume: bool) -> None:
        self._file, self._root, self.of = file, root, of
        self.seconds: dict[str, float] = {}
        self.files: dict[str, list[str]] = {}
        """Each file or folder that was made: by which step, and its sum."""
        if resume and file.is_file():
            told = json.loads(file.read_text("utf-8"))
            if told["of"] == of:
                self.seconds, self.files = told["seconds"], told["files"]

    def changed(self) -> list[str]:
        """What is not there any more as it was made."""
        return [name for name, (_, summed) in self.files.items() if self._sum(name) != summed]

    def forget_from(self, steps: list[str]) -> None:
        """The first of these that has to be done again takes all behind it with it."""
        redone = {self.files[name][0] for name in self.changed()}
        redone |= {step for step in steps if step not in self.seconds}
        first = next((at for at, step in enumerate(steps) if step in redone), len(steps))
        for step in steps[first:]:
            self.seconds.pop(step, None)
        self.files = {name: row for name, row in self.files.items() if row[0] not in steps[first:]}

    def done(self, step: str, seconds: float, made: Iterable[Path]) -> None:
        """Written at once. What a later step changed of an earlier one's (a signature) counts as changed rightly."""
        self.seconds[step] = round(seconds, 1)
        for path in made:
            self.files.setdefault(path.relative_to(self._root).as_posix(), [step, ""])
        self.files = {name: [by, self._sum(name)] for name, (by, _) in self.files.items()}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        told = {"of": self.of, "seconds": self.seconds, "files": self.files}
        half = self._file.with_suffix(".new")
        half.write_text(json.dumps(told, indent=1), encoding="utf-8")
        half.replace(self._file)

    def _sum(self, name: str) -> str:
        path = self._root / name
        return total(path) if path.exists() else ""


# The steps.


class Release:
    """One run. `key`: of the lists and sums; `sign`: the command that signs programs for Windows."""

    def __init__(self, root: Path, wanted: argparse.Namespace, environment: Mapping[str, str]) -> None:
        self._root, self._dist, self._work = root, root / "dist", root / "build" / "release"
        self._is_rehearsal = bool(wanted.rehearse)
        self._audits = bool(wanted.audit)
        key = environment.get("RELEASE_KEY", "")
        self._key = Path(key).expanduser().absolute() if key else None
        self._sign = environment.get("SIGN", "")
        # The keys are handed to nobody but the step that signs; nothing else of the caller's changes what is built.
        self._environment = {
            name: value
            for name, value in environment.items()
            if name not in _OURS + _OF_MAKE and not name.startswith(_CHANGES)
        }
        # Of the commit that was looked at, whatever is committed meanwhile.
        self._environment |= {
            "BUILD_COMMIT": _git(root, "rev-parse", "HEAD"),
            "SOURCE_DATE_EPOCH": _git(root, "log", "-1", "--format=%ct"),
        }
        self._python = sys.executable
        self.version = version_of(root)
        debian = re.sub(r"(a|b|rc)(\d)", r"~\1\2", self.version)
        self._debs = [f"pos-app_{debian}_amd64.deb", f"pos-app-kiosk_{debian}_all.deb"]
        self._setup = f"pos-app-{self.version}-setup.exe"
        self._bills = [f"pos-app-{self.version}-debian.cdx.json", f"pos-app-{self.version}-windows.cdx.json"]
        self.steps: dict[str, Callable[[], list[Path]]] = {
            "ready": self._ready,
            **({"audit": self._audit} if self._audits else {}),
            "check": self._check,
            "bundle": self._bundle,
            "debs": self._make_debs,
            "windows": self._windows,
            "sign": self._sign_inside,
            "wine": self._wine,
            "debian": self._debian,
            "bills": self._write_bills,
            "sums": self._write_sums,
        }
        self.made: Made

    def refusals(self, today: date, codename: str, trial: Sequence[str]) -> list[Refusal]:
        """All of them, before anything is made."""
        root, version = self._root, self.version
        return [
            *misnumbered(version),
            *wrong_builder(codename),
            *powerless(trial),
            *uncommitted(root),
            *untagged(root, version),
            *unwritten(root, version),
            *undeclared(root, version),
            *overdue(root, today),
            *(unfit_key(root, self._key, rehearsal=self._is_rehearsal) if self._key else unsigned(root)),
        ]

    def run(self, *, resume: bool, only: list[str]) -> None:
        """Raises Stopped."""
        self._work.mkdir(parents=True, exist_ok=True)
        with (self._work / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Stopped("another `make release` is at work in this folder") from None
            self._run(resume=resume, only=only)

    def _run(self, *, resume: bool, only: list[str]) -> None:
        names = list(self.steps)
        self.made = Made(self._work / "state.json", self._root, self.identity(), resume=resume)
        # What these three find, nothing is built of.
        self.made.forget_from([name for name in names if name not in ("ready", "audit", "check")])
        # Asked when they were built; who goes on days later would sign what has been mended since.
        for folder in (BUNDLE, WINDOWS):
            if folder.as_posix() in self.made.files:
                self._of_the_newest(folder)
        if not self.made.seconds:
            # What lies there of another day must not be taken for this one's.
            for pattern in ("*.deb", "*-setup.exe", "*.cdx.json", f"{SUMS}*", UNSIGNED):
                for old in self._dist.glob(pattern):
                    old.unlink()
        for name in only or names:
            if name in self.made.seconds:
                say(f"{name:8} done before, {self.made.seconds[name]:.0f} s")
                continue
            say(f"{name:8} {(self.steps[name].__doc__ or '').splitlines()[0]}")
            began = time.monotonic()
            made = self.steps[name]()
            # Signing alone changes what an earlier step made. Anything else that did was somebody beside this run: it
            # would be tried by half, and summed and signed as if it had been compared.
            if name != "sign" and (changed := self.made.changed()):
                raise Stopped(
                    f"{name}: changed meanwhile, by another hand: {_some(changed)} (RESUME=1 makes it again)"
                )
            self.made.done(name, time.monotonic() - began, made)
            say(f"{name:8} {self.made.seconds[name]:.0f} s")

    def tell(self) -> None:
        """What lies there, and what it is worth."""
        for name, seconds in self.made.seconds.items():
            say(f"{seconds:8.0f} s  {name}")
        for path in sorted(self._dist.glob("*")):
            if path.is_file():
                say(f"{path.stat().st_size:12,}  {path.relative_to(self._root)}")
        for line in self.warnings():
            loudly(line)

    def warnings(self) -> list[str]:
        """What whoever gets it should not have to find out."""
        said = []
        if self._is_rehearsal:
            said.append("REHEARSAL: this is not a release. Give it to no shop.")
        if self._key is None:
            said.append(
                "UNSIGNED: no RELEASE_KEY was given. Nobody can tell these files from another's; `doctor` notes it."
            )
        if not self._sign:
            said.append("UNSIGNED FOR WINDOWS: no SIGN was given. SmartScreen will warn of the installer.")
        return said

    def identity(self) -> str:
        """What this one is of, and how it is made: another commit, key or command begins anew."""
        tree = _git(self._root, "rev-parse", "HEAD") + _git(self._root, "diff", "HEAD")
        tree += _git(self._root, "ls-files", "--others", "--exclude-standard")
        own = manifest.public(self._key) if self._key else ""
        return hashlib.sha256(
            "\0".join([tree, own, self._sign, str(self._is_rehearsal)]).encode()
        ).hexdigest()

    def _ready(self) -> list[Path]:
        """all that is needed to build and to try, from Debian and from the locks"""
        self._go("ready", "make", "setup-proof", "setup-deb", "setup-windows")
        return []

    def _audit(self) -> list[Path]:
        """known weaknesses of the locked libraries, asked of the network (AUDIT=1)"""
        asked = [
            "--requirement",
            "packaging/locks/bundle.txt",
            "--require-hashes",
            "--disable-pip",
            "--strict",
        ]
        self._go("audit", self._python, "-m", "uv", "tool", "run", "pip-audit", *asked)
        return []

    def _check(self) -> list[Path]:
        """make check"""
        self._go("check", "make", "check")
        return []

    def _bundle(self) -> list[Path]:
        """the folder, twice, equal in every file; of the newest libraries of Debian"""
        self._go("bundle", "sh", "packaging/bundle/build.sh", "--again")
        self._of_the_newest(BUNDLE)
        return [self._root / BUNDLE]

    def _make_debs(self) -> list[Path]:
        """both packages, twice, equal"""
        folders = [self._fresh("debs"), self._fresh("debs-again")]
        for folder in folders:
            self._go("debs", "sh", "packaging/deb/build.sh", str(folder))
        for name in self._debs:
            same(folders[0] / name, folders[1] / name)
        return [self._keep(folders[0] / name) for name in self._debs]

    def _windows(self) -> list[Path]:
        """the folder for Windows, twice, and the installer of it, twice, equal"""
        self._go("windows", "sh", "packaging/windows/build.sh", "--again")
        self._of_the_newest(WINDOWS)
        folders = [self._fresh("setup"), self._fresh("setup-again")]
        for folder in folders:
            self._go("windows", "sh", "packaging/windows/build.sh", "--installer", str(folder / self._setup))
        same(folders[0] / self._setup, folders[1] / self._setup)
        return [self._root / WINDOWS, self._keep(folders[0] / self._setup)]

    def _sign_inside(self) -> list[Path]:
        """what lies in packages and installer is signed, where there is a key; the sums without are kept"""
        self._unchanged("bundle", "debs", "windows")
        if self._key is None and not self._sign:
            return []
        unsigned = write_sums(self._dist, [*self._debs, self._setup], UNSIGNED)
        keys = {"SIGN": self._sign, "RELEASE_KEY": str(self._key or "")}
        if self._key is not None:
            manifest.sign(self._key, self._root / BUNDLE / manifest.LIST)
            self._go("sign", "sh", "packaging/deb/build.sh", str(self._fresh("debs")), **keys)
            for name in self._debs:
                self._keep(self._work / "debs" / name)
        self._go("sign", "sh", "packaging/windows/build.sh", "--sign", **keys)
        setup = self._fresh("setup") / self._setup
        self._go("sign", "sh", "packaging/windows/build.sh", "--installer", str(setup), **keys)
        self._keep(setup)
        return [unsigned]

    def _wine(self) -> list[Path]:
        """the folder and this installer, tried under Wine"""
        self._try("wine", "tests/verification/proof/windows", POS_APP_SETUP=str(self._dist / self._setup))
        return []

    def _debian(self) -> list[Path]:
        """these packages, tried on a bare Debian"""
        self._try("debian", "tests/verification/proof/debian", POS_APP_PACKAGES=str(self._dist))
        return []

    def _write_bills(self) -> list[Path]:
        """what is inside, as CycloneDX, for a shop's own scanner"""
        made = [self._dist / name for name in self._bills]
        for folder, bill in zip((BUNDLE, WINDOWS), made, strict=True):
            self._go("bills", self._python, "packaging/sbom.py", str(folder), self.version, str(bill))
        return made

    def _write_sums(self) -> list[Path]:
        """the sums of all of it, signed where there is a key"""
        self._unchanged(*(name for name in self.steps if name != "sums"))
        names = [*self._debs, self._setup, *self._bills]
        names += [UNSIGNED] if (self._dist / UNSIGNED).exists() else []
        sums = write_sums(self._dist, names)
        if self._key is None:
            return [sums]
        manifest.sign(self._key, sums)
        return [sums, sums.with_name(sums.name + manifest.SIGNATURE)]

    def _unchanged(self, *steps: str) -> None:
        """What is signed is what these steps built equal and tried, of the sources that there are."""
        lost = [name for name in steps if name not in self.made.seconds]
        if lost:
            raise Stopped(f"neither sums nor signature over what was not made and tried: {', '.join(lost)}")
        if self.made.of != self.identity():
            raise Stopped("the sources are not those that it was begun with: nothing is signed; begin anew")
        changed = self.made.changed()
        if changed:
            raise Stopped(
                f"changed since it was made, and not signed: {_some(changed)} (RESUME=1 makes it again)"
            )

    def _of_the_newest(self, folder: Path) -> None:
        inside = carried((self._root / folder / "THIRD-PARTY.txt").read_text("utf-8"))
        self._answer(outdated(inside, self._apt(inside)))

    def _apt(self, names: Iterable[str]) -> dict[str, str]:
        """What apt offers of each today."""
        update = [*AS_ROOT, "apt-get", "update", "--error-on=any"]
        done = subprocess.run(update, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["it did not say why"])[-1]
            do = "make `apt-get update` work: without today's lists nobody knows what is newest"
            self._answer([Refusal("apt's lists could not be renewed", said, do)])
        asked = ["apt-cache", "policy", *sorted(names)]
        plain = {**self._environment, "LC_ALL": "C"}
        return offered(subprocess.run(asked, capture_output=True, text=True, check=True, env=plain).stdout)

    def _answer(self, refused: list[Refusal]) -> None:
        if refused and not self._is_rehearsal:
            raise Stopped("\n".join(map(str, refused)))
        for each in refused:
            say(f"A release would be refused: {each}")

    def _try(self, name: str, folder: str, **variables: str) -> None:
        """A proof of which nothing was left out: what could not be tried here is not tried, and not released."""
        report = self._work / f"{name}.xml"
        told = ["-q", "-o", "faulthandler_timeout=280", f"--junitxml={report}"]
        self._go(name, self._python, "-m", "pytest", "-n", "0", *told, folder, **variables)
        missed = left_out(report)
        if missed:
            raise Stopped(f"{name}: left out, so not tried: {_some(missed)}")

    def _go(self, step: str, *command: str, **variables: str) -> None:
        """One program, all it says into the step's log; its last words are shown where it fails."""
        log = self._work / f"{step}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            out.write(f"$ {' '.join(command)}\n".encode())
            out.flush()
            done = subprocess.run(
                command,
                cwd=self._root,
                env={**self._environment, **variables},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode != 0:
            tail = "\n".join(log.read_text("utf-8", "replace").splitlines()[-_TAIL:])
            raise Stopped(f"{tail}\n\n{' '.join(command)} ended with {done.returncode}; all it said: {log}")

    def _fresh(self, name: str) -> Path:
        folder = self._work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def _keep(self, path: Path) -> Path:
        self._dist.mkdir(exist_ok=True)
        return Path(shutil.copy2(path, self._dist / path.name))


def say(text: str) -> None:
    sys.stdout.write(f"{datetime.now(UTC):%H:%M:%S}  {text}\n")
    sys.stdout.flush()


def loudly(text: str) -> None:
    line = "*" * min(110, len(text))
    sys.stdout.write(f"\n{line}\n{text}\n{line}\n")
    sys.stdout.flush()


def _codename() -> str:
    file = Path("/etc/os-release")
    told = dict(
        re.findall(r'^(\w+)="?([^"\n]*)"?$', file.read_text("utf-8") if file.is_file() else "", re.MULTILINE)
    )
    return str(told.get("VERSION_CODENAME", ""))


def main(words: list[str], environment: Mapping[str, str], root: Path) -> int:
    """0 all is in dist/; 1 a step did not come to its end; 2 refused, and nothing was made; 130 interrupted."""
    parser = argparse.ArgumentParser(prog="release.py", description="See docs/release.md.")
    parser.add_argument("--rehearse", action="store_true", help="go on where a release would be refused")
    parser.add_argument("--resume", action="store_true", help="go on where the last one stopped")
    parser.add_argument("--audit", action="store_true", help="ask the network for known weaknesses")
    parser.add_argument("--steps", default="", help="of a rehearsal: these alone, in this order")
    wanted: Any = parser.parse_args(words)
    try:
        release = Release(root, wanted, environment)
        only = wanted.steps.replace(",", " ").split()
        if only and not wanted.rehearse:
            raise Stopped("a release is all of its steps: STEPS is for a rehearsal")
        if strange := [name for name in only if name not in release.steps]:
            raise Stopped(f"no such step: {', '.join(strange)}; there are {', '.join(release.steps)}")
        refused = release.refusals(datetime.now(UTC).date(), _codename(), TRIAL)
        for each in refused:
            say(f"{'A release would be refused' if wanted.rehearse else 'REFUSED'}: {each}")
        # A key is never rehearsed with that would be refused: what it signs can be passed on.
        if refused and (not wanted.rehearse or any("key" in each.wrong for each in refused)):
            return 2
        for line in release.warnings():
            loudly(line)
        release.run(resume=wanted.resume, only=only)
        release.tell()
    except (Stopped, OSError, subprocess.CalledProcessError) as error:
        # A full disk, a key's stick that was taken out: what was done stands in the state, and RESUME=1 goes on.
        say(f"STOPPED: {error}")
        return 1
    except KeyboardInterrupt:
        say("STOPPED: interrupted (RESUME=1 goes on)")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ, Path(__file__).resolve().parents[1]))
