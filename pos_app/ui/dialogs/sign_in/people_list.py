"""The names to choose from, made for a finger and for the keyboard. It sends no code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from pos_app.domain.people import Person
from pos_app.i18n.words.sign_in import words
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.rows import Row, Rows

_AVATAR = 40
_EDGE = 6


def role_and_number(person: Person) -> str:
    """What a sign-in says beside a name."""
    return f"{words.ROLE[person.role]} · {person.number_mask}"


class PeopleList(Rows):
    """One row for each person; a touch, or Enter on the chosen row, picks.

    `everybody`: those too who may not sign in, paler; `second` is the line under each name.
    """

    picked = Signal(str)

    def __init__(
        self,
        people: Sequence[Person],
        parent: QWidget | None = None,
        *,
        name: str = "people",
        accessible: str = "",
        everybody: bool = False,
        second: Callable[[Person], str] = role_and_number,
    ) -> None:
        super().__init__(name, accessible or words.TITLE, parent=parent)
        self._everybody = everybody
        self._second = second
        self.itemClicked.connect(lambda item: self._pick(self.row(item)))
        self.reader.pressed.connect(self._pick)
        self.show_people(people)

    def show_people(self, people: Sequence[Person]) -> None:
        """Another list; the row that was chosen stays so."""
        before = self.current_data()
        self.clear()
        for person in people:
            if person.enabled or self._everybody:
                self.add_row(person.name, person, description=self._second(person))
        ids = [person.person_id for person in self.all_data()]
        self.setCurrentRow(ids.index(before.person_id) if before and before.person_id in ids else 0)
        self.fit_rows()

    def enter_pressed(self) -> None:
        """The chosen one."""
        if self.currentItem() is not None:
            self._pick(self.currentRow())

    def paint_row(self, row: Row, data: Person) -> None:
        """First letter in a disc, the name, the line under it."""
        on = tokens()
        name = clean(data.name)
        side = grown(_AVATAR)
        disc = row.place(S2, (row.room.height() - side) / 2, side, side)
        box(row.painter, disc, side / 2, on.primary if row.is_chosen else on.primarysoft)
        row.painter.setFont(font("strong"))
        row.painter.setPen(QColor(on.onprimary if row.is_chosen else on.primary))
        row.painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, name[:1].upper())
        left, line = S2 + side + S3, (row.room.height() - 2 * _EDGE) / 2
        width = row.room.width() - left - S2
        row.write(row.place(left, _EDGE, width, line), "strong", on.text if data.enabled else on.muted, name)
        row.write(row.place(left, _EDGE + line, width, line), "second", on.muted, self._second(data))

    def _pick(self, row: int) -> None:
        self.picked.emit(self.data_at(row).person_id)
