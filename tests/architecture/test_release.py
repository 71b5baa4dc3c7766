"""What `make release` refuses, each thing by itself, with real repositories and keys; and what it leaves of sums."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="releases are built on Debian")

VERSION = "1.2.0"
CHANGELOG = "# Changes\n\n## 1.2.0 (2026-11-22)\n\n- New.\n\n## 1.1.0 (2026-10-01)\n\n- Old.\n"
METAINFO = '<component><releases><release version="1.2.0"/><release version="1.1.0"/></releases></component>'
TODAY = date(2026, 11, 22)


def _module() -> ModuleType:
    """packaging/release.py, which stands in no package."""
    spec = importlib.util.spec_from_file_location("release", ROOT / "packaging" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = [*sys.path]
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
        sys.modules.pop("manifest", None)
    return module


RELEASE: Any = _module()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Sources with nothing against them: committed, tagged, written up."""
    made = tmp_path / "till"
    for name, text in {
        "pyproject.toml": f'[project]\nversion = "{VERSION}"\n',
        "CHANGELOG.md": CHANGELOG,
        "packaging/desktop/local.pos_app.till.metainfo.xml": METAINFO,
        "packaging/locks/resolved": "2026-11-01\n",
        "pos_app/system/release_key.py": '"""The key."""\n\nPUBLIC_KEY = ""\n',
        ".gitignore": "/dist/\n/build/\n",
    }.items():
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(made, "init", "--quiet", "--initial-branch=main")
    commit(made)
    git(made, "tag", f"v{VERSION}")
    return made


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=Trial", "-c", "user.email=trial@pos-app.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message=As it is")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return made_key(tmp_path / "stick" / "release.pem")


def made_key(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    private = Ed25519PrivateKey.generate()
    file.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o600)
    return file


def know(root: Path, key: Path) -> None:
    """The till of these sources knows the key."""
    file = root / "pos_app" / "system" / "release_key.py"
    file.write_text(f'PUBLIC_KEY = "{RELEASE.manifest.public(key)}"\n')


def only(refused: list[Any]) -> str:
    """The words of the one refusal there is: wrong, where and what to do, none of them empty."""
    (one,) = refused
    assert all(one)
    assert str(one).startswith(one.wrong)
    return str(one)


def asked(root: Path, *, key: Path | None = None, **chosen: bool) -> Any:
    """A release of these sources, as it was asked for."""
    wanted = RELEASE.argparse.Namespace(**{"rehearse": False, "audit": False, **chosen})
    return RELEASE.Release(root, wanted, {"RELEASE_KEY": str(key)} if key else {})


def test_nothing_speaks_against_a_release_in_order(root: Path, key: Path) -> None:
    assert asked(root).refusals(TODAY, "bookworm", ["true"]) == []
    know(root, key)
    commit(root)
    git(root, "tag", "--force", f"v{VERSION}")
    assert asked(root, key=key).refusals(TODAY, "bookworm", ["true"]) == []


@pytest.mark.parametrize("version", ["1.2", "1.2.0-rc1", "1.2.0.dev1", "v1.2.0"])
def test_a_version_that_neither_debian_nor_windows_sorts(version: str) -> None:
    assert version in only(RELEASE.misnumbered(version))
    assert RELEASE.misnumbered("1.2.0rc1") == []


class TestTree:
    """What is built is what a commit says."""

    def test_a_changed_file(self, root: Path) -> None:
        (root / "CHANGELOG.md").write_text("something else")
        assert "CHANGELOG.md" in only(RELEASE.uncommitted(root))

    def test_a_file_that_was_never_added(self, root: Path) -> None:
        """It would be in the bundle, and in no commit."""
        (root / "pos_app" / "more.py").touch()
        assert "pos_app/more.py" in only(RELEASE.uncommitted(root))

    def test_what_is_built_is_no_change(self, root: Path) -> None:
        (root / "dist").mkdir()
        (root / "dist" / "SHA256SUMS").touch()
        assert RELEASE.uncommitted(root) == []


