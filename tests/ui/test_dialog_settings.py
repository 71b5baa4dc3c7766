"""The settings' screen: each key once, checked where it is typed, locked where it is; no secret ever shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from pos_app.app.settings_texts import flat, problems_of, text_of
from pos_app.domain.attempt import Environment
from pos_app.domain.replies import Listing, NoAnswer, OtpRefusal, OtpRefused, Why
from pos_app.secrets.files import NAMES
from pos_app.settings import load_settings
from pos_app.settings.keys import KEYS
from pos_app.ui.dialogs.set_up import FieldProblem
from pos_app.ui.dialogs.settings_dialog import WIDTH, SettingsDialog
from pos_app.ui.dialogs.settings_parts import SecretPart
from pos_app.ui.dialogs.settings_sections import SECRETS, SECTIONS
from pos_app.ui.dialogs.settings_values import (
    Problems,
    ServicesSaid,
    SettingsCalls,
    SettingsDraft,
    SettingsPicture,
    SettingsSaved,
)
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.words import english_settings as words
from tests.ui.dialog_cases import Key, faults, focused, press, settle, shown, type_text

SETTINGS = load_settings(
    None,
    {},
    {
        "gateway.base_url": "https://gateway.example",
        "gateway.merchant_pg_identifier": "M-0001",
        "gateway.counter_id": 3,
        "shop.name": "Corner Shop",
        "shop.currency": "LKR",
        "shop.country": "LK",
    },
)
VALUES = {name: text_of(value) for name, value in flat(SETTINGS).items()}
PICTURE = SettingsPicture(
    environment=Environment.LIVE,
    values=VALUES,
    sources=dict.fromkeys(VALUES, words.FROM_FILE),
    locked={"gateway.base_url": words.LOCKED_BY_SITE},
    stored=dict.fromkeys(NAMES, "") | {"access_token": "stored 12 Nov", "merchant_password": "stored"},
)


class Elsewhere:
    """What was asked for, and how to answer it."""

    def __init__(self) -> None:
        self.saves: list[tuple[SettingsDraft, Callable[[SettingsSaved | Problems], None]]] = []
        self.tests: list[tuple[SettingsDraft, Callable[[ServicesSaid | Problems], None]]] = []

    def calls(self) -> SettingsCalls:
        """For the screen."""
        return SettingsCalls(
            self.check,
            lambda draft, tell: self.tests.append((draft, tell)),
            lambda draft, tell: self.saves.append((draft, tell)),
        )

    def check(self, texts: Mapping[str, str]) -> Problems:
        """As the file is checked."""
        return problems_of(SETTINGS, texts)


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def opened(
    qtbot: QtBot,
    elsewhere: Elsewhere,
    picture: SettingsPicture = PICTURE,
    *,
    size: tuple[int, int] = (1024, 768),
    theme: str = "light",
    is_manager: bool = True,
    section: str = "",
) -> SettingsDialog:
    made = SettingsDialog(picture, elsewhere.calls(), is_manager=is_manager, section=section)
    shown(qtbot, made, width=WIDTH, size=size, theme=theme)
    return made


def secret(dialog: SettingsDialog, name: str) -> SecretPart:
    found = dialog.form.part(name)
    assert isinstance(found, SecretPart)
    return found


def edit_of(dialog: SettingsDialog, name: str) -> LineEdit:
    found = dialog.findChild(LineEdit, name.replace(".", "_"))
    assert found is not None
    return found


def fill(dialog: SettingsDialog, name: str, text: str) -> None:
    """As a person: to the section, into the field, over what stands there."""
    section = next(key for key, names in {**SECTIONS, **_secret_sections()}.items() if name in names)
    dialog.form.sections.choose(section)
    settle()
    edit = edit_of(dialog, name)
    edit.setFocus()
    edit.selectAll()
    if text:
        type_text(text)
    else:
        press(Key.Key_Delete)


def _secret_sections() -> dict[str, tuple[str, ...]]:
    return {section: (*SECTIONS[section], *SECRETS.get(section, ())) for section in SECTIONS}


def test_every_setting_and_every_secret_stands_in_one_section() -> None:
    placed = [key for keys in SECTIONS.values() for key in keys]
    assert sorted(placed) == sorted(key.name for key in KEYS)
    assert set(words.LABEL) == set(placed)
    assert sorted(name for names in SECRETS.values() for name in names) == sorted(NAMES)
    choices = {key.name: set(key.choices) for key in KEYS if key.choices}
    assert {name: set(words.CHOICE[name]) for name in choices} == choices


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
def test_every_section_is_whole_at_every_size(
    qtbot: QtBot, elsewhere: Elsewhere, size: tuple[int, int], theme: str
) -> None:
    dialog = opened(qtbot, elsewhere, size=size, theme=theme)
    heights = set()
    for section in SECTIONS:
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
    assert locked.caption.text() == "locked: settings file"
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


def test_secrets_are_written_and_never_read(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "access_token", "canary-token")
    token = dialog.form.part("access_token")
    assert (token.caption.text(), edit_of(dialog, "access_token").echoMode()) == (
        "stored 12 Nov",
        QLineEdit.EchoMode.Password,
    )
    assert dialog.form.part("otp_access_token").caption.text() == words.NOT_STORED
    secret(dialog, "merchant_password").revoke.click()
    assert dialog.form.part("merchant_password").caption.text() == words.WILL_BE_REVOKED
    dialog.save.click()
    ((draft, tell),) = elsewhere.saves
    assert draft.secrets["access_token"].reveal() == "canary-token"
    assert (set(draft.secrets), draft.forget) == ({"access_token"}, ("merchant_password",))
    assert "canary" not in repr(draft)
    tell(SettingsSaved(PICTURE, words.SAVED))
    for name in NAMES:
        assert dialog.form.part(name).text() == ""


def test_a_secret_that_cannot_be_one_is_told_without_it(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "merchant_secret_code", "canary ")
    dialog.save.click()
    assert elsewhere.saves == []
    error = dialog.form.part("merchant_secret_code").part.error.text()
    assert error.startswith("Merchant secret code begins or ends with a space")
    assert "canary" not in error


def test_a_typed_secret_is_not_revoked_as_well(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    secret(dialog, "access_token").revoke.click()
    fill(dialog, "access_token", "new")
    dialog.save.click()
    ((draft, _),) = elsewhere.saves
    assert (set(draft.secrets), draft.forget) == ({"access_token"}, ())


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
    names = (*SECTIONS["token"], *SECRETS["token"])
    seen = {name for name in names if dialog.form.part(name).isVisible()}
    assert seen == shows | {"gateway.token_provider"}
    assert faults(dialog) == []


def choose(dialog: SettingsDialog, name: str, value: str) -> None:
    box: Any = dialog.form.part(name).part
    box.box.setCurrentIndex(box.box.findData(value))
    box.box.activated.emit(box.box.currentIndex())
    settle()


def test_a_message_says_how_many_sms_it_is(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    fill(dialog, "otp.message", "{{code}} " + "x" * 153)
    note = dialog.form.part("otp.message").note
    assert note.text() == "160 of 160 characters: 1 SMS"
    type_text("x")
    assert note.text() == "161 characters: goes out as 2 SMS (one holds 160)"
    fill(dialog, "otp.message_si", "{{code}} ")
    edit_of(dialog, "otp.message_si").type_over("ක")
    assert dialog.form.part("otp.message_si").note.text() == (
        "8 of 70 characters, in the wide alphabet: 1 SMS"
    )
    fill(dialog, "otp.message_si", "")
    assert not dialog.form.part("otp.message_si").note.isVisible()


def test_the_test_says_what_was_tested_and_what_was_not(qtbot: QtBot, elsewhere: Elsewhere) -> None:
    dialog = opened(qtbot, elsewhere)
    dialog.test.button.click()
    assert dialog.test.outcomes[0].text() == words.TESTING
    ((_, tell),) = elsewhere.tests
    tell(ServicesSaid(Listing(), OtpRefused(OtpRefusal.NOT_FOUND, 404)))
    settle()
    payments, sign_in = (outcome.text() for outcome in dialog.test.outcomes)
    assert "accepted this terminal" in payments
    assert "No SMS was sent" in sign_in
    assert faults(dialog) == []
    fill(dialog, "shop.name", "Other")
    assert not dialog.test.isVisible()


@pytest.mark.parametrize("why", list(Why))
def test_every_way_of_no_answer_has_words(why: Why) -> None:
    well, said = words.sign_in_outcome(NoAnswer(why, sent=True))
    assert not well
    assert said.startswith("SMS service: ")


@pytest.mark.parametrize("refusal", list(OtpRefusal))
def test_every_refusal_of_the_sms_service_has_words(refusal: OtpRefusal) -> None:
    well, _ = words.sign_in_outcome(OtpRefused(refusal, 400))
    assert well is (refusal.value not in (*_BAD,))


_BAD = (
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "TOO_MANY_REQUESTS",
    "INTERNAL",
    "UNAVAILABLE",
    "TIMEOUT",
    "UNKNOWN",
)


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
