"""Variables that would load plugins, trust other roots, or write down the keys of every connection."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.system.isolation import fitting
from tests.attacks.trap import Trap

DROPPED = (
    "QT_PLUGIN_PATH",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
    "QT_QPA_PLATFORMTHEME",
    "QT_QPA_FONTDIR",
    "QT_QPA_GENERIC_PLUGINS",
    "QT_STYLE_OVERRIDE",
    "QT_LOGGING_RULES",
    "QT_LOGGING_CONF",
    "QT_LOGGING_TO_CONSOLE",
    "QT_MESSAGE_PATTERN",
    "QT_DEBUG_PLUGINS",
    "QT_QUICK_BACKEND",
    "QT_QUICK_CONTROLS_STYLE",
    "QT_FATAL_WARNINGS",
    "QT_FONT_DPI",
    "QT_XCB_GL_INTEGRATION",
    "QML2_IMPORT_PATH",
    "QML_IMPORT_PATH",
    "QML_DISABLE_DISK_CACHE",
    "QSG_RHI_BACKEND",
    "QV4_FORCE_INTERPRETER",
    "SBK_EMBED",
    "PYSIDE_DISABLE_INTERNAL_QT_CONF",
    "PYSIDE6_OPTION_PYTHON_ENUM",
    "SSLKEYLOGFILE",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "OPENSSL_ENGINES",
    "GTK_MODULES",
    "GTK_PATH",
    "GIO_EXTRA_MODULES",
    "GCONV_PATH",
    "NETRC",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
    "PYTHONDEVMODE",
    "PYTHONPLATLIBDIR",
    "PYTHONCASEOK",
)
KEPT = {
    "DISPLAY": ":0",
    "HOME": "/home/shop",
    "LANG": "si_LK.UTF-8",
    "PATH": "/usr/bin",
    "POS_APP_CONFIG": "/etc/shop.toml",
    "CREDENTIALS_DIRECTORY": "/run/credentials/till",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
    "QT_QPA_PLATFORM": "offscreen",
    "QT_SCALE_FACTOR": "1.5",
    "QT_IM_MODULE": "ibus",
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "PYTHON": "python3.12",
    "PYTHONUNBUFFERED": "1",
}

WINDOW = """
import json, os, sys
from pos_app.system.isolation import isolate
isolate()
from PySide6.QtWidgets import QApplication
from pos_app.ui.theme import theme
from pos_app.ui.widgets.label import Label
qt = QApplication(["pos-app", *theme.STYLE_ARGUMENTS])
theme.apply(qt, "light")
label = Label("1,250.00")
picture = label.grab().toImage()
print(json.dumps({
    "plugins": qt.libraryPaths(), "platform": qt.platformName(), "style": qt.style().objectName(),
    "size": [label.sizeHint().width(), label.sizeHint().height()], "pixels": bytes(picture.constBits()).hex(),
    "environment": sorted(os.environ),
}))
"""


@pytest.mark.parametrize("name", DROPPED)
def test_a_variable_that_loads_or_leaks_is_dropped(name: str) -> None:
    """Whatever it says."""
    assert fitting({name: "x", **KEPT}) == {name: None}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("xcb", "xcb"),
        ("wayland;xcb", "wayland;xcb"),
        ("offscreen:configfile=/tmp/screens.json", "offscreen"),
        ("eglfs:/dev/fb1", "eglfs"),
        ("vnc", None),
        ("vnc:port=5900;xcb", "xcb"),
        ("/tmp/libevil.so", None),
        ("../../evil", None),
        ("", None),
    ],
)
def test_a_platform_is_one_that_is_known_and_without_options(said: str, left: str | None) -> None:
    """A platform over the network would hand screen and keyboard to whoever asks, without a password."""
    changed = fitting({"QT_QPA_PLATFORM": said})
    assert changed.get("QT_QPA_PLATFORM", said) == left


@pytest.mark.parametrize("said", ["0.1", "40", "nan", "inf", "-1", "1;2", "", "x", "1e999"])
def test_a_scale_stays_readable(said: str) -> None:
    """An amount nobody can read is as good as a forged one."""
    assert fitting({"QT_SCALE_FACTOR": said}) == {"QT_SCALE_FACTOR": None}


@pytest.mark.parametrize("name", ["QT_ACCESSIBILITY", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"])
def test_a_screen_reader_is_only_switched_on_or_off(name: str) -> None:
    assert fitting({name: "1"}) == {}
    assert fitting({name: "/tmp/bridge.so"}) == {name: None}


@given(st.dictionaries(st.text(min_size=1), st.text()))
def test_what_is_left_is_fit_for_good(variables: dict[str, str]) -> None:
    """Whatever was set; a second look finds nothing more."""
    changed = fitting(variables)
    left = {name: changed.get(name, value) for name, value in variables.items()}
    assert fitting({name: value for name, value in left.items() if value is not None}) == {}


def test_the_window_is_the_same_whatever_qt_is_told(tmp_path: Path) -> None:
    """A real process with a screen: plugins, platform, style and pixels."""
    trap = Trap(tmp_path, ())
    script = tmp_path / "window.py"
    script.write_text(WINDOW)
    plain = _said(trap.start([sys.executable, "-I", str(script)]))
    evil = {
        "QT_PLUGIN_PATH": str(trap.folder),
        "QT_QPA_PLATFORM_PLUGIN_PATH": str(trap.folder),
        "QT_STYLE_OVERRIDE": "windows",
        "QT_QPA_PLATFORMTHEME": "gtk3",
        "QT_FONT_DPI": "300",
        "QT_LOGGING_RULES": "*=true",
        "QT_MESSAGE_PATTERN": "%{file}",
        "QT_SCALE_FACTOR": "9",
        "QT_FATAL_WARNINGS": "1",
        "SSLKEYLOGFILE": str(tmp_path / "keys"),
    }
    done = trap.start([sys.executable, "-I", str(script)], evil)
    assert _said(done) == plain
    assert "not taken from the environment: QT_FATAL_WARNINGS, QT_FONT_DPI" in done.stderr
    assert str(trap.folder) not in json.dumps(plain)


def _said(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    said: dict[str, object] = json.loads(done.stdout)
    return said


def test_keys_proxies_and_netrc_of_the_environment_reach_no_connection(tmp_path: Path) -> None:
    """A real call to the sandbox: no key is written down, no proxy asked, no password of a .netrc sent."""
    trap = Trap(tmp_path, ())
    (tmp_path / ".netrc").write_text("default login eve password EVE-PASSWORD\n")
    nowhere = "http://127.0.0.1:9"
    variables = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"), nowhere)
    variables |= {
        "SSLKEYLOGFILE": str(tmp_path / "keys"),
        "HOME": str(tmp_path),
        "NETRC": str(tmp_path / ".netrc"),
    }
    done = trap.run("--sandbox", "--data-dir", str(tmp_path / "data"), "transactions", variables=variables)
    assert (done.returncode, done.stdout) == (0, "No payments in this list.\n"), done.stderr
    assert not (tmp_path / "keys").exists()
    assert "SSLKEYLOGFILE" in done.stderr


@pytest.mark.parametrize("locale", ["tr_TR.UTF-8", "C", "POSIX", "ar_EG.UTF-8", "no_SUCH.utf-99"])
def test_a_locale_changes_no_word_and_no_figure(tmp_path: Path, locale: str) -> None:
    """Neither commas for dots, nor other digits, nor a Turkish i."""
    trap = Trap(tmp_path, ())
    line = ("--sandbox", "pay", "--amount", "12,50", "--qr")
    plain = trap.run(*line, variables={"LC_ALL": "en_US.UTF-8"})
    done = trap.run(*line, variables={"LC_ALL": locale, "LANG": locale, "LANGUAGE": locale})
    assert (done.returncode, done.stdout, done.stderr) == (2, "", plain.stderr)