class TestTag:
    """vX.Y.Z is this commit and no other."""

    def test_none(self, root: Path) -> None:
        git(root, "tag", "--delete", f"v{VERSION}")
        said = only(RELEASE.untagged(root, VERSION))
        assert "no tag v1.2.0" in said
        assert "git tag -s v1.2.0" in said

    def test_of_another_commit(self, root: Path) -> None:
        commit(root)
        assert "v1.2.0 is the name of another commit" in only(RELEASE.untagged(root, VERSION))

    def test_another_beside_it(self, root: Path) -> None:
        git(root, "tag", "v1.2.0rc1")
        assert RELEASE.untagged(root, VERSION) == []
        assert only(RELEASE.untagged(root, "1.2"))

    def test_no_repository(self, tmp_path: Path) -> None:
        with pytest.raises(RELEASE.Stopped, match="git tag"):
            RELEASE.untagged(tmp_path, VERSION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Changes\n\n## 1.1.0 (2026-10-01)\n\n- Old.\n", "no entry for 1.2.0"),
        ("# Changes\n\n## 1.2.0rc1 (2026-10-01)\n\n- Soon.\n", "no entry for 1.2.0"),
        ("# Changes\n\n## 1.2.0 (not released)\n\n- New.\n", "says that it is not released"),
        ("# Changes\n\n## 1.2.0 (2026-11-22)\n\n## 1.1.0 (2026-10-01)\n\n- Old.\n", "is empty"),
    ],
)
def test_a_shop_is_told_what_changed(root: Path, text: str, said: str) -> None:
    (root / "CHANGELOG.md").write_text(text)
    assert said in only(RELEASE.unwritten(root, VERSION))


@pytest.mark.parametrize(
    "releases", ["", '<release version="1.1.0"/>', '<release version="1.1.0"/><release version="1.2.0"/>']
)
def test_software_centres_show_this_release_as_the_newest(root: Path, releases: str) -> None:
    (root / RELEASE.METAINFO).write_text(f"<component><releases>{releases}</releases></component>")
    assert "not 1.2.0" in only(RELEASE.undeclared(root, VERSION))


class TestLocks:
    """Libraries chosen long ago miss what was mended since."""

    @pytest.mark.parametrize(
        ("day", "is_late"), [("2026-10-08", False), ("2026-10-07", True), ("2026-11-23", True)]
    )
    def test_by_the_day_they_were_resolved(self, root: Path, day: str, is_late: bool) -> None:
        (root / RELEASE.LOCKED_ON).write_text(f"{day}\n")
        assert bool(RELEASE.overdue(root, TODAY)) is is_late

    @pytest.mark.parametrize("day", [None, "", "last week\n"])
    def test_of_no_day_that_is_known(self, root: Path, day: str | None) -> None:
        (root / RELEASE.LOCKED_ON).unlink()
        if day is not None:
            (root / RELEASE.LOCKED_ON).write_text(day)
        assert "make lock" in only(RELEASE.overdue(root, TODAY))

    def test_ours_have_one(self) -> None:
        date.fromisoformat((ROOT / RELEASE.LOCKED_ON).read_text("ascii").strip())

    @pytest.mark.parametrize("fails", ["", "docs"])
    def test_make_lock_writes_it_with_all_of_them_or_changes_none(self, tmp_path: Path, fails: str) -> None:
        """The network that goes away half way left newer locks under the day of the older ones."""
        locks = tmp_path / "packaging" / "locks"
        locks.mkdir(parents=True)
        (tmp_path / "packaging" / "lock.sh").write_bytes((ROOT / "packaging" / "lock.sh").read_bytes())
        python = tmp_path / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        said = f'case "$*" in *{fails or "none"}.txt*) exit 1 ;; esac'
        asked = 'while [ "$1" != --output-file ]; do shift; done; echo newer >"$2"'
        python.write_text(f"#!/bin/sh\n{said}\n{asked}\n")
        python.chmod(0o755)
        names = ("run.txt", "dev.txt", "bundle.txt", "docs.txt", "resolved")
        for name in names:
            (locks / name).write_text("older\n")
        done = subprocess.run(["sh", "packaging/lock.sh"], cwd=tmp_path, check=False)
        found = {name: (locks / name).read_text() for name in names}
        assert {path.name for path in locks.iterdir()} == {*names}
        if fails:
            assert (done.returncode, set(found.values())) == (1, {"older\n"})
        else:
            assert done.returncode == 0
            date.fromisoformat(found.pop("resolved").strip())
            assert set(found.values()) == {"newer\n"}


