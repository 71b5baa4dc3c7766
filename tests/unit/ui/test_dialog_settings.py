"""The settings' screen: each key once, checked where it is typed, locked where it is; no secret ever shows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.domain.secret import Secret
from pos_app.i18n.words.settings import words
from pos_app.secrets.files import NAMES
from pos_app.settings.model import KEYS
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.settings.panel import SettingsDialog
from pos_app.ui.dialogs.settings.values import SettingsCalls, SettingsSaved
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.overlay import focusable
from pos_app.ui.widgets.text_area import TextArea
from tests.unit.ui.dialog_cases import Key, faults, focused, press, settle, type_text
from tests.unit.ui.settings_cases import PICTURE, VALUES, Elsewhere, choose, edit_of, fill, opened

LTR, RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
MESSAGES = ("otp.message", "otp.message_si", "otp.message_ta", "otp.message_ar")


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def test_every_setting_and_every_secret_stands_in_one_section() -> None:
    places = [place for section in PICTURE.sections.values() for place in section]
    placed = [place.name for place in places if not place.is_secret]
    assert sorted(placed) == sorted(key.name for key in KEYS)
    assert set(words.LABEL) == set(placed)
    assert sorted(place.name for place in places if place.is_secret) == sorted(NAMES)
    assert tuple(PICTURE.sections) == tuple(words.SECTION) == tuple(words.SECTION_TEXT)
    choices = {key.name: set(key.choices) for key in KEYS if key.choices}
    assert {name: set(words.CHOICE[name]) for name in choices} == choices


def button_of(dialog: SettingsDialog) -> Button:
    found = dialog.findChild(Button, "print_test_page")
    assert isinstance(found, Button)
    return found


def test_a_test_page_is_printed_by_what_is_saved(qtbot: QtBot) -> None:
    """As the guides say: Settings, Printer, Print a test page."""
    printed: list[str] = []

    class Printed(Elsewhere):
        def calls(self) -> SettingsCalls:
            return super().calls()._replace(print_test=lambda: printed.append("test"))

    has_one = replace(PICTURE, values=VALUES | {"printer.kind": "network", "printer.host": "192.168.1.50"})
    elsewhere = Printed()
    dialog = opened(qtbot, elsewhere, has_one, section="printer")
    button = button_of(dialog)
    button.click()
    assert printed == ["test"]
    fill(dialog, "printer.host", "192.168.1.51")
    assert not button.isEnabled()
    button.click()
    dialog.reason.set_text("It has moved")
    dialog.save.click()
    elsewhere.saves[0][1](SettingsSaved(picture=has_one, words=words.SAVED))
    settle()
    button.click()
    assert printed == ["test", "test"]


def test_where_there_is_no_printer_no_test_page_is_offered(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    assert VALUES["printer.kind"] == "none"
    assert not button_of(opened(qtbot, elsewhere, section="printer")).isEnabled()


@pytest.mark.parametrize("section", list(PICTURE.sections))
def test_tab_goes_from_the_sections_through_the_fields_to_the_reason(
    qtbot: QtBot, elsewhere: Elsewhere, section: str
) -> None:
    """The token provider's came behind "Close"."""
    dialog = opened(qtbot, elsewhere, section=section)
    chain = [part.objectName() for part in focusable(dialog)]
    page = dialog.form.pages[section]
    fields = [part.objectName() for part in focusable(page)]
    assert fields
    first = chain.index("sections")
    assert (chain[first:] + chain[:first]) == [
        "sections",
        "test_connection",
        *fields,
        "reason",
        "save",
        "back",
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
def test_every_section_is_whole_at_every_size(
    qtbot: QtBot, elsewhere: Elsewhere, size: tuple[int, int], theme: str
) -> None:
    dialog = opened(qtbot, elsewhere, size=size, theme=theme)
    heights = set()
    for section in PICTURE.sections:
        dialog.form.sections.choose(section)
        settle()
        assert faults(dialog) == [], section
        heights.add(dialog.height())
    assert len(heights) == 1, "the panel jumps from one section to the next"


def test_it_shows_what_holds_and_where_it_comes_from(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    shop = dialog.form.part("shop.name")
    assert (shop.text(), shop.caption.text()) == ("Corner Shop", "settings file")
    assert dialog.form.part("shop.max_amount").text() == "999999.99"
    assert dialog.form.part("gateway.verification_fail_is_final").text() == "false"


def test_a_locked_key_is_read_only_and_says_why(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    locked = dialog.form.part("gateway.base_url")
    assert not locked.part.isEnabled()
    assert locked.caption.text() == "locked"
    assert locked.part.accessibleDescription() == words.LOCKED_BY_SITE


def test_what_is_typed_is_checked_as_the_file_is_and_stays(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "payment.give_up_s", "4")
    fill(dialog, "shop.max_amount", "many")
    fill(dialog, "shop.name", "Shop {{code}}")
    dialog.form.sections.choose("counter")
    dialog.save.click()
    settle()
    assert elsewhere.saves == []
    # The first in the order of the screen, as no field of the section in front is wrong.
    assert dialog.form.section == "shop"
    assert focused() is edit_of(dialog, "shop.name")
    name = dialog.form.part("shop.name")
    assert name.text() == "Shop {{code}}"
    assert name.part.error.text() == "Shop name must not contain {{code}}, for example Corner Shop."
    assert dialog.form.part("shop.max_amount").part.error.text() == (
        "Highest amount must be a number, for example 999999.99."
    )
    dialog.form.sections.choose("payment")
    settle()
    assert dialog.form.part("payment.give_up_s").part.error.text() == (
        "Give up after (seconds) must be a number of seconds from 5 to 3600, for example 300."
    )
    assert faults(dialog) == []


def test_a_change_needs_a_reason_and_is_then_saved(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.name", "Harbour Shop")
    dialog.save.click()
    ((draft, tell),) = elsewhere.saves
    assert (draft.values["shop.name"], draft.reason, draft.secrets) == ("Harbour Shop", "", {})
    tell((FieldProblem("reason", words.NEEDS_REASON),))
    settle()
    assert focused() is dialog.reason.edit
    type_text("Moved to the harbour")
    press(Key.Key_Return)
    (draft, tell) = elsewhere.saves[1]
    assert draft.reason == "Moved to the harbour"
    assert not dialog.save.isEnabled()
    after = replace(PICTURE, values=VALUES | {"shop.name": "Harbour Shop"})
    tell(SettingsSaved(after, words.SAVED))
    settle()
    assert dialog.outcome.text() == words.SAVED
    assert dialog.reason.text() == ""
    assert dialog.form.part("shop.name").text() == "Harbour Shop"
    assert dialog.save.isEnabled()
    assert faults(dialog) == []


def test_what_nobody_touched_is_not_asked_for(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """A screen that was open while another change came took it back with its own; and what a field cannot show as it
    is (a tab) was changed by whoever changed anything else.
    """
    tabbed = replace(PICTURE, values=VALUES | {"gateway.token_command": "/bin/sh -c 'a\tb'"})
    dialog = opened(qtbot, elsewhere, tabbed)
    fill(dialog, "shop.name", "Harbour Shop")
    fill(dialog, "shop.max_amount", "5")
    fill(dialog, "shop.max_amount", VALUES["shop.max_amount"])
    dialog.save.click()
    ((draft, _),) = elsewhere.saves
    assert draft.values == {"shop.name": "Harbour Shop"}


@pytest.mark.parametrize("is_key", [True, False])
def test_what_is_not_saved_is_left_at_the_second_time(
    qtbot: QtBot, elsewhere: Elsewhere, *, is_key: bool
) -> None:
    """One Esc, or a slip of a finger, lost all that was typed, secrets too."""
    dialog = opened(qtbot, elsewhere)
    left: list[None] = []
    dialog.closed.connect(lambda: left.append(None))

    def leave() -> None:
        if is_key:
            press(Key.Key_Escape)
        else:
            dialog.back.click()

    fill(dialog, "access_token", "token-2")
    leave()
    assert (dialog.outcome.text(), left) == (words.UNSAVED, [])
    fill(dialog, "shop.name", "Harbour Shop")
    assert dialog.outcome.text() == ""
    leave()
    assert left == []
    assert faults(dialog) == []
    leave()
    assert left == [None]


def test_what_was_said_before_something_else_is_said_again(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """Who stayed, and was told why it cannot be saved, lost it all by the next Esc."""
    dialog = opened(qtbot, elsewhere)
    left: list[None] = []
    dialog.closed.connect(lambda: left.append(None))
    fill(dialog, "shop.name", "Harbour Shop")
    press(Key.Key_Escape)
    dialog.save.click()
    ((_, tell),) = elsewhere.saves
    tell((FieldProblem("", "the disk is full"),))
    settle()
    assert dialog.outcome.text() == "the disk is full"
    press(Key.Key_Escape)
    assert (dialog.outcome.text(), left) == (words.UNSAVED, [])
    press(Key.Key_Escape)
    assert left == [None]


def test_what_is_typed_while_the_rest_is_being_saved_stays(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """A key store takes seconds."""
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.name", "Harbour Shop")
    dialog.reason.edit.setFocus()
    type_text("Moved")
    dialog.save.click()
    ((_, tell),) = elsewhere.saves
    fill(dialog, "shop.max_amount", "5000")
    fill(dialog, "merchant_password", "pass-2")
    tell(SettingsSaved(replace(PICTURE, values=VALUES | {"shop.name": "Harbour Shop"}), words.SAVED))
    settle()
    assert dialog.reason.text() == ""
    dialog.reason.edit.setFocus()
    type_text("Smaller shop")
    dialog.save.click()
    draft, _ = elsewhere.saves[1]
    assert draft.values == {"shop.max_amount": "5000"}
    assert draft.secrets == {"merchant_password": Secret("pass-2")}


def test_a_long_token_typed_while_the_rest_is_being_saved_stays_whole(
    qtbot: QtBot, elsewhere: Elsewhere
) -> None:
    """Filled in again as other text is, it ended with "…" behind its first 999 characters."""
    token = "eyJ" + "x" * 6_000
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.name", "Harbour Shop")
    dialog.reason.set_text("Moved")
    dialog.save.click()
    ((_, tell),) = elsewhere.saves
    QApplication.clipboard().setText(token)
    edit = edit_of(dialog, "access_token")
    edit.setFocus()
    edit.paste()
    tell(SettingsSaved(replace(PICTURE, values=VALUES | {"shop.name": "Harbour Shop"}), words.SAVED))
    settle()
    dialog.reason.set_text("A new token")
    dialog.save.click()
    draft, _ = elsewhere.saves[1]
    assert draft.secrets == {"access_token": Secret(token)}


def test_what_could_not_be_saved_is_told_and_what_was_typed_stays(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.name", "Harbour Shop")
    dialog.save.click()
    ((_, tell),) = elsewhere.saves
    said = words.NOT_SAVED.format(why="No space left on device")
    tell((FieldProblem("", said),))
    assert dialog.outcome.text() == said
    assert dialog.form.part("shop.name").text() == "Harbour Shop"
    assert dialog.save.isEnabled()


@pytest.mark.parametrize(
    ("provider", "shows"),
    [
        ("static", set()),
        ("file", {"gateway.token_file"}),
        ("command", {"gateway.token_command"}),
        ("oauth2", {"gateway.token_url", "gateway.token_client_id", "token_client_secret"}),
    ],
)
def test_the_fields_of_the_token_follow_its_provider(
    qtbot: QtBot, elsewhere: Elsewhere, provider: str, shows: set[str]
) -> None:
    dialog = opened(qtbot, elsewhere, section="token")
    choose(dialog, "gateway.token_provider", provider)
    names = [place.name for place in PICTURE.sections["token"]]
    seen = {name for name in names if dialog.form.part(name).isVisible()}
    assert seen == shows | {"gateway.token_provider"}
    assert faults(dialog) == []


def test_a_message_says_how_many_sms_it_is(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "otp.message", "{{code}} " + "x" * 153)
    said = dialog.form.part("otp.message").caption
    assert said.text() == "160 of 160 characters: 1 SMS · settings file"
    type_text("x")
    assert said.text() == "161 characters: goes out as 2 SMS (one holds 160) · settings file"
    fill(dialog, "otp.message_si", "{{code}} ")
    edit_of(dialog, "otp.message_si").type_over("ක")
    said = dialog.form.part("otp.message_si").caption
    assert said.text() == "8 of 70 characters, in the wide alphabet: 1 SMS · settings file"
    fill(dialog, "otp.message_si", "")
    assert said.text() == "settings file"


def test_a_message_is_in_sight_from_its_beginning_and_read_from_its_own_side(
    qtbot: QtBot, elsewhere: Elsewhere
) -> None:
    """A line that is too long showed its end, without the place of the code; an Arabic full stop stood on the right."""
    dialog = opened(qtbot, elsewhere, section="sign_in")
    long = "{{code}} " + "opens the till of the shop at the corner, " * 3
    fill(dialog, "otp.message", long)
    edit = edit_of(dialog, "otp.message")
    assert isinstance(edit, TextArea)
    assert edit.document().blockCount() == 1
    edit.setText(long)
    assert edit.cursorForPosition(QPoint(0, 0)).position() == 0
    areas = [dialog.findChild(TextArea, name.replace(".", "_")) for name in MESSAGES]
    sides = [area.document().defaultTextOption().textDirection() for area in areas if area is not None]
    assert sides == [LTR, LTR, LTR, RTL]
    press(Key.Key_Return)
    assert "\n" not in edit.text()


def test_what_is_locked_says_so_in_full_once(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    """Beside its label it was cut: "locked: this sa…"."""
    locked = dict.fromkeys(("gateway.base_url", "gateway.counter_id"), words.LOCKED_BY_SANDBOX)
    dialog = opened(qtbot, elsewhere, replace(PICTURE, locked=locked), section="counter")
    for name in locked:
        caption = dialog.form.part(name).caption
        assert caption.shown_text() == "locked"
    why = dialog.form.pages["counter"].why_not
    assert why.isVisible()
    assert why.text() == "What is locked here: Belongs to the sandbox this till runs on."
    dialog.form.sections.choose("shop")
    assert not dialog.form.pages["shop"].why_not.isVisible()


@pytest.mark.parametrize(
    ("most", "above", "is_refused"),
    [("5000", "9000", True), ("5000", "5000", False), ("600", "50000", False)],
)
def test_asking_again_above_what_is_never_charged_is_refused(
    qtbot: QtBot, elsewhere: Elsewhere, most: str, above: str, *, is_refused: bool
) -> None:
    """But the default beside a lower highest amount is nobody's wish."""
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.max_amount", most)
    fill(dialog, "shop.confirm_above", above)
    dialog.reason.set_text("Another limit")
    dialog.save.click()
    part = dialog.form.part("shop.confirm_above").part
    assert part.error.isVisible() is is_refused
    assert bool(elsewhere.saves) is not is_refused
    if is_refused:
        assert part.error.text() == "Ask again above must not be above the highest amount, 5,000."


def test_a_shops_name_is_as_long_as_the_first_start_takes_it(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "shop.name", "A" * 41)
    dialog.save.click()
    said = dialog.form.part("shop.name").part.error.text()
    assert said == "Shop name must be at most 40 characters, for example Corner Shop."


def test_a_cashier_sees_and_changes_nothing(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere, is_manager=False)
    assert dialog.why_not.text() == words.ONLY_MANAGERS
    parts: list[QWidget] = [dialog.form.part(name).part for name in (*VALUES, *NAMES)]
    assert not any(part.isEnabled() for part in parts)
    dialog.save.click()
    dialog.test.button.click()
    assert elsewhere.saves == []
    assert elsewhere.tests == []
    with qtbot.waitSignal(dialog.closed):
        dialog.back.click()


def test_the_sandbox_s_own_settings_hold_for_the_run(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    picture = replace(PICTURE, for_this_run=True, secrets_locked=words.SECRETS_OF_SANDBOX)
    dialog = opened(qtbot, elsewhere, picture, section="secrets")
    assert dialog.why_not.text() == words.FOR_THIS_RUN
    assert not dialog.form.part("access_token").part.isEnabled()
    assert dialog.form.pages["secrets"].why_not.isVisible()
    assert faults(dialog) == []


def test_a_display_that_is_not_there_now_keeps_its_name(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    picture = replace(PICTURE, values=VALUES | {"customer_display.name": "HDMI-9"})
    dialog = opened(qtbot, elsewhere, picture, section="window")
    assert dialog.form.part("customer_display.name").text() == "HDMI-9"
    assert dialog.form.part("customer_display.language").text() == ""
