"""What a desktop is told of the till: its entry, its icons, and what a software centre says of it."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.architecture.bundle_parts import part
from tests.architecture.sources import ROOT

DESKTOP = ROOT / "packaging" / "desktop"
METAINFO = DESKTOP / "local.pos_app.till.metainfo.xml"
ENTRY = ROOT / "packaging" / "bundle" / "pos-app.desktop"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def needs(program: str) -> str:
    """Skips in words where it is not installed."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: what it would say is not known")
    return found


def test_the_newest_release_is_this_version_and_the_changelog_has_it() -> None:
    """A software centre would offer an update to what is installed."""
    releases = ElementTree.parse(METAINFO).findall("./releases/release")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert releases[0].get("version") == version
    assert re.search(rf"^## .*{re.escape(version)}", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def test_it_names_the_entry_and_the_icon_that_are_installed() -> None:
    tree = ElementTree.parse(METAINFO)
    entry = ENTRY.read_text("utf-8")
    assert tree.findtext("launchable") == ENTRY.name
    assert f"Icon={tree.findtext('icon')}\n" in entry
    assert f"Name={tree.findtext('name')}\n" in entry
    assert f"Comment={tree.findtext('summary')}\n" in entry
    assert METAINFO.name == f"{tree.findtext('id')}.metainfo.xml"


def test_a_software_centre_takes_it() -> None:
    said = subprocess.run(
        [needs("appstreamcli"), "validate", "--no-net", "--no-color", str(METAINFO)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout


def test_a_desktop_takes_the_entry(tmp_path: Path) -> None:
    """With the till's folder written into it, as the installer does."""
    entry = tmp_path / ENTRY.name
    entry.write_text(ENTRY.read_text("utf-8").replace("@HOME@", "/opt/pos-app"))
    said = subprocess.run(
        [needs("desktop-file-validate"), str(entry)], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout) == (0, "")


def test_the_icon_in_every_size(tmp_path: Path) -> None:
    needs("rsvg-convert")
    subprocess.run(["sh", str(DESKTOP / "icons.sh"), str(tmp_path)], check=True, capture_output=True)
    for size in SIZES:
        made = tmp_path / "hicolor" / f"{size}x{size}" / "apps" / "pos-app.png"
        assert struct.unpack(">II", made.read_bytes()[16:24]) == (size, size)
    assert (tmp_path / "hicolor" / "scalable" / "apps" / "pos-app.svg").is_file()


def test_what_the_bundle_prints_is_what_each_shell_and_man_look_for() -> None:
    """Made by the program that was packed: no page of another version lies beside it."""
    made = part("finish")["MADE"]
    assert made == {
        "pos-app.1": ("man",),
        "pos-app.bash": ("completion",),
        "pos-app.zsh": ("completion", "zsh"),
        "pos-app.fish": ("completion", "fish"),
    }
