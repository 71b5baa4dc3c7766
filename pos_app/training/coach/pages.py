"""The coach's quiet pages: the invitation, who is learning, an exercise before and after. They pass on touches."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.text import is_plain
from pos_app.i18n.words.training import words
from pos_app.training.coach.model import Opening, Verdict
from pos_app.training.course.progress import LONGEST_NAME
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import colour
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import TOP, Label

_MOST_NAMES = 6
_NAME_ROOM = 220
"""The narrowest sheet has so much for a name on its button."""


class Page(QWidget):
    """Parts below each other, at the top."""

    def __init__(self, name: str, *parts: QWidget) -> None:
        super().__init__()
        self.setObjectName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        for part in parts:
            column.addWidget(part.stand_with_fields() if isinstance(part, Label) else part)


def text(role: str, tone: str, name: str) -> Label:
    """A label that breaks its lines, filled later."""
    return Label("", role, tone, wrap=True, align=TOP, name=name)


class Icon(QWidget):
    """A mark beside a headline, never alone: the words say the same."""

    def __init__(self, name: str, side: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFixedSize(QSize(side, side))
        self._icon, self._tone = "", "text"

    def show_icon(self, icon: str, tone: str) -> None:
        """Another one."""
        self._icon, self._tone = icon, tone
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon in its colour."""
        if self._icon:
            paint_icon(QPainter(self), self._icon, QRectF(self.rect()), colour(self._tone))


class WhoPage(Page):
    """`named(name)`: who is learning."""

    named = Signal(str)

    def __init__(self, known: Sequence[str]) -> None:
        self.title = Label(words.WHO, "title", wrap=True, align=TOP, name="course_who")
        self.more = Label(words.WHO_MORE, "second", "muted", wrap=True, align=TOP, name="course_who_more")
        self.name = Field(words.NAME, "learner", example=words.NAME_EXAMPLE)
        self.name.edit.setMaxLength(LONGEST_NAME)
        if known:
            self.name.suggest(tuple(known[:_MOST_NAMES]), most=_NAME_ROOM)
            self.name.set_text(known[0])
        self.begin = Button(words.BEGIN, name="course_begin", kind="primary")
        super().__init__("who_page", self.title, self.more, self.name, self.begin)
        self.begin.clicked.connect(self._begin)
        self.name.entered.connect(self._begin)

    def _begin(self) -> None:
        name = " ".join(self.name.text().split())
        if name and is_plain(name):
            self.named.emit(name)
        else:
            self.name.show_error(words.NAME_PROBLEM)


class IntroPage(Page):
    """`started`, or `back` to all of them."""

    started = Signal()
    back = Signal()

    def __init__(self) -> None:
        self.title = text("title", "text", "course_title")
        self.mark = text("second", "muted", "course_mark")
        self.heading = Label(words.LEARN, "second", "muted", name="course_learn_heading")
        self.learn = text("lead", "text", "course_learn")
        self.start = Button(words.START, name="course_start", kind="primary")
        self.all = Button(words.BACK, name="course_back", kind="quiet")
        super().__init__("intro_page", self.title, self.mark, self.heading, self.learn, self.start, self.all)
        self.start.clicked.connect(self.started)
        self.all.clicked.connect(self.back)

    def show_opening(self, told: Opening) -> None:
        """This exercise."""
        self.title.setText(told.title)
        self.mark.setText(told.mark)
        self.learn.setText(told.learn)


class VerdictPage(Page):
    """`again`, `next`, or `back` to all of them."""

    again = Signal()
    next = Signal()
    back = Signal()

    def __init__(self) -> None:
        self.title = text("second", "muted", "verdict_title")
        self.icon = Icon("verdict_icon", 32)
        self.headline = text("title", "text", "verdict")
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S2)
        row.addWidget(self.icon)
        row.addWidget(self.headline, 1)
        self.why = text("body", "text", "verdict_why")
        self.kept = text("second", "bad", "verdict_not_kept")
        self._voice = Announcer(self.headline)
        self.go_on = Button(words.NEXT, name="course_next")
        self.repeat = Button(words.REPEAT, name="course_repeat")
        self.all = Button(words.BACK, name="course_back", kind="quiet")
        super().__init__(
            "verdict_page", self.title, head, self.why, self.kept, self.go_on, self.repeat, self.all
        )
        self.go_on.clicked.connect(self.next)
        self.repeat.clicked.connect(self.again)
        self.all.clicked.connect(self.back)

    def show_verdict(self, told: Verdict, not_kept: str) -> None:
        """What it was, and what is best done now first."""
        self.title.setText(told.title)
        self.headline.setText(told.headline)
        self.headline.set_tone("ok" if told.is_right else "warn")
        self.icon.show_icon("tick" if told.is_right else "warning", "ok" if told.is_right else "warn")
        self.why.setText(told.why)
        self.kept.setVisible(bool(not_kept))
        self.kept.setText(words.NOT_KEPT.format(why=not_kept) if not_kept else "")
        # Two exercises may end alike.
        self._voice.say("")
        self._voice.say(f"{told.headline}. {told.why}")
        self.go_on.set_kind("primary" if told.is_right else "quiet")
        self.repeat.set_kind("quiet" if told.is_right else "primary")
        # Enter does what stands out.
        self.setFocusProxy(self.go_on if told.is_right else self.repeat)
