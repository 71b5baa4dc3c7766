"""The bundle's first module: what its starter set is undone before anything is started by the till."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture.bundle_parts import BUNDLE, part

STARTER = {
    "LD_LIBRARY_PATH": "/opt/pos-app/_internal",
    "QT_PLUGIN_PATH": "/opt/pos-app/_internal/PySide6/Qt/plugins",
    "QML2_IMPORT_PATH": "/opt/pos-app/_internal/PySide6/Qt/qml",
    "_PYI_ARCHIVE_FILE": "/opt/pos-app/pos-app",
}


@pytest.fixture
def undo(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    for name, value in STARTER.items():
        monkeypatch.setenv(name, value)
    made: Callable[[], None] = part("start")["undo_starter"]
    return made


def test_a_command_of_the_shop_finds_the_systems_libraries(undo: Callable[[], None]) -> None:
    """The token command would load ours in their place, and might not start."""
    undo()
    assert STARTER.keys().isdisjoint(os.environ)


def test_the_path_that_was_there_before_is_there_again(
    undo: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyInstaller's starter keeps it under another name."""
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/shop")
    undo()
    assert os.environ["LD_LIBRARY_PATH"] == "/usr/local/shop"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_the_bundles_own_fonts_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's follow, where it has any."""
    # Set first, so that it is put back: the windows of the tests behind this one need the system's fonts.
    monkeypatch.setenv("FONTCONFIG_FILE", "")
    part("start")["show_fonts"]()
    named = Path(os.environ["FONTCONFIG_FILE"])
    assert named.name == "fonts.conf"
    lines = (BUNDLE / "fonts.conf").read_text(encoding="utf-8")
    assert lines.index('<dir prefix="relative">.</dir>') < lines.index("<include ignore_missing")
