"""Files planted where libraries look for code or settings of their own: none of it runs in the till (threat 32).

The places are those that a trace of the system calls shows being looked for, and those the libraries' own pages name;
docs/search-places.md lists them. Each trap is first shown to spring without the till's care.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.attacks.trap import Trap
from tests.unit.settings.files import LIVE
from tests.verification.proof.display import display

PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
TRACE = "with open({trace!r}, 'a') as trace:\n    trace.write({name!r} + ' ')\n"
LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void sprung(void) {
    FILE *trace = fopen("%s", "a");
    if (trace) { fputs("%s ", trace); fclose(trace); }
}
"""
WINDOW = """
import os, sys
from pos_app.system.isolation import isolate
isolate()
os.environ["QT_DEBUG_PLUGINS"] = "1"
from pos_app.ui.theme import theme
from PySide6.QtWidgets import QApplication
from pos_app.ui.widgets.label import Label
qt = QApplication(["pos-app"]) if "--bare" in sys.argv else theme.application()
theme.apply(qt, "light")
label = Label("1,250.00")
label.show()
qt.processEvents()
label.grab()
print("painted")
"""


class Home:
    """A home folder in which somebody has planted whatever a library may look for; `sprung` names what was run."""

    def __init__(self, folder: Path) -> None:
        self.trap = Trap(folder, ())
        self.home = folder / "home"
        self._trace = folder / "sprung"
        self.variables = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
        }
        self.keyring()
        self.python()
        self.qt()
        self.openssl()

    @property
    def sprung(self) -> set[str]:
        return self.trap.sprung

    def put(self, place: str, text: str) -> Path:
        file = self.home / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
        return file

    def module(self, place: str, name: str, more: str = "") -> None:
        self.put(
            f"{place}/{name}.py", TRACE.format(trace=str(self._trace), name=name) + textwrap.dedent(more)
        )

    def keyring(self) -> None:
        """The library's settings file, in each place it had: a class by name, and a path to find it on."""
        store = """
            from keyring.backend import KeyringBackend
            class Keyring(KeyringBackend):
                priority = 99
                def get_password(self, service, name): return None
                def set_password(self, service, name, value): print("GIVEN AWAY", name)
                def delete_password(self, service, name): pass
        """
        self.module("evil", "evil_store", store)
        settings = f"[backend]\ndefault-keyring=evil_store.Keyring\nkeyring-path={self.home / 'evil'}\n"
        for place in (".config/python_keyring", ".local/share/python_keyring", ".keyring"):
            self.put(f"{place}/keyringrc.cfg", settings)

    def python(self) -> None:
        """What every start of an ordinary Python runs out of the home folder."""
        site = f".local/lib/{PYTHON}/site-packages"
        self.module(site, "usercustomize")
        self.module(site, "sitecustomize")
        self.module(site, "evil_pth")
        self.put(f"{site}/evil.pth", "import evil_pth\n")
        # An entry point of a package that is installed there.
        self.put(
            f"{site}/evil_store-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: evil_store\nVersion: 1\n"
        )
        self.put(f"{site}/evil_store-1.dist-info/entry_points.txt", "[keyring.backends]\nevil = evil_point\n")
        self.module(site, "evil_point")
        self.module(".", ".pythonrc")
        self.trap.folder.joinpath("pyvenv.cfg").write_text(f"home = {self.home}\n")

    def qt(self) -> None:
        for folder in (self.trap.folder, self.home / ".config"):
            folder.mkdir(parents=True, exist_ok=True)
            folder.joinpath("qt.conf").write_text(f"[Paths]\nPlugins = {self.home / 'plugins'}\n")
        self.put(".config/QtProject/qtlogging.ini", "[Rules]\n*.debug=true\n")
        self.put(".config/QtProject.conf", "[Qt]\nstyle=windows\n")
        self.put(".config/gtk-3.0/settings.ini", "[Settings]\ngtk-modules=evil\n")

    def openssl(self) -> None:
        text = f"""
            openssl_conf = main
            [main]
            engines = engines
            [engines]
            evil = evil
            [evil]
            dynamic_path = {self.home}/evil.so
            init = 1
        """
        for place in ("openssl.cnf", ".openssl.cnf", ".config/openssl.cnf", "evil.cnf"):
            self.put(place, text)
        shutil.copy(self.home / "evil.cnf", self.trap.folder / "openssl.cnf")

    def library(self, name: str) -> Path:
        """A shared library that leaves a trace when it is loaded. Skips the test where nothing can build one."""
        compiler = shutil.which("gcc")
        if compiler is None:
            pytest.skip("no gcc here to build a library with")
        source = self.put(f"{name}.c", LIBRARY % (self._trace, name))
        made = self.home / name
        subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source], check=True)
        return made

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.trap.run(*arguments, variables=self.variables | variables)

    def start(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        return self.trap.start(command, self.variables | variables)

    def forget(self) -> None:
        self._trace.unlink(missing_ok=True)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_key_store_s_trap_works(home: Home) -> None:
    """The library alone takes the file's word for it."""
    done = home.start([sys.executable, "-c", "import keyring; keyring.set_password('pos-app', 'key', 'x')"])
    assert (done.returncode, home.sprung) == (0, {"evil_store"})
    assert "GIVEN AWAY key" in done.stdout


@pytest.mark.parametrize("line", [("doctor",), ("otp", "send", "+94770000001"), ("transactions",), ("open",)])
def test_no_verb_of_a_live_till_runs_what_lies_in_the_home(
    home: Home, tmp_path: Path, line: tuple[str, ...]
) -> None:
    """Key store, secrets and journal's key are all asked for; none of it goes to code of the home folder's."""
    config = tmp_path / "config.toml"
    config.write_text(LIVE)
    done = home.run("--config", str(config), "--data-dir", str(tmp_path / "data"), *line)
    assert home.sprung == set(), done.stderr
    assert "GIVEN AWAY" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_payment_beside_planted_files_is_paid_by_the_till_alone(home: Home, tmp_path: Path) -> None:
    """The till and the sandbox it starts, in a folder full of traps."""
    line = ("pay", "--amount", "5.00", "--qr", "--customer", "approve")
    done = home.run("--sandbox", "--data-dir", str(tmp_path / "data"), *line)
    assert home.sprung == set(), done.stderr
    assert "Paid" in done.stdout, done


@pytest.mark.parametrize("name", ["KEYRING_PROPERTY_KEYCHAIN", "KEYCHAIN_PATH", "PYTHON_KEYRING_BACKEND"])
def test_no_variable_chooses_the_key_store(home: Home, tmp_path: Path, name: str) -> None:
    done = home.run("--data-dir", str(tmp_path / "data"), "doctor", **{name: "evil_store.Keyring"})
    assert home.sprung == set()
    assert name in done.stderr


def test_an_installed_package_s_entry_point_is_no_key_store(home: Home) -> None:
    """Not even one in the environment itself: the library would import each that calls itself one."""
    place = str(home.home / f".local/lib/{PYTHON}/site-packages")
    load = f"import sys; sys.path.insert(0, {place!r})\n"
    for settings in home.home.rglob("keyringrc.cfg"):
        settings.unlink()
    done = home.start([sys.executable, "-I", "-c", load + "import keyring; keyring.get_keyring()"])
    assert "evil_point" in home.sprung, done.stderr
    home.forget()
    asked = "from pos_app.secrets import keystore; print(repr(keystore.read('x')), keystore.write('x', 'y'))"
    done = home.start(
        [sys.executable, "-I", "-c", load + asked], DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere"
    )
    assert (done.stdout, home.sprung) == ("None False\n", set()), done.stderr


def test_a_sitecustomize_that_covers_its_tracks_is_left_behind(home: Home) -> None:
    """It takes PYTHONPATH, itself and its folder out again; what it changed stays with the first process."""
    folder = home.home / "path"
    home.put(
        "path/sitecustomize.py",
        """
        import argparse, os, sys
        argparse.ArgumentParser.parse_args = lambda *_, **__: print("taken over")
        del os.environ["PYTHONPATH"]
        sys.path[:] = [each for each in sys.path if "/path" not in each]
        sys.modules["sitecustomize"] = sys
        """,
    )
    first = home.start(
        [sys.executable, "-c", "import argparse; argparse.ArgumentParser().parse_args()"],
        PYTHONPATH=str(folder),
    )
    assert first.stdout == "taken over\n"
    done = home.run("--help", PYTHONPATH=str(folder))
    assert "taken over" not in done.stdout
    assert done.stdout.startswith("usage: pos-app")
    assert done.stderr == "pos-app: not taken from the environment: PYTHONPATH\n"


def test_one_that_puts_them_behind_our_back_ends_with_a_word(home: Home) -> None:
    """A start that would bring them back for ever is not made for ever."""
    done = home.run("--help", LD_LIBRARY_PATH=str(home.home), POS_APP_STARTED_ANEW="1")
    assert done.returncode == 1
    assert "unset these first" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the loader of Linux")
def test_a_library_to_load_first_is_left_behind(home: Home, tmp_path: Path) -> None:
    """LD_PRELOAD is in the process that reads it before our first line; the till, and what it starts, are others."""
    library = str(home.library("evil.so"))
    done = home.run("--sandbox", "--data-dir", str(tmp_path / "data"), "transactions", LD_PRELOAD=library)
    assert done.returncode == 0, done.stderr
    assert "not taken from the environment: LD_PRELOAD\n" in done.stderr
    assert (tmp_path / "sprung").read_text().split() == ["evil.so"], "once, in the process that was left"


@pytest.mark.skipif(sys.platform != "linux", reason="the loader of Linux")
@pytest.mark.parametrize("isolated", [(), ("-I",)])
def test_a_folder_of_libraries_is_not_looked_into(
    home: Home, tmp_path: Path, isolated: tuple[str, ...]
) -> None:
    """One that is loaded late, by whatever part: an isolated Python still has the loader look there."""
    script = tmp_path / "late.py"
    script.write_text("import ctypes\nctypes.CDLL('libevil.so')\n")
    folder = home.library("libevil.so").parent
    trapped = home.start([sys.executable, *isolated, str(script)], LD_LIBRARY_PATH=str(folder))
    assert (trapped.returncode, home.sprung) == (0, {"libevil.so"})
    home.forget()
    main = "import sys; sys.argv = ['pos-app', '--help']; from pos_app.__main__ import main; main()"
    done = home.start([sys.executable, *isolated, "-c", main], LD_LIBRARY_PATH=str(folder))
    assert done.stdout.startswith("usage: pos-app")
    assert done.stderr == "pos-app: not taken from the environment: LD_LIBRARY_PATH\n"
    assert home.sprung == set()


needs_a_display = pytest.mark.skipif(
    not shutil.which("Xvfb"), reason="Xvfb is among the packages of the proof"
)
GTK = re.compile(r"libqgtk3\S* loaded library|Cannot load library.*libqgtk3")
"""What Qt says of its part where GTK is installed, and where it is not."""


def qt_says(home: Home, tmp_path: Path, desktop: str, *words: str) -> str:
    """What Qt says of the parts it loads for a window on such a desktop."""
    script = tmp_path / "window.py"
    script.write_text(WINDOW)
    with display() as name:
        variables = {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb", "XDG_CURRENT_DESKTOP": desktop}
        done = home.start([sys.executable, "-I", str(script), *words], **variables)
    assert done.stdout == "painted\n", done.stderr
    assert "looking at" in done.stderr
    return done.stderr


@needs_a_display
def test_gtk_s_trap_works(home: Home, tmp_path: Path) -> None:
    """Qt's part for such desktops loads GTK, which loads the modules that a file in the home folder names."""
    assert GTK.search(qt_says(home, tmp_path, "GNOME", "--bare"))


@needs_a_display
@pytest.mark.parametrize("desktop", ["GNOME", "XFCE", "ubuntu:GNOME", "KDE", ""])
def test_no_desktop_brings_gtk_and_its_modules_along(home: Home, tmp_path: Path, desktop: str) -> None:
    assert not GTK.search(qt_says(home, tmp_path, desktop))


@pytest.mark.parametrize("name", ["OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES"])
@pytest.mark.skipif(sys.platform != "linux", reason="a library of Linux")
def test_no_settings_of_openssl_load_an_engine(home: Home, tmp_path: Path, name: str) -> None:
    home.library("evil.so")
    value = str(home.home / "evil.cnf") if name == "OPENSSL_CONF" else str(home.home)
    done = home.run("--sandbox", "--data-dir", str(tmp_path / "data"), "transactions", **{name: value})
    assert done.returncode == 0, done.stderr
    assert home.sprung == set()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("unix:path=/run/user/1000/bus", "unix:path=/run/user/1000/bus"),
        ("unix:abstract=/tmp/dbus-x,guid=0", "unix:abstract=/tmp/dbus-x,guid=0"),
        ("unixexec:path=/tmp/evil,argv1=x", ""),
        ("autolaunch:", ""),
        ("tcp:host=example.net,port=1", ""),
        ("tcp:host=example.net,port=1;unix:path=/run/bus", "unix:path=/run/bus"),
    ],
)
def test_a_bus_is_a_socket_of_this_machine(home: Home, said: str, left: str) -> None:
    """Others start a program that they name, or give what is asked of the key store to the network."""
    program = (
        "import os; from pos_app.system.isolation import isolate; isolate()\n"
        "print(os.environ.get('DBUS_SESSION_BUS_ADDRESS', ''))"
    )
    done = home.start([sys.executable, "-I", "-c", program], DBUS_SESSION_BUS_ADDRESS=said)
    assert done.stdout == f"{left}\n"
