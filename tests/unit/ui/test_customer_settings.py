"""The customer's screen as the settings have it: made anew when they change, with what it showed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from pos_app.app.customer_screen import CustomerScreens
from pos_app.app.view_config import customer_face_of
from pos_app.gallery.payments import RESULTS
from pos_app.i18n.words.customer import CustomerWords
from tests.support.published import change
from tests.support.stage import Stage
from tests.unit.ui.settings_cases import SETTINGS


def settings(name: str = "", language: str = "") -> Any:
    """As a file with these two would be."""
    return replace(
        SETTINGS, customer_display=replace(SETTINGS.customer_display, name=name, language=language)
    )


@pytest.fixture
def customers() -> Iterator[CustomerScreens]:
    """Without a second display: nothing is seen, and all is followed."""
    made = CustomerScreens()
    yield made
    made.stop()


def test_one_display_shows_the_customer_nothing_and_the_till_all(
    qtbot: Any, customers: CustomerScreens
) -> None:
    on = Stage(qtbot)
    customers.begin(settings(), on.window)
    on.begin(change())
    qtbot.waitUntil(lambda: on.part("qr").is_shown)
    assert customers.screen is not None
    assert customers.screen.window is None
    assert [each for each in QApplication.topLevelWidgets() if each.objectName() == "customer_display"] == []


def test_what_changes_nothing_of_it_leaves_it(qtbot: Any, customers: CustomerScreens) -> None:
    on = Stage(qtbot)
    customers.begin(settings(), on.window)
    before = customers.screen
    customers.begin(replace(settings(), window=replace(SETTINGS.window, theme="dark")), on.window)
    assert customers.screen is before


@pytest.mark.parametrize("new", [settings(name="off"), settings(language="ta")])
def test_a_change_of_it_goes_on_with_the_payment(qtbot: Any, customers: CustomerScreens, new: Any) -> None:
    on = Stage(qtbot)
    customers.begin(settings(), on.window)
    on.begin(change())
    before = customers.screen
    customers.begin(new, on.window)
    assert customers.screen is not before
    assert customers.screen is not None
    assert customers.screen.last is not None
    assert customers.screen.last[0] == change()


def test_its_language_is_its_own_else_the_counters() -> None:
    tamil = replace(settings(), window=replace(SETTINGS.window, language="ta"))
    assert customer_face_of(settings()).language == "en"
    assert customer_face_of(tamil).language == "ta"
    both = replace(tamil, customer_display=settings(language="ar").customer_display)
    assert customer_face_of(both).language == "ar"


@pytest.mark.parametrize("language", ["si", "ta", "ar"])
def test_it_speaks_beside_a_till_that_speaks_english(
    qtbot: Any, customers: CustomerScreens, language: str
) -> None:
    on = Stage(qtbot)
    customers.begin(settings(language=language), on.window)
    assert customers.screen is not None
    said = customers.screen.words
    assert said.PAID != CustomerWords.PAID
    on.begin(RESULTS["paid"])
    assert on.text("result_headline") == "PAID"
