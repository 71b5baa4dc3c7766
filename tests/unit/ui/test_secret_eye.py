"""The eye beside a secret: seen while somebody looks, by keyboard and by finger; and a mistake is said by its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from pos_app.ui.dialogs.set_up.wizard import Page, Wizard
from pos_app.ui.theme.theme import apply
from pos_app.ui.theme.tokens import FAMILIES, TOUCH
from pos_app.ui.widgets.field import SecretField
from pos_app.ui.widgets.key_bursts import is_secret
from tests.architecture.bundle_parts import BUNDLE, part
from tests.unit.ui.dialog_cases import Key, focused, press, settle, type_text
from tests.unit.ui.settings_cases import Elsewhere, edit_of, opened
from tests.unit.ui.setup_cases import Elsewhere as SetUpElsewhere

DOTS, PLAIN = QLineEdit.EchoMode.Password, QLineEdit.EchoMode.Normal


@pytest.fixture
def wizard(qtbot: QtBot) -> Wizard:
    """At its page of secrets."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    made = Wizard(SetUpElsewhere().calls(), page=Page.COUNTER)
    made.resize(1024, 768)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    settle()
    return made


def field(wizard: Wizard, name: str) -> SecretField:
    assert wizard.counter is not None
    found = wizard.counter.form.part(name)
    assert isinstance(found, SecretField)
    return found


_ALONE = """
import json, sys
from PySide6.QtGui import QFont, QFontDatabase, QTextLayout
from pos_app.ui.dialogs.sign_in.passcode_entry import PasscodeEntry
from pos_app.ui.theme.theme import application, apply
from pos_app.ui.widgets.overlay import OverlayHost
from PySide6.QtWidgets import QWidget

app = application()
apply(app, "light")
window = QWidget()
window.resize(1024, 768)
host = OverlayHost(window)
window.show()
entry = PasscodeEntry()
host.open(entry)
edit = entry.field.edit
edit.insert("704918")
app.processEvents()
edit.grab().save(sys.argv[1])
laid = QTextLayout(edit.displayText(), edit.font())
laid.beginLayout()
laid.createLine()
laid.endLayout()
glyphs = [glyph for run in laid.glyphRuns() for glyph in run.glyphIndexes()]
print(json.dumps({"families": QFontDatabase.families(), "shown": edit.displayText(), "glyphs": glyphs}))
"""


def test_a_hidden_letter_is_seen_on_a_machine_with_no_font_but_the_tills(tmp_path: Path) -> None:
    """A sign that no font has is laid out as glyph 0, the empty box."""
    for name in part("kept")["FONTS"]:
        folder = next(each for each in part("carried")["FONT_FOLDERS"] if each.is_dir())
        (tmp_path / name).symlink_to(folder / name)
    bare = (BUNDLE / "fonts.conf").read_text("utf-8").replace("/etc/fonts/fonts.conf", "/nowhere.conf")
    (tmp_path / "fonts.conf").write_text(bare, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(tmp_path / "dots.png")],
        env=os.environ | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert set(said["families"]) <= {*FAMILIES, "Sans Serif", "Serif", "Monospace"}, (
        "the till's and three aliases"
    )
    assert len(said["glyphs"]) == len(said["shown"]) == len("704918")
    assert 0 not in said["glyphs"]
    assert not set(said["shown"]) & set("704918")


def test_it_is_opened_by_keyboard_and_closes_when_the_keyboard_goes_on(wizard: Wizard) -> None:
    token = field(wizard, "access_token")
    assert token.eye is not None
    assert not token.eye.isEnabled(), "there is nothing to see, and no stop for Tab"
    token.edit.setFocus()
    type_text("canary-token")
    press(Key.Key_Tab)
    assert focused() is token.eye
    assert (token.edit.accessibleName(), token.eye.accessibleName()) == (
        "Access token (hidden)",
        "Show: Access token",
    )
    press(Key.Key_Space)
    assert token.edit.echoMode() is PLAIN
    assert (token.edit.accessibleName(), token.eye.accessibleName()) == (
        "Access token (shown)",
        "Hide: Access token",
    )
    press(Key.Key_Return)
    assert token.edit.echoMode() is DOTS
    press(Key.Key_Return)
    QTest.keyClick(wizard, Key.Key_Backtab)
    settle()
    assert (focused(), token.edit.echoMode()) == (token.edit, PLAIN), "it is still looked at"
    field(wizard, "merchant_password").edit.setFocus()
    settle()
    assert (token.edit.echoMode(), token.edit.accessibleName()) == (DOTS, "Access token (hidden)")


