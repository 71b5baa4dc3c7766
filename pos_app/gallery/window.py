"""The gallery's window: a section at a time to scroll through, with the theme and the language to switch."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.gallery.exhibit import Exhibit, Stand
from pos_app.gallery.sections import sections
from pos_app.i18n import languages
from pos_app.i18n.words import band, gallery
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme
from pos_app.ui.theme.fonts import body_at
from pos_app.ui.theme.palette import palette
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.tokens import S2, S4, S5, THEMES
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.label import Label

SIZE = (1500, 900)
TEXT_PERCENTS = (100, 125, 150, 200)


class Gallery(QWidget):
    """Each switch builds what is seen anew."""

    def __init__(self, theme_name: str) -> None:
        super().__init__()
        self.setObjectName("gallery")
        self.setAutoFillBackground(True)
        self._theme = theme_name
        self._encoder = QrEncoder(self)
        self._section = "parts"
        self._scroll = QScrollArea()
        self._scroll.setObjectName("gallery_exhibits")
        self._scroll.setWidgetResizable(True)
        # What is in it has the keyboard, and shows it; Page Up and Down come here.
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        FingerScroll(self).start()
        self._rows = (ButtonRow("gallery_sections"), ButtonRow("gallery_switches"))
        above = QHBoxLayout()
        above.addWidget(self._rows[0], 1)
        above.addWidget(self._rows[1], 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(S4, S2, S4, 0)
        column.addLayout(above)
        column.addWidget(self._scroll, 1)
        self._show_all()

    def show_section(self, name: str) -> None:
        """Another part of the gallery."""
        self._section = name
        self._show_all()

    def switch_theme(self) -> None:
        """Light becomes dark, dark light."""
        self._theme = next(name for name in THEMES if name != self._theme)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setPalette(palette(THEMES[self._theme]))
        self._show_all()

    def switch_text(self, percent: int) -> None:
        """Texts of another size, whatever the screen holds: the exhibits scroll."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(body_at(percent))
        self._show_all()

    def switch_language(self, language: str) -> None:
        """Everything that is shown says it in this language."""
        set_language(language)
        self._show_all()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The encoder ends with the window."""
        self._encoder.stop()
        super().closeEvent(event)

    def _show_all(self) -> None:
        focused = self.focusWidget()
        pressed = focused.objectName() if focused is not None else ""
        self.setWindowTitle(band.words.titled(gallery.words.TITLE))
        self.setStyleSheet(sheet(theme.tokens()))
        all_sections = sections(self._encoder)
        self._rows[0].set_parts(list(self._section_buttons(all_sections)))
        self._rows[1].set_parts(list(self._switches()))
        self._scroll.setWidget(_room(all_sections[self._section]))
        again = next((each for row in self._rows for each in row.parts if each.objectName() == pressed), None)
        if again is not None:
            # The switch that was pressed is made anew, too.
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _section_buttons(self, names: Iterable[str]) -> Iterable[QWidget]:
        for name in names:
            kind = "primary" if name == self._section else "quiet"
            button = Button(gallery.words.SECTION[name], name=f"section_{name}", kind=kind)
            button.clicked.connect(lambda _checked=False, chosen=name: self.show_section(chosen))
            yield button

    def _switches(self) -> Iterable[QWidget]:
        other = Button(gallery.words.OTHER_THEME, name="switch_theme")
        other.clicked.connect(self.switch_theme)
        yield other
        for percent in TEXT_PERCENTS:
            text = gallery.words.TEXT_SIZE.format(percent=percent)
            button = Button(text, name=f"text_{percent}", kind="quiet", role="chip")
            button.clicked.connect(lambda _checked=False, chosen=percent: self.switch_text(chosen))
            yield button
        for language in languages.languages():
            button = Button(language, name=f"language_{language}", kind="soft")
            button.clicked.connect(lambda _checked=False, chosen=language: self.switch_language(chosen))
            yield button


def _room(exhibits: list[Exhibit]) -> QWidget:
    room = QWidget()
    column = QVBoxLayout(room)
    column.setSpacing(S2)
    for exhibit in exhibits:
        stand = Stand(exhibit)
        column.addWidget(Label(exhibit.name, "second", "muted"))
        column.addWidget(stand, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(S5)
    column.addStretch(1)
    return room
