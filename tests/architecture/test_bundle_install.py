"""The installer in a root of its own, with a bundle made of three small files."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture.bundle_parts import BUNDLE, part
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
METAINFO = "local.pos_app.till.metainfo.xml"
PLACES = (
    "usr/share/applications/pos-app.desktop",
    "usr/share/icons/hicolor/scalable/apps/pos-app.svg",
    "usr/share/man/man1/pos-app.1",
    "usr/share/bash-completion/completions/pos-app",
    "usr/share/zsh/vendor-completions/_pos-app",
    "usr/share/fish/vendor_completions.d/pos-app.fish",
    f"usr/share/metainfo/{METAINFO}",
)


class Machine:
    """A root to install into and the folder a shop has fetched."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.home = self.root / "opt" / "pos-app"
        self.fetched = folder / "pos-app"
        self.root.mkdir()
        (self.fetched / "_internal").mkdir(parents=True)
        (self.fetched / "_internal" / "part").write_text("part")
        self.program("first")

    def program(self, version: str, release: str = "") -> None:
        """Makes the fetched folder one of this version; `release`: as its list of releases names it."""
        (self.fetched / "pos-app").write_text(f"#!/bin/sh\necho {version}\n")
        for name in ("pos-app", "install.sh"):
            if name == "install.sh":
                shutil.copy(BUNDLE / name, self.fetched)
            (self.fetched / name).chmod(0o755)
        for name in ("pos-app.desktop", "pos-app.svg"):
            shutil.copy(BUNDLE / name, self.fetched)
        shutil.copy(BUNDLE.parent / "desktop" / METAINFO, self.fetched)
        if release:
            text = (self.fetched / METAINFO).read_text()
            named = re.sub(r'<release version="[^"]*"', f'<release version="{release}"', text, count=1)
            (self.fetched / METAINFO).write_text(named)
        for name in ("pos-app.1", "pos-app.bash", "pos-app.zsh", "pos-app.fish"):
            (self.fetched / name).write_text(f"of {version}\n")
        shutil.copytree(BUNDLE.parent / "kiosk", self.fetched / "kiosk", dirs_exist_ok=True)
        files = [path for path in sorted(self.fetched.rglob("*")) if path.is_file()]
        sums = [
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(self.fetched)}\n"
            for path in files
            if path.name != "CONTENTS.sha256"
        ]
        (self.fetched / "CONTENTS.sha256").write_text("".join(sums))

    def run(
        self, *words: str, script: Path | None = None, umask: int = 0o022, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(script or self.fetched / "install.sh"), "--prefix", str(self.root), *words],
            env={"PATH": os.environ["PATH"], **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            umask=umask,
        )

    def version(self) -> str:
        return subprocess.run(
            [self.home / "pos-app"], capture_output=True, text=True, check=True
        ).stdout.strip()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_puts_the_till_in_place(machine: Machine) -> None:
    """Program, menu entry, icon and command; nothing else."""
    result = machine.run()
    assert (result.returncode, result.stderr) == (0, "")
    assert machine.version() == "first"
    others = {name for name in machine.files() if not name.startswith("opt/pos-app/")}
    assert others == {*PLACES, "usr/local/bin/pos-app"}
    assert (machine.root / "usr/local/bin/pos-app").readlink() == Path("/opt/pos-app/pos-app")
    entry = (machine.root / PLACES[0]).read_text()
    assert "Exec=/opt/pos-app/pos-app\n" in entry
    assert "@" not in entry
    assert [(machine.root / place).read_text() for place in PLACES[2:6]] == ["of first\n"] * 4


def test_the_builder_lets_the_program_print_its_manual_and_completion(tmp_path: Path) -> None:
    part("finish")["lay_printed"](tmp_path, ROOT)
    assert (tmp_path / "pos-app.1").read_text().startswith('.TH POS\\-APP 1 ""')
    assert "complete -F _pos_app pos-app" in (tmp_path / "pos-app.bash").read_text()


