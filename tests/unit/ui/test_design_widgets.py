"""The small parts keep their promises: plain text, one press, a band nobody hides, a focus that stays in."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.ui.theme import theme
from pos_app.ui.theme.icons import folder
from pos_app.ui.theme.palette import palette
from pos_app.ui.theme.tokens import BAND_HEIGHT, DARK, LIGHT, Tokens
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, breakable, clean
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.overlay import OverlayHost


@pytest.mark.parametrize("payload", ["<b>PAID</b>", "<img src=x>", "<a href='http://x'>pay</a>", "&lt;b&gt;"])
def test_markup_is_shown_as_it_was_typed(qtbot: Any, payload: str) -> None:
    label = Label(payload)
    qtbot.addWidget(label)
    escaped = Label(payload)
    escaped.setTextFormat(Qt.TextFormat.PlainText)
    qtbot.addWidget(escaped)
    assert label.text() == payload
    assert label.sizeHint() == escaped.sizeHint()
    assert label.sizeHint().width() >= label.fontMetrics().horizontalAdvance(payload)


def test_characters_that_disguise_are_taken_out() -> None:
    assert clean("PAID\u202e00.01\u202c\x00\x1b[2J\ud800\u200b!") == "PAID00.01[2J!"
    assert clean("two\nlines") == "two\nlines"
    assert len(clean("x" * 900, DETAILS_LIMIT)) == DETAILS_LIMIT


@pytest.mark.parametrize("letter", ["ශ්\u200dරී", "நி", "e\u0301", "x"])
def test_a_long_word_is_broken_between_its_letters(letter: str) -> None:
    pieces = breakable(letter * 40).split("\u200b")
    assert "".join(pieces) == letter * 40
    assert len(pieces) > 1
    assert all(len(piece) <= 24 and len(piece) % len(letter) == 0 for piece in pieces)


def test_signs_upon_signs_are_broken_somewhere() -> None:
    pieces = breakable("a" + "\u0301" * 100).split("\u200b")
    assert "".join(pieces) == "a" + "\u0301" * 100
    assert max(map(len, pieces)) <= 24


def test_the_band_cannot_be_hidden(qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    band = SandboxBand()
    column.addWidget(band)
    window.show()
    for hide in (band.hide, lambda: band.setVisible(False)):
        hide()
        assert band.isVisible()
        assert band.height() == BAND_HEIGHT


def test_a_held_key_presses_once(qtbot: Any) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    button = Button("Send", name="send")
    qtbot.addWidget(button)
    button.show()
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    kind, none = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
    for repeat in (False, True, True):
        QApplication.sendEvent(button, QKeyEvent(kind, Qt.Key.Key_Return, none, "\r", repeat))
    assert pressed == [True]


def test_a_click_leaves_the_focus_in_the_text_field(qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field, button = Field("Reference", "reference"), Button("Key", name="key")
    column.addWidget(field)
    column.addWidget(button)
    window.show()
    field.edit.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is field.edit


def test_a_wrong_field_keeps_its_text_and_gets_the_focus(qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field = Field("Number", "number")
    column.addWidget(field)
    window.show()
    field.set_text("=cmd|' /C calc'!A0")
    field.show_error("Enter the number with country code.")
    assert field.text() == "=cmd|' /C calc'!A0"
    assert window.focusWidget() is field.edit
    assert field.edit.accessibleDescription() == "Enter the number with country code."
    qtbot.keyClicks(field.edit, "1")
    assert not field.error.isVisible()


def _overlay(qtbot: Any) -> tuple[QWidget, Button, OverlayHost]:
    window = QWidget()
    qtbot.addWidget(window, before_close_func=lambda _window: window.objectName())
    column = QVBoxLayout(window)
    behind = Button("Behind", name="behind")
    column.addWidget(behind)
    window.resize(800, 600)
    window.show()
    behind.setFocus()
    return window, behind, OverlayHost(window)


def _panel(*names: str) -> QWidget:
    panel = QWidget()
    column = QVBoxLayout(panel)
    for name in names:
        column.addWidget(Button(name, name=name))
    return panel


def test_tab_stays_inside_the_overlay_and_the_focus_comes_back(qtbot: Any) -> None:
    window, behind, overlay = _overlay(qtbot)
    overlay.open(_panel("one", "two"))
    reached = []
    for _ in range(4):
        reached.append(window.focusWidget().objectName())
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert reached == ["one", "two", "one", "two"]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert overlay.top is None
    assert window.focusWidget() is behind


def test_esc_does_not_close_what_must_be_answered(qtbot: Any) -> None:
    window, _behind, overlay = _overlay(qtbot)
    panel = _panel("one")
    overlay.open(panel, closable=False)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert overlay.top is panel
    overlay.close_panel(panel)
    assert overlay.top is None


def test_an_overlay_that_nobody_asked_for_takes_no_focus(qtbot: Any) -> None:
    window, behind, overlay = _overlay(qtbot)
    overlay.open(_panel("one"), take_focus=False)
    assert window.focusWidget() is behind


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_role_of_the_palette_is_ours(tokens: Tokens) -> None:
    ours = {value.lower() for value in tokens if isinstance(value, str)}
    made = palette(tokens)
    for role in QPalette.ColorRole:
        if role in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
            continue
        for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
            assert made.color(group, role).name() in ours, (role, group)


def test_a_theme_can_be_changed_while_the_window_is_open(qtbot: Any, qapp: QApplication) -> None:
    theme.apply(qapp, "dark")
    assert theme.tokens() is DARK
    field = Field("Number", "number")
    qtbot.addWidget(field)
    theme.apply(qapp, "light")
    qapp.processEvents()
    assert theme.tokens() is LIGHT
    assert field.edit.palette().color(QPalette.ColorRole.Base).alpha() == 0
    assert field.edit.palette().color(QPalette.ColorRole.Text).name() == LIGHT.text.lower()


def test_every_icon_is_an_svg_in_one_colour() -> None:
    icons = sorted(folder().glob("*.svg"))
    assert len(icons) >= 20
    for icon in icons:
        source = icon.read_text()
        assert "currentColor" in source
        assert "#" not in source, icon.name
        assert "http://www.w3.org/2000/svg" in source