class TestKey:
    """Who has it makes releases: it lies apart, is its owner's, and tills know its other half."""

    def test_the_till_knows_none(self, root: Path, key: Path) -> None:
        """The line to write is told."""
        said = only(RELEASE.unfit_key(root, key, rehearsal=False))
        assert f'PUBLIC_KEY = "{RELEASE.manifest.public(key)}"' in said

    def test_the_till_knows_another(self, root: Path, key: Path, tmp_path: Path) -> None:
        know(root, made_key(tmp_path / "theirs" / "release.pem"))
        assert "is another than PUBLIC_KEY" in only(RELEASE.unfit_key(root, key, rehearsal=False))

    def test_others_can_read_it(self, root: Path, key: Path) -> None:
        know(root, key)
        key.chmod(0o640)
        assert "chmod 600" in only(RELEASE.unfit_key(root, key, rehearsal=False))

    def test_it_lies_among_the_sources(self, root: Path) -> None:
        inside = made_key(root / "build" / "release.pem")
        know(root, inside)
        assert "among the sources" in only(RELEASE.unfit_key(root, inside, rehearsal=False))

    def test_it_is_none(self, root: Path, tmp_path: Path) -> None:
        """Not there, no key at all, of another kind, or locked with words that nobody is asked for."""
        other = generate_private_key(SECP256R1())
        curve = tmp_path / "curve.pem"
        curve.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        locked = tmp_path / "locked.pem"
        words = [
            "openssl",
            "genpkey",
            "-algorithm",
            "ed25519",
            "-aes256",
            "-pass",
            "pass:word",
            "-out",
            str(locked),
        ]
        subprocess.run(words, check=True, capture_output=True)
        text = tmp_path / "text.pem"
        text.write_text("no key")
        for file in (tmp_path / "none.pem", text, curve, locked):
            assert "no key that can sign" in only(RELEASE.unfit_key(root, file, rehearsal=False))

    def test_a_rehearsal_is_never_signed_with_the_release_s(self, root: Path, key: Path) -> None:
        assert RELEASE.unfit_key(root, key, rehearsal=True) == []
        know(root, key)
        assert "a rehearsal is signed with no release's key" in only(
            RELEASE.unfit_key(root, key, rehearsal=True)
        )

    def test_without_one_it_is_said_and_goes_on(self, root: Path) -> None:
        said = asked(root).warnings()
        assert any(line.startswith("UNSIGNED: no RELEASE_KEY") for line in said)
        assert asked(root).refusals(TODAY, "bookworm", ["true"]) == []

    def test_without_one_that_tills_know_it_is_refused(self, root: Path, key: Path) -> None:
        """An `export` that was forgotten; a rehearsal goes on, and says so."""
        know(root, key)
        commit(root)
        git(root, "tag", "--force", f"v{VERSION}")
        for is_rehearsal in (False, True):
            release = asked(root, rehearse=is_rehearsal)
            said = only(release.refusals(TODAY, "bookworm", ["true"]))
            assert "export RELEASE_KEY" in said
        assert RELEASE.main(["--rehearse", "--steps", "sums"], {}, root) == 1, "it came to its steps"


def test_a_newer_debian_builds_for_no_older_one() -> None:
    assert "trixie" in only(RELEASE.wrong_builder("trixie"))
    assert only(RELEASE.wrong_builder(""))


@pytest.mark.parametrize("trial", [["false"], ["sh", "-c", "echo no >&2; exit 1"], ["no-such-program"]])
def test_who_may_not_become_root_could_not_try_the_packages(trial: list[str]) -> None:
    """Told before an hour of building; a proof that is skipped at its end would tell it then."""
    assert "sudo there without a password" in only(RELEASE.powerless(trial))
    assert RELEASE.powerless(["true"]) == []


