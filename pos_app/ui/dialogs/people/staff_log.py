"""What people did at this till, newest first: who, what, to whom, when, why; of one person or day. Changes nothing.

`told` makes a row's words of a journalled act: what has no words is shown by its own name, cleaned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.domain import ids
from pos_app.domain.people import LONGEST_NAME, TERMINAL, Person, Role
from pos_app.domain.refund import note_in_text, shown_note
from pos_app.domain.rights import Act
from pos_app.domain.views import StaffLine, StaffLog
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.joined import words as joined
from pos_app.i18n.words.manager import words
from pos_app.i18n.words.people import words as people_words
from pos_app.i18n.words.settings import words as setting_words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, title_row
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import TOP, Label
from pos_app.ui.widgets.rows import Row, Rows

_LONGEST_VALUE = 48
_LONGEST_WHOLE = 600
_ROWS = 5
DAYS = 31
"""So many days can be chosen; what is older stands among all."""


class Told(NamedTuple):
    """The three texts of a row, and all there is to say below it."""

    what: str
    when: str
    why: str
    whole: str = ""


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
    when = line.wall[:16].replace("T", " ")
    return Told(clean(what, DETAILS_LIMIT), when, clean(why, DETAILS_LIMIT), clean(why, _LONGEST_WHOLE))


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
    """What a change of a person or of the settings set, field by field: from what to what."""
    found = content.get("changes", {})
    said = []
    for field, change in found.items() if isinstance(found, Mapping) else ():
        if not isinstance(change, Mapping):
            continue
        if field in words.CHANGE and "to" in change:
            old = _value(field, change["from"]) if "from" in change else None
            said.append(_from_to(words.CHANGE[field], old, _value(field, change["to"])))
        elif field in setting_words.LABEL:
            # Of a command nothing is told but that it was changed: what it takes may be a secret.
            known = "old" in change and "new" in change
            old, new = (_of_setting(field, str(change.get(each, ""))) for each in ("old", "new"))
            label = setting_words.LABEL[field]
            said.append(_from_to(label, old, new) if known else label)
    for key, sentence in (("stored", words.SECRET_STORED), ("revoked", words.SECRET_REVOKED)):
        names = content.get(key, ())
        for name in names if isinstance(names, Sequence) and not isinstance(names, str) else ():
            said.append(sentence.format(what=setting_words.SECRET.get(str(name), str(name))))
    return joined.commas(said)


def _from_to(what: str, old: str | None, new: str) -> str:
    if old is None:
        return words.TO.format(what=what, value=new)
    return words.FROM_TO.format(what=what, old=old, value=new)


def _of_setting(name: str, text: str) -> str:
    """A value as the settings' screen says it; no more of a long one than tells it apart."""
    said = setting_words.CHOICE.get(name, {}).get(text, text)
    if len(said) > _LONGEST_VALUE:
        said = said[: _LONGEST_VALUE - 1].rstrip() + "…"
    return said or words.EMPTY


def _texts(content: Mapping[str, Any]) -> str:
    """What else an event says of itself: settings by their names, a new number's mask, why nothing came of it."""
    found = []
    changed = content.get("changed", ())
    told_already = {*_names(content, "changes"), *_names(content, "stored"), *_names(content, "revoked")}
    if isinstance(changed, Sequence) and not isinstance(changed, str):
        known = setting_words.LABEL | setting_words.SECRET
        rest = [str(each) for each in changed if each not in told_already]
        found.append(joined.commas(known.get(each, each) for each in rest))
    mask = content.get("number_mask", "")
    if isinstance(mask, Mapping):
        old = str(mask.get("from", ""))
        found.append(_from_to(people_words.ROW_NUMBER, old or None, str(mask.get("to", ""))))
    else:
        found.append(str(mask))
    problem = content.get("problem", "")
    if isinstance(problem, str) and problem:
        found.append(words.problem_of(problem))
    found.append(str(content.get("why", "")))
    return joined.commas(text for text in found if text)


