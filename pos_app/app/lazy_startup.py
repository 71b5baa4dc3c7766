"""Brings what stands beside the sandbox's till, a step at a time, once the till itself is ready."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from pos_app.app.view_config import view_config_of

if TYPE_CHECKING:
    from pos_app.app.session import Session
    from pos_app.bootstrap.sandbox_process import Details
    from pos_app.domain.views import Terminal
    from pos_app.training.companion import TrainingCompanion
    from pos_app.training.controller import CourseState

_PARTS = (
    "pos_app.training.course.exercises",
    "pos_app.training.phone.window",
    "pos_app.training.coach.sheet",
    "pos_app.training.controller",
    "pos_app.training.companion",
)
"""What it loads, in pieces: all at once they would hold up whoever touches the till meanwhile."""

STEP_MS = 20


class LazyStartup(QObject):
    """Each piece comes in a turn of the loop of its own, after the first that the engine publishes."""

    def __init__(
        self,
        session: Session,
        control: Details,
        terminal: Callable[[], Terminal],
        course: CourseState | bool,
    ) -> None:
        super().__init__(session)
        self._session = session
        self._control = control
        self._terminal = terminal
        self._course = course
        self.beside: TrainingCompanion | None = None
        loading = [_loading(part) for part in _PARTS]
        self._steps: list[Callable[[], object]] = [*loading, self._make, self._show]
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        session.published.connect(self._begin)

    def stop(self) -> None:
        """What stands there goes, and nothing more comes."""
        self._steps.clear()
        self._timer.stop()
        if self.beside is not None:
            self.beside.stop()

    def _begin(self, _published: object) -> None:
        if self._steps and not self._timer.isActive():
            self._timer.start()

    def _step(self) -> None:
        self._steps.pop(0)()
        if not self._steps:
            self._timer.stop()

    def _make(self) -> None:
        from pos_app.training.companion import TrainingCompanion
        from pos_app.training.controller import Ways

        session = self._session
        ways = Ways(
            post=session.bridge.post,
            config=lambda: session.shop.engine_config(sign_in_required=True),
            terminal=self._terminal,
            restart=session.restart_wanted.emit,
            printer=session.pretend_printer,
        )
        made = TrainingCompanion(
            self._control,
            session.shop.data_dir,
            view_config_of(session.shop.settings),
            ways,
            session,
            keys_wanted=session.keys_wanted,
        )
        session.published.connect(made.take)
        session.window.qr_changed.connect(made.show_code)
        self.beside = made

    def _show(self) -> None:
        if self.beside is not None:
            self.beside.start(self._session.window, course=self._course)


def _loading(module: str) -> Callable[[], object]:
    return lambda: importlib.import_module(module)