class TestLibraries:
    """Those of Debian that are carried along are renewed by a release alone."""

    LISTED = (
        "Python 3.11.2  PSF-2.0\n"
        "libssl3 3.0.17-1~deb12u2  Debian's: see its text\n"
        "libstdc++6 12.2.0-14+deb12u1  Debian's: see its text\n"
    )
    POLICY = (
        "libssl3:\n  Installed: 3.0.17-1~deb12u2\n  Candidate: {0}\n  Version table:\n     {0} 500\n"
        "libstdc++6:\n  Installed: 12.2.0-14+deb12u1\n  Candidate: 12.2.0-14+deb12u1\n  Version table:\n"
    )

    def test_the_newest(self) -> None:
        inside = RELEASE.carried(self.LISTED)
        assert inside == {"libssl3": "3.0.17-1~deb12u2", "libstdc++6": "12.2.0-14+deb12u1"}
        assert RELEASE.outdated(inside, RELEASE.offered(self.POLICY.format("3.0.17-1~deb12u2"))) == []

    @pytest.mark.parametrize("now", ["3.0.19-1~deb12u2", "(none)"])
    def test_one_that_is_not(self, now: str) -> None:
        said = only(RELEASE.outdated(RELEASE.carried(self.LISTED), RELEASE.offered(self.POLICY.format(now))))
        assert f"libssl3 3.0.17-1~deb12u2, now {now}" in said
        assert "libstdc++6" not in said

    def test_one_that_apt_never_heard_of(self) -> None:
        """Lists that were cleared away say nothing of anything."""
        assert "now (none)" in only(RELEASE.outdated({"libssl3": "3"}, RELEASE.offered("")))


class TestSums:
    """What a shop, or anybody, can judge the files by."""

    @pytest.fixture
    def dist(self, tmp_path: Path) -> Path:
        made = tmp_path / "dist"
        made.mkdir()
        (made / "pos-app_1.2.0_amd64.deb").write_bytes(b"package")
        (made / "pos-app-1.2.0-setup.exe").write_bytes(b"installer")
        return made

    def test_they_are_right_until_a_file_changes(self, dist: Path, key: Path) -> None:
        names = [path.name for path in dist.iterdir()]
        sums = RELEASE.write_sums(dist, names)
        RELEASE.manifest.sign(key, sums)
        assert judged(dist) == signed(dist, key) == 0
        (dist / "pos-app-1.2.0-setup.exe").write_bytes(b"Installer")
        assert judged(dist) != 0
        assert signed(dist, key) == 0

    def test_new_sums_are_not_the_signed_ones(self, dist: Path, key: Path, tmp_path: Path) -> None:
        """Who may write there can make the sums right; the signature they cannot."""
        names = [path.name for path in dist.iterdir()]
        sums = RELEASE.write_sums(dist, names)
        RELEASE.manifest.sign(key, sums)
        kept = (dist / "SHA256SUMS.sig").read_bytes()
        (dist / "pos-app-1.2.0-setup.exe").write_bytes(b"another installer")
        RELEASE.write_sums(dist, names)
        assert not (dist / "SHA256SUMS.sig").exists()
        (dist / "SHA256SUMS.sig").write_bytes(kept)
        assert judged(dist) == 0
        assert signed(dist, key) != 0
        RELEASE.manifest.sign(made_key(tmp_path / "theirs.pem"), sums)
        assert signed(dist, key) != 0


def judged(dist: Path) -> int:
    """As a shop does it."""
    command = ["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"]
    return subprocess.run(command, cwd=dist, capture_output=True, check=False).returncode


def signed(dist: Path, key: Path) -> int:
    """By the public half, with openssl, as docs/release.md tells."""
    public = key.with_suffix(".pub")
    subprocess.run(["openssl", "pkey", "-in", str(key), "-pubout", "-out", str(public)], check=True)
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", str(public)]
    command += ["-in", "SHA256SUMS", "-sigfile", "SHA256SUMS.sig"]
    return subprocess.run(command, cwd=dist, capture_output=True, check=False).returncode


class TestEqual:
    """Nothing is signed that did not come out the same twice."""

    @pytest.fixture
    def builds(self, tmp_path: Path) -> tuple[Path, Path]:
        for name in ("first", "second"):
            (tmp_path / name / "deep").mkdir(parents=True)
            (tmp_path / name / "deep" / "file").write_bytes(b"same")
            (tmp_path / name / "link").symlink_to("deep/file")
        return tmp_path / "first", tmp_path / "second"

    def test_two_that_are(self, builds: tuple[Path, Path]) -> None:
        first, second = builds
        RELEASE.same(first, second)
        RELEASE.same(first / "deep" / "file", second / "deep" / "file")

    def test_one_byte_of_a_file(self, builds: tuple[Path, Path]) -> None:
        first, second = builds
        (second / "deep" / "file").write_bytes(b"Same")
        for pair in ((first, second), (first / "deep" / "file", second / "deep" / "file")):
            with pytest.raises(RELEASE.Stopped, match="neither is signed"):
                RELEASE.same(*pair)

    def test_a_file_too_many_and_another_aim(self, builds: tuple[Path, Path]) -> None:
        first, second = builds
        (second / "extra").touch()
        with pytest.raises(RELEASE.Stopped):
            RELEASE.same(first, second)
        (second / "extra").unlink()
        (second / "link").unlink()
        (second / "link").symlink_to("/etc/passwd")
        with pytest.raises(RELEASE.Stopped):
            RELEASE.same(first, second)


