"""Questions are answered once and safely; the help shows the keys the till has."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from pos_app.i18n.words.till import words
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.help import Help
from pos_app.ui.till.window.keys import KEY_TABLE
from pos_app.ui.widgets.label import Label
from tests.unit.ui.dialog_cases import Key, faults, focused, press, shown


def confirm(qtbot: QtBot, *, danger: bool) -> tuple[Confirm, list[bool]]:
    asked = Confirm(
        "Cancel this payment?", "LKR 1,250.00, sale 0123.", yes="Cancel it", no="Keep waiting", danger=danger
    )
    answers: list[bool] = []
    asked.answered.connect(answers.append)
    shown(qtbot, asked)
    return asked, answers


@pytest.mark.parametrize(("danger", "answer"), [(True, False), (False, True)])
def test_enter_gives_the_answer_that_harms_nothing(qtbot: QtBot, danger: bool, answer: bool) -> None:
    _, answers = confirm(qtbot, danger=danger)
    press(Key.Key_Return)
    assert answers == [answer]


def test_escape_is_no_and_a_question_is_answered_once(qtbot: QtBot) -> None:
    asked, answers = confirm(qtbot, danger=True)
    press(Key.Key_Escape)
    asked.yes.click()
    assert answers == [False]


def test_tab_reaches_both_answers(qtbot: QtBot) -> None:
    asked, _ = confirm(qtbot, danger=True)
    reached = {focused()}
    press(Key.Key_Tab)
    reached.add(focused())
    assert reached == {asked.yes, asked.no}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_help_shows_every_key_that_is_built(qtbot: QtBot, theme: str) -> None:
    shown_help = Help(words)
    shown(qtbot, shown_help, size=(1024, 768), theme=theme)
    texts = {label.text() for label in shown_help.findChildren(Label)}
    assert {words.key[row.action] for row in KEY_TABLE} <= texts
    assert faults(shown_help) == []
    with qtbot.waitSignal(shown_help.closed):
        press(Key.Key_Return)
