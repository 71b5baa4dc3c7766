"""The sections of the settings, beside what they hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QListWidget, QWidget

from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.widgets.rows import Row, Rows

_MARK = 16
_WIDEST = 270


class Section(NamedTuple):
    """Its name in code, what is written on it, and whether something in it cannot be used."""

    name: str
    text: str
    is_wrong: bool = False


class SectionList(Rows):
    """`chosen(name)` when another one is wanted, by touch or by arrow keys."""

    chosen = Signal(str)

    def __init__(
        self, title: str, sections: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__("sections", title, growing=32, is_choice=True, parent=parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setStyleSheet("QListView { background: transparent; border: none; margin: 0; }")
        for name, text in sections:
            self.add_row(text, Section(name, text))
        self.fit_rows(self.count())
        metrics = QFontMetricsF(font("strong"))
        widest = max(metrics.horizontalAdvance(text) for _name, text in sections)
        # The fields need the rest of the smallest screen.
        self.setFixedWidth(min(round(widest), grown(_WIDEST)) + 2 * S3 + _MARK + 2 * S2)
        self.currentRowChanged.connect(lambda row: self.chosen.emit(self.data_at(row).name))

    def choose(self, name: str) -> None:
        """Go to this section."""
        for row, section in enumerate(self.all_data()):
            if section.name == name:
                self.setCurrentRow(row)

    def mark_wrong(self, names: Collection[str]) -> None:
        """The sections in which something cannot be used."""
        for row, section in enumerate(self.all_data()):
            self.set_data(row, section._replace(is_wrong=section.name in names))

    def paint_row(self, row: Row, data: Section) -> None:
        """Its text, and a mark where something is wrong."""
        on = tokens()
        width, height = row.room.width() - 2 * S3, row.room.height()
        role, ink = ("strong", on.primary) if row.is_chosen else ("body", on.text)
        row.write(
            row.place(S3, 0, width - (_MARK + S2 if data.is_wrong else 0), height), role, ink, data.text
        )
        if data.is_wrong:
            mark = row.place(S3 + width - _MARK, (height - _MARK) / 2, _MARK, _MARK)
            paint_icon(row.painter, "warning", mark, QColor(on.bad))
