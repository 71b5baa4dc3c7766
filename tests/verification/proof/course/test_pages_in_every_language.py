"""The course's pages in every language, steps, verdicts and strip: nothing is cut, and no window grows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.ui.training_stage import Beside, language, wrong_pages, wrong_steps, wrong_strips


@pytest.mark.parametrize("name", ["en", "si", "ta", "ar", "pseudo"])
def test_every_page_fits(qtbot: Any, name: str) -> None:
    with language(name):
        assert wrong_steps(Beside(qtbot), name) == []
        assert wrong_pages(Beside(qtbot), name) == []
        assert wrong_strips(Beside(qtbot)) == []
