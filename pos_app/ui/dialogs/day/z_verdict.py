"""What a Z's paper that was scanned says of the till's record: still the same, older than it, or not this till's."""

from __future__ import annotations

from datetime import date

from PySide6.QtWidgets import QWidget

from pos_app.domain.day import CheckedZ
from pos_app.domain.receipt import Verdict
from pos_app.domain.views import DayProblem, ZChecked
from pos_app.i18n.words.day import words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, column, heading, title_row
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class ZVerdict(LeftByEsc):
    """`left` to go away. It tells no takings: whoever is signed in may know whether the record was put back."""

    def __init__(self, checked: ZChecked, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("z_verdict")
        self.setAccessibleName(words.CHECKED)
        said = [
            Label(text, role, tone, wrap=True, name=f"z_verdict_{at}")
            for at, (text, role, tone) in enumerate(_lines(checked))
        ]
        close = Button(words.CLOSE, name="z_verdict_close", keycap="Esc")
        close.clicked.connect(self.left)
        column(self, title_row(heading(words.CHECKED, "z_verdict_title"), close), *said, spacing=S3)
        self.setFocusProxy(close)


def _lines(answer: ZChecked) -> list[tuple[str, str, str]]:
    """What is said, in which role and tone: the verdict first, then which Z it is about."""
    checked = answer.checked
    if checked is None:
        return [(words.PROBLEM.get(answer.problem, words.PROBLEM[DayProblem.CANNOT_READ]), "lead", "bad")]
    verdict = words.BEFORE if checked.is_before else words.VERDICT[checked.verdict]
    verdict = verdict.format(number=checked.number)
    tone = {Verdict.OURS: "text", Verdict.FOREIGN: "warn"}.get(checked.verdict, "bad")
    return [(verdict, "lead", tone), *((text, "strong", "muted") for text in _facts(checked))]


def _facts(checked: CheckedZ) -> list[str]:
    if checked.verdict is Verdict.FOREIGN or checked.is_before:
        return []
    if checked.of:
        return [words.Z_OF.format(number=checked.number, date=_day(checked.of))]
    if not checked.last:
        return [words.LAST_NONE]
    return [words.LAST_OF.format(number=checked.last, date=_day(checked.last_of))]


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{time_words.day(day)} {day.year}"