def _names(content: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = content.get(key, ())
    return tuple(map(str, found)) if isinstance(found, Mapping | list | tuple) else ()


def _value(field: str, value: Any) -> str:
    if isinstance(value, bool):
        return words.YES if value else words.NO
    if field == "role" and value in set(Role):
        return sign_in_words.ROLE[Role(value)]
    return people_words.language_of(str(value)) if field == "language" else str(value)


_OF_A_NOTE = "note:"
"""What the subject of a refund note's events begins with."""


def _name(person_id: str, people: Sequence[Person]) -> str:
    if person_id in ("", TERMINAL):
        return words.LOG_TILL
    name = next((each.name for each in people if each.person_id == person_id), "")
    if name:
        return clean(name, LONGEST_NAME)
    if person_id.startswith(_OF_A_NOTE):
        return shown_note(note_in_text(person_id.removeprefix(_OF_A_NOTE)))
    sale_id, _ = ids.sale_and_number(person_id)
    if sale_id:
        return words.LOG_SALE.format(sale=sale_id)
    return person_id


_EDGE = 8


class StaffLogPanel(Panel):
    """`wanted(who, day)` when others are to be read; `show_log` once they were. `closed` when it is to go away."""

    closed = Signal()
    wanted = Signal(str, str)

    def __init__(self, people: Sequence[Person], today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("staff_log")
        self.lines = _Lines()
        self.who = Choice(words.LOG_WHO, "staff_log_who", _who(people))
        self.day = Choice(words.LOG_DAY, "staff_log_day", _days(today))
        self.said = Label(words.LOG_READING, "body", "muted", wrap=True, name="staff_log_said")
        self.close_button = Button(words.CLOSE, name="staff_log_close", keycap="Esc")
        title = heading(words.LOG_TITLE, "staff_log_title")
        choices = QWidget()
        row = QHBoxLayout(choices)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S3)
        for choice in (self.who, self.day):
            row.addWidget(choice, 1)
            choice.edited.connect(self._choose)
        self.whole = Label("", "second", "muted", wrap=True, name="staff_log_whole", align=TOP)
        # Room for a long change: the list does not jump when another line is read.
        self.whole.setMinimumHeight(3 * self.whole.fontMetrics().lineSpacing())
        parts = (choices, self.said, self.lines, self.whole)
        column(self, title_row(title, self.close_button), *parts, spacing=S3)
        self.lines.hide()
        self.lines.currentRowChanged.connect(self._show_whole)
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.closed)

    def _show_whole(self, _row: int) -> None:
        """What does not fit in its row, of the one that is read."""
        told_of = self.lines.current_data()
        self.whole.setText(told_of.whole if told_of is not None else "")

    def _choose(self) -> None:
        self.said.setText(words.LOG_READING)
        self.wanted.emit(self.who.text(), self.day.text())

    def show_log(self, log: StaffLog, people: Sequence[Person]) -> None:
        """All of it, in words."""
        if log.problem:
            self.said.setText(people_words.problem(log.problem))
        elif log.lines:
            self.said.setText(words.LOG_HINT)
        else:
            is_all = not (self.who.text() or self.day.text())
            self.said.setText(words.LOG_NONE if is_all else words.LOG_NONE_SUCH)
        self.lines.show_lines([told(line, people) for line in log.lines])
        self.lines.setVisible(bool(log.lines))
        if log.lines and not (self.who.box.hasFocus() or self.day.box.hasFocus()):
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


def _who(people: Sequence[Person]) -> list[Option]:
    named = [(each.person_id, clean(each.name, LONGEST_NAME)) for each in people]
    return [("", words.LOG_EVERYBODY), *named, (TERMINAL, words.LOG_TILL)]


def _days(today: date) -> list[Option]:
    """Newest first."""
    days = [today - timedelta(days=back) for back in range(1, DAYS)]
    earlier = [(day.isoformat(), time_words.day(day)) for day in days]
    return [("", words.LOG_ALL_DAYS), (today.isoformat(), words.LOG_TODAY), *earlier]


class _Lines(Rows):
    """Read with the arrows; nothing in it can be chosen."""

    def __init__(self) -> None:
        super().__init__("staff_log_lines", words.LOG_TITLE, steady=20)

    def show_lines(self, lines: Sequence[Told]) -> None:
        """These and no others."""
        self.clear()
        for line in lines:
            self.add_row(" · ".join(part for part in line[:3] if part), line)
        self.setCurrentRow(0)
        self.fit_rows(_ROWS)

    def paint_row(self, row: Row, data: Told) -> None:
        """What was done and when; below it why."""
        on = tokens()
        width, line = row.room.width() - 2 * S3, (row.room.height() - 2 * _EDGE) / 2
        # With nothing below it a line stands in the middle.
        top = _EDGE if data.why else (row.room.height() - line) / 2
        taken = row.write(row.place(S3, top, width, line), "second", on.muted, data.when, at_end=True)
        row.write(row.place(S3, top, width - taken - S3, line), "strong", on.text, data.what)
        row.write(row.place(S3, _EDGE + line, width, line), "second", on.muted, data.why)
