"""A picture of the day with its title, what its patterns mean, and the same numbers as a table."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pos_app.i18n.pictures import Form, Picture
from pos_app.i18n.words.pictures import words
from pos_app.ui.charts.columns import Columns
from pos_app.ui.charts.level import Level
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL, S1, S2, S4
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import RIGHT, Label
from pos_app.ui.widgets.paint import box

_LEVEL, _WHOLE, _SWATCH = 10, 36, 24
_WIDEST = 720
_SPOKEN = 12
"""So many rows are heard with a picture; its table has them all."""


class PictureCard(Card):
    """`show_table` turns it over. What is drawn is heard, too: the card's name tells its first numbers."""

    def __init__(self, picture: Picture, parent: QWidget | None = None) -> None:
        super().__init__(f"picture_{picture.name}", parent=parent)
        self.picture = picture
        rows = [" ".join(each for each in row if each) for row in picture.rows[:_SPOKEN]]
        said = words.HEARD.format(title=picture.title, rows="; ".join(rows) or words.NOTHING)
        self.setAccessibleName(clean(said, DETAILS_LIMIT))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(S4, S4, S4, S4)
        layout.setSpacing(S2)
        layout.addWidget(Label(picture.title, "strong", wrap=True, name=f"title_{picture.name}"))
        self._drawn = _drawn(picture)
        self.table = PictureTable(picture)
        self.table.hide()
        for part in (
            self._drawn,
            self.table,
            *(Label(note, "small", "muted", wrap=True) for note in picture.notes),
        ):
            layout.addWidget(part)
        layout.addStretch(1)

    def show_table(self, *, is_table: bool) -> None:
        """The numbers in rows, or drawn; where there is nothing, that is said either way."""
        turned = is_table and bool(self.picture.rows)
        self.table.setVisible(turned)
        self._drawn.setVisible(not turned)


class PictureTable(QTableWidget):
    """All rows of a picture, to be read with the arrows and heard; never scrolled in itself."""

    def __init__(self, picture: Picture, parent: QWidget | None = None) -> None:
        super().__init__(len(picture.rows), len(picture.heads), parent)
        self.setObjectName(f"table_{picture.name}")
        self.setAccessibleName(clean(picture.title, DETAILS_LIMIT))
        self.setFont(font("second"))
        self.setMaximumWidth(grown(_WIDEST))
        for column, head in enumerate(self._heads(picture)):
            side = Qt.AlignmentFlag.AlignLeading if column == 0 else Qt.AlignmentFlag.AlignTrailing
            item = QTableWidgetItem(head)
            item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, item)
            for at, row in enumerate(picture.rows):
                item = QTableWidgetItem(clean(row[column], DETAILS_LIMIT))
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(at, column, item)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        heads.setSectionsClickable(False)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        heads.geometriesChanged.connect(self._fit)
        self.verticalHeader().sectionResized.connect(self._fit)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """And a ring around its rows while it has the keyboard."""
        super().paintEvent(event)
        if self.hasFocus():
            rows = QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1)
            box(QPainter(self.viewport()), rows, RADIUS_SMALL, edge=tokens().focus, width=2)

    def _heads(self, picture: Picture) -> list[str]:
        """In lines that are no wider than what stands below them, or than their longest word."""
        metrics, found = self.fontMetrics(), []
        for at, head in enumerate(picture.heads):
            words_of = clean(head).split(" ")
            room = max(
                metrics.horizontalAdvance(text) for text in (*words_of, *(row[at] for row in picture.rows))
            )
            lines = [words_of[0]]
            for word in words_of[1:]:
                longer = f"{lines[-1]} {word}"
                if metrics.horizontalAdvance(longer) <= room:
                    lines[-1] = longer
                else:
                    lines.append(word)
            found.append("\n".join(lines))
        return found

    def _fit(self) -> None:
        """As high as its rows; on a phone's width a finger draws it sideways."""
        high = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length()
        self.setFixedHeight(high + 2 * self.frameWidth() + S1)


def _drawn(picture: Picture) -> QWidget:
    if not picture.bars:
        return Label(words.NOTHING, "body", "muted", wrap=True)
    match picture.form:
        case Form.COLUMNS:
            return _below(_legend(picture), _columns(picture))
        case Form.WHOLE:
            marks = tuple(mark for bar in picture.bars for mark in bar.marks)
            return _below(Level(marks, _WHOLE, side_by_side=True), _parts(picture))
        case Form.BARS:
            return _below(*(part for bar in picture.bars for part in _bar(bar.label, bar.said, bar.marks)))
        case Form.LIST:
            return _below(*(_line(bar.label, bar.said) for bar in picture.bars))


def _columns(picture: Picture) -> Columns:
    made = Columns()
    made.show_bars(picture.bars)
    return made


def _legend(picture: Picture) -> QWidget | None:
    if not picture.legend:
        return None
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(S2)
    for at, (fill, meaning) in enumerate(picture.legend):
        grid.addWidget(Level(((fill, 1.0),), _LEVEL + 4, wide=_SWATCH), at, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(Label(meaning, "small", "muted", wrap=True), at, 1)
    grid.setColumnStretch(1, 1)
    return made


def _parts(picture: Picture) -> QWidget:
    """What each part of the whole is."""
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(S2)
    for at, (bar, row) in enumerate(zip(picture.bars, picture.rows, strict=True)):
        fill = bar.marks[0][0]
        grid.addWidget(Level(((fill, 1.0),), _LEVEL + 4, wide=_SWATCH), at, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(Label(bar.label, "body", wrap=True), at, 1)
        grid.addWidget(Label(row[1], "body", "muted", align=RIGHT), at, 2)
        grid.addWidget(Label(bar.said, "strong", align=RIGHT), at, 3)
    grid.setColumnStretch(1, 1)
    return made


def _bar(label: str, said: str, marks: tuple) -> tuple[QWidget, QWidget]:  # type: ignore[type-arg]
    return _line(label, said), Level(marks, _LEVEL)


def _line(label: str, said: str) -> QWidget:
    """What it is, and its number where lines end."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(S4)
    row.addWidget(Label(label, "second", wrap=True), 1)
    row.addWidget(Label(said, "strong", align=RIGHT))
    return made


def _below(*parts: QWidget | None) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(grown(S1))
    for part in parts:
        if part is not None:
            column.addWidget(part)
    return made
