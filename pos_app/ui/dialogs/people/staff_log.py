"""What people did at this till, newest first: who, what, to whom, when, why. It reads and changes nothing.

`told` makes a row's words of a journalled act: what has no words is shown by its own name, cleaned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain import ids
from pos_app.domain.people import TERMINAL, Person, Role
from pos_app.domain.rights import Act
from pos_app.domain.views import StaffLine, StaffLog
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.joined import words as joined
from pos_app.i18n.words.manager import words
from pos_app.i18n.words.people import words as people_words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.rows import Row, Rows

_LONGEST_NAME = 40


class Told(NamedTuple):
    """The three texts of a row."""

    what: str
    when: str
    why: str


def told(line: StaffLine, people: Sequence[Person]) -> Told:
    """Who did what to whom, when and why."""
    who = _name(line.who, people)
    what = f"{who}: {_what(line)}"
    whom = _name(line.whom, people) if line.whom not in ("", TERMINAL, line.who) else ""
    if whom:
        what = words.LOG_WHOM.format(what=what, whom=whom)
    parts = [
        _changes(line.content),
        _texts(line.content),
        words.LOG_WHY.format(reason=line.reason) if line.reason else "",
    ]
    for_ = line.content.get("for", "")
    if isinstance(for_, str) and for_ not in ("", line.who, line.whom):
        parts.insert(0, words.LOG_FOR.format(name=_name(for_, people)))
    why = " · ".join(part for part in parts if part)
    return Told(clean(what, DETAILS_LIMIT), line.wall[:16].replace("T", " "), clean(why, DETAILS_LIMIT))


def _what(line: StaffLine) -> str:
    said = words.kind_of(line.kind)
    act = line.content.get("act")
    if isinstance(act, str) and act in set(Act):
        return (
            words.LOG_ACT.format(what=said, act=approval_words.WANTED[Act(act)])
            if said
            else approval_words.WANTED[Act(act)]
        )
    action = line.content.get("action")
    return words.ACTION.get(action, said) if isinstance(action, str) else said


def _changes(content: Mapping[str, Any]) -> str:
    """What a change of a person set, field by field."""
    found = content.get("changes", {})
    if not isinstance(found, Mapping):
        return ""
    return joined.commas(
        _to(field, value["to"])
        for field, value in found.items()
        if field in words.CHANGE and isinstance(value, Mapping) and "to" in value
    )


def _texts(content: Mapping[str, Any]) -> str:
    """What else an event says of itself: settings that changed, a new number's mask, why nothing came of it."""
    found = []
    changed = content.get("changed", ())
    if isinstance(changed, Sequence) and not isinstance(changed, str):
        found.append(joined.commas(str(each) for each in changed))
    mask = content.get("number_mask", "")
    found.append(str(mask.get("to", "")) if isinstance(mask, Mapping) else str(mask))
    problem = content.get("problem", "")
    if isinstance(problem, str) and problem:
        found.append(words.problem_of(problem))
    found.append(str(content.get("why", "")))
    return joined.commas(text for text in found if text)


def _to(field: str, value: Any) -> str:
    if isinstance(value, bool):
        shown = words.YES if value else words.NO
    elif field == "role" and value in set(Role):
        shown = sign_in_words.ROLE[Role(value)]
    elif field == "language":
        shown = people_words.language_of(str(value))
    else:
        shown = str(value)
    return words.TO.format(what=words.CHANGE[field], value=shown)


def _name(person_id: str, people: Sequence[Person]) -> str:
    if person_id in ("", TERMINAL):
        return words.LOG_TILL
    name = next((each.name for each in people if each.person_id == person_id), "")
    if name:
        return clean(name, _LONGEST_NAME)
    sale_id, _ = ids.place_of(person_id)
    if sale_id:
        return words.LOG_SALE.format(sale=sale_id)
    return person_id


_EDGE = 8


class StaffLogPanel(Panel):
    """`show_log` once it was read; `closed` when it is to go away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("staff_log")
        self.lines = _Lines()
        self.said = Label(words.LOG_READING, "body", "muted", wrap=True, name="staff_log_said")
        self.close_button = Button(words.CLOSE, name="staff_log_close", keycap="Esc")
        title = heading(words.LOG_TITLE, "staff_log_title")
        column(self, title, self.said, self.lines, button_row(self.close_button), spacing=S3)
        self.lines.hide()
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.closed)

    def show_log(self, log: StaffLog, people: Sequence[Person]) -> None:
        """All of it, in words."""
        if log.problem:
            self.said.setText(people_words.problem(log.problem))
        else:
            self.said.setText(words.LOG_HINT if log.lines else words.LOG_NONE)
        self.lines.show_lines([told(line, people) for line in log.lines])
        self.lines.setVisible(bool(log.lines))
        if log.lines:
            self.setFocusProxy(self.lines)
            self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
            return
        super().keyPressEvent(event)


class _Lines(Rows):
    """Read with the arrows; nothing in it can be chosen."""

    def __init__(self) -> None:
        super().__init__("staff_log_lines", words.LOG_TITLE, steady=20)

    def show_lines(self, lines: Sequence[Told]) -> None:
        """These and no others."""
        self.clear()
        for line in lines:
            self.add_row(" · ".join(part for part in line if part), line)
        self.setCurrentRow(0)
        self.fit_rows()

    def paint_row(self, row: Row, data: Told) -> None:
        """What was done and when; below it why."""
        on = tokens()
        width, line = row.room.width() - 2 * S3, (row.room.height() - 2 * _EDGE) / 2
        # With nothing below it a line stands in the middle.
        top = _EDGE if data.why else (row.room.height() - line) / 2
        taken = row.write(row.place(S3, top, width, line), "second", on.muted, data.when, at_end=True)
        row.write(row.place(S3, top, width - taken - S3, line), "strong", on.text, data.what)
        row.write(row.place(S3, _EDGE + line, width, line), "second", on.muted, data.why)
