"""Every screen in a language with 40 % more length: nothing is cut, and nothing is said that no table says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pos_app.domain.people import FIRST_MANAGER
from pos_app.ui.dialogs.set_up.countries import countries, currencies
from pos_app.ui.dialogs.set_up.wizard import Page, Wizard
from tests.support.stage import STATES, Stage
from tests.unit.i18n.looking import fits, untranslated
from tests.unit.i18n.pseudo import spoken
from tests.unit.i18n.walks import SAMPLES, WALKS
from tests.unit.ui.dialog_cases import settle
from tests.unit.ui.settings_cases import PICTURE, Elsewhere, opened
from tests.unit.ui.setup_cases import Elsewhere as SetUpElsewhere

SMALLEST = (1024, 768)
WALKED = (
    "approval",
    "approval-not-paid",
    "code-wrong",
    "details",
    "done",
    "enrol",
    "found",
    "open-payments",
    "people",
    "person",
)
"""tests/verification/proof walks them all."""

TYPED = (
    FIRST_MANAGER,
    *dict.fromkeys(PICTURE.sources.values()),
    *(text for text in PICTURE.stored.values() if text),
    *PICTURE.locked.values(),
    *sorted((name for _code, name in (*countries(), *currencies())), key=len, reverse=True),
    "https://pay.example.com",
    "https://login.example/token",
    "/usr/bin/shop-token --json",
    "/run/pos-app/token",
    "/dev/",
    "till-3",
    "chargeTotal",
    "amount",
)
"""What the settings' screens are given: values, and words that were chosen before."""


@pytest.fixture(autouse=True)
def in_pseudo() -> Iterator[None]:
    with spoken():
        yield


@pytest.mark.parametrize("state", SAMPLES)
def test_the_till(qtbot: Any, state: str) -> None:
    on = Stage(qtbot, size=SMALLEST)
    STATES[state](on)
    on.settle()
    assert on.window.size().toTuple() == SMALLEST
    fits(qtbot, on.window)
    assert untranslated(on.window) == []


@pytest.mark.parametrize("walk", WALKED)
def test_a_panel_over_the_till(qtbot: Any, walk: str) -> None:
    on = Stage(qtbot, size=SMALLEST, leave=lambda: None, diagnostics=lambda _tell: None)
    WALKS[walk](on)
    on.settle()
    fits(qtbot, on.window)
    assert untranslated(on.window) == []


def test_the_settings(qtbot: Any) -> None:
    dialog = opened(qtbot, Elsewhere())
    for section in PICTURE.sections:
        dialog.form.sections.choose(section)
        settle()
        fits(qtbot, dialog.window())
        assert untranslated(dialog, TYPED) == []


@pytest.mark.parametrize("page", list(Page))
def test_the_wizard(qtbot: Any, page: Page) -> None:
    wizard = Wizard(SetUpElsewhere().calls(), page=page)
    qtbot.addWidget(wizard)
    wizard.resize(*SMALLEST)
    wizard.show()
    wizard.show_page(page)
    settle()
    fits(qtbot, wizard)
    assert untranslated(wizard, TYPED) == []
