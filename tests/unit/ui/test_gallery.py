"""The gallery looks as it was last agreed on; a change of a colour, a place or a size is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from pos_app.cli.verbs.gallery import SECTIONS as VERB_SECTIONS
from pos_app.gallery.panels import AGED
from pos_app.gallery.payments import RESULTS
from pos_app.gallery.sections import sections
from pos_app.gallery.window import Gallery
from pos_app.i18n.words.gallery import words
from pos_app.ui.theme import theme, tokens
from pos_app.ui.theme.fonts import text_factor
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.widgets.button import Button
from tests.support.sandbox import REPOSITORY
from tests.unit.ui.gallery_references import MOST_CELLS, SECTIONS, THEMES, differing, kept, save, taken

ANEW = "see them; if they are as they should be: python -m tests.unit.ui.gallery_references"


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("section", SECTIONS)
def test_the_gallery_looks_as_agreed(qapp: QApplication, tmp_path: Path, section: str, colours: str) -> None:
    now = taken(qapp, section, colours)
    references = kept(section, colours, now)
    far = {name: differing(each, references[name]) for name, each in now.items() if references}
    wrong = sorted(name for name, count in far.items() if count > MOST_CELLS)
    if wrong or not references:
        seen = save(section, colours, now, tmp_path)
        pytest.fail(f"{section}, {colours}: {wrong or 'another number or size of pictures'}; {seen}; {ANEW}")


def _planted(qapp: QApplication) -> set[str]:
    now = taken(qapp, "parts", "light")
    references = kept("parts", "light", now)
    assert references
    return {name for name, each in now.items() if differing(each, references[name]) > MOST_CELLS}


def test_another_colour_is_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """A green that is a little bluer."""
    other = tokens.LIGHT._replace(primary="#0F7690")
    monkeypatch.setattr("pos_app.ui.theme.theme.LIGHT", other)
    assert {"button-primary", "button-outline", "icons", "stages-qr"} <= _planted(qapp)


def test_a_wider_gap_is_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pixels between icon and text."""
    monkeypatch.setattr("pos_app.ui.widgets.button._GAP", 12)
    seen = _planted(qapp)
    assert {"button-primary", "button-plain"} <= seen
    assert "keypad" not in seen


def test_a_lost_icon_is_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_painted: Any) -> None:
        """Paints none."""

    monkeypatch.setattr("pos_app.ui.widgets.badge.paint_icon", nothing)
    assert _planted(qapp) == {"marks"}


def _press(gallery: Gallery, name: str) -> None:
    button = gallery.findChild(Button, name)
    assert button is not None, name
    button.click()


def _shown(gallery: Gallery) -> QWidget | None:
    scroll = gallery.findChild(QScrollArea, "gallery_exhibits")
    assert scroll is not None
    return scroll.widget()


def test_the_verb_knows_every_section(qapp: QApplication) -> None:
    assert qapp is not None
    assert tuple(sections(QrEncoder())) == VERB_SECTIONS == tuple(words.SECTION)


def test_the_window_shows_each_section_and_switches(qapp: QApplication, qtbot: Any) -> None:
    gallery = Gallery("light")
    qtbot.addWidget(gallery, before_close_func=lambda _window: gallery.objectName())
    gallery.show()
    try:
        for name in ("dialogs", "results", "parts"):
            _press(gallery, f"section_{name}")
            assert _shown(gallery) is not None
        _press(gallery, "switch_theme")
        assert theme.tokens() is tokens.DARK
        _press(gallery, "language_ar")
        assert gallery.isRightToLeft()
        _press(gallery, "text_150")
        assert text_factor() == 1.5
    finally:
        theme.apply(qapp, "light")
        gallery.close()


def test_a_switch_that_was_pressed_by_a_key_keeps_the_keyboard(qapp: QApplication, qtbot: Any) -> None:
    """It is made anew with all that is seen, and the keyboard went to a part of an exhibit."""
    gallery = Gallery("light")
    qtbot.addWidget(gallery, before_close_func=lambda _window: gallery.objectName())
    gallery.show()
    gallery.activateWindow()
    qtbot.waitUntil(gallery.isActiveWindow)
    try:
        for name in ("switch_theme", "section_papers"):
            (button,) = [each for each in gallery.findChildren(Button, name) if each.isVisible()]
            button.setFocus()
            qtbot.keyClick(button, Qt.Key.Key_Return)
            QApplication.processEvents()
            now = QApplication.focusWidget()
            assert now is not None
            assert now.objectName() == name
    finally:
        theme.apply(qapp, "light")
        gallery.close()


def test_the_verb_saves_a_picture_of_each(tmp_path: Path) -> None:
    """In a process of its own, without a display."""
    done = subprocess.run(
        [sys.executable, "-m", "pos_app", "gallery", "--screenshots", str(tmp_path), "--section", "results"],
        capture_output=True,
        text=True,
        timeout=100,
        env={name: value for name, value in os.environ.items() if name != "DISPLAY"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    saved = {path.relative_to(tmp_path).with_suffix("").as_posix() for path in tmp_path.rglob("*.png")}
    assert saved == {f"results/{name}" for name in (*RESULTS, AGED)}
    assert f"{len(saved)} pictures" in done.stdout


def test_what_there_is_to_see_is_listed_without_a_window() -> None:
    """Whoever names exhibits before there is an application (a test that is collected) made the process abort."""
    listed = (
        "from pos_app.gallery.sections import sections; print(sum(map(len, sections(None).values())) > 100)"
    )
    done = subprocess.run(
        [sys.executable, "-c", listed],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