class TestGoingOn:
    """What was made of the same commit and lies there unchanged is not made again."""

    STEPS = ("bundle", "debs", "wine", "sums")

    @pytest.fixture
    def made(self, tmp_path: Path) -> Any:
        (tmp_path / "dist").mkdir()
        made = RELEASE.Made(tmp_path / "state.json", tmp_path, "one commit", resume=False)
        for step, name in (("bundle", "folder"), ("debs", "package"), ("wine", "")):
            if name:
                (tmp_path / "dist" / name).write_text(name)
            made.done(step, 1.0, [tmp_path / "dist" / name] if name else [])
        return made

    def again(self, root: Path, of: str = "one commit", *, resume: bool = True) -> list[str]:
        """The steps that need not be done again."""
        made = RELEASE.Made(root / "state.json", root, of, resume=resume)
        made.forget_from(list(self.STEPS))
        return [*made.seconds]

    def test_where_it_stopped(self, made: Any, tmp_path: Path) -> None:
        assert made.changed() == []
        assert self.again(tmp_path) == ["bundle", "debs", "wine"]

    def test_another_commit_and_one_that_was_not_to_go_on(self, made: Any, tmp_path: Path) -> None:
        assert made.changed() == []
        assert self.again(tmp_path, "another commit") == []
        assert self.again(tmp_path, resume=False) == []

    def test_what_changed_is_made_again_and_all_behind_it(self, made: Any, tmp_path: Path) -> None:
        (tmp_path / "dist" / "package").write_text("another")
        assert made.changed() == ["dist/package"]
        assert self.again(tmp_path) == ["bundle"]
        (tmp_path / "dist" / "folder").unlink()
        assert self.again(tmp_path) == []

    def test_what_a_later_step_rightly_changed(self, made: Any, tmp_path: Path) -> None:
        """A signature goes into a package that an earlier step made; it is still that step's."""
        (tmp_path / "dist" / "package").write_text("signed")
        made.done("sums", 1.0, [])
        assert made.changed() == []
        assert self.again(tmp_path) == ["bundle", "debs", "wine", "sums"]
        assert json.loads((tmp_path / "state.json").read_text())["files"]["dist/package"][0] == "debs"


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ('<testcase name="one"/>', []),
        (
            '<testcase name="one"/><testcase name="two"><skipped message="no root"/></testcase>',
            ["two: no root"],
        ),
        ("", ["no test was found"]),
    ],
)
def test_a_proof_that_was_left_out_proves_nothing(tmp_path: Path, cases: str, said: list[str]) -> None:
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert RELEASE.left_out(report) == said


