"""The parts of the settings' screen: a field or a choice for each key, with its source and its lock."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.domain.sms import size_of_message
from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.set_up.countries import countries, currencies
from pos_app.ui.dialogs.settings.displays import displays, languages
from pos_app.ui.theme.tokens import S1, S2
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.field import Field, LongField, SecretField
from pos_app.ui.widgets.label import RIGHT, ElidedLabel, Label
from pos_app.ui.widgets.touched_fields import Takes


class Captioned(QWidget):
    """A field or choice with a caption at the right of its label, and a note below."""

    edited = Signal()

    def __init__(self, part: Field | Choice, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.part = part
        self.caption = ElidedLabel("", "second", "muted", align=RIGHT, name=f"{name}_source")
        self.note = Label("", "second", "muted", wrap=True, name=f"{name}_note")
        self.note.hide()
        for said in (self.caption, self.note):
            said.stand_with_fields()
        above = QHBoxLayout()
        above.setContentsMargins(0, 0, 0, 0)
        above.addWidget(part.label)
        above.addWidget(self.caption, 1)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(S2)
        self.row.addWidget(part, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S1)
        column.addLayout(above)
        column.addLayout(self.row)
        column.addWidget(self.note)
        column.addStretch(1)
        part.edited.connect(lambda _text: self.edited.emit())
        self.setFocusProxy(part)

    def say(self, note: str, tone: str = "muted") -> None:
        """Below the field; "" for nothing."""
        self.note.set_tone(tone)
        self.note.setText(note)
        self.note.setVisible(bool(note))


class SettingPart(Captioned):
    """One key of the settings file."""

    def __init__(
        self, key: str, example: str = "", parent: QWidget | None = None, *, is_number: bool = False
    ) -> None:
        name = key.replace(".", "_")
        super().__init__(_part(key, name, example, is_number=is_number), name, parent)
        self.key = key
        self._is_message = key.startswith("otp.message")
        self._lock = self._source = self._shown = ""
        if self._is_message:
            self.part.edited.connect(self._count)

    def show_setting(self, text: str, source: str, lock: str) -> None:
        """Its value, where it comes from, and why it cannot be changed here."""
        if isinstance(self.part, Choice) and self.part.box.findData(text) < 0:
            self.part.box.addItem(clean(text, DETAILS_LIMIT), text)
        self.part.set_text(text)
        self._shown = self.part.text()
        # Why stands above the page, once for all of its fields: beside a long label it would be cut.
        self._source = words.LOCKED if lock else source
        self.caption.setText(self._source)
        self.caption.set_tone("warn" if lock else "muted")
        said = clean(lock)
        self.part.setAccessibleDescription(said)
        self.part.label.setAccessibleDescription(said)
        self._lock = lock
        self.set_changeable(True)
        if self._is_message:
            self._count(text)

    def set_changeable(self, changeable: bool) -> None:
        """Read-only where it is locked, whoever wants to change it."""
        self.part.setEnabled(changeable and not self._lock)

    def text(self) -> str:
        """What stands in it."""
        return self.part.text()

    @property
    def is_changed(self) -> bool:
        """Whether something else stands in it than was shown: as it was shown, which may be less than what holds."""
        return self.text() != self._shown

    def _count(self, text: str) -> None:
        """Beside its source: a line of its own below each text would push the buttons off a small screen."""
        size = size_of_message(text)
        said = words.sms_size(size) if text else ""
        self.caption.setText(" · ".join(each for each in (said, self._source) if each))
        self.caption.set_tone("warn" if self._lock or not (size.is_one or not text) else "muted")


class VolumePart(SettingPart):
    """The volume, and a sound to try it by."""

    tried = Signal()

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(key, "", parent, is_number=True)
        self.try_it = Button(words.TRY_SOUND, name="try_sound", kind="quiet", icon="sound")
        self.try_it.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.row.addWidget(self.try_it, 0, Qt.AlignmentFlag.AlignTop)
        self.try_it.clicked.connect(self.tried)


class SecretPart(Captioned):
    """One secret: a new one can be typed, the stored one revoked; it is never shown."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        field = SecretField(words.SECRET[name], name, example=words.NEW_SECRET, has_eye=True)
        super().__init__(field, name, parent)
        self.name = name
        self._stored = ""
        self._changeable = True
        self.is_revoked = False
        self.revoke = Button(words.REVOKE, name=f"{name}_revoke", kind="quiet")
        self.revoke.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        # Beside its field, also where what is wrong with it takes lines below.
        self.row.addWidget(self.revoke, 0, Qt.AlignmentFlag.AlignTop)
        self.revoke.clicked.connect(self._turn)
        self.part.edited.connect(self._typed)

    def show_state(self, stored: str) -> None:
        """When it was stored, in words; "" when it is not. What was typed is forgotten."""
        self._stored = stored
        self.part.set_text("")
        self._set_revoked(False)

    def set_changeable(self, changeable: bool) -> None:
        """Whether it may be changed here."""
        self._changeable = changeable
        self.part.setEnabled(changeable)
        self._set_revoked(False)

    def text(self) -> str:
        """What was typed."""
        return self.part.text()

    @property
    def is_changed(self) -> bool:
        """Whether there is a new one, or the stored one is to go."""
        return self.is_revoked or bool(self.text())

    def _turn(self) -> None:
        self._set_revoked(not self.is_revoked)
        self.edited.emit()

    def _typed(self, text: str) -> None:
        if text:
            self._set_revoked(False)

    def _set_revoked(self, revoked: bool) -> None:
        self.is_revoked = revoked
        self.revoke.setText(words.KEEP if revoked else words.REVOKE)
        self.revoke.setVisible(self._changeable and bool(self._stored))
        if revoked:
            self.part.set_text("")
        self.caption.set_tone("warn" if revoked else "muted")
        self.caption.setText(words.WILL_BE_REVOKED if revoked else self._stored or words.NOT_STORED)


def _part(key: str, name: str, example: str, *, is_number: bool) -> Field | Choice:
    label = words.LABEL[key]
    if key == "shop.country":
        return Choice(label, name, countries())
    if key == "shop.currency":
        return Choice(label, name, currencies())
    if key == "customer_display.name":
        return Choice(label, name, displays())
    if key == "customer_display.language":
        return Choice(label, name, languages())
    if key in words.CHOICE:
        options: list[Option] = list(words.CHOICE[key].items())
        return Choice(label, name, options)
    takes = _takes(key, is_number=is_number)
    kind = LongField if key.startswith("otp.message") else Field
    return kind(label, name, example=_of_none(key) or example, takes=takes)


def _takes(key: str, *, is_number: bool) -> Takes:
    """What people read is written in their letters; all else is for machines."""
    if key == "shop.name" or key.startswith("otp.message"):
        return Takes.TEXT
    return Takes.FIGURES if is_number else Takes.LATIN


def _of_none(key: str) -> str:
    """What it means that a field is empty, where that means something."""
    if key.startswith("otp.message_"):
        return words.SAME_FOR_ALL
    return {"gateway.ca_file": words.NO_FILE, "gateway.otp_base_url": words.SAME_SERVICE}.get(key, "")
