"""A settings' screen over an empty window, its answers in the test's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from pos_app.app.settings.picture import sections
from pos_app.app.settings.texts import flat, problems_of, text_of
from pos_app.domain.attempt import Environment
from pos_app.i18n.words.settings import words
from pos_app.secrets.files import NAMES
from pos_app.settings import load_settings
from pos_app.ui.dialogs.settings.panel import WIDTH, SettingsDialog
from pos_app.ui.dialogs.settings.parts import SecretPart
from pos_app.ui.dialogs.settings.values import (
    Problems,
    ServicesSaid,
    SettingsCalls,
    SettingsDraft,
    SettingsPicture,
    SettingsSaved,
)
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.widgets.text_area import TextArea
from tests.unit.ui.dialog_cases import Key, press, settle, shown, type_text

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
VALUES = {name: text_of(value, name) for name, value in flat(SETTINGS).items()}
PICTURE = SettingsPicture(
    environment=Environment.LIVE,
    values=VALUES,
    sources=dict.fromkeys(VALUES, words.FROM_FILE),
    locked={"gateway.base_url": words.LOCKED_BY_SITE},
    sections=sections(),
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


def edit_of(dialog: SettingsDialog, name: str) -> LineEdit | TextArea:
    found = dialog.findChild(QWidget, name.replace(".", "_"))
    assert isinstance(found, LineEdit | TextArea)
    return found


def fill(dialog: SettingsDialog, name: str, text: str) -> None:
    """As a person: to the section, into the field, over what stands there."""
    section = next(key for key, places in PICTURE.sections.items() if name in [each.name for each in places])
    dialog.form.sections.choose(section)
    settle()
    edit = edit_of(dialog, name)
    edit.setFocus()
    edit.selectAll()
    if text:
        type_text(text)
    else:
        press(Key.Key_Delete)


def choose(dialog: SettingsDialog, name: str, value: str) -> None:
    box: Any = dialog.form.part(name).part
    box.box.setCurrentIndex(box.box.findData(value))
    box.box.activated.emit(box.box.currentIndex())
    settle()
