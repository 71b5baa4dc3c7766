"""Texts up to twice as large: nothing is cut on the screens that are large enough, and smaller screens get less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.gallery.payments import RESULTS, WAITING
from pos_app.gallery.samples import config, recent, terminal
from pos_app.ui.dialogs.set_up.wizard import Page, Wizard
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme
from pos_app.ui.theme.fonts import body_at, font, grown, size_of, text_factor
from pos_app.ui.till.lock.cover import Cover
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.widgets.fitting import SCALES, fit
from pos_app.ui.widgets.label import LEAST, ElidedLabel, Label
from tests.unit.ui.setup_cases import Elsewhere

LARGE = [(100, 1024, 680), (125, 1360, 728), (150, 1600, 820), (200, 1900, 1000)]
DENSE = ("waiting", "waiting-refused", "waiting-180-lost", "refused", "unresolved", "from-before-restart")


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    theme.apply(qapp, "light")


@pytest.mark.parametrize("language", ["en", "ta", "si", "ar"])
@pytest.mark.parametrize(("percent", "width", "height"), LARGE)
def test_nothing_on_the_panel_is_cut(
    app: QApplication, qtbot: Any, percent: int, width: int, height: int, language: str
) -> None:
    theme.apply(app, "light")
    app.setFont(body_at(percent))
    window = MainWindow(config(language=language), lambda _command: None)
    qtbot.addWidget(window, before_close_func=lambda _window: window.objectName())
    window.resize(width, height)
    window.show()
    window.receive(terminal(recent=recent()))
    panels = window.findChild(Panels, "panel")
    assert panels is not None
    for name in DENSE:
        panels.show_change({**WAITING, **RESULTS}[name], halted=False)
        for _ in range(5):
            app.processEvents()
        assert _cut(panels) == [], name
        assert _smallest(panels) >= LEAST, name


@pytest.mark.parametrize("language", ["en", "ta", "si", "ar"])
@pytest.mark.parametrize("size", [(1024, 768), (1024, 680), (1366, 768)])
def test_the_sale_that_is_waited_for_can_be_read(
    app: QApplication, qtbot: Any, size: tuple[int, int], language: str
) -> None:
    """Its number was cut between the times: "sale 0…"."""
    theme.apply(app, "light")
    window = MainWindow(config(language=language), lambda _command: None)
    qtbot.addWidget(window, before_close_func=lambda _window: window.objectName())
    window.resize(*size)
    window.show()
    window.receive(terminal(recent=recent()))
    panels = window.findChild(Panels, "panel")
    assert panels is not None
    for name, shown in WAITING.items():
        panels.show_change(replace(shown, activity=replace(shown.activity, gives_up_in_s=257)), halted=False)
        for _ in range(5):
            app.processEvents()
        sale = panels.findChild(ElidedLabel, "waiting_sale")
        assert sale is not None
        assert "0123" in sale.text()
        assert sale.shown_text() == sale.text(), name
        assert _cut(panels) == [], name


def test_what_runs_behind_a_lock_is_said_whole_in_large_arabic_letters(app: QApplication, qtbot: Any) -> None:
    """They are higher than others, and stood in a line of a fixed height."""
    theme.apply(app, "light")
    app.setFont(body_at(200))
    set_language("ar")
    cover = Cover(config(language="ar"))
    qtbot.addWidget(cover)
    cover.resize(1920, 1080)
    cover.show()
    cover.show_terminal(terminal(locked=True, open=recent()[:2], attention=recent()[2:4]))
    app.processEvents()
    running = cover.findChild(Label, "cover_running")
    assert running is not None
    assert running.text_fits()
    assert _cut(cover) == []


@pytest.mark.parametrize("language", ["en", "ta", "si", "ar"])
@pytest.mark.parametrize(("percent", "width", "height"), LARGE)
def test_nothing_of_the_counter_s_page_is_cut(
    app: QApplication, qtbot: Any, percent: int, width: int, height: int, language: str
) -> None:
    """The labels of its fields were, where texts are twice as large: its card was as wide as for small ones."""
    theme.apply(app, "light")
    app.setFont(body_at(percent))
    set_language(language)
    wizard = Wizard(Elsewhere().calls(), page=Page.COUNTER)
    qtbot.addWidget(wizard)
    wizard.resize(width, height)
    wizard.show()
    for _ in range(5):
        app.processEvents()
    assert _cut(wizard) == []


def _smallest(inside: QWidget) -> int:
    seen = [label for label in inside.findChildren(Label) if label.isVisible() and label.text()]
    return min(label.font().pixelSize() for label in seen)


def _cut(inside: QWidget) -> list[str]:
    parts = [part for part in inside.findChildren(QWidget) if part.isVisible()]
    return [part.objectName() for part in parts if hasattr(part, "text_fits") and not part.text_fits()]


@pytest.mark.parametrize(
    ("asked", "screen", "given"),
    [
        (100, (1024, 768), 100),
        (200, (1024, 768), 100),
        (200, (1366, 768), 125),
        (150, (1366, 768), 125),
        (200, (1600, 900), 150),
        (200, (1920, 1080), 200),
        (150, (3840, 2160), 150),
    ],
)
def test_a_screen_gets_what_it_can_hold(asked: int, screen: tuple[int, int], given: int) -> None:
    assert theme.fitting(asked, QSize(*screen)) == given


@pytest.mark.parametrize(("percent", "least"), [(100, (1024, 680)), (150, (1600, 820)), (200, (1900, 1000))])
def test_no_window_may_be_smaller_than_its_texts_need(
    app: QApplication, percent: int, least: tuple[int, int]
) -> None:
    theme.apply(app, "light")
    app.setFont(body_at(percent))
    assert theme.least() == QSize(*least)


def test_the_application_s_font_carries_the_size(app: QApplication) -> None:
    theme.apply(app, "light")
    assert text_factor() == 1
    assert (size_of("body"), grown(24)) == (16, 24)
    app.setFont(body_at(200))
    assert text_factor() == 2
    assert (size_of("body"), size_of("result_amount"), grown(24)) == (32, 80, 48)
    assert font("body").pixelSize() == 32
    assert font("amount", 40).pixelSize() == 40


def test_texts_shrink_together_and_grow_again(app: QApplication, qtbot: Any) -> None:
    from PySide6.QtWidgets import QVBoxLayout

    theme.apply(app, "light")
    panel = QWidget()
    qtbot.addWidget(panel, before_close_func=lambda _panel: panel.objectName())
    texts = [Label("some words that need two lines or more " * 3, wrap=True) for _ in range(3)]
    column = QVBoxLayout(panel)
    for text in texts:
        column.addWidget(text)
    panel.resize(400, 170)
    fit(panel, texts)
    assert len({text.font().pixelSize() for text in texts}) == 1
    assert texts[0].font().pixelSize() < size_of("body")
    assert texts[0].font().pixelSize() >= round(size_of("body") * SCALES[-1])
    panel.resize(400, 600)
    fit(panel, texts)
    assert {text.font().pixelSize() for text in texts} == {size_of("body")}
