"""The gallery looks as it was last agreed on; a change of a colour, a place or a size is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.ui.design import tokens
from tests.ui.gallery_references import MOST_CELLS, SECTIONS, THEMES, differing, kept, save, taken

ANEW = "see them; if they are as they should be: python -m tests.ui.gallery_references"


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
    monkeypatch.setattr("pos_app.ui.design.theme.LIGHT", other)
    assert {"button-primary", "button-outline", "icons", "stages-qr"} <= _planted(qapp)


def test_a_wider_gap_is_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pixels between icon and text."""
    monkeypatch.setattr("pos_app.ui.widgets.button._GAP", 12)
    assert {"button-primary", "button-plain"} <= _planted(qapp)
    assert "keypad" not in _planted(qapp)


def test_a_lost_icon_is_seen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_painted: Any) -> None:
        """Paints none."""

    monkeypatch.setattr("pos_app.ui.widgets.badge.paint_icon", nothing)
    assert _planted(qapp) == {"marks"}
