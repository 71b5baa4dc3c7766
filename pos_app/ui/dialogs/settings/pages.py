"""The page of one section of the settings' screen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.settings.parts import SecretPart, SettingPart, VolumePart
from pos_app.ui.dialogs.settings.values import SettingPlace, SettingsPicture
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.label import Label

_PROVIDER = "gateway.token_provider"
VOLUME = "sound.volume"
_PRINTER, _KIND, _NO_PRINTER = "printer", "printer.kind", "none"


class SettingsPage(QWidget):
    """The parts of one section, two beside each other."""

    edited = Signal()
    volume_tried = Signal()
    test_page_wanted = Signal()

    def __init__(self, section: str, places: tuple[SettingPlace, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"section_{section}")
        # Each with its parent: whichever is shown before the grid has it were a window for a moment.
        self.settings = {each.name: _setting_part(each, self) for each in places if not each.is_secret}
        self.secrets = {each.name: SecretPart(each.name, self) for each in places if each.is_secret}
        self._places = places
        self.text = Label(words.SECTION_TEXT[section], "body", "muted", wrap=True)
        self.why_not = Label("", "second", "warn", wrap=True, name=f"{section}_why_not")
        self.why_not.hide()
        for said in (self.text, self.why_not):
            said.stand_with_fields()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(S4)
        self._grid.setVerticalSpacing(S3)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        column.addWidget(self.text)
        column.addWidget(self.why_not)
        column.addLayout(self._grid)
        self.test_page: Button | None = None
        if section == _PRINTER:
            self.test_page = Button(printing_words.TEST, name="print_test_page")
            self.test_page.clicked.connect(self.test_page_wanted)
            # It is printed by the settings in force, which what is typed here is not before it is saved.
            self.edited.connect(lambda: self._offer_test_page(is_offered=False))
            buttons = ButtonRow("printer_buttons")
            buttons.set_parts([self.test_page])
            column.addWidget(buttons)
        column.addStretch(1)
        for part in (*self.settings.values(), *self.secrets.values()):
            part.edited.connect(self.edited)
            if isinstance(part, VolumePart):
                part.tried.connect(self.volume_tried)
        if _PROVIDER in self.settings:
            self.settings[_PROVIDER].edited.connect(self._arrange)
        self._arrange()

    def _arrange(self) -> None:
        """Those that mean something now, in their order."""
        parts = {**self.settings, **self.secrets}
        for part in parts.values():
            self._grid.removeWidget(part)
        provider = self.settings[_PROVIDER].text() if _PROVIDER in self.settings else ""
        row = across = 0
        for place in self._places:
            part, is_shown = parts[place.name], place.of_provider in ("", provider)
            part.setVisible(is_shown)
            if not is_shown:
                continue
            if (place.is_wide or place.begins_row) and across:
                row, across = row + 1, 0
            self._grid.addWidget(part, row, across, 1, 2 if place.is_wide else 1)
            row, across = (row + 1, 0) if place.is_wide or across else (row, 1)

    def show_picture(self, picture: SettingsPicture, *, changeable: bool) -> None:
        """The settings in force."""
        for key, part in self.settings.items():
            part.show_setting(picture.values[key], picture.sources[key], picture.locked.get(key, ""))
            part.set_changeable(changeable)
        for name, secret in self.secrets.items():
            secret.show_state(picture.stored.get(name, ""))
            secret.set_changeable(changeable and not picture.secrets_locked)
        whys = dict.fromkeys(why for key in self.settings if (why := picture.locked.get(key, "")))
        said = [words.LOCKED_BECAUSE.format(why=why) for why in whys]
        if self.secrets and picture.secrets_locked:
            said.append(picture.secrets_locked)
        self.why_not.setText("\n".join(said))
        self.why_not.setVisible(bool(said))
        self._arrange()
        self._offer_test_page(is_offered=changeable and picture.values.get(_KIND) != _NO_PRINTER)

    def _offer_test_page(self, *, is_offered: bool) -> None:
        if self.test_page is not None:
            self.test_page.setEnabled(is_offered)


def _setting_part(place: SettingPlace, page: QWidget) -> SettingPart:
    if place.name == VOLUME:
        return VolumePart(place.name, page)
    return SettingPart(place.name, place.example, page, is_number=place.is_number)