class TestWhole:
    """The program as `make release` starts it."""

    def test_all_refusals_at_once_and_nothing_is_made(
        self, root: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (root / "CHANGELOG.md").write_text("# Changes\n")
        (root / "packaging" / "locks" / "resolved").write_text("2020-01-01\n")
        assert RELEASE.main([], {}, root) == 2
        said = capsys.readouterr().out
        for word in ("REFUSED: the tree is not", "REFUSED: no entry for", "REFUSED: the locks are"):
            assert word in said
        assert not (root / "build").exists()
        assert not (root / "dist").exists()

    def test_a_release_is_all_of_its_steps(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert RELEASE.main(["--steps", "debs"], {}, root) == 1
        assert RELEASE.main(["--rehearse", "--steps", "paint"], {}, root) == 1
        assert "no such step: paint" in capsys.readouterr().out

    def test_a_rehearsal_takes_no_release_s_key_along(
        self, root: Path, key: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        know(root, key)
        commit(root)
        assert RELEASE.main(["--rehearse"], {"RELEASE_KEY": str(key)}, root) == 2
        assert "a rehearsal is signed with no release's key" in capsys.readouterr().out

    def test_no_sums_over_what_was_not_made(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Of a rehearsal of single steps, either."""
        assert RELEASE.main(["--rehearse", "--steps", "sums"], {}, root) == 1
        said = capsys.readouterr().out
        assert (
            "what was not made and tried: ready, check, bundle, debs, windows, sign, wine, debian, bills"
            in said
        )
        assert "REHEARSAL" in said
        assert not (root / "dist" / "SHA256SUMS").exists()

    @pytest.fixture
    def tried(self, root: Path, key: Path) -> Any:
        """All of it made and tried, but for what is signed; the package stands for all files."""
        release = asked(root, key=key, rehearse=True)
        release.made = RELEASE.Made(root / "build" / "state.json", root, release.identity(), resume=False)
        (root / "dist").mkdir()
        package = root / "dist" / "pos-app_1.2.0_amd64.deb"
        package.write_bytes(b"as it was built equal")
        for step in release.steps:
            release.made.done(step, 1.0, [package] if step == "debs" else [])
        return release

    @pytest.mark.parametrize("step", ["sign", "sums"])
    def test_what_changed_since_it_was_made_is_not_signed(self, root: Path, tried: Any, step: str) -> None:
        """Neither the packages' inside nor the sums."""
        package = root / "dist" / "pos-app_1.2.0_amd64.deb"
        package.write_bytes(b"as somebody else would have it")
        with pytest.raises(RELEASE.Stopped, match="not signed: dist/pos-app_"):
            tried.steps[step]()
        assert [path.name for path in (root / "dist").iterdir()] == [package.name]

    @pytest.mark.parametrize("step", ["sign", "sums"])
    def test_sources_that_changed_meanwhile_are_not_signed_for(
        self, root: Path, tried: Any, step: str
    ) -> None:
        """What was built of them, nobody can tell any more."""
        commit(root)
        with pytest.raises(RELEASE.Stopped, match="the sources are not those"):
            tried.steps[step]()

    def test_nothing_is_signed_that_was_not_compared(self, tried: Any) -> None:
        tried.made.seconds.pop("debs")
        with pytest.raises(RELEASE.Stopped, match="not made and tried: debs"):
            tried.steps["sign"]()

    def test_the_sums_are_of_all_that_ships_and_signed_last(self, root: Path, key: Path, tried: Any) -> None:
        """And of nothing else that lies there."""
        shipped = {
            "pos-app_1.2.0_amd64.deb",
            "pos-app-kiosk_1.2.0_all.deb",
            "pos-app-1.2.0-setup.exe",
            "pos-app-1.2.0-debian.cdx.json",
            "pos-app-1.2.0-windows.cdx.json",
        }
        dist = root / "dist"
        for name in shipped - {"pos-app_1.2.0_amd64.deb"} | {"pos-app_1.1.0_amd64.deb"}:
            (dist / name).write_text(name)
        assert [path.name for path in tried.steps["sums"]()] == ["SHA256SUMS", "SHA256SUMS.sig"]
        assert {line.split("  ")[1] for line in (dist / "SHA256SUMS").read_text().splitlines()} == shipped
        assert judged(dist) == signed(dist, key) == 0

    def test_a_step_that_fails_shows_its_last_words(
        self, root: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Here there is no Makefile at all."""
        assert RELEASE.main(["--rehearse", "--steps", "check"], {}, root) == 1
        said = capsys.readouterr().out
        assert "make check ended with 2" in said
        assert "build/release/check.log" in said

    def test_what_another_hand_changed_in_a_later_step_is_neither_tried_on_nor_signed(
        self, root: Path
    ) -> None:
        """`make deb` beside it while Wine was at work: the sums were made, and signed, of what nobody had compared."""
        release = asked(root, rehearse=True)
        package = root / "dist" / "pos-app_1.2.0_amd64.deb"

        def makes() -> list[Path]:
            """the package"""
            package.parent.mkdir(exist_ok=True)
            package.write_bytes(b"as it was built equal")
            return [package]

        def is_beside() -> list[Path]:
            """the trial"""
            package.write_bytes(b"as somebody else has it")
            return []

        def does_nothing() -> list[Path]:
            """nothing"""
            return []

        others = dict.fromkeys(release.steps, does_nothing)
        release.steps = others | {"debs": makes, "wine": is_beside}
        with pytest.raises(RELEASE.Stopped, match="wine: changed meanwhile, by another hand: dist/pos-app_"):
            release.run(resume=False, only=[])
        release.steps = others | {"debs": makes}
        release.run(resume=True, only=[])
        assert package.read_bytes() == b"as it was built equal"

    def test_who_goes_on_days_later_is_asked_for_newer_libraries(
        self, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What was mended meanwhile would have been left out of what is signed."""
        tools = tmp_path / "tools"
        tools.mkdir()
        for name, text in {
            "apt-get": "exit 0",
            "apt-cache": f"cat {tmp_path}/offered",
            "sudo": 'shift; exec "$@"',
        }.items():
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        monkeypatch.setenv("PATH", path)
        (tmp_path / "offered").write_text("libssl3:\n  Candidate: 3.0.17\n")
        wanted = RELEASE.argparse.Namespace(rehearse=False, audit=False)
        release = RELEASE.Release(root, wanted, {"PATH": path})
        folder = root / RELEASE.BUNDLE

        def makes() -> list[Path]:
            """the folder"""
            folder.mkdir(parents=True)
            (folder / "THIRD-PARTY.txt").write_text("libssl3 3.0.17  Debian's: see its text\n")
            return [folder]

        def fails() -> list[Path]:
            """the trial"""
            raise RELEASE.Stopped("no display")

        release.steps = {"ready": list, "bundle": makes, "wine": fails}
        for expected in ("no display", "no display"):
            with pytest.raises(RELEASE.Stopped, match=expected):
                release.run(resume=True, only=[])
        (tmp_path / "offered").write_text("libssl3:\n  Candidate: 3.0.19\n")
        with pytest.raises(RELEASE.Stopped, match=r"libssl3 3\.0\.17, now 3\.0\.19"):
            release.run(resume=True, only=[])

    def test_two_at_once_in_one_folder(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (root / "build" / "release").mkdir(parents=True)
        with (root / "build" / "release" / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            assert RELEASE.main(["--rehearse", "--steps", "check"], {}, root) == 1
        assert "another `make release` is at work" in capsys.readouterr().out

    def test_what_the_disk_does_not_take_is_told_as_a_stop(
        self, root: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (root / "build").write_text("where a folder should be")
        assert RELEASE.main(["--rehearse", "--steps", "check"], {}, root) == 1
        assert "STOPPED: " in capsys.readouterr().out

    def test_nothing_of_the_callers_changes_what_is_built(self, root: Path) -> None:
        """Both builds would be changed alike, and be equal."""
        (root / "Makefile").write_text("check:\n\tenv\n")
        of_caller = (
            "PYTHONPATH",
            "PYTHONOPTIMIZE",
            "LD_PRELOAD_PATH",
            "BUNDLE_WINDOWS",
            "RELEASE_KEY",
            "SIGN",
            "POS_APP_X",
        )
        given = {**os.environ, **dict.fromkeys(of_caller, ""), "HTTPS_PROXY": "http://proxy.example"}
        assert RELEASE.main(["--rehearse", "--steps", "check"], given, root) == 0
        said = (root / "build" / "release" / "check.log").read_text()
        assert not [name for name in of_caller if f"\n{name}=" in said]
        assert "\nHTTPS_PROXY=http://proxy.example\n" in said
        assert "\nPATH=" in said


def test_a_build_by_hand_takes_nothing_of_the_callers_either() -> None:
    of_caller = (
        "PYTHONPATH",
        "PYTHONOPTIMIZE",
        "PYTHON_OF_ANOTHER_NAME",
        "BUNDLE_WINDOWS",
        "XZ_DEFAULTS",
        "QT_PLUGIN_PATH",
        "WINEPREFIX",
        "DPKG_DEB_COMPRESSOR_TYPE",
        "NSISDIR",
    )
    done = subprocess.run(
        ["sh", "-euc", ". packaging/reproducible.sh; env"],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(of_caller, "1")},
        capture_output=True,
        text=True,
        check=True,
    )
    seen = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert not seen.keys() & {*of_caller}
    assert (seen["PYTHONHASHSEED"], seen["TZ"]) == ("0", "UTC")
