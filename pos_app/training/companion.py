"""What stands beside the sandbox's till: the course and the customer's phone in one window. It joins, and decides
where that window stands; the course is Coaching's."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt

from pos_app.bootstrap.sandbox_process import Details
from pos_app.domain.views import Published
from pos_app.training.coach.model import Telling, listed, opening, telling, verdict
from pos_app.training.coach.sheet import Need, Sheet
from pos_app.training.controller import CourseController, CourseState, Page, Ways
from pos_app.training.course.scenario import Where
from pos_app.training.learners_file import LearnersFile
from pos_app.training.phone.news import CodeOnScreen, Key
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from pos_app.training.sandbox_rig import SandboxRig
from pos_app.ui import places
from pos_app.ui.keyboard.screen_keyboard import KeysWanted
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.view_config import TillViewConfig

_NEEDS_THE_PHONE = (Where.PHONE, Where.BOTH)


class TrainingCompanion(QObject):
    """`start` shows it; `stop` ends it. Speaks the language the till speaks, at once."""

    def __init__(
        self,
        control: Details,
        data_dir: Path,
        config: TillViewConfig,
        till: Ways,
        parent: QObject | None = None,
        *,
        keys_wanted: KeysWanted = lambda _by_finger: False,
    ) -> None:
        """`keys_wanted`: whether a field that is touched brings keys to the screen."""
        super().__init__(parent)
        self._keys_wanted = keys_wanted
        self._control = control
        self._config = config
        self._code = ""
        self._number = ""
        self._till: MainWindow | None = None
        self._instruction = ""
        rig = SandboxRig(control.control_url, control.control_token, self)
        self.controller = CourseController(rig, LearnersFile(data_dir), till, self)
        self.controller.changed.connect(self._show_page)
        self.controller.phone_is.connect(self._phone_is)
        self.sheet = self._make_sheet()

    def start(self, till: MainWindow, *, course: CourseState | bool) -> None:
        """Beside this till; `course`: with the course open, or in the middle of what it says."""
        self.stand_by(till)
        self.sheet.show()
        till.activateWindow()
        if isinstance(course, CourseState):
            self.controller.go_on(course)
        elif course:
            self.controller.open()
        elif self.sheet.may_fold:
            self.sheet.fold(True)

    def stand_by(self, till: MainWindow) -> None:
        """Beside another window of the till: the one before has gone."""
        self._till = till
        room = till.screen().availableGeometry()
        mirrored = till.isRightToLeft()
        wide, small = places.sheet_places(room, till.geometry(), mirrored=mirrored)
        self.sheet.stand(wide, small, may_fold=wide.intersects(till.geometry()))
        self.sheet.winId()
        handle, owner = self.sheet.windowHandle(), till.windowHandle()
        if handle is not None and owner is not None:
            # It goes where the till goes, stays before it, and does not keep the application alive.
            handle.setTransientParent(owner)

    def take(self, published: Published) -> None:
        """A picture of the till."""
        self.controller.take(published)

    def take_paper(self, sheets: int) -> None:
        """So many whole sheets hang from the pretended printer."""
        self.controller.take_paper(sheets)

    def show_code(self, qr_text: str) -> None:
        """The till's screen shows this code; empty when it is gone."""
        self._code = qr_text
        self.phone.take(CodeOnScreen(qr_text))

    def stop(self) -> None:
        """Ends what it asks for, and goes."""
        self.controller.stop()
        self._put_away(self.sheet, self.phone)

    def _make_sheet(self) -> Sheet:
        wire, currency = Wire(self._control.control_url), self._config.currency.code
        self.phone = PhoneWindow(wire, self._number, inside=True, currency=currency)
        self.phone.take(Key(self._control.control_token))
        self.phone.take(CodeOnScreen(self._code))
        made = Sheet(self.phone, self._keys_wanted)
        made.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        made.spoke.connect(self._say_anew)
        # Where only the strip is left the code would be nowhere.
        self.phone.message_came.connect(made.strip.show_text)
        coach, on = made.coach, self.controller
        coach.opened.connect(on.open)
        coach.left.connect(on.leave)
        coach.named.connect(on.begin)
        coach.chosen.connect(on.choose)
        coach.started.connect(on.start)
        coach.listed.connect(on.list)
        coach.went_on.connect(on.next)
        coach.decided.connect(on.decide)
        return made

    def _put_away(self, sheet: Sheet, phone: PhoneWindow) -> None:
        sheet.spoke.disconnect()
        phone.close()
        sheet.close()
        sheet.deleteLater()

    def _say_anew(self) -> None:
        """Another language: the same window once more."""
        old, phone = self.sheet, self.phone
        was_here, typed = old.isActiveWindow(), old.coach.typed
        self.sheet = self._make_sheet()
        self.phone.take_over(phone)
        self._put_away(old, phone)
        if self._till is not None:
            self.stand_by(self._till)
            self.sheet.show()
            self.sheet.fold(old.is_folded)
            # A desktop gives a new window the keyboard, and whoever spoke another language stands at the till.
            (self.sheet if was_here else self._till).activateWindow()
        self._show_page()
        self.sheet.coach.type_in(typed)

    def _phone_is(self, number: str) -> None:
        self._number = number
        self.phone.answer_for(number)

    def _show_page(self) -> None:
        on, sheet = self.controller, self.sheet
        coach = sheet.coach
        instruction = ""
        match on.page:
            case Page.CLOSED:
                coach.show_invitation()
                sheet.need(Need.PHONE)
            case Page.WHO:
                if coach.page is None or coach.page.objectName() != "who_page":
                    coach.show_who([each.name for each in on.register.learners])
                sheet.need(Need.WHAT_FITS)
            case Page.EXERCISES:
                coach.show_list(listed(on.learner))
                sheet.need(Need.COACH)
            case Page.INTRO:
                coach.show_opening(opening(on.scenario, on.learner))
                sheet.need(Need.WHAT_FITS)
            case Page.STEP if on.run is not None:
                told = telling(on.run, self._config, is_silent=on.is_silent)
                coach.show_step(told)
                # What cannot be done any more is not asked for.
                instruction = told.note if on.is_silent else told.do
                self._make_room(told)
            case Page.VERDICT if on.run is not None:
                coach.show_verdict(verdict(on.run), on.not_kept)
                sheet.need(Need.WHAT_FITS)
        sheet.strip.show_text(instruction)
        if on.page not in (Page.STEP, Page.CLOSED):
            self._instruction = ""
            sheet.fold(False)

    def _make_room(self, told: Telling) -> None:
        """The phone where the step is about it; the till uncovered where the step is about that."""
        needed = told.where in _NEEDS_THE_PHONE
        self.sheet.need(Need.PHONE if needed else Need.WHAT_FITS)
        if told.do != self._instruction:
            self._instruction = told.do
            self.sheet.fold(not needed)
