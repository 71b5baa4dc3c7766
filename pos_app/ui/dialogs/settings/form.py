"""All sections of the settings with their list: what is typed, where it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.domain.secret import Secret, SecretError, typed_secret
from pos_app.i18n.words.fields import words as field_words
from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.set_up.form import FieldProblem
from pos_app.ui.dialogs.settings.pages import SettingsPage
from pos_app.ui.dialogs.settings.parts import SecretPart, SettingPart
from pos_app.ui.dialogs.settings.section_list import SectionList
from pos_app.ui.dialogs.settings.values import (
    Problems,
    SettingPlace,
    SettingsDraft,
    SettingsPicture,
)
from pos_app.ui.theme.tokens import S5
from pos_app.ui.widgets.in_view import bring_into_view


class SettingsForm(QWidget):
    """`changed` when something was typed. `below_sections` stands under their list."""

    changed = Signal()
    volume_tried = Signal()
    test_page_wanted = Signal()

    def __init__(
        self,
        places: Mapping[str, tuple[SettingPlace, ...]],
        below_sections: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings_form")
        self.pages = {section: SettingsPage(section, parts, self) for section, parts in places.items()}
        self.sections = SectionList(words.TITLE, [(name, words.SECTION[name]) for name in places])
        self.section = next(iter(places))
        self._stack = QStackedLayout()
        for page in self.pages.values():
            self._stack.addWidget(page)
            page.edited.connect(self.changed)
            page.volume_tried.connect(self.volume_tried)
            page.test_page_wanted.connect(self.test_page_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S5)
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.sections)
        left.addStretch(1)
        left.addWidget(below_sections)
        row.addLayout(left)
        row.addLayout(self._stack, 1)
        self.sections.chosen.connect(self._turn)
        self.sections.choose(self.section)
        self.setFocusProxy(self.sections)

    def _turn(self, section: str) -> None:
        self.section = section
        self._stack.setCurrentWidget(self.pages[section])

    def order_keys(self, before: QWidget, behind: QWidget) -> None:
        """By Tab, through all pages as they are read: Qt puts the last one before their list."""
        # What opens from a box is a window of its own.
        parts = [each for page in self.pages.values() for each in page.findChildren(QWidget)]
        for part in [each for each in parts if each.window() is self.window()]:
            if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None:
                QWidget.setTabOrder(before, part)
                before = part
        QWidget.setTabOrder(before, behind)

    def part(self, name: str) -> SettingPart | SecretPart:
        """A setting by its key, or a secret by its name."""
        for page in self.pages.values():
            found = page.settings.get(name) or page.secrets.get(name)
            if found is not None:
                return found
        raise KeyError(name)

    def _parts(self) -> Iterator[tuple[str, str, SettingPart | SecretPart]]:
        for section, page in self.pages.items():
            for key, setting in page.settings.items():
                yield section, key, setting
            for name, secret in page.secrets.items():
                yield section, name, secret

    def show_picture(self, picture: SettingsPicture, *, changeable: bool) -> None:
        """The settings in force; what was typed is forgotten."""
        for page in self.pages.values():
            page.show_picture(picture, changeable=changeable)
        self.sections.mark_wrong(())

    def texts(self) -> dict[str, str]:
        """What stands in each field, by its key or name."""
        return {name: part.text() for _, name, part in self._parts()}

    def typed(self) -> dict[str, str]:
        """What stands in the fields in which something else was shown."""
        return {name: part.text() for _, name, part in self._parts() if part.is_changed}

    def put_in(self, texts: Mapping[str, str]) -> None:
        """What was typed meanwhile."""
        for name, text in texts.items():
            self.part(name).part.put_back(text)

    def draft(self, reason: str) -> SettingsDraft | Problems:
        """What is typed; else which secret cannot be one. Each setting is checked by whoever knows how."""
        secrets: dict[str, Secret] = {}
        problems: list[FieldProblem] = []
        forget = []
        for page in self.pages.values():
            for name, part in page.secrets.items():
                if part.is_revoked:
                    forget.append(name)
                try:
                    typed = typed_secret(name, part.text())
                except SecretError as error:
                    said = field_words.secret_problem(words.SECRET[name], error)
                    problems.append(FieldProblem(name, said))
                    continue
                if typed:
                    secrets[name] = typed
        if problems:
            return tuple(problems)
        settings = [each for page in self.pages.values() for each in page.settings.items()]
        values = {key: part.text() for key, part in settings if part.is_changed}
        return SettingsDraft(values=values, secrets=secrets, forget=tuple(forget), reason=reason)

    @property
    def is_changed(self) -> bool:
        """Whether something else is typed than was shown."""
        return any(part.is_changed for _, _, part in self._parts())

    def show_problems(self, problems: Problems) -> bool:
        """Each at its field, the first with the focus; whether any is of a field here."""
        texts = {problem.field: problem.text for problem in problems}
        wrong: list[tuple[str, SettingPart | SecretPart]] = []
        for section, name, part in self._parts():
            part.part.clear_error()
            if name in texts:
                wrong.append((section, part))
                part.part.show_error(texts[name], focus=False)
        self.sections.mark_wrong({section for section, _ in wrong})
        if not wrong:
            return False
        own = [each for each in wrong if each[0] == self.section]
        section, first = (own or wrong)[0]
        self.sections.choose(section)
        first.part.show_error(texts[_name_of(first)])
        bring_into_view(first)
        return True


def _name_of(part: SettingPart | SecretPart) -> str:
    return part.key if isinstance(part, SettingPart) else part.name
