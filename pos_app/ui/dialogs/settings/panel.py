"""The settings, for a manager; anybody else sees them and changes nothing."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.i18n.words.settings import words
from pos_app.ui.dialogs.parts.answers import Answers
from pos_app.ui.dialogs.parts.lines import Footer, column, heading
from pos_app.ui.dialogs.settings.form import SettingsForm
from pos_app.ui.dialogs.settings.pages import VOLUME
from pos_app.ui.dialogs.settings.services_test import ServicesTest
from pos_app.ui.dialogs.settings.values import (
    Problems,
    ServicesSaid,
    SettingsCalls,
    SettingsDraft,
    SettingsPicture,
    SettingsSaved,
)
from pos_app.ui.theme.tokens import S3, S5
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.label import RIGHT, Label
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.said import SaidLabel

WIDTH = 960
_REASON = "reason"
_BOTTOM = Qt.AlignmentFlag.AlignBottom


class SettingsDialog(QWidget):
    """`closed` when it is to go away. It never shows a secret.

    `said`: what is told at once, of a change after which the screen was opened anew at `section`.
    """

    closed = Signal()

    def __init__(
        self,
        picture: SettingsPicture,
        calls: SettingsCalls,
        *,
        is_manager: bool,
        said: str = "",
        section: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setAccessibleName(words.TITLE)
        self._calls = calls
        self._is_manager = is_manager
        self._was_warned = False
        self._sent: dict[str, str] = {}
        """What stood in the fields when they were given to be saved."""
        self._saved, self._tested = Answers(self), Answers(self)
        self._saved.came.connect(self._finish)
        self._tested.came.connect(self._show_tested)
        self.test = ServicesTest()
        self.form = SettingsForm(picture.sections, self.test.button)
        self.why_not = Label("", "second", "warn", wrap=True, name="why_not_changed")
        self.outcome = SaidLabel("", "body", "bad", wrap=True, align=RIGHT, name="save_outcome")
        self.reason = Field(words.REASON, _REASON, example=for_example(words.REASON_EXAMPLE))
        self.back = Button(words.CLOSE, name="back", keycap="Esc")
        self.save = Button(words.SAVE, name="save", kind="primary")
        column(
            self,
            self._top(),
            self.why_not,
            self.form,
            self.test,
            self._bottom(),
            spacing=S3,
        )
        self.form.order_keys(self.test.button, self.reason.edit)
        self._show(picture)
        self._connect()
        self.setFocusProxy(self.form)
        if section:
            self.form.sections.choose(section)
        if said:
            self._say(said, "ok")

    def take_over(self, old: SettingsDialog) -> None:
        """What was typed into the same screen of another window, behind what has been saved of it."""
        self.form.put_in(old.form.typed())
        self.reason.set_text(old.reason.text())

    def sizeHint(self) -> QSize:
        """Wide enough that no section is taller than another needs."""
        return QSize(max(WIDTH, super().sizeHint().width()), super().sizeHint().height())

    def _top(self) -> QWidget:
        """What became of a change stands beside the title: below, it would push the buttons off a small screen."""
        top = QWidget()
        row = QHBoxLayout(top)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S5)
        row.addWidget(heading(words.TITLE, "settings_title").stand_with_fields())
        row.addWidget(self.outcome, 1)
        row.addWidget(self.back)
        return top

    def _bottom(self) -> QWidget:
        bottom = QWidget()
        row = QHBoxLayout(bottom)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S3)
        # The button's shape has room for its ring around it: beside it the field stands as high.
        self.reason.setContentsMargins(0, 0, 0, RING)
        row.addWidget(self.reason, 1)
        row.addWidget(self.save)
        row.setAlignment(self.save, _BOTTOM)
        return Footer(bottom)

    def _connect(self) -> None:
        self.form.changed.connect(self._was_changed)
        self.form.volume_tried.connect(self._try_sound)
        self.form.test_page_wanted.connect(self._calls.print_test)
        self.test.wanted.connect(self._test)
        self.reason.entered.connect(self._try_to_save)
        self.save.clicked.connect(self._try_to_save)
        self.back.clicked.connect(self._leave)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc is the button."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.isAutoRepeat():
            self._leave()

    def _leave(self) -> None:
        """What was typed is not lost by one key."""
        if self.form.is_changed and not self._was_warned:
            self._say(words.UNSAVED, "warn")
            self._was_warned = True
        else:
            self.closed.emit()

    def _show(self, picture: SettingsPicture) -> None:
        self.form.show_picture(picture, changeable=self._is_manager)
        for part in (self.reason, self.save, self.test.button):
            part.setEnabled(self._is_manager)
        told = "" if self._is_manager else words.ONLY_MANAGERS
        self.why_not.setText(told or (words.FOR_THIS_RUN if picture.for_this_run else ""))
        self.why_not.setVisible(bool(self.why_not.text()))

    def _was_changed(self) -> None:
        self._tested.drop()
        self.test.forget()
        self._say("", "muted")

    def _draft(self) -> SettingsDraft | None:
        """What is typed if all of it can be used; else each problem stands at its field."""
        draft = self.form.draft(self.reason.text().strip())
        problems = draft if isinstance(draft, tuple) else self._calls.check(draft.values)
        if isinstance(draft, SettingsDraft) and not problems:
            self.form.show_problems(())
            return draft
        self._show_problems(problems)
        return None

    def _try_sound(self) -> None:
        """As loud as is typed; a volume that is none is said to be none."""
        part = self.form.part(VOLUME)
        wrong = [each for each in self._calls.check({VOLUME: part.text()}) if each.field == VOLUME]
        if wrong:
            part.part.show_error(wrong[0].text)
        else:
            self._calls.try_sound(int(part.text()))

    def _test(self) -> None:
        draft = self._draft()
        if draft is not None:
            self.test.begin()
            self._calls.test(draft, self._tested.next())

    @Slot(object)
    def _show_tested(self, answer: object) -> None:
        if isinstance(answer, ServicesSaid):
            self.test.show_tested(answer)
        elif isinstance(answer, tuple):
            self.test.show_refused(" ".join(problem.text for problem in answer))

    def _try_to_save(self) -> None:
        draft = self._draft() if self.save.isEnabled() else None
        if draft is None:
            return
        self.save.setEnabled(False)
        self.save.setText(words.SAVING)
        self._say("", "muted")
        self._sent = {**self.form.texts(), _REASON: self.reason.text()}
        self._calls.save(draft, self._saved.next())

    @Slot(object)
    def _finish(self, answer: object) -> None:
        self.save.setEnabled(True)
        self.save.setText(words.SAVE)
        # A secret among them stays no longer than it is needed.
        sent, self._sent = self._sent, {}
        if isinstance(answer, SettingsSaved):
            now = {**self.form.texts(), _REASON: self.reason.text()}
            since = {name: text for name, text in now.items() if text != sent.get(name)}
            self.reason.set_text(since.pop(_REASON, ""))
            self._show(answer.picture)
            self.form.put_in(since)
            self.test.forget()
            self._say(answer.words, "ok")
        elif isinstance(answer, tuple):
            self._show_problems(answer)

    def _show_problems(self, problems: Problems) -> None:
        here = self.form.show_problems(problems)
        why = next((each.text for each in problems if each.field == _REASON), "")
        if why:
            self.reason.show_error(why, focus=not here)
        self._say(" ".join(each.text for each in problems if not each.field), "bad")

    def _say(self, said: str, tone: str) -> None:
        # Who is told something else has stayed.
        self._was_warned = False
        self.outcome.set_tone(tone)
        self.outcome.setText(said)
