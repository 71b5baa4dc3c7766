"""The pictures of a day beside one another: six charts, each of which can be turned into its table. It asks nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.domain.views import DayProblem, FiguresRead
from pos_app.i18n.pictures import Pictures
from pos_app.i18n.table import spoken
from pos_app.i18n.words.day import words as day_words
from pos_app.i18n.words.pictures import words
from pos_app.ui.charts.picture_card import PictureCard
from pos_app.ui.dialogs.day.closed_days import closed_days
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading, title_row
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label

_TWO_FROM, _THREE_FROM = 760, 1_320
"""From these widths (px, at the text's own size) on two pictures stand beside each other, or three."""

_CHOICE = 320


class DayPictures(Panel):
    """`wanted(number)`: a Z's, or 0 for the open day; `print_wanted(number)`; `closed`. `take` shows what was read."""

    wanted = Signal(int)
    print_wanted = Signal(int)
    closed = Signal()

    def __init__(
        self, config: TillViewConfig, last_z: int, *, has_printer: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("day_pictures")
        self._pictures = Pictures(spoken(), config.written)
        self._last_z = last_z
        self._shown = 0
        """Whose pictures stand here: a Z's number, 0 for the open day's."""
        self.which = Choice(words.WHICH, "pictures_which", _options(last_z))
        self.said = Label(words.READING, "body", "muted", wrap=True, name="pictures_said")
        self.title = heading(words.TITLE, "pictures_title")
        self.wall = PictureWall()
        self.close_button = Button(words.CLOSE, name="pictures_close", keycap="Esc")
        self.table_button = Button(words.TABLE, name="pictures_table")
        self.print_button = Button(words.PRINT, name="pictures_print")
        self.table_button.setCheckable(True)
        for button in (self.table_button, self.print_button):
            button.setEnabled(False)
        self.which.setMaximumWidth(grown(_CHOICE))
        buttons = button_row(self.print_button, self.table_button)
        top = title_row(self.title, self.close_button)
        column(self, top, self.which, self.said, self.wall, buttons, spacing=S3).addStretch(1)
        self.print_button.setVisible(has_printer)
        self.which.edited.connect(lambda _text: self.read())
        self.close_button.clicked.connect(self.closed)
        self.table_button.clicked.connect(self._turn)
        self.print_button.clicked.connect(lambda: self.print_wanted.emit(self._number))
        self.setFocusProxy(self.which.box)

    @property
    def _number(self) -> int:
        return int(self.which.text() or 0)

    def read(self) -> None:
        """What is chosen is to be read."""
        self.say(words.READING, "muted")
        self.wanted.emit(self._number)

    def follow(self, last_z: int) -> None:
        """A day was closed: where it was the open one's pictures that stand here, they are read anew."""
        if last_z == self._last_z:
            return
        self._last_z = last_z
        chosen = self.which.text()
        self.which.set_options(_options(last_z))
        self.which.set_text(chosen)
        if not self._number:
            self.print_button.setEnabled(False)
            self.read()

    def take(self, answer: FiguresRead) -> None:
        """An answer to what was asked for here."""
        if answer.figures is None:
            # The choice is of the pictures below it, also where another day's were wanted and did not come.
            self.which.set_text(str(self._shown))
            self.say(day_words.PROBLEM.get(answer.problem, day_words.PROBLEM[DayProblem.CANNOT_READ]), "bad")
            return
        self._shown = answer.figures.number
        self.say(self._pictures.named(answer.figures), "text")
        self.wall.show_cards([PictureCard(each) for each in self._pictures.of(answer.figures)])
        self.wall.turn(is_table=self.table_button.isChecked())
        for button in (self.table_button, self.print_button):
            button.setEnabled(True)

    def _turn(self) -> None:
        is_table = self.table_button.isChecked()
        self.table_button.setText(words.PICTURES if is_table else words.TABLE)
        self.wall.turn(is_table=is_table)

    def say(self, text: str, tone: str) -> None:
        """Which day it is, or what came of a wish."""
        self.said.setText(text)
        self.said.set_tone(tone)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
            return
        super().keyPressEvent(event)


def _options(last_z: int) -> Sequence[Option]:
    return [("0", words.OPEN), *closed_days(last_z, words.CLOSED)]


class PictureWall(QWidget):
    """The cards beside each other where there is room for two or three, else below one another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("picture_wall")
        self.cards: list[PictureCard] = []
        self._across = 0
        self._is_table = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(S4)

    def show_cards(self, cards: Sequence[PictureCard]) -> None:
        """These instead of those there were."""
        for card in self.cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = list(cards)
        self._across = 0
        self._lay()

    def turn(self, *, is_table: bool) -> None:
        """Pictures or tables."""
        self._is_table = is_table
        for card in self.cards:
            card.show_table(is_table=is_table)
        self._lay()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """So many beside each other as there is room for."""
        super().resizeEvent(event)
        self._lay()

    def _lay(self) -> None:
        across = 1 + sum(self.width() >= grown(wide) for wide in (_TWO_FROM, _THREE_FROM))
        if self._is_table:
            across -= across > 1  # a table is wider than a picture
        if across == self._across:
            return
        self._across = across
        for at, card in enumerate(self.cards):
            self._grid.addWidget(card, at // across, at % across)
            card.show()
        for place in range(3):
            self._grid.setColumnStretch(place, 1 if place < across else 0)
