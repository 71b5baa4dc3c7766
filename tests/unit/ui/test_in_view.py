"""What has the keyboard is seen: neither past the edge of what scrolls, nor under the row that stands there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.domain.attempt import Kind
from pos_app.gallery.beside_the_list import BESIDE_THE_LIST
from pos_app.ui.dialogs.set_up.wizard import Page, Wizard
from pos_app.ui.language import set_language
from pos_app.ui.widgets.overlay import focusable
from tests.support.published import NIMALI, RUWAN, attempt, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import Key, focused, press, settle, shown
from tests.unit.ui.settings_cases import Elsewhere, opened
from tests.unit.ui.setup_cases import Elsewhere as SetUpElsewhere

_LARGE = 150
"""A list is seen in parts; what is less high is seen whole."""


def _hidden(part: QWidget) -> list[tuple[int, int]]:
    """Of its corners, those that something else lies over, or that are out of sight."""
    left, top, right, bottom = 6, 6, part.width() - 7, part.height() - 7
    corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    window = part.window()
    found = [(corner, window.childAt(part.mapTo(window, QPoint(*corner)))) for corner in corners]
    return [
        at for at, there in found if there is not part and (there is None or not part.isAncestorOf(there))
    ]


def _by_tab(panel: QWidget) -> Iterator[QWidget]:
    """All that Tab reaches, and the way back."""
    for key in (Key.Key_Tab, Key.Key_Backtab):
        for _ in focusable(panel):
            press(key)
            settle()
            part = focused()
            assert part is not None
            assert panel.isAncestorOf(part)
            yield part


def _unseen(panel: QWidget) -> list[str]:
    return [part.objectName() for part in _by_tab(panel) if part.height() < _LARGE and _hidden(part)]


@pytest.mark.parametrize("section", ["counter", "shop", "printer", "secrets"])
def test_tab_in_the_settings_leads_to_nothing_out_of_sight(qtbot: QtBot, section: str) -> None:
    """Testing the connection was under the reason and "Save", and so was the last row of a long section."""
    assert _unseen(opened(qtbot, Elsewhere(), section=section)) == []


def test_tab_in_the_list_of_differences_leads_to_nothing_out_of_sight(qtbot: QtBot) -> None:
    """What signs for one stood under "Show more"."""
    panel = dict(BESIDE_THE_LIST)["differences"]()
    shown(qtbot, panel, width=860, size=(1024, 768))
    assert len(focusable(panel)) > 4
    assert _unseen(panel) == []


@pytest.mark.parametrize("language", ["en", "ta", "si", "ar"])
@pytest.mark.parametrize("size", [(1024, 768), (1024, 680)])
@pytest.mark.parametrize("page", [Page.COUNTER, Page.MANAGER])
def test_at_the_first_start_a_field_is_seen_above_the_keys(
    qtbot: QtBot, page: Page, size: tuple[int, int], language: str
) -> None:
    """The first manager's number was typed out of sight, under "Send a code"."""
    set_language(language)
    calls = replace(SetUpElsewhere().calls(), keys_wanted=lambda _by_finger: True)
    wizard = Wizard(calls, page=page, country="LK")
    wizard.resize(*size)
    qtbot.addWidget(wizard)
    with qtbot.waitExposed(wizard):
        wizard.show()
    wizard.activateWindow()
    qtbot.waitUntil(wizard.isActiveWindow)
    wizard.show_page(page)
    names = {
        Page.COUNTER: ("shop_name", "base_url", "access_token", "merchant_password"),
        Page.MANAGER: ("manager_name", "manager_number"),
    }
    for name in names[page]:
        field = wizard.findChild(QWidget, name)
        assert field is not None
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
        settle()
        assert wizard.findChild(QWidget, "screen_keyboard").isVisible()  # type: ignore[union-attr]
        assert _hidden(field) == [], name


def test_the_keyboard_is_in_the_list_again_whose_row_is_gone(qtbot: QtBot) -> None:
    """A payment that ended by itself while a manager was asked about it took the keyboard with it."""
    on = Stage(qtbot)
    on.window.activateWindow()
    theirs, other = (
        replace(attempt(sale_id=sale, attempt_id=f"SBX-A-{sale}-1", kind=Kind.PUSH), owner="p2")
        for sale in ("0118", "0119")
    )
    people = (NIMALI, replace(RUWAN, passcode_set=True))
    on.receive(terminal(people=people, open=(theirs, other), recent=recent()))
    on.press(Key.Key_F8)
    on.part(f"cancel_{theirs.attempt_id}").setFocus()
    on.press(Key.Key_Return)
    assert on.has_focus("approval_reason")
    on.receive(terminal(people=people, open=(other,), recent=recent()))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    on.press(Key.Key_Escape)
    on.settle()
    assert not on.seen("approval")
    assert on.has_focus("open_payments_close")
