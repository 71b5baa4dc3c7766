"""Which setting stands in which section of the settings' screen, and the page of a section."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.settings.parts import SecretPart, SettingPart
from pos_app.ui.dialogs.settings.sections import SECRETS, SECTIONS
from pos_app.ui.dialogs.settings.values import SettingsPicture
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.label import Label

_WIDE = frozenset({"otp.message", "gateway.token_command", "gateway.verification_fail_is_final"})
_NEW_ROW = frozenset({"sign_in.lock_after_min"})
_ALWAYS = frozenset({"gateway.token_provider"})
_OF_PROVIDER = {
    "file": ("gateway.token_file",),
    "command": ("gateway.token_command",),
    "oauth2": ("gateway.token_url", "gateway.token_client_id", "token_client_secret"),
}


class SettingsPage(QWidget):
    """The parts of one section, two beside each other."""

    edited = Signal()

    def __init__(self, section: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"section_{section}")
        # Each with its parent: whichever is shown before the grid has it were a window for a moment.
        self.settings = {key: SettingPart(key, self) for key in SECTIONS[section]}
        self.secrets = {name: SecretPart(name, self) for name in SECRETS.get(section, ())}
        self.text = Label(words.SECTION_TEXT[section], "body", "muted", wrap=True)
        self.why_not = Label("", "second", "warn", wrap=True, name=f"{section}_why_not")
        self.why_not.hide()
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
        column.addStretch(1)
        for part in (*self.settings.values(), *self.secrets.values()):
            part.edited.connect(self.edited)
        provider = self.settings.get("gateway.token_provider")
        if provider is not None:
            provider.edited.connect(self._switch)
        self._arrange(frozenset((*self.settings, *self.secrets)))

    def _switch(self) -> None:
        wanted = _OF_PROVIDER.get(self.settings["gateway.token_provider"].text(), ())
        self._arrange(_ALWAYS | set(wanted))

    def _arrange(self, shown: frozenset[str]) -> None:
        """Those that mean something now, in their order."""
        parts = {**self.settings, **self.secrets}
        for part in parts.values():
            self._grid.removeWidget(part)
        row = across = 0
        for name, part in parts.items():
            part.setVisible(name in shown)
            if name not in shown:
                continue
            wide = name in _WIDE or name in _ALWAYS
            if (wide or name in _NEW_ROW) and across:
                row, across = row + 1, 0
            self._grid.addWidget(part, row, across, 1, 2 if wide else 1)
            row, across = (row + 1, 0) if wide or across else (row, 1)

    def show_picture(self, picture: SettingsPicture, *, changeable: bool) -> None:
        """The settings in force."""
        for key, part in self.settings.items():
            part.show_setting(picture.values[key], picture.sources[key], picture.locked.get(key, ""))
            part.set_changeable(changeable)
        for name, secret in self.secrets.items():
            secret.show_state(picture.stored.get(name, ""))
            secret.set_changeable(changeable and not picture.secrets_locked)
        if self.secrets and picture.secrets_locked:
            self.why_not.setText(picture.secrets_locked)
            self.why_not.show()
        if "gateway.token_provider" in self.settings:
            self._switch()
