"""The coach's card: its head and one page at a time. It passes on touches and knows no till."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.i18n.words.training import words
from pos_app.training.coach.exercises_page import ExercisesPage
from pos_app.training.coach.model import Listed, Opening, Telling, Verdict
from pos_app.training.coach.pages import IntroPage, Page, VerdictPage, WhoPage, text
from pos_app.training.coach.step_page import StepPage
from pos_app.ui.theme.tokens import S2, S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.label import ElidedLabel
from pos_app.ui.widgets.overlay import first_focusable


class Coach(Card):
    """`show_…` puts a page on; what the learner does there leaves as a signal.

    `phone` and `fold` are the window's, which says when they are of use.
    """

    opened = Signal()
    left = Signal()
    named = Signal(str)
    chosen = Signal(str)
    started = Signal()
    listed = Signal()
    went_on = Signal()
    decided = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("coach", parent=parent)
        self.title = ElidedLabel(words.TITLE, "strong", name="coach_title").stand_with_fields()
        self.leave = (
            Button("", name="course_leave", kind="quiet", icon="leave").called(words.LEAVE).padded(S3)
        )
        self.phone = (
            Button("", name="show_phone", kind="quiet", icon="phone").called(words.SHOW_PHONE).padded(S3)
        )
        self.fold = Button("", name="fold", kind="quiet", icon="chevron_down").called(words.FOLD).padded(S3)
        self.open = Button(words.OPEN_COURSE, name="course_open", kind="primary", icon="lesson")
        self.invitation = text("second", "muted", "course_invite")
        self.invitation.setText(words.INVITE)
        self._page: QWidget | None = None
        self._made: dict[type[Page], Page] = {}
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(0)
        head.addWidget(self.title, 1)
        for button in (self.phone, self.fold, self.leave):
            head.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(S4, S2, S4, S3)
        self._column.setSpacing(S2)
        self._column.addLayout(head)
        self.open.clicked.connect(self.opened)
        self.leave.clicked.connect(self.left)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.invite = Page("invite_page", self.invitation, self.open)
        self.invite.hide()
        self._column.addWidget(self.invite)
        self.show_invitation()

    @property
    def page(self) -> QWidget | None:
        """What is shown."""
        return self._page

    @property
    def typed(self) -> str:
        """The name that stands in the field, while somebody is asked for one."""
        page = self._page
        return page.name.text() if isinstance(page, WhoPage) else ""

    def type_in(self, typed: str) -> None:
        """It stands there again."""
        if typed and isinstance(self._page, WhoPage):
            self._page.name.set_text(typed)

    def show_invitation(self) -> None:
        """The course is closed."""
        self._put(self.invite)
        self.leave.hide()

    def show_who(self, known: Sequence[str]) -> None:
        """Who is learning?"""
        page = WhoPage(known)
        page.named.connect(self.named)
        old = self._made.get(WhoPage)
        self._made[WhoPage] = page
        self._column.addWidget(page)
        self._put(page)
        if old is not None:
            old.deleteLater()
        page.name.setFocus()

    def show_list(self, told: Listed) -> None:
        """All exercises."""
        page = self._made.get(ExercisesPage)
        if not isinstance(page, ExercisesPage):
            page = ExercisesPage()
            page.chosen.connect(self.chosen)
            self._keep(page)
        page.show_list(told)
        self._put(page)

    def show_opening(self, told: Opening) -> None:
        """One of them, before it begins."""
        page = self._made.get(IntroPage)
        if not isinstance(page, IntroPage):
            page = IntroPage()
            page.started.connect(self.started)
            page.back.connect(self.listed)
            self._keep(page)
        page.show_opening(told)
        self._put(page)

    def show_step(self, told: Telling) -> None:
        """In the middle of one."""
        page = self._made.get(StepPage)
        if not isinstance(page, StepPage):
            page = StepPage()
            page.decided.connect(self.decided)
            self._keep(page)
        page.show_step(told)
        self._put(page)

    def show_verdict(self, told: Verdict, not_kept: str) -> None:
        """How it ended."""
        page = self._made.get(VerdictPage)
        if not isinstance(page, VerdictPage):
            page = VerdictPage()
            page.again.connect(self.started)
            page.next.connect(self.went_on)
            page.back.connect(self.listed)
            self._keep(page)
        page.show_verdict(told, not_kept)
        self._put(page)

    def _keep(self, page: Page) -> None:
        self._made[type(page)] = page
        self._column.addWidget(page)

    def _put(self, page: QWidget) -> None:
        self.leave.show()
        focused = self.window().focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        if page is self._page:
            return
        if self._page is not None:
            self._page.hide()
        self._page = page
        page.show()
        if had_focus:
            # What had the keyboard is gone, and Qt would hand it to the door: Enter would leave the course.
            (page.focusProxy() or first_focusable(page) or self).setFocus()
