"""Between whoever updates and the till's engine: by the till's own socket, or by a request of the administrator's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer

from pos_app.app.single_instance import CloseFor, Told
from pos_app.domain.draining import DrainAsked, DrainLeft, DrainNews, DrainStep, DrainView
from pos_app.system.boot_clock import ms_since_boot
from pos_app.system.updating import Presence, request_here

LOOK_MS = 1_000
MACHINE = "machine"

log = logging.getLogger(__name__)


class Tells(Protocol):
    """Who hears how far the till is."""

    def __call__(self, name: str, told: Told) -> None: ...


class UpdateDesk(QObject):
    """`post` hands news to the engine; `tell` answers by the socket; `ended` ends the till's process."""

    def __init__(
        self,
        post: Callable[[DrainNews], None],
        tell: Tells,
        ended: Callable[[], None],
        presence: Presence,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._post, self._tell, self._ended = post, tell, ended
        self._presence = presence
        self._of_machine = ""
        self._view = DrainView()
        self._timer = QTimer(self)
        # With whatever else looks at something now and then: a processor that sleeps is woken once for all of them.
        self._timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.look)
        self._timer.start(LOOK_MS)

    def asked(self, name: str, wanted: CloseFor) -> None:
        """Somebody of this account, by the socket."""
        wait_ms = int(min(max(wanted.wait_s, 0.0), 1e6) * 1000)
        self._post(DrainAsked(request_id=name, wait_ms=wait_ms, strict=wanted.strict, end=wanted.end))

    def left(self, name: str) -> None:
        """They hung up. Whoever was told that nothing is under way has what they wanted, until the time is over."""
        if self._view.request_id == name and self._view.step is DrainStep.DRAINED:
            return
        self._post(DrainLeft(request_id=name))

    def look(self) -> None:
        """Whether the administrator asks for something, or does no longer."""
        # Somebody's request ends by its time as well.
        if not self._presence.has_news() and not self._of_machine:
            return
        self._presence.look()
        request = request_here()
        name = "" if request is None else f"{MACHINE} {request.request_id}"
        if name == self._of_machine:
            return
        before, self._of_machine = self._of_machine, name
        if request is None:
            self._post(DrainLeft(request_id=before))
        else:
            wait_ms = max(0, request.until_ms - ms_since_boot())
            asked = DrainAsked(request_id=name, wait_ms=wait_ms, strict=request.strict, end=request.end)
            self._post(asked)

    def take(self, view: DrainView) -> None:
        """How far the till is now."""
        before, self._view = self._view, view
        if view == before:
            return
        if view.step is not before.step:
            log.info("an update: %s, %d payments under way", view.step.value or "none", view.open)
        self._presence.sells(view.step is not DrainStep.DRAINED)
        name = view.request_id
        if name and not name.startswith(MACHINE):
            self._tell(name, Told(step=view.step.value, open=view.open, busy=view.busy))
        if view.step is DrainStep.DRAINED and view.end:
            self._ended()

    def stop(self) -> None:
        """The till ends."""
        self._timer.stop()