def test_it_is_opened_by_a_finger_from_wherever_the_keyboard_is(wizard: Wizard) -> None:
    token = field(wizard, "access_token")
    assert token.eye is not None
    token.edit.setText("canary-token")
    assert min(token.eye.width(), token.eye.height()) >= TOUCH
    assert focused() is not token.edit
    QTest.mouseClick(token.eye, Qt.MouseButton.LeftButton)
    settle()
    assert (token.edit.echoMode(), focused()) == (PLAIN, token.edit)
    QTest.mouseClick(token.eye, Qt.MouseButton.LeftButton)
    assert token.edit.echoMode() is DOTS


def test_an_open_eye_closes_with_its_page_and_when_nothing_is_left(wizard: Wizard) -> None:
    token = field(wizard, "access_token")
    assert token.eye is not None
    for is_left in (True, False):
        wizard.show_page(Page.COUNTER)
        token.edit.setText("canary-token")
        token.eye.click()
        assert token.edit.echoMode() is PLAIN
        if is_left:
            wizard.show_page(Page.START)
        else:
            token.set_text("")
        settle()
        assert token.edit.echoMode() is DOTS


def test_what_is_looked_at_is_still_a_secret_to_scanners_and_clipboards(wizard: Wizard) -> None:
    token = field(wizard, "access_token").edit
    eye = field(wizard, "access_token").eye
    assert eye is not None
    token.setText("canary-token")
    eye.click()
    assert is_secret(token), "nothing that is scanned goes there"
    hints = token.inputMethodHints()
    assert hints & Qt.InputMethodHint.ImhSensitiveData
    assert hints & Qt.InputMethodHint.ImhNoPredictiveText
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    press(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    press(Key.Key_X, Qt.KeyboardModifier.ControlModifier)
    assert (clipboard.text(), token.text()) == ("before", "canary-token")
    QTest.mouseDClick(token, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(token, Qt.MouseButton.LeftButton)
    assert token.selectedText() == "", "what a mouse marks, X11 hands to every program"


def test_the_settings_have_it_too_and_forget_with_the_section(qtbot: QtBot) -> None:
    dialog = opened(qtbot, Elsewhere(), section="secrets")
    edit = edit_of(dialog, "access_token")
    assert isinstance(edit, QLineEdit)
    part = dialog.form.part("access_token").part
    assert isinstance(part, SecretField)
    assert part.eye is not None
    edit.setFocus()
    type_text("canary-token")
    QTest.mouseClick(part.eye, Qt.MouseButton.LeftButton)
    assert edit.echoMode() is PLAIN
    dialog.form.sections.choose("shop")
    settle()
    assert (edit.echoMode(), edit.text()) == (DOTS, "canary-token")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("x" * 8193, "Access token: these are 8193 characters, and 8192 is the most."),
        ("abc\u200bdef", "Access token: character 4 of 7 belongs to another script or cannot be seen."),
        ("abc\ndef", "Access token: character 4 of 7 is a line break or another control sign."),
        ("Bearer abc", "Access token: character 7 of 10 is a space, and this secret has none."),
        (" \t", "Enter the access token, for example eyJhbGciOi…."),
    ],
)
def test_what_is_wrong_is_said_by_its_place_in_set_up(wizard: Wizard, typed: str, said: str) -> None:
    token = field(wizard, "access_token")
    token.edit.setMaxLength(10_000)
    token.edit.setText("")
    token.edit.insert(typed)
    assert wizard.counter is not None
    wizard.counter.save.click()
    settle()
    assert token.error.text().startswith(said)
    assert "abc" not in token.error.text()


@pytest.mark.parametrize(
    "typed", [" canary ", "canary\n", "\tcanary", "\ufeffcanary", "canary \u200b", "\xa0canary"]
)
def test_blanks_around_it_are_no_part_of_it_at_either_door(qtbot: QtBot, wizard: Wizard, typed: str) -> None:
    token = field(wizard, "access_token")
    token.edit.insert(typed)
    assert wizard.counter is not None
    wizard.counter.save.click()
    assert not token.error.isVisible()
    elsewhere = Elsewhere()
    dialog = opened(qtbot, elsewhere, section="secrets")
    edit = edit_of(dialog, "access_token")
    assert isinstance(edit, QLineEdit)
    edit.insert(typed)
    dialog.save.click()
    ((draft, _tell),) = elsewhere.saves
    assert draft.secrets["access_token"].reveal() == "canary"