@pytest.mark.parametrize("is_killed", [False, True])
def test_no_till_starts_while_files_are_replaced(machine: Machine, tmp_path: Path, is_killed: bool) -> None:
    """The flag is there from before the look for tills to the end, also of one that is broken off."""
    run, tools, seen = tmp_path / "run", tmp_path / "tools", tmp_path / "seen"
    run.mkdir()
    tools.mkdir()
    flag = run / "pos-app.updating"
    # What copies the files says whether a till would have started then.
    asks = "from pathlib import Path; from pos_app.system.updating import is_updating; "
    asks += f"print(is_updating(Path('{run}')))"
    (tools / "cp").write_text(
        f'#!/bin/sh\n(cd "{ROOT}" && "{sys.executable}" -c "{asks}") >>"{seen}"\n'
        + ("kill -TERM $PPID; sleep 0.2\n" if is_killed else "")
        + 'PATH=${PATH#*:} exec cp "$@"\n'
    )
    (tools / "cp").chmod(0o755)
    result = subprocess.run(
        ["sh", str(machine.fetched / "install.sh"), "--prefix", str(machine.root)],
        env={"PATH": f"{tools}:{os.environ['PATH']}", "POS_APP_RUN_DIR": str(run)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode == 0) is not is_killed, result.stderr
    assert seen.read_text() == "True\n"
    assert not flag.exists()


def test_twice_is_once(machine: Machine) -> None:
    """The second time nothing is left over from the first."""
    machine.run()
    before = machine.files()
    assert machine.run().returncode == 0
    assert machine.files() == before


def test_an_update_takes_the_place_of_what_was_there(machine: Machine) -> None:
    """A file the new one does not have is gone; a half update that a power cut left does not stop it."""
    machine.run()
    (machine.home / "_internal" / "old-part").write_text("old")
    (machine.root / "opt" / "pos-app.new").mkdir()
    machine.program("second")
    assert machine.run().returncode == 0
    assert machine.version() == "second"
    assert not (machine.home / "_internal" / "old-part").exists()
    assert {path.name for path in (machine.root / "opt").iterdir()} == {"pos-app"}


def test_what_a_full_disk_did_not_take_leaves_the_till_its_room(machine: Machine) -> None:
    """The half of the new folder stayed, and took the last byte from the till that was to go on selling."""
    assert machine.run().returncode == 0
    before = machine.files()
    machine.program("second")
    with (machine.fetched / "_internal" / "part").open("wb") as file:
        file.truncate(1_000_000)
    limited = f'ulimit -f 100; exec sh "{machine.fetched}/install.sh" "$@"'
    (machine.fetched.parent / "limited.sh").write_text(limited)
    result = machine.run(script=machine.fetched.parent / "limited.sh")
    assert result.returncode != 0
    assert (machine.version(), machine.files()) == ("first", before)


def test_one_that_was_cut_off_between_the_two_names_still_has_the_old_till(machine: Machine) -> None:
    """Also where the next one fails before the new folder stands."""
    assert machine.run().returncode == 0
    machine.home.rename(machine.home.with_name("pos-app.old"))
    (machine.fetched / "pos-app").write_text("damaged")
    assert machine.run().returncode != 0
    assert machine.version() == "first"
    machine.program("second")
    assert machine.run().returncode == 0
    assert machine.version() == "second"


def test_one_that_ends_between_the_two_names_puts_the_old_till_back(machine: Machine, tmp_path: Path) -> None:
    """Whoever was to try again, and did not, had no till."""
    assert machine.run().returncode == 0
    before = machine.files()
    machine.program("second")
    (tools := tmp_path / "tools").mkdir()
    (tools / "mv").write_text(
        '#!/bin/sh\ncase "$*" in *.new\\ *) exit 1 ;; esac\nPATH=${PATH#*:} exec mv "$@"\n'
    )
    (tools / "mv").chmod(0o755)
    assert machine.run(PATH=f"{tools}:{os.environ['PATH']}").returncode != 0
    assert (machine.version(), machine.files()) == ("first", before)


def test_a_damaged_folder_is_not_installed(machine: Machine) -> None:
    """What is in place stays in place."""
    machine.run()
    machine.program("second")
    (machine.fetched / "_internal" / "part").write_text("other")
    result = machine.run()
    assert result.returncode == 1
    assert "damaged or missing" in result.stderr
    assert machine.version() == "first"


def test_an_open_till_is_not_replaced(machine: Machine) -> None:
    """It reads parts from its folder while it runs."""
    machine.run()
    shutil.copy(shutil.which("sleep") or "/bin/sleep", machine.home / "pos-app")
    with subprocess.Popen([machine.home / "pos-app", "60"]) as till:
        try:
            refused = [machine.run("install"), machine.run("uninstall")]
        finally:
            till.kill()
    assert [result.returncode for result in refused] == [1, 1]
    assert "the till is open" in refused[0].stderr
    assert (machine.home / "pos-app").exists()


def test_an_open_till_is_seen_where_a_link_led_to_it(tmp_path: Path) -> None:
    """/opt in /var: the system names what runs by where it really lies. Only the look, which no --prefix comes to."""
    home = tmp_path / "var" / "opt" / "pos-app"
    home.mkdir(parents=True)
    (tmp_path / "opt").symlink_to(tmp_path / "var" / "opt")
    shutil.copy(shutil.which("sleep") or "/bin/sleep", home / "pos-app")
    script = (BUNDLE / "install.sh").read_text()
    parts = [
        re.search(rf"^{name}\(\) .*?\}}$", script, re.DOTALL | re.MULTILINE)
        for name in ("stop", "not_running")
    ]
    looks = "\n".join(part[0] for part in parts if part is not None)
    asks = f"set -eu\nname=pos-app prefix= unit=u home='{tmp_path / 'opt' / 'pos-app'}'\n{looks}\nnot_running"

    def asked() -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", asks], capture_output=True, text=True, timeout=60, check=False)

    with subprocess.Popen([tmp_path / "opt" / "pos-app" / "pos-app", "60"]) as till:
        try:
            refused = asked()
        finally:
            till.kill()
    assert (refused.returncode, "the till is open" in refused.stderr) == (1, True)
    clear = asked()
    assert (clear.returncode, clear.stderr) == (0, "")


def test_the_new_files_last_before_the_old_ones_go(machine: Machine, tmp_path: Path) -> None:
    """A power cut leaves a till: the old one, or the new one whole."""
    machine.run()
    machine.program("second")
    tools, done = tmp_path / "tools", tmp_path / "done"
    tools.mkdir()
    for name in ("sync", "mv", "rm"):
        (tools / name).write_text(
            f'#!/bin/sh\necho "{name} $*" >>"{done}"\nPATH=${{PATH#*:}} exec {name} "$@"\n'
        )
        (tools / name).chmod(0o755)
    result = machine.run(PATH=f"{tools}:{os.environ['PATH']}")
    assert (result.returncode, result.stderr) == (0, "")
    home = str(machine.home)
    steps = [line for line in done.read_text().splitlines() if "/opt" in line]
    assert steps[1:] == [
        f"sync -f {home}.new",
        f"mv -T {home} {home}.old",
        f"mv -T {home}.new {home}",
        f"sync -f {machine.home.parent}",
        f"rm -rf {home}.old",
    ]


@pytest.mark.parametrize(
    ("there", "comes", "is_older"),
    [
        ("0.2.0", "0.1.9", True),
        ("0.10.0", "0.9.0", True),
        ("0.2.0", "0.2.0rc1", True),
        ("0.2.0rc10", "0.2.0rc9", True),
        ("0.2.0rc1", "0.2.0", False),
        ("0.2.0", "0.2.0", False),
        ("0.9.0", "0.10.0rc1", False),
    ],
)
def test_no_older_version_comes_over_a_newer_one(
    machine: Machine, there: str, comes: str, is_older: bool
) -> None:
    """What the newer one wrote it may not be able to read; whoever means it says so."""
    machine.program("first", there)
    assert machine.run().returncode == 0
    machine.program("second", comes)
    result = machine.run()
    assert result.returncode == int(is_older)
    assert ("which is older: it may not be able to read the journal" in result.stderr) is is_older
    assert machine.version() == ("first" if is_older else "second")
    assert machine.run(POS_APP_OLDER="1").returncode == 0
    assert machine.version() == "second"


def test_uninstall_takes_all_away_but_the_data(machine: Machine) -> None:
    """Also when it is the installed folder's own script that is run, and when it is run again."""
    data = machine.root / "var/lib/pos-app/journal.db"
    settings = machine.root / "etc/xdg/pos-app/config.toml"
    for file in (data, settings):
        file.parent.mkdir(parents=True)
        file.write_text("ours")
    machine.run()
    gone = machine.run("uninstall", script=machine.home / "install.sh")
    assert (gone.returncode, gone.stderr) == (0, "")
    assert machine.files() == {str(file.relative_to(machine.root)) for file in (data, settings)}
    assert "were not touched" in gone.stdout
    assert machine.run("uninstall").returncode == 0


def test_a_kiosk_is_put_in_place_kept_up_to_date_and_taken_away(machine: Machine) -> None:
    """Every file of packaging/kiosk has its place, with the till's folder written into it."""
    plain = machine.run().stdout
    before = machine.files()
    assert machine.run("--kiosk").returncode == 0
    placed = {machine.root / name for name in machine.files() - before}
    told = {path.name for path in (BUNDLE.parent / "kiosk").glob("pos-app-kiosk.*")}
    assert len(placed) == len(told)
    unit = machine.root / "etc/systemd/system/pos-app-kiosk.service"
    assert "ExecStart=/opt/pos-app/kiosk/session /opt/pos-app/pos-app --kiosk" in unit.read_text()
    assert os.access(machine.home / "kiosk" / "session", os.X_OK)
    assert [path for path in placed if "@HOME@" in path.read_text()] == []
    unit.write_text("of an older one")
    assert "kiosk's service" not in plain
    assert machine.run().returncode == 0
    assert "ExecStart=" in unit.read_text()
    machine.run("uninstall")
    assert machine.files() == set()


def test_what_it_does_not_know_it_does_not_do(machine: Machine) -> None:
    """Usage, exit code 2; a prefix that is not there is none."""
    assert machine.run("--purge").returncode == 2
    lost = subprocess.run(
        ["sh", str(machine.fetched / "install.sh"), "--prefix", str(machine.root / "nowhere")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert lost.returncode == 1
    assert machine.files() == set()


def _hostile(machine: Machine) -> None:
    """Unpacked with everybody's permissions, as by a tool with umask 0 or from a stick."""
    for path in [machine.fetched, *machine.fetched.rglob("*")]:
        path.chmod(0o777)
    (machine.fetched / "_internal" / "part").chmod(0o6666)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_who_may_change_the_till_is_not_the_unpackers_to_say(machine: Machine, umask: int) -> None:
    """Neither the fetched folder's permissions nor the umask of whoever installs: 0755 and 0644, and no others."""
    _hostile(machine)
    result = machine.run("--kiosk", umask=umask)
    assert (result.returncode, result.stderr) == (0, "")
    placed = [path for path in machine.root.rglob("*") if not path.is_symlink()]
    modes = {str(path.relative_to(machine.root)): path.stat().st_mode & 0o7777 for path in placed}
    runs = {"opt/pos-app/pos-app", "opt/pos-app/install.sh", "opt/pos-app/kiosk/session"}
    assert {name for name, mode in modes.items() if mode == 0o755} == {
        str(path.relative_to(machine.root)) for path in placed if path.is_dir()
    } | runs
    assert set(modes.values()) == {0o755, 0o644}
    if os.geteuid() == 0:
        assert {(path.lstat().st_uid, path.lstat().st_gid) for path in machine.root.rglob("*")} == {(0, 0)}


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can own what it took from another"
)
def test_what_another_user_unpacked_belongs_to_root_once_installed(machine: Machine) -> None:
    for path in [machine.fetched, *machine.fetched.rglob("*")]:
        os.chown(path, 65_534, 65_534)
    assert machine.run().returncode == 0
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in machine.root.rglob("*")} == {(0, 0)}


def _extra_file(fetched: Path) -> None:
    (fetched / "_internal" / "sitecustomize.py").write_text("evil")


def _extra_link(fetched: Path) -> None:
    (fetched / "_internal" / "libc.so.6").symlink_to("/tmp/evil.so")


def _extra_folder(fetched: Path) -> None:
    (fetched / "_internal" / "json").mkdir()


def _pipe(fetched: Path) -> None:
    os.mkfifo(fetched / "_internal" / "pipe")


def _link_in_place_of_a_file(fetched: Path) -> None:
    part = fetched / "_internal" / "part"
    part.rename(fetched.parent / "part")
    part.symlink_to(fetched.parent / "part")


def _listed_but_gone(fetched: Path) -> None:
    (fetched / "_internal" / "part").unlink()


def _list_of_elsewhere(fetched: Path) -> None:
    _add(fetched, hashlib.sha256(b"over there").hexdigest() + "  ../over-there")
    (fetched.parent / "over-there").write_text("over there")


def _link_that_leads_away(fetched: Path) -> None:
    (fetched / "_internal" / "home").symlink_to("/root")
    _add(fetched, "# _internal/home -> /root")


def _line_nobody_reads(fetched: Path) -> None:
    _add(fetched, "00  _internal/part")


def _list_is_a_link(fetched: Path) -> None:
    (fetched / "CONTENTS.sha256").rename(fetched.parent / "CONTENTS.sha256")
    (fetched / "CONTENTS.sha256").symlink_to(fetched.parent / "CONTENTS.sha256")


def _add(fetched: Path, line: str) -> None:
    listed = fetched / "CONTENTS.sha256"
    listed.write_text(listed.read_text() + line + "\n")


@pytest.mark.parametrize(
    "spoil",
    [
        _extra_file,
        _extra_link,
        _extra_folder,
        _pipe,
        _link_in_place_of_a_file,
        _listed_but_gone,
        _list_of_elsewhere,
        _link_that_leads_away,
        _line_nobody_reads,
        _list_is_a_link,
    ],
    ids=lambda spoil: spoil.__name__.strip("_"),
)
def test_the_list_is_exact(machine: Machine, spoil: Callable[[Path], None]) -> None:
    """A file more is as bad as one less: Python and the loader would find it. What is in place stays in place."""
    machine.run()
    machine.program("second")
    spoil(machine.fetched)
    result = machine.run()
    assert result.returncode == 1
    assert "not as it was made" in result.stderr
    assert machine.version() == "first"
    assert {path.name for path in (machine.root / "opt").iterdir()} == {"pos-app"}


def test_a_link_that_the_list_names_is_installed_as_a_link(machine: Machine) -> None:
    """As libraries have them."""
    (machine.fetched / "_internal" / "part.1").symlink_to("part")
    _add(machine.fetched, "# _internal/part.1 -> part")
    result = machine.run()
    assert (result.returncode, result.stderr) == (0, "")
    assert (machine.home / "_internal" / "part.1").readlink() == Path("part")


def test_nothing_is_written_through_a_planted_link(machine: Machine) -> None:
    """Whatever lies under the names it uses for a moment, and in the places themselves."""
    victim = machine.root.parent / "victim"
    victim.write_text("mine")
    victim.chmod(0o600)
    away = machine.root.parent / "away"
    away.mkdir()
    menu, home = machine.root / PLACES[0], machine.home
    menu.parent.mkdir(parents=True)
    for link in (menu, menu.with_name(menu.name + ".new")):
        link.symlink_to(victim)
    command = machine.root / "usr/local/bin/pos-app"
    for link in (home, home.with_name("pos-app.new"), home.with_name("pos-app.old"), command):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(away)
    result = machine.run()
    assert (result.returncode, result.stderr) == (0, "")
    assert (victim.read_text(), victim.stat().st_mode & 0o777) == ("mine", 0o600)
    assert list(away.iterdir()) == []
    assert not menu.is_symlink()
    assert command.readlink() == Path("/opt/pos-app/pos-app")
    assert machine.version() == "first"


@pytest.mark.parametrize("verb", ["install", "uninstall"])
@pytest.mark.parametrize("place", ["opt", "usr/share/applications", "usr/local/bin"])
def test_no_folder_of_an_image_leads_out_of_it(machine: Machine, verb: str, place: str) -> None:
    """An image whose /opt leads to the /opt of the machine it is made on."""
    away = machine.root.parent / "away"
    (away / "pos-app").mkdir(parents=True)
    (away / "pos-app.desktop").write_text("of this machine")
    link = machine.root / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(away)
    result = machine.run(verb)
    assert result.returncode == 1
    assert f"{link} is a link: nothing is put behind it" in result.stderr
    assert {path.name for path in away.iterdir()} == {"pos-app", "pos-app.desktop"}


def test_a_folder_that_everybody_may_write_is_no_place(machine: Machine) -> None:
    """What is put there is anybody's a moment later; where nobody may take what is another's (as in /tmp) it is not."""
    opt = machine.root / "opt"
    opt.mkdir()
    opt.chmod(0o777)
    result = machine.run()
    assert result.returncode == 1
    assert f"{opt} can be changed by others; run: chmod o-w {opt}" in result.stderr
    assert list(opt.iterdir()) == []
    opt.chmod(0o1777)
    assert machine.run().returncode == 0


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can make a folder another user's"
)
def test_a_folder_of_another_user_is_no_place(machine: Machine) -> None:
    (machine.root / "opt").mkdir()
    os.chown(machine.root / "opt", 65_534, 65_534)
    result = machine.run()
    assert (result.returncode, list((machine.root / "opt").iterdir())) == (1, [])
    assert "belongs to another user" in result.stderr
