"""The settings: a manager's changes are checked and saved elsewhere, and no stored secret ever shows."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from pos_app.domain.attempt import Environment
from pos_app.ui.dialogs.set_up import SetUp
from pos_app.ui.dialogs.settings_dialog import SettingsDialog
from pos_app.ui.words import english_setup as words
from tests.ui.dialog_cases import Key, faults, press, shown
from tests.ui.setup_cases import Elsewhere

STORED = SetUp(
    environment=Environment.LIVE,
    shop_name="Corner Shop",
    counter_id=3,
    merchant_pg_identifier="M-0001",
    base_url="https://gateway.example",
    country="LK",
    currency="LKR",
    theme="dark",
)


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def settings(qtbot: QtBot, elsewhere: Elsewhere, *, is_manager: bool) -> SettingsDialog:
    made = SettingsDialog(STORED, elsewhere.test, elsewhere.save, is_manager=is_manager)
    shown(qtbot, made, width=860, size=(1024, 768))
    return made


def test_settings_show_the_counter_and_no_secret(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = settings(qtbot, elsewhere, is_manager=True)
    assert dialog.page.form.part("shop_name").text() == "Corner Shop"
    assert dialog.page.form.part("theme").text() == "dark"
    assert dialog.page.form.part("access_token").text() == ""
    assert faults(dialog) == []


def test_a_manager_s_change_is_saved_and_empty_secrets_are_left_alone(
    qtbot: QtBot, elsewhere: Elsewhere
) -> None:
    dialog = settings(qtbot, elsewhere, is_manager=True)
    dialog.page.form.part("shop_name").set_text("Harbour Shop")
    dialog.page.save.click()
    ((counter, answer),) = elsewhere.saves
    assert counter.shop_name == "Harbour Shop"
    assert not counter.access_token
    with qtbot.waitSignal(dialog.saved) as saved:
        answer(())
    assert saved.args == [counter]
    assert dialog.page.outcome.text() == words.SAVED


def test_a_cashier_sees_and_changes_nothing(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = settings(qtbot, elsewhere, is_manager=False)
    assert dialog.why_not.isVisible()
    dialog.page.save.click()
    dialog.page.test.button.click()
    assert elsewhere.saves == []
    assert elsewhere.tests == []
    with qtbot.waitSignal(dialog.closed):
        press(Key.Key_Return)
